/**
 * Time. Instants are UTC; days and hours belong to a studio's IANA zone (settled 1-4). On the wire `class_date` is the local time written
 * as if it were UTC; `starts_at`/`ends_at` are the true instants.
 */

/** A studio-local calendar day, "2026-11-20". */
export type LocalDate = string

/** Units of a time window, as the spec names them (S2-9.04). */
export const WINDOW_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const
export type WindowUnit = (typeof WINDOW_UNITS)[number]

/** Units of a billing period or a free trial (spec 1 section 3). */
export const PERIOD_UNITS = ['day', 'month', 'year'] as const
export type PeriodUnit = (typeof PERIOD_UNITS)[number]

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(zone, formatter)
  }
  return formatter
}

/** Whether a name is a time zone that this runtime knows. */
export function isZone(zone: string): boolean {
  // Intl accepts "+05:00", which PostgreSQL reads with the opposite sign.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(zone)) return false
  try {
    formatter(zone)
    return true
  } catch {
    return false
  }
}

/** Cached offsets by zone and quarter hour: zones change on quarter hours, and a call of Intl costs 3 microseconds. */
const offsets = new Map<string, Map<number, number>>()
const QUARTER = 900_000
const DAY = 86_400_000
const MAX_OFFSETS = 20_000

/** Offset of the zone from UTC at an instant, in minutes (-360 in Mexico City). */
export function offsetMinutes(at: Date, zone: string): number {
  let found = offsets.get(zone)
  if (!found) {
    found = new Map()
    offsets.set(zone, found)
  }
  const quarter = Math.floor(at.getTime() / QUARTER)
  const known = found.get(quarter)
  if (known !== undefined) return known
  const wall: Record<string, number> = {}
  for (const part of formatter(zone).formatToParts(at)) if (part.type !== 'literal') wall[part.type] = Number(part.value)
  const asUtc = Date.UTC(wall.year ?? 0, (wall.month ?? 1) - 1, wall.day, wall.hour, wall.minute, wall.second)
  const offset = Math.round((asUtc - Math.floor(at.getTime() / 1000) * 1000) / 60_000)
  if (found.size >= MAX_OFFSETS) found.clear()
  found.set(quarter, offset)
  return offset
}

/** The local time at an instant, written as UTC: the value of `class_date` (settled 2). */
export function wallClock(at: Date, zone: string): Date {
  return new Date(at.getTime() + offsetMinutes(at, zone) * 60_000)
}

/** The instant of a local time (written as UTC). A time that a DST change skips moves forward; of a repeated one the first is returned. */
export function fromWallClock(wall: Date, zone: string): Date {
  const at = (offset: number) => new Date(wall.getTime() - offset * 60_000)
  const [old, young] = [offsetMinutes(new Date(wall.getTime() - DAY), zone), offsetMinutes(new Date(wall.getTime() + DAY), zone)]
  const first = at(old)
  if (old === young || offsetMinutes(first, zone) === old) return first
  const second = at(young)
  return offsetMinutes(second, zone) === young ? second : first
}

/** The studio-local day of an instant. */
export function localDate(at: Date, zone: string): LocalDate {
  return wallClock(at, zone).toISOString().slice(0, 10)
}

/** Whether a text is an existing day ("2026-02-30" is not). */
export function isLocalDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** First instant of a studio-local day. */
export function startOfDay(day: LocalDate, zone: string): Date {
  return fromWallClock(new Date(`${day}T00:00:00.000Z`), zone)
}

/** The last second of a studio-local day: when things that expire on that day expire (settled 3). */
export function endOfDay(day: LocalDate, zone: string): Date {
  return fromWallClock(new Date(`${day}T23:59:59.000Z`), zone)
}

/** The day a number of days later, or earlier if negative. */
export function addDays(day: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY).toISOString().slice(0, 10)
}

