/** Who came: the roster, what is decided after the grace period, and what the studio does with places (docs/domain.md, "Attendance"). */
import type { RosterReservation } from '#contract/attendance.ts'
import { statusOf } from '#contract/bookings.ts'
import { instructorName } from '#contract/copy/names.ts'
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import { decided, whyNotMark } from '#server/modules/bookings/attendance-rules.ts'
import type { ReservationInput } from '#server/modules/bookings/rules.ts'
import {
  createReservation,
  lockReservation,
  type ReturnedCredit,
  releaseReservations,
  withGuest,
} from '#server/modules/bookings/spots/reserving.ts'
import { demandPrice, sellReservations, singleReservationPrice } from '#server/modules/bookings/spots/spot-sales.ts'
import {
  findAnyReservation,
  findRosterReservation,
  listActiveReservations,
  listRoster,
  listUnpaid,
  type RosterRow,
  teaches,
  updateReservations,
} from '#server/modules/bookings/store/attendance-store.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { type ReceivedInput, readReceived } from '#server/modules/sales/sales.ts'
import { type ClassCore, lockClass, markRosterClosed } from '#server/modules/schedule/schedule.ts'
import { judge, reconsider } from './penalties.ts'

/**
 * Without the right to all lists, staff do with the classes that they teach what others do with all (A1); who works at some locations, with the
 * classes there (E4). NOT_YOUR_CLASS, FORBIDDEN.
 */
export async function demandTeaching(
  ctx: Ctx,
  { single_class_id, location_id }: { single_class_id: number; location_id: number },
): Promise<void> {
  const { staff } = ctx
  ctx.requireLocation('classes.own', location_id)
  if (!staff || ctx.may('roster.all')) return
  if (staff.instructor_id === null || !(await teaches(ctx.db, single_class_id, staff.instructor_id))) throw refuse('NOT_YOUR_CLASS')
}

async function factsOf(ctx: Ctx, single_class_id: number): Promise<ClassFacts> {
  const [cls] = await timetable(ctx.studio).byId([single_class_id])
  if (!cls) throw refuse('CLASS_NOT_FOUND')
  return cls
}

/** Everybody with a place in a class (A1). CLASS_NOT_FOUND, NOT_YOUR_CLASS. */
export async function roster(ctx: Ctx, input: { single_class_id: number; with?: 'cancelled' | undefined }) {
  const cls = await factsOf(ctx, input.single_class_id)
  await demandTeaching(ctx, cls)
  const rows = await listRoster(ctx.db, input.single_class_id, { cancelled: input.with === 'cancelled' })
  return { single_class: classOut(cls), class_reservations: rows.map((row) => placeOut(ctx, row)) }
}

/** What the QR code of a reservation opens (S2-2.49). The code is an address, not a permission: RESERVATION_NOT_FOUND, NOT_YOUR_CLASS. */
export async function getRosterReservation(ctx: Ctx, input: { class_reservation_id: number }) {
  const row = await findRosterReservation(ctx.db, input.class_reservation_id)
  if (!row) throw refuse('RESERVATION_NOT_FOUND')
  const cls = await factsOf(ctx, row.single_class_id)
  await demandTeaching(ctx, cls)
  return { class_reservation: placeOut(ctx, row), single_class: classOut(cls) }
}

function classOut(cls: ClassFacts) {
  const { shown } = cls
  const { single_class_id, class_date, starts_at, ends_at, timezone, capacity, spot_map, closed_spots } = shown
  return {
    ...{ single_class_id, class_date, starts_at, ends_at, timezone, capacity, spot_map, closed_spots },
    class_type: shown.class_type.name,
    location: shown.location.name,
    coaches: shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y '),
    ...{ taken: cls.taken, held: cls.held, places_left: cls.places_left, cancelled: cls.cancelled },
  }
}

function placeOut(ctx: Ctx, row: RosterRow): RosterReservation {
  const contact = ctx.may('customers.read')
  const { class_reservation_id, single_class_id, customer_id, name, last_name, spot, guest, guest_reservation_id, guest_spot } = row
  const { guest_attend, is_cash, is_paid, attend, excuse, paid_with, first_class, class_stars, coach_stars, comment } = row
  return {
    ...{ class_reservation_id, single_class_id, customer_id, name, last_name, spot, guest, guest_reservation_id, guest_spot },
    ...{ guest_attend, is_cash, is_paid, attend, excuse, paid_with, first_class, class_stars, coach_stars, comment },
    email: contact ? row.email : null,
    phone: contact ? row.phone : null,
    owed: ctx.may('roster.all') ? owedOf(ctx, row) : null,
    status: statusOf({ ...row, past: row.ends_at <= ctx.now }),
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    cancelled:
      row.deletedAt && row.cancelled_by
        ? {
            ...{ at: row.deletedAt.toISOString(), by: row.cancelled_by, late: row.cancelled_late === true },
            ...{ who: row.cancel_trail?.name ?? null, reason: row.cancel_trail?.reason ?? null },
          }
        : null,
  }
}

