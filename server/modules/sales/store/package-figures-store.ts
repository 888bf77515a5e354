import { sql } from 'drizzle-orm'
import { staff } from '#server/modules/people/tables.ts'
import type { Reader } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import { audit } from '#server/platform/tables.ts'
import type { Locations } from './purchase-filter-store.ts'

export interface PackageFiguresRow extends Record<string, unknown> {
  holders: number
  sold: number
  collected_centavos: number
}

/**
 * Customers who have a package now (credits that are valid and not used up, or a live subscription), and its purchases since an instant
 * with what was collected for them, less refunds; at the locations.
 */
export async function countPackage(
  db: Reader,
  class_package_id: number,
  { since, now, locations }: { since: Date; now: Date; locations: Locations },
): Promise<PackageFiguresRow> {
  // What was sold and received there, and online (E14).
  const sold = locations === null ? sql`true` : sql`(p.location_id is null or p.location_id = any(${integerArray(locations)}))`
  const received = locations === null ? sql`true` : sql`(i.location_id is null or i.location_id = any(${integerArray(locations)}))`
  const [at, from] = [sql`${now.toISOString()}::timestamptz`, sql`${since.toISOString()}::timestamptz`]
  const { rows } = await db.execute<PackageFiguresRow>(sql`
    select
      (select count(distinct held.customer_id) from (
        select a.customer_id from available_class a where a.class_package_id = ${class_package_id}
          and a."revokedAt" is null and (a.expires_at is null or a.expires_at >= ${at}) and (a.unlimited or a.balance > 0)
        union select p.customer_id from purchase p where p.class_package_id = ${class_package_id} and p.is_subscription and p.status = 'active'
      ) held)::float8 as holders,
      (select count(*) from purchase p where p.class_package_id = ${class_package_id} and p.status in ('active', 'completed', 'cancelled')
        and p."createdAt" >= ${from} and ${sold})::float8 as sold,
      (select coalesce(sum(i.total_centavos - i.refunded_centavos - case when i.status = 'lost' then i.disputed_centavos else 0 end), 0) from purchase p join invoice i using (purchase_id)
        where p.class_package_id = ${class_package_id} and i.status not in ('pending', 'void', 'failed')
          and coalesce(i."paidAt", i."createdAt") >= ${from} and ${received})::float8 as collected_centavos`)
  const [row] = rows
  if (!row) throw new Error('An aggregate answered no row.')
  return row
}

export interface PriceRow extends Record<string, unknown> {
  at: string
  by: string | null
  price_centavos: number
  sale_price_centavos: number | null
}

/**
 * The prices that a package has had by the audit trail, oldest first, with the staff member who set each; also entries that changed
 * no price.
 */
export async function listRecordedPrices(db: Reader, class_package_id: number): Promise<PriceRow[]> {
  const { rows } = await db.execute<PriceRow>(sql`
    select a.at, s.name as by, (a.after->>'price_centavos')::float8 as price_centavos, (a.after->>'sale_price_centavos')::float8 as sale_price_centavos
    from ${audit} a left join ${staff} s on a.actor like 'staff:%' and s.staff_id = a.actor_id
    where a.entity = 'class_package' and a.entity_id = ${String(class_package_id)} and a.action in ('class_package.create', 'class_package.change')
      and a.after ? 'price_centavos'
    order by a.at, a.audit_id`)
  return rows
}
