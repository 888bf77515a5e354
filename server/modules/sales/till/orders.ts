/** Orders of the counter that a processor charges: on a saved card now, or by their customer with a link (docs/domain.md S7 to S10). */
import type * as z from 'zod'
import { COUNTER_ORDERS_PER_PAGE, type CounterOrder, type counterOrders as wire } from '#contract/counter-orders.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import type { PaymentAnswer, SavedCard } from '#contract/sales.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import type { Instrument, PaymentGateway } from '#server/adapters/payments/port.ts'
import { takeStock } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { customerById } from '#server/modules/people/people.ts'
import { chargeAttempt, refusalForAttempt, toPaymentAnswer } from '#server/modules/sales/checkout/paying.ts'
import { CARD_HOLD_MS, freezeTerms, isOpenAttempt, subscriptionPlan } from '#server/modules/sales/rules.ts'
import { applyProcessorState } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { reserveDiscountUse, writeUse } from '#server/modules/sales/settlement/discounts.ts'
import { closeWaiting, endAttempt } from '#server/modules/sales/settlement/ending-attempts.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { soldCards } from '#server/modules/sales/settlement/gift-cards.ts'
import { payableUntil, recordReplacement } from '#server/modules/sales/settlement/plan-changes.ts'
import { findBuyer, findProviderCustomer, lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { findSource, listSources, type SourceRow } from '#server/modules/sales/store/card-store.ts'
import { findPaymentLink, insertPaymentLink, listWaitingLinks } from '#server/modules/sales/store/payment-link-store.ts'
import { listBeforeProcessor } from '#server/modules/sales/store/sale-store.ts'
import {
  findByVisit,
  findPurchase,
  insertAttempt,
  insertPurchase,
  listAttempts,
  lockPurchase,
  type PurchaseRow,
  updateTogether,
} from '#server/modules/sales/store/store.ts'
import { itemsOnWire, listOrderItems, totalOfItems } from '#server/modules/sales/views/order-items.ts'
import { serializeCard } from '#server/modules/sales/views/purchase-view.ts'
import { studioPurchase } from '#server/modules/sales/views/studio-lists.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { assertLocation } from './cash-sessions.ts'
import { linkOf } from './payment-links.ts'
import { type ItemInput, priceItems } from './sale-items.ts'
import { endOpenOrders } from './write-sale.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type OrderInput = Input<'open'>

/** An order of one package; without a location when it continues a purchase that was made online. */
export type OrderRequest = Omit<OrderInput, 'location_id' | 'lines' | 'payments'> & {
  location_id: number | null
  line: OrderInput['lines'][number]
}

/** How an order is charged: `source` on a saved card now; null: by its customer, with a link. */
export interface OrderMethod {
  gateway: PaymentGateway
  source: SourceRow | null
}

/**
 * Opens an order of one item and, on a saved card, charges it (S7, S8). A refusal of the bank closes it: nothing is sold. An unknown
 * outcome leaves it pending, and the same key finds the outcome without a second charge. NOT_FOUND, CUSTOMER_EMAIL_REQUIRED,
 * PAYMENT_SOURCE_NOT_FOUND, PAYMENT_METHOD_UNAVAILABLE, PRICE_CHANGED, PAYMENT_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, and the refusals of
 * packages, codes and cards.
 */
export async function openOrder(ctx: Ctx, input: OrderRequest): Promise<CounterOrder> {
  const { customer_id, location_id, line } = input
  await customerById(ctx.db, customer_id)
  if (location_id !== null) await assertLocation(ctx, location_id)
  assertItem(input)
  const hash = requestHash('counterOrders.open', input)
  const before = await ctx.tx((tx) => findOpenOrder(tx, ctx, customer_id, hash))
  if (before) return settleOrder(ctx, before.purchase_id)
  if ((await findBuyer(ctx.db, customer_id)).email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
  const method = await resolvePaymentMethod(ctx, input)
  const packages = line.class_package_id ? [line.class_package_id] : []
  // The customer's open orders of the package are ended first (V5, V28); an order that would be refused ends none.
  await endOpenOrders(ctx, { customer_id, packages }, (ending) => dryRun(ctx, (tx) => writeOrder(tx, ctx, input, { method, hash, ending })))
  const purchase = await ctx.tx(
    async (tx) => (await findOpenOrder(tx, ctx, customer_id, hash)) ?? writeOrder(tx, ctx, input, { method, hash, ending: [] }),
  )
  return settleOrder(ctx, purchase.purchase_id)
}

/** INVALID_INPUT unless the item is one package. */
function assertItem({ line }: OrderRequest): void {
  const field =
    line.kind !== 'package'
      ? 'kind'
      : !line.class_package_id
        ? 'class_package_id'
        : line.quantity > 1
          ? 'quantity'
          : line.gift_to && 'gift_to'
  if (field) throw refuse('INVALID_INPUT', { field: `line.${field}` })
}

/** The order that this request opened before, behind the customer's lock. IDEMPOTENCY_KEY_REUSED when its key named another one. */
export async function findOpenOrder(tx: Tx, ctx: Ctx, customer_id: number, hash: string): Promise<PurchaseRow | null> {
  await lockBuyer(tx, customer_id)
  const known = ctx.idempotencyKey === null ? null : await findByVisit(tx, customer_id, ctx.idempotencyKey)
  if (known && known.request_hash !== hash) throw refuse('IDEMPOTENCY_KEY_REUSED')
  return known
}

export async function resolvePaymentMethod(
  ctx: Ctx,
  { customer_id, payment_source_id }: Pick<OrderInput, 'customer_id' | 'payment_source_id'>,
): Promise<OrderMethod> {
  if (payment_source_id == null) {
    if (!ctx.ports.cards) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
    return { gateway: ctx.ports.cards, source: null }
  }
  const source = ctx.settings.payment_sources_enabled ? await findSource(ctx.db, customer_id, payment_source_id) : null
  if (!source) throw refuse('PAYMENT_SOURCE_NOT_FOUND')
  const gateway = ctx.ports.gateways.get(source.gateway)
  if (!gateway) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  return { gateway, source }
}

/**
 * Writes the order with its frozen terms, behind the customer's lock: it holds stock, limit and discount use like a purchase at
 * the checkout.
 */
export async function writeOrder(
  tx: Tx,
  ctx: Ctx,
  { customer_id, location_id, line, shown }: Omit<OrderRequest, 'line'> & { line: ItemInput },
  of: { method: OrderMethod; hash: string; ending: readonly number[]; staff_id?: number },
): Promise<PurchaseRow> {
  await lockBuyer(tx, customer_id)
  const { method, hash, ending, staff_id = ctx.staff?.staff_id ?? null } = of
  const { gateway, source } = method
  const [item] = await priceItems(tx, ctx, customer_id, [line], ending)
  if (!item?.classPackage) throw new Error('The package of an order was not priced.')
  const { classPackage, total, discount } = item
  if (parsePesos(shown.total) !== total) throw refuse('PRICE_CHANGED', { price: pesos(total), total: pesos(total) })
  const price = { amount: item.list, discount: item.list - total, total, old: null, nextTotal: item.nextTotal }
  // A subscription sold at the counter begins with its first charge, never with a free trial.
  const terms = freezeTerms(classPackage, price, ctx.now, false)
  const plan = subscriptionPlan(terms, ctx.zone)
  const no = gateway.refuses({ instrument: source ? 'saved-card' : 'hosted-page', amount: total, ...(plan ? { plan } : {}) })
  if (no) throw refuse(no)
  await takeStock(tx, classPackage.class_package_id)
  const use = discount && { discount_id: discount.discount_id, ...(await reserveDiscountUse(tx, discount, customer_id)) }
  const amount_centavos = Math.max(item.list, total)
  const purchase = await insertPurchase(tx, {
    customer_id,
    class_package_id: classPackage.class_package_id,
    title: item.title,
    class_amount: classPackage.class_amount,
    expiration_days: line.package_days ?? classPackage.expiration_days,
    ...terms,
    amount_centavos,
    discount_centavos: amount_centavos - total,
    total_centavos: total,
    discount_id: discount?.discount_id ?? null,
    discount_code: discount?.code ?? null,
    limit_slot: item.limit_slot,
    gateway: gateway.id,
    payment_source_id: terms.is_subscription ? (source?.payment_source_id ?? null) : null,
    status: 'pending',
    hold_until: new Date(ctx.now.getTime() + CARD_HOLD_MS),
    holds_stock: true,
    is_exclusive: ending.length === 0,
    idempotency_key: ctx.idempotencyKey,
    request_hash: hash,
    starts_on: line.starts_on ?? null,
    location_id,
    staff_id,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  const { purchase_id } = purchase
  if (use) await writeUse(tx, ctx, purchase, { ...use, state: 'held' })
  if (item.replaced && staff_id !== null) await recordReplacement(tx, ctx, { replaced: item.replaced, by: purchase, staff_id })
  if (source)
    await insertAttempt(tx, {
      purchase_id,
      n: 1,
      gateway: gateway.id,
      ref_kind: 'payment',
      state: 'created',
      now: ctx.now,
      instrument: { by: 'saved-card', card: source.payment_source_id },
    })
  await ctx.audit(tx, {
    action: 'order.open',
    entity: 'purchase',
    entity_id: purchase_id,
    reason: line.price?.reason ?? line.discount?.reason ?? null,
    after: { customer_id, title: item.title, list_centavos: item.list, total_centavos: total, over_limit: item.over_limit_reason },
  })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  return source ? purchase : waitForCustomer(tx, ctx, purchase)
}

/** Lets the customer pay an order with a link, for `payment_link_hours` from now, and mails it to them. */
export async function waitForCustomer(tx: Tx, ctx: Ctx, { purchase_id }: PurchaseRow): Promise<PurchaseRow> {
  await insertPaymentLink(tx, purchase_id, ctx.now)
  await tx.send({ name: 'sales.payment-link', data: { purchase_id } })
  const latest = await payableUntil(tx, purchase_id)
  const hours = ctx.now.getTime() + ctx.settings.payment_link_hours * 3_600_000
  const hold_until = new Date(latest ? Math.min(hours, latest.getTime()) : hours)
  return updateTogether(tx, purchase_id, { hold_until, updatedAt: ctx.now })
}

/**
 * Charges an order on its saved card, or reads the state of that charge. Idempotent: the processor recognises the request by its key.
 * Throws the refusal of the bank, after which the order is closed.
 */
export async function settleOrder(ctx: Ctx, purchase_id: number): Promise<CounterOrder> {
  const [purchase, [attempt]] = await Promise.all([findPurchase(ctx.db, purchase_id), listAttempts(ctx.db, purchase_id)])
  if (!purchase) throw new Error(`There is no order ${purchase_id}.`)
  if (purchase.status === 'failed' && attempt?.state === 'refused') throw refusalForAttempt(purchase, attempt)
  if (purchase.status === 'failed' && (await takesMoneyHere(ctx.db, purchase)))
    throw refuse('CARD_CONFIRMATION', { purchase_id, message: NEEDS_CONFIRMATION })
  if (purchase.status !== 'pending' || !attempt || (await findPaymentLink(ctx.db, purchase_id))) return orderOf(ctx, ctx.db, purchase_id)
  if (isOpenAttempt(attempt.state) || attempt.state === 'refused')
    try {
      await chargeSaved(ctx, purchase, attempt)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'PAYMENT_IN_PROGRESS') throw error
      await closeWaiting(ctx, purchase_id, { status: 'failed', reason: 'la tarjeta no pasó' })
      throw error
    }
  const [current, [last]] = await Promise.all([findPurchase(ctx.db, purchase_id), listAttempts(ctx.db, purchase_id)])
  // The bank wants its customer to confirm the charge, which only they can do: the order waits for them with a link.
  if (current?.status === 'pending' && last?.state === 'waiting') {
    await endAttempt(ctx, last, 'la persona lo paga con un enlace', false)
    if (await takesMoneyHere(ctx.db, current)) {
      await closeWaiting(ctx, purchase_id, { status: 'failed', reason: NEEDS_CONFIRMATION })
      return settleOrder(ctx, purchase_id)
    }
  }
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, purchase.customer_id)
    const locked = await lockPurchase(tx, purchase_id)
    const [now] = await listAttempts(tx, purchase_id)
    if (locked?.status === 'pending' && now && !isOpenAttempt(now.state)) await waitForCustomer(tx, ctx, locked)
  })
  return orderOf(ctx, ctx.db, purchase_id)
}

