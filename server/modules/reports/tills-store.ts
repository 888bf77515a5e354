/** Queries of counted tills; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { atLocations, type Locations, oneRow, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Period } from './rules.ts'

export interface TillSums extends Record<string, unknown> {
  sessions: number
  /** Centavos, of all payment methods. */
  expected: number
  counted: number
  /** Sessions with a discrepancy in some payment method, and those that were not approved. */
  differing: number
  open: number
}

/** Closed sessions `z` with what their methods add up to, as `m`. */
const closedIn = (period: Period, locations: Locations): SQL => sql`cash_session z cross join lateral (
    select coalesce(sum((e->>'expected')::bigint), 0) as expected, coalesce(sum((e->>'counted')::bigint), 0) as counted,
      coalesce(bool_or(e->>'expected' <> e->>'counted'), false) as differs
    from jsonb_array_elements(case when jsonb_typeof(z.counted) = 'array' then z.counted end) e) m
  where ${within(sql`z."closedAt"`, period)} ${atLocations(sql`z.location_id`, locations)}`

const SUMS = sql`count(*)::float8 as sessions, coalesce(sum(m.expected), 0)::float8 as expected, coalesce(sum(m.counted), 0)::float8 as counted,
  (count(*) filter (where m.differs))::float8 as differing, (count(*) filter (where z."approvedAt" is null))::float8 as open`

export const sumTills = (db: Reader, period: Period, locations: Locations): Promise<TillSums> =>
  oneRow(db, sql`select ${SUMS} from ${closedIn(period, locations)}`)

export async function tillsByDay(
  db: Reader,
  period: Period,
  locations: Locations,
  zone: string,
): Promise<(TillSums & { day: LocalDate })[]> {
  const { rows } = await db.execute<TillSums & { day: LocalDate }>(
    sql`select to_char(z."closedAt" at time zone ${zone}, 'YYYY-MM-DD') as day, ${SUMS} from ${closedIn(period, locations)} group by 1 order by 1`,
  )
  return rows
}

export interface TillRow extends Record<string, unknown> {
  cash_session_id: number
  /** On the clock of the location, written as UTC. */
  wall: string
  who: string
  location: string
  expected: number
  counted: number
  /** Whether some method differs. */
  differs: boolean
  approved: boolean
  note: string | null
}

export async function listTills(db: Reader, period: Period, locations: Locations, zone: string): Promise<TillRow[]> {
  const { rows } = await db.execute<TillRow>(sql`
    select z.cash_session_id, to_char(z."closedAt" at time zone coalesce(l.timezone, ${zone}), 'YYYY-MM-DD"T"HH24:MI') as wall, s.name as who,
      l.name as location, z.expected::float8 as expected, z.sum::float8 as counted, z.differs, z."approvedAt" is not null as approved, z.note
    from (select z.*, m.expected, m.counted as sum, m.differs from ${closedIn(period, locations)}) z join staff s using (staff_id) join location l using (location_id)
    order by z."closedAt" desc, z.cash_session_id`)
  return rows
}

export type TillGroup = TillSums & { id: number; name: string }

/** By person or location, the largest difference first. */
export async function tillsByGroup(db: Reader, period: Period, locations: Locations, group: 'seller' | 'location'): Promise<TillGroup[]> {
  const by = group === 'seller' ? { id: sql`z.staff_id`, name: sql`s.name` } : { id: sql`z.location_id`, name: sql`l.name` }
  const { rows } = await db.execute<TillGroup>(sql`
    select ${by.id} as id, ${by.name} as name, count(*)::float8 as sessions, sum(z.expected)::float8 as expected, sum(z.sum)::float8 as counted,
      (count(*) filter (where z.differs))::float8 as differing, (count(*) filter (where z."approvedAt" is null))::float8 as open
    from (select z.*, m.expected, m.counted as sum, m.differs from ${closedIn(period, locations)}) z join staff s using (staff_id) join location l using (location_id)
    group by 1, 2 order by abs(sum(z.sum) - sum(z.expected)) desc, 2`)
  return rows
}
