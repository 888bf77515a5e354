/** Writes a counter sale: its items as purchases, its payments as charges (S1, S3). */

import { refuse } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { closeWaiting } from '#server/modules/sales/settlement/ending-attempts.ts'
import { lockPayingCards } from '#server/modules/sales/settlement/gift-cards.ts'
import { counterGateway } from '#server/modules/sales/settlement/received-parts.ts'
import { insertSale } from '#server/modules/sales/store/sale-store.ts'
import { listOpen, listPendingTogether } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { type PricedItem, takeItemsStock, writeItem } from './sale-items.ts'
import { giftCardIds, type ReadPayment, takePayment } from './sale-payments.ts'

export interface SaleToWrite {
  customer_id: number
  /** Whether it is sold without a customer (S6). */
  isAnonymous: boolean
  location_id: number
  items: readonly PricedItem[]
  payments: readonly ReadPayment[]
  total: Centavos
  owed: Centavos
  owe: { until: string; reason: string } | null
  note: string | null
}

/**
 * Writes a sale whose payments and debt add up to its total, behind the customer's lock. Returns its purchases, in the order of its items.
 * PACKAGE_SOLD_OUT, PRODUCT_SOLD_OUT, DISCOUNT_EXHAUSTED, CASH_SESSION_REQUIRED.
 */
export async function writeSale(
  tx: Tx,
  ctx: Ctx,
  input: SaleToWrite,
): Promise<{ sale_id: number; purchases: { at: number; purchase_id: number; total_centavos: Centavos }[] }> {
  const { customer_id, isAnonymous, location_id, items, payments, total, owed, owe, note } = input
  if (!ctx.staff) throw refuse('FORBIDDEN')
  const sale = await insertSale(tx, {
    customer_id,
    location_id,
    staff_id: ctx.staff.staff_id,
    total_centavos: total,
    owed_centavos: owed,
    owe_until: owe?.until ?? null,
    owe_reason: owe?.reason ?? null,
    note,
    createdAt: ctx.now,
  })
  await takeItemsStock(tx, items, location_id)
  const [first] = payments
  const paidBy = first ? { gateway: counterGateway(first.kind), payment_method_id: first.input.payment_method_id ?? null } : null
  const written: { item: PricedItem; n: number; writtenItem: Awaited<ReturnType<typeof writeItem>> }[] = []
  // Discount uses are taken in the order of their ids, to avoid deadlocks between two sales.
  const order = items
    .map((item, n) => ({ item, n }))
    .sort((a, b) => (a.item.discount?.discount_id ?? 0) - (b.item.discount?.discount_id ?? 0))
  for (const { item, n } of order)
    written.push({ item, n, writtenItem: await writeItem(tx, ctx, sale, item, n + 1, { paidBy, isAnonymous }) })
  written.sort((a, b) => a.n - b.n)
  const purchases = written.map(({ writtenItem }) => writtenItem)
  await lockPayingCards(tx, giftCardIds(payments))
  for (const [n, payment] of payments.entries()) await takePayment(tx, ctx, { sale, location_id, n: n + 1, payment, purchases })
  await ctx.audit(tx, {
    action: 'sale.create',
    entity: 'sale',
    entity_id: sale.sale_id,
    reason: owe?.reason ?? null,
    after: {
      customer_id: isAnonymous ? null : customer_id,
      total_centavos: total,
      owed_centavos: owed,
      note,
      items: written.map(({ item, writtenItem }) => ({
        purchase_id: writtenItem.purchase.purchase_id,
        title: item.title,
        list_centavos: item.list,
        total_centavos: item.total,
        reason: item.input.price?.reason ?? item.input.discount?.reason ?? null,
        over_limit: item.over_limit_reason,
      })),
    },
  })
  return {
    sale_id: sale.sale_id,
    purchases: written.map(({ item, writtenItem }) => ({
      at: item.at,
      purchase_id: writtenItem.purchase.purchase_id,
      total_centavos: item.total,
    })),
  }
}

/**
 * Ends the customer's open online orders with packages that are about to be sold to them (V5, V28): first calls `check` with the orders
 * that would be ended, then ends them. Without `check` it only returns them. PAYMENT_IN_PROGRESS while the outcome of a payment is unknown.
 */
export async function endOpenOrders(
  ctx: Ctx,
  of: { customer_id: number; packages: readonly number[] },
  check: ((ending: number[]) => Promise<unknown>) | null,
): Promise<number[]> {
  const open = new Set<number>()
  for (const class_package_id of of.packages)
    for (const { purchase_id } of await listOpen(ctx.db, of.customer_id, class_package_id))
      for (const id of await listPendingTogether(ctx.db, purchase_id)) open.add(id)
  const ids = [...open]
  if (!check || ids.length === 0) return ids
  await check(ids)
  for (const purchase_id of ids) {
    const { status } = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: 'se vendió en recepción' })
    if (status === 'pending') throw refuse('PAYMENT_IN_PROGRESS', { purchase_id })
  }
  return ids
}
