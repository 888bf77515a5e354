import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { wallClock } from '#contract/time.ts'
import { type Decided, resumesAt, rosterCloseTime, streak, unmarkedCountAsAttended, whyNotMark } from './attendance-rules.ts'

const STARTS = new Date('2026-11-21T00:00:00.000Z')
const at = (minutes: number) => new Date(STARTS.getTime() + minutes * 60_000)

test.each([
  [-121, false, 'ATTENDANCE_TOO_EARLY'],
  [-120, false, null],
  [600, false, null],
  [0, true, 'CLASS_CANCELLED'],
])('a list can be used from two hours before, at minute %i (A2)', (minutes, cancelled, code) => {
  expect(whyNotMark({ starts_at: STARTS, cancelled }, at(minutes))?.code ?? null).toBe(code)
})

test('an unmarked customer counts as absent on a used roster, and as present on an unused one (A4)', () => {
  expect(unmarkedCountAsAttended([{ attend: null }, { attend: null }])).toBe(true)
  expect(unmarkedCountAsAttended([{ attend: null }, { attend: true }])).toBe(false)
  expect(unmarkedCountAsAttended([{ attend: null }, { attend: false }])).toBe(false)
  expect(rosterCloseTime(STARTS, { ...defaultSettings, no_show_grace_hours: 3 })).toEqual(at(-180))
})

describe('consecutive no-shows (A5)', () => {
  /** "x" did not come, "o" came, "e" excused, newest first. */
  const history = (text: string): Decided[] =>
    [...text].map((sign, n) => ({ class_reservation_id: n + 1, attend: sign === 'o', excuse: sign === 'e' ? 'enferma' : null }))
  test.each<[string, number[], number[]]>([
    ['', [], []],
    ['o', [], []],
    ['x', [], [1]],
    ['xxo', [], [1, 2]],
    ['xox', [], [1]],
    ['xexo', [], [1, 3]],
    ['exx', [], [2, 3]],
    ['oxx', [], []],
    ['xxx', [3], [1, 2]],
    ['xxx', [1], []],
  ])('%j with %j penalised before: %j', (text, before, expected) => {
    expect(streak(history(text), new Set(before))).toEqual(expected)
  })

  test('an attendance resets the count; an excuse changes nothing', () => {
    const signs = fc.string({ unit: fc.constantFrom('x', 'o', 'e'), maxLength: 12 })
    fc.assert(
      fc.property(signs, signs, (newer, older) => {
        const none = new Set<number>()
        expect(streak(history(`${newer}o${older}`), none)).toEqual(streak(history(newer), none))
        expect(streak(history(newer.replaceAll('e', '')), none)).toHaveLength(streak(history(newer), none).length)
      }),
    )
  })
})

test.each([
  ['America/Mexico_City', '2026-11-19T16:00:00.000Z', '2026-11-26T00:00:00.000Z', '2026-11-26T06:00:00.000Z'],
  // A day that is an hour short, and one that is an hour long.
  ['America/Tijuana', '2027-03-12T20:00:00.000Z', '2027-03-19T00:00:00.000Z', '2027-03-19T07:00:00.000Z'],
  ['America/Matamoros', '2026-10-30T20:00:00.000Z', '2026-11-06T00:00:00.000Z', '2026-11-06T06:00:00.000Z'],
])('seven days later, as the day begins, in %s (A6)', (zone, now, wall, instant) => {
  const resumes = resumesAt(new Date(now), defaultSettings, zone)
  expect([wallClock(resumes, zone).toISOString(), resumes.toISOString()]).toEqual([wall, instant])
})
