/** Queries of the studio's list of purchases and its sums. */
import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, not, or, type SQL, sql, sum } from 'drizzle-orm'
import { paymentMethod } from '#server/modules/catalogue/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import type { PurchaseStatus } from '#server/modules/sales/rules.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { readsTable } from '#server/platform/reads-table.ts'
import {
  byCustomerName,
  type CounterFilter,
  type Locations,
  matchesPurchase,
  type PaymentMethodKey,
  purchaseAt,
  purchasePartsAt,
} from './purchase-filter-store.ts'
import { listPurchaseViews, type PurchaseView } from './view-store.ts'

export interface PurchaseFilter extends CounterFilter {
  /** Any of them. */
  status?: readonly PurchaseStatus[] | undefined
  discount_id?: number | undefined
  past_due?: boolean | undefined
  paused?: boolean | undefined
  /** Only what was sold, with the days of its sale. */
  sold?: boolean | undefined
  /** With `location_id`: those of no location too. */
  with_online?: boolean | undefined
  /** The cash session that received one of its charges. */
  cash_session_id?: number | undefined
  customer_id?: number | undefined
  class_package_id?: number | undefined
  gateway?: string | undefined
  /** Bought from the first instant (inclusive) to the second (exclusive). */
  from?: Date | undefined
  until?: Date | undefined
  query?: string | undefined
}

const isOverdue = sql`(${purchase.status} = 'active' and ${purchase.past_due_since} is not null)`
const isPaused = sql`(${purchase.status} = 'active' and ${purchase.paused_since} is not null)`

export type PurchaseSort = `${'' | '-'}${'created' | 'total' | 'name'}`

const ORDERS = {
  created: [purchase.createdAt],
  total: [purchase.total_centavos],
  name: byCustomerName,
}

async function whereOf(db: Reader, filter: PurchaseFilter): Promise<SQL | undefined> {
  return and(
    purchaseAt(filter.locations ?? null),
    filter.status === undefined ? undefined : inArray(purchase.status, [...filter.status]),
    filter.customer_id === undefined ? undefined : eq(purchase.customer_id, filter.customer_id),
    filter.class_package_id === undefined ? undefined : eq(purchase.class_package_id, filter.class_package_id),
    filter.gateway === undefined ? undefined : eq(purchase.gateway, filter.gateway),
    filter.payment_method_id === undefined ? undefined : eq(purchase.payment_method_id, filter.payment_method_id),
    filter.location_id === undefined
      ? undefined
      : filter.with_online
        ? or(eq(purchase.location_id, filter.location_id), isNull(purchase.location_id))
        : eq(purchase.location_id, filter.location_id),
    filter.staff_id === undefined ? undefined : eq(purchase.staff_id, filter.staff_id),
    filter.discount_id === undefined ? undefined : eq(purchase.discount_id, filter.discount_id),
    filter.past_due === undefined ? undefined : filter.past_due ? isOverdue : not(isOverdue),
    filter.paused === undefined ? undefined : filter.paused ? isPaused : not(isPaused),
    filter.cash_session_id === undefined
      ? undefined
      : sql`exists (select 1 from invoice i where i.purchase_id = ${purchase.purchase_id} and i.cash_session_id = ${filter.cash_session_id})`,
    filter.sold ? and(isNotNull(purchase.completedAt), not(purchase.is_gift)) : undefined,
    filter.from === undefined ? undefined : gte(filter.sold ? purchase.completedAt : purchase.createdAt, filter.from),
    filter.until === undefined ? undefined : lt(filter.sold ? purchase.completedAt : purchase.createdAt, filter.until),
    await matchesPurchase(db, filter.query),
  )
}

