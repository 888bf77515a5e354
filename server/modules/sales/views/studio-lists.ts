/** Purchases and charges as the studio sees them (spec 1 section 6; docs/domain.md V29). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import {
  type Refund,
  STUDIO_SALES_PER_PAGE,
  type StudioInvoice,
  type StudioPurchase,
  type studioSales as wire,
} from '#contract/studio-sales.ts'
import { addDays, startOfDay, wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type InvoiceView, listInvoiceViews, listRefundViews, sumInvoices } from '#server/modules/sales/store/invoice-store.ts'
import type { PaymentMethodKey } from '#server/modules/sales/store/purchase-filter-store.ts'
import { listRefunds, type RefundRow } from '#server/modules/sales/store/refund-store.ts'
import { findPurchase } from '#server/modules/sales/store/store.ts'
import { listStudioViews, sumPurchases } from '#server/modules/sales/store/studio-lists-store.ts'
import { findView, type PurchaseView } from '#server/modules/sales/store/view-store.ts'
import { invoiceOut } from './invoices.ts'
import { purchaseOnWire } from './purchase-view.ts'

type Input<K extends 'purchases' | 'invoices' | 'refunds'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

async function studioOut(ctx: Ctx, view: PurchaseView): Promise<StudioPurchase> {
  const { purchase, buyer, email } = view
  return {
    ...(await purchaseOnWire(ctx, view)),
    customer: { ...buyer, email },
    gateway: purchase.gateway,
    cancel_reason: purchase.cancel_reason,
    disputed: purchase.frozenAt !== null,
    location_id: purchase.location_id,
    staff_id: purchase.staff_id,
    alarm: purchase.alarm,
  }
}

function studioInvoiceOut(ctx: Ctx, view: InvoiceView): StudioInvoice {
  const { gateway, payment_method_id, location_id, staff_id, reference, cash_session_id, tax_rate, net_centavos, tax_centavos } =
    view.invoice
  return {
    ...invoiceOut(view, ctx.zone),
    customer: view.customer,
    ...{ gateway, payment_method_id, location_id, staff_id, reference, cash_session_id },
    tax: { rate: tax_rate / 100, net: pesos(net_centavos), amount: pesos(tax_centavos) },
  }
}

/** A refund as the studio sees it. */
export function refundOut(ctx: Ctx, row: RefundRow): Refund {
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

/** One purchase as the studio sees it. */
export async function studioPurchase(ctx: Ctx, purchase_id: number): Promise<StudioPurchase> {
  return studioOut(ctx, await findView(ctx.db, purchase_id))
}

/** Studio-local days as instants; the last day counts whole. */
const between = (ctx: Ctx, { from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: from === undefined ? undefined : startOfDay(from, ctx.zone),
  until: to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone),
})

/** Rows gathered by a key, with the sums of some of their numbers, in the order in which the keys first come. */
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

const wayKey = (row: PaymentMethodKey) => `${row.gateway} ${row.payment_method_id}`
const wayOut = ({ gateway, payment_method_id, name }: PaymentMethodKey) => ({ gateway, payment_method_id, name })
const total = <K extends string>(rows: readonly Record<K, number>[], name: K) => pesos(rows.reduce((sum, row) => sum + row[name], 0))

/** Purchases, newest first, fifty a page, and the sums of all that the filter finds. */
export async function studioPurchases(ctx: Ctx, input: Input<'purchases'>) {
  const filter = { ...input, ...between(ctx, input) }
  const [found, sums] = await Promise.all([
    listStudioViews(ctx.db, filter, { number: input.page, size: STUDIO_SALES_PER_PAGE }),
    sumPurchases(ctx.db, filter),
  ])
  const [byStatus, byWay] = [gather(sums, (row) => row.status, ['count', 'total']), gather(sums, wayKey, ['count', 'total'])]
  return {
    purchases: await Promise.all(found.rows.map((view) => studioOut(ctx, view))),
    total: found.total,
    sum: {
      total: total(sums, 'total'),
      by_status: byStatus.map(({ status, count, total }) => ({ status, count, total: pesos(total) })),
      by_way: byWay.map((row) => ({ ...wayOut(row), count: row.count, total: pesos(row.total) })),
    },
  }
}

/** Charges, newest first, fifty a page, and the sums of all that the filter finds. */
export async function studioInvoices(ctx: Ctx, input: Input<'invoices'>) {
  const filter = { ...input, ...between(ctx, input) }
  const [found, sums] = await Promise.all([
    listInvoiceViews(ctx.db, filter, { number: input.page, size: STUDIO_SALES_PER_PAGE }),
    sumInvoices(ctx.db, filter),
  ])
  const byStatus = gather(sums, (row) => row.status, ['count', 'charged']).filter((row) => row.count > 0)
  const byWay = gather(sums, wayKey, ['count', 'charged', 'refunded', 'lost'])
  return {
    invoices: found.rows.map((view) => studioInvoiceOut(ctx, view)),
    total: found.total,
    sum: {
      ...{ charged: total(sums, 'charged'), tax: total(sums, 'tax'), refunded: total(sums, 'refunded') },
      ...{ lost: total(sums, 'lost'), disputed: total(sums, 'disputed') },
      by_status: byStatus.map(({ status, count, charged }) => ({ status, count, charged: pesos(charged) })),
      by_way: byWay.map((row) => ({
        ...{ ...wayOut(row), count: row.count },
        ...{ charged: pesos(row.charged), refunded: pesos(row.refunded), lost: pesos(row.lost) },
      })),
    },
  }
}

/** What was given back, by the day on which it went back, latest first, fifty a page. */
export async function studioRefunds(ctx: Ctx, input: Input<'refunds'>) {
  const found = await listRefundViews(ctx.db, { ...input, ...between(ctx, input) }, { number: input.page, size: STUDIO_SALES_PER_PAGE })
  return {
    refunds: found.rows.map(({ refund, ...shown }) => ({ ...refundOut(ctx, refund), ...shown })),
    total: found.total,
    sum: { refunded: pesos(found.refunded), returned: pesos(found.returned) },
  }
}

/** One purchase with its charges and refunds. PURCHASE_NOT_FOUND. */
export async function studioDetail(
  ctx: Ctx,
  input: { purchase_id: number },
): Promise<{ purchase: StudioPurchase; invoices: StudioInvoice[]; refunds: Refund[] }> {
  const { purchase_id } = input
  if (!(await findPurchase(ctx.db, purchase_id))) throw refuse('PURCHASE_NOT_FOUND')
  const [purchase, { rows }, refunds] = await Promise.all([
    studioPurchase(ctx, purchase_id),
    listInvoiceViews(ctx.db, { purchase_id }, { number: 1, size: 500 }),
    listRefunds(ctx.db, purchase_id),
  ])
  return { purchase, invoices: rows.map((view) => studioInvoiceOut(ctx, view)), refunds: refunds.map((row) => refundOut(ctx, row)) }
}
