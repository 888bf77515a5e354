/**
 * A week that is painted: which class with which coach begins at which hour of which days, and the changes of the timetable that it
 * becomes. Pure.
 */
import { foldText } from '#contract/text.ts'
import { addDays, isoWeekday, type LocalDate } from '#contract/time.ts'

/** A class of the painted week. Names, not ids: classes and coaches may not exist yet. */
export interface PaintedClass {
  /** 1 = Monday to 7 = Sunday */
  day: number
  /** "07:00" */
  time: string
  type: string
  coach: string | null
  location_id: number
}

export const WEEKDAYS = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'] as const

/** The hours that an empty week begins with. */
export const USUAL_TIMES: readonly string[] = ['07:00', '08:15', '09:30', '18:00', '19:15', '20:30']

export type PaintedSlot = Pick<PaintedClass, 'day' | 'time' | 'location_id'>

const isAt = (slot: PaintedSlot) => (other: PaintedSlot) =>
  other.day === slot.day && other.time === slot.time && other.location_id === slot.location_id

export const classAt = (week: readonly PaintedClass[], slot: PaintedSlot): PaintedClass | undefined => week.find(isAt(slot))

/** The week without what is at a place. */
export const erased = (week: readonly PaintedClass[], slot: PaintedSlot): PaintedClass[] => {
  const isThere = isAt(slot)
  return week.filter((paintedClass) => !isThere(paintedClass))
}

/** The week with a class at a place, instead of what was there. */
export const painted = (week: readonly PaintedClass[], cls: PaintedClass): PaintedClass[] => [...erased(week, cls), cls]

/** The rows of the grid: the given hours and those of the classes, in order. */
export const listTimes = (week: readonly PaintedClass[], own: readonly string[]): string[] =>
  [...new Set([...own, ...week.map(({ time }) => time)])].sort()

/** Two letters for a class where there is no room for its name: "Reformer Flow" is "Rf". */
export function shortName(name: string): string {
  const [first = '', second] = name.split(/\s+/)
  return second ? `${first[0]?.toUpperCase() ?? ''}${second[0]?.toLowerCase() ?? ''}` : `${name[0]?.toUpperCase() ?? ''}${name[1] ?? ''}`
}

/** Same class, coach, hour and location on several days. */
export interface PaintedSeries extends Omit<PaintedClass, 'day'> {
  days: number[]
}

export function toSeries(week: readonly PaintedClass[]): PaintedSeries[] {
  const found = new Map<string, PaintedSeries>()
  for (const { day, ...rest } of week) {
    const key = JSON.stringify([rest.location_id, rest.time, rest.type, rest.coach])
    const series = found.get(key) ?? { ...rest, days: [] }
    series.days.push(day)
    found.set(key, series)
  }
  return [...found.values()].map((series) => ({ ...series, days: series.days.sort() }))
}

/** 1 = Monday to 7 = Sunday. */

/** From which day on the week repeats, and for how long. */
export interface WeekSpan {
  start: LocalDate
  /** null = without end */
  weeks: number | null
  /** days that are left out */
  except: readonly LocalDate[]
}

/** The last day of the span; null = without end. */
export const lastDay = ({ start, weeks }: Pick<WeekSpan, 'start' | 'weeks'>): LocalDate | null =>
  weeks === null ? null : addDays(start, weeks * 7 - 1)

/** How many classes the week becomes; null = without end. */
export function countClasses(week: readonly PaintedClass[], span: WeekSpan): number | null {
  const { start, weeks } = span
  const last = lastDay(span)
  if (weeks === null || last === null) return null
  const out = span.except.filter((day) => day >= start && day <= last).map(isoWeekday)
  return week.reduce((sum, { day }) => sum + weeks - out.filter((other) => other === day).length, 0)
}

/** What is known of the records that the names mean. */
export interface KnownRecords {
  types: readonly { class_type_id: number; name: string }[]
  coaches: readonly { instructor_id: number; label: string }[]
  /** by location: the room of its classes and how many fit */
  rooms: ReadonlyMap<number, { room_id: number | null; capacity: number | null; spot_map: string | null }>
}

export const isSameName = (a: string, b: string): boolean => foldText(a.trim()) === foldText(b.trim())

/** Names of the week that have no record yet. */
export function missingNames(week: readonly PaintedClass[], { types, coaches }: Pick<KnownRecords, 'types' | 'coaches'>) {
  const missing = (names: readonly (string | null)[], known: readonly string[]): string[] => {
    const found: string[] = []
    for (const name of names) if (name && ![...known, ...found].some((other) => isSameName(other, name))) found.push(name)
    return found
  }
  return {
    types: missing(
      week.map(({ type }) => type),
      types.map(({ name }) => name),
    ),
    coaches: missing(
      week.map(({ coach }) => coach),
      coaches.map(({ label }) => label),
    ),
  }
}

/** The changes of the timetable: one series for each class, coach and hour. A series whose class has no record is left out. */
export function toClassChanges(week: readonly PaintedClass[], span: WeekSpan, known: KnownRecords) {
  const until = lastDay(span)
  return toSeries(week).flatMap((series) => {
    const type = known.types.find(({ name }) => isSameName(name, series.type))
    const coach = series.coach === null ? null : known.coaches.find(({ label }) => isSameName(label, series.coach ?? ''))
    if (!type || coach === undefined) return []
    const first = Array.from({ length: 7 }, (_, at) => addDays(span.start, at)).find((day) => series.days.includes(isoWeekday(day)))
    const room = known.rooms.get(series.location_id)
    return [
      {
        op: 'create' as const,
        fields: {
          class_type_id: type.class_type_id,
          location_id: series.location_id,
          class_date: `${first}T${series.time}:00Z`,
          instructor_ids: coach ? [coach.instructor_id] : [],
          capacity: room?.capacity ?? null,
          ...(room?.room_id ? { room_id: room.room_id } : {}),
          ...(room?.spot_map ? { spot_map: room.spot_map } : {}),
        },
        series: { weekdays: series.days, every_weeks: 1, until, except: [...span.except] },
      },
    ]
  })
}
