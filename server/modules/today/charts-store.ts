/** Queries for the charts of Hoy; read-only. */
import { sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import type { Reader } from '#server/platform/db.ts'
import { atLocations, collectedMovements, type Locations } from './figures-store.ts'
import type { Stretch } from './rules.ts'

export interface WeekMoneyRow extends Record<string, unknown> {
  /** Monday. */
  week: LocalDate
  /** Centavos. */
  subscriptions: number
  others: number
}

export interface HourRow extends Record<string, unknown> {
  /** 1 = Monday. */
  weekday: number
  /** The hour in which the classes begin, 0 to 23, on the clock of their location. */
  hour: number
  taken: number
  capacity: number
}

/**
 * What was collected in each week of the studio's zone, in centavos, subscriptions apart: the same movements as `sumCollected`
 * (figures-store.ts). Weeks without a movement are missing.
 */
export async function collectedByWeek(db: Reader, stretch: Stretch, locations: Locations, zone: string): Promise<WeekMoneyRow[]> {
  const { rows } = await db.execute<WeekMoneyRow>(sql`
    select to_char(date_trunc('week', m.at at time zone ${zone}), 'YYYY-MM-DD') as week,
      coalesce(sum(m.centavos) filter (where p.is_subscription), 0)::float8 as subscriptions,
      coalesce(sum(m.centavos) filter (where p.is_subscription is not true), 0)::float8 as others
    from (${collectedMovements(stretch, locations)}) m join purchase p using (purchase_id)
    group by 1 order by 1`)
  return rows
}

/** Places taken and places there were, by weekday and hour, of the classes that `sumOccupancy` (figures-store.ts) counts. */
export async function occupancyByHour(db: Reader, stretch: Stretch, locations: Locations, zone: string): Promise<HourRow[]> {
  const { rows } = await db.execute<HourRow>(sql`
    select extract(isodow from c.starts_at at time zone coalesce(l.timezone, ${zone}))::integer as weekday,
      extract(hour from c.starts_at at time zone coalesce(l.timezone, ${zone}))::integer as hour,
      sum(c.taken)::float8 as taken, sum(c.capacity)::float8 as capacity
    from single_class c join location l using (location_id)
    where c.starts_at >= ${stretch.from.toISOString()}::timestamptz and c.starts_at < ${stretch.until.toISOString()}::timestamptz
      and c."cancelledAt" is null and c.capacity > 0 ${atLocations(sql`c.location_id`, locations)}
    group by 1, 2 order by 2, 1`)
  return rows
}
