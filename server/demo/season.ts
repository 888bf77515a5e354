/** The season of a studio: full in January and autumn, quiet in the holidays, closed on a few days, and a little larger every month. */
import { addDays, type LocalDate } from '#contract/time.ts'
import { type PlannedClass, WEEKS_OF_HISTORY } from './week.ts'

const DAY = 86_400_000

/** How full classes are by month, January first. */
const BY_MONTH = [1.08, 1.06, 1, 0.97, 1, 0.96, 0.88, 0.92, 1.04, 1.06, 1.02, 0.94]
/** Size of the studio a year ago, as a part of today's. */
const A_YEAR_AGO = 0.66

/** Closed days of every year, as month-day, with their names. */
const CLOSED: Readonly<Record<string, string>> = { '01-01': 'Año Nuevo', '05-01': 'Día del Trabajo', '12-25': 'Navidad' }

const dayOf = (at: Date): LocalDate => at.toISOString().slice(0, 10)

/** Easter Sunday of a year, by the anonymous Gregorian algorithm. */
function easter(year: number): LocalDate {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const skipped = century - Math.floor(century / 4)
  const moon = (19 * golden + skipped - Math.floor((8 * century + 13) / 25) + 15) % 30
  const corrected = moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + corrected + 2 - skipped) % 7
  const offset = corrected - weekday
  const month = 3 + Math.floor((offset + 40) / 44)
  return dayOf(new Date(Date.UTC(year, month - 1, offset + 28 - 31 * Math.floor(month / 4))))
}

/** The holiday on which the studio is closed; null: it is open. */
export function closedOn(date: LocalDate): string | null {
  const fixed = CLOSED[date.slice(5)]
  if (fixed) return fixed
  return date === addDays(easter(Number(date.slice(0, 4))), -2) ? 'Viernes Santo' : null
}

/** How full a class of a past day is, compared with the same class today. */
export function demand(date: LocalDate, today: LocalDate): number {
  const age = (Date.parse(today) - Date.parse(date)) / DAY
  const year = Number(date.slice(0, 4))
  const sunday = easter(year)
  const monthDay = date.slice(5)
  const isHolyWeek = date >= addDays(sunday, -7) && date <= sunday
  const quiet = isHolyWeek ? 0.55 : monthDay >= '12-26' || monthDay === '12-24' ? 0.35 : monthDay >= '12-16' ? 0.7 : 1
  const growth = 1 - (1 - A_YEAR_AGO) * Math.min(1, Math.max(0, age) / (7 * WEEKS_OF_HISTORY))
  return (BY_MONTH[Number(date.slice(5, 7)) - 1] ?? 1) * quiet * growth
}

/** The classes of a studio's year: none on closed days, and past ones as full as their season was. */
export function withSeasons(classes: readonly PlannedClass[], today: LocalDate): PlannedClass[] {
  return classes
    .filter((cls) => cls.package !== null || closedOn(cls.date) === null)
    .map((cls) => (cls.date < today ? { ...cls, draw: Math.min(1, cls.draw * demand(cls.date, today)) } : cls))
}

/** The closed days from one day to another, both included. */
export function closedDays(from: LocalDate, until: LocalDate): { day: LocalDate; name: string }[] {
  const days: { day: LocalDate; name: string }[] = []
  for (let day = from; day <= until; day = addDays(day, 1)) {
    const name = closedOn(day)
    if (name) days.push({ day, name })
  }
  return days
}
