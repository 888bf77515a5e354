/** Queries of who came for the first time, for what they brought in; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { readCustomerIncome } from '#server/modules/income/income.ts'
import { firstVisitsWithin } from '#server/modules/rollups/rollups.ts'
import { atLocations } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { customerName } from './occupancy-store.ts'
import { amongPeople, type Scope } from './report.ts'
import type { Period } from './rules.ts'

type Whom = Pick<Scope, 'locations' | 'segment'>

export interface Starter {
  customer_id: number
  /** Of the first class of all, on the clocks of the studio. */
  first: LocalDate
  /** Recognised until now, in centavos. */
  income: number
}

/** Whose first class of all was in the period and where the report looks, as `first_visit`. */
const starters = (period: Period, { locations, segment }: Whom, zone: string): SQL => sql`${firstVisitsWithin(period, () => sql``, zone)},
  chosen as materialized (
    select v.customer_id, v.starts_at from first_visit v join customer u using (customer_id)
    where not u.is_anonymous ${atLocations(sql`v.location_id`, locations)} ${amongPeople(sql`v.customer_id`, { segment })})`

/** They, with what was recognised of all of their purchases until now. INCOME_BEING_PREPARED. */
export async function listStarters(db: Reader, period: Period, whom: Whom, zone: string, now: Date): Promise<Starter[]> {
  const chosen = starters(period, whom, zone)
  const [{ rows }, income] = await Promise.all([
    db.execute<{ customer_id: number; first: LocalDate }>(
      sql`with ${chosen} select c.customer_id, to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as first from chosen c order by c.starts_at, c.customer_id`,
    ),
    readCustomerIncome(db, now, chosen, zone),
  ])
  return rows.map(({ customer_id, first }) => ({ customer_id, first, income: income.get(customer_id) ?? 0 }))
}

/** The names of some customers. */
export async function listNames(db: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ customer_id: number; name: string }>(
    sql`select u.customer_id, ${customerName} as name from customer u where u.customer_id = any(${`{${ids.join(',')}}`}::integer[])`,
  )
  return new Map(rows.map(({ customer_id, name }) => [customer_id, name]))
}
