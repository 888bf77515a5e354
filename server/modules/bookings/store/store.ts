/** Queries of the reservations; the only writes to them. */
import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { classReservation, guestInvite } from '#server/modules/bookings/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { genericPlanParam, prepared, type Reader, type Tx } from '#server/platform/db.ts'

const guestReservation = alias(classReservation, 'guest_place')

/** Joins a host's reservation with its guest's: an active guest with an active host; for a cancelled host, the guest cancelled with it. */
const guestOfHost = and(
  eq(guestReservation.host_reservation_id, classReservation.class_reservation_id),
  sql`${guestReservation.deletedAt} is not distinct from ${classReservation.deletedAt}`,
)

const isHost = isNull(classReservation.host_reservation_id)

const isActive = isNull(classReservation.deletedAt)

const NEXT_ID = sql`nextval('class_reservation_class_reservation_id_seq')::integer`

const lockedCustomer = prepared('bookings.lockCustomer', (on: Tx) =>
  on
    .select({ ids: sql<number[]>`array(select ${NEXT_ID} from generate_series(1, ${genericPlanParam('places', 'integer')}))` })
    .from(customer)
    .where(eq(customer.customer_id, sql.placeholder('id')))
    .for('no key update'),
)

/**
 * Serializes a customer's bookings: overlaps, limits and credit lots are read behind this lock. Taken after the class's lock. Returns ids
 * for so many reservations to come, so that what refers to them need not wait for their insertion.
 */
export async function lockCustomer(tx: Tx, customer_id: number, spots = 0): Promise<number[]> {
  const [row] = await lockedCustomer(tx).execute({ id: customer_id, places: spots })
  return row?.ids ?? []
}

const clash = prepared('bookings.clash', (on: Tx) =>
  on
    .select({ single_class_id: classReservation.single_class_id })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        eq(classReservation.customer_id, sql.placeholder('customer_id')),
        isActive,
        isHost,
        isNull(singleClass.cancelledAt),
        sql`${singleClass.starts_at} < ${genericPlanParam('ends', 'timestamptz')}`,
        sql`${singleClass.ends_at} > ${genericPlanParam('starts', 'timestamptz')}`,
        // No class lasts longer than a day: this bound lets the index on the start be used.
        sql`${singleClass.starts_at} > ${genericPlanParam('starts', 'timestamptz')} - interval '1 day'`,
      ),
    ),
)

/** The last class that a customer had a place in and that is over, unless they are marked as absent; null without one. */
export async function findLastVisit(
  on: Reader,
  customer_id: number,
  now: Date,
): Promise<{ single_class_id: number; spot: string | null } | null> {
  const [found] = await on
    .select({ single_class_id: classReservation.single_class_id, spot: classReservation.spot })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        eq(classReservation.customer_id, customer_id),
        isActive,
        isHost,
        sql`${classReservation.attend} is not false`,
        isNull(singleClass.cancelledAt),
        lt(singleClass.ends_at, now),
      ),
    )
    .orderBy(desc(singleClass.starts_at))
    .limit(1)
  return found ?? null
}

/** Overlapping classes in which this customer has a reservation, this class included. */
export async function listClashes(tx: Tx, customer_id: number, cls: { starts_at: Date; ends_at: Date }): Promise<number[]> {
  const rows = await clash(tx).execute({ customer_id, starts: cls.starts_at.toISOString(), ends: cls.ends_at.toISOString() })
  return rows.map((row) => row.single_class_id)
}

const inserted = prepared('bookings.insert', (on: Tx) =>
  on
    .insert(classReservation)
    .values({
      class_reservation_id: sql`coalesce(${sql.placeholder('class_reservation_id')}::integer, ${NEXT_ID})`,
      single_class_id: sql.placeholder('single_class_id'),
      customer_id: sql.placeholder('customer_id'),
      host_reservation_id: sql.placeholder('host_reservation_id'),
      guest: sql.placeholder('guest'),
      spot: sql.placeholder('spot'),
      available_class_id: sql.placeholder('available_class_id'),
      source: sql.placeholder('source'),
      is_cash: sql.placeholder('is_cash'),
      is_paid: sql.placeholder('is_paid'),
      pay_until: sql`${sql.placeholder('pay_until')}`,
      price_centavos: sql`${sql.placeholder('price_centavos')}`,
      purchase_id: sql`${sql.placeholder('purchase_id')}`,
      createdAt: sql`${sql.placeholder('now')}`,
      updatedAt: sql`${sql.placeholder('now')}`,
    })
    .returning({ class_reservation_id: classReservation.class_reservation_id }),
)

