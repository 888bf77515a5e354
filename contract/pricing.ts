/** The price of a package with or without a discount, as displayed and as charged. No schemas, so that every page can load it. */
import { basePrice, type Centavos, parsePesos, priceAfter } from './money.ts'

/** The fields of a package that determine its price. */
export interface Priced {
  price: Centavos
  /** Used when present, also when it is 0 (S1-3.27). */
  salePrice: Centavos | null
  isSubscription: boolean
}

/** A discount. `amount`: centavos, or hundredths of a percent (1000 = 10 %). */
export interface Cut {
  amount: number
  is_percent: boolean
  first_invoice_only: boolean
}

export interface Quote {
  /** Before the discount. */
  amount: Centavos
  discount: Centavos
  /** The first charge: after the trial, if there is one. */
  total: Centavos
  /** Struck through beside the total: the listed price, when less is charged. */
  old: Centavos | null
  /** Price of each later period; null unless it is a subscription. */
  nextTotal: Centavos | null
}

/**
 * The price of a package in centavos (S1-5.20 to S1-5.22, settled 5; docs/domain.md V1, D1, D2): never negative, rounded half up on the
 * total. A discount on the first invoice only leaves later periods at the full price.
 */
export function quote(what: Priced, cut: Cut | null): Quote {
  const amount = basePrice(what.price, what.salePrice)
  const total = priceAfter(amount, cut && (cut.is_percent ? { percentBp: cut.amount } : { fixed: cut.amount }))
  return {
    amount,
    discount: amount - total,
    total,
    old: total < what.price ? what.price : null,
    nextTotal: what.isSubscription ? (cut?.first_invoice_only ? amount : total) : null,
  }
}

/** The displayed price of a purchase: today (0 during a trial), its first charge, and later charges of a subscription. */
export interface DisplayedPrice {
  today: Centavos
  total: Centavos
  nextTotal: Centavos | null
}

/** The price displayed on the page and stored on the purchase, from one function on both sides (docs/domain.md V36). */
export function displayedPrice(price: Pick<Quote, 'total' | 'nextTotal'>, hasTrial: boolean): DisplayedPrice {
  return { today: hasTrial ? 0 : price.total, total: price.total, nextTotal: price.nextTotal }
}

/** The same for wire values: pesos (or percent) with two decimals. An unparseable amount counts as 0. */
export function quoteOnWire(
  classPackage: { price: string; sale_price: string | null; is_subscription: boolean },
  discount: { amount: string; is_percent: boolean; first_invoice_only: boolean } | null,
): Quote {
  return quote(
    {
      price: parsePesos(classPackage.price) ?? 0,
      salePrice: classPackage.sale_price === null ? null : parsePesos(classPackage.sale_price),
      isSubscription: classPackage.is_subscription,
    },
    discount && { ...discount, amount: parsePesos(discount.amount) ?? 0 },
  )
}
