/** Queries of attendance and rosters. */
import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Centavos } from '#contract/money.ts'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { classType } from '#server/modules/catalogue/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { hadPastVisits, isVisit, pastVisits } from '#server/modules/people/people.ts'
import { customer, customerNote } from '#server/modules/people/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

const guestReservation = alias(classReservation, 'roster_guest')

/** The audit trail's row of a cancellation by staff: name and reason. */
const cancelTrail = sql`select a.reason, s.name from audit a left join staff s on s.staff_id = a.actor_id and a.actor like 'staff%'
  where a.action = 'reservation.cancel' and a.entity = 'class_reservation' and a.entity_id = ${classReservation.class_reservation_id}::text
  order by a.audit_id desc limit 1`

const roster = {
  ...getTableColumns(classReservation),
  name: customer.name,
  last_name: customer.last_name,
  email: customer.email,
  phone: customer.phone,
  guest: guestReservation.guest,
  guest_spot: guestReservation.spot,
  guest_reservation_id: guestReservation.class_reservation_id,
  guest_attend: guestReservation.attend,
  guest_cash: guestReservation.is_cash,
  guest_paid: guestReservation.is_paid,
  guest_price: guestReservation.price_centavos,
  class_price: singleClass.price_centavos,
  type_price: classType.price_centavos,
  // A revoked credit lot pays for nothing: such a place is owed in cash (R24).
  paid_with: sql<string | null>`case when ${classReservation.is_cash} then null else ${availableClass.title} end`,
  location_id: singleClass.location_id,
  room_id: singleClass.room_id,
  spot_map: singleClass.spot_map,
  starts_at: singleClass.starts_at,
  ends_at: singleClass.ends_at,
  timezone: sql<string | null>`(select l.timezone from location l where l.location_id = ${singleClass.location_id})`,
  marked_name: sql<string | null>`(select s.name from staff s where s.staff_id = ${classReservation.marked_by})`,
  photo_file_id: customer.photo_file_id,
  birthdate: customer.birthdate,
  /** Earlier classes that the customer attended. */
  visits: sql<number>`${pastVisits(customer.customer_id)} + (select count(*)::int from class_reservation e join single_class c using (single_class_id)
    where e.customer_id = ${classReservation.customer_id} and c.starts_at < ${singleClass.starts_at} and ${isVisit(sql`e`, sql`c`)})`,
  first_with_coach: sql<boolean>`exists (select 1 from class_instructor i where i.single_class_id = ${singleClass.single_class_id})
    and not ${hadPastVisits(customer.customer_id)} and not exists (
    select 1 from class_reservation e join single_class c using (single_class_id) join class_instructor i using (single_class_id)
    where e.customer_id = ${classReservation.customer_id} and e."deletedAt" is null and e.host_reservation_id is null
      and c."cancelledAt" is null and c.starts_at < ${singleClass.starts_at}
      and i.instructor_id in (select o.instructor_id from class_instructor o where o.single_class_id = ${singleClass.single_class_id}))`,
  cancel_trail: sql<{ reason: string | null; name: string | null } | null>`case when ${classReservation.deletedAt} is not null
    then (select to_jsonb(trail) from (${cancelTrail}) trail) end`,
  first_class: sql<boolean>`not ${hadPastVisits(customer.customer_id)} and not exists (
    select 1 from class_reservation e join single_class c using (single_class_id) where e.customer_id = ${classReservation.customer_id}
      and e."deletedAt" is null and e.host_reservation_id is null and c."cancelledAt" is null and c.starts_at < ${singleClass.starts_at})`,
}

const rosterRows = (on: Reader) =>
  on
    .select(roster)
    .from(classReservation)
    .innerJoin(customer, eq(customer.customer_id, classReservation.customer_id))
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .innerJoin(classType, eq(classType.class_type_id, singleClass.class_type_id))
    .leftJoin(
      guestReservation,
      and(
        eq(guestReservation.host_reservation_id, classReservation.class_reservation_id),
        sql`${guestReservation.deletedAt} is not distinct from ${classReservation.deletedAt}`,
      ),
    )
    .leftJoin(availableClass, eq(availableClass.available_class_id, classReservation.available_class_id))

/** All reservations of a class by customer name; cancelled ones, when requested, come last. */
export function listRoster(on: Reader, single_class_id: number, { cancelled }: { cancelled: boolean }) {
  return rosterRows(on)
    .where(
      and(
        eq(classReservation.single_class_id, single_class_id),
        isNull(classReservation.host_reservation_id),
        cancelled ? undefined : isNull(classReservation.deletedAt),
      ),
    )
    .orderBy(
      sql`${classReservation.deletedAt} nulls first`,
      asc(customer.name),
      asc(customer.last_name),
      asc(classReservation.class_reservation_id),
    )
}

