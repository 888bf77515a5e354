/** The Stripe SDK, loaded at first use (140 ms, 34 MB), and the mapping of its failures to our errors. */
import type { Stripe } from 'stripe'
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

export interface StripeOptions {
  secretKey: string
  webhookSecret: string | undefined
  /** Another base URL of the API, for a fake processor. */
  apiBase?: string | undefined
  timeoutMs?: number | undefined
}

/** Kind of a call: it determines what a lost response means. */
type Doing = 'asking' | 'preparing' | 'charging'

export class StripeClient {
  readonly #options: StripeOptions
  #sdk: Promise<Stripe> | null = null
  /** How often each request that moves money was sent by this process: the SDK retries some by itself. */
  readonly #sent = new Map<string, number>()

  constructor(options: StripeOptions) {
    this.#options = options
  }

  sdk(): Promise<Stripe> {
    this.#sdk ??= this.#load()
    return this.#sdk
  }

  async #load(): Promise<Stripe> {
    const { default: StripeSdk } = await import('stripe')
    const base = this.#options.apiBase ? new URL(this.#options.apiBase) : null
    const sdk = new StripeSdk(this.#options.secretKey, {
      maxNetworkRetries: 2,
      timeout: this.#options.timeoutMs ?? 20_000,
      telemetry: false,
      appInfo: { name: 'Estudio' },
      ...(base
        ? {
            host: base.hostname,
            port: base.port || (base.protocol === 'http:' ? 80 : 443),
            protocol: base.protocol === 'http:' ? 'http' : 'https',
          }
        : {}),
    })
    sdk.on('request', ({ idempotency_key: key }: Stripe.RequestEvent) => {
      const sent = key === undefined ? undefined : this.#sent.get(key)
      if (key !== undefined && sent !== undefined) this.#sent.set(key, sent + 1)
    })
    return sdk
  }

  /** A call that only reads. A failure changes nothing. */
  read<T extends { object: string }>(call: (sdk: Stripe) => Promise<T>): Promise<T> {
    return this.#run('asking', call)
  }

  /** Reads a list to its end, page by page. */
  async *each<T>(list: (sdk: Stripe) => AsyncIterable<T>): AsyncIterable<T> {
    try {
      for await (const item of list(await this.sdk())) yield item
    } catch (error) {
      throw isStripeError(error) ? toPaymentError(error, 'asking') : error
    }
  }

  /** A call that creates something without moving money. */
  prepare<T extends { object: string }>(call: (sdk: Stripe) => Promise<T>): Promise<T> {
    return this.#run('preparing', call)
  }

  /** A call that may move money: a lost response is an unknown outcome. */
  async charge<T extends { object: string }>(
    key: string,
    call: (sdk: Stripe, options: { idempotencyKey: string }) => Promise<T>,
  ): Promise<T> {
    this.#sent.set(key, 0)
    try {
      return await this.#run(
        'charging',
        (sdk) => call(sdk, { idempotencyKey: key }),
        () => (this.#sent.get(key) ?? 0) > 1,
      )
    } finally {
      this.#sent.delete(key)
    }
  }

  async #run<T extends { object: string }>(doing: Doing, call: (sdk: Stripe) => Promise<T>, repeated = () => false): Promise<T> {
    const sdk = await this.sdk()
    let answer: T
    try {
      answer = await call(sdk)
    } catch (error) {
      throw error instanceof PaymentError ? error : toPaymentError(error, doing, repeated())
    }
    // The SDK takes any JSON without `error` for a success, whatever its status.
    if (typeof answer?.object !== 'string') throw doing === 'charging' ? unknownOutcome() : processorUnavailable()
    return answer
  }
}

type StripeError = Stripe.errors.StripeError

export function isStripeError(error: unknown): error is StripeError {
  return error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe')
}

/** The bank's or Stripe's reason for refusing a card. */
interface CardNo {
  code?: string | undefined
  decline_code?: string | undefined
}

