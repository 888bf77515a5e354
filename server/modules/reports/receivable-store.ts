/** Queries of what customers owe now: one row per sale, order, place, transfer, payment link or renewal. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { restOfSale } from '#server/modules/sales/sales.ts'
import { atLocations, type Locations } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { customerName } from './occupancy-store.ts'

export const RECEIVABLE_KINDS = ['debt', 'place', 'renewal', 'cash', 'link', 'transfer'] as const
export type ReceivableKind = (typeof RECEIVABLE_KINDS)[number]

/** By the days since it began: `coming` has not begun, as a class to come; `older` is more than 90 days. */
export const AGES = ['coming', 'week', 'month', 'quarter', 'older'] as const
export type Age = (typeof AGES)[number]

export interface ReceivableScope {
  now: Date
  zone: string
  locations: Locations
  /** Centavos of a place when neither its class nor its type has a price. */
  dropInPrice: number | null
  kind: ReceivableKind | null
}

/**
 * Common table expression `owed`, where a transfer to confirm is a row of its own, with the day on which each began, the instant from which
 * it is late (null: never), and the id of the screen that receives it.
 */
function owed({ now, zone, locations, dropInPrice, kind }: ReceivableScope): SQL {
  const lateFrom = (day: SQL) => sql`((${day} + 1)::timestamp at time zone ${zone})`
  const price = sql`coalesce(r.price_centavos, c.price_centavos, t.price_centavos, ${dropInPrice}::integer, 0)`
  const pending = sql`p.status = 'pending' and p.hold_until > ${instantValue(now)}`
  const parts: Record<ReceivableKind, SQL> = {
    debt: sql`select 'debt' as kind, s.sale_id as id, s.customer_id, s.location_id, s.owed as centavos, s."createdAt" as since, ${lateFrom(sql`s.owe_until`)} as late_at,
        (select min(q.purchase_id) from purchase q where q.sale_id = s.sale_id) as link_id, coalesce(s.owe_reason, '') as about
      from (select s.*, ${restOfSale} as owed from sale s where s.sale_id in (select sale_id from sale where owed_centavos > 0
        union select sale_id from sale_payment where state = 'void')) s where s.owed > 0`,
    place: sql`select 'place', r.class_reservation_id, r.customer_id, c.location_id, ${price}, c.starts_at, c.starts_at, c.single_class_id, t.name
      from class_reservation r join single_class c using (single_class_id) join class_type t using (class_type_id)
      where r.is_cash and not r.is_paid and r."deletedAt" is null and c."cancelledAt" is null`,
    renewal: sql`select 'renewal', p.purchase_id, p.customer_id, p.location_id, coalesce(p.next_total_centavos, p.total_centavos), p.past_due_since, p.past_due_since,
        p.purchase_id, p.title from purchase p where p.status = 'active' and p.past_due_since is not null`,
    cash: sql`select 'cash', p.purchase_id, p.customer_id, p.location_id, p.total_centavos - p.gift_card_centavos, p."createdAt", null::timestamptz, p.purchase_id, p.title
      from purchase p where ${pending} and p.gateway = 'efectivo' and not exists (select from payment_link k where k.purchase_id = p.purchase_id)`,
    link: sql`select 'link', p.purchase_id, p.customer_id, p.location_id, coalesce((select sum(y.total_centavos) from sale_line y where y.sale_id = p.sale_id), p.total_centavos)
          - coalesce((select sum(y.amount_centavos) from sale_payment y where y.sale_id = p.sale_id and y.gateway is null), 0), k."createdAt", null::timestamptz, p.purchase_id, p.title
      from payment_link k join purchase p using (purchase_id) where ${pending} and not exists (select from gift_card_order o where o.purchase_id = p.purchase_id)`,
    transfer: sql`select 'transfer', y.sale_payment_id, s.customer_id, s.location_id, y.amount_centavos, y."createdAt", null::timestamptz,
        (select min(q.purchase_id) from purchase q where q.sale_id = s.sale_id), coalesce(y.reference, '')
      from sale_payment y join sale s using (sale_id) where y.state = 'pending'`,
  }
  const wanted = RECEIVABLE_KINDS.filter((receivableKind) => kind === null || receivableKind === kind).map(
    (receivableKind) => parts[receivableKind],
  )
  const names = sql`(kind, id, customer_id, location_id, centavos, since, late_at, link_id, about)`
  return sql`owed as materialized (
    select e.kind, e.id, e.customer_id, e.location_id, e.centavos, e.since, e.link_id, e.about, coalesce(e.late_at <= ${instantValue(now)}, false) as is_late,
      (${instantValue(now)} at time zone ${zone})::date - (e.since at time zone ${zone})::date as days, e.since > ${instantValue(now)} as is_coming
    from (${sql.join(wanted, sql` union all `)}) e ${names} where e.centavos > 0 ${atLocations(sql`e.location_id`, locations)})`
}

