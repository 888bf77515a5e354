/** Queries of credits that end; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { netIncomeOfCreditLots } from '#server/modules/income/income.ts'
import { oneRow, usableAt, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { customerName } from './occupancy-store.ts'
import { amongPeople, type Scope } from './report.ts'
import type { Period } from './rules.ts'

type Whom = Pick<Scope, 'locations' | 'segment'>

/** Counted lots `l` with credits left that were neither revoked nor frozen. */
const left = ({ locations, segment }: Whom): SQL =>
  sql`not l.unlimited and l.balance > 0 and l."revokedAt" is null and l."frozenAt" is null ${usableAt(sql`l.location_ids`, locations)} ${amongPeople(sql`l.customer_id`, { segment })}`

/** Those that end in the period and do not renew. */
const ending = (period: Period, whom: Whom): SQL =>
  sql`${within(sql`l.expires_at`, period)} and ${left(whom)}
    and not exists (select from purchase p where p.purchase_id = l.purchase_id and p.status = 'active' and p.paused_since is null)`

/**
 * Common table expressions up to `due`: the lots `l` of a condition, with the day of their end and the `value` of what is left of them:
 * what was paid for it, without tax and what went back, the same base as recognised income. Centavos.
 */
const dueCreditLots = (where: SQL, zone: string): SQL => sql`
  lots as materialized (
    select l.available_class_id, l.customer_id, l.class_package_id, l.title, l.balance, l.expires_at, l.purchase_id, l.period,
      (l.expires_at at time zone ${zone})::date as day
    from available_class l where ${where}
  ), ${netIncomeOfCreditLots}, due as materialized (
    select o.*, coalesce(round(n.net * o.balance / nullif(n.granted, 0)), 0) as value from lots o left join unit_net n using (purchase_id, period)
  )`

export interface DueSums {
  people: number
  credits: number
  /** Centavos. */
  value: number
}
export type DueDay = DueSums & { day: LocalDate }
export type DuePackage = DueSums & { class_package_id: number | null; title: string }

const SUMS = sql`count(distinct d.customer_id)::float8 as people, coalesce(sum(d.balance), 0)::float8 as credits, coalesce(sum(d.value), 0)::float8 as value`

/**
 * Credits that end in the period and do not renew: all, by their last day, and by package, the first to end first. One statement, which
 * reads them once.
 */
export async function sumExpiring(
  db: Reader,
  period: Period,
  whom: Whom,
  zone: string,
): Promise<{ all: DueSums; days: DueDay[]; packages: DuePackage[] }> {
  const { rows } = await db.execute<DuePackage & DueDay & { by: string } & Record<string, unknown>>(sql`
    with ${dueCreditLots(ending(period, whom), zone)}
    select 'all' as by, null as day, null::integer as class_package_id, null as title, null::timestamptz as first, ${SUMS} from due d
    union all select 'day', to_char(d.day, 'YYYY-MM-DD'), null, null, min(d.expires_at), ${SUMS} from due d group by d.day
    union all select 'package', null, d.class_package_id, coalesce(min(k.title), min(d.title)), min(d.expires_at), ${SUMS}
      from due d left join class_package k using (class_package_id)
      group by d.class_package_id, case when d.class_package_id is null then d.title end
    order by first, title`)
  const of = <T>(kind: string) => rows.filter(({ by }) => by === kind) as unknown as T[]
  return { all: of<DueSums>('all')[0] ?? { people: 0, credits: 0, value: 0 }, days: of<DueDay>('day'), packages: of<DuePackage>('package') }
}

export interface DuePerson extends Record<string, unknown> {
  customer_id: number
  name: string
  titles: string
  /** The first last day. */
  day: LocalDate
  credits: number
  value: number
}

/** The first people whose credits end in the period and do not renew. */
export async function listExpiring(db: Reader, period: Period, whom: Whom, zone: string, limit: number): Promise<DuePerson[]> {
  const first = sql`select l.customer_id from available_class l where ${ending(period, whom)} group by 1 order by min(l.expires_at), 1 limit ${limit}`
  const { rows } = await db.execute<DuePerson>(sql`
    with ${dueCreditLots(sql`l.customer_id in (${first}) and ${ending(period, whom)}`, zone)}
    select t.customer_id, ${customerName} as name, string_agg(t.title, ', ' order by t.first, t.title) as titles, to_char(min(t.day), 'YYYY-MM-DD') as day,
      sum(t.credits)::float8 as credits, sum(t.value)::float8 as value
    from (
      select d.customer_id, d.title, min(d.expires_at) as first, min(d.day) as day, sum(d.balance) as credits, sum(d.value) as value from due d group by 1, 2
    ) t join customer u using (customer_id)
    group by t.customer_id, u.name, u.last_name order by min(t.first), t.customer_id`)
  return rows
}

/** The first one to end in the period; null: none. */
export async function nextExpiring(db: Reader, period: Period, whom: Whom, zone: string): Promise<{ name: string; day: LocalDate } | null> {
  const { rows } = await db.execute<{ name: string; day: LocalDate }>(sql`
    select ${customerName} as name, to_char(l.expires_at at time zone ${zone}, 'YYYY-MM-DD') as day
    from available_class l join customer u using (customer_id) where ${ending(period, whom)} order by l.expires_at, l.available_class_id limit 1`)
  return rows[0] ?? null
}

/** All credits that can still be used, and what was paid for them. */
export const sumLiving = (db: Reader, now: Date, whom: Whom, zone: string): Promise<{ credits: number; value: number }> =>
  oneRow(
    db,
    sql`with ${dueCreditLots(sql`(l.expires_at is null or l.expires_at >= ${instantValue(now)}) and ${left(whom)}`, zone)}
      select coalesce(sum(d.balance), 0)::float8 as credits, coalesce(sum(d.value), 0)::float8 as value from due d`,
  )
