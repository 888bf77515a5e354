/** Maps Stripe's objects to the port's facts. Pure. */
import type { Stripe } from 'stripe'
import { cardMethod, walletName } from '#server/adapters/payments/card-label.ts'
import type { Facts, Next, PaymentFact, PaymentState, Ref, Voucher } from '#server/adapters/payments/port.ts'
import { cardRefusal } from './client.ts'

/** The adapter's notes on a call. */
export interface StripeMemo {
  kind: 'intent' | 'session' | 'subscription'
  /** Last instant at which a voucher or page is valid. */
  until: string
  /** We ended the subscription at once, so the remainder of its period ends too. */
  endedNow: boolean
  /** Id of the setup that verifies the card of a trial. */
  setup: string
  refund: string
}

export const fromEpochSeconds = (seconds: number) => new Date(seconds * 1000)
export const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)
export const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id
export const expanded = <T extends { id: string }>(value: string | T | null | undefined): T | undefined =>
  value && typeof value !== 'string' ? value : undefined

const EXPIRED = 'payment_intent_payment_attempt_expired'

type DisputeRead = Pick<Stripe.Dispute, 'status' | 'amount' | 'currency'>

const isOpenDispute = ({ status }: DisputeRead) => /needs_response|under_review/.test(status) && !status.startsWith('warning')

/** State and amount of a payment's disputes; an inquiry that withholds no money is not one. */
export function readDispute(
  disputes: readonly DisputeRead[],
  currency: string,
): Pick<PaymentFact, 'disputed' | 'disputedAmount' | 'openAmount'> {
  const lost = disputes.filter(({ status }) => status === 'lost')
  const open = disputes.filter(isOpenDispute)
  // An amount that cannot be compared is all that is left.
  const openAmount = open.length > 0 ? { openAmount: disputedAmount(open, currency).disputedAmount ?? Number.MAX_SAFE_INTEGER } : {}
  if (lost.length > 0) return { disputed: 'lost', ...disputedAmount(lost, currency), ...openAmount }
  if (open.length > 0) return { disputed: 'open', ...disputedAmount(open, currency) }
  return disputes.some(({ status }) => status === 'won' || status === 'prevented') ? { disputed: 'won' } : {}
}

/** A dispute in another currency than its payment's has an amount that cannot be compared with it. */
const disputedAmount = (disputes: readonly DisputeRead[], currency: string): Pick<PaymentFact, 'disputedAmount'> =>
  disputes.every((dispute) => dispute.currency === currency)
    ? { disputedAmount: disputes.reduce((sum, dispute) => sum + dispute.amount, 0) }
    : {}

export interface IntentFacts {
  state: PaymentState
  next: Next | null
  payments: PaymentFact[]
  why?: Facts['why']
  method?: NonNullable<Facts['method']>
}

/** Facts of a payment read with its last charge. `until`: the expiry of a waiting payment, where Stripe has none. */
export function intentFacts(intent: Stripe.PaymentIntent, disputes: readonly Stripe.Dispute[], until: Date): IntentFacts {
  const charge = expanded(intent.latest_charge)
  const error = intent.last_payment_error
  const card = charge?.payment_method_details?.card ?? expanded(intent.payment_method)?.card ?? error?.payment_method?.card
  const kind = charge?.payment_method_details?.type ?? expanded(intent.payment_method)?.type
  const method = card
    ? cardMethod(card.brand, card.last4, walletName(card.wallet?.type))
    : kind === 'link'
      ? { label: 'Link' }
      : kind === 'oxxo'
        ? { label: 'OXXO' }
        : kind === 'customer_balance'
          ? { label: 'Transferencia SPEI' }
          : undefined
  const base = { next: null, payments: [], ...(method ? { method } : {}) }
  const refused = error && error.code !== EXPIRED ? cardRefusal({ code: error.code, decline_code: error.decline_code }) : null
  switch (intent.status) {
    case 'succeeded':
      return { ...base, state: 'paid', payments: [paymentOf(intent, charge, disputes, intent.amount_received)] }
    case 'processing':
    case 'requires_capture':
      return { ...base, state: 'processing' }
    case 'canceled':
      // A given-up voucher was paid in the shop all the same. No purchase waits for this charge, so it is refunded or owed (V13).
      if (charge?.paid && charge.status === 'succeeded')
        return { ...base, state: 'paid', payments: [paymentOf(intent, charge, disputes, charge.amount)] }
      if (refused) return { ...base, state: 'refused', why: refused }
      return { ...base, state: error?.code === EXPIRED || intent.cancellation_reason === 'expired' ? 'expired' : 'ended' }
    case 'requires_payment_method':
      if (refused) return { ...base, state: 'refused', why: refused }
      return { ...base, state: error?.code === EXPIRED ? 'expired' : 'waiting' }
    default:
      return { ...base, state: 'waiting', next: nextOf(intent, until) }
  }
}

