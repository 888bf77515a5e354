/** Queries of credits that end; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { grantedCredits, netIncome } from '#server/modules/income/income.ts'
import { at, type Locations, oneRow, usableAt, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { customerName } from './occupancy-store.ts'
import type { Period } from './rules.ts'

/** Counted lots `l` with credits left that were neither revoked nor frozen. */
const left = (locations: Locations): SQL =>
  sql`not l.unlimited and l.balance > 0 and l."revokedAt" is null and l."frozenAt" is null ${usableAt(sql`l.location_ids`, locations)}`

/** What was paid for the credits that are left, without tax and what went back: the same base as recognised income. */
const VALUE = sql`coalesce(round(${netIncome(sql`l.purchase_id`, sql`l.period`)} * l.balance / nullif(${grantedCredits(sql`l.purchase_id`, sql`l.period`)}, 0)), 0)`

export interface ExpiringCreditLot extends Record<string, unknown> {
  available_class_id: number
  customer_id: number
  name: string
  class_package_id: number | null
  title: string
  balance: number
  /** The last day. */
  day: LocalDate
  /** Centavos. */
  value: number
}

/** Credits that end in the period and do not renew, the first end first. */
export async function listExpiring(db: Reader, period: Period, locations: Locations, zone: string): Promise<ExpiringCreditLot[]> {
  const { rows } = await db.execute<ExpiringCreditLot>(sql`
    select l.available_class_id, l.customer_id, ${customerName} as name, l.class_package_id, l.title, l.balance,
      to_char(l.expires_at at time zone ${zone}, 'YYYY-MM-DD') as day, (${VALUE})::float8 as value
    from available_class l join customer u using (customer_id)
    where ${within(sql`l.expires_at`, period)} and ${left(locations)}
      and not exists (select from purchase p where p.purchase_id = l.purchase_id and p.status = 'active' and p.paused_since is null)
    order by l.expires_at, l.available_class_id`)
  return rows
}

/** All credits that can still be used, and what was paid for them. */
export const sumLiving = (db: Reader, now: Date, locations: Locations): Promise<{ credits: number; value: number }> =>
  oneRow(
    db,
    sql`select coalesce(sum(l.balance), 0)::float8 as credits, coalesce(sum(${VALUE}), 0)::float8 as value
      from available_class l where (l.expires_at is null or l.expires_at >= ${at(now)}) and ${left(locations)}`,
  )
