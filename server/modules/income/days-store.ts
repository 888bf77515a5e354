/** Queries that write income by day (the stored income), and that read it (docs/decisions/025-rollups.md). */
import { type SQL, sql } from 'drizzle-orm'
import { type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { integerArray } from '#server/platform/sql-values.ts'
import { type DayClock, type IncomeDay, incomeDays } from './rules.ts'
import { deriveClassIncome } from './spot-value-store.ts'
import {
  type AtLocations,
  asMillisecond,
  asStep,
  type IncomeUnitJson,
  type IncomeUnitRow,
  netIncomeOfUnits,
  toIncomeHistory,
  toIncomeUnit,
  unitRows,
} from './store.ts'

/** Paid, refunded or lost, and recognised amounts. Centavos. */
export interface Amounts {
  paid: number
  back: number
  recognised: number
}

/** Takes the lock of the derivation, for one transaction at a time; false: another one has it. */
export async function tryLockIncome(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ is_ours: boolean }>(sql`select pg_try_advisory_xact_lock(hashtext('income')) as is_ours`)
  return rows[0]?.is_ours ?? false
}

/** Sets the zone of the stored days; when it changes, all stored income is out of date. */
export async function saveZone(tx: Tx, zone: string): Promise<void> {
  const { rows } = await tx.execute<{ zone: string }>(sql`select zone from income_zone`)
  if (rows[0]?.zone === zone) return
  await tx.execute(sql`insert into income_change (purchase_id) select distinct purchase_id from income_unit`)
  await tx.execute(sql`insert into income_zone (zone) values (${zone}) on conflict (is_only) do update set zone = excluded.zone`)
}

/** Deletes at most `limit` changed entries, the oldest first, and returns the purchases to derive. */
export async function takeChanged(tx: Tx, limit: number): Promise<{ taken: number; purchases: number[] }> {
  const { rows } = await tx.execute<{ purchase_id: number }>(sql`
    delete from income_change where income_change_id in (select income_change_id from income_change order by income_change_id limit ${limit})
    returning purchase_id`)
  return { taken: rows.length, purchases: [...new Set(rows.map(({ purchase_id }) => purchase_id))] }
}

/** Number of changed entries, at most `max`. */
export async function countChanges(db: Reader, max: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::integer as count from (select from income_change limit ${max}) c`,
  )
  return rows[0]?.count ?? 0
}

/** Number of charges, at most `max`. */
export async function countCharges(db: Reader, max: number): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::integer as count from (select from invoice limit ${max}) c`)
  return rows[0]?.count ?? 0
}

/** Marks all purchases as out of date; reports compute all income until it is derived. */
export async function markAllIncome(tx: Tx): Promise<void> {
  await tx.execute(
    sql`insert into income_change (purchase_id) select purchase_id from invoice union select purchase_id from income_unit order by 1`,
  )
}

export async function markPurchases(tx: Tx, purchases: readonly number[]): Promise<void> {
  await tx.execute(sql`insert into income_change (purchase_id) select unnest(${integerArray(purchases)})`)
}

/** A row of `income_unit`, with its rows of `income_day`. */
interface DerivedUnit {
  purchase_id: number
  period: string
  class_package_id: number
  location_id: number
  net: number
  granted: number | null
  rest: number
  last_day: LocalDate | null
  has_days: boolean
  days: readonly IncomeDay[]
}

function toDerivedUnit(row: IncomeUnitJson, clock: DayClock): DerivedUnit {
  const { purchase_id, period, class_package_id, location_id } = row
  const history = toIncomeHistory(row)
  const days = incomeDays(history, clock)
  const net = history.money.reduce((sum, { paid, back }) => sum + paid - back, 0)
  const counted = history.creditLots.flatMap(({ granted }) => granted ?? [])
  return {
    purchase_id,
    period,
    class_package_id: class_package_id ?? 0,
    location_id: location_id ?? 0,
    net,
    granted: counted.length > 0 ? counted.reduce((sum, granted) => sum + granted, 0) : null,
    rest: days ? days.reduce((rest, { recognised }) => rest - recognised, net) : 0,
    last_day: days?.at(-1)?.day ?? null,
    has_days: days !== null,
    days: days ?? [],
  }
}

