/** Search and filter conditions shared by the studio's lists of purchases, charges and refunds (V29). */
import { and, asc, desc, eq, inArray, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { customer } from '#server/modules/people/tables.ts'
import { invoice, purchase } from '#server/modules/sales/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { matchesSearch, plainText } from '#server/platform/search.ts'
import type { PurchaseRow } from './store.ts'

/** The locations whose sales are read; null = all. */
export type Locations = readonly number[] | null

/** A list of locations as a parameter of SQL. */
export const locationArray = (locations: readonly number[]): SQL => sql`${`{${locations.join(',')}}`}::integer[]`

/** The condition on a purchase: sold at one of the locations, online, or partly paid at one of them (E14). */
export function purchaseAt(locations: Locations): SQL | undefined {
  if (locations === null) return undefined
  return or(
    isNull(purchase.location_id),
    inArray(purchase.location_id, [...locations]),
    sql`exists (select 1 from invoice i where i.purchase_id = ${purchase.purchase_id} and i.location_id = any(${locationArray(locations)}))`,
  )
}

/** The condition on a charge, joined with its purchase: received at one of the locations, or online for a purchase of one of them (E14). */
export function chargeAt(locations: Locations): SQL | undefined {
  if (locations === null) return undefined
  const at = sql`coalesce(${invoice.location_id}, ${purchase.location_id})`
  return sql`(${at} is null or ${at} = any(${locationArray(locations)}))`
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

/** Search condition over the customer, the title, the order number and the folios of receipts and counter sales (P11), and the columns in `more`. */
export function matchesPurchase(query: string | undefined, ...more: SQL[]): SQL | undefined {
  if (!query) return undefined
  const searched = sql.join(
    [
      ...[sql`${customer.name}`, sql`${customer.last_name}`, sql`${customer.email}`, sql`${customer.phone}`],
      ...[sql`${purchase.title}`, sql`${purchase.discount_code}`, sql`'#00' || ${purchase.purchase_id}`, ...more],
    ],
    sql`, `,
  )
  const order = orderNumber(query)
  const sale = /^v-?0*([1-9]\d{0,8})$/i.exec(query)?.[1]
  return or(
    matchesSearch(sql`concat_ws(' ', ${searched})`, query),
    order === null ? undefined : eq(purchase.purchase_id, order),
    sale ? eq(purchase.sale_id, Number(sale)) : undefined,
  )
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

/** The columns of an order ("-total") with the row's id last, so that pages do not overlap. */
export function orderOf<K extends string>(sort: K | `-${K}`, columns: Readonly<Record<K, readonly SQLWrapper[]>>, id: SQLWrapper): SQL[] {
  const direction = sort.startsWith('-') ? desc : asc
  const by: readonly SQLWrapper[] = columns[sort.replace('-', '') as K]
  return [...by, id].map((column) => direction(sql`${column}`))
}

/** A payment method, as the sums are grouped. */
export interface PaymentMethodKey {
  gateway: string
  payment_method_id: number | null
  name: string | null
}
