/** Changes the card of a live subscription, by a signed link in a mail or by its customer (V33). An overdue charge is retried at once. */

import type { CardChange, CardLinkView, OverdueTry } from '#contract/card-links.ts'
import { refuse } from '#contract/errors.ts'
import { messagePaths } from '#contract/paths.ts'
import type { Purchase } from '#contract/sales.ts'
import { type Facts, PaymentError } from '#server/adapters/payments/port.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { cardFields, saveCardFor } from '#server/modules/sales/checkout/cards.ts'
import { apply } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { findCardLink, insertCardLink, useCardLink } from '#server/modules/sales/store/card-link-store.ts'
import { findSource, type SourceRow } from '#server/modules/sales/store/card-store.ts'
import {
  type AttemptRow,
  findOwn,
  findPurchase,
  listAttempts,
  lockPurchase,
  type PurchaseRow,
  updatePurchase,
} from '#server/modules/sales/store/store.ts'
import { findView } from '#server/modules/sales/store/view-store.ts'
import { purchaseOnWire, serializePurchase } from '#server/modules/sales/views/purchase-view.ts'
import type { Tx } from '#server/platform/db.ts'
import { addCard, pendingByLink, pendingView } from './pending-subscriptions.ts'

const USE = 'tarjeta'
/** Lifetime of a link in ms: longer than any processor retries a renewal. */
export const CARD_LINK_MS = 30 * 86_400_000

/** Creates a card link for a subscription, in the transaction of the message that carries it. Returns its path. */
export async function newCardLink(tx: Tx, ctx: Ctx, purchase_id: number): Promise<string> {
  const token = ctx.studio.signer.sign(USE, `${purchase_id}-${ctx.now.getTime().toString(36)}`)
  await insertCardLink(tx, { token, purchase_id, expiresAt: new Date(ctx.now.getTime() + CARD_LINK_MS), now: ctx.now })
  return messagePaths.cardChange(token)
}

/** Links cannot be guessed; this limits trying stolen cards on one, and reading it too often. */
export const slowDown = (ctx: Ctx, what: 'look' | 'try', key: string) =>
  ctx.throttle({ name: `card-link-${what}`, subject: key, max: what === 'look' ? 120 : 20, seconds: what === 'look' ? 60 : 3_600 })

/** The subscription of a link. CARD_LINK_INVALID for a bad signature, CARD_LINK_GONE once it was used or its subscription is over. */
async function saleOf(ctx: Ctx, token: string): Promise<{ sale: PurchaseRow; attempt: AttemptRow }> {
  const subject = ctx.studio.signer.read(USE, token)
  const link = subject === null ? null : await findCardLink(ctx.db, token)
  if (!link) throw refuse('CARD_LINK_INVALID')
  const purchase = await findPurchase(ctx.db, link.purchase_id)
  const attempt = purchase && (await findSubscriptionAttempt(ctx, purchase))
  if (!purchase || !attempt || link.usedAt || link.expiresAt <= ctx.now) throw refuse('CARD_LINK_GONE')
  return { sale: purchase, attempt }
}

/** The attempt behind a live subscription. */
export async function findSubscriptionAttempt(ctx: Ctx, purchase: PurchaseRow): Promise<AttemptRow | null> {
  if (!purchase.is_subscription || purchase.status !== 'active') return null
  return (
    (await listAttempts(ctx.db, purchase.purchase_id)).find((attempt) => attempt.ref_kind === 'subscription' && attempt.ref_id !== null) ??
    null
  )
}

