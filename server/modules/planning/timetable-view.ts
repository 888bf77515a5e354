/** Classes as the studio plans them: read from the database, with drafts over them and their conflicts, on the wire. */
import { isWithinTimes } from '#contract/allowed-times.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { pesos } from '#contract/money.ts'
import { type OpeningHours, openingHours } from '#contract/opening-hours.ts'
import type { RoomMap } from '#contract/room-map.ts'
import type { ClassConflict, PlannedClass } from '#contract/studio-schedule.ts'
import { isoWeekday, type LocalDate, wallClock } from '#contract/time.ts'
import { photoOf, zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { wallDay } from '#server/modules/schedule/schedule.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ConflictNames, findConflicts } from './conflicts.ts'
import type { DraftNames, PlannedFacts } from './rules.ts'
import { listPlanNames, listPlanned, type PlanNames, type PlannedRow, type Which } from './store.ts'

/** The names that classes show and drafts point at. */
export class Names implements DraftNames, ConflictNames {
  readonly #ctx: Ctx
  readonly #types: ReadonlyMap<number, PlanNames['types'][number]>
  readonly #locations: ReadonlyMap<number, PlanNames['locations'][number]>
  readonly #coaches: ReadonlyMap<number, PlanNames['coaches'][number]>
  readonly #rooms: ReadonlyMap<number, PlanNames['rooms'][number]>
  readonly #hours: ReadonlyMap<number, OpeningHours[]>
  readonly #packages: PlanNames['packages']
  readonly #holidays: PlanNames['holidays']
  readonly #absences: PlanNames['absences']

  constructor(ctx: Ctx, names: PlanNames) {
    this.#ctx = ctx
    this.#types = new Map(names.types.map((type) => [type.class_type_id, type]))
    this.#locations = new Map(names.locations.map((location) => [location.location_id, location]))
    this.#coaches = new Map(names.coaches.map((coach) => [coach.instructor_id, coach]))
    this.#rooms = new Map(names.rooms.map((room) => [room.room_id, room]))
    this.#hours = new Map(
      names.locations.flatMap(({ location_id, hours }) => {
        const read = hours ? openingHours(hours) : null
        return read ? [[location_id, read] as const] : []
      }),
    )
    this.#packages = names.packages
    this.#holidays = names.holidays
    this.#absences = names.absences
  }

  static async read(ctx: Ctx, on: Reader): Promise<Names> {
    return new Names(ctx, await listPlanNames(on))
  }

  zoneOf(location_id: number): string {
    return zoneOf(this.#locations.get(location_id) ?? { timezone: null }, this.#ctx.settings)
  }

  closedOn(location_id: number, day: LocalDate): string | null {
    return this.#holidays.find((holiday) => isWithin(day, holiday) && (holiday.location_ids?.includes(location_id) ?? true))?.name ?? null
  }

  /** The holidays of a day at one of these locations (null: any), as one. */
  holidayOn(day: LocalDate, locations: readonly number[] | null): { name: string; location_ids: number[] | null } | null {
    const found = this.#holidays.filter(
      (holiday) =>
        isWithin(day, holiday) &&
        (locations === null || holiday.location_ids === null || holiday.location_ids.some((id) => locations.includes(id))),
    )
    if (found.length === 0) return null
    const isEverywhere = found.some(({ location_ids }) => location_ids === null)
    return {
      name: [...new Set(found.map(({ name }) => name))].join(' · '),
      location_ids: isEverywhere ? null : [...new Set(found.flatMap(({ location_ids }) => location_ids ?? []))],
    }
  }

  isAbsent(instructor_id: number, day: LocalDate): boolean {
    return this.#absences.some((absence) => absence.instructor_id === instructor_id && isWithin(day, absence))
  }

  teaches(instructor_id: number, class_type_id: number): boolean {
    return this.#coaches.get(instructor_id)?.class_type_ids?.includes(class_type_id) ?? true
  }

  /** Coaches who teach some types only. */
  teaching(): { instructor_id: number; class_type_ids: number[] }[] {
    return [...this.#coaches.values()].flatMap(({ instructor_id, class_type_ids, gone }) =>
      class_type_ids === null || gone ? [] : [{ instructor_id, class_type_ids }],
    )
  }

  /** Whether its type or its location was removed: no new class is made like it. */
  isGone({ class_type_id, location_id }: Pick<PlannedFacts, 'class_type_id' | 'location_id'>): boolean {
    return (this.#types.get(class_type_id)?.gone ?? true) || (this.#locations.get(location_id)?.gone ?? true)
  }

  /** Those of these coaches who were not removed. */
  activeCoaches(coach_ids: readonly number[]): number[] {
    return coach_ids.filter((id) => this.#coaches.get(id)?.gone === false)
  }

  room(room_id: number): PlanNames['rooms'][number] | null {
    return this.#rooms.get(room_id) ?? null
  }

  mapOf(room_id: number | null): RoomMap | null {
    return this.#rooms.get(room_id ?? 0)?.map ?? null
  }

  isOpen(location_id: number, wall: Date, minutes: number): boolean {
    const hours = this.#hours.get(location_id)
    if (!hours) return true
    const day = WEEKDAYS[isoWeekday(wallDay(wall)) - 1]
    const from = wall.toISOString().slice(11, 16)
    const end = new Date(wall.getTime() + minutes * 60_000)
    const until = wallDay(end) === wallDay(wall) ? end.toISOString().slice(11, 16) : '24:00'
    return hours.some(
      ({ dayOfWeek, opens, closes }) =>
        day !== undefined && dayOfWeek.includes(day) && opens <= from && until <= (closes === '23:59' ? '24:00' : closes),
    )
  }

  isPayable({ class_package_id, class_type_id, location_id, wall }: Payable): boolean {
    if (class_package_id !== null) return this.#packages.some((classPackage) => classPackage.class_package_id === class_package_id)
    // A studio without packages on sale sells single places.
    if (this.#packages.length === 0) return true
    return this.#packages.some(
      (classPackage) =>
        !classPackage.is_special_event &&
        (classPackage.types?.includes(class_type_id) ?? true) &&
        (classPackage.location_ids?.includes(location_id) ?? true) &&
        isWithinTimes(classPackage.allowed_times, wall),
    )
  }

  typeOf(class_type_id: number) {
    return this.#types.get(class_type_id) ?? null
  }

  coach(instructor_id: number): string {
    const coach = this.#coaches.get(instructor_id)
    return coach ? instructorName(coach) : ''
  }

  type(class_type_id: number): string {
    return this.#types.get(class_type_id)?.name ?? ''
  }

  location(location_id: number): string {
    return this.#locations.get(location_id)?.name ?? ''
  }

  shownType(class_type_id: number): PlannedClass['class_type'] {
    const { name = '', icon = null, color = null } = this.#types.get(class_type_id) ?? {}
    return { class_type_id, name, icon, color }
  }

  shownLocation(location_id: number): PlannedClass['location'] {
    return { location_id, name: this.location(location_id) }
  }

  shownRoom(room_id: number | null): PlannedClass['room'] {
    const room = this.#rooms.get(room_id ?? 0)
    return room ? { room_id: room.room_id, name: room.name, exclusive: room.exclusive } : null
  }

  shownCoaches(ids: readonly number[]): PlannedClass['instructors'] {
    return ids.flatMap((id) => {
      const coach = this.#coaches.get(id)
      if (!coach) return []
      const { photo, gone: _, ...rest } = coach
      return [{ ...rest, file: photoOf(photo) }]
    })
  }
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
type Payable = Pick<PlannedFacts, 'class_package_id' | 'class_type_id' | 'location_id' | 'wall'>

const isWithin = (day: LocalDate, { from_day, to_day }: { from_day: LocalDate; to_day: LocalDate }) => day >= from_day && day <= to_day

/** The classes as they are published. */
export async function readPlanned(on: Reader, names: Names, which: Which): Promise<PlannedFacts[]> {
  return (await listPlanned(on, which)).map((row) => factsOf(row, names))
}

function factsOf(row: PlannedRow, names: Names): PlannedFacts {
  const { starts, ends, coaches, tags, updated, ...rest } = row
  const starts_at = new Date(starts)
  const zone = names.zoneOf(row.location_id)
  return {
    ...rest,
    class_draft_id: null,
    draft: null,
    zone,
    starts_at,
    wall: wallClock(starts_at, zone),
    minutes: Math.round((ends - starts) / 60_000),
    room_map: names.mapOf(row.room_id),
    coach_ids: coaches ?? [],
    tag_ids: tags ?? [],
    updatedAt: new Date(updated),
  }
}

const stateOf = (cls: PlannedFacts, now: Date): PlannedClass['state'] => {
  if (cls.single_class_id === null) return 'draft'
  if (cls.cancelled) return 'cancelled'
  if (cls.draft) return 'changed'
  return cls.starts_at.getTime() + cls.minutes * 60_000 <= now.getTime() ? 'past' : 'published'
}

/** A class on the wire. */
export function serializePlannedClass(cls: PlannedFacts, names: Names, conflicts: readonly ClassConflict[], now: Date): PlannedClass {
  const { wall, starts_at, minutes, zone, class_type_id, location_id, coach_ids, price_centavos, updatedAt } = cls
  return {
    single_class_id: cls.single_class_id,
    class_draft_id: cls.class_draft_id,
    class_series_id: cls.class_series_id,
    own_changes: cls.own_changes,
    state: stateOf(cls, now),
    draft: cls.draft,
    class_date: wall.toISOString(),
    starts_at: starts_at.toISOString(),
    ends_at: new Date(starts_at.getTime() + minutes * 60_000).toISOString(),
    timezone: zone,
    duration_minutes: minutes,
    class_type: names.shownType(class_type_id),
    location: names.shownLocation(location_id),
    room: names.shownRoom(cls.room_id),
    instructors: names.shownCoaches(coach_ids),
    capacity: cls.capacity,
    taken: cls.taken,
    held: cls.held,
    waiting: cls.waiting,
    arrived: cls.arrived,
    price: price_centavos === null ? null : pesos(price_centavos),
    description: cls.description,
    icon: cls.icon,
    tag_ids: [...cls.tag_ids],
    class_category_id: cls.class_category_id,
    class_package_id: cls.class_package_id,
    spot_map: cls.spot_map,
    closed_spots: [...cls.closed_spots],
    substitutes_for: cls.substitutes_for === null ? null : { instructor_id: cls.substitutes_for, name: names.coach(cls.substitutes_for) },
    cancel_reason: cls.cancelled ? cls.cancel_reason || null : null,
    conflicts: [...conflicts],
    updatedAt: updatedAt?.toISOString() ?? null,
  }
}

/** The conflicts of classes under the studio's settings. */
export const studioConflicts = (ctx: Ctx, classes: readonly PlannedFacts[], names: Names) =>
  findConflicts(classes, names, { travel_minutes: ctx.settings.coach_travel_minutes, now: ctx.now })
