/** The payment methods of a purchase, and the wallet (spec 1 sections 4, 5 and 7). */
import * as z from 'zod'
import { endpoint, id, pathId, pesosWire, refusals } from './endpoint.ts'
import { giftCardCode } from './gift-cards.ts'
import { WALLET_OPTION, WALLET_PROCESSORS } from './processors.ts'
import {
  buyAgain,
  cardFields,
  checkoutRefusals,
  discountCode,
  giftCardShown,
  paymentAnswer,
  priceShownToCustomer,
  processorToken,
  savedCard,
  shownPesos,
  wantedClass,
} from './sales.ts'

/** `card`: the processor's fields on our page; `page`: the processor's own page (session mode, S1-4.14). */
/** The wallet's own button, or the sandbox's page. */
export const walletButton = z.object({ processor: z.enum(WALLET_PROCESSORS), public_key: z.string().nullable() })
export type WalletButton = z.infer<typeof walletButton>

export const paymentOption = z.enum(['card', 'page', WALLET_OPTION, 'oxxo', 'spei', 'cash'])
export type PaymentOption = z.infer<typeof paymentOption>

/** The payment methods that the checkout page may offer for one package, and what it needs for them. The server refuses any other. */
export const paymentOptions = z.object({
  /** It costs nothing: `POST /checkout` without a payment method (S1-2.68). */
  free: z.boolean(),
  /** It starts with a free trial for this customer: each customer has one once (docs/domain.md V41). */
  free_trial: z.boolean(),
  ways: z.array(z.object({ way: paymentOption, payment_method_id: id.nullable() })),
  /** The preselected method: cash when it is enabled, otherwise card (S1-4.06). */
  default: paymentOption.nullable(),
  /** Saved cards that can pay this; empty for a visitor. */
  payment_sources: z.array(savedCard),
  /** Whether a new card can be saved for later purchases. */
  can_save_card: z.boolean(),
  /** The processor whose fields take a new card and whose script runs the bank's challenge for a saved one. */
  card: cardFields.nullable(),
  express: z.boolean().describe('Si se ofrecen Apple Pay, Google Pay y Link, con el procesador de `card`, donde el navegador los tenga.'),
  /** The wallet's processor and public key. Without a script (the sandbox) the customer follows `approve_url`. */
  wallet: walletButton.nullable(),
})
export type PaymentOptions = z.infer<typeof paymentOptions>

/** Result of the wallet's button, in both of PayPal's spellings; its other fields are ignored. */
const approval = z
  .object({
    orderID: processorToken.nullish(),
    orderId: processorToken.nullish(),
    subscriptionID: processorToken.nullish(),
    subscriptionId: processorToken.nullish(),
  })
  .refine((ids) => ids.orderID || ids.orderId || ids.subscriptionID || ids.subscriptionId, {
    message: 'Falta la orden o la suscripción que aprobaste.',
    path: ['orderID'],
  })

export const checkout = {
  /** The payment methods of a package for the caller. An unknown discount code is ignored here. */
  ways: endpoint('GET', '/checkout/{class_package_id}/ways', 'optional', 'Compras', 'Formas de pagar un paquete')
    .input(
      z.object({
        class_package_id: pathId,
        discountCode,
        gift_card: shownPesos.nullish().describe('Lo que paga una tarjeta de regalo, en pesos: las formas de pagar son las del resto.'),
      }),
    )
    .errors(refusals('PACKAGE_NOT_FOUND', 'EVENT_OVER', 'EVENT_CANCELLED'))
    .output(paymentOptions),
  /** What a gift card can pay of a package. Wrong codes count as those of discounts do (docs/domain.md D6). */
  giftCard: endpoint('POST', '/checkout/gift_card', 'customer', 'Compras', 'Lo que una tarjeta de regalo puede pagar de un paquete')
    .input(
      z.object({
        code: giftCardCode.describe('Código como está escrito; guiones, espacios y minúsculas dan igual.'),
        class_package_id: id,
      }),
    )
    .errors(
      refusals('GIFT_CARD_NOT_FOUND', 'GIFT_CARD_SUBSCRIPTION', 'PACKAGE_NOT_FOUND', 'EVENT_OVER', 'EVENT_CANCELLED', 'TOO_MANY_REQUESTS'),
    )
    .output(
      z.object({
        last_four: z.string().describe('Últimos cuatro signos del código.'),
        balance: pesosWire.describe('Lo que puede pagar de este paquete.'),
        held: pesosWire.describe('Lo que tienen apartado otras compras que esperan su pago.'),
      }),
    ),
  /** Starts a purchase paid by wallet (S1-7.47): an order to approve, or a subscription with its plan. The amount is stored now. */
  paypal: endpoint('POST', '/checkout/paypal', 'customer', 'Compras', 'Pagar con PayPal')
    .input(
      z.object({
        class_package_id: id,
        discountCode,
        shown: priceShownToCustomer,
        gift_card: giftCardShown,
        again: buyAgain,
        wanted_class: wantedClass.nullish(),
      }),
    )
    .errors(checkoutRefusals)
    .output(paymentAnswer),
  /**
   * Captures the payment after the customer approved it (S1-7.48, S1-4.15), once, however often it is called. PURCHASE_NOT_FOUND for an
   * order of another customer. A refusal with `restart: true` in its data: the same order can be approved again with another method of
   * payment.
   */
  capture: endpoint('POST', '/checkout/capture', 'customer', 'Compras', 'Cobrar lo aprobado en PayPal')
    .input(approval)
    .errors(checkoutRefusals)
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED'))
    .output(paymentAnswer),
}
