/** Queries of the places held while their purchase is paid; the only writes to them. `single_class.held` is counted by the database. */
import { and, count, eq, getTableColumns, gt, isNotNull, isNull, lte, or, sql, sum } from 'drizzle-orm'
import { paymentHold } from '#server/modules/bookings/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'

export type PaymentHoldRow = typeof paymentHold.$inferSelect

const isActive = isNull(paymentHold.releasedAt)

/** The purchase of a hold, or null: its customer, status and wanted class. `lock`: no other transaction changes it meanwhile. */
export async function findBuying(tx: Tx, purchase_id: number, lock: boolean) {
  const query = tx
    .select({ customer_id: purchase.customer_id, status: purchase.status, wanted_class: purchase.wanted_class })
    .from(purchase)
    .where(eq(purchase.purchase_id, purchase_id))
  const [row] = lock ? await query.for('update') : await query
  return row ?? null
}

/** Inserts a hold; the database refuses one for which the class has no place. */
export async function insertPaymentHold(tx: Tx, row: typeof paymentHold.$inferInsert): Promise<void> {
  await tx.insert(paymentHold).values(row)
}

/** The active holds of a customer. */
export function listHoldsOfCustomer(on: Reader, customer_id: number): Promise<PaymentHoldRow[]> {
  return on
    .select(getTableColumns(paymentHold))
    .from(paymentHold)
    .innerJoin(purchase, eq(purchase.purchase_id, paymentHold.purchase_id))
    .where(and(eq(purchase.customer_id, customer_id), isActive))
}

/** The active holds of a purchase. */
export function listHoldsOfPurchase(on: Reader, purchase_id: number): Promise<PaymentHoldRow[]> {
  return on
    .select()
    .from(paymentHold)
    .where(and(eq(paymentHold.purchase_id, purchase_id), isActive))
}

/** How many holds a customer had in a class, ended ones included. */
export async function countHolds(on: Reader, customer_id: number, single_class_id: number): Promise<number> {
  const [row] = await on
    .select({ n: count() })
    .from(paymentHold)
    .innerJoin(purchase, eq(purchase.purchase_id, paymentHold.purchase_id))
    .where(and(eq(purchase.customer_id, customer_id), eq(paymentHold.single_class_id, single_class_id)))
  return row?.n ?? 0
}

const heldNow = prepared('bookings.heldNow', (on: Reader) =>
  on
    .select({ single_class_id: paymentHold.single_class_id, places: sum(paymentHold.places).mapWith(Number) })
    .from(paymentHold)
    .innerJoin(purchase, eq(purchase.purchase_id, paymentHold.purchase_id))
    .where(and(eq(purchase.customer_id, sql.placeholder('customer_id')), isActive, gt(paymentHold.hold_until, sql.placeholder('now'))))
    .groupBy(paymentHold.single_class_id),
)

/** The number of places with a hold of a customer now, by class. */
export async function countPaymentHolds(on: Reader, customer_id: number, now: Date): Promise<Map<number, number>> {
  const rows = await heldNow(on).execute({ customer_id, now: now.toISOString() })
  return new Map(rows.map((row) => [row.single_class_id, row.places]))
}

/** Ends holds by their ids. Returns the number of places that became free. */
export async function endPaymentHold(tx: Tx, payment_hold_id: number, at: Date): Promise<number> {
  const rows = await tx
    .update(paymentHold)
    .set({ releasedAt: at })
    .where(and(eq(paymentHold.payment_hold_id, payment_hold_id), isActive))
    .returning({ places: paymentHold.places })
  return rows[0]?.places ?? 0
}

/** Ends the holds of a class that expired, or all of them. Returns the number of places that became free. */
export async function endPaymentHolds(tx: Tx, single_class_id: number, at: Date, which: 'expired' | 'all'): Promise<number> {
  const rows = await tx
    .update(paymentHold)
    .set({ releasedAt: at })
    .where(
      and(eq(paymentHold.single_class_id, single_class_id), isActive, which === 'expired' ? lte(paymentHold.hold_until, at) : undefined),
    )
    .returning({ places: paymentHold.places })
  return rows.reduce((sum, row) => sum + row.places, 0)
}

/** Classes with an expired hold, and classes that began or were cancelled with an active one. */
export async function listStaleHolds(on: Reader, now: Date, limit: number): Promise<number[]> {
  const rows = await on
    .selectDistinct({ id: paymentHold.single_class_id })
    .from(paymentHold)
    .innerJoin(singleClass, eq(singleClass.single_class_id, paymentHold.single_class_id))
    .where(and(isActive, or(lte(paymentHold.hold_until, now), lte(singleClass.starts_at, now), isNotNull(singleClass.cancelledAt))))
    .limit(limit)
  return rows.map((row) => row.id)
}
