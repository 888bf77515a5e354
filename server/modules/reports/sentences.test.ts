/** The words of reports for the period before. */
import { expect, test } from 'vitest'
import type { Period } from './rules.ts'
import { beforeDefinition, beforeText, changeText } from './sentences.ts'

const period = (from: string, to: string) => ({ days: { from, to } }) as Period
const day = period('2026-11-25', '2026-11-25')
const weeks = period('2026-10-02', '2026-10-29')

test('one day before is a day, not “1 días”', () => {
  expect([beforeText('before', day), beforeText('before', weeks), beforeText('year', day)]).toEqual([
    'el día antes',
    'los 28 días antes',
    'un año antes',
  ])
  expect(changeText(150, 100, 'count', { compare: 'before', before: day })).toBe('50 % más que el día antes')
  expect(changeText(-500, 100, 'mxn', { compare: 'before', before: day })).toBeNull()
  expect([beforeDefinition('before', day), beforeDefinition('before', weeks), beforeDefinition('year', weeks)]).toEqual([
    'El día antes, 25 nov.',
    '28 días, justo antes: del 02 oct al 29 oct.',
    'Los mismos días de un año antes.',
  ])
})

test('a period of more than a month is named by its days, with the year', () => {
  const months = period('2025-10-02', '2026-04-30')
  expect(beforeText('before', months)).toBe('del 02 oct 2025 al 30 abr 2026')
  expect(beforeText('before', period('2026-03-05', '2026-04-30'))).toBe('del 05 mar al 30 abr 2026')
  expect(beforeText('before', period('2026-10-01', '2026-10-31'))).toBe('los 31 días antes')
  expect(beforeText('year', months)).toBe('un año antes')
  expect(changeText(150, 100, 'mxn', { compare: 'before', before: months })).toBe('50 % más que del 02 oct 2025 al 30 abr 2026')
  expect(beforeDefinition('before', months)).toBe('211 días, justo antes: del 02 oct 2025 al 30 abr 2026.')
})
