/** Queries of what people thought of their classes; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { countsOfClasses, LOW_STARS } from '#server/modules/rollups/rollups.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, coachName, customerName, sqlClasses, sqlWallClock, typeName } from './occupancy-store.ts'
import type { Period } from './rules.ts'

export interface RatingSums extends Record<string, unknown> {
  ratings: number
  /** Of the coach. */
  stars: number
  classRatings: number
  classStars: number
  low: number
  attended: number
}

/** The sums of the counts `m` of classes. */
const SUMS = sql`coalesce(sum(m.ratings), 0)::float8 as ratings, coalesce(sum(m.stars), 0)::float8 as stars,
  coalesce(sum(m.class_ratings), 0)::float8 as "classRatings", coalesce(sum(m.class_stars), 0)::float8 as "classStars", coalesce(sum(m.low), 0)::float8 as low,
  coalesce(sum(m.attended), 0)::float8 as attended`

/** The classes of a period as `c`, and the counts of those that have any. */
const counted = (period: Period, filter: ClassFilter, zone: string): SQL => sql`
  c as materialized (select c.single_class_id, c.class_type_id, c.starts_at from ${sqlClasses(period, filter, zone)}),
  ${countsOfClasses(sql`select single_class_id from c`)}`

export type RatingDay = RatingSums & { day: LocalDate }

/** By day on the clocks of the studio's zone: every class is in one of them, so that the whole period is their sum. */
export async function ratingsByDay(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<RatingDay[]> {
  const { rows } = await db.execute<RatingDay>(sql`
    with ${counted(period, filter, zone)}
    select to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD') as day, ${SUMS} from c join class_counts m using (single_class_id) group by 1 order by 1`)
  return rows
}

export type RatingGroup = RatingSums & { id: string; name: string }

/** By type or coach, the lowest first; a class with two coaches counts for both. */
export async function ratingsByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: 'type' | 'coach',
): Promise<RatingGroup[]> {
  const by = {
    type: { id: sql`c.class_type_id::text`, name: typeName, join: sql`` },
    coach: {
      id: sql`t.instructor_id::text`,
      name: sql`coalesce(nullif(t.nick_name, ''), t.name)`,
      join: sql`join class_instructor ci on ci.single_class_id = c.single_class_id join instructor t using (instructor_id)`,
    },
  }[group]
  const { rows } = await db.execute<RatingGroup>(sql`
    with ${counted(period, filter, zone)}
    select ${by.id} as id, ${by.name} as name, ${SUMS} from c join class_counts m using (single_class_id) ${by.join}
    group by 1, 2 having sum(m.ratings) > 0 order by sum(m.stars)::float8 / sum(m.ratings), 2`)
  return rows
}

export interface Opinion extends Record<string, unknown> {
  class_reservation_id: number
  customer_id: number
  name: string
  /** On the clock of the location, written as UTC. */
  wall: string
  class: string
  stars: number
  classStars: number | null
  comment: string | null
}

/** The ratings one by one: those with few stars first, then those with a comment, the latest first. */
export async function listOpinions(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<Opinion[]> {
  const { rows } = await db.execute<Opinion>(sql`
    select r.class_reservation_id, r.customer_id, ${customerName} as name, to_char(c.wall, 'YYYY-MM-DD"T"HH24:MI') as wall,
      concat_ws(' · ', ${typeName}, ${coachName}, c.location) as class, r.coach_stars as stars, r.class_stars as "classStars", nullif(trim(r.comment), '') as comment
    from (
      select c.single_class_id, c.class_type_id, c.starts_at, ${sqlWallClock(zone)} as wall, l.name as location from ${sqlClasses(period, filter, zone)}) c
      join class_reservation r on r.single_class_id = c.single_class_id and r."deletedAt" is null join customer u on u.customer_id = r.customer_id
    where r.coach_stars is not null
    order by r.coach_stars <= ${LOW_STARS} desc, nullif(trim(r.comment), '') is null, c.starts_at desc, r.class_reservation_id`)
  return rows
}
