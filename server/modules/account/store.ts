/** Reads across lower modules; writes nothing. */
import { desc, eq } from 'drizzle-orm'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/** A customer's purchases, newest first: what the client needs for limits and the sign-up fee. */
export async function listPurchaseFacts(
  db: Reader,
  customer_id: number,
): Promise<{ class_package_id: number; purchase_id: number; status: string }[]> {
  return db
    .select({ class_package_id: purchase.class_package_id, purchase_id: purchase.purchase_id, status: purchase.status })
    .from(purchase)
    .where(eq(purchase.customer_id, customer_id))
    .orderBy(desc(purchase.createdAt), desc(purchase.purchase_id))
}
