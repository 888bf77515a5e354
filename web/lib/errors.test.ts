import { describe, expect, test } from 'vitest'
import { accountErrors, embeddedFormErrors } from '#contract/copy/errors-account.ts'
import { publicErrors } from '#contract/copy/errors-public.ts'
import { type ErrorCode, errors, isErrorCode } from '#contract/errors.ts'
import { CallError } from './api-call.ts'
import { isPassing, showInForm, showInGeneral, toFailure } from './errors.ts'

const identity = (code: string, message = `Firebase: Error (${code}).`) => Object.assign(new Error(message), { code })
const refused = (code: ErrorCode, data: object = {}) => new CallError(code, errors[code].status, errors[code].message, data)

describe('identity failures', () => {
  test.each([
    ['S1-8.02', 'auth/user-not-found', 'Lo sentimos. No encontramos una cuenta con ese correo. ¡Regístrate!'],
    ['S1-8.03', 'auth/wrong-password', 'La contraseña es incorrecta. Por favor, intenta de nuevo'],
    ['S1-8.06', 'auth/email-already-in-use', 'Ya tienes una cuenta con nosotros. Por favor, inicia sesión.'],
  ])('%s %s', (_line, code, message) => expect(toFailure(identity(code)).message).toBe(message))

  test('with the privacy switch on there is one message for both failures (settled 9)', () => {
    const shown = showInForm(identity('auth/invalid-credential'))
    expect(shown).toEqual({ as: 'form', message: errors.WRONG_CREDENTIALS.message })
    expect(toFailure(identity('auth/invalid-login-credentials')).message).toBe(errors.WRONG_CREDENTIALS.message)
  })

  test('other sign-in errors show their text (S1-8.04)', () => {
    expect(toFailure(identity('auth/strange', 'Algo muy raro')).message).toBe('Algo muy raro')
    // The SDK's placeholder text means nothing to a customer: a Spanish sentence is put before it.
    expect(toFailure(identity('auth/internal-error', 'Firebase: Error (auth/internal-error).')).message).toBe(
      'No pudimos completar la operación. Firebase: Error (auth/internal-error).',
    )
  })

  test.each([
    ['S1-5.04', 'password-does-not-meet-requirements', 'La contraseña no cumple los requisitos.'],
    ['S1-8.07', 'missing-recaptcha-token', 'No pudimos comprobar que eres una persona. Intenta de nuevo.'],
    ['S1-8.08', 'popup-blocked', 'Tu navegador bloqueó la ventana para iniciar sesión. Permítela e intenta de nuevo.'],
    ['S1-8.09', 'popup-closed-by-user', 'Cerraste la ventana antes de iniciar sesión.'],
    ['S1-8.10', 'cancelled-popup-request', 'Ya hay otra ventana abierta para iniciar sesión.'],
    ['S1-8.11', 'unauthorized-domain', 'Esta dirección no está autorizada para iniciar sesión.'],
    ['S1-8.12', 'network-request-failed', 'No pudimos conectarnos. Revisa tu conexión e intenta de nuevo.'],
  ])('%s: %s has its own words', (_line, code, message) => expect(toFailure(identity(`auth/${code}`)).message).toBe(message))

  test('a wrong password is shown under the password field, not in an alert', () => {
    expect(showInForm(identity('auth/wrong-password'))).toMatchObject({ as: 'field', fields: { password: errors.WRONG_PASSWORD.message } })
  })
})

