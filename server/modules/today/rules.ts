/** The periods that figures are computed for. Pure: docs/domain.md, "Today". */

import { daysBetween } from '#contract/day-count.ts'
import { addDays, addMonths, fromWallClock, type LocalDate, localDate, mondayOf, startOfDay, wallClock } from '#contract/time.ts'
import type { FigurePeriod } from '#contract/today.ts'

/** A half-open interval: includes the first instant, excludes the second. */
export interface Stretch {
  from: Date
  until: Date
}

export interface ComparedStretches {
  /** First day of the period. */
  start: LocalDate
  now: Stretch
  before: Stretch
}

const STARTS: Record<FigurePeriod, (day: LocalDate) => LocalDate> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => `${day.slice(0, 8)}01`,
}
const STARTS_BEFORE: Record<FigurePeriod, (start: LocalDate) => LocalDate> = {
  day: (start) => addDays(start, -1),
  week: (start) => addDays(start, -7),
  month: (start) => addMonths(start, -1),
}

/**
 * The current period until `now`, and the period before until the same day and hour of it (H1). The period before never runs into this one:
 * on 31 March the month before is all of February.
 */
export function comparedPeriods(period: FigurePeriod, now: Date, zone: string): ComparedStretches {
  const today = localDate(now, zone)
  const start = STARTS[period](today)
  const from = startOfDay(start, zone)
  const startBefore = STARTS_BEFORE[period](start)
  const wall = wallClock(now, zone)
  const days = daysBetween(start, today)
  const sameHour = fromWallClock(new Date(`${addDays(startBefore, days)}T${wall.toISOString().slice(11)}`), zone)
  return {
    start,
    now: { from, until: now },
    before: { from: startOfDay(startBefore, zone), until: sameHour < from ? sameHour : from },
  }
}

/** The last periods, each whole, the current one at the end and until `now`. */
export function lastPeriods(period: FigurePeriod, now: Date, zone: string, count: number): Stretch[] {
  const found: Stretch[] = []
  let start = STARTS[period](localDate(now, zone))
  let until = now
  while (found.length < count) {
    const from = startOfDay(start, zone)
    found.unshift({ from, until })
    until = from
    start = STARTS_BEFORE[period](start)
  }
  return found
}

/** A share in percent with one decimal; null when the whole is 0. */
export const toPercent = (part: number, whole: number): number | null => (whole > 0 ? Math.round((1_000 * part) / whole) / 10 : null)
