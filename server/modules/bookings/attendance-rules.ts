/** Who came, and what follows from not coming. Pure: docs/domain.md, "Attendance". */
import { type Refusal, refuse } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { addDays, localDate, startOfDay } from '#contract/time.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'

/** How long before a class its list can be used. */
export const EARLY_MS = 2 * 3_600_000

/** Why nobody can be marked in a class yet, or any more (A2). */
export function whyNotMark(cls: Pick<ClassCore, 'starts_at' | 'cancelled'>, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.starts_at.getTime() - now.getTime() > EARLY_MS ? refuse('ATTENDANCE_TOO_EARLY') : null
}

/** Why a roster cannot be closed by hand now (A10). */
export function whyNotCloseRoster(cls: Pick<ClassCore, 'starts_at' | 'cancelled'>, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.starts_at > now ? refuse('ROSTER_NOT_CLOSABLE') : null
}

/** When a class is old enough to be decided (A4). */
export function rosterCloseTime(now: Date, settings: Settings): Date {
  return new Date(now.getTime() - settings.no_show_grace_hours * 3_600_000)
}

/** What somebody counts as whom nobody marked (A4): absent where the list was used, present where nobody touched it. */
export function decided(reservations: readonly { attend: boolean | null }[]): boolean {
  return reservations.every((reservation) => reservation.attend === null)
}

export interface Decided {
  class_reservation_id: number
  attend: boolean | null
  excuse: string | null
}

/**
 * The no-shows in a row that count now, the newest first (A5): from the last class back to the last one that was attended or that led to a
 * penalty. An excused one neither counts nor ends the row.
 */
export function streak(history: readonly Decided[], penalised: ReadonlySet<number>): number[] {
  const counted: number[] = []
  for (const { class_reservation_id, attend, excuse } of history) {
    if (attend === true || penalised.has(class_reservation_id)) break
    if (attend === false && excuse === null) counted.push(class_reservation_id)
  }
  return counted
}

/** When booking is possible again (A6): as the day begins that is so many days after this one, on the studio's clocks. */
export function resumesAt(now: Date, settings: Settings, zone: string): Date {
  return startOfDay(addDays(localDate(now, zone), settings.unlimited_penalty_days), zone)
}
