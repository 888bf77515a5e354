/** Queries of the classes of a period and their places; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { countsOfClasses } from '#server/modules/rollups/rollups.ts'
import { atLocations, oneRow, within } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Scope } from './report.ts'
import type { Period } from './rules.ts'

export type ClassFilter = Pick<Scope, 'locations' | 'class_type_id' | 'instructor_id' | 'room_id' | 'slot'>

/** Narrows `single_class c join location l` to the requested type, coach, room, weekday and hour. */
function narrowed({ locations, class_type_id, instructor_id, room_id, slot }: ClassFilter, zone: string): SQL {
  const wall = sqlWallClock(zone)
  return sql`${atLocations(sql`c.location_id`, locations)}
    ${class_type_id === undefined ? sql`` : sql`and c.class_type_id = ${class_type_id}`}
    ${
      instructor_id === undefined
        ? sql``
        : sql`and exists (select from class_instructor ci where ci.single_class_id = c.single_class_id and ci.instructor_id = ${instructor_id})`
    }
    ${room_id === undefined ? sql`` : sql`and c.room_id = ${room_id}`}
    ${slot === undefined ? sql`` : sql`and to_char(${wall}, 'ID-HH24:MI') = ${slot}`}`
}

/** The start of a class on the clock of its location; needs `c` and `l`. */
export const sqlWallClock = (zone: string): SQL => sql`(c.starts_at at time zone coalesce(l.timezone, ${zone}))`

/** The classes of a period that took place, with or without a capacity; as `c` and `l`. */
export const sqlClasses = (period: Period, filter: ClassFilter, zone: string): SQL =>
  sql`single_class c join location l using (location_id)
    where ${within(sql`c.starts_at`, period)} and c."cancelledAt" is null ${narrowed(filter, zone)}`

/**
 * Common table expressions up to `class_counts`: the classes whose places count, as `k`: those that were not cancelled and have a capacity.
 */
const counted = (period: Period, filter: ClassFilter, zone: string): SQL => sql`
  k as materialized (
    select c.single_class_id, c.class_type_id, c.location_id, c.room_id, c.starts_at, c.taken, c.capacity, l.timezone, l.name as location from ${sqlClasses(period, filter, zone)} and c.capacity > 0
  ), ${countsOfClasses(sql`select single_class_id from k`)}`

/** These as `c` with `waiting`, `attended`, `absent` and `filled_at`, and their location as `l`. */
const COUNTED = sql`(
  select k.*, coalesce(cardinality(m.outside), 0) as waiting, coalesce(m.attended, 0) as attended, coalesce(m.absent, 0) as absent, m.filled_at from k left join class_counts m using (single_class_id)
  ) c cross join lateral (select c.timezone, c.location as name) l`

const SUMS = sql`
  count(*)::float8 as classes,
  coalesce(sum(c.taken), 0)::float8 as taken,
  coalesce(sum(c.capacity), 0)::float8 as capacity,
  (count(*) filter (where c.taken >= c.capacity))::float8 as full,
  coalesce(sum(c.waiting), 0)::float8 as waiting`

export interface SpotSums extends Record<string, unknown> {
  classes: number
  taken: number
  capacity: number
  /** Classes without a free place. */
  full: number
  /** People on the waitlist who got no spot. */
  waiting: number
}

/** The spots that are taken and that there are, alone. */
export const sumTakenSpots = (
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
): Promise<{ taken: number; capacity: number }> =>
  oneRow(
    db,
    sql`select coalesce(sum(c.taken), 0)::float8 as taken, coalesce(sum(c.capacity), 0)::float8 as capacity
      from ${sqlClasses(period, filter, zone)} and c.capacity > 0`,
  )

/** `id` and `name` of the class type. */
export type SpotDay = SpotSums & { day: LocalDate; id: number; name: string }

/**
 * By day on the clocks of the studio's zone and class type: every class is in one of them, so that days, types and the whole period are
 * sums of them.
 */
