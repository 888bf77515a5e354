/**
 * Rules of sales: what may be sold to whom, for how much, and what a processor's facts change in a purchase. Pure: docs/domain.md, "Sales".
 */

import { chargeAfter, trialEndOf } from '#contract/billing.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { type Centavos, formatMoney, pesos } from '#contract/money.ts'
import { isTrialPackage } from '#contract/package-sections.ts'
import type { PaymentOption } from '#contract/payment-options.ts'
import { type Cut, type DisplayedPrice, displayedPrice, type Quote, quote } from '#contract/pricing.ts'
import { WALLET_OPTION } from '#contract/processors.ts'
import type { Settings } from '#contract/settings.ts'
import { endOfDay, localDate, type PeriodUnit } from '#contract/time.ts'
import type { Facts, PaymentState, Plan } from '#server/adapters/payments/port.ts'

export type PurchaseStatus = 'pending' | 'active' | 'completed' | 'failed' | 'cancelled' | 'revoked'
export type AttemptState = PaymentState | 'created' | 'unknown' | 'cancelled'

/** How long a purchase reserves its stock while a card is charged, and how much longer during a 3-D Secure challenge (V10). */
export const CARD_HOLD_MS = 15 * 60_000
export const CHALLENGE_HOLD_MS = 30 * 60_000
/**
 * A processor's page or voucher expires this long before the hold, so that a payment at the last moment still finds its stock
 * reserved (V10).
 */
export const HOLD_MARGIN_MS = 5 * 60_000
export const PAGE_HOLD_MS = 40 * 60_000
export const VOUCHER_HOLD_MS = 72 * 3_600_000
/** How many cards one purchase may try (V5). */
export const MAX_ATTEMPTS = 10
/** Within this time after a purchase, the same one again needs the customer's confirmation (V6). */
export const REPEAT_MS = 2 * 60_000

export interface PackageFacts {
  class_package_id: number
  price_centavos: number
  sale_price_centavos: number | null
  class_amount: number
  is_trial: boolean
  is_subscription: boolean
  subscription_period: PeriodUnit | null
  subscription_interval: number | null
  free_trial_length: number | null
  free_trial_period: PeriodUnit | null
  limit_per_customer: number | null
}

/** The price of a package, computed by the same function as the displayed price (V1, S1-5.20 to S1-5.22, settled 5). */
export function quotePrice(
  classPackage: Pick<PackageFacts, 'price_centavos' | 'sale_price_centavos' | 'is_subscription'>,
  cut: Cut | null,
): Quote {
  return quote(
    { price: classPackage.price_centavos, salePrice: classPackage.sale_price_centavos, isSubscription: classPackage.is_subscription },
    cut,
  )
}

/** Why a discount cannot be applied to this price (D3): it reduces nothing, or leaves a subscription that would never be charged. */
export function whyNotCut(classPackage: Pick<PackageFacts, 'is_subscription'>, price: Quote): Refusal | null {
  return price.discount === 0 || (classPackage.is_subscription && price.nextTotal === 0) ? refuse('DISCOUNT_INVALID') : null
}

/** A one-off that costs nothing needs no processor (V14, S1-2.68). A subscription does: later periods are charged. */
export function isFree(classPackage: Pick<PackageFacts, 'is_subscription'>, price: Quote): boolean {
  return price.total === 0 && !classPackage.is_subscription
}

/** Why a purchase may not be charged to a customer who was shown another price (V36); null when it is the same, or none was shown. */
export function whyNotDisplayedPrice(
  shown: DisplayedPrice | null,
  terms: Pick<FrozenTerms, 'is_subscription' | 'free_trial_length' | 'total_centavos' | 'next_total_centavos'>,
): Refusal | null {
  const hasTrial = terms.is_subscription && Boolean(terms.free_trial_length)
  const now = displayedPrice({ total: terms.total_centavos, nextTotal: terms.next_total_centavos }, hasTrial)
  if (!shown || (shown.today === now.today && shown.total === now.total && shown.nextTotal === now.nextTotal)) return null
  return refuse('PRICE_CHANGED', pricesOf(now))
}

