/** Moves, resizes and copies of planned classes: their preview before they are saved, and the changes that save them. Pure. */
import { daysBetween } from '#contract/day-count.ts'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, formatWall, isoWeekday, type LocalDate } from '#contract/time.ts'
import { toFields } from './class-form.ts'
import { classKey } from './class-key.ts'
import type { PlanDay, PlanRecords, Venue } from './plan-views.ts'

/** What an edit does to a class, on the clock of its location. */
export interface PlanEdit {
  minutes: number
  days: number
  /** Minutes that it gets longer. */
  length: number
  venue: Venue | null
  /** The former coach and the new one; null = none. */
  coach: { from: number | null; to: number | null } | null
}

export const NO_EDIT: PlanEdit = { minutes: 0, days: 0, length: 0, venue: null, coach: null }
export const STEP_MINUTES = 15
const SHORTEST = 15
const LONGEST = 1440
const MINUTE_MS = 60_000

type Fields = NonNullable<ClassChange['fields']>

export const isNothing = ({ minutes, days, length, venue, coach }: PlanEdit): boolean =>
  minutes === 0 && days === 0 && length === 0 && venue === null && coach === null

/** Two edits, one after the other. */
export function combineEdits(first: PlanEdit, next: Partial<PlanEdit>): PlanEdit {
  const coach = next.coach ? { from: first.coach ? first.coach.from : next.coach.from, to: next.coach.to } : first.coach
  return {
    minutes: first.minutes + (next.minutes ?? 0),
    days: first.days + (next.days ?? 0),
    length: first.length + (next.length ?? 0),
    venue: next.venue ?? first.venue,
    coach: coach && coach.from === coach.to ? null : coach,
  }
}

/** Whether staff can still change it: neither over nor cancelled, and not about to be. */
export const isEditable = ({ state, draft }: PlannedClass): boolean =>
  state !== 'past' && state !== 'cancelled' && draft?.op !== 'cancel' && draft?.op !== 'delete'

/** Whether the class has no reservation, hold or waitlist entry. */
export const isEmpty = ({ taken, held, waiting }: PlannedClass): boolean => taken + held + waiting === 0

const shiftedWall = (wall: string, { minutes, days }: PlanEdit): string =>
  new Date(Date.parse(wall) + minutes * MINUTE_MS + days * 86_400_000).toISOString()
const lengthOf = ({ duration_minutes }: PlannedClass, { length }: PlanEdit): number =>
  length === 0 ? duration_minutes : Math.min(LONGEST, Math.max(Math.min(SHORTEST, duration_minutes), duration_minutes + length))

function coachIds(cls: PlannedClass, coach: NonNullable<PlanEdit['coach']>): number[] {
  const others = cls.instructors.map((instructor) => instructor.instructor_id).filter((id) => id !== coach.from && id !== coach.to)
  return coach.to === null ? others : [coach.to, ...others]
}

/** The class as it would be. */
export function applyPlanEdit(
  cls: PlannedClass,
  edit: PlanEdit,
  { rooms, locations, coaches }: PlanRecords,
): PlannedClass & { shown_as: string } {
  const { venue, coach } = edit
  const room = venue && rooms.find(({ room_id }) => room_id === venue.room_id)
  const moved = {
    class_date: shiftedWall(cls.class_date, edit),
    duration_minutes: lengthOf(cls, edit),
  }
  return {
    ...cls,
    shown_as: classKey(cls),
    ...moved,
    ...(venue
      ? {
          room: room ? { room_id: room.room_id, name: room.name, exclusive: false } : null,
          location: locations.find(({ location_id }) => location_id === venue.location_id) ?? cls.location,
        }
      : {}),
    ...(coach
      ? {
          instructors: coachIds(cls, coach).flatMap((id) => {
            const found =
              cls.instructors.find((instructor) => instructor.instructor_id === id) ?? coaches.find((coach) => coach.instructor_id === id)
            return found ? [{ file: null, ...found }] : []
          }),
        }
      : {}),
  }
}

