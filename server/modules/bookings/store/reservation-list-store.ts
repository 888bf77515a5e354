/** The query of the list of all reservations of the studio: filter, order and count. */
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { reservationStatus } from '#contract/bookings.ts'
import type { reservationMark, reservationSort } from '#contract/front-desk.ts'
import { addDays, startOfDay } from '#contract/time.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { classType, location } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { findMatchingCustomers } from '#server/modules/people/people.ts'
import { customer } from '#server/modules/people/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { readsTable } from '#server/platform/reads-table.ts'
import { searchPatterns } from '#server/platform/search.ts'

export interface ReservationListFilter {
  /** Days in each class's zone, both included. */
  from?: string | undefined
  to?: string | undefined
  status?: z.infer<typeof reservationStatus> | undefined
  customer_id?: number | undefined
  /** Null = all locations. */
  location_ids: readonly number[] | null
  class_type_id?: number | undefined
  instructor_id?: number | undefined
  source?: (typeof classReservation.$inferSelect)['source'] | undefined
  only?: z.infer<typeof reservationMark> | undefined
  query?: string | undefined
}

const r = classReservation
const isOwed = sql`(${r.is_cash} and not ${r.is_paid})`
/** SQL: the host has a live reservation for a guest. */
const guest = (more: SQL) =>
  sql`exists (select 1 from class_reservation g where g.host_reservation_id = ${r.class_reservation_id} and g."deletedAt" is null and ${more})`

/** The status, by the same definition as `statusOf` in the contract. */
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

/**
 * The days as instants of each zone of the locations. They are constants of the query, so that the index of the start of classes bounds
 * them and the planner knows how many classes they have.
 */
function isWithin(from: string | undefined, to: string | undefined, zones: ReadonlyMap<string, readonly number[]>): SQL | undefined {
  const within = (zone: string) =>
    and(
      from === undefined ? undefined : gte(singleClass.starts_at, startOfDay(from, zone)),
      to === undefined ? undefined : lt(singleClass.starts_at, startOfDay(addDays(to, 1), zone)),
    )
  if (from === undefined && to === undefined) return undefined
  const [first, ...others] = [...zones]
  if (!first || others.length === 0) return first && within(first[0])
  const starts = (day: string) => [...zones.keys()].map((zone) => startOfDay(day, zone).getTime())
  return and(
    from === undefined ? undefined : gte(singleClass.starts_at, new Date(Math.min(...starts(from)))),
    to === undefined ? undefined : lt(singleClass.starts_at, new Date(Math.max(...starts(addDays(to, 1))))),
    or(...[...zones].map(([zone, ids]) => and(inArray(singleClass.location_id, [...ids]), within(zone)))),
  )
}

/** The locations of each zone, also deleted ones: their classes are listed. */
async function listZones(on: Reader, zone: string): Promise<Map<string, number[]>> {
  const rows = await on.select({ location_id: location.location_id, timezone: location.timezone }).from(location)
  const zones = new Map<string, number[]>()
  for (const row of rows) zones.set(row.timezone ?? zone, [...(zones.get(row.timezone ?? zone) ?? []), row.location_id])
  return zones
}

const ORDERS: Record<z.infer<typeof reservationSort>, SQL[]> = {
  class: [asc(singleClass.starts_at), asc(r.class_reservation_id)],
  '-class': [desc(singleClass.starts_at), desc(r.class_reservation_id)],
  name: [asc(sql`lower(${customer.name})`), asc(sql`lower(${customer.last_name})`), asc(r.class_reservation_id)],
  '-name': [desc(sql`lower(${customer.name})`), desc(sql`lower(${customer.last_name})`), desc(r.class_reservation_id)],
  created: [asc(r.createdAt), asc(r.class_reservation_id)],
  '-created': [desc(r.createdAt), desc(r.class_reservation_id)],
}

/** Reservations are counted up to this number after the shown page: counting a million takes longer than reading a page. */
export const RESERVATION_COUNT_AHEAD = 5_000

const other = alias(r, 'other')

/** Reservations of the searched customers, or the one with this number: a union, because no index serves an `or` of the two. */
async function isSearched(on: Reader, query: string, number: number | null): Promise<SQL> {
  const isOfCustomer = await findMatchingCustomers(on, searchPatterns(query))
  if (number === null) return isOfCustomer(r.customer_id)
  return sql`${r.class_reservation_id} in (select ${other.class_reservation_id} from ${r} ${sql.identifier('other')} where ${isOfCustomer(other.customer_id)} union all select ${number}::integer)`
}

