/** Upcoming reservations whose credits were revoked. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/**
 * Active reservations in classes that have not begun, paid by revoked or expired credit lots of a purchase, or sold by a revoked
 * purchase; by class.
 */
export function listReservationsWithoutCredit(on: Reader, purchase_id: number, now: Date) {
  return on
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      host_reservation_id: classReservation.host_reservation_id,
      single_class_id: classReservation.single_class_id,
      customer_id: classReservation.customer_id,
    })
    .from(classReservation)
    .leftJoin(availableClass, eq(availableClass.available_class_id, classReservation.available_class_id))
    .leftJoin(purchase, eq(purchase.purchase_id, classReservation.purchase_id))
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .where(
      and(
        or(
          and(
            eq(availableClass.purchase_id, purchase_id),
            or(isNotNull(availableClass.revokedAt), lte(availableClass.expires_at, now)),
            // Those already owed at the counter are skipped.
            eq(classReservation.is_cash, false),
          ),
          and(eq(classReservation.purchase_id, purchase_id), eq(purchase.status, 'revoked')),
        ),
        isNull(classReservation.deletedAt),
        isNull(singleClass.cancelledAt),
        gt(singleClass.starts_at, now),
      ),
    )
    .orderBy(asc(classReservation.single_class_id), asc(classReservation.class_reservation_id))
}

/** How many there are: what a refund that is being tried would release. */
export const countReservationsWithoutCredit = async (on: Reader, purchase_id: number, now: Date): Promise<number> =>
  (await listReservationsWithoutCredit(on, purchase_id, now)).length

export interface SeatedReservation {
  class_reservation_id: number
  single_class_id: number
  customer_id: number
  /** The customer's name; a guest's own. */
  name: string
  spot: string
}

/** The seats of reservations in some classes, in the order of the reservations. */
export async function listSeated(on: Reader, class_ids: readonly number[]): Promise<SeatedReservation[]> {
  const rows = await on
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      single_class_id: classReservation.single_class_id,
      customer_id: classReservation.customer_id,
      name: customer.name,
      last_name: customer.last_name,
      guest: classReservation.guest,
      spot: classReservation.spot,
    })
    .from(classReservation)
    .innerJoin(customer, eq(customer.customer_id, classReservation.customer_id))
    .where(
      and(inArray(classReservation.single_class_id, [...class_ids]), isNull(classReservation.deletedAt), isNotNull(classReservation.spot)),
    )
    .orderBy(asc(classReservation.class_reservation_id))
  return rows.flatMap(({ last_name, guest, spot, name, ...row }) =>
    spot === null ? [] : [{ ...row, name: guest ?? [name, last_name].filter(Boolean).join(' '), spot }],
  )
}
