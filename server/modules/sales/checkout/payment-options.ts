/**
 * The payment options of a package for the caller; options that a processor cannot do are not offered (V2). The same rules guard
 * the payment.
 */
import { CARD_PAYMENT_METHOD_ID, CASH_PAYMENT_METHOD_NAME } from '#contract/catalogue.ts'
import { Refusal } from '#contract/errors.ts'
import { parsePesos } from '#contract/money.ts'
import type { PaymentOption, PaymentOptions } from '#contract/payment-options.ts'
import type { Quote } from '#contract/pricing.ts'
import { EXPRESS_PROCESSORS, WALLET_OPTION } from '#contract/processors.ts'
import type { Instrument, PaymentGateway } from '#server/adapters/payments/port.ts'
import { type PackageWithTypes, paymentMethods, purchasablePackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { freezeTerms, isFree, isPaymentOptionOpen, subscriptionPlan } from '#server/modules/sales/rules.ts'
import { countingGuesses, priceWith } from '#server/modules/sales/settlement/discounts.ts'
import { getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { hasTrial, whyNoTrial } from '#server/modules/sales/settlement/trials.ts'
import { listSources } from '#server/modules/sales/store/card-store.ts'
import { serializeCard } from '#server/modules/sales/views/purchase-view.ts'
import { cardFields } from './cards.ts'

/** What each option pays with, in the order in which they are shown. */
const INSTRUMENTS: Readonly<Record<PaymentOption, Instrument['by']>> = {
  cash: 'hand',
  card: 'card-token',
  page: 'hosted-page',
  [WALLET_OPTION]: 'wallet',
  oxxo: 'voucher',
  spei: 'voucher',
}
const OPTIONS = Object.keys(INSTRUMENTS) as PaymentOption[]

/**
 * Lists the payment options of a package (S1-2.66, S1-4.06, S1-4.07). PACKAGE_NOT_FOUND, EVENT_OVER, EVENT_CANCELLED, TOO_MANY_REQUESTS.
 */
export async function listPaymentOptions(
  ctx: Ctx,
  input: { class_package_id: number; discountCode?: string | null | undefined; gift_card?: string | null | undefined },
): Promise<PaymentOptions> {
  const { customerOrNull } = ctx
  const classPackage = await purchasablePackage(ctx, input.class_package_id)
  const price = await priceFor(ctx, classPackage, input.discountCode ?? null)
  // Only which options are shown depends on it: the payment computes what the card pays (I12).
  const byCard = customerOrNull && !classPackage.is_subscription ? Math.min(price.total, parsePesos(input.gift_card ?? '') ?? 0) : 0
  const free = isFree(classPackage, price) || (byCard > 0 && byCard === price.total)
  const closed = ctx.settings.checkout_disabled || (classPackage.is_subscription && !ctx.settings.subscriptions_enabled)
  const { cards, wallet } = ctx.ports
  const free_trial =
    hasTrial(classPackage) &&
    (!customerOrNull || (await whyNoTrial(ctx.db, ctx, { customer_id: customerOrNull.customer_id, plastic: null })) === null)
  const plan = subscriptionPlan(freezeTerms(classPackage, price, ctx.now, free_trial), ctx.zone)
  const refuses = (gateway: PaymentGateway, by: Instrument['by']) =>
    gateway.refuses({ instrument: by, amount: price.total - byCard, ...(plan ? { plan } : {}) }) !== null
  const { payment_methods } = await paymentMethods(ctx)
  const idOf = (option: PaymentOption) =>
    payment_methods.find((paymentMethod) =>
      option === 'cash'
        ? paymentMethod.name === CASH_PAYMENT_METHOD_NAME
        : option !== WALLET_OPTION && paymentMethod.payment_method_id === CARD_PAYMENT_METHOD_ID,
    )?.payment_method_id ?? null
  const fields = cardFields(ctx)

  const open = OPTIONS.filter((option) => {
    const gateway = option === 'cash' ? getGateway(ctx, 'efectivo') : option === WALLET_OPTION ? wallet : cards
    if (free || closed || !gateway || !isPaymentOptionOpen(option, ctx.settings) || refuses(gateway, INSTRUMENTS[option])) return false
    // Without the processor's script (its public key is not set) cards cannot be entered.
    if (option === 'card') return fields !== null
    return option !== 'cash' || idOf('cash') !== null
  })
  const savesCards = ctx.settings.payment_sources_enabled
  const sources = customerOrNull && savesCards && cards && !free && !closed ? await listSources(ctx.db, customerOrNull.customer_id) : []
  const payment_sources = sources
    .filter(({ gateway }) => {
      const holder = ctx.ports.gateways.get(gateway)
      return holder !== undefined && !refuses(holder, 'saved-card')
    })
    .map(serializeCard)
  const isOpen = (option: PaymentOption) => open.includes(option)
  return {
    free,
    free_trial,
    ways: open.map((option) => ({ way: option, payment_method_id: idOf(option) })),
    default: open[0] ?? null,
    payment_sources,
    can_save_card: savesCards && (isOpen('card') || isOpen('page')),
    card: isOpen('card') || payment_sources.length > 0 ? fields : null,
    // A periodic charge needs the owner's agreement, for which these wallets have another API.
    express:
      ctx.settings.express_checkout_enabled && !plan && isOpen('card') && fields !== null && EXPRESS_PROCESSORS.includes(fields.processor),
    wallet: isOpen(WALLET_OPTION) && wallet ? wallet.walletButton(ctx.settings) : null,
  }
}

/** The price with a discount code (S1-5.19). An unusable code changes nothing here; the checkout reports why. */
async function priceFor(ctx: Ctx, classPackage: PackageWithTypes, discountCode: string | null): Promise<Quote> {
  const customer_id = ctx.customerOrNull?.customer_id ?? null
  const code = customer_id === null ? null : discountCode
  try {
    // A price of zero reveals that a code exists, so guesses are counted here too.
    return (await countingGuesses(ctx, code, () => priceWith(ctx.db, ctx, { classPackage, code, customer_id }))).price
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'TOO_MANY_REQUESTS')
      return (await priceWith(ctx.db, ctx, { classPackage, code: null, customer_id })).price
    throw error
  }
}
