/** Maps PayPal's orders and subscriptions to the port's facts. Pure. */
import type { CapturedPayment, Order, Refund, Subscription, SubscriptionTransactionDetails } from '@paypal/paypal-server-sdk'
import { chargeAfter } from '#contract/billing.ts'
import { type Centavos, pesos } from '#contract/money.ts'
import type { PeriodUnit } from '#contract/time.ts'
import { paymentDeclined } from '#server/adapters/payments/failures.ts'
import type { Facts, PaymentFact, PaymentState } from '#server/adapters/payments/port.ts'

/** The adapter's notes on a call. */
export interface PayPalMemo {
  /** Last instant at which it may be approved. */
  until: string
  /** How it ended on our side: PayPal cannot withdraw an unpaid order or subscription. */
  over: 'ended' | 'expired'
  /** Error code of a capture that PayPal refused for good. */
  refused: string
  /** Periods of a subscription. */
  every: { unit: PeriodUnit; count: number }
  trialEnd: string
  planId: string
  endedNow: boolean
  /** Suspended by us: nothing is owed meanwhile. */
  paused: boolean
  /** Refunds of a subscription's payments, by refund id. */
  refunds: Record<string, { payment: string; amount: Centavos }>
  /** Disputes known from webhook events, by their id. */
  disputes: Record<string, { payment: string; state: 'open' | 'lost' | 'won' }>
  refund: string
}

const MONEY = /^(\d{1,9})\.(\d{2})$/

/** PayPal's "1450.00" in centavos. NaN for anything else, so that it equals no amount. */
export function centavos(value: string | undefined): Centavos {
  const found = MONEY.exec(value ?? '')
  return found ? Number(found[1]) * 100 + Number(found[2]) : Number.NaN
}

/** Centavos as PayPal writes them. */
export const toPaypalMoney = (amount: Centavos) => ({ currencyCode: 'MXN', value: pesos(amount) })

export const METHOD = { label: 'PayPal' }

export function readDispute(memo: Partial<PayPalMemo>, payment: string): PaymentFact['disputed'] {
  const states = Object.values(memo.disputes ?? {})
    .filter((dispute) => dispute.payment === payment)
    .map((dispute) => dispute.state)
  return states.includes('lost') ? 'lost' : states.includes('open') ? 'open' : states.includes('won') ? 'won' : undefined
}

/** The page where the payer approves. */
function pageOf(links: readonly { rel: string; href: string }[] | undefined): { url?: string } {
  const found = links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')
  return found ? { url: found.href } : {}
}

/** Whether PayPal accepted a refund and could not deliver it. */
export const isLost = ({ status }: { status?: string | undefined }) => status === 'FAILED' || status === 'CANCELLED'

/** Facts of an order. It is paid only by its capture: status COMPLETED alone is not enough. */
export function orderFacts(order: Order, memo: Partial<PayPalMemo>): Pick<Facts, 'state' | 'next' | 'payments' | 'why'> {
  const unit = order.purchaseUnits?.[0]
  const [capture] = unit?.payments?.captures ?? []
  const refused = memo.refused ? paymentDeclined('CARD_DECLINED', { provider: { code: memo.refused } }) : null
  if (capture) {
    const state = captureState(capture)
    const why =
      state === 'refused'
        ? paymentDeclined('CARD_DECLINED', { provider: { code: capture.statusDetails?.reason ?? String(capture.status) } })
        : null
    return {
      state,
      next: null,
      payments: state === 'paid' ? [captureFact(capture, unit?.payments?.refunds ?? [], memo)] : [],
      ...(why ? { why } : {}),
    }
  }
  if (refused) return { state: 'refused', next: null, payments: [], why: refused }
  if (memo.over) return { state: memo.over, next: null, payments: [] }
  if (order.status === 'VOIDED') return { state: 'ended', next: null, payments: [] }
  if (order.status === 'COMPLETED') return { state: 'processing', next: null, payments: [] }
  return { state: 'waiting', next: order.id ? { do: 'approve', token: order.id, ...pageOf(order.links) } : null, payments: [] }
}

function captureState(capture: CapturedPayment): PaymentState {
  switch (capture.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return 'paid'
    case 'DECLINED':
    case 'FAILED':
      return 'refused'
    default:
      return 'processing'
  }
}

function captureFact(capture: CapturedPayment, refunds: readonly Refund[], memo: Partial<PayPalMemo>): PaymentFact {
  const amount = centavos(capture.amount?.value)
  const back = refunds.filter((refund) => !isLost(refund)).reduce((sum, refund) => sum + centavos(refund.amount?.value), 0)
  const id = capture.id ?? ''
  const disputed = readDispute(memo, id)
  return {
    id,
    amount,
    refunded: capture.status === 'REFUNDED' ? amount : back,
    currency: capture.amount?.currencyCode ?? '',
    at: new Date(capture.createTime ?? ''),
    ...(disputed ? { disputed } : {}),
  }
}

