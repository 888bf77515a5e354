/** The calendar: classes, their coaches and rooms. Who takes the places, and so the week as people see it, is the bookings' business. */
import { refuse } from '#contract/errors.ts'
import { parsePesos } from '#contract/money.ts'
import type { ChangedClass, NewClass } from '#contract/schedule.ts'
import { fromWallClock, wallClock } from '#contract/time.ts'
import { zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { spotsLeft, weekly, whyNotRoom } from './rules.ts'
import {
  type ClassChange,
  eraseClass,
  findPointed,
  findTypeOf,
  insertClasses,
  insertSeries,
  listCoachIds,
  listUnsettled,
  lockRow,
  putCoaches,
  putTags,
  updateClass,
} from './store.ts'

export { type Days, requestedDays, spotsLeft, UNDO_MS } from './rules.ts'
export { listUnsettled }

/** What a class is, without who is looking and without the hour. */
export interface ClassCore {
  single_class_id: number
  class_type_id: number
  location_id: number
  /** The package that it is sold as, when it is. */
  class_package_id: number | null
  starts_at: Date
  ends_at: Date
  /** The start on the class's own clocks, written as UTC (settled 2). */
  wall: Date
  zone: string
  capacity: number | null
  taken: number
  held: number
  places_left: number
  spot_map: string | null
  closed_spots: readonly string[]
  cancelled: boolean
  /** When hour or place last changed; null = never. */
  movedAt: Date | null
}

/** What the lock knows beside what everybody sees. */
export interface LockedClass extends ClassCore {
  cancelledAt: Date | null
  /** When it was decided who came. */
  settledAt: Date | null
  /** Its own price of a single place, in centavos; null = its type's (V45). */
  price_centavos: number | null
}

/**
 * The one gate to a class's places (architecture section 5): its row, locked until the transaction ends. Whoever takes or frees a
 * place passes here first, in ascending order of ids when there are several. Throws CLASS_NOT_FOUND.
 */
export async function lockClass(tx: Tx, ctx: Ctx, single_class_id: number): Promise<LockedClass> {
  const row = await lockRow(tx, single_class_id)
  if (!row) throw refuse('CLASS_NOT_FOUND')
  const zone = zoneOf(row, ctx.settings)
  return { ...row, zone, wall: wallClock(row.starts_at, zone), cancelled: row.cancelledAt !== null, places_left: spotsLeft(row) }
}

/** The class type of a class: its name, and what a single place of that type costs, in centavos. */
export function typeOfClass(on: Reader, class_type_id: number): Promise<{ name: string; price_centavos: number | null }> {
  return findTypeOf(on, class_type_id)
}

/** Tells open calendars and caches that a class is not what it was. */
export function classChanged(tx: Tx, cls: { single_class_id: number; wall: Date }): void {
  tx.notify({ topic: 'class', single_class_id: cls.single_class_id, class_date: cls.wall.toISOString() })
}

const MINUTE = 60_000

/**
 * Puts a class on the calendar, or one a week at the same hour of the place's clocks until a day (H8, settled 2). Answers the ids in the
 * order of the days. NOT_FOUND names the field that points at nothing; INVALID_INPUT for a start in the past or a room that is none.
 */
export async function createClasses(ctx: Ctx, input: NewClass): Promise<{ single_class_ids: number[]; class_series_id: number | null }> {
  ctx.requireLocation('schedule.edit', input.location_id)
  return ctx.once('schedule.create', input, async (tx) => {
    const { type, place, missing } = await findPointed(tx, input)
    if (missing || !type || !place) throw refuse('NOT_FOUND', { field: missing })
    const zone = zoneOf(place, ctx.settings)
    const walls = weekly(new Date(input.class_date), input.repeat_until ?? null)
    const minutes = input.duration_minutes ?? type.duration_minutes
    const spot_map = input.spot_map === undefined ? type.spot_map : input.spot_map
    const closed_spots = input.closed_spots ?? []
    const no = whyNotRoom({ spot_map, closed_spots })
    if (no) throw no
    const class_series_id = input.repeat_until === undefined ? null : await insertSeries(tx, input.repeat_until, ctx.now)
    const rows = walls.map((wall) => {
      const starts_at = fromWallClock(wall, zone)
      return {
        class_type_id: input.class_type_id,
        location_id: input.location_id,
        class_category_id: input.class_category_id ?? null,
        class_package_id: input.class_package_id ?? null,
        starts_at,
        ends_at: new Date(starts_at.getTime() + minutes * MINUTE),
        description: input.description ?? '',
        icon: input.icon ?? null,
        capacity: input.capacity,
        price_centavos: priceOf(input.price) ?? null,
        spot_map,
        closed_spots,
        class_series_id,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }
    })
    if (rows.some((row) => row.starts_at <= ctx.now)) throw refuse('INVALID_INPUT', { field: 'class_date' })
    const single_class_ids = await insertClasses(tx, rows)
    for (const [n, single_class_id] of single_class_ids.entries()) {
      await putCoaches(tx, single_class_id, input.instructor_ids)
      await putTags(tx, single_class_id, input.tag_ids ?? [])
      const starts_at = rows[n]?.starts_at ?? ctx.now
      classChanged(tx, { single_class_id, wall: wallClock(starts_at, zone) })
    }
    await ctx.audit(tx, {
      action: 'class.create',
      entity: 'single_class',
      entity_id: single_class_ids[0] ?? null,
      after: { ...input, single_class_ids },
    })
    return { single_class_ids, class_series_id }
  })
}

/** Pesos as they were sent, in centavos; what is not sent stays as it is. */
const priceOf = (price: string | null | undefined) => (typeof price === 'string' ? parsePesos(price) : price)

/** What changed about a class, as people should hear of it. */
export interface Changed {
  /** `wall`: the start on the clocks of the place where it was. */
  before: { starts_at: Date; wall: Date; location_id: number; coaches: number[] }
  /** Hour or place: whoever booked before may give the place up free of loss. */
  moved: boolean
  coaches: boolean
}

/**
 * Writes the changes to a class that the caller has locked and judged (H9). NOT_FOUND names the field that points at nothing;
 * INVALID_INPUT for a start in the past.
 */
export async function changeClass(tx: Tx, ctx: Ctx, cls: LockedClass, input: ChangedClass): Promise<Changed> {
  const { place, missing } = await findPointed(tx, input)
  if (missing) throw refuse('NOT_FOUND', { field: missing })
  const zone = place ? zoneOf(place, ctx.settings) : cls.zone
  const location_id = input.location_id ?? cls.location_id
  // The hour that people read stays when only the place changes, whatever zone it is in.
  const wall = input.class_date === undefined ? cls.wall : new Date(input.class_date)
  const starts_at = fromWallClock(wall, zone)
  const minutes = input.duration_minutes ?? Math.round((cls.ends_at.getTime() - cls.starts_at.getTime()) / MINUTE)
  const ends_at = new Date(starts_at.getTime() + minutes * MINUTE)
  const moved = starts_at.getTime() !== cls.starts_at.getTime() || location_id !== cls.location_id
  if (moved && starts_at <= ctx.now) throw refuse('INVALID_INPUT', { field: 'class_date' })
  const coaches = await listCoachIds(tx, cls.single_class_id)
  const { single_class_id, class_date: _, duration_minutes: __, instructor_ids, tag_ids, price, ...fields } = input
  const change: ClassChange = {
    ...defined({ ...fields, price_centavos: priceOf(price) }),
    starts_at,
    ends_at,
    updatedAt: ctx.now,
    ...(moved ? { movedAt: ctx.now } : {}),
  }
  await updateClass(tx, single_class_id, change)
  if (instructor_ids) await putCoaches(tx, single_class_id, instructor_ids)
  if (tag_ids) await putTags(tx, single_class_id, tag_ids)
  classChanged(tx, { single_class_id, wall })
  return {
    before: { starts_at: cls.starts_at, wall: cls.wall, location_id: cls.location_id, coaches },
    moved,
    coaches: instructor_ids !== undefined && instructor_ids.join() !== coaches.join(),
  }
}

/** Without the keys that say nothing; null says something. */
function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

/** Makes room for so many more than a class takes, with its trace (Q7). The caller holds its lock and has checked the right. */
export async function raiseCapacity(tx: Tx, ctx: Ctx, cls: LockedClass, more: { places: number; reason: string }): Promise<LockedClass> {
  const capacity = cls.taken + cls.held + more.places
  await updateClass(tx, cls.single_class_id, { capacity, updatedAt: ctx.now })
  await ctx.audit(tx, {
    ...{ action: 'class.over_capacity', entity: 'single_class', entity_id: cls.single_class_id, reason: more.reason },
    ...{ before: { capacity: cls.capacity }, after: { capacity } },
  })
  classChanged(tx, cls)
  return lockClass(tx, ctx, cls.single_class_id)
}

/** Marks a class as cancelled by the studio, or takes that back (`reason` null). The caller holds its lock. */
export async function markCancelled(tx: Tx, ctx: Ctx, cls: LockedClass, reason: string | null): Promise<void> {
  await updateClass(tx, cls.single_class_id, { cancelledAt: reason === null ? null : ctx.now, cancel_reason: reason, updatedAt: ctx.now })
  classChanged(tx, cls)
}

/** Deletes a class that nobody ever booked; the caller holds its lock and has checked. */
export async function eraseUnbooked(tx: Tx, cls: LockedClass): Promise<void> {
  await eraseClass(tx, cls.single_class_id)
  classChanged(tx, cls)
}

/** Notes that it has been decided who came. */
export async function markRosterClosed(tx: Tx, ctx: Ctx, single_class_id: number): Promise<void> {
  await updateClass(tx, single_class_id, { settledAt: ctx.now })
}