/** What is still to be paid at the counter for a place and its guest's; null = nothing, or nobody has said what it costs. */
function owedOf(ctx: Ctx, row: RosterRow): string | null {
  const price = singleReservationPrice({ price_centavos: row.class_price }, { price_centavos: row.type_price }, ctx.settings)
  const due = [
    row.is_cash && !row.is_paid ? (row.price_centavos ?? price) : 0,
    row.guest_cash && !row.guest_paid ? (row.guest_price ?? price) : 0,
  ]
  const total = due.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
  return total ? pesos(total) : null
}

/** One place as staff see it. RESERVATION_NOT_FOUND. */
export const rosterReservation = shown

async function shown(ctx: Ctx, class_reservation_id: number): Promise<{ class_reservation: RosterReservation }> {
  const row = await findRosterReservation(ctx.db, class_reservation_id)
  if (!row) throw refuse('RESERVATION_NOT_FOUND')
  return { class_reservation: placeOut(ctx, row) }
}

/**
 * Came, did not come, or not said (A2, A3). After the decision it is a correction: no-shows are counted again, and a penalty that rested on
 * this one falls. Refuses with the codes of the contract.
 */
export async function markAttendance(
  ctx: Ctx,
  input: { class_reservation_id: number; attend: boolean | null; excuse?: string | null | undefined },
) {
  const seen = await findAnyReservation(ctx.db, input.class_reservation_id)
  if (!seen) throw refuse('RESERVATION_NOT_FOUND')
  await demandTeaching(ctx, await factsOf(ctx, seen.single_class_id))
  await ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, seen.single_class_id)
    const reservation = await findAnyReservation(tx, input.class_reservation_id)
    if (!reservation || reservation.deletedAt) throw refuse('RESERVATION_CANCELLED')
    const no = whyNotMark(cls, ctx.now)
    if (no) throw no
    const { attend } = input
    const excuse = attend === false ? (input.excuse ?? null) : null
    await updateReservations(tx, [reservation.class_reservation_id], { attend, excuse }, ctx.now)
    await ctx.audit(tx, {
      ...{ action: 'attendance.mark', entity: 'class_reservation', entity_id: reservation.class_reservation_id, reason: excuse },
      ...{ before: { attend: reservation.attend, excuse: reservation.excuse }, after: { attend, excuse } },
    })
    if (cls.settledAt === null || reservation.host_reservation_id !== null) return
    if (attend === false && excuse === null) await judge(tx, ctx, [reservation])
    else await reconsider(tx, ctx, reservation.class_reservation_id)
  })
  return shown(ctx, input.class_reservation_id)
}

/**
 * Decides who came to a class that ended some hours ago (A4, settled 24): on a list that was used whoever is not marked did not come; a
 * list that nobody touched says nothing, and everybody counts as having come. Once per class.
 */
export async function closeRoster(ctx: Ctx, single_class_id: number): Promise<void> {
  await ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, single_class_id)
    if (cls.settledAt !== null || cls.cancelled) return
    const reservations = await listActiveReservations(tx, single_class_id)
    const attend = decided(reservations)
    const open = reservations.filter((reservation) => reservation.attend === null)
    await updateReservations(
      tx,
      open.map((reservation) => reservation.class_reservation_id),
      { attend },
      ctx.now,
    )
    await markRosterClosed(tx, ctx, single_class_id)
    const absent = reservations.filter(
      (reservation) => reservation.host_reservation_id === null && reservation.excuse === null && (reservation.attend ?? attend) === false,
    )
    await judge(tx, ctx, absent)
  })
}

/**
 * The studio books for a customer (R21): with a credit, or at the counter (`is_cash`), still to be paid (R22) or paid now (`is_paid`, V45).
 * Refuses with the codes of the contract.
 */
export async function reserveFor(
  ctx: Ctx,
  input: ReservationInput &
    ReceivedInput & {
      customer_id: number
      single_class_id: number
      available_class_id?: number | null | undefined
      is_cash: boolean
      is_paid: boolean
    },
) {
  const { customer_id, single_class_id, is_cash, is_paid } = input
  if (is_paid && !is_cash) throw refuse('INVALID_INPUT', { field: 'is_paid' })
  if (is_paid) ctx.require('sales.sell')
  await customerById(ctx.db, customer_id)
  const received = is_paid ? await readReceived(ctx, input) : null
  const made = await ctx.once('bookings.reserveFor', input, async (tx) => {
    const cls = await lockClass(tx, ctx, single_class_id)
    ctx.requireLocation('roster.all', cls.location_id)
    const taken = await createReservation(tx, ctx, cls, {
      ...{ customer_id, ask: input, source: 'staff' },
      ...(is_cash ? { cash: { until: cashUntil(ctx, cls), price: await demandPrice(tx, ctx, cls) } } : {}),
    })
    const { class_reservation_id } = taken
    await ctx.audit(tx, { action: 'reservation.create', entity: 'class_reservation', entity_id: class_reservation_id, after: input })
    if (received) {
      const { place } = await lockReservation(tx, ctx, { class_reservation_id, customer_id })
      await sellReservations(tx, ctx, cls, { customer_id, ids: withGuest(place), received, shown: null })
    }
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id } })
    return class_reservation_id
  })
  return shown(ctx, made)
}

