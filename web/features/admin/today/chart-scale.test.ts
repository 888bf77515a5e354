import { expect, test } from 'vitest'
import { axisTicks, shortPesos, weeksSentence } from './chart-scale.ts'

test('the axis begins at zero, has round steps and ends above the largest bar', () => {
  expect([axisTicks(0), axisTicks(52_000), axisTicks(90), axisTicks(1_500)]).toEqual([
    [0, 0.5],
    [0, 20_000, 40_000, 60_000],
    [0, 50, 100],
    [0, 500, 1_000, 1_500],
  ])
  for (const largest of [1, 7, 33, 99, 101, 12_345, 999_999, 8_000_000]) {
    const axis = axisTicks(largest)
    expect(axis.at(-1)).toBeGreaterThanOrEqual(largest)
    expect(axis.length).toBeLessThanOrEqual(4)
  }
})

test('money is written short', () => {
  expect([0, 850, 999.6, 4_480, 31_200, 999_600, 1_234_567, -2_500].map(shortPesos)).toEqual([
    '0',
    '850',
    '1,000',
    '4.5 mil',
    '31 mil',
    '1 M',
    '1.2 M',
    '-2.5 mil',
  ])
})

test('a sentence says what the bars of the last two weeks show', () => {
  expect(weeksSentence([2_800_000, 3_100_000, 1_230_050])).toBe('Esta semana van $12,300.50; la pasada entraron $31,000.00.')
  expect([weeksSentence([50_000]), weeksSentence([])]).toEqual(['Esta semana van $500.00.', 'Esta semana van $0.00.'])
})
