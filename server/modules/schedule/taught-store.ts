/** What still needs a studio, a type of class or a coach. Reads across lower modules; writes nothing. */
import { sql } from 'drizzle-orm'
import { classPackage, classPackageType } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import { UNDO_MS } from './rules.ts'
import { classInstructor, singleClass } from './tables.ts'

async function isTrue(tx: Tx, question: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await tx.execute<{ answer: boolean }>(sql`select ${question} as answer`)
  return rows[0]?.answer === true
}

/** A class that has not ended and was not called off for good: as long as that can be taken back it may still come. */
const toCome = (now: Date) =>
  sql`(c."cancelledAt" is null or c."cancelledAt" >= ${new Date(now.getTime() - UNDO_MS).toISOString()}) and c.ends_at > ${now.toISOString()}`
/** A package on sale, and credits that can still pay, where they are bound to certain places or types. */
const onSale = sql`p.available and p."deletedAt" is null`
const alive = (now: Date) =>
  sql`l."revokedAt" is null and (l.expires_at is null or l.expires_at > ${now.toISOString()}) and (l.unlimited or l.balance > 0)`

export function isLocationNeeded(tx: Tx, location_id: number, now: Date): Promise<boolean> {
  return isTrue(
    tx,
    sql`exists (select 1 from ${singleClass} c where c.location_id = ${location_id} and ${toCome(now)})
      or exists (select 1 from ${classPackage} p where p.location_ids @> array[${location_id}]::integer[] and ${onSale})
      or exists (select 1 from ${availableClass} l where l.location_ids @> array[${location_id}]::integer[] and ${alive(now)})`,
  )
}

export function isClassTypeNeeded(tx: Tx, class_type_id: number, now: Date): Promise<boolean> {
  return isTrue(
    tx,
    sql`exists (select 1 from ${singleClass} c where c.class_type_id = ${class_type_id} and ${toCome(now)})
      or exists (select 1 from ${classPackageType} t join ${classPackage} p using (class_package_id) where t.class_type_id = ${class_type_id} and ${onSale})
      or exists (select 1 from ${availableClass} l where l.class_type_ids @> array[${class_type_id}]::integer[] and ${alive(now)})`,
  )
}

export function isInstructorNeeded(tx: Tx, instructor_id: number, now: Date): Promise<boolean> {
  return isTrue(
    tx,
    sql`exists (select 1 from ${classInstructor} i join ${singleClass} c using (single_class_id) where i.instructor_id = ${instructor_id} and ${toCome(now)})
      or exists (select 1 from ${staff} s where s.instructor_id = ${instructor_id} and s."disabledAt" is null)`,
  )
}

export function isPackageNeeded(tx: Tx, class_package_id: number, now: Date): Promise<boolean> {
  return isTrue(tx, sql`exists (select 1 from ${singleClass} c where c.class_package_id = ${class_package_id} and ${toCome(now)})`)
}
