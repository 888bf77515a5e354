/** Changes of a reservation by staff: spot, guest, class (docs/domain.md, "The front desk"). */
import { type Refusal, refuse } from '#contract/errors.ts'
import {
  bringsGuest,
  firstFreeSpot,
  type ReservationInput,
  whyNotGuest,
  whyNotGuestName,
  whyNotRoom,
  whyNotSpot,
} from '#server/modules/bookings/rules.ts'
import { recordingFullClass } from '#server/modules/bookings/spots/full-class-refusals.ts'
import {
  createReservation,
  lockReservation,
  type ReturnedCredit,
  releaseReservations,
  withGuest,
} from '#server/modules/bookings/spots/reserving.ts'
import { cashThatMoves, demandPrice } from '#server/modules/bookings/spots/spot-sales.ts'
import { notifyOthers } from '#server/modules/bookings/spots/waitlist-offers.ts'
import { findAnyReservation } from '#server/modules/bookings/store/attendance-store.ts'
import { insertReservation, listTakenSpots, updateReservation } from '#server/modules/bookings/store/store.ts'
import { recordSpends, spendableCreditLots, spendGuestCredit, usableFor } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { LockedClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { ownerOfReservation } from './attendance.ts'
import { rosterReservation } from './roster-view.ts'

type LockedReservation = Awaited<ReturnType<typeof lockReservation>>['place']

interface Change {
  class_reservation_id: number
  spot?: string | undefined
  guest?: string | undefined
  guest_spot?: string | undefined
}

/** Why staff may not change reservations of this class (R21): it is cancelled or has ended. */
function whyNotChange(cls: LockedClass, now: Date): Refusal | null {
  if (cls.cancelled) return refuse('CLASS_CANCELLED')
  return cls.ends_at <= now ? refuse('CLASS_STARTED') : null
}

/** Changes the spot or the guest's name, or adds a guest (Q3). Refuses with the codes of the contract. */
export async function changeReservationFor(ctx: Ctx, input: Change) {
  const whose = await ownerOfReservation(ctx, input.class_reservation_id)
  const id = await ctx.once('frontDesk.change', input, async (tx) => {
    const { cls, place } = await lockReservation(tx, ctx, whose)
    ctx.requireLocation('roster.all', cls.location_id)
    const no = whyNotChange(cls, ctx.now) ?? whyNotSeats(ctx, cls, place, input)
    if (no) throw no
    const moves = input.spot !== undefined && input.spot !== place.spot
    // Both spots are freed before either is taken, so that host and guest can swap.
    if (moves && place.guest_id !== null && input.guest_spot !== undefined)
      await updateReservation(tx, place.guest_id, { spot: null }, ctx.now)
    if (moves) await updateReservation(tx, place.class_reservation_id, { spot: input.spot ?? null }, ctx.now)
    if (place.guest_id !== null) {
      const guest = {
        ...(input.guest === undefined ? {} : { guest: input.guest }),
        ...(input.guest_spot === undefined ? {} : { spot: input.guest_spot }),
      }
      if (Object.keys(guest).length > 0) await updateReservation(tx, place.guest_id, guest, ctx.now)
    } else if (bringsGuest(input)) await bringGuestFor(tx, ctx, cls, place, whose.customer_id, input)
    await ctx.audit(tx, {
      action: 'reservation.change',
      entity: 'class_reservation',
      entity_id: place.class_reservation_id,
      before: { spot: place.spot, guest: place.guest, guest_spot: place.guest_spot },
      after: {
        spot: input.spot ?? place.spot,
        guest: input.guest ?? place.guest,
        guest_spot: input.guest_spot ?? place.guest_spot,
      },
    })
    notifyOthers(tx, cls)
    return place.class_reservation_id
  })
  return rosterReservation(ctx, id)
}

function whyNotSeats(ctx: Ctx, cls: LockedClass, reservation: LockedReservation, input: Change): Refusal | null {
  const moves = input.spot !== undefined && input.spot !== reservation.spot
  const own = moves ? whyNotSpot(cls, input.spot) : null
  if (own) return own
  if (reservation.guest_id !== null)
    return (
      (input.guest === undefined ? null : whyNotGuestName(input.guest)) ??
      (input.guest_spot === undefined ? null : whyNotSpot(cls, input.guest_spot))
    )
  if (!bringsGuest(input)) return null
  const spot = input.spot ?? reservation.spot
  return (
    whyNotGuest(input, ctx.settings) ??
    whyNotRoom(cls, 1) ??
    whyNotSpot(cls, input.guest_spot) ??
    (spot !== null && spot === input.guest_spot ? refuse('SPOT_TAKEN') : null)
  )
}

/** A guest is paid as the host was: next to a cash reservation it is owed or paid at the counter, otherwise with a credit (C5). */
async function bringGuestFor(
  tx: Tx,
  ctx: Ctx,
  cls: LockedClass,
  host: LockedReservation,
  customer_id: number,
  input: Change,
): Promise<void> {
  const row = await findAnyReservation(tx, host.class_reservation_id)
  const guest = {
    single_class_id: cls.single_class_id,
    customer_id,
    source: 'staff' as const,
    now: ctx.now,
    host_reservation_id: host.class_reservation_id,
    guest: input.guest ?? '',
    spot: input.guest_spot ?? null,
  }
  if (row?.is_cash) {
    const price_centavos = row.price_centavos ?? (await demandPrice(tx, ctx, cls))
    await insertReservation(tx, {
      ...guest,
      is_cash: true,
      is_paid: false,
      pay_until: row.pay_until,
      available_class_id: null,
      price_centavos,
    })
    return
  }
  const paid = await spendGuestCredit(tx, ctx, { customer_id, cls, hostCreditLot: host.available_class_id })
  const class_reservation_id = await insertReservation(tx, {
    ...guest,
    is_cash: false,
    is_paid: true,
    pay_until: null,
    available_class_id: paid.creditLot.available_class_id,
  })
  await recordSpends(tx, ctx, [{ ...paid, class_reservation_id }])
}

/** Cancels the guest's reservation only, regardless of cancellation windows (Q3, R23). GUEST_NOT_FOUND, CLASS_STARTED, CLASS_CANCELLED. */
export async function removeGuestFor(
  ctx: Ctx,
  input: { class_reservation_id: number; credit: 'return' | 'keep' },
): Promise<Awaited<ReturnType<typeof rosterReservation>> & { credit: ReturnedCredit }> {
  const whose = await ownerOfReservation(ctx, input.class_reservation_id)
  const credit = await ctx.once('frontDesk.removeGuest', input, async (tx) => {
    const { cls, place } = await lockReservation(tx, ctx, whose)
    ctx.requireLocation('roster.all', cls.location_id)
    const no = place.guest_id === null ? refuse('GUEST_NOT_FOUND') : whyNotChange(cls, ctx.now)
    if (no || place.guest_id === null) throw no
    const back = await releaseReservations(tx, ctx, cls, [place.guest_id], { by: 'staff', late: input.credit === 'keep' })
    await ctx.audit(tx, {
      action: 'reservation.change',
      entity: 'class_reservation',
      entity_id: place.class_reservation_id,
      before: { guest: place.guest, guest_spot: place.guest_spot },
      after: { guest: null, credit: back },
    })
    return back
  })
  return { ...(await rosterReservation(ctx, input.class_reservation_id)), credit }
}

/**
 * Moves a reservation to another class in one transaction, regardless of cancellation windows (Q4): the guest moves too, the same credit
 * lot pays where it can, and what was paid or is owed at the counter moves along. When refused, nothing changes.
 */
export async function moveReservationFor(
  ctx: Ctx,
  input: ReservationInput & { class_reservation_id: number; single_class_id: number; reason?: string | null | undefined },
) {
  const whose = await ownerOfReservation(ctx, input.class_reservation_id)
  const move = async (tx: Tx) => (await moveForStaff(tx, ctx, { ...input, ...whose })).class_reservation_id
  const of = { single_class_id: input.single_class_id, customer_id: whose.customer_id }
  const moved = await recordingFullClass(ctx, of, () => ctx.once('frontDesk.move', input, move))
  return rosterReservation(ctx, moved)
}

/** The same inside a transaction; returns the new reservation and the place as it was. */
export async function moveForStaff(
  tx: Tx,
  ctx: Ctx,
  input: ReservationInput & {
    class_reservation_id: number
    customer_id: number
    single_class_id: number
    reason?: string | null | undefined
  },
) {
  const { class_reservation_id, customer_id, single_class_id } = input
  const { cls, place, other } = await lockReservation(tx, ctx, { class_reservation_id, customer_id, also: single_class_id })
  if (!other) throw refuse('MOVE_SAME_CLASS')
  for (const either of [cls, other]) ctx.requireLocation('roster.all', either.location_id)
  const no = whyNotChange(cls, ctx.now)
  if (no) throw no
  const cash = await cashThatMoves(tx, withGuest(place))
  await releaseReservations(tx, ctx, cls, withGuest(place), { by: 'move', late: false, retainsPayment: cash !== null })
  const creditLots = usableFor(await spendableCreditLots(tx, ctx, customer_id), other, ctx.zone)
  const same = creditLots.find((creditLot) => creditLot.available_class_id === place.available_class_id)
  const created = await createReservation(tx, ctx, other, {
    customer_id,
    source: 'move',
    byStaff: true,
    ...(cash ? { cash } : {}),
    input: { ...(await seatsIn(tx, other, place, input)), guest: place.guest, available_class_id: same?.available_class_id },
  })
  await ctx.audit(tx, {
    action: 'reservation.move',
    entity: 'class_reservation',
    entity_id: created.class_reservation_id,
    reason: input.reason ?? null,
    before: { class_reservation_id, single_class_id: cls.single_class_id, spot: place.spot },
    after: { single_class_id },
  })
  await tx.send({ name: 'reservation-confirmed', data: { class_reservation_id: created.class_reservation_id } })
  return { class_reservation_id: created.class_reservation_id, place }
}

/** The requested spots; without a request the same spots where they are free, otherwise the first free ones. */
async function seatsIn(tx: Tx, cls: LockedClass, reservation: LockedReservation, input: ReservationInput) {
  if (cls.spot_map === null) return { spot: input.spot ?? null, guest_spot: input.guest_spot ?? null }
  const takenSpots = await listTakenSpots(tx, cls.single_class_id)
  const choose = (wanted: string | null | undefined, before: string | null): string | null => {
    const spot =
      wanted ??
      (before !== null && whyNotSpot(cls, before) === null && !takenSpots.includes(before) ? before : firstFreeSpot(cls, takenSpots))
    if (spot !== null) takenSpots.push(spot)
    return spot
  }
  const spot = choose(input.spot, reservation.spot)
  return { spot, guest_spot: reservation.guest === null ? null : choose(input.guest_spot, reservation.guest_spot) }
}
