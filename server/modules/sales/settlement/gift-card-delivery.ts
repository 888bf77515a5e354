/** Where the code of a gift card of the site is mailed: correcting the address, and sending it again (docs/domain.md I10). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import type { giftCards as wire } from '#contract/gift-cards.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { findBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { updateRecipientEmail } from '#server/modules/sales/store/gift-card-store.ts'
import { findPurchase } from '#server/modules/sales/store/store.ts'
import { cardHere, oneGiftCard } from './gift-cards.ts'

type Input<K extends 'correctEmail' | 'send'> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

/** PUT /admin/gift_cards/{gift_card_id}/recipient. NOT_FOUND, GIFT_CARD_NOT_SENT_BY_MAIL for a card without a recipient. */
export async function correctGiftCardEmail(ctx: Ctx, { gift_card_id, email }: Input<'correctEmail'>) {
  const { card } = await cardHere(ctx, gift_card_id)
  await ctx.tx(async (tx) => {
    if (!(await updateRecipientEmail(tx, card.purchase_id, email))) throw refuse('GIFT_CARD_NOT_SENT_BY_MAIL')
    // Without the addresses: the recipient may be no customer, and an erasure does not search the audit entries of gift cards.
    await ctx.audit(tx, { action: 'gift_card.recipient', entity: 'gift_card', entity_id: gift_card_id })
  })
  return oneGiftCard(ctx, { gift_card_id })
}

/**
 * POST /admin/gift_cards/{gift_card_id}/send. NOT_FOUND, GIFT_CARD_NOT_SENT_BY_MAIL for a card that was sold at the counter or refunded, or
 * has no address.
 */
export async function sendGiftCardAgain(ctx: Ctx, input: Input<'send'>) {
  const { gift_card_id } = input
  const { card, order } = await cardHere(ctx, gift_card_id)
  if (!order) throw refuse('GIFT_CARD_NOT_SENT_BY_MAIL')
  await ctx.once('giftCards.send', input, async (tx) => {
    // Refused when the job would not send it.
    const purchase = await findPurchase(tx, card.purchase_id)
    const buyer = purchase && (await findBuyer(tx, purchase.customer_id))
    const to = order.email ?? (buyer?.deletedAt ? null : buyer?.email)
    if (purchase?.status !== 'completed' || !to) throw refuse('GIFT_CARD_NOT_SENT_BY_MAIL')
    await tx.send({ name: 'sales.gift-card', data: { purchase_id: card.purchase_id, again: ctx.now.toISOString() } })
    await ctx.audit(tx, { action: 'gift_card.send', entity: 'gift_card', entity_id: gift_card_id })
    return null
  })
  return oneGiftCard(ctx, { gift_card_id })
}
