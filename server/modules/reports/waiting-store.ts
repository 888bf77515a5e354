/** Queries of who waited for a class and got no place in it; read-only. */
import { sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { oneRow } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, classesOf, coachName, customerName, typeName, wallOf } from './occupancy-store.ts'
import type { Period } from './rules.ts'

/**
 * One person `w` in the waitlist of one class `c` of the period, however often, and whether they got a place in it. Their place is looked for among their own
 * reservations: `+ 0` keeps the index of the class out of it, which is combined with that of the customer at thrice the cost.
 */
const waits = (period: Period, filter: ClassFilter, zone: string) => sql`(
  select c.single_class_id, c.class_type_id, c.starts_at, ${wallOf(zone)} as wall, l.name as location, w.customer_id,
    bool_or(w.status = 'booked') or exists (select from class_reservation r
      where r.single_class_id + 0 = c.single_class_id and r.customer_id = w.customer_id and r."deletedAt" is null) as got_in
  from ${sql`(select c.*, l.timezone, l.name from ${classesOf(period, filter, zone)}) c`} join waitlist w using (single_class_id)
    cross join lateral (select c.name, c.timezone) l
  group by c.single_class_id, c.class_type_id, c.starts_at, c.timezone, l.name, l.timezone, w.customer_id) c`

export interface WaitSums extends Record<string, unknown> {
  /** Persons in lists of classes: somebody who waited for two counts twice. */
  waited: number
  got_in: number
  outside: number
  /** Different ones who stayed outside of some class. */
  people: number
  /** Classes of which somebody stayed outside. */
  classes: number
}

const SUMS = sql`count(*)::float8 as waited, (count(*) filter (where c.got_in))::float8 as got_in, (count(*) filter (where not c.got_in))::float8 as outside,
  (count(distinct c.customer_id) filter (where not c.got_in))::float8 as people, (count(distinct c.single_class_id) filter (where not c.got_in))::float8 as classes`

export const sumWaits = (db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<WaitSums> =>
  oneRow(db, sql`select ${SUMS} from ${waits(period, filter, zone)}`)

export async function waitsByDay(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
): Promise<(WaitSums & { day: LocalDate })[]> {
  const { rows } = await db.execute<WaitSums & { day: LocalDate }>(sql`
    select to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, ${SUMS} from ${waits(period, filter, zone)} group by 1 order by 1`)
  return rows
}

export interface WaitGroup extends WaitSums {
  id: string
  name: string
  detail: string | null
}

const GROUPED = {
  slot: { id: sql`to_char(c.wall, 'ID-HH24:MI')`, name: sql`to_char(c.wall, 'ID-HH24:MI')`, detail: sql`null` },
  type: { id: sql`c.class_type_id::text`, name: typeName, detail: sql`null` },
  class: {
    ...{ id: sql`c.single_class_id::text`, name: sql`to_char(c.wall, 'YYYY-MM-DD"T"HH24:MI')` },
    detail: sql`concat_ws(' · ', ${typeName}, ${coachName}, c.location)`,
  },
  person: { id: sql`c.customer_id::text`, name: customerName, detail: sql`null` },
} as const
export type WaitGrouping = keyof typeof GROUPED

/** By hour of the week, type, class or person: where most stayed outside first. */
export async function waitsByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: WaitGrouping,
): Promise<WaitGroup[]> {
  const by = GROUPED[group]
  const { rows } = await db.execute<WaitGroup & Record<string, unknown>>(sql`
    select ${by.id} as id, ${by.name} as name, ${by.detail} as detail, ${SUMS}
    from ${waits(period, filter, zone)} ${group === 'person' ? sql`join customer u on u.customer_id = c.customer_id` : sql``}
    group by 1, 2, 3 order by outside desc, waited desc, 2, 1`)
  return rows
}
