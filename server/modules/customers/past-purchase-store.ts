/** Queries of purchases at the system that the studio used before. */
import { count, desc, eq } from 'drizzle-orm'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { pastPurchase } from './tables.ts'

type PastPurchaseRow = typeof pastPurchase.$inferSelect
export type NewPastPurchase = Omit<PastPurchaseRow, 'past_purchase_id'>

/** A page of a customer's past purchases, newest first, and how many there are. */
export async function pageOfPastPurchases(
  on: Reader,
  customer_id: number,
  page: { number: number; size: number },
): Promise<{ rows: PastPurchaseRow[]; total: number }> {
  const where = eq(pastPurchase.customer_id, customer_id)
  const [rows, counted] = await Promise.all([
    on
      .select()
      .from(pastPurchase)
      .where(where)
      .orderBy(desc(pastPurchase.bought_on), desc(pastPurchase.past_purchase_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ n: count() }).from(pastPurchase).where(where),
  ])
  return { rows, total: singleRow(counted).n }
}

export const insertPastPurchase = async (tx: Tx, values: NewPastPurchase): Promise<number> =>
  singleRow(await tx.insert(pastPurchase).values(values).returning({ id: pastPurchase.past_purchase_id })).id

export async function deletePastPurchase(tx: Tx, past_purchase_id: number): Promise<void> {
  await tx.delete(pastPurchase).where(eq(pastPurchase.past_purchase_id, past_purchase_id))
}
