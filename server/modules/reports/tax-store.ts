/** Queries of the tax in collected money; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { GroupKey } from '#contract/copy/reports.ts'
import type { LocalDate } from '#contract/time.ts'
import { collectedMovements, type Locations } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Period } from './rules.ts'

export interface TaxSums extends Record<string, unknown> {
  /** Centavos: what was charged less what went back, and the tax in it. */
  total: number
  tax: number
  /** The tax of what went back. */
  returned: number
}

/**
 * The tax of a movement, with its sign: as it was frozen with the charge; of a part of it by its rate, half up to the centavo. Sums add
 * movements and never compute a tax from a sum.
 */
const TAX = sql`(sign(m.centavos) * case when abs(m.centavos) = m.total_centavos then m.tax_centavos
  else abs(m.centavos) - round(abs(m.centavos) / (1 + m.tax_rate / 10000.0)) end)`

const SUMS = sql`coalesce(sum(m.centavos), 0)::float8 as total, coalesce(sum(${TAX}), 0)::float8 as tax,
  coalesce(-sum(${TAX}) filter (where m.kind <> 'charge'), 0)::float8 as returned`

/** What is taxed: also what gift cards paid, but no sale of one, whose tax is due when it is used. */
const taxed = (period: Period, locations: Locations): SQL =>
  sql`(${collectedMovements(period, locations, sql`not exists (select from gift_card g where g.purchase_id = i.purchase_id)`)}) m`

export type TaxDay = TaxSums & { day: LocalDate }

export async function taxByDay(db: Reader, period: Period, locations: Locations, zone: string): Promise<TaxDay[]> {
  const { rows } = await db.execute<TaxDay>(
    sql`select to_char(m.day, 'YYYY-MM-DD') as day, ${SUMS}
      from (select m.*, (m.at at time zone ${zone})::date as day from ${taxed(period, locations)}) m group by m.day order by m.day`,
  )
  return rows
}

export type TaxGroup = TaxSums & { id: number | null; name: string | null }

const GROUPED: Readonly<Partial<Record<GroupKey, { id: SQL; name: SQL; joins: SQL }>>> = {
  // Exempt charges are a group of their own, not those of a rate of 0 %.
  rate: { id: sql`case when m.tax_exempt then -1 else m.tax_rate end`, name: sql`m.tax_rate::text`, joins: sql`` },
  method: {
    id: sql`coalesce(m.payment_method_id, p.payment_method_id)`,
    name: sql`case when m.gateway = 'regalo' then 'Tarjeta de regalo' else w.name end`,
    joins: sql`join purchase p using (purchase_id)
      left join payment_method w on w.payment_method_id = coalesce(m.payment_method_id, p.payment_method_id)`,
  },
  location: { id: sql`m.location_id`, name: sql`l.name`, joins: sql`left join location l on l.location_id = m.location_id` },
}

/** By rate, payment method or location. */
export async function taxByGroup(db: Reader, period: Period, locations: Locations, group: GroupKey): Promise<TaxGroup[]> {
  const by = GROUPED[group]
  if (!by) throw new Error(`Tax is not grouped by ${group}.`)
  const { rows } = await db.execute<TaxGroup>(sql`
    select ${by.id} as id, ${by.name} as name, ${SUMS}
    from ${taxed(period, locations)} ${by.joins}
    group by 1, 2 order by total desc, 2 nulls last`)
  return rows
}
