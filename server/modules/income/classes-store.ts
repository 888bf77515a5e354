/** Queries of what the places of classes were worth, and of what customers brought in; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import { localDate } from '#contract/time.ts'
import type { Reader } from '#server/platform/db.ts'
import { computedUnits, cutAt, isCurrent, isOver, netIncomeOfCreditLots, unitsAt } from './days-store.ts'
import { spotValues } from './spot-value-store.ts'
import { type IncomeUnitJson, type IncomeUnitRow, toIncomeUnit } from './store.ts'

/** With more purchases that are out of date than this, those of the requested classes are looked up from their places. */
const FEW_STALE = 2_000

/**
 * Common table expressions up to `class_income`: `income` of each class of a query of their ids, in whole centavos without tax (RI6). What
 * is kept of a class, less what is kept of purchases that are out of date, and what the places of these are worth now: one statement, as of
 * one instant. Classes without a place that was paid have no row or 0.
 */
export const incomeOfClasses = (classes: SQL, zone: string): SQL => sql`
  stale_purchase as materialized (
    select q.purchase_id from income_change q
    union select u.purchase_id from income_unit u where (select zone from income_zone) is distinct from ${zone}
  ), stale_here as materialized (
    select q.purchase_id from (select purchase_id from stale_purchase limit ${FEW_STALE}) q where (select count(*) from stale_purchase) <= ${FEW_STALE}
    union select coalesce(l.purchase_id, r.purchase_id) from class_reservation r left join available_class l using (available_class_id)
    where (select count(*) from stale_purchase) > ${FEW_STALE} and r.single_class_id in (${classes})
      and coalesce(l.purchase_id, r.purchase_id) in (select purchase_id from stale_purchase)
  ), lots as materialized (
    select distinct i.purchase_id, i.period from invoice i where i.purchase_id in (select purchase_id from stale_here)
  ), ${netIncomeOfCreditLots}, ${spotValues(sql`select purchase_id from stale_here`, zone)}, class_income as (
    select a.single_class_id, round(round(sum(a.amount), 6)) as income
    from (
      select t.single_class_id, t.amount from income_class_total t where t.single_class_id in (${classes})
      union all select k.single_class_id, -k.amount from stale_purchase q join income_class k using (purchase_id) where k.single_class_id in (${classes})
      union all select v.single_class_id, v.amount from place_value v where v.single_class_id in (${classes})
    ) a group by 1
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
 * What was recognised until an instant of all purchases of some customers. `customers`: common table expressions up to one of the name
 * `chosen` with a `customer_id`. Days are added only of purchases that go on after it: of the others the unit has the sum. Null: the days
 * kept are those of another zone.
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