/** Adds the stored income of some purchases to the totals, or subtracts it. */
const addToTotals = (purchases: readonly number[], sign: SQL): SQL => sql`
  insert into income_total as t (day, class_package_id, location_id, paid, back, recognised)
  select d.day, u.class_package_id, u.location_id, ${sign} sum(d.paid), ${sign} sum(d.back), ${sign} sum(d.recognised)
  from income_unit u join income_day d using (purchase_id, period) where u.purchase_id = any(${integerArray(purchases)}) group by 1, 2, 3
  on conflict (day, class_package_id, location_id) do update
    set paid = t.paid + excluded.paid, back = t.back + excluded.back, recognised = t.recognised + excluded.recognised`

/** Maximum number of days that are written in one statement. */
const WRITTEN_DAYS = 10_000

/** Derives the income of some purchases again. */
export async function deriveIncome(tx: Tx, purchases: readonly number[], clock: DayClock): Promise<void> {
  if (purchases.length === 0) return
  await deriveUnits(tx, purchases, clock)
  await deriveClassIncome(tx, sql`select unnest(${integerArray(purchases)})`, clock.zone)
}

async function deriveUnits(tx: Tx, purchases: readonly number[], clock: DayClock): Promise<void> {
  const { rows } = await tx.execute<IncomeUnitJson & Record<string, unknown>>(sql`
    with ${unitRows({
      units: sql`select distinct i.purchase_id, i.period from invoice i where i.purchase_id = any(${integerArray(purchases)})`,
      tick: asMillisecond,
    })} select u.* from unit_row u`)
  const units = rows.map((row) => toDerivedUnit(row, clock))
  await tx.execute(addToTotals(purchases, sql`-`))
  await tx.execute(sql`delete from income_day where purchase_id = any(${integerArray(purchases)})`)
  await tx.execute(sql`delete from income_unit where purchase_id = any(${integerArray(purchases)})`)
  if (units.length === 0) return
  await tx.execute(sql`
    insert into income_unit (purchase_id, period, class_package_id, location_id, net, granted, rest, last_day, has_days)
    select * from json_to_recordset(${JSON.stringify(units.map(({ days: _, ...unit }) => unit))}::json)
      as u (purchase_id integer, period text, class_package_id integer, location_id integer, net bigint, granted bigint, rest bigint, last_day date, has_days boolean)`)
  const days = units.flatMap(({ purchase_id, period, days }) =>
    days.map(({ first, last, ...day }) => ({
      purchase_id,
      period,
      ...day,
      first_at: new Date(first).toISOString(),
      last_at: new Date(last).toISOString(),
    })),
  )
  for (let from = 0; from < days.length; from += WRITTEN_DAYS)
    await tx.execute(sql`
      insert into income_day (purchase_id, period, day, first_at, last_at, paid, back, recognised)
      select * from json_to_recordset(${JSON.stringify(days.slice(from, from + WRITTEN_DAYS))}::json)
        as d (purchase_id integer, period text, day date, first_at timestamptz, last_at timestamptz, paid bigint, back bigint, recognised bigint)`)
  await tx.execute(addToTotals(purchases, sql``))
}

/** Purchases with ids in a range, the last one included. */
export interface PurchaseRange {
  from: number
  to: number
}

/** The lowest and the highest purchase that has charges or stored income; null: none. */
export async function purchasesOfIncome(db: Reader): Promise<PurchaseRange | null> {
  const { rows } = await db.execute<{ from: number | null; to: number | null }>(sql`
    select least((select min(purchase_id) from invoice), (select min(purchase_id) from income_unit), (select min(purchase_id) from income_day)) as from,
      greatest((select max(purchase_id) from invoice), (select max(purchase_id) from income_unit), (select max(purchase_id) from income_day)) as to`)
  const { from, to } = rows[0] ?? { from: null, to: null }
  return from === null || to === null ? null : { from, to }
}

