/** Bank days in Mexico: cash paid in a shop (OXXO) is confirmed by the next bank day. Pure. */
import { addDays, endOfDay, type LocalDate, localDate } from '#contract/time.ts'

/** Bank holidays with a fixed date (month-day), and those on the nth Monday of a month. */
const FIXED = new Set(['01-01', '05-01', '09-16', '11-02', '12-12', '12-25'])
const MONDAYS: readonly (readonly [month: number, nth: number])[] = [
  [2, 1],
  [3, 3],
  [11, 3],
]

/** Easter Sunday of a year (Meeus). */
function easter(year: number): LocalDate {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114
  return new Date(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1)).toISOString().slice(0, 10)
}

/** Whether Mexico's banks work on a day: not at weekends, on days of rest, nor on Thursday and Friday of Holy Week. */
export function isBankDay(day: LocalDate): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  const [weekday, month, date] = [at.getUTCDay(), at.getUTCMonth() + 1, at.getUTCDate()]
  if (weekday === 0 || weekday === 6 || FIXED.has(day.slice(5))) return false
  if (weekday === 1 && MONDAYS.some(([rest, nth]) => rest === month && Math.ceil(date / 7) === nth)) return false
  const sunday = easter(at.getUTCFullYear())
  return day !== addDays(sunday, -3) && day !== addDays(sunday, -2)
}

/** The last second of the first bank day after the day of an instant, on the studio's clocks. */
export function endOfNextBankDay(at: Date, zone: string): Date {
  let day = addDays(localDate(at, zone), 1)
  while (!isBankDay(day)) day = addDays(day, 1)
  return endOfDay(day, zone)
}
