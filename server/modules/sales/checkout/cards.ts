/** Saved cards: stored after the processor saved them, removed after it removed them (S1-7.59 to S1-7.64; V19, V20; settled 13, 14, 39). */
import { type ErrorCode, Refusal, refuse } from '#contract/errors.ts'
import type { CardProcessor } from '#contract/processors.ts'
import type { CardFields, SavedCard } from '#contract/sales.ts'
import type { MetodoPago, SavedCardAnswer } from '#contract/saved-cards.ts'
import { type Card, PaymentError, type PaymentGateway } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { readSource } from '#server/modules/sales/rules.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { lockBuyer, upsertProviderCustomer } from '#server/modules/sales/store/buyer-store.ts'
import { chargesCard, findSource, listSources, removeSource, type SourceRow, upsertSource } from '#server/modules/sales/store/card-store.ts'
import { type AttemptRow, findPurchase, updatePurchase } from '#server/modules/sales/store/store.ts'
import { serializeCard, serializeMetodo } from '#server/modules/sales/views/purchase-view.ts'
import type { Tx } from '#server/platform/db.ts'
import { loadBuyer } from './paying.ts'

/** Saved cards, newest first (S1-7.62). None when the studio does not save cards. */
export async function savedCards(ctx: Ctx): Promise<{ payment_sources: SavedCard[]; card: CardFields | null }> {
  if (!ctx.settings.payment_sources_enabled) return { payment_sources: [], card: null }
  return { payment_sources: (await listSources(ctx.db, ctx.customer.customer_id)).map(serializeCard), card: cardFields(ctx) }
}

/** The processor fields for entering a card; null when the processor's public key is not set. Throws for an unknown gateway. */
export function cardFields(ctx: Ctx, id: string | undefined = ctx.ports.cards?.id): CardFields | null {
  return id === undefined ? null : getGateway(ctx, id).cardFields(ctx.settings)
}

/** The saved cards in the format of the first flow (S1-7.59). */
export async function savedMetodos(ctx: Ctx): Promise<{ metodos_pago: MetodoPago[] }> {
  if (!ctx.settings.payment_sources_enabled) return { metodos_pago: [] }
  return { metodos_pago: (await listSources(ctx.db, ctx.customer.customer_id)).map(serializeMetodo) }
}

interface Proof {
  setup_id?: string | null | undefined
  token_id?: string | null | undefined
  source_id?: string | null | undefined
}

/** Starts or finishes saving a card (S1-7.63). Every failure is PAYMENT_SOURCE_FAILED (settled 39). */
export async function saveCard(ctx: Ctx, input: Proof): Promise<SavedCardAnswer> {
  const { source, setup } = await saveOwnCard(ctx, ctx.ports.cards, input)
  return { payment_source: source && serializeCard(source), setup }
}

/** Saves the card of a token, in the format of the first flow (S1-7.60). PAYMENT_SOURCE_FAILED. */
export async function saveMetodo(
  ctx: Ctx,
  input: { token_id: string },
): Promise<{ metodo_pago: MetodoPago | null; setup: SavedCardAnswer['setup'] }> {
  const gateway = ctx.ports.cards && (ctx.ports.gateways.get('conekta' satisfies CardProcessor) ?? ctx.ports.cards)
  const { source, setup } = await saveOwnCard(ctx, gateway, { token_id: input.token_id })
  return { metodo_pago: source && serializeMetodo(source), setup }
}

async function saveOwnCard(
  ctx: Ctx,
  gateway: PaymentGateway | null,
  { setup_id, token_id, source_id }: Proof,
): Promise<{ source: SourceRow | null; setup: SavedCardAnswer['setup'] }> {
  const { customer_id } = ctx.customer
  // Limits trying stolen card numbers one after another.
  await ctx.throttle({ name: 'keep-card', subject: String(customer_id), max: 20, seconds: 3_600 })
  if (!gateway || !ctx.settings.payment_sources_enabled) throw refuse('PAYMENT_SOURCE_FAILED')
  return saveCardFor(ctx, gateway, customer_id, { setup_id, token_id, source_id })
}

/** Saves a card for a customer, signed in or not (a card link). PAYMENT_SOURCE_FAILED. */
export function saveCardFor(
  ctx: Ctx,
  gateway: PaymentGateway,
  customer_id: number,
  { setup_id, token_id, source_id }: Proof,
): Promise<{ source: SourceRow | null; setup: SavedCardAnswer['setup'] }> {
  return orRefuse(ctx, async () => {
    const buyer = await loadBuyer(ctx, customer_id, gateway)
    const token = token_id || source_id
    let proof = setup_id
    if (!proof) {
      const { next, setup } = await gateway.cards.begin(buyer, ...(token ? [token] : []))
      if (next?.do === 'confirm') return { source: null, setup: { id: setup, clientSecret: next.clientSecret } }
      proof = setup
    }
    const card = await gateway.cards.finish(buyer, proof)
    return { source: await store(ctx, gateway, customer_id, card), setup: null }
  })
}