const BY_CODE: Record<string, ErrorCode> = {
  insufficient_funds: 'CARD_INSUFFICIENT_FUNDS',
  lost_card: 'CARD_LOST_OR_STOLEN',
  stolen_card: 'CARD_LOST_OR_STOLEN',
  pickup_card: 'CARD_LOST_OR_STOLEN',
  fraudulent: 'CARD_SUSPICIOUS',
  merchant_blacklist: 'CARD_SUSPICIOUS',
  expired_card: 'CARD_EXPIRED',
  invalid_expiry_month: 'CARD_EXPIRED',
  invalid_expiry_year: 'CARD_EXPIRED',
  incorrect_cvc: 'CARD_INCORRECT_CVC',
  invalid_cvc: 'CARD_INCORRECT_CVC',
  incorrect_number: 'CARD_INCORRECT_NUMBER',
  invalid_number: 'CARD_INCORRECT_NUMBER',
  processing_error: 'PAYMENT_TRY_LATER',
  issuer_not_available: 'PAYMENT_TRY_LATER',
  try_again_later: 'PAYMENT_TRY_LATER',
  authentication_required: 'CARD_CONFIRMATION',
  invoice_payment_intent_requires_action: 'CARD_CONFIRMATION',
  payment_intent_authentication_failure: 'CARD_CONFIRMATION',
  setup_intent_authentication_failure: 'CARD_CONFIRMATION',
}

/** The refusal for a bank's reason; the more specific code decides. */
export function cardRefusal(cardError: CardNo, cause?: unknown): PaymentError {
  const code = BY_CODE[cardError.decline_code ?? ''] ?? BY_CODE[cardError.code ?? ''] ?? 'CARD_DECLINED'
  return paymentDeclined(code, { provider: { code: cardError.decline_code ?? cardError.code ?? '' }, cause })
}

/** Parameters with what the customer pays with. */
const UNUSABLE: ReadonlySet<string> = new Set(['payment_method', 'default_payment_method', 'confirmation_token'])

/**
 * The port's error for a failure. `repeated`: the request was sent more than once, so a clear response to the last does not decide the
 * first.
 */
export function toPaymentError(error: unknown, doing: Doing, repeated = false): PaymentError {
  const uncertain = (details: { cause: unknown }) => (doing === 'charging' ? unknownOutcome(details) : processorUnavailable(details))
  if (!isStripeError(error)) return uncertain({ cause: error })
  const details = {
    cause: error,
    provider: { ...(error.code ? { code: error.code } : {}), ...(error.requestId ? { requestId: error.requestId } : {}) },
  }
  switch (error.type) {
    case 'StripeCardError':
      return cardRefusal({ code: error.code, decline_code: error.decline_code }, error)
    case 'StripeIdempotencyError':
      return new PaymentError({ kind: 'invalid', code: 'IDEMPOTENCY_KEY_REUSED', retry: 'never', ...details })
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return repeated ? unknownOutcome(details) : paymentMisconfigured(details)
    case 'StripeRateLimitError':
      return repeated ? unknownOutcome(details) : error.code === 'lock_timeout' ? processorBusy(details) : processorUnavailable(details)
    case 'StripeInvalidRequestError':
      break
    default:
      return uncertain(details)
  }
  if (error.statusCode === 409) return processorBusy(details)
  if (error.code === 'amount_too_small' || error.code === 'amount_too_large') return unsupported('AMOUNT_OUT_OF_RANGE', details)
  // A ConfirmationToken that was used before, or has expired, is as useless as an unknown card: the customer has to pay again.
  if (UNUSABLE.has(error.param ?? '')) return paymentInvalid('PAYMENT_METHOD_UNAVAILABLE', details)
  if (error.code === 'resource_missing' && doing === 'asking') return unknownObject(details)
  return paymentMisconfigured(details)
}
