/**
 * Sums of all charges by payment method, status and location (`invoice_total`): read, replaced by fewer rows, compared
 * (docs/decisions/025-rollups.md).
 */
import { and, eq, isNull, or, sql, sum } from 'drizzle-orm'
import { paymentMethod } from '#server/modules/catalogue/tables.ts'
import { invoiceTotal } from '#server/modules/sales/invoice-total-tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import type { CounterFilter } from './purchase-filter-store.ts'

/** The filters that the stored sums are grouped by. */
export interface TotalFilter extends Pick<CounterFilter, 'locations' | 'location_id' | 'payment_method_id'> {
  status?: readonly string[] | undefined
  gateway?: string | undefined
}

/** The sums of the charges that match, of every gateway and status unless the filter names some. */
export function readInvoiceTotals(db: Reader, filter: TotalFilter) {
  const { gateway, payment_method_id, status, location_id, visible_at } = invoiceTotal
  const { locations, status: statuses } = filter
  return db
    .select({
      gateway,
      payment_method_id,
      name: paymentMethod.name,
      status,
      count: sum(invoiceTotal.invoices),
      charged: sum(invoiceTotal.charged),
      tax: sum(invoiceTotal.tax),
      disputed: sum(invoiceTotal.disputed),
    })
    .from(invoiceTotal)
    .leftJoin(paymentMethod, eq(paymentMethod.payment_method_id, payment_method_id))
    .where(
      and(
        locations == null ? undefined : or(isNull(visible_at), sql`${visible_at} = any(${integerArray(locations)})`),
        filter.location_id === undefined ? undefined : eq(location_id, filter.location_id),
        filter.payment_method_id === undefined ? undefined : eq(payment_method_id, filter.payment_method_id),
        filter.gateway === undefined ? undefined : eq(gateway, filter.gateway),
        statuses === undefined ? undefined : sql`${status} = any(${`{${statuses.join(',')}}`}::text[])`,
      ),
    )
    .groupBy(gateway, payment_method_id, paymentMethod.name, status)
    .having(sql`sum(${invoiceTotal.invoices}) <> 0`)
}

/** One transaction at a time deletes rows. In a statement of its own, so that the next one sees what the one before it wrote. */
const lock = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('invoice_total'))`)

const COLUMNS = sql.raw('gateway, payment_method_id, status, location_id, visible_at, invoices, charged, tax, disputed')
const ADDED = sql.raw('gateway, payment_method_id, status, location_id, visible_at, sum(invoices), sum(charged), sum(tax), sum(disputed)')
/** The same of the charges. */
const COMPUTED = sql`select i.gateway, i.payment_method_id, i.status, i.location_id, coalesce(i.location_id, p.location_id) as visible_at, count(*) as invoices,
    sum(i.total_centavos) as charged, sum(i.tax_centavos) as tax, sum(case when i.status = 'disputed' then i.disputed_centavos else i.open_dispute_centavos end) as disputed
  from invoice i join purchase p using (purchase_id) group by 1, 2, 3, 4, 5`

/** Replaces the rows of each group by their sum. What is committed meanwhile stays beside it. */
export async function mergeInvoiceTotals(tx: Tx): Promise<void> {
  await lock(tx)
  await tx.execute(sql`with gone as (delete from invoice_total returning *)
    insert into invoice_total (${COLUMNS}) select ${ADDED} from gone group by 1, 2, 3, 4, 5
      having sum(invoices) <> 0 or sum(charged) <> 0 or sum(tax) <> 0 or sum(disputed) <> 0`)
}

/** Replaces all rows by what the charges add up to, both as of one instant. */
export async function deriveInvoiceTotals(tx: Tx): Promise<void> {
  await lock(tx)
  await tx.execute(sql`with gone as (delete from invoice_total returning invoice_total_id)
    insert into invoice_total (${COLUMNS}) ${COMPUTED}`)
}

/** Number of groups whose stored sums are not those of the charges, as of one instant. */
export async function countWrongTotals(db: Reader): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::integer as count from (
    (select ${ADDED} from invoice_total group by 1, 2, 3, 4, 5 having sum(invoices) <> 0 or sum(charged) <> 0 or sum(tax) <> 0 or sum(disputed) <> 0
      except ${COMPUTED})
    union all (${COMPUTED} except select ${ADDED} from invoice_total group by 1, 2, 3, 4, 5)) wrong`)
  return rows[0]?.count ?? 0
}
