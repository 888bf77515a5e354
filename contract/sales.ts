/** Buying: payment attempts, purchases, saved cards (spec 1 sections 2-5, 7, 8; settled 5-7, 12-17). */
import * as z from 'zod'
import { hasCardNumber } from './card-number.ts'
import { classPackage, periodUnit } from './catalogue.ts'
import { received } from './counter.ts'
import { endpoint, id, instant, localDay, paragraph, pathId, pesosWire, refusals, singleLine, unlessNull } from './endpoint.ts'
import { giftCardCode } from './gift-cards.ts'
import { CARD_PROCESSORS } from './processors.ts'

export const purchaseStatus = z.enum(['pending', 'active', 'completed', 'failed', 'cancelled', 'revoked'])

/** Instructions and reference of a paper voucher or transfer. */
export const voucher = z.object({
  kind: z.enum(['oxxo', 'spei', 'efectivo']),
  reference: z.string(),
  expires_at: instant,
  url: z.string().nullable(),
  clabe: z.string().nullable(),
  /** What is still to be sent when part of a transfer arrived; null otherwise. */
  missing: pesosWire.nullable(),
  /** How to pay it, one step per line. */
  instructions: z.array(z.string()),
})

/**
 * The class for which a package is bought (V52): the page of the order returns to it. Not a reservation, and checked only when it is
 * reserved.
 */
export const wantedClass = z.object({
  single_class_id: id,
  day: localDay,
  spot: z
    .string()
    .regex(/^[1-9]\d?-[1-9]\d?$/)
    .nullable(),
  with_guest: z.boolean(),
})
export type WantedClass = z.infer<typeof wantedClass>

