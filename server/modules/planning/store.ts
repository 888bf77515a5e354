/** Queries of the planned timetable. Classes are read as one JSON value: a tenth of the time of one row per class. */
import { and, asc, desc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { AllowedTime } from '#contract/credits.ts'
import type { RoomMap } from '#contract/room-map.ts'
import type { ClassChange } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import { staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { audit } from '#server/platform/tables.ts'
import type { UndoStep } from './rules.ts'
import { classDraft, scheduleUndo } from './tables.ts'

/** A class as stored; instants in milliseconds. */
export interface PlannedRow {
  single_class_id: number
  class_series_id: number | null
  own_changes: boolean
  class_type_id: number
  location_id: number
  room_id: number | null
  class_category_id: number | null
  class_package_id: number | null
  starts: number
  ends: number
  description: string
  icon: string | null
  capacity: number | null
  taken: number
  held: number
  waiting: number
  arrived: number
  spot_map: string | null
  closed_spots: string[]
  substitutes_for: number | null
  price_centavos: number | null
  cancelled: boolean
  cancel_reason: string | null
  coaches: number[] | null
  tags: number[] | null
  updated: number
}

export interface PlannedRoom {
  room_id: number
  location_id: number
  name: string
  exclusive: boolean
  map: RoomMap | null
  /** It was removed: nothing new can be planned in it. */
  gone: boolean
}

export interface PayingPackage {
  class_package_id: number
  is_special_event: boolean
  types: number[] | null
  location_ids: number[] | null
  allowed_times: AllowedTime[]
}

/** Records that classes refer to, including deleted ones, because an old class still shows their names. */
export interface PlanNames {
  types: {
    class_type_id: number
    name: string
    icon: string | null
    color: string | null
    duration_minutes: number
    spot_map: string | null
    gone: boolean
  }[]
  locations: { location_id: number; name: string; timezone: string | null; hours: string | null; gone: boolean }[]
  rooms: PlannedRoom[]
  /** Packages on sale for classes in the room; `types`, null = all. */
  packages: PayingPackage[]
  coaches: {
    instructor_id: number
    name: string
    last_name: string
    nick_name: string | null
    photo: string | null
    /** Types that the coach teaches; null = all. */
    class_type_ids: number[] | null
    gone: boolean
  }[]
  holidays: { name: string; from_day: LocalDate; to_day: LocalDate; location_ids: number[] | null }[]
  absences: { instructor_id: number; from_day: LocalDate; to_day: LocalDate }[]
}

const fields = sql`
  c.single_class_id, c.class_series_id, c.own_changes, c.class_type_id, c.location_id, c.room_id, c.class_category_id, c.class_package_id,
  (extract(epoch from c.starts_at) * 1000)::bigint as starts, (extract(epoch from c.ends_at) * 1000)::bigint as ends,
  c.description, c.icon, c.capacity, c.taken, c.held, c.spot_map, c.closed_spots, c.substitutes_for, c.price_centavos,
  c."cancelledAt" is not null as cancelled, c.cancel_reason, floor(extract(epoch from c."updatedAt") * 1000)::bigint as updated,
  (select count(*)::int from waitlist w where w.single_class_id = c.single_class_id and w.status in ('waiting', 'offered')) as waiting,
  (select count(*)::int from class_reservation r where r.single_class_id = c.single_class_id and r."deletedAt" is null and r.attend) as arrived,
  (select array_agg(i.instructor_id order by i.sort, i.instructor_id) from class_instructor i where i.single_class_id = c.single_class_id) as coaches,
  (select array_agg(t.tag_id order by t.tag_id) from class_tag t where t.single_class_id = c.single_class_id) as tags`

/** Which classes: by ids, or of a range of days on the clocks of their locations (`zone` for a location without one). */
export type Which = { ids: readonly number[] } | { start: LocalDate; end: LocalDate; zone: string }

export async function listPlanned(on: Reader, which: Which): Promise<PlannedRow[]> {
  const where =
    'ids' in which
      ? sql`c.single_class_id = any(${`{${which.ids.join(',')}}`}::integer[])`
      : sql`c.starts_at >= ${which.start}::date - interval '15 hours' and c.starts_at < ${which.end}::date + interval '39 hours'
          and (c.starts_at at time zone coalesce(l.timezone, ${which.zone}))::date between ${which.start}::date and ${which.end}::date`
  const classes = sql<PlannedRow[] | null>`(select json_agg(f) from (
    select ${fields} from single_class c join location l using (location_id) where ${where} order by c.starts_at, c.single_class_id) f)`
  const [row] = await on.select({ classes }).from(sql`(select 1) as one`)
  return row?.classes ?? []
}

export async function listPlanNames(on: Reader): Promise<PlanNames> {
  const [row] = await on
    .select({
      types: sql<
        PlanNames['types'] | null
      >`(select json_agg(t) from (select class_type_id, name, icon, color, duration_minutes, spot_map, "deletedAt" is not null as gone from class_type) t)`,
      locations: sql<
        PlanNames['locations'] | null
      >`(select json_agg(l) from (select location_id, name, timezone, hours, "deletedAt" is not null as gone from location) l)`,
      rooms: sql<
        PlanNames['rooms'] | null
      >`(select json_agg(r) from (select room_id, location_id, name, exclusive, map, "deletedAt" is not null as gone from room order by sort, room_id) r)`,
      packages: sql<PlanNames['packages'] | null>`(select json_agg(p) from (
        select class_package_id, is_special_event, location_ids, allowed_times,
          (select array_agg(t.class_type_id) from class_package_type t where t.class_package_id = p.class_package_id) as types
        from class_package p where available and "deletedAt" is null and not is_online) p)`,
      coaches: sql<
        PlanNames['coaches'] | null
      >`(select json_agg(i) from (select instructor_id, name, last_name, nick_name, photo, class_type_ids, "deletedAt" is not null as gone from instructor) i)`,
      holidays: sql<
        PlanNames['holidays'] | null
      >`(select json_agg(h) from (select name, from_day, to_day, location_ids from holiday order by from_day, holiday_id) h)`,
      absences: sql<
        PlanNames['absences'] | null
      >`(select json_agg(a) from (select instructor_id, from_day, to_day from instructor_absence) a)`,
    })
    .from(sql`(select 1) as one`)
  const { types, locations, rooms, packages, coaches, holidays, absences } = row ?? {}
  return {
    types: types ?? [],
    locations: locations ?? [],
    rooms: rooms ?? [],
    packages: packages ?? [],
    coaches: coaches ?? [],
    holidays: holidays ?? [],
    absences: absences ?? [],
  }
}

export interface DraftRow {
  class_draft_id: number
  single_class_id: number | null
  change: ClassChange
}

const draftColumns = { class_draft_id: classDraft.class_draft_id, single_class_id: classDraft.single_class_id, change: classDraft.change }

/** The drafts of a person, in the order in which they were made. */
export function listDrafts(on: Reader, staff_id: number): Promise<DraftRow[]> {
  return on.select(draftColumns).from(classDraft).where(eq(classDraft.staff_id, staff_id)).orderBy(asc(classDraft.class_draft_id))
}

/** The same, locked until the transaction ends; `ids`: only these. */
export function lockDrafts(tx: Tx, staff_id: number, ids: readonly number[] | null): Promise<DraftRow[]> {
  return tx
    .select(draftColumns)
    .from(classDraft)
    .where(and(eq(classDraft.staff_id, staff_id), ids ? inArray(classDraft.class_draft_id, [...ids]) : undefined))
    .orderBy(asc(classDraft.class_draft_id))
    .for('update')
}

export async function insertDraft(tx: Tx, draft: typeof classDraft.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(classDraft).values(draft).returning({ id: classDraft.class_draft_id })).id
}

export async function updateDraft(tx: Tx, class_draft_id: number, change: ClassChange, updatedAt: Date): Promise<void> {
  await tx.update(classDraft).set({ change, updatedAt }).where(eq(classDraft.class_draft_id, class_draft_id))
}

/** Deletes drafts of a person and answers how many there were. */
export async function deleteDrafts(tx: Tx, staff_id: number, ids: readonly number[] | null): Promise<number> {
  const deleted = await tx
    .delete(classDraft)
    .where(and(eq(classDraft.staff_id, staff_id), ids ? inArray(classDraft.class_draft_id, [...ids]) : undefined))
    .returning({ id: classDraft.class_draft_id })
  return deleted.length
}

/** The staff member who last changed a class; null when it was the system, or it was never changed. */
export async function findLastEditor(on: Reader, single_class_id: number): Promise<string | null> {
  const [row] = await on
    .select({ name: staff.name })
    .from(audit)
    .innerJoin(staff, eq(staff.staff_id, audit.actor_id))
    .where(and(eq(audit.entity, 'single_class'), eq(audit.entity_id, String(single_class_id)), sql`${audit.actor} like 'staff:%'`))
    .orderBy(desc(audit.audit_id))
    .limit(1)
  return row?.name ?? null
}

export async function insertUndo(tx: Tx, undo: typeof scheduleUndo.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(scheduleUndo).values(undo).returning({ id: scheduleUndo.undo_id })).id
}

