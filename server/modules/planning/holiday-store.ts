/** Queries of holidays and absences of coaches; the only writes to them. */
import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { instructor } from '#server/modules/catalogue/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { holiday, instructorAbsence } from './tables.ts'

export type HolidayRow = typeof holiday.$inferSelect
export type HolidayFields = Pick<HolidayRow, 'name' | 'from_day' | 'to_day' | 'location_ids' | 'public'>

/** Holidays that touch some days. */
export function listHolidayRows(on: Reader, { from, to }: { from: LocalDate; to: LocalDate }): Promise<HolidayRow[]> {
  return on
    .select()
    .from(holiday)
    .where(and(lte(holiday.from_day, to), gte(holiday.to_day, from)))
    .orderBy(asc(holiday.from_day), asc(holiday.holiday_id))
}

/** Lets one transaction at a time check and write holidays; reads are not blocked. */
export async function lockHolidays(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table ${holiday} in share row exclusive mode`)
}

/** The name of a holiday of the same days and locations; null = none. `except`: not this one. */
export async function findOverlap(tx: Tx, fields: HolidayFields, except: number): Promise<string | null> {
  const { from_day, to_day, location_ids } = fields
  const there =
    location_ids === null ? sql`` : sql`and (location_ids is null or location_ids && ${`{${location_ids.join(',')}}`}::integer[])`
  const { rows } = await tx.execute<{ name: string }>(sql`select name from holiday
    where from_day <= ${to_day} and to_day >= ${from_day} and holiday_id <> ${except} ${there} order by from_day limit 1`)
  return rows[0]?.name ?? null
}

export async function insertHoliday(tx: Tx, fields: HolidayFields, now: Date): Promise<HolidayRow> {
  return singleRow(
    await tx
      .insert(holiday)
      .values({ ...fields, createdAt: now, updatedAt: now })
      .returning(),
  )
}

export async function lockHoliday(tx: Tx, holiday_id: number): Promise<HolidayRow | null> {
  const [row] = await tx.select().from(holiday).where(eq(holiday.holiday_id, holiday_id)).for('update')
  return row ?? null
}

export async function updateHoliday(tx: Tx, holiday_id: number, fields: HolidayFields, now: Date): Promise<HolidayRow> {
  return singleRow(
    await tx
      .update(holiday)
      .set({ ...fields, updatedAt: now })
      .where(eq(holiday.holiday_id, holiday_id))
      .returning(),
  )
}

export async function deleteHoliday(tx: Tx, holiday_id: number): Promise<void> {
  await tx.delete(holiday).where(eq(holiday.holiday_id, holiday_id))
}

/** Ids of locations among these that do not exist or were removed. */
export async function listUnknownLocations(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`select n as id from unnest(${`{${ids.join(',')}}`}::integer[]) n
    where not exists (select 1 from location l where l.location_id = n and l."deletedAt" is null)`)
  return rows.map((row) => row.id)
}

/** Classes to come, not cancelled, on some days on the clocks of their locations. `zone`: of locations without one. */
export async function listClassesOn(
  on: Reader,
  { from_day, to_day, location_ids, instructor_id }: Omit<HolidayFields, 'name' | 'public'> & { instructor_id?: number },
  { now, zone }: { now: Date; zone: string },
): Promise<number[]> {
  const there = location_ids === null ? sql`` : sql`and c.location_id = any(${`{${location_ids.join(',')}}`}::integer[])`
  const by =
    instructor_id === undefined
      ? sql``
      : sql`and exists (select 1 from class_instructor k where k.single_class_id = c.single_class_id and k.instructor_id = ${instructor_id})`
  const { rows } = await on.execute<{
    id: number
  }>(sql`select c.single_class_id as id from single_class c join location l using (location_id)
    where c.starts_at >= ${from_day}::date - interval '15 hours' and c.starts_at < ${to_day}::date + interval '39 hours'
      and (c.starts_at at time zone coalesce(l.timezone, ${zone}))::date between ${from_day}::date and ${to_day}::date
      and c.starts_at > ${now.toISOString()}::timestamptz and c."cancelledAt" is null ${there} ${by}
    order by c.single_class_id`)
  return rows.map((row) => row.id)
}

const absenceColumns = {
  instructor_absence_id: instructorAbsence.instructor_absence_id,
  instructor_id: instructorAbsence.instructor_id,
  from_day: instructorAbsence.from_day,
  to_day: instructorAbsence.to_day,
  reason: instructorAbsence.reason,
  updatedAt: instructorAbsence.updatedAt,
  name: instructor.name,
  last_name: instructor.last_name,
  nick_name: instructor.nick_name,
}

/** Absences that end on a day or later. */
export function listAbsenceRows(on: Reader, from: LocalDate) {
  return on
    .select(absenceColumns)
    .from(instructorAbsence)
    .innerJoin(instructor, eq(instructor.instructor_id, instructorAbsence.instructor_id))
    .where(gte(instructorAbsence.to_day, from))
    .orderBy(asc(instructorAbsence.from_day), asc(instructorAbsence.instructor_absence_id))
}

export async function insertAbsence(tx: Tx, row: typeof instructorAbsence.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(instructorAbsence).values(row).returning({ id: instructorAbsence.instructor_absence_id })).id
}

/** Reads and locks an absence; null = there is none. */
export async function lockAbsence(tx: Tx, instructor_absence_id: number) {
  const own = eq(instructorAbsence.instructor_absence_id, instructor_absence_id)
  const [row] = await tx.select().from(instructorAbsence).where(own).for('update')
  return row ?? null
}

export async function updateAbsence(
  tx: Tx,
  instructor_absence_id: number,
  fields: Pick<typeof instructorAbsence.$inferSelect, 'from_day' | 'to_day' | 'reason' | 'updatedAt'>,
): Promise<void> {
  await tx.update(instructorAbsence).set(fields).where(eq(instructorAbsence.instructor_absence_id, instructor_absence_id))
}

/** Deletes an absence and returns it; null = there is none. */
export async function deleteAbsence(tx: Tx, instructor_absence_id: number) {
  const [row] = await tx.delete(instructorAbsence).where(eq(instructorAbsence.instructor_absence_id, instructor_absence_id)).returning()
  return row ?? null
}
