/** The staff's side of reservations: roster, booking, cancelling, receiving cash (docs/domain.md, "Reservations" and "Attendance"). */
import type { RosterReservation } from '#contract/attendance.ts'
import { refuse } from '#contract/errors.ts'
import { parsePesos } from '#contract/money.ts'
import { endOfDay, formatInstant, localDate } from '#contract/time.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import { bringsGuest, type ReservationInput } from '#server/modules/bookings/rules.ts'
import { recordingFullClass } from '#server/modules/bookings/spots/full-class-refusals.ts'
import {
  createReservation,
  lockReservation,
  type ReturnedCredit,
  releaseReservations,
  withGuest,
} from '#server/modules/bookings/spots/reserving.ts'
import { demandPrice, sellReservations } from '#server/modules/bookings/spots/spot-sales.ts'
import { findAnyReservation, findRosterReservation, listRoster, listUnpaid } from '#server/modules/bookings/store/attendance-store.ts'
import { lockCustomer } from '#server/modules/bookings/store/store.ts'
import { healthAnswers } from '#server/modules/content/content.ts'
import { grantCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, recordUndo } from '#server/modules/people/people.ts'
import { type ReceivedInput, readReceived } from '#server/modules/sales/sales.ts'
import { type ClassCore, lockClass, raiseCapacity } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { demandTeaching, getClassFacts, rosterReservation, serializeRosterClass, serializeRosterReservations } from './roster-view.ts'

/** The roster of a class (A1). CLASS_NOT_FOUND, NOT_YOUR_CLASS. */
export async function roster(ctx: Ctx, input: { single_class_id: number; with?: 'cancelled' | undefined }) {
  const cls = await getClassFacts(ctx, input.single_class_id)
  await demandTeaching(ctx, cls)
  const rows = await listRoster(ctx.db, input.single_class_id, { cancelled: input.with === 'cancelled' })
  const [single_class, class_reservations] = await Promise.all([serializeRosterClass(ctx, cls), serializeRosterReservations(ctx, rows)])
  return { single_class, class_reservations }
}

/**
 * What the QR code of a reservation opens (S2-2.49). The code only identifies it; rights are checked: RESERVATION_NOT_FOUND,
 * NOT_YOUR_CLASS.
 */
export async function getRosterReservation(ctx: Ctx, input: { class_reservation_id: number }) {
  const row = await findRosterReservation(ctx.db, input.class_reservation_id)
  if (!row) throw refuse('RESERVATION_NOT_FOUND')
  const cls = await getClassFacts(ctx, row.single_class_id)
  await demandTeaching(ctx, cls)
  return { ...(await rosterReservation(ctx, row.class_reservation_id)), single_class: await serializeRosterClass(ctx, cls) }
}

/** What the customer of a reservation said about their health (F6). RESERVATION_NOT_FOUND, NOT_YOUR_CLASS, FORBIDDEN. */
export async function healthOfReservation(ctx: Ctx, { class_reservation_id }: { class_reservation_id: number }) {
  const row = await findRosterReservation(ctx.db, class_reservation_id)
  if (!row) throw refuse('RESERVATION_NOT_FOUND')
  await demandTeaching(ctx, await getClassFacts(ctx, row.single_class_id))
  return { answers: await healthAnswers(ctx, row.customer_id) }
}