export interface NewReservation {
  /** One of those that `lockCustomer` gave; the next one when absent. */
  class_reservation_id?: number
  single_class_id: number
  customer_id: number
  host_reservation_id: number | null
  guest: string | null
  spot: string | null
  available_class_id: number | null
  source: (typeof classReservation.$inferSelect)['source']
  is_cash: boolean
  is_paid: boolean
  pay_until: Date | null
  /** Of a cash reservation: its price, and the sale that paid for it. */
  price_centavos?: number | null
  purchase_id?: number | null
  now: Date
}

/** Inserts a reservation; the database counts it and refuses one too many, a second one of the same customer, and a taken spot. */
export async function insertReservation(tx: Tx, reservation: NewReservation): Promise<number> {
  const [row] = await inserted(tx).execute({
    class_reservation_id: null,
    price_centavos: null,
    purchase_id: null,
    ...reservation,
    now: reservation.now.toISOString(),
    pay_until: reservation.pay_until?.toISOString() ?? null,
  })
  if (!row) throw new Error('A reservation was not inserted.')
  return row.class_reservation_id
}

/** A customer's own reservation by both ids; a guest's place belongs to its host. */
const ownReservation = and(
  eq(classReservation.class_reservation_id, sql.placeholder('id')),
  eq(classReservation.customer_id, sql.placeholder('customer_id')),
  isHost,
)

const heldReservations = prepared('bookings.held', (on: Tx) =>
  on
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      single_class_id: classReservation.single_class_id,
      available_class_id: classReservation.available_class_id,
      deletedAt: classReservation.deletedAt,
      spot: classReservation.spot,
      createdAt: classReservation.createdAt,
      guest_id: guestReservation.class_reservation_id,
      guest: guestReservation.guest,
      guest_spot: guestReservation.spot,
      guest_since: guestReservation.createdAt,
    })
    .from(classReservation)
    .leftJoin(guestReservation, guestOfHost)
    .where(ownReservation),
)

/** A customer's own reservation and its guest's; null for another customer's. Reliable only behind the class's lock. */
export async function findOwnReservation(tx: Tx, class_reservation_id: number, customer_id: number) {
  const [row] = await heldReservations(tx).execute({ id: class_reservation_id, customer_id })
  return row ?? null
}

/** Cancels reservations, and ends their invitations. Returns those that were active until now. */
export async function cancelReservations(
  tx: Tx,
  ids: readonly number[],
  how: { at: Date; by: NonNullable<(typeof classReservation.$inferSelect)['cancelled_by']>; late: boolean },
): Promise<number[]> {
  tx.fireAndForget(
    tx
      .update(guestInvite)
      .set({ releasedAt: how.at })
      .where(and(inArray(guestInvite.class_reservation_id, [...ids]), isNull(guestInvite.releasedAt))),
  )
  const rows = await tx
    .update(classReservation)
    .set({ deletedAt: how.at, updatedAt: how.at, cancelled_by: how.by, cancelled_late: how.late })
    .where(and(inArray(classReservation.class_reservation_id, [...ids]), isActive))
    .returning({ class_reservation_id: classReservation.class_reservation_id })
  return rows.map((row) => row.class_reservation_id)
}

export type ReservationRecord = typeof classReservation.$inferSelect

/** Whether a class ever had a reservation or a waitlist entry. */
export async function hasHistory(tx: Tx, single_class_id: number): Promise<boolean> {
  const { rows } = await tx.execute<{ found: boolean }>(sql`
    select exists (select 1 from class_reservation where single_class_id = ${single_class_id})
      or exists (select 1 from waitlist where single_class_id = ${single_class_id})
      or exists (select 1 from payment_hold where single_class_id = ${single_class_id})
      or exists (select 1 from waitlist_opening where single_class_id = ${single_class_id}) as found`)
  return rows[0]?.found === true
}

