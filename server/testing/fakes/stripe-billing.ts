/** Subscriptions of the Stripe fake: invoices by the calendar, trials, retries and ends. Its clock only moves in `tick`. */
import { addPeriods } from '#contract/time.ts'
import { newId } from './fake.ts'
import type { StripeAccount } from './stripe-account.ts'
import {
  type Coupon,
  type Invoice,
  missing,
  type PaymentMethod,
  type Price,
  type Session,
  type Setup,
  StripeRefusal,
  type Subscription,
  wrong,
} from './stripe-objects.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
/** An unpaid first invoice is given up after this time; a renewal is retried daily, this many times. */
const INCOMPLETE = 23 * HOUR
const TRIES = 4

export interface NewSubscription {
  customer: string
  price: string
  coupon?: string | undefined
  method?: string | undefined
  trialEnd?: number | undefined
  /** What happens when its trial ends without a card. */
  unattended: string
  metadata: Record<string, string>
  session?: boolean
}

/** `count` periods after an instant, by the calendar in UTC. */
export function addBillingPeriods(seconds: number, price: Pick<Price, 'recurring'>, count: number): number {
  const [day = '', time = ''] = new Date(seconds * 1000).toISOString().split('T')
  const { interval, interval_count } = price.recurring
  const unit = interval === 'week' ? 'day' : interval
  return Math.floor(Date.parse(`${addPeriods(day, unit, count * interval_count * (interval === 'week' ? 7 : 1))}T${time}`) / 1000)
}

export class StripeBilling {
  readonly #books: StripeAccount
  /** Whether a trial's verified card becomes the default payment method, as Stripe documents. */
  savesTrialCard = true

  constructor(books: StripeAccount) {
    this.#books = books
    books.invoicePaid = (invoice) => this.#paid(books.get('invoices', invoice))
    books.setupDone = (setup) => this.#setUp(setup)
  }

  create(input: NewSubscription): Subscription {
    const books = this.#books
    books.get('customers', input.customer, 'customer')
    const price = books.get('prices', input.price, 'items[0][price]')
    const coupon: Coupon | null = input.coupon ? books.get('coupons', input.coupon, 'discounts[0][coupon]') : null
    const now = books.seconds
    if (input.trialEnd !== undefined && input.trialEnd <= now) throw wrong('trial_end must be in the future.', { param: 'trial_end' })
    if (input.method) {
      const method = books.usable(input.method, input.customer)
      if (method.customer !== input.customer)
        throw wrong('The customer does not have a payment method with this ID.', {
          code: 'resource_missing',
          param: 'default_payment_method',
        })
    }
    const id = newId('sub_')
    const subscription: Subscription = {
      id,
      object: 'subscription',
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      created: now,
      customer: input.customer,
      default_payment_method: input.method ?? null,
      ended_at: null,
      latest_invoice: null,
      livemode: false,
      metadata: input.metadata,
      pause_collection: null,
      pending_setup_intent: null,
      status: input.trialEnd ? 'trialing' : 'incomplete',
      trial_end: input.trialEnd ?? null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
      items: {
        object: 'list',
        has_more: false,
        url: `/v1/subscription_items?subscription=${id}`,
        data: [
          {
            id: newId('si_'),
            object: 'subscription_item',
            current_period_start: now,
            current_period_end: input.trialEnd ?? addBillingPeriods(now, price, 1),
            price,
            quantity: 1,
          },
        ],
      },
      hidden: {
        anchor: input.trialEnd ?? now,
        periods: 0,
        coupon,
        retryAt: 0,
        tries: 0,
        unattended: input.unattended,
        session: input.session ?? false,
      },
    }
    books.all.subscriptions.set(id, subscription)
    books.emit('customer.subscription.created', subscription)
    if (input.trialEnd) {
      this.#invoice(subscription, now, input.trialEnd, 0)
      if (!input.method) {
        const setup = this.setup({ customer: input.customer, hidden: { subscription: id } })
        subscription.pending_setup_intent = setup.id
      }
      return subscription
    }
    this.#nextInvoice(subscription)
    return subscription
  }

  setup(values: Partial<Setup> & Pick<Setup, 'customer'>): Setup {
    const id = newId('seti_')
    const setup: Setup = {
      id,
      object: 'setup_intent',
      client_secret: `${id}_secret_${newId('')}`,
      created: this.#books.seconds,
      livemode: false,
      metadata: {},
      payment_method: null,
      status: 'requires_payment_method',
      usage: 'off_session',
      last_setup_error: null,
      next_action: null,
      hidden: {},
      ...values,
    }
    this.#books.all.setups.set(id, setup)
    return setup
  }

