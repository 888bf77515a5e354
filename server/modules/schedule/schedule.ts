/** Classes with their instructors and rooms. Reservations, and so the week as users see it, belong to the bookings module. */
import { refuse } from '#contract/errors.ts'
import { parsePesos } from '#contract/money.ts'
import type { ChangedClass, NewClass } from '#contract/schedule.ts'
import { fromWallClock, isoWeekday, type LocalDate, wallClock } from '#contract/time.ts'
import { zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { requireRoom, seatsOn, whyNotFree } from './rooms.ts'
import { type SeriesPattern, spotsLeft, wallDay, weekly, whyNotRoom } from './rules.ts'
import {
  type ClassChange,
  eraseClass,
  findPointed,
  findTypeOf,
  insertClasses,
  insertCoachesAndTags,
  insertSeries,
  listCoachIds,
  listRoomUses,
  listUnsettled,
  lockRow,
  lockRows,
  replaceCoaches,
  replaceTags,
  updateClass,
} from './store.ts'

export { addImportedClass, eraseImportedClass } from './imported.ts'
export { closedReasons, type RoomSeats, roomSeats, seatLabelsOf, seatsOfRow } from './room-seats.ts'
export { findRoomMap, listRoomNames } from './room-store.ts'
export { ownClosed, type RoomUse, type Seating, seatingAfter, seatsOn, whyNotFree } from './rooms.ts'
export {
  type Days,
  onDay,
  openSeats,
  requestedDays,
  type SeriesPattern,
  seriesDays,
  spotsLeft,
  UNDO_MS,
  wallDay,
} from './rules.ts'
export {
  findSeries,
  listCoachIds,
  listComingInRoom,
  listSeriesClasses,
  listSeriesToExtend,
  lockSeries,
  updateSeries,
} from './store.ts'
export { removeClassType, removeSold } from './taught.ts'
export { listUnsettled }

/** Facts of a class that depend neither on the viewer nor on the time. */
export interface ClassCore {
  single_class_id: number
  class_type_id: number
  location_id: number
  /** The package that sells this class as an event; null for ordinary classes. */
  class_package_id: number | null
  starts_at: Date
  ends_at: Date
  /** Start in the class's zone, written as UTC (settled 2). */
  wall: Date
  zone: string
  capacity: number | null
  taken: number
  held: number
  places_left: number
  spot_map: string | null
  closed_spots: readonly string[]
  cancelled: boolean
  /** When start or location last changed; null = never. */
  movedAt: Date | null
}

/** A locked class, with the fields that only writers need. */
export interface LockedClass extends ClassCore {
  room_id: number | null
  closed_spots: string[]
  cancelledAt: Date | null
  /** When its roster was closed. */
  settledAt: Date | null
  /** Its own price of a single place in centavos; null = its type's (V45). */
  price_centavos: number | null
  class_series_id: number | null
  /** The coach in whose place another one teaches (L9). */
  substitutes_for: number | null
  /** Changed alone: later changes of its series leave it as it is (L6). */
  own_changes: boolean
  /** When staff last changed it. */
  updatedAt: Date
}

/**
 * Locks the row of a class until the transaction ends, which serializes changes of its spots (architecture section 5). Every verb that
 * takes or frees a spot locks the class first, several classes in ascending order of ids. CLASS_NOT_FOUND.
 */
export async function lockClass(tx: Tx, ctx: Ctx, single_class_id: number): Promise<LockedClass> {
  const row = await lockRow(tx, single_class_id)
  if (!row) throw refuse('CLASS_NOT_FOUND')
  return lockedClass(ctx, row)
}

/** Locks several classes in ascending order of their ids, in one statement; those that do not exist are left out. */
export async function lockClasses(tx: Tx, ctx: Ctx, ids: readonly number[]): Promise<Map<number, LockedClass>> {
  if (ids.length === 0) return new Map()
  return new Map((await lockRows(tx, ids)).map((row) => [row.single_class_id, lockedClass(ctx, row)]))
}

function lockedClass(ctx: Ctx, row: NonNullable<Awaited<ReturnType<typeof lockRow>>>): LockedClass {
  const zone = zoneOf(row, ctx.settings)
  return { ...row, zone, wall: wallClock(row.starts_at, zone), cancelled: row.cancelledAt !== null, places_left: spotsLeft(row) }
}

/** The type of a class: its name, and the price of a single place in centavos. */
export function typeOfClass(on: Reader, class_type_id: number): Promise<{ name: string; price_centavos: number | null }> {
  return findTypeOf(on, class_type_id)
}

/** Notifies open calendars and caches that a class changed. */
export function classChanged(tx: Tx, cls: { single_class_id: number; wall: Date }): void {
  tx.notify({ topic: 'class', single_class_id: cls.single_class_id, class_date: cls.wall.toISOString() })
}

const MINUTE = 60_000

/** The fields of a new class as staff send them, without how it repeats. */
export type ClassFields = Omit<NewClass, 'repeat_until'>

/**
 * Creates a class, or one per week at the same local time until a day (H8, settled 2). Returns the ids by date. NOT_FOUND names the field
 * of an unknown reference; INVALID_INPUT for a start in the past or an invalid room.
 */
export async function createClasses(ctx: Ctx, input: NewClass): Promise<{ single_class_ids: number[]; class_series_id: number | null }> {
  ctx.requireLocation('schedule.edit', input.location_id)
  return ctx.once('schedule.create', input, async (tx) => {
    const { repeat_until, ...fields } = input
    const first = new Date(input.class_date)
    const walls = weekly(first, repeat_until ?? null)
    const day = wallDay(first)
    const series = repeat_until === undefined ? null : { starts_on: day, weekdays: [isoWeekday(day)], every_weeks: 1, except_days: [] }
    const class_series_id =
      series && (await createSeries(tx, ctx, fields, { ...series, until: repeat_until ?? null, created_until: repeat_until ?? day }))
    const single_class_ids = await addClasses(tx, ctx, fields, { walls, class_series_id })
    await requireFreeRooms(tx, ctx, single_class_ids)
    return { single_class_ids, class_series_id }
  })
}

/** ROOM_TAKEN when one of these classes is in an exclusive room with another class (L17). */
export async function requireFreeRooms(tx: Tx, ctx: Ctx, ids: readonly number[]): Promise<void> {
  const no = await whyNotFree(tx, ctx, await listRoomUses(tx, ids))
  if (no) throw no
}

/** Records a series; its classes are written by `addClasses`. */
export function createSeries(
  tx: Tx,
  ctx: Ctx,
  fields: ClassFields,
  { until, ...pattern }: SeriesPattern & { until: LocalDate | null; created_until: LocalDate },
): Promise<number> {
  return insertSeries(tx, {
    ...pattern,
    weekdays: [...pattern.weekdays],
    except_days: [...pattern.except_days],
    repeat_until: until,
    fields,
    createdAt: ctx.now,
  })
}

/**
 * Writes classes that differ only in their start (`walls`: on the clocks of their location). Answers their ids in that order. NOT_FOUND
 * names the field that points at nothing; INVALID_INPUT for a start in the past or closed spots that the map does not have.
 */
export async function addClasses(
  tx: Tx,
  ctx: Ctx,
  input: ClassFields,
  { walls, class_series_id }: { walls: readonly Date[]; class_series_id: number | null },
): Promise<number[]> {
  const { type, place, missing } = await findPointed(tx, input)
  if (missing || !type || !place) throw refuse('NOT_FOUND', { field: missing })
  const zone = zoneOf(place, ctx.settings)
  const minutes = input.duration_minutes ?? type.duration_minutes
  const spot_map = input.spot_map === undefined ? type.spot_map : input.spot_map
  const closed_spots = input.closed_spots ?? []
  const room = await requireRoom(tx, input.room_id, input.location_id)
  const no = whyNotRoom({ spot_map: room?.map ? seatsOn(room.map, ctx.now, []).spot_map : spot_map, closed_spots })
  if (no) throw no
  const rows = walls.map((wall) => {
    const starts_at = fromWallClock(wall, zone)
    return {
      class_type_id: input.class_type_id,
      location_id: input.location_id,
      room_id: room?.room_id ?? null,
      class_category_id: input.class_category_id ?? null,
      class_package_id: input.class_package_id ?? null,
      starts_at,
      ends_at: new Date(starts_at.getTime() + minutes * MINUTE),
      description: input.description ?? '',
      icon: input.icon ?? null,
      capacity: input.capacity,
      price_centavos: priceOf(input.price) ?? null,
      ...(room?.map ? seatsOn(room.map, wall, closed_spots) : { spot_map, closed_spots }),
      class_series_id,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }
  })
  if (rows.some((row) => row.starts_at <= ctx.now)) throw refuse('INVALID_INPUT', { field: 'class_date' })
  const single_class_ids = await insertClasses(tx, rows)
  await insertCoachesAndTags(tx, single_class_ids, { instructor_ids: input.instructor_ids, tag_ids: input.tag_ids ?? [] })
  for (const [n, single_class_id] of single_class_ids.entries())
    classChanged(tx, { single_class_id, wall: wallClock(rows[n]?.starts_at ?? ctx.now, zone) })
  await ctx.audit(tx, {
    action: 'class.create',
    entity: 'single_class',
    entity_id: single_class_ids[0] ?? null,
    after: { ...input, single_class_ids },
  })
  return single_class_ids
}

/** Converts pesos of the request to centavos; missing values stay unchanged. */
const priceOf = (price: string | null | undefined) => (typeof price === 'string' ? parsePesos(price) : price)

/** What a change of a class means for its customers. */
export interface Changed {
  /** `wall`: the start in the zone of the previous location. */
  before: { starts_at: Date; wall: Date; location_id: number; coaches: number[] }
  /** Start or location changed: customers who booked before may cancel without losing the credit. */
  moved: boolean
  coaches: boolean
}

/** What the studio's own verbs set besides the fields that staff send. */
export interface OwnClassFields {
  own_changes?: boolean
  /** The coach in whose place the new ones teach; another change of the coaches ends a substitution (L9). */
  substitutes_for?: number
}

/**
 * Changes a class that the caller has locked and checked (H9). NOT_FOUND names the field of an unknown reference; INVALID_INPUT for a start
 * in the past.
 */
export async function changeClass(tx: Tx, ctx: Ctx, cls: LockedClass, input: ChangedClass & OwnClassFields): Promise<Changed> {
  const { place, missing } = await findPointed(tx, input)
  if (missing) throw refuse('NOT_FOUND', { field: missing })
  const zone = place ? zoneOf(place, ctx.settings) : cls.zone
  const location_id = input.location_id ?? cls.location_id
  // The local time stays when only the location changes, also in another zone.
  const wall = input.class_date === undefined ? cls.wall : new Date(input.class_date)
  const starts_at = fromWallClock(wall, zone)
  const minutes = input.duration_minutes ?? Math.round((cls.ends_at.getTime() - cls.starts_at.getTime()) / MINUTE)
  const ends_at = new Date(starts_at.getTime() + minutes * MINUTE)
  const moved = starts_at.getTime() !== cls.starts_at.getTime() || location_id !== cls.location_id
  if (moved && starts_at <= ctx.now) throw refuse('INVALID_INPUT', { field: 'class_date' })
  const coaches = await listCoachIds(tx, cls.single_class_id)
  const hasOtherCoaches = input.instructor_ids !== undefined && input.instructor_ids.join() !== coaches.join()
  const { single_class_id, class_date: _, duration_minutes: __, instructor_ids, tag_ids, price, ...fields } = input
  const change: ClassChange = {
    ...defined({ ...fields, price_centavos: priceOf(price) }),
    starts_at,
    ends_at,
    updatedAt: ctx.now,
    ...(moved ? { movedAt: ctx.now } : {}),
    ...(hasOtherCoaches ? { substitutes_for: input.substitutes_for ?? null } : {}),
  }
  await updateClass(tx, single_class_id, change)
  if (instructor_ids) await replaceCoaches(tx, single_class_id, instructor_ids)
  if (tag_ids) await replaceTags(tx, single_class_id, tag_ids)
  classChanged(tx, { single_class_id, wall })
  return {
    before: { starts_at: cls.starts_at, wall: cls.wall, location_id: cls.location_id, coaches },
    moved,
    coaches: hasOtherCoaches,
  }
}

/** Without undefined values; null is kept, since it clears a column. */
function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

/** Raises the capacity of a class by a number of places, audited (Q7). The caller holds its lock and has checked the right. */
export async function raiseCapacity(tx: Tx, ctx: Ctx, cls: LockedClass, more: { spots: number; reason: string }): Promise<LockedClass> {
  const capacity = cls.taken + cls.held + more.spots
  await updateClass(tx, cls.single_class_id, { capacity, updatedAt: ctx.now })
  await ctx.audit(tx, {
    action: 'class.over_capacity',
    entity: 'single_class',
    entity_id: cls.single_class_id,
    reason: more.reason,
    before: { capacity: cls.capacity },
    after: { capacity },
  })
  classChanged(tx, cls)
  return lockClass(tx, ctx, cls.single_class_id)
}

/** Marks a class as cancelled by the studio, or undoes that (`reason` null). The caller holds its lock. */
export async function markCancelled(tx: Tx, ctx: Ctx, cls: LockedClass, reason: string | null): Promise<void> {
  await updateClass(tx, cls.single_class_id, { cancelledAt: reason === null ? null : ctx.now, cancel_reason: reason, updatedAt: ctx.now })
  classChanged(tx, cls)
}

/** Deletes a class that never had a reservation; the caller holds its lock and has checked that. */
export async function eraseUnbooked(tx: Tx, cls: LockedClass): Promise<void> {
  await eraseClass(tx, cls.single_class_id)
  classChanged(tx, cls)
}

/** Stores that the roster was closed. */
export async function markRosterClosed(tx: Tx, ctx: Ctx, single_class_id: number): Promise<void> {
  await updateClass(tx, single_class_id, { settledAt: ctx.now })
}
