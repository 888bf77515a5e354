/** What can go wrong with an outside processor, in our words (payments study 1.7). No provider's text crosses the port: the original is the cause. */
import type { ErrorCode } from '#contract/errors.ts'
import { PaymentError } from './port.ts'

interface Told {
  cause?: unknown
  provider?: PaymentError['provider']
}

/** Said to somebody who did not pass the bank's question; fills 'Hubo un error al procesar tu compra: {message}' (S1-8.32). */
export const NOT_CONFIRMED = 'Tu banco no pudo confirmar que eres tú. Intenta de nuevo o usa otra tarjeta.'

/** A definite no of the bank. */
export function declined(code: ErrorCode, told: Told = {}): PaymentError {
  return new PaymentError({
    kind: 'declined',
    code,
    retry: 'new-instrument',
    ...(code === 'CARD_CONFIRMATION' ? { message: NOT_CONFIRMED } : {}),
    ...told,
  })
}

/** A refund that the processor took on and could not deliver: the money is the studio's again. */
export function refundFailed(told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'declined', code: 'REFUND_REFUSED', retry: 'never', message: 'The refund did not arrive.', ...told })
}

/** The processor may have taken the money: ask again, never pay again. */
export function unknownOutcome(told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'unknown_outcome', code: 'PAYMENT_IN_PROGRESS', retry: 'same-key', ...told })
}

/** The processor cannot be used now; nothing was charged. */
export function unavailable(told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'unavailable', code: 'PAYMENT_TRY_LATER', retry: 'later', ...told })
}

/** The same request is still being worked on. */
export function busy(told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'busy', code: 'PAYMENT_IN_PROGRESS', retry: 'same-key', ...told })
}

/** The processor refuses us, not the customer: keys, rights, or a request that we should never have made. */
export function misconfigured(told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'config', code: 'PAYMENT_TRY_LATER', retry: 'never', ...told })
}

/** Something about the request is wrong; nothing was charged. */
export function invalid(code: ErrorCode, told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'invalid', code, retry: 'new-instrument', ...told })
}

/** Said before charging: this processor cannot do it. */
export function unsupported(code: ErrorCode, told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'unsupported', code, retry: 'new-instrument', ...told })
}

/** The processor does not know the object, or it is not ours. */
export function unknownObject(told: Told = {}): PaymentError {
  return new PaymentError({ kind: 'invalid', code: 'PAYMENT_FAILED', retry: 'never', ...told })
}
