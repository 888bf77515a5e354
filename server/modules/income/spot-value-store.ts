/**
 * Queries of what places of classes were worth, kept by purchase and class, with the sums of each class (docs/decisions/025-rollups.md).
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'

/** Places that were used for good: those that nobody gave back in time. */
const IS_USED = sql`(r."deletedAt" is null or r.cancelled_late)`
/** The day of a class on the clocks of its location; needs `c` and `o`. */
const dayOf = (zone: string): SQL => sql`(c.starts_at at time zone coalesce(o.timezone, ${zone}))::date`

/**
 * Common table expressions after `unit_net` (periods of purchases with `net` and `granted`): `place_value`, what the places of some
 * purchases brought in by purchase and class, in centavos without tax, with the base of recognised income (RI6). A place is worth what was
 * kept of the payment, in equal parts of the credits that it gave; of an unlimited one a day's part, shared by its classes of that day that
 * were not cancelled; paid without credits, all of it, shared by the places that it paid. Places that brought in nothing have no row.
 * `purchases`: a query of their ids.
 */
export const spotValues = (purchases: SQL, zone: string): SQL => sql`
  place as materialized (
    select r.single_class_id, l.purchase_id, l.period, l.unlimited, greatest(1, l.expires_at::date - l."createdAt"::date) as days,
      count(*) filter (where c."cancelledAt" is null) over (partition by l.available_class_id, ${dayOf(zone)}) as shared
    from available_class l join class_reservation r using (available_class_id) join single_class c using (single_class_id)
      join location o on o.location_id = c.location_id
    where l.purchase_id in (${purchases}) and ${IS_USED}
    union all
    select r.single_class_id, r.purchase_id, null, false, 1, count(*) over (partition by r.purchase_id)
    from class_reservation r where r.purchase_id in (${purchases}) and r.available_class_id is null and ${IS_USED}
  ), whole_net as (
    select n.purchase_id, sum(n.net) as net from unit_net n where n.purchase_id in (select p.purchase_id from place p where p.period is null) group by 1
  ), place_value as (
    select * from (
      select p.purchase_id, p.single_class_id, round(sum(
        case when p.period is null then w.net::numeric / p.shared
          when p.unlimited then u.net::numeric / p.days / nullif(p.shared, 0)
          else u.net::numeric / nullif(u.granted, 0) end), 10) as amount
      from place p left join whole_net w on p.period is null and w.purchase_id = p.purchase_id
        left join unit_net u on u.purchase_id = p.purchase_id and u.period = p.period
      group by 1, 2) v
    where v.amount <> 0
  )`

/** The stored units of some purchases as `unit_net`. */
const storedUnits = (purchases: SQL): SQL => sql`unit_net as (
  select u.purchase_id, u.period, u.net, u.granted from income_unit u where u.purchase_id in (${purchases}))`

/** Adds what the places of some purchases brought in to the sums of their classes, or subtracts it. */
const addToClasses = (purchases: SQL, sign: SQL): SQL => sql`
  insert into income_class_total as t (single_class_id, amount)
  select k.single_class_id, ${sign} sum(k.amount) from income_class k where k.purchase_id in (${purchases}) group by 1
  on conflict (single_class_id) do update set amount = t.amount + excluded.amount`

/**
 * Derives what the places of some purchases brought in again, after their units; `purchases`: a query of their ids. The caller holds
 * the lock.
 */
export async function deriveClassIncome(tx: Tx, purchases: SQL, zone: string): Promise<void> {
  await tx.execute(addToClasses(purchases, sql`-`))
  await tx.execute(sql`delete from income_class where purchase_id in (${purchases})`)
  await tx.execute(sql`
    insert into income_class (purchase_id, single_class_id, amount)
    with ${storedUnits(purchases)}, ${spotValues(purchases, zone)} select * from place_value`)
  await tx.execute(addToClasses(purchases, sql``))
}

/**
 * Purchases of a range whose stored places differ from those of their reservations and units, although they are not marked as out of date.
 */
export async function listWrongSpotValues(db: Reader, { from, to }: { from: number; to: number }, zone: string): Promise<number[]> {
  const here = (purchase_id: SQL) => sql`${purchase_id} between ${from} and ${to}
    and not exists (select from income_change q where q.purchase_id = ${purchase_id})`
  const purchases = sql`select p.purchase_id from purchase p where ${here(sql`p.purchase_id`)}`
  const { rows } = await db.execute<{ purchase_id: number }>(sql`
    with ${storedUnits(purchases)}, ${spotValues(purchases, zone)}, kept as (select k.* from income_class k where ${here(sql`k.purchase_id`)})
    select distinct purchase_id from place_value v full join kept k using (purchase_id, single_class_id)
    where v.amount is distinct from k.amount order by 1`)
  return rows.map(({ purchase_id }) => purchase_id)
}

/** The highest class that has stored income; null: none. */
export async function lastClassOfIncome(db: Reader): Promise<number | null> {
  const { rows } = await db.execute<{ last: number | null }>(sql`
    select greatest((select max(single_class_id) from income_class), (select max(single_class_id) from income_class_total)) as last`)
  return rows[0]?.last ?? null
}

/** Classes of a range whose sums are not those of the stored places. */
export async function listWrongClasses(db: Reader, { from, to }: { from: number; to: number }): Promise<number[]> {
  const { rows } = await db.execute<{ single_class_id: number }>(sql`
    with expected as (
      select k.single_class_id, sum(k.amount) as amount from income_class k where k.single_class_id between ${from} and ${to} group by 1
    ), kept as (select t.* from income_class_total t where t.single_class_id between ${from} and ${to})
    select single_class_id from expected e full join kept k using (single_class_id)
    where coalesce(e.amount, 0) <> coalesce(k.amount, 0) order by 1`)
  return rows.map(({ single_class_id }) => single_class_id)
}

/** Computes the sums of some classes again; the caller holds the lock. */
export async function addClassesAgain(tx: Tx, classes: readonly number[]): Promise<void> {
  const those = sql`${`{${classes.join(',')}}`}::integer[]`
  await tx.execute(sql`delete from income_class_total where single_class_id = any(${those})`)
  await tx.execute(sql`
    insert into income_class_total (single_class_id, amount)
    select k.single_class_id, sum(k.amount) from income_class k where k.single_class_id = any(${those}) group by 1`)
}