/** The reservations cancelled together with their class, guests' too, with their owners' names, ordered by owner. */
export async function listCancelledWith(tx: Tx, single_class_id: number, at: Date) {
  return tx
    .select({ ...getTableColumns(classReservation), name: customer.name, last_name: customer.last_name })
    .from(classReservation)
    .innerJoin(customer, eq(customer.customer_id, classReservation.customer_id))
    .where(
      and(
        eq(classReservation.single_class_id, single_class_id),
        eq(classReservation.cancelled_by, 'studio'),
        eq(classReservation.deletedAt, at),
      ),
    )
    .orderBy(asc(classReservation.customer_id), asc(classReservation.class_reservation_id))
}

/** After a change of the hour: clears the reminded marks, so that reminders are sent again. */
export async function forgetReminders(tx: Tx, single_class_id: number): Promise<void> {
  await tx
    .update(classReservation)
    .set({ remindedAt: null })
    .where(and(eq(classReservation.single_class_id, single_class_id), isActive))
}

/** Changes a reservation: its spot or its guest's name. */
export async function updateReservation(
  tx: Tx,
  class_reservation_id: number,
  change: { spot?: string | null; guest?: string },
  now: Date,
): Promise<void> {
  await tx
    .update(classReservation)
    .set({ ...change, updatedAt: now })
    .where(eq(classReservation.class_reservation_id, class_reservation_id))
}

/** Sets the attendance of imported reservations, without an author. */
export async function setAttendance(tx: Tx, ids: readonly number[], attend: boolean): Promise<void> {
  await tx
    .update(classReservation)
    .set({ attend })
    .where(inArray(classReservation.class_reservation_id, [...ids]))
}

/** A host's place and those of the guest, the host's first. */
export function listWithGuest(tx: Tx, class_reservation_id: number): Promise<ReservationRecord[]> {
  return tx
    .select()
    .from(classReservation)
    .where(
      or(eq(classReservation.class_reservation_id, class_reservation_id), eq(classReservation.host_reservation_id, class_reservation_id)),
    )
    .orderBy(asc(classReservation.class_reservation_id))
}

/** Deletes a place for good; the database counts it out of its class. */
export async function deleteReservation(tx: Tx, class_reservation_id: number): Promise<void> {
  await tx.delete(classReservation).where(eq(classReservation.class_reservation_id, class_reservation_id))
}

/** Stores a rating once; false when there was one. */
export async function upsertRating(
  tx: Tx,
  class_reservation_id: number,
  rating: { class_stars: number | null; coach_stars: number; comment: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .update(classReservation)
    .set({ ...rating, updatedAt: now })
    .where(and(eq(classReservation.class_reservation_id, class_reservation_id), isNull(classReservation.coach_stars)))
    .returning({ id: classReservation.class_reservation_id })
  return rows.length === 1
}

/** The taken spots of a class. */
export async function listTakenSpots(on: Reader, single_class_id: number): Promise<string[]> {
  const rows = await on
    .select({ spot: classReservation.spot })
    .from(classReservation)
    .where(and(eq(classReservation.single_class_id, single_class_id), isActive, isNotNull(classReservation.spot)))
  return rows.flatMap((row) => row.spot ?? [])
}

const reservationColumns = {
  class_reservation_id: classReservation.class_reservation_id,
  single_class_id: classReservation.single_class_id,
  starts_at: singleClass.starts_at,
  ends_at: singleClass.ends_at,
  spot: classReservation.spot,
  guest: guestReservation.guest,
  guest_spot: guestReservation.spot,
  attend: classReservation.attend,
  available_class_id: classReservation.available_class_id,
  guests_free: sql<boolean>`coalesce(not ${availableClass.guests_use_credit}, false)`,
  createdAt: classReservation.createdAt,
  guest_since: guestReservation.createdAt,
}

const around = prepared('bookings.around', (on: Reader) =>
  on
    .select(reservationColumns)
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .leftJoin(guestReservation, guestOfHost)
    .leftJoin(availableClass, eq(availableClass.available_class_id, classReservation.available_class_id))
    .where(
      and(
        eq(classReservation.customer_id, sql.placeholder('customer_id')),
        isActive,
        isHost,
        isNull(singleClass.cancelledAt),
        sql`${singleClass.starts_at} < ${sql.placeholder('to')}`,
        sql`${singleClass.ends_at} > ${sql.placeholder('from')}`,
      ),
    ),
)

/** A customer's reservations in classes that overlap a time range. */
export function listReservationsAround(on: Reader, customer_id: number, from: Date, to: Date) {
  return around(on).execute({ customer_id, from: from.toISOString(), to: to.toISOString() })
}

/** The hours of these customers' own reservations that overlap the time range of some classes. */
export async function listHoursTaken(
  on: Reader,
  customer_ids: readonly number[],
  classes: readonly { starts_at: Date; ends_at: Date }[],
): Promise<{ customer_id: number; starts_at: Date; ends_at: Date }[]> {
  if (!customer_ids.length || !classes.length) return []
  return await on
    .select({ customer_id: classReservation.customer_id, starts_at: singleClass.starts_at, ends_at: singleClass.ends_at })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        inArray(classReservation.customer_id, [...customer_ids]),
        isActive,
        isHost,
        isNull(singleClass.cancelledAt),
        lt(singleClass.starts_at, new Date(Math.max(...classes.map((cls) => cls.ends_at.getTime())))),
        gt(singleClass.ends_at, new Date(Math.min(...classes.map((cls) => cls.starts_at.getTime())))),
      ),
    )
}

