/** The books of a fake PayPal account: orders, captures, subscriptions, and the actions of payers, banks and the dashboard. */
import { addPeriods } from '#contract/time.ts'
import { newId } from './fake.ts'

export interface Money {
  currency_code: string
  value: string
}
export interface Capture {
  id: string
  status: 'COMPLETED' | 'DECLINED' | 'PENDING' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'FAILED'
  status_details?: { reason: string }
  amount: Money
  custom_id: string
  invoice_id: string
  final_capture: boolean
  create_time: string
  update_time: string
}
export interface Refund {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
  amount: Money
  custom_id?: string
  create_time: string
}
export interface Order {
  id: string
  intent: 'CAPTURE'
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  create_time: string
  update_time: string
  purchase_units: {
    reference_id: string
    custom_id: string
    invoice_id: string
    amount: Money
    description?: string
    payments?: { captures: Capture[]; refunds: Refund[] }
  }[]
}
export interface Cycle {
  tenure_type: 'TRIAL' | 'REGULAR'
  sequence: number
  total_cycles: number
  frequency: { interval_unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; interval_count: number }
  pricing_scheme?: { fixed_price: Money } | undefined
}
export interface Plan {
  id: string
  product_id: string
  status: 'ACTIVE'
  billing_cycles: Cycle[]
}
export interface Transaction {
  id: string
  status: Capture['status']
  amount_with_breakdown: { gross_amount: Money }
  time: string
}
export interface Subscription {
  id: string
  plan_id: string
  custom_id: string
  status: 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED'
  start_time: string
  create_time: string
  status_update_time: string
  /** Set once the payer approved it. */
  subscriber?: { payer_id: string }
  billing_info: { outstanding_balance: Money; failed_payments_count: number; next_billing_time?: string }
  hidden: { transactions: Transaction[]; done: number; nextAt: number; fails: boolean }
}
export interface Dispute {
  dispute_id: string
  status: string
  disputed_transactions: { seller_transaction_id: string }[]
  dispute_outcome?: { outcome_code: string }
}

export interface Outside {
  now(): Date
  moved(kind: 'charge' | 'refund', amount: number, object: string, custom: string): void
  deliver(type: string, resource: object): void
}

