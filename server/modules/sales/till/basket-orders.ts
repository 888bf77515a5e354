/**
 * Orders of several items that a processor charges together: on a saved card now, or by their customer with a link (docs/domain.md S12
 * to S14).
 */
import type * as z from 'zod'
import type { CounterOrder, counterOrders as wire } from '#contract/counter-orders.ts'
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { customerById } from '#server/modules/people/people.ts'
import { CARD_HOLD_MS } from '#server/modules/sales/rules.ts'
import { lockPayingCards } from '#server/modules/sales/settlement/gift-cards.ts'
import { findBuyer, lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { insertSale } from '#server/modules/sales/store/sale-store.ts'
import { insertAttempt, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { assertLocation } from './cash-sessions.ts'
import { findOpenOrder, type OrderMethod, openOrder, resolvePaymentMethod, settleOrder, waitForCustomer } from './orders.ts'
import { type PricedItem, priceItems, takeItemsStock, writeWaitingItem } from './sale-items.ts'
import { giftCardIds, holdPayment, type ReadPayment, readPayments } from './sale-payments.ts'
import { endOpenOrders } from './write-sale.ts'

type BasketInput = z.output<NonNullable<(typeof wire)['open']['~orpc']['inputSchema']>>

/**
 * Opens an order (S7, S12): of one package with its own terms, or of a basket with one charge for all of it. Refuses like `openOrder`;
 * INVALID_INPUT for an item that a processor cannot charge with others and for money at the counter beside a link, PRODUCT_SOLD_OUT;
 * PAYMENTS_DIFFER when nothing is left for the processor, CASH_SESSION_REQUIRED, GIFT_CARD_NOT_FOUND, GIFT_CARD_BALANCE.
 */
export async function openCounterOrder(ctx: Ctx, { lines, ...input }: BasketInput): Promise<CounterOrder> {
  const [item] = lines
  const { payments, ...order } = input
  if (lines.length === 1 && item?.kind === 'package' && item.quantity === 1 && payments.length === 0)
    return openOrder(ctx, { ...order, line: item })
  return openBasket(ctx, { ...input, lines })
}

async function openBasket(ctx: Ctx, input: BasketInput): Promise<CounterOrder> {
  const { customer_id, location_id, lines } = input
  await customerById(ctx.db, customer_id)
  await assertLocation(ctx, location_id)
  assertItems(lines)
  assertPayments(input)
  const payments = await readPayments(ctx, ctx.db, input.payments)
  const hash = requestHash('counterOrders.open', input)
  const before = await ctx.tx((tx) => findOpenOrder(tx, ctx, customer_id, hash))
  if (before) return settleOrder(ctx, before.purchase_id)
  if ((await findBuyer(ctx.db, customer_id)).email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
  const method = await resolvePaymentMethod(ctx, input)
  const packages = [...new Set(lines.flatMap(({ class_package_id }) => class_package_id ?? []))]
  // The customer's open orders with these packages are ended first (V5, V28); an order that would be refused ends none.
  await endOpenOrders(ctx, { customer_id, packages }, (ending) =>
    dryRun(ctx, (tx) => writeBasket(tx, ctx, input, { method, hash, ending, payments })),
  )
  const first = await ctx.tx(
    async (tx) => (await findOpenOrder(tx, ctx, customer_id, hash)) ?? writeBasket(tx, ctx, input, { method, hash, ending: [], payments }),
  )
  return settleOrder(ctx, first.purchase_id)
}

/** INVALID_INPUT for an item with a missing field, and for places, gifts and changes of plan, which are not charged with others. */
function assertItems(items: BasketInput['lines']): void {
  for (const [n, item] of items.entries()) {
    const field =
      item.kind === 'class'
        ? 'kind'
        : item.kind === 'package'
          ? !item.class_package_id && 'class_package_id'
          : item.kind === 'product'
            ? !item.product_id && 'product_id'
            : (item.kind === 'other' && !item.title && 'title') || (!item.amount && 'amount')
    const wrong = field || (item.gift_to && 'gift_to') || (item.replaces && 'replaces') || (item.with_credit && 'with_credit')
    if (wrong) throw refuse('INVALID_INPUT', { field: `lines.${n}.${wrong}` })
  }
}

/**
 * INVALID_INPUT for a gift card that would pay a gift card, and for money that staff receive beside a link: it would lie in a drawer until
 * the customer pays, and go back when they do not.
 */
function assertPayments({ lines, payments, payment_source_id }: BasketInput): void {
  const sellsCard = lines.some(({ kind }) => kind === 'gift_card')
  for (const [n, { gift_card_code }] of payments.entries()) {
    if (gift_card_code && sellsCard) throw refuse('INVALID_INPUT', { field: `payments.${n}.gift_card_code` })
    if (!gift_card_code && payment_source_id == null) throw refuse('INVALID_INPUT', { field: `payments.${n}.payment_method_id` })
  }
}

/**
 * Writes the order behind the customer's lock: every item is a pending purchase with its frozen price that holds its stock, pieces, limit
 * and discount use. Payments at the counter are held (S15), the processor charges the rest. Returns the first item with a price, by whose
 * id the order is known.
 */
async function writeBasket(
  tx: Tx,
  ctx: Ctx,
  { customer_id, location_id, lines, shown }: BasketInput,
  of: { method: OrderMethod; hash: string; ending: readonly number[]; payments: readonly ReadPayment[] },
): Promise<PurchaseRow> {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  const { gateway, source } = of.method
  await lockBuyer(tx, customer_id)
  const inputs = lines.map((item) =>
    item.kind === 'other' || item.kind === 'gift_card' ? { ...item, list: parsePesos(item.amount ?? '') ?? 0 } : item,
  )
  const items = await priceItems(tx, ctx, customer_id, inputs, of.ending)
  const total = items.reduce((sum, item) => sum + item.total, 0)
  if (parsePesos(shown.total) !== total) throw refuse('PRICE_CHANGED', { price: pesos(total), total: pesos(total) })
  // What costs nothing needs no processor.
  if (total === 0) throw refuse('INVALID_INPUT', { field: 'lines' })
  const rest = total - of.payments.reduce((sum, { amount }) => sum + amount, 0)
  if (rest <= 0) throw refuse('PAYMENTS_DIFFER', { missing: pesos(rest), total: pesos(total) })
  const no = gateway.refuses({ instrument: source ? 'saved-card' : 'hosted-page', amount: rest })
  if (no) throw refuse(no)
  const sale = await insertSale(tx, {
    customer_id,
    location_id,
    staff_id: ctx.staff.staff_id,
    total_centavos: total,
    is_waiting: true,
    createdAt: ctx.now,
  })
  await takeItemsStock(tx, items, location_id)
  const leading = items.findIndex((item) => item.total > 0)
  const hold = { gateway: gateway.id, hold_until: new Date(ctx.now.getTime() + CARD_HOLD_MS) }
  const written: { item: PricedItem; purchase: PurchaseRow }[] = []
  for (const { item, n } of byDiscount(items)) {
    const isFirst = n === leading
    const key = isFirst ? { idempotency_key: ctx.idempotencyKey, request_hash: of.hash } : { request_hash: 'order' }
    written.push({ item, purchase: await writeWaitingItem(tx, ctx, sale, item, n + 1, { ...hold, ...key }) })
  }
  const first = written.find(({ item }) => item === items[leading])?.purchase
  if (!first) throw new Error('An order was written without its first item.')
  if (source)
    await insertAttempt(tx, {
      purchase_id: first.purchase_id,
      n: 1,
      gateway: gateway.id,
      ref_kind: 'payment',
      state: 'created',
      now: ctx.now,
      sale_id: sale.sale_id,
      part_centavos: rest,
      instrument: { by: 'saved-card', card: source.payment_source_id },
    })
  await lockPayingCards(tx, giftCardIds(of.payments))
  for (const [n, payment] of of.payments.entries()) await holdPayment(tx, ctx, { sale, n: n + 1, payment })
  await ctx.audit(tx, {
    action: 'order.open',
    entity: 'purchase',
    entity_id: first.purchase_id,
    after: {
      customer_id,
      total_centavos: total,
      ...(rest < total ? { at_counter_centavos: total - rest } : {}),
      items: items.map((item) => ({
        title: item.title,
        list_centavos: item.list,
        total_centavos: item.total,
        over_limit: item.over_limit_reason,
        reason: item.input.price?.reason ?? item.input.discount?.reason ?? null,
      })),
    },
  })
  tx.notify({ topic: 'purchase', purchase_id: first.purchase_id, customer_id })
  return source ? first : waitForCustomer(tx, ctx, first)
}

/** Discount uses are taken in the order of their ids, to avoid deadlocks between two sales. */
const byDiscount = (items: readonly PricedItem[]) =>
  items.map((item, n) => ({ item, n })).sort((a, b) => (a.item.discount?.discount_id ?? 0) - (b.item.discount?.discount_id ?? 0))
