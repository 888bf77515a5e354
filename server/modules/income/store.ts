/** Queries of what was paid for credits and of how they were used; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'
import type { IncomeCreditLot, IncomeUnit } from './rules.ts'

/** A part of a charge `i` without its tax: all of it as it was frozen, otherwise by its rate. */
const netOf = (amount: SQL): SQL =>
  sql`(case when ${amount} = i.total_centavos then i.net_centavos else round(${amount} / (1 + i.tax_rate / 10000.0)) end)`

/** Charges `i` that are income once something is used: taken, and not the sale of a gift card. What that pays later is. */
const IS_INCOME = sql`i.status not in ('pending', 'void') and not exists (select from gift_card g where g.purchase_id = i.purchase_id)`

/** The money of some `charges` that are `i` without tax, one row per movement: charged, given back, lost to a bank, and what of that came back. */
function netMovements(charges: SQL, where: SQL): SQL {
  const left = sql`(i.total_centavos - i.refunded_centavos)`
  return sql`
    select i.purchase_id, i.period, coalesce(i."paidAt", i."createdAt") as at, i.net_centavos::numeric as paid, 0::numeric as back from ${charges} i where ${where}
    union all select i.purchase_id, i.period, r."doneAt", 0, ${netOf(sql`r.amount_centavos`)}
      from refund r join ${charges} i using (invoice_id) where r."doneAt" is not null and ${where}
    union all select i.purchase_id, i.period, r."returnedAt", 0, -${netOf(sql`r.amount_centavos`)}
      from refund r join ${charges} i using (invoice_id) where r."returnedAt" is not null and ${where}
    union all select i.purchase_id, i.period, i."lostAt", 0, ${netOf(left)} from ${charges} i where i."lostAt" is not null and ${where}
    union all select i.purchase_id, i.period, i."regainedAt", 0, -${netOf(left)} from ${charges} i where i."regainedAt" is not null and ${where}`
}

/** What the studio keeps of a purchase's period without tax, in centavos; null: nothing was charged. The base of pay and reports. */
export const netIncome = (purchase_id: SQL, period: SQL): SQL =>
  sql`(select sum(k.paid - k.back) from (${netMovements(
    sql`invoice`,
    sql`${IS_INCOME} and i.purchase_id = ${purchase_id} and (${period} is null or i.period = ${period})`,
  )}) k)`

/**
 * Common table expressions after one of `units` (each purchase_id and period once): `net_movement`, the money of these as `netMovements` has it. Their charges are
 * read once.
 */
const movementsOfUnits = sql`charged as materialized (
    select i.invoice_id, i.purchase_id, i.period, i.total_centavos, i.refunded_centavos, i.net_centavos, i.tax_rate, i."paidAt", i."createdAt", i."lostAt", i."regainedAt"
    from units join invoice i using (purchase_id, period) where ${IS_INCOME}
  ), net_movement as (${netMovements(sql`charged`, sql`true`)})`

/** The same for many at once: after `units`, their `kept` with `net` (see `netIncome`), and `gave` with `granted` (see `grantedCredits`). */
export const netIncomeOfUnits = sql`${movementsOfUnits}, kept as (
    select m.purchase_id, m.period, sum(m.paid - m.back) as net from net_movement m group by 1, 2
  ), gave as (
    select o.purchase_id, o.period, sum(o.granted) as granted from units join available_class o using (purchase_id, period) group by 1, 2
  )`

/** How many credits a period of a purchase gave. */
export const grantedCredits = (purchase_id: SQL, period: SQL): SQL =>
  sql`(select sum(o.granted) from available_class o where o.purchase_id = ${purchase_id} and o.period = ${period})`

export interface IncomeUnitRow extends IncomeUnit {
  purchase_id: number
  period: string
  customer_id: number
  class_package_id: number | null
  title: string
}

/** [bucket, amount]: what happened before the instant with that number, and not before the one before it. */
type Bucketed = readonly (readonly [number, ...number[]])[]

/** The running sum at each of `count` instants. */
function running(parts: Bucketed, count: number, at: 1 | 2 = 1): number[] {
  const sums = Array.from({ length: count }, () => 0)
  for (const part of parts) for (let n = part[0]; n < count; n++) sums[n] = (sums[n] ?? 0) + (part[at] ?? 0)
  return sums
}

interface LotJson {
  unlimited: boolean
  granted: number | null
  used: Bucketed | null
  created: string
  expires: string | null
  frozen: string | null
  revoked: string | null
}

const asDate = (text: string | null) => (text === null ? null : new Date(text))

