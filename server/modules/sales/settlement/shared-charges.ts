/** Charges that pay an order of several items: the part of each item, and what happens once the order is paid or closed (S12 to S14). */
import type { Centavos } from '#contract/money.ts'
import type { Facts } from '#server/adapters/payments/port.ts'
import { returnProduct } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isLate } from '#server/modules/sales/rules.ts'
import { sumThroughProcessor } from '#server/modules/sales/store/refund-store.ts'
import { findSaleItem, finishSale, listItemsOfSale } from '#server/modules/sales/store/sale-store.ts'
import { type AttemptRow, listShares, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { takeCounterParts } from './counter-parts.ts'
import { createGiftCard } from './gift-cards.ts'

/** One item's part of a charge. `known`: refunded through the processor so far; `asked`: a refund in progress. */
export interface Share {
  amount: Centavos
  known: Centavos
  requested: Centavos
}

/**
 * Divides the refunded amount of a charge, as its processor reports it, among its items: first what is known, then the refund in progress,
 * then (refunded in the processor's panel) in the order of the items. When less was refunded than is known, the last items lose it first.
 */
export function spreadRefund(refunded: Centavos, shares: readonly Share[]): Centavos[] {
  const amounts = shares.map(({ known }) => known)
  let rest = refunded - amounts.reduce((sum, amount) => sum + amount, 0)
  const move = (at: number, most: Centavos) => {
    const before = amounts[at] ?? 0
    const by = Math.max(-before, Math.min(rest, most, (shares[at]?.amount ?? 0) - before))
    amounts[at] = before + by
    rest -= by
  }
  for (let at = shares.length - 1; at >= 0 && rest < 0; at--) move(at, 0)
  for (const [at, { requested }] of shares.entries()) if (rest > 0) move(at, requested)
  for (const at of shares.keys()) if (rest > 0) move(at, rest)
  return amounts
}

/**
 * Divides the disputed or lost amount of a charge among its items, in proportion to what is left of each (at most all of it), because the
 * bank does not name an item. An unchanged amount is not divided again.
 */
export function spreadDispute(disputed: Centavos, shares: readonly { left: Centavos; known: Centavos }[]): Centavos[] {
  const sum = (of: (share: (typeof shares)[number]) => Centavos) => shares.reduce((all, share) => all + of(share), 0)
  if (sum(({ known }) => known) === disputed && shares.every(({ left, known }) => known <= left)) return shares.map(({ known }) => known)
  const all = sum(({ left }) => left)
  const most = Math.min(disputed, all)
  let until = 0
  return shares.map(({ left }) => {
    const before = Math.floor((most * until) / Math.max(1, all))
    until += left
    return Math.floor((most * until) / Math.max(1, all)) - before
  })
}

/**
 * Divides a charge among the items, the one that was charged first, each up to its price: what is left of them was paid at the
 * counter (S15).
 */
function divide(members: readonly PurchaseRow[], first: PurchaseRow, charge: Centavos): Map<number, Centavos> {
  const parts = new Map<number, Centavos>()
  let left = charge
  for (const { purchase_id, total_centavos } of [first, ...members.filter((member) => member.purchase_id !== first.purchase_id)]) {
    const part = Math.min(left, total_centavos)
    parts.set(purchase_id, part)
    left -= part
  }
  return parts
}

/**
 * The part of a paid charge of each item of an order; null when it is not divided: nothing was paid, it is not the amount of the order, or
 * it pays for nothing because the order was closed or paid otherwise before.
 */
export async function splitCharge(
  tx: Tx,
  order: { members: readonly PurchaseRow[]; first: PurchaseRow; attempt: AttemptRow },
  facts: Facts,
): Promise<{ purchase: PurchaseRow; facts: Facts }[] | null> {
  const { members, first, attempt } = order
  const [payment] = facts.payments
  if (facts.state !== 'paid' || !payment || payment.currency !== 'MXN' || payment.amount !== attempt.part_centavos) return null
  const known = (await listShares(tx, attempt.gateway, payment.id)).filter((row) => !isLate(row.period))
  if (known.length === 0 && first.status !== 'pending') return null
  const refunds = await sumThroughProcessor(
    tx,
    known.map((row) => row.invoice_id),
  )
  // Refunds by hand are only in our books, and lessen what a bank can take.
  const parts: (Share & { purchase: PurchaseRow; byHand: Centavos; disputed: Centavos; open: Centavos })[] = []
  const divided = divide(members, first, attempt.part_centavos ?? 0)
  for (const purchase of members) {
    const row = known.find((charge) => charge.purchase_id === purchase.purchase_id)
    const amount = row?.total_centavos ?? (known.length === 0 ? (divided.get(purchase.purchase_id) ?? 0) : 0)
    if (amount === 0) continue
    const { done = 0, requested = 0 } = (row && refunds.get(row.invoice_id)) ?? {}
    const byHand = Math.max(0, (row?.refunded_centavos ?? 0) - done)
    parts.push({
      purchase,
      amount,
      known: done,
      requested,
      byHand,
      disputed: row?.disputed_centavos ?? 0,
      open: row?.open_dispute_centavos ?? 0,
    })
  }
  const refunded = spreadRefund(payment.refunded, parts)
  const { disputedAmount, openAmount, ...common } = payment
  const disputed =
    disputedAmount !== undefined &&
    spreadDispute(
      disputedAmount,
      parts.map(({ amount, byHand, disputed: known }, at) => ({ left: Math.max(0, amount - (refunded[at] ?? 0) - byHand), known })),
    )
  const open =
    openAmount !== undefined &&
    spreadDispute(
      openAmount,
      parts.map(({ amount, byHand, open: known }, at) => ({
        left: disputed ? Math.max(0, amount - (refunded[at] ?? 0) - byHand - (disputed[at] ?? 0)) : 0,
        known,
      })),
    )
  // The purchase that the processor names is the first one, which is not that of each part.
  const { purchaseId: _, ...rest } = facts
  return parts.map(({ purchase, amount }, at) => ({
    purchase,
    facts: {
      ...rest,
      payments: [
        {
          ...common,
          amount,
          refunded: refunded[at] ?? 0,
          ...(disputed ? { disputedAmount: disputed[at] ?? 0 } : {}),
          ...(open ? { openAmount: open[at] ?? 0 } : {}),
        },
      ],
    },
  }))
}

/** Makes an order that was paid a sale: its payment, its gift cards, its trace. */
export async function finishOrder(
  tx: Tx,
  ctx: Ctx,
  of: { sale_id: number; customer_id: number; attempt: AttemptRow; provider_payment: string; amount: Centavos },
): Promise<void> {
  const { sale_id, attempt, provider_payment, amount } = of
  await finishSale(tx, sale_id, {
    gateway: attempt.gateway,
    provider_payment,
    amount,
    at: ctx.now,
    card: { brand: attempt.instrument.brand ?? null, last4: attempt.instrument.last4 ?? null },
  })
  await takeCounterParts(tx, ctx, sale_id)
  const items = await listItemsOfSale(tx, sale_id)
  const total = items.reduce((sum, item) => sum + item.total_centavos, 0)
  for (const { kind, purchase_id, total_centavos } of items)
    if (kind === 'gift_card') {
      await createGiftCard(tx, ctx, { purchase_id, amount: total_centavos })
      await tx.send({ name: 'sales.gift-card', data: { purchase_id } })
    }
  await ctx.audit(tx, {
    action: 'sale.create',
    entity: 'sale',
    entity_id: sale_id,
    after: {
      customer_id: of.customer_id,
      total_centavos: total,
      owed_centavos: 0,
      items: items.map(({ purchase_id, title, total_centavos }) => ({ purchase_id, title, total_centavos })),
    },
  })
}

/** Returns the pieces that an unpaid item of an order held to the stock. */
export async function returnStock(tx: Tx, { sale_line_id, location_id }: PurchaseRow): Promise<void> {
  const item = sale_line_id === null ? null : await findSaleItem(tx, sale_line_id)
  if (item?.product_id && location_id !== null)
    await returnProduct(tx, { product_id: item.product_id, location_id, quantity: item.quantity })
}