describe('refusals in a form', () => {
  test('a phone in use is shown under the phone field (S1-8.05)', () => {
    expect(showInForm(refused('PHONE_IN_USE'))).toEqual({
      as: 'field',
      fields: { phone: 'Ya existe una cuenta con ese número de teléfono' },
      message: 'Ya existe una cuenta con ese número de teléfono',
    })
  })

  test('a refused input shows its issues field by field, the first one of each field', () => {
    const issues = [
      { path: 'name', message: 'Debes llenar este campo.' },
      { path: 'name', message: 'Otra cosa.' },
      { path: '', message: 'El conjunto no es válido.' },
    ]
    expect(showInForm(refused('INVALID_INPUT', { issues }))).toMatchObject({
      as: 'field',
      fields: { name: 'Debes llenar este campo.', form: 'El conjunto no es válido.' },
    })
    expect(showInForm(refused('INVALID_INPUT', { issues: [{ nonsense: 1 }] }))).toEqual({
      as: 'form',
      message: errors.INVALID_INPUT.message,
    })
  })

  test('an ended session and an unfinished account redirect to another page', () => {
    expect(showInForm(refused('TOKEN_EXPIRED'))).toMatchObject({ as: 'redirect', to: '/entrar' })
    expect(showInForm(refused('NO_CUSTOMER'))).toMatchObject({ as: 'redirect', to: '/registro' })
    expect(showInForm(refused('PROFILE_INCOMPLETE'))).toMatchObject({ as: 'redirect', to: '/mystudio/informacion' })
  })

  test('the embedded card form has its own texts for some refusals (settled 38)', () => {
    expect(toFailure(refused('PACKAGE_SOLD_OUT')).message).toBe('Lo sentimos, se ha alcanzado el límite de personas para este paquete.')
    expect(embeddedFormErrors('PACKAGE_SOLD_OUT')).toBe('Lo sentimos. Este paquete se ha agotado.')
    expect(embeddedFormErrors('DISCOUNT_EXHAUSTED')).toBe('Lo sentimos. No puedes usar este descuento')
    expect(['CARD_DECLINED', 'CLASS_FULL', 'UNKNOWN'].map(embeddedFormErrors)).toEqual([null, null, null])
  })

  test('the texts that the browser chooses itself equal those of the catalogue', () => {
    for (const [code, declared] of Object.entries({ ...publicErrors, ...accountErrors })) {
      if (!isErrorCode(code)) throw new Error(code)
      expect(errors[code]).toEqual(declared)
    }
  })

  test('the sentence of an answer is shown unchanged, with its placeholders filled', () => {
    const message = 'Hubo un error al procesar tu compra: No autenticada'
    const error = new CallError('CARD_CONFIRMATION', 402, message, { message: 'No autenticada' })
    expect(toFailure(error)).toMatchObject({ code: 'CARD_CONFIRMATION', message })
  })

  test('an answer of a proxy is shown in Spanish, and its status is still evaluated', () => {
    const answer = (status: number) => new CallError('UNKNOWN', status, '')
    for (const status of [404, 413, 502])
      expect(toFailure(answer(status))).toEqual({ code: 'UNKNOWN', status, message: errors.INTERNAL.message, data: {} })
    expect(isPassing(answer(502))).toBe(true)
    expect(isPassing(answer(404))).toBe(false)
  })

  test('network failures and server errors are alerts, so that the form keeps its values', () => {
    expect(showInForm(new TypeError('Failed to fetch')).as).toBe('alert')
    expect(showInForm(refused('INTERNAL'))).toEqual({ as: 'alert', message: errors.INTERNAL.message })
  })
})

describe('the general path', () => {
  test('statuses 401 and 400 raise no alert; a text that contains 400 does (S1-8.01, settled 15)', () => {
    expect(showInGeneral(refused('UNAUTHENTICATED'))).toEqual({ as: 'silence' })
    expect(showInGeneral(refused('INVALID_INPUT'))).toEqual({ as: 'silence' })
    const money = new CallError('AMOUNT_OUT_OF_RANGE', 412, 'El mínimo es $400.00')
    expect(showInGeneral(money)).toEqual({ as: 'alert', message: 'El mínimo es $400.00' })
  })

  test("every other refusal is alerted with the server's sentence", () => {
    expect(showInGeneral(refused('CLASS_FULL'))).toEqual({ as: 'alert', message: errors.CLASS_FULL.message })
    expect(showInGeneral(new CallError('STRANGE', 418, 'Soy una tetera'))).toEqual({
      as: 'alert',
      message: 'Soy una tetera',
    })
  })

  test('any other thrown value is shown as a sentence, never as a stack', () => {
    for (const thrown of [new Error('secret at /srv/app.ts'), 'x', null, undefined, { code: 5 }])
      expect(showInGeneral(thrown)).toEqual({ as: 'alert', message: errors.INTERNAL.message })
  })

  test('only transient failures are retried', () => {
    expect(isPassing(new TypeError('Failed to fetch'))).toBe(true)
    expect(isPassing(refused('BUSY'))).toBe(true)
    expect(isPassing(refused('INTERNAL'))).toBe(false)
    expect(isPassing(refused('CLASS_FULL'))).toBe(false)
  })
})
