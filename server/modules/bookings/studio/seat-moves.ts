/** Moves of reservations to other seats because the room's map changed (docs/domain.md L19). */
import { updateReservation } from '#server/modules/bookings/store/store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { LockedClass } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

export { listSeated, type SeatedReservation } from '#server/modules/bookings/store/releasing-store.ts'

export interface SeatMove {
  class_reservation_id: number
  customer_id: number
  from: string
  /** What `from` was called, in a sentence. */
  from_name: string
  to: string
  /** Whether the seat has another name afterwards. */
  isNotified: boolean
}

/** Moves reservations of a class that the caller locked to spots that it checked, and sends the message about it. */
export async function moveSeats(tx: Tx, ctx: Ctx, cls: LockedClass, moves: readonly SeatMove[]): Promise<void> {
  if (moves.length === 0) return
  // All spots are freed before any is taken, so that people can change places with each other.
  const elsewhere = moves.filter(({ from, to }) => from !== to)
  for (const { class_reservation_id } of elsewhere) await updateReservation(tx, class_reservation_id, { spot: null }, ctx.now)
  for (const { class_reservation_id, from, to } of elsewhere) {
    await updateReservation(tx, class_reservation_id, { spot: to }, ctx.now)
    await ctx.audit(tx, {
      action: 'reservation.change',
      entity: 'class_reservation',
      entity_id: class_reservation_id,
      before: { spot: from },
      after: { spot: to },
    })
  }
  const byCustomer = Map.groupBy(
    moves.filter((move) => move.isNotified),
    ({ customer_id }) => customer_id,
  )
  if (byCustomer.size > 0)
    await tx.send({
      name: 'spots-moved',
      data: {
        single_class_id: cls.single_class_id,
        at: ctx.now.toISOString(),
        moves: [...byCustomer].map(([customer_id, own]) => ({
          customer_id,
          spots: own.map(({ from, from_name, to }) => ({ from, from_name, to })),
        })),
      },
    })
}
