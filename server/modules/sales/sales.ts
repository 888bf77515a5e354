/**
 * Sales: from a quote to a purchase that is paid, given up or ended (docs/domain.md, "Sales"). A payment has three steps: one transaction
 * writes the purchase with its holds, the processor is called outside of any transaction, another one applies its state (settled 12).
 */
import { CARD_PAYMENT_METHOD_ID, CASH_PAYMENT_METHOD_NAME } from '#contract/catalogue.ts'
import { type ErrorCode, refuse } from '#contract/errors.ts'
import type { GiftCardShown, PaymentAnswer, PriceShownToCustomer, Purchase, WantedClass } from '#contract/sales.ts'
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import type { Instrument } from '#server/adapters/payments/port.ts'
import { paymentMethods } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { endSubscription, subscribedBy } from './aftersales/subscriptions.ts'
import { type ReceivedInput, readReceived, receiveFor } from './checkout/counter.ts'
import { payPurchase } from './checkout/paying.ts'
import { isOpenAttempt, isPaymentOptionOpen, readMethod } from './rules.ts'
import { closeWaiting, endAttempt } from './settlement/ending-attempts.ts'
import { getGateway } from './settlement/gateways.ts'
import { readAtProcessors } from './settlement/read-at-processors.ts'
import { findProviderCustomer, lockBuyer } from './store/buyer-store.ts'
import { findSource } from './store/card-store.ts'
import { claimCheck, findOwn, listAttempts, lockPurchase, type PurchaseRow } from './store/store.ts'
import { findView, listViews } from './store/view-store.ts'
import { ownPurchaseOnWire } from './views/purchase-view.ts'
import { purchaseHere } from './views/visible-sales.ts'

export { takeBackAccess } from './aftersales/access.ts'
export { addPendingSubscription, erasePendingSubscription } from './aftersales/pending-subscriptions.ts'
export { previewRefund } from './aftersales/refund-preview.ts'
export { pauseWithCustomer } from './aftersales/subscriptions.ts'
export { forgetCards } from './checkout/cards.ts'
export { type Received, type ReceivedInput, readReceived, sellReceived } from './checkout/counter.ts'
export { mailSaleReceipt, saleReceiptByLink, saleReceiptLink } from './notifications/sale-receipts.ts'
export { ONE_OFF } from './rules.ts'
export { correctGiftCardEmail, sendGiftCardAgain } from './settlement/gift-card-delivery.ts'
export {
  adjustGiftCard,
  allGiftCards,
  createGiftCard,
  findGiftCard,
  giftCardCodeAgain,
  oneGiftCard,
  soldCards,
} from './settlement/gift-cards.ts'
export { oweReservationRefund, withdrawReservationRefund } from './settlement/spot-refunds.ts'
export { lockBuyer } from './store/buyer-store.ts'
export { NO_TAX, taxFacts } from './store/charge-store.ts'
export { deriveInvoiceTotals } from './store/invoice-total-store.ts'
export { restOfPurchase, restOfSale } from './store/owed-sql.ts'
export { type ChargeGroup, groupSubscriptions } from './store/subscription-list-store.ts'
export { assertLocation } from './till/cash-sessions.ts'
export { type ItemInput, mayDiscountFreely, priceItems } from './till/sale-items.ts'
export { confirmTransfer, oneSale, paySale, type ReadPayment, readPayments, rejectTransfer, transferProof } from './till/sale-payments.ts'
export { endOpenOrders, writeSale } from './till/write-sale.ts'
export { rebuildTotals } from './views/invoice-totals.ts'
export { monthlyRevenue } from './views/recurring-revenue.ts'
export { saleReceipt } from './views/sale-receipts.ts'
export { readSales } from './views/sale-view.ts'
export { findPurchaseByNumber, findPurchaseIds, latestPurchases, studioPurchase } from './views/studio-lists.ts'

/** A waiting purchase is read at its processor at most this often, however many pages poll it (S1-7.43). */
const REREAD_EVERY_MS = 2_000

export interface CardPurchaseInput {
  class_package_id: number
  discountCode?: string | null | undefined
  payment_method?: string | number | { id: string | number } | null | undefined
  payment_method_id?: string | number | null | undefined
  payment_source_id?: number | null | undefined
  conekta_payment_source_id?: string | null | undefined
  save_card?: boolean | undefined
  link?: boolean | undefined
  shown?: PriceShownToCustomer
  gift_card?: GiftCardShown
  again?: boolean | undefined
  wanted_class?: WantedClass | null | undefined
}

/**
 * Buys with a card: a token of the provider's fields, a saved card, or the provider's own page (S1-7.45, S1-7.49; V1 to V12). The visit's
 * `Idempotency-Key` resumes the same purchase; after a definite no the next card is its next attempt. Refuses with every code of the
 * checkout; a purchase with an unknown outcome returns `pending`.
 */
