import { expect, test } from 'vitest'
import { monthlyRevenue } from './recurring-revenue.ts'

const terms = { amount: 116_000, period: 'month' as const, interval: 1, count: 1 }

test('next charges without IVA, converted to a month: every n months /n, years /12n, days by 30.4375/n (V47)', () => {
  expect(monthlyRevenue([], 1_600)).toBe(0)
  expect(monthlyRevenue([terms], 1_600)).toBe(100_000)
  expect(monthlyRevenue([terms], 0)).toBe(116_000)
  expect(monthlyRevenue([{ ...terms, interval: 3 }], 1_600)).toBe(33_333)
  expect(monthlyRevenue([{ ...terms, period: 'year', interval: 2 }], 1_600)).toBe(4_167)
  expect(monthlyRevenue([{ ...terms, period: 'day', interval: 28 }], 1_600)).toBe(108_705)
})

test('recurring revenue is rounded once, after all are added (V47)', () => {
  const third = { amount: 100, period: 'month' as const, interval: 3, count: 1 }
  expect(monthlyRevenue([{ ...third, count: 3 }], 0)).toBe(100)
  expect(monthlyRevenue([third, third, third], 0)).toBe(100)
})
