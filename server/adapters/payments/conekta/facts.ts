/** Maps Conekta's orders to the port's facts. Pure. */
import type { ChargesDataResponse, OrderResponse, PaymentMethodBankTransfer } from 'conekta'
import { type ErrorCode, isErrorCode } from '#contract/errors.ts'
import type { Centavos } from '#contract/money.ts'
import type { PeriodUnit } from '#contract/time.ts'
import { cardMethod } from '#server/adapters/payments/card-label.ts'
import { paymentDeclined } from '#server/adapters/payments/failures.ts'
import type { Facts, Instrument, Next, PaymentFact } from '#server/adapters/payments/port.ts'
import { cardCode } from './client.ts'

/** A billing cycle that was paid. */
export interface Cycle {
  payment: string
  amount: Centavos
  refunded: Centavos
  currency: string
  at: string
  from: string
  to: string
  disputed?: 'open' | 'lost' | 'won'
}

/** The adapter's notes on a call. */
export interface ConektaMemo {
  by: Instrument['by']
  /** Last instant at which it may be paid. */
  until: string
  /** The charge was requested: it is never requested again under this key, whatever the result. */
  tried: boolean
  refused: ErrorCode
  over: 'ended' | 'expired'
  refund: string
  /** Id of the refund that returned the excess of a transfer. */
  sentBack: string
  /** Of a subscription. */
  every: { unit: PeriodUnit; count: number }
  amount: Centavos
  trialEnd: string
  card: string
  /** Hash that identifies its physical card. */
  plastic: string
  /** The card that pays, once the customer changed it. */
  method: NonNullable<Facts['method']>
  title: string
  /** The order that pays the first period. */
  order: string
  subscription: string
  endedNow: boolean
  /** Suspended by us: nothing is owed meanwhile. */
  paused: boolean
  cycles: Record<string, Cycle>
}

const at = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000)

export type OrderFacts = Pick<Facts, 'state' | 'next' | 'payments' | 'why' | 'method' | 'unclaimed'>

/** The relevant charge of an order: the paid one, otherwise the last. */
export function chargeInOrder(order: OrderResponse): ChargesDataResponse | undefined {
  const charges = (order.charges?.data ?? []) as ChargesDataResponse[]
  return charges.find(({ status }) => /^(paid|refunded|partially_refunded|charged_back)$/.test(status)) ?? charges.at(-1)
}

export function orderFacts(order: OrderResponse, memo: Partial<ConektaMemo>, until: Date): OrderFacts {
  const unclaimed = unclaimedAmount(order, memo)
  return { ...statusFacts(order, memo, until), ...(unclaimed ? { unclaimed } : {}) }
}

function statusFacts(order: OrderResponse, memo: Partial<ConektaMemo>, until: Date): OrderFacts {
  const charge = chargeInOrder(order)
  const method = methodOf(charge, memo)
  const base = { next: null, payments: [], ...(method ? { method } : {}) }
  const refused = (code: ErrorCode, providerCode: string) => ({
    ...base,
    state: 'refused' as const,
    why: paymentDeclined(code, { provider: { code: providerCode } }),
  })
  switch (order.payment_status) {
    case 'paid':
    case 'partially_refunded':
    case 'refunded':
    case 'charged_back':
      if (!charge) return { ...base, state: 'processing' }
      // A transfer below the price grants nothing, and no further transfer can reach a closed order.
      if (excessOf(order, charge) < 0) return { ...base, state: memo.over ?? 'ended' }
      return { ...base, state: 'paid', payments: [paymentFact(order, charge, memo)] }
    case 'declined':
      return refused(cardCode(charge?.failure_code ?? ''), charge?.failure_code ?? 'declined')
    case 'fraudulent':
      return refused('CARD_SUSPICIOUS', 'fraudulent')
    case 'expired':
      return { ...base, state: memo.over ?? 'expired' }
    case 'canceled':
      return { ...base, state: memo.over ?? 'ended' }
    default:
      break
  }
  if (memo.refused && isErrorCode(memo.refused)) return refused(memo.refused, memo.refused)
  if (memo.over) return { ...base, state: memo.over }
  return { ...base, state: 'waiting', next: nextOf(order, charge, until) }
}

/** Conekta publishes both field names for the same account. */
const clabeOf = ({ clabe, receiving_account_number }: PaymentMethodBankTransfer) => clabe ?? receiving_account_number

function nextOf(order: OrderResponse, charge: ChargesDataResponse | undefined, until: Date): Next | null {
  const id = order.id ?? ''
  const url = order.next_action?.redirect_to_url?.url
  if (url) return { do: 'go', url, id }
  const method = charge?.payment_method
  if (method?.object === 'cash_payment' && 'reference' in method)
    return {
      do: 'show',
      voucher: {
        kind: 'oxxo',
        reference: method.reference ?? '',
        expiresAt: method.expires_at ? at(method.expires_at) : until,
        url: method.barcode_url ?? null,
        clabe: null,
      },
    }
  if (method?.object === 'bank_transfer_payment' && ('clabe' in method || 'receiving_account_number' in method))
    return {
      do: 'show',
      voucher: {
        kind: 'spei',
        reference: method.reference_number ?? clabeOf(method) ?? '',
        expiresAt: method.expires_at ? at(method.expires_at) : until,
        url: null,
        clabe: clabeOf(method) ?? null,
      },
    }
  return order.checkout?.url ? { do: 'go', url: order.checkout.url, id } : null
}

