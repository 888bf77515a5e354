/** The grants of a purchase: its credit lots, and the reservations that were paid with them. */
import { PAID_RESERVATIONS_SHOWN, type PurchaseGrants } from '#contract/studio-sales.ts'
import { wallClock } from '#contract/time.ts'
import { creditLotState } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listGrantedCreditLots, listPaidReservations } from '#server/modules/sales/store/purchase-grant-store.ts'

const UNLIMITED = -1

/** The caller has checked that the purchase may be seen. */
export async function purchaseGrants(ctx: Ctx, purchase_id: number): Promise<PurchaseGrants> {
  const [creditLots, reservations] = await Promise.all([
    listGrantedCreditLots(ctx.db, purchase_id),
    listPaidReservations(ctx.db, purchase_id, PAID_RESERVATIONS_SHOWN),
  ])
  return {
    lots: creditLots.map((creditLot) => ({
      available_class_id: creditLot.available_class_id,
      title: creditLot.title,
      state: creditLotState(creditLot, ctx.now),
      granted: creditLot.granted ?? UNLIMITED,
      available_classes: creditLot.balance ?? UNLIMITED,
      expiration_date: creditLot.expires_at && wallClock(creditLot.expires_at, ctx.zone).toISOString(),
    })),
    class_reservations: reservations.map(({ starts_at, zone, attend, cancelled, total: _, ...row }) => ({
      class_reservation_id: row.class_reservation_id,
      class_type: row.class_type,
      location: row.location,
      guest: row.guest,
      class_date: wallClock(new Date(starts_at), zone ?? ctx.zone).toISOString(),
      status: cancelled
        ? ('cancelled' as const)
        : attend === null
          ? ('reserved' as const)
          : attend
            ? ('attended' as const)
            : ('absent' as const),
    })),
    class_reservations_total: reservations[0]?.total ?? 0,
  }
}
