/** Every reservation of the studio: to find a place and to answer a complaint (docs/domain.md, "The front desk"). */
import type { z } from 'zod'
import type { ListedReservation, reservationSort } from '#contract/front-desk.ts'
import { pageCount } from '#contract/paging.ts'
import { localDate } from '#contract/time.ts'
import { listRosterReservations } from '#server/modules/bookings/store/attendance-store.ts'
import { listReservationIds, type ReservationListFilter } from '#server/modules/bookings/store/reservation-list-store.ts'
import { timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { presentClass, presentReservations } from './roster-view.ts'

type Input = Omit<ReservationListFilter, 'location_ids'> & {
  location_id?: number | undefined
  page: number
  per_page: number
  sort: z.infer<typeof reservationSort>
}

/** A page of reservations (Q1): of the locations where this person works. Nothing narrowed means today's. FORBIDDEN for another location. */
export async function listStudioReservations(ctx: Ctx, input: Input) {
  const { page, per_page, sort, location_id, ...filter } = input
  if (location_id !== undefined) ctx.requireLocation('roster.all', location_id)
  const isOpen = [filter.from, filter.to, filter.customer_id, filter.query].every((one) => one === undefined)
  const today = localDate(ctx.now, ctx.zone)
  const { ids, total } = await listReservationIds(
    ctx.db,
    {
      ...filter,
      ...(isOpen ? { from: today, to: today } : {}),
      location_ids: location_id === undefined ? ctx.locationIds : [location_id],
    },
    { sort, zone: ctx.zone, now: ctx.now, limit: per_page, offset: (page - 1) * per_page },
  )
  const rows = await listRosterReservations(ctx.db, ids)
  const [places, classes] = await Promise.all([
    presentReservations(ctx, rows),
    timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))]),
  ])
  const byId = new Map(classes.map((cls) => [cls.single_class_id, presentClass(cls)]))
  const class_reservations = places.flatMap((place): ListedReservation[] => {
    const cls = byId.get(place.single_class_id)
    return cls ? [{ ...place, class: cls }] : []
  })
  return { class_reservations, total, pages: pageCount(total, per_page) }
}
