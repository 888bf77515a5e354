import { expect, test } from 'vitest'
import { amountText, cellText, signedChange, stepText, trend } from './amount-text.ts'

test('values are written with their unit, a dash where there is none', () => {
  expect([
    amountText(186420, 'mxn'),
    amountText(81, 'percent'),
    amountText(1, 'days'),
    amountText(4.83, 'stars'),
    amountText(null, 'mxn'),
  ]).toEqual(['$186,420.00', '81 %', '1 día', '4.8 de 5', '—'])
  expect([0, 45, 60, 200, 2_879, 2_880, 3_130, 4_319].map((minutes) => amountText(minutes, 'minutes'))).toEqual([
    '0 min',
    '45 min',
    '1 h',
    '3 h 20 min',
    '47 h 59 min',
    '2 días',
    '2 días 4 h',
    '3 días',
  ])
  expect([cellText('2026-11-09', 'day'), cellText(null, 'mxn'), cellText(12.5, 'mxn'), cellText('Yin', 'text')]).toEqual([
    '09 nov 2026',
    '—',
    '$12.50',
    'Yin',
  ])
  expect([stepText('2026-11-09', 'week'), stepText('Yin', null)]).toEqual(['09 nov', 'Yin'])
})

test.each([
  [
    { unit: 'percent', value: 81, before: 78, better: 'more' },
    { text: '3 puntos más', isGood: true },
  ],
  [
    { unit: 'percent', value: 4, before: 3, better: 'less' },
    { text: '1 punto más', isGood: false },
  ],
  [
    { unit: 'mxn', value: 108, before: 100, better: 'more' },
    { text: '8 % más', isGood: true },
  ],
  [
    { unit: 'count', value: 5, before: 8, better: 'less' },
    { text: '3 menos', isGood: true },
  ],
  [
    { unit: 'mxn', value: 50, before: 0, better: null },
    { text: '$50.00 más', isGood: null },
  ],
  [
    { unit: 'count', value: 5, before: 5, better: 'more' },
    { text: 'Igual', isGood: null },
  ],
] as const)('%o differs as %o', (figure, change) => {
  expect(trend(figure)).toEqual(change)
})

test('without a period before there is no difference', () => {
  expect(trend({ unit: 'mxn', value: 1, before: null, better: 'more' })).toBeNull()
})

test('the change beside a bar is a number with its sign: points, percent of money, how many', () => {
  const of = [
    [91.4, 87, 'percent'],
    [52, 57, 'percent'],
    [81.2, 81, 'percent'],
    [108, 100, 'mxn'],
    [50, 0, 'mxn'],
    [5, 8, 'count'],
    [4.8, 4.3, 'stars'],
    [200, 240, 'minutes'],
    [3, null, 'count'],
  ] as const
  expect(of.map(([value, before, unit]) => signedChange(value, before, unit))).toEqual([
    '+4',
    '−5',
    '=',
    '+8 %',
    null,
    '−3',
    '+0.5',
    '−40 min',
    null,
  ])
})
