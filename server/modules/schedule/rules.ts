/** Days of the calendar and places of a class. Pure: docs/domain.md, "Calendar". */

import { type Refusal, refuse } from '#contract/errors.ts'
import { isSpotOn, spotRows } from '#contract/spots.ts'
import { addDays, type LocalDate, localDate, mondayOf } from '#contract/time.ts'

/** The longest stretch of days that one question may ask for (H2). */
export const MAX_DAYS = 42

/** How long the cancelling of a class can be taken back (B5). */
export const UNDO_MS = 10 * 60_000

export interface Days {
  start: LocalDate
  end: LocalDate
  today: LocalDate
}

/** The days that are asked for: this week, Monday to Sunday, unless said otherwise (H1, H2). */
export function requestedDays(
  input: { start_date?: LocalDate | undefined; end_date?: LocalDate | undefined },
  now: Date,
  zone: string,
): Days | Refusal {
  const today = localDate(now, zone)
  const start = input.start_date ?? mondayOf(input.end_date ?? today)
  const end = input.end_date ?? addDays(start, 6)
  if (!isThisCentury(start) || !isThisCentury(end)) return refuse('INVALID_INPUT', { field: 'start_date' })
  if (end < start || end >= addDays(start, MAX_DAYS)) return refuse('INVALID_INPUT', { field: 'end_date' })
  return { start, end, today }
}

/** Days that a calendar has any business with; the database's own calendar ends somewhere. */
function isThisCentury(day: LocalDate): boolean {
  return day >= '2000-01-01' && day < '2100-01-01'
}

/**
 * Places that can still be taken (H4): capacity less taken and held; no capacity means full (settled 20). In a room with a
 * map there are never more than free seats.
 */
export function spotsLeft(cls: {
  capacity: number | null
  taken: number
  held: number
  spot_map: string | null
  closed_spots: readonly string[]
}): number {
  const room = seats(cls)
  const size = room === null ? (cls.capacity ?? 0) : Math.min(cls.capacity ?? 0, room)
  return Math.max(0, size - cls.taken - cls.held)
}

/** Seats of the room's map that can be used; null without a map. */
function seats(cls: { spot_map: string | null; closed_spots: readonly string[] }): number | null {
  const rows = spotRows(cls.spot_map)
  return rows && rows.reduce((sum, row) => sum + row, 0) - cls.closed_spots.length
}

/** The most classes that one series makes. */
export const MAX_SERIES = 53

/** The same wall clock every week from a first day until a last one, both included (H8): by the calendar, so that a DST change moves no hour. */
export function weekly(first: Date, until: LocalDate | null): Date[] {
  const walls = [first]
  const hour = first.toISOString().slice(10)
  const day = first.toISOString().slice(0, 10)
  for (let n = 1; until !== null && n < MAX_SERIES; n++) {
    const next = addDays(day, 7 * n)
    if (next > until) break
    walls.push(new Date(`${next}${hour}`))
  }
  return walls
}

/** Why a room cannot be like this: closed seats that it does not have. */
export function whyNotRoom(room: { spot_map: string | null; closed_spots: readonly string[] }): Refusal | null {
  return room.closed_spots.every((spot) => isSpotOn(room.spot_map, spot)) ? null : refuse('INVALID_INPUT', { field: 'closed_spots' })
}
