/** Classes of another system's schedule, past ones too (docs/domain.md IM9). */
import { refuse } from '#contract/errors.ts'
import { fromWallClock, wallClock } from '#contract/time.ts'
import { zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { listReferences } from '#server/platform/references.ts'
import { requireRoom, seatsOn, whyNotFree } from './rooms.ts'
import { eraseClass, findPointed, insertClasses, insertCoachesAndTags, listRoomUses, lockRow } from './store.ts'

export interface ClassToImport {
  class_type_id: number
  location_id: number
  room_id: number | null
  instructor_ids: readonly number[]
  /** "2026-12-01T19:00" on the clocks of the location. */
  starts: string
  /** Null: the usual length of its type. */
  minutes: number | null
  capacity: number
  spot_map: string | null
  /** For the audit trail. */
  reason: string
}

/** Writes one class; a past one is closed, so that its customers do not count as absent. NOT_FOUND, ROOM_TAKEN. */
export async function addImportedClass(tx: Tx, ctx: Ctx, input: ClassToImport): Promise<number> {
  const { class_type_id, location_id, instructor_ids, capacity } = input
  const { type, place, missing } = await findPointed(tx, { class_type_id, location_id, instructor_ids })
  if (missing || !type || !place) throw refuse('NOT_FOUND', { field: missing })
  const room = await requireRoom(tx, input.room_id, location_id)
  const wall = new Date(`${input.starts}:00Z`)
  const starts_at = fromWallClock(wall, zoneOf(place, ctx.settings))
  const ends_at = new Date(starts_at.getTime() + (input.minutes ?? type.duration_minutes) * 60_000)
  const isOver = ends_at <= ctx.now
  const [single_class_id = 0] = await insertClasses(tx, [
    {
      class_type_id,
      location_id,
      room_id: room?.room_id ?? null,
      starts_at,
      ends_at,
      capacity,
      ...(room?.map && !isOver ? seatsOn(room.map, wall, []) : { spot_map: input.spot_map }),
      settledAt: isOver ? ends_at : null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    },
  ])
  await insertCoachesAndTags(tx, [single_class_id], { instructor_ids, tag_ids: [] })
  const no = isOver ? null : await whyNotFree(tx, ctx, await listRoomUses(tx, [single_class_id]))
  if (no) throw no
  tx.notify({ topic: 'class', single_class_id, class_date: wall.toISOString() })
  await ctx.audit(tx, {
    action: 'class.create',
    entity: 'single_class',
    entity_id: single_class_id,
    reason: input.reason,
    after: { class_type_id, location_id, class_date: wall.toISOString(), capacity, single_class_ids: [single_class_id] },
  })
  return single_class_id
}

/** Deletes an unchanged class without references. False when it was changed or is referenced. */
export async function eraseImportedClass(tx: Tx, ctx: Ctx, single_class_id: number): Promise<boolean> {
  const row = await lockRow(tx, single_class_id)
  if (!row) return true
  if (row.taken > 0 || row.held > 0 || row.cancelledAt !== null || row.own_changes) return false
  if ((await listReferences(tx, 'single_class', single_class_id)).length > 0) return false
  await eraseClass(tx, single_class_id)
  tx.notify({ topic: 'class', single_class_id, class_date: wallClock(row.starts_at, zoneOf(row, ctx.settings)).toISOString() })
  return true
}
