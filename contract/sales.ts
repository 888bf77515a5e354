/** Buying: attempts, purchases, saved cards (spec 1 sections 2-5, 7, 8; settled 5-7, 12-17; payments study section 4). */
import * as z from 'zod'
import { hasCardNumber } from './card-number.ts'
import { classPackage, periodUnit } from './catalogue.ts'
import { received } from './counter.ts'
import { endpoint, id, instant, paragraph, pathId, pesosWire, refusals, singleLine, unlessNull } from './endpoint.ts'
import { CARD_PROCESSORS } from './processors.ts'

export const purchaseStatus = z.enum(['pending', 'active', 'completed', 'failed', 'cancelled', 'revoked'])

/** How a paper voucher or transfer is paid. */
export const voucher = z.object({
  kind: z.enum(['oxxo', 'spei', 'efectivo']),
  reference: z.string(),
  expires_at: instant,
  url: z.string().nullable(),
  clabe: z.string().nullable(),
  /** What is still to be sent when a part of a transfer came; null otherwise. */
  missing: pesosWire.nullable(),
  /** How it is paid, a step per line. */
  instructions: z.array(z.string()),
})

export const purchase = z.object({
  purchase_id: id,
  payment_id: id.nullable(),
  title: z.string(),
  /** Null when a single place in a class was sold at the counter; `title` says which. */
  class_package: classPackage
    .pick({ class_package_id: true, title: true, image: true, receipt_file: true, class_amount: true, is_online: true })
    .extend({
      /** The file that comes with it, and its address while the purchase is good (S2-3.18). */
      downloadable: z.object({ name: z.string(), type: z.string() }).nullable(),
      file_url: z.string().nullable(),
    })
    .nullable(),
  createdAt: instant,
  updatedAt: instant,
  cancelledAt: instant.nullable(),
  /** Wall clocks written as UTC, for display (settled 2). */
  created_date: instant,
  cancelled_date: instant.nullable(),
  /** Before the discount. */
  amount: pesosWire,
  discount: pesosWire,
  /** The code that took it off, as it was named then (D5). */
  discount_code: z.string().nullable(),
  total_payment: pesosWire,
  status: z.string(),
  class_amount: z.int(),
  expiration_days: z.int(),
  payment_method_id: id.nullable(),
  payment_method: z.object({ name: z.string() }).nullable(),
  customer: z.object({ email: z.string() }),
  subscription_id: z.string().nullable(),
  subscription_period: periodUnit.nullable(),
  subscription_interval: z.int().nullable(),
  free_trial_length: z.int().nullable(),
  free_trial_period: periodUnit.nullable(),
  /** The next charge of a live subscription or trial; date as wall clock written as UTC. None while its charges are paused. */
  next_charge: z.object({ amount: pesosWire, date: instant }).nullable(),
  /** While a free trial lasts: its end, wall clock written as UTC (S1-4.30). */
  trial_ends_date: instant.nullable(),
  /** Until when a subscription can be used: the end of what is paid, or of a cancelled one; wall clock written as UTC (S1-4.25). */
  benefits_until_date: instant.nullable(),
  /** A renewal was not paid and is tried again. */
  past_due: z.boolean(),
  /** The bank wants me to confirm what is overdue. */
  confirm_charge: z.boolean(),
  /** The studio suspended its charges. */
  paused: z.boolean(),
  is_gift: z.boolean(),
  /** What was given back of it. */
  refunded: pesosWire,
  /** What should have gone back and did not arrive: the studio owes it and gives it another way (docs/domain.md V37). */
  refund_owed: pesosWire,
  /** Whether a receipt can be had (`GET /purchases/{id}/receipt`). */
  has_receipt: z.boolean(),
  /** A live subscription that is charged to a card: it can be given another one. */
  can_change_card: z.boolean(),
  /** It waits for nobody but its customer, who left the processor's page, the wallet or the bank's question, or whose card was refused: nothing is charged. */
  unfinished: z.boolean(),
  /** Whether the server lets the subscription be cancelled (settled 34); the table offers it only while `active`. */
  can_cancel: z.boolean(),
  voucher: voucher.nullable(),
  /** Why the last attempt failed, when it did. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
})
export type Purchase = z.infer<typeof purchase>

/** What every payment call answers (S1-3.47): which step the browser takes next. */
export const paymentAnswer = z.object({
  purchase_id: id,
  payment_id: id.nullable(),
  status: purchaseStatus,
  /** The wallet's plan and subscription, when it is one. */
  plan_id: z.string().nullable(),
  subscriptionID: z.string().nullable(),
  /** The wallet's order that the customer approves. */
  orderID: z.string().nullable(),
  /** The wallet's page for it, where no script of the wallet runs. */
  approve_url: z.string().nullable(),
  /** Hand it to the card provider to confirm (3-D Secure); only to the owner, never stored. */
  clientSecret: z.string().nullable(),
  /** Whether the secret confirms a payment or stores a card. */
  intent: z.enum(['payment', 'setup']).nullable(),
  session: z.object({ id: z.string(), url: z.string() }).nullable(),
  voucher: voucher.nullable(),
})
export type PaymentAnswer = z.infer<typeof paymentAnswer>

export const savedCard = z.object({
  payment_source_id: id,
  source_id: z.string(),
  conekta_payment_source_id: z.string().nullable(),
  /** mastercard, visa, amex or other; said by the processor, never by the browser (settled 13). */
  card_type: z.string(),
  last_digits: z.string(),
  exp: z.string().nullable(),
})
export type SavedCard = z.infer<typeof savedCard>

/** Who holds the card fields, and the key that its script wants: a public one, from the settings. */
export const cardFields = z.object({ processor: z.enum(CARD_PROCESSORS), public_key: z.string().nullable() })
export type CardFields = z.infer<typeof cardFields>

export const discountCode = singleLine(60).nullish()
const shownPesos = singleLine(12).regex(/^\d{1,7}\.\d{2}$/, 'Escribe la cantidad con dos decimales.')
/**
 * What the page told its customer that this costs, in pesos: today, the first charge, later ones. It is no price: it is only held against the
 * server's own, and PRICE_CHANGED is answered where they differ (docs/domain.md V36). Whoever shows no price leaves it out.
 */
export const priceShownToCustomer = z.object({ today: shownPesos, total: shownPesos, next_total: shownPesos.nullable() }).nullish()
export type PriceShownToCustomer = z.infer<typeof priceShownToCustomer>
/**
 * Its customer wants another one, though the same was bought a moment ago or is a subscription that is alive: PURCHASE_REPEATED and
 * SUBSCRIPTION_REPEATED ask for it. Counts only with an `Idempotency-Key`, so that a repeated request is never a third one (V6).
 */
export const buyAgain = unlessNull(z.boolean())
/** A token or an id that a processor gave out. A card's number is none, and goes no further than here (settled 13). */
export const processorToken = singleLine(255).refine((text) => !hasCardNumber(text), 'Aquí no va el número de una tarjeta.')
/** The browser may say how it pays in the spec's ways: 1 or "card", "oxxo", "spei", a token, or an id. Amounts are never read. */
const wayId = z.union([processorToken, z.int().max(1_000_000)])
const paymentMethodInput = z.union([wayId, z.object({ id: wayId })]).nullish()

export const checkoutRefusals = refusals(
  'PACKAGE_NOT_FOUND',
  'EVENT_OVER',
  'EVENT_CANCELLED',
  'PACKAGE_SOLD_OUT',
  'PURCHASE_LIMIT',
  'CHECKOUT_DISABLED',
  'SIGNUP_FEE_REQUIRED',
  'PAYMENT_METHOD_MISSING',
  'PAYMENT_METHOD_UNAVAILABLE',
  'AMOUNT_OUT_OF_RANGE',
  'VOUCHER_NAME',
  'CARD_SUSPICIOUS',
  'CARD_FORMAT',
  'CARD_INSUFFICIENT_FUNDS',
  'CARD_LOST_OR_STOLEN',
  'CARD_DECLINED',
  'CARD_EXPIRED',
  'CARD_INCORRECT_CVC',
  'CARD_INCORRECT_NUMBER',
  'CARD_CONFIRMATION',
  'PAYMENT_FAILED',
  'PAYMENT_TRY_LATER',
  'PAYMENT_IN_PROGRESS',
  'PURCHASE_IN_PROGRESS',
  'PURCHASE_REPEATED',
  'SUBSCRIPTION_REPEATED',
  'TOO_MANY_CARDS',
  'DISCOUNT_EXHAUSTED',
  'DISCOUNT_INVALID',
  'PRICE_CHANGED',
  'TRIAL_USED',
  'DOCUMENTS_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
)

export const sales = {
  /** Card provider flow (S1-7.45, S1-7.49): charges a token or a saved card. The amount is computed and frozen here. */
  attempt: endpoint('POST', '/checkout/attempt', 'customer', 'Compras', 'Pagar con tarjeta')
    .input(
      z.object({
        class_package_id: id,
        discountCode,
        payment_method: paymentMethodInput,
        payment_method_id: wayId.nullish(),
        payment_source_id: id.nullish(),
        /** The same card by the other name that the wire has for it (S2-3.17, settled 14). */
        conekta_payment_source_id: processorToken.nullish(),
        save_card: unlessNull(z.boolean()),
        shown: priceShownToCustomer,
        again: buyAgain,
      }),
    )
    .errors(checkoutRefusals)
    .output(paymentAnswer),
  /** First flow (S1-7.46): cash, free packages, or one of its saved cards. `customer_id` in the body is ignored: the token says who. */
  checkout: endpoint('POST', '/checkout', 'customer', 'Compras', 'Comprar en efectivo, sin costo o con una tarjeta guardada')
    .input(
      z.object({
        class_package_id: id,
        customer_id: z.unknown().optional(),
        discountCode,
        payment_method_id: id.nullish(),
        /** A saved card's `token_id`, or a token of the processor's fields. */
        token_id: processorToken.nullish(),
        conekta_payment_source_id: processorToken.nullish(),
        shown: priceShownToCustomer,
        again: buyAgain,
      }),
    )
    .errors(checkoutRefusals)
    .output(paymentAnswer),
  /** Gives up a purchase that still waits for money: the dialog was closed, the wallet cancelled. */
  giveUp: endpoint('POST', '/checkout/cancel/{purchase_id}', 'customer', 'Compras', 'Dejar una compra sin pagar')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS'))
    .output(z.object({ purchase })),
  list: endpoint('GET', '/purchases', 'customer', 'Compras', 'Mis compras').output(z.object({ purchases: z.array(purchase) })),
  /** By purchase_id or payment_id (S1-2.23); settles a pending purchase, at most once every two seconds. */
  one: endpoint('GET', '/purchases/{id}', 'customer', 'Compras', 'Una compra')
    .input(z.object({ id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND'))
    .output(z.object({ purchase })),
  /** Ends a subscription: at once in a free trial, otherwise at the end of the paid period (S1-7.44). By purchase_id. */
  cancel: endpoint('POST', '/purchases/cancel/{id}', 'customer', 'Compras', 'Cancelar una suscripción')
    .input(z.object({ id: pathId, reason: unlessNull(paragraph(500)) }))
    .errors(
      refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS', 'CANCEL_REASON_REQUIRED', 'SUBSCRIPTION_NOT_CANCELLABLE'),
    )
    .output(z.object({ purchase })),
  /** Staff received the money of a purchase that waits in cash, by whatever way it came in the end (payments study section 4). */
  markPaid: endpoint('POST', '/admin/purchases/{purchase_id}/mark-paid', 'staff:sales.sell', 'Compras', 'Marcar pagada en el estudio')
    .input(z.object({ purchase_id: pathId, ...received }))
    .errors(
      refusals(
        ...([
          'PURCHASE_NOT_FOUND',
          'PURCHASE_CLOSED',
          'PAYMENT_IN_PROGRESS',
          'PAYMENT_METHOD_UNAVAILABLE',
          'CASH_SESSION_REQUIRED',
        ] as const),
      ),
    )
    .output(z.object({ purchase })),
  /** Saved cards, and whose fields take a new one: null when the studio keeps no cards (S1-7.62). */
  cards: endpoint('GET', '/payment_sources', 'customer', 'Compras', 'Mis tarjetas').output(
    z.object({ payment_sources: z.array(savedCard), card: cardFields.nullable() }),
  ),
}
