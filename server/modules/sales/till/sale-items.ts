/** Items of a counter sale: priced by the server, each written as one purchase (S1, S2). */
import { periodsAfter } from '#contract/billing.ts'
import { STARTS_WITHIN_DAYS } from '#contract/counter-sales.ts'
import { refuse } from '#contract/errors.ts'
import { basePrice, type Centavos, formatMoney, parsePesos, priceAfter } from '#contract/money.ts'
import { addDays, expiryAfter, localDate, startOfDay } from '#contract/time.ts'
import {
  type DiscountRow,
  findPackage,
  type PackageWithTypes,
  type ProductRow,
  productForSale,
  takeProduct,
  takeStock,
} from '#server/modules/catalogue/catalogue.ts'
import { grantCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { freeSlot, ONE_OFF } from '#server/modules/sales/rules.ts'
import { priceWith, reserveDiscountUse, writeUse } from '#server/modules/sales/settlement/discounts.ts'
import { createGiftCard } from '#server/modules/sales/settlement/gift-cards.ts'
import { finishPlanChange, planReplacedNow, type Replaced, recordReplacement } from '#server/modules/sales/settlement/plan-changes.ts'
import { releasePurchaseHolds } from '#server/modules/sales/settlement/purchase-holds.ts'
import { countUsed } from '#server/modules/sales/settlement/trials.ts'
import { locationTaxRate, NO_TAX, taxFacts } from '#server/modules/sales/store/charge-store.ts'
import { insertSaleItem, type SaleRow } from '#server/modules/sales/store/sale-store.ts'
import { insertPurchase, listLive, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

/** An item of the request. `list`: the price given by the caller for an item that is not a package. */
export interface ItemInput {
  kind: 'package' | 'class' | 'product' | 'gift_card' | 'other'
  class_package_id?: number | null | undefined
  product_id?: number | null | undefined
  title?: string | null | undefined
  list?: Centavos
  quantity: number
  discountCode?: string | null | undefined
  discount?: { percent?: number | null | undefined; amount?: string | null | undefined; reason: string } | null | undefined
  price?: { amount: string; reason: string } | null | undefined
  starts_on?: string | null | undefined
  package_days?: number | null | undefined
  over_limit?: { reason: string } | null | undefined
  /** The plan that the package replaces from now on. */
  replaces?: { purchase_id: number; prorate: boolean } | null | undefined
  /** The price that was agreed before, for each period; a lower list price wins. */
  agreed?: Centavos
  /** The recipient of the package, when it is a gift. */
  gift_to?: number | null | undefined
  /** A credit pays for it: it has no price and is no item of the sale. */
  with_credit?: boolean
}

/** One priced item: packages and gift cards are split into one item each, everything else has a quantity. */
export interface PricedItem {
  /** Index of its item in the request. */
  at: number
  input: ItemInput
  title: string
  quantity: number
  list: Centavos
  total: Centavos
  /** What a subscription costs from its second period on. */
  nextTotal: Centavos | null
  classPackage: PackageWithTypes | null
  product: ProductRow | null
  discount: DiscountRow | null
  limit_slot: number | null
  over_limit_reason: string | null
  replaced: Replaced | null
}

/** Whether this person may lower prices and leave debts without a limit: managers with the right. */
export const mayDiscountFreely = (ctx: Ctx): boolean =>
  (ctx.staff?.role === 'owner' || ctx.staff?.role === 'manager') && ctx.staff.rights.has('sales.discount_free')

/** Applies a manual price or discount. INVALID_INPUT when a discount has neither or both of percent and amount. */
function priceByHand(list: Centavos, { discount, price }: ItemInput): Centavos {
  if (price) return parsePesos(price.amount) ?? 0
  if (!discount) return list
  if ((discount.percent == null) === (discount.amount == null)) throw refuse('INVALID_INPUT', { field: 'discount' })
  if (discount.percent != null) return priceAfter(list, { percentBp: Math.round(discount.percent * 100) })
  return priceAfter(list, { fixed: parsePesos(discount.amount ?? '') ?? 0 })
}

/**
 * Throws FORBIDDEN when the price differs from the list without the right, or is lowered by more than allowed (`pos_discount_max_percent`).
 */
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

/** INVALID_INPUT unless the item is one package at its price for the buyer, from now on, that replaces a plan once. FORBIDDEN. */
function assertReplacing(
  ctx: Ctx,
  input: ItemInput,
  { at, parts, priced }: { at: number; parts: number; priced: readonly PricedItem[] },
): void {
  ctx.require('subscriptions.edit')
  const isTwice = priced.some(({ replaced }) => replaced?.purchase.purchase_id === input.replaces?.purchase_id)
  if (input.kind !== 'package' || input.quantity > 1 || parts > 0 || input.starts_on || input.package_days || input.gift_to || isTwice)
    throw refuse('INVALID_INPUT', { field: `lines.${at}.replaces` })
}

/**
 * Prices the items behind the customer's lock; writes nothing. `ending`: open orders of the customer that are about to be ended.
 * PACKAGE_NOT_FOUND, NOT_FOUND for a product, DISCOUNT_INVALID, DISCOUNT_NOT_FOR_ACCOUNT, OVER_LIMIT_REASON, FORBIDDEN for a
 * discount above this person's limit, INVALID_INPUT, and the refusals of a plan that is replaced.
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
    if (input.with_credit) continue
    const reductions = [discountCode?.trim(), input.discount, input.price].filter(Boolean).length
    if (reductions > 1) throw refuse('INVALID_INPUT', { field: `lines.${at}.discount` })
    if (input.replaces) assertReplacing(ctx, input, { at, parts: reductions, priced })
    if (kind !== 'package') {
      if (discountCode?.trim()) throw refuse('DISCOUNT_INVALID')
      // A card is worth what it costs, so that its refund returns what was paid.
      if (kind === 'gift_card' && reductions > 0) throw refuse('INVALID_INPUT', { field: `lines.${at}.discount` })
      const product = kind === 'product' ? await productForSale(tx, input.product_id ?? 0) : null
      const list = (product?.price_centavos ?? input.list ?? 0) * quantity
      const total = priceByHand(list, input)
      assertDiscountAllowed(ctx, list, total)
      if (kind === 'gift_card') {
        const amount = input.list ?? 0
        for (let n = 0; n < quantity; n++)
          priced.push({
            at,
            input,
            title: `Tarjeta de regalo de ${formatMoney(amount)}`,
            quantity: 1,
            list: amount,
            total: amount,
            nextTotal: null,
            classPackage: null,
            product: null,
            discount: null,
            limit_slot: null,
            over_limit_reason: null,
            replaced: null,
          })
        continue
      }
      priced.push({
        at,
        input,
        title: product?.name ?? input.title ?? '',
        quantity,
        list,
        total,
        classPackage: null,
        product,
        discount: null,
        nextTotal: null,
        limit_slot: null,
        over_limit_reason: null,
        replaced: null,
      })
      continue
    }
    assertStart(ctx, input)
    const classPackage = input.class_package_id == null ? null : await findPackage(tx, input.class_package_id)
    if (!classPackage || classPackage.deletedAt) throw refuse('PACKAGE_NOT_FOUND')
    const { price, discount } = await priceWith(tx, ctx, {
      classPackage,
      code: discountCode ?? null,
      customer_id: input.gift_to ?? customer_id,
    })
    // Uses of a code are counted one by one, so a code is refused for a quantity above one or twice in a sale.
    if (discount && (quantity > 1 || priced.some((pricedItem) => pricedItem.discount?.discount_id === discount.discount_id)))
      throw refuse('INVALID_INPUT', { field: `lines.${at}.discountCode` })
    const list = basePrice(classPackage.price_centavos, classPackage.sale_price_centavos)
    const replaced = input.replaces ? await planReplacedNow(tx, ctx, { ...input.replaces, customer_id, classPackage, price: list }) : null
    const later = Math.min(list, input.agreed ?? list)
    const total = replaced ? list - replaced.credit : discount ? price.total : priceByHand(later, input)
    if (!discount && !replaced && input.agreed === undefined) assertDiscountAllowed(ctx, list, total)
    for (let n = 0; n < quantity; n++)
      priced.push({
        at,
        input,
        title: classPackage.title,
        quantity: 1,
        list,
        total,
        classPackage,
        product: null,
        discount,
        replaced,
        nextTotal: classPackage.is_subscription ? (discount ? price.nextTotal : later) : null,
        ...(await slotOf(tx, ctx, { customer_id: input.gift_to ?? customer_id, classPackage, priced, ending, input })),
      })
  }
  return priced
}

/** Which of the customer's allowed purchases of a package the next one is; null beyond the limit, which requires a reason (V3, V28). */
async function slotOf(
  tx: Tx,
  ctx: Ctx,
  of: { customer_id: number; classPackage: PackageWithTypes; priced: readonly PricedItem[]; ending: readonly number[]; input: ItemInput },
): Promise<{ limit_slot: number | null; over_limit_reason: string | null }> {
  const { customer_id, classPackage, priced, ending, input } = of
  const limit = classPackage.limit_per_customer
  if (limit === null) return { limit_slot: null, over_limit_reason: null }
  const live = (await listLive(tx, customer_id, classPackage.class_package_id)).filter((purchase) => !ending.includes(purchase.purchase_id))
  const here = priced.filter(
    (pricedItem) =>
      pricedItem.classPackage?.class_package_id === classPackage.class_package_id &&
      (pricedItem.input.gift_to ?? null) === (input.gift_to ?? null),
  )
  if ((await countUsed(tx, ctx, { customer_id, classPackage, live })) + here.length < limit)
    return {
      limit_slot: freeSlot(
        [...live, ...here].map((purchase) => purchase.limit_slot),
        limit,
      ),
      over_limit_reason: null,
    }
  if (!input.over_limit) throw refuse('OVER_LIMIT_REASON', { limit })
  return { limit_slot: null, over_limit_reason: input.over_limit.reason }
}

/** Days of validity of a package sold at the counter; for a subscription those of one period (V28). */
function daysOf(ctx: Ctx, classPackage: PackageWithTypes, from: Date): number {
  if (!classPackage.is_subscription || !classPackage.subscription_period) return classPackage.expiration_days
  const end = periodsAfter(from, classPackage.subscription_period, classPackage.subscription_interval ?? 1, ctx.zone)
  return Math.round((end.getTime() - from.getTime()) / 86_400_000)
}

/**
 * Takes the packages and products of a basket out of stock, ordered by id to avoid deadlocks between baskets. PACKAGE_SOLD_OUT,
 * PRODUCT_SOLD_OUT.
 */
export async function takeItemsStock(tx: Tx, items: readonly PricedItem[], location_id: number): Promise<void> {
  const ids = items.flatMap((item) => (item.classPackage ? [item.classPackage.class_package_id] : [])).sort((a, b) => a - b)
  for (const class_package_id of ids) await takeStock(tx, class_package_id)
  const pieces = items.flatMap(({ product, quantity }) => (product ? [{ product_id: product.product_id, location_id, quantity }] : []))
  for (const piece of pieces.sort((a, b) => a.product_id - b.product_id)) await takeProduct(tx, piece)
}

/** The row of an item in its sale, with the tax facts of its total, and the fields that its purchase has however it is paid. */
async function writeRow(tx: Tx, ctx: Ctx, sale: SaleRow, item: PricedItem, n: number) {
  const { input, classPackage, list, total, discount, title } = item
  const { location_id, staff_id, sale_id } = sale
  // A gift belongs to its recipient: their limit, their credits, their refund of what is left.
  const customer_id = input.gift_to ?? sale.customer_id
  const own = input.kind === 'gift_card' ? NO_TAX : (item.product ?? classPackage)
  const facts = taxFacts(ctx.settings, total, own, await locationTaxRate(tx, location_id))
  const { sale_line_id } = await insertSaleItem(tx, {
    sale_id,
    n,
    kind: input.kind,
    title,
    quantity: item.quantity,
    list_centavos: list,
    total_centavos: total,
    ...facts,
    product_id: item.product?.product_id ?? null,
    price_reason: input.price?.reason ?? input.discount?.reason ?? null,
    over_limit_reason: item.over_limit_reason,
  })
  const use = discount && { discount_id: discount.discount_id, ...(await reserveDiscountUse(tx, discount, customer_id)) }
  const from = input.starts_on ? startOfDay(input.starts_on, ctx.zone) : ctx.now
  const amount_centavos = Math.max(list, total)
  return {
    use,
    from,
    tax_rate: facts.tax_rate,
    tax_exempt: facts.tax_exempt,
    values: {
      customer_id,
      class_package_id: classPackage?.class_package_id ?? null,
      title,
      class_amount: classPackage?.class_amount ?? 0,
      expiration_days: input.package_days ?? (classPackage ? daysOf(ctx, classPackage, from) : 0),
      amount_centavos,
      discount_centavos: amount_centavos - total,
      total_centavos: total,
      discount_id: discount?.discount_id ?? null,
      discount_code: discount?.code ?? null,
      limit_slot: item.limit_slot,
      holds_stock: classPackage !== null,
      sale_id,
      sale_line_id,
      starts_on: input.starts_on ?? null,
      location_id,
      staff_id,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    },
  }
}

/** Writes one item of an order as a row of its sale and as a purchase that waits for the charge of the whole order (S12). */
export async function writeWaitingItem(
  tx: Tx,
  ctx: Ctx,
  sale: SaleRow,
  item: PricedItem,
  n: number,
  hold: Pick<PurchaseRow, 'gateway' | 'hold_until' | 'request_hash'> & { idempotency_key?: string | null },
): Promise<PurchaseRow> {
  const { values, use } = await writeRow(tx, ctx, sale, item, n)
  const purchase = await insertPurchase(tx, { ...values, ...hold, status: 'pending' })
  if (use) await writeUse(tx, ctx, purchase, { ...use, state: 'held' })
  return purchase
}

/** Writes one item as a row of the sale and as a completed purchase, with its credits. `paidBy`: the sale's first payment. */
export async function writeItem(
  tx: Tx,
  ctx: Ctx,
  sale: SaleRow,
  item: PricedItem,
  n: number,
  { paidBy, isAnonymous }: { paidBy: { gateway: string; payment_method_id: number | null } | null; isAnonymous: boolean },
): Promise<{ purchase: PurchaseRow; tax_rate: number; tax_exempt: boolean; isGiftCard: boolean; charged: number; tax: number }> {
  const { input, classPackage, total, title } = item
  const { staff_id } = sale
  const { values, use, from, tax_rate, tax_exempt } = await writeRow(tx, ctx, sale, item, n)
  const { customer_id, expiration_days } = values
  const purchase = await insertPurchase(tx, {
    ...values,
    gateway: total > 0 ? (paidBy?.gateway ?? 'mostrador') : 'gratis',
    payment_method_id: total > 0 ? (paidBy?.payment_method_id ?? null) : null,
    status: 'completed',
    completedAt: ctx.now,
    request_hash: 'sale',
  })
  const { purchase_id } = purchase
  if (input.kind === 'gift_card') await createGiftCard(tx, ctx, { purchase_id, amount: total })
  if (use) await writeUse(tx, ctx, purchase, { ...use, state: 'used' })
  if (item.replaced && staff_id !== null) {
    await recordReplacement(tx, ctx, { replaced: item.replaced, by: purchase, staff_id })
    await finishPlanChange(tx, ctx, purchase, releasePurchaseHolds)
  }
  if (classPackage) {
    const until = input.package_days == null ? null : expiryAfter(from, input.package_days, ctx.zone)
    await grantCredits(tx, ctx, {
      kind: 'package',
      customer_id,
      class_package_id: classPackage.class_package_id,
      purchase_id,
      period: ONE_OFF,
      from,
      class_amount: classPackage.class_amount,
      expiration_days,
      title,
      ...(until ? { until } : {}),
    })
  }
  if (!isAnonymous) await tx.send({ name: 'sales.receipt', data: { purchase_id, period: ONE_OFF } })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  return { purchase, tax_rate, tax_exempt, isGiftCard: input.kind === 'gift_card', charged: 0, tax: 0 }
}
