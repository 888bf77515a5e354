/** Live subscriptions between charges: paused by staff, announced before each charge, ended when unpaid (V30, V34). */
import { refuse } from '#contract/errors.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { addDays, fromWallClock, wallClock } from '#contract/time.ts'
import { PaymentError, type StopTime } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { apply } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { closeWaiting } from '#server/modules/sales/settlement/ending-attempts.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { cancelPendingSubscriptions, setPendingPaused } from '#server/modules/sales/store/pending-subscription-store.ts'
import {
  type AttemptRow,
  findPurchase,
  listAttempts,
  lockPurchase,
  type PurchaseRow,
  updatePurchase,
} from '#server/modules/sales/store/store.ts'
import {
  claimRenewalAnnouncement,
  listPausedWithCustomer,
  listRenewalsToAnnounce,
  listSubscriptionsOf,
  listToEnd,
} from '#server/modules/sales/store/subscription-store.ts'
import { studioPurchase } from '#server/modules/sales/views/studio-lists.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'

/** Subscriptions handled per run. */
const BATCH = 200

/**
 * Pauses or resumes a subscription's charges (V34). The paid period runs to its end, and no credits are granted while it is paused.
 * Idempotent. PURCHASE_NOT_FOUND, SUBSCRIPTION_NOT_PAUSABLE.
 */
export async function pauseSubscription(
  ctx: Ctx,
  input: { purchase_id: number; reason: string },
  paused: boolean,
): Promise<{ purchase: StudioPurchase }> {
  const purchase = await purchaseHere(ctx, input.purchase_id)
  await setPaused(ctx, purchase, { paused, reason: input.reason, withCustomer: false })
  return { purchase: await studioPurchase(ctx, purchase.purchase_id) }
}

/** The processor first, so that a subscription is shown as paused only when it is. SUBSCRIPTION_NOT_PAUSABLE. */
async function setPaused(
  ctx: Ctx,
  purchase: PurchaseRow,
  { paused, reason, withCustomer }: { paused: boolean; reason: string; withCustomer: boolean },
): Promise<void> {
  const { purchase_id } = purchase
  const attempt = await subscribedBy(ctx, purchase_id)
  const ref = attempt && attemptRef(ctx, attempt)
  const gateway = attempt && getGateway(ctx, attempt.gateway)
  if (!attempt || !ref || !gateway?.pause || purchase.status !== 'active' || purchase.past_due_since)
    throw refuse('SUBSCRIPTION_NOT_PAUSABLE')
  const paused_with_customer = paused && withCustomer
  if ((purchase.paused_since !== null) === paused) {
    if (!paused && purchase.paused_with_customer)
      await ctx.tx((tx) => updatePurchase(tx, purchase_id, { paused_with_customer: false, updatedAt: ctx.now }))
    return
  }
  const facts = await gateway.pause(ref, paused)
  if ((facts.paused ?? false) !== paused) throw refuse('SUBSCRIPTION_NOT_PAUSABLE')
  await ctx.tx(async (tx) => {
    await updatePurchase(tx, purchase_id, { paused_with_customer, updatedAt: ctx.now })
    await ctx.audit(tx, {
      action: paused ? 'subscription.pause' : 'subscription.resume',
      entity: 'purchase',
      entity_id: purchase_id,
      before: { paused: !paused },
      after: { paused },
      reason,
    })
  })
  await apply(ctx, facts, attempt)
}

/**
 * Pauses what a frozen customer would be charged for, or resumes what was paused with them (C25); what waits for its day begins after the
 * thaw. Idempotent. SUBSCRIPTION_NOT_PAUSABLE, PAYMENT_TRY_LATER.
 */
export async function pauseWithCustomer(
  ctx: Ctx,
  { customer_id, paused, reason }: { customer_id: number; paused: boolean; reason: string },
): Promise<void> {
  for (const purchase of await listPausedWithCustomer(ctx.db, customer_id, paused))
    try {
      await setPaused(ctx, purchase, { paused, reason, withCustomer: true })
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      ctx.studio.log.error({ error, purchase_id: purchase.purchase_id, paused }, 'subscription.pause_failed')
      throw refuse('PAYMENT_TRY_LATER')
    }
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    await setPendingPaused(tx, customer_id, paused)
  })
}

