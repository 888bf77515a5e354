/** The objects of the Stripe fake. Their fields are taken from the SDK's types, so that `tsc` notices changes of the API's shapes. */
import type { Stripe } from 'stripe'
import type { TestCard } from './stripe-cards.ts'

/** A stored object: expandable fields are ids. */
type Stored<T, K extends keyof T, Ids extends keyof T = never> = Omit<Pick<T, K>, Ids> & { [I in Ids]: string | null }

export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'currency'
  | 'status'
  | 'client_secret'
  | 'created'
  | 'metadata'
  | 'livemode'
  | 'description'
  | 'setup_future_usage'
  | 'allowed_payment_method_types'
  | 'cancellation_reason'
  | 'customer'
  | 'payment_method'
  | 'latest_charge',
  'customer' | 'payment_method' | 'latest_charge'
> & {
  last_payment_error:
    | (Pick<Stripe.PaymentIntent.LastPaymentError, 'type' | 'code' | 'decline_code' | 'message'> & { payment_method?: PaymentMethod })
    | null
  next_action: Stripe.PaymentIntent.NextAction | null
  /**
   * Internal state of the fake, never sent. `funded`: part of a bank transfer received for it; `paidAt`: when its voucher was paid in a
   * shop, not reported yet.
   */
  hidden: { invoice?: string; session?: string; offSession?: boolean; funded?: number; voucher?: string; paidAt?: number }
}

export type Charge = Stored<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_refunded'
  | 'captured'
  | 'created'
  | 'currency'
  | 'customer'
  | 'disputed'
  | 'livemode'
  | 'paid'
  | 'payment_intent'
  | 'refunded'
  | 'status'
  | 'metadata',
  'customer' | 'payment_intent'
> & { payment_method_details: { type: string; card?: { brand: string; last4: string; wallet?: Stripe.PaymentMethod.Card.Wallet } } }

export type PaymentMethod = Pick<Stripe.PaymentMethod, 'id' | 'object' | 'type' | 'created' | 'livemode'> & {
  customer: string | null
  card?: Pick<Stripe.PaymentMethod.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'> & {
    fingerprint: string
    wallet?: Stripe.PaymentMethod.Card.Wallet
  }
  /** `setUp`: its owner agreed to charges without them, confirmed with the bank. */
  hidden: { card?: TestCard; name?: string; charged: number; spent: boolean; setUp: boolean }
}

export type Customer = Pick<Stripe.Customer, 'id' | 'object' | 'email' | 'created' | 'livemode' | 'metadata'> & { name: string | null }

export type Setup = Stored<
  Stripe.SetupIntent,
  'id' | 'object' | 'client_secret' | 'created' | 'customer' | 'livemode' | 'metadata' | 'payment_method' | 'status' | 'usage',
  'customer' | 'payment_method'
> & {
  last_setup_error: { code: string; decline_code?: string; type: string; message: string } | null
  next_action: { type: string } | null
  hidden: { subscription?: string }
}

export type Session = Stored<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer'
  | 'expires_at'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'payment_intent'
  | 'payment_status'
  | 'status'
  | 'subscription'
  | 'url',
  'customer' | 'payment_intent' | 'subscription'
> & { hidden: { data: SessionData } }

export interface SessionData {
  amount: number
  price?: string
  coupon?: string
  metadata: Record<string, string>
  keep: boolean
  trialEnd?: number
  /** Where the customer is sent after paying, or when cancelling. */
  after: string
  back: string
}

export interface Price {
  id: string
  object: 'price'
  currency: string
  unit_amount: number
  recurring: { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number }
}
export interface Coupon {
  id: string
  object: 'coupon'
  amount_off: number
  currency: string
  duration: string
}

export type Subscription = Stored<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'created'
  | 'customer'
  | 'default_payment_method'
  | 'ended_at'
  | 'latest_invoice'
  | 'livemode'
  | 'metadata'
  | 'pause_collection'
  | 'pending_setup_intent'
  | 'status'
  | 'trial_end'
  | 'cancellation_details',
  'customer' | 'default_payment_method' | 'latest_invoice' | 'pending_setup_intent'
> & {
  items: {
    object: 'list'
    has_more: false
    url: string
    data: {
      id: string
      object: 'subscription_item'
      current_period_start: number
      current_period_end: number
      price: Price
      quantity: number
    }[]
  }
  hidden: { anchor: number; periods: number; coupon: Coupon | null; retryAt: number; tries: number; unattended: string; session: boolean }
}

export type Invoice = Pick<
  Stripe.Invoice,
  'object' | 'amount_due' | 'amount_paid' | 'created' | 'currency' | 'livemode' | 'status' | 'total'
> & {
  id: string
  customer: string
  parent: {
    type: 'subscription_details'
    quote_details: null
    subscription_details: { subscription: string; metadata: Record<string, string> }
  }
  lines: {
    object: 'list'
    has_more: false
    url: string
    data: { id: string; object: 'line_item'; amount: number; period: { start: number; end: number } }[]
  }
  status_transitions: { paid_at: number | null; finalized_at: number | null; marked_uncollectible_at: null; voided_at: number | null }
  hidden: { payment_intent: string | null }
}

export type Refund = Stored<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'charge' | 'created' | 'currency' | 'metadata' | 'payment_intent' | 'reason' | 'status',
  'charge' | 'payment_intent'
>
export type CashTransaction = Pick<
  Stripe.CustomerCashBalanceTransaction,
  | 'id'
  | 'object'
  | 'created'
  | 'currency'
  | 'customer_account'
  | 'ending_balance'
  | 'livemode'
  | 'net_amount'
  | 'type'
  | 'funded'
  | 'applied_to_payment'
  | 'unapplied_from_payment'
> & { customer: string }
export type Dispute = Stored<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'charge' | 'created' | 'currency' | 'payment_intent' | 'status' | 'reason' | 'livemode',
  'charge' | 'payment_intent'
>

/** An error response of Stripe: thrown, so that any rule can stop the request. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.message ?? body.code ?? 'refused'))
    this.status = status
    this.body = body
  }
}
export const wrong = (message: string, more: Record<string, unknown> = {}, status = 400) =>
  new StripeRefusal(status, { type: 'invalid_request_error', message, ...more })
export const missing = (id: string, param = 'id') => wrong(`No such object: '${id}'`, { code: 'resource_missing', param }, 404)
