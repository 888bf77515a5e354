/** Pesos as people and the wire write them, centavos as we count them: never through floating point (settled 5, S1-5.26). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { basePrice, formatMoney, formatPesos, MAX_CENTAVOS, parsePesos, pesos, priceAfter } from './money.ts'

const cents = fc.integer({ min: 0, max: MAX_CENTAVOS })
const signed = fc.integer({ min: -MAX_CENTAVOS, max: MAX_CENTAVOS })

describe('reading', () => {
  test.each([
    ['350', 35_000],
    ['350.5', 35_050],
    ['350.50', 35_050],
    [' 350.05 ', 35_005],
    ['0', 0],
    ['0.01', 1],
    ['007', 700],
    // What floating point gets wrong: 8.2 * 100, 1.005 * 100, 4.35 * 100.
    ['8.2', 820],
    ['4.35', 435],
    ['1.10', 110],
    ['1000000', MAX_CENTAVOS],
  ])('%j is %i centavos', (text, amount) => {
    expect(parsePesos(text)).toBe(amount)
  })

  test.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.005',
    '-1',
    '+1',
    '1e3',
    '1,450',
    '$5',
    '0x1',
    'NaN',
    'Infinity',
    '١',
    '１',
    '1 0',
    '1000000.01',
    '99999999',
  ])('%j is no amount', (text) => {
    expect(parsePesos(text)).toBeNull()
  })

  test('formatted amounts parse to the same value; other texts parse to an amount within bounds or to null', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(parsePesos(pesos(amount))).toBe(amount)
      }),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (text) => {
        const read = parsePesos(text)
        expect(read === null || (Number.isSafeInteger(read) && read >= 0 && read <= MAX_CENTAVOS)).toBe(true)
      }),
    )
  })
})

describe('writing', () => {
  test('two decimals always, a comma every three digits, the sign before the currency', () => {
    expect([0, 5, 99, 100, 145_000, 100_000_000].map(formatMoney)).toEqual([
      '$0.00',
      '$0.05',
      '$0.99',
      '$1.00',
      '$1,450.00',
      '$1,000,000.00',
    ])
    expect([pesos(-5), formatMoney(-145_000), formatPesos('-1450.00'), formatPesos('1450.00')]).toEqual([
      '-0.05',
      '-$1,450.00',
      '-$1,450.00',
      '$1,450.00',
    ])
    // The sum of many amounts is above the limit of one.
    expect([formatPesos('8288728.00'), formatPesos('-12345678901.05'), formatPesos('0.00'), formatPesos('-0.05')]).toEqual([
      '$8,288,728.00',
      '-$12,345,678,901.05',
      '$0.00',
      '-$0.05',
    ])
    // What is no amount is shown as it came.
    expect(formatPesos('gratis')).toBe('gratis')
  })

  test('whatever the amount, the digits are the same and nothing is lost', () => {
    fc.assert(
      fc.property(signed, (amount) => {
        expect(pesos(amount)).toMatch(/^-?\d{1,7}\.\d{2}$/)
        expect(formatMoney(amount)).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d{2}$/)
        expect(formatMoney(amount).replace(/[$,]/g, '')).toBe(pesos(amount))
        expect(formatPesos(pesos(amount))).toBe(formatMoney(amount))
        expect(Math.round(Number(pesos(amount)) * 100)).toBe(amount)
      }),
    )
  })

  test('it says what the locale says', () => {
    const locale = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' })
    fc.assert(
      fc.property(cents, (amount) => {
        expect(formatMoney(amount)).toBe(locale.format(amount / 100))
      }),
    )
  })
})

test('the sale price counts when there is one, also when it is zero (S1-3.27)', () => {
  fc.assert(
    fc.property(cents, fc.option(cents), (price, sale) => {
      expect(basePrice(price, sale)).toBe(sale === null ? price : sale)
    }),
  )
})

test('no discount leaves the price; the whole of it leaves nothing; none leaves less than nothing (S1-5.20, S1-5.21)', () => {
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 0, max: 10_000 }), (price, fixed, percentBp) => {
      expect(priceAfter(price, null)).toBe(price)
      expect(priceAfter(price, { percentBp: 10_000 })).toBe(0)
      expect(priceAfter(price, { percentBp: 0 })).toBe(price)
      expect(priceAfter(price, { fixed })).toBe(fixed >= price ? 0 : price - fixed)
      const total = priceAfter(price, { percentBp })
      expect(total >= 0 && total <= price && Number.isSafeInteger(total)).toBe(true)
    }),
  )
})