export async function buyByCard(ctx: Ctx, input: CardPurchaseInput): Promise<PaymentAnswer> {
  const { customer_id } = ctx.customer
  await ctx.throttle({ name: 'checkout', subject: String(customer_id), max: 60, seconds: 3_600 })
  const method = readMethod(input, ctx.settings)
  const { cards } = ctx.ports
  if (!cards) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const visit = {
    class_package_id: input.class_package_id,
    discountCode: input.discountCode ?? null,
    payment_method_id: await cardMethodId(ctx),
    shown: input.shown,
    gift_card: input.gift_card ?? null,
    again: input.again ?? false,
    wanted_class: input.wanted_class ?? null,
  }
  if (method?.by === 'saved-card') {
    const source = ctx.settings.payment_sources_enabled ? await findSource(ctx.db, customer_id, method.payment_source_id) : null
    const gateway = source && ctx.ports.gateways.get(source.gateway)
    if (!source || !gateway) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
    const buyer = await findProviderCustomer(ctx.db, source.gateway, customer_id)
    const instrument: Instrument = { by: 'saved-card', card: { id: source.provider_card, buyer } }
    const { payment_source_id, fingerprint } = source
    return payPurchase(ctx, { ...visit, method, instrument, gateway, save: false, payment_source_id, fingerprint })
  }
  if (method?.by === 'voucher') {
    if (!isPaymentOptionOpen(method.kind, ctx.settings)) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
    return payPurchase(ctx, { ...visit, method, instrument: method, gateway: cards, save: false })
  }
  const save = input.save_card === true && ctx.settings.payment_sources_enabled
  const instrument: Instrument | null =
    method === null
      ? null
      : method.by === 'card-token'
        ? { by: 'card-token', token: method.token, ...(input.link ? { link: true as const } : {}) }
        : { by: 'hosted-page' }
  return payPurchase(ctx, { ...visit, method, instrument, gateway: cards, save })
}

export interface FirstFlowInput {
  class_package_id: number
  discountCode?: string | null | undefined
  payment_method_id?: number | null | undefined
  token_id?: string | null | undefined
  conekta_payment_source_id?: string | null | undefined
  shown?: PriceShownToCustomer
  gift_card?: GiftCardShown
  again?: boolean | undefined
  wanted_class?: WantedClass | null | undefined
}

/**
 * Buys in cash, or takes what is free (S1-7.46; V14, V15), or with a card that the first flow names. Cash waits under a reference until
 * staff mark it paid.
 */
export async function buyAtCheckout(ctx: Ctx, input: FirstFlowInput): Promise<PaymentAnswer> {
  const { class_package_id, discountCode, token_id, conekta_payment_source_id, shown, gift_card, again, wanted_class } = input
  if (token_id || conekta_payment_source_id)
    return buyByCard(ctx, {
      class_package_id,
      discountCode,
      payment_method: token_id,
      conekta_payment_source_id,
      shown,
      gift_card,
      again,
      wanted_class,
    })
  const { payment_methods } = await paymentMethods(ctx)
  const cash = payment_methods.find((paymentMethod) => paymentMethod.name === CASH_PAYMENT_METHOD_NAME)
  const choosesCash = input.payment_method_id == null || input.payment_method_id === cash?.payment_method_id
  const byHand = { by: 'hand' } as const
  const method =
    ctx.settings.cash_checkout_enabled && choosesCash
      ? { payment_method_id: cash?.payment_method_id ?? null, method: byHand, instrument: byHand }
      : { payment_method_id: null, method: null, instrument: null, without: whyNothing(input.payment_method_id) }
  return payPurchase(ctx, {
    ...method,
    class_package_id,
    discountCode: discountCode ?? null,
    gateway: getGateway(ctx, 'efectivo'),
    save: false,
    shown,
    gift_card: gift_card ?? null,
    again: again ?? false,
    wanted_class: wanted_class ?? null,
  })
}

/** The error for a purchase that is not free and names no payment method of this flow. */
const whyNothing = (payment_method_id: number | null | undefined): ErrorCode =>
  payment_method_id == null || payment_method_id === CARD_PAYMENT_METHOD_ID ? 'PAYMENT_METHOD_MISSING' : 'PAYMENT_METHOD_UNAVAILABLE'

async function cardMethodId(ctx: Ctx): Promise<number | null> {
  const { payment_methods } = await paymentMethods(ctx)
  return payment_methods.find((paymentMethod) => paymentMethod.payment_method_id === CARD_PAYMENT_METHOD_ID)?.payment_method_id ?? null
}

/**
 * Gives up a purchase that still waits for money (V12). PURCHASE_CLOSED when it was paid meanwhile, PAYMENT_IN_PROGRESS when the outcome is
 * unknown.
 */