/** The days with an edit laid over some of their classes; what leaves the days is not shown. */
export function withEdit(days: readonly PlanDay[], keys: ReadonlySet<string>, edit: PlanEdit, records: PlanRecords): PlanDay[] {
  const all = days.flatMap(({ classes }) => classes).map((cls) => (keys.has(classKey(cls)) ? applyPlanEdit(cls, edit, records) : cls))
  return days.map((day) => ({
    ...day,
    classes: all.filter(({ class_date }) => class_date.slice(0, 10) === day.date).sort((a, b) => a.class_date.localeCompare(b.class_date)),
  }))
}

/** The fields that an edit changes. */
export function fieldsOfEdit(cls: PlannedClass, edit: PlanEdit): Fields {
  const { minutes, days, venue, coach } = edit
  const isElsewhere = venue !== null && venue.location_id !== cls.location.location_id
  return {
    ...(minutes === 0 && days === 0 ? {} : { class_date: shiftedWall(cls.class_date, edit) }),
    ...(lengthOf(cls, edit) === cls.duration_minutes ? {} : { duration_minutes: lengthOf(cls, edit) }),
    ...(isElsewhere ? { location_id: venue.location_id } : {}),
    ...(venue !== null && (isElsewhere || venue.room_id !== (cls.room?.room_id ?? null)) ? { room_id: venue.room_id } : {}),
    ...(coach ? { instructor_ids: coachIds(cls, coach) } : {}),
  }
}

/** The change that sets fields of a class; a class that is only a draft is created with them instead. */
export function changeOfFields(cls: PlannedClass, fields: Fields, scope: ClassChange['scope'] = 'one'): ClassChange {
  if (cls.single_class_id !== null)
    return { op: 'update', scope, single_class_id: cls.single_class_id, fields, if_updatedAt: cls.updatedAt }
  const series = cls.draft?.series ?? null
  const own = { ...toFields(cls), ...fields }
  const draftId = cls.class_draft_id === null ? {} : { class_draft_id: cls.class_draft_id }
  if (!series) return { op: 'create', scope: 'one', fields: own, ...draftId }
  const { first, ...pattern } = series
  if (!fields.class_date) return { op: 'create', scope: 'one', fields: { ...own, class_date: first }, series: pattern, ...draftId }
  return { op: 'create', scope: 'one', ...movedSeries(cls, fields.class_date, first, pattern, own), ...draftId }
}

/**
 * A series that is not published yet, after one of its classes was moved: another hour holds for all, another day for those of its weekday.
 */
function movedSeries(cls: PlannedClass, to: string, first: string, pattern: Omit<SeriesDraft, 'first'>, own: Fields) {
  const days = daysBetween(cls.class_date.slice(0, 10), to.slice(0, 10))
  const from = isoWeekday(cls.class_date.slice(0, 10))
  const start = first.slice(0, 10)
  const day = isoWeekday(start) === from ? addDays(start, days) : start
  const weekdays = pattern.weekdays.map((weekday) => (weekday === from ? ((((weekday - 1 + days) % 7) + 7) % 7) + 1 : weekday))
  return {
    fields: { ...own, class_date: `${day}${to.slice(10)}` },
    series: { ...pattern, weekdays: [...new Set(weekdays)].sort() },
  }
}
type SeriesDraft = NonNullable<NonNullable<PlannedClass['draft']>['series']>

/** The changes that save an edit; a series that is only a draft is changed once, however many of its classes are edited. */
export const changesOfEdit = (classes: readonly PlannedClass[], edit: PlanEdit, scope: ClassChange['scope']): ClassChange[] =>
  changesOfFields(classes, (cls) => fieldsOfEdit(cls, edit), scope)

/** The changes that set fields of many classes, likewise. */
export function changesOfFields(
  classes: readonly PlannedClass[],
  fields: (cls: PlannedClass) => Fields,
  scope: ClassChange['scope'] = 'one',
): ClassChange[] {
  const drafts = new Set<number>()
  return classes.flatMap((cls) => {
    if (cls.single_class_id === null && cls.class_draft_id !== null) {
      if (drafts.has(cls.class_draft_id)) return []
      drafts.add(cls.class_draft_id)
    }
    const own = fields(cls)
    return Object.keys(own).length === 0 ? [] : [changeOfFields(cls, own, scope)]
  })
}

