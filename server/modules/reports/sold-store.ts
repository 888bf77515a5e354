/** Queries of what was sold; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { GroupKey } from '#contract/copy/reports.ts'
import type { LocalDate } from '#contract/time.ts'
import { atLocations, type Locations, oneRow, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Period } from './rules.ts'

export interface SoldSums extends Record<string, unknown> {
  sales: number
  /** Centavos. */
  sold: number
  discounted: number
}

const SUMS = sql`count(*)::float8 as sales, coalesce(sum(p.total_centavos), 0)::float8 as sold,
  coalesce(sum(p.discount_centavos), 0)::float8 as discounted`

/** Purchases that were completed or began in the period, in any later state; without access that the studio granted. */
const soldIn = (period: Period, locations: Locations): SQL =>
  sql`purchase p where ${within(sql`p."completedAt"`, period)} and not p.is_gift ${atLocations(sql`p.location_id`, locations)}`

export const sumSold = (db: Reader, period: Period, locations: Locations): Promise<SoldSums> =>
  oneRow(db, sql`select ${SUMS} from ${soldIn(period, locations)}`)

export async function soldByDay(
  db: Reader,
  period: Period,
  locations: Locations,
  zone: string,
): Promise<(SoldSums & { day: LocalDate })[]> {
  const { rows } = await db.execute<SoldSums & { day: LocalDate }>(
    sql`select to_char(p.day, 'YYYY-MM-DD') as day, ${SUMS}
      from (select p.*, (p."completedAt" at time zone ${zone})::date as day from ${soldIn(period, locations)}) p group by p.day order by p.day`,
  )
  return rows
}

export type SoldGroup = SoldSums & { id: number | null; name: string | null }

/** What is neither a package nor has a code, seller or location is one group without an id. */
const GROUPED: Readonly<Partial<Record<GroupKey, { id: SQL; name: SQL }>>> = {
  package: { id: sql`p.class_package_id`, name: sql`k.title` },
  code: { id: sql`p.discount_id`, name: sql`coalesce(d.code, case when p.discount_id is not null then upper(p.discount_code) end)` },
  location: { id: sql`p.location_id`, name: sql`l.name` },
  seller: { id: sql`p.staff_id`, name: sql`s.name` },
}

/** By package, code, location or seller, the most sold first. */
export async function soldByGroup(db: Reader, period: Period, locations: Locations, group: GroupKey): Promise<SoldGroup[]> {
  const by = GROUPED[group]
  if (!by) throw new Error(`Sales are not grouped by ${group}.`)
  const { rows } = await db.execute<SoldGroup>(sql`
    select ${by.id} as id, min(${by.name}) as name, ${SUMS}
    from (select p.* from ${soldIn(period, locations)}) p
      left join class_package k using (class_package_id)
      left join discount d using (discount_id)
      left join location l on l.location_id = p.location_id
      left join staff s on s.staff_id = p.staff_id
    group by 1 order by sold desc, sales desc, 2 nulls last`)
  return rows
}
