/**
 * Applies a processor's state to our books (settled 12). The browser's return, webhook events, polling and the sweeper all read the
 * processor and call this; nothing else moves a purchase from waiting to paid (docs/domain.md V8 to V13).
 */
import { type Facts, PaymentError, type Ref } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isLate, ONE_OFF, refundableAmount } from '#server/modules/sales/rules.ts'
import { findProviderCustomerOf, lockBuyerOf } from '#server/modules/sales/store/buyer-store.ts'
import type { Receipt } from '#server/modules/sales/store/charge-store.ts'
import {
  type AttemptRow,
  findAttemptOf,
  findAttemptWithHold,
  findPurchase,
  listAttempts,
  listInvoices,
  lockPurchase,
  lockTogether,
  type PurchaseRow,
  updatePurchase,
  updateTogether,
} from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { type Applied, type AppliedState, applyToPurchase, grantPeriod, isClosed } from './apply-to-purchase.ts'
import { releaseCounterParts } from './counter-parts.ts'
import { markDiscountUsed } from './discounts.ts'
import { attemptRef, getGateway } from './gateways.ts'
import { closePending } from './purchase-holds.ts'
import { addRefundsByHand, type ConfirmedReads, leaveRefundToStaff } from './regressions.ts'
import { finishOrder, returnStock, splitCharge } from './shared-charges.ts'

/**
 * Reads an object at the processor and applies its state. Idempotent. Null when the object belongs to no purchase of ours. An approved
 * wallet order is captured only while its purchase still holds its stock. Throws PaymentError.
 */
export async function applyProcessorState(ctx: Ctx, ref: Ref, alongside?: Alongside): Promise<AppliedState | null> {
  const found = await findAttemptWithHold(ctx.db, ref)
  const approved = found?.status === 'pending' && found.hold_until !== null && found.hold_until > ctx.now
  return apply(ctx, await getGateway(ctx, ref.gateway).settle(ref, { approved }), found?.attempt ?? null, alongside)
}

/** Writes in the transaction that applies a state; `isComplete`: whether nothing is left to do after it. */
export type Alongside = (tx: Tx, isComplete: boolean) => void

/** Applies facts of a processor behind the customer's and the purchase's locks, and refunds money that paid for nothing. */
export async function apply(ctx: Ctx, facts: Facts, known: AttemptRow | null, alongside?: Alongside): Promise<AppliedState | null> {
  let applied = await ctx.tx(async (tx) => {
    const inside = await applyInside(tx, ctx, facts, known, { confirmed: new Map() })
    alongside?.(tx, inside === null || (inside.regressions.size === 0 && !inside.hasStrayMoney))
    return inside
  })
  if (applied && applied.regressions.size > 0) applied = await rereadRegressions(ctx, applied)
  if (!applied) {
    ctx.studio.log.info({ gateway: facts.ref.gateway, kind: facts.ref.kind }, 'webhook.unknown_object')
    return null
  }
  if (applied.hasStrayMoney)
    await returnStrayMoney(ctx, applied.purchase.purchase_id).catch((error) =>
      ctx.studio.log.error({ error, purchase_id: applied.purchase.purchase_id }, 'refund.retry_scheduled'),
    )
  return applied
}

/** Re-reads the processor after a regression, which may be a stale read: it is applied when the second read confirms it (V37). */
async function rereadRegressions(ctx: Ctx, first: Applied): Promise<Applied> {
  const { attempt, facts, regressions } = first
  try {
    const rereadFacts = await getGateway(ctx, facts.ref.gateway).settle(facts.ref)
    const second = await ctx.tx((tx) => applyInside(tx, ctx, rereadFacts, attempt, { confirmed: regressions }))
    return second ? { ...second, hasStrayMoney: first.hasStrayMoney || second.hasStrayMoney } : first
  } catch (error) {
    ctx.studio.log.warn({ error, purchase_id: first.purchase.purchase_id }, 'payment.regression_requeried')
    return first
  }
}

/**
 * The same inside the caller's transaction, for money that the counter receives: its ledger is in our own database. `received`: by whom,
 * where and how it was received.
 */
export async function applyInside(
  tx: Tx,
  ctx: Ctx,
  facts: Facts,
  known: AttemptRow | null,
  { confirmed, received }: { confirmed: ConfirmedReads; received?: Receipt },
): Promise<Applied | null> {
  const found = known ?? (await findAttemptOf(tx, facts.ref, facts.purchaseId))
  if (!found) return null
  const options = { confirmed, ...(received ? { received } : {}) }
  if (found.sale_id !== null) return applyToOrder(tx, ctx, facts, { ...found, sale_id: found.sale_id }, options)
  const { purchase_id } = found
  // Pipelined, but executed in order: customer and purchase are locked before their rows are read.
  const [, purchase, attempts, charges, factsByHand, ownRef] = await Promise.all([
    lockBuyerOf(tx, purchase_id),
    lockPurchase(tx, purchase_id),
    listAttempts(tx, purchase_id),
    listInvoices(tx, purchase_id),
    addRefundsByHand(tx, purchase_id, facts),
    findProviderCustomerOf(tx, found.gateway, purchase_id),
  ])
  const attempt = attempts.find((attempt) => attempt.payment_id === found.payment_id)
  if (!purchase || !attempt) return null
  return applyToPurchase(tx, ctx, { purchase, attempt, charges, facts: factsByHand, readFacts: facts, ownRef }, options)
}