/** Reservations for staff, in the order of `ids`. */
export async function listRosterReservations(on: Reader, ids: readonly number[]): Promise<RosterRow[]> {
  if (ids.length === 0) return []
  const rows = await rosterRows(on).where(inArray(classReservation.class_reservation_id, [...ids]))
  const byId = new Map(rows.map((row) => [row.class_reservation_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** How many days ahead, and how many reservations, a check-in by customer searches. */
const AHEAD_DAYS = 60
const FEW = 20

/** A customer's own reservations in classes that have not ended, soonest class first. */
export async function listReservationsAhead(on: Reader, customer_id: number, now: Date): Promise<number[]> {
  const rows = await on
    .select({ id: classReservation.class_reservation_id })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        eq(classReservation.customer_id, customer_id),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        gt(singleClass.ends_at, now),
        lt(singleClass.starts_at, new Date(now.getTime() + AHEAD_DAYS * 86_400_000)),
      ),
    )
    .orderBy(asc(singleClass.starts_at), asc(classReservation.class_reservation_id))
    .limit(FEW)
  return rows.map((row) => row.id)
}

/** A customer with a reservation in a class that can be marked now. */
export interface Arrival {
  class_reservation_id: number
  name: string
  last_name: string
  phone: string | null
  attend: boolean | null
}

/** Limit on the people that are searched at a kiosk: those of many full classes at once. */
const MOST_ARRIVALS = 2000

/**
 * Customers with a reservation in a class that has not ended and starts before an instant, at these locations (null = all), soonest class
 * first.
 */
export function listArrivals(
  on: Reader,
  { now, startsBefore, location_ids }: { now: Date; startsBefore: Date; location_ids: readonly number[] | null },
): Promise<Arrival[]> {
  return on
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      name: customer.name,
      last_name: customer.last_name,
      phone: customer.phone,
      attend: classReservation.attend,
    })
    .from(classReservation)
    .innerJoin(customer, eq(customer.customer_id, classReservation.customer_id))
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        gt(singleClass.ends_at, now),
        lt(singleClass.starts_at, startsBefore),
        location_ids === null ? undefined : inArray(singleClass.location_id, [...location_ids]),
      ),
    )
    .orderBy(asc(singleClass.starts_at), asc(customer.name), asc(classReservation.class_reservation_id))
    .limit(MOST_ARRIVALS)
}

/** One reservation for staff, cancelled or not; the id of a guest's returns the host's. */
export async function findRosterReservation(on: Reader, class_reservation_id: number) {
  const [row] = await rosterRows(on).where(
    and(
      isNull(classReservation.host_reservation_id),
      sql`${classReservation.class_reservation_id} = coalesce(
        (select g.host_reservation_id from class_reservation g where g.class_reservation_id = ${class_reservation_id}), ${class_reservation_id})`,
    ),
  )
  return row ?? null
}
export type RosterRow = NonNullable<Awaited<ReturnType<typeof findRosterReservation>>>

/** Whether a coach teaches a class. */
export async function teaches(on: Reader, single_class_id: number, instructor_id: number): Promise<boolean> {
  return (
    (await on.$count(
      classInstructor,
      and(eq(classInstructor.single_class_id, single_class_id), eq(classInstructor.instructor_id, instructor_id)),
    )) > 0
  )
}

/** Any reservation by its id, a guest's too. */
export async function findAnyReservation(on: Reader, class_reservation_id: number) {
  const [row] = await on.select().from(classReservation).where(eq(classReservation.class_reservation_id, class_reservation_id))
  return row ?? null
}

/** The active reservations of a class, including guests', behind its lock. */
export function listActiveReservations(tx: Tx, single_class_id: number) {
  return tx
    .select()
    .from(classReservation)
    .where(and(eq(classReservation.single_class_id, single_class_id), isNull(classReservation.deletedAt)))
    .orderBy(asc(classReservation.class_reservation_id))
}

/** The same with the customers' current names. */
export function listNamedReservations(tx: Tx, single_class_id: number) {
  return tx
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      customer_id: classReservation.customer_id,
      name: customer.name,
      last_name: customer.last_name,
      guest: classReservation.guest,
      attend: classReservation.attend,
      excuse: classReservation.excuse,
    })
    .from(classReservation)
    .innerJoin(customer, eq(customer.customer_id, classReservation.customer_id))
    .where(and(eq(classReservation.single_class_id, single_class_id), isNull(classReservation.deletedAt)))
    .orderBy(asc(customer.name), asc(customer.last_name), asc(classReservation.class_reservation_id))
}