interface StoredUnit extends Omit<DerivedUnit, 'days'> {
  days: string | null
}

/** A unit and its days as a text. */
const comparable = ({ days, ...unit }: StoredUnit): string =>
  [
    ...[unit.class_package_id, unit.location_id, unit.net, unit.granted, unit.rest, unit.last_day, unit.has_days].map(String),
    days ?? '',
  ].join(' ')

/**
 * Purchases of a range whose stored income differs from that of their charges and credits, although they are not marked as out of date. One
 * statement, as of one instant.
 */
export async function listWrongPurchases(db: Reader, { from, to }: PurchaseRange, clock: DayClock): Promise<number[]> {
  const here = (purchase_id: SQL) => sql`${purchase_id} between ${from} and ${to}
    and not exists (select from income_change q where q.purchase_id = ${purchase_id})`
  const { rows } = await db.execute<{ derived: IncomeUnitJson[] | null; kept: StoredUnit[] | null; lost: number[] | null }>(sql`
    with ${unitRows({
      units: sql`select distinct i.purchase_id, i.period from invoice i where ${here(sql`i.purchase_id`)}`,
      tick: asMillisecond,
    })}, kept_days as (
      select d.purchase_id, d.period,
        string_agg(concat_ws(' ', to_char(d.day, 'YYYY-MM-DD'), ${asMillisecond(sql`d.first_at`)}, ${asMillisecond(sql`d.last_at`)}, d.paid, d.back, d.recognised), ',' order by d.day) as days
      from income_day d where ${here(sql`d.purchase_id`)} group by 1, 2
    )
    select (select json_agg(u) from unit_row u) as derived,
      (select json_agg(k) from (select u.*, d.days from income_unit u left join kept_days d using (purchase_id, period) where ${here(sql`u.purchase_id`)}) k) as kept,
      (select json_agg(d.purchase_id) from kept_days d where not exists
        (select from income_unit u where u.purchase_id = d.purchase_id and u.period = d.period)) as lost`)
  const [row] = rows
  const keyOf = ({ purchase_id, period }: { purchase_id: number; period: string }) => `${purchase_id} ${period}`
  const stored = new Map((row?.kept ?? []).map((unit) => [keyOf(unit), unit]))
  const wrong = new Set(row?.lost ?? [])
  for (const json of row?.derived ?? []) {
    const { days, ...unit } = toDerivedUnit(json, clock)
    const texts = days.map(({ day, first, last, paid, back, recognised }) => [day, first, last, paid, back, recognised].join(' '))
    const found = stored.get(keyOf(unit))
    stored.delete(keyOf(unit))
    if (!found || comparable(found) !== comparable({ ...unit, days: texts.join(',') })) wrong.add(unit.purchase_id)
  }
  for (const { purchase_id } of stored.values()) wrong.add(purchase_id)
  return [...wrong].sort((a, b) => a - b)
}

/** The days that have a total, in order. */
export async function listTotalDays(db: Reader): Promise<LocalDate[]> {
  const { rows } = await db.execute<{ day: LocalDate }>(sql`select distinct to_char(day, 'YYYY-MM-DD') as day from income_total order by 1`)
  return rows.map(({ day }) => day)
}

