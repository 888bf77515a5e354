/** Changes of the timetable before they are written: their effect on the listed classes. Pure: docs/domain.md, "Planning the timetable". */
import { daysBetween } from '#contract/day-count.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import type { RoomMap } from '#contract/room-map.ts'
import type { ClassChange, SeriesSent } from '#contract/studio-schedule.ts'
import { addDays, fromWallClock, isoWeekday, type LocalDate } from '#contract/time.ts'
import { type ClassFields, onDay, ownClosed, type SeriesPattern, seatsOn, seriesDays, wallDay } from '#server/modules/schedule/schedule.ts'

/** A class on the timetable with what the studio plans about it; with drafts, as publishing would leave it. */
export interface PlannedFacts {
  /** Null: only a draft so far. */
  single_class_id: number | null
  class_draft_id: number | null
  class_series_id: number | null
  own_changes: boolean
  cancelled: boolean
  cancel_reason: string | null
  draft: { op: ClassChange['op']; fields: string[]; series: (SeriesSent & { first: string }) | null } | null
  /** The start on the clocks of its location, written as UTC. */
  wall: Date
  zone: string
  starts_at: Date
  minutes: number
  class_type_id: number
  location_id: number
  room_id: number | null
  /** The map of its room; null = none, or a room without one. */
  room_map: RoomMap | null
  coach_ids: readonly number[]
  capacity: number | null
  taken: number
  held: number
  waiting: number
  arrived: number
  price_centavos: number | null
  description: string
  icon: string | null
  tag_ids: readonly number[]
  class_category_id: number | null
  class_package_id: number | null
  spot_map: string | null
  closed_spots: readonly string[]
  /** The coach in whose place another one teaches (L9). */
  substitutes_for: number | null
  updatedAt: Date | null
}

/** One step of taking back a published set of changes (L7), in the order in which the changes were made. */
export type UndoStep =
  | { op: 'created'; single_class_id: number }
  | { op: 'cancelled'; single_class_id: number }
  /** `fields`: the former values; `updatedAt`: the version after the change, so that a later change is not undone. */
  | { op: 'changed'; single_class_id: number; fields: Partial<ClassFields>; own_changes: boolean; updatedAt: string }
  | { op: 'deleted'; fields: ClassFields; class_series_id: number | null }
  /**
   * The former values of the series; null: it was created, and ends by the undo. `after`: the new values, so that a later change of it is
   * not undone.
   */
  | { op: 'series'; class_series_id: number; before: SeriesValues | null; after?: SeriesValues | undefined }

/** A class of a template: its fields, without a date. */
export interface TemplateClass {
  /** 1 = Monday to 7 = Sunday. */
  weekday: number
  /** HH:MM on the clock of its location. */
  hour: string
  fields: Omit<ClassFields, 'class_date'>
}

export interface SeriesValues {
  repeat_until: LocalDate | null
  weekdays: number[]
  fields: Record<string, unknown> | null
  /** Only of a change of its end or of how it repeats. */
  created_until?: LocalDate | null
  every_weeks?: number
  except_days?: string[]
}

/** How a changed start of one class moves the others of its series: by days for those of the same weekday, and to a time of day. */
export interface Shift {
  weekday: number
  days: number
  /** A wall-clock time; only its time of day is used. */
  hour: Date
}

/** The shift from a class's start to another one; null when it stays. */
export function dayShift(from: Date, to: string | undefined): Shift | null {
  if (to === undefined) return null
  const target = new Date(to)
  if (target.getTime() === from.getTime()) return null
  const days = daysBetween(wallDay(from), wallDay(target))
  return { weekday: isoWeekday(wallDay(from)), days, hour: target }
}

/** The start of a class of the series after a shift. */
export function shiftWallClock(wall: Date, shift: Shift): Date {
  const day = wallDay(wall)
  return onDay(shift.hour, isoWeekday(day) === shift.weekday ? addDays(day, shift.days) : day)
}

/** The pattern of a series whose class of one weekday was moved to another (L6). */
export function shiftedWeekdays(weekdays: readonly number[], shift: Shift): number[] {
  const moved = ((((shift.weekday - 1 + shift.days) % 7) + 7) % 7) + 1
  return [...new Set(weekdays.map((day) => (day === shift.weekday ? moved : day)))].sort((a, b) => a - b)
}

