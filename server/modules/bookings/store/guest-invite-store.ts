/**
 * Queries of the places held for a guest who was invited with a link; the only writes to them. `single_class.held` is counted by
 * the database.
 */
import { and, count, eq, getTableColumns, gt, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { classReservation, guestInvite } from '#server/modules/bookings/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'

export type GuestInviteRow = typeof guestInvite.$inferSelect

const isActive = isNull(guestInvite.releasedAt)

/** An invitation and the customer who invites. */
export async function findInvite(on: Reader, guest_invite_id: number): Promise<(GuestInviteRow & { customer_id: number }) | null> {
  const [row] = await on
    .select({ ...getTableColumns(guestInvite), customer_id: classReservation.customer_id })
    .from(guestInvite)
    .innerJoin(classReservation, eq(classReservation.class_reservation_id, guestInvite.class_reservation_id))
    .where(eq(guestInvite.guest_invite_id, guest_invite_id))
  return row ?? null
}

/** The active invitation of a reservation. */
export async function findActiveInvite(on: Reader, class_reservation_id: number): Promise<GuestInviteRow | null> {
  const [row] = await on
    .select()
    .from(guestInvite)
    .where(and(eq(guestInvite.class_reservation_id, class_reservation_id), isActive))
  return row ?? null
}

/** How many invitations a reservation had, ended ones included. */
export async function countInvites(on: Reader, class_reservation_id: number): Promise<number> {
  const [row] = await on.select({ n: count() }).from(guestInvite).where(eq(guestInvite.class_reservation_id, class_reservation_id))
  return row?.n ?? 0
}

/** How many places are held now for guests of a customer, in all of their reservations. */
export async function countInviteHolds(on: Reader, customer_id: number, now: Date): Promise<number> {
  const [row] = await on
    .select({ n: count() })
    .from(guestInvite)
    .innerJoin(classReservation, eq(classReservation.class_reservation_id, guestInvite.class_reservation_id))
    .where(and(eq(classReservation.customer_id, customer_id), isActive, gt(guestInvite.hold_until, now)))
  return row?.n ?? 0
}

/** Inserts an invitation; the database refuses one for which the class has no place. */
export async function insertInvite(tx: Tx, row: typeof guestInvite.$inferInsert): Promise<GuestInviteRow> {
  return singleRow(await tx.insert(guestInvite).values(row).returning())
}

/** Ends the active invitation of a reservation; whether there was one. `accepted`: its place was taken. */
export async function endInvite(tx: Tx, class_reservation_id: number, at: Date, accepted = false): Promise<boolean> {
  const rows = await tx
    .update(guestInvite)
    .set({ releasedAt: at, ...(accepted ? { acceptedAt: at } : {}) })
    .where(and(eq(guestInvite.class_reservation_id, class_reservation_id), isActive))
    .returning({ guest_invite_id: guestInvite.guest_invite_id })
  return rows.length > 0
}

/** Ends the invitations of a class that expired, or all of them. Returns the number of places that became free. */
export async function endInvites(tx: Tx, single_class_id: number, at: Date, which: 'expired' | 'all'): Promise<number> {
  const rows = await tx
    .update(guestInvite)
    .set({ releasedAt: at })
    .where(
      and(eq(guestInvite.single_class_id, single_class_id), isActive, which === 'expired' ? lte(guestInvite.hold_until, at) : undefined),
    )
    .returning({ guest_invite_id: guestInvite.guest_invite_id })
  return rows.length
}

/** Classes with an expired invitation, and classes that began or were cancelled with an active one. */
export async function listStaleInvites(on: Reader, now: Date, limit: number): Promise<number[]> {
  const rows = await on
    .selectDistinct({ id: guestInvite.single_class_id })
    .from(guestInvite)
    .innerJoin(singleClass, eq(singleClass.single_class_id, guestInvite.single_class_id))
    .where(and(isActive, or(lte(guestInvite.hold_until, now), lte(singleClass.starts_at, now), isNotNull(singleClass.cancelledAt))))
    .limit(limit)
  return rows.map((row) => row.id)
}
