/** Search and filter conditions shared by the studio's lists of purchases, charges and refunds (V29). */
import { and, eq, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { findMatchingCustomers, matchingCustomers } from '#server/modules/people/people.ts'
import { customer } from '#server/modules/people/tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { hasPatterns, plainText, searchPatterns } from '#server/platform/search.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import type { PurchaseRow } from './store.ts'

/** The locations whose sales are read; null = all. */
export type Locations = readonly number[] | null

/**
 * The condition on a purchase: sold at one of the locations, online, or partly paid at one of them (E14). Those that were sold elsewhere are
 * few, and found without the charges of the others (`purchase_paid_elsewhere`).
 */
export function purchaseAt(locations: Locations): SQL | undefined {
  return locations === null ? undefined : or(soldAt(locations), paidAt(locations))
}

const soldAt = (locations: readonly number[]): SQL | undefined =>
  or(isNull(purchase.location_id), inArray(purchase.location_id, [...locations]))

const paidAt = (locations: readonly number[]): SQL =>
  sql`${purchase.purchase_id} in (select e.purchase_id from purchase_paid_elsewhere e where e.location_id = any(${integerArray(locations)})
    and exists (select 1 from invoice i where i.purchase_id = e.purchase_id and i.location_id = e.location_id))`

/**
 * The same condition as parts of which a purchase fulfils at most one, for sums: an index has all that the first adds, and the second is
 * few rows.
 */
export const purchasePartsAt = (locations: Locations): (SQL | undefined)[] =>
  locations === null
    ? [undefined]
    : [soldAt(locations), and(isNotNull(purchase.location_id), notInArray(purchase.location_id, [...locations]), paidAt(locations))]

/** The condition on a charge, joined with its purchase: received at one of the locations, or online for a purchase of one of them (E14). */
export function chargeAt(locations: Locations): SQL | undefined {
  if (locations === null) return undefined
  const at = sql`coalesce(${invoice.location_id}, ${purchase.location_id})`
  return sql`(${at} is null or ${at} = any(${integerArray(locations)}))`
}

/** A purchase that belongs to the given locations; null for another one and for one that does not exist. */
export async function findPurchaseAt(db: Reader, purchase_id: number, locations: Locations): Promise<PurchaseRow | null> {
  const [row] = await db
    .select()
    .from(purchase)
    .where(and(eq(purchase.purchase_id, purchase_id), purchaseAt(locations)))
  return row ?? null
}

/** The order number in "#001284", "001284", "1284" or the folio of a receipt, "001284-57"; null when the text is none. */
export function orderNumber(text: string): number | null {
  const order = /^#?0*([1-9]\d{0,8})(?:-\d{1,9})?$/.exec(text)?.[1]
  return order ? Number(order) : null
}

/** The typed words divided in two, in every possibility that preserves their order: those of the customer, and those of the title. */
function splitsOf(patterns: readonly string[]): { customer: readonly string[]; title: readonly string[] }[] {
  const cuts = patterns.map((_, at) => [patterns.slice(0, at), patterns.slice(at)] as const)
  return [
    { customer: patterns, title: [] },
    ...cuts.map(([customer, title]) => ({ customer, title })),
    ...cuts.slice(1).map(([title, customer]) => ({ customer, title })),
  ]
}

/**
 * A subquery with the purchases that the typed words find: words of the customer and of the title or discount code, the number of an order
 * or of a receipt, or the folio of a counter sale (P11). A union, because no index serves an `or` of two tables.
 */
function searchedPurchases(query: string, splits = splitsOf(searchPatterns(query))): SQL {
  const found = splits.map(({ customer, title }) => {
    const conditions = and(
      customer.length ? sql`f.customer_id in ${matchingCustomers(customer)}` : undefined,
      title.length ? hasPatterns(sql`f.search`, title) : undefined,
    )
    return sql`select f.purchase_id from purchase f where ${conditions ?? sql`true`}`
  })
  const order = orderNumber(query)
  const sale = /^v-?0*([1-9]\d{0,8})$/i.exec(query)?.[1]
  if (order !== null) found.push(sql`select ${order}::integer`)
  if (sale) found.push(sql`select f.purchase_id from purchase f where f.sale_id = ${Number(sale)}`)
  return sql`(${sql.join(found, sql` union `)})`
}

/** Whether a subquery has a row. */
async function hasRows(db: Reader, subquery: SQL): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(sql`select exists ${subquery} as found`)
  return rows[0]?.found ?? false
}

/** The typed words with a part of them in the title. */
const titleSplits = (query: string) => splitsOf(searchPatterns(query)).filter(({ title }) => title.length > 0)

/**
 * The condition of a search on a purchase; none without words. When the words are in no title and are no number, it is the ids of the
 * customers (`findMatchingCustomers`), which is most searches and their fastest form.
 */
export async function matchesPurchase(db: Reader, query: string | undefined): Promise<SQL | undefined> {
  if (!query) return undefined
  if (titleSplits(query).length === 0 || (await hasRows(db, searchedPurchases(query, titleSplits(query)))))
    return sql`${purchase.purchase_id} in ${searchedPurchases(query)}`
  return (await findMatchingCustomers(db, searchPatterns(query)))(purchase.customer_id)
}

/** The same on a charge, which its references find too. */
export async function matchesCharge(db: Reader, query: string | undefined): Promise<SQL | undefined> {
  if (!query) return undefined
  const hasReference = sql`(select g.invoice_id from invoice g where ${hasPatterns(sql`g.search`, searchPatterns(query)) ?? sql`true`})`
  const isOther =
    titleSplits(query).length === 0 ||
    (await hasRows(db, hasReference)) ||
    (await hasRows(db, searchedPurchases(query, titleSplits(query))))
  if (!isOther) return (await findMatchingCustomers(db, searchPatterns(query)))(invoice.customer_id)
  return sql`${invoice.invoice_id} in (select g.invoice_id from invoice g where g.purchase_id in ${searchedPurchases(query)}
    union ${hasReference})`
}

/** How and where it was paid, and which staff member received it. */
export interface CounterFilter {
  /** The locations that the reader may see; null or missing = all. */
  locations?: Locations | undefined
  payment_method_id?: number | undefined
  location_id?: number | undefined
  staff_id?: number | undefined
}

/** The order by customer's name, without accents and case. */
export const byCustomerName: readonly SQL[] = [plainText(sql`concat_ws(' ', ${customer.name}, ${customer.last_name})`)]

/** A payment method, as the sums are grouped. */
export interface PaymentMethodKey {
  gateway: string
  payment_method_id: number | null
  name: string | null
}
