/** Visits, and the first one of each person; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import { addDays, type LocalDate } from '#contract/time.ts'
import { firstVisitsWithin, monthsOfMembers } from '#server/modules/rollups/rollups.ts'
import { atLocations, oneRow } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { customerName } from './occupancy-store.ts'
import { amongPeople, type Scope } from './report.ts'
import type { Period } from './rules.ts'

type Whom = Pick<Scope, 'locations' | 'segment'>

/** How a person came to their first class. */
export const FIRST_ORIGINS = ['trial', 'courtesy', 'drop_in', 'package'] as const
export type FirstOrigin = (typeof FIRST_ORIGINS)[number]

export interface FirstTimer extends Record<string, unknown> {
  customer_id: number
  name: string
  way: FirstOrigin
  /** Of the first class: when it began, on the clocks of the studio. */
  day: LocalDate
  single_class_id: number
  class_type_id: number
  type: string
  instructor_id: number | null
  coach: string | null
  /** The first purchase in the 30 days after it that is neither a gift nor a trial; null: none. */
  purchase_id: number | null
  bought: string | null
  /** Centavos. */
  paid: number | null
  days: number | null
  /** Whether the 30 days are over. */
  isComplete: boolean
  /** Whether they came to any class in the 30 days after it. */
  returned: boolean
}

/** Days within which a first-time customer counts as having bought or returned. */
export const TRIAL_DAYS = 30

/** A query of the customers whose first class ever was in the period, at the locations of the report, with `starts_at` of that class. */
function firstTimers(period: Period, { locations, segment }: Whom, now: Date, zone: string): SQL {
  const days = sql.raw(`interval '${TRIAL_DAYS} days'`)
  return sql`
    with ${firstVisitsWithin(period, () => sql``, zone)}, f as materialized (
      select v.*, c.class_type_id from first_visit v join single_class c using (single_class_id) where true ${atLocations(sql`v.location_id`, locations)} ${amongPeople(sql`v.customer_id`, { segment })}
    ), coach as (
      select distinct on (ci.single_class_id) ci.single_class_id, ci.instructor_id, coalesce(nullif(t.nick_name, ''), t.name) as coach
      from class_instructor ci join instructor t using (instructor_id) where ci.single_class_id in (select single_class_id from f)
      order by ci.single_class_id, ci.sort, ci.instructor_id
    ), bought as (
      select distinct on (f.customer_id) f.customer_id, b.purchase_id, b.title, b.total_centavos, b."completedAt"
      from f join purchase b using (customer_id) join class_package q on q.class_package_id = b.class_package_id
      where b."completedAt" >= f.starts_at and b."completedAt" < f.starts_at + ${days}
        and b."completedAt" >= ${instantValue(period.from)} and b."completedAt" < ${instantValue(period.until)} + ${days}
        and not b.is_gift and not q.is_trial and q.class_amount <> 0
      order by f.customer_id, b."completedAt", b.purchase_id
    )
    select f.customer_id, f.starts_at, ${customerName} as name, to_char(f.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, f.single_class_id, f.class_type_id,
      y.name as type, o.coach, o.instructor_id,
      case when l.is_courtesy or p.is_gift then 'courtesy' when k.is_trial then 'trial' when r.is_cash or l.available_class_id is null then 'drop_in'
        else 'package' end as way,
      b.purchase_id, b.title as bought, b.total_centavos as paid,
      (extract(epoch from b."completedAt" - f.starts_at) / 86400)::float8 as days, f.starts_at + ${days} <= ${instantValue(now)} as "isComplete",
      coalesce(f.next_at < f.starts_at + ${days}, false) as returned
    from f join customer u on u.customer_id = f.customer_id join class_reservation r on r.class_reservation_id = f.class_reservation_id
      join class_type y on y.class_type_id = f.class_type_id
      left join coach o on o.single_class_id = f.single_class_id
      left join available_class l on l.available_class_id = r.available_class_id
      left join purchase p on p.purchase_id = l.purchase_id
      left join class_package k on k.class_package_id = l.class_package_id
      left join bought b on b.customer_id = f.customer_id`
}