/** Shown to staff after a charge that only its customer could confirm. */
const NEEDS_CONFIRMATION = 'su banco pide que lo confirme en su teléfono. No se cobró nada: usa otra tarjeta, o un enlace por todo.'

/** Whether staff receive a part of an order in money: it cannot wait for its customer (S15). */
async function takesMoneyHere(db: Reader, { sale_id }: PurchaseRow): Promise<boolean> {
  const rows = sale_id === null ? [] : await listBeforeProcessor(db, sale_id)
  return rows.some(({ payment }) => payment.gift_card_id === null)
}

type Attempt = Awaited<ReturnType<typeof listAttempts>>[number]

async function chargeSaved(ctx: Ctx, purchase: PurchaseRow, attempt: Attempt): Promise<PaymentAnswer | null> {
  if (attempt.state === 'refused') throw refusalForAttempt(purchase, attempt)
  const ref = attemptRef(ctx, attempt)
  if (ref) {
    const applied = await applyProcessorState(ctx, ref)
    return applied && toPaymentAnswer(applied)
  }
  const source = await findSource(ctx.db, purchase.customer_id, attempt.instrument.card ?? 0)
  if (!source) throw refuse('PAYMENT_SOURCE_NOT_FOUND')
  const buyer = await findProviderCustomer(ctx.db, source.gateway, purchase.customer_id)
  const instrument: Instrument = { by: 'saved-card', card: { id: source.provider_card, buyer } }
  return chargeAttempt(ctx, { purchase, attempt }, { gateway: getGateway(ctx, attempt.gateway), save: false, instrument })
}

