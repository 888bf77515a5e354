/**
 * Reservations of the signed-in customer, from booking to rating. Every function that takes or frees a place locks the class first
 * (docs/domain.md, "Reservations").
 */
import type { Reservation, Reserve } from '#contract/bookings.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { spendableCreditLots, usableFor } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ClassCore, type LockedClass, lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { countCancellationsByCreditLot, oneReservation, serializeNewReservation } from './customer/my-reservations.ts'
import { bringsGuest, cancelWindow, isUndo, whyNotGuestName, whyNotMove, whyNotRate, whyNotSpot } from './rules.ts'
import { recordingFullClass } from './spots/full-class-refusals.ts'
import { bringGuest, whyNotBring } from './spots/guest-spots.ts'
import {
  type CreatedReservation,
  createReservation,
  lockReservation,
  type ReturnedCredit,
  releaseReservations,
  withGuest,
} from './spots/reserving.ts'
import { cashThatMoves } from './spots/spot-sales.ts'
import { notifyOthers } from './spots/waitlist-offers.ts'
import { endInvite } from './store/guest-invite-store.ts'
import { findReservation, updateReservation, upsertRating } from './store/store.ts'
import { timetable } from './timetable/timetable.ts'

export { renewFeed } from './calendar.ts'
export { movementRows } from './customer/my-reservations.ts'
export { findClassTexts } from './notifications/emails.ts'
export { previewClassCancelled, sampleConfirmation } from './notifications/notifications.ts'
export { recordingFullClass, writeClassRefusals } from './spots/full-class-refusals.ts'
export { createReservation } from './spots/reserving.ts'
export { demandPrice, describeReservation, singleReservationPrice } from './spots/spot-sales.ts'
export { listClassesWithLost, listLostWith } from './store/notification-store.ts'
export { countReservationsWithoutCredit } from './store/releasing-store.ts'
export { bookAgain, cancelFor, cancelForStaff } from './studio/attendance.ts'
export {
  alternativesToMany,
  applyClassCancel,
  applyClassErase,
  applyClassRestore,
  applyClassUpdate,
  occupiesAnew,
  whyNotChangeable,
} from './studio/class-changes.ts'
export { addImportedReservation, eraseImportedReservation } from './studio/imported.ts'
export { findReservationIds } from './studio/reservation-list.ts'
export { moveForStaff } from './studio/roster-changes.ts'
export { rosterReservation } from './studio/roster-view.ts'
export { listSeated, moveSeats, type SeatedReservation, type SeatMove } from './studio/seat-moves.ts'
export { findClasses } from './timetable/find-classes.ts'
export { type LiveClass, watchClasses } from './timetable/live.ts'
export { seatsByRoom } from './timetable/timetable.ts'
export { classesBetween } from './timetable/week.ts'

type Answer = Promise<{ class_reservation: Reservation }>

/**
 * Books a place for the signed-in customer, and one for a guest (R1-R6, R10-R12). A repeated request with the same Idempotency-Key returns
 * the same reservation. Refuses with the codes of the contract; nothing is written then.
 */
async function reserve(ctx: Ctx, input: Reserve): Answer {
  const { customer_id } = ctx.customer
  const facts = await timetable(ctx.studio).getPossiblyStale(input.single_class_id)
  if (!facts) throw refuse('CLASS_NOT_FOUND')
  let fresh: CreatedReservation | null = null
  const lock = (tx: Tx) => lockClass(tx, ctx, input.single_class_id)
  const book = async (tx: Tx, cls: LockedClass) => {
    fresh = null
    const created = await createReservation(tx, ctx, cls, { customer_id, input, source: 'customer' })
    const { class_reservation_id } = created
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id } })
    fresh = created
    return { class_reservation_id }
  }
  const reservationId = await recordingFullClass(ctx, { single_class_id: input.single_class_id, customer_id }, () =>
    ctx.onceAfter('bookings.reserve', input, lock, book),
  )
  return fresh ? { class_reservation: await serializeNewReservation(ctx, facts, fresh, input) } : oneReservation(ctx, reservationId)
}

/** Books a place, or changes the reservation whose id is given (S2-4.16). INVALID_INPUT when that one is in another class. */
export async function saveReservation(ctx: Ctx, input: Reserve): Answer {
  const { class_reservation_id, single_class_id, spot, guest, guest_spot } = input
  if (!class_reservation_id) return reserve(ctx, input)
  const mine = await findReservation(ctx.db, class_reservation_id, ctx.customer.customer_id)
  if (!mine) throw refuse('RESERVATION_NOT_FOUND')
  if (mine.single_class_id !== single_class_id) throw refuse('INVALID_INPUT', { field: 'single_class_id' })
  return changeReservation(ctx, {
    class_reservation_id,
    spot: spot ?? undefined,
    guest: guest ?? undefined,
    guest_spot: guest_spot ?? undefined,
  })
}

