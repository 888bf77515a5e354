/** Purchases as the studio's list finds and adds them. */
import { and, count, desc, eq, gte, lt, type SQL, sum } from 'drizzle-orm'
import { paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import type { PurchaseStatus } from '#server/modules/sales/rules.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { type CounterFilter, matchesPurchase, type PaymentMethodKey } from './purchase-filter-store.ts'
import { type PurchaseView, viewsOf } from './view-store.ts'

export interface PurchaseFilter extends CounterFilter {
  status?: PurchaseStatus | undefined
  customer_id?: number | undefined
  class_package_id?: number | undefined
  gateway?: string | undefined
  /** Bought from this instant on, and before this one. */
  from?: Date | undefined
  until?: Date | undefined
  query?: string | undefined
}

function whereOf(filter: PurchaseFilter): SQL | undefined {
  return and(
    filter.status === undefined ? undefined : eq(purchase.status, filter.status),
    filter.customer_id === undefined ? undefined : eq(purchase.customer_id, filter.customer_id),
    filter.class_package_id === undefined ? undefined : eq(purchase.class_package_id, filter.class_package_id),
    filter.gateway === undefined ? undefined : eq(purchase.gateway, filter.gateway),
    filter.payment_method_id === undefined ? undefined : eq(purchase.payment_method_id, filter.payment_method_id),
    filter.location_id === undefined ? undefined : eq(purchase.location_id, filter.location_id),
    filter.staff_id === undefined ? undefined : eq(purchase.staff_id, filter.staff_id),
    filter.from === undefined ? undefined : gte(purchase.createdAt, filter.from),
    filter.until === undefined ? undefined : lt(purchase.createdAt, filter.until),
    matchesPurchase(filter.query),
  )
}

/** Purchases that a filter finds, newest first, and how many there are. */
export async function listStudioViews(
  db: Reader,
  filter: PurchaseFilter,
  page: { number: number; size: number },
): Promise<{ rows: PurchaseView[]; total: number }> {
  const where = whereOf(filter)
  const rows = await viewsOf(db, where, page)
  const [{ total } = { total: 0 }] = await db
    .select({ total: count() })
    .from(purchase)
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .where(where)
  return { rows, total }
}

/** What a filter's purchases come to, by status and by way of paying, in centavos. */
export async function sumPurchases(
  db: Reader,
  filter: PurchaseFilter,
): Promise<(PaymentMethodKey & { status: PurchaseStatus; count: number; total: number })[]> {
  const rows = await db
    .select({
      gateway: purchase.gateway,
      payment_method_id: purchase.payment_method_id,
      name: paymentMethod.name,
      status: purchase.status,
      count: count(),
      total: sum(purchase.total_centavos),
    })
    .from(purchase)
    .innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, purchase.payment_method_id))
    .where(whereOf(filter))
    .groupBy(purchase.gateway, purchase.payment_method_id, paymentMethod.name, purchase.status)
    .orderBy(desc(sum(purchase.total_centavos)), purchase.gateway, purchase.payment_method_id)
  return rows.map((row) => ({ ...row, total: Number(row.total ?? 0) }))
}
