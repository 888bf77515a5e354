/** What the studio's lists look for. */
import { and, count, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import { customer } from '#server/modules/people/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import type { PurchaseStatus } from './rules.ts'
import { purchase } from './tables.ts'
import { type PurchaseView, viewsOf } from './view-store.ts'

/** Finds a text inside another, whatever signs it has. */
export const contains = (column: SQL | typeof customer.email | typeof purchase.title | typeof purchase.discount_code, text: string): SQL =>
  sql`${column} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`

export const fullName = sql`${customer.name} || ' ' || ${customer.last_name}`

export interface PurchaseFilter {
  status?: PurchaseStatus | undefined
  customer_id?: number | undefined
  class_package_id?: number | undefined
  gateway?: string | undefined
  /** Bought from this instant on, and before this one. */
  from?: Date | undefined
  until?: Date | undefined
  query?: string | undefined
}

function whereOf({ query, ...filter }: PurchaseFilter): SQL | undefined {
  const number = query && /^#?0*([1-9]\d{0,8})$/.exec(query)?.[1]
  return and(
    filter.status === undefined ? undefined : eq(purchase.status, filter.status),
    filter.customer_id === undefined ? undefined : eq(purchase.customer_id, filter.customer_id),
    filter.class_package_id === undefined ? undefined : eq(purchase.class_package_id, filter.class_package_id),
    filter.gateway === undefined ? undefined : eq(purchase.gateway, filter.gateway),
    filter.from === undefined ? undefined : gte(purchase.createdAt, filter.from),
    filter.until === undefined ? undefined : lt(purchase.createdAt, filter.until),
    query
      ? or(
          contains(fullName, query),
          contains(customer.email, query),
          contains(purchase.title, query),
          contains(purchase.discount_code, query),
          number ? eq(purchase.purchase_id, Number(number)) : undefined,
        )
      : undefined,
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
