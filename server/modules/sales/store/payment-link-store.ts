/** Queries of payment links, the orders of the counter that wait for their customer; the only writes to them. */
import { and, asc, count, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import { paymentLink, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import type { Locations } from './purchase-filter-store.ts'

export type PaymentLinkRow = typeof paymentLink.$inferSelect

export async function insertPaymentLink(tx: Tx, purchase_id: number, now: Date): Promise<void> {
  await tx.insert(paymentLink).values({ purchase_id, createdAt: now }).onConflictDoNothing()
}

export async function findPaymentLink(db: Reader, purchase_id: number): Promise<PaymentLinkRow | null> {
  const [row] = await db.select().from(paymentLink).where(eq(paymentLink.purchase_id, purchase_id))
  return row ?? null
}

/** Unpaid orders with a link that still works, the one that expires first at the top. */
export async function listWaitingLinks(
  db: Reader,
  filter: { locations: Locations; customer_id: number | undefined; now: Date },
  page: { number: number; size: number },
): Promise<{ purchase_ids: number[]; total: number }> {
  const at: SQL | undefined =
    filter.locations === null
      ? undefined
      : or(sql`${purchase.location_id} is null`, sql`${purchase.location_id} = any(${integerArray(filter.locations)})`)
  const where = and(
    eq(purchase.status, 'pending'),
    // Gift cards that customers buy on the site are not of the counter.
    sql`not exists (select 1 from gift_card_order o where o.purchase_id = ${purchase.purchase_id})`,
    gt(purchase.hold_until, filter.now),
    filter.customer_id === undefined ? undefined : eq(purchase.customer_id, filter.customer_id),
    at,
  )
  const from = (columns: { purchase_id: typeof purchase.purchase_id }) =>
    db.select(columns).from(paymentLink).innerJoin(purchase, eq(purchase.purchase_id, paymentLink.purchase_id)).where(where)
  const [rows, [sum]] = await Promise.all([
    from({ purchase_id: purchase.purchase_id })
      .orderBy(asc(purchase.hold_until), asc(purchase.purchase_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    db.select({ total: count() }).from(paymentLink).innerJoin(purchase, eq(purchase.purchase_id, paymentLink.purchase_id)).where(where),
  ])
  return { purchase_ids: rows.map((row) => row.purchase_id), total: sum?.total ?? 0 }
}
