/** Queries of the live updates: the staff member of a ticket, and the class or location of a change. */
import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import { classReservation } from '#server/modules/bookings/tables.ts'
import { apiKey } from '#server/modules/integrations/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { cashSession, sale } from '#server/modules/sales/counter-tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { sharedDevice } from '#server/modules/team/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/** The account of a staff member; null if there is none. */
export async function findStaffUid(db: Reader, staff_id: number): Promise<string | null> {
  const [found] = await db.select({ uid: staff.uid }).from(staff).where(eq(staff.staff_id, staff_id))
  return found?.uid ?? null
}

/** Whether this person has unlocked a shared device, and still acts on it. */
export async function isUnlockedBy(db: Reader, of: { shared_device_id: number; staff_id: number; now: Date }): Promise<boolean> {
  const { shared_device_id, staff_id, unlockedUntil } = sharedDevice
  const rows = await db
    .select({ shared_device_id })
    .from(sharedDevice)
    .where(and(eq(shared_device_id, of.shared_device_id), eq(staff_id, of.staff_id), gt(unlockedUntil, of.now)))
  return rows.length > 0
}

/** Whether an API key was neither revoked nor has expired. */
export async function isKeyInUse(db: Reader, { api_key_id, now }: { api_key_id: number; now: Date }): Promise<boolean> {
  const rows = await db
    .select({ api_key_id: apiKey.api_key_id })
    .from(apiKey)
    .where(and(eq(apiKey.api_key_id, api_key_id), isNull(apiKey.revokedAt), or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now))))
  return rows.length > 0
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