const pricesOf = ({ today, total, nextTotal }: DisplayedPrice) => ({
  price: formatMoney(total),
  today: pesos(today),
  total: pesos(total),
  next_total: nextTotal === null ? null : pesos(nextTotal),
})

/** The prices of these terms without the free trial, as data of a refusal (V41). */
export const pricesWithoutTrial = (terms: Pick<FrozenTerms, 'total_centavos' | 'next_total_centavos'>) =>
  pricesOf(displayedPrice({ total: terms.total_centavos, nextTotal: terms.next_total_centavos }, false))

export interface BuyerFacts {
  /** Documents that the customer still has to accept. */
  pendingDocuments: number
  /** The sign-up fee's package, when there is one on sale, and whether this customer has paid it. */
  signupFee: { class_package_id: number; paid: boolean } | null
  /** Live purchases of this package by this customer: pending, active, completed. */
  live: number
}

/** Why this customer may not buy a package that is sold now; null when they may. Stock is checked by the database (V2, V3). */
export function whyNotBuy(
  classPackage: PackageFacts,
  buyer: BuyerFacts,
  settings: Pick<Settings, 'checkout_disabled' | 'subscriptions_enabled'>,
): Refusal | null {
  if (settings.checkout_disabled) return refuse('CHECKOUT_DISABLED')
  if (buyer.pendingDocuments > 0) return refuse('DOCUMENTS_REQUIRED')
  const fee = buyer.signupFee
  if (fee && !fee.paid && fee.class_package_id !== classPackage.class_package_id && !isTrialPackage(classPackage))
    return refuse('SIGNUP_FEE_REQUIRED', { class_package_id: fee.class_package_id })
  if (classPackage.limit_per_customer !== null && buyer.live >= classPackage.limit_per_customer) return refuse('PURCHASE_LIMIT')
  if (classPackage.is_subscription && !settings.subscriptions_enabled) return refuse('PAYMENT_METHOD_UNAVAILABLE')
  return null
}

/**
 * The purchase that another one of the same package would repeat (V6): one bought within REPEAT_MS, or a live subscription. Null when there
 * is none.
 */
export function findRepeatedPurchase<P extends { status: PurchaseStatus; is_gift: boolean; completedAt: Date | null }>(
  live: readonly P[],
  now: Date,
): { purchase: P; isRecent: boolean } | null {
  for (const purchase of [...live].reverse()) {
    if (purchase.is_gift || !purchase.completedAt) continue
    const isRecent = now.getTime() - purchase.completedAt.getTime() < REPEAT_MS
    if (isRecent || purchase.status === 'active') return { purchase, isRecent }
  }
  return null
}

/** Whether a waiting purchase has the same terms as one opened now: the same charges, the same trial. */
export const areSameTerms = (first: FrozenTerms, other: FrozenTerms): boolean =>
  first.total_centavos === other.total_centavos &&
  first.next_total_centavos === other.next_total_centavos &&
  first.is_subscription === other.is_subscription &&
  first.subscription_period === other.subscription_period &&
  first.subscription_interval === other.subscription_interval &&
  first.free_trial_length === other.free_trial_length &&
  first.free_trial_period === other.free_trial_period

/** The lowest free slot of a customer's purchase limit; null without a limit (V3). */
export function freeSlot(takenSlots: readonly (number | null)[], limit: number | null): number | null {
  if (limit === null) return null
  for (let slot = 1; slot <= limit; slot++) if (!takenSlots.includes(slot)) return slot
  return limit
}

/** The payment method that a request names. */
export type Method =
  | { by: 'card-token'; token: string }
  | { by: 'saved-card'; payment_source_id: number }
  | { by: 'hosted-page' }
  | { by: 'wallet' }
  | { by: 'voucher'; kind: 'oxxo' | 'spei' }
  | { by: 'hand' }

