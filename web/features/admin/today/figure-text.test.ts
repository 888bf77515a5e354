import { expect, test } from 'vitest'
import type { Figure } from '#contract/today.ts'
import { figureText, trend } from './figure-text.ts'

const figure = (more: Partial<Figure>): Figure => ({
  key: 'collected',
  label: 'Cobrado',
  unit: 'mxn',
  value: 0,
  before: 0,
  definition: '',
  link: '/admin/ventas',
  ...more,
})

test('writes pesos, percentages, numbers, and what cannot be counted', () => {
  const texts = [
    figure({ value: 186_420 }),
    figure({ value: -200.5 }),
    figure({ unit: 'percent', value: 80.7 }),
    figure({ unit: 'count', value: 1_412 }),
    figure({ value: null }),
  ].map(figureText)
  expect(texts).toEqual(['$186,420.00', '-$200.50', '80.7 %', '1,412', '—'])
})

test.each([
  [figure({ value: 108, before: 100 }), '8 % más que en octubre', true],
  [figure({ value: 90, before: 100 }), '10 % menos que en octubre', false],
  [figure({ value: 100, before: 100 }), 'Igual que en octubre', null],
  [figure({ value: 50, before: 0 }), '$0.00 en octubre', true],
  [figure({ unit: 'percent', key: 'occupancy', value: 81, before: 78 }), '3 puntos más que en octubre', true],
  [figure({ unit: 'percent', key: 'no_shows', value: 4.1, before: 3.5 }), '0.6 puntos más que en octubre', false],
  [figure({ value: null }), 'Todavía no hay datos', null],
  [figure({ unit: 'percent', before: null, value: 5 }), 'Sin datos de octubre', null],
])('compares %o', (row, text, isGood) => {
  expect(trend(row, 'month', '2026-11-01')).toEqual({ text, isGood })
})