export async function updateReservations(
  tx: Tx,
  ids: readonly number[],
  change: Partial<
    Pick<
      typeof classReservation.$inferInsert,
      'attend' | 'excuse' | 'markedAt' | 'marked_by' | 'is_cash' | 'is_paid' | 'pay_until' | 'purchase_id'
    >
  >,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(classReservation)
    .set({ ...change, updatedAt: now })
    .where(inArray(classReservation.class_reservation_id, [...ids]))
}

const cashColumns = {
  class_reservation_id: classReservation.class_reservation_id,
  is_paid: classReservation.is_paid,
  price_centavos: classReservation.price_centavos,
  purchase_id: classReservation.purchase_id,
  pay_until: classReservation.pay_until,
}

/** A reservation that is paid at the counter. */
export type CashReservation = Pick<typeof classReservation.$inferSelect, keyof typeof cashColumns>

/** Of these reservations, those paid at the counter, cancelled or not, in the order of their ids. */
export function listCashReservations(tx: Tx, ids: readonly number[]): Promise<CashReservation[]> {
  return tx
    .select(cashColumns)
    .from(classReservation)
    .where(and(inArray(classReservation.class_reservation_id, [...ids]), classReservation.is_cash))
    .orderBy(asc(classReservation.class_reservation_id))
}

/** Marks a cash reservation as paid by a sale. */
export async function markReservationPaid(
  tx: Tx,
  class_reservation_id: number,
  purchase: { purchase_id: number; price_centavos: number },
  now: Date,
): Promise<void> {
  await tx
    .update(classReservation)
    .set({ ...purchase, is_paid: true, pay_until: null, updatedAt: now })
    .where(eq(classReservation.class_reservation_id, class_reservation_id))
}

/** Unpaid cash reservations past their deadline whose class has not begun, by class. */
export async function listUnpaid(on: Reader, now: Date, limit: number) {
  return on
    .select({ class_reservation_id: classReservation.class_reservation_id, single_class_id: classReservation.single_class_id })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        isNull(classReservation.deletedAt),
        isNull(classReservation.host_reservation_id),
        eq(classReservation.is_paid, false),
        lte(classReservation.pay_until, now),
        gt(singleClass.starts_at, now),
      ),
    )
    .limit(limit)
}

export interface ClassCounts {
  single_class_id: number
  waiting: number
  attended: number
  absent: number
  unpaid: number
  owed_centavos: number
}

/**
 * Counts of reservations and waitlists of the given classes, in one query. `drop_in`: the price of a place when neither class nor type has
 * one.
 */
export async function countInClasses(on: Reader, ids: readonly number[], drop_in: Centavos | null): Promise<ClassCounts[]> {
  if (ids.length === 0) return []
  const due = sql`${classReservation.is_cash} and not ${classReservation.is_paid}`
  const price = sql`coalesce(${classReservation.price_centavos}, ${singleClass.price_centavos}, ${classType.price_centavos}, ${drop_in}::int, 0)`
  return on
    .select({
      single_class_id: singleClass.single_class_id,
      waiting: sql<number>`(select count(*)::int from waitlist w where w.single_class_id = ${singleClass.single_class_id} and w.status in ('waiting', 'offered'))`,
      attended: sql<number>`(count(*) filter (where ${classReservation.attend}))::int`,
      absent: sql<number>`(count(*) filter (where not ${classReservation.attend}))::int`,
      unpaid: sql<number>`(count(*) filter (where ${due}))::int`,
      owed_centavos: sql<number>`coalesce(sum(${price}) filter (where ${due}), 0)::float8`,
    })
    .from(singleClass)
    .innerJoin(classType, eq(classType.class_type_id, singleClass.class_type_id))
    .leftJoin(classReservation, and(eq(classReservation.single_class_id, singleClass.single_class_id), isNull(classReservation.deletedAt)))
    .where(inArray(singleClass.single_class_id, [...ids]))
    .groupBy(singleClass.single_class_id)
}

/** Notes about the given customers that instructors may read (X1): pinned first, then newest. */
export async function listNotesForCoaches(db: Reader, customer_ids: readonly number[]): Promise<{ customer_id: number; text: string }[]> {
  if (customer_ids.length === 0) return []
  return db
    .select({ customer_id: customerNote.customer_id, text: customerNote.text })
    .from(customerNote)
    .where(and(inArray(customerNote.customer_id, [...customer_ids]), eq(customerNote.for_coaches, true)))
    .orderBy(desc(customerNote.pinned), desc(customerNote.createdAt), desc(customerNote.customer_note_id))
}
