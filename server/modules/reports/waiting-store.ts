/** Queries of who wanted a place and of how soon classes were full; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { countsOfClasses, wantedSpots } from '#server/modules/rollups/rollups.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, coachName, customerName, sqlClasses, sqlWallClock, typeName } from './occupancy-store.ts'
import type { Period } from './rules.ts'
import type { Filling } from './waiting-rules.ts'

export interface WaitSums extends Record<string, unknown> {
  /**
   * Who stood in line or found the class full: a customer who wanted two classes counts twice, several entries for one class count once.
   */
  waited: number
  got_in: number
  outside: number
  /** Of those outside, who never stood in line. */
  refused: number
}

/** The classes of a period as `c`, and the counts of those that have any. */
const counted = (period: Period, filter: ClassFilter, zone: string): SQL => sql`
  c as materialized (
    select c.single_class_id, c.class_type_id, c.starts_at, c."createdAt", c.capacity, ${sqlWallClock(zone)} as wall, coalesce(l.timezone, ${zone}) as zone,
      l.name as location from ${sqlClasses(period, filter, zone)}
  ), ${countsOfClasses(sql`select single_class_id from c`)}`

const SUMS = sql`coalesce(sum(m.waited), 0)::float8 as waited, coalesce(sum(m.waited - cardinality(m.outside)), 0)::float8 as got_in,
  coalesce(sum(cardinality(m.outside)), 0)::float8 as outside, coalesce(sum(m.refused), 0)::float8 as refused`

/** Whether the class of some counts `m` was full before it began. */
const IS_FILLED = sql`m.filled_at <= c.starts_at`

/** `classes`: those in which at least one customer of the waitlist got no spot. */
export type WaitDay = WaitSums & { day: LocalDate; classes: number }

/**
 * By day on the clocks of the studio's zone, so that the whole period is their sum; and how many different people stayed outside of some
 * class in it.
 */
export async function waitsByDay(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
): Promise<{ days: WaitDay[]; people: number }> {
  const { rows } = await db.execute<WaitDay & { people: number }>(sql`
    with ${counted(period, filter, zone)}, w as materialized (select c.starts_at, m.* from c join class_counts m using (single_class_id) where m.waited > 0)
    select to_char(m.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, ${SUMS}, (count(*) filter (where cardinality(m.outside) > 0))::float8 as classes,
      (select count(distinct p.customer_id)::float8 from w cross join lateral unnest(w.outside) p (customer_id)) as people
    from w m group by 1 order by 1`)
  return { days: rows, people: rows[0]?.people ?? 0 }
}

export interface WaitGroup extends WaitSums {
  id: string
  name: string
  detail: string | null
  /** Classes with a capacity, also those without a waitlist; 0 when grouped by person. */
  classes: number
}

const GROUPED = {
  slot: { id: sql`to_char(c.wall, 'ID-HH24:MI')`, name: sql`to_char(c.wall, 'ID-HH24:MI')`, detail: sql`null` },
  type: { id: sql`c.class_type_id::text`, name: typeName, detail: sql`null` },
  class: {
    id: sql`c.single_class_id::text`,
    name: sql`to_char(c.wall, 'YYYY-MM-DD"T"HH24:MI')`,
    detail: sql`concat_ws(' · ', ${typeName}, ${coachName}, c.location)`,
  },
} as const
export type WaitGrouping = keyof typeof GROUPED | 'person'

const FIRST_THE_MOST = sql`order by outside desc, waited desc, 2, 1`

/** By person, from the waitlists and refusals themselves: one person in those of one class, however often, got in or did not. */
const byPerson = (period: Period, filter: ClassFilter, zone: string): SQL => sql`
  with given as materialized (select c.single_class_id from ${sqlClasses(period, filter, zone)})
  select d.customer_id::text as id, ${customerName} as name, null as detail, 0::float8 as classes, count(*)::float8 as waited,
    (count(*) filter (where d.got_in))::float8 as got_in, (count(*) filter (where not d.got_in))::float8 as outside,
    (count(*) filter (where not d.got_in and not d.stood))::float8 as refused
  from (${wantedSpots((id) => sql`${id} in (select single_class_id from given)`)}) d
    join customer u using (customer_id) group by d.customer_id, u.name, u.last_name ${FIRST_THE_MOST}`

/**
 * Waits by hour of the week, type, class or person, groups in which nobody waited and no class was full left out, ordered by the number who
 * got no spot, descending.
 */
export async function waitsByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: WaitGrouping,
): Promise<WaitGroup[]> {
  if (group === 'person') return (await db.execute<WaitGroup & Record<string, unknown>>(byPerson(period, filter, zone))).rows
  const by = GROUPED[group]
  const isOf =
    group === 'class'
      ? sql`join class_counts m on m.single_class_id = c.single_class_id and (m.waited > 0 or ${IS_FILLED})`
      : sql`left join class_counts m using (single_class_id)`
  const { rows } = await db.execute<WaitGroup & Record<string, unknown>>(sql`
    with ${counted(period, filter, zone)}
    select ${by.id} as id, ${by.name} as name, ${by.detail} as detail, (count(*) filter (where c.capacity > 0))::float8 as classes, ${SUMS}
    from c ${isOf} group by 1, 2, 3 having sum(m.waited) > 0 or bool_or(${IS_FILLED}) ${FIRST_THE_MOST}`)
  return rows
}

export interface FilledClass extends Filling {
  single_class_id: number
  class_type_id: number
  /** "4-18:00", on the clock of the location. */
  slot: string
}

/**
 * The classes of a period that were full before they began. `opensDays`: how many days before its hour a class can be booked; null: as soon
 * as it is there.
 */
export async function listFilledClasses(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  { zone, opensDays }: { zone: string; opensDays: number | null },
): Promise<FilledClass[]> {
  const ms = (instant: SQL) => sql`(extract(epoch from ${instant}) * 1000)::float8`
  // Of null and an instant greatest is the instant.
  const opens = sql`greatest(c."createdAt", (c.wall - ${opensDays}::integer * interval '1 day') at time zone c.zone)`
  const { rows } = await db.execute<{
    single_class_id: number
    class_type_id: number
    slot: string
    opens: number
    first: number
    filled: number
  }>(sql`
    with ${counted(period, filter, zone)}
    select c.single_class_id, c.class_type_id, to_char(c.wall, 'ID-HH24:MI') as slot, ${ms(opens)} as opens, ${ms(sql`m.first_at`)} as first, ${ms(sql`m.filled_at`)} as filled
    from c join class_counts m using (single_class_id) where ${IS_FILLED} order by c.single_class_id`)
  return rows.map(({ opens: at, first, filled, ...facts }) => ({
    ...facts,
    opensAt: new Date(at),
    firstAt: new Date(first),
    filledAt: new Date(filled),
  }))
}
