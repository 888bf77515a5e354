/** Visits, and the first one of each person; read-only. */
import { sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { at, atLocations, type Locations, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { coachName, customerName, typeName } from './occupancy-store.ts'
import type { Period } from './rules.ts'

/** A person's own place `r` in a class `c` that took place, which they came to: marked so, or on a list that was closed without being used (A4). */
export const VISITED = sql`c."cancelledAt" is null and r."deletedAt" is null and r.host_reservation_id is null
  and (r.attend or (r.attend is null and c."settledAt" is not null))`

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

/** Days in which who came for the first time may buy or come back. */
export const TRIAL_DAYS = 30

/** Everybody whose first class of all was in the period, and where the report looks. */
export async function listFirstTimers(db: Reader, period: Period, locations: Locations, now: Date, zone: string): Promise<FirstTimer[]> {
  const days = sql.raw(`interval '${TRIAL_DAYS} days'`)
  const { rows } = await db.execute<FirstTimer>(sql`
    with f as (
      select distinct on (r.customer_id) r.customer_id, r.available_class_id, r.is_cash, c.*
      from single_class c join class_reservation r using (single_class_id)
      where ${within(sql`c.starts_at`, period)} and ${VISITED}
      order by r.customer_id, c.starts_at, c.single_class_id
    )
    select c.customer_id, ${customerName} as name, to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, c.single_class_id, c.class_type_id,
      ${typeName} as type, ${coachName} as coach,
      (select ci.instructor_id from class_instructor ci where ci.single_class_id = c.single_class_id order by ci.sort, ci.instructor_id limit 1) as instructor_id,
      case when l.is_courtesy or p.is_gift then 'courtesy' when k.is_trial then 'trial' when c.is_cash or l.available_class_id is null then 'drop_in'
        else 'package' end as way,
      b.purchase_id, b.title as bought, b.total_centavos as paid,
      (extract(epoch from b."completedAt" - c.starts_at) / 86400)::float8 as days, c.starts_at + ${days} <= ${at(now)} as "isComplete",
      exists (select from class_reservation r join single_class o using (single_class_id) where r.customer_id = c.customer_id and o.starts_at > c.starts_at
        and o.starts_at < c.starts_at + ${days} and o."cancelledAt" is null and r."deletedAt" is null and r.host_reservation_id is null
        and (r.attend or (r.attend is null and o."settledAt" is not null))) as returned
    from f c join customer u on u.customer_id = c.customer_id
      left join available_class l on l.available_class_id = c.available_class_id
      left join purchase p on p.purchase_id = l.purchase_id
      left join class_package k on k.class_package_id = l.class_package_id
      left join lateral (
        select b.purchase_id, b.title, b.total_centavos, b."completedAt" from purchase b join class_package q using (class_package_id)
        where b.customer_id = c.customer_id and b."completedAt" >= c.starts_at and b."completedAt" < c.starts_at + ${days}
          and not b.is_gift and not q.is_trial and q.class_amount <> 0
        order by b."completedAt", b.purchase_id limit 1) b on true
    where not exists (select from class_reservation r join single_class o using (single_class_id)
        where r.customer_id = c.customer_id and o.starts_at < ${at(period.from)} and o."cancelledAt" is null and r."deletedAt" is null
          and r.host_reservation_id is null and (r.attend or (r.attend is null and o."settledAt" is not null)))
      ${atLocations(sql`c.location_id`, locations)}
    order by c.starts_at desc, c.customer_id`)
  return rows
}

/** Somebody's month of the first class, and in how many months after it they came how often. */
export interface CohortCount extends Record<string, unknown> {
  /** First day of the month of the first class. */
  cohort: LocalDate
  /** Months after it. */
  after: number
  people: number
}

/** Of those whose first class was in a month of the period: how many came in each month since, the first one too. Visits where the report looks. */
export async function countCohorts(
  db: Reader,
  months: { from: LocalDate; until: LocalDate },
  now: Date,
  locations: Locations,
  zone: string,
) {
  const { rows } = await db.execute<CohortCount>(sql`
    with v as (
      select r.customer_id, date_trunc('month', c.starts_at at time zone ${zone})::date as month
      from single_class c join class_reservation r using (single_class_id)
      where c.starts_at < ${at(now)} and ${VISITED} ${atLocations(sql`c.location_id`, locations)} group by 1, 2
    ), f as (select customer_id, min(month) as cohort from v group by 1)
    select to_char(f.cohort, 'YYYY-MM-DD') as cohort,
      (12 * (extract(year from v.month) - extract(year from f.cohort)) + extract(month from v.month) - extract(month from f.cohort))::integer as after,
      count(*)::float8 as people
    from f join v using (customer_id) where f.cohort >= ${months.from}::date and f.cohort < ${months.until}::date
    group by 1, 2 order by 1, 2`)
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

/** Who they are, the last visit first. */
export async function listCohortMembers(
  db: Reader,
  months: { from: LocalDate; until: LocalDate },
  now: Date,
  locations: Locations,
  zone: string,
) {
  const { rows } = await db.execute<CohortMember>(sql`
    select v.customer_id, ${customerName} as name, to_char(v.first, 'YYYY-MM-DD') as first, to_char(v.last, 'YYYY-MM-DD') as last, v.months, v.visits
    from (
      select r.customer_id, min(c.starts_at at time zone ${zone}) as first, max(c.starts_at at time zone ${zone}) as last, count(*)::float8 as visits,
        count(distinct date_trunc('month', c.starts_at at time zone ${zone}))::float8 as months
      from single_class c join class_reservation r using (single_class_id)
      where c.starts_at < ${at(now)} and ${VISITED} ${atLocations(sql`c.location_id`, locations)} group by 1
    ) v join customer u using (customer_id)
    where v.first >= ${months.from}::date and v.first < ${months.until}::date order by v.last, name, v.customer_id`)
  return rows
}
