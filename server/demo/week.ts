/** The calendar of a demo studio: its week, repeated over some days, in the zone of each location. */
import { defaultSettings, studioZone } from '#contract/settings.ts'
import { addDays, fromWallClock, isoWeekday, type LocalDate, localDate, mondayOf } from '#contract/time.ts'
import type { Brand } from './brand.ts'

/** A planned class. Types, locations, instructors, tags and packages are keys of the brand. */
export interface PlannedClass {
  date: LocalDate
  type: string
  location: string
  coaches: readonly string[]
  tag: string | null
  package: string | null
  description: string
  starts_at: Date
  ends_at: Date
  capacity: number
  spot_map: string | null
  calledOff: string | null
  draw: number
  /** The coach in whose place another one teaches. */
  substitutesFor?: string
}

/** Weeks before and after the current one: three months in all, or with its history a year and six weeks. */
const WEEKS_BACK = 6
export const WEEKS_OF_HISTORY = 52
const WEEKS_AHEAD = 6

/** The zone of the studio; every brand sets one. */
export function zoneOfBrand(brand: Brand): string {
  return studioZone({ ...defaultSettings, ...brand.settings })
}

/** First and last day of a calendar around today, in whole weeks. */
export function daysAround(now: Date, zone: string, weeksBack = WEEKS_BACK): { from: LocalDate; until: LocalDate } {
  const monday = mondayOf(localDate(now, zone))
  return { from: addDays(monday, -7 * weeksBack), until: addDays(monday, 7 * WEEKS_AHEAD + 6) }
}

const MINUTE = 60_000

function at(brand: Brand, location: string, date: LocalDate, hour: string, minutes: number): { starts_at: Date; ends_at: Date } {
  const zone = brand.locations[location]?.timezone ?? zoneOfBrand(brand)
  const starts_at = fromWallClock(new Date(`${date}T${hour}:00.000Z`), zone)
  return { starts_at, ends_at: new Date(starts_at.getTime() + minutes * MINUTE) }
}

/** The classes of the days from `from` to `until`, both included, ordered by start. */
export function classesBetween(brand: Brand, from: LocalDate, until: LocalDate): PlannedClass[] {
  const all: PlannedClass[] = []
  for (let date = from; date <= until; date = addDays(date, 1)) {
    const weekday = isoWeekday(date)
    for (const slot of brand.week) {
      if (slot.weekday !== weekday) continue
      const type = brand.types[slot.type]
      if (!type) throw new Error(`The week of ${brand.key} names no class type ${slot.type}.`)
      const seats = type.spot_map?.split(',').reduce((sum, row) => sum + Number(row), 0)
      all.push({
        date,
        type: slot.type,
        location: slot.location,
        coaches: [slot.coach],
        tag: slot.tag ?? null,
        package: null,
        description: '',
        ...at(brand, slot.location, date, slot.at, type.duration_minutes ?? 50),
        capacity: seats ?? type.capacity ?? 12,
        spot_map: type.spot_map ?? null,
        calledOff: null,
        draw: slot.draw,
      })
    }
  }
  return all.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())
}

/** One-time entries: an upcoming class that is cancelled, and the event sold as a package. Returns the classes with both. */
export function withStory(brand: Brand, classes: PlannedClass[], now: Date): PlannedClass[] {
  const today = localDate(now, zoneOfBrand(brand))
  const monday = mondayOf(today)
  const off = brand.calledOff
  const thisWeek = addDays(monday, off.weekday - 1)
  const offDate = thisWeek > today ? thisWeek : addDays(thisWeek, 7)
  const { starts_at } = at(brand, off.location, offDate, off.at, 1)
  const withCancelled = classes.map((cls) =>
    cls.location === off.location && cls.starts_at.getTime() === starts_at.getTime() ? { ...cls, calledOff: off.reason } : cls,
  )
  const { event } = brand
  const date = addDays(monday, 7 * event.weeksAhead + event.weekday - 1)
  withCancelled.push({
    date,
    type: event.type,
    location: event.location,
    coaches: event.coaches,
    tag: null,
    package: event.package,
    description: event.description,
    ...at(brand, event.location, date, event.at, event.minutes),
    capacity: brand.packages[event.package]?.capacity ?? 16,
    spot_map: null,
    calledOff: null,
    draw: 0,
  })
  return withCancelled
}
