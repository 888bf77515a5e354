/** The PayPal SDK, loaded at first use, plain HTTP calls where it has no controller, and the mapping of both's failures to our errors. */
import type * as PayPalSdk from '@paypal/paypal-server-sdk'
import {
  paymentDeclined,
  paymentInvalid,
  paymentMisconfigured,
  processorBusy,
  processorUnavailable,
  unknownObject,
  unknownOutcome,
  unsupported,
} from '#server/adapters/payments/failures.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'

export interface PayPalOptions {
  clientId: string
  clientSecret: string
  webhookId: string | undefined
  /** `https://api-m.sandbox.paypal.com` for PayPal's test environment, or a fake processor. */
  apiBase?: string | undefined
  timeoutMs?: number | undefined
}

const LIVE = 'https://api-m.paypal.com'
const TEST = 'https://api-m.sandbox.paypal.com'

export interface Controllers {
  orders: PayPalSdk.OrdersController
  payments: PayPalSdk.PaymentsController
  subscriptions: PayPalSdk.SubscriptionsController
}

type Doing = 'asking' | 'preparing' | 'charging'

/** PayPal's description of an error. */
interface ErrorBody {
  name?: string
  debug_id?: string
  debugId?: string
  details?: { issue?: string; field?: string }[]
}

/** A plain HTTP call that PayPal refused. */
class PlainRefusal extends Error {
  readonly statusCode: number
  readonly result: ErrorBody | undefined
  constructor(statusCode: number, result: ErrorBody | undefined) {
    super(`PayPal answered ${statusCode}`)
    this.statusCode = statusCode
    this.result = result
  }
}

export class PayPalClient {
  readonly #options: PayPalOptions
  readonly #base: string
  #sdk: Promise<{ sdk: typeof PayPalSdk; client: PayPalSdk.Client; controllers: Controllers }> | null = null
  #token: PayPalSdk.OAuthToken | undefined

  constructor(options: PayPalOptions) {
    this.#options = options
    this.#base = options.apiBase ?? LIVE
  }

  /** Base URL of the API, which certificates must come from too. */
  get base(): string {
    return this.#base
  }

