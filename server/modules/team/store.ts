import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { instructor, location } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { only, type Reader, type Tx } from '#server/platform/db.ts'

export type StaffRow = typeof staff.$inferSelect

/** Everybody of the staff, by name; those who are disabled at the end. */
export async function listStaff(db: Reader): Promise<StaffRow[]> {
  return db.select().from(staff).orderBy(sql`${staff.disabledAt} is not null`, staff.name, staff.staff_id)
}

export async function findStaff(db: Reader, staff_id: number): Promise<StaffRow | null> {
  const [found] = await db.select().from(staff).where(eq(staff.staff_id, staff_id))
  return found ?? null
}

/** Locks one of the staff before their row changes. */
export async function lockStaff(tx: Tx, staff_id: number): Promise<StaffRow | null> {
  const [found] = await tx.select().from(staff).where(eq(staff.staff_id, staff_id)).for('no key update')
  return found ?? null
}

export async function updateStaff(tx: Tx, staff_id: number, values: Partial<typeof staff.$inferInsert>): Promise<StaffRow> {
  return only(await tx.update(staff).set(values).where(eq(staff.staff_id, staff_id)).returning())
}

/** Which of these locations the studio has. */
export async function existingLocations(db: Reader, location_ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ location_id: location.location_id })
    .from(location)
    .where(and(inArray(location.location_id, [...location_ids]), isNull(location.deletedAt)))
  return rows.map((row) => row.location_id)
}

/** A coach of the studio by id: the address of the photo. Null when there is no such coach. */
export async function findInstructorPhoto(db: Reader, instructor_id: number): Promise<{ photo: string | null } | null> {
  const [found] = await db
    .select({ photo: instructor.photo })
    .from(instructor)
    .where(and(eq(instructor.instructor_id, instructor_id), isNull(instructor.deletedAt)))
  return found ?? null
}
