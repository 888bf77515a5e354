/**
 * Test cards and their behaviour. Only the card form knows which number means which card (card-page.ts), in the browser; from there on a
 * card is a token that contains its behaviour, brand and last digits, and nothing else.
 */
import { createHash } from 'node:crypto'
import type { ErrorCode } from '#contract/errors.ts'
import { cardMethod } from '#server/adapters/payments/card-label.ts'
import { NOT_CONFIRMED } from '#server/adapters/payments/failures.ts'
import type { Card } from '#server/adapters/payments/port.ts'

export type Brand = Card['brand']

/** The bank's immediate refusal; null = the charge succeeds. */
interface Behaviour {
  refusal: { code: ErrorCode; message?: string } | null
  /** Description for the list of test cards. */
  label: string
}

/** Shown when the customer did not pass 3-D Secure; fills 'Hubo un error al procesar tu compra: {message}' (S1-8.32). */
export const NOT_AUTHENTICATED = NOT_CONFIRMED

export const BEHAVIOURS = {
  ok: { refusal: null, label: 'Se cobra al momento' },
  '3ds': { refusal: null, label: 'Pide la confirmación del banco' },
  '3ds_fail': { refusal: null, label: 'La confirmación del banco falla' },
  funds: { refusal: { code: 'CARD_INSUFFICIENT_FUNDS' }, label: 'Fondos insuficientes' },
  lost: { refusal: { code: 'CARD_LOST_OR_STOLEN' }, label: 'Reportada como perdida' },
  stolen: { refusal: { code: 'CARD_LOST_OR_STOLEN' }, label: 'Reportada como robada' },
  expired: { refusal: { code: 'CARD_EXPIRED' }, label: 'Expirada' },
  cvc: { refusal: { code: 'CARD_INCORRECT_CVC' }, label: 'CVV incorrecto' },
  number: { refusal: { code: 'CARD_INCORRECT_NUMBER' }, label: 'Número incorrecto' },
  declined: { refusal: { code: 'CARD_DECLINED' }, label: 'Rechazada por el banco' },
  suspicious: { refusal: { code: 'CARD_SUSPICIOUS' }, label: 'Bloqueada por el procesador' },
  format: { refusal: { code: 'CARD_FORMAT' }, label: 'Formato no válido' },
  timeout_paid: { refusal: null, label: 'Se cobra, pero la respuesta se pierde' },
  timeout_unpaid: { refusal: null, label: 'No se cobra y la respuesta se pierde' },
  async: { refusal: null, label: 'Se cobra unos segundos después' },
  slow: { refusal: null, label: 'Se cobra y tarda en responder' },
  renew_fail: { refusal: null, label: 'Se cobra la primera vez; las renovaciones fallan' },
} as const satisfies Record<string, Behaviour>

export type BehaviourName = keyof typeof BEHAVIOURS

export interface TestCard {
  behaviour: BehaviourName
  brand: Brand
  last4: string
  /** MM/YYYY */
  exp: string
  /** The token came from the card form; a bare token (`tok_ok`) belongs to no particular card. */
  typed?: true
}

const TOKEN = /^tok_([a-z0-9_]{2,20})(?:~(visa|mastercard|amex)~(\d{4})~(0[1-9]|1[0-2])(20\d\d)~[a-z0-9]{1,16})?$/

/** The card of a token: `tok_ok`, or `tok_ok~visa~4242~122030~k3x9` as the card form makes it. Null when it is not a sandbox token. */
export function readToken(token: string): TestCard | null {
  const found = TOKEN.exec(token)
  const behaviour = found?.[1]
  if (!behaviour || !Object.hasOwn(BEHAVIOURS, behaviour)) return null
  return {
    behaviour: behaviour as BehaviourName,
    brand: (found[2] as Brand | undefined) ?? 'visa',
    last4: found[3] ?? '4242',
    exp: found[4] ? `${found[4]}/${found[5]}` : '12/2030',
    ...(found[2] ? { typed: true } : {}),
  }
}

/** The same for every token of a card. */
export function fingerprint(card: TestCard): string {
  return createHash('sha256').update(`${card.behaviour}|${card.brand}|${card.last4}`).digest('base64url').slice(0, 16)
}

/** "Visa terminada en 4242" */
export function cardLabel(card: { brand: Brand; last4: string }): string {
  return cardMethod(card.brand, card.last4).label
}

/** Test numbers in groups, with their behaviour. Shown on the card page; they belong to no real card. */
export const TEST_NUMBERS: readonly { groups: readonly string[]; brand: Exclude<Brand, 'other'>; behaviour: BehaviourName }[] = [
  { groups: ['4242', '4242', '4242', '4242'], brand: 'visa', behaviour: 'ok' },
  { groups: ['5555', '5555', '5555', '4444'], brand: 'mastercard', behaviour: 'ok' },
  { groups: ['3782', '822463', '10005'], brand: 'amex', behaviour: 'ok' },
  { groups: ['4000', '0025', '0000', '3155'], brand: 'visa', behaviour: '3ds' },
  { groups: ['4000', '0084', '0000', '1629'], brand: 'visa', behaviour: '3ds_fail' },
  { groups: ['4000', '0000', '0000', '9995'], brand: 'visa', behaviour: 'funds' },
  { groups: ['4000', '0000', '0000', '9987'], brand: 'visa', behaviour: 'lost' },
  { groups: ['4000', '0000', '0000', '9979'], brand: 'visa', behaviour: 'stolen' },
  { groups: ['4000', '0000', '0000', '0069'], brand: 'visa', behaviour: 'expired' },
  { groups: ['4000', '0000', '0000', '0127'], brand: 'visa', behaviour: 'cvc' },
  { groups: ['4000', '0000', '0000', '0101'], brand: 'visa', behaviour: 'number' },
  { groups: ['4000', '0000', '0000', '0002'], brand: 'visa', behaviour: 'declined' },
  { groups: ['4100', '0000', '0000', '0019'], brand: 'visa', behaviour: 'suspicious' },
  { groups: ['4000', '0000', '0000', '0119'], brand: 'visa', behaviour: 'format' },
  { groups: ['4000', '0000', '0000', '0341'], brand: 'visa', behaviour: 'renew_fail' },
  { groups: ['4000', '0000', '0000', '3220'], brand: 'visa', behaviour: 'async' },
  { groups: ['4000', '0000', '0000', '0259'], brand: 'visa', behaviour: 'timeout_paid' },
  { groups: ['4000', '0000', '0000', '2685'], brand: 'visa', behaviour: 'timeout_unpaid' },
]

/** The stored state of a payment or subscription that was refused: by its card, or because the customer did not confirm it to the bank. */
export function refusedState(card: TestCard | null, confirmed = true) {
  const own = card ? BEHAVIOURS[card.behaviour].refusal : null
  return {
    state: 'refused',
    step: null,
    refused_code: confirmed ? (own?.code ?? 'CARD_DECLINED') : 'CARD_CONFIRMATION',
    refused_message: confirmed ? null : NOT_AUTHENTICATED,
  } as const
}
