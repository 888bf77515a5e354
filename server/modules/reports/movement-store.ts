/** Queries of customers who were active at the beginning or at the end of a period; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { activeCustomers } from '#server/modules/customers/customers.ts'
import { VISITED, visitedBefore } from '#server/modules/rollups/rollups.ts'
import { atLocations, type Locations, usableAt } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { customerName } from './occupancy-store.ts'
import { amongPeople, type Scope } from './report.ts'
import type { Period } from './rules.ts'

type Whom = Pick<Scope, 'locations' | 'segment'>

export const MOVES = ['new', 'back', 'lost'] as const
export type Move = (typeof MOVES)[number]

export interface Movement extends Record<string, unknown> {
  start: number
  new: number
  back: number
  lost: number
  end: number
}

/**
 * Whether the customer of `m`, with their row `b` of `visited_before`, had been active at any time before the period: a visit, credits or a
 * subscription.
 */
const wasThere = (period: Period, locations: Locations): SQL => sql`(
  b.customer_id is not null
  or exists (select from available_class l where l.customer_id = m.customer_id and l."createdAt" < ${instantValue(period.from)} ${usableAt(sql`l.location_ids`, locations)})
  or exists (select from purchase p left join class_package k using (class_package_id)
    where p.customer_id = m.customer_id and p.is_subscription and p."completedAt" < ${instantValue(period.from)} ${usableAt(sql`k.location_ids`, locations)}))`

/** Each customer who was active at the beginning or the end, as `m`: `was`, `is`, and how they moved (null: they stayed). */
const moved = (period: Period, { locations, segment }: Whom, zone: string): SQL => sql`(
  with ends as materialized (
    select customer_id, bool_or(was) as was, bool_or(not was) as "is" from (
      select customer_id, true as was from (${activeCustomers(period.from, locations)}) s
      union all select customer_id, false from (${activeCustomers(period.until, locations)}) e) both_ends where true ${amongPeople(sql`customer_id`, { segment })}
    group by 1
  ), candidate as (select customer_id from ends where not was), ${visitedBefore(period.from, (location_id) => atLocations(location_id, locations), zone)}
  select m.customer_id, m.was, m."is", case when m.was and m."is" then null when m.was then 'lost' when ${wasThere(period, locations)} then 'back' else 'new' end as move
  from ends m left join visited_before b using (customer_id)) m`

export async function countMovement(db: Reader, period: Period, scope: Whom, zone: string): Promise<Movement> {
  const { rows } = await db.execute<Movement>(sql`
    select (count(*) filter (where m.was))::float8 as start, (count(*) filter (where m.move = 'new'))::float8 as new,
      (count(*) filter (where m.move = 'back'))::float8 as back, (count(*) filter (where m.move = 'lost'))::float8 as lost,
      (count(*) filter (where m."is"))::float8 as end
    from ${moved(period, scope, zone)}`)
  return rows[0] ?? { start: 0, new: 0, back: 0, lost: 0, end: 0 }
}

export interface MovedCustomer extends Record<string, unknown> {
  customer_id: number
  name: string
  move: Move
  last: LocalDate | null
  visits: number
}

/** Customers whose state changed, with the last visit before the end of the period. */
export async function listMoved(db: Reader, period: Period, scope: Whom, zone: string): Promise<MovedCustomer[]> {
  const { rows } = await db.execute<MovedCustomer>(sql`
    select m.customer_id, ${customerName} as name, m.move, to_char(v.last at time zone ${zone}, 'YYYY-MM-DD') as last, v.visits
    from ${moved(period, scope, zone)} join customer u using (customer_id)
      cross join lateral (select max(c.starts_at) as last, count(*)::float8 as visits from class_reservation r join single_class c using (single_class_id)
        where r.customer_id = m.customer_id and c.starts_at < ${instantValue(period.until)} and ${VISITED}) v
    where m.move is not null
    order by array_position(array['lost', 'back', 'new'], m.move), v.last desc nulls last, name, m.customer_id`)
  return rows
}
