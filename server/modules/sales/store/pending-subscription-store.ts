/** Queries of subscriptions that wait for a card; the only writes to them. */
import { and, asc, count, eq, inArray, isNotNull, isNull, lte, ne, not, sql } from 'drizzle-orm'
import { classPackage } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { pendingSubscription } from '#server/modules/sales/pending-subscription-tables.ts'
import { paymentSource, purchase } from '#server/modules/sales/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'

export type PendingRow = typeof pendingSubscription.$inferSelect

const open = and(isNull(pendingSubscription.purchase_id), isNull(pendingSubscription.cancelledAt))

export async function insertPending(tx: Tx, values: typeof pendingSubscription.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(pendingSubscription).values(values).returning({ id: pendingSubscription.pending_subscription_id })).id
}

export async function findPending(db: Reader, pending_subscription_id: number): Promise<PendingRow | null> {
  const [row] = await db.select().from(pendingSubscription).where(eq(pendingSubscription.pending_subscription_id, pending_subscription_id))
  return row ?? null
}

export async function lockPending(tx: Tx, pending_subscription_id: number): Promise<PendingRow | null> {
  const [row] = await tx
    .select()
    .from(pendingSubscription)
    .where(eq(pendingSubscription.pending_subscription_id, pending_subscription_id))
    .for('update')
  return row ?? null
}

export async function updatePending(
  tx: Tx,
  pending_subscription_id: number,
  set: Partial<Pick<PendingRow, 'payment_source_id' | 'purchase_id' | 'cancelledAt'>>,
): Promise<void> {
  await tx.update(pendingSubscription).set(set).where(eq(pendingSubscription.pending_subscription_id, pending_subscription_id))
}

export async function deletePending(tx: Tx, pending_subscription_id: number): Promise<void> {
  await tx.delete(pendingSubscription).where(eq(pendingSubscription.pending_subscription_id, pending_subscription_id))
}

/** A page of those that wait, with their customer and package, the one with the next charge first; and how many wait. */
export async function pageOfPending(db: Reader, customer_id: number | undefined, page: { number: number; size: number }) {
  const where = and(
    open,
    isNull(customer.deletedAt),
    customer_id === undefined ? undefined : eq(pendingSubscription.customer_id, customer_id),
  )
  const [rows, counted] = await Promise.all([
    db
      .select({ row: pendingSubscription, person: customer, title: classPackage.title })
      .from(pendingSubscription)
      .innerJoin(customer, eq(customer.customer_id, pendingSubscription.customer_id))
      .innerJoin(classPackage, eq(classPackage.class_package_id, pendingSubscription.class_package_id))
      .where(where)
      .orderBy(asc(pendingSubscription.next_charge_on), asc(pendingSubscription.pending_subscription_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    db
      .select({ n: count() })
      .from(pendingSubscription)
      .innerJoin(customer, eq(customer.customer_id, pendingSubscription.customer_id))
      .where(where),
  ])
  return { rows, total: singleRow(counted).n }
}

/** Those with a card whose first charge is due, with the processor of the card. */
export function listDuePending(db: Reader, today: string, limit: number): Promise<{ pending_subscription_id: number; gateway: string }[]> {
  return db
    .select({ pending_subscription_id: pendingSubscription.pending_subscription_id, gateway: paymentSource.gateway })
    .from(pendingSubscription)
    .innerJoin(paymentSource, eq(paymentSource.payment_source_id, pendingSubscription.payment_source_id))
    .where(
      and(
        open,
        not(pendingSubscription.paused_with_customer),
        isNotNull(pendingSubscription.payment_source_id),
        lte(pendingSubscription.next_charge_on, today),
      ),
    )
    .orderBy(asc(pendingSubscription.pending_subscription_id))
    .limit(limit)
}

/** Takes off those of a customer that wait. */
export async function cancelPendingSubscriptions(tx: Tx, customer_id: number, now: Date): Promise<void> {
  await tx
    .update(pendingSubscription)
    .set({ cancelledAt: now })
    .where(and(open, eq(pendingSubscription.customer_id, customer_id)))
}

/** Pauses or resumes the waiting subscriptions of a customer. */
export async function setPendingPaused(tx: Tx, customer_id: number, paused: boolean): Promise<void> {
  await tx
    .update(pendingSubscription)
    .set({ paused_with_customer: paused })
    .where(and(open, eq(pendingSubscription.customer_id, customer_id)))
}

/** Whether a customer is frozen (C25): credits of theirs are, other than by a dispute, and none can be used. */
export async function isCustomerFrozen(tx: Tx, customer_id: number, now: Date): Promise<boolean> {
  const found = await tx.execute<{
    is_frozen: boolean
  }>(sql`select coalesce(bool_and(a."frozenAt" is not null), false) as is_frozen from available_class a
    where a.customer_id = ${customer_id} and a."revokedAt" is null and (a.unlimited or a.balance > 0)
      and (a.expires_at is null or a.expires_at > ${now.toISOString()}::timestamptz or a."frozenAt" is not null)
      and not exists (select 1 from purchase p where p.purchase_id = a.purchase_id and p."frozenAt" is not null)`)
  return singleRow(found.rows).is_frozen
}

interface Plan {
  customer_id: number
  class_package_id: number
}

/**
 * Whether a customer has a subscription to a package already: one that is charged, or one that is being bought. `except`: a purchase that
 * does not count.
 */
export async function subscriptionTo(db: Reader, of: Plan & { except: number | null }): Promise<'active' | 'pending' | null> {
  const rows = await db
    .select({ status: purchase.status })
    .from(purchase)
    .where(
      and(
        eq(purchase.customer_id, of.customer_id),
        eq(purchase.class_package_id, of.class_package_id),
        purchase.is_subscription,
        inArray(purchase.status, ['active', 'pending']),
        of.except === null ? undefined : ne(purchase.purchase_id, of.except),
      ),
    )
  if (rows.length === 0) return null
  return rows.some(({ status }) => status === 'active') ? 'active' : 'pending'
}

/** Whether one to this package waits for the customer's card or its day. */
export async function isPlanPending(db: Reader, { customer_id, class_package_id }: Plan): Promise<boolean> {
  const rows = await db
    .select({ id: pendingSubscription.pending_subscription_id })
    .from(pendingSubscription)
    .where(and(open, eq(pendingSubscription.customer_id, customer_id), eq(pendingSubscription.class_package_id, class_package_id)))
    .limit(1)
  return rows.length > 0
}

/** Whether a card waits for its first charge. */
export async function isPendingCard(db: Reader, payment_source_id: number): Promise<boolean> {
  const [row] = await db
    .select({ id: pendingSubscription.pending_subscription_id })
    .from(pendingSubscription)
    .where(and(open, eq(pendingSubscription.payment_source_id, payment_source_id)))
    .limit(1)
  return row !== undefined
}
