/**
 * Discounts of a purchase: looked up, reserved while it waits, used once it is paid, released when it fails (docs/domain.md, "Discounts").
 */
import type { Discount, PriceQuote } from '#contract/discounts.ts'
import { type ErrorCode, Refusal, refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import type { Quote } from '#contract/pricing.ts'
import { localDate } from '#contract/time.ts'
import {
  type DiscountRow,
  discountNamed,
  type PackageWithTypes,
  purchasablePackage,
  returnDiscount,
  takeDiscount,
  whyNotDiscount,
} from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { freeSlot, quotePrice, whyNotCut } from '#server/modules/sales/rules.ts'
import { findUse, insertUse, listUses, moveUse } from '#server/modules/sales/store/discount-store.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

/** How many unknown codes may be tried per hour, by one customer and from one address. */
const GUESSES = { customer: 60, address: 300 }

/** What a code that was guessed is refused with. */
const GUESSED: ReadonlySet<ErrorCode> = new Set(['DISCOUNT_INVALID', 'DISCOUNT_NOT_FOR_ACCOUNT', 'GIFT_CARD_NOT_FOUND'])

/**
 * Runs work with the code of a discount or a gift card and counts it as a guess if it does not exist: one limit for every endpoint that
 * takes a code (D6). TOO_MANY_REQUESTS before any lookup. Counted first and uncounted afterwards, so that simultaneous guesses are
 * counted too.
 */
export async function countingGuesses<T>(ctx: Ctx, typed: string | null | undefined, work: () => Promise<T>): Promise<T> {
  if (!typed?.trim()) return work()
  const { customer_id } = ctx.customer
  const limits = [
    { name: 'discount-guess', subject: `customer ${customer_id}`, max: GUESSES.customer, seconds: 3_600 },
    { name: 'discount-guess', subject: `address ${ctx.ip}`, max: GUESSES.address, seconds: 3_600 },
  ]
  for (const limit of limits) await ctx.throttle(limit)
  let isGuess = false
  try {
    return await work()
  } catch (error) {
    isGuess = error instanceof Refusal && GUESSED.has(error.code)
    throw error
  } finally {
    // The work is committed: a failure to uncount is only logged.
    if (!isGuess)
      for (const limit of limits)
        await ctx.uncount(limit).catch((error: unknown) => ctx.studio.log.warn({ error }, 'throttle.uncount_failed'))
  }
}

/** A price, and the discount applied to it. */
export interface Priced {
  price: Quote
  discount: DiscountRow | null
}

/**
 * The price of a package with a code, for the signed-in customer (S1-7.53; D3, D4). Uses reserved by the customer's own waiting purchases
 * count as free: those purchases would be given up. DISCOUNT_EXHAUSTED, DISCOUNT_INVALID, DISCOUNT_NOT_FOR_ACCOUNT, PACKAGE_NOT_FOUND,
 * EVENT_OVER, EVENT_CANCELLED.
 */
export async function priceByCode(
  ctx: Ctx,
  input: { code: string; class_package_id: number },
): Promise<{ discount: Discount; quote: PriceQuote }> {
  const { customer_id } = ctx.customer
  const { price, discount } = await countingGuesses(ctx, input.code, async () =>
    priceWith(ctx.db, ctx, { classPackage: await purchasablePackage(ctx, input.class_package_id), code: input.code, customer_id }),
  )
  if (!discount) throw refuse('DISCOUNT_INVALID')
  const uses = await listUses(ctx.db, customer_id, discount.discount_id)
  const waiting = uses.filter((use) => use.waits).length
  const { max_uses, max_uses_per_customer } = discount
  if (max_uses !== null && discount.used - waiting >= max_uses) throw refuse('DISCOUNT_EXHAUSTED')
  if (max_uses_per_customer !== null && uses.length - waiting >= max_uses_per_customer) throw refuse('DISCOUNT_EXHAUSTED')
  const { discount_id, code, amount, is_percent, first_invoice_only } = discount
  return {
    discount: { discount_id, code, amount: pesos(amount), is_percent, first_invoice_only },
    quote: {
      subtotal: pesos(price.amount),
      discount: pesos(price.discount),
      total: pesos(price.total),
      old_price: price.old === null ? null : pesos(price.old),
      next_total: price.nextTotal === null ? null : pesos(price.nextTotal),
    },
  }
}

/** What is priced: a package with a code, or without one, for whoever is to have it; `customer_id` null: a visitor. */
interface PriceRequest {
  classPackage: PackageWithTypes
  code: string | null
  customer_id: number | null
}

/**
 * The price of a package with a code, or without one. DISCOUNT_INVALID instead of silently charging the full price (D3), and
 * DISCOUNT_NOT_FOR_ACCOUNT for a customer who is not of the code's segment at this moment (D8).
 */
export async function priceWith(db: Reader, ctx: Ctx, { classPackage, code, customer_id }: PriceRequest): Promise<Priced> {
  if (!code?.trim()) return { price: quotePrice(classPackage, null), discount: null }
  const discount = ctx.settings.discounts_enabled ? await discountNamed(db, code) : null
  const no = whyNotDiscount(discount, classPackage.class_package_id, localDate(ctx.now, ctx.zone))
  if (no || !discount) throw no ?? refuse('DISCOUNT_INVALID')
  const price = quotePrice(classPackage, discount)
  const useless = whyNotCut(classPackage, price)
  if (useless) throw useless
  const { segment_id } = discount
  const isTheirs = segment_id === null || (customer_id !== null && (await ctx.studio.isInSegment(ctx, { segment_id, customer_id }, db)))
  if (!isTheirs) throw refuse('DISCOUNT_NOT_FOR_ACCOUNT')
  return { price, discount }
}

/**
 * Reserves a use for a purchase that is about to be inserted, behind the customer's lock; returns its slot. DISCOUNT_EXHAUSTED when the
 * discount or this customer has no more (D4).
 */
export async function reserveDiscountUse(tx: Tx, discount: DiscountRow, customer_id: number): Promise<{ slot: number | null }> {
  const uses = await listUses(tx, customer_id, discount.discount_id)
  const limit = discount.max_uses_per_customer
  if (limit !== null && uses.length >= limit) throw refuse('DISCOUNT_EXHAUSTED')
  await takeDiscount(tx, discount.discount_id)
  return {
    slot: freeSlot(
      uses.map((use) => use.slot),
      limit,
    ),
  }
}

/** Stores the use with its purchase, once that is inserted. */
export async function writeUse(
  tx: Tx,
  ctx: Ctx,
  purchase: { purchase_id: number; customer_id: number },
  use: { discount_id: number; slot: number | null; state: 'held' | 'used' },
): Promise<void> {
  const { purchase_id, customer_id } = purchase
  await insertUse(tx, { purchase_id, customer_id, ...use, createdAt: ctx.now, updatedAt: ctx.now })
}

/** Marks a paid purchase's use as used. Idempotent. */
export async function markDiscountUsed(tx: Tx, ctx: Ctx, purchase_id: number): Promise<void> {
  await moveUse(tx, purchase_id, 'held', { state: 'used', updatedAt: ctx.now })
}

/** Releases a failed purchase's use, once. A use that was paid with stays used (D4). */
export async function releaseDiscountUse(tx: Tx, ctx: Ctx, purchase_id: number): Promise<void> {
  const released = await moveUse(tx, purchase_id, 'held', { state: 'released', updatedAt: ctx.now })
  if (released) await returnDiscount(tx, released.discount_id)
}

/** Late money for a purchase that had released its use: reserves it again. DISCOUNT_EXHAUSTED when another purchase has it now (V13). */
export async function markDiscountUsedAgain(tx: Tx, ctx: Ctx, purchase_id: number): Promise<void> {
  const use = await findUse(tx, purchase_id)
  if (use?.state !== 'released') return
  const others = await listUses(tx, use.customer_id, use.discount_id)
  if (use.slot !== null && others.some((other) => other.slot === use.slot)) throw refuse('DISCOUNT_EXHAUSTED')
  await takeDiscount(tx, use.discount_id)
  await moveUse(tx, purchase_id, 'released', { state: 'used', updatedAt: ctx.now })
}

/** Releases a use that `markDiscountUsedAgain` took, when the purchase could not be given after all. */
export async function returnUseTakenAgain(tx: Tx, ctx: Ctx, purchase_id: number): Promise<void> {
  const returned = await moveUse(tx, purchase_id, 'used', { state: 'released', updatedAt: ctx.now })
  if (returned) await returnDiscount(tx, returned.discount_id)
}
