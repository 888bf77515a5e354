/**
 * Applies what a processor shows to one purchase, behind its locks: the attempt, the charges, the credits of the paid periods, the status
 * with its audit trail and events (V8, V9, V13). `rules.ts` decides (`decideChanges`), this writes.
 */
import { startOfDay } from '#contract/time.ts'
import type { Facts } from '#server/adapters/payments/port.ts'
import { endCredits, grantCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { creditsEnd, ONE_OFF } from '#server/modules/sales/rules.ts'
import { findProviderCustomer, isBuyerOfMerged, upsertProviderCustomer } from '#server/modules/sales/store/buyer-store.ts'
import { type Receipt, upsertCharge } from '#server/modules/sales/store/charge-store.ts'
import { type AttemptRow, type InvoiceRow, type PurchaseRow, updatePurchase } from '#server/modules/sales/store/store.ts'
import { decideChanges, type InvoiceFact, isOpen, type PurchaseFacts, type Verdict } from '#server/modules/sales/verdict-rules.ts'
import { type Tx, together } from '#server/platform/db.ts'
import { paidWithLabel, storeAttempt } from './attempts.ts'
import { markDiscountUsed } from './discounts.ts'
import { chargeGiftCard, createOrderedGiftCard, followMoneyOfCard } from './gift-cards.ts'
import { finishPlanChange } from './plan-changes.ts'
import { extendedHold, releasePurchaseHolds, retakePurchaseHolds } from './purchase-holds.ts'
import { applyOnlyForward, type ConfirmedReads, moveCredits, reverseFailedRefunds } from './regressions.ts'
import { subscriptionEvents } from './subscription-events.ts'
import { withoutSecondTrial } from './trials.ts'

/** A purchase and its attempt after the processor's state was applied. */
export interface AppliedState {
  purchase: PurchaseRow
  attempt: AttemptRow
  facts: Facts
}

export interface Applied extends AppliedState {
  /** The purchase was closed or paid otherwise before: the money pays for nothing and is refunded. */
  hasStrayMoney: boolean
  /** Charges for which this read showed less than our books; not applied until a re-read confirms it. */
  regressions: ConfirmedReads
}

/**
 * Applies facts, or the part of them that is about this purchase, to one purchase; all rows were read behind its locks. `facts` count the
 * refunds made by hand, `readFacts` are the processor's alone.
 */
export async function applyToPurchase(
  tx: Tx,
  ctx: Ctx,
  /** `ownRef`: the customer's id at the processor, which is read here where it is not given. */
  of: {
    purchase: PurchaseRow
    attempt: AttemptRow
    charges: readonly InvoiceRow[]
    facts: Facts
    readFacts: Facts
    ownRef?: string | null
  },
  { confirmed, received }: { confirmed: ConfirmedReads; received?: Receipt },
): Promise<Applied> {
  const { purchase, attempt, charges, readFacts } = of
  const { facts: forwardFacts, regressions } = applyOnlyForward(charges, of.facts, confirmed)
  const buyerRef = await expectedBuyer(
    tx,
    { gateway: attempt.gateway, customer_id: purchase.customer_id, own: of.ownRef },
    forwardFacts.buyerRef,
  )
  const decision = decideChanges(purchaseFacts(purchase, attempt, buyerRef, charges), forwardFacts)
  const facts = await withoutSecondTrial(tx, ctx, { purchase, gateway: attempt.gateway }, readFacts, decision)

  if (facts.buyerRef && buyerRef === null && !decision.alarm)
    tx.fireAndForget(upsertProviderCustomer(tx, attempt.gateway, purchase.customer_id, facts.buyerRef))
  if (decision.alarm) await raiseAlarm(tx, ctx, purchase, decision.alarm, facts)
  else await reverseFailedRefunds(tx, ctx, purchase, attempt, charges, forwardFacts)
  const reopened = decision.late?.reopens ? await retakePurchaseHolds(tx, ctx, purchase) : null
  if (decision.late && reopened) payWithLateMoney(decision, decision.late.fact)
  const label = paidWithLabel(attempt, facts)
  // The attempt, the charges and the credits do not need each other's rows.
  const [storedAttempt] = await together([
    storeAttempt(tx, ctx, attempt, facts, decision),
    putCharges(tx, ctx, purchase, { decision, charges, gateway: attempt.gateway, label, received }),
    grantPeriods(tx, ctx, purchase, decision),
  ])
  if (decision.invoices.length > 0 && purchase.class_package_id === null) await followMoneyOfCard(tx, ctx, purchase.purchase_id)
  await moveCredits(tx, ctx, purchase, decision)

  const updated = await updateByVerdict(tx, ctx, purchase, storedAttempt, facts, decision, reopened)
  const hasStrayMoney = decision.late !== null && !reopened
  if (hasStrayMoney)
    await ctx.audit(tx, {
      action: 'purchase.stray_money',
      entity: 'purchase',
      entity_id: purchase.purchase_id,
      before: { status: purchase.status },
      after: { payment: decision.late?.fact },
    })
  return { purchase: updated, attempt: storedAttempt, facts, hasStrayMoney, regressions }
}

/** Writes the charges of a read, and queues `sales.refunded` for those with a new refund. */
async function putCharges(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  of: { decision: Verdict; charges: readonly InvoiceRow[]; gateway: string; label: string | null; received: Receipt | undefined },
): Promise<void> {
  const { decision, charges, gateway, label, received } = of
  for (const fact of decision.invoices) {
    const before = charges.find((row) => row.gateway === gateway && row.provider_payment === fact.id)?.refunded_centavos ?? 0
    const refunded = await upsertCharge(tx, ctx, purchase, { gateway, fact, label, before, ...(received ? { received } : {}) })
    if (refunded) await tx.send({ name: 'sales.refunded', data: { ...refunded, at: ctx.now.toISOString() } })
  }
}

async function grantPeriods(tx: Tx, ctx: Ctx, purchase: PurchaseRow, decision: Verdict): Promise<void> {
  for (const period of decision.grants) await grantPeriod(tx, ctx, purchase, period)
}

/** Logs a payment that does not fit its purchase, and audits it once. */
async function raiseAlarm(tx: Tx, ctx: Ctx, purchase: PurchaseRow, alarm: NonNullable<Verdict['alarm']>, facts: Facts): Promise<void> {
  const { purchase_id } = purchase
  ctx.studio.log.error({ purchase_id, alarm }, 'payment.amount_mismatch')
  if (purchase.alarm === alarm) return
  await ctx.audit(tx, {
    action: `purchase.alarm.${alarm}`,
    entity: 'purchase',
    entity_id: purchase_id,
    after: { payments: facts.payments },
  })
}

/** Makes late money the payment of its purchase, which was reopened (V13). */
function payWithLateMoney(decision: Verdict, fact: InvoiceFact): void {
  decision.status = 'completed'
  decision.grants = [{ period: ONE_OFF, from: fact.at, until: null }]
  decision.invoices = [{ ...fact, period: ONE_OFF }]
  // Disputed before the payment became known: its credits are frozen from the start (V24).
  if (isOpen(fact)) {
    decision.freezes.push(ONE_OFF)
    decision.frozen = true
  }
}

/**
 * The id at the processor that a payment of this customer must state: theirs, or the stated one of a record that was merged into theirs
 * (X8), since its payments stay with the old id there.
 */
async function expectedBuyer(
  tx: Tx,
  { gateway, customer_id, own: known }: { gateway: string; customer_id: number; own: string | null | undefined },
  stated: string | undefined,
): Promise<string | null> {
  const own = known === undefined ? await findProviderCustomer(tx, gateway, customer_id) : known
  if (!stated || own === null || own === stated) return own
  return (await isBuyerOfMerged(tx, { gateway, customer_id, provider_id: stated })) ? stated : own
}

function purchaseFacts(
  purchase: PurchaseRow,
  attempt: AttemptRow,
  buyerRef: string | null,
  invoices: readonly InvoiceRow[],
): PurchaseFacts {
  return {
    ...purchase,
    // With split payments, an attempt pays only its part (S3).
    total_centavos: attempt.part_centavos ?? purchase.total_centavos,
    buyerRef,
    known: invoices.map((row) => ({
      id: row.provider_payment,
      period: row.period,
      refunded: row.refunded_centavos,
      status: row.status,
      left: row.status === 'lost' ? row.total_centavos - row.refunded_centavos - row.disputed_centavos : 0,
      isOpen: row.status === 'disputed' || row.open_dispute_centavos > 0,
    })),
  }
}

/** Updates the purchase, its audit trail and its events. */
async function updateByVerdict(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  attempt: AttemptRow,
  facts: Facts,
  decision: Verdict,
  reopened: { limit_slot: number | null } | null,
): Promise<PurchaseRow> {
  const status = decision.status ?? purchase.status
  if (decision.grants.length > 0 && purchase.discount_id !== null) await markDiscountUsed(tx, ctx, purchase.purchase_id)
  const set = changedColumns(ctx, purchase, facts, decision)
  if (status === 'cancelled' && purchase.status !== 'cancelled') {
    if (decision.benefitsUntil) {
      const end = creditsEnd(purchase, facts, decision.benefitsUntil, ctx.zone)
      await endCredits(tx, ctx, purchase.purchase_id, end, 'la suscripción terminó')
      // In a trial they end at once, with the reservations that they paid for (V17).
      if (end <= ctx.now) await tx.send({ name: 'bookings.release', data: { purchase_id: purchase.purchase_id } })
    }
    Object.assign(set, { cancelledAt: ctx.now }, await releasePurchaseHolds(tx, ctx, purchase))
  }
  if ((status === 'failed' || status === 'revoked') && purchase.status !== status)
    Object.assign(set, await releasePurchaseHolds(tx, ctx, purchase))
  if (decision.ends)
    await tx.send({
      name: 'sales.end-subscription',
      data: {
        purchase_id: purchase.purchase_id,
        gateway: attempt.gateway,
        ...(facts.why?.code === 'TRIAL_USED' ? { reason: 'la prueba gratis ya se usó' } : {}),
      },
    })
  if (reopened) Object.assign(set, { ...reopened, holds_stock: true, cancelledAt: null, cancel_reason: null })
  if (Object.keys(set).length === 0) return purchase

  const updated = await updatePurchase(tx, purchase.purchase_id, { ...set, updatedAt: ctx.now })
  for (const job of subscriptionEvents(purchase, updated)) await tx.send(job)
  if (set.status) await followStatus(tx, ctx, { before: purchase, purchase: updated, attempt, status: set.status })
  for (const period of decision.grants)
    await tx.send({ name: 'sales.receipt', data: { purchase_id: purchase.purchase_id, period: period.period } })
  tx.notify({ topic: 'purchase', purchase_id: purchase.purchase_id, customer_id: purchase.customer_id })
  return updated
}

/** The columns of the purchase that the facts change, without what its release or reopening changes. */
function changedColumns(ctx: Ctx, purchase: PurchaseRow, facts: Facts, decision: Verdict): Partial<PurchaseRow> {
  const status = decision.status ?? purchase.status
  const hold_until = status === 'pending' ? extendedHold(ctx, purchase, facts) : purchase.hold_until
  const set: Partial<PurchaseRow> = {}
  if (status !== purchase.status) set.status = status
  if (decision.grants.length > 0 && !purchase.completedAt) set.completedAt = ctx.now
  if (hold_until?.getTime() !== purchase.hold_until?.getTime()) set.hold_until = hold_until
  if (decision.alarm && purchase.alarm !== decision.alarm) set.alarm = decision.alarm
  if (decision.frozen !== null && decision.frozen !== (purchase.frozenAt !== null)) set.frozenAt = decision.frozen ? ctx.now : null
  if (facts.ref.kind !== 'subscription' || decision.alarm) return set

  const { benefitsUntil, pastDue } = decision
  if (purchase.subscription_id !== facts.ref.id && status !== 'failed') set.subscription_id = facts.ref.id
  if (benefitsUntil && benefitsUntil.getTime() !== purchase.benefits_until?.getTime()) set.benefits_until = benefitsUntil
  if (pastDue !== (purchase.past_due_since !== null) && !isClosed(purchase)) set.past_due_since = pastDue ? ctx.now : null
  const paused = facts.paused ?? false
  if (paused !== (purchase.paused_since !== null)) set.paused_since = paused ? ctx.now : null
  return set
}

/** The audit trail of a new status, and what follows when the purchase is paid: its gift card, the change of plan, the card to save. */
async function followStatus(
  tx: Tx,
  ctx: Ctx,
  of: { before: PurchaseRow; purchase: PurchaseRow; attempt: AttemptRow; status: PurchaseRow['status'] },
): Promise<void> {
  const { before, purchase, attempt, status } = of
  const { purchase_id } = before
  const isPaid = status === 'completed' || status === 'active'
  await ctx.audit(tx, {
    action: `purchase.${status}`,
    entity: 'purchase',
    entity_id: purchase_id,
    before: { status: before.status },
    after: {
      status,
      payment_id: attempt.payment_id,
      total_centavos: before.total_centavos,
      instrument: attempt.instrument.label ?? null,
    },
  })
  if (status === 'completed') await chargeGiftCard(tx, ctx, purchase)
  // Only staff change plans.
  if (isPaid && before.staff_id !== null) await finishPlanChange(tx, ctx, before, releasePurchaseHolds)
  if (status === 'completed' && before.class_package_id === null && before.sale_id === null) await createOrderedGiftCard(tx, ctx, before)
  if (isPaid && attempt.instrument.save)
    await tx.send({ name: 'sales.keep-card', data: { payment_id: attempt.payment_id, gateway: attempt.gateway } })
}

export const isClosed = (purchase: PurchaseRow) =>
  purchase.status === 'failed' || purchase.status === 'cancelled' || purchase.status === 'revoked'

export async function grantPeriod(tx: Tx, ctx: Ctx, purchase: PurchaseRow, period: Verdict['grants'][number]): Promise<void> {
  // A single spot gives no credits: the reservation is the purchase (V45).
  if (purchase.class_package_id === null) return
  await grantCredits(tx, ctx, {
    kind: 'package',
    customer_id: purchase.customer_id,
    class_package_id: purchase.class_package_id,
    purchase_id: purchase.purchase_id,
    period: period.period,
    // Staff may set another first day at the counter (S2).
    from: period.period === ONE_OFF && purchase.starts_on ? startOfDay(purchase.starts_on, ctx.zone) : period.from,
    ...(period.until ? { until: period.until } : {}),
    class_amount: purchase.class_amount,
    expiration_days: purchase.expiration_days,
    title: purchase.title,
  })
}