/** The tags of a class with some more, or without them; nothing when it has them, or has none of them. */
export function tagFields({ tag_ids }: PlannedClass, ids: readonly number[], adds: boolean): Fields {
  const next = adds ? [...new Set([...tag_ids, ...ids])].sort((a, b) => a - b) : tag_ids.filter((id) => !ids.includes(id))
  return next.length === tag_ids.length ? {} : { tag_ids: next }
}

/** The closed seats of a class with some more, or without them; nothing for a class with another map. */
export function seatFields(cls: PlannedClass, map: string, spots: readonly string[], closes: boolean): Fields {
  if (cls.spot_map !== map) return {}
  const { closed_spots } = cls
  const next = closes ? [...new Set([...closed_spots, ...spots])] : closed_spots.filter((spot) => !spots.includes(spot))
  return next.length === closed_spots.length ? {} : { closed_spots: next }
}

/** The changes that take a saved edit back where there was a draft before: the values that it had. */
export const changesBack = (classes: readonly PlannedClass[]): ClassChange[] =>
  classes.map((cls) => {
    const { class_date, duration_minutes, location_id, room_id, instructor_ids, capacity, tag_ids } = toFields(cls)
    const { closed_spots } = cls
    return changeOfFields(cls, { class_date, duration_minutes, location_id, room_id, instructor_ids, capacity, tag_ids, closed_spots })
  })

/** New classes like these, with an edit. */
export const copiesOf = (classes: readonly PlannedClass[], edit: PlanEdit): ClassChange[] =>
  classes.map((cls) => ({ op: 'create', scope: 'one', fields: { ...toFields(cls), ...fieldsOfEdit(cls, edit) } }))

/**
 * Where copied classes go: to the day of the class that has the focus, after themselves when it is their own day, or else to the same
 * weekdays of the week on the screen. Null when they would be where they are.
 */
export function pasteEdit(classes: readonly PlannedClass[], to: { day: LocalDate | null; monday: LocalDate }): PlanEdit | null {
  const first = classes.map(({ class_date }) => class_date).sort()[0]
  if (!first) return null
  const day = first.slice(0, 10)
  if (to.day !== null && to.day !== day) return { ...NO_EDIT, days: daysBetween(day, to.day) }
  const monday = addDays(day, 1 - isoWeekday(day))
  if (to.day === null) return monday === to.monday ? null : { ...NO_EDIT, days: daysBetween(monday, to.monday) }
  const begin = Date.parse(first)
  const end = Math.max(...classes.map((cls) => Date.parse(cls.class_date) + cls.duration_minutes * MINUTE_MS))
  return { ...NO_EDIT, minutes: Math.ceil((end - begin) / MINUTE_MS / STEP_MINUTES) * STEP_MINUTES }
}

/** "Ciclo 45, jue 19 nov, 20:45, 60 min", or of several how far they move. */
export function editText(classes: readonly PlannedClass[], edit: PlanEdit, records: PlanRecords): string {
  const [cls] = classes
  if (!cls) return ''
  if (classes.length > 1) {
    const parts = [
      edit.days && `${Math.abs(edit.days)} ${Math.abs(edit.days) === 1 ? 'día' : 'días'} ${edit.days > 0 ? 'después' : 'antes'}`,
      edit.minutes && `${Math.abs(edit.minutes)} min ${edit.minutes > 0 ? 'más tarde' : 'más temprano'}`,
      edit.length && `${Math.abs(edit.length)} min ${edit.length > 0 ? 'más largas' : 'más cortas'}`,
    ].filter((part) => part !== 0)
    return `${classes.length} clases${parts.length ? `: ${new Intl.ListFormat('es-MX').format(parts)}` : ''}`
  }
  const after = applyPlanEdit(cls, edit, records)
  return [
    cls.class_type.name,
    formatWall(after.class_date, 'class'),
    ...(edit.length ? [`${after.duration_minutes} min`] : []),
    ...(edit.venue ? [after.room?.name ?? 'sin sala'] : []),
    ...(edit.coach ? [`con ${after.instructors.map(({ nick_name, name }) => nick_name || name).join(' y ') || 'nadie'}`] : []),
  ].join(', ')
}
