/**
 * Refusals that a page also shows by itself, without a response of the server; every other sentence comes with the response.
 * Part of the catalogue (errors.ts), but in a file of their own: the whole catalogue would add 3 kB to each page.
 */

export interface Sentence {
  status: number
  message: string
  /** Its wording in the embedded card form, where it differs (settled 38). */
  embedded?: string
}

export const publicErrors = {
  INVALID_INPUT: { status: 400, message: 'Revisa los datos que enviaste.' },
  TOKEN_EXPIRED: { status: 401, message: 'Tu sesión terminó. Inicia sesión de nuevo.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Hiciste demasiados intentos. Espera un momento e intenta de nuevo.' },
  INTERNAL: { status: 500, message: 'Algo salió mal de nuestro lado. Inténtalo más tarde.' },
  EMAIL_NOT_FOUND: { status: 404, message: 'Lo sentimos. No encontramos una cuenta con ese correo. ¡Regístrate!' },
  WRONG_PASSWORD: { status: 401, message: 'La contraseña es incorrecta. Por favor, intenta de nuevo' },
  WRONG_CREDENTIALS: { status: 401, message: 'El correo o la contraseña no son correctos. Por favor, intenta de nuevo' },
  PHONE_IN_USE: { status: 409, message: 'Ya existe una cuenta con ese número de teléfono' },
  ACCOUNT_EXISTS: { status: 409, message: 'Ya tienes una cuenta con nosotros. Por favor, inicia sesión.' },
} as const satisfies Record<string, Sentence>
