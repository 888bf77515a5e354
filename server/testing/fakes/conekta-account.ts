/** The books of a fake Conekta account: orders, charges, subscriptions, and the actions of customers, banks and the panel. */
import { addPeriods } from '#contract/time.ts'
import {
  CARDS,
  type Charge,
  type ConektaEvent,
  ConektaRefusal,
  type Customer,
  DECLINES,
  notFound,
  type Order,
  type Plan,
  type Source,
  type Subscription,
} from './conekta-objects.ts'
import { clabe, digits, newId, workingDayAfter } from './fake.ts'

export interface Outside {
  url(): string
  now(): Date
  moved(kind: 'charge' | 'refund', amount: number, object: string, purchase: number | null): void
  deliver(event: ConektaEvent): void
}

export class ConektaAccount {
  readonly outside: Outside
  readonly orders = new Map<string, Order>()
  readonly customers = new Map<string, Customer>()
  readonly sources = new Map<string, Source & { behaviour: string; charged: number }>()
  readonly plans = new Map<string, Plan>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly events: ConektaEvent[] = []
  /** Orders paid in a shop and not reported yet, with the time in seconds. */
  readonly #shops = new Map<string, number>()
  readonly #spent = new Set<string>()
  readonly #retries = new Map<string, { at: number; tries: number }>()

  constructor(outside: Outside) {
    this.outside = outside
  }

  get seconds(): number {
    return Math.floor(this.outside.now().getTime() / 1000)
  }

  get<T>(all: Map<string, T>, id: string, what = 'id'): T {
    const found = all.get(id)
    if (!found) throw notFound(what)
    return found
  }

  emit(type: string, object: { id: string }): void {
    const event: ConektaEvent = {
      id: newId('', 24),
      object: 'event',
      type,
      created_at: this.seconds,
      livemode: false,
      data: { object: structuredClone(object), previous_attributes: {} },
    }
    this.events.push(event)
    this.outside.deliver(event)
  }