/** The attempt that opened a subscription at its processor. */
export async function subscribedBy(ctx: Ctx, purchase_id: number): Promise<AttemptRow | undefined> {
  return (await listAttempts(ctx.db, purchase_id)).find((attempt) => attempt.ref_kind === 'subscription' && attempt.ref_id !== null)
}

/**
 * Ends a live subscription: at once during a free trial, otherwise at the end of the paid period (V17), or now (V48). Nothing more is
 * charged.
 */
export async function endSubscription(
  ctx: Ctx,
  purchase: PurchaseRow,
  attempt: AttemptRow,
  reason: string | null,
  at: StopTime = 'period-end',
): Promise<void> {
  const ref = attemptRef(ctx, attempt)
  if (!ref) return
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, purchase.customer_id)
    await lockPurchase(tx, purchase.purchase_id)
    await updatePurchase(tx, purchase.purchase_id, { cancel_reason: reason, updatedAt: ctx.now })
    await ctx.audit(tx, {
      action: 'subscription.cancel',
      entity: 'purchase',
      entity_id: purchase.purchase_id,
      before: { status: purchase.status },
      after: { when: at },
      reason,
    })
  })
  await apply(ctx, await getGateway(ctx, attempt.gateway).stop(ref, at, reason ?? 'sin motivo'), attempt)
}

const LEFT = 'la cuenta se eliminó'

/**
 * After a customer deleted their account: queues one job per subscription to end it at its processor (V42); one that waits for its day
 * never begins.
 */
export async function endSubscriptions(ctx: Ctx, { customer_id }: { customer_id: number }): Promise<void> {
  const due = await listSubscriptionsOf(ctx.db, customer_id)
  await ctx.tx(async (tx) => {
    await cancelPendingSubscriptions(tx, customer_id, ctx.now)
    for (const { purchase_id, gateway } of due)
      await tx.send({ name: 'sales.end-left-subscription', data: { purchase_id, gateway }, key: String(purchase_id) })
  })
}

/** Ends one subscription of a deleted account. Throws while the outcome is unknown, so that the job is retried. */
export async function endLeftSubscription(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<void> {
  const purchase = await findPurchase(ctx.db, purchase_id)
  if (purchase?.status === 'pending') {
    const after = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: LEFT })
    if (after.status === 'pending') throw new Error(`The purchase ${purchase_id} cannot be ended yet.`)
    if (after.status === 'active') await endLeftSubscription(ctx, { purchase_id })
    return
  }
  const attempt = await subscribedBy(ctx, purchase_id)
  if (purchase?.status === 'active' && attempt) await endSubscription(ctx, purchase, attempt, LEFT)
}

/** Announces each charge due within `renewal_notice_days` once (V30; settled 16): claimed in the transaction that queues the message. */
export async function announceRenewals(ctx: Ctx): Promise<void> {
  const { renewal_notice_days: days } = ctx.settings
  const wall = wallClock(ctx.now, ctx.zone).toISOString()
  const until = fromWallClock(new Date(`${addDays(wall.slice(0, 10), days)}T${wall.slice(11)}`), ctx.zone)
  for (const { purchase_id } of await listRenewalsToAnnounce(ctx.db, ctx.now, until, days, BATCH))
    await ctx.tx(async (tx) => {
      const at = await claimRenewalAnnouncement(tx, purchase_id, ctx.now, until)
      if (at) await tx.send({ name: 'sales.renewal-notice', data: { purchase_id, at: at.toISOString() } })
    })
}

/** Queues the end of subscriptions unpaid for `subscription_grace_days` that their processor has not ended yet (V33), one job each. */
export async function endUnpaidSubscriptions(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now.getTime() - ctx.settings.subscription_grace_days * 86_400_000)
  const due = await listToEnd(ctx.db, before, BATCH)
  await ctx.tx(async (tx) => {
    for (const { purchase_id, gateway } of due)
      await tx.send({ name: 'sales.end-subscription', data: { purchase_id, gateway, reason: 'falta de pago' }, key: String(purchase_id) })
  })
}
