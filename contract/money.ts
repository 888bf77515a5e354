/**
 * Money. Inside the program and in the database an amount is an integer number of centavos (MXN); on the wire it is a
 * string of pesos with two decimals ("1450.00"), as the spec's `price` and `total_payment` (settled 5).
 */

/** An integer number of centavos, never negative in a price, a total or a payment. */
export type Centavos = number

/** The largest amount the product accepts: a million pesos. */
export const MAX_CENTAVOS: Centavos = 100_000_000

const PESOS = /^(\d{1,7})(?:\.(\d{1,2}))?$/

/**
 * Reads pesos written by a person or by the wire ("350", "350.5", "350.50"); null when it is anything else.
 * Parsed as text, never through floating point (settled 5).
 */
export function parsePesos(text: string): Centavos | null {
  const found = PESOS.exec(text.trim())
  if (!found) return null
  const centavos = Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
  return centavos <= MAX_CENTAVOS ? centavos : null
}

/** Centavos as the wire writes them: "1450.00". */
export function pesos(centavos: Centavos): string {
  const sign = centavos < 0 ? '-' : ''
  const whole = Math.abs(centavos)
  return `${sign}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** Centavos as a person reads them: "$1,450.00" (S1-5.26: thousands separators and two decimals). */
export function formatMoney(centavos: Centavos): string {
  const [whole = '0', decimals = '00'] = pesos(Math.abs(centavos)).split('.')
  return `${centavos < 0 ? '-' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`
}

/** A wire amount ("1450.00") as a person reads it: "$1,450.00"; sums may be above what one amount may be. */
export function formatPesos(wire: string): string {
  return /^-?\d+\.\d\d$/.test(wire) ? formatMoney(Number(wire.replace('.', ''))) : wire
}

/** What a discount takes off a price: a percentage in basis points (2000 = 20 %) or fixed centavos. */
export type PriceCut = { percentBp: number } | { fixed: Centavos }

/**
 * Price after a discount. Percent: price x (1 - amount/100), half up on the total; fixed: price - amount, never below 0.
 * Both the displayed and the charged price come from this function (spec 1 section 5, settled 5).
 */
export function priceAfter(price: Centavos, cut: PriceCut | null): Centavos {
  if (!cut) return price
  if ('fixed' in cut) return Math.max(0, price - cut.fixed)
  return Math.floor((price * (10_000 - cut.percentBp) + 5_000) / 10_000)
}

/** The price to charge: `sale_price` when present, otherwise `price` (spec 1 section 3, settled 5). */
export function basePrice(price: Centavos, salePrice: Centavos | null): Centavos {
  return salePrice ?? price
}

/** A tax rate in hundredths of a percent: 1600 = 16 %. */
export type RateBp = number

/** Splits a total that includes tax: net = total / (1 + rate), half up to the centavo; tax = total - net, so that both add up. */
export function taxIn(total: Centavos, rate: RateBp): { net: Centavos; tax: Centavos } {
  const net = Math.floor((2 * total * 10_000 + 10_000 + rate) / (2 * (10_000 + rate)))
  return { net, tax: total - net }
}