/**
 * A page of ids of the hosts' reservations that match, and the count of all that match, up to `countLimit`. Customers are joined only where
 * the order needs their names, so that a page in the order of classes reads as many reservations as it shows.
 */
export async function listReservationIds(
  on: Reader,
  filter: ReservationListFilter,
  about: { sort: z.infer<typeof reservationSort>; zone: string; now: Date; limit: number; offset: number; countLimit: number },
): Promise<{ ids: number[]; total: number }> {
  const { query } = filter
  const zones = await listZones(on, about.zone)
  const number = query && /^#?0*([1-9]\d{0,8})$/.exec(query)?.[1]
  const fits = and(
    isNull(r.host_reservation_id),
    isWithin(filter.from, filter.to, zones),
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
    query ? await isSearched(on, query, number ? Number(number) : null) : undefined,
  )
  const order = ORDERS[about.sort]
  const matching = on
    .select({ id: r.class_reservation_id })
    .from(r)
    .innerJoin(singleClass, eq(singleClass.single_class_id, r.single_class_id))
    .$dynamic()
  if (readsTable(order, customer)) matching.innerJoin(customer, eq(customer.customer_id, r.customer_id))
  const counting = on
    .select({ id: sql<number>`1`.as('one') })
    .from(r)
    .$dynamic()
  // Every reservation has its class: joined for a condition on it only.
  if (readsTable(fits, singleClass)) counting.innerJoin(singleClass, eq(singleClass.single_class_id, r.single_class_id))
  const counted = counting.where(fits).limit(about.countLimit).as('counted')
  const [rows, [all]] = await Promise.all([
    matching
      .where(fits)
      .orderBy(...order)
      .limit(about.limit)
      .offset(about.offset),
    on.select({ n: sql<number>`count(*)::int` }).from(counted),
  ])
  return { ids: rows.map((row) => row.id), total: all?.n ?? 0 }
}

const guestReservation = alias(r, 'guest_place')

/** What the file of the list shows of reservations, in the order of `ids`. */
export async function listReservationExportRows(on: Reader, ids: readonly number[]) {
  if (ids.length === 0) return []
  const rows = await on
    .select({
      class_reservation_id: r.class_reservation_id,
      spot: r.spot,
      is_cash: r.is_cash,
      is_paid: r.is_paid,
      attend: r.attend,
      source: r.source,
      price_centavos: r.price_centavos,
      cancelled_by: r.cancelled_by,
      cancelled_late: r.cancelled_late,
      createdAt: r.createdAt,
      deletedAt: r.deletedAt,
      name: customer.name,
      last_name: customer.last_name,
      email: customer.email,
      phone: customer.phone,
      guest: guestReservation.guest,
      guest_spot: guestReservation.spot,
      guest_cash: guestReservation.is_cash,
      guest_paid: guestReservation.is_paid,
      guest_price: guestReservation.price_centavos,
      class_price: singleClass.price_centavos,
      type_price: classType.price_centavos,
      class_type: classType.name,
      room_id: singleClass.room_id,
      spot_map: singleClass.spot_map,
      starts_at: singleClass.starts_at,
      ends_at: singleClass.ends_at,
      timezone: location.timezone,
      location: location.name,
      paid_with: sql<string | null>`case when ${r.is_cash} then null else ${availableClass.title} end`,
      coaches: sql<{ name: string; nick_name: string | null }[]>`coalesce((
        select json_agg(json_build_object('name', i.name, 'nick_name', i.nick_name) order by c.sort, c.instructor_id)
        from class_instructor c join instructor i using (instructor_id) where c.single_class_id = ${r.single_class_id}), '[]'::json)`,
    })
    .from(r)
    .innerJoin(customer, eq(customer.customer_id, r.customer_id))
    .innerJoin(singleClass, eq(singleClass.single_class_id, r.single_class_id))
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .innerJoin(classType, eq(classType.class_type_id, singleClass.class_type_id))
    .leftJoin(
      guestReservation,
      and(
        eq(guestReservation.host_reservation_id, r.class_reservation_id),
        sql`${guestReservation.deletedAt} is not distinct from ${r.deletedAt}`,
      ),
    )
    .leftJoin(availableClass, eq(availableClass.available_class_id, r.available_class_id))
    .where(inArray(r.class_reservation_id, [...ids]))
  const byId = new Map(rows.map((row) => [row.class_reservation_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
export type ReservationExportRow = Awaited<ReturnType<typeof listReservationExportRows>>[number]