async function orderOf(ctx: Ctx, db: Reader, purchase_id: number): Promise<CounterOrder> {
  const [purchase, row, link] = await Promise.all([
    studioPurchase(ctx, purchase_id),
    findPurchase(db, purchase_id),
    findPaymentLink(db, purchase_id),
  ])
  const isPaid = purchase.status === 'active' || purchase.status === 'completed'
  const waits = purchase.status === 'pending' && link !== null && row !== null
  const items = row ? await listOrderItems(db, row) : []
  const before = row?.sale_id == null ? [] : await listBeforeProcessor(db, row.sale_id)
  const { lines, total } = itemsOnWire(items)
  const cards = isPaid
    ? await soldCards(
        ctx,
        db,
        items.flatMap((card) => (card.kind === 'gift_card' ? [card.purchase_id] : [])),
      )
    : null
  return {
    purchase,
    lines,
    total,
    sale_id: isPaid ? (row?.sale_id ?? null) : null,
    charge: pesos(totalOfItems(items) - before.reduce((sum, { payment }) => sum + payment.amount_centavos, 0)),
    payments: before.map(({ payment: { amount_centavos: amount, received_centavos: received }, method }) => ({
      name: method,
      amount: pesos(amount),
      change: pesos(received === null ? 0 : received - amount),
    })),
    gift_cards: items.flatMap(({ purchase_id, title }) => {
      const card = cards?.get(purchase_id)
      return card ? [{ purchase_id, title, code: card.code }] : []
    }),
    state: isPaid ? 'paid' : waits ? 'waiting' : 'processing',
    link: waits ? linkOf(ctx, link, row) : null,
  }
}