/** What the page of a card link shows (V33). Read-only. */
export async function getSubscriptionByLink(ctx: Ctx, input: { token: string }): Promise<{ subscription: CardLinkView }> {
  await slowDown(ctx, 'look', ctx.ip)
  const pending = await pendingByLink(ctx, input.token)
  if (pending) return { subscription: await pendingView(ctx, pending) }
  const { sale, attempt } = await saleOf(ctx, input.token)
  const [person, view] = await Promise.all([customerById(ctx.db, sale.customer_id), findView(ctx.db, sale.purchase_id)])
  const shown = serializePurchase(view, ctx)
  return {
    subscription: {
      name: person.name,
      title: sale.title,
      amount: shown.next_charge?.amount ?? shown.total_payment,
      past_due: shown.past_due,
      confirm_charge: shown.confirm_charge,
      card_label: attempt.instrument.label ?? null,
      next_date: shown.past_due ? null : (shown.next_charge?.date ?? null),
      card: cardFields(ctx, attempt.gateway),
    },
  }
}

/** Gives a link's subscription another card (V33). PAYMENT_SOURCE_FAILED for any problem with the card. */
export async function changeByLink(
  ctx: Ctx,
  input: { token: string; token_id?: string | null | undefined; setup_id?: string | null | undefined },
): Promise<CardChange> {
  const pending = await pendingByLink(ctx, input.token)
  if (pending) return addCard(ctx, pending, input)
  const { sale, attempt } = await saleOf(ctx, input.token)
  await slowDown(ctx, 'try', String(sale.purchase_id))
  const by = new Ctx(ctx.studio, { actor: { kind: 'system', job: 'card-link' }, requestId: ctx.requestId, ip: ctx.ip })
  const gateway = getGateway(by, attempt.gateway)
  if (!gateway.changeCard) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const { source, setup } = await saveCardFor(by, gateway, sale.customer_id, input)
  if (!source) return { changed: false, paid: false, card_label: null, setup, clientSecret: null }
  const after = await putCard(by, sale, attempt, source)
  if (after.paid) await by.tx((tx) => useCardLink(tx, input.token, by.now))
  return { changed: true, ...after, setup: null }
}

/**
 * Retries an overdue charge with the stored card while the customer is present: paid, needs confirmation with the bank, or declined (V33).
 * Throws PAYMENT_METHOD_UNAVAILABLE when the processor cannot do that, PAYMENT_TRY_LATER when the outcome is unknown.
 */
export async function confirmByLink(ctx: Ctx, input: { token: string }): Promise<OverdueTry> {
  const { sale, attempt } = await saleOf(ctx, input.token)
  await slowDown(ctx, 'try', String(sale.purchase_id))
  const by = new Ctx(ctx.studio, { actor: { kind: 'system', job: 'card-link' }, requestId: ctx.requestId, ip: ctx.ip })
  const facts = await payOverdue(by, sale, attempt)
  const paid = facts.state !== 'past_due'
  if (paid) await by.tx((tx) => useCardLink(tx, input.token, by.now))
  return { paid, clientSecret: secretOf(facts), declined: facts.why !== undefined }
}

/**
 * Retries the overdue charge of a subscription at its processor and applies the outcome. PAYMENT_METHOD_UNAVAILABLE when the processor
 * cannot do that, PAYMENT_TRY_LATER when the outcome is unknown.
 */
export async function payOverdue(ctx: Ctx, sale: PurchaseRow, attempt: AttemptRow): Promise<Facts> {
  const [gateway, ref] = [getGateway(ctx, attempt.gateway), attemptRef(ctx, attempt)]
  if (!gateway.payOverdue || !ref) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  try {
    const facts = await gateway.payOverdue(ref)
    await apply(ctx, facts, attempt)
    return facts
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    ctx.studio.log.error({ error, purchase_id: sale.purchase_id }, 'charge.retry_failed')
    throw refuse('PAYMENT_TRY_LATER')
  }
}

/**
 * The card link of the caller's own overdue subscription (V33). PURCHASE_NOT_FOUND, SUBSCRIPTION_NOT_CANCELLABLE when it does not charge.
 */