export const purchase = z.object({
  purchase_id: id,
  payment_id: id.nullable(),
  title: z.string(),
  /** Null for a single place sold at the counter; `title` describes it. */
  class_package: classPackage
    .pick({ class_package_id: true, title: true, image: true, receipt_file: true, class_amount: true, is_online: true })
    .extend({
      /** The file included in the package, and its URL while the purchase is valid (S2-3.18). */
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
  /** The discount code, as it was at the purchase (D5). */
  discount_code: z.string().nullable(),
  total_payment: pesosWire,
  by_gift_card: pesosWire.describe('Lo que de su total paga una tarjeta de regalo; mientras está pendiente, apartado de su saldo.'),
  amount_due: pesosWire.describe('Lo que del total no paga la tarjeta de regalo, en pesos.'),
  status: z.string(),
  class_amount: z.int(),
  expiration_days: z.int(),
  payment_method_id: id.nullable(),
  payment_method: z.object({ name: z.string() }).nullable(),
  customer: z.object({ email: z.string().nullable() }),
  subscription_id: z.string().nullable(),
  subscription_period: periodUnit.nullable(),
  subscription_interval: z.int().nullable(),
  free_trial_length: z.int().nullable(),
  free_trial_period: periodUnit.nullable(),
  /** The next charge of a live subscription or trial; date as wall clock written as UTC. Null while its charges are paused. */
  next_charge: z.object({ amount: pesosWire, date: instant }).nullable(),
  /** While a free trial lasts: its end, wall clock written as UTC (S1-4.30). */
  trial_ends_date: instant.nullable(),
  /** Last instant at which a subscription can be used: the end of the paid or cancelled period; wall clock written as UTC (S1-4.25). */
  benefits_until_date: instant.nullable(),
  /** A renewal failed and is being retried. */
  past_due: z.boolean(),
  /** The bank requires the customer to confirm the overdue charge. */
  confirm_charge: z.boolean(),
  /** Staff suspended its charges. */
  paused: z.boolean(),
  plan_change: z
    .string()
    .nullable()
    .describe('El cambio de plan agendado, en una frase: a qué plan, desde cuándo y por cuánto; null: ninguno.'),
  is_gift: z.boolean(),
  /** Amount refunded. */
  refunded: pesosWire,
  /** Amount whose refund failed: the studio owes it and returns it another way (docs/domain.md V37). */
  refund_owed: pesosWire,
  /** Whether a receipt is available (`GET /purchases/{id}/receipt`). */
  has_receipt: z.boolean(),
  /** A live subscription charged to a card, which can be changed. */
  can_change_card: z.boolean(),
  /**
   * It waits only for the customer, who left the processor's page, the wallet or the bank's challenge, or whose card was refused: nothing
   * is charged.
   */
  unfinished: z.boolean(),
  /** Whether the server lets the subscription be cancelled (settled 34); the table offers it only while `active`. */
  can_cancel: z.boolean(),
  voucher: voucher.nullable(),
  /** Why the last attempt failed, if it did. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The class for which it was bought. */
  wanted_class: wantedClass.nullable(),
})
export type Purchase = z.infer<typeof purchase>

/** Output of every payment call (S1-3.47): determines the browser's next step. */
export const paymentAnswer = z.object({
  purchase_id: id,
  payment_id: id.nullable(),
  status: purchaseStatus,
  /** The wallet's plan and subscription, for a subscription. */
  plan_id: z.string().nullable(),
  subscriptionID: z.string().nullable(),
  /** The wallet's order that the customer must approve. */
  orderID: z.string().nullable(),
  /** The wallet's page to approve it on, where the wallet's script does not run. */
  approve_url: z.string().nullable(),
  /** Passed to the processor's script to confirm (3-D Secure); only returned to the owner, never stored. */
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
  /** mastercard, visa, amex or other; from the processor, never from the browser (settled 13). */
  card_type: z.string(),
  last_digits: z.string(),
  exp: z.string().nullable(),
})
export type SavedCard = z.infer<typeof savedCard>

/** The processor of the card fields and its public key, from the settings. */
export const cardFields = z.object({ processor: z.enum(CARD_PROCESSORS), public_key: z.string().nullable() })
export type CardFields = z.infer<typeof cardFields>

export const discountCode = singleLine(60).nullish()
export const shownPesos = singleLine(12).regex(/^\d{1,7}\.\d{2}$/, 'Escribe la cantidad con dos decimales.')
/**
 * The price that the page showed to the customer, in pesos: today, the first charge, later ones. Never used as the price: it is only
 * compared with the server's own, and PRICE_CHANGED is refused when they differ (docs/domain.md V36). Optional for clients that show no
 * price.
 */
export const priceShownToCustomer = z.object({ today: shownPesos, total: shownPesos, next_total: shownPesos.nullable() }).nullish()
export type PriceShownToCustomer = z.infer<typeof priceShownToCustomer>
/**
 * The gift card that pays a part of the total or all of it, and how much of it the page showed (docs/domain.md I12). The amount is only
 * compared with the server's own, as `shown` is: GIFT_CARD_BALANCE when they differ.
 */
export const giftCardShown = z
  .object({
    code: giftCardCode.describe('Código de la tarjeta de regalo, como está escrito.'),
    amount: shownPesos.describe('Lo que la página dijo que paga la tarjeta, en pesos.'),
  })
  .nullish()
  .describe('Tarjeta de regalo que paga el total o una parte; el resto, con la forma de pago elegida.')
export type GiftCardShown = z.infer<typeof giftCardShown>
/**
 * The customer confirms buying again what was bought a moment ago, or a subscription that is still alive; PURCHASE_REPEATED and
 * SUBSCRIPTION_REPEATED require it. Effective only with an `Idempotency-Key`, so that a repeated request never buys a third time (V6).
 */
export const buyAgain = unlessNull(z.boolean())
/** A token or id issued by a processor. A card number is refused here and never stored (settled 13). */
export const processorToken = singleLine(255).refine((text) => !hasCardNumber(text), 'Aquí no va el número de una tarjeta.')
/** The payment method in any of the spec's forms: 1 or "card", "oxxo", "spei", a token, or an id. Amounts are ignored. */
const paymentMethodId = z.union([processorToken, z.int().max(1_000_000)])
const paymentMethodInput = z.union([paymentMethodId, z.object({ id: paymentMethodId })]).nullish()

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
  'DISCOUNT_NOT_FOR_ACCOUNT',
  'GIFT_CARD_NOT_FOUND',
  'GIFT_CARD_BALANCE',
  'GIFT_CARD_SUBSCRIPTION',
  'PRICE_CHANGED',
  'TRIAL_USED',
  'DOCUMENTS_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
)

export const sales = {
  /** Card processor flow (S1-7.45, S1-7.49): charges a token or a saved card. The amount is computed and stored here. */
  attempt: endpoint('POST', '/checkout/attempt', 'customer', 'Compras', 'Pagar con tarjeta')
    .input(
      z.object({
        class_package_id: id,
        discountCode,
        payment_method: paymentMethodInput,
        payment_method_id: paymentMethodId.nullish(),
        payment_source_id: id.nullish(),
        /** The saved card under the wire's other name (S2-3.17, settled 14). */
        conekta_payment_source_id: processorToken.nullish(),
        save_card: unlessNull(z.boolean()),
        link: unlessNull(z.boolean()).describe('Si el token es de Link y no de una tarjeta.'),
        shown: priceShownToCustomer,
        gift_card: giftCardShown,
        again: buyAgain,
        wanted_class: wantedClass.nullish(),
      }),
    )
    .errors(checkoutRefusals)
    .output(paymentAnswer),
  /**
   * First flow (S1-7.46): cash, free packages, or a saved card. `customer_id` in the body is ignored: the token identifies the customer.
   */
  checkout: endpoint('POST', '/checkout', 'customer', 'Compras', 'Comprar en efectivo, sin costo o con una tarjeta guardada')
    .input(
      z.object({
        class_package_id: id,
        customer_id: z.unknown().optional(),
        discountCode,
        payment_method_id: id.nullish(),
        /** A saved card's `token_id`, or a token of the processor's card fields. */
        token_id: processorToken.nullish(),
        conekta_payment_source_id: processorToken.nullish(),
        shown: priceShownToCustomer,
        gift_card: giftCardShown,
        again: buyAgain,
        wanted_class: wantedClass.nullish(),
      }),
    )
    .errors(checkoutRefusals)
    .output(paymentAnswer),
  /** Abandons a purchase that still waits for money: the dialog was closed, the wallet cancelled. */
  giveUp: endpoint('POST', '/checkout/cancel/{purchase_id}', 'customer', 'Compras', 'Dejar una compra sin pagar')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS'))
    .output(z.object({ purchase })),
  list: endpoint('GET', '/purchases', 'customer', 'Compras', 'Mis compras').output(z.object({ purchases: z.array(purchase) })),
  /** By purchase_id or payment_id (S1-2.23); reads a pending purchase's state from the processor, at most once every two seconds. */
  one: endpoint('GET', '/purchases/{id}', 'customer', 'Compras', 'Una compra')
    .input(z.object({ id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND'))
    .output(z.object({ purchase })),
  /** Ends a subscription: at once during a free trial, otherwise at the end of the paid period (S1-7.44). By purchase_id. */
  cancel: endpoint('POST', '/purchases/cancel/{id}', 'customer', 'Compras', 'Cancelar una suscripción')
    .input(z.object({ id: pathId, reason: unlessNull(paragraph(500)) }))
    .errors(
      refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED', 'PAYMENT_IN_PROGRESS', 'CANCEL_REASON_REQUIRED', 'SUBSCRIPTION_NOT_CANCELLABLE'),
    )
    .output(z.object({ purchase })),
  /** Records that staff received the money of a purchase to be paid in cash, by whatever method it was paid in the end. */
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
  /** Saved cards, and the processor whose fields take a new one: null when cards cannot be saved (S1-7.62). */
  cards: endpoint('GET', '/payment_sources', 'customer', 'Compras', 'Mis tarjetas').output(
    z.object({ payment_sources: z.array(savedCard), card: cardFields.nullable() }),
  ),
}