/** Orders that wait for their customer, at the caller's locations (S8). */
export async function listOrders(
  ctx: Ctx,
  { page, customer_id, location_id }: Input<'list'>,
): Promise<{ orders: CounterOrder[]; total: number }> {
  if (location_id !== undefined) ctx.requireLocation('sales.sell', location_id)
  const { purchase_ids, total } = await listWaitingLinks(
    ctx.db,
    { locations: location_id === undefined ? ctx.locationIds : [location_id], customer_id, now: ctx.now },
    { number: page, size: COUNTER_ORDERS_PER_PAGE },
  )
  return { orders: await Promise.all(purchase_ids.map((id) => orderOf(ctx, ctx.db, id))), total }
}

/** Mails the link of an order again. PURCHASE_NOT_FOUND, PURCHASE_CLOSED, CUSTOMER_EMAIL_REQUIRED. */
export async function sendOrder(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<CounterOrder> {
  const purchase = await purchaseHere(ctx, purchase_id)
  if (purchase.status !== 'pending' || !(await findPaymentLink(ctx.db, purchase_id))) throw refuse('PURCHASE_CLOSED')
  if ((await findBuyer(ctx.db, purchase.customer_id)).email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
  await ctx.throttle({ name: 'payment-link-mail', subject: String(purchase_id), max: 5, seconds: 3_600 })
  await ctx.tx(async (tx) => {
    await tx.send({ name: 'sales.payment-link', data: { purchase_id, again: ctx.now.toISOString() } })
    await ctx.audit(tx, { action: 'order.send', entity: 'purchase', entity_id: purchase_id })
  })
  return orderOf(ctx, ctx.db, purchase_id)
}

/** Cancels an unpaid order (S8). PURCHASE_NOT_FOUND; PURCHASE_CLOSED when it was paid meanwhile, PAYMENT_IN_PROGRESS. */
export async function cancelOrder(ctx: Ctx, { purchase_id, reason }: Input<'cancel'>): Promise<{ purchase: StudioPurchase }> {
  const { status } = await purchaseHere(ctx, purchase_id)
  if (status !== 'cancelled') {
    if (status !== 'pending' || !(await findPaymentLink(ctx.db, purchase_id))) throw refuse('PURCHASE_CLOSED')
    const after = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason })
    if (after.status === 'pending') throw refuse('PAYMENT_IN_PROGRESS', { purchase_id })
    if (after.status !== 'cancelled') throw refuse('PURCHASE_CLOSED')
  }
  return { purchase: await studioPurchase(ctx, purchase_id) }
}

/** The saved cards of a customer that the counter may charge, newest first, and whether links can be paid. NOT_FOUND. */
export async function cardsOfCustomer(
  ctx: Ctx,
  { customer_id }: { customer_id: number },
): Promise<{ payment_sources: SavedCard[]; takes_links: boolean }> {
  await customerById(ctx.db, customer_id)
  const sources = ctx.settings.payment_sources_enabled ? await listSources(ctx.db, customer_id) : []
  const usable = sources.filter(({ gateway }) => ctx.ports.gateways.has(gateway))
  return { payment_sources: usable.map(serializeCard), takes_links: ctx.ports.cards !== null }
}
