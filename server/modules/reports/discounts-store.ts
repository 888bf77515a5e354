/** Queries of sales at a discount; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import { atLocations, type Locations, oneRow, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Period } from './rules.ts'

export interface DiscountSums extends Record<string, unknown> {
  uses: number
  /** Centavos. */
  discounted: number
  sold: number
  /** First purchases of their customers. */
  first: number
}

const SUMS = sql`count(*)::float8 as uses, coalesce(sum(p.discount_centavos), 0)::float8 as discounted, coalesce(sum(p.total_centavos), 0)::float8 as sold,
  (count(*) filter (where not exists (select from purchase o where o.customer_id = p.customer_id and o."completedAt" < p."completedAt" and not o.is_gift)))::float8 as first`

/** What was sold at a discount: with a code, or by hand at the counter. */
const discountedIn = (
  period: Period,
  locations: Locations,
): SQL => sql`purchase p where ${within(sql`p."completedAt"`, period)} and not p.is_gift
  and p.discount_centavos > 0 ${atLocations(sql`p.location_id`, locations)}`

export const sumDiscounted = (db: Reader, period: Period, locations: Locations): Promise<DiscountSums> =>
  oneRow(db, sql`select ${SUMS} from ${discountedIn(period, locations)}`)

export type DiscountGroup = DiscountSums & { id: number | null; name: string | null }

/** By code or package, the most sold first; what was given by hand has no code. */
export async function discountedByGroup(
  db: Reader,
  period: Period,
  locations: Locations,
  group: 'code' | 'package',
): Promise<DiscountGroup[]> {
  const by =
    group === 'code'
      ? { id: sql`p.discount_id`, name: sql`min(coalesce(d.code, case when p.discount_id is not null then upper(p.discount_code) end))` }
      : { id: sql`p.class_package_id`, name: sql`min(k.title)` }
  const { rows } = await db.execute<DiscountGroup>(sql`
    select ${by.id} as id, ${by.name} as name, ${SUMS} from (select p.* from ${discountedIn(period, locations)}) p
      left join discount d using (discount_id) left join class_package k using (class_package_id)
    group by 1 order by sold desc, uses desc, 2 nulls last`)
  return rows
}