  /** Creates the subscription once its session's page was paid. */
  fromSession(session: Session, method: PaymentMethod): Subscription {
    const { data } = session.hidden
    const customer = session.customer ?? ''
    const card = method.hidden.card
    if (card?.decline) throw new StripeRefusal(402, { type: 'card_error', ...card.decline })
    this.#books.attach(method, customer)
    const subscription = this.create({
      customer,
      price: data.price ?? '',
      coupon: data.coupon,
      method: method.id,
      trialEnd: data.trialEnd,
      unattended: 'cancel',
      metadata: data.metadata,
      session: true,
    })
    const invoice = this.#books.get('invoices', subscription.latest_invoice)
    if (invoice.hidden.payment_intent) this.#books.confirm(this.#books.get('intents', invoice.hidden.payment_intent), method.id, true)
    return subscription
  }

  cancel(subscription: Subscription, comment: string | null): void {
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') throw missing(subscription.id)
    subscription.cancellation_details = { comment, feedback: null, feedback_option: null, reason: 'cancellation_requested' }
    this.#end(subscription, subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled')
  }

  cancelLater(subscription: Subscription, later: boolean, comment: string | null): void {
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw wrong('A canceled subscription can only update its cancellation_details and metadata.')
    Object.assign(subscription, {
      cancel_at_period_end: later,
      cancel_at: later ? subscription.items.data[0]?.current_period_end : null,
      canceled_at: later ? this.#books.seconds : null,
      cancellation_details: { comment, feedback: null, feedback_option: null, reason: later ? 'cancellation_requested' : null },
    })
    this.#books.emit('customer.subscription.updated', subscription)
  }

  /** `behavior` void: invoices that fall due in between are voided. */
  pause(subscription: Subscription, behavior: string | null): void {
    if (behavior !== null && behavior !== 'void') throw wrong('This project voids what falls due.', { param: 'pause_collection[behavior]' })
    subscription.pause_collection = behavior === null ? null : { behavior, resumes_at: null }
    this.#books.emit('customer.subscription.updated', subscription)
  }

  /** Advances every subscription to the current time. */
  tick(): void {
    for (const subscription of this.#books.all.subscriptions.values())
      for (let round = 0; round < 400 && this.#step(subscription); round++);
  }

  #step(subscription: Subscription): boolean {
    const now = this.#books.seconds
    const item = subscription.items.data[0]
    if (!item) return false
    if (subscription.status === 'incomplete') {
      if (now < subscription.created + INCOMPLETE) return false
      this.#end(subscription, 'incomplete_expired')
      return false
    }
    if (subscription.status === 'past_due') {
      if (now < subscription.hidden.retryAt) return false
      const invoice = this.#books.get('invoices', subscription.latest_invoice)
      return this.#collect(subscription, invoice, subscription.hidden.retryAt)
    }
    if ((subscription.status !== 'active' && subscription.status !== 'trialing') || now < item.current_period_end) return false
    if (
      subscription.cancel_at_period_end ||
      (subscription.status === 'trialing' && !subscription.default_payment_method && subscription.hidden.unattended === 'cancel')
    ) {
      this.#end(subscription, 'canceled', item.current_period_end)
      return false
    }
    item.current_period_start = item.current_period_end
    item.current_period_end = addBillingPeriods(subscription.hidden.anchor, item.price, subscription.hidden.periods + 1)
    subscription.status = 'active'
    if (subscription.pause_collection) {
      subscription.hidden.periods += 1
      this.#books.emit('customer.subscription.updated', subscription)
      return true
    }
    const due = item.current_period_start
    const invoice = this.#nextInvoice(subscription)
    return this.#collect(subscription, invoice, due)
  }

  /** Tries to collect an invoice without its customer. Returns true when there may be more to do. */
  #collect(subscription: Subscription, invoice: Invoice, at: number): boolean {
    const intent = this.#books.get('intents', invoice.hidden.payment_intent)
    if (!subscription.default_payment_method) throw new Error(`${subscription.id} renews without a card.`)
    try {
      // A bank challenge waits for the customer: a retry does not answer it.
      if (intent.status !== 'requires_action') this.#books.confirm(intent, subscription.default_payment_method, true)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return this.#overdue(subscription, invoice, at)
    }
    if (intent.status !== 'requires_action') return true
    this.#books.emit('invoice.payment_action_required', invoice)
    return this.#overdue(subscription, invoice, at)
  }

