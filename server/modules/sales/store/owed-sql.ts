/** What is still unpaid of purchases, for queries of every module. */
import { type SQL, sql } from 'drizzle-orm'

/**
 * Centavos that are unpaid of a purchase, named by its table or alias: its total less what was waived and the charges that are not void. A
 * refunded charge stays paid; a transfer that waits for its confirmation counts as paid.
 */
export const restOfPurchase = (named: 'q' | 'purchase'): SQL =>
  sql.raw(`greatest(0, ${named}.total_centavos - ${named}.waived_centavos - coalesce((select sum(i.total_centavos) from invoice i
    where i.purchase_id = ${named}.purchase_id and i.status <> 'void'), 0))`)

/** The same for a sale `s`. Revoked and never completed purchases count as 0. */
export const restOfSale: SQL = sql`(select coalesce(sum(${restOfPurchase('q')}), 0) from purchase q where q.sale_id = s.sale_id and q.status in ('completed', 'active'))`