export interface Change {
  class_reservation_id: number
  spot?: string | undefined
  guest?: string | undefined
  guest_spot?: string | undefined
}

/** Changes the seat, the guest's name or seat, or brings a guest along (R6, R14). */
export async function changeReservation(ctx: Ctx, input: Change): Answer {
  const { customer_id } = ctx.customer
  const changed = await ctx.once('bookings.update', input, async (tx) => {
    const { class_reservation_id } = input
    const { cls: locked, place } = await lockReservation(tx, ctx, { class_reservation_id, customer_id })
    // A spot that is held for an invited guest is used for the guest who is named now.
    const endedInvite = place.guest_id === null && bringsGuest(input) && (await endInvite(tx, class_reservation_id, ctx.now))
    const cls = endedInvite ? await lockClass(tx, ctx, locked.single_class_id) : locked
    if (cls.cancelled) throw refuse('CLASS_CANCELLED')
    if (cls.starts_at <= ctx.now) throw refuse('CLASS_STARTED')
    const spot = input.spot ?? place.spot
    const moves = input.spot !== undefined && input.spot !== place.spot
    const no =
      (moves ? whyNotSpot(cls, input.spot) : null) ??
      (place.guest_id === null ? whyNotBring(ctx, cls, input, spot) : whyNotChangeGuest(cls, input))
    if (no) throw no

    // Both spots are freed before either is taken, so that host and guest can swap.
    if (moves && place.guest_id !== null && input.guest_spot !== undefined)
      await updateReservation(tx, place.guest_id, { spot: null }, ctx.now)
    if (moves) await updateReservation(tx, place.class_reservation_id, { spot: spot ?? null }, ctx.now)
    if (place.guest_id !== null) {
      const guest = {
        ...(input.guest === undefined ? {} : { guest: input.guest }),
        ...(input.guest_spot === undefined ? {} : { spot: input.guest_spot }),
      }
      if (Object.keys(guest).length) await updateReservation(tx, place.guest_id, guest, ctx.now)
    } else if (bringsGuest(input)) await bringGuest(tx, ctx, cls, { ...place, customer_id }, input)
    notifyOthers(tx, cls)
    return { class_reservation_id }
  })
  return oneReservation(ctx, changed)
}

function whyNotChangeGuest(cls: ClassCore, input: Change): Refusal | null {
  return (
    (input.guest === undefined ? null : whyNotGuestName(input.guest)) ??
    (input.guest_spot === undefined ? null : whyNotSpot(cls, input.guest_spot))
  )
}

/** Sets the guest's name, or adds a guest where there was none (R6, R14; S2-7.61): "+1" on the customer's own reservation. */
export function nameGuest(ctx: Ctx, input: { class_reservation_id: number; name: string; guest_spot?: string | undefined }): Answer {
  const { class_reservation_id, name, guest_spot } = input
  return changeReservation(ctx, { class_reservation_id, guest: name, guest_spot })
}

/**
 * Cancels the guest's place only (R23): within the cancel windows; it does not count against a credit lot's cancel limit. GUEST_NOT_FOUND.
 */
export async function removeGuest(
  ctx: Ctx,
  input: { class_reservation_id: number },
): Promise<{ class_reservation: Reservation; credit: ReturnedCredit }> {
  const { customer_id } = ctx.customer
  const done = await ctx.once('bookings.removeGuest', input, async (tx) => {
    const { cls, place } = await lockReservation(tx, ctx, { ...input, customer_id })
    if (place.guest_id === null || place.guest_since === null) throw refuse('GUEST_NOT_FOUND')
    if (cls.cancelled) throw refuse('CLASS_CANCELLED')
    const how = cancelWindow(cls, ctx.settings, ctx.now, { createdAt: place.guest_since, cancels: null })
    if (typeof how !== 'string') throw how
    const credit = await releaseReservations(tx, ctx, cls, [place.guest_id], { by: 'customer', late: how === 'late' })
    return { class_reservation_id: place.class_reservation_id, credit }
  })
  return { ...(await oneReservation(ctx, done)), credit: done.credit }
}

