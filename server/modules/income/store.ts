/** Queries of payments for credits and of how the credits were used; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import type { IncomeHistory, IncomeUnit } from './rules.ts'

/** A part of a charge `i` without its tax: its frozen net for the whole charge, otherwise by its rate. */
const netOf = (amount: SQL): SQL =>
  sql`(case when ${amount} = i.total_centavos then i.net_centavos else round(${amount} / (1 + i.tax_rate / 10000.0)) end)`

/**
 * Charges `i` that become income as something is used: taken, and not the sale of a gift card. The purchase that a gift card pays later
 * does.
 */
const IS_INCOME = sql`i.status not in ('pending', 'void') and not exists (select from gift_card g where g.purchase_id = i.purchase_id)`

/**
 * The amounts of some `charges` named `i` without tax, one row per movement: charged, refunded, lost in a dispute, and recovered from one.
 */
function netMovements(charges: SQL, where: SQL): SQL {
  return sql`
    select i.purchase_id, i.period, coalesce(i."paidAt", i."createdAt") as at, i.net_centavos::numeric as paid, 0::numeric as back from ${charges} i where ${where}
    union all select i.purchase_id, i.period, r."doneAt", 0, ${netOf(sql`r.amount_centavos`)}
      from refund r join ${charges} i using (invoice_id) where r."doneAt" is not null and ${where}
    union all select i.purchase_id, i.period, r."returnedAt", 0, -${netOf(sql`r.amount_centavos`)}
      from refund r join ${charges} i using (invoice_id) where r."returnedAt" is not null and ${where}
    union all select i.purchase_id, i.period, d."createdAt", 0, sign(d.amount_centavos::numeric) * ${netOf(sql`abs(d.amount_centavos)`)}
      from dispute_movement d join ${charges} i using (invoice_id) where ${where}`
}

/**
 * Common table expressions after one of `units` (each purchase_id and period once): `net_movement`, their movements as in `netMovements`.
 * Their charges are read once.
 */
const movementsOfUnits = sql`charged as materialized (
    select i.invoice_id, i.purchase_id, i.period, i.total_centavos, i.net_centavos, i.tax_rate, i."paidAt", i."createdAt"
    from units join invoice i using (purchase_id, period) where ${IS_INCOME}
  ), net_movement as (${netMovements(sql`charged`, sql`true`)})`

/**
 * After `units`, their `kept` with `net`, what the studio keeps of a purchase's period without tax in centavos (none: nothing was charged),
 * and `gave` with `granted`, how many credits it gave. The base of pay and reports.
 */
export const netIncomeOfUnits = sql`${movementsOfUnits}, kept as (
    select m.purchase_id, m.period, sum(m.paid - m.back) as net from net_movement m group by 1, 2
  ), gave as (
    select o.purchase_id, o.period, sum(o.granted) as granted from units join available_class o using (purchase_id, period) group by 1, 2
  )`

/** Narrows a column with the id of a location; empty for all locations. */
export type AtLocations = (location_id: SQL) => SQL

/** [tick, amount, refunded amount] of the events of a tick, unordered. */
type Ticks = readonly (readonly [number, ...number[]])[]

interface CreditLotJson {
  unlimited: boolean
  granted: number | null
  used: Ticks | null
  created: string
  expires: string | null
  frozen: string | null
  revoked: string | null
}

/** A row of `unit_row`. */
export interface IncomeUnitJson {
  purchase_id: number
  period: string
  class_package_id: number | null
  location_id: number | null
  title: string
  givesCredits: boolean
  money: Ticks
  lots: CreditLotJson[] | null
}

/**
 * Common table expressions up to `unit_row`: periods of purchases with money, and their events. `units`: a query of each purchase_id and
 * period once. `tick`: maps an instant to the number by which events are grouped. `money` and `living` narrow the movements `m` of money
 * and the lots `l` whose spent credits are read. A credit counts as spent when its class begins, or when it was corrected later.
 */
export const unitRows = ({
  units,
  tick,
  money = sql`true`,
  living = sql`true`,
}: {
  units: SQL
  tick: (instant: SQL) => SQL
  money?: SQL
  living?: SQL
}): SQL => sql`
  units as materialized (${units}), ${movementsOfUnits}, money as (
    select m.purchase_id, m.period, json_agg(json_build_array(${tick(sql`m.at`)}, m.paid, m.back)) as money
    from net_movement m where ${money} group by 1, 2
  ), spent as (
    select b.available_class_id, json_agg(json_build_array(b.tick, b.used)) as used
    from (
      select l.available_class_id, ${tick(sql`greatest(m."createdAt", c.starts_at)`)} as tick, -sum(m.amount) as used
      from available_class l join credit_movement m using (available_class_id)
        left join class_reservation r on r.class_reservation_id = m.class_reservation_id left join single_class c on c.single_class_id = r.single_class_id
      where l.purchase_id in (select purchase_id from units) and not l.unlimited and ${living} and m.kind not in ('grant', 'extend') and m.amount <> 0 group by 1, 2) b
    group by 1
  ), unit_lot as (
    select l.purchase_id, l.period, json_agg(json_build_object('unlimited', l.unlimited, 'granted', l.granted, 'used', s.used, 'created', l."createdAt",
        'expires', l.expires_at, 'frozen', l."frozenAt", 'revoked', l."revokedAt") order by l.available_class_id) as lots
    from units join available_class l using (purchase_id, period) left join spent s using (available_class_id)
    group by 1, 2
  ), unit_row as (
    select p.purchase_id, m.period, p.class_package_id, p.location_id, p.title, m.money, coalesce(k.class_amount, 0) <> 0 as "givesCredits", o.lots
    from money m join purchase p using (purchase_id) left join class_package k using (class_package_id)
      left join unit_lot o on o.purchase_id = m.purchase_id and o.period = m.period
  )`

