/** The values of the class panel as text, their validation, and the change to be sent. Pure. */
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, isLocalDate, isoWeekday, type LocalDate } from '#contract/time.ts'
import type { NewClassLink } from './new-class-link.ts'

export interface ClassForm {
  class_type_id: string
  location_id: string
  /** '' = none */
  room_id: string
  day: string
  hour: string
  coaches: string[]
  minutes: string
  capacity: string
  /** Seats of each row, "6, 7, 7"; empty = no map. */
  rows: string
  price: string
  description: string
  /** '' = none */
  category: string
  /** The special event that it is sold as; '' = none. */
  event: string
  /** Ids of its tags, ascending. */
  tags: string[]
  repeats: boolean
  weekdays: number[]
  every: string
  /** Empty = without end. */
  until: string
  /** Days that the series leaves out. */
  except: string[]
}

export type FormField = 'class_type_id' | 'location_id' | 'day' | 'hour' | 'minutes' | 'capacity' | 'rows' | 'price' | 'weekdays' | 'until'

const rowsOf = (map: string | null): string => (map ? map.split(',').join(', ') : '')
const mapOf = (rows: string): string | null => rows.replace(/\s+/g, '').replace(/,+$/, '') || null

const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b)

export function toForm(cls: PlannedClass): ClassForm {
  const day = cls.class_date.slice(0, 10)
  return {
    class_type_id: String(cls.class_type.class_type_id),
    location_id: String(cls.location.location_id),
    room_id: cls.room ? String(cls.room.room_id) : '',
    day,
    hour: cls.class_date.slice(11, 16),
    coaches: cls.instructors.map((coach) => String(coach.instructor_id)),
    minutes: String(cls.duration_minutes),
    capacity: cls.capacity === null ? '' : String(cls.capacity),
    rows: rowsOf(cls.spot_map),
    price: cls.price ?? '',
    description: cls.description,
    category: String(cls.class_category_id ?? ''),
    event: String(cls.class_package_id ?? ''),
    tags: sorted(cls.tag_ids).map(String),
    repeats: false,
    weekdays: [isoWeekday(day)],
    every: '1',
    until: addDays(day, 56),
    except: [],
    ...(cls.draft?.series ? seriesOf(cls.draft.series) : {}),
  }
}

/** Of a series that is not published yet the form shows the first class. */
function seriesOf({ first, weekdays, every_weeks, until, except }: NonNullable<NonNullable<PlannedClass['draft']>['series']>) {
  return {
    day: first.slice(0, 10),
    hour: first.slice(11, 16),
    repeats: true,
    weekdays: [...weekdays],
    every: String(every_weeks),
    until: until ?? '',
    except: [...except],
  }
}

/** A new class at an hour; `like`: the previously created class, whose values are the defaults. */
export function newForm(
  at: { day: string; hour: string },
  choices: { class_type_id: number | null; location_id: number | null; minutes: number | null; rows: string | null },
): ClassForm {
  return {
    class_type_id: choices.class_type_id === null ? '' : String(choices.class_type_id),
    location_id: choices.location_id === null ? '' : String(choices.location_id),
    room_id: '',
    ...at,
    coaches: [],
    minutes: choices.minutes === null ? '' : String(choices.minutes),
    capacity: '',
    rows: rowsOf(choices.rows),
    category: '',
    event: '',
    tags: [],
    price: '',
    description: '',
    repeats: false,
    weekdays: [isoWeekday(at.day)],
    every: '1',
    until: addDays(at.day, 56),
    except: [],
  }
}

interface ClassType {
  class_type_id: number
  duration_minutes: number
  spot_map: string | null
}
interface Room {
  room_id: number
  location_id: number
  capacity: number | null
  /** Seats of its map; null = no map. */
  seats: number | null
  spot_map: string | null
}

/** What a new class takes over from its room. */
export const inRoom = ({ room_id, spot_map, capacity, seats }: Room, before: string): Partial<ClassForm> & { capacity: string } => ({
  room_id: String(room_id),
  capacity: String(capacity ?? seats ?? before),
  ...(spot_map ? { rows: rowsOf(spot_map) } : {}),
})

/** What a new class takes over from its type: length and map, unless its room has one. */
export function ofType(type: ClassType, room: Pick<Room, 'spot_map'> | undefined, capacity: string): Partial<ClassForm> {
  const rows = rowsOf(type.spot_map)
  const seats = seatRows(rows)?.reduce((sum, row) => sum + row, 0)
  return { minutes: String(type.duration_minutes), ...(room?.spot_map ? {} : { rows, capacity: seats ? String(seats) : capacity }) }
}