function lotOf({ unlimited, granted, used, created, expires, frozen, revoked }: LotJson, count: number): IncomeCreditLot {
  return {
    ...{ unlimited, granted, used: running(used ?? [], count), createdAt: new Date(created) },
    ...{ expires_at: asDate(expires), frozenAt: asDate(frozen), revokedAt: asDate(revoked) },
  }
}

/**
 * What was paid and used until each of some instants, of every purchase's period that has money, and of which anything was to be earned at the first
 * instant or moved since. `where`: narrows purchases `p`. A credit counts as spent when its class begins, or when it was corrected later.
 */
export async function listIncomeUnits(db: Reader, instants: readonly Date[], where: SQL): Promise<IncomeUnitRow[]> {
  const limits = sql`${`{${instants.map((at) => at.toISOString()).join(',')}}`}::timestamptz[]`
  const [first] = instants
  const last = instants.at(-1)
  if (!first || !last) return []
  const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`
  // Before it began and after it ended it does not matter how much of a lot is used (`usedShare`): movements of those that are alive at no instant are not read.
  const instantsBefore = (column: SQL) => sql`width_bucket(${column} - interval '1 microsecond', ${limits})`
  const end = sql`coalesce(least(l."revokedAt", case when l."frozenAt" is null then l.expires_at end), 'infinity')`
  const livesAtOne = sql`${instantsBefore(end)} > ${instantsBefore(sql`l."createdAt"`)}`
  const { rows } = await db.execute<{
    purchase_id: number
    period: string
    customer_id: number
    class_package_id: number | null
    title: string
    givesCredits: boolean
    money: Bucketed
    lots: LotJson[] | null
  }>(sql`
    with units as materialized (
      select l.purchase_id, l.period from available_class l
      where l.purchase_id is not null and l."createdAt" < ${at(last)} and (l."revokedAt" is null or l."revokedAt" >= ${at(first)})
        and (l.expires_at is null or l.expires_at >= ${at(first)} or l."frozenAt" is not null)
      union select i.purchase_id, i.period from invoice i where coalesce(i."paidAt", i."createdAt") >= ${at(first)} and coalesce(i."paidAt", i."createdAt") < ${at(last)}
      union select i.purchase_id, i.period from refund r join invoice i using (invoice_id) where r."doneAt" >= ${at(first)} and r."doneAt" < ${at(last)}
      union select i.purchase_id, i.period from refund r join invoice i using (invoice_id) where r."returnedAt" >= ${at(first)} and r."returnedAt" < ${at(last)}
      union select i.purchase_id, i.period from invoice i where i."lostAt" >= ${at(first)} and i."lostAt" < ${at(last)}
      union select i.purchase_id, i.period from invoice i where i."regainedAt" >= ${at(first)} and i."regainedAt" < ${at(last)}
    ), ${movementsOfUnits}, money as (
      select m.purchase_id, m.period, json_agg(json_build_array(width_bucket(m.at, ${limits}), m.paid, m.back)) as money
      from net_movement m where m.at < ${at(last)} group by 1, 2
    ), spent as (
      select b.available_class_id, json_agg(json_build_array(b.bucket, b.used)) as used
      from (
        select l.available_class_id, width_bucket(greatest(m."createdAt", c.starts_at), ${limits}) as bucket, -sum(m.amount) as used
        from available_class l join credit_movement m using (available_class_id)
          left join class_reservation r on r.class_reservation_id = m.class_reservation_id left join single_class c on c.single_class_id = r.single_class_id
        where l.purchase_id in (select purchase_id from units) and not l.unlimited and ${livesAtOne} and m.kind not in ('grant', 'extend') and m.amount <> 0 group by 1, 2) b
      group by 1
    ), lots as (
      select l.purchase_id, l.period, json_agg(json_build_object('unlimited', l.unlimited, 'granted', l.granted, 'used', s.used, 'created', l."createdAt",
          'expires', l.expires_at, 'frozen', l."frozenAt", 'revoked', l."revokedAt") order by l.available_class_id) as lots
      from units join available_class l using (purchase_id, period) left join spent s using (available_class_id)
      group by 1, 2
    )
    select p.purchase_id, m.period, p.customer_id, p.class_package_id, p.title, m.money, coalesce(k.class_amount, 0) <> 0 as "givesCredits", o.lots
    from money m join purchase p using (purchase_id) left join class_package k using (class_package_id)
      left join lots o on o.purchase_id = m.purchase_id and o.period = m.period
    where ${where}
    order by p.purchase_id desc, m.period`)
  const count = instants.length
  return rows.map(({ money, lots, ...row }) => ({
    ...row,
    paid: running(money, count, 1),
    back: running(money, count, 2),
    lots: (lots ?? []).map((lot) => lotOf(lot, count)),
  }))
}