  /** Resolves a token (`tok_test_<name>`, anything after `~`): usable for one request, as real ones are. */
  token(token: string): string {
    const found = /^tok_test_([a-z0-9_]+)(?:~[\w-]+)?$/.exec(token)
    if (!found || this.#spent.has(token))
      throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.token.already_used', 'token_id')
    this.#spent.add(token)
    return found[1] ?? ''
  }

  saveCard(customer: string, token: string): Source {
    this.get(this.customers, customer)
    const behaviour = this.token(token)
    const kind = CARDS[behaviour] ?? { brand: 'visa', bin: '424242', last4: '4242' }
    const source: Source = {
      id: newId('src_'),
      object: 'payment_source',
      type: 'card',
      created_at: this.seconds,
      parent_id: customer,
      ...kind,
      exp_month: '08',
      exp_year: '30',
    }
    this.sources.set(source.id, { ...source, behaviour, charged: 0 })
    return source
  }

  createOrder(
    input: Pick<Order, 'metadata'> & {
      customer: string
      amount: number
      checkout?: { type: string; name: string; expires_at: number } | undefined
    },
  ): Order {
    this.get(this.customers, input.customer, 'customer_info.customer_id')
    const id = newId('ord_')
    const order: Order = {
      id,
      object: 'order',
      amount: input.amount,
      amount_refunded: 0,
      currency: 'MXN',
      created_at: this.seconds,
      updated_at: this.seconds,
      livemode: false,
      customer_info: { object: 'customer_info', customer_id: input.customer },
      metadata: input.metadata,
      charges: { object: 'list', has_more: false, data: [] },
      ...(input.checkout
        ? {
            payment_status: 'pending_payment',
            checkout: {
              id: newId(''),
              object: 'checkout' as const,
              livemode: false as const,
              url: `${this.outside.url()}/pagar/${id}`,
              ...input.checkout,
            },
          }
        : {}),
    }
    this.orders.set(id, order)
    return order
  }

  /** Charges an order: paid, waiting for 3-D Secure or for a shop, or the bank's decline as an error. */
  charge(
    order: Order,
    amount: number,
    how: { type: string; token_id?: string; payment_source_id?: string; expires_at?: number; return_url?: string },
    offSession = false,
  ): Charge {
    if (order.charges.data.some(({ status }) => status === 'paid' || status === 'pending_payment'))
      throw new ConektaRefusal(422, 'conekta.errors.order.already_charged')
    if (order.payment_status === 'canceled' || order.payment_status === 'expired')
      throw new ConektaRefusal(422, `conekta.errors.order.${order.payment_status}`)
    if (amount !== order.amount) throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.charges.amount', 'amount')
    if (how.type !== 'card') return this.#voucher(order, how.type, how.expires_at)
    const source = how.payment_source_id ? this.get(this.sources, how.payment_source_id, 'payment_source_id') : null
    if (source && source.parent_id !== order.customer_info.customer_id) throw notFound('payment_source_id')
    const behaviour = source?.behaviour ?? this.token(how.token_id ?? '')
    const charge = this.#add(order, { object: 'card_payment', type: 'credit', ...(CARDS[behaviour] ?? { brand: 'visa', last4: '4242' }) })
    const failsLater = behaviour === 'fails_later' && (source?.charged ?? 0) > 0
    // Without the customer a 3-D Secure challenge cannot be answered: the bank declines.
    const cannotChallenge = offSession && behaviour === '3ds'
    const code = DECLINES[behaviour] ?? (failsLater ? DECLINES.card_declined : cannotChallenge ? DECLINES['3ds_declined'] : undefined)
    if (code) {
      Object.assign(charge, { status: 'declined', failure_code: code })
      this.#status(order, 'declined')
      this.emit('charge.declined', charge)
      this.emit('order.declined', order)
      throw new ConektaRefusal(402, code)
    }
    if (behaviour === '3ds') {
      charge.status = 'pending_confirmation'
      order.next_action = { type: 'redirect_to_url', redirect_to_url: { url: `${this.outside.url()}/3ds/${order.id}`, return_url: '' } }
      this.#status(order, 'pending_payment')
      this.emit('order.pending_payment', order)
      return charge
    }
    if (source) source.charged += 1
    this.#paid(order, charge)
    return charge
  }

  #voucher(order: Order, type: string, expires_at: number | undefined): Charge {
    if (!expires_at || expires_at <= this.seconds)
      throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.expires_at', 'expires_at')
    if (order.amount > 1_000_000) throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.amount.too_large', 'amount')
    const charge = this.#add(
      order,
      type === 'cash'
        ? {
            object: 'cash_payment',
            type: 'cash',
            reference: digits('93', 14),
            barcode_url: `${this.outside.url()}/barras/${order.id}`,
            store_name: 'OXXO',
            expires_at,
          }
        : { object: 'bank_transfer_payment', type: 'spei', clabe: clabe('646'), bank: 'STP', expires_at },
    )
    charge.status = 'pending_payment'
    this.#status(order, 'pending_payment')
    this.emit('order.pending_payment', order)
    return charge
  }

  #add(order: Order, payment_method: Charge['payment_method']): Charge {
    const charge: Charge = {
      id: newId('', 24),
      object: 'charge',
      amount: order.amount,
      currency: 'MXN',
      created_at: this.seconds,
      order_id: order.id,
      livemode: false,
      status: 'pending',
      payment_method,
      refunds: { object: 'list', has_more: false, data: [] },
    }
    order.charges.data.push(charge)
    return charge
  }

  #status(order: Order, payment_status: string): void {
    Object.assign(order, { payment_status, updated_at: this.seconds })
  }

  #purchase(order: Order): number | null {
    if (order.metadata.purchase_id) return Number(order.metadata.purchase_id)
    const subscription = [...this.subscriptions.values()].find(
      (subscription) => subscription.customer_id === order.customer_info.customer_id && subscription.plan_id === order.metadata.plan,
    )
    return subscription ? Number(subscription.plan_id.split('-').at(-2)) : null
  }

  #paid(order: Order, charge: Charge): void {
    Object.assign(charge, { status: 'paid', paid_at: this.seconds })
    delete order.next_action
    this.#status(order, 'paid')
    this.outside.moved('charge', charge.amount, order.id, this.#purchase(order))
    this.emit('charge.paid', charge)
    this.emit('order.paid', order)
  }

  /** The customer paid at the shop, confirmed to the bank, or paid on the page. */
  pay(id: string): void {
    const order = this.get(this.orders, id)
    if (order.payment_status !== 'pending_payment') throw new Error(`The order is ${order.payment_status}.`)
    const charge =
      order.charges.data.find(({ status }) => status.startsWith('pending')) ??
      this.#add(order, { object: 'card_payment', brand: 'visa', last4: '4242' })
    this.#paid(order, charge)
  }

  /**
   * A transfer arrives at an order's CLABE. Conekta does not document what happens with another amount or after the deadline: it may be
   * `taken`, as a charge of that amount, or `returned` by the bank, which the order only lists among its attempts and no event reports.
   */
  transfer(id: string, amount: number, how: 'taken' | 'returned' = 'taken'): void {
    const order = this.get(this.orders, id)
    const charge = order.charges.data.find(({ payment_method }) => payment_method.object === 'bank_transfer_payment')
    if (!charge || charge.paid_at) throw new Error('No transfer is waited for.')
    if (how === 'returned') {
      const attempts = (charge.payment_method.payment_attempts ?? []) as object[]
      charge.payment_method.payment_attempts = [...attempts, { amount, created_at: this.seconds, status: 'returned' }]
      return
    }
    charge.amount = amount
    this.#paid(order, charge)
  }

  /** A customer pays a voucher in a shop, which also accepts an expired one: Conekta learns of it on the next working day (`tick`). */
  payInShop(id: string): void {
    this.#shops.set(this.get(this.orders, id).id, this.seconds)
  }

  #confirmShops(): void {
    for (const [id, paidAt] of this.#shops) {
      if (this.seconds < workingDayAfter(paidAt)) continue
      this.#shops.delete(id)
      const order = this.get(this.orders, id)
      const charge = order.charges.data.at(-1)
      if (charge && charge.status !== 'paid') this.#paid(order, charge)
    }
  }

  /** The customer fails the bank's challenge. */
  notConfirmed(id: string): void {
    const order = this.get(this.orders, id)
    const charge = order.charges.data.find(({ status }) => status.startsWith('pending'))
    if (!charge) throw new Error('Nothing waits.')
    Object.assign(charge, { status: 'declined', failure_code: DECLINES['3ds_declined'] })
    delete order.next_action
    this.#status(order, 'declined')
    this.emit('order.declined', order)
  }

  cancel(order: Order): void {
    if (order.charges.data.some(({ status }) => status === 'paid')) throw new ConektaRefusal(422, 'conekta.errors.order.already_paid')
    for (const charge of order.charges.data) if (charge.status.startsWith('pending')) charge.status = 'canceled'
    delete order.next_action
    this.#status(order, 'canceled')
    this.emit('order.canceled', order)
  }

  /** Whether transfers can be refunded over the API: some accounts have to do it by hand. */
  refundsTransfers = true

  refund(order: Order, amount: number): Order {
    const charge = order.charges.data.find(({ status }) => status === 'paid' || status === 'partially_refunded')
    if (!charge || (charge.payment_method.object === 'bank_transfer_payment' && !this.refundsTransfers))
      throw new ConektaRefusal(422, 'conekta.errors.order.not_refundable')
    if (amount > charge.amount - order.amount_refunded)
      throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.refund.amount', 'amount')
    charge.refunds.data.push({ id: newId('', 24), object: 'refund', amount, created_at: this.seconds, status: 'refunded' })
    order.amount_refunded += amount
    const whole = order.amount_refunded === charge.amount
    charge.status = whole ? 'refunded' : 'partially_refunded'
    this.#status(order, whole ? 'refunded' : 'partially_refunded')
    this.outside.moved('refund', amount, order.id, this.#purchase(order))
    this.emit(whole ? 'order.refunded' : 'order.partially_refunded', order)
    return order
  }

  /** The newest refund of an order fails. */
  failRefund(id: string): void {
    const order = this.get(this.orders, id)
    const charge = order.charges.data.find((charge) => charge.paid_at)
    const refund = charge?.refunds.data.findLast(({ status }) => status === 'refunded')
    if (!charge || !refund) throw new Error('Nothing was given back.')
    refund.status = 'failed'
    order.amount_refunded -= refund.amount
    charge.status = order.amount_refunded > 0 ? 'partially_refunded' : 'paid'
    this.#status(order, order.amount_refunded > 0 ? 'partially_refunded' : 'paid')
    this.outside.moved('refund', -refund.amount, order.id, this.#purchase(order))
    this.emit('order.updated', order)
  }

  chargeback(id: string, status: 'action_required' | 'under_review' | 'won' | 'lost'): void {
    const order = this.get(this.orders, id)
    const charge = order.charges.data.find((charge) => charge.paid_at)
    if (!charge) throw new Error('Nothing was paid.')
    charge.chargeback = { id: charge.chargeback?.id ?? newId('', 24), status }
    if (status === 'lost') this.#status(order, 'charged_back')
    const type = status === 'won' || status === 'lost' ? status : 'created'
    this.emit(`charge.chargeback.${type}`, { ...charge.chargeback, charge_id: charge.id } as { id: string })
  }

  subscribe(customer: string, input: { plan_id: string; card_id: string; trial_end?: number | undefined }): Subscription {
    this.get(this.plans, input.plan_id, 'plan_id')
    const source = this.get(this.sources, input.card_id, 'card_id')
    if (source.parent_id !== customer) throw notFound('card_id')
    if (!input.trial_end || input.trial_end <= this.seconds)
      throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.trial_end', 'trial_end')
    const subscription: Subscription = {
      id: newId('sub_'),
      object: 'subscription',
      status: 'in_trial',
      customer_id: customer,
      plan_id: input.plan_id,
      card_id: input.card_id,
      created_at: this.seconds,
      subscription_start: this.seconds,
      trial_start: this.seconds,
      trial_end: input.trial_end,
    }
    this.subscriptions.set(subscription.id, subscription)
    this.emit('subscription.created', subscription)
    return subscription
  }

  end(subscription: Subscription): void {
    if (subscription.status === 'canceled') throw new ConektaRefusal(422, 'conekta.errors.subscription.already_canceled')
    Object.assign(subscription, { status: 'canceled', canceled_at: this.seconds })
    this.emit('subscription.canceled', subscription)
  }

  giveCard(subscription: Subscription, card_id: string): Subscription {
    const source = this.get(this.sources, card_id, 'card_id')
    if (source.parent_id !== subscription.customer_id) throw notFound('card_id')
    subscription.card_id = card_id
    this.emit('subscription.updated', subscription)
    return subscription
  }

  /** Retries overdue charges now. */
  retry(subscription: Subscription): void {
    const retry = this.#retries.get(subscription.id)
    if (subscription.status !== 'past_due' || !retry) throw new ConektaRefusal(422, 'conekta.errors.subscription.not_past_due')
    retry.at = this.seconds
    this.#step(subscription)
    if (subscription.status === 'past_due') throw new ConektaRefusal(402, DECLINES.card_declined ?? '')
  }

  pause(subscription: Subscription, paused: boolean): void {
    const [from, to] = paused ? (['active', 'paused'] as const) : (['paused', 'active'] as const)
    if (subscription.status !== from && !(paused && subscription.status === 'in_trial'))
      throw new ConektaRefusal(422, 'conekta.errors.subscription.status')
    subscription.status =
      !paused && subscription.billing_cycle_end === undefined && (subscription.trial_end ?? 0) > this.seconds ? 'in_trial' : to
    if (!paused) this.#catchUp(subscription)
    this.emit(paused ? 'subscription.paused' : 'subscription.resumed', subscription)
  }

  /** Charges that fell due while it was suspended are skipped: the next date counts. */
  #catchUp(subscription: Subscription): void {
    if (subscription.status !== 'active') return
    const plan = this.get(this.plans, subscription.plan_id)
    subscription.billing_cycle_end ??= subscription.trial_end ?? this.seconds
    while (subscription.billing_cycle_end <= this.seconds)
      subscription.billing_cycle_end = addPlanPeriod(subscription.billing_cycle_end, plan)
  }

  /** Processes renewals and retries, and expires vouchers and pages. */
  tick(): void {
    for (const subscription of this.subscriptions.values()) for (let round = 0; round < 400 && this.#step(subscription); round++);
    this.#confirmShops()
    for (const order of this.orders.values()) {
      if (this.#shops.has(order.id)) continue
      const until = order.checkout?.expires_at ?? (order.charges.data.at(-1)?.payment_method.expires_at as number | undefined)
      if (order.payment_status !== 'pending_payment' || !until || until > this.seconds) continue
      this.#status(order, 'expired')
      this.emit('order.expired', order)
    }
  }

  #step(subscription: Subscription): boolean {
    const plan = this.get(this.plans, subscription.plan_id)
    const retry = this.#retries.get(subscription.id)
    const due =
      subscription.status === 'in_trial'
        ? subscription.trial_end
        : subscription.status === 'past_due'
          ? retry?.at
          : subscription.status === 'active'
            ? subscription.billing_cycle_end
            : undefined
    if (!due || due > this.seconds) return false
    const start = subscription.status === 'past_due' ? (subscription.billing_cycle_start ?? due) : due
    Object.assign(subscription, { billing_cycle_start: start, billing_cycle_end: addPlanPeriod(start, plan) })
    const order = this.createOrder({ customer: subscription.customer_id, amount: plan.amount, metadata: { plan: plan.id } })
    try {
      const charge = this.charge(order, plan.amount, { type: 'card', payment_source_id: subscription.card_id }, true)
      this.#retries.delete(subscription.id)
      Object.assign(subscription, { status: 'active', last_billing_cycle_order_id: order.id, charge_id: charge.id })
      this.emit('subscription.paid', subscription)
      return true
    } catch (error) {
      if (!(error instanceof ConektaRefusal)) throw error
      const tries = (retry?.tries ?? 0) + 1
      subscription.status = 'past_due'
      this.#retries.set(subscription.id, { tries, at: due + plan.retry_delay_hours * 3_600 })
      this.emit('subscription.payment_failed', subscription)
      if (tries > plan.max_retries) this.end(subscription)
      return subscription.status === 'past_due'
    }
  }
}

export function addPlanPeriod(seconds: number, plan: Pick<Plan, 'interval' | 'frequency'>): number {
  const [day = '', time = ''] = new Date(seconds * 1000).toISOString().split('T')
  const unit = plan.interval === 'week' ? 'day' : plan.interval === 'half_month' ? 'day' : plan.interval
  const count = plan.frequency * (plan.interval === 'week' ? 7 : plan.interval === 'half_month' ? 15 : 1)
  return Math.floor(Date.parse(`${addPeriods(day, unit, count)}T${time}`) / 1000)
}