export async function ownCardLink(ctx: Ctx, input: { id: number }): Promise<{ path: string }> {
  const { customer_id } = ctx.customer
  await slowDown(ctx, 'try', `customer-${customer_id}`)
  const purchase = await findOwn(ctx.db, customer_id, input.id)
  if (!purchase) throw refuse('PURCHASE_NOT_FOUND')
  if (!(await findSubscriptionAttempt(ctx, purchase))) throw refuse('SUBSCRIPTION_NOT_CANCELLABLE')
  return { path: await ctx.tx((tx) => newCardLink(tx, ctx, purchase.purchase_id)) }
}

/** The client secret with which the customer confirms an overdue charge with the bank; null when none is needed. */
const secretOf = ({ state, next }: Facts) => (state === 'past_due' && next?.do === 'confirm' ? next.clientSecret : null)

/**
 * Charges the caller's subscription to another of their saved cards (V33). PURCHASE_NOT_FOUND, PAYMENT_SOURCE_NOT_FOUND,
 * PAYMENT_METHOD_UNAVAILABLE.
 */
export async function changeOwnCard(ctx: Ctx, input: { id: number; payment_source_id: number }): Promise<{ purchase: Purchase }> {
  const { customer_id } = ctx.customer
  await slowDown(ctx, 'try', `customer-${customer_id}`)
  const purchase = await findOwn(ctx.db, customer_id, input.id)
  if (!purchase) throw refuse('PURCHASE_NOT_FOUND')
  const source = await findSource(ctx.db, customer_id, input.payment_source_id)
  if (!source) throw refuse('PAYMENT_SOURCE_NOT_FOUND')
  const attempt = await findSubscriptionAttempt(ctx, purchase)
  if (!attempt) throw refuse('SUBSCRIPTION_NOT_CANCELLABLE')
  if (source.gateway !== attempt.gateway || !getGateway(ctx, attempt.gateway).changeCard) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  await putCard(ctx, purchase, attempt, source)
  return { purchase: await purchaseOnWire(ctx, await findView(ctx.db, purchase.purchase_id)) }
}

/** Updates the processor first, then our row: after a crash in between, repeating the call sets the same card again. */
async function putCard(
  ctx: Ctx,
  purchase: PurchaseRow,
  attempt: AttemptRow,
  source: SourceRow,
): Promise<Pick<CardChange, 'paid' | 'card_label' | 'clientSecret'>> {
  const gateway = getGateway(ctx, attempt.gateway)
  const ref = attemptRef(ctx, attempt)
  if (!ref || !gateway.changeCard) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  try {
    const facts = await gateway.changeCard(ref, { id: source.provider_card, buyer: null })
    const applied = await apply(ctx, facts, attempt)
    await ctx.tx(async (tx) => {
      await lockBuyer(tx, purchase.customer_id)
      await lockPurchase(tx, purchase.purchase_id)
      await updatePurchase(tx, purchase.purchase_id, { payment_source_id: source.payment_source_id, updatedAt: ctx.now })
      await ctx.audit(tx, {
        action: 'subscription.card',
        entity: 'purchase',
        entity_id: purchase.purchase_id,
        before: { payment_source_id: purchase.payment_source_id },
        after: { payment_source_id: source.payment_source_id },
      })
      await tx.send({ name: 'sales.card-changed', data: { purchase_id: purchase.purchase_id, at: ctx.now.toISOString() } })
      tx.notify({ topic: 'purchase', purchase_id: purchase.purchase_id, customer_id: purchase.customer_id })
    })
    return {
      paid: facts.state !== 'past_due',
      card_label: applied?.attempt.instrument.label ?? facts.method?.label ?? null,
      clientSecret: secretOf(facts),
    }
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    if (error.kind !== 'declined' && error.kind !== 'invalid') ctx.studio.log.error({ error }, 'subscription.card_change_failed')
    throw refuse(error.kind === 'unsupported' ? 'PAYMENT_METHOD_UNAVAILABLE' : 'PAYMENT_SOURCE_FAILED')
  }
}
