/** Which ways to pay a purchase has, and the wallet (spec 1 sections 4, 5 and 7; payments study section 4). */
import * as z from 'zod'
import { endpoint, id, pathId, refusals } from './endpoint.ts'
import { WALLET_PROCESSORS } from './processors.ts'
import {
  buyAgain,
  cardFields,
  checkoutRefusals,
  discountCode,
  paymentAnswer,
  priceShownToCustomer,
  processorToken,
  savedCard,
} from './sales.ts'

/** `card`: the processor's fields on our page; `page`: the processor's own page (session mode, S1-4.14). */
/** The wallet's own button, or the sandbox's page. */
export const walletButton = z.object({ processor: z.enum(WALLET_PROCESSORS), public_key: z.string().nullable() })
export type WalletButton = z.infer<typeof walletButton>

export const paymentOption = z.enum(['card', 'page', 'paypal', 'oxxo', 'spei', 'cash'])
export type PaymentOption = z.infer<typeof paymentOption>

/** What the checkout page may offer for one package, and what it needs for that. What is not here is refused when it is asked for. */
export const paymentOptions = z.object({
  /** It costs nothing: `POST /checkout` without any way to pay (S1-2.68). */
  free: z.boolean(),
  /** It begins with a free trial for whoever asks: a customer has one once (docs/domain.md V41). */
  free_trial: z.boolean(),
  ways: z.array(z.object({ way: paymentOption, payment_method_id: id.nullable() })),
  /** The one that stands chosen first: cash when it is on, otherwise card (S1-4.06). */
  default: paymentOption.nullable(),
  /** Saved cards that can pay this; none for a visitor. */
  payment_sources: z.array(savedCard),
  /** Whether a new card can be kept for another purchase. */
  can_save_card: z.boolean(),
  /** Whose fields a new card is typed into, and whose script asks the bank's question about a saved one. */
  card: cardFields.nullable(),
  /** Who the wallet is, and its public key. Without one (the sandbox) the customer follows `approve_url`. */
  wallet: walletButton.nullable(),
})
export type PaymentOptions = z.infer<typeof paymentOptions>

/** What the wallet's button hands over; PayPal's two spellings, and whatever else it says is not read. */
const approval = z
  .object({
    orderID: processorToken.nullish(),
    orderId: processorToken.nullish(),
    subscriptionID: processorToken.nullish(),
    subscriptionId: processorToken.nullish(),
  })
  .refine((said) => said.orderID || said.orderId || said.subscriptionID || said.subscriptionId, {
    message: 'Falta la orden o la suscripción que aprobaste.',
    path: ['orderID'],
  })

export const checkout = {
  /** The ways to pay a package, for whoever asks. An unknown discount code changes nothing here. */
  ways: endpoint('GET', '/checkout/{class_package_id}/ways', 'optional', 'Compras', 'Formas de pagar un paquete')
    .input(z.object({ class_package_id: pathId, discountCode }))
    .errors(refusals('PACKAGE_NOT_FOUND', 'EVENT_OVER', 'EVENT_CANCELLED'))
    .output(paymentOptions),
  /** Begins a purchase that the wallet pays (S1-7.47): an order to approve, or a subscription with its plan. The amount is frozen here. */
  paypal: endpoint('POST', '/checkout/paypal', 'customer', 'Compras', 'Pagar con PayPal')
    .input(z.object({ class_package_id: id, discountCode, shown: priceShownToCustomer, again: buyAgain }))
    .errors(checkoutRefusals)
    .output(paymentAnswer),
  /**
   * After the customer approved (S1-7.48, S1-4.15): takes the money, once, however often it is asked. PURCHASE_NOT_FOUND for an order that is
   * not this customer's. A refusal with `restart: true` in its data: the same order can be approved again with another way to pay.
   */
  capture: endpoint('POST', '/checkout/capture', 'customer', 'Compras', 'Cobrar lo aprobado en PayPal')
    .input(approval)
    .errors(checkoutRefusals)
    .errors(refusals('PURCHASE_NOT_FOUND', 'PURCHASE_CLOSED'))
    .output(paymentAnswer),
}
