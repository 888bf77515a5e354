import { and, eq, ne, sql } from 'drizzle-orm'
import { discountUse, purchase } from '#server/modules/sales/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
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