/** Stores a card that its processor saved. The same physical card renews its row; the processor's older copy is removed there. */
async function store(
  ctx: Ctx,
  gateway: PaymentGateway,
  customer_id: number,
  card: Card,
  more?: (tx: Tx, source: SourceRow) => Promise<unknown>,
): Promise<SourceRow> {
  const { source, replaced } = await ctx.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    if (card.buyer) await upsertProviderCustomer(tx, gateway.id, customer_id, card.buyer)
    const put = await upsertSource(tx, {
      customer_id,
      gateway: gateway.id,
      provider_card: card.id,
      card_type: card.brand,
      last_digits: card.last4,
      exp: card.exp,
      fingerprint: card.fingerprint,
      createdAt: ctx.now,
    })
    if (!put) throw refuse('PAYMENT_SOURCE_FAILED')
    const inUse = put.replaced !== null && (await chargesCard(tx, put.source.payment_source_id))
    await more?.(tx, put.source)
    return { source: put.source, replaced: inUse ? null : put.replaced }
  })
  if (replaced !== null)
    await gateway.cards
      .remove({ id: replaced, buyer: card.buyer })
      .catch((error: unknown) => ctx.studio.log.warn({ error, gateway: gateway.id }, 'card.duplicate_not_removed'))
  return source
}

/** Removes a card of one's own (S1-7.61, S1-7.64). PAYMENT_SOURCE_NOT_FOUND, PAYMENT_SOURCE_IN_USE, PAYMENT_SOURCE_FAILED. */
export async function removeCard(ctx: Ctx, input: { id: number | string }): Promise<{ ok: true }> {
  const { customer_id } = ctx.customer
  const payment_source_id = typeof input.id === 'number' ? input.id : readSource(input.id)
  const source = payment_source_id === null ? null : await findSource(ctx.db, customer_id, payment_source_id)
  if (!source) throw refuse('PAYMENT_SOURCE_NOT_FOUND')
  if (await chargesCard(ctx.db, source.payment_source_id)) throw refuse('PAYMENT_SOURCE_IN_USE')
  const gateway = ctx.ports.gateways.get(source.gateway)
  // A card at a processor that is no longer configured cannot be charged, so there is nothing to remove there.
  if (gateway)
    await orRefuse(ctx, async () => {
      const { ref } = await loadBuyer(ctx, customer_id, gateway)
      await gateway.cards.remove({ id: source.provider_card, buyer: ref })
    })
  await ctx.tx((tx) => removeSource(tx, source.payment_source_id, ctx.now))
  return { ok: true }
}

/**
 * Removes the saved cards of erased customers at their processors. What a processor refuses is logged and left there: the caller erases the
 * rows.
 */
export async function forgetCards(ctx: Ctx, customer_ids: readonly number[]): Promise<void> {
  for (const customer_id of customer_ids)
    for (const { gateway: id, provider_card } of await listSources(ctx.db, customer_id)) {
      const gateway = ctx.ports.gateways.get(id)
      if (!gateway) continue
      try {
        const { ref } = await loadBuyer(ctx, customer_id, gateway)
        await gateway.cards.remove({ id: provider_card, buyer: ref })
      } catch (error) {
        ctx.studio.log.warn({ error, gateway: id, customer_id }, 'card.not_removed_at_processor')
      }
    }
}

/**
 * Maps every processor error about a card to PAYMENT_SOURCE_FAILED (settled 39); errors other than a declined or invalid card are logged.
 */
async function orRefuse<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const code: ErrorCode = 'PAYMENT_SOURCE_FAILED'
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error instanceof Refusal ? refuse(code) : error
    if (error.kind !== 'declined' && error.kind !== 'invalid') ctx.studio.log.error({ error }, 'card.processor_update_failed')
    throw refuse(code)
  }
}

/** Job: saves the card of a payment that requested it, and links it to the subscription that charges it. Idempotent. */
export async function saveCardFromAttempt(ctx: Ctx, attempt: AttemptRow): Promise<void> {
  const purchase = await findPurchase(ctx.db, attempt.purchase_id)
  const ref = attemptRef(ctx, attempt)
  if (!purchase || !ref) return
  const gateway = getGateway(ctx, attempt.gateway)
  const card = await gateway.cards.finish(await loadBuyer(ctx, purchase.customer_id, gateway), ref.id)
  await store(ctx, gateway, purchase.customer_id, card, async (tx, { payment_source_id }) => {
    if (purchase.is_subscription && purchase.payment_source_id === null)
      await updatePurchase(tx, purchase.purchase_id, { payment_source_id, updatedAt: ctx.now })
  })
}
