/** The browser's clock, used only for display until the server's answer is there. The server decides what is allowed. */
import type { LocalDate } from '#contract/time.ts'

/** Today's date in a time zone, by this device's clock. */
export function todayIn(zone: string): LocalDate {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date())
}

/** The current instant by this device's clock. */
export const currentInstant = (): Date => new Date()

/** Milliseconds until an instant, by this device's clock; never below zero. */
export function untilFromHere(instant: string): number {
  return Math.max(0, Date.parse(instant) - Date.now())
}
