/**
 * Maps a failure to its display: an error beside a field, one on the form, an alert of 5 seconds, a redirect, or nothing. Chosen by code,
 * never by text (settled 15). Codes of the identity service get the exact sentences of spec 1 section 8.
 */

import { publicErrors } from '#contract/copy/errors-public.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { paths } from '#contract/paths.ts'
import { showAlert } from './alerts.ts'

export interface Failure {
  code: ErrorCode | 'NETWORK' | 'UNKNOWN' | `auth/${string}`
  status: number
  message: string
  data: Readonly<Record<string, unknown>>
}

export type ErrorDisplay =
  | { as: 'field'; fields: Readonly<Record<string, string>>; message: string }
  | { as: 'form'; message: string }
  | { as: 'alert'; message: string }
  | { as: 'redirect'; to: string; message: string }
  | { as: 'silence' }

const NETWORK_MESSAGE = 'No pudimos conectarnos. Revisa tu conexión e intenta de nuevo.'

/** Sentences for codes of the identity service; other codes show the service's own text (S1-8.04). */
const IDENTITY: Readonly<Record<string, string>> = {
  'auth/user-not-found': publicErrors.EMAIL_NOT_FOUND.message,
  'auth/wrong-password': publicErrors.WRONG_PASSWORD.message,
  // With the privacy switch on, the answer does not reveal whether the email or the password was wrong (settled 9).
  'auth/invalid-credential': publicErrors.WRONG_CREDENTIALS.message,
  'auth/invalid-login-credentials': publicErrors.WRONG_CREDENTIALS.message,
  'auth/email-already-in-use': publicErrors.ACCOUNT_EXISTS.message,
  'auth/invalid-email': 'Escribe un correo válido.',
  'auth/missing-email': 'Escribe tu correo.',
  'auth/missing-password': 'Escribe tu contraseña.',
  'auth/weak-password': 'La contraseña es demasiado débil.',
  'auth/password-does-not-meet-requirements': 'La contraseña no cumple los requisitos.',
  'auth/user-disabled': 'Esta cuenta está desactivada. Comunícate con nosotros.',
  'auth/user-token-expired': publicErrors.TOKEN_EXPIRED.message,
  'auth/too-many-requests': publicErrors.TOO_MANY_REQUESTS.message,
  'auth/network-request-failed': NETWORK_MESSAGE,
  'auth/requires-recent-login': 'Por seguridad, inicia sesión de nuevo para hacer este cambio.',
  'auth/expired-action-code': 'Este enlace ya venció.',
  'auth/invalid-action-code': 'Este enlace no es válido o ya se usó.',
  'auth/missing-recaptcha-token': 'No pudimos comprobar que eres una persona. Intenta de nuevo.',
  'auth/popup-blocked': 'Tu navegador bloqueó la ventana para iniciar sesión. Permítela e intenta de nuevo.',
  'auth/popup-closed-by-user': 'Cerraste la ventana antes de iniciar sesión.',
  'auth/cancelled-popup-request': 'Ya hay otra ventana abierta para iniciar sesión.',
  'auth/unauthorized-domain': 'Esta dirección no está autorizada para iniciar sesión.',
  'auth/web-storage-unsupported':
    'Tu navegador no deja guardar tu sesión. Sal del modo privado o permite que este sitio guarde datos, y vuelve a intentar.',
  'auth/operation-not-allowed': 'Esta forma de entrar no está disponible.',
}

/** The form field that a failure belongs to, by code. */
const FIELD: Readonly<Record<string, string>> = {
  'auth/user-not-found': 'email',
  'auth/invalid-email': 'email',
  'auth/missing-email': 'email',
  'auth/wrong-password': 'password',
  'auth/missing-password': 'password',
  'auth/weak-password': 'password',
  'auth/password-does-not-meet-requirements': 'password',
  ...({
    PHONE_IN_USE: 'phone',
    INVALID_PHONE: 'phone',
    GUEST_NAME_REQUIRED: 'guest',
    CANCEL_REASON_REQUIRED: 'reason',
    CARD_INCORRECT_NUMBER: 'number',
    CARD_INCORRECT_CVC: 'cvc',
    CARD_EXPIRED: 'expiry',
    SPOT_REQUIRED: 'spot',
    SPOT_TAKEN: 'spot',
    SPOT_UNKNOWN: 'spot',
    SPOT_OUT_OF_ORDER: 'spot',
  } satisfies Partial<Record<ErrorCode, string>>),
}

