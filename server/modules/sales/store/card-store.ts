/** Queries of saved cards; the only writes to them. */
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { paymentSource, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { isPendingCard } from './pending-subscription-store.ts'

export type SourceRow = typeof paymentSource.$inferSelect

export async function listSources(db: Reader, customer_id: number): Promise<SourceRow[]> {
  return db
    .select()
    .from(paymentSource)
    .where(and(eq(paymentSource.customer_id, customer_id), isNull(paymentSource.deletedAt)))
    .orderBy(desc(paymentSource.payment_source_id))
}

/** A saved card of this customer; null when it is not theirs or was removed. */
export async function findSource(db: Reader, customer_id: number, payment_source_id: number): Promise<SourceRow | null> {
  const [row] = await db
    .select()
    .from(paymentSource)
    .where(
      and(
        eq(paymentSource.customer_id, customer_id),
        eq(paymentSource.payment_source_id, payment_source_id),
        isNull(paymentSource.deletedAt),
      ),
    )
  return row ?? null
}

/**
 * Stores a saved card. The same physical card renews its row instead of adding a second one; `replaced` is then the processor's older id of
 * it. Null when the processor's card belongs to another customer or was removed.
 */
export async function upsertSource(
  tx: Tx,
  values: typeof paymentSource.$inferInsert,
): Promise<{ source: SourceRow; replaced: string | null } | null> {
  const { customer_id, gateway, provider_card, fingerprint } = values
  const mine = and(eq(paymentSource.customer_id, customer_id), eq(paymentSource.gateway, gateway), isNull(paymentSource.deletedAt))
  if (fingerprint) {
    const same = and(mine, eq(paymentSource.fingerprint, fingerprint))
    const [before] = await tx.select().from(paymentSource).where(same).for('update')
    if (before) {
      const [source] = await tx
        .update(paymentSource)
        .set({ provider_card, exp: values.exp, last_digits: values.last_digits })
        .where(same)
        .returning()
      return source ? { source, replaced: before.provider_card === provider_card ? null : before.provider_card } : null
    }
  }
  const [inserted] = await tx.insert(paymentSource).values(values).onConflictDoNothing().returning()
  const source =
    inserted ??
    (
      await tx
        .select()
        .from(paymentSource)
        .where(and(mine, eq(paymentSource.provider_card, provider_card)))
    )[0]
  return source ? { source, replaced: null } : null
}

export async function removeSource(tx: Tx, payment_source_id: number, now: Date): Promise<void> {
  await tx.update(paymentSource).set({ deletedAt: now }).where(eq(paymentSource.payment_source_id, payment_source_id))
}

/** Whether a live subscription charges this card. */
export async function chargesCard(db: Reader, payment_source_id: number): Promise<boolean> {
  const [row] = await db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(
      and(
        eq(purchase.payment_source_id, payment_source_id),
        eq(purchase.is_subscription, true),
        inArray(purchase.status, ['pending', 'active']),
      ),
    )
    .limit(1)
  return row !== undefined || isPendingCard(db, payment_source_id)
}
