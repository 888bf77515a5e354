/**
 * Payments with the wallet: an order or a subscription that the customer approves there and that is captured here, once (S1-4.15, S1-7.47,
 * S1-7.48).
 */
import { refuse } from '#contract/errors.ts'
import { PROCESSOR_NAMES } from '#contract/processor-states.ts'
import { isWalletProcessor, type WalletProcessor } from '#contract/processors.ts'
import type { GiftCardShown, PaymentAnswer, PriceShownToCustomer, WantedClass } from '#contract/sales.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import { paymentMethods } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { applyProcessorState } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { attemptRef } from '#server/modules/sales/settlement/gateways.ts'
import { findOwnAttempt, findPurchase } from '#server/modules/sales/store/store.ts'
import { paymentAnswer } from '#server/modules/sales/views/purchase-view.ts'
import { payPurchase, toPaymentAnswer } from './paying.ts'

/** The name of the studio's payment method for each wallet, if it has one. */
const METHOD_NAMES: Readonly<Record<WalletProcessor, string>> = { sandbox: PROCESSOR_NAMES.paypal, paypal: PROCESSOR_NAMES.paypal }

/** Begins a purchase that the wallet pays. Refuses with every code of the checkout; PAYMENT_METHOD_UNAVAILABLE where there is no wallet. */
export async function buyByWallet(
  ctx: Ctx,
  input: {
    class_package_id: number
    discountCode?: string | null | undefined
    shown?: PriceShownToCustomer
    gift_card?: GiftCardShown
    again?: boolean | undefined
    wanted_class?: WantedClass | null | undefined
  },
): Promise<PaymentAnswer> {
  await ctx.throttle({ name: 'checkout', subject: String(ctx.customer.customer_id), max: 60, seconds: 3_600 })
  const gateway = ctx.ports.wallet
  if (!gateway || !isWalletProcessor(gateway.id) || !ctx.settings.paypal_enabled) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const methodName = METHOD_NAMES[gateway.id]
  const { payment_methods } = await paymentMethods(ctx)
  return payPurchase(ctx, {
    class_package_id: input.class_package_id,
    discountCode: input.discountCode ?? null,
    payment_method_id: payment_methods.find((paymentMethod) => paymentMethod.name === methodName)?.payment_method_id ?? null,
    method: { by: 'wallet' },
    instrument: { by: 'wallet' },
    gateway,
    save: false,
    shown: input.shown,
    gift_card: input.gift_card ?? null,
    again: input.again ?? false,
    wanted_class: input.wanted_class ?? null,
  })
}

interface Approval {
  orderID?: string | null | undefined
  orderId?: string | null | undefined
  subscriptionID?: string | null | undefined
  subscriptionId?: string | null | undefined
}

/**
 * Captures an approved order; idempotent, one charge. Only orders of this customer are looked up, before the processor is called.
 * PURCHASE_NOT_FOUND, PURCHASE_CLOSED, PAYMENT_TRY_LATER; a no with `restart` leaves the order open for another try.
 */
export async function captureApprovedOrder(ctx: Ctx, input: Approval): Promise<PaymentAnswer> {
  const { customer_id } = ctx.customer
  await ctx.throttle({ name: 'capture', subject: String(customer_id), max: 120, seconds: 3_600 })
  const id = input.subscriptionID || input.subscriptionId || input.orderID || input.orderId || ''
  const attempt = await findOwnAttempt(ctx.db, customer_id, id)
  const sale = attempt && (await findPurchase(ctx.db, attempt.purchase_id))
  const ref = attempt && attemptRef(ctx, attempt)
  if (!sale || !ref) throw refuse('PURCHASE_NOT_FOUND')
  const purchase_id = sale.purchase_id
  try {
    const applied = await applyProcessorState(ctx, ref)
    if (!applied) throw refuse('PURCHASE_NOT_FOUND')
    const { purchase, facts } = applied
    if (purchase.status === 'failed' || purchase.status === 'cancelled') throw refuse('PURCHASE_CLOSED', { purchase_id })
    if (purchase.status === 'pending' && facts.state === 'waiting' && facts.why)
      throw refuse(facts.why.code, { purchase_id, restart: true })
    if (facts.state === 'expired' || facts.state === 'ended') throw refuse('PURCHASE_CLOSED', { purchase_id })
    return toPaymentAnswer(applied)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    ctx.studio.log.warn({ error, purchase_id }, 'payment.capture_failed')
    if (error.kind === 'config' || error.kind === 'unavailable') throw refuse('PAYMENT_TRY_LATER', { purchase_id })
    // Unknown outcome: the page polls, and the sweeper reads the processor (V7).
    return paymentAnswer((await findPurchase(ctx.db, purchase_id)) ?? sale, attempt, null)
  }
}