interface Wired {
  code: string
  status: number
  message: string
  data?: unknown
}

/** Whether a value is an object of any kind; its properties are not checked. */
export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isWired = (error: unknown): error is Wired =>
  isRecord(error) && typeof error.code === 'string' && typeof error.status === 'number' && typeof error.message === 'string'
const isIdentity = (error: unknown): error is { code: `auth/${string}`; message: string } =>
  isRecord(error) && typeof error.code === 'string' && error.code.startsWith('auth/')

/**
 * The service's own text for a code without a sentence of ours (S1-8.04). The SDK's placeholder (only the code) gets a Spanish
 * sentence before it.
 */
const inSpanish = (text: string) => (text.startsWith('Firebase: Error (') ? `No pudimos completar la operación. ${text}` : text)

/** Converts any thrown value to a Failure. */
export function toFailure(error: unknown): Failure {
  if (isIdentity(error)) {
    return { code: error.code, status: 0, message: IDENTITY[error.code] ?? inSpanish(String(error.message)), data: {} }
  }
  if (isWired(error))
    return {
      code: error.code as ErrorCode | 'UNKNOWN',
      status: error.status,
      message: error.message || publicErrors.INTERNAL.message,
      data: isRecord(error.data) ? error.data : {},
    }
  // fetch rejects with a TypeError when there is no answer.
  if (error instanceof TypeError) return { code: 'NETWORK', status: 0, message: NETWORK_MESSAGE, data: {} }
  return { code: 'UNKNOWN', status: 500, message: publicErrors.INTERNAL.message, data: {} }
}

/** The issues of a refused input: one sentence per field, the first of each. */
function issuesOf(failure: Failure): Record<string, string> {
  const issues = Array.isArray(failure.data.issues) ? failure.data.issues : []
  const fields: Record<string, string> = {}
  for (const issue of issues)
    if (isRecord(issue) && typeof issue.path === 'string' && typeof issue.message === 'string')
      fields[issue.path || 'form'] ??= issue.message
  return fields
}

/** How a form shows a failure of its own call. Unlike `showInGeneral`, statuses 400 and 401 are shown: they concern the typed values. */
export function showInForm(error: unknown): ErrorDisplay {
  const failure = toFailure(error)
  const { message } = failure
  if (failure.code === 'UNAUTHENTICATED' || failure.code === 'TOKEN_EXPIRED') return { as: 'redirect', to: paths.login, message }
  if (failure.code === 'NO_CUSTOMER') return { as: 'redirect', to: paths.signup, message }
  if (failure.code === 'PROFILE_INCOMPLETE') return { as: 'redirect', to: paths.mystudio.profile, message }
  if (failure.code === 'INVALID_INPUT' || failure.code === 'FORM_FIELD' || failure.code === 'FORM_FIELDS') {
    const fields = issuesOf(failure)
    return Object.keys(fields).length ? { as: 'field', fields, message } : { as: 'form', message }
  }
  const field = FIELD[failure.code]
  if (field) return { as: 'field', fields: { [field]: message }, message }
  if (failure.code === 'NETWORK' || failure.status >= 500) return { as: 'alert', message }
  return { as: 'form', message }
}

/** How a failed call is shown when no component handles it. Statuses 401 and 400 raise no alert (S1-8.01, settled 15). */
export function showInGeneral(error: unknown): ErrorDisplay {
  const failure = toFailure(error)
  if (failure.status === 401 || failure.status === 400) return { as: 'silence' }
  return { as: 'alert', message: failure.message }
}

/** Shows the alert of `showInGeneral`, if there is one. */
export function alertFailure(error: unknown): void {
  const shown = showInGeneral(error)
  if (shown.as === 'alert') showAlert('alert', shown.message)
}

/** Whether a retry may succeed: no answer arrived, or the server was busy (502, 503, 504). */
export function isPassing(error: unknown): boolean {
  const { code, status } = toFailure(error)
  return code === 'NETWORK' || code === 'auth/network-request-failed' || status === 502 || status === 503 || status === 504
}
