/** Gift cards that customers buy on the site: opened here, paid like an order with a link (docs/domain.md I9). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { GIFT_CARD_DELIVERY_DAYS } from '#contract/gift-card-delivery.ts'
import { giftCardAmounts, type giftCardOrders as wire } from '#contract/gift-card-orders.ts'
import { formatMoney, parsePesos, pesos } from '#contract/money.ts'
import { addDays, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { insertGiftCardOrder } from '#server/modules/sales/store/gift-card-store.ts'
import { findPaymentLink, insertPaymentLink } from '#server/modules/sales/store/payment-link-store.ts'
import { insertPurchase } from '#server/modules/sales/store/store.ts'
import { pathOfLink } from './payment-links.ts'

type Input = z.output<NonNullable<(typeof wire)['buy']['~orpc']['inputSchema']>>

const amountsOf = (ctx: Ctx) =>
  ctx.settings.gift_cards_on_site && !ctx.settings.checkout_disabled && ctx.ports.cards
    ? giftCardAmounts(ctx.settings.gift_card_amounts)
    : []

/** The amounts that are sold on the site, smallest first; none while they are not sold there. */
export async function giftCardOffer(ctx: Ctx): Promise<{ amounts: string[] }> {
  return { amounts: amountsOf(ctx).map(pesos) }
}

/**
 * Opens the purchase of a gift card for the caller, and answers where it is paid (I9). GIFT_CARDS_CLOSED for an amount that is not sold,
 * CHECKOUT_DISABLED, PAYMENT_METHOD_UNAVAILABLE, AMOUNT_OUT_OF_RANGE; INVALID_INPUT for a day of delivery in the past or too far ahead.
 */
export async function buyGiftCard(ctx: Ctx, input: Input): Promise<{ purchase_id: number; path: string }> {
  const { customer_id } = ctx.customer
  await ctx.throttle({ name: 'checkout', subject: String(customer_id), max: 60, seconds: 3_600 })
  if (ctx.settings.checkout_disabled) throw refuse('CHECKOUT_DISABLED')
  const amount = parsePesos(input.amount) ?? 0
  const gateway = ctx.ports.cards
  if (!gateway) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  if (!amountsOf(ctx).includes(amount)) throw refuse('GIFT_CARDS_CLOSED')
  const no = gateway.refuses({ instrument: 'hosted-page', amount })
  if (no) throw refuse(no)
  const { recipient, message, deliver_on } = input
  const today = localDate(ctx.now, ctx.zone)
  if (deliver_on && (deliver_on < today || deliver_on > addDays(today, GIFT_CARD_DELIVERY_DAYS)))
    throw refuse('INVALID_INPUT', { field: 'deliver_on' })
  const { purchase_id } = await ctx.once('giftCardOrders.buy', input, async (tx) => {
    await lockBuyer(tx, customer_id)
    const purchase = await insertPurchase(tx, {
      customer_id,
      class_package_id: null,
      title: `Tarjeta de regalo de ${formatMoney(amount)}`,
      class_amount: 0,
      expiration_days: 0,
      amount_centavos: amount,
      total_centavos: amount,
      gateway: gateway.id,
      status: 'pending',
      request_hash: 'gift-card',
      hold_until: new Date(ctx.now.getTime() + ctx.settings.payment_link_hours * 3_600_000),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    await insertGiftCardOrder(tx, {
      purchase_id: purchase.purchase_id,
      customer_id,
      createdAt: ctx.now,
      recipient_name: recipient?.name ?? null,
      recipient_email: recipient?.email ?? null,
      message: message || null,
      deliver_on: deliver_on && deliver_on > today ? deliver_on : null,
    })
    await insertPaymentLink(tx, purchase.purchase_id, ctx.now)
    await ctx.audit(tx, {
      action: 'purchase.open',
      entity: 'purchase',
      entity_id: purchase.purchase_id,
      after: { gift_card: true, total_centavos: amount, status: 'pending', gateway: gateway.id },
    })
    tx.notify({ topic: 'purchase', purchase_id: purchase.purchase_id, customer_id })
    return { purchase_id: purchase.purchase_id }
  })
  const link = await findPaymentLink(ctx.db, purchase_id)
  if (!link) throw new Error(`The gift card ${purchase_id} has no link.`)
  return { purchase_id, path: pathOfLink(ctx, link) }
}
