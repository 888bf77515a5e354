/**
 * A fake of PayPal's API on loopback: requests are validated against PayPal's shapes, idempotency keys are remembered, webhook events are
 * signed with RSA.
 */
import { type KeyObject, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { selfSigned } from './certificate.ts'
import { type Answer, Fake, type FakeOptions, newId, type RecordedRequest, type WebhookEvent } from './fake.ts'
import { notFound, type Order, PayPalAccount, PayPalRefusal, type Plan } from './paypal-account.ts'

export const PAYPAL_FAKE_ID = 'fake-client'
export const PAYPAL_FAKE_SECRET = 'fake-secret'
export const PAYPAL_FAKE_WEBHOOK = 'WH-TWIN'

const money = z.strictObject({ currency_code: z.literal('MXN'), value: z.string().regex(/^\d{1,9}\.\d{2}$/) })
const url = z.url()
const orderRequest = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.strictObject({
        reference_id: z.string().min(1).max(256),
        custom_id: z.string().min(1).max(127),
        invoice_id: z.string().min(1).max(127),
        amount: money,
        description: z.string().min(1).max(127).optional(),
      }),
    )
    .length(1),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      experience_context: z.strictObject({
        user_action: z.literal('PAY_NOW'),
        shipping_preference: z.literal('NO_SHIPPING'),
        locale: z.string().regex(/^[a-z]{2}-[A-Z]{2}$/),
        return_url: url,
        cancel_url: url,
      }),
    }),
  }),
})
const LIMITS = { DAY: 365, WEEK: 52, MONTH: 12, YEAR: 1 } as const
const frequency = z
  .strictObject({ interval_unit: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']), interval_count: z.int().min(1) })
  .refine((cycle) => cycle.interval_count <= LIMITS[cycle.interval_unit], 'longer than PayPal takes')
const cycle = z.strictObject({
  tenure_type: z.enum(['TRIAL', 'REGULAR']),
  sequence: z.int().min(1).max(99),
  total_cycles: z.int().min(0).max(999),
  frequency,
  pricing_scheme: z.strictObject({ fixed_price: money }).optional(),
})
const planRequest = z.strictObject({
  product_id: z.string().min(6).max(50),
  name: z.string().min(1).max(127),
  status: z.literal('ACTIVE'),
  billing_cycles: z
    .array(cycle)
    .min(1)
    .max(12)
    .refine((all) => all.filter((cycle) => cycle.tenure_type === 'TRIAL').length <= 2, 'at most two trial cycles')
    .refine((all) => all.filter((cycle) => cycle.tenure_type === 'REGULAR').length === 1, 'exactly one regular cycle')
    .refine((all) => all.every((cycle, at) => cycle.sequence === at + 1), 'cycles in their order')
    .refine((all) => all.every((cycle) => cycle.tenure_type === 'TRIAL' || cycle.pricing_scheme), 'a regular cycle has a price'),
  payment_preferences: z.strictObject({
    auto_bill_outstanding: z.boolean(),
    setup_fee_failure_action: z.enum(['CONTINUE', 'CANCEL']),
    payment_failure_threshold: z.int().min(0).max(999),
  }),
})
const subscriptionRequest = z.strictObject({
  plan_id: z.string().min(3).max(50),
  custom_id: z.string().min(1).max(127),
  application_context: z.strictObject({
    user_action: z.literal('SUBSCRIBE_NOW'),
    shipping_preference: z.literal('NO_SHIPPING'),
    locale: z.string().regex(/^[a-z]{2}-[A-Z]{2}$/),
    return_url: url,
    cancel_url: url,
  }),
})
const productRequest = z.strictObject({ name: z.string().min(1).max(127), type: z.enum(['PHYSICAL', 'DIGITAL', 'SERVICE']) })
const refundRequest = z.strictObject({ amount: money.optional(), custom_id: z.string().max(127).optional() })
const cancelRequest = z.strictObject({ reason: z.string().min(1).max(128) })

interface Event {
  id: string
  event_type: string
  create_time: string
  event_version: string
  resource: object
}

interface Remembered {
  request: string
  answer: Answer | null
}

export class PayPalFake extends Fake {
  readonly books: PayPalAccount
  readonly events: Event[] = []
  readonly #keys = new Map<string, Remembered>()
  readonly #own: { privateKey: KeyObject; certificate: string }
  readonly #other: { privateKey: KeyObject; certificate: string }

  constructor(options: FakeOptions) {
    super(options)
    const life = [new Date('2020-01-01'), new Date('2060-01-01')] as const
    this.#own = selfSigned('messageverificationcerts.paypal.com', ...life)
    this.#other = selfSigned('messageverificationcerts.paypal.com', ...life)
    this.books = new PayPalAccount({
      now: this.now,
      moved: (kind, amount, object, custom) =>
        this.ledger.push({ kind, amount, object, purchase_id: Number(custom.split(':')[1]) || null, at: this.now() }),
      deliver: (event_type, resource) => {
        const event: Event = {
          id: newId('WH-'),
          event_type,
          create_time: this.books.time,
          event_version: '1.0',
          resource: structuredClone(resource),
        }
        this.events.push(event)
        this.enqueueEvent(event.id, event)
      },
    })
  }

  tick(): void {
    this.books.tick()
  }

  forgetKeys(): void {
    this.#keys.clear()
  }

  protected async answer(request: RecordedRequest): Promise<Answer> {
    try {
      if (request.path === '/v1/oauth2/token') return this.#token(request)
      if (request.path === '/v1/notifications/certs/CERT-OWN') return { status: 200, body: null, text: this.#own.certificate }
      if (request.headers.authorization !== 'Bearer fake-token') throw new PayPalRefusal(401, 'AUTHENTICATION_FAILURE', 'INVALID_TOKEN')
      const key = request.headers['paypal-request-id']
      if (request.method === 'POST' && !/\/(cancel|suspend|activate)$/.test(request.path) && !key)
        this.#complain(request, 'has no PayPal-Request-Id')
      if (request.method === 'POST' && !request.headers['content-type']?.startsWith('application/json'))
        this.#complain(request, `has a body of ${request.headers['content-type']}`)
      return key ? await this.#once(`${request.path} ${key}`, request) : this.#do(request)
    } catch (error) {
      if (!(error instanceof PayPalRefusal)) throw error
      return { status: error.status, body: error.body }
    }
  }

  #token(request: RecordedRequest): Answer {
    const basic = `Basic ${Buffer.from(`${PAYPAL_FAKE_ID}:${PAYPAL_FAKE_SECRET}`).toString('base64')}`
    if (request.headers.authorization !== basic)
      return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
    if (new URLSearchParams(request.raw).get('grant_type') !== 'client_credentials') this.#complain(request, 'asks for another grant')
    return { status: 200, body: { access_token: 'fake-token', token_type: 'Bearer', expires_in: 32_400, scope: 'x' } }
  }

  #complain(request: RecordedRequest, why: string): never {
    this.complain(`${request.method} ${request.path}: ${why}`)
    throw new PayPalRefusal(400, 'INVALID_REQUEST', why)
  }

  /** A repeated key returns the first answer; a refused request may be tried again with its key. */
  async #once(key: string, request: RecordedRequest): Promise<Answer> {
    const known = this.#keys.get(key)
    if (known) {
      if (known.request !== request.raw) throw new PayPalRefusal(422, 'UNPROCESSABLE_ENTITY', 'PAYPAL_REQUEST_ID_REUSED')
      if (!known.answer) throw new PayPalRefusal(409, 'RESOURCE_CONFLICT', 'PREVIOUS_REQUEST_IN_PROGRESS')
      return known.answer
    }
    const mine: Remembered = { request: request.raw, answer: null }
    this.#keys.set(key, mine)
    await this.pause()
    try {
      mine.answer = this.#do(request)
      return mine.answer
    } catch (error) {
      this.#keys.delete(key)
      throw error
    }
  }

  #body<T>(request: RecordedRequest, schema: z.ZodType<T>): T {
    let json: unknown
    try {
      json = request.raw === '' ? {} : JSON.parse(request.raw)
    } catch {
      return this.#complain(request, 'is no JSON')
    }
    const read = schema.safeParse(json)
    if (!read.success)
      return this.#complain(request, read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '))
    return read.data
  }

  #do(request: RecordedRequest): Answer {
    const { books } = this
    const input = `${request.method} ${request.path}`
    const id = (pattern: RegExp) => pattern.exec(input)?.[1]
    if (input === 'POST /v2/checkout/orders') {
      const [unit] = this.#body(request, orderRequest).purchase_units
      if (!unit) throw notFound()
      return { status: 200, body: this.#order(books.createOrder(unit)) }
    }
    const order = id(/^GET \/v2\/checkout\/orders\/(\w+)$/)
    if (order) return { status: 200, body: this.#order(books.get(books.orders, order)) }
    const capture = id(/^POST \/v2\/checkout\/orders\/(\w+)\/capture$/)
    if (capture) return { status: 201, body: this.#order(books.capture(capture)) }
    const refunded = id(/^POST \/v2\/payments\/captures\/(\w+)\/refund$/)
    if (refunded) {
      const { amount, custom_id } = this.#body(request, refundRequest)
      return { status: 201, body: books.refund(refunded, amount, custom_id) }
    }
    const captured = id(/^GET \/v2\/payments\/captures\/(\w+)$/)
    if (captured) return { status: 200, body: books.captureShown(captured) }
    const refund = id(/^GET \/v2\/payments\/refunds\/(\w+)$/)
    if (refund) return { status: 200, body: books.get(books.refunds, refund) }
    return this.#billing(request, input, id)
  }

  #billing(request: RecordedRequest, input: string, id: (pattern: RegExp) => string | undefined): Answer {
    const { books } = this
    if (input === 'POST /v1/catalogs/products') {
      const product = { id: newId('PROD-', 14).toUpperCase(), ...this.#body(request, productRequest) }
      books.products.set(product.id, product)
      return { status: 201, body: product }
    }
    if (input === 'POST /v1/billing/plans') {
      const planInput = this.#body(request, planRequest)
      books.get(books.products, planInput.product_id)
      const plan: Plan = {
        id: newId('P-', 20).toUpperCase(),
        product_id: planInput.product_id,
        status: 'ACTIVE',
        billing_cycles: planInput.billing_cycles,
      }
      books.plans.set(plan.id, plan)
      return { status: 201, body: { ...planInput, ...plan } }
    }
    if (input === 'POST /v1/billing/subscriptions') {
      const { plan_id, custom_id } = this.#body(request, subscriptionRequest)
      const subscription = books.createSubscription(plan_id, custom_id)
      return {
        status: 201,
        body: { ...books.shown(subscription), links: [{ rel: 'approve', href: `${this.url}/aprobar/${subscription.id}`, method: 'GET' }] },
      }
    }
    const subscriptionId = id(/^GET \/v1\/billing\/subscriptions\/([\w-]+)$/)
    if (subscriptionId) return { status: 200, body: books.shown(books.get(books.subscriptions, subscriptionId)) }
    const cancelled = id(/^POST \/v1\/billing\/subscriptions\/([\w-]+)\/cancel$/)
    if (cancelled) {
      this.#body(request, cancelRequest)
      const subscription = books.get(books.subscriptions, cancelled)
      if (subscription.status !== 'ACTIVE' && subscription.status !== 'SUSPENDED')
        throw new PayPalRefusal(422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID')
      books.setStatus(subscription, 'CANCELLED', 'BILLING.SUBSCRIPTION.CANCELLED')
      return { status: 204, body: null }
    }
    const switched = /^POST \/v1\/billing\/subscriptions\/([\w-]+)\/(suspend|activate)$/.exec(input)
    if (switched) {
      this.#body(request, cancelRequest)
      const subscription = books.get(books.subscriptions, switched[1] ?? '')
      const suspend = switched[2] === 'suspend'
      if (subscription.status !== (suspend ? 'ACTIVE' : 'SUSPENDED'))
        throw new PayPalRefusal(422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID')
      if (suspend) books.setStatus(subscription, 'SUSPENDED', 'BILLING.SUBSCRIPTION.SUSPENDED')
      else books.resume(subscription)
      return { status: 204, body: null }
    }
    const listed = id(/^GET \/v1\/billing\/subscriptions\/([\w-]+)\/transactions$/)
    if (listed) {
      const [from, to] = [request.query.get('start_time'), request.query.get('end_time')].map((at) => Date.parse(at ?? ''))
      if (!from || !to) return this.#complain(request, 'needs start_time and end_time')
      const transactions = books
        .get(books.subscriptions, listed)
        .hidden.transactions.filter(({ time }) => Date.parse(time) >= from && Date.parse(time) <= to)
      return { status: 200, body: { transactions, total_items: transactions.length, total_pages: 1, links: [] } }
    }
    const disputed = id(/^GET \/v1\/customer\/disputes\/([\w-]+)$/)
    if (disputed) return { status: 200, body: books.get(books.disputes, disputed) }
    if (input === 'GET /v1/notifications/webhooks-events') return this.#eventPage(request)
    return this.#complain(request, 'is nothing that we ever ask')
  }

  /** Two per page, so that clients have to follow pages. */
  #eventPage(request: RecordedRequest): Answer {
    const [from, to] = [request.query.get('start_time'), request.query.get('end_time')].map((at) => Date.parse(at ?? ''))
    if (!from || !to || Number(request.query.get('page_size') ?? 10) > 300)
      return this.#complain(request, 'needs start_time, end_time and at most 300 a page')
    const all = this.events.filter(
      ({ create_time }) => Date.parse(create_time) >= Math.floor(from / 1000) * 1000 && Date.parse(create_time) <= to,
    )
    const start = Number(request.query.get('start') ?? 0)
    const next = new URLSearchParams(request.query)
    next.set('start', String(start + 2))
    return {
      status: 200,
      body: {
        events: all.slice(start, start + 2),
        count: all.length,
        links: all.length > start + 2 ? [{ rel: 'next', href: `${this.url}${request.path}?${next}` }] : [],
      },
    }
  }

  #order(order: Order): object {
    return { ...order, links: [{ rel: 'payer-action', href: `${this.url}/aprobar/${order.id}`, method: 'GET' }] }
  }

  protected async sign(event: object, at: Date, wrongSecret: boolean): Promise<WebhookEvent> {
    const body = JSON.stringify(event)
    return { headers: this.signature(body, { at, ...(wrongSecret ? { stranger: true } : {}) }), body }
  }

  /** Headers of a webhook event. `stranger`: signed with a key that is not PayPal's. */
  signature(body: string, how: { at?: Date; stranger?: boolean; webhook?: string; url?: string } = {}): Record<string, string> {
    const [id, time] = [newId('tx-'), (how.at ?? this.now()).toISOString()]
    const message = `${id}|${time}|${how.webhook ?? PAYPAL_FAKE_WEBHOOK}|${crc32(Buffer.from(body))}`
    return {
      'content-type': 'application/json',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': sign('sha256', Buffer.from(message), (how.stranger ? this.#other : this.#own).privateKey).toString(
        'base64',
      ),
      'paypal-cert-url': how.url ?? `${this.url}/v1/notifications/certs/CERT-OWN`,
      'paypal-auth-algo': 'SHA256withRSA',
    }
  }

  protected typeOf(event: object): string {
    return (event as Event).event_type
  }

  protected failure(status: number): unknown {
    return { name: status === 429 ? 'RATE_LIMIT_REACHED' : 'INTERNAL_SERVER_ERROR', message: 'x', debug_id: newId('') }
  }
}
