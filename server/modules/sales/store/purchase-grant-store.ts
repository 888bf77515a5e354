/** Queries of what a purchase granted and how much of it is left; read-only. */
import { asc, eq, sql } from 'drizzle-orm'
import { availableClass } from '#server/modules/credits/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/** The credit lots of a purchase, the first given first. */
export async function listGrantedCreditLots(db: Reader, purchase_id: number) {
  const { available_class_id, title, unlimited, granted, balance, expires_at, frozenAt, revokedAt, createdAt } = availableClass
  return db
    .select({ available_class_id, title, unlimited, granted, balance, expires_at, frozenAt, revokedAt, createdAt })
    .from(availableClass)
    .where(eq(availableClass.purchase_id, purchase_id))
    .orderBy(asc(createdAt), asc(available_class_id))
}

interface PaidReservation extends Record<string, unknown> {
  class_reservation_id: number
  class_type: string
  starts_at: string
  zone: string | null
  location: string
  guest: string | null
  attend: boolean | null
  cancelled: boolean
  total: number
}

/** Reservations that were paid with the lots of a purchase, the latest class first; each row has the number of all. */
export async function listPaidReservations(db: Reader, purchase_id: number, limit: number): Promise<PaidReservation[]> {
  const { rows } = await db.execute<PaidReservation>(sql`
    select coalesce(r.host_reservation_id, r.class_reservation_id) as class_reservation_id, t.name as class_type, c.starts_at, l.timezone as zone,
      l.name as location, r.guest, r.attend, (r."deletedAt" is not null) as cancelled, (count(*) over ())::int as total
    from available_class a join class_reservation r using (available_class_id) join single_class c using (single_class_id)
      join class_type t using (class_type_id) join location l on l.location_id = c.location_id
    where a.purchase_id = ${purchase_id} order by c.starts_at desc, r.class_reservation_id desc limit ${limit}`)
  return rows
}
