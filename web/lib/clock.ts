/** The browser's clock: only for what is shown before the server has spoken. What may be done is the server's to say. */
import type { LocalDate } from '#contract/time.ts'

/** Today in a zone, as this device sees it. */
export function todayIn(zone: string): LocalDate {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date())
}

/** This device's present. */
export const currentInstant = (): Date => new Date()

/** Milliseconds until an instant, as this device sees it; never below zero. */
export function untilFromHere(instant: string): number {
  return Math.max(0, Date.parse(instant) - Date.now())
}
