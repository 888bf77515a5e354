/** Rooms of classes (docs/domain.md L17, L18): which seats a class gets from its room, and whether an exclusive room is free. */
import { type Refusal, refuse } from '#contract/errors.ts'
import { type RoomMap, roomPlan } from '#contract/room-map.ts'
import { isSpotOn } from '#contract/spots.ts'
import { formatWall, wallClock } from '#contract/time.ts'
import { zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { findRoomClash, findRoomMap, lockExclusive, lockRoomAt, type RoomRow, type RoomUse } from './room-store.ts'
import { wallDay } from './rules.ts'

export type { RoomUse } from './room-store.ts'

/** The seats of a class as its row stores them. */
export interface Seating {
  room_id: number | null
  spot_map: string | null
  closed_spots: string[]
}

interface SentSeating {
  location_id?: number | undefined
  room_id?: number | null | undefined
  class_date?: string | undefined
  spot_map?: string | null | undefined
  closed_spots?: readonly string[] | undefined
}

/** A room of a location; null = none was named. Locks it until the transaction ends. NOT_FOUND with its field. */
export async function requireRoom(tx: Tx, room_id: number | null | undefined, location_id: number): Promise<RoomRow | null> {
  if (!room_id) return null
  const found = await lockRoomAt(tx, room_id, location_id)
  if (!found) throw refuse('NOT_FOUND', { field: 'room_id' })
  return found
}

/** The seats in a room with a map on a day: what the map closes, and what is closed for this class alone. */
export function seatsOn(map: RoomMap, wall: Date, own: readonly string[]): Pick<Seating, 'closed_spots'> & { spot_map: string } {
  const { spot_map, closed_spots } = roomPlan(map, wallDay(wall))
  const added = own.filter((spot) => isSpotOn(spot_map, spot) && !closed_spots.includes(spot))
  return { spot_map, closed_spots: [...closed_spots, ...added] }
}

/** The seats that are closed for this class alone. */
export function ownClosed(map: RoomMap | null, wall: Date, closed_spots: readonly string[]): string[] {
  if (!map) return [...closed_spots]
  const closed = new Set(roomPlan(map, wallDay(wall)).closed_spots)
  return closed_spots.filter((spot) => !closed.has(spot))
}

/**
 * The room and seats of a class after a change (L18). A class that moves to another location leaves its room; one that leaves a room with a
 * map keeps its seats. NOT_FOUND.
 */
export async function seatingAfter(
  tx: Tx,
  cls: Seating & { location_id: number; wall: Date },
  sent: SentSeating,
): Promise<Seating & { changes: boolean }> {
  const location_id = sent.location_id ?? cls.location_id
  const room_id = sent.room_id !== undefined ? sent.room_id : location_id === cls.location_id ? cls.room_id : null
  const wall = sent.class_date === undefined ? cls.wall : new Date(sent.class_date)
  const before = cls.room_id === null ? null : { map: await findRoomMap(tx, cls.room_id) }
  const after = room_id === cls.room_id ? before : await requireRoom(tx, room_id, location_id)
  const stillClosed = room_id === cls.room_id ? ownClosed(before?.map ?? null, cls.wall, cls.closed_spots) : []
  const seats = after?.map
    ? seatsOn(after.map, wall, sent.closed_spots ?? stillClosed)
    : {
        spot_map: sent.spot_map === undefined ? cls.spot_map : sent.spot_map,
        closed_spots: [...(sent.closed_spots ?? (sent.spot_map === undefined ? cls.closed_spots : []))],
      }
  const changes = room_id !== cls.room_id || seats.spot_map !== cls.spot_map || seats.closed_spots.join() !== cls.closed_spots.join()
  return { room_id, ...seats, changes }
}

/**
 * Why classes cannot be in their rooms: an exclusive one has another class at that time (L17). Locks the exclusive rooms, so that two
 * requests cannot both find them free. Null when they can; `index` of the refusal is the position of the first.
 */
export async function whyNotFree(tx: Tx, ctx: Ctx, uses: readonly RoomUse[]): Promise<Refusal | null> {
  const ids = [...new Set(uses.flatMap(({ room_id }) => room_id ?? []))]
  if (ids.length === 0) return null
  if ((await lockExclusive(tx, ids)) === 0) return null
  const clash = await findRoomClash(tx, uses)
  if (!clash) return null
  const when = formatWall(wallClock(new Date(clash.starts), zoneOf(clash, ctx.settings)), 'class')
  return refuse('ROOM_TAKEN', { room: clash.room, name: clash.name, when, single_class_id: clash.id })
}
