/** Queries of what the places of classes were worth, and of what customers brought in; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import { localDate } from '#contract/time.ts'
import type { Reader } from '#server/platform/db.ts'
import { computedUnits, cutAt, isCurrent, isOver, netIncomeOfCreditLots, unitsAt } from './days-store.ts'
import { type IncomeUnitJson, type IncomeUnitRow, toIncomeUnit } from './store.ts'

/** Places that were used for good: those that nobody gave back in time. */
const IS_USED = sql`(r."deletedAt" is null or r.cancelled_late)`
/** The day of a class on the clocks of its location; needs `c` and `o`. */
const dayOf = (zone: string): SQL => sql`(c.starts_at at time zone coalesce(o.timezone, ${zone}))::date`

/**
 * Common table expressions up to `class_income`: `income` of each class of a query of their ids in centavos without tax, with the base of recognised income (RI1).
 * A place is worth what was kept of the payment, in equal parts of the credits that it gave; of an unlimited one a day's part, shared by its classes of that day;
 * paid without credits, all of it, shared by the places that it paid. Courtesies and gifts: nothing. Classes without a place that was paid have no row.
 */
export const incomeOfClasses = (classes: SQL, zone: string): SQL => sql`
  place as materialized (
    select r.single_class_id, r.available_class_id, coalesce(l.purchase_id, r.purchase_id) as purchase_id, l.period, coalesce(l.unlimited, false) as unlimited,
      greatest(1, l.expires_at::date - l."createdAt"::date) as days, ${dayOf(zone)} as day
    from class_reservation r join single_class c using (single_class_id) join location o using (location_id) left join available_class l using (available_class_id)
    where r.single_class_id in (${classes}) and ${IS_USED} and coalesce(l.purchase_id, r.purchase_id) is not null
  ), lots as materialized (
    select distinct p.purchase_id, p.period from place p where p.period is not null
    union select i.purchase_id, i.period from invoice i where i.purchase_id in (select p.purchase_id from place p where p.available_class_id is null)
  ), ${netIncomeOfCreditLots}, place_net as (
    select p.purchase_id, (select sum(u.net) from unit_net u where u.purchase_id = p.purchase_id) / nullif((
      select count(*) from class_reservation r where r.purchase_id = p.purchase_id and r.available_class_id is null and ${IS_USED}), 0) as net
    from (select distinct purchase_id from place where available_class_id is null) p
  ), same_day as (
    select r.available_class_id, ${dayOf(zone)} as day, count(*) as n
    from class_reservation r join single_class c using (single_class_id) join location o using (location_id)
    where r.available_class_id in (select p.available_class_id from place p where p.unlimited) and ${IS_USED} and c."cancelledAt" is null group by 1, 2
  ), class_income as (
    select p.single_class_id, round(coalesce(sum(
      case when p.available_class_id is null then n.net
        when p.unlimited then u.net / p.days::numeric / d.n
        else u.net / nullif(u.granted, 0)::numeric end), 0)) as income
    from place p
      left join place_net n on p.available_class_id is null and n.purchase_id = p.purchase_id
      left join unit_net u on p.available_class_id is not null and u.purchase_id = p.purchase_id and u.period = p.period
      left join same_day d on d.available_class_id = p.available_class_id and d.day = p.day
    group by 1
  )`

export interface CustomerIncome {
  customer_id: number
  /** Recognised until the instant, in centavos. */
  recognised: number
}

export interface StoredCustomers {
  rows: CustomerIncome[]
  /** The units that are not among them. */
  units: IncomeUnitRow[]
}

/**
 * What was recognised until an instant of all purchases of some customers. `customers`: common table expressions up to one of the name `chosen` with a
 * `customer_id`. Days are added only of purchases that go on after it: of the others the unit has the sum. Null: the days kept are those of another zone.
 */
export async function readCustomers(db: Reader, at: Date, customers: SQL, zone: string): Promise<StoredCustomers | null> {
  const cut = cutAt(at, zone)
  const { rows } = await db.execute<{ is_current: boolean; rows: CustomerIncome[] | null; units: IncomeUnitJson[] | null }>(sql`
    with ${customers}, ${computedUnits([cut])}, own as materialized (
      select p.customer_id, u.purchase_id, u.period, u.net - u.rest as whole, u.last_day < ${localDate(at, zone)}::date as is_over
      from income_unit u join purchase p using (purchase_id)
      where p.customer_id in (select customer_id from chosen) and not exists (select from computed q where q.purchase_id = u.purchase_id)
    )
    select ${isCurrent(zone)}, ${unitsAt((_) => sql`and u.purchase_id in (select p.purchase_id from purchase p where p.customer_id in (select customer_id from chosen))`)},
      (select json_agg(t) from (
        select w.customer_id, sum(case when w.is_over then w.whole else coalesce((
          select sum(d.recognised) from income_day d where d.purchase_id = w.purchase_id and d.period = w.period and ${isOver(cut)}), 0) end) as recognised
        from own w group by 1) t) as rows`)
  const [row] = rows
  if (!row?.is_current) return null
  return { rows: row.rows ?? [], units: (row.units ?? []).map((unit) => toIncomeUnit(unit, 1)) }
}

/** The customers of some purchases. */
export async function listCustomersOf(db: Reader, purchases: readonly number[]): Promise<Map<number, number>> {
  if (purchases.length === 0) return new Map()
  const { rows } = await db.execute<{ purchase_id: number; customer_id: number }>(
    sql`select purchase_id, customer_id from purchase where purchase_id = any(${`{${purchases.join(',')}}`}::integer[])`,
  )
  return new Map(rows.map(({ purchase_id, customer_id }) => [purchase_id, customer_id]))
}