/** The pattern of a series that begins with a class. */
export const seriesPattern = (first: Date, sent: SeriesSent): SeriesPattern => ({
  starts_on: wallDay(first),
  weekdays: sent.weekdays,
  every_weeks: sent.every_weeks,
  except_days: sent.except,
})

/** The last day up to which classes of a series are created now: its end, or the given number of weeks ahead. */
export function plannedUntil(until: LocalDate | null, today: LocalDate, weeks_ahead: number): LocalDate {
  const horizon = addDays(today, 7 * weeks_ahead)
  return until ?? horizon
}

/** Names of the fields of a class that a change sets. */
const setBy = (change: ClassChange): string[] =>
  Object.entries(change.fields ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]))

/** A class with the fields of a change; its start is the caller's to set. */
function withFields(cls: PlannedFacts, fields: NonNullable<ClassChange['fields']>): PlannedFacts {
  const { class_date: _, duration_minutes, instructor_ids, price, ...rest } = fields
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const isElsewhere = rest.location_id !== undefined && rest.location_id !== cls.location_id
  const room_id = rest.room_id !== undefined ? rest.room_id : isElsewhere ? null : cls.room_id
  return {
    ...cls,
    ...set,
    room_id,
    minutes: duration_minutes ?? cls.minutes,
    coach_ids: instructor_ids ?? cls.coach_ids,
    price_centavos: price === undefined ? cls.price_centavos : price === null ? null : parsePesos(price),
    closed_spots: fields.closed_spots ?? (fields.spot_map === undefined ? cls.closed_spots : []),
  }
}

const startingAt = (cls: PlannedFacts, wall: Date): PlannedFacts => ({ ...cls, wall, starts_at: fromWallClock(wall, cls.zone) })

/** A class with the seats that its room gives it on its day; `own`: seats closed for this class alone. */
function seated(cls: PlannedFacts, room_map: RoomMap | null, own: readonly string[]): PlannedFacts {
  return room_map ? { ...cls, room_map, ...seatsOn(room_map, cls.wall, own) } : { ...cls, room_map }
}

/** Records that drafts refer to and that may be missing among the listed classes. */
export interface DraftNames {
  zoneOf(location_id: number): string
  /** The holiday of a day at a location; null = none. */
  closedOn(location_id: number, day: LocalDate): string | null
  /** The map of a room; null = it has none. */
  mapOf(room_id: number | null): RoomMap | null
  /** Defaults of a class type. */
  typeOf(class_type_id: number): { duration_minutes: number; spot_map: string | null } | null
}

/**
 * The classes with the drafts of one author applied (L2). `named`: the classes that drafts refer to, also those outside the listed days. A
 * draft whose class no longer exists has no effect here; publishing it is refused with the reason.
 */
export function withDrafts(
  classes: readonly PlannedFacts[],
  drafts: readonly { class_draft_id: number; change: ClassChange }[],
  { named, names, now, horizon }: { named: ReadonlyMap<number, PlannedFacts>; names: DraftNames; now: Date; horizon: LocalDate },
): PlannedFacts[] {
  let all = [...classes]
  for (const { class_draft_id, change } of drafts) {
    if (change.op === 'create') {
      all.push(...newClasses(change, class_draft_id, names, horizon))
      continue
    }
    const base = named.get(change.single_class_id ?? 0)
    if (!base) continue
    const isTarget = selectTargets(base, change.scope, now)
    const shift = dayShift(base.wall, change.fields?.class_date)
    all = all.map((cls) => {
      if (cls.single_class_id === null || !isTarget(cls)) return cls
      const draft = { op: change.op, fields: [...new Set([...(cls.draft?.fields ?? []), ...setBy(change)])].sort(), series: null }
      if (change.op !== 'update') return { ...cls, class_draft_id, draft }
      const fields = change.fields ?? {}
      const zone = fields.location_id === undefined ? cls.zone : names.zoneOf(fields.location_id)
      const changed = { ...withFields(cls, fields), zone, class_draft_id, draft }
      const own = fields.closed_spots ?? (changed.room_id === cls.room_id ? ownClosed(cls.room_map, cls.wall, cls.closed_spots) : [])
      return seated(startingAt(changed, shift ? shiftWallClock(cls.wall, shift) : cls.wall), names.mapOf(changed.room_id), own)
    })
  }
  return all.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime() || (a.single_class_id ?? 0) - (b.single_class_id ?? 0))
}

