/** The calendar: classes, their coaches, places and rooms. Who takes the places is the bookings' business. */
import { studioZone } from '#contract/settings.ts'
import { wallClock } from '#contract/time.ts'
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { placesLeft } from './rules.ts'
import { lockRow } from './store.ts'
import type { ClassCore } from './timetable.ts'

export { type Days, daysAsked, placesLeft } from './rules.ts'
export { type ClassCore, type ClassFacts, type ShownClass, timetable } from './timetable.ts'

/**
 * The one gate to a class's places (architecture section 5): its row, locked until the transaction ends. Whoever takes or frees a
 * place passes here first, in ascending order of ids when there are several. Throws CLASS_NOT_FOUND.
 */
export async function lockClass(tx: Tx, ctx: Ctx, single_class_id: number): Promise<ClassCore> {
  const row = await lockRow(tx, single_class_id)
  if (!row) throw refuse('CLASS_NOT_FOUND')
  const zone = row.timezone ?? studioZone(ctx.settings)
  return { ...row, zone, wall: wallClock(row.starts_at, zone), cancelled: row.cancelledAt !== null, places_left: placesLeft(row) }
}