/** Whether the studio's settings allow this payment option; the processor's own limits are checked elsewhere. */
export function isPaymentOptionOpen(
  option: PaymentOption,
  settings: Pick<Settings, 'cash_checkout_enabled' | 'stripe_checkout_mode' | 'paypal_enabled' | 'oxxo_enabled' | 'spei_enabled'>,
): boolean {
  const isSession = settings.stripe_checkout_mode === 'session'
  const open: Readonly<Record<PaymentOption, boolean>> = {
    cash: settings.cash_checkout_enabled,
    [WALLET_OPTION]: settings.paypal_enabled,
    oxxo: settings.oxxo_enabled,
    spei: settings.spei_enabled,
    page: isSession,
    card: !isSession,
  }
  return open[option]
}

/** The public id of a saved card: opaque, assigned by us (settled 14). */
export const sourceId = (payment_source_id: number) => `fuente-${payment_source_id}`

/** The saved card's id in a public id; null when the text is none. */
export function readSource(text: string): number | null {
  const found = /^fuente-([1-9]\d{0,8})$/.exec(text)
  return found ? Number(found[1]) : null
}

interface MethodInput {
  payment_method?: string | number | { id: string | number } | null | undefined
  payment_method_id?: string | number | null | undefined
  payment_source_id?: number | null | undefined
  conekta_payment_source_id?: string | null | undefined
}

/**
 * Parses the specification's several formats of a payment method: a saved card's id, a token, "oxxo", "spei", {id}; 1 and "card" mean only
 * "by card" (S1-7.45, S1-7.49).
 */
export function readMethod(input: MethodInput, settings: Pick<Settings, 'stripe_checkout_mode'>): Method | null {
  if (input.payment_source_id) return { by: 'saved-card', payment_source_id: input.payment_source_id }
  const values = [
    input.conekta_payment_source_id,
    typeof input.payment_method === 'object' ? input.payment_method?.id : input.payment_method,
    input.payment_method_id,
  ]
  for (const value of values) {
    if (typeof value !== 'string' || /^(\d*|card|tarjeta)$/i.test(value)) continue
    if (value === 'oxxo' || value === 'spei') return { by: 'voucher', kind: value }
    const saved = readSource(value)
    return saved === null ? { by: 'card-token', token: value } : { by: 'saved-card', payment_source_id: saved }
  }
  return settings.stripe_checkout_mode === 'session' ? { by: 'hosted-page' } : null
}

export interface FrozenTerms {
  is_subscription: boolean
  subscription_period: PeriodUnit | null
  subscription_interval: number | null
  free_trial_length: number | null
  free_trial_period: PeriodUnit | null
  total_centavos: Centavos
  next_total_centavos: Centavos | null
  createdAt: Date
}

/** The terms that a purchase of a package freezes. */
export function freezeTerms(
  classPackage: Pick<
    PackageFacts,
    'is_subscription' | 'subscription_period' | 'subscription_interval' | 'free_trial_length' | 'free_trial_period'
  >,
  price: Quote,
  now: Date,
  /** false: the customer has used up the free trial (V41) */
  withTrial = true,
): FrozenTerms {
  const { is_subscription } = classPackage
  return {
    is_subscription,
    subscription_period: is_subscription ? classPackage.subscription_period : null,
    subscription_interval: is_subscription ? classPackage.subscription_interval : null,
    free_trial_length: is_subscription && withTrial ? classPackage.free_trial_length : null,
    free_trial_period: is_subscription && withTrial && classPackage.free_trial_length ? (classPackage.free_trial_period ?? 'day') : null,
    total_centavos: price.total,
    next_total_centavos: price.nextTotal,
    createdAt: now,
  }
}

/** The subscription plan of a purchase, from its frozen terms; undefined for a one-off (V16, settled 35). */
export function subscriptionPlan(purchase: FrozenTerms, zone: string): Plan | undefined {
  if (!purchase.is_subscription || !purchase.subscription_period) return undefined
  const every = { unit: purchase.subscription_period, count: purchase.subscription_interval ?? 1 }
  const amount = purchase.next_total_centavos ?? purchase.total_centavos
  const trialEnd = firstChargeAt(purchase, every, zone)
  return {
    every,
    amount,
    ...(purchase.total_centavos !== amount && purchase.total_centavos > 0 ? { firstAmount: purchase.total_centavos } : {}),
    ...(trialEnd ? { trialEnd, zone } : {}),
  }
}