/** Days of a range (end exclusive) whose totals are not the sums of the stored income. `-infinity` and `infinity` are days too. */
export async function listWrongDays(db: Reader, { from, until }: { from: LocalDate; until: LocalDate }): Promise<LocalDate[]> {
  const here = (day: SQL) => sql`${day} >= ${from}::date and ${day} < ${until}::date`
  const { rows } = await db.execute<{ day: LocalDate }>(sql`
    with expected as (
      select d.day, u.class_package_id, u.location_id, sum(d.paid) as paid, sum(d.back) as back, sum(d.recognised) as recognised
      from income_day d join income_unit u using (purchase_id, period) where ${here(sql`d.day`)} group by 1, 2, 3
    ), kept as (select * from income_total t where ${here(sql`t.day`)})
    select distinct to_char(day, 'YYYY-MM-DD') as day
    from expected e full join kept k using (day, class_package_id, location_id)
    where (coalesce(e.paid, 0), coalesce(e.back, 0), coalesce(e.recognised, 0)) <> (coalesce(k.paid, 0), coalesce(k.back, 0), coalesce(k.recognised, 0))
    order by 1`)
  return rows.map(({ day }) => day)
}

/** Computes the totals of some days again; the caller holds the lock. */
export async function addTotalsAgain(tx: Tx, days: readonly LocalDate[]): Promise<void> {
  const those = sql`${`{${days.join(',')}}`}::date[]`
  await tx.execute(sql`delete from income_total where day = any(${those})`)
  await tx.execute(sql`
    insert into income_total (day, class_package_id, location_id, paid, back, recognised)
    select d.day, u.class_package_id, u.location_id, sum(d.paid), sum(d.back), sum(d.recognised)
    from income_day d join income_unit u using (purchase_id, period) where d.day = any(${those}) group by 1, 2, 3`)
}

/** An instant of a report, and its day; `isInside`: the instant is after the beginning of that day. */
interface Cut {
  at: Date
  day: LocalDate
  isInside: boolean
}

export const cutAt = (at: Date, zone: string): Cut => {
  const day = localDate(at, zone)
  return { at, day, isInside: startOfDay(day, zone) < at }
}

/** SQL: whether all events of the stored day `d` of a unit are before a cut. */
export const isOver = ({ at, day, isInside }: Cut): SQL =>
  isInside
    ? sql`(d.day < ${day}::date or (d.day = ${day}::date and d.last_at < ${at.toISOString()}::timestamptz))`
    : sql`d.day < ${day}::date`

const IS_COMPUTED = sql`d.purchase_id = any(array(select purchase_id from computed))`
const IS_NOT_COMPUTED = sql`not exists (select from computed q where q.purchase_id = d.purchase_id)`

/**
 * Common table expressions: `computed`, the purchases that are out of date, or that have no days, or that change on the day of a cut both
 * before and after it; and their `unit_row` at the cuts. The rest is read from the stored income.
 */
export function computedUnits(cuts: readonly Cut[]): SQL {
  const last = cuts.at(-1)?.at ?? new Date(0)
  const around = cuts.flatMap(({ at, day, isInside }) =>
    isInside
      ? sql`union select d.purchase_id from income_day d where d.day = ${day}::date
        and d.first_at <= ${at.toISOString()}::timestamptz and d.last_at >= ${at.toISOString()}::timestamptz`
      : [],
  )
  return sql`
    computed as materialized (
      select purchase_id from income_change union select purchase_id from income_unit where not has_days ${sql.join(around, sql` `)}
    ), ${unitRows({
      units: sql`select distinct i.purchase_id, i.period from invoice i where i.purchase_id = any(array(select purchase_id from computed))`,
      tick: asStep(cuts.map(({ at }) => at)),
      money: sql`m.at < ${last.toISOString()}::timestamptz`,
    })}`
}

/** Whether the stored income is by the days of this zone. */
export const isCurrent = (zone: string): SQL => sql`(select zone from income_zone) is not distinct from ${zone} as is_current`

/** Whether the stored income is by the days of a zone. */
export async function isStoredIn(db: Reader, zone: string): Promise<boolean> {
  const { rows } = await db.execute<{ is_current: boolean }>(sql`select ${isCurrent(zone)}`)
  return rows[0]?.is_current ?? false
}

/** The `unit_row` of a report as one value. */
export const unitsAt = (there: AtLocations): SQL =>
  sql`(select json_agg(u) from (select u.* from unit_row u where true ${there(sql`u.location_id`)} order by u.purchase_id desc, u.period) u) as units`

