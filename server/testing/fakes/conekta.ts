/**
 * A fake of Conekta's API on loopback: requests are validated against Conekta's shapes. Conekta has no idempotency keys, so a repeated
 * request is executed again.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import * as z from 'zod'
import { ConektaAccount } from './conekta-account.ts'
import { type ConektaEvent, ConektaRefusal, notFound } from './conekta-objects.ts'
import { type Answer, Fake, type FakeOptions, newId, type RecordedRequest, type WebhookEvent } from './fake.ts'

let tokens = 0
/** A new token for a test card, in Conekta's format: each is usable once. */
export const conektaToken = (name: string): string => `tok_test_${name}~${++tokens}`

export const CONEKTA_FAKE_KEY = 'key_twin'

const text = (most: number) => z.string().min(1).max(most)
const customerRequest = z.strictObject({
  name: text(250),
  email: z.email(),
  phone: z.string().regex(/^\+52\d{10}$/),
  metadata: z.record(z.string(), z.string()).optional(),
})
const sourceRequest = z.strictObject({ type: z.literal('card'), token_id: text(100) })
const orderRequest = z
  .strictObject({
    currency: z.literal('MXN'),
    customer_info: z.strictObject({ customer_id: text(50) }),
    line_items: z.array(z.strictObject({ name: z.string().min(3).max(250), unit_price: z.int().min(1), quantity: z.int().min(1) })).min(1),
    metadata: z.record(z.string(), z.string()),
    three_ds_mode: z.enum(['smart', 'strict']).optional(),
    return_url: z.url().optional(),
    checkout: z
      .strictObject({
        type: z.enum(['Integration', 'HostedPayment']),
        allowed_payment_methods: z.array(z.enum(['cash', 'card', 'bank_transfer'])).min(1),
        expires_at: z.int(),
        success_url: z.url(),
        failure_url: z.url(),
        name: text(250),
      })
      .optional(),
  })
  .refine((order) => !order.checkout || !order.return_url, 'return_url does not go with checkout')
const chargeRequest = z.strictObject({
  amount: z.int().min(1),
  payment_method: z.union([
    z.strictObject({ type: z.literal('card'), token_id: text(100) }),
    z.strictObject({ type: z.literal('card'), payment_source_id: text(50) }),
    z.strictObject({ type: z.enum(['cash', 'spei']), expires_at: z.int() }),
  ]),
})
const refundRequest = z.strictObject({
  amount: z.int().min(1),
  reason: z.enum(['requested_by_client', 'cannot_be_fulfilled', 'duplicated_transaction', 'suspected_fraud', 'other']),
})
const planRequest = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{3,60}$/),
  name: text(250),
  amount: z.int().min(1),
  currency: z.literal('MXN'),
  interval: z.enum(['week', 'half_month', 'month', 'year']),
  frequency: z.int().min(1),
  max_retries: z.int().min(3),
  retry_delay_hours: z.int().min(48),
})
const subscriptionRequest = z.strictObject({ plan_id: text(60), card_id: text(50), trial_end: z.int().optional() })
const subscriptionUpdate = z.strictObject({ card_id: text(50) })
const tokenRequest = z.strictObject({ checkout: z.strictObject({ returns_control_on: z.literal('Token') }) })

type Found = (pattern: RegExp) => RegExpExecArray | null

export class ConektaFake extends Fake {
  readonly books: ConektaAccount
  readonly #own: { privateKey: KeyObject; publicKey: KeyObject }
  readonly #other: KeyObject
  /** The key that verifies webhook signatures, as PEM. */
  readonly publicKey: string

