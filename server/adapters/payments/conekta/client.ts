/** The Conekta SDK, loaded at first use, and the mapping of its failures to our errors. */
import { Agent as HttpAgent } from 'node:http'
import { Agent } from 'node:https'
import type * as ConektaSdk from 'conekta'
import type { ErrorCode } from '#contract/errors.ts'
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

export interface ConektaOptions {
  privateKey: string
  /** The public key that webhooks are signed with; without one it is requested from the account. */
  webhookKey: string | undefined
  /** Another base URL of the API, for a fake processor. */
  apiBase?: string | undefined
  timeoutMs?: number | undefined
}

export interface Apis {
  customers: ConektaSdk.CustomersApi
  cards: ConektaSdk.PaymentMethodsApi
  orders: ConektaSdk.OrdersApi
  charges: ConektaSdk.ChargesApi
  plans: ConektaSdk.PlansApi
  subscriptions: ConektaSdk.SubscriptionsApi
  tokens: ConektaSdk.TokensApi
  events: ConektaSdk.EventsApi
  keys: ConektaSdk.WebhookKeysApi
}

type Doing = 'asking' | 'preparing' | 'charging'

const LIVE = 'https://api.conekta.io'

export class ConektaClient {
  readonly #options: ConektaOptions
  #apis: Promise<Apis> | null = null

  constructor(options: ConektaOptions) {
    this.#options = options
  }

  #open(): Promise<Apis> {
    this.#apis ??= this.#load()
    return this.#apis
  }

  async #load(): Promise<Apis> {
    const sdk = await import('conekta')
    const configuration = new sdk.Configuration({
      accessToken: this.#options.privateKey,
      basePath: this.#options.apiBase ?? LIVE,
      baseOptions: {
        timeout: this.#options.timeoutMs ?? 20_000,
        maxRedirects: 0,
        httpAgent: new HttpAgent({ keepAlive: true }),
        // The SDK's default agent does not verify certificates.
        httpsAgent: new Agent({ keepAlive: true, rejectUnauthorized: true }),
      },
    })
    return {
      customers: new sdk.CustomersApi(configuration),
      cards: new sdk.PaymentMethodsApi(configuration),
      orders: new sdk.OrdersApi(configuration),
      charges: new sdk.ChargesApi(configuration),
      plans: new sdk.PlansApi(configuration),
      subscriptions: new sdk.SubscriptionsApi(configuration),
      tokens: new sdk.TokensApi(configuration),
      events: new sdk.EventsApi(configuration),
      keys: new sdk.WebhookKeysApi(configuration),
    }
  }

  /** A call that only reads. A failure changes nothing. */
  read<T>(call: (apis: Apis) => Promise<{ data: T }>): Promise<T> {
    return this.#run('asking', call)
  }

  /** A call that creates or ends something without moving money. */
  prepare<T>(call: (apis: Apis) => Promise<{ data: T }>): Promise<T> {
    return this.#run('preparing', call)
  }

  /** A call that may move money. Conekta has no idempotency keys: after a lost response look the result up, never repeat the request. */
  charge<T>(call: (apis: Apis) => Promise<{ data: T }>): Promise<T> {
    return this.#run('charging', call)
  }

  async #run<T>(doing: Doing, call: (apis: Apis) => Promise<{ data: T }>): Promise<T> {
    const apis = await this.#open()
    try {
      return (await call(apis)).data
    } catch (error) {
      throw error instanceof PaymentError ? error : failureOf(error, doing)
    }
  }
}

/** Conekta's description of a failure; null when there was no response. */
export function describeFailure(error: unknown): { status: number; code: string; param: string } | null {
  const at = error instanceof PaymentError ? error.cause : error
  if (!(at instanceof Error) || !('response' in at)) return null
  const response = at.response as { status?: number; data?: { details?: { code?: string; param?: string | null }[] } } | undefined
  if (!response?.status) return null
  const [detail] = response.data?.details ?? []
  return { status: response.status, code: detail?.code ?? '', param: detail?.param ?? '' }
}

/** Maps Conekta's error codes to refusals; the first pattern that matches decides. */
const REFUSALS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/insufficient_funds/, 'CARD_INSUFFICIENT_FUNDS'],
  [/pick_?up_card|stolen_card|lost_card/, 'CARD_LOST_OR_STOLEN'],
  [/suspicious|rejected_by_risk|fraud|antifraud/, 'CARD_SUSPICIOUS'],
  [/expiration_date|expired_card|exp_year|exp_month/, 'CARD_EXPIRED'],
  [/security_code|cvc/, 'CARD_INCORRECT_CVC'],
  [/format/, 'CARD_FORMAT'],
  [/invalid_number|card\.number/, 'CARD_INCORRECT_NUMBER'],
  [/3ds/, 'CARD_CONFIRMATION'],
  [/bank\.(timeout|communication_error|general_error)|try_again_later/, 'PAYMENT_TRY_LATER'],
]

/** The refusal for one of Conekta's card errors. */
export function cardCode(code: string): ErrorCode {
  return REFUSALS.find(([pattern]) => pattern.test(code))?.[1] ?? 'CARD_DECLINED'
}

function failureOf(error: unknown, doing: Doing): PaymentError {
  const failure = describeFailure(error)
  const details = { cause: error, ...(failure?.code ? { provider: { code: failure.code } } : {}) }
  if (!failure || failure.status >= 500) return doing === 'charging' ? unknownOutcome(details) : processorUnavailable(details)
  const { status, code, param } = failure
  if (status === 401 || status === 403) return paymentMisconfigured(details)
  if (status === 429) return processorUnavailable(details)
  if (status === 409) return processorBusy(details)
  if (status === 402 || /processing|declined|suspicious|rejected_by_risk/.test(code)) return paymentDeclined(cardCode(code), details)
  if (/token|payment_source/.test(`${param} ${code}`)) return paymentInvalid('PAYMENT_METHOD_UNAVAILABLE', details)
  if (status === 404) return doing === 'asking' ? unknownObject(details) : paymentMisconfigured(details)
  if (/card/.test(code)) return paymentDeclined(cardCode(code), details)
  if (/amount|unit_price/.test(`${param} ${code}`)) return unsupported('AMOUNT_OUT_OF_RANGE', details)
  return paymentMisconfigured(details)
}