/** When the first charge is due, if not at once: after the free trial, and after a first period that costs nothing (D2). */
function firstChargeAt(purchase: FrozenTerms, every: Plan['every'], zone: string): Date | null {
  const trial = trialEndOf(purchase, zone)
  return purchase.total_centavos === 0 ? chargeAfter(trial ?? purchase.createdAt, every.unit, every.count) : trial
}

/** Names of periods: the one-off period and a subscription's trial. A subscription's paid period is named by its first instant (V9). */
export const ONE_OFF = '0'
export const TRIAL = 'trial'
/** What the studio has of a charge, also while a bank disputes it, in centavos. */
export const refundableAmount = ({
  status,
  total_centavos,
  refunded_centavos,
  disputed_centavos,
}: {
  status: string
  total_centavos: number
  refunded_centavos: number
  disputed_centavos: number
}): number => total_centavos - refunded_centavos - (status === 'lost' ? disputed_centavos : 0)

/** What is unpaid of a purchase of a sale of which so much was charged, in centavos; `restOfPurchase` in queries. */
export const unpaidOf = (purchase: { total_centavos: number; waived_centavos: number }, charged: number): number =>
  Math.max(0, purchase.total_centavos - purchase.waived_centavos - charged)

/** The period of payments that paid for nothing: refunded, or staff decide (V13). */
export const LATE = 'late'
export const isLate = (period: string) => period.startsWith(LATE)

/**
 * When the credits of an ended subscription expire: a paid period lasts until 23:59:59 of its last day (C1); one that was ended earlier
 * expires at once (C14). `until`: the end of the benefits, by the processor.
 */
export function creditsEnd(purchase: FrozenTerms, facts: Facts, until: Date, zone: string): Date {
  const paid = facts.payments.flatMap(({ period }) => (period ? [period.to] : []))
  const bought = paid.length > 0 ? new Date(Math.max(...paid.map(Number))) : subscriptionPlan(purchase, zone)?.trialEnd
  // Processors count in whole seconds.
  if (bought && Math.floor(until.getTime() / 1000) < Math.floor(bought.getTime() / 1000)) return until
  return endOfDay(localDate(bought ?? until, zone), zone)
}

/** Whether an attempt may still result in a payment. */
export function isOpenAttempt(state: AttemptState): boolean {
  return state === 'created' || state === 'waiting' || state === 'processing' || state === 'unknown'
}

/** Whether an attempt has finally failed. */
export const isSpent = (state: AttemptState): boolean =>
  state === 'refused' || state === 'cancelled' || state === 'expired' || state === 'ended'

/** Whether an attempt may change to another state: what is paid stays paid (V8). */
export function mayBecome(from: AttemptState, to: AttemptState): boolean {
  if (from === to) return false
  if (from === 'paid' || from === 'trialing' || from === 'past_due')
    return to === 'paid' || to === 'trialing' || to === 'past_due' || to === 'ended'
  if (from === 'created' || from === 'unknown' || from === 'waiting' || from === 'processing') return true
  return to === 'paid' || to === 'trialing'
}

/** Delay before a failed webhook event is retried: 10 s, doubled each time, at most an hour (V18). */
export function webhookRetryDelayMs(tries: number): number {
  return Math.min(10_000 * 2 ** tries, 3_600_000)
}

/**
 * The unused part of a paid period, in centavos: by the days that are left or by the credits that are left, whichever is less (V53).
 * Rounded down to the centavo. `credits` null: unlimited, or none were granted.
 */
export function unusedPart(
  paid: Centavos,
  days: { left: number; all: number },
  credits: { left: number; granted: number } | null,
): Centavos {
  const part = (left: number, all: number) => (all <= 0 ? paid : Math.floor((paid * Math.min(Math.max(left, 0), all)) / all))
  return Math.min(part(days.left, days.all), credits ? part(credits.left, credits.granted) : paid)
}
