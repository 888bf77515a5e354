/**
 * The books of a fake Stripe account: payments, cards, sessions, and the actions of customers, banks and the dashboard. Subscriptions:
 * stripe-billing.ts.
 */

import type { Stripe } from 'stripe'
import { newId } from './fake.ts'
import { CARDS, type TestCard } from './stripe-cards.ts'
import {
  type CashTransaction,
  type Charge,
  type Coupon,
  type Customer,
  type Dispute,
  type Invoice,
  missing,
  type PaymentIntent,
  type PaymentMethod,
  type Price,
  type Refund,
  type Session,
  type Setup,
  StripeRefusal,
  type Subscription,
  wrong,
} from './stripe-objects.ts'

export interface StripeEvent {
  id: string
  object: 'event'
  type: string
  created: number
  livemode: boolean
  api_version: string
  data: { object: { id: string } }
}

type Kinds = {
  customers: Customer
  intents: PaymentIntent
  charges: Charge
  methods: PaymentMethod
  setups: Setup
  sessions: Session
  prices: Price
  coupons: Coupon
  subscriptions: Subscription
  invoices: Invoice
  refunds: Refund
  disputes: Dispute
  cash: CashTransaction
}

export interface Outside {
  now(): Date
  apiVersion: string
  moved(kind: 'charge' | 'refund', amount: number, object: string, metadata: Record<string, string>): void
  deliver(event: StripeEvent): void
}

/** The part of a card that names its wallet. */
const walletOf = (card: TestCard | undefined): { wallet?: Stripe.PaymentMethod.Card.Wallet } =>
  card?.wallet ? { wallet: { type: card.wallet, dynamic_last4: null } as Stripe.PaymentMethod.Card.Wallet } : {}

export class StripeAccount {
  readonly outside: Outside
  readonly all: { readonly [K in keyof Kinds]: Map<string, Kinds[K]> } = {
    customers: new Map(),
    intents: new Map(),
    charges: new Map(),
    methods: new Map(),
    setups: new Map(),
    sessions: new Map(),
    prices: new Map(),
    coupons: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    cash: new Map(),
  }
  readonly events: StripeEvent[] = []
  /** Set by stripe-billing.ts: called when an invoice's payment succeeded or was declined. */
  invoicePaid: (invoice: string) => void = () => {}
  setupDone: (setup: Setup) => void = () => {}
  /** Set by stripe-balance.ts: called when a payment was cancelled. */
  intentCancelled: (intent: PaymentIntent) => void = () => {}

  constructor(outside: Outside) {
    this.outside = outside
  }

  get seconds(): number {
    return Math.floor(this.outside.now().getTime() / 1000)
  }

  get<K extends keyof Kinds>(kind: K, id: string | null | undefined, param = 'id'): Kinds[K] {
    const found = id ? this.all[kind].get(id) : undefined
    if (!found) throw missing(String(id), param)
    return found
  }

  emit(type: string, object: { id: string }): void {
    const { hidden: _, ...plain } = object as { id: string; hidden?: unknown }
    const event: StripeEvent = {
      id: newId('evt_'),
      object: 'event',
      type,
      created: this.seconds,
      livemode: false,
      api_version: this.outside.apiVersion,
      data: { object: structuredClone(plain) },
    }
    this.events.push(event)
    this.outside.deliver(event)
  }

  /** A payment method: a saved one, or a new one from a test token. */
  method(id: string): PaymentMethod {
    const known = this.all.methods.get(id)
    if (known) return known
    const card = CARDS[id]
    if (!card) throw wrong(`No such PaymentMethod: '${id}'`, { code: 'resource_missing', param: 'payment_method' })
    const paymentMethod: PaymentMethod = {
      id: newId('pm_'),
      object: 'payment_method',
      type: card.isLink ? 'link' : 'card',
      created: this.seconds,
      livemode: false,
      customer: null,
      ...(card.isLink
        ? {}
        : {
            card: {
              brand: card.brand,
              last4: card.last4,
              exp_month: 8,
              exp_year: 2030,
              fingerprint: `fp_${id.replace(/\W/g, '')}`,
              ...walletOf(card),
            },
          }),
      hidden: { card, name: id, charged: 0, spent: false, setUp: false },
    }
    this.all.methods.set(paymentMethod.id, paymentMethod)
    return paymentMethod
  }