export async function cancelPendingPurchase(ctx: Ctx, input: { purchase_id: number; reason?: string }): Promise<{ purchase: Purchase }> {
  const purchase = await ownPurchase(ctx, input.purchase_id)
  if (purchase.status === 'pending') {
    const after = await closeWaiting(ctx, purchase.purchase_id, { status: 'cancelled', reason: input.reason || 'el cliente la dejó' })
    if (after.status === 'pending') throw refuse('PAYMENT_IN_PROGRESS', { purchase_id: purchase.purchase_id })
    if (after.status !== 'cancelled') throw refuse('PURCHASE_CLOSED')
  } else if (purchase.status !== 'cancelled') throw refuse('PURCHASE_CLOSED')
  return { purchase: await shown(ctx, purchase.purchase_id) }
}

/** A customer's purchases, newest first (S1-7.42). */
export async function listPurchases(ctx: Ctx): Promise<{ purchases: Purchase[] }> {
  return { purchases: await Promise.all((await listViews(ctx.db, ctx.customer.customer_id)).map((view) => ownPurchaseOnWire(ctx, view))) }
}

/**
 * One purchase, by its id or by a payment's (S1-2.23). A waiting one is read at its processor, at most every two seconds.
 * PURCHASE_NOT_FOUND.
 */
export async function onePurchase(ctx: Ctx, input: { id: number }): Promise<{ purchase: Purchase }> {
  const purchase = await ownPurchase(ctx, input.id)
  if (purchase.status === 'pending' && (await ctx.tx((tx) => claimCheck(tx, purchase.purchase_id, ctx.now, REREAD_EVERY_MS))))
    await readAtProcessors(ctx, purchase.purchase_id)
  return { purchase: await shown(ctx, purchase.purchase_id) }
}

async function ownPurchase(ctx: Ctx, id: number): Promise<PurchaseRow> {
  const found = await findOwn(ctx.db, ctx.customer.customer_id, id)
  if (!found) throw refuse('PURCHASE_NOT_FOUND')
  return found
}

async function shown(ctx: Ctx, purchase_id: number): Promise<Purchase> {
  return ownPurchaseOnWire(ctx, await findView(ctx.db, purchase_id))
}

/**
 * Staff received the money of a purchase that waits for cash, by any payment method (V15). Its other open attempts are ended first, so that
 * it is not charged twice. PURCHASE_NOT_FOUND, PURCHASE_CLOSED, PAYMENT_IN_PROGRESS, PAYMENT_METHOD_UNAVAILABLE. Idempotent.
 */
export async function markPaid(ctx: Ctx, input: { purchase_id: number } & ReceivedInput): Promise<{ purchase: Purchase }> {
  const seen = await purchaseHere(ctx, input.purchase_id)
  const received = await readReceived(ctx, input)
  const attempts = seen.status === 'pending' ? await listAttempts(ctx.db, seen.purchase_id) : []
  for (const other of attempts)
    if (other.gateway !== 'efectivo' && isOpenAttempt(other.state) && !(await endAttempt(ctx, other, 'pagada en recepción', false)))
      throw refuse('PAYMENT_IN_PROGRESS', { purchase_id: seen.purchase_id })
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, seen.customer_id)
    const purchase = await lockPurchase(tx, seen.purchase_id)
    if (purchase?.status === 'completed' && isCounter(purchase.gateway)) return
    if (purchase?.status !== 'pending') throw refuse('PURCHASE_CLOSED')
    await receiveFor(tx, ctx, purchase, received)
    // After the receipt, which sets the location of the purchase: the entry belongs to that location.
    await ctx.audit(tx, {
      action: 'purchase.mark_paid',
      entity: 'purchase',
      entity_id: purchase.purchase_id,
      before: { status: purchase.status },
      after: { total_centavos: purchase.total_centavos, payment_method: received.method },
    })
  })
  return { purchase: await shown(ctx, seen.purchase_id) }
}

/**
 * Ends a subscription (V17; S1-4.23 to S1-4.27): at once in a free trial, otherwise at the end of the paid period; nothing is refunded.
 * CANCEL_REASON_REQUIRED, PURCHASE_NOT_FOUND, SUBSCRIPTION_NOT_CANCELLABLE. Idempotent.
 */
export async function cancelSubscription(ctx: Ctx, input: { id: number; reason?: string | undefined }): Promise<{ purchase: Purchase }> {
  const reason = input.reason?.trim() ?? ''
  if (!reason && ctx.settings.subscription_cancel_reason_required) throw refuse('CANCEL_REASON_REQUIRED')
  const purchase = await ownPurchase(ctx, input.id)
  if (purchase.status === 'cancelled' && purchase.subscription_id) return { purchase: await shown(ctx, purchase.purchase_id) }
  const attempt = purchase.is_subscription ? await subscribedBy(ctx, purchase.purchase_id) : undefined
  if (!attempt || (purchase.status !== 'active' && purchase.status !== 'pending')) throw refuse('SUBSCRIPTION_NOT_CANCELLABLE')
  if (purchase.status === 'pending') return cancelPendingPurchase(ctx, { purchase_id: purchase.purchase_id, reason })
  await endSubscription(ctx, purchase, attempt, reason || null)
  return { purchase: await shown(ctx, purchase.purchase_id) }
}
