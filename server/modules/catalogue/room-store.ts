/** Queries of the maps of rooms: the only writes to them. */
import { and, eq, isNull } from 'drizzle-orm'
import type { RoomMap } from '#contract/room-map.ts'
import type { Tx } from '#server/platform/db.ts'
import { room } from './tables.ts'

/** A room that was not removed, locked until the transaction ends: classes that are created in it wait for its new map. */
export async function lockRoom(tx: Tx, room_id: number) {
  const [row] = await tx
    .select()
    .from(room)
    .where(and(eq(room.room_id, room_id), isNull(room.deletedAt)))
    .for('update')
  return row ?? null
}

export async function updateRoomMap(tx: Tx, room_id: number, map: RoomMap | null, updatedAt: Date): Promise<void> {
  await tx.update(room).set({ map, updatedAt }).where(eq(room.room_id, room_id))
}
