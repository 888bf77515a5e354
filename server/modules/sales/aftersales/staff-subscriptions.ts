/** What staff do with a live subscription: end it, retry a refused renewal, send a link that changes its card (docs/domain.md V48, V49). */
import { refuse } from '#contract/errors.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { formatInstant } from '#contract/time.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { findBuyer } from '#server/modules/sales/store/buyer-store.ts'
import type { AttemptRow, PurchaseRow } from '#server/modules/sales/store/store.ts'
import { studioPurchase } from '#server/modules/sales/views/studio-lists.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'
import { CARD_LINK_MS, findSubscriptionAttempt, newCardLink, payOverdue, slowDown } from './card-links.ts'
import { endSubscription, subscribedBy } from './subscriptions.ts'

type When = 'period_end' | 'now'

/** What the end of a subscription means for its customer, in Spanish. */
function consequenceOf(ctx: Ctx, purchase: PurchaseRow, attempt: AttemptRow, when: When): string {
  if (attempt.state === 'trialing')
    return 'Está en su prueba: termina ahora, con lo que le queda y los lugares que reservó con ella. No se le cobra nada.'
  const { benefits_until } = purchase
  if (!benefits_until || benefits_until <= ctx.now) return 'Ya no tiene nada pagado: termina ahora. No se le vuelve a cobrar.'
  if (when === 'now')
    return 'Termina ahora: pierde lo que le queda y los lugares que reservó con ello. No se le vuelve a cobrar y no se devuelve dinero.'
  return `Conserva lo que pagó hasta el ${formatInstant(benefits_until, ctx.zone, 'date')}. No se le vuelve a cobrar y no se devuelve dinero.`
}

/**
 * Ends a subscription after the paid period; now with the right `credits.edit` (V48). A dry run answers the consequence and writes nothing.
 * Idempotent. PURCHASE_NOT_FOUND, PAYMENT_TRY_LATER; SUBSCRIPTION_NOT_CANCELLABLE also for one that was cancelled and is to end now.
 */
export async function cancelForCustomer(
  ctx: Ctx,
  { purchase_id, reason, when, dry_run }: { purchase_id: number; reason: string; when: When; dry_run: boolean },
): Promise<{ purchase: StudioPurchase; consequence: string }> {
  if (when === 'now') ctx.require('credits.edit')
  const purchase = await purchaseHere(ctx, purchase_id)
  const attempt = purchase.is_subscription ? await subscribedBy(ctx, purchase_id) : undefined
  const isCancelled = purchase.status === 'cancelled' && purchase.subscription_id !== null
  const isEnding = isCancelled && purchase.benefits_until !== null && purchase.benefits_until > ctx.now
  if (!attempt || (purchase.status !== 'active' && !isCancelled) || (isEnding && when === 'now'))
    throw refuse('SUBSCRIPTION_NOT_CANCELLABLE')
  const consequence = consequenceOf(ctx, purchase, attempt, when)
  if (!dry_run && !isCancelled)
    try {
      await endSubscription(ctx, purchase, attempt, reason, when === 'now' ? 'now' : 'period-end')
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      ctx.studio.log.error({ error, purchase_id }, 'subscription.cancel_failed')
      throw refuse('PAYMENT_TRY_LATER')
    }
  return { purchase: await studioPurchase(ctx, purchase_id), consequence }
}

/**
 * Retries the overdue charge of a subscription with its card (V49). PURCHASE_NOT_FOUND, SUBSCRIPTION_NOT_OVERDUE;
 * PAYMENT_METHOD_UNAVAILABLE where the processor cannot do that, PAYMENT_TRY_LATER when the outcome is unknown.
 */
export async function retryRenewal(
  ctx: Ctx,
  { purchase_id }: { purchase_id: number },
): Promise<{ purchase: StudioPurchase; result: 'paid' | 'declined' | 'confirmation' }> {
  const purchase = await purchaseHere(ctx, purchase_id)
  const attempt = await findSubscriptionAttempt(ctx, purchase)
  if (!attempt || purchase.past_due_since === null) throw refuse('SUBSCRIPTION_NOT_OVERDUE')
  if (!getGateway(ctx, attempt.gateway).payOverdue) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  await slowDown(ctx, 'try', String(purchase_id))
  await ctx.tx((tx) => ctx.audit(tx, { action: 'subscription.retry', entity: 'purchase', entity_id: purchase_id }))
  const facts = await payOverdue(ctx, purchase, attempt)
  const result = facts.state !== 'past_due' ? 'paid' : facts.next?.do === 'confirm' ? 'confirmation' : 'declined'
  return { purchase: await studioPurchase(ctx, purchase_id), result }
}

/**
 * Mails the customer of an overdue renewal the link that changes its card, or confirms its charge, again (V49). PURCHASE_NOT_FOUND,
 * SUBSCRIPTION_NOT_OVERDUE, PAYMENT_METHOD_UNAVAILABLE, CUSTOMER_EMAIL_REQUIRED.
 */
export async function sendCardLink(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<{ purchase: StudioPurchase }> {
  const purchase = await purchaseHere(ctx, purchase_id)
  const attempt = await findSubscriptionAttempt(ctx, purchase)
  if (!attempt || purchase.past_due_since === null) throw refuse('SUBSCRIPTION_NOT_OVERDUE')
  if (!getGateway(ctx, attempt.gateway).changeCard) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  if ((await findBuyer(ctx.db, purchase.customer_id)).email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
  await ctx.throttle({ name: 'card-link-mail', subject: String(purchase_id), max: 5, seconds: 86_400 })
  await ctx.tx(async (tx) => {
    await tx.send({ name: 'sales.past-due', data: { purchase_id, at: ctx.now.toISOString() } })
    await ctx.audit(tx, { action: 'subscription.send_link', entity: 'purchase', entity_id: purchase_id })
  })
  return { purchase: await studioPurchase(ctx, purchase_id) }
}

/**
 * A link that changes the card of a subscription without log-in (V49), as the email of a refused renewal has. Only its hash is stored.
 * PURCHASE_NOT_FOUND, SUBSCRIPTION_OVER, PAYMENT_METHOD_UNAVAILABLE.
 */
export async function cardLinkForCustomer(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<{ url: string; until: string }> {
  const purchase = await purchaseHere(ctx, purchase_id)
  const attempt = await findSubscriptionAttempt(ctx, purchase)
  if (!attempt) throw refuse('SUBSCRIPTION_OVER')
  if (!getGateway(ctx, attempt.gateway).changeCard) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const path = await ctx.tx(async (tx) => {
    await ctx.audit(tx, { action: 'subscription.card_link', entity: 'purchase', entity_id: purchase_id })
    return newCardLink(tx, ctx, purchase_id)
  })
  return { url: `${ctx.studio.publicUrl}${path}`, until: new Date(ctx.now.getTime() + CARD_LINK_MS).toISOString() }
}