/** 1 = Monday to 7 = Sunday. */
export const isoWeekday = (day: LocalDate): number => ((new Date(`${day}T00:00:00.000Z`).getUTCDay() + 6) % 7) + 1

/** The Monday of a day's week: weeks start on Monday (S2-2.18). */
export const mondayOf = (day: LocalDate): LocalDate => addDays(day, 1 - isoWeekday(day))

/** The day a number of months later; the 31st becomes the month's last day, counted from the first day so that it does not drift. */
export function addMonths(day: LocalDate, months: number): LocalDate {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** `count` periods after a day, by calendar (settled 35: for trials and subscriptions). */
export function addPeriods(day: LocalDate, unit: PeriodUnit, count: number): LocalDate {
  if (unit === 'day') return addDays(day, count)
  return addMonths(day, unit === 'month' ? count : 12 * count)
}

/** The instant `value` units before `at`. Days count in local time, smaller units in real time (settled 3). */
export function before(at: Date, value: number, unit: WindowUnit, zone: string): Date {
  if (unit === 'days') return fromWallClock(new Date(wallClock(at, zone).getTime() - value * DAY), zone)
  const millis = { seconds: 1000, minutes: 60_000, hours: 3_600_000 }[unit]
  return new Date(at.getTime() - value * millis)
}

/** When a purchase of this instant with N days of validity expires: 23:59:59 local time of the last day (settled 3). */
export function expiryAfter(from: Date, days: number, zone: string): Date {
  return endOfDay(addDays(localDate(from, zone), days), zone)
}

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'] as const
const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
] as const

/** "lun", "nov": names differ in their first three letters. */
const short = (name: string) => name.slice(0, 3)
/** At least two digits: "07". */
export const twoDigits = (n: number): string => String(n).padStart(2, '0')

/**
 * Formats a local time (a Date or ISO text read as UTC, like `class_date`) in one of the spec's formats (spec 2 section 9), lower case:
 * `class` "mié 18 nov, 18:00" · `date` "18 nov 2026" · `day` "18 nov" · `hour` "18:00" · `weekday` "miércoles 18" · `long` "miércoles 18 de
 * noviembre". `spoken` "miércoles 18 de noviembre, 18:00": `class` without abbreviations, for screen readers.
 */
export function formatWall(wall: Date | string, style: 'class' | 'date' | 'day' | 'hour' | 'weekday' | 'long' | 'spoken'): string {
  const at = typeof wall === 'string' ? new Date(wall) : wall
  const date = twoDigits(at.getUTCDate())
  const longMonth = MONTHS[at.getUTCMonth()] ?? ''
  const month = short(longMonth)
  const hour = `${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}`
  const weekday = WEEKDAYS[at.getUTCDay()] ?? ''
  switch (style) {
    case 'class':
      return `${short(weekday)} ${date} ${month}, ${hour}`
    case 'date':
      return `${date} ${month} ${at.getUTCFullYear()}`
    case 'day':
      return `${date} ${month}`
    case 'hour':
      return hour
    case 'weekday':
      return `${weekday} ${at.getUTCDate()}`
    case 'long':
      return `${weekday} ${at.getUTCDate()} de ${longMonth}`
    case 'spoken':
      return `${formatWall(at, 'long')}, ${hour}`
  }
}

/** Formats an instant in one of the spec's formats, in the given zone. */
export function formatInstant(at: Date, zone: string, style: Parameters<typeof formatWall>[1]): string {
  return formatWall(wallClock(at, zone), style)
}

/** Formats a window: "12 horas", "1 día" (S2-9.04: shown in Spanish). */
export function formatWindow(value: number, unit: WindowUnit): string {
  const unitNames = {
    seconds: ['segundo', 'segundos'],
    minutes: ['minuto', 'minutos'],
    hours: ['hora', 'horas'],
    days: ['día', 'días'],
  } as const
  return `${value} ${unitNames[unit][value === 1 ? 0 : 1]}`
}
