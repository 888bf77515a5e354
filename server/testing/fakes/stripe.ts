/**
 * A fake of Stripe's API on loopback: every request is validated against the SDK's own types (stripe-schema.json), idempotency keys are
 * remembered, money is recorded in a ledger, webhook events are signed. Tests act as customer, bank and dashboard through `books` and
 * `billing`.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import Stripe from 'stripe'
import { type Answer, Fake, type FakeOptions, newId, type RecordedRequest, type WebhookEvent } from './fake.ts'
import { type Form, readForm } from './form.ts'
import { StripeAccount, type StripeEvent } from './stripe-account.ts'
import { StripeBalance } from './stripe-balance.ts'
import { StripeBilling } from './stripe-billing.ts'
import { CARDS } from './stripe-cards.ts'
import { StripeRefusal, wrong } from './stripe-objects.ts'
import { checkoutPage, concludePage, expireDuePages, payPage } from './stripe-pages.ts'
import { ROUTES } from './stripe-routes.ts'
import schema from './stripe-schema.json' with { type: 'json' }
import { StripeVouchers } from './stripe-vouchers.ts'

/** The API version of this project's SDK; the schema has the same. */
const API_VERSION = /API (\S+?)\.$/.exec(schema.$comment)?.[1] ?? ''

export const STRIPE_FAKE_KEY = 'sk_test_twin'
export const STRIPE_FAKE_SECRET = 'whsec_twin'

interface Remembered {
  request: string
  /** Null while the first request with the key is still running. */
  answer: Answer | null
}

const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true, validateFormats: false })
ajv.addSchema(schema, 'stripe')
const validators = new Map<string, ValidateFunction>()

/** Fields that the API returns only on request (`include`). */
type Included = (books: StripeAccount, object: { id: string }) => unknown

const INCLUDED: Record<string, Included> = {
  'invoice.payments': (books, { id }) => {
    const invoice = books.get('invoices', id)
    const data = invoice.hidden.payment_intent
      ? [
          {
            id: `inpay_${id.slice(3)}`,
            object: 'invoice_payment',
            amount_paid: invoice.amount_paid || null,
            amount_requested: invoice.total,
            created: invoice.created,
            currency: invoice.currency,
            invoice: id,
            is_default: true,
            livemode: false,
            payment: { type: 'payment_intent', payment_intent: invoice.hidden.payment_intent },
            status: invoice.status === 'paid' ? 'paid' : 'open',
            status_transitions: { canceled_at: null, paid_at: invoice.status_transitions.paid_at },
          },
        ]
      : []
    return { object: 'list', data, has_more: false, url: '/v1/invoice_payments' }
  },
  'customer.cash_balance': (books, { id }) => ({
    object: 'cash_balance',
    available: { mxn: [...books.all.cash.values()].findLast((cashTransaction) => cashTransaction.customer === id)?.ending_balance ?? 0 },
    customer: id,
    customer_account: null,
    livemode: false,
    settings: { reconciliation_mode: 'automatic', using_merchant_default: true },
  }),
  'invoice.confirmation_secret': (books, { id }) => {
    const { payment_intent } = books.get('invoices', id).hidden
    return payment_intent ? { client_secret: books.get('intents', payment_intent).client_secret, type: 'payment_intent' } : null
  },
}

export class StripeFake extends Fake {
  readonly books: StripeAccount
  readonly billing: StripeBilling
  readonly balance: StripeBalance
  readonly vouchers: StripeVouchers
  readonly #keys = new Map<string, Remembered>()

  constructor(options: FakeOptions) {
    super(options)
    this.books = new StripeAccount({
      now: this.now,
      apiVersion: API_VERSION,
      moved: (kind, amount, object, metadata) =>
        this.ledger.push({ kind, amount, object, purchase_id: metadata.purchase_id ? Number(metadata.purchase_id) : null, at: this.now() }),
      deliver: (event) => this.enqueueEvent(event.id, event),
    })
    this.billing = new StripeBilling(this.books)
    this.balance = new StripeBalance(this.books)
    this.vouchers = new StripeVouchers(this.books)
  }

