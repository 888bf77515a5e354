/** Queries of live subscriptions that are due for an announcement, a charge or an end. */
import { and, asc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

const live = and(purchase.is_subscription, eq(purchase.status, 'active'))
const unnoticed = or(isNull(purchase.renewal_noticed_for), ne(purchase.renewal_noticed_for, purchase.benefits_until))
const dueBetween = (now: Date, until: Date) =>
  and(live, isNull(purchase.paused_since), gt(purchase.benefits_until, now), lte(purchase.benefits_until, until), unnoticed)

/**
 * Charges due until an instant that were not announced yet. Excludes periods no longer than the announcement's lead time, which would be
 * announced constantly.
 */
export function listRenewalsToAnnounce(
  db: Reader,
  now: Date,
  until: Date,
  days: number,
  limit: number,
): Promise<{ purchase_id: number }[]> {
  return db
    .select({ purchase_id: purchase.purchase_id })
    .from(purchase)
    .where(
      and(
        dueBetween(now, until),
        sql`not (${purchase.subscription_period} = 'day' and coalesce(${purchase.subscription_interval}, 1) <= ${days})`,
      ),
    )
    .orderBy(asc(purchase.benefits_until))
    .limit(limit)
}

/** Claims the announcement of a renewal; null when another run claimed it, or there is nothing left to announce. */
export async function claimRenewalAnnouncement(tx: Tx, purchase_id: number, now: Date, until: Date): Promise<Date | null> {
  const [row] = await tx
    .update(purchase)
    .set({ renewal_noticed_for: sql`${purchase.benefits_until}` })
    .where(and(eq(purchase.purchase_id, purchase_id), dueBetween(now, until)))
    .returning({ at: purchase.renewal_noticed_for })
  return row?.at ?? null
}

/** A customer's subscriptions that are charged, or will be once they start. */
export function listSubscriptionsOf(db: Reader, customer_id: number): Promise<{ purchase_id: number; gateway: string }[]> {
  return db
    .select({ purchase_id: purchase.purchase_id, gateway: purchase.gateway })
    .from(purchase)
    .where(and(eq(purchase.customer_id, customer_id), purchase.is_subscription, inArray(purchase.status, ['active', 'pending'])))
}

/** A customer's live subscriptions that freezing them pauses (`paused`), or that thawing them resumes. */
export function listPausedWithCustomer(db: Reader, customer_id: number, paused: boolean): Promise<(typeof purchase.$inferSelect)[]> {
  const which = paused ? isNull(purchase.paused_since) : purchase.paused_with_customer
  return db
    .select()
    .from(purchase)
    .where(and(live, eq(purchase.customer_id, customer_id), which))
    .orderBy(asc(purchase.purchase_id))
}

/** Live subscriptions that are overdue since before an instant. */
export function listToEnd(db: Reader, before: Date, limit: number): Promise<{ purchase_id: number; gateway: string }[]> {
  return db
    .select({ purchase_id: purchase.purchase_id, gateway: purchase.gateway })
    .from(purchase)
    .where(and(live, lt(purchase.past_due_since, before)))
    .orderBy(asc(purchase.past_due_since))
    .limit(limit)
}