/** An error response of PayPal: thrown, so that any rule can stop the request. */
export class PayPalRefusal extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, name: string, issue: string) {
    super(issue)
    this.status = status
    this.body = { name, message: 'See details.', debug_id: newId(''), details: [{ issue, description: issue }] }
  }
}
const unprocessable = (issue: string) => new PayPalRefusal(422, 'UNPROCESSABLE_ENTITY', issue)
export const notFound = () => new PayPalRefusal(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')

export const cents = ({ value }: Money) => Math.round(Number(value) * 100)
/** The sum of refunds that did not fail. */
const backOf = (refunds: readonly Refund[]) =>
  refunds.reduce((sum, refund) => sum + (refund.status === 'FAILED' ? 0 : cents(refund.amount)), 0)
const mxn = (amount: number): Money => ({
  currency_code: 'MXN',
  value: `${Math.trunc(amount / 100)}.${String(amount % 100).padStart(2, '0')}`,
})
/** An approval without capture expires after this time, in ms. */
const APPROVAL_MS = 3 * 3_600_000
/** An order without approval expires after this time, in ms. */
const ORDER_MS = 6 * 3_600_000

const pacificDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The next charge of a billing cycle: PayPal counts days in California time and charges at 10:00 UTC (`next_billing_time`). */
export function paypalNext(at: Date, { interval_unit, interval_count }: Cycle['frequency']): Date {
  const unit = interval_unit === 'WEEK' ? 'day' : (interval_unit.toLowerCase() as 'day' | 'month' | 'year')
  const day = addPeriods(pacificDay.format(at), unit, interval_count * (interval_unit === 'WEEK' ? 7 : 1))
  return new Date(`${day}T10:00:00Z`)
}

export class PayPalAccount {
  readonly outside: Outside
  readonly orders = new Map<string, Order>()
  readonly plans = new Map<string, Plan>()
  readonly products = new Map<string, { id: string; name: string }>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  /** Result of the next capture: an issue code, or `PENDING`. */
  nextCapture: string | null = null

  constructor(outside: Outside) {
    this.outside = outside
  }

  get time(): string {
    return this.outside
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
  }

  get<T>(all: Map<string, T>, id: string): T {
    const found = all.get(id)
    if (!found) throw notFound()
    return found
  }

  createOrder(unit: Omit<Order['purchase_units'][number], 'payments'>): Order {
    const order: Order = {
      id: newId('', 17).toUpperCase(),
      intent: 'CAPTURE',
      status: 'PAYER_ACTION_REQUIRED',
      create_time: this.time,
      update_time: this.time,
      purchase_units: [unit],
    }
    this.orders.set(order.id, order)
    return order
  }

  /** The payer approves the order. */
  approve(id: string): void {
    const order = this.get(this.orders, id)
    if (order.status !== 'PAYER_ACTION_REQUIRED' && order.status !== 'CREATED') throw new Error(`The order is ${order.status}.`)
    Object.assign(order, { status: 'APPROVED', update_time: this.time })
    this.outside.deliver('CHECKOUT.ORDER.APPROVED', order)
  }

  capture(id: string): Order {
    const order = this.get(this.orders, id)
    const [unit] = order.purchase_units
    if (!unit) throw notFound()
    if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') throw unprocessable('ORDER_NOT_APPROVED')
    for (const other of this.orders.values())
      if (
        other.id !== id &&
        other.purchase_units.some(
          (purchaseUnit) =>
            purchaseUnit.invoice_id === unit.invoice_id && purchaseUnit.payments?.captures.some(({ status }) => status !== 'DECLINED'),
        )
      )
        throw unprocessable('DUPLICATE_INVOICE_ID')
    const meets = this.nextCapture
    this.nextCapture = null
    if (meets === 'INSTRUMENT_DECLINED') order.status = 'PAYER_ACTION_REQUIRED'
    if (meets && meets !== 'PENDING' && meets !== 'DECLINED') throw unprocessable(meets)
    const pending = meets === 'PENDING'
    const capture: Capture = {
      id: newId('', 17).toUpperCase(),
      status: pending ? 'PENDING' : meets === 'DECLINED' ? 'DECLINED' : 'COMPLETED',
      ...(pending ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
      amount: unit.amount,
      custom_id: unit.custom_id,
      invoice_id: unit.invoice_id,
      final_capture: true,
      create_time: this.time,
      update_time: this.time,
    }
    unit.payments = { captures: [capture], refunds: [] }
    Object.assign(order, { status: 'COMPLETED', update_time: this.time })
    if (capture.status === 'COMPLETED') this.#captured(order, capture)
    else this.outside.deliver(pending ? 'PAYMENT.CAPTURE.PENDING' : 'PAYMENT.CAPTURE.DECLINED', this.captureShown(capture.id))
    return order
  }

  #captured(order: Order, capture: Capture): void {
    this.outside.moved('charge', cents(capture.amount), order.id, capture.custom_id)
    this.outside.deliver('PAYMENT.CAPTURE.COMPLETED', this.captureShown(capture.id))
  }

  /** A pending capture succeeds or fails. */
  conclude(id: string, through: boolean): void {
    const order = this.get(this.orders, id)
    const [capture] = order.purchase_units[0]?.payments?.captures ?? []
    if (capture?.status !== 'PENDING') return
    capture.status = through ? 'COMPLETED' : 'DECLINED'
    if (through) this.#captured(order, capture)
    else this.outside.deliver('PAYMENT.CAPTURE.DENIED', this.captureShown(capture.id))
  }

  /** A capture with its order id. */
  captureShown(id: string): Capture & { supplementary_data: { related_ids: { order_id: string } } } {
    for (const order of this.orders.values())
      for (const capture of order.purchase_units[0]?.payments?.captures ?? [])
        if (capture.id === id) return { ...capture, supplementary_data: { related_ids: { order_id: order.id } } }
    throw notFound()
  }

  /** Refunds a capture or a subscription's payment; through the API or in the dashboard. */
  refund(payment: string, amount: Money | undefined, custom?: string): Refund {
    const found = this.#payment(payment)
    const paid = cents(found.amount)
    const left = paid - found.back
    if (left === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED')
    const requested = amount ? cents(amount) : left
    if (requested > left) throw unprocessable('REFUND_AMOUNT_EXCEEDED')
    const refund: Refund = {
      id: newId('', 17).toUpperCase(),
      status: 'COMPLETED',
      amount: mxn(requested),
      ...(custom ? { custom_id: custom } : {}),
      create_time: this.time,
    }
    this.refunds.set(refund.id, refund)
    this.#paymentOf.set(refund.id, payment)
    found.give(refund, requested === left)
    this.outside.moved('refund', requested, found.owner, found.custom)
    return refund
  }

  #payment(id: string): { amount: Money; back: number; owner: string; custom: string; give: (refund: Refund, whole: boolean) => void } {
    for (const order of this.orders.values()) {
      const payments = order.purchase_units[0]?.payments
      const capture = payments?.captures.find((capture) => capture.id === id)
      if (!payments || !capture) continue
      const give = (refund: Refund, whole: boolean) => {
        payments.refunds.push(refund)
        capture.status = whole ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
        const href = `https://api.paypal.com/v2/payments/captures/${id}`
        this.outside.deliver('PAYMENT.CAPTURE.REFUNDED', {
          ...refund,
          links: [
            { rel: 'self', href: `https://api.paypal.com/v2/payments/refunds/${refund.id}` },
            { rel: 'up', href },
          ],
        })
      }
      return {
        amount: capture.amount,
        back: backOf(payments.refunds),
        owner: order.id,
        custom: capture.custom_id,
        give,
      }
    }
    for (const subscription of this.subscriptions.values()) {
      const transaction = subscription.hidden.transactions.find((transaction) => transaction.id === id)
      if (!transaction) continue
      const back = this.#backOf.get(id) ?? 0
      const give = (refund: Refund, whole: boolean) => {
        this.#backOf.set(id, back + cents(refund.amount))
        transaction.status = whole ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
        this.outside.deliver('PAYMENT.SALE.REFUNDED', {
          id: refund.id,
          sale_id: id,
          amount: { total: refund.amount.value, currency: 'MXN' },
          state: 'completed',
        })
      }
      return { amount: transaction.amount_with_breakdown.gross_amount, back, owner: subscription.id, custom: subscription.custom_id, give }
    }
    throw notFound()
  }
  readonly #backOf = new Map<string, number>()
  readonly #paymentOf = new Map<string, string>()

  /** The newest refund of a capture or of a subscription's payment fails. */
  failRefund(payment: string): void {
    const refund = [...this.refunds.values()].findLast(
      (refund) => this.#paymentOf.get(refund.id) === payment && refund.status === 'COMPLETED',
    )
    if (!refund) throw new Error('Nothing was given back.')
    refund.status = 'FAILED'
    const { owner, custom } = this.#payment(payment)
    for (const order of this.orders.values()) {
      const payments = order.purchase_units[0]?.payments
      const capture = payments?.captures.find((capture) => capture.id === payment)
      if (payments && capture) capture.status = backOf(payments.refunds) > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED'
    }
    for (const subscription of this.subscriptions.values()) {
      const transaction = subscription.hidden.transactions.find((transaction) => transaction.id === payment)
      if (!transaction) continue
      const left = (this.#backOf.get(payment) ?? 0) - cents(refund.amount)
      this.#backOf.set(payment, left)
      transaction.status = left > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED'
    }
    this.outside.moved('refund', -cents(refund.amount), owner, custom)
    const href = `https://api.paypal.com/v2/payments/captures/${payment}`
    this.outside.deliver('PAYMENT.REFUND.FAILED', {
      id: refund.id,
      status: refund.status,
      amount: refund.amount,
      links: [{ rel: 'up', href }],
    })
  }

  /** A payer opens a dispute, and its outcome. */
  dispute(payment: string, outcome?: string): void {
    let dispute = [...this.disputes.values()].find((dispute) => dispute.disputed_transactions[0]?.seller_transaction_id === payment)
    if (!dispute) {
      dispute = { dispute_id: newId('PP-D-', 6), status: 'OPEN', disputed_transactions: [{ seller_transaction_id: payment }] }
      this.disputes.set(dispute.dispute_id, dispute)
    }
    if (outcome) Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code: outcome } })
    this.outside.deliver(outcome ? 'CUSTOMER.DISPUTE.RESOLVED' : 'CUSTOMER.DISPUTE.CREATED', dispute)
  }

  createSubscription(plan_id: string, custom_id: string): Subscription {
    this.get(this.plans, plan_id)
    const subscription: Subscription = {
      id: newId('I-', 12).toUpperCase(),
      plan_id,
      custom_id,
      status: 'APPROVAL_PENDING',
      start_time: this.time,
      create_time: this.time,
      status_update_time: this.time,
      billing_info: { outstanding_balance: mxn(0), failed_payments_count: 0 },
      hidden: { transactions: [], done: 0, nextAt: 0, fails: false },
    }
    this.subscriptions.set(subscription.id, subscription)
    this.outside.deliver('BILLING.SUBSCRIPTION.CREATED', this.shown(subscription))
    return subscription
  }

  /** The payer approves, with an own account or `payer`; `fails`: renewals will not be paid. */
  approveSubscription(id: string, fails = false, payer = newId('', 13).toUpperCase()): void {
    const subscription = this.get(this.subscriptions, id)
    if (subscription.status !== 'APPROVAL_PENDING') throw new Error(`The subscription is ${subscription.status}.`)
    Object.assign(subscription, { status: 'ACTIVE', start_time: this.time, status_update_time: this.time, subscriber: { payer_id: payer } })
    subscription.hidden.fails = fails
    subscription.hidden.nextAt = Date.parse(this.time)
    this.#step(subscription)
    this.outside.deliver('BILLING.SUBSCRIPTION.ACTIVATED', this.shown(subscription))
  }

  shown({ hidden: _, ...subscription }: Subscription): Omit<Subscription, 'hidden'> {
    return subscription
  }

  setStatus(subscription: Subscription, status: Subscription['status'], event: string): void {
    Object.assign(subscription, { status, status_update_time: this.time })
    delete subscription.billing_info.next_billing_time
    this.outside.deliver(event, this.shown(subscription))
  }

  /** Resumes at the next date; charges that fell due in between are skipped. */
  resume(subscription: Subscription): void {
    this.setStatus(subscription, 'ACTIVE', 'BILLING.SUBSCRIPTION.ACTIVATED')
    while (subscription.hidden.nextAt <= this.outside.now().getTime()) this.#skip(subscription)
    subscription.billing_info.next_billing_time = new Date(subscription.hidden.nextAt).toISOString()
  }

  #skip(subscription: Subscription): void {
    subscription.hidden.done += 1
    this.#schedule(subscription, this.#cycle(subscription))
  }

  /** Charges what is due. Returns true when there may be more to do. */
  #step(subscription: Subscription): boolean {
    if (subscription.status !== 'ACTIVE' || subscription.hidden.nextAt > this.outside.now().getTime()) return false
    const cycle = this.#cycle(subscription)
    const price = cycle.pricing_scheme?.fixed_price
    if (price) {
      if (subscription.hidden.fails && subscription.hidden.transactions.length > 0) {
        subscription.billing_info.failed_payments_count += 1
        subscription.billing_info.outstanding_balance = price
        this.outside.deliver('BILLING.SUBSCRIPTION.PAYMENT.FAILED', this.shown(subscription))
        this.setStatus(subscription, 'SUSPENDED', 'BILLING.SUBSCRIPTION.SUSPENDED')
        return false
      }
      const time = new Date(subscription.hidden.nextAt).toISOString().replace(/\.\d+Z$/, 'Z')
      const transaction: Transaction = {
        id: newId('', 17).toUpperCase(),
        status: 'COMPLETED',
        amount_with_breakdown: { gross_amount: price },
        time,
      }
      subscription.hidden.transactions.push(transaction)
      this.outside.moved('charge', cents(price), subscription.id, subscription.custom_id)
      this.outside.deliver('PAYMENT.SALE.COMPLETED', {
        id: transaction.id,
        billing_agreement_id: subscription.id,
        state: 'completed',
        amount: { total: price.value, currency: 'MXN' },
      })
    }
    subscription.hidden.done += 1
    this.#schedule(subscription, cycle)
    subscription.billing_info.next_billing_time = new Date(subscription.hidden.nextAt).toISOString()
    return true
  }

  #schedule(subscription: Subscription, cycle: Cycle): void {
    subscription.hidden.nextAt = paypalNext(new Date(subscription.hidden.nextAt), cycle.frequency).getTime()
  }

  #cycle({ plan_id, hidden }: Subscription): Cycle {
    const cycles = this.get(this.plans, plan_id).billing_cycles
    let left = hidden.done
    for (const cycle of cycles) {
      if (cycle.total_cycles === 0 || left < cycle.total_cycles) return cycle
      left -= cycle.total_cycles
    }
    throw new Error('A plan without an end has none.')
  }

  /** Processes renewals and expires approvals and orders. */
  tick(): void {
    const now = this.outside.now().getTime()
    for (const subscription of this.subscriptions.values()) for (let round = 0; round < 400 && this.#step(subscription); round++);
    for (const order of this.orders.values()) {
      if (order.status === 'APPROVED' && Date.parse(order.update_time) + APPROVAL_MS <= now) {
        order.status = 'PAYER_ACTION_REQUIRED'
        this.outside.deliver('CHECKOUT.PAYMENT-APPROVAL.REVERSED', { order_id: order.id, purchase_units: order.purchase_units })
      }
      if (order.status === 'PAYER_ACTION_REQUIRED' && Date.parse(order.create_time) + ORDER_MS <= now) this.orders.delete(order.id)
    }
  }
}
