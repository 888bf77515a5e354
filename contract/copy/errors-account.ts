/** Refusals that pages of signed-in customers also show by themselves: the checkout, classes, videos and mailed links. */
import type { Sentence } from './errors-public.ts'

export const accountErrors = {
  PROFILE_INCOMPLETE: { status: 412, message: 'Debes completar tu información personal antes de reservar clases.' },
  PACKAGE_SOLD_OUT: {
    status: 412,
    message: 'Lo sentimos, se ha alcanzado el límite de personas para este paquete.',
    embedded: 'Lo sentimos. Este paquete se ha agotado.',
  },
  PURCHASE_LIMIT: {
    status: 409,
    message: 'Lo sentimos, ya has alcanzado el límite de compras de este paquete.',
    embedded: 'Lo sentimos. Has alcanzado el límite de compras de este paquete.',
  },
  CHECKOUT_DISABLED: { status: 412, message: 'Por ahora no es posible comprar en línea. Comunícate con nosotros.' },
  SIGNUP_FEE_REQUIRED: { status: 412, message: 'Antes de comprar un paquete de clases debes pagar tu inscripción.' },
  PAYMENT_METHOD_UNAVAILABLE: { status: 412, message: 'Ese método de pago no está disponible para esta compra.' },
  CARD_DECLINED: { status: 402, message: 'Lo sentimos. Tu banco ha rechazado la tarjeta. Comunícate con tu banco.' },
  CARD_EXPIRED: { status: 402, message: 'Lo sentimos. Tu tarjeta ha expirado' },
  CARD_INCORRECT_CVC: { status: 402, message: 'Lo sentimos. El CVV de tu tarjeta es incorrecto.' },
  CARD_INCORRECT_NUMBER: { status: 402, message: 'Lo sentimos. El número de tu tarjeta es incorrecto.' },
  CARD_FORMAT: { status: 402, message: 'El formato de la tarjeta no es válido, revisa los datos que ingresaste por favor.' },
  CARD_CONFIRMATION: { status: 402, message: 'Hubo un error al procesar tu compra: {message}' },
  PAYMENT_FAILED: { status: 402, message: 'Hubo un error al procesar tu compra. Inténtalo más tarde.' },
  PAYMENT_TRY_LATER: { status: 503, message: 'Hubo un error al procesar tu compra. Inténtalo más tarde.' },
  PAYMENT_SOURCE_FAILED: { status: 412, message: 'Hubo un error al agregar este método de pago.' },
  DISCOUNT_EXHAUSTED: {
    status: 412,
    message: 'Lo sentimos, ya has agotado este descuento.',
    embedded: 'Lo sentimos. No puedes usar este descuento',
  },
  DISCOUNT_INVALID: {
    status: 404,
    message: 'Lo sentimos, ese descuento no es válido.',
    embedded: 'Lo sentimos. No puedes usar este descuento',
  },
  CARD_LINK_INVALID: { status: 404, message: 'Este enlace no es válido.' },
  PENALTY_ACTIVE: { status: 412, message: 'Lo sentimos, no puedes reservar clases porque cuentas con una penalización.' },
  OFFER_INVALID: { status: 404, message: 'Este enlace no es válido.' },
  OFFER_GONE: { status: 409, message: 'Este lugar ya no está apartado para ti.' },
  VIDEO_NOT_FOUND: { status: 404, message: 'Lo sentimos, no hemos encontrado este video.' },
  VIDEO_NEEDS_PURCHASE: { status: 412, message: 'no cuentas con una membresía activa para clases online' },
} as const satisfies Record<string, Sentence>

const inside: Readonly<Record<string, Sentence | undefined>> = accountErrors

/** Wording of a refusal in the embedded card form (settled 38); null: use the server's message. */
export const embeddedFormErrors = (code: string): string | null => inside[code]?.embedded ?? null