/**
 * The studio books for a customer (R21), over capacity with the right and a reason (Q7): with a credit, with one given now (`courtesy`,
 * R32), or at the counter (`is_cash`), still to be paid (R22) or paid now (`is_paid`, V45). Refuses with the codes of the contract.
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
      over_capacity?: { reason: string } | null | undefined
      courtesy?: { reason: string } | null | undefined
    },
) {
  const { customer_id, single_class_id, is_cash, is_paid } = input
  if (is_paid && !is_cash) throw refuse('INVALID_INPUT', { field: 'is_paid' })
  if (is_paid) ctx.require('sales.sell')
  if (input.courtesy && (is_cash || (input.available_class_id ?? null) !== null)) throw refuse('INVALID_INPUT', { field: 'courtesy' })
  if (input.over_capacity) ctx.require('roster.over_capacity')
  if (input.courtesy) ctx.require('credits.edit')
  await customerById(ctx.db, customer_id)
  const received = is_paid ? await readReceived(ctx, input) : null
  const book = async (tx: Tx) => {
    const locked = await lockClass(tx, ctx, single_class_id)
    ctx.requireLocation('roster.all', locked.location_id)
    const spots = bringsGuest(input) ? 2 : 1
    const isOver = Boolean(input.over_capacity) && locked.places_left < spots && !locked.cancelled
    const cls = isOver ? await raiseCapacity(tx, ctx, locked, { spots, reason: input.over_capacity?.reason ?? '' }) : locked
    const gift = input.courtesy ? await giveForReservation(tx, ctx, cls, { customer_id, spots, reason: input.courtesy.reason }) : {}
    const created = await createReservation(tx, ctx, cls, {
      customer_id,
      input: { ...input, ...gift, withoutSpot: isOver },
      source: 'staff',
      ...(is_cash ? { cash: { until: cashUntil(ctx, cls), price: await demandPrice(tx, ctx, cls) } } : {}),
    })
    const { class_reservation_id } = created
    await ctx.audit(tx, { action: 'reservation.create', entity: 'class_reservation', entity_id: class_reservation_id, after: input })
    if (received) {
      const { place } = await lockReservation(tx, ctx, { class_reservation_id, customer_id })
      await sellReservations(tx, ctx, cls, { customer_id, ids: withGuest(place), received, shown: null })
    }
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id } })
    return class_reservation_id
  }
  const id = await recordingFullClass(ctx, { single_class_id, customer_id }, () => ctx.once('bookings.reserveFor', input, book))
  return rosterReservation(ctx, id)
}

/** Gives the credits that pay for a place and its guest's: for this type of class, until the day on which the class ends (R32). */
async function giveForReservation(tx: Tx, ctx: Ctx, cls: ClassCore, input: { customer_id: number; spots: number; reason: string }) {
  const { customer_id, spots, reason } = input
  // Before the insertion that refers to the customer: the same order of locks as every reservation has.
  await lockCustomer(tx, customer_id)
  const day = localDate(cls.ends_at, ctx.zone)
  const [creditLot] = await grantCredits(tx, ctx, {
    kind: 'courtesy',
    customer_id,
    title: 'Cortesía del estudio',
    class_amount: spots,
    days: 0,
    until: endOfDay(day, ctx.zone),
    reason,
    like: { class_package_id: null, class_type_ids: [cls.class_type_id], location_ids: null, allowed_times: [], guests_use_credit: true },
  })
  if (!creditLot) throw new Error('No credit was given.')
  const { available_class_id } = creditLot
  await ctx.audit(tx, {
    action: 'credits.give',
    entity: 'customer',
    entity_id: customer_id,
    reason,
    after: {
      available_classes: spots,
      expiration_date: day,
      single_class_id: cls.single_class_id,
      available_class_ids: [available_class_id],
    },
  })
  return { available_class_id }
}

/** The deadline of a cash reservation; null when the class begins before it: then the place stays and its price is owed. */
function cashUntil(ctx: Ctx, cls: ClassCore): Date | null {
  const until = new Date(ctx.now.getTime() + ctx.settings.cash_hold_hours * 3_600_000)
  return until < cls.starts_at ? until : null
}

/** The customer of a reservation. RESERVATION_NOT_FOUND, also for a guest's. */
export async function ownerOfReservation(
  ctx: Ctx,
  class_reservation_id: number,
): Promise<{ class_reservation_id: number; customer_id: number }> {
  const seen = await findAnyReservation(ctx.db, class_reservation_id)
  if (!seen || seen.host_reservation_id !== null) throw refuse('RESERVATION_NOT_FOUND')
  return { class_reservation_id, customer_id: seen.customer_id }
}

