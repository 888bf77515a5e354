/** Queries of the live updates: who a ticket belongs to, and the class or location of what changed. */
import { eq, inArray } from 'drizzle-orm'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { cashSession, sale } from '#server/modules/sales/counter-tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/** The account of a staff member; null if there is none. */
export async function findStaffUid(db: Reader, staff_id: number): Promise<string | null> {
  const [found] = await db.select({ uid: staff.uid }).from(staff).where(eq(staff.staff_id, staff_id))
  return found?.uid ?? null
}

/** The classes of reservations. */
export const listReservationClasses = (db: Reader, ids: number[]): Promise<{ class_reservation_id: number; single_class_id: number }[]> =>
  db
    .select({ class_reservation_id: classReservation.class_reservation_id, single_class_id: classReservation.single_class_id })
    .from(classReservation)
    .where(inArray(classReservation.class_reservation_id, ids))

/** Where records are: a location, or null for those of none. */
export type Located = { id: number; location_id: number | null }

export const listPurchaseLocations = (db: Reader, ids: number[]): Promise<Located[]> =>
  db.select({ id: purchase.purchase_id, location_id: purchase.location_id }).from(purchase).where(inArray(purchase.purchase_id, ids))

export const listSaleLocations = (db: Reader, ids: number[]): Promise<Located[]> =>
  db.select({ id: sale.sale_id, location_id: sale.location_id }).from(sale).where(inArray(sale.sale_id, ids))

export const listCashSessionLocations = (db: Reader, ids: number[]): Promise<Located[]> =>
  db
    .select({ id: cashSession.cash_session_id, location_id: cashSession.location_id })
    .from(cashSession)
    .where(inArray(cashSession.cash_session_id, ids))
