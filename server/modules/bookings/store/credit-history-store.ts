/** Queries of a customer's credits and what reservations did with them. */
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { classType, location } from '#server/modules/catalogue/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { genericPlanParam, prepared, type Reader } from '#server/platform/db.ts'

const cancelled = prepared('bookings.cancels', (on: Reader) =>
  on
    .select({ lot: classReservation.available_class_id, n: count() })
    .from(classReservation)
    .where(
      and(
        sql`${classReservation.available_class_id} = any(${genericPlanParam('lots', 'integer[]')}::integer[])`,
        isNull(classReservation.host_reservation_id),
        eq(classReservation.cancelled_by, 'customer'),
      ),
    )
    .groupBy(classReservation.available_class_id),
)

/** Cancellations by the owner per credit lot (settled 25). A guest's place is cancelled with its host's and does not count. */
export async function countCancels(on: Reader, creditLots: readonly number[]): Promise<Map<number, number>> {
  if (creditLots.length === 0) return new Map()
  const rows = await cancelled(on).execute({ lots: `{${creditLots.join(',')}}` })
  return new Map(rows.map((row) => [row.lot ?? 0, row.n]))
}

/** Whether a credit lot is this customer's. */
export async function ownsCreditLot(on: Reader, customer_id: number, available_class_id: number): Promise<boolean> {
  return (
    (await on.$count(
      availableClass,
      and(eq(availableClass.available_class_id, available_class_id), eq(availableClass.customer_id, customer_id)),
    )) > 0
  )
}

/** A page of a customer's credit ledger, newest first, with the class that a movement paid. */
export async function listMovements(
  on: Reader,
  customer_id: number,
  available_class_id: number | undefined,
  page: { size: number; number: number },
) {
  const mine = and(
    eq(creditMovement.customer_id, customer_id),
    available_class_id === undefined ? undefined : eq(creditMovement.available_class_id, available_class_id),
  )
  const [rows, [all]] = await Promise.all([
    on
      .select({
        credit_movement_id: creditMovement.credit_movement_id,
        available_class_id: creditMovement.available_class_id,
        title: availableClass.title,
        kind: creditMovement.kind,
        amount: creditMovement.amount,
        createdAt: creditMovement.createdAt,
        class_reservation_id: creditMovement.class_reservation_id,
        class_type: classType.name,
        starts_at: singleClass.starts_at,
        timezone: location.timezone,
        guest: classReservation.guest,
        reason: creditMovement.reason,
        actor: creditMovement.actor,
      })
      .from(creditMovement)
      .innerJoin(availableClass, eq(availableClass.available_class_id, creditMovement.available_class_id))
      .leftJoin(classReservation, eq(classReservation.class_reservation_id, creditMovement.class_reservation_id))
      .leftJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
      .leftJoin(classType, eq(classType.class_type_id, singleClass.class_type_id))
      .leftJoin(location, eq(location.location_id, singleClass.location_id))
      .where(mine)
      .orderBy(desc(creditMovement.createdAt), desc(creditMovement.credit_movement_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ total: count() }).from(creditMovement).where(mine),
  ])
  return { rows, total: all?.total ?? 0 }
}