/** The undo steps of a set of changes, marked as used. Null when the set is another person's, too old, or undone already. */
export async function takeUndo(tx: Tx, undo_id: number, staff_id: number, now: Date): Promise<UndoStep[] | null> {
  const [row] = await tx
    .update(scheduleUndo)
    .set({ undoneAt: now })
    .where(
      and(
        eq(scheduleUndo.undo_id, undo_id),
        eq(scheduleUndo.staff_id, staff_id),
        isNull(scheduleUndo.undoneAt),
        gte(scheduleUndo.until, now),
      ),
    )
    .returning({ steps: scheduleUndo.steps })
  return row?.steps ?? null
}

/** The sets of changes that a staff member can still take back, the newest first. */
export async function listOpenScheduleUndos(on: Reader, staff_id: number, now: Date) {
  return on
    .select({ id: scheduleUndo.undo_id, label: scheduleUndo.label, until: scheduleUndo.until, at: scheduleUndo.createdAt })
    .from(scheduleUndo)
    .where(and(eq(scheduleUndo.staff_id, staff_id), gte(scheduleUndo.until, now), isNull(scheduleUndo.undoneAt)))
    .orderBy(desc(scheduleUndo.undo_id))
    .limit(50)
}

/** Deletes undo records that have expired. */
export async function deleteOldUndo(tx: Tx, before: Date): Promise<void> {
  await tx.delete(scheduleUndo).where(lt(scheduleUndo.until, before))
}

/** A set of changes of this staff member, and whether it was undone; null when there is none. */
export async function findUndo(on: Reader, undo_id: number, staff_id: number): Promise<{ undoneAt: Date | null } | null> {
  const [row] = await on
    .select({ undoneAt: scheduleUndo.undoneAt })
    .from(scheduleUndo)
    .where(and(eq(scheduleUndo.undo_id, undo_id), eq(scheduleUndo.staff_id, staff_id)))
  return row ?? null
}
