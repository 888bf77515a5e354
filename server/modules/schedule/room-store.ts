/** Queries of rooms and the classes in them. */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { RoomMap } from '#contract/room-map.ts'
import { room } from '#server/modules/catalogue/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { singleClass } from './tables.ts'

export type RoomRow = typeof room.$inferSelect

/** A class that is to be in a room; `single_class_id` null = it has no row yet. */
export interface RoomUse {
  single_class_id: number | null
  room_id: number | null
  starts_at: Date
  ends_at: Date
}

/** A room of a location that was not removed, locked until the transaction ends, so that removing it waits. */
export async function lockRoomAt(tx: Tx, room_id: number, location_id: number): Promise<RoomRow | null> {
  const [found] = await tx
    .select()
    .from(room)
    .where(and(eq(room.room_id, room_id), eq(room.location_id, location_id), isNull(room.deletedAt)))
    .for('key share')
  return found ?? null
}

/** Also of a room that was removed: its classes keep their seats. */
export async function findRoomMap(on: Reader, room_id: number): Promise<RoomMap | null> {
  const [found] = await on.select({ map: room.map }).from(room).where(eq(room.room_id, room_id))
  return found?.map ?? null
}

/** The names of the rooms of some classes, by class; a room that was removed keeps its name. */
export async function listRoomNames(on: Reader, single_class_ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (single_class_ids.length === 0) return new Map()
  const rows = await on
    .select({ single_class_id: singleClass.single_class_id, name: room.name })
    .from(singleClass)
    .innerJoin(room, eq(room.room_id, singleClass.room_id))
    .where(inArray(singleClass.single_class_id, [...single_class_ids]))
  return new Map(rows.map((row) => [row.single_class_id, row.name]))
}

/** Locks those of these rooms that take one class at a time, and answers how many they are. */
export async function lockExclusive(tx: Tx, room_ids: readonly number[]): Promise<number> {
  const rows = await tx
    .select({ room_id: room.room_id })
    .from(room)
    .where(and(inArray(room.room_id, [...room_ids]), room.exclusive))
    .orderBy(asc(room.room_id))
    .for('no key update')
  return rows.length
}

/** The first class that is in an exclusive room at the time of one of these: its name and start, and the id of the class that meets it. */
export async function findRoomClash(on: Reader, uses: readonly RoomUse[]) {
  const wanted = uses.map((use) => ({ id: use.single_class_id, room: use.room_id, starts: use.starts_at, ends: use.ends_at }))
  const { rows } = await on.execute<{ id: number | null; room: string; name: string; starts: string; timezone: string | null }>(sql`
    select u.id, r.name as room, t.name, c.starts_at as starts, l.timezone
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as u (id integer, room integer, starts timestamptz, ends timestamptz)
    join room r on r.room_id = u.room and r.exclusive
    join single_class c on c.room_id = u.room and c.starts_at < u.ends and c.ends_at > u.starts and c.single_class_id is distinct from u.id
    join class_type t on t.class_type_id = c.class_type_id
    join location l on l.location_id = c.location_id
    where c."cancelledAt" is null
    order by c.starts_at, u.id limit 1`)
  return rows[0] ?? null
}
