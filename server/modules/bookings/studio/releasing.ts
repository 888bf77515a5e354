/** Releases reservations whose credits were revoked with a refund or ended with a trial (R24, C20). */

import { withGuest } from '#server/modules/bookings/spots/reserving.ts'
import { offerFreedSpots } from '#server/modules/bookings/spots/waitlist-offers.ts'
import { findAnyReservation, updateReservations } from '#server/modules/bookings/store/attendance-store.ts'
import { listReservationsWithoutCredit } from '#server/modules/bookings/store/releasing-store.ts'
import { cancelReservations, findOwnReservation, lockCustomer } from '#server/modules/bookings/store/store.ts'
import { returnCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

/**
 * Releases upcoming reservations whose credits were revoked, host and guest, and offers their spots to the waitlist. Credits of other lots
 * that paid for the guest are returned. Where the host or guest is marked as present, the reservation stays and is owed. Job; idempotent.
 */
export async function releaseReservationsOfCreditLots(ctx: Ctx, input: { purchase_id: number }): Promise<void> {
  const reservations = await listReservationsWithoutCredit(ctx.db, input.purchase_id, ctx.now)
  const baseless = new Set(reservations.map((reservation) => reservation.class_reservation_id))
  for (const reservation of reservations) {
    // A guest is released together with the host.
    if (reservation.host_reservation_id !== null && baseless.has(reservation.host_reservation_id)) continue
    await ctx.tx(async (tx) => {
      const cls = await lockClass(tx, ctx, reservation.single_class_id)
      await lockCustomer(tx, reservation.customer_id)
      const current = await findAnyReservation(tx, reservation.class_reservation_id)
      if (!current || current.deletedAt || cls.starts_at <= ctx.now) return
      const host =
        reservation.host_reservation_id === null
          ? await findOwnReservation(tx, reservation.class_reservation_id, reservation.customer_id)
          : null
      const ids = host ? withGuest(host) : [reservation.class_reservation_id]
      const lost = ids.filter((id) => baseless.has(id))
      if (await isAnyHere(tx, ids)) {
        // Customers marked as present keep the reservation; it is owed at the counter like one in cash (R22, R24).
        await updateReservations(tx, lost, { is_cash: true, is_paid: false, pay_until: null, purchase_id: null }, ctx.now)
        await ctx.audit(tx, {
          action: 'reservation.owed',
          entity: 'class_reservation',
          entity_id: reservation.class_reservation_id,
          after: { purchase_id: input.purchase_id, places: lost },
          reason: 'se retiraron los créditos con los que se pagó',
        })
        return
      }
      const cancelled = await cancelReservations(tx, lost, { at: ctx.now, by: 'system', late: true })
      const others = await cancelReservations(tx, ids, { at: ctx.now, by: 'system', late: false })
      await returnCredits(tx, ctx, others)
      await offerFreedSpots(tx, ctx, cls)
      await ctx.audit(tx, {
        action: 'reservation.cancel',
        entity: 'class_reservation',
        entity_id: reservation.class_reservation_id,
        after: { purchase_id: input.purchase_id, places: [...cancelled, ...others] },
        reason: 'se retiraron los créditos con los que se pagó',
      })
      // When only the guest's place is released, the email about the refund informs the host.
      if (host)
        await tx.send({
          name: 'reservation-cancelled',
          data: { class_reservation_id: reservation.class_reservation_id, credit: 'revoked' },
        })
    })
  }
}

/** Whether the host or the guest of a reservation was marked as present. */
async function isAnyHere(tx: Tx, ids: readonly number[]): Promise<boolean> {
  for (const id of ids) if ((await findAnyReservation(tx, id))?.attend === true) return true
  return false
}
