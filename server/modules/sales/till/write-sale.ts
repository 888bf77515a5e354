/** A sale at the counter as it is written: its items as purchases, its payments as charges (S1, S3). */

import { refuse } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { closeWaiting } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { insertSale } from '#server/modules/sales/store/sale-store.ts'
import { listOpen, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { type PricedItem, takeStockOf, writeItem } from './sale-items.ts'
import { type ReadPayment, takePayment } from './sale-payments.ts'

export interface SaleToWrite {
  customer_id: number
  location_id: number
  items: readonly PricedItem[]
  payments: readonly ReadPayment[]
  total: Centavos
  owed: Centavos
  owe: { until: string; reason: string } | null
  note: string | null
}

/**
 * Writes a sale whose payments and debt make its total, behind the customer's lock. Answers its purchases, in the order of its items. PACKAGE_SOLD_OUT,
 * DISCOUNT_EXHAUSTED, CASH_SESSION_REQUIRED.
 */
export async function writeSale(
  tx: Tx,
  ctx: Ctx,
  input: SaleToWrite,
): Promise<{ sale_id: number; purchases: { at: number; purchase_id: number; total_centavos: Centavos }[] }> {
  const { customer_id, location_id, items, payments, total, owed, owe, note } = input
  if (!ctx.staff) throw refuse('FORBIDDEN')
  const sale = await insertSale(tx, {
    ...{ customer_id, location_id, staff_id: ctx.staff.staff_id, total_centavos: total, owed_centavos: owed },
    ...{ owe_until: owe?.until ?? null, owe_reason: owe?.reason ?? null, note, createdAt: ctx.now },
  })
  await takeStockOf(tx, items)
  const [first] = payments
  const paidBy = first
    ? { gateway: first.kind === 'cash' ? 'efectivo' : 'mostrador', payment_method_id: first.input.payment_method_id }
    : null
  const written: { item: PricedItem; n: number; one: Awaited<ReturnType<typeof writeItem>> }[] = []
  // Uses of discounts are taken in the order of their ids, so that two baskets never wait for each other.
  const order = items
    .map((item, n) => ({ item, n }))
    .sort((a, b) => (a.item.discount?.discount_id ?? 0) - (b.item.discount?.discount_id ?? 0))
  for (const { item, n } of order) written.push({ item, n, one: await writeItem(tx, ctx, sale, item, n + 1, paidBy) })
  written.sort((a, b) => a.n - b.n)
  const purchases = written.map(({ one }) => one)
  for (const [n, payment] of payments.entries()) await takePayment(tx, ctx, { sale, location_id, n: n + 1, payment, purchases })
  await ctx.audit(tx, {
    ...{ action: 'sale.create', entity: 'sale', entity_id: sale.sale_id, reason: owe?.reason ?? null },
    after: {
      ...{ customer_id, total_centavos: total, owed_centavos: owed, note },
      items: written.map(({ item, one }) => ({
        ...{ purchase_id: one.purchase.purchase_id, title: item.title, list_centavos: item.list, total_centavos: item.total },
        ...{ reason: item.input.price?.reason ?? item.input.discount?.reason ?? null, over_limit: item.over_limit_reason },
      })),
    },
  })
  return {
    sale_id: sale.sale_id,
    purchases: written.map(({ item, one }) => ({ at: item.at, purchase_id: one.purchase.purchase_id, total_centavos: item.total })),
  }
}

/**
 * Ends what the customer left open at the checkout of packages that are about to be sold to them (V5, V28): first `check` with what would be ended, then the
 * orders themselves. Without a check it only answers which there are. PAYMENT_IN_PROGRESS where nobody knows yet whether one was paid.
 */
export async function endOpenOrders(
  ctx: Ctx,
  of: { customer_id: number; packages: readonly number[] },
  check: ((ending: number[]) => Promise<unknown>) | null,
): Promise<number[]> {
  const open: PurchaseRow[] = []
  for (const class_package_id of of.packages) open.push(...(await listOpen(ctx.db, of.customer_id, class_package_id)))
  const ids = open.map((one) => one.purchase_id)
  if (!check || ids.length === 0) return ids
  await check(ids)
  for (const purchase_id of ids) {
    const { status } = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: 'se vendió en recepción' })
    if (status === 'pending') throw refuse('PAYMENT_IN_PROGRESS', { purchase_id })
  }
  return ids
}
