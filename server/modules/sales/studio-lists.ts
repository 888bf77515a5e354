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
import { type InvoiceView, listInvoiceViews, sumInvoices } from './invoice-store.ts'
import { invoiceOut } from './invoices.ts'
import { listRefunds, type RefundRow } from './refund-store.ts'
import { findPurchase } from './store.ts'
import { listStudioViews } from './studio-lists-store.ts'
import { purchaseOnWire } from './view.ts'
import { findView, type PurchaseView } from './view-store.ts'

type Input<K extends 'purchases' | 'invoices'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

async function studioOut(ctx: Ctx, view: PurchaseView): Promise<StudioPurchase> {
  const { purchase, buyer, email } = view
  return {
    ...(await purchaseOnWire(ctx, view)),
    customer: { ...buyer, email },
    gateway: purchase.gateway,
    cancel_reason: purchase.cancel_reason,
    disputed: purchase.frozenAt !== null,
    alarm: purchase.alarm,
  }
}

function studioInvoiceOut(ctx: Ctx, view: InvoiceView): StudioInvoice {
  return { ...invoiceOut(view, ctx.zone), customer: view.customer, gateway: view.invoice.gateway }
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
    createdAt: row.createdAt.toISOString(),
    created_date: wallClock(row.createdAt, ctx.zone).toISOString(),
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

/** Purchases, newest first, fifty a page. */
export async function studioPurchases(ctx: Ctx, ask: Input<'purchases'>): Promise<{ purchases: StudioPurchase[]; total: number }> {
  const filter = { ...ask, query: ask.query || undefined, ...between(ctx, ask) }
  const { rows, total } = await listStudioViews(ctx.db, filter, { number: ask.page, size: STUDIO_SALES_PER_PAGE })
  return { purchases: await Promise.all(rows.map((view) => studioOut(ctx, view))), total }
}

/** Charges, newest first, fifty a page, and the sum of all that the filter finds. */
export async function studioInvoices(ctx: Ctx, ask: Input<'invoices'>) {
  const filter = { ...ask, query: ask.query || undefined, ...between(ctx, ask) }
  const { rows, total } = await listInvoiceViews(ctx.db, filter, { number: ask.page, size: STUDIO_SALES_PER_PAGE })
  const sum = await sumInvoices(ctx.db, filter)
  return {
    invoices: rows.map((view) => studioInvoiceOut(ctx, view)),
    total,
    sum: { charged: pesos(sum.charged), refunded: pesos(sum.refunded), lost: pesos(sum.lost), disputed: pesos(sum.disputed) },
  }
}

/** One purchase with its charges and refunds. PURCHASE_NOT_FOUND. */
export async function studioDetail(
  ctx: Ctx,
  ask: { purchase_id: number },
): Promise<{ purchase: StudioPurchase; invoices: StudioInvoice[]; refunds: Refund[] }> {
  const { purchase_id } = ask
  if (!(await findPurchase(ctx.db, purchase_id))) throw refuse('PURCHASE_NOT_FOUND')
  const [purchase, { rows }, refunds] = await Promise.all([
    studioPurchase(ctx, purchase_id),
    listInvoiceViews(ctx.db, { purchase_id }, { number: 1, size: 500 }),
    listRefunds(ctx.db, purchase_id),
  ])
  return { purchase, invoices: rows.map((view) => studioInvoiceOut(ctx, view)), refunds: refunds.map((row) => refundOut(ctx, row)) }
}
