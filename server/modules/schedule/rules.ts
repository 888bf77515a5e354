/** Rules of the calendar: days, free spots, series. Pure: docs/domain.md, "Calendar". */

import { type Refusal, refuse } from '#contract/errors.ts'
import { isSpotOn, spotRows } from '#contract/spots.ts'
import { addDays, isoWeekday, type LocalDate, localDate, mondayOf } from '#contract/time.ts'

/** Maximum number of days of one request (H2). */
export const MAX_DAYS = 42

/** How long a cancellation of a class can be undone, in ms (B5). */
export const UNDO_MS = 10 * 60_000

export interface Days {
  start: LocalDate
  end: LocalDate
  today: LocalDate
}

/** The days of a request: this week, Monday to Sunday, unless it names others (H1, H2); at most `max`. */
export function requestedDays(
  input: { start_date?: LocalDate | undefined; end_date?: LocalDate | undefined },
  now: Date,
  zone: string,
  max = MAX_DAYS,
): Days | Refusal {
  const today = localDate(now, zone)
  const start = input.start_date ?? mondayOf(input.end_date ?? today)
  const end = input.end_date ?? addDays(start, 6)
  if (!isThisCentury(start) || !isThisCentury(end)) return refuse('INVALID_INPUT', { field: 'start_date' })
  if (end < start || end >= addDays(start, max)) return refuse('INVALID_INPUT', { field: 'end_date' })
  return { start, end, today }
}

/** Whether the day is in this century; the database's calendar is limited. */
function isThisCentury(day: LocalDate): boolean {
  return day >= '2000-01-01' && day < '2100-01-01'
}

/**
 * Free spots (H4): capacity less taken and held; no capacity means full (settled 20). In a room with a map at most the number of open
 * spots.
 */
export function spotsLeft(cls: {
  capacity: number | null
  taken: number
  held: number
  spot_map: string | null
  closed_spots: readonly string[]
}): number {
  const room = openSeats(cls)
  const size = room === null ? (cls.capacity ?? 0) : Math.min(cls.capacity ?? 0, room)
  return Math.max(0, size - cls.taken - cls.held)
}

/** Seats of the room's map that can be used; null without a map. */
export function openSeats(cls: { spot_map: string | null; closed_spots: readonly string[] }): number | null {
  const rows = spotRows(cls.spot_map)
  return rows && rows.reduce((sum, row) => sum + row, 0) - cls.closed_spots.length
}

/** The most classes that `repeat_until` of one new class makes: a year of weeks. */
export const MAX_WEEKS = 53

/** Every week at the same local time from a first to a last day, both included (H8): DST changes do not move the hour. */
export function weekly(first: Date, until: LocalDate | null): Date[] {
  if (until === null) return [first]
  const day = wallDay(first)
  const last = addDays(day, 7 * (MAX_WEEKS - 1))
  const days = seriesDays(
    { starts_on: day, weekdays: [isoWeekday(day)], every_weeks: 1, except_days: [] },
    day,
    until < last ? until : last,
  )
  return [first, ...days.slice(1).map((day) => onDay(first, day))]
}

/** When a series has classes. */
export interface SeriesPattern {
  /** The day from which weeks are counted. */
  starts_on: LocalDate
  /** 1 = Monday to 7 = Sunday. */
  weekdays: readonly number[]
  every_weeks: number
  except_days: readonly LocalDate[]
}

/** The day of a wall clock. */
export const wallDay = (wall: Date): LocalDate => wall.toISOString().slice(0, 10)

/** The hour of a wall clock on another day. */
export const onDay = (wall: Date, day: LocalDate): Date => new Date(`${day}${wall.toISOString().slice(10)}`)

/** The days of a series within a range, both ends included (L5). */
export function seriesDays(pattern: SeriesPattern, from: LocalDate, until: LocalDate): LocalDate[] {
  const days: LocalDate[] = []
  for (let monday = mondayOf(pattern.starts_on); monday <= until; monday = addDays(monday, 7 * pattern.every_weeks))
    for (const weekday of [...pattern.weekdays].sort((a, b) => a - b)) {
      const day = addDays(monday, weekday - 1)
      if (day >= pattern.starts_on && day >= from && day <= until && !pattern.except_days.includes(day)) days.push(day)
    }
  return days
}

/** Why a room is invalid: closed spots that its map does not have. */
export function whyNotRoom(room: { spot_map: string | null; closed_spots: readonly string[] }): Refusal | null {
  return room.closed_spots.every((spot) => isSpotOn(room.spot_map, spot)) ? null : refuse('INVALID_INPUT', { field: 'closed_spots' })
}