const guestCreditLot = alias(availableClass, 'guest_lot')

const creditLotOfGuest = eq(guestCreditLot.available_class_id, guestReservation.available_class_id)

const reservations = {
  ...getTableColumns(classReservation),
  ...reservationColumns,
  paid_with: availableClass.title,
  lot: { unlimited: availableClass.unlimited, expires_at: availableClass.expires_at, revokedAt: availableClass.revokedAt },
  guest_lot: { unlimited: guestCreditLot.unlimited, expires_at: guestCreditLot.expires_at, revokedAt: guestCreditLot.revokedAt },
}

/** Reservations with their class, the guest's place and the credit lots that paid for both. */
const selectReservations = (on: Reader) =>
  on
    .select(reservations)
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .leftJoin(guestReservation, guestOfHost)
    .leftJoin(availableClass, eq(availableClass.available_class_id, classReservation.available_class_id))
    .leftJoin(guestCreditLot, creditLotOfGuest)

const reservationById = prepared('bookings.one', (on: Reader) => selectReservations(on).where(ownReservation))

export async function findReservation(on: Reader, class_reservation_id: number, customer_id: number) {
  const [row] = await reservationById(on).execute({ id: class_reservation_id, customer_id })
  return row ?? null
}

export type ReservationRow = NonNullable<Awaited<ReturnType<typeof findReservation>>>

export type Filter = 'all' | 'upcoming' | 'past' | 'cancelled'

const which = (filter: Filter, now: Date): SQL | undefined =>
  ({
    all: undefined,
    upcoming: and(isActive, gt(singleClass.ends_at, now)),
    past: and(isActive, lte(singleClass.ends_at, now)),
    cancelled: isNotNull(classReservation.deletedAt),
  })[filter]

/** The customer's own reservation whose class is the next to end; null: there is none. */
export async function findNextReservation(on: Reader, customer_id: number, now: Date): Promise<number | null> {
  const [next] = await on
    .select({ id: classReservation.class_reservation_id })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(and(eq(classReservation.customer_id, customer_id), isHost, which('upcoming', now), isNull(singleClass.cancelledAt)))
    .orderBy(asc(singleClass.starts_at), asc(classReservation.class_reservation_id))
    .limit(1)
  return next?.id ?? null
}

/** A page of a customer's reservations, those to come first, soonest first, then newest first; and how many there are in all. */
export async function listReservationRows(
  on: Reader,
  customer_id: number,
  filter: Filter,
  now: Date,
  page: { size: number; number: number },
) {
  const mine = and(eq(classReservation.customer_id, customer_id), isHost, which(filter, now))
  const isComing = sql`(${which('upcoming', now)})`
  const soonest = sql`case when ${isComing} then ${singleClass.starts_at} end`
  const [rows, [all]] = await Promise.all([
    selectReservations(on)
      .where(mine)
      .orderBy(desc(isComing), soonest, desc(singleClass.starts_at), desc(classReservation.class_reservation_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on
      .select({ total: count() })
      .from(classReservation)
      .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
      .where(mine),
  ])
  return { rows, total: all?.total ?? 0 }
}
