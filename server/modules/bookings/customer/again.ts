/** The class that a customer would book again: the one of the last visit, at its next date with a place (R28). */
import type { SingleClass } from '#contract/schedule.ts'
import { allSpots } from '#contract/spots.ts'
import { addDays, localDate } from '#contract/time.ts'
import { findLastVisit, listTakenSpots } from '#server/modules/bookings/store/store.ts'
import { timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { classesBetween } from '#server/modules/bookings/timetable/week.ts'
import type { Ctx } from '#server/modules/ctx.ts'

/** How far ahead the class is looked for. */
const DAYS = 14

/** Weekday and hour of a class on its own clocks. */
const weeklyHour = (class_date: string): string => `${new Date(class_date).getUTCDay()} ${class_date.slice(11)}`

/**
 * The class of the customer's last visit in the next two weeks: same type, location, weekday and hour, open for booking, with a place and
 * not theirs yet. `spot`: the seat of that visit, or any free one; null in a room without a map. Null without such a visit or class.
 */
export async function classAgain(ctx: Ctx): Promise<{ single_class: SingleClass | null; spot: string | null }> {
  const nothing = { single_class: null, spot: null }
  const last = await findLastVisit(ctx.db, ctx.customer.customer_id, ctx.now)
  const [visited] = last ? await timetable(ctx.studio).byId([last.single_class_id]) : []
  if (!last || !visited) return nothing
  const start_date = localDate(ctx.now, ctx.zone)
  const { class_type_id, location_id } = visited
  const found = (await classesBetween(ctx, { start_date, end_date: addDays(start_date, DAYS), class_type_id, location_id })).find(
    (cls) => cls.state === 'available' && weeklyHour(cls.class_date) === weeklyHour(visited.shown.class_date),
  )
  if (!found) return nothing
  const [facts] = await timetable(ctx.studio).byId([found.single_class_id])
  if (!facts || facts.spot_map === null) return { single_class: found, spot: null }
  const takenSpots = await listTakenSpots(ctx.db, found.single_class_id)
  const free = allSpots(facts.spot_map).filter((spot) => !facts.closed_spots.includes(spot) && !takenSpots.includes(spot))
  return { single_class: found, spot: free.find((spot) => spot === last.spot) ?? free[0] ?? null }
}
