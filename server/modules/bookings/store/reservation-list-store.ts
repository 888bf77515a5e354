/** The query of the list of every reservation of the studio: which ones, in which order, and how many. */
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { reservationStatus } from '#contract/bookings.ts'
import type { reservationMark, reservationSort } from '#contract/front-desk.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { location } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { matchesSearch } from '#server/platform/search.ts'

export interface ReservationListFilter {
  /** Days on the clocks of each class, both included. */
  from?: string | undefined
  to?: string | undefined
  status?: z.infer<typeof reservationStatus> | undefined
  customer_id?: number | undefined
  /** Null = every location. */
  location_ids: readonly number[] | null
  class_type_id?: number | undefined
  instructor_id?: number | undefined
  source?: (typeof classReservation.$inferSelect)['source'] | undefined
  only?: z.infer<typeof reservationMark> | undefined
  query?: string | undefined
}

const r = classReservation
const isOwed = sql`(${r.is_cash} and not ${r.is_paid})`
/** The guest's place of a host's, as far as it stands. */
const guest = (more: SQL) =>
  sql`exists (select 1 from class_reservation g where g.host_reservation_id = ${r.class_reservation_id} and g."deletedAt" is null and ${more})`

/** The status as `statusOf` of the contract says it. */
function hasStatus(status: NonNullable<ReservationListFilter['status']>, now: Date): SQL | undefined {
  if (status === 'Cancelada') return isNotNull(r.deletedAt)
  const isAbsent = sql`(${r.attend} is false and ${singleClass.ends_at} <= ${now.toISOString()})`
  const own = {
    'Pago en Efectivo Incompleto': isOwed,
    'No Asistí': sql`not ${isOwed} and ${isAbsent}`,
    Exitosa: sql`not ${isOwed} and ${r.attend} is true`,
    Próxima: sql`not ${isOwed} and ${r.attend} is not true and not ${isAbsent}`,
  }[status]
  return and(isNull(r.deletedAt), own)
}

const MARKS: Record<z.infer<typeof reservationMark>, SQL | undefined> = {
  owed: and(isNull(r.deletedAt), or(isOwed, guest(sql`g.is_cash and not g.is_paid`))),
  guest: guest(sql`true`),
  late_cancel: and(isNotNull(r.deletedAt), sql`${r.cancelled_late}`),
}

/** Days are compared on each class's clocks; the index on the start narrows them to within a day first. */
function isWithin(from: string | undefined, to: string | undefined, zone: string): SQL | undefined {
  const day = sql`(${singleClass.starts_at} at time zone coalesce(${location.timezone}, ${zone}))::date`
  return and(
    from === undefined
      ? undefined
      : and(gte(singleClass.starts_at, sql`${from}::date - interval '15 hours'`), sql`${day} >= ${from}::date`),
    to === undefined ? undefined : and(lt(singleClass.starts_at, sql`${to}::date + interval '39 hours'`), sql`${day} <= ${to}::date`),
  )
}

const ORDERS: Record<z.infer<typeof reservationSort>, SQL[]> = {
  class: [asc(singleClass.starts_at), asc(r.class_reservation_id)],
  '-class': [desc(singleClass.starts_at), desc(r.class_reservation_id)],
  name: [asc(sql`lower(${customer.name})`), asc(sql`lower(${customer.last_name})`), asc(r.class_reservation_id)],
  '-name': [desc(sql`lower(${customer.name})`), desc(sql`lower(${customer.last_name})`), desc(r.class_reservation_id)],
  created: [asc(r.createdAt), asc(r.class_reservation_id)],
  '-created': [desc(r.createdAt), desc(r.class_reservation_id)],
}

/** A page of the ids of the hosts' reservations that fit, and how many fit in all. */
export async function listReservationIds(
  on: Reader,
  filter: ReservationListFilter,
  about: { sort: z.infer<typeof reservationSort>; zone: string; now: Date; limit: number; offset: number },
): Promise<{ ids: number[]; total: number }> {
  const { query } = filter
  const number = query && /^#?0*([1-9]\d{0,8})$/.exec(query)?.[1]
  const searched = sql`concat_ws(' ', ${customer.name}, ${customer.last_name}, ${customer.email}, ${customer.phone})`
  const fits = and(
    isNull(r.host_reservation_id),
    isWithin(filter.from, filter.to, about.zone),
    filter.status && hasStatus(filter.status, about.now),
    filter.customer_id === undefined ? undefined : eq(r.customer_id, filter.customer_id),
    filter.location_ids === null ? undefined : inArray(singleClass.location_id, [...filter.location_ids]),
    filter.class_type_id === undefined ? undefined : eq(singleClass.class_type_id, filter.class_type_id),
    filter.instructor_id === undefined
      ? undefined
      : inArray(
          singleClass.single_class_id,
          on
            .select({ id: classInstructor.single_class_id })
            .from(classInstructor)
            .where(eq(classInstructor.instructor_id, filter.instructor_id)),
        ),
    filter.source && eq(r.source, filter.source),
    filter.only && MARKS[filter.only],
    query ? or(matchesSearch(searched, query), number ? eq(r.class_reservation_id, Number(number)) : undefined) : undefined,
  )
  const [rows, [all]] = await Promise.all([
    on
      .select({ id: r.class_reservation_id })
      .from(r)
      .innerJoin(singleClass, eq(singleClass.single_class_id, r.single_class_id))
      .innerJoin(location, eq(location.location_id, singleClass.location_id))
      .innerJoin(customer, eq(customer.customer_id, r.customer_id))
      .where(fits)
      .orderBy(...ORDERS[about.sort])
      .limit(about.limit)
      .offset(about.offset),
    on
      .select({ n: sql<number>`count(*)::int` })
      .from(r)
      .innerJoin(singleClass, eq(singleClass.single_class_id, r.single_class_id))
      .innerJoin(location, eq(location.location_id, singleClass.location_id))
      .innerJoin(customer, eq(customer.customer_id, r.customer_id))
      .where(fits),
  ])
  return { ids: rows.map((row) => row.id), total: all?.n ?? 0 }
}
