import { and, asc, eq, inArray } from 'drizzle-orm'
import { customer } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'

/** Customers with a live purchase of a package (pending, active or completed), oldest first. */
export async function listAttendees(db: Reader, class_package_id: number) {
  const { purchase_id, status, createdAt } = purchase
  const { customer_id, name, last_name, email, phone } = customer
  return db
    .select({ purchase_id, status, createdAt, customer_id, name, last_name, email, phone })
    .from(purchase)
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .where(and(eq(purchase.class_package_id, class_package_id), inArray(purchase.status, ['pending', 'active', 'completed'])))
    .orderBy(asc(createdAt), asc(purchase_id))
}