  /** Processes what depends on time: renewals, retries, vouchers, pages. */
  tick(): void {
    this.billing.tick()
    expireDuePages(this.books)
    this.vouchers.tick()
  }

  /** Forgets idempotency keys, as Stripe does after a day or more. */
  forgetKeys(): void {
    this.#keys.clear()
  }

  /** The customer pays on a session's page. */
  payPage(id: string, token = 'pm_card_visa'): boolean {
    return payPage(this.books, this.books.get('sessions', id), token, (session, method) => this.billing.fromSession(session, method))
  }

  /** A processing payment of a session succeeds or fails. */
  concludePage(id: string, through: boolean): void {
    concludePage(this.books, this.books.get('sessions', id), through)
  }

  protected async answer(request: RecordedRequest): Promise<Answer> {
    if (request.path.startsWith('/pagar/')) return checkoutPage(this.books, request, (id, token) => this.payPage(id, token))
    try {
      this.#checkCaller(request)
      const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
      return key ? await this.#once(key, request) : this.#do(request)
    } catch (error) {
      return this.#refusal(error)
    }
  }

  #refusal(error: unknown): Answer {
    if (!(error instanceof StripeRefusal)) throw error
    const shown = Object.fromEntries(
      Object.entries(error.body).map(([key, value]) => [
        key,
        value && typeof value === 'object' ? this.#shown(value as { id: string }) : value,
      ]),
    )
    return { status: error.status, body: { error: shown } }
  }

  #checkCaller(request: RecordedRequest): void {
    if (request.headers.authorization !== `Bearer ${STRIPE_FAKE_KEY}`)
      throw new StripeRefusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' })
    if (request.headers['stripe-version'] !== API_VERSION) this.#complain(request, `asks for API ${request.headers['stripe-version']}`)
    if (request.method === 'POST' && !request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      this.#complain(request, `has a body of ${request.headers['content-type']}`)
    if (request.method === 'POST' && !request.headers['idempotency-key']) this.#complain(request, 'has no Idempotency-Key')
  }

  #complain(request: RecordedRequest, why: string): never {
    this.complain(`${request.method} ${request.path}: ${why}`)
    throw wrong(why)
  }

  /** Stores status and body of the first execution, errors included; invalid requests are not stored. */
  async #once(key: string, request: RecordedRequest): Promise<Answer> {
    const fingerprint = `${request.method} ${request.path} ${request.raw}`
    const known = this.#keys.get(key)
    if (known) {
      if (known.request !== fingerprint)
        throw new StripeRefusal(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        })
      if (!known.answer)
        throw new StripeRefusal(409, {
          type: 'invalid_request_error',
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this key.',
        })
      return { ...known.answer, headers: { ...known.answer.headers, 'idempotent-replayed': 'true' } }
    }
    const mine: Remembered = { request: fingerprint, answer: null }
    this.#keys.set(key, mine)
    await this.pause()
    try {
      mine.answer = this.#do(request)
      return mine.answer
    } catch (error) {
      if (!(error instanceof StripeRefusal) || error.status === 400) {
        this.#keys.delete(key)
        throw error
      }
      mine.answer = this.#refusal(error)
      return mine.answer
    }
  }

  #do(request: RecordedRequest): Answer {
    for (const route of ROUTES) {
      const found = route.method === request.method ? route.path.exec(request.path) : null
      if (!found) continue
      const query = this.#read(request, route.request)
      const { expand, ...params } = query
      const answer = route.work(this, params, found[1] ?? '')
      const paths = (Array.isArray(expand) ? expand : []).map(String)
      const body = Array.isArray(answer) ? this.#page(request, answer, params, paths) : this.#shown(answer, paths)
      return { status: 200, body, headers: { 'request-id': newId('req_') } }
    }
    return this.#complain(request, 'is nothing that we ever ask')
  }

  /** Parses a request and validates it against the schema. */
  #read(request: RecordedRequest, name: string): Form {
    const form = readForm(request.method === 'POST' ? request.raw : request.query.toString())
    let validate = validators.get(name)
    if (!validate) {
      validate = ajv.compile({ $ref: `stripe#/definitions/${name}` })
      validators.set(name, validate)
    }
    if (!validate(form)) {
      const validationErrors = validate.errors
        ?.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
        .join('; ')
      const [first] = validate.errors ?? []
      const unknown = first?.params.additionalProperty as string | undefined
      this.complain(`${request.method} ${request.path}: ${validationErrors}`)
      throw wrong(
        unknown ? `Received unknown parameter: ${unknown}` : `Invalid request: ${validationErrors}`,
        unknown ? { code: 'parameter_unknown', param: unknown } : {},
      )
    }
    return form
  }

  #page(request: RecordedRequest, all: { id: string; created?: number }[], params: Form, expand: string[]): object {
    const limit = Number(params.limit ?? 10)
    const from = typeof params.starting_after === 'string' ? all.findIndex(({ id }) => id === params.starting_after) + 1 : 0
    const paths = expand.map((path) => {
      if (!path.startsWith('data.')) this.#complain(request, `expands ${path} of a list`)
      return path.slice(5)
    })
    return {
      object: 'list',
      url: request.path,
      has_more: all.length > from + limit,
      data: all.slice(from, from + limit).map((object) => this.#shown(object, paths)),
    }
  }

  /** Serializes an object: without internal state, and with ids for fields that are not expanded. */
  #shown(object: { id: string; object?: string }, expand: string[] = []): unknown {
    const { hidden: _, ...plain } = object as { id: string; object?: string; hidden?: unknown }
    const out: Record<string, unknown> = structuredClone(plain)
    for (const path of expand) {
      const [first = '', ...rest] = path.split('.')
      if (rest.length > 3) throw wrong(`You cannot expand more than 4 levels of a property (${path}).`)
      const included = INCLUDED[`${object.object}.${first}`]
      if (included) {
        out[first] = included(this.books, object)
        continue
      }
      if (!(first in out)) {
        this.complain(`expands ${path} of a ${object.object}`)
        throw wrong(`This property cannot be expanded (${path}).`)
      }
      const value = out[first]
      const inner = typeof value === 'string' ? this.#find(value) : null
      if (inner)
        out[first] = this.#shown(
          inner,
          expand.filter((path) => path.startsWith(`${first}.`)).map((path) => path.slice(first.length + 1)),
        )
    }
    return out
  }

  #find(id: string): { id: string } | null {
    for (const kind of Object.values(this.books.all)) {
      const found = (kind as Map<string, { id: string }>).get(id)
      if (found) return found
    }
    return null
  }

  protected async sign(event: object, at: Date, wrongSecret: boolean): Promise<WebhookEvent> {
    const body = JSON.stringify(event)
    const header = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: wrongSecret ? 'whsec_somebody_else' : STRIPE_FAKE_SECRET,
      timestamp: Math.floor(at.getTime() / 1000),
    })
    return { headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header }, body }
  }

  protected typeOf(event: object): string {
    return (event as StripeEvent).type
  }

  protected failure(status: number): unknown {
    return {
      error: {
        type: status === 429 ? 'invalid_request_error' : 'api_error',
        ...(status === 429 ? { code: 'rate_limit' } : {}),
        message: 'An unknown error occurred.',
      },
    }
  }
}

/** Breaks the connection whenever a request names a test card of that kind (`pm_twin_lostAfter`). */
export function breakForLostCards(fake: StripeFake): void {
  for (const [token, card] of Object.entries(CARDS))
    if (card.lost)
      fake.break(
        card.lost === 'before' ? 'drop before' : 'drop after',
        (request) => request.method === 'POST' && request.raw.includes(token),
        Number.POSITIVE_INFINITY,
      )
}
