/** Purchases, charges and refunds for staff (spec 1 section 6; docs/domain.md V29). */
import type * as z from 'zod'
import { pesos } from '#contract/money.ts'
import type { FoundPurchase } from '#contract/search.ts'
import type { PlanChange, PurchaseGrants, Refund, StudioInvoice, StudioPurchase, studioSales as wire } from '#contract/studio-sales.ts'
import { addDays, startOfDay, wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listTeamNames } from '#server/modules/people/people.ts'
import {
  type InvoiceView,
  listInvoicePage,
  listInvoiceViews,
  listRefundViews,
  sumInvoices,
} from '#server/modules/sales/store/invoice-store.ts'
import { findLatestChange, type LatestChange } from '#server/modules/sales/store/plan-change-store.ts'
import { orderNumber, type PaymentMethodKey } from '#server/modules/sales/store/purchase-filter-store.ts'
import { listRefunds, type RefundRow } from '#server/modules/sales/store/refund-store.ts'
import { findSale } from '#server/modules/sales/store/sale-store.ts'
import {
  findStudioView,
  listLatestViews,
  listPurchaseIds,
  listStudioPage,
  sumPurchases,
} from '#server/modules/sales/store/studio-lists-store.ts'
import { findView, type PurchaseView } from '#server/modules/sales/store/view-store.ts'
import { serializeInvoice } from './invoices.ts'
import { purchaseGrants } from './purchase-grants.ts'
import { purchaseOnWire } from './purchase-view.ts'
import { purchaseHere } from './visible-sales.ts'

type Input<K extends 'purchases' | 'invoices' | 'refunds'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

/** A purchase for staff, from its view. */
export async function serializeStudioPurchase(ctx: Ctx, view: PurchaseView): Promise<StudioPurchase> {
  const { purchase, email } = view
  const { deletedAt, ...whose } = view.buyer
  return {
    ...(await purchaseOnWire(ctx, view)),
    customer: { ...whose, email, has_file: deletedAt === null },
    gift_from: view.giver,
    gateway: purchase.gateway,
    cancel_reason: purchase.cancel_reason,
    can_change_plan: purchase.frozenAt === null && mayChangePlan(view),
    disputed: purchase.frozenAt !== null,
    location_id: purchase.location_id,
    staff_id: purchase.staff_id,
    alarm: purchase.alarm,
  }
}

/** Whether the purchase is a subscription that is neither overdue nor paused, or one period of one that was sold at the counter. */
function mayChangePlan({ purchase, classPackage }: PurchaseView): boolean {
  if (purchase.status === 'active') return purchase.subscription_id !== null && !purchase.past_due_since && !purchase.paused_since
  return purchase.status === 'completed' && (classPackage?.is_subscription ?? false)
}

function studioInvoiceOut(ctx: Ctx, view: InvoiceView): StudioInvoice {
  const {
    gateway,
    payment_method_id,
    location_id,
    staff_id,
    reference,
    cash_session_id,
    tax_rate,
    tax_exempt,
    net_centavos,
    tax_centavos,
  } = view.invoice
  return {
    ...serializeInvoice(view, ctx.zone),
    customer: view.customer,
    gateway,
    payment_method_id,
    location_id,
    staff_id,
    reference,
    cash_session_id,
    lost: pesos(view.invoice.status === 'lost' ? view.invoice.disputed_centavos : 0),
    tax: { rate: tax_rate / 100, exempt: tax_exempt, net: pesos(net_centavos), amount: pesos(tax_centavos) },
  }
}

/** A refund for staff. */
export function serializeStudioRefund(ctx: Ctx, row: RefundRow): Refund {
  return {
    refund_id: row.refund_id,
    invoice_id: row.invoice_id,
    amount: pesos(row.amount_centavos),
    reason: row.reason,
    by_hand: row.by_hand,
    state: row.state,
    payment_method_id: row.payment_method_id,
    cash_session_id: row.cash_session_id,
    staff_id: row.staff_id,
    createdAt: row.createdAt.toISOString(),
    created_date: wallClock(row.createdAt, ctx.zone).toISOString(),
    doneAt: row.doneAt?.toISOString() ?? null,
    done_date: row.doneAt ? wallClock(row.doneAt, ctx.zone).toISOString() : null,
    returnedAt: row.returnedAt?.toISOString() ?? null,
  }
}

