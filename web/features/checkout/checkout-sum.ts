/** The lines of the checkout's sum; they add up to the total. */
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Discount } from '#contract/discounts.ts'
import { type Centavos, parsePesos } from '#contract/money.ts'
import { quoteOnWire } from '#contract/pricing.ts'

export interface CheckoutSum {
  /** The listed price; the sale price if that is not lower. */
  price: Centavos
  /** What the sale price takes off the listed price; 0 without an offer. */
  offer: Centavos
  /** What the code takes off the sale price. */
  discount: Centavos
  /** price - offer - discount: the first charge; with a trial, the charge after it. */
  total: Centavos
  /** What a gift card pays of the total. */
  byCard: Centavos
}

/** A gift card that the customer uses: its code as typed, and what it can pay. */
export interface GiftCardUsed {
  code: string
  last_four: string
  balance: Centavos
}

/** Starts from the listed price, so that the offer has a line of its own (S1-2.61, S1-4.17). */
export function checkoutSum(
  classPackage: Pick<ClassPackage, 'price' | 'sale_price' | 'is_subscription'>,
  discount: Discount | null,
  giftCard: GiftCardUsed | null = null,
): CheckoutSum {
  const { amount, discount: less, total } = quoteOnWire(classPackage, discount)
  const offer = Math.max(0, (parsePesos(classPackage.price) ?? 0) - amount)
  return { price: amount + offer, offer, discount: less, total, byCard: Math.min(giftCard?.balance ?? 0, total) }
}
