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