/** Cancels a customer's reservation regardless of the windows (R21). Staff decide whether the credit is returned. */
export async function cancelFor(
  ctx: Ctx,
  input: { class_reservation_id: number; reason: string; credit: 'return' | 'keep' },
): Promise<{ class_reservation: RosterReservation; credit: ReturnedCredit; undo: ActUndo | null }> {
  const whose = await ownerOfReservation(ctx, input.class_reservation_id)
  const { credit, undo } = await ctx.tx(async (tx) => {
    const { place, cls, credit } = await cancelForStaff(tx, ctx, { ...whose, ...input })
    const { single_class_id, spot, guest, guest_spot, available_class_id } = place
    // What was paid in cash stays cancelled, and a lost credit cannot pay again.
    if (available_class_id === null || credit !== 'returned') return { credit, undo: null }
    const when = formatInstant(cls.starts_at, cls.zone, 'class')
    return {
      credit,
      undo: await recordUndo(tx, ctx, {
        customer_id: whose.customer_id,
        label: `Se canceló el lugar de :name del ${when}.`,
        act: { kind: 'reservation', single_class_id, spot, guest, guest_spot, available_class_id },
      }),
    }
  })
  return { ...(await rosterReservation(ctx, input.class_reservation_id)), credit, undo }
}

/** The same inside a transaction; returns the place as it was. RESERVATION_NOT_FOUND, RESERVATION_CANCELLED, CLASS_STARTED, FORBIDDEN. */
export async function cancelForStaff(
  tx: Tx,
  ctx: Ctx,
  input: { class_reservation_id: number; customer_id: number; reason: string; credit: 'return' | 'keep' },
) {
  const { class_reservation_id, reason } = input
  const { cls, place } = await lockReservation(tx, ctx, input)
  ctx.requireLocation('roster.all', cls.location_id)
  if (cls.ends_at <= ctx.now) throw refuse('CLASS_STARTED')
  const credit = await releaseReservations(tx, ctx, cls, withGuest(place), { by: 'staff', late: input.credit === 'keep' })
  await ctx.audit(tx, {
    action: 'reservation.cancel',
    entity: 'class_reservation',
    entity_id: class_reservation_id,
    reason,
    after: { credit },
  })
  await tx.send({ name: 'reservation-cancelled', data: { class_reservation_id, credit } })
  return { place, cls, credit }
}

interface CancelledReservation {
  customer_id: number
  single_class_id: number
  spot: string | null
  guest: string | null
  guest_spot: string | null
  available_class_id: number | null
}

/** Books a cancelled place again as it was, by the same lot, for undoing. Refuses with the codes of a booking by staff, FORBIDDEN. */
export async function bookAgain(tx: Tx, ctx: Ctx, { customer_id, single_class_id, ...input }: CancelledReservation): Promise<void> {
  const cls = await lockClass(tx, ctx, single_class_id)
  ctx.requireLocation('roster.all', cls.location_id)
  const { class_reservation_id } = await createReservation(tx, ctx, cls, { customer_id, input, source: 'staff' })
  await ctx.audit(tx, {
    action: 'reservation.create',
    entity: 'class_reservation',
    entity_id: class_reservation_id,
    after: { customer_id, single_class_id, spot: input.spot, guest: input.guest },
  })
  await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id } })
}

/**
 * Receives the money of a reservation and its guest's (R22): one sale with its charge (V45). `amount`: what the cashier saw.
 * RESERVATION_NOT_CASH, PRICE_MISSING, PRICE_CHANGED, PAYMENT_METHOD_UNAVAILABLE; idempotent.
 */
export async function markPaid(ctx: Ctx, input: ReceivedInput & { class_reservation_id: number; amount?: string | undefined }) {
  const whose = await ownerOfReservation(ctx, input.class_reservation_id)
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
  return rosterReservation(ctx, input.class_reservation_id)
}

/** Cancels cash reservations that were not paid by their deadline (R22). */
export async function endUnpaid(ctx: Ctx): Promise<void> {
  for (const { class_reservation_id } of await listUnpaid(ctx.db, ctx.now, 100)) {
    const whose = await ownerOfReservation(ctx, class_reservation_id)
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