/** Until when cash holds a place; null when the class comes first: then it stays and is owed. */
function cashUntil(ctx: Ctx, cls: ClassCore): Date | null {
  const until = new Date(ctx.now.getTime() + ctx.settings.cash_hold_hours * 3_600_000)
  return until < cls.starts_at ? until : null
}

/** The place behind its class's lock, whoever's it is. */
async function placeOf(ctx: Ctx, class_reservation_id: number): Promise<{ class_reservation_id: number; customer_id: number }> {
  const seen = await findAnyReservation(ctx.db, class_reservation_id)
  if (!seen || seen.host_reservation_id !== null) throw refuse('RESERVATION_NOT_FOUND')
  return { class_reservation_id, customer_id: seen.customer_id }
}

/** Gives up a customer's place, whatever the windows say (R21). Staff say whether the credit comes back. */
export async function cancelFor(
  ctx: Ctx,
  input: { class_reservation_id: number; reason: string; credit: 'return' | 'keep' },
): Promise<{ class_reservation: RosterReservation; credit: ReturnedCredit }> {
  const { class_reservation_id, reason } = input
  const whose = await placeOf(ctx, class_reservation_id)
  const credit = await ctx.tx(async (tx) => {
    const { cls, place } = await lockReservation(tx, ctx, whose)
    ctx.requireLocation('roster.all', cls.location_id)
    if (cls.ends_at <= ctx.now) throw refuse('CLASS_STARTED')
    const back = await releaseReservations(tx, ctx, cls, withGuest(place), { by: 'staff', late: input.credit === 'keep' })
    await ctx.audit(tx, {
      ...{ action: 'reservation.cancel', entity: 'class_reservation', entity_id: class_reservation_id, reason },
      after: { credit: back },
    })
    await tx.send({ name: 'reservation-cancelled', data: { class_reservation_id, credit: back } })
    return back
  })
  return { ...(await shown(ctx, class_reservation_id)), credit }
}

/**
 * The money of a place has come, the guest's with it (R22): one sale with its charge (V45). `amount`: what the cashier was shown.
 * RESERVATION_NOT_CASH, PRICE_MISSING, PRICE_CHANGED, PAYMENT_METHOD_UNAVAILABLE; paying twice is paying once.
 */
export async function markPaid(ctx: Ctx, input: ReceivedInput & { class_reservation_id: number; amount?: string | undefined }) {
  const whose = await placeOf(ctx, input.class_reservation_id)
  const received = await readReceived(ctx, input)
  await ctx.tx(async (tx) => {
    const { cls, place } = await lockReservation(tx, ctx, whose)
    ctx.requireLocation('sales.sell', cls.location_id)
    // Of a host and a guest only one may have lost the credit that paid for them (R24).
    const rows = await Promise.all(withGuest(place).map((id) => findAnyReservation(tx, id)))
    if (!rows.some((row) => row?.is_cash)) throw refuse('RESERVATION_NOT_CASH')
    if (rows.every((row) => row?.is_paid)) return
    const shown = input.amount === undefined ? null : parsePesos(input.amount)
    await sellReservations(tx, ctx, cls, { customer_id: whose.customer_id, ids: withGuest(place), received, shown })
    await ctx.audit(tx, {
      action: 'reservation.paid',
      entity: 'class_reservation',
      entity_id: place.class_reservation_id,
      after: { is_paid: true, payment_method: received.method },
    })
  })
  return shown(ctx, input.class_reservation_id)
}

/** Places for which no cash came in time are free again (R22). */
export async function endUnpaid(ctx: Ctx): Promise<void> {
  for (const { class_reservation_id } of await listUnpaid(ctx.db, ctx.now, 100)) {
    const whose = await placeOf(ctx, class_reservation_id)
    await ctx
      .tx(async (tx) => {
        const { cls, place } = await lockReservation(tx, ctx, whose)
        const row = await findAnyReservation(tx, class_reservation_id)
        if (!row || row.is_paid || row.pay_until === null || row.pay_until > ctx.now) return
        await releaseReservations(tx, ctx, cls, withGuest(place), { by: 'system', late: false })
        await tx.send({ name: 'reservation-cancelled', data: { class_reservation_id, credit: 'unpaid' } })
      })
      .catch((error: unknown) => ctx.studio.log.warn({ error, class_reservation_id }, 'reservation.unpaid_check_failed'))
  }
}