type PackageAmounts = Amounts & { n: number; class_package_id: number }

export interface StoredTotals {
  /** Changes before the n-th instant's day and not before an earlier one, by package; `n` from 0. */
  steps: PackageAmounts[]
  /** Further changes on the day of the n-th instant, before it. */
  inside: PackageAmounts[]
  /** The units that are computed instead. */
  units: IncomeUnitRow[]
}

/** Income at instants in order, by package. Null: it is stored by the days of another zone. One statement, as of one instant. */
export async function readTotals(db: Reader, instants: readonly Date[], there: AtLocations, zone: string): Promise<StoredTotals | null> {
  const cuts = instants.map((at) => cutAt(at, zone))
  const last = cuts.at(-1)
  if (!last) return { steps: [], inside: [], units: [] }
  const step = (day: SQL) => sql`width_bucket(${day}, ${`{${cuts.map(({ day }) => day).join(',')}}`}::date[])`
  const sums = (sign: SQL) => sql`${sign} sum(d.paid) as paid, ${sign} sum(d.back) as back, ${sign} sum(d.recognised) as recognised`
  const inside = cuts.flatMap(({ at, day, isInside }, n) =>
    isInside
      ? sql`select ${n}::integer as n, u.class_package_id, ${sums(sql``)} from income_day d join income_unit u using (purchase_id, period)
        where d.day = ${day}::date and d.last_at < ${at.toISOString()}::timestamptz and ${IS_NOT_COMPUTED} ${there(sql`u.location_id`)} group by 1, 2`
      : [],
  )
  const { rows } = await db.execute<{
    is_current: boolean
    steps: PackageAmounts[] | null
    inside: PackageAmounts[] | null
    units: IncomeUnitJson[] | null
  }>(sql`
    with ${computedUnits(cuts)}, steps as (
      select ${step(sql`d.day`)} as n, d.class_package_id, ${sums(sql``)}
      from income_total d where d.day < ${last.day}::date ${there(sql`d.location_id`)} group by 1, 2
      union all
      select ${step(sql`d.day`)}, u.class_package_id, ${sums(sql`-`)}
      from income_day d join income_unit u using (purchase_id, period) where ${IS_COMPUTED} and d.day < ${last.day}::date ${there(sql`u.location_id`)} group by 1, 2
    )
    select ${isCurrent(zone)}, (select json_agg(t) from steps t) as steps, ${unitsAt(there)},
      ${inside.length > 0 ? sql`(select json_agg(t) from (${sql.join(inside, sql` union all `)}) t)` : sql`null::json`} as inside`)
  const [row] = rows
  if (!row?.is_current) return null
  const { steps, units } = row
  return { steps: steps ?? [], inside: row.inside ?? [], units: (units ?? []).map((unit) => toIncomeUnit(unit, cuts.length)) }
}

/** A period of a purchase with its paid, refunded and recognised amounts at two instants. */
export interface StoredPurchase {
  purchase_id: number
  period: string
  title: string
  paid0: number
  back0: number
  recognised0: number
  paid1: number
  back1: number
  recognised1: number
}

export interface StoredPurchases {
  /** The last purchases with deferred income at one of the instants or a change between them, at most `limit`; `count`: all of them. */
  rows: StoredPurchase[]
  count: number
  /** The units that are computed instead. */
  units: IncomeUnitRow[]
}

/**
 * The same for each period of a purchase, at two instants. The sums of days are read for the rows that are returned, and for those whose
 * unit alone does not show that they change: its last day is between the two, an amount moved since the first one and none could cancel
 * another, or it was over with something to be recognised.
 */
