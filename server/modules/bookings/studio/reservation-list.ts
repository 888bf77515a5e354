/** All reservations of the studio, for search and complaints (docs/domain.md, "The front desk"). */
import type { z } from 'zod'
import { statusOf } from '#contract/bookings.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { spotName } from '#contract/copy/names.ts'
import { cancelledByLabels, reservationSourceLabels, reservationStatusLabels } from '#contract/copy/reservation-list.ts'
import type { ListedReservation, reservationSort } from '#contract/front-desk.ts'
import { pageCount } from '#contract/paging.ts'
import { localDate } from '#contract/time.ts'
import { listRosterReservations } from '#server/modules/bookings/store/attendance-store.ts'
import {
  listReservationExportRows,
  listReservationIds,
  RESERVATION_COUNT_AHEAD,
  type ReservationExportRow,
  type ReservationListFilter,
} from '#server/modules/bookings/store/reservation-list-store.ts'
import { timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { contactColumns, EXPORT_MAX_ROWS, type ExportColumn, exportList, momentColumns, rowsByIds } from '#server/modules/list-export.ts'
import { seatsOfRow } from '#server/modules/schedule/schedule.ts'
import { amountOwed, serializeRosterClasses, serializeRosterReservations } from './roster-view.ts'

type Filters = Omit<ReservationListFilter, 'location_ids'> & { location_id?: number | undefined }
type Sorted = Filters & { sort: z.infer<typeof reservationSort> }

/** The filter of the list: the caller's locations, and today without any other. FORBIDDEN for another location. */
function visibleReservations(ctx: Ctx, { location_id, ...filter }: Filters): ReservationListFilter {
  if (location_id !== undefined) ctx.requireLocation('roster.all', location_id)
  const isOpen = [filter.from, filter.to, filter.customer_id, filter.query].every((value) => value === undefined)
  const today = localDate(ctx.now, ctx.zone)
  return {
    ...filter,
    ...(isOpen ? { from: today, to: today } : {}),
    location_ids: location_id === undefined ? ctx.locationIds : [location_id],
  }
}

/**
 * A page of reservations (Q1) at the locations where this person works. Without a filter, those of today. FORBIDDEN for another location.
 */
export async function listStudioReservations(ctx: Ctx, input: Sorted & { page: number; per_page: number }) {
  const { page, per_page, sort, ...filter } = input
  const countLimit = page * per_page + RESERVATION_COUNT_AHEAD
  const { ids, total } = await listReservationIds(ctx.db, visibleReservations(ctx, filter), {
    sort,
    zone: ctx.zone,
    now: ctx.now,
    limit: per_page,
    offset: (page - 1) * per_page,
    countLimit: countLimit + 1,
  })
  const rows = await listRosterReservations(ctx.db, ids)
  const [reservations, classes] = await Promise.all([
    serializeRosterReservations(ctx, rows),
    timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))]),
  ])
  const byId = await serializeRosterClasses(ctx, classes)
  const class_reservations = reservations.flatMap((reservation): ListedReservation[] => {
    const cls = byId.get(reservation.single_class_id)
    return cls ? [{ ...reservation, class: cls }] : []
  })
  const counted = Math.min(total, countLimit)
  return { class_reservations, total: counted, has_more: total > counted, pages: pageCount(counted, per_page) }
}

/** Reservations are counted up to here when all that match are changed. */
const MATCHING_COUNT_LIMIT = 100_000

/** At most `limit` reservations that match a filter of the list, and how many match. FORBIDDEN for another location. */
export function findReservationIds(ctx: Ctx, filter: Filters, limit: number): Promise<{ ids: number[]; total: number }> {
  return listReservationIds(ctx.db, visibleReservations(ctx, filter), {
    sort: 'class',
    zone: ctx.zone,
    now: ctx.now,
    limit,
    offset: 0,
    countLimit: MATCHING_COUNT_LIMIT,
  })
}

/** The list as a file. FORBIDDEN for another location, EXPORT_TOO_LARGE. */
export async function exportReservations(ctx: Ctx, input: Sorted & { format: 'csv' | 'xlsx' }): Promise<File> {
  const { sort, format: _, ...filterInput } = input
  const filter = visibleReservations(ctx, filterInput)
  const zoneOf = (row: ReservationExportRow) => row.timezone ?? ctx.zone
  const rooms = await timetable(ctx.studio).seatsByRoom()
  const spotOf = (row: ReservationExportRow, spot: string | null) => spot && spotName(spot, seatsOfRow(rooms, row)?.labels.get(spot))
  const columns: ExportColumn<ReservationExportRow>[] = [
    { header: 'Reservación', cell: (row) => row.class_reservation_id },
    { header: 'Cliente', cell: (row) => `${row.name} ${row.last_name}`.trim() },
    ...contactColumns<ReservationExportRow>(ctx, (row) => row),
    { header: 'Clase', cell: (row) => row.class_type },
    ...momentColumns<ReservationExportRow>('Cuándo', (row) => row.starts_at, zoneOf),
    { header: 'Estudio', cell: (row) => row.location },
    { header: 'Coach', cell: (row) => row.coaches.map(instructorName).join(' y ') || null },
    { header: 'Lugar', cell: (row) => spotOf(row, row.spot) },
    { header: 'Invitado', cell: (row) => row.guest },
    { header: 'Lugar del invitado', cell: (row) => spotOf(row, row.guest_spot) },
    { header: 'Estado', cell: (row) => reservationStatusLabels[statusOf({ ...row, past: row.ends_at <= ctx.now })] },
    { header: 'Debe', isMoney: true, cell: (row) => moneyOf(amountOwed(ctx, row)) },
    { header: 'Pagada con', cell: (row) => row.paid_with },
    { header: 'Origen', cell: (row) => reservationSourceLabels[row.source] },
    ...momentColumns<ReservationExportRow>('Reservada', (row) => row.createdAt, ctx.zone),
    ...momentColumns<ReservationExportRow>('Cancelada', (row) => row.deletedAt, ctx.zone),
    { header: 'Cancelada por', cell: (row) => row.deletedAt && row.cancelled_by && cancelledByLabels[row.cancelled_by] },
    { header: 'Cancelación tardía', cell: (row) => (row.deletedAt ? (row.cancelled_late ? 'Sí' : 'No') : null) },
  ]
  const { from, to } = filter
  const labels = {
    status: input.status && reservationStatusLabels[input.status],
    source: input.source && reservationSourceLabels[input.source],
  }
  return exportList(ctx, {
    name: 'reservaciones',
    title: 'Reservaciones',
    columns,
    input: { ...input, from, to, ...labels },
    rows: rowsByIds(
      (limit) =>
        listReservationIds(ctx.db, filter, { sort, zone: ctx.zone, now: ctx.now, limit, offset: 0, countLimit: EXPORT_MAX_ROWS + 1 }),
      (ids) => listReservationExportRows(ctx.db, ids),
    ),
  })
}

const moneyOf = (amount: string | null): number | null => (amount === null ? null : Number(amount))
