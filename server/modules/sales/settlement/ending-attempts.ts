/** Ends attempts at their processors, and closes a purchase once none of them can be paid any more (V12). */
import type { Ctx } from '#server/modules/ctx.ts'
import { isOpenAttempt } from '#server/modules/sales/rules.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { type AttemptRow, findPurchase, listAttempts, lockTogether, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import { apply } from './apply-processor-state.ts'
import { markAttempt } from './attempts.ts'
import { releaseCounterParts } from './counter-parts.ts'
import { attemptRef, getGateway } from './gateways.ts'
import { closePending } from './purchase-holds.ts'
import { returnStock } from './shared-charges.ts'

/**
 * Closes a waiting purchase after every processor confirmed that it can no longer be paid (V12). Returns the purchase: paid when an attempt
 * was paid meanwhile, still waiting when a processor's state is unknown. `evenInFlight`: as in `endAttempt`.
 */
export async function closeWaiting(
  ctx: Ctx,
  purchase_id: number,
  to: { status: 'failed' | 'cancelled'; reason: string; evenInFlight?: boolean },
): Promise<PurchaseRow> {
  for (const attempt of await listAttempts(ctx.db, purchase_id)) {
    if (!isOpenAttempt(attempt.state) && attempt.state !== 'refused') continue
    const isEnded = await endAttempt(ctx, attempt, to.reason, to.evenInFlight ?? false)
    if (!isEnded) break
  }
  return ctx.tx(async (tx) => {
    const before = await findPurchase(tx, purchase_id)
    if (!before) throw new Error(`There is no purchase ${purchase_id}.`)
    await lockBuyer(tx, before.customer_id)
    // The items of an order are closed together (S12).
    const members = before.status === 'pending' ? await lockTogether(tx, purchase_id) : []
    const purchase = members.find((member) => member.purchase_id === purchase_id)
    const attempts = await listAttempts(tx, purchase_id)
    if (purchase?.status !== 'pending' || attempts.some((attempt) => isOpenAttempt(attempt.state))) return purchase ?? before
    let closed = purchase
    for (const item of members) {
      if (item.status !== 'pending') continue
      await returnStock(tx, item)
      const after = await closePending(tx, ctx, item, to)
      if (after.purchase_id === purchase_id) closed = after
    }
    await releaseCounterParts(tx, ctx, purchase.sale_id)
    return closed
  })
}

/** Maximum duration of a call to a provider. */
export const IN_FLIGHT_MS = 120_000

/**
 * Ends an attempt at its processor, so that it can no longer be paid. False while the processor cannot confirm it. `evenInFlight`: also one
 * whose first call may still be running.
 */
export async function endAttempt(ctx: Ctx, attempt: AttemptRow, reason: string, evenInFlight: boolean): Promise<boolean> {
  const gateway = getGateway(ctx, attempt.gateway)
  const ref = attemptRef(ctx, attempt)
  if (ref) {
    const applied = await apply(ctx, await gateway.stop(ref, 'unless-paid', reason), attempt)
    return applied !== null && !isOpenAttempt(applied.attempt.state)
  }
  if (!isOpenAttempt(attempt.state)) return true
  const facts = await gateway.find({ purchase: attempt.purchase_id, step: 'pay', n: attempt.n })
  if (facts) {
    const applied = await apply(ctx, facts, attempt)
    return applied !== null && (!isOpenAttempt(applied.attempt.state) || endAttempt(ctx, applied.attempt, reason, evenInFlight))
  }
  if (!evenInFlight && ctx.now.getTime() - attempt.updatedAt.getTime() < IN_FLIGHT_MS) return false
  await markAttempt(ctx, attempt, { state: 'cancelled', error_code: 'PAYMENT_TRY_LATER', error_message: 'The provider never had it.' })
  return true
}