  #open() {
    this.#sdk ??= this.#load()
    return this.#sdk
  }

  async #load() {
    const sdk = await import('@paypal/paypal-server-sdk')
    const base = this.#base
    const known = base === LIVE || base === TEST
    // The SDK knows only PayPal's two base URLs; another one replaces them in each request.
    class Client extends sdk.Client {
      override getRequestBuilderFactory(): ReturnType<PayPalSdk.Client['getRequestBuilderFactory']> {
        const make = super.getRequestBuilderFactory()
        if (known) return make
        return (...args) => {
          const builder = make(...args)
          builder.interceptRequest((request) => ({ ...request, url: request.url.replace(TEST, base) }))
          return builder
        }
      }
    }
    const client = new Client({
      environment: base === LIVE ? sdk.Environment.Production : sdk.Environment.Sandbox,
      // The SDK's default is no timeout.
      timeout: this.#timeout,
      clientCredentialsAuthCredentials: {
        oAuthClientId: this.#options.clientId,
        oAuthClientSecret: this.#options.clientSecret,
        oAuthClockSkew: 60,
      },
    })
    const controllers = {
      orders: new sdk.OrdersController(client),
      payments: new sdk.PaymentsController(client),
      subscriptions: new sdk.SubscriptionsController(client),
    }
    return { sdk, client, controllers }
  }

  get #timeout(): number {
    return this.#options.timeoutMs ?? 20_000
  }

  /** A call that only reads. A failure changes nothing. */
  read<T>(call: (controllers: Controllers) => Promise<{ result: T }>): Promise<T> {
    return this.#run('asking', async () => (await call((await this.#open()).controllers)).result)
  }

  /** A call that creates or ends something without moving money. */
  prepare<T>(call: (controllers: Controllers) => Promise<{ result: T }>): Promise<T> {
    return this.#run('preparing', async () => (await call((await this.#open()).controllers)).result)
  }

  /** A call that may move money: a lost response is an unknown outcome. */
  charge<T>(call: (controllers: Controllers) => Promise<{ result: T }>): Promise<T> {
    return this.#run('charging', async () => (await call((await this.#open()).controllers)).result)
  }

  /** A call that the SDK has no controller for, with the SDK's token. Returns the JSON. */
  plain(method: 'GET' | 'POST', path: string, body?: object, requestId?: string): Promise<unknown> {
    return this.#run(method === 'GET' ? 'asking' : 'preparing', async () => {
      const { client } = await this.#open()
      this.#token = await client.clientCredentialsAuthManager.updateToken(this.#token)
      const answer = await fetch(`${this.#base}${path}`, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(this.#timeout),
        headers: {
          authorization: `Bearer ${this.#token.accessToken}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(requestId ? { 'paypal-request-id': requestId } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const content: unknown = await answer.json().catch(() => undefined)
      if (!answer.ok) throw new PlainRefusal(answer.status, content as ErrorBody | undefined)
      return content
    })
  }

  async #run<T>(doing: Doing, call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw error instanceof PaymentError ? error : failureOf(error, doing)
    }
  }
}

/** PayPal's most specific error code: `INSTRUMENT_DECLINED`; undefined when there is none. */
export function errorIssue(error: unknown): string | undefined {
  const at = error instanceof PaymentError ? error.cause : error
  const response = responseOf(at)
  return response?.result?.details?.[0]?.issue ?? response?.result?.name
}

/** PayPal's response to a refused call; null when there was none. */
function responseOf(error: unknown): { statusCode: number; result?: ErrorBody | undefined } | null {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? (error as Error & { statusCode: number; result?: ErrorBody })
    : null
}

/** Final refusals of a payment: another card or account is needed. */
const DECLINED =
  /^(TRANSACTION_REFUSED|TRANSACTION_BLOCKED_BY_PAYEE|MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED|PAYER_CANNOT_PAY|PAYER_ACCOUNT_\w+|CARD_\w+|DUPLICATE_INVOICE_ID|REDIRECT_PAYER_FOR_ALTERNATE_FUNDING)$/

/** Whether this order can never be captured. */
export function isFinal(error: PaymentError): boolean {
  return error.kind === 'declined' && errorIssue(error) !== 'INSTRUMENT_DECLINED'
}

function failureOf(error: unknown, doing: Doing): PaymentError {
  const response = responseOf(error)
  const issue = errorIssue(error)
  const requestId = response?.result?.debug_id ?? response?.result?.debugId
  const details = { cause: error, provider: { ...(issue ? { code: issue } : {}), ...(requestId ? { requestId } : {}) } }
  if (!response || response.statusCode >= 500) return doing === 'charging' ? unknownOutcome(details) : processorUnavailable(details)
  if (response.statusCode === 401 || response.statusCode === 403)
    return issue === 'COMPLIANCE_VIOLATION' ? paymentDeclined('CARD_SUSPICIOUS', details) : paymentMisconfigured(details)
  if (response.statusCode === 404) return doing === 'asking' ? unknownObject(details) : paymentMisconfigured(details)
  if (response.statusCode === 409 || issue === 'ORDER_COMPLETION_IN_PROGRESS') return processorBusy(details)
  if (response.statusCode === 429) return processorUnavailable(details)
  if (issue === 'COMPLIANCE_VIOLATION') return paymentDeclined('CARD_SUSPICIOUS', details)
  if (issue === 'INSTRUMENT_DECLINED' || (issue && DECLINED.test(issue))) return paymentDeclined('CARD_DECLINED', details)
  if (issue === 'REFUND_AMOUNT_EXCEEDED' || issue === 'MAX_VALUE_EXCEEDED') return paymentInvalid('AMOUNT_OUT_OF_RANGE', details)
  if (issue && /^(REFUND_|CAPTURE_DISPUTED|PARTIAL_REFUND_NOT_ALLOWED)/.test(issue)) return unsupported('PURCHASE_CLOSED', details)
  return paymentMisconfigured(details)
}
