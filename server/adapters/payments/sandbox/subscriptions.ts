/** Subscriptions of the sandbox processor: calendar periods, trial, renewals that may fail, and end. */
import { eq } from 'drizzle-orm'
import { chargeAfter } from '#contract/billing.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Facts, Next, Ref, StopTime } from '#server/adapters/payments/port.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { fingerprint, refusedState } from './cards.ts'
import { chargeOutcome, declined, emitEvent, listPayments, methodOf, newId, saveCard } from './payments.ts'
import { sandboxLedger, sandboxSubscription } from './tables.ts'

export type SubscriptionRow = typeof sandboxSubscription.$inferSelect

/** How often a failed renewal is retried, a day apart, before the subscription ends. */
const RETRIES = 4
const DAY_MS = 86_400_000

const refOf = (id: string): Ref => ({ gateway: 'sandbox', kind: 'subscription', id })

export async function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | null> {
  const [row] = await tx.select().from(sandboxSubscription).where(eq(sandboxSubscription.id, id)).for('update')
  return row ?? null
}

/** Whether it is charged, or would be with a working card. */
export function isRunning(row: SubscriptionRow): boolean {
  return row.state === 'paid' || row.state === 'trialing' || row.state === 'past_due'
}

async function change(tx: Tx, row: SubscriptionRow, now: Date, set: Partial<SubscriptionRow>): Promise<SubscriptionRow> {
  const [changed] = await tx
    .update(sandboxSubscription)
    .set({ ...set, updatedAt: now })
    .where(eq(sandboxSubscription.id, row.id))
    .returning()
  if (!changed) throw new Error(`The sandbox lost the subscription ${row.id}.`)
  return changed
}

/** Starts the first period, or the trial, with the row's card. */
export async function beginSubscription(tx: Tx, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  if (!row.card) return row
  const outcome = chargeOutcome(row.card)
  if (outcome.state === 'refused') return refuseSubscription(tx, row, now)
  if (outcome.state === 'waiting') return change(tx, row, now, { card: row.card, step: 'challenge' })
  return open(tx, row, now)
}

async function open(tx: Tx, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  const { card } = row
  const saved_card = row.saved_card ?? (card ? await saveCard(tx, row.buyer, card, now) : null)
  if (row.trialEnd && row.trialEnd > now) {
    await emitEvent(tx, 'subscription.trialing', refOf(row.id), now)
    return change(tx, row, now, { state: 'trialing', step: null, card, saved_card, anchorAt: row.trialEnd, nextAt: row.trialEnd })
  }
  const opened = await change(tx, row, now, { state: 'paid', step: null, card, saved_card, anchorAt: now, nextAt: now })
  return chargePeriod(tx, opened, now)
}

async function refuseSubscription(tx: Tx, row: SubscriptionRow, now: Date, confirmed = true): Promise<SubscriptionRow> {
  await emitEvent(tx, 'subscription.refused', refOf(row.id), now)
  return change(tx, row, now, refusedState(row.card, confirmed))
}

export async function answerSubscriptionChallenge(tx: Tx, row: SubscriptionRow, yes: boolean, now: Date): Promise<SubscriptionRow> {
  if (row.state !== 'waiting' || row.step !== 'challenge') return row
  if (yes && row.card?.behaviour !== '3ds_fail') return open(tx, row, now)
  return refuseSubscription(tx, row, now, false)
}

/** Starts it after the customer approved in the wallet or paid by card on the hosted page. */
export async function approveSubscription(tx: Tx, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  return row.state === 'waiting' && row.step === 'wallet' ? open(tx, row, now) : row
}

/** Charges the period that starts at `nextAt`. */
async function chargePeriod(tx: Tx, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  const anchor = row.anchorAt ?? now
  const from = chargeAfter(anchor, row.unit, row.every * row.periods)
  const to = chargeAfter(anchor, row.unit, row.every * (row.periods + 1))
  const amount = row.endsAt === null ? row.first_amount : row.amount
  if (amount > 0)
    await tx.insert(sandboxLedger).values({
      id: newId('mov'),
      kind: 'charge',
      object: row.id,
      purchase_id: row.purchase_id,
      amount,
      periodFrom: from,
      periodTo: to,
      at: row.nextAt && row.nextAt > from ? row.nextAt : from,
    })
  await emitEvent(tx, 'subscription.paid', refOf(row.id), now)
  return change(tx, row, now, { state: 'paid', periods: row.periods + 1, nextAt: to, tries: 0, endsAt: to })
}

/** Applies the state changes that are due by the clock: renewals, failed renewals, the end. */
export async function advanceSubscription(tx: Tx, stored: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  let row = stored
  if (row.state === 'waiting' && row.expiresAt <= now) {
    await emitEvent(tx, 'subscription.expired', refOf(row.id), now)
    return change(tx, row, now, { state: 'expired', step: null })
  }
  while (row.nextAt && row.nextAt <= now && isRunning(row)) {
    if (row.cancelled) row = await endAt(tx, row, row.endsAt ?? row.nextAt, now)
    else if (row.paused) row = await skipPeriod(tx, row, now)
    else if (row.card?.behaviour === 'renew_fail' && row.periods > 0) {
      const tries = row.tries + 1
      await emitEvent(tx, 'subscription.payment_failed', refOf(row.id), now)
      row =
        tries >= RETRIES
          ? await endAt(tx, row, row.endsAt ?? row.nextAt, now)
          : await change(tx, row, now, { state: 'past_due', tries, nextAt: new Date(row.nextAt.getTime() + DAY_MS) })
    } else row = await chargePeriod(tx, row, now)
  }
  return row
}

