/** Queries of collected money; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { GroupKey } from '#contract/copy/reports.ts'
import type { LocalDate } from '#contract/time.ts'
import { collectedMovements, type Locations } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Period } from './rules.ts'

export interface CollectedSums extends Record<string, unknown> {
  /** Centavos. */
  collected: number
  charged: number
  charges: number
  /** Refunded and lost amounts, less those returned: not negative in the end. */
  returned: number
}

const SUMS = sql`
  coalesce(sum(m.centavos), 0)::float8 as collected,
  coalesce(sum(m.centavos) filter (where m.kind = 'charge'), 0)::float8 as charged,
  (count(*) filter (where m.kind = 'charge' and m.centavos > 0))::float8 as charges,
  -coalesce(sum(m.centavos) filter (where m.kind <> 'charge'), 0)::float8 as returned`

export type CollectedDay = CollectedSums & { day: LocalDate }

/**
 * The sums of each day on the clocks of a zone; days without a movement are missing. Grouped by dates: their texts would take half of
 * the time.
 */
export async function collectedByDay(db: Reader, period: Period, locations: Locations, zone: string): Promise<CollectedDay[]> {
  const { rows } = await db.execute<CollectedDay>(sql`
    select to_char(m.day, 'YYYY-MM-DD') as day, ${SUMS}
    from (select o.*, (o.at at time zone ${zone})::date as day from (${collectedMovements(period, locations)}) o) m group by m.day order by m.day`)
  return rows
}

export type CollectedGroup = CollectedSums & { id: number | null; name: string | null }

/**
 * Id and name of what a movement is grouped by, and where they come from. The payment method is that of the charge, or of its purchase when
 * it was paid online: `offset 0` looks up the purchases of these alone; otherwise the planner would read every purchase.
 */
const GROUPED: Readonly<Partial<Record<GroupKey, { id: SQL; name: SQL; join: SQL }>>> = {
  method: {
    id: sql`coalesce(m.payment_method_id, p.payment_method_id)`,
    name: sql`w.name`,
    join: sql`left join lateral (
        select o.payment_method_id from purchase o where o.purchase_id = m.purchase_id and m.payment_method_id is null offset 0) p on true
      left join payment_method w on w.payment_method_id = coalesce(m.payment_method_id, p.payment_method_id)`,
  },
  location: { id: sql`m.location_id`, name: sql`l.name`, join: sql`left join location l on l.location_id = m.location_id` },
  package: {
    id: sql`p.class_package_id`,
    name: sql`coalesce(k.title, p.title)`,
    join: sql`join purchase p using (purchase_id) left join class_package k on k.class_package_id = p.class_package_id`,
  },
  seller: { id: sql`m.staff_id`, name: sql`s.name`, join: sql`left join staff s on s.staff_id = m.staff_id` },
}

/** The sums by what the movements are grouped by, the largest first. */
export async function collectedByGroup(db: Reader, period: Period, locations: Locations, group: GroupKey): Promise<CollectedGroup[]> {
  const by = GROUPED[group]
  if (!by) throw new Error(`Collected money is not grouped by ${group}.`)
  const { rows } = await db.execute<CollectedGroup>(sql`
    select ${by.id} as id, ${by.name} as name, ${SUMS}
    from (${collectedMovements(period, locations)}) m ${by.join}
    group by 1, 2 order by collected desc, 2 nulls last`)
  return rows
}
