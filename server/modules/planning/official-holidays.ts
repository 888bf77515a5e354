/** Official holidays of Mexico (Ley Federal del Trabajo, article 74), and days on which studios often close. Pure. */
import type { LocalDate } from '#contract/time.ts'
import { addDays } from '#contract/time.ts'

export interface OfficialHoliday {
  name: string
  day: LocalDate
  /** `suggested`: not a day of rest by law. */
  kind: 'official' | 'suggested'
}

/** A new president takes office on 1 October every six years: 2024, 2030. */
const isInaugurationYear = (year: number): boolean => year >= 2024 && (year - 2024) % 6 === 0

const dayIn = (year: number, month: number, day: number): LocalDate =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The n-th Monday of a month. */
function mondayIn(year: number, month: number, n: number): LocalDate {
  const first = dayIn(year, month, 1)
  const weekday = new Date(`${first}T00:00:00Z`).getUTCDay()
  return addDays(first, ((8 - weekday) % 7) + 7 * (n - 1))
}

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm of Meeus, Jones and Butcher). */
export function easterSunday(year: number): LocalDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return dayIn(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

/** The holidays of a year in their order. */
export function officialHolidays(year: number): OfficialHoliday[] {
  const easter = easterSunday(year)
  const official = (name: string, day: LocalDate): OfficialHoliday => ({ name, day, kind: 'official' })
  const suggested = (name: string, day: LocalDate): OfficialHoliday => ({ name, day, kind: 'suggested' })
  return [
    official('Año Nuevo', dayIn(year, 1, 1)),
    official('Día de la Constitución', mondayIn(year, 2, 1)),
    official('Natalicio de Benito Juárez', mondayIn(year, 3, 3)),
    suggested('Jueves Santo', addDays(easter, -3)),
    suggested('Viernes Santo', addDays(easter, -2)),
    official('Día del Trabajo', dayIn(year, 5, 1)),
    official('Día de la Independencia', dayIn(year, 9, 16)),
    ...(isInaugurationYear(year) ? [official('Transmisión del Poder Ejecutivo', dayIn(year, 10, 1))] : []),
    suggested('Día de Muertos', dayIn(year, 11, 2)),
    official('Día de la Revolución', mondayIn(year, 11, 3)),
    suggested('Virgen de Guadalupe', dayIn(year, 12, 12)),
    official('Navidad', dayIn(year, 12, 25)),
  ].sort((a, b) => a.day.localeCompare(b.day))
}