/** The form of a new class with what is known of it; records that no longer exist are left out. */
export function startedForm(
  at: { day: string; hour: string } & Partial<NewClassLink>,
  records: { types: readonly ClassType[]; rooms: readonly Room[]; location_ids: readonly number[] },
  location_id: number | null,
): ClassForm {
  const { types, rooms, location_ids } = records
  const type = types.find(({ class_type_id }) => class_type_id === at.class_type_id)
  const room = rooms.find(({ room_id }) => room_id === at.room_id)
  const own = room?.location_id ?? location_ids.find((id) => id === at.location_id) ?? location_id
  const blank = newForm(
    { day: at.day, hour: at.hour },
    { class_type_id: type?.class_type_id ?? null, location_id: own, minutes: null, rows: null },
  )
  const inIts = { ...blank, ...(room ? inRoom(room, blank.capacity) : {}) }
  return {
    ...inIts,
    ...(type ? ofType(type, room, inIts.capacity) : {}),
    ...(at.minutes ? { minutes: String(at.minutes) } : {}),
    ...(at.coach ? { coaches: [String(at.coach)] } : {}),
    ...(at.weekdays?.length ? { repeats: true, weekdays: [...at.weekdays] } : {}),
  }
}

/** "19:15", the hour at which it ends; null while its fields are not readable. */
export function endHour({ hour, minutes }: Pick<ClassForm, 'hour' | 'minutes'>): string | null {
  if (!/^\d{2}:\d{2}$/.test(hour) || !/^\d{1,4}$/.test(minutes) || minutes === '0') return null
  return new Date(Date.parse(`1970-01-01T${hour}:00Z`) + Number(minutes) * 60_000).toISOString().slice(11, 16)
}

/** What is wrong, by field; empty when it can be saved. */
export function validateForm(form: ClassForm): Partial<Record<FormField, string>> {
  const wrong: Partial<Record<FormField, string>> = {}
  if (!form.class_type_id) wrong.class_type_id = 'Elige qué clase es.'
  if (!form.location_id) wrong.location_id = 'Elige el estudio.'
  if (!isLocalDate(form.day)) wrong.day = 'Elige la fecha.'
  if (!/^\d{2}:\d{2}$/.test(form.hour)) wrong.hour = 'Elige la hora.'
  if (!/^\d{1,4}$/.test(form.minutes) || Number(form.minutes) < 5 || Number(form.minutes) > 1440)
    wrong.minutes = 'Escribe los minutos, de 5 a 1440.'
  if (form.capacity !== '' && (!/^\d{1,4}$/.test(form.capacity) || Number(form.capacity) > 1000))
    wrong.capacity = 'Escribe cuántas personas caben, hasta 1000.'
  const map = mapOf(form.rows)
  if (map !== null && !/^[1-9]\d?(,[1-9]\d?)*$/.test(map))
    wrong.rows = 'Escribe cuántos lugares tiene cada fila, separados por comas: 6, 7, 7.'
  if (form.price !== '' && !/^\d{1,6}(\.\d{1,2})?$/.test(form.price)) wrong.price = 'Escribe un precio, como 220 o 220.50.'
  if (form.repeats && form.weekdays.length === 0) wrong.weekdays = 'Elige al menos un día.'
  if (form.repeats && form.until !== '' && (!isLocalDate(form.until) || form.until < form.day))
    wrong.until = 'Elige un día después del primero.'
  return wrong
}

type Fields = NonNullable<ClassChange['fields']>

function fieldsOf(
  form: ClassForm,
): Required<Pick<Fields, 'class_type_id' | 'location_id' | 'class_date' | 'capacity' | 'instructor_ids'>> & Fields {
  return {
    class_type_id: Number(form.class_type_id),
    location_id: Number(form.location_id),
    room_id: form.room_id === '' ? null : Number(form.room_id),
    class_date: `${form.day}T${form.hour}:00.000Z`,
    duration_minutes: Number(form.minutes),
    capacity: form.capacity === '' ? null : Number(form.capacity),
    instructor_ids: form.coaches.filter(Boolean).map(Number),
    spot_map: mapOf(form.rows),
    price: form.price === '' ? null : Number(form.price).toFixed(2),
    description: form.description.trim(),
    class_category_id: form.category === '' ? null : Number(form.category),
    class_package_id: form.event === '' ? null : Number(form.event),
    tag_ids: sorted(form.tags.map(Number)),
  }
}

