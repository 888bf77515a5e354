/** Records of the catalogue by their name, made where there is none: for files of other systems, which know no ids (docs/domain.md IM9). */
import { sql } from 'drizzle-orm'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { listReferences } from '#server/platform/references.ts'
import { plainText } from '#server/platform/search.ts'

type NamedEntity = 'class_type' | 'instructor' | 'location' | 'room' | 'tag'

/** One at a time: two rows of two processes may name the same new coach. */
async function lockNames(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('catalogue.names'))`)
}

const NAME: Readonly<Record<NamedEntity, ReturnType<typeof sql>>> = {
  class_type: sql`name`,
  instructor: sql`trim(concat_ws(' ', name, last_name))`,
  location: sql`name`,
  room: sql`name`,
  tag: sql`name`,
}
const LIVING: Readonly<Record<NamedEntity, ReturnType<typeof sql>>> = {
  class_type: sql`"deletedAt" is null`,
  instructor: sql`"deletedAt" is null`,
  location: sql`"deletedAt" is null`,
  room: sql`"deletedAt" is null`,
  tag: sql`type = 'customer'`,
}

/**
 * Its id; null when there is none. Capitals and accents do not matter; a coach may be named by first name or nick name where that is
 * one's only.
 */
async function findByName(on: Reader, entity: NamedEntity, name: string, within?: { location_id: number }): Promise<number | null> {
  const id = sql.identifier(`${entity}_id`)
  const wanted = plainText(sql`${name}::text`)
  const here = within ? sql`and location_id = ${within.location_id}` : sql``
  const { rows } = await on.execute<{ id: number }>(sql`
    select ${id} as id from ${sql.identifier(entity)} where ${LIVING[entity]} and ${plainText(NAME[entity])} = ${wanted} ${here} order by 1 limit 1`)
  if (rows[0] || entity !== 'instructor') return rows[0]?.id ?? null
  const { rows: short } = await on.execute<{ id: number }>(sql`
    select instructor_id as id from instructor where "deletedAt" is null
      and (${plainText(sql`name`)} = ${wanted} or ${plainText(sql`coalesce(nick_name, '')`)} = ${wanted}) limit 2`)
  return short.length === 1 ? (short[0]?.id ?? null) : null
}

/** Finds a record by name, or makes one with this name and nothing else that a person would have to decide. */
export async function ensureByName(
  tx: Tx,
  entity: NamedEntity,
  name: string,
  more: { location_id?: number; timezone?: string | null; duration_minutes?: number; last_name?: string; given?: string } = {},
): Promise<{ id: number; isNew: boolean }> {
  const within = more.location_id === undefined ? undefined : { location_id: more.location_id }
  const found = await findByName(tx, entity, name, within)
  if (found !== null) return { id: found, isNew: false }
  await lockNames(tx)
  const meanwhile = await findByName(tx, entity, name, within)
  if (meanwhile !== null) return { id: meanwhile, isNew: false }
  const inserted = {
    class_type: sql`insert into class_type (name, duration_minutes) values (${name}, ${more.duration_minutes ?? 50}) returning class_type_id as id`,
    instructor: sql`insert into instructor (name, last_name, is_home) values (${more.given ?? name}, ${more.last_name ?? ''}, false) returning instructor_id as id`,
    location: sql`insert into location (name, timezone) values (${name}, ${more.timezone ?? null}) returning location_id as id`,
    room: sql`insert into room (name, location_id, exclusive) values (${name}, ${more.location_id ?? 0}, false) returning room_id as id`,
    tag: sql`insert into tag (name, type) values (${name}, 'customer') returning tag_id as id`,
  }[entity]
  const { rows } = await tx.execute<{ id: number }>(inserted)
  tx.notify({ topic: 'catalogue' })
  return { id: singleRow(rows).id, isNew: true }
}

/** Deletes a record to which nothing refers; false when something does. */
export async function eraseUnused(tx: Tx, entity: NamedEntity, id: number): Promise<boolean> {
  if ((await listReferences(tx, entity, id, 'with cascades')).length > 0) return false
  await tx.execute(sql`delete from ${sql.identifier(entity)} where ${sql.identifier(`${entity}_id`)} = ${id}`)
  tx.notify({ topic: 'catalogue' })
  return true
}

/** The studio's only location; null when there are several or none. */
export async function onlyLocation(on: Reader): Promise<number | null> {
  const { rows } = await on.execute<{ id: number }>(
    sql`select location_id as id from location where "deletedAt" is null and "archivedAt" is null limit 2`,
  )
  return rows.length === 1 ? (rows[0]?.id ?? null) : null
}
