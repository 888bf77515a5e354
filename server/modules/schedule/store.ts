/** Queries of the classes; the only writes to them. `taken` is never written here: the database keeps it. */
import { and, asc, eq, getTableColumns, inArray, isNull, lte, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { CUSTOMER_TAG } from '#contract/customer-file.ts'
import { classCategory, classPackage, classType, instructor, location, tag } from '#server/modules/catalogue/tables.ts'
import { only, prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { classInstructor, classSeries, classTag, singleClass } from './tables.ts'

const gate = prepared('schedule.lock', (on: Tx) =>
  on
    .select({ ...getTableColumns(singleClass), timezone: location.timezone })
    .from(singleClass)
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(eq(singleClass.single_class_id, sql.placeholder('id')))
    // "no key": whoever only points at the class (a new reservation's foreign key) need not wait.
    .for('no key update', { of: singleClass }),
)

/** The class's row, locked until the transaction ends. */
export async function lockRow(tx: Tx, single_class_id: number) {
  const [row] = await gate(tx).execute({ id: single_class_id })
  return row ?? null
}

/** Also of a type that was removed since: an old class keeps it. */
export async function findTypeOf(on: Reader, class_type_id: number): Promise<{ name: string; price_centavos: number | null }> {
  const rows = await on
    .select({ name: classType.name, price_centavos: classType.price_centavos })
    .from(classType)
    .where(eq(classType.class_type_id, class_type_id))
  return only(rows)
}

type NewClass = typeof singleClass.$inferInsert
/** What can be written of a class; the counters are the database's own. */
export type ClassChange = Partial<Omit<NewClass, 'single_class_id' | 'taken' | 'held'>>

export async function insertSeries(tx: Tx, repeat_until: string, createdAt: Date): Promise<number> {
  return only(await tx.insert(classSeries).values({ repeat_until, createdAt }).returning({ id: classSeries.class_series_id })).id
}

export async function insertClasses(tx: Tx, rows: NewClass[]): Promise<number[]> {
  const made = await tx.insert(singleClass).values(rows).returning({ id: singleClass.single_class_id })
  // A special event is sold until its last class (K13): what the catalogue shows is another.
  if (rows.some((row) => row.class_package_id)) tx.notify({ topic: 'catalogue' })
  return made.map((row) => row.id)
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

/** The coaches of a class, in this order and no others. */
/** Deletes a class for good, with its coaches and tags, and its series with the last class of it. What else points at the class makes the database refuse. */
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

export async function putCoaches(tx: Tx, single_class_id: number, ids: readonly number[]): Promise<void> {
  await tx.delete(classInstructor).where(eq(classInstructor.single_class_id, single_class_id))
  if (ids.length) await tx.insert(classInstructor).values(ids.map((instructor_id, sort) => ({ single_class_id, instructor_id, sort })))
}

export async function putTags(tx: Tx, single_class_id: number, ids: readonly number[]): Promise<void> {
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

/** What a class may point at. */
export interface Pointed {
  class_type_id?: number | undefined
  location_id?: number | undefined
  class_category_id?: number | null | undefined
  class_package_id?: number | null | undefined
  instructor_ids?: readonly number[] | undefined
  tag_ids?: readonly number[] | undefined
}

/**
 * The class type and the place that a class names, and the name of the first field that points at nothing. What is found stays until the
 * transaction ends: whoever removes it waits, and then sees the class (K8).
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
  const [place] =
    input.location_id === undefined
      ? []
      : await tx
          .select()
          .from(location)
          .where(and(eq(location.location_id, input.location_id), isNull(location.deletedAt)))
          .for('key share')
  const missing =
    (input.class_type_id !== undefined && !type && 'class_type_id') ||
    (input.location_id !== undefined && !place && 'location_id') ||
    ((await lacks(tx, classCategory, classCategory.class_category_id, [input.class_category_id])) && 'class_category_id') ||
    ((await lacks(tx, classPackage, classPackage.class_package_id, [input.class_package_id], isNull(classPackage.deletedAt))) &&
      'class_package_id') ||
    ((await lacks(tx, instructor, instructor.instructor_id, input.instructor_ids, isNull(instructor.deletedAt))) && 'instructor_ids') ||
    ((await lacks(tx, tag, tag.tag_id, input.tag_ids, ne(tag.type, CUSTOMER_TAG))) && 'tag_ids') ||
    null
  return { type: type ?? null, place: place ?? null, missing }
}

/** Whether one of these is not there; the others stay until the transaction ends. */
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

/** Classes that ended before an instant and of which nobody decided yet who came, oldest first. */
export async function listUnsettled(on: Reader, endedBefore: Date, limit: number): Promise<number[]> {
  const rows = await on
    .select({ id: singleClass.single_class_id })
    .from(singleClass)
    .where(and(lte(singleClass.ends_at, endedBefore), isNull(singleClass.settledAt), isNull(singleClass.cancelledAt)))
    .orderBy(asc(singleClass.ends_at))
    .limit(limit)
  return rows.map((row) => row.id)
}