  #overdue(subscription: Subscription, invoice: Invoice, at: number): boolean {
    subscription.hidden.tries += 1
    subscription.hidden.retryAt = at + DAY
    subscription.status = 'past_due'
    this.#books.emit('invoice.payment_failed', invoice)
    if (subscription.hidden.tries >= TRIES) this.#end(subscription, 'canceled')
    else this.#books.emit('customer.subscription.updated', subscription)
    return subscription.hidden.tries < TRIES
  }

  /** Pays an invoice now, with the customer present or not (`off_session`, the default). */
  pay(invoice: Invoice, card: string | undefined, offSession: boolean): void {
    if (invoice.status !== 'open') throw wrong('Invoice is already paid', { code: 'invoice_already_paid' })
    const books = this.#books
    const intent = books.get('intents', invoice.hidden.payment_intent)
    const subscription = books.get('subscriptions', invoice.parent.subscription_details.subscription)
    const method = books.usable(card ?? subscription.default_payment_method ?? '', invoice.customer)
    // Another card replaces the pending challenge of the previous one.
    if (intent.status === 'requires_action') Object.assign(intent, { status: 'requires_payment_method', next_action: null })
    books.confirm(intent, method.id, offSession)
    if (intent.status === 'requires_action')
      throw new StripeRefusal(402, {
        type: 'card_error',
        code: 'invoice_payment_intent_requires_action',
        message:
          'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
        payment_intent: intent,
      })
  }

  #nextInvoice(subscription: Subscription): Invoice {
    const item = subscription.items.data[0]
    if (!item) throw new Error('A subscription without items.')
    const { coupon } = subscription.hidden
    const amount = Math.max(0, item.price.unit_amount - (coupon?.amount_off ?? 0))
    subscription.hidden.coupon = null
    return this.#invoice(subscription, item.current_period_start, item.current_period_end, amount)
  }

  #invoice(subscription: Subscription, start: number, end: number, amount: number): Invoice {
    const books = this.#books
    const id = newId('in_')
    const paid = amount === 0
    const invoice: Invoice = {
      id,
      object: 'invoice',
      amount_due: amount,
      amount_paid: 0,
      created: books.seconds,
      currency: 'mxn',
      customer: subscription.customer ?? '',
      livemode: false,
      status: paid ? 'paid' : 'open',
      total: amount,
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
      lines: {
        object: 'list',
        has_more: false,
        url: `/v1/invoices/${id}/lines`,
        data: [{ id: newId('il_'), object: 'line_item', amount, period: { start, end } }],
      },
      status_transitions: {
        paid_at: paid ? books.seconds : null,
        finalized_at: books.seconds,
        marked_uncollectible_at: null,
        voided_at: null,
      },
      hidden: { payment_intent: null },
    }
    books.all.invoices.set(id, invoice)
    subscription.latest_invoice = id
    if (!paid)
      invoice.hidden.payment_intent = books.intent({
        amount,
        currency: 'mxn',
        customer: subscription.customer,
        setup_future_usage: 'off_session',
        ...(subscription.default_payment_method
          ? { payment_method: subscription.default_payment_method, status: 'requires_confirmation' as const }
          : {}),
        hidden: { invoice: id },
      }).id
    else books.emit('invoice.paid', invoice)
    return invoice
  }

  #paid(invoice: Invoice): void {
    const books = this.#books
    const subscription = books.get('subscriptions', invoice.parent.subscription_details.subscription)
    const intent = books.get('intents', invoice.hidden.payment_intent)
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.total })
    invoice.status_transitions.paid_at = books.seconds
    subscription.default_payment_method ??= intent.payment_method
    Object.assign(subscription.hidden, { periods: subscription.hidden.periods + 1, tries: 0 })
    if (subscription.status !== 'canceled') subscription.status = 'active'
    // The payment's event comes before the subscription's, which is a possible order in reality.
    books.emit('invoice.paid', invoice)
    books.emit('customer.subscription.updated', subscription)
  }

  #setUp(setup: Setup): void {
    if (!setup.hidden.subscription) return
    const subscription = this.#books.get('subscriptions', setup.hidden.subscription)
    if (this.savesTrialCard) subscription.default_payment_method = setup.payment_method
    subscription.pending_setup_intent = null
    this.#books.emit('customer.subscription.updated', subscription)
  }

  #end(subscription: Subscription, status: 'canceled' | 'incomplete_expired', at = this.#books.seconds): void {
    Object.assign(subscription, { status, ended_at: at, canceled_at: subscription.canceled_at ?? at })
    const invoice = subscription.latest_invoice ? this.#books.all.invoices.get(subscription.latest_invoice) : undefined
    if (invoice?.status === 'open') {
      Object.assign(invoice, { status: 'void' })
      const intent = this.#books.get('intents', invoice.hidden.payment_intent)
      if (intent.status !== 'succeeded' && intent.status !== 'processing')
        Object.assign(intent, { status: 'canceled', cancellation_reason: 'void_invoice', next_action: null })
    }
    this.#books.emit(status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated', subscription)
  }
}
