/** The next class of an hour of the week, and what it could be changed to; read-only. */
import { sql } from 'drizzle-orm'
import { type RoomMap, seatsForSale } from '#contract/room-map.ts'
import { addDays, endOfDay, type LocalDate, localDate } from '#contract/time.ts'
import { atLocations } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, sqlClasses, sqlWallClock, typeName } from './occupancy-store.ts'

/** Days within which the next class of an hour is looked for. */
const AHEAD_DAYS = 28

export interface NextClass extends Record<string, unknown> {
  single_class_id: number
  /** "4-18:00", on the clock of its location. */
  slot: string
  type: string
  location: string
  location_id: number
  day: LocalDate
  capacity: number
  room_id: number | null
  starts: number
  ends: number
  /** Rooms of its location that other classes use meanwhile. */
  used_rooms: number[]
  /** From when until when its coaches or its room are in another class, within a day of it. */
  busy: [number, number][]
}

/** The next class of each type and location at some hours of the week, as of `now`. Instants are seconds. */
export async function listNextClasses(
  db: Reader,
  { now, slots, ...filter }: ClassFilter & { now: Date; slots: readonly string[] },
  zone: string,
): Promise<NextClass[]> {
  const today = localDate(now, zone)
  const until = endOfDay(addDays(today, AHEAD_DAYS), zone)
  const period = { days: { from: today, to: addDays(today, AHEAD_DAYS) }, from: now, until }
  const seconds = (column: string) => sql.raw(`extract(epoch from ${column})::float8`)
  const { rows } = await db.execute<NextClass>(sql`
    with k as materialized (
      select distinct on (slot, type, location) * from (
        select c.single_class_id, to_char(${sqlWallClock(zone)}, 'ID-HH24:MI') as slot, ${typeName} as type, l.name as location, c.location_id,
          to_char(${sqlWallClock(zone)}, 'YYYY-MM-DD') as day, c.capacity, c.room_id, c.starts_at, c.ends_at
        from ${sqlClasses(period, { ...filter, slot: undefined }, zone)} and c.capacity > 0
          and to_char(${sqlWallClock(zone)}, 'ID-HH24:MI') = any(${`{${slots.join(',')}}`}::text[])
      ) of_hour order by slot, type, location, starts_at, single_class_id
    )
    select k.single_class_id, k.slot, k.type, k.location, k.location_id, k.day, k.capacity, k.room_id,
      ${seconds('k.starts_at')} as starts, ${seconds('k.ends_at')} as ends,
      array(select distinct o.room_id from single_class o where o.location_id = k.location_id and o.room_id is not null and o."cancelledAt" is null
        and o.starts_at < k.ends_at and o.ends_at > k.starts_at) as used_rooms,
      (select coalesce(json_agg(json_build_array(${seconds('o.starts_at')}, ${seconds('o.ends_at')})), '[]') from single_class o
        where o."cancelledAt" is null and o.single_class_id <> k.single_class_id
          and o.starts_at > k.starts_at - interval '1 day' and o.starts_at < k.starts_at + interval '1 day'
          and (o.room_id = k.room_id or exists (select from class_instructor a join class_instructor b using (instructor_id)
            where a.single_class_id = o.single_class_id and b.single_class_id = k.single_class_id))) as busy
    from k`)
  return rows
}

export interface RoomSize {
  room_id: number
  location_id: number
  /** People that fit: its own number, or else the seats of its map that are sold. */
  spots: number
}

/** The rooms in use of some locations whose size is known, from the smallest on. */
export async function listRoomSizes(db: Reader, location_ids: readonly number[]): Promise<RoomSize[]> {
  const { rows } = await db.execute<{ room_id: number; location_id: number; capacity: number | null; map: RoomMap | null }>(sql`
    select room_id, location_id, capacity, map from room
    where "deletedAt" is null and "archivedAt" is null ${atLocations(sql`location_id`, [...location_ids])} order by room_id`)
  return rows
    .flatMap(({ room_id, location_id, capacity, map }) => {
      const spots = capacity ?? (map && seatsForSale(map, null))
      return spots === null ? [] : [{ room_id, location_id, spots }]
    })
    .sort((a, b) => a.spots - b.spots)
}
