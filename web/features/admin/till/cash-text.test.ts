import { describe, expect, test } from 'vitest'
import { AMOUNT, cashDiscrepancyText, cashSent, cashTotal } from './cash-text.ts'

describe('a count of cash', () => {
  test('is the sum of bills and coins, in centavos', () => {
    expect(cashTotal({})).toBe(0)
    expect(cashTotal({ '1000': '1', '500': '4', '0.50': '3', '20': '' })).toBe(300_150)
    expect(cashTotal({ '100': 'diez' })).toBeNull()
    expect(cashTotal({ '100': '-1' })).toBeNull()
  })

  test('is sent without empty denominations', () => {
    expect(cashSent({ '500': '4', '100': '0', '20': '' })).toEqual({ '500': 4 })
  })
})

test('a discrepancy shows what is missing or too much', () => {
  expect(['0.00', '-60.00', '20.50'].map(cashDiscrepancyText)).toEqual(['Cuadra', 'Faltan $60.00', 'Sobran $20.50'])
})

test('an amount has at most two decimals and no sign', () => {
  expect(['500', '500.5', '0'].every((one) => AMOUNT.test(one))).toBe(true)
  expect(['', '-5', '5.555', '5,00', '1e3'].some((one) => AMOUNT.test(one))).toBe(false)
})
