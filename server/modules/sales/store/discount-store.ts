import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { customer } from '#server/modules/people/tables.ts'
import { discountUse, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { type Locations, purchaseAt } from './purchase-filter-store.ts'
import type { PurchaseRow } from './store.ts'

export type DiscountUseRow = typeof discountUse.$inferSelect

/** A customer's uses of a discount that were not released, and whether the purchase of each is still pending. */
export async function listUses(db: Reader, customer_id: number, discount_id: number): Promise<(DiscountUseRow & { waits: boolean })[]> {
  const rows = await db
    .select({ use: discountUse, waits: sql<boolean>`${purchase.status} = 'pending'` })
    .from(discountUse)
    .innerJoin(purchase, eq(purchase.purchase_id, discountUse.purchase_id))
    .where(and(eq(discountUse.customer_id, customer_id), eq(discountUse.discount_id, discount_id), ne(discountUse.state, 'released')))
  return rows.map(({ use, waits }) => ({ ...use, waits }))
}

/** A customer's pending purchases that hold a use of a discount. */
export async function listHolding(tx: Tx, customer_id: number, discount_id: number): Promise<PurchaseRow[]> {
  const rows = await tx
    .select({ purchase })
    .from(discountUse)
    .innerJoin(purchase, eq(purchase.purchase_id, discountUse.purchase_id))
    .where(
      and(
        eq(discountUse.customer_id, customer_id),
        eq(discountUse.discount_id, discount_id),
        eq(discountUse.state, 'held'),
        eq(purchase.status, 'pending'),
      ),
    )
  return rows.map((row) => row.purchase)
}

export async function findUse(tx: Tx, purchase_id: number): Promise<DiscountUseRow | null> {
  const [row] = await tx.select().from(discountUse).where(eq(discountUse.purchase_id, purchase_id))
  return row ?? null
}

export async function insertUse(tx: Tx, values: typeof discountUse.$inferInsert): Promise<void> {
  await tx.insert(discountUse).values(values)
}

/** Moves a use from one state to another; null when it was not in the first state, so that no use is counted twice. */
export async function moveUse(
  tx: Tx,
  purchase_id: number,
  from: DiscountUseRow['state'],
  set: Pick<Partial<DiscountUseRow>, 'slot'> & Pick<DiscountUseRow, 'state' | 'updatedAt'>,
): Promise<DiscountUseRow | null> {
  const [row] = await tx
    .update(discountUse)
    .set(set)
    .where(and(eq(discountUse.purchase_id, purchase_id), eq(discountUse.state, from)))
    .returning()
  return row ?? null
}

/** Uses of a discount by purchases that belong to the given locations, newest first, with their money in centavos. */
export async function listUsesOfCode(db: Reader, discount_id: number, locations: Locations, stretch: { limit: number; offset: number }) {
  return db
    .select({
      purchase_id: discountUse.purchase_id,
      title: purchase.title,
      customer: { customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name },
      state: discountUse.state,
      discount: purchase.discount_centavos,
      total: purchase.total_centavos,
      createdAt: discountUse.createdAt,
    })
    .from(discountUse)
    .innerJoin(purchase, eq(purchase.purchase_id, discountUse.purchase_id))
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .where(and(eq(discountUse.discount_id, discount_id), purchaseAt(locations)))
    .orderBy(desc(discountUse.createdAt), desc(discountUse.purchase_id))
    .limit(stretch.limit)
    .offset(stretch.offset)
}

/** How many uses of a discount there are at these locations, and what the paid purchases cost, in centavos. */
export async function sumUsesOfCode(db: Reader, discount_id: number, locations: Locations): Promise<{ total: number; income: number }> {
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      income: sql<string>`coalesce(sum(${purchase.total_centavos}) filter (where ${discountUse.state} = 'used'), 0)`,
    })
    .from(discountUse)
    .innerJoin(purchase, eq(purchase.purchase_id, discountUse.purchase_id))
    .where(and(eq(discountUse.discount_id, discount_id), purchaseAt(locations)))
  return { total: row?.total ?? 0, income: Number(row?.income ?? 0) }
}