  constructor(options: FakeOptions) {
    super(options)
    this.#own = generateKeyPairSync('rsa', { modulusLength: 2048 })
    this.#other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    this.publicKey = this.#own.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    this.books = new ConektaAccount({
      url: () => this.url,
      now: this.now,
      moved: (kind, amount, object, purchase_id) => this.ledger.push({ kind, amount, object, purchase_id, at: this.now() }),
      deliver: (event) => this.enqueueEvent(event.id, event),
    })
  }

  tick(): void {
    this.books.tick()
  }

  protected async answer(request: RecordedRequest): Promise<Answer> {
    try {
      if (request.headers.authorization !== `Bearer ${CONEKTA_FAKE_KEY}`)
        throw new ConektaRefusal(401, 'conekta.errors.authentication.unauthorized')
      if (request.headers.accept !== 'application/vnd.conekta-v2.3.0+json') this.#complain(request, `asks for ${request.headers.accept}`)
      if (request.method === 'POST' && request.raw !== '' && !request.headers['content-type']?.startsWith('application/json'))
        this.#complain(request, `has a body of ${request.headers['content-type']}`)
      await this.pause()
      return this.#do(request)
    } catch (error) {
      if (!(error instanceof ConektaRefusal)) throw error
      return { status: error.status, body: error.body }
    }
  }

  #complain(request: RecordedRequest, why: string): never {
    this.complain(`${request.method} ${request.path}: ${why}`)
    throw new ConektaRefusal(422, `conekta.errors.parameter_validation: ${why}`)
  }

  #body<T>(request: RecordedRequest, schema: z.ZodType<T>): T {
    let json: unknown
    try {
      json = JSON.parse(request.raw)
    } catch {
      return this.#complain(request, 'is no JSON')
    }
    const read = schema.safeParse(json)
    if (!read.success)
      return this.#complain(request, read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '))
    return read.data
  }

  #do(request: RecordedRequest): Answer {
    const input = `${request.method} ${request.path}`
    const found: Found = (pattern) => pattern.exec(input)
    return (
      this.#orders(request, input, found) ??
      this.#people(request, input, found) ??
      this.#billing(request, input, found) ??
      this.#complain(request, 'is nothing that we ever ask')
    )
  }

  #orders(request: RecordedRequest, input: string, found: Found): Answer | null {
    const { books } = this
    if (input === 'POST /orders') {
      const { customer_info, line_items, metadata, checkout } = this.#body(request, orderRequest)
      if (checkout && checkout.expires_at < books.seconds + 300)
        throw new ConektaRefusal(422, 'conekta.errors.parameter_validation.checkout.expires_at', 'expires_at')
      const amount = line_items.reduce((sum, line) => sum + line.unit_price * line.quantity, 0)
      return { status: 201, body: books.createOrder({ customer: customer_info.customer_id, amount, metadata, checkout }) }
    }
    const match = found(/^GET \/orders\/(\w+)$/)
    if (match) return { status: 200, body: books.get(books.orders, match[1] ?? '') }
    const charged = found(/^POST \/orders\/(\w+)\/charges$/)
    if (charged) {
      const { amount, payment_method } = this.#body(request, chargeRequest)
      return { status: 201, body: books.charge(books.get(books.orders, charged[1] ?? ''), amount, payment_method) }
    }
    const cancelled = found(/^POST \/orders\/(\w+)\/cancel$/)
    if (cancelled) {
      const order = books.get(books.orders, cancelled[1] ?? '')
      books.cancel(order)
      return { status: 200, body: order }
    }
    const refunded = found(/^POST \/orders\/(\w+)\/refunds$/)
    if (!refunded) return null
    const { amount } = this.#body(request, refundRequest)
    return { status: 200, body: books.refund(books.get(books.orders, refunded[1] ?? ''), amount) }
  }

  #people(request: RecordedRequest, input: string, found: Found): Answer | null {
    const { books } = this
    if (input === 'POST /customers') {
      const { metadata: _, ...customerFields } = this.#body(request, customerRequest)
      const customer = {
        id: newId('cus_'),
        object: 'customer' as const,
        created_at: books.seconds,
        livemode: false as const,
        ...customerFields,
      }
      books.customers.set(customer.id, customer)
      return { status: 201, body: customer }
    }
    if (input === 'POST /tokens') {
      this.#body(request, tokenRequest)
      return {
        status: 200,
        body: {
          id: newId('tok_'),
          object: 'token',
          livemode: false,
          used: false,
          checkout: { id: newId(''), object: 'checkout', livemode: false, name: 'token', status: 'Issued' },
        },
      }
    }
    const saveMatch = found(/^POST \/customers\/(\w+)\/payment_sources$/)
    if (saveMatch) return { status: 200, body: books.saveCard(saveMatch[1] ?? '', this.#body(request, sourceRequest).token_id) }
    const listed = found(/^GET \/customers\/(\w+)\/payment_sources$/)
    if (listed) {
      const data = [...books.sources.values()]
        .filter(({ parent_id }) => parent_id === listed[1])
        .map(({ behaviour: _, charged: __, ...source }) => source)
      return { status: 200, body: { object: 'list', has_more: false, data } }
    }
    const removed = found(/^DELETE \/customers\/(\w+)\/payment_sources\/(\w+)$/)
    if (!removed) return null
    const source = books.get(books.sources, removed[2] ?? '')
    if (source.parent_id !== removed[1]) throw notFound('payment_source')
    books.sources.delete(source.id)
    return { status: 200, body: { ...source, deleted: true } }
  }

  #billing(request: RecordedRequest, input: string, found: Found): Answer | null {
    const { books } = this
    if (input === 'POST /plans') {
      const plan = this.#body(request, planRequest)
      if (books.plans.has(plan.id)) throw new ConektaRefusal(422, 'conekta.errors.plan.already_exists', 'id')
      books.plans.set(plan.id, { object: 'plan', ...plan })
      return { status: 200, body: { object: 'plan', ...plan } }
    }
    const newSubscription = found(/^POST \/customers\/(\w+)\/subscriptions$/)
    if (newSubscription) return { status: 200, body: books.subscribe(newSubscription[1] ?? '', this.#body(request, subscriptionRequest)) }
    const listed = found(/^GET \/customers\/(\w+)\/subscriptions$/)
    if (listed)
      return {
        status: 200,
        body: {
          object: 'list',
          has_more: false,
          data: [...books.subscriptions.values()].filter(({ customer_id }) => customer_id === listed[1]),
        },
      }
    const match = found(/^GET \/customers\/(\w+)\/subscriptions\/(\w+)$/)
    if (match) return { status: 200, body: books.get(books.subscriptions, match[2] ?? '') }
    const cancelled = found(/^POST \/customers\/(\w+)\/subscriptions\/(\w+)\/cancel$/)
    if (cancelled) {
      const subscription = books.get(books.subscriptions, cancelled[2] ?? '')
      books.end(subscription)
      return { status: 200, body: subscription }
    }
    const changed = found(/^PUT \/customers\/(\w+)\/subscriptions\/(\w+)$/)
    if (changed) {
      const { card_id } = this.#body(request, subscriptionUpdate)
      return { status: 200, body: books.giveCard(books.get(books.subscriptions, changed[2] ?? ''), card_id) }
    }
    const moved = found(/^(?:POST|GET|PUT) \/customers\/(\w+)\/subscriptions\/(\w+)\/(pause|resume|retry)$/)
    if (moved) {
      const subscription = books.get(books.subscriptions, moved[2] ?? '')
      if (moved[3] === 'retry') books.retry(subscription)
      else books.pause(subscription, moved[3] === 'pause')
      return { status: 200, body: subscription }
    }
    const events = found(/^GET \/customers\/(\w+)\/subscriptions\/(\w+)\/events$/)
    if (events)
      return {
        status: 200,
        body: { object: 'list', has_more: false, data: books.events.filter(({ data }) => data.object.id === events[2]).reverse() },
      }
    if (input === 'GET /events') return { status: 200, body: this.#eventPage(request) }
    if (input === 'GET /webhook_keys')
      return {
        status: 200,
        body: {
          object: 'list',
          has_more: false,
          data: [{ id: newId(''), active: true, livemode: false, object: 'webhook_key', public_key: this.publicKey }],
        },
      }
    return null
  }

  /** Newest first, two per page, so that clients have to follow pages. */
  #eventPage(request: RecordedRequest): object {
    const all = [...this.books.events].reverse()
    const start = Number(request.query.get('next') ?? 0)
    const more = all.length > start + 2
    return {
      object: 'list',
      has_more: more,
      ...(more ? { next_page_url: `${this.url}/events?next=${start + 2}` } : {}),
      data: all.slice(start, start + 2),
    }
  }

  protected async sign(event: object, _at: Date, wrongSecret: boolean): Promise<WebhookEvent> {
    const body = JSON.stringify(event)
    return { headers: { 'content-type': 'application/json', digest: this.digest(body, wrongSecret) }, body }
  }

  /** `stranger`: signed with a key that is not Conekta's. */
  digest(body: string, stranger = false): string {
    return sign('sha256', Buffer.from(body), stranger ? this.#other : this.#own.privateKey).toString('base64')
  }

  protected typeOf(event: object): string {
    return (event as ConektaEvent).type
  }

  protected failure(status: number): unknown {
    return {
      type: 'internal_server_error',
      log_id: newId(''),
      details: [{ code: status === 429 ? 'conekta.errors.too_many_requests' : 'conekta.errors.internal', message: 'x' }],
    }
  }
}

/** Breaks the connection whenever a charge is created with one of these tokens. */
export function breakForLostTokens(fake: ConektaFake): void {
  for (const [token, fault] of [
    ['tok_test_lost_before', 'drop before'],
    ['tok_test_lost_after', 'drop after'],
  ] as const)
    fake.break(
      fault,
      ({ method, path, raw }) => method === 'POST' && path.endsWith('/charges') && raw.includes(token),
      Number.POSITIVE_INFINITY,
    )
}
