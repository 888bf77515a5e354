/** Queries of notifications: their data and recipients. */
import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { classReservation, waitlistEntry } from '#server/modules/bookings/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import { genericPlanParam, prepared, type Reader, type Tx } from '#server/platform/db.ts'

const guestReservation = alias(classReservation, 'told_guest')

const reservation = {
  class_reservation_id: classReservation.class_reservation_id,
  single_class_id: classReservation.single_class_id,
  customer_id: classReservation.customer_id,
  createdAt: classReservation.createdAt,
  deletedAt: classReservation.deletedAt,
  spot: classReservation.spot,
  guest: guestReservation.guest,
  guest_spot: guestReservation.spot,
}
const withGuest = and(
  eq(guestReservation.host_reservation_id, classReservation.class_reservation_id),
  sql`${guestReservation.deletedAt} is not distinct from ${classReservation.deletedAt}`,
)

const reservationsByIds = prepared('bookings.notified', (on: Reader) =>
  on
    .select(reservation)
    .from(classReservation)
    .leftJoin(guestReservation, withGuest)
    .where(
      and(
        sql`${classReservation.class_reservation_id} = any(${genericPlanParam('ids', 'integer[]')}::integer[])`,
        isNull(classReservation.host_reservation_id),
      ),
    ),
)

/** Customers' own reservations by id, cancelled or not. */
export function findNotifiedReservations(on: Reader, ids: readonly number[]) {
  return reservationsByIds(on).execute({ ids: `{${ids.join(',')}}` })
}
export type NotifiedReservation = Awaited<ReturnType<typeof findNotifiedReservations>>[number]

/**
 * Marks up to `limit` reservations as reminded whose class begins within `hours`; each is returned once, to one process. Reservations made
 * within those hours get no reminder.
 */
export async function claimReminders(tx: Tx, now: Date, hours: number, limit: number): Promise<number[]> {
  const until = new Date(now.getTime() + hours * 3_600_000)
  const { rows } = await tx.execute<{ id: number }>(sql`
    update class_reservation r set "remindedAt" = ${now.toISOString()} where r.class_reservation_id in (
      select p.class_reservation_id from class_reservation p join single_class c using (single_class_id)
      where p."deletedAt" is null and p.host_reservation_id is null and p."remindedAt" is null and c."cancelledAt" is null
        and c.starts_at > ${now.toISOString()} and c.starts_at <= ${until.toISOString()}
        and p."createdAt" < c.starts_at - make_interval(hours => ${hours})
      order by c.starts_at, p.class_reservation_id limit ${limit} for update of p skip locked)
    returning r.class_reservation_id as id`)
  return rows.map((row) => row.id)
}

/** Customers whose reservation was cancelled with its class, and until when their returned credits can be used. */
export function listLostWith(on: Reader, single_class_id: number, at: Date) {
  return on
    .select({
      customer_id: classReservation.customer_id,
      back: sql<Date | null>`max(${availableClass.expires_at}) filter (where ${creditMovement.amount} > 0)`.mapWith(
        availableClass.expires_at,
      ),
      paid: sql<boolean>`coalesce(bool_or(${creditMovement.amount} > 0), false)`,
    })
    .from(classReservation)
    .leftJoin(
      creditMovement,
      and(eq(creditMovement.class_reservation_id, classReservation.class_reservation_id), eq(creditMovement.kind, 'give_back')),
    )
    .leftJoin(availableClass, eq(availableClass.available_class_id, creditMovement.available_class_id))
    .where(
      and(
        eq(classReservation.single_class_id, single_class_id),
        eq(classReservation.cancelled_by, 'studio'),
        eq(classReservation.deletedAt, at),
      ),
    )
    .groupBy(classReservation.customer_id)
}

/** Those of the given classes whose cancellation at this instant cancelled a reservation, ascending. */
export async function listClassesWithLost(on: Reader, ids: readonly number[], at: Date): Promise<number[]> {
  const rows = await on
    .selectDistinct({ id: classReservation.single_class_id })
    .from(classReservation)
    .where(
      and(
        inArray(classReservation.single_class_id, [...ids]),
        eq(classReservation.cancelled_by, 'studio'),
        eq(classReservation.deletedAt, at),
      ),
    )
    .orderBy(classReservation.single_class_id)
  return rows.map((row) => row.id)
}

/** Customers on the waitlist that was closed at an instant. */
export async function listClosedWith(on: Reader, single_class_id: number, at: Date): Promise<number[]> {
  const rows = await on
    .select({ customer_id: waitlistEntry.customer_id })
    .from(waitlistEntry)
    .where(and(eq(waitlistEntry.single_class_id, single_class_id), eq(waitlistEntry.status, 'closed'), eq(waitlistEntry.updatedAt, at)))
  return rows.map((row) => row.customer_id)
}

/** Customers with a reservation in a class, and since when; customers on its waitlist. */
export async function listConcerned(on: Reader, single_class_id: number) {
  const [booked, waiting] = await Promise.all([
    on
      .select({ customer_id: classReservation.customer_id, createdAt: classReservation.createdAt })
      .from(classReservation)
      .where(
        and(
          eq(classReservation.single_class_id, single_class_id),
          isNull(classReservation.deletedAt),
          isNull(classReservation.host_reservation_id),
        ),
      ),
    on
      .select({ customer_id: waitlistEntry.customer_id })
      .from(waitlistEntry)
      .where(and(eq(waitlistEntry.single_class_id, single_class_id), inArray(waitlistEntry.status, ['waiting', 'offered']))),
  ])
  return { booked, waiting: waiting.map((row) => row.customer_id) }
}

/** The staff accounts of a class's instructors, and of further instructors by id. */
export async function listCoachStaff(on: Reader, single_class_id: number, also: readonly number[] = []): Promise<number[]> {
  const rows = await on
    .selectDistinct({ staff_id: staff.staff_id })
    .from(staff)
    .leftJoin(
      classInstructor,
      and(eq(classInstructor.instructor_id, staff.instructor_id), eq(classInstructor.single_class_id, single_class_id)),
    )
    .where(
      and(
        isNull(staff.disabledAt),
        sql`(${classInstructor.single_class_id} is not null or ${staff.instructor_id} = any(${`{${also.join(',')}}`}::integer[]))`,
      ),
    )
  return rows.map((row) => row.staff_id)
}

/** How many places of a class are free, as the database counts them; null when it does not exist or is cancelled. */
export async function findFree(on: Reader, single_class_id: number) {
  const [row] = await on
    .select({
      capacity: singleClass.capacity,
      taken: singleClass.taken,
      held: singleClass.held,
      spot_map: singleClass.spot_map,
      closed_spots: singleClass.closed_spots,
      starts_at: singleClass.starts_at,
    })
    .from(singleClass)
    .where(and(eq(singleClass.single_class_id, single_class_id), isNull(singleClass.cancelledAt)))
  return row ?? null
}

/** A customer's reservations in classes within a period, for their calendar feed. */
export function listForCalendar(on: Reader, customer_id: number, from: Date, to: Date) {
  return on
    .select({ ...reservation, updatedAt: classReservation.updatedAt })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .leftJoin(guestReservation, withGuest)
    .where(
      and(
        eq(classReservation.customer_id, customer_id),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        gt(singleClass.ends_at, from),
        lte(singleClass.starts_at, to),
      ),
    )
    .orderBy(singleClass.starts_at)
    .limit(1_000)
}