/** The fields with which an equal class is created. */
export function toFields(cls: PlannedClass): Fields {
  const { class_date, duration_minutes, capacity, description, icon, class_category_id, class_package_id, spot_map, price } = cls
  return {
    class_type_id: cls.class_type.class_type_id,
    location_id: cls.location.location_id,
    room_id: cls.room?.room_id ?? null,
    class_date,
    duration_minutes,
    capacity,
    price,
    description,
    icon,
    class_category_id,
    class_package_id,
    spot_map,
    instructor_ids: cls.instructors.map((instructor) => instructor.instructor_id),
    tag_ids: cls.tag_ids,
    // The room closes its own seats again.
    ...(cls.room === null ? { closed_spots: cls.closed_spots } : {}),
  }
}

/** The change that creates a class; `draft`: the one that it replaces, whose other values stay. */
export function toCreation(form: ClassForm, draft: PlannedClass | null): ClassChange {
  const class_draft_id = draft?.class_draft_id ?? null
  const series = form.repeats
    ? { weekdays: form.weekdays, every_weeks: Number(form.every), until: form.until || null, except: form.except }
    : null
  const fields = { ...(draft ? toFields(draft) : {}), ...fieldsOf(form) }
  return { op: 'create', scope: 'one', fields, series, ...(class_draft_id === null ? {} : { class_draft_id }) }
}

/** The change from a class to the values of its form: only the fields that differ; null when nothing does. */
export function toChange(cls: PlannedClass, form: ClassForm, scope: ClassChange['scope']): ClassChange | null {
  const [before, after] = [fieldsOf(toForm(cls)), fieldsOf(form)]
  const fields = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields])),
  ) as Fields
  if (Object.keys(fields).length === 0 || cls.single_class_id === null) return null
  return { op: 'update', single_class_id: cls.single_class_id, scope, fields, if_updatedAt: cls.updatedAt }
}

/** Seats of the map that the rows make; null without a usable one. */
export function seatRows(rows: string): number[] | null {
  const map = mapOf(rows)
  if (map === null || !/^[1-9]\d?(,[1-9]\d?)*$/.test(map)) return null
  return map.split(',').map(Number)
}

/** A day on which a series would have a class. */
export interface SeriesDay {
  day: LocalDate
  /** The name of the holiday because of which there is none; null = no holiday. */
  holiday: string | null
  /** Whether the series leaves it out. */
  isExcept: boolean
}

interface Holiday {
  name: string
  from: LocalDate
  to: LocalDate
  location_ids: readonly number[] | null
}

/** Days of a series without end that are listed. */
const ENDLESS_DAYS = 12
/** The most days that are listed: more than the server creates at once. */
const MOST_DAYS = 500

/**
 * The days of a series in order, as the server computes them (L5); of one without end the first ones. Empty while its fields are
 * not readable.
 */
export function seriesDates(
  { day, weekdays, every, until, except, location_id }: Pick<ClassForm, 'day' | 'weekdays' | 'every' | 'until' | 'except' | 'location_id'>,
  holidays: readonly Holiday[],
): SeriesDay[] {
  if (!isLocalDate(day) || weekdays.length === 0 || (until !== '' && (!isLocalDate(until) || until < day))) return []
  const most = until === '' ? ENDLESS_DAYS : MOST_DAYS
  const holidayOn = (date: LocalDate) =>
    holidays.find(({ from, to, location_ids }) => date >= from && date <= to && (location_ids?.includes(Number(location_id)) ?? true))
      ?.name ?? null
  const days: SeriesDay[] = []
  for (let monday = addDays(day, 1 - isoWeekday(day)); days.length < most; monday = addDays(monday, 7 * Number(every))) {
    if (until !== '' && monday > until) break
    for (const weekday of sorted(weekdays)) {
      const date = addDays(monday, weekday - 1)
      if (date < day || (until !== '' && date > until)) continue
      days.push({ day: date, holiday: holidayOn(date), isExcept: except.includes(date) })
    }
  }
  return days
}

/** How many classes the server makes of these days. */
export const countDates = (days: readonly SeriesDay[]): number =>
  days.filter(({ holiday, isExcept }) => holiday === null && !isExcept).length