export async function spotsByDayAndType(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<SpotDay[]> {
  const { rows } = await db.execute<SpotDay>(sql`
    with ${counted(period, filter, zone)}
    select d.*, t.name from (
      select to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, c.class_type_id as id, ${SUMS} from ${COUNTED} group by 1, 2
    ) d join class_type t on t.class_type_id = d.id order by d.day, t.name`)
  return rows
}

/** The name of the first coach of a class `c`, as people call them. */
export const coachName = sql`(select coalesce(nullif(t.nick_name, ''), t.name) from class_instructor ci join instructor t using (instructor_id)
  where ci.single_class_id = c.single_class_id order by ci.sort, ci.instructor_id limit 1)`
export const typeName = sql`(select t.name from class_type t where t.class_type_id = c.class_type_id)`

/** The name of a customer `u`. */
export const customerName = sql`trim(concat_ws(' ', u.name, u.last_name))`

export type SpotSlot = SpotSums & {
  /** 1 = Monday. */
  weekday: number
  /** "18:00", on the clock of the location. */
  time: string
  /** The most frequent ones. */
  type: string
  coach: string | null
  location: string
  attended: number
  absent: number
  /** Classes that were full before they began, and how many minutes before in the middle one of them; null without any. */
  filled: number
  fills_before: number | null
}

const IS_FILLED = sql`c.filled_at <= c.starts_at`
const MINUTES_LEFT = sql`round(extract(epoch from c.starts_at - c.filled_at) / 60)`

/** By weekday and hour on the clock of each location. */
export async function spotsBySlot(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<SpotSlot[]> {
  const { rows } = await db.execute<SpotSlot>(sql`
    with ${counted(period, filter, zone)}
    select extract(isodow from ${sqlWallClock(zone)})::integer as weekday, to_char(${sqlWallClock(zone)}, 'HH24:MI') as time,
      mode() within group (order by ${typeName}) as type, mode() within group (order by ${coachName}) as coach,
      mode() within group (order by l.name) as location, sum(c.attended)::float8 as attended, sum(c.absent)::float8 as absent,
      (count(*) filter (where ${IS_FILLED}))::float8 as filled,
      floor(percentile_cont(0.5) within group (order by ${MINUTES_LEFT}) filter (where ${IS_FILLED})) as fills_before, ${SUMS}
    from ${COUNTED} group by 1, 2 order by 2, 1`)
  return rows
}

export type SpotGroup = SpotSums & { id: number; name: string }

/** By coach, location or room (0: none); a class with two coaches counts for both. */
export async function spotsByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: 'coach' | 'location' | 'room',
): Promise<SpotGroup[]> {
  const by = {
    coach: { id: sql`o.instructor_id`, name: sql`o.name` },
    location: { id: sql`c.location_id`, name: sql`l.name` },
    room: { id: sql`coalesce(c.room_id, 0)`, name: sql`coalesce(r.name || ' · ' || l.name, 'Sin sala')` },
  }[group]
  const rooms = sql`left join room r on r.room_id = c.room_id`
  const coaches = sql`join lateral (select t.instructor_id, coalesce(nullif(t.nick_name, ''), t.name) as name
    from class_instructor ci join instructor t using (instructor_id) where ci.single_class_id = c.single_class_id) o on true`
  const { rows } = await db.execute<SpotGroup>(sql`
    with ${counted(period, filter, zone)}
    select ${by.id} as id, ${by.name} as name, ${SUMS}
    from ${COUNTED} ${group === 'coach' ? coaches : group === 'room' ? rooms : sql``}
    group by 1, 2 order by 2`)
  return rows
}

export interface ClassRow extends Record<string, unknown> {
  single_class_id: number
  /** On the clock of the location, written as UTC. */
  wall: string
  type: string
  coach: string | null
  location: string
  taken: number
  capacity: number
  waiting: number
}

/** The classes themselves, the latest first. */
export async function listClasses(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<ClassRow[]> {
  const { rows } = await db.execute<ClassRow>(sql`
    with ${counted(period, filter, zone)}
    select c.single_class_id, to_char(${sqlWallClock(zone)}, 'YYYY-MM-DD"T"HH24:MI') as wall, ${typeName} as type, ${coachName} as coach, l.name as location,
      c.taken, c.capacity, c.waiting::float8 as waiting
    from ${COUNTED} order by c.starts_at desc, c.single_class_id`)
  return rows
}
