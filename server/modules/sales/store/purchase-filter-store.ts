/** What the studio's lists of sales look for, the same in purchases, charges and refunds (V29). */
import { eq, or, type SQL, sql } from 'drizzle-orm'
import { customer } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { matchesSearch } from '#server/platform/search.ts'

/** What a search of sales looks in, beside `more`: whose it is, what it is, and the number of the order (P11). */
export function matchesPurchase(query: string | undefined, ...more: SQL[]): SQL | undefined {
  if (!query) return undefined
  const searched = sql.join(
    [
      ...[sql`${customer.name}`, sql`${customer.last_name}`, sql`${customer.email}`, sql`${customer.phone}`],
      ...[sql`${purchase.title}`, sql`${purchase.discount_code}`, sql`'#00' || ${purchase.purchase_id}`, ...more],
    ],
    sql`, `,
  )
  const order = /^#?0*([1-9]\d{0,8})$/.exec(query)?.[1]
  return or(matchesSearch(sql`concat_ws(' ', ${searched})`, query), order ? eq(purchase.purchase_id, Number(order)) : undefined)
}

/** How it was paid, where, and by whom of the staff. */
export interface CounterFilter {
  payment_method_id?: number | undefined
  location_id?: number | undefined
  staff_id?: number | undefined
}

/** A way of paying, as sums are grouped by it. */
export interface PaymentMethodKey {
  gateway: string
  payment_method_id: number | null
  name: string | null
}