/**
 * Cancels a reservation and its guest's place (R7-R9, R16). In time, the credit is returned, exactly once; a late cancellation forfeits it.
 * RESERVATION_CANCELLED when it was cancelled before.
 */
export async function cancelReservation(
  ctx: Ctx,
  input: { class_reservation_id: number },
): Promise<{ class_reservation: Reservation; credit: ReturnedCredit }> {
  const { customer_id } = ctx.customer
  const done = await ctx.once('bookings.cancel', input, async (tx) => {
    const { cls, place } = await lockReservation(tx, ctx, { ...input, customer_id })
    const cancels = (await countCancellationsByCreditLot(tx, ctx, [place.available_class_id])).get(place.available_class_id ?? 0) ?? 0
    const how = cancelWindow(cls, ctx.settings, ctx.now, { createdAt: place.createdAt, cancels })
    if (typeof how !== 'string') throw how
    const undone = isUndo(cls, place.createdAt, ctx.settings, ctx.now)
    const credit = await releaseReservations(tx, ctx, cls, withGuest(place), { by: undone ? 'undo' : 'customer', late: how === 'late' })
    const { class_reservation_id } = place
    // No email when the customer undoes the booking right after making it (R16).
    if (!undone) await tx.send({ name: 'reservation-cancelled', data: { class_reservation_id, credit } })
    return { class_reservation_id, credit }
  })
  return { ...(await oneReservation(ctx, done)), credit: done.credit }
}

/**
 * Rates a class that the customer attended, once (R17; S2-3.23). The stars for the class itself are optional (S2-5.09). RATING_NOT_ALLOWED,
 * ALREADY_RATED.
 */
export async function rate(
  ctx: Ctx,
  input: {
    class_reservation_id: number
    class_stars?: number | null | undefined
    coach_stars: number
    comment?: string | null | undefined
  },
): Answer {
  const { class_reservation_id, coach_stars } = input
  await ctx.tx(async (tx) => {
    const row = await findReservation(tx, class_reservation_id, ctx.customer.customer_id)
    if (!row) throw refuse('RESERVATION_NOT_FOUND')
    const no = whyNotRate(row, row, ctx.settings, ctx.now)
    if (no) throw no
    const rating = { class_stars: input.class_stars ?? null, coach_stars, comment: input.comment || null }
    if (!(await upsertRating(tx, class_reservation_id, rating, ctx.now))) throw refuse('ALREADY_RATED')
  })
  return oneReservation(ctx, { class_reservation_id })
}

/**
 * Moves a reservation to another class in one transaction (R18), while cancelling it would be free. The guest moves too. The same credit
 * lot pays if it can, otherwise the next in order; money paid or owed at the counter moves along. A refusal changes nothing.
 */
export async function moveReservation(
  ctx: Ctx,
  input: {
    class_reservation_id: number
    single_class_id: number
    spot?: string | null | undefined
    guest_spot?: string | null | undefined
  },
): Answer {
  const { customer_id } = ctx.customer
  const { class_reservation_id, single_class_id, spot, guest_spot } = input
  const move = async (tx: Tx) => {
    const { cls, place, other } = await lockReservation(tx, ctx, { class_reservation_id, customer_id, also: single_class_id })
    if (!other) throw refuse('MOVE_SAME_CLASS')
    const cancels = (await countCancellationsByCreditLot(tx, ctx, [place.available_class_id])).get(place.available_class_id ?? 0) ?? 0
    const no = whyNotMove(cls, ctx.settings, ctx.now, { createdAt: place.createdAt, cancels })
    if (no) throw no
    const cash = await cashThatMoves(tx, withGuest(place))
    await releaseReservations(tx, ctx, cls, withGuest(place), { by: 'move', late: false, retainsPayment: cash !== null })
    const same = usableFor(await spendableCreditLots(tx, ctx, customer_id), other, ctx.zone).find(
      (creditLot) => creditLot.available_class_id === place.available_class_id,
    )
    const created = await createReservation(tx, ctx, other, {
      customer_id,
      source: 'move',
      ...(cash ? { cash } : {}),
      input: {
        spot,
        guest: place.guest,
        guest_spot: place.guest === null ? null : guest_spot,
        available_class_id: same?.available_class_id,
      },
    })
    await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id: created.class_reservation_id } })
    return { class_reservation_id: created.class_reservation_id }
  }
  const moved = await recordingFullClass(ctx, { single_class_id, customer_id }, () => ctx.once('bookings.move', input, move))
  return oneReservation(ctx, moved)
}