/** The classes that a change applies to: the class itself, and the later ones of its series that were not changed individually (L6). */
export function selectTargets(
  base: Pick<PlannedFacts, 'single_class_id' | 'class_series_id' | 'starts_at'>,
  scope: ClassChange['scope'],
  now: Date,
): (cls: Pick<PlannedFacts, 'single_class_id' | 'class_series_id' | 'starts_at' | 'own_changes' | 'cancelled'>) => boolean {
  const from = scope === 'following' ? base.starts_at : now
  return (cls) =>
    cls.single_class_id === base.single_class_id ||
    (scope !== 'one' &&
      base.class_series_id !== null &&
      cls.class_series_id === base.class_series_id &&
      !cls.own_changes &&
      !cls.cancelled &&
      cls.starts_at > now &&
      cls.starts_at >= from)
}

function newClasses(change: ClassChange, class_draft_id: number, names: DraftNames, horizon: LocalDate): PlannedFacts[] {
  const { fields = {}, series } = change
  const type = names.typeOf(fields.class_type_id ?? 0)
  if (!fields.class_date || !fields.location_id || !fields.class_type_id || !type) return []
  const first = new Date(fields.class_date)
  const zone = names.zoneOf(fields.location_id)
  const until = series?.until ?? horizon
  const { location_id } = fields
  const days = series
    ? seriesDays(seriesPattern(first, series), wallDay(first), until).filter((day) => names.closedOn(location_id, day) === null)
    : [wallDay(first)]
  const blank: PlannedFacts = {
    single_class_id: null,
    class_draft_id,
    class_series_id: null,
    own_changes: false,
    cancelled: false,
    cancel_reason: null,
    draft: { op: 'create', fields: setBy(change).sort(), series: series ? { ...series, first: first.toISOString() } : null },
    wall: first,
    zone,
    starts_at: first,
    minutes: type.duration_minutes,
    class_type_id: fields.class_type_id,
    location_id: fields.location_id,
    room_id: null,
    room_map: null,
    coach_ids: [],
    capacity: null,
    taken: 0,
    held: 0,
    waiting: 0,
    arrived: 0,
    price_centavos: null,
    description: '',
    icon: null,
    tag_ids: [],
    class_category_id: null,
    class_package_id: null,
    spot_map: type.spot_map,
    closed_spots: [],
    substitutes_for: null,
    updatedAt: null,
  }
  return days.map((day) => {
    const cls = startingAt(withFields(blank, fields), onDay(first, day))
    return seated(cls, names.mapOf(cls.room_id), fields.closed_spots ?? [])
  })
}

/** A class as if it were a draft of its own; null when what it refers to is not known. */
export function factsOfFields(fields: ClassFields, names: DraftNames): PlannedFacts | null {
  const change: ClassChange = { op: 'create', scope: 'one', fields: { ...fields, instructor_ids: [...fields.instructor_ids] } }
  const [cls = null] = newClasses(change, 0, names, fields.class_date.slice(0, 10))
  return cls && { ...cls, class_draft_id: null, draft: null }
}

/** The fields with which an equal class is created. */
export function classFields(cls: PlannedFacts): ClassFields {
  const { class_type_id, location_id, wall, minutes, capacity, coach_ids, description, icon, tag_ids, class_category_id } = cls
  return {
    class_type_id,
    location_id,
    class_date: wall.toISOString(),
    duration_minutes: minutes,
    capacity,
    description,
    icon,
    instructor_ids: [...coach_ids],
    tag_ids: [...tag_ids],
    class_category_id,
    class_package_id: cls.class_package_id,
    room_id: cls.room_id,
    // A room with a map gives the seats of its day again.
    ...(cls.room_map ? {} : { spot_map: cls.spot_map }),
    closed_spots: ownClosed(cls.room_map, cls.wall, cls.closed_spots),
    price: cls.price_centavos === null ? null : pesos(cls.price_centavos),
  }
}