  /** The payment method, if a request for this customer may use it. */
  usable(id: string, customer: string | null): PaymentMethod {
    const method = this.method(id)
    if (method.hidden.spent)
      throw wrong(`The provided PaymentMethod was detached from a Customer. It may not be used again.`, { param: 'payment_method' })
    if (method.customer !== null && method.customer !== customer)
      throw wrong(`The PaymentMethod ${id} does not belong to the Customer you supplied.`, { param: 'payment_method' })
    return method
  }

  readonly #confirmations = new Map<string, { payment_method: string; payment_intent: string | null }>()

  /** What the browser's stand-in returned for a wallet, "ctoken_twin_applePay_1a2b3c4d"; it is good for one payment. */
  confirmationToken(id: string): { payment_method: string; payment_intent: string | null } {
    const known = this.#confirmations.get(id)
    if (known) return known
    const [, card = ''] = /^ctoken_(\w+)_[a-z0-9]{4,}$/.exec(id) ?? []
    const method = { payment_method: this.method(`pm_${card}`).id, payment_intent: null }
    this.#confirmations.set(id, method)
    return method
  }

  spendConfirmationToken(id: string, intent: PaymentIntent): void {
    const token = this.confirmationToken(id)
    if (token.payment_intent) throw wrong(`The ConfirmationToken ${id} was already used.`, { param: 'confirmation_token' })
    token.payment_intent = intent.id
  }

  /** Whether a wallet of the browser returned it. */
  isOfWallet({ hidden: { card } }: PaymentMethod): boolean {
    return card?.wallet !== undefined || card?.isLink === true
  }

  attach(method: PaymentMethod, customer: string): void {
    if (method.customer === customer) return
    if (method.customer !== null || method.hidden.spent)
      throw wrong('The payment method cannot be attached to a customer.', { param: 'payment_method' })
    method.customer = customer
    this.emit('payment_method.attached', method)
  }

  detach(method: PaymentMethod): void {
    if (method.customer === null) throw wrong('The payment method you provided is not attached to a customer so detachment is impossible.')
    method.customer = null
    method.hidden.spent = true
    this.emit('payment_method.detached', method)
  }

  intent(values: Partial<PaymentIntent> & Pick<PaymentIntent, 'amount' | 'currency'>): PaymentIntent {
    const id = newId('pi_')
    const paymentIntent: PaymentIntent = {
      id,
      object: 'payment_intent',
      amount_received: 0,
      status: 'requires_payment_method',
      client_secret: `${id}_secret_${newId('')}`,
      created: this.seconds,
      metadata: {},
      livemode: false,
      description: null,
      setup_future_usage: null,
      allowed_payment_method_types: null,
      cancellation_reason: null,
      customer: null,
      payment_method: null,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      hidden: {},
      ...values,
    }
    this.all.intents.set(id, paymentIntent)
    return paymentIntent
  }