function paymentOf(
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | undefined,
  disputes: readonly Stripe.Dispute[],
  amount: number,
): PaymentFact {
  return {
    id: intent.id,
    amount,
    refunded: charge?.amount_refunded ?? 0,
    currency: intent.currency.toUpperCase(),
    at: fromEpochSeconds(charge?.created ?? intent.created),
    ...readDispute(disputes, intent.currency),
  }
}

function nextOf(intent: Stripe.PaymentIntent, until: Date): Next | null {
  const action = intent.next_action
  if (action?.oxxo_display_details || action?.display_bank_transfer_instructions)
    return { do: 'show', voucher: voucherOf(action, intent.amount, until) }
  if (action?.redirect_to_url?.url) return { do: 'go', url: action.redirect_to_url.url, id: intent.id }
  return intent.client_secret ? { do: 'confirm', clientSecret: intent.client_secret, intent: 'payment' } : null
}

function voucherOf(action: Stripe.PaymentIntent.NextAction, amount: number, until: Date): Voucher {
  const oxxo = action.oxxo_display_details
  if (oxxo)
    return {
      kind: 'oxxo',
      reference: oxxo.number ?? '',
      expiresAt: oxxo.expires_after ? fromEpochSeconds(oxxo.expires_after) : until,
      url: oxxo.hosted_voucher_url,
      clabe: null,
    }
  const bank = action.display_bank_transfer_instructions
  const clabe = bank?.financial_addresses?.find(({ spei }) => spei)?.spei?.clabe ?? null
  const missing = bank?.amount_remaining ?? amount
  return {
    kind: 'spei',
    reference: bank?.reference ?? '',
    expiresAt: until,
    url: bank?.hosted_instructions_url ?? null,
    clabe,
    ...(missing < amount ? { missing } : {}),
  }
}

/** A subscription with all the objects that its facts need. */
export interface SubscriptionRead {
  subscription: Stripe.Subscription
  /** The payment of its latest invoice while that is open: the first one, or an overdue renewal. */
  open: Stripe.PaymentIntent | null
  invoices: readonly Stripe.Invoice[]
  charges: readonly Stripe.Charge[]
  disputes: readonly Stripe.Dispute[]
}