const asDate = (text: string | null) => (text === null ? null : new Date(text))
const datesOf = ({ created, expires, frozen, revoked }: CreditLotJson) => ({
  createdAt: new Date(created),
  expires_at: asDate(expires),
  frozenAt: asDate(frozen),
  revokedAt: asDate(revoked),
})

/** Ticks by the instants of a report: n for an event before the n-th instant and not before an earlier one. */
export const asStep =
  (instants: readonly Date[]) =>
  (instant: SQL): SQL =>
    sql`width_bucket(${instant}, ${`{${instants.map((at) => at.toISOString()).join(',')}}`}::timestamptz[])`

/** The running sum at each of `count` instants, of ticks of `asStep`. */
function running(ticks: Ticks, count: number, at: 1 | 2 = 1): number[] {
  const sums = Array.from({ length: count }, () => 0)
  for (const tick of ticks) for (let n = tick[0]; n < count; n++) sums[n] = (sums[n] ?? 0) + (tick[at] ?? 0)
  return sums
}

export type IncomeUnitRow = IncomeUnit & Omit<IncomeUnitJson, 'money' | 'lots'>

/** A unit at each of `count` instants, of ticks of `asStep`. */
export const toIncomeUnit = ({ money, lots, ...row }: IncomeUnitJson, count: number): IncomeUnitRow => ({
  ...row,
  paid: running(money, count, 1),
  back: running(money, count, 2),
  creditLots: (lots ?? []).map((creditLot) => ({
    unlimited: creditLot.unlimited,
    granted: creditLot.granted,
    used: running(creditLot.used ?? [], count),
    ...datesOf(creditLot),
  })),
})

/** Instants as ticks of a millisecond. */
export const asMillisecond = (instant: SQL): SQL => sql`floor(extract(epoch from ${instant}) * 1000)::bigint`

/** A unit with all its events, from ticks of `asMillisecond`. */
export const toIncomeHistory = ({ money, lots, givesCredits }: IncomeUnitJson): IncomeHistory => ({
  money: money.map(([at, paid = 0, back = 0]) => ({ at, paid, back })),
  creditLots: (lots ?? []).map((creditLot) => ({
    unlimited: creditLot.unlimited,
    granted: creditLot.granted,
    spent: (creditLot.used ?? []).map(([at, used = 0]) => ({ at, used })),
    ...datesOf(creditLot),
  })),
  givesCredits,
})

/**
 * Paid and used amounts until each of some instants in order, for every period of a purchase that has money and that was not fully
 * recognised at the first instant or changed since; the last purchase first. It reads all of them: the stored income by day is in
 * `days-store.ts`.
 */
export async function listIncomeUnits(db: Reader, instants: readonly Date[], there: AtLocations): Promise<IncomeUnitRow[]> {
  const [first] = instants
  const last = instants.at(-1)
  if (!first || !last) return []
  const tick = asStep(instants)
  const paidAt = sql`coalesce(i."paidAt", i."createdAt")`
  const within = (column: SQL) => sql`${column} >= ${instantValue(first)} and ${column} < ${instantValue(last)}`
  // The used part of a lot needs no movements before its beginning and after its end (`usedShare`): those of lots that are outside at every
  // instant are not read.
  const instantsBefore = (column: SQL) => tick(sql`${column} - interval '1 microsecond'`)
  const end = sql`coalesce(least(l."revokedAt", case when l."frozenAt" is null then l.expires_at end), 'infinity')`
  const refunds = sql`select i.purchase_id, i.period from refund r join invoice i using (invoice_id)`
  // Units with a lot that had not ended, with a movement of money in the period, or paid before with credits still to come.
  const units = sql`
      select l.purchase_id, l.period from available_class l
      where l.purchase_id is not null and l."createdAt" < ${instantValue(last)} and (l."revokedAt" is null or l."revokedAt" >= ${instantValue(first)})
        and (l.expires_at is null or l.expires_at >= ${instantValue(first)} or l."frozenAt" is not null)
      union select i.purchase_id, i.period from invoice i where ${within(paidAt)}
      union ${refunds} where ${within(sql`r."doneAt"`)}
      union ${refunds} where ${within(sql`r."returnedAt"`)}
      union select i.purchase_id, i.period from dispute_movement d join invoice i using (invoice_id) where ${within(sql`d."createdAt"`)}
      union select i.purchase_id, i.period from available_class l join invoice i using (purchase_id, period) where l."createdAt" >= ${instantValue(last)} and ${paidAt} < ${instantValue(first)}
      union select i.purchase_id, i.period from invoice i join purchase p using (purchase_id) join class_package k using (class_package_id)
        where ${paidAt} < ${instantValue(first)} and k.class_amount <> 0
          and not exists (select from available_class l where l.purchase_id = i.purchase_id and l.period = i.period)`
  const { rows } = await db.execute<IncomeUnitJson & Record<string, unknown>>(sql`
    with ${unitRows({
      units,
      tick,
      money: sql`m.at < ${instantValue(last)}`,
      living: sql`${instantsBefore(end)} > ${instantsBefore(sql`l."createdAt"`)}`,
    })}
    select u.* from unit_row u where true ${there(sql`u.location_id`)} order by u.purchase_id desc, u.period`)
  return rows.map((row) => toIncomeUnit(row, instants.length))
}
