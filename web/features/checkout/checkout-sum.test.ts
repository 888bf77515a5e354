import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_CENTAVOS, pesos } from '#contract/money.ts'
import { checkoutSum } from './checkout-sum.ts'

const packageOf = (price: string, sale_price: string | null = null) => ({ price, sale_price, is_subscription: false })
const code = (amount: string, is_percent: boolean) => ({ discount_id: 1, code: 'MENOS', amount, is_percent, first_invoice_only: false })

test('an offer and a code are both taken off the listed price (S1-2.61, S1-4.17)', () => {
  const sum = checkoutSum(packageOf('2450.00', '2190.00'), code('10.00', true))
  expect(sum).toEqual({ price: 245_000, offer: 26_000, discount: 21_900, total: 197_100, byCard: 0 })
})

test('without an offer, or with one that is not lower, nothing is taken off', () => {
  expect(checkoutSum(packageOf('500.00'), null)).toEqual({ price: 50_000, offer: 0, discount: 0, total: 50_000, byCard: 0 })
  expect(checkoutSum(packageOf('500.00', '500.00'), null).offer).toBe(0)
  expect(checkoutSum(packageOf('500.00', '600.00'), null)).toEqual({ price: 60_000, offer: 0, discount: 0, total: 60_000, byCard: 0 })
  expect(checkoutSum(packageOf('500.00', '0.00'), null)).toEqual({ price: 50_000, offer: 50_000, discount: 0, total: 0, byCard: 0 })
})

test('a gift card pays at most the total, and the rest of its balance stays', () => {
  const card = (balance: number) => ({ code: 'ABCD-EFGH-JKLM-NPQR', last_four: 'NPQR', balance })
  expect(checkoutSum(packageOf('500.00'), null, card(20_000))).toMatchObject({ total: 50_000, byCard: 20_000 })
  expect(checkoutSum(packageOf('500.00'), code('10.00', true), card(90_000))).toMatchObject({ total: 45_000, byCard: 45_000 })
})

test('the lines add up to the total for any prices and codes', () => {
  const cents = fc.integer({ min: 0, max: MAX_CENTAVOS }).map(pesos)
  const discount = fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((amount) => code(pesos(amount), true)),
    cents.map((amount) => code(amount, false)),
  )
  fc.assert(
    fc.property(cents, fc.option(cents), fc.option(discount), (price, purchase, less) => {
      const sum = checkoutSum(packageOf(price, purchase), less)
      expect(sum.price - sum.offer - sum.discount).toBe(sum.total)
      expect(Math.min(sum.offer, sum.discount, sum.total)).toBeGreaterThanOrEqual(0)
    }),
  )
})
