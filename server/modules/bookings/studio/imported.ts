/** Reservations that were made in another system (docs/domain.md IM10). No messages are sent about them. */
import { createReservation } from '#server/modules/bookings/spots/reserving.ts'
import { offerFreedSpots } from '#server/modules/bookings/spots/waitlist-offers.ts'
import { deleteReservation, insertReservation, listWithGuest, lockCustomer, setAttendance } from '#server/modules/bookings/store/store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { listReferences } from '#server/platform/references.ts'

export interface ReservationToImport {
  single_class_id: number
  customer_id: number
  spot: string | null
  guest: string | null
  guest_spot: string | null
  attend: boolean | null
  /** Gives the credits that pay for a class to come; not called for one that is over, which costs nothing. */
  credit(spots: number): Promise<number>
}

/**
 * Records a reservation: in a future class as staff would book it, with a credit of its own; in a past one with its attendance. Refuses
 * like booking does: CLASS_NOT_FOUND, CLASS_CANCELLED, CLASS_FULL, ALREADY_RESERVED, SPOT_TAKEN.
 */
export async function addImportedReservation(
  tx: Tx,
  ctx: Ctx,
  input: ReservationToImport,
): Promise<{ class_reservation_id: number; over: boolean }> {
  const { single_class_id, customer_id, spot, guest, guest_spot, attend } = input
  const cls = await lockClass(tx, ctx, single_class_id)
  if (cls.ends_at > ctx.now) {
    const available_class_id = await input.credit(guest === null ? 1 : 2)
    const { class_reservation_id } = await createReservation(tx, ctx, cls, {
      customer_id,
      source: 'staff',
      input: { spot, available_class_id, ...(guest === null ? {} : { guest, guest_spot }) },
    })
    return { class_reservation_id, over: false }
  }
  await lockCustomer(tx, customer_id)
  const reservation = {
    single_class_id,
    customer_id,
    source: 'staff' as const,
    is_cash: false,
    is_paid: true,
    pay_until: null,
    available_class_id: null,
    now: ctx.now,
  }
  const class_reservation_id = await insertReservation(tx, { ...reservation, host_reservation_id: null, guest: null, spot })
  const ids = [class_reservation_id]
  if (guest !== null)
    ids.push(await insertReservation(tx, { ...reservation, host_reservation_id: class_reservation_id, guest, spot: guest_spot }))
  if (attend !== null) await setAttendance(tx, ids, attend)
  return { class_reservation_id, over: true }
}

/** Deletes a reservation that was not changed since its import, and its guest's; returns their ids, or null when one was changed. */
export async function eraseImportedReservation(
  tx: Tx,
  ctx: Ctx,
  { class_reservation_id, attend }: { class_reservation_id: number; attend: boolean | null },
): Promise<number[] | null> {
  const [seen] = await listWithGuest(tx, class_reservation_id)
  if (!seen) return []
  const cls = await lockClass(tx, ctx, seen.single_class_id)
  const reservations = await listWithGuest(tx, class_reservation_id)
  if (cls.ends_at > ctx.now && cls.starts_at <= ctx.now) return null
  for (const reservation of reservations) {
    if (
      reservation.deletedAt !== null ||
      reservation.attend !== attend ||
      reservation.updatedAt.getTime() !== reservation.createdAt.getTime()
    )
      return null
    const others = await listReferences(tx, 'class_reservation', reservation.class_reservation_id)
    const guests = reservation.host_reservation_id === null ? reservations.length - 1 : 0
    if (others.reduce((sum, { count }) => sum + count, 0) > guests) return null
  }
  // Guests first: they refer to their host.
  const ids = reservations.map((reservation) => reservation.class_reservation_id).toReversed()
  for (const id of ids) await deleteReservation(tx, id)
  await offerFreedSpots(tx, ctx, cls)
  return ids
}
