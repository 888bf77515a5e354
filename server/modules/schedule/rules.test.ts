import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { addDays } from '#contract/time.ts'
import { MAX_DAYS, MAX_WEEKS, requestedDays, spotsLeft, weekly } from './rules.ts'

const ZONE = 'America/Mexico_City'
/** Thursday 19 November 2026, 10:00. */
const NOW = new Date('2026-11-19T16:00:00.000Z')
const rangeOf = (start_date?: string, end_date?: string, now = NOW, zone = ZONE) => {
  const days = requestedDays({ start_date, end_date }, now, zone)
  return days instanceof Refusal ? days.code : `${days.start} ${days.end} ${days.today}`
}

describe('the requested days (H2)', () => {
  test.each([
    ['this week, Monday to Sunday (S2-2.17, S2-2.18)', undefined, undefined, '2026-11-16 2026-11-22 2026-11-19'],
    ['seven days from a start', '2026-12-02', undefined, '2026-12-02 2026-12-08 2026-11-19'],
    ['the week until an end', undefined, '2026-11-28', '2026-11-23 2026-11-28 2026-11-19'],
    ['one day', '2026-11-20', '2026-11-20', '2026-11-20 2026-11-20 2026-11-19'],
    ['forty-two days', '2026-11-01', '2026-12-12', '2026-11-01 2026-12-12 2026-11-19'],
    ['forty-three days', '2026-11-01', '2026-12-13', 'INVALID_INPUT'],
    ['an end before the start', '2026-11-20', '2026-11-19', 'INVALID_INPUT'],
    ['a day before there were studios', '0001-01-01', undefined, 'INVALID_INPUT'],
    ['a day that no calendar reaches', '9999-12-31', undefined, 'INVALID_INPUT'],
  ])('%s', (_what, start, end, expected) => expect(rangeOf(start, end)).toBe(expected))

  test('today is the studio’s, not the server’s (H1)', () => {
    const sundayNight = new Date('2026-11-23T04:00:00.000Z')
    expect(rangeOf(undefined, undefined, sundayNight)).toBe('2026-11-16 2026-11-22 2026-11-22')
    expect(rangeOf(undefined, undefined, sundayNight, 'UTC')).toBe('2026-11-23 2026-11-29 2026-11-23')
  })

  test('at most the limit, and never backwards', () => {
    const day = fc.integer({ min: -400, max: 400 }).map((n) => addDays('2026-11-19', n))
    fc.assert(
      fc.property(fc.option(day, { nil: undefined }), fc.option(day, { nil: undefined }), (start_date, end_date) => {
        const days = requestedDays({ start_date, end_date }, NOW, ZONE)
        if (days instanceof Refusal) return
        expect(days.start <= days.end).toBe(true)
        expect(days.end < addDays(days.start, MAX_DAYS)).toBe(true)
      }),
    )
  })
})

test.each([
  ['free places', { capacity: 10, taken: 7 }, 3],
  ['places held for somebody', { capacity: 10, taken: 7, held: 2 }, 1],
  ['no capacity: full (settled 20, S2-4.10)', { capacity: null, taken: 0 }, 0],
  ['as many taken as there are: full (S2-4.11)', { capacity: 5, taken: 5 }, 0],
  ['more taken than there is', { capacity: 5, taken: 6 }, 0],
  ['a room smaller than the capacity', { capacity: 10, taken: 4, spot_map: '2,3' }, 1],
  ['a room with seats out of order', { capacity: 10, taken: 0, spot_map: '2,3', closed_spots: ['1-1', '2-3'] }, 3],
  ['a room larger than the capacity', { capacity: 4, taken: 1, spot_map: '5,5' }, 3],
])('places left with %s (H4)', (_what, cls, left) => {
  expect(spotsLeft({ held: 0, spot_map: null, closed_spots: [], ...cls })).toBe(left)
})

describe('weekly series (H8)', () => {
  const days = (from: string, until: string | null) => weekly(new Date(from), until).map((wall) => wall.toISOString())
  test.each([
    ['no last day: one class', '2027-03-02T07:00:00.000Z', null, 1],
    ['the last day counts', '2027-03-02T07:00:00.000Z', '2027-03-16', 3],
    ['the day before it does not', '2027-03-02T07:00:00.000Z', '2027-03-15', 2],
    ['over the end of a year', '2026-12-29T07:00:00.000Z', '2027-01-12', 3],
    ['a last day that is over', '2027-03-02T07:00:00.000Z', '2027-02-01', 1],
    ['a year at most', '2027-03-02T07:00:00.000Z', '2099-01-01', MAX_WEEKS],
  ])('%s', (_what, from, until, count) => {
    const walls = days(from, until)
    expect(walls).toHaveLength(count)
    expect(walls.every((wall) => wall.slice(10) === from.slice(10))).toBe(true)
    expect(new Set(walls.map((wall) => new Date(wall).getUTCDay())).size).toBe(1)
  })
})
