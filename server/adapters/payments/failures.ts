/** Constructors of the port's errors. No provider's text crosses the port: the original error is the `cause`. */
import type { ErrorCode } from '#contract/errors.ts'
import { PaymentError } from './port.ts'

interface ErrorDetails {
  cause?: unknown
  provider?: PaymentError['provider']
}

/** Shown when the customer did not pass the bank's challenge; fills 'Hubo un error al procesar tu compra: {message}' (S1-8.32). */
export const NOT_CONFIRMED = 'Tu banco no pudo confirmar que eres tú. Intenta de nuevo o usa otra tarjeta.'

/** A definite refusal by the bank. */
export function paymentDeclined(code: ErrorCode, details: ErrorDetails = {}): PaymentError {
  return new PaymentError({
    kind: 'declined',
    code,
    retry: 'new-instrument',
    ...(code === 'CARD_CONFIRMATION' ? { message: NOT_CONFIRMED } : {}),
    ...details,
  })
}

/** A refund that the processor accepted and could not deliver: the studio has the money again. */
export function refundFailed(details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'declined', code: 'REFUND_REFUSED', retry: 'never', message: 'The refund did not arrive.', ...details })
}

/** The processor may have taken the money: read the state, never charge again. */
export function unknownOutcome(details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'unknown_outcome', code: 'PAYMENT_IN_PROGRESS', retry: 'same-key', ...details })
}

/** The processor is unavailable; nothing was charged. */
export function processorUnavailable(details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'unavailable', code: 'PAYMENT_TRY_LATER', retry: 'later', ...details })
}

/** The same request is still in progress. */
export function processorBusy(details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'busy', code: 'PAYMENT_IN_PROGRESS', retry: 'same-key', ...details })
}

/** The processor refuses our request, not the customer's card: wrong keys, missing permissions, or a bug in the request. */
export function paymentMisconfigured(details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'config', code: 'PAYMENT_TRY_LATER', retry: 'never', ...details })
}

/** The request is invalid; nothing was charged. */
export function paymentInvalid(code: ErrorCode, details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'invalid', code, retry: 'new-instrument', ...details })
}

/** Known before charging: this processor does not support it. */
export function unsupported(code: ErrorCode, details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'unsupported', code, retry: 'new-instrument', ...details })
}

/** The processor does not know the object, or it is not ours. */
export function unknownObject(details: ErrorDetails = {}): PaymentError {
  return new PaymentError({ kind: 'invalid', code: 'PAYMENT_FAILED', retry: 'never', ...details })
}
