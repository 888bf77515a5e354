/** What still uses a location, class type or instructor. Queries across lower modules; writes nothing. */
import { sql } from 'drizzle-orm'
import type { UseCount } from '#contract/errors.ts'
import { classPackage, classPackageType, room } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import { countUses } from '#server/platform/references.ts'
import { UNDO_MS } from './rules.ts'
import { classInstructor, singleClass } from './tables.ts'

/** SQL: the class has not ended and is not finally cancelled: a cancellation that can still be undone counts as upcoming. */
const toCome = (now: Date) =>
  sql`(c."cancelledAt" is null or c."cancelledAt" >= ${new Date(now.getTime() - UNDO_MS).toISOString()}) and c.ends_at > ${now.toISOString()}`
/** Packages on sale and usable credits that are restricted to some locations or types. */
const onSale = sql`p.available and p."deletedAt" is null`
const alive = (now: Date) =>
  sql`l."revokedAt" is null and (l.expires_at is null or l.expires_at > ${now.toISOString()}) and (l.unlimited or l.balance > 0)`

type Uses = Promise<UseCount[]>

export function usesOfLocation(tx: Tx, location_id: number, now: Date): Uses {
  return countUses(tx, [
    ['room', sql`select count(*) from ${room} r where r.location_id = ${location_id} and r."deletedAt" is null`],
    ['single_class', sql`select count(*) from ${singleClass} c where c.location_id = ${location_id} and ${toCome(now)}`],
    ['class_package', sql`select count(*) from ${classPackage} p where p.location_ids @> array[${location_id}]::integer[] and ${onSale}`],
    [
      'available_class',
      sql`select count(*) from ${availableClass} l where l.location_ids @> array[${location_id}]::integer[] and ${alive(now)}`,
    ],
  ])
}

export function usesOfRoom(tx: Tx, room_id: number, now: Date): Uses {
  return countUses(tx, [['single_class', sql`select count(*) from ${singleClass} c where c.room_id = ${room_id} and ${toCome(now)}`]])
}

export function usesOfClassType(tx: Tx, class_type_id: number, now: Date): Uses {
  return countUses(tx, [
    ['single_class', sql`select count(*) from ${singleClass} c where c.class_type_id = ${class_type_id} and ${toCome(now)}`],
    [
      'class_package',
      sql`select count(*) from ${classPackageType} t join ${classPackage} p using (class_package_id) where t.class_type_id = ${class_type_id} and ${onSale}`,
    ],
    [
      'available_class',
      sql`select count(*) from ${availableClass} l where l.class_type_ids @> array[${class_type_id}]::integer[] and ${alive(now)}`,
    ],
  ])
}

export function usesOfInstructor(tx: Tx, instructor_id: number, now: Date): Uses {
  return countUses(tx, [
    [
      'single_class',
      sql`select count(*) from ${classInstructor} i join ${singleClass} c using (single_class_id) where i.instructor_id = ${instructor_id} and ${toCome(now)}`,
    ],
    ['staff', sql`select count(*) from ${staff} s where s.instructor_id = ${instructor_id} and s."disabledAt" is null`],
  ])
}

export function usesOfPackage(tx: Tx, class_package_id: number, now: Date): Uses {
  return countUses(tx, [
    ['single_class', sql`select count(*) from ${singleClass} c where c.class_package_id = ${class_package_id} and ${toCome(now)}`],
  ])
}
