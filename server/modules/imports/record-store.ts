/** Queries of imports of classes, reservations, notes, past purchases and subscriptions. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ImportSource } from '#contract/imports.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { externalRecord } from './tables.ts'

const texts = (values: readonly (string | number)[]) => sql`(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`

/** The records of refs of a source. */
export async function listRecordRefs(on: Reader, source: ImportSource, refs: readonly string[]): Promise<Map<string, number>> {
  if (refs.length === 0) return new Map()
  const { rows } = await on.execute<{ ref: string; record_id: number }>(sql`
    select ref, record_id from external_record where source = ${source} and ref in ${texts(refs)}`)
  return new Map(rows.map(({ ref, record_id }) => [ref, record_id]))
}

/** Records that something was imported; false when it was already. */
export async function upsertRecordRef(tx: Tx, values: typeof externalRecord.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(externalRecord).values(values).onConflictDoNothing().returning({ ref: externalRecord.ref })
  return inserted.length > 0
}

/** Says which record of ours it became. */
export async function setRecordOfRef(tx: Tx, { source, ref }: { source: ImportSource; ref: string }, record_id: number): Promise<void> {
  await tx
    .update(externalRecord)
    .set({ record_id })
    .where(and(eq(externalRecord.source, source), eq(externalRecord.ref, ref)))
}

export async function deleteRecordRefs(tx: Tx, source: ImportSource, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await tx.delete(externalRecord).where(and(eq(externalRecord.source, source), inArray(externalRecord.ref, [...refs])))
}

export interface ClassAt extends Record<string, unknown> {
  single_class_id: number
  starts_at: string
  timezone: string | null
  class_type: string
  location: string
}

/** Classes between two instants, and those with these ids. */
export async function listClassesAt(on: Reader, between: { from: Date; to: Date } | null, ids: readonly number[]): Promise<ClassAt[]> {
  const { rows } = await on.execute<ClassAt>(sql`
    select c.single_class_id, to_char(c.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at, l.timezone, y.name as class_type, l.name as location
    from single_class c join class_type y using (class_type_id) join location l using (location_id)
    where c."cancelledAt" is null and (${between === null ? sql`false` : sql`c.starts_at between ${between.from.toISOString()} and ${between.to.toISOString()}`}
      or c.single_class_id::text in ${texts(ids)})
    order by c.single_class_id`)
  return rows
}

/** "customer class" of the places that customers have in these classes. */
export async function listBooked(on: Reader, classes: readonly number[]): Promise<Set<string>> {
  if (classes.length === 0) return new Set()
  const { rows } = await on.execute<{ place: string }>(sql`
    select customer_id || ' ' || single_class_id as place from class_reservation
    where single_class_id = any(${`{${classes.join(',')}}`}::integer[]) and host_reservation_id is null and "deletedAt" is null`)
  return new Set(rows.map(({ place }) => place))
}

/** "customer package" of subscriptions that are charged or wait for a card. */
export async function listSubscribed(on: Reader): Promise<Set<string>> {
  const { rows } = await on.execute<{ plan: string }>(sql`
    select customer_id || ' ' || class_package_id as plan from purchase where is_subscription and status in ('active', 'pending')
    union select customer_id || ' ' || class_package_id from pending_subscription where purchase_id is null and "cancelledAt" is null`)
  return new Set(rows.map(({ plan }) => plan))
}

/** Names of the catalogue that the check compares with, in lower case without accents. */
export async function listNames(on: Reader): Promise<{ entity: string; name: string; short: string | null }[]> {
  const { rows } = await on.execute<{ entity: string; name: string; short: string | null }>(sql`
    select 'class_type' as entity, name, null as short from class_type where "deletedAt" is null
    union all select 'location', name, null from location where "deletedAt" is null
    union all select 'instructor', trim(concat_ws(' ', name, last_name)), name from instructor where "deletedAt" is null
    union all select 'instructor', nick_name, null from instructor where "deletedAt" is null and nick_name is not null`)
  return rows
}

/** When a class begins, with the time zone of its location. */
export async function findStart(on: Reader, single_class_id: number): Promise<{ starts_at: Date; timezone: string | null } | null> {
  const { rows } = await on.execute<{ starts_at: string; timezone: string | null }>(sql`
    select to_char(c.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at, l.timezone
    from single_class c join location l using (location_id) where c.single_class_id = ${single_class_id}`)
  return rows[0] ? { starts_at: new Date(rows[0].starts_at), timezone: rows[0].timezone } : null
}