function methodOf(charge: ChargesDataResponse | undefined, memo: Partial<ConektaMemo>): Facts['method'] {
  const method = charge?.payment_method
  if (method?.object === 'card_payment' && 'last4' in method) return cardMethod(method.brand, method.last4)
  if (method?.object === 'cash_payment') return { label: 'OXXO' }
  if (method?.object === 'bank_transfer_payment') return { label: 'Transferencia SPEI' }
  return memo.by === 'voucher' ? { label: 'OXXO o SPEI' } : undefined
}

/** Whether Conekta accepted a refund and could not deliver it. */
export const isLost = ({ status }: { status?: string | undefined }) => status !== undefined && /fail|declin|cancel|reject/.test(status)

export function paymentFact(order: OrderResponse, charge: ChargesDataResponse, memo: Partial<ConektaMemo> = {}): PaymentFact {
  const excess = Math.max(0, excessOf(order, charge))
  const amount = charge.amount - excess
  const returned = goneBack(order, charge) - (excess > 0 ? sentBack(charge, memo) : 0)
  const disputed = disputeOf(charge, order)
  return {
    id: charge.id,
    amount,
    refunded: Math.min(amount, returned),
    currency: charge.currency,
    at: at(charge.paid_at ?? charge.created_at),
    ...(disputed ? { disputed } : {}),
  }
}

function goneBack(order: OrderResponse, charge: ChargesDataResponse): Centavos {
  if (order.payment_status === 'refunded') return charge.amount
  const refunds = charge.refunds?.data?.reduce((sum, refund) => sum + (isLost(refund) ? 0 : refund.amount), 0) ?? 0
  return Math.max(refunds, order.amount_refunded ?? 0)
}

/** The excess of a transfer that was sent back. */
function sentBack(charge: ChargesDataResponse, memo: Partial<ConektaMemo>): Centavos {
  const refund = charge.refunds?.data?.find(({ id }) => id === memo.sentBack)
  return refund && !isLost(refund) ? refund.amount : 0
}

/** By how much a transfer differs from its order's price; 0 for other payment methods, whose amount Conekta checks. */
function excessOf(order: OrderResponse, charge: ChargesDataResponse): number {
  return charge.payment_method?.object === 'bank_transfer_payment' ? charge.amount - (order.amount ?? charge.amount) : 0
}

/** Money of a transfer that no payment accounts for (docs/domain.md V40); the header of conekta.ts lists the cases. */
export function unclaimedAmount(order: OrderResponse, memo: Partial<ConektaMemo>): Facts['unclaimed'] {
  const charge = chargeInOrder(order)
  const method = charge?.payment_method
  const customer_id = Number((order.metadata as Record<string, unknown> | undefined)?.customer_id)
  if (!charge || method?.object !== 'bank_transfer_payment' || !Number.isInteger(customer_id)) return undefined
  const of = { customer_id, isBalance: false }
  if (charge.paid_at) {
    const excess = excessOf(order, charge)
    const left = excess > 0 ? excess - sentBack(charge, memo) : excess < 0 ? charge.amount - goneBack(order, charge) : 0
    return left > 0 ? { ...of, id: charge.id, amount: left } : undefined
  }
  const attempts = 'payment_attempts' in method ? (method.payment_attempts ?? []) : []
  if (attempts.length === 0) return undefined
  // The shape of these items is not published: only an integer number of centavos is accepted.
  const amounts = attempts.map((attempt: unknown) =>
    typeof attempt === 'object' && attempt !== null && 'amount' in attempt ? attempt.amount : null,
  )
  const known = amounts.every((amount): amount is number => Number.isSafeInteger(amount) && Number(amount) > 0)
  return { ...of, id: `${charge.id}:${attempts.length}`, amount: known ? amounts.reduce((sum, amount) => sum + Number(amount), 0) : null }
}

function disputeOf(charge: ChargesDataResponse, order: OrderResponse): PaymentFact['disputed'] {
  const status = charge.chargeback?.status
  if (!status) return order.payment_status === 'charged_back' ? 'lost' : undefined
  if (status === 'won' || status === 'covered') return 'won'
  return status === 'lost' ? 'lost' : 'open'
}

/** A period as Conekta's interval. Conekta has weeks, months and years but no days: seven days are a week. Null when it is not possible. */
export function toInterval(every: { unit: PeriodUnit; count: number }): { interval: 'week' | 'month' | 'year'; frequency: number } | null {
  if (every.count < 1) return null
  if (every.unit !== 'day') return { interval: every.unit, frequency: every.count }
  return every.count % 7 === 0 ? { interval: 'week', frequency: every.count / 7 } : null
}

export function billingCycle(fact: PaymentFact, from: Date, to: Date): Cycle {
  const { id, at: paidAt, ...rest } = fact
  return { ...rest, payment: id, at: paidAt.toISOString(), from: from.toISOString(), to: to.toISOString() }
}

export function cyclePayment(cycle: Cycle): PaymentFact {
  const { payment, at: paidAt, from, to, ...rest } = cycle
  return { ...rest, id: payment, at: new Date(paidAt), period: { from: new Date(from), to: new Date(to) } }
}