/**
 * The same for a charge of an order of several items (S12): each item gets its part, all in this transaction. What is not divided (nothing
 * is paid yet, another amount, money that pays for nothing) is applied to the purchase that was charged.
 */
async function applyToOrder(
  tx: Tx,
  ctx: Ctx,
  facts: Facts,
  found: AttemptRow & { sale_id: number },
  options: { confirmed: ConfirmedReads },
): Promise<Applied | null> {
  const { purchase_id, sale_id } = found
  await lockBuyerOf(tx, purchase_id)
  const members = await lockTogether(tx, purchase_id)
  const attempts = await listAttempts(tx, purchase_id)
  const first = members.find((member) => member.purchase_id === purchase_id)
  const attempt = attempts.find((attempt) => attempt.payment_id === found.payment_id)
  if (!first || !attempt) return null
  const applyToItem = async (purchase: PurchaseRow, itemAttempt: AttemptRow, itemFacts: Facts) => {
    const charges = await listInvoices(tx, purchase.purchase_id)
    const factsByHand = await addRefundsByHand(tx, purchase.purchase_id, itemFacts)
    return applyToPurchase(tx, ctx, { purchase, attempt: itemAttempt, charges, facts: factsByHand, readFacts: itemFacts }, options)
  }
  const parts = await splitCharge(tx, { members, first, attempt }, facts)
  if (!parts) {
    const undivided = await applyToItem(first, attempt, facts)
    const { status, hold_until } = undivided.purchase
    if (status === 'pending' && hold_until?.getTime() !== first.hold_until?.getTime())
      await updateTogether(tx, purchase_id, { hold_until, updatedAt: ctx.now })
    return undivided
  }
  const all: Applied = { purchase: first, attempt, facts, hasStrayMoney: false, regressions: new Map() }
  for (const { purchase, facts: itemFacts } of parts) {
    const [payment] = itemFacts.payments
    const item = await applyToItem(purchase, { ...all.attempt, part_centavos: payment?.amount ?? 0 }, itemFacts)
    all.attempt = { ...item.attempt, part_centavos: attempt.part_centavos }
    if (purchase.purchase_id === purchase_id) all.purchase = item.purchase
    all.hasStrayMoney ||= item.hasStrayMoney
    all.regressions = new Map([...all.regressions, ...item.regressions])
  }
  if (first.status !== 'pending' || all.purchase.status === 'pending') return all
  const [payment] = facts.payments
  const isPaid = all.purchase.status === 'completed'
  for (const item of members) {
    if (!isPaid) await returnStock(tx, item)
    if (parts.some(({ purchase }) => purchase.purchase_id === item.purchase_id)) continue
    if (isPaid) await completeUncharged(tx, ctx, item)
    else await closePending(tx, ctx, item, { status: 'failed', reason: 'el dinero se devolvió' })
  }
  if (!isPaid) await releaseCounterParts(tx, ctx, sale_id)
  if (isPaid && payment)
    await finishOrder(tx, ctx, {
      sale_id,
      customer_id: first.customer_id,
      attempt: all.attempt,
      provider_payment: payment.id,
      amount: payment.amount,
    })
  return all
}

/** Gives an item of a paid order that the processor charged nothing for: it is free, or was paid at the counter. */
async function completeUncharged(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<void> {
  const { purchase_id, customer_id, discount_id } = purchase
  await grantPeriod(tx, ctx, purchase, { period: ONE_OFF, from: ctx.now, until: null })
  if (discount_id !== null) await markDiscountUsed(tx, ctx, purchase_id)
  await updatePurchase(tx, purchase_id, { status: 'completed', completedAt: ctx.now, updatedAt: ctx.now })
  await tx.send({ name: 'sales.receipt', data: { purchase_id, period: ONE_OFF } })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
}

/** Refunds money that paid for nothing, once (V13). Does nothing when the studio's settings leave the decision to staff. */
export async function returnStrayMoney(ctx: Ctx, purchase_id: number): Promise<void> {
  const purchase = await findPurchase(ctx.db, purchase_id)
  if (!purchase) return
  const due = (await listInvoices(ctx.db, purchase_id)).filter((row) => isLate(row.period) && refundableAmount(row) > 0)
  if (due.length === 0) return
  if (!ctx.settings.refund_late_payments) {
    if (purchase.alarm !== 'late_payment')
      await ctx.tx((tx) => updatePurchase(tx, purchase_id, { alarm: 'late_payment', updatedAt: ctx.now }))
    return
  }
  for (const row of due)
    for (const attempt of await listAttempts(ctx.db, purchase_id)) {
      const ref = attemptRef(ctx, attempt)
      if (!ref || attempt.gateway !== row.gateway) continue
      const gateway = getGateway(ctx, attempt.gateway)
      const facts =
        ref.kind === 'subscription' && isClosed(purchase) ? await gateway.stop(ref, 'now', 'late payment') : await gateway.settle(ref)
      if (!facts.payments.some((fact) => fact.id === row.provider_payment)) continue
      const key = { purchase: purchase_id, step: `late-${row.invoice_id}`, n: 1 }
      const amount = refundableAmount(row)
      const outcome = await gateway.refund(ref, row.provider_payment, amount, key).catch((error: unknown) => {
        if (error instanceof PaymentError && (error.kind === 'unsupported' || error.kind === 'declined' || error.kind === 'invalid'))
          return error
        throw error
      })
      if (outcome instanceof PaymentError) await ctx.tx((tx) => leaveRefundToStaff(tx, ctx, row, ref, outcome.message))
      else await apply(ctx, outcome, attempt)
      break
    }
}