export async function readPurchases(
  db: Reader,
  [from, until]: readonly [Date, Date],
  there: AtLocations,
  { zone, limit }: { zone: string; limit: number },
): Promise<StoredPurchases | null> {
  const cuts = [cutAt(from, zone), cutAt(until, zone)] as const
  const [first, last] = cuts
  const sumAt = (column: SQL, cut: Cut) => sql`coalesce(sum(${column}) filter (where ${isOver(cut)}), 0)`
  const sums = sql`(
    select ${sumAt(sql`d.paid`, first)} as paid0, ${sumAt(sql`d.back`, first)} as back0, ${sumAt(sql`d.recognised`, first)} as recognised0,
      coalesce(sum(d.paid), 0) as paid1, coalesce(sum(d.back), 0) as back1, coalesce(sum(d.recognised), 0) as recognised1
    from income_day d where d.purchase_id = u.purchase_id and d.period = u.period and ${isOver(last)})`
  const hasMoved = sql`((m.paid0, m.back0, m.recognised0) <> (m.paid1, m.back1, m.recognised1) or m.paid0 - m.back0 - m.recognised0 <> 0)`
  const { rows } = await db.execute<{
    is_current: boolean
    rows: StoredPurchase[] | null
    count: number
    units: IncomeUnitJson[] | null
  }>(sql`
    with ${computedUnits(cuts)}, candidate as materialized (
      select u.purchase_id, u.period, u.last_day < ${first.day}::date or (u.last_day > ${first.day}::date and u.last_day < ${last.day}::date
        and (select bool_or(n.day > ${first.day}::date and (n.paid, n.back, n.recognised) <> (0, 0, 0)) and min(least(n.paid, n.back, n.recognised)) >= 0
          from income_day n where n.purchase_id = u.purchase_id and n.period = u.period)) as is_certain
      from income_unit u where (u.last_day >= ${first.day}::date or u.rest <> 0)
        and not exists (select from computed q where q.purchase_id = u.purchase_id) ${there(sql`u.location_id`)}
    )
    select ${isCurrent(zone)}, ${unitsAt(there)},
      (select count(*) filter (where is_certain) from candidate)::integer
        + (select count(*) from candidate u cross join lateral ${sums} m where not u.is_certain and ${hasMoved})::integer as count,
      (select json_agg(t) from (
        select u.purchase_id, u.period, m.*, p.title
        from (select * from candidate order by purchase_id desc, period collate "C") u cross join lateral ${sums} m join purchase p on p.purchase_id = u.purchase_id
        where ${hasMoved} order by u.purchase_id desc, u.period collate "C" limit ${limit}) t) as rows`)
  const [row] = rows
  if (!row?.is_current) return null
  return { rows: row.rows ?? [], count: row.count, units: (row.units ?? []).map((unit) => toIncomeUnit(unit, cuts.length)) }
}

/** The titles of packages, by their id. */
export async function listPackageTitles(db: Reader): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ class_package_id: number; title: string }>(sql`select class_package_id, title from class_package`)
  return new Map(rows.map(({ class_package_id, title }) => [class_package_id, title]))
}

/**
 * Common table expressions after `lots` (with purchase_id and period): `unit_net`, the periods of their purchases with `net` and `granted`
 * (see `netIncomeOfUnits`); outdated ones are computed.
 */
export const netIncomeOfCreditLots = sql`
  unit_of_lot as materialized (select distinct purchase_id, period from lots where purchase_id is not null and period is not null
  ), units as materialized (select o.* from unit_of_lot o where o.purchase_id in (select purchase_id from income_change)
  ), ${netIncomeOfUnits}, unit_net as (
    select o.purchase_id, o.period, case when c.purchase_id is null then u.net else k.net end as net,
      case when c.purchase_id is null then u.granted else g.granted end as granted
    from unit_of_lot o
      left join units c on c.purchase_id = o.purchase_id and c.period = o.period
      left join income_unit u on u.purchase_id = o.purchase_id and u.period = o.period
      left join kept k on k.purchase_id = o.purchase_id and k.period = o.period
      left join gave g on g.purchase_id = o.purchase_id and g.period = o.period
  )`