/** They, the last first. */
export async function listFirstTimers(db: Reader, period: Period, whom: Whom, now: Date, zone: string): Promise<FirstTimer[]> {
  const { rows } = await db.execute<FirstTimer>(sql`
    select t.customer_id, t.name, t.way, t.day, t.single_class_id, t.class_type_id, t.type, t.instructor_id, t.coach, t.purchase_id, t.bought, t.paid, t.days,
      t."isComplete", t.returned
    from (${firstTimers(period, whom, now, zone)}) t order by t.starts_at desc, t.customer_id`)
  return rows
}

/** How many of them came without having a package, and how many of those bought. */
export function countTriers(db: Reader, period: Period, whom: Whom, now: Date, zone: string): Promise<{ tried: number; bought: number }> {
  return oneRow(
    db,
    sql`select count(*)::float8 as tried, count(t.purchase_id)::float8 as bought from (${firstTimers(period, whom, now, zone)}) t where t.way <> 'package'`,
  )
}

/** For customers with the first class in one month: how many came how often, by number of months later. */
export interface CohortCount extends Record<string, unknown> {
  /** First day of the month of the first class. */
  cohort: LocalDate
  /** Months after it. */
  after: number
  people: number
}

/** Days around the months, so that an index finds first visits whose month is then looked at on the clocks of the zone. */
const around = ({ from, until }: { from: LocalDate; until: LocalDate }, now: Date) => {
  const end = new Date(`${addDays(until, 1)}T12:00:00Z`)
  return { from: new Date(`${addDays(from, -1)}T12:00:00Z`), until: end < now ? end : now }
}

/** Those whose first visit was in one of the months, as `member` with the month of it, and their visits as `member_month`. */
function members(months: { from: LocalDate; until: LocalDate }, now: Date, { locations, segment }: Whom, zone: string): SQL {
  const there = (column: SQL) => atLocations(column, locations)
  const month = sql`date_trunc('month', v.starts_at at time zone ${zone})::date`
  return sql`${firstVisitsWithin(around(months, now), there, zone)}, member as materialized (
      select v.customer_id, ${month} as cohort from first_visit v where ${month} >= ${months.from}::date and ${month} < ${months.until}::date ${amongPeople(sql`v.customer_id`, { segment })}
    ), ${monthsOfMembers(now, there, zone)}`
}

/**
 * Of those whose first class was in a month of the period: how many came in each month since, the first one too. Visits at the locations of
 * the report.
 */
export async function countCohorts(db: Reader, months: { from: LocalDate; until: LocalDate }, now: Date, whom: Whom, zone: string) {
  const { rows } = await db.execute<CohortCount>(sql`
    with ${members(months, now, whom, zone)}
    select to_char(m.cohort, 'YYYY-MM-DD') as cohort,
      (12 * (extract(year from m.month) - extract(year from m.cohort)) + extract(month from m.month) - extract(month from m.cohort))::integer as after, m.people
    from (select f.cohort, v.month, count(*)::float8 as people
      from (select distinct customer_id, month from member_month) v join member f using (customer_id) group by 1, 2) m
    order by 1, 2`)
  return rows
}

export interface CohortMember extends Record<string, unknown> {
  customer_id: number
  name: string
  first: LocalDate
  last: LocalDate
  months: number
  visits: number
}

/** The customers of a cohort, the last visit first. */
export async function listCohortMembers(db: Reader, months: { from: LocalDate; until: LocalDate }, now: Date, whom: Whom, zone: string) {
  const day = (instant: SQL) => sql`to_char(${instant} at time zone ${zone}, 'YYYY-MM-DD')`
  const { rows } = await db.execute<CohortMember>(sql`
    with ${members(months, now, whom, zone)}
    select v.customer_id, ${customerName} as name, ${day(sql`v.first`)} as first, ${day(sql`v.last`)} as last, v.months, v.visits
    from (select customer_id, min(first_at) as first, max(last_at) as last, sum(visits)::float8 as visits, count(distinct month)::float8 as months
      from member_month group by 1) v join customer u using (customer_id)
    order by v.last, name, v.customer_id`)
  return rows
}