/** One purchase for staff. */
export async function studioPurchase(ctx: Ctx, purchase_id: number): Promise<StudioPurchase> {
  return serializeStudioPurchase(ctx, await findView(ctx.db, purchase_id))
}

/** The last purchases, online ones and those of some locations; of all when `locations` is null. */
export async function latestPurchases(ctx: Ctx, locations: readonly number[] | null, size: number): Promise<StudioPurchase[]> {
  const views = await listLatestViews(ctx.db, locations, size)
  return Promise.all(views.map((view) => serializeStudioPurchase(ctx, view)))
}

/** The locations whose rows a list shows. FORBIDDEN for a filter by a location where the caller does not work (E14). */
export function visibleLocations(ctx: Ctx, { location_id }: { location_id?: number | undefined }): { locations: readonly number[] | null } {
  if (location_id !== undefined) ctx.requireLocation('sales.sell', location_id)
  return { locations: ctx.locationIds }
}

/** The purchase with the typed order number, if it was made online or where the person works; null otherwise. */
export async function findPurchaseByNumber(ctx: Ctx, typed: string): Promise<FoundPurchase | null> {
  const purchase_id = orderNumber(typed)
  const view = purchase_id === null ? null : await findStudioView(ctx.db, purchase_id, ctx.locationIds)
  if (!view) return null
  const { title, status, total_centavos, createdAt } = view.purchase
  return {
    purchase_id: view.purchase.purchase_id,
    title,
    status,
    total: pesos(total_centavos),
    createdAt: createdAt.toISOString(),
    customer: `${view.buyer.name} ${view.buyer.last_name}`.trim(),
  }
}

/** Studio-local days as instants; the last day is included. */
export const toInstants = (ctx: Ctx, { from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from === undefined ? undefined : startOfDay(from, ctx.zone),
  until: to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone),
})

/** Groups rows by a key and sums the given columns; groups keep the order of their first row. */
function gather<R extends object, K extends string>(
  rows: readonly (R & Record<K, number>)[],
  keyOf: (row: R) => string,
  names: readonly K[],
) {
  const found = new Map<string, R & Record<K, number>>()
  for (const row of rows) {
    const known = found.get(keyOf(row))
    if (!known) found.set(keyOf(row), { ...row })
    else for (const name of names) Object.assign(known, { [name]: known[name] + row[name] })
  }
  return [...found.values()]
}

const methodKey = (row: PaymentMethodKey) => `${row.gateway} ${row.payment_method_id}`
const serializeMethod = ({ gateway, payment_method_id, name }: PaymentMethodKey) => ({ gateway, payment_method_id, name })
const total = <K extends string>(rows: readonly Record<K, number>[], name: K) => pesos(rows.reduce((sum, row) => sum + row[name], 0))

/**
 * Whether the caller sees the sums of a list. They are what the studio took in, by payment method too, which would show a blind count of
 * the till (J4) what is expected.
 */
const seesSums = (ctx: Ctx): boolean => ctx.may('reports.money')

/** Purchases of the caller's locations and online ones, with the sums of all that match the filter. FORBIDDEN for another location. */
export async function studioPurchases(ctx: Ctx, input: Input<'purchases'>) {
  const filter = { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }
  const [rows, sums, people] = await Promise.all([
    listStudioPage(ctx.db, filter, { number: input.page, size: input.per_page }, input.sort),
    sumPurchases(ctx.db, filter),
    listTeamNames(ctx.db),
  ])
  const [byStatus, byMethod] = [gather(sums, (row) => row.status, ['count', 'total']), gather(sums, methodKey, ['count', 'total'])]
  return {
    purchases: await Promise.all(rows.map((view) => serializeStudioPurchase(ctx, view))),
    total: sums.reduce((all, row) => all + row.count, 0),
    people,
    sum: seesSums(ctx)
      ? {
          total: total(sums, 'total'),
          by_status: byStatus.map(({ status, count, total }) => ({ status, count, total: pesos(total) })),
          by_way: byMethod.map((row) => ({ ...serializeMethod(row), count: row.count, total: pesos(row.total) })),
        }
      : null,
  }
}

/** At most `limit` purchases that match a filter of the list, and how many match. FORBIDDEN for another location. */
export function findPurchaseIds(ctx: Ctx, input: Omit<Input<'purchases'>, 'page' | 'per_page' | 'sort'>, limit: number) {
  return listPurchaseIds(ctx.db, { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }, limit)
}

