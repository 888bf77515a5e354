/** Gift cards: sold and taken as payment at the counter (docs/domain.md, "Gift cards"). */
import * as z from 'zod'
import { endpoint, id, instant, pageNumber, pathId, pesosWire, refusals, rowsPerPage, singleLine } from './endpoint.ts'
import { parsePesos, pesos } from './money.ts'

/** Gift cards per page of the list. */
export const GIFT_CARDS_PER_PAGE = 50
/** No 0, 1, I, O: codes are read aloud and typed. */
export const GIFT_CARD_SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const GIFT_CARD_CODE_LENGTH = 16

/** A typed code without spaces and dashes, in capital letters. */
export const normalGiftCardCode = (typed: string): string => typed.toLocaleUpperCase('es-MX').replace(/[^A-Z0-9]/g, '')
/** "ABCD-EFGH-JKLM-NPQR" */
export const shownGiftCardCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code

/** A code as it is typed: dashes, spaces and small letters do not matter. */
export const giftCardCode = singleLine(40).transform(normalGiftCardCode).pipe(z.string().min(1, 'Escribe el código de la tarjeta.'))

export const giftCard = z.object({
  gift_card_id: id,
  last_four: z.string(),
  amount: pesosWire,
  balance: pesosWire,
  createdAt: instant,
  purchase_id: id,
  /** Null: sold without a customer. */
  customer: z.object({ customer_id: id, name: z.string(), last_name: z.string() }).nullable(),
  /** For a card that was bought on the site, and callers who may read customers; null otherwise. */
  delivery: z
    .object({
      name: z.string().nullable().describe('Para quién es; null: para quien la compró.'),
      email: z.string().nullable().describe('A qué correo se manda el código; null: al de quien la compró.'),
      on: z.string().nullable().describe('Qué día se manda; null: en cuanto se pagó.'),
      sentAt: instant.nullable().describe('Cuándo se mandó la última vez; null: todavía no.'),
    })
    .nullable()
    .describe('A quién y cuándo se manda su código.'),
})
export type GiftCard = z.infer<typeof giftCard>

export const giftCardMovement = z.object({
  gift_card_movement_id: id,
  kind: z.enum(['sold', 'spent', 'released', 'returned', 'refunded', 'adjusted']),
  /** Signed: what is spent is negative. */
  amount: z.string(),
  balance: pesosWire,
  reason: z.string().nullable(),
  staff: z.object({ staff_id: id, name: z.string() }).nullable(),
  createdAt: instant,
})
export type GiftCardMovement = z.infer<typeof giftCardMovement>

/** "50", "-120.50", as "-120.50". */
const signedAmount = z
  .string()
  .trim()
  .max(12)
  .refine((text) => (parsePesos(text.replace(/^-/, '')) ?? 0) > 0, 'Escribe una cantidad, como 50 o -50.')
  .transform((text) => `${text.startsWith('-') ? '-' : ''}${pesos(parsePesos(text.replace(/^-/, '')) ?? 0)}`)

const TAG = 'Tarjetas de regalo'
const giftCardOutput = z.object({ gift_card: giftCard, movements: z.array(giftCardMovement) })
const named = { gift_card_id: pathId }

/** Filters and order of the list; the list's file takes the same. */
export const giftCardFilter = {
  query: singleLine(60).optional().describe('Últimos cuatro signos del código, o quién la compró.'),
  state: z.enum(['live', 'spent']).optional().describe('Con saldo (`live`) o sin él (`spent`).'),
  sort: z
    .enum(['created', '-created', 'amount', '-amount', 'balance', '-balance', 'name', '-name'])
    .default('-created')
    .describe('El orden: por fecha, valor, saldo o quien la compró; con `-`, al revés.'),
}

export const giftCards = {
  /**
   * Gift cards of the caller's locations, newest first unless `sort` says otherwise. `liability`: the sum of their balances, null without
   * `reports.money`.
   */
  list: endpoint('GET', '/admin/gift_cards', 'staff:sales.sell', TAG, 'Tarjetas de regalo')
    .input(z.object({ ...giftCardFilter, page: pageNumber.default(1), per_page: rowsPerPage(GIFT_CARDS_PER_PAGE) }))
    .output(z.object({ gift_cards: z.array(giftCard), total: z.int(), liability: pesosWire.nullable() })),
  one: endpoint('GET', '/admin/gift_cards/{gift_card_id}', 'staff:sales.sell', TAG, 'Una tarjeta de regalo y sus movimientos')
    .input(z.object(named))
    .errors(refusals('NOT_FOUND'))
    .output(giftCardOutput),
  /** The card of a code, with its balance. Wrong codes are limited to twenty per hour and person. */
  find: endpoint('POST', '/admin/gift_cards/find', 'staff:sales.sell', TAG, 'Saldo de una tarjeta de regalo por su código')
    .input(z.object({ code: giftCardCode }))
    .errors(refusals('GIFT_CARD_NOT_FOUND'))
    .output(z.object({ gift_card: giftCard })),
  /** The code, to print it again. Recorded in the audit trail. */
  code: endpoint('POST', '/admin/gift_cards/{gift_card_id}/code', 'staff:sales.refund', TAG, 'Ver otra vez el código')
    .input(z.object(named))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ code: z.string() })),
  /** Corrects the recipient's email of a card that was bought on the site as a gift. Nothing is sent. Recorded in the audit trail. */
  correctEmail: endpoint('PUT', '/admin/gift_cards/{gift_card_id}/recipient', 'staff:sales.refund', TAG, 'Corregir a qué correo se manda')
    .input(z.object({ ...named, email: z.email('Escribe un correo válido.').max(254).describe('Adónde se envía el código.') }))
    .errors(refusals('NOT_FOUND', 'GIFT_CARD_NOT_SENT_BY_MAIL'))
    .output(giftCardOutput),
  /** Mails the code again, or now if its day has not come. Recorded in the audit trail. */
  send: endpoint('POST', '/admin/gift_cards/{gift_card_id}/send', 'staff:sales.refund', TAG, 'Enviar el código por correo')
    .input(z.object(named))
    .errors(refusals('NOT_FOUND', 'GIFT_CARD_NOT_SENT_BY_MAIL', 'IDEMPOTENCY_KEY_REUSED'))
    .output(giftCardOutput),
  /** Adds to the balance or takes from it, with a reason. GIFT_CARD_BALANCE when less is left. */
  adjust: endpoint('POST', '/admin/gift_cards/{gift_card_id}/adjust', 'staff:sales.refund', TAG, 'Ajustar el saldo')
    .input(z.object({ ...named, amount: signedAmount, reason: singleLine(300).min(3, 'Escribe el motivo.') }))
    .errors(refusals('NOT_FOUND', 'GIFT_CARD_BALANCE', 'IDEMPOTENCY_KEY_REUSED'))
    .output(giftCardOutput),
}