/** Facts of a subscription. A period once paid stays paid in any later state. */
export function subscriptionFacts(
  read: SubscriptionRead,
  ref: Ref,
  memo: { endedNow?: boolean | undefined },
): Omit<Facts, 'purchaseId' | 'buyerRef'> {
  const { subscription, open } = read
  const payments = read.invoices.filter(({ amount_paid }) => amount_paid > 0).map((invoice) => paidPeriod(invoice, read))
  payments.sort((a, b) => (a.period?.from.getTime() ?? 0) - (b.period?.from.getTime() ?? 0))
  const paidUntil = payments.at(-1)?.period?.to
  const card =
    expanded(subscription.default_payment_method)?.card ??
    expanded(open?.payment_method)?.card ??
    open?.last_payment_error?.payment_method?.card
  const base = {
    ref,
    next: null,
    payments,
    ...(card ? { method: cardMethod(card.brand, card.last4) } : {}),
    ...(card?.fingerprint ? { plastic: card.fingerprint } : {}),
  }
  const periodEnd = Math.max(0, ...subscription.items.data.map((item) => item.current_period_end))
  const cancelled = subscription.cancel_at_period_end || subscription.cancel_at !== null
  const paused = subscription.pause_collection !== null
  // A period that starts while charges are suspended is not granted.
  const until = paused && paidUntil ? paidUntil : periodEnd ? fromEpochSeconds(periodEnd) : null
  const live = { ...base, cancelled, paused, ...(until ? { endsAt: until } : {}) }
  switch (subscription.status) {
    case 'incomplete': {
      const facts = open ? intentFacts(open, [], fromEpochSeconds(periodEnd)) : null
      if (facts?.state === 'refused' && facts.why) return { ...base, state: 'refused', why: facts.why }
      if (facts?.state === 'processing' || facts?.state === 'paid') return { ...base, state: 'processing' }
      return {
        ...base,
        state: 'waiting',
        next: open ? confirmation(open) : null,
      }
    }
    case 'incomplete_expired':
      return { ...base, state: 'expired' }
    case 'trialing':
      return { ...live, ...trialFacts(subscription) }
    case 'active':
      return { ...live, state: 'paid' }
    case 'past_due':
    case 'unpaid':
    case 'paused':
      return {
        ...live,
        state: 'past_due',
        next: open?.status === 'requires_action' ? confirmation(open) : null,
        ...(paidUntil ? { endsAt: paidUntil } : {}),
      }
    case 'canceled': {
      const ended = fromEpochSeconds(subscription.ended_at ?? subscription.canceled_at ?? subscription.created)
      const endsAt = memo.endedNow ? ended : (paidUntil ?? ended)
      return { ...base, state: 'ended', cancelled: true, endsAt }
    }
    default:
      return { ...live, state: 'processing' }
  }
}

const confirmation = ({ client_secret }: Stripe.PaymentIntent): Next | null =>
  client_secret ? { do: 'confirm', clientSecret: client_secret, intent: 'payment' } : null

/** Stripe reports a trial at once, even without a card; here it is one only when the card is verified (V16). */
function trialFacts(subscription: Stripe.Subscription): Pick<Facts, 'state' | 'next' | 'why'> {
  const setup = expanded(subscription.pending_setup_intent)
  if (!setup || setup.status === 'succeeded')
    return subscription.default_payment_method || setup ? { state: 'trialing', next: null } : { state: 'waiting', next: null }
  if (setup.status === 'processing') return { state: 'processing', next: null }
  const error = setup.last_setup_error
  if (setup.status === 'requires_payment_method' && error)
    return { state: 'refused', next: null, why: cardRefusal({ code: error.code, decline_code: error.decline_code }) }
  return { state: 'waiting', next: setup.client_secret ? { do: 'confirm', clientSecret: setup.client_secret, intent: 'setup' } : null }
}

function paidPeriod(invoice: Stripe.Invoice, read: SubscriptionRead): PaymentFact {
  const intent = paymentIntentId(invoice)
  const charge = read.charges.find(
    (charge) => intent !== undefined && idOf(charge.payment_intent) === intent && charge.status === 'succeeded',
  )
  const disputes = read.disputes.filter((dispute) => intent !== undefined && idOf(dispute.payment_intent) === intent)
  // An invoice's own period is the previous one; the period that it pays for is in its lines.
  const line = [...invoice.lines.data].sort((a, b) => b.period.end - a.period.end)[0]
  return {
    id: intent ?? invoice.id ?? '',
    amount: invoice.amount_paid,
    refunded: charge?.amount_refunded ?? 0,
    currency: invoice.currency.toUpperCase(),
    at: fromEpochSeconds(invoice.status_transitions.paid_at ?? invoice.created),
    ...(line ? { period: { from: fromEpochSeconds(line.period.start), to: fromEpochSeconds(line.period.end) } } : {}),
    ...readDispute(disputes, invoice.currency),
  }
}

/** The payment that paid an invoice. */
export function paymentIntentId(invoice: Stripe.Invoice): string | undefined {
  const payments = invoice.payments?.data ?? []
  return idOf((payments.find(({ status }) => status === 'paid') ?? payments[0])?.payment.payment_intent)
}