/** The end of period number `count` after the first payment; the first period starts with its payment. */
function after(first: Date, every: PayPalMemo['every'], count: number): Date {
  return count === 0 ? first : chargeAfter(first, every.unit, count * every.count, 'paypal')
}

/**
 * The periods paid by a subscription's payments. PayPal reports only their times, so periods are counted from the first payment; a payment
 * after a suspension pays the period that it falls into, never an earlier one.
 */
export function billingPeriods(times: readonly Date[], every: PayPalMemo['every']): { from: Date; to: Date }[] {
  const [first] = times
  if (!first) return []
  let at = -1
  return times.map((time) => {
    at += 1
    while (after(first, every, at + 1) <= time) at += 1
    return { from: after(first, every, at), to: after(first, every, at + 1) }
  })
}

export function subscriptionFacts(
  subscription: Subscription,
  transactions: readonly SubscriptionTransactionDetails[],
  memo: Partial<PayPalMemo>,
  now: Date,
): Omit<Facts, 'ref' | 'purchaseId' | 'buyerRef'> {
  const every = memo.every ?? { unit: 'month', count: 1 }
  const paid = transactions
    .filter(({ status }) => status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED')
    .sort((a, b) => Date.parse(a.time) - Date.parse(b.time))
  const periods = billingPeriods(
    paid.map(({ time }) => new Date(time)),
    every,
  )
  const payments = paid.map((transaction, n): PaymentFact => {
    const { currencyCode, value } = transaction.amountWithBreakdown.grossAmount
    const amount = centavos(value)
    const back = Object.values(memo.refunds ?? {})
      .filter(({ payment }) => payment === transaction.id)
      .reduce((sum, refund) => sum + refund.amount, 0)
    const [period, disputed] = [periods[n], readDispute(memo, transaction.id)]
    return {
      id: transaction.id,
      amount,
      refunded: transaction.status === 'REFUNDED' ? amount : back,
      currency: currencyCode,
      at: new Date(transaction.time),
      ...(period ? { period } : {}),
      ...(disputed ? { disputed } : {}),
    }
  })
  // The next charge date comes from PayPal: it ends the period paid last (V22).
  const [last, next] = [payments.at(-1)?.period, new Date(subscription.billingInfo?.nextBillingTime ?? 0)]
  if (last && subscription.status === 'ACTIVE' && next > now && next > last.from) last.to = next
  const paidUntil = last?.to
  const payer = subscription.subscriber?.payerId
  const base = { next: null, payments, method: METHOD, ...(payer ? { plastic: payer } : {}) }
  switch (subscription.status) {
    case 'APPROVAL_PENDING':
      if (memo.over) return { ...base, state: memo.over }
      return {
        ...base,
        state: 'waiting',
        next: subscription.id
          ? { do: 'approve', token: subscription.id, ...(memo.planId ? { planId: memo.planId } : {}), ...pageOf(subscription.links) }
          : null,
      }
    case 'APPROVED':
      return { ...base, state: 'processing' }
    case 'ACTIVE': {
      if (paidUntil) return { ...base, state: 'paid', cancelled: false, endsAt: paidUntil }
      const trialEnd = memo.trialEnd ? new Date(subscription.billingInfo?.nextBillingTime ?? memo.trialEnd) : null
      return trialEnd
        ? { ...base, state: trialEnd > now ? 'trialing' : 'processing', cancelled: false, endsAt: trialEnd }
        : { ...base, state: 'processing' }
    }
    case 'SUSPENDED':
      if (memo.paused) {
        const trialEnd = memo.trialEnd ? new Date(memo.trialEnd) : null
        const endsAt = paidUntil ?? trialEnd
        const state = !paidUntil && trialEnd && trialEnd > now ? 'trialing' : 'paid'
        return { ...base, state, cancelled: false, paused: true, ...(endsAt ? { endsAt } : {}) }
      }
      return { ...base, state: 'past_due', cancelled: false, ...(paidUntil ? { endsAt: paidUntil } : {}) }
    default: {
      // CANCELLED and EXPIRED take effect at once at PayPal, but benefits last to the end of the paid period (V17).
      const ended = new Date(subscription.statusUpdateTime ?? subscription.updateTime ?? now)
      if (memo.over && payments.length === 0) return { ...base, state: memo.over }
      const endsAt = memo.endedNow || !paidUntil ? ended : paidUntil
      return { ...base, state: endsAt > now && !memo.endedNow ? 'paid' : 'ended', cancelled: true, endsAt }
    }
  }
}
