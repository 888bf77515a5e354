/** The calendar: classes, their coaches and rooms. Who takes the places, and so the week as people see it, is the bookings' business. */
import { refuse } from '#contract/errors.ts'
import { wallClock } from '#contract/time.ts'
import { zoneOf } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { placesLeft } from './rules.ts'
import { lockRow } from './store.ts'

export { type Days, daysAsked, placesLeft } from './rules.ts'

/** What a class is, without who is looking and without the hour. */
export interface ClassCore {
  single_class_id: number
  class_type_id: number
  location_id: number
  /** The package that it is sold as, when it is. */
  class_package_id: number | null
  starts_at: Date
  ends_at: Date
  /** The start on the class's own clocks, written as UTC (decision 2). */
  wall: Date
  zone: string
  capacity: number | null
  taken: number
  held: number
  places_left: number
  spot_map: string | null
  closed_spots: readonly string[]
  cancelled: boolean
}

/**
 * The one gate to a class's places (architecture section 5): its row, locked until the transaction ends. Whoever takes or frees a
 * place passes here first, in ascending order of ids when there are several. Throws CLASS_NOT_FOUND.
 */
export async function lockClass(tx: Tx, ctx: Ctx, single_class_id: number): Promise<ClassCore> {
  const row = await lockRow(tx, single_class_id)
  if (!row) throw refuse('CLASS_NOT_FOUND')
  const zone = zoneOf(row, ctx.settings)
  return { ...row, zone, wall: wallClock(row.starts_at, zone), cancelled: row.cancelledAt !== null, places_left: placesLeft(row) }
}
