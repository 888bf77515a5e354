/** The same class every week (R19): as far as classes, places and credits allow, with a result for every week. */
import { Refusal, refuse } from '#contract/errors.ts'
import { addDays, localDate } from '#contract/time.ts'
import { firstFreeSpot } from '#server/modules/bookings/rules.ts'
import { recordingFullClass } from '#server/modules/bookings/spots/full-class-refusals.ts'
import { createReservation, type Taking } from '#server/modules/bookings/spots/reserving.ts'
import { listTakenSpots } from '#server/modules/bookings/store/store.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

interface Week {
  date: string
  single_class_id: number | null
  class_date: string | null
  class_reservation_id: number | null
  outcome: 'booked' | 'mine' | 'no_class' | 'refused'
  why_not: { code: string; message: string } | null
}

interface RepeatInput {
  single_class_id: number
  weeks: number
  spot?: string | null | undefined
}

/**
 * Books a class and the same one in the weeks that follow: same type, place, weekday and hour on the class's clocks, so that a DST change
 * moves nothing. Each week is its own booking: a refusal does not affect the others. A repeated request books nothing twice.
 * CLASS_NOT_FOUND.
 */
export async function repeatWeekly(ctx: Ctx, input: RepeatInput): Promise<{ weeks: Week[]; booked: number }> {
  return bookWeeks(ctx, { ...input, customer_id: ctx.customer.customer_id })
}

/** The same for a customer by staff, by their rules (R21). NOT_FOUND, CLASS_NOT_FOUND; FORBIDDEN where they do not work. */
export async function repeatWeeklyFor(ctx: Ctx, input: RepeatInput & { customer_id: number }): Promise<{ weeks: Week[]; booked: number }> {
  await customerById(ctx.db, input.customer_id)
  return bookWeeks(ctx, { ...input, byStaff: true })
}

async function bookWeeks(
  ctx: Ctx,
  { single_class_id, weeks: count, spot = null, ...taking }: RepeatInput & Pick<Taking, 'customer_id' | 'byStaff'>,
): Promise<{ weeks: Week[]; booked: number }> {
  const [first] = await timetable(ctx.studio).byId([single_class_id])
  if (!first) throw refuse('CLASS_NOT_FOUND')
  if (taking.byStaff) ctx.requireLocation('roster.all', first.location_id)
  const weeks: Week[] = []
  for (let n = 0; n < count; n++) {
    const date = addDays(first.date, 7 * n)
    const cls = n === 0 ? first : await sameOn(ctx, first, date)
    weeks.push(cls ? await bookWeek(ctx, cls, spot, taking) : { ...nothing(date), outcome: 'no_class' })
  }
  const ids = weeks.flatMap((week) => (week.outcome === 'booked' && week.class_reservation_id ? [week.class_reservation_id] : []))
  if (ids.length) await ctx.tx((tx) => tx.send({ name: 'reservations-repeated', data: { class_reservation_ids: ids } }))
  return { weeks, booked: ids.length }
}

const nothing = (date: string): Omit<Week, 'outcome'> => ({
  date,
  single_class_id: null,
  class_date: null,
  class_reservation_id: null,
  why_not: null,
})

async function sameOn(ctx: Ctx, first: ClassFacts, date: string): Promise<ClassFacts | null> {
  const hour = first.wall.toISOString().slice(11)
  const day = await timetable(ctx.studio).between({ start: date, end: date, today: localDate(ctx.now, ctx.zone) })
  return (
    day.find(
      (cls) =>
        cls.class_type_id === first.class_type_id &&
        cls.location_id === first.location_id &&
        cls.wall.toISOString().slice(11) === hour &&
        !cls.cancelled,
    ) ?? null
  )
}

async function bookWeek(
  ctx: Ctx,
  { single_class_id, date, shown }: ClassFacts,
  wanted: string | null,
  taking: Pick<Taking, 'customer_id' | 'byStaff'>,
): Promise<Week> {
  const about = { ...nothing(date), single_class_id, class_date: shown.class_date }
  try {
    const book = async (tx: Tx) => {
      const cls = await lockClass(tx, ctx, single_class_id)
      // The requested spot, or any other free one: a place every week matters more than the same spot.
      const takenSpots = cls.spot_map === null ? [] : await listTakenSpots(tx, single_class_id)
      const spot = cls.spot_map === null ? null : wanted && !takenSpots.includes(wanted) ? wanted : firstFreeSpot(cls, takenSpots)
      const { class_reservation_id } = await createReservation(tx, ctx, cls, { ...taking, input: { spot }, source: 'repeat' })
      if (taking.byStaff)
        await ctx.audit(tx, {
          action: 'reservation.create',
          entity: 'class_reservation',
          entity_id: class_reservation_id,
          after: { customer_id: taking.customer_id, single_class_id, spot },
        })
      return class_reservation_id
    }
    const of = { single_class_id, customer_id: taking.customer_id }
    const class_reservation_id = await recordingFullClass(ctx, of, () => ctx.tx(book))
    return { ...about, class_reservation_id, outcome: 'booked' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error
    return {
      ...about,
      outcome: code === 'ALREADY_RESERVED' ? 'mine' : 'refused',
      why_not: code === 'ALREADY_RESERVED' ? null : { code, message },
    }
  }
}
