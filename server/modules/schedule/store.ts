/** Queries of classes; the only writes to them. Triggers of the database maintain `taken`. */
import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, lte, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { CUSTOMER_TAG } from '#contract/customer-file.ts'
import { classCategory, classPackage, classType, instructor, location, tag } from '#server/modules/catalogue/tables.ts'
import { prepared, type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { classInstructor, classSeries, classTag, singleClass } from './tables.ts'

const gate = prepared('schedule.lock', (on: Tx) =>
  on
    .select({ ...getTableColumns(singleClass), timezone: location.timezone })
    .from(singleClass)
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(eq(singleClass.single_class_id, sql.placeholder('id')))
    // "no key": inserts that only reference the class (a new reservation's foreign key) need not wait.
    .for('no key update', { of: singleClass }),
)

/** Reads and locks the row of a class until the transaction ends. */
export async function lockRow(tx: Tx, single_class_id: number) {
  const [row] = await gate(tx).execute({ id: single_class_id })
  return row ?? null
}

/** The rows of some classes in the order of their ids, locked until the transaction ends. */
export function lockRows(tx: Tx, ids: readonly number[]) {
  return tx
    .select({ ...getTableColumns(singleClass), timezone: location.timezone })
    .from(singleClass)
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(inArray(singleClass.single_class_id, [...ids]))
    .orderBy(asc(singleClass.single_class_id))
    .for('no key update', { of: singleClass })
}

/** Also for a type that was removed: old classes keep it. */
export async function findTypeOf(on: Reader, class_type_id: number): Promise<{ name: string; price_centavos: number | null }> {
  const rows = await on
    .select({ name: classType.name, price_centavos: classType.price_centavos })
    .from(classType)
    .where(eq(classType.class_type_id, class_type_id))
  return singleRow(rows)
}

type NewClass = typeof singleClass.$inferInsert
/** The writable columns of a class; the database maintains the counters. */
export type ClassChange = Partial<Omit<NewClass, 'single_class_id' | 'taken' | 'held'>>

type SeriesRow = typeof classSeries.$inferSelect

export async function insertSeries(tx: Tx, row: typeof classSeries.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(classSeries).values(row).returning({ id: classSeries.class_series_id })).id
}

export async function findSeries(on: Reader, class_series_id: number): Promise<SeriesRow | null> {
  const [row] = await on.select().from(classSeries).where(eq(classSeries.class_series_id, class_series_id))
  return row ?? null
}

/** A series, locked until the transaction ends; null = there is none. */
export async function lockSeries(tx: Tx, class_series_id: number): Promise<SeriesRow | null> {
  const [row] = await tx.select().from(classSeries).where(eq(classSeries.class_series_id, class_series_id)).for('update')
  return row ?? null
}

export async function updateSeries(tx: Tx, class_series_id: number, change: Partial<typeof classSeries.$inferInsert>): Promise<void> {
  await tx.update(classSeries).set(change).where(eq(classSeries.class_series_id, class_series_id))
}

/** Series without end whose classes were created up to a day before this one. */
export async function listSeriesToExtend(on: Reader, before: string): Promise<number[]> {
  const rows = await on
    .select({ id: classSeries.class_series_id })
    .from(classSeries)
    .where(and(isNull(classSeries.repeat_until), lt(classSeries.created_until, before)))
    .orderBy(asc(classSeries.class_series_id))
  return rows.map((row) => row.id)
}

/** The classes of a series that start after an instant and are not cancelled, in order of their start. */
export async function listSeriesClasses(on: Reader, class_series_id: number, after: Date) {
  return on
    .select({ single_class_id: singleClass.single_class_id, starts_at: singleClass.starts_at, own_changes: singleClass.own_changes })
    .from(singleClass)
    .where(and(eq(singleClass.class_series_id, class_series_id), gt(singleClass.starts_at, after), isNull(singleClass.cancelledAt)))
    .orderBy(asc(singleClass.starts_at), asc(singleClass.single_class_id))
}

export async function insertClasses(tx: Tx, rows: NewClass[]): Promise<number[]> {
  const inserted = await tx.insert(singleClass).values(rows).returning({ id: singleClass.single_class_id })
  // A special event is sold until its last class (K13), so the catalogue changes too.
  if (rows.some((row) => row.class_package_id)) tx.notify({ topic: 'catalogue' })
  return inserted.map((row) => row.id)
}

export async function updateClass(tx: Tx, single_class_id: number, change: ClassChange): Promise<void> {
  const [row] = await tx
    .update(singleClass)
    .set(change)
    .where(eq(singleClass.single_class_id, single_class_id))
    .returning({ sold_as: singleClass.class_package_id })
  if ('class_package_id' in change || (row?.sold_as && ('starts_at' in change || 'cancelledAt' in change)))
    tx.notify({ topic: 'catalogue' })
}

/**
 * Deletes a class for good, with its coaches and tags, and its series with the last class of it. What else points at the class makes the
 * database refuse.
 */
export async function eraseClass(tx: Tx, single_class_id: number): Promise<void> {
  const [erased] = await tx
    .delete(singleClass)
    .where(eq(singleClass.single_class_id, single_class_id))
    .returning({ class_series_id: singleClass.class_series_id })
  const series = erased?.class_series_id
  if (!series) return
  const others = tx.select({ id: singleClass.single_class_id }).from(singleClass).where(eq(singleClass.class_series_id, series))
  await tx.delete(classSeries).where(and(eq(classSeries.class_series_id, series), notExists(others)))
}