/** The ids of a stretch of the purchases that match a filter. Customers are joined only where the order needs their names. */
async function listIds(
  db: Reader,
  filter: PurchaseFilter,
  sort: PurchaseSort,
  stretch: { limit: number; offset: number },
): Promise<number[]> {
  const order = orderBy(sort, ORDERS, purchase.purchase_id)
  const matching = db.select({ id: purchase.purchase_id }).from(purchase).$dynamic()
  if (readsTable(order, customer)) matching.innerJoin(customer, eq(customer.customer_id, purchase.customer_id))
  const rows = await matching
    .where(await whereOf(db, filter))
    .orderBy(...order)
    .limit(stretch.limit)
    .offset(stretch.offset)
  return rows.map((row) => row.id)
}

const countPurchases = async (db: Reader, filter: PurchaseFilter): Promise<number> => db.$count(purchase, await whereOf(db, filter))

/** A page of the purchases that match a filter. The page is chosen before names and money are read. */
export async function listStudioPage(
  db: Reader,
  filter: PurchaseFilter,
  page: { number: number; size: number },
  sort: PurchaseSort = '-created',
): Promise<PurchaseView[]> {
  const ids = await listIds(db, filter, sort, { limit: page.size, offset: (page.number - 1) * page.size })
  return ids.length ? listPurchaseViews(db, inArray(purchase.purchase_id, ids), undefined, orderBy(sort, ORDERS, purchase.purchase_id)) : []
}

/** Purchases that match a filter, and their count. */
export async function listStudioViews(
  db: Reader,
  filter: PurchaseFilter,
  page: { number: number; size: number },
  sort: PurchaseSort = '-created',
): Promise<{ rows: PurchaseView[]; total: number }> {
  const [rows, total] = await Promise.all([listStudioPage(db, filter, page, sort), countPurchases(db, filter)])
  return { rows, total }
}

/** At most `limit` purchases that match, newest first, and how many match. */
export async function listPurchaseIds(db: Reader, filter: PurchaseFilter, limit: number): Promise<{ ids: number[]; total: number }> {
  const [ids, total] = await Promise.all([listIds(db, filter, '-created', { limit, offset: 0 }), countPurchases(db, filter)])
  return { ids, total }
}

/** The last purchases without counting the others: online ones and those of some locations, or all. */
export function listLatestViews(db: Reader, locations: Locations, size: number): Promise<PurchaseView[]> {
  return listPurchaseViews(db, purchaseAt(locations), { number: 1, size })
}

/** One purchase, if it is visible at some locations; null otherwise. */
export async function findStudioView(db: Reader, purchase_id: number, locations: Locations): Promise<PurchaseView | null> {
  const [found] = await listPurchaseViews(db, and(eq(purchase.purchase_id, purchase_id), purchaseAt(locations)), { number: 1, size: 1 })
  return found ?? null
}

type PurchaseSums = PaymentMethodKey & { status: PurchaseStatus; count: number; total: number }

/** Sums of the purchases that match a filter, by status and payment method, in centavos; of some locations up to two for each. */
export async function sumPurchases(db: Reader, filter: PurchaseFilter): Promise<PurchaseSums[]> {
  const others = await whereOf(db, { ...filter, locations: null })
  const parts = await Promise.all(purchasePartsAt(filter.locations ?? null).map((part) => sumWhere(db, and(part, others))))
  return parts.flat()
}

async function sumWhere(db: Reader, where: SQL | undefined): Promise<PurchaseSums[]> {
  const { gateway, payment_method_id, status } = purchase
  // Summed before the names are joined: an index has all that the sums of the whole list read.
  const sums = db
    .select({ gateway, payment_method_id, status, count: count().as('count'), total: sum(purchase.total_centavos).as('total') })
    .from(purchase)
    .where(where)
    .groupBy(gateway, payment_method_id, status)
    .as('sums')
  const rows = await db
    .select({
      gateway: sums.gateway,
      payment_method_id: sums.payment_method_id,
      name: paymentMethod.name,
      status: sums.status,
      count: sums.count,
      total: sums.total,
    })
    .from(sums)
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, sums.payment_method_id))
    .orderBy(desc(sums.total), sums.gateway, sums.payment_method_id)
  return rows.map((row) => ({ ...row, count: Number(row.count), total: Number(row.total ?? 0) }))
}