  /** Charges a card now: succeeded, processing, requires action, or the bank's decline, thrown as the API's 402. */
  charge(intent: PaymentIntent, method: PaymentMethod): void {
    const card = method.hidden.card
    intent.payment_method = method.id
    intent.last_payment_error = null
    const decline =
      card?.decline ??
      (card?.pays !== undefined && method.hidden.charged >= card.pays ? { code: 'card_declined', decline_code: 'generic_decline' } : null)
    if (decline) {
      const charge = this.record(intent, method, false)
      const error = { type: 'card_error' as const, message: 'Your card was declined.', ...decline, payment_method: method }
      intent.status = 'requires_payment_method'
      intent.payment_method = null
      intent.latest_charge = charge.id
      intent.last_payment_error = error
      this.emit('payment_intent.payment_failed', intent)
      throw new StripeRefusal(402, { ...error, charge: charge.id, payment_intent: intent })
    }
    if (card?.challenge && !(intent.hidden.offSession && card.challenge === 'until-set-up' && method.hidden.setUp)) {
      // Without the customer only an invoice waits for the bank's challenge; a single payment is declined.
      if (intent.hidden.offSession && !intent.hidden.invoice) {
        const error = { type: 'card_error' as const, code: 'authentication_required', message: 'Your card was declined.' }
        Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error })
        this.emit('payment_intent.payment_failed', intent)
        throw new StripeRefusal(402, { ...error, payment_intent: intent })
      }
      intent.status = 'requires_action'
      intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} } as PaymentIntent['next_action']
      this.emit('payment_intent.requires_action', intent)
      return
    }
    if (card?.processing) {
      intent.status = 'processing'
      this.emit('payment_intent.processing', intent)
      return
    }
    this.succeed(intent)
  }

  /** Marks the payment as succeeded. */
  succeed(intent: PaymentIntent): void {
    if (intent.status === 'canceled' || intent.status === 'succeeded') return
    const method = this.get('methods', intent.payment_method)
    const charge = this.record(intent, method, true)
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: null,
    })
    method.hidden.charged += 1
    if (intent.setup_future_usage && intent.customer && method.customer === null) this.attach(method, intent.customer)
    if (intent.setup_future_usage) method.hidden.setUp = true
    this.outside.moved('charge', intent.amount, intent.id, this.metadataOf(intent))
    this.emit('payment_intent.succeeded', intent)
    if (intent.hidden.invoice) this.invoicePaid(intent.hidden.invoice)
  }

  /** Our metadata that links a payment to its purchase. */
  metadataOf(intent: PaymentIntent): Record<string, string> {
    const invoice = intent.hidden.invoice ? this.get('invoices', intent.hidden.invoice) : null
    return invoice ? invoice.parent.subscription_details.metadata : intent.metadata
  }

  /** Records a charge, paid or declined. */
  record(intent: PaymentIntent, method: PaymentMethod, paid: boolean): Charge {
    const charge: Charge = {
      id: newId('ch_'),
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      captured: paid,
      created: this.seconds,
      currency: intent.currency,
      customer: intent.customer,
      disputed: false,
      livemode: false,
      paid,
      payment_intent: intent.id,
      refunded: false,
      status: paid ? 'succeeded' : 'failed',
      metadata: {},
      payment_method_details: method.card
        ? { type: 'card', card: { brand: method.card.brand, last4: method.card.last4, ...walletOf(method.hidden.card) } }
        : { type: method.type },
    }
    this.all.charges.set(charge.id, charge)
    return charge
  }

  /** Confirms a payment: from the server, or from the customer's browser. */
  confirm(intent: PaymentIntent, token: string | undefined, offSession = false): void {
    if (!['requires_payment_method', 'requires_confirmation'].includes(intent.status))
      throw wrong(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
        code: 'payment_intent_unexpected_state',
        payment_intent: intent,
      })
    const id = token ?? intent.payment_method
    if (!id)
      throw wrong('You cannot confirm this PaymentIntent because it is missing a payment method.', {
        code: 'payment_intent_unexpected_state',
        payment_intent: intent,
      })
    const method = this.usable(id, intent.customer)
    intent.hidden.offSession = offSession
    if (method.type === 'oxxo' || method.type === 'customer_balance') {
      intent.payment_method = method.id
      intent.status = 'requires_action'
      if (method.type === 'oxxo') intent.hidden.voucher = method.id
      return
    }
    this.charge(intent, method)
  }

  cancel(intent: PaymentIntent, reason: PaymentIntent['cancellation_reason']): void {
    if (['succeeded', 'canceled', 'processing'].includes(intent.status))
      throw wrong(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
        code: 'payment_intent_unexpected_state',
        payment_intent: intent,
      })
    Object.assign(intent, { status: 'canceled', cancellation_reason: reason, next_action: null })
    this.emit('payment_intent.canceled', intent)
    this.intentCancelled(intent)
  }

  /** The customer answers the bank's challenge in the browser. */
  authenticate(secret: string, yes: boolean): void {
    const id = secret.split('_secret_')[0] ?? ''
    if (id.startsWith('seti_')) {
      const setup = this.get('setups', id)
      if (setup.client_secret !== secret || setup.status !== 'requires_action') return
      if (yes) {
        this.setupSucceeds(setup)
        return
      }
      Object.assign(setup, {
        status: 'requires_payment_method',
        next_action: null,
        last_setup_error: {
          code: 'setup_intent_authentication_failure',
          type: 'invalid_request_error',
          message: 'We are unable to authenticate your payment method.',
        },
      })
      this.emit('setup_intent.setup_failed', setup)
      return
    }
    const intent = this.get('intents', id)
    if (intent.client_secret !== secret || intent.status !== 'requires_action') return
    if (yes) {
      this.succeed(intent)
      return
    }
    Object.assign(intent, {
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      last_payment_error: {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message: 'We are unable to authenticate your payment method.',
      },
    })
    this.emit('payment_intent.payment_failed', intent)
  }

  confirmSetup(setup: Setup, token: string): void {
    if (!['requires_payment_method', 'requires_confirmation'].includes(setup.status))
      throw wrong(`You cannot confirm this SetupIntent because it has a status of ${setup.status}.`, {
        code: 'setup_intent_unexpected_state',
        setup_intent: setup,
      })
    const method = this.usable(token, setup.customer)
    const card = method.hidden.card
    setup.payment_method = method.id
    if (card?.decline) {
      const error = { type: 'card_error', message: 'Your card was declined.', ...card.decline }
      Object.assign(setup, { status: 'requires_payment_method', payment_method: null, last_setup_error: error })
      this.emit('setup_intent.setup_failed', setup)
      throw new StripeRefusal(402, { ...error, setup_intent: setup })
    }
    if (card?.challenge) {
      Object.assign(setup, { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
      return
    }
    this.setupSucceeds(setup)
  }

  setupSucceeds(setup: Setup): void {
    const method = this.get('methods', setup.payment_method)
    if (setup.customer) this.attach(method, setup.customer)
    method.hidden.setUp = true
    Object.assign(setup, { status: 'succeeded', next_action: null, last_setup_error: null })
    this.emit('setup_intent.succeeded', setup)
    this.setupDone(setup)
  }

  /** Refunds a payment, through the API or in the dashboard. */
  refund(intent: PaymentIntent, amount: number | undefined, values: Pick<Refund, 'reason' | 'metadata'>): Refund {
    const charge = this.get('charges', intent.latest_charge, 'payment_intent')
    const left = charge.amount - charge.amount_refunded
    if (intent.status !== 'succeeded')
      throw wrong('This PaymentIntent does not have a successful charge to refund.', { param: 'payment_intent' })
    if (charge.payment_method_details.type === 'oxxo') throw wrong('OXXO payments cannot be refunded.')
    if (left === 0) throw wrong(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
    if (charge.disputed) throw wrong(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
    if ((amount ?? left) > left)
      throw wrong(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, { param: 'amount' })
    const refund: Refund = {
      id: newId('re_'),
      object: 'refund',
      amount: amount ?? left,
      charge: charge.id,
      created: this.seconds,
      currency: intent.currency,
      payment_intent: intent.id,
      status: 'succeeded',
      ...values,
    }
    this.all.refunds.set(refund.id, refund)
    charge.amount_refunded += refund.amount
    charge.refunded = charge.amount_refunded === charge.amount
    this.outside.moved('refund', refund.amount, intent.id, this.metadataOf(intent))
    this.emit('refund.created', refund)
    this.emit('charge.refunded', charge)
    return refund
  }

  /** A refund fails at the bank. */
  failRefund(id: string): void {
    const refund = this.get('refunds', id)
    const charge = this.get('charges', refund.charge)
    refund.status = 'failed'
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    const intent = this.get('intents', refund.payment_intent)
    this.outside.moved('refund', -refund.amount, intent.id, this.metadataOf(intent))
    this.emit('refund.failed', refund)
  }

  /**
   * A bank opens a dispute, of the whole charge or of `amount`, or changes the status of the last one. With an amount, after one that is
   * closed, it opens another.
   */
  dispute(payment: string, status: Dispute['status'], amount?: number): void {
    const intent = this.get('intents', payment)
    const charge = this.get('charges', intent.latest_charge)
    let dispute = [...this.all.disputes.values()].findLast((dispute) => dispute.payment_intent === payment)
    if (!dispute || (amount !== undefined && (dispute.status === 'won' || dispute.status === 'lost'))) {
      dispute = {
        id: newId('dp_'),
        object: 'dispute',
        amount: amount ?? charge.amount,
        charge: charge.id,
        created: this.seconds,
        currency: charge.currency,
        payment_intent: payment,
        status,
        reason: 'fraudulent',
        livemode: false,
      }
      this.all.disputes.set(dispute.id, dispute)
      charge.disputed = true
      this.emit('charge.dispute.created', dispute)
      return
    }
    dispute.status = status
    this.emit(status === 'won' || status === 'lost' ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute)
  }
}
