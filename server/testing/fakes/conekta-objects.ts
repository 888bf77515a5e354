/** Objects of Conekta's API, its errors, and the test cards that select a bank's answer. */
import { newId } from './fake.ts'

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  created_at: number
  status: string
}
export interface Charge {
  id: string
  object: 'charge'
  amount: number
  currency: 'MXN'
  created_at: number
  paid_at?: number
  order_id: string
  livemode: false
  status: string
  failure_code?: string
  payment_method: { object: string; [key: string]: unknown }
  refunds: { object: 'list'; has_more: false; data: Refund[] }
  chargeback?: { id: string; status: string }
}
export interface Order {
  id: string
  object: 'order'
  amount: number
  amount_refunded: number
  currency: 'MXN'
  created_at: number
  updated_at: number
  livemode: false
  payment_status?: string
  customer_info: { object: 'customer_info'; customer_id: string }
  metadata: Record<string, string>
  charges: { object: 'list'; has_more: false; data: Charge[] }
  next_action?: { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } }
  checkout?: { id: string; object: 'checkout'; type: string; livemode: false; name: string; url: string; expires_at: number }
}
export interface Source {
  id: string
  object: 'payment_source'
  type: 'card'
  created_at: number
  parent_id: string
  brand: string
  bin: string
  last4: string
  exp_month: string
  exp_year: string
}
export interface Customer {
  id: string
  object: 'customer'
  name: string
  email: string
  phone: string
  created_at: number
  livemode: false
}
export interface Plan {
  id: string
  object: 'plan'
  amount: number
  interval: 'week' | 'half_month' | 'month' | 'year'
  frequency: number
  max_retries: number
  retry_delay_hours: number
}
export interface Subscription {
  id: string
  object: 'subscription'
  status: 'in_trial' | 'active' | 'past_due' | 'paused' | 'canceled' | 'expired'
  customer_id: string
  plan_id: string
  card_id: string
  created_at: number
  subscription_start: number
  trial_start?: number
  trial_end?: number
  billing_cycle_start?: number
  billing_cycle_end?: number
  last_billing_cycle_order_id?: string
  charge_id?: string
  canceled_at?: number
}
export interface ConektaEvent {
  id: string
  object: 'event'
  type: string
  created_at: number
  livemode: false
  data: { object: { id: string }; previous_attributes: object }
}

/** An error response of Conekta: thrown, so that any rule can stop the request. */
export class ConektaRefusal extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, code: string, param: string | null = null) {
    super(code)
    this.status = status
    this.body = {
      type: status === 402 ? 'processing_error' : 'parameter_validation_error',
      log_id: newId(''),
      object: 'error',
      details: [{ code, param, message: code, debug_message: code }],
    }
  }
}
export const notFound = (what: string) => new ConektaRefusal(404, `conekta.errors.resource_not_found.entity`, what)

/** Result of a card, by its token: `tok_test_<name>`. */
const BANK = 'conekta.errors.processing.bank.'
export const DECLINES: Readonly<Record<string, string>> = {
  insufficient_funds: `${BANK}insufficient_funds`,
  card_declined: `${BANK}declined`,
  call_issuer: `${BANK}call_issuer`,
  pick_up_card: `${BANK}pick_up_card`,
  expired_card: `${BANK}expired_card`,
  security_code: `${BANK}invalid_card_security_code`,
  invalid_number: `${BANK}invalid_number`,
  suspicious: 'conekta.errors.processing.charge.card_payment.suspicious_behaviour',
  risk: 'conekta.errors.processing.antifraud.rejected_by_risk',
  format: 'conekta.errors.parameter_validation.card.format.invalid',
  bank_timeout: `${BANK}timeout`,
  '3ds_declined': 'conekta.errors.processing.declined_by_3ds',
}
export const CARDS: Readonly<Record<string, { brand: string; bin: string; last4: string }>> = {
  mastercard: { brand: 'mastercard', bin: '555555', last4: '4444' },
  amex: { brand: 'american_express', bin: '378282', last4: '0005' },
}