/** Coaches and tags of classes that were just created. */
export async function insertCoachesAndTags(
  tx: Tx,
  class_ids: readonly number[],
  { instructor_ids, tag_ids }: { instructor_ids: readonly number[]; tag_ids: readonly number[] },
): Promise<void> {
  const coaches = class_ids.flatMap((single_class_id) =>
    instructor_ids.map((instructor_id, sort) => ({ single_class_id, instructor_id, sort })),
  )
  const tags = class_ids.flatMap((single_class_id) => tag_ids.map((tag_id) => ({ single_class_id, tag_id })))
  if (coaches.length) await tx.insert(classInstructor).values(coaches)
  if (tags.length) await tx.insert(classTag).values(tags)
}

/** Replaces the instructors of a class, in the given order. */
export async function replaceCoaches(tx: Tx, single_class_id: number, ids: readonly number[]): Promise<void> {
  await tx.delete(classInstructor).where(eq(classInstructor.single_class_id, single_class_id))
  if (ids.length) await tx.insert(classInstructor).values(ids.map((instructor_id, sort) => ({ single_class_id, instructor_id, sort })))
}

export async function replaceTags(tx: Tx, single_class_id: number, ids: readonly number[]): Promise<void> {
  await tx.delete(classTag).where(eq(classTag.single_class_id, single_class_id))
  if (ids.length) await tx.insert(classTag).values(ids.map((tag_id) => ({ single_class_id, tag_id })))
}

export async function listCoachIds(on: Reader, single_class_id: number): Promise<number[]> {
  const rows = await on
    .select({ id: classInstructor.instructor_id })
    .from(classInstructor)
    .where(eq(classInstructor.single_class_id, single_class_id))
    .orderBy(asc(classInstructor.sort), asc(classInstructor.instructor_id))
  return rows.map((row) => row.id)
}

/** References of a class. */
export interface Pointed {
  class_type_id?: number | undefined
  location_id?: number | undefined
  class_category_id?: number | null | undefined
  class_package_id?: number | null | undefined
  instructor_ids?: readonly number[] | undefined
  tag_ids?: readonly number[] | undefined
}

/**
 * Reads the class type and location of a class, and the name of the first field with an unknown reference. Locks them until the transaction
 * ends, so that removing one waits and then sees the class (K8).
 */
export async function findPointed(tx: Tx, input: Pointed) {
  const [type] =
    input.class_type_id === undefined
      ? []
      : await tx
          .select()
          .from(classType)
          .where(and(eq(classType.class_type_id, input.class_type_id), isNull(classType.deletedAt)))
          .for('key share')
  const [branch] =
    input.location_id === undefined
      ? []
      : await tx
          .select()
          .from(location)
          .where(and(eq(location.location_id, input.location_id), isNull(location.deletedAt)))
          .for('key share')
  const missing =
    (input.class_type_id !== undefined && !type && 'class_type_id') ||
    (input.location_id !== undefined && !branch && 'location_id') ||
    ((await lacks(tx, classCategory, classCategory.class_category_id, [input.class_category_id])) && 'class_category_id') ||
    ((await lacks(tx, classPackage, classPackage.class_package_id, [input.class_package_id], isNull(classPackage.deletedAt))) &&
      'class_package_id') ||
    ((await lacks(tx, instructor, instructor.instructor_id, input.instructor_ids, isNull(instructor.deletedAt))) && 'instructor_ids') ||
    ((await lacks(tx, tag, tag.tag_id, input.tag_ids, ne(tag.type, CUSTOMER_TAG))) && 'tag_ids') ||
    null
  return { type: type ?? null, place: branch ?? null, missing }
}

/** Whether one of these ids does not exist; locks the others until the transaction ends. */
async function lacks(
  tx: Tx,
  table: PgTable,
  idColumn: PgColumn,
  named: readonly (number | null | undefined)[] = [],
  still?: SQL,
): Promise<boolean> {
  const ids = [...new Set(named.flatMap((id) => id ?? []))]
  if (ids.length === 0) return false
  const found = await tx
    .select({ id: idColumn })
    .from(table)
    .where(and(inArray(idColumn, ids), still))
    .for('key share')
  return found.length < ids.length
}

/** When and in which rooms classes are. */
export function listRoomUses(on: Reader, ids: readonly number[]) {
  return on
    .select({
      single_class_id: singleClass.single_class_id,
      room_id: singleClass.room_id,
      starts_at: singleClass.starts_at,
      ends_at: singleClass.ends_at,
    })
    .from(singleClass)
    .where(and(inArray(singleClass.single_class_id, [...ids]), isNotNull(singleClass.room_id)))
}

/** The coming classes of a room that are not cancelled, by their start. */
export async function listComingInRoom(on: Reader, room_id: number, now: Date): Promise<number[]> {
  const rows = await on
    .select({ id: singleClass.single_class_id })
    .from(singleClass)
    .where(and(eq(singleClass.room_id, room_id), gt(singleClass.starts_at, now), isNull(singleClass.cancelledAt)))
    .orderBy(asc(singleClass.starts_at), asc(singleClass.single_class_id))
  return rows.map(({ id }) => id)
}

/** Classes that ended before an instant and whose roster is not closed, oldest first. */
export async function listUnsettled(on: Reader, endedBefore: Date, limit: number): Promise<number[]> {
  const rows = await on
    .select({ id: singleClass.single_class_id })
    .from(singleClass)
    .where(and(lte(singleClass.ends_at, endedBefore), isNull(singleClass.settledAt), isNull(singleClass.cancelledAt)))
    .orderBy(asc(singleClass.ends_at))
    .limit(limit)
  return rows.map((row) => row.id)
}
