/** Rules of attendance, no-shows and penalties. Pure: docs/domain.md, "Attendance". */
import { type Refusal, refuse } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { addDays, localDate, startOfDay } from '#contract/time.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'

/** How long before its start a class's roster can be marked, in ms. */
export const EARLY_MS = 2 * 3_600_000

/** Why a class's attendance cannot be marked now: cancelled, or too early (A2). */
export function whyNotMark(cls: Pick<ClassCore, 'starts_at' | 'cancelled'>, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.starts_at.getTime() - now.getTime() > EARLY_MS ? refuse('ATTENDANCE_TOO_EARLY') : null
}

/** Why a roster cannot be closed by hand now (A10). */
export function whyNotCloseRoster(cls: Pick<ClassCore, 'starts_at' | 'cancelled'>, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.starts_at > now ? refuse('ROSTER_NOT_CLOSABLE') : null
}

/** Classes that ended before this instant have their roster closed automatically (A4). */
export function rosterCloseTime(now: Date, settings: Settings): Date {
  return new Date(now.getTime() - settings.no_show_grace_hours * 3_600_000)
}

/** Whether an unmarked reservation counts as attended when the roster closes (A4): no if any reservation was marked, yes if none was. */
export function unmarkedCountAsAttended(reservations: readonly { attend: boolean | null }[]): boolean {
  return reservations.every((reservation) => reservation.attend === null)
}

export interface Decided {
  class_reservation_id: number
  attend: boolean | null
  excuse: string | null
}

/**
 * The consecutive no-shows that count now, newest first (A5): from the latest class back to the last one that was attended or already led
 * to a penalty. An excused absence neither counts nor ends the streak.
 */
export function streak(history: readonly Decided[], penalised: ReadonlySet<number>): number[] {
  const counted: number[] = []
  for (const { class_reservation_id, attend, excuse } of history) {
    if (attend === true || penalised.has(class_reservation_id)) break
    if (attend === false && excuse === null) counted.push(class_reservation_id)
  }
  return counted
}

/** When a penalty ends (A6): at the start of the studio-local day that is the configured number of days after `now`. */
export function resumesAt(now: Date, settings: Settings, zone: string): Date {
  return startOfDay(addDays(localDate(now, zone), settings.unlimited_penalty_days), zone)
}
