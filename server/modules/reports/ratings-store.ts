/** Queries of what people thought of their classes; read-only. */
import { type SQL, sql } from 'drizzle-orm'
import { oneRow } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, classesOf, coachName, customerName, typeName, wallOf } from './occupancy-store.ts'
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

/** At most so many stars are a complaint. */
export const LOW_STARS = 3

const rated = (period: Period, filter: ClassFilter, zone: string): SQL => sql`(
    select c.single_class_id, c.class_type_id, c.starts_at, ${wallOf(zone)} as wall, l.name as location from ${classesOf(period, filter, zone)}) c
  join class_reservation r on r.single_class_id = c.single_class_id and r."deletedAt" is null`

const SUMS = sql`count(r.coach_stars)::float8 as ratings, coalesce(sum(r.coach_stars), 0)::float8 as stars, count(r.class_stars)::float8 as "classRatings",
  coalesce(sum(r.class_stars), 0)::float8 as "classStars", (count(*) filter (where r.coach_stars <= ${LOW_STARS}))::float8 as low,
  (count(*) filter (where r.attend))::float8 as attended`

export const sumRatings = (db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<RatingSums> =>
  oneRow(db, sql`select ${SUMS} from ${rated(period, filter, zone)}`)

export type RatingGroup = RatingSums & { id: string; name: string }

/** By day, type or coach; a class with two coaches counts for both. */
export async function ratingsByGroup(
  db: Reader,
  period: Period,
  filter: ClassFilter,
  zone: string,
  group: 'day' | 'type' | 'coach',
): Promise<RatingGroup[]> {
  const by = {
    day: {
      id: sql`to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD')`,
      name: sql`to_char(c.starts_at at time zone ${zone}, 'YYYY-MM-DD')`,
      join: sql``,
    },
    type: { id: sql`c.class_type_id::text`, name: typeName, join: sql`` },
    coach: {
      ...{ id: sql`t.instructor_id::text`, name: sql`coalesce(nullif(t.nick_name, ''), t.name)` },
      join: sql`join class_instructor ci on ci.single_class_id = c.single_class_id join instructor t using (instructor_id)`,
    },
  }[group]
  const { rows } = await db.execute<RatingGroup>(sql`
    select ${by.id} as id, ${by.name} as name, ${SUMS} from ${rated(period, filter, zone)} ${by.join}
    group by 1, 2 having count(r.coach_stars) > 0 ${group === 'day' ? sql`order by 1` : sql`order by sum(r.coach_stars)::float8 / count(r.coach_stars), 2`}`)
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
    from ${rated(period, filter, zone)} join customer u on u.customer_id = r.customer_id
    where r.coach_stars is not null
    order by r.coach_stars <= ${LOW_STARS} desc, nullif(trim(r.comment), '') is null, c.starts_at desc, r.class_reservation_id`)
  return rows
}
