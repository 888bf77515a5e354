import type { LocalDate } from './time.ts'

/** Number of days from one day to another; negative when the second one is earlier. */
export const daysBetween = (from: LocalDate, to: LocalDate): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