/** A period that starts while charges are suspended is neither charged nor granted; later dates do not shift. */
async function skipPeriod(tx: Tx, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  const periods = row.periods + 1
  return change(tx, row, now, { state: 'paid', periods, nextAt: chargeAfter(row.anchorAt ?? now, row.unit, row.every * periods) })
}

/** Suspends the charges of a subscription that is not overdue, or resumes them. */
export async function pauseSubscription(tx: Tx, row: SubscriptionRow, paused: boolean, now: Date): Promise<SubscriptionRow> {
  if ((row.state !== 'paid' && row.state !== 'trialing') || row.cancelled || row.paused === paused) return row
  await emitEvent(tx, paused ? 'subscription.paused' : 'subscription.resumed', refOf(row.id), now)
  return change(tx, row, now, { paused })
}

/** Charges another card from now on; an overdue period is retried at once. */
export async function giveCard(
  tx: Tx,
  row: SubscriptionRow,
  card: { id: string; card: NonNullable<SubscriptionRow['card']> },
  now: Date,
): Promise<SubscriptionRow> {
  const overdue = row.state === 'past_due' ? { nextAt: now } : {}
  return advanceSubscription(tx, await change(tx, row, now, { card: card.card, saved_card: card.id, ...overdue }), now)
}

/** Charges an overdue period again with the same card. A refusal does not count among the automatic retries. */
export async function retryPeriod(tx: Tx, row: SubscriptionRow, now: Date): Promise<SubscriptionRow> {
  if (row.state !== 'past_due') return row
  if (row.card?.behaviour !== 'renew_fail') return advanceSubscription(tx, await change(tx, row, now, { nextAt: now }), now)
  await emitEvent(tx, 'subscription.payment_failed', refOf(row.id), now)
  return row
}

async function endAt(tx: Tx, row: SubscriptionRow, endsAt: Date, now: Date): Promise<SubscriptionRow> {
  await emitEvent(tx, 'subscription.ended', refOf(row.id), now)
  return change(tx, row, now, { state: 'ended', step: null, nextAt: null, endsAt })
}

/** Ends a subscription: at once when it never started, is in its trial or that is requested; otherwise when its paid period is over. */
export async function stopSubscription(tx: Tx, row: SubscriptionRow, at: StopTime, now: Date): Promise<SubscriptionRow> {
  if (row.state === 'ended' || row.state === 'refused' || row.state === 'expired') return row
  if (row.state === 'waiting') return endAt(tx, row, now, now)
  if (row.state === 'trialing')
    return endAt(tx, { ...row, cancelled: true }, now, now).then((ended) => change(tx, ended, now, { cancelled: true }))
  if (at === 'unless-paid' && !row.cancelled) return row
  if (at !== 'period-end' || row.state === 'past_due')
    return endAt(tx, row, now, now).then((ended) => change(tx, ended, now, { cancelled: true }))
  if (row.cancelled) return row
  await emitEvent(tx, 'subscription.cancelled', refOf(row.id), now)
  return change(tx, row, now, { cancelled: true, endsAt: row.paused ? (row.endsAt ?? now) : row.nextAt })
}

export async function subscriptionFacts(db: Reader, row: SubscriptionRow, site: string): Promise<Facts> {
  return {
    ref: refOf(row.id),
    state: row.state,
    next: row.state === 'waiting' ? nextStep(row, site) : null,
    payments: await listPayments(db, row.id),
    purchaseId: row.purchase_id,
    buyerRef: row.buyer,
    cancelled: row.cancelled,
    paused: row.paused,
    ...(row.endsAt ? { endsAt: row.endsAt } : row.state === 'trialing' && row.trialEnd ? { endsAt: row.trialEnd } : {}),
    ...methodOf(row),
    ...(row.card?.typed ? { plastic: fingerprint(row.card) } : {}),
    ...(row.refused_code ? { why: declined(row.refused_code as ErrorCode, row.refused_message) } : {}),
  }
}

function nextStep(row: SubscriptionRow, site: string): Next | null {
  if (row.step === 'challenge') return { do: 'confirm', clientSecret: row.secret, intent: row.trialEnd ? 'setup' : 'payment' }
  if (row.step === 'hosted') return { do: 'go', id: row.id, url: `${site}/sandbox/pagar/${row.id}` }
  if (row.step === 'wallet')
    return {
      do: 'approve',
      token: row.id,
      planId: `plan-${row.unit}-${row.every}-${row.amount}`,
      url: `${site}/sandbox/billetera/${row.id}`,
    }
  return null
}