/** Charges of the caller's locations and online ones, with the sums of all that match the filter. FORBIDDEN for another location. */
export async function studioInvoices(ctx: Ctx, input: Input<'invoices'>) {
  const filter = { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }
  const [rows, sums, people] = await Promise.all([
    listInvoicePage(ctx.db, filter, { number: input.page, size: input.per_page }, input.sort),
    sumInvoices(ctx.db, filter),
    listTeamNames(ctx.db),
  ])
  const byStatus = gather(sums, (row) => row.status, ['count', 'charged']).filter((row) => row.count > 0)
  const byMethod = gather(sums, methodKey, ['count', 'charged', 'refunded', 'lost'])
  return {
    invoices: rows.map((view) => studioInvoiceOut(ctx, view)),
    total: sums.reduce((all, row) => all + row.count, 0),
    people,
    sum: seesSums(ctx)
      ? {
          charged: total(sums, 'charged'),
          tax: total(sums, 'tax'),
          refunded: total(sums, 'refunded'),
          lost: total(sums, 'lost'),
          disputed: total(sums, 'disputed'),
          by_status: byStatus.map(({ status, count, charged }) => ({ status, count, charged: pesos(charged) })),
          by_way: byMethod.map((row) => ({
            ...serializeMethod(row),
            count: row.count,
            charged: pesos(row.charged),
            refunded: pesos(row.refunded),
            lost: pesos(row.lost),
          })),
        }
      : null,
  }
}

/** Refunds of those charges by the day on which they were made. FORBIDDEN for another location. */
export async function studioRefunds(ctx: Ctx, input: Input<'refunds'>) {
  const filter = { ...input, ...toInstants(ctx, input), ...visibleLocations(ctx, input) }
  const [found, people] = await Promise.all([
    listRefundViews(ctx.db, filter, { number: input.page, size: input.per_page }, input.sort),
    listTeamNames(ctx.db),
  ])
  return {
    refunds: found.rows.map(({ refund, ...shown }) => ({ ...serializeStudioRefund(ctx, refund), ...shown })),
    total: found.total,
    people,
    sum: seesSums(ctx) ? { refunded: pesos(found.refunded), returned: pesos(found.returned) } : null,
  }
}

/** One purchase with all its charges and refunds. PURCHASE_NOT_FOUND, also for one of another location. */
export async function studioDetail(
  ctx: Ctx,
  input: { purchase_id: number },
): Promise<{
  purchase: StudioPurchase
  invoices: StudioInvoice[]
  refunds: Refund[]
  grants: PurchaseGrants
  plan_change: PlanChange | null
  sale_id: number | null
  note: string | null
}> {
  const { purchase_id } = input
  const { benefits_until, note, sale_id } = await purchaseHere(ctx, purchase_id)
  const [purchase, { rows }, refunds, grants, change, sale] = await Promise.all([
    studioPurchase(ctx, purchase_id),
    // What a gift card paid is refunded to it (I7), though it is no money received.
    listInvoiceViews(ctx.db, { purchase_id, withGiftCards: true }, { number: 1, size: 500 }),
    listRefunds(ctx.db, purchase_id),
    purchaseGrants(ctx, purchase_id),
    findLatestChange(ctx.db, purchase_id),
    sale_id === null ? null : findSale(ctx.db, sale_id),
  ])
  return {
    purchase,
    invoices: rows.map((view) => studioInvoiceOut(ctx, view)),
    refunds: refunds.map((row) => serializeStudioRefund(ctx, row)),
    grants,
    plan_change: change && planChangeOut(change, benefits_until),
    sale_id: sale && !sale.is_waiting ? sale.sale_id : null,
    note: sale ? sale.note : note,
  }
}

function planChangeOut(change: LatestChange, benefits_until: Date | null): PlanChange {
  const { class_package_id, title, total_centavos, replaced_by, status } = change
  const state = change.doneAt ? 'done' : replaced_by === null ? 'scheduled' : status === 'pending' ? 'waiting' : 'failed'
  return {
    state,
    class_package_id,
    title,
    total: pesos(total_centavos),
    replaced_by,
    starts_at: state === 'scheduled' ? (benefits_until?.toISOString() ?? null) : null,
  }
}
