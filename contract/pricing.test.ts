/** One price for what is shown and what is charged (docs/domain.md V1, D1, D2; S1-5.20 to S1-5.22). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Centavos, MAX_CENTAVOS, pesos } from './money.ts'
import { type Cut, quote, quoteOnWire } from './pricing.ts'

const cents = fc.integer({ min: 0, max: MAX_CENTAVOS })
const percent = fc.record({ amount: fc.integer({ min: 1, max: 10_000 }), is_percent: fc.constant(true), first_invoice_only: fc.boolean() })
const fixed = fc.record({
  amount: fc.integer({ min: 1, max: MAX_CENTAVOS }),
  is_percent: fc.constant(false),
  first_invoice_only: fc.boolean(),
})
const cut = fc.option(fc.oneof(percent, fixed))
const priced = fc.record({ price: cents, salePrice: fc.option(cents), isSubscription: fc.boolean() })

const pricing = (price: Centavos, salePrice: Centavos | null = null, isSubscription = false) => ({ price, salePrice, isSubscription })
const off = (amount: number, is_percent: boolean, first_invoice_only = false): Cut => ({ amount, is_percent, first_invoice_only })

describe('examples', () => {
  test('without a discount the sale price counts when there is one, also when it is zero, and the listed one is struck through', () => {
    expect(quote(pricing(145_000), null)).toEqual({ amount: 145_000, discount: 0, total: 145_000, old: null, nextTotal: null })
    expect(quote(pricing(145_000, 99_900), null)).toEqual({ amount: 99_900, discount: 0, total: 99_900, old: 145_000, nextTotal: null })
    expect(quote(pricing(145_000, 0), null)).toMatchObject({ total: 0, old: 145_000 })
    expect(quote(pricing(145_000, 145_000), null).old).toBeNull()
  })

  test.each([
    // price, hundredths of a percent, what is left
    [145_000, 1_000, 130_500],
    [145_000, 10_000, 0],
    [99_999, 3_333, 66_669],
    [1, 5_000, 1],
    [3, 5_000, 2],
    [10_000, 1, 9_999],
    [4_999, 1, 4_999],
  ])('%i centavos less %i hundredths of a percent are %i: half a centavo rounds up, on the total', (price, amount, left) => {
    expect(quote(pricing(price), off(amount, true)).total).toBe(left)
  })

  test('a fixed discount larger than the price leaves nothing, never less', () => {
    expect(quote(pricing(9_000), off(10_000, false))).toMatchObject({ amount: 9_000, discount: 9_000, total: 0, old: 9_000 })
    expect(quote(pricing(19_000), off(10_000, false)).total).toBe(9_000)
  })

  test('the first invoice only: later periods cost the full price; otherwise they cost what the first does', () => {
    expect(quote(pricing(145_000, 99_900, true), off(2_000, true, true))).toEqual({
      amount: 99_900,
      discount: 19_980,
      total: 79_920,
      old: 145_000,
      nextTotal: 99_900,
    })
    expect(quote(pricing(145_000, null, true), off(2_000, true)).nextTotal).toBe(116_000)
    expect(quote(pricing(145_000), off(2_000, true, true)).nextTotal).toBeNull()
  })
})

describe('whatever the price and the discount', () => {
  test('the total is the amount less the discount, in whole centavos, never below zero and never above the amount', () => {
    fc.assert(
      fc.property(priced, cut, (what, less) => {
        const quoted = quote(what, less)
        expect(quoted.amount).toBe(what.salePrice ?? what.price)
        expect(quoted.total).toBe(quoted.amount - quoted.discount)
        expect(Number.isSafeInteger(quoted.total)).toBe(true)
        expect(quoted.total).toBeGreaterThanOrEqual(0)
        expect(quoted.discount).toBeGreaterThanOrEqual(0)
        expect(quoted.old === null ? quoted.total >= what.price : quoted.old > quoted.total).toBe(true)
      }),
    )
  })

  test('a percentage is exact to half a centavo, and half a centavo goes up (settled 5)', () => {
    fc.assert(
      fc.property(cents, percent, (price, less) => {
        const exact = BigInt(price) * BigInt(10_000 - less.amount)
        const total = BigInt(quote(pricing(price), less).total)
        const twice = 2n * (total * 10_000n - exact)
        expect(twice <= 10_000n && twice > -10_000n).toBe(true)
      }),
    )
  })

  test('a larger discount never costs more, a higher price never less', () => {
    fc.assert(
      fc.property(
        cents,
        cents,
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.boolean(),
        (a, b, x, y, is_percent) => {
          const of = (price: number, amount: number) => quote(pricing(price), off(amount, is_percent)).total
          expect(of(a, Math.max(x, y))).toBeLessThanOrEqual(of(a, Math.min(x, y)))
          expect(of(Math.max(a, b), x)).toBeGreaterThanOrEqual(of(Math.min(a, b), x))
        },
      ),
    )
  })

  test('later periods are the full price exactly when only the first invoice is discounted (S1-5.22)', () => {
    fc.assert(
      fc.property(priced, cut, (what, less) => {
        const quoted = quote(what, less)
        expect(quoted.nextTotal).toBe(what.isSubscription ? (less?.first_invoice_only ? quoted.amount : quoted.total) : null)
      }),
    )
  })

  test('the browser, which has only what the wire carries, computes the same', () => {
    fc.assert(
      fc.property(priced, cut, (what, less) => {
        const classPackage = {
          price: pesos(what.price),
          sale_price: what.salePrice === null ? null : pesos(what.salePrice),
          is_subscription: what.isSubscription,
        }
        expect(quoteOnWire(classPackage, less && { ...less, amount: pesos(less.amount) })).toEqual(quote(what, less))
      }),
    )
  })
})
