/** What is sold at the counter: priced by the server, and written as one purchase for each item (S1, S2). */
import { periodsAfter } from '#contract/billing.ts'
import { STARTS_WITHIN_DAYS } from '#contract/counter-sales.ts'
import { refuse } from '#contract/errors.ts'
import { basePrice, type Centavos, parsePesos, priceAfter } from '#contract/money.ts'
import { addDays, expiryAfter, localDate, startOfDay } from '#contract/time.ts'
import { type DiscountRow, findPackage, type PackageWithTypes, takeStock } from '#server/modules/catalogue/catalogue.ts'
import { grant } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { freeSlot, ONE_OFF } from '#server/modules/sales/rules.ts'
import { priceWith, reserveDiscountUse, writeUse } from '#server/modules/sales/settlement/discounts.ts'
import { countUsed } from '#server/modules/sales/settlement/trials.ts'
import { taxFacts } from '#server/modules/sales/store/charge-store.ts'
import { insertSaleItem, type SaleRow } from '#server/modules/sales/store/sale-store.ts'
import { insertPurchase, listLive, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

/** An item as it was asked for. `list`: what the caller says that it costs, where it is no package. */
export interface ItemInput {
  kind: 'package' | 'class' | 'other'
  class_package_id?: number | null | undefined
  title?: string | null | undefined
  list?: Centavos
  quantity: number
  discountCode?: string | null | undefined
  discount?: { percent?: number | null | undefined; amount?: string | null | undefined; reason: string } | null | undefined
  price?: { amount: string; reason: string } | null | undefined
  starts_on?: string | null | undefined
  package_days?: number | null | undefined
  over_limit?: { reason: string } | null | undefined
}

/** One item with its price: a package once for each that is bought, everything else with its quantity. */
export interface PricedItem {
  /** Which line of the request it comes from. */
  at: number
  input: ItemInput
  title: string
  quantity: number
  list: Centavos
  total: Centavos
  pack: PackageWithTypes | null
  discount: DiscountRow | null
  limit_slot: number | null
  over_limit_reason: string | null
}

/** Whether this person lowers prices and lets customers owe without a limit: who manages the studio, with the right. */
export const mayDiscountFreely = (ctx: Ctx): boolean =>
  (ctx.staff?.role === 'owner' || ctx.staff?.role === 'manager') && ctx.staff.rights.has('sales.discount_free')

/** What staff make of a price by hand. INVALID_INPUT for a discount that says nothing or two things. */
function priceByHand(list: Centavos, { discount, price }: ItemInput): Centavos {
  if (price) return parsePesos(price.amount) ?? 0
  if (!discount) return list
  if ((discount.percent == null) === (discount.amount == null)) throw refuse('INVALID_INPUT', { field: 'discount' })
  if (discount.percent != null) return priceAfter(list, { percentBp: Math.round(discount.percent * 100) })
  return priceAfter(list, { fixed: parsePesos(discount.amount ?? '') ?? 0 })
}

/** FORBIDDEN where somebody takes another price than the list's without the right, or lowers it by more than they may (`pos_discount_max_percent`). */
function assertDiscountAllowed(ctx: Ctx, list: Centavos, total: Centavos): void {
  if (list === total || mayDiscountFreely(ctx)) return
  const most = ctx.settings.pos_discount_max_percent
  if (!ctx.staff?.rights.has('sales.discount_free')) throw refuse('FORBIDDEN', { needs: 'sales.discount_free' })
  if ((list - total) * 100 > most * list) throw refuse('FORBIDDEN', { needs: 'sales.discount_free', max_percent: most })
}

function assertStart(ctx: Ctx, input: ItemInput): void {
  const day = input.starts_on
  if (!day) return
  const today = localDate(ctx.now, ctx.zone)
  if (day < addDays(today, -STARTS_WITHIN_DAYS) || day > addDays(today, STARTS_WITHIN_DAYS))
    throw refuse('INVALID_INPUT', { field: 'starts_on' })
}

/**
 * What the items cost, behind the customer's lock; nothing is written. `ending`: open orders of the customer that are about to be ended. PACKAGE_NOT_FOUND,
 * DISCOUNT_INVALID, OVER_LIMIT_REASON, FORBIDDEN for a discount beyond what this person may give, INVALID_INPUT.
 */
export async function priceItems(
  tx: Tx,
  ctx: Ctx,
  customer_id: number,
  inputs: readonly ItemInput[],
  ending: readonly number[],
): Promise<PricedItem[]> {
  const priced: PricedItem[] = []
  for (const [at, input] of inputs.entries()) {
    const { kind, quantity, discountCode } = input
    const ways = [discountCode?.trim(), input.discount, input.price].filter(Boolean).length
    if (ways > 1) throw refuse('INVALID_INPUT', { field: `lines.${at}.discount` })
    if (kind !== 'package') {
      if (discountCode?.trim()) throw refuse('DISCOUNT_INVALID')
      const list = (input.list ?? 0) * quantity
      const total = priceByHand(list, input)
      assertDiscountAllowed(ctx, list, total)
      priced.push({
        ...{ at, input, title: input.title ?? '', quantity, list, total, pack: null, discount: null },
        limit_slot: null,
        over_limit_reason: null,
      })
      continue
    }
    assertStart(ctx, input)
    const pack = input.class_package_id == null ? null : await findPackage(tx, input.class_package_id)
    if (!pack || pack.deletedAt) throw refuse('PACKAGE_NOT_FOUND')
    const { price, discount } = await priceWith(tx, ctx, pack, discountCode ?? null)
    // A code counts its uses one by one: for several of a package it stands on a line of its own.
    if (discount && (quantity > 1 || priced.some((one) => one.discount?.discount_id === discount.discount_id)))
      throw refuse('INVALID_INPUT', { field: `lines.${at}.discountCode` })
    const list = basePrice(pack.price_centavos, pack.sale_price_centavos)
    const total = discount ? price.total : priceByHand(list, input)
    if (!discount) assertDiscountAllowed(ctx, list, total)
    for (let n = 0; n < quantity; n++)
      priced.push({
        ...{ at, input, title: pack.title, quantity: 1, list, total, pack, discount },
        ...(await slotOf(tx, ctx, { customer_id, pack, priced, ending, input })),
      })
  }
  return priced
}

/** Which of the customer's allowed purchases of a package the next one is: none beyond the limit, which takes a reason (V3, V28). */
async function slotOf(
  tx: Tx,
  ctx: Ctx,
  of: { customer_id: number; pack: PackageWithTypes; priced: readonly PricedItem[]; ending: readonly number[]; input: ItemInput },
): Promise<{ limit_slot: number | null; over_limit_reason: string | null }> {
  const { customer_id, pack, priced, ending, input } = of
  const limit = pack.limit_per_customer
  if (limit === null) return { limit_slot: null, over_limit_reason: null }
  const live = (await listLive(tx, customer_id, pack.class_package_id)).filter((one) => !ending.includes(one.purchase_id))
  const here = priced.filter((one) => one.pack?.class_package_id === pack.class_package_id)
  if ((await countUsed(tx, ctx, { customer_id, pack, live })) + here.length < limit)
    return {
      limit_slot: freeSlot(
        [...live, ...here].map((one) => one.limit_slot),
        limit,
      ),
      over_limit_reason: null,
    }
  if (!input.over_limit) throw refuse('OVER_LIMIT_REASON', { limit })
  return { limit_slot: null, over_limit_reason: input.over_limit.reason }
}

/** Days that a package lives when it is sold at the counter: a subscription's for one of its periods (V28). */
function daysOf(ctx: Ctx, pack: PackageWithTypes, from: Date): number {
  if (!pack.is_subscription || !pack.subscription_period) return pack.expiration_days
  const end = periodsAfter(from, pack.subscription_period, pack.subscription_interval ?? 1, ctx.zone)
  return Math.round((end.getTime() - from.getTime()) / 86_400_000)
}

/** Takes the packages of a basket out of stock, in the order of their ids so that two baskets never wait for each other. PACKAGE_SOLD_OUT. */
export async function takeStockOf(tx: Tx, items: readonly PricedItem[]): Promise<void> {
  const ids = items.flatMap((one) => (one.pack ? [one.pack.class_package_id] : [])).sort((a, b) => a - b)
  for (const class_package_id of ids) await takeStock(tx, class_package_id)
}

/** Writes one item as a line of the sale and as a completed purchase, with what it gives. `paidBy`: the sale's first payment. */
export async function writeItem(
  tx: Tx,
  ctx: Ctx,
  sale: SaleRow,
  item: PricedItem,
  n: number,
  paidBy: { gateway: string; payment_method_id: number } | null,
): Promise<{ purchase: PurchaseRow; tax_rate: number; charged: number; tax: number }> {
  const { input, pack, list, total, discount, title } = item
  const { customer_id, location_id, staff_id, sale_id } = sale
  const facts = taxFacts(ctx.settings, total)
  const { sale_line_id } = await insertSaleItem(tx, {
    ...{ sale_id, n, kind: input.kind, title, quantity: item.quantity, list_centavos: list, total_centavos: total, ...facts },
    ...{ price_reason: input.price?.reason ?? input.discount?.reason ?? null, over_limit_reason: item.over_limit_reason },
  })
  const use = discount && { discount_id: discount.discount_id, ...(await reserveDiscountUse(tx, discount, customer_id)) }
  const from = input.starts_on ? startOfDay(input.starts_on, ctx.zone) : ctx.now
  const expiration_days = input.package_days ?? (pack ? daysOf(ctx, pack, from) : 0)
  const amount_centavos = Math.max(list, total)
  const purchase = await insertPurchase(tx, {
    ...{ customer_id, class_package_id: pack?.class_package_id ?? null, title, class_amount: pack?.class_amount ?? 0, expiration_days },
    ...{ amount_centavos, discount_centavos: amount_centavos - total, total_centavos: total },
    ...{ discount_id: discount?.discount_id ?? null, discount_code: discount?.code ?? null, limit_slot: item.limit_slot },
    ...{
      gateway: total > 0 ? (paidBy?.gateway ?? 'mostrador') : 'gratis',
      payment_method_id: total > 0 ? (paidBy?.payment_method_id ?? null) : null,
    },
    ...{ status: 'completed', completedAt: ctx.now, holds_stock: pack !== null, request_hash: 'sale' },
    ...{ sale_id, sale_line_id, starts_on: input.starts_on ?? null, location_id, staff_id, createdAt: ctx.now, updatedAt: ctx.now },
  })
  const { purchase_id } = purchase
  if (use) await writeUse(tx, ctx, purchase, { ...use, state: 'used' })
  if (pack) {
    const until = input.package_days == null ? null : expiryAfter(from, input.package_days, ctx.zone)
    await grant(tx, ctx, {
      ...{ kind: 'package', customer_id, class_package_id: pack.class_package_id, purchase_id, period: ONE_OFF, from },
      ...{ class_amount: pack.class_amount, expiration_days, title, ...(until ? { until } : {}) },
    })
  }
  await tx.send({ name: 'sales.receipt', data: { purchase_id, period: ONE_OFF } })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  return { purchase, tax_rate: facts.tax_rate, charged: 0, tax: 0 }
}
