/** Queries of penalties (A5 to A8); the only writes to them. */
import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { classReservation, reservationPenalty } from '#server/modules/bookings/tables.ts'
import { availableClass } from '#server/modules/credits/tables.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customer } from '#server/modules/people/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'

export type PenaltyRow = typeof reservationPenalty.$inferSelect
/** A penalty with its customer's name. */
export type NamedPenalty = PenaltyRow & { customer: { name: string; last_name: string } }

const activePenalty = prepared('penalty.active', (on: Reader) =>
  on
    .select({ ends_at: reservationPenalty.ends_at })
    .from(reservationPenalty)
    .where(
      and(
        eq(reservationPenalty.customer_id, sql.placeholder('customer_id')),
        isNull(reservationPenalty.forgivenAt),
        sql`${reservationPenalty.starts_at} <= ${sql.placeholder('now')}`,
        sql`${reservationPenalty.ends_at} > ${sql.placeholder('now')}`,
      ),
    )
    .orderBy(desc(reservationPenalty.ends_at))
    .limit(1),
)

/** When a customer may book again; null = now. Queried only where the studio has penalties (A7). */
export async function findPenalty(on: Reader, ctx: Ctx, customer_id: number): Promise<Date | null> {
  if (!ctx.settings.unlimited_membership_penalties_enabled) return null
  const [row] = await activePenalty(on).execute({ customer_id, now: ctx.now.toISOString() })
  return row?.ends_at ?? null
}

const named = { ...getTableColumns(reservationPenalty), customer: { name: customer.name, last_name: customer.last_name } }

/** A page of penalties, newest first: of one customer or of all; in force at an instant, not in force, or both (null). */
export async function listPenalties(
  on: Reader,
  only: { customer_id: number | null; active: { at: Date; is: boolean } | null },
  slice: { limit: number; offset: number },
): Promise<{ rows: NamedPenalty[]; total: number }> {
  const { customer_id, active } = only
  const inForce =
    active &&
    and(isNull(reservationPenalty.forgivenAt), lte(reservationPenalty.starts_at, active.at), gt(reservationPenalty.ends_at, active.at))
  const fits = and(
    customer_id === null ? undefined : eq(reservationPenalty.customer_id, customer_id),
    inForce ? (active.is ? inForce : not(inForce)) : undefined,
  )
  const [rows, total] = await Promise.all([
    on
      .select(named)
      .from(reservationPenalty)
      .innerJoin(customer, eq(customer.customer_id, reservationPenalty.customer_id))
      .where(fits)
      .orderBy(desc(reservationPenalty.starts_at), desc(reservationPenalty.class_reservation_penalty_id))
      .limit(slice.limit)
      .offset(slice.offset),
    on.$count(reservationPenalty, fits),
  ])
  return { rows, total }
}

export async function findPenaltyRow(on: Reader, id: number): Promise<NamedPenalty | null> {
  const [row] = await on
    .select(named)
    .from(reservationPenalty)
    .innerJoin(customer, eq(customer.customer_id, reservationPenalty.customer_id))
    .where(eq(reservationPenalty.class_reservation_penalty_id, id))
  return row ?? null
}

export async function lockPenalty(tx: Tx, id: number): Promise<PenaltyRow | null> {
  const [row] = await tx.select().from(reservationPenalty).where(eq(reservationPenalty.class_reservation_penalty_id, id)).for('update')
  return row ?? null
}

/** Stores a penalty; null when the same last no-show already led to one. */
export async function insertPenalty(tx: Tx, row: typeof reservationPenalty.$inferInsert): Promise<PenaltyRow | null> {
  const [inserted] = await tx.insert(reservationPenalty).values(row).onConflictDoNothing().returning()
  return inserted ?? null
}

export async function updatePenalty(tx: Tx, id: number, change: Partial<typeof reservationPenalty.$inferInsert>): Promise<PenaltyRow> {
  const [row] = await tx.update(reservationPenalty).set(change).where(eq(reservationPenalty.class_reservation_penalty_id, id)).returning()
  if (!row) throw new Error('A penalty was not changed.')
  return row
}

/** Penalties still in force that count a reservation among their causes. */
export function listPenaltiesOf(tx: Tx, class_reservation_id: number, now: Date): Promise<PenaltyRow[]> {
  return tx
    .select()
    .from(reservationPenalty)
    .where(
      and(
        sql`${class_reservation_id} = any(${reservationPenalty.class_reservation_ids})`,
        isNull(reservationPenalty.forgivenAt),
        gt(reservationPenalty.ends_at, now),
      ),
    )
    .for('update')
}

/** A customer's reservations in classes with a closed roster, paid by an unlimited credit lot, newest first (A5). */
export function listHistory(tx: Tx, customer_id: number, limit: number) {
  return tx
    .select({
      class_reservation_id: classReservation.class_reservation_id,
      attend: classReservation.attend,
      excuse: classReservation.excuse,
      starts_at: singleClass.starts_at,
    })
    .from(classReservation)
    .innerJoin(singleClass, eq(singleClass.single_class_id, classReservation.single_class_id))
    .innerJoin(availableClass, eq(availableClass.available_class_id, classReservation.available_class_id))
    .where(
      and(
        eq(classReservation.customer_id, customer_id),
        isNull(classReservation.host_reservation_id),
        isNull(classReservation.deletedAt),
        isNotNull(singleClass.settledAt),
        isNull(singleClass.cancelledAt),
        eq(availableClass.unlimited, true),
      ),
    )
    .orderBy(desc(singleClass.starts_at), desc(classReservation.class_reservation_id))
    .limit(limit)
}

/** Reservations that already led to a penalty, also a forgiven one: an absence is penalised once. */
export async function listPenalised(tx: Tx, customer_id: number): Promise<Set<number>> {
  const rows = await tx
    .select({ ids: reservationPenalty.class_reservation_ids })
    .from(reservationPenalty)
    .where(eq(reservationPenalty.customer_id, customer_id))
  return new Set(rows.flatMap((row) => row.ids))
}