const AGE = sql`case when is_coming then 'coming' when days <= 7 then 'week' when days <= 30 then 'month' when days <= 90 then 'quarter' else 'older' end`

export interface ReceivableSum extends Record<string, unknown> {
  kind: ReceivableKind
  age: Age
  is_late: boolean
  count: number
  /** Centavos. */
  centavos: number
}

/** All of them, by kind, age and whether they are late, and by how many people. */
export async function sumReceivables(db: Reader, scope: ReceivableScope): Promise<{ sums: ReceivableSum[]; people: number }> {
  const { rows } = await db.execute<{ sums: ReceivableSum[] | null; people: number }>(sql`
    with ${owed(scope)} select (select count(distinct o.customer_id) from owed o)::integer as people,
      (select json_agg(g) from (select o.kind, ${AGE} as age, o.is_late, count(*)::integer as count, sum(o.centavos)::float8 as centavos from owed o group by 1, 2, 3) g) as sums`)
  return { sums: rows[0]?.sums ?? [], people: rows[0]?.people ?? 0 }
}

export interface Receivable extends Record<string, unknown> {
  kind: ReceivableKind
  id: number
  customer_id: number
  name: string
  about: string
  centavos: number
  since: LocalDate
  days: number
  is_coming: boolean
  is_late: boolean
  link_id: number | null
}

/** One by one, what is late first, then the oldest. */
export async function listReceivables(db: Reader, scope: ReceivableScope, limit: number): Promise<Receivable[]> {
  const { rows } = await db.execute<Receivable>(sql`
    with ${owed(scope)} select o.kind, o.id, o.customer_id, ${customerName} as name, o.about, o.centavos::float8 as centavos,
      to_char(o.since at time zone ${scope.zone}, 'YYYY-MM-DD') as since, o.days, o.is_coming, o.is_late, o.link_id
    from (select * from owed order by is_late desc, since, kind, id limit ${limit}) o join customer u using (customer_id)
    order by o.is_late desc, o.since, o.kind, o.id`)
  return rows
}

export interface Debtor extends Record<string, unknown> {
  customer_id: number
  name: string
  count: number
  centavos: number
  late: number
  /** Of the oldest one. */
  since: LocalDate
}

/** By person, the largest debt first. */
export async function listDebtors(db: Reader, scope: ReceivableScope, limit: number): Promise<Debtor[]> {
  const { rows } = await db.execute<Debtor>(sql`
    with ${owed(scope)} select o.customer_id, ${customerName} as name, o.count, o.centavos, o.late, to_char(o.since at time zone ${scope.zone}, 'YYYY-MM-DD') as since
    from (select e.customer_id, count(*)::integer as count, sum(e.centavos)::float8 as centavos, coalesce(sum(e.centavos) filter (where e.is_late), 0)::float8 as late,
        min(e.since) as since from owed e group by 1 order by sum(e.centavos) desc, e.customer_id limit ${limit}) o join customer u using (customer_id)
    order by o.centavos desc, o.customer_id`)
  return rows
}
