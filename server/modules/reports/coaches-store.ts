/** Queries of what coaches gave; read-only. */
import { sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, classesOf } from './occupancy-store.ts'
import type { Period } from './rules.ts'

export interface CoachSums extends Record<string, unknown> {
  instructor_id: number
  name: string
  classes: number
  /** Of classes with a capacity. */
  taken: number
  capacity: number
  attended: number
  absent: number
  ratings: number
  stars: number
  /** Classes that they gave in somebody else's place. */
  substituted: number
}

/** Of each coach with a class in the period. A class with two coaches counts for both. */
export async function sumCoaches(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<CoachSums[]> {
  const { rows } = await db.execute<CoachSums>(sql`
    select t.instructor_id, coalesce(nullif(t.nick_name, ''), t.name) as name, count(*)::float8 as classes,
      coalesce(sum(c.taken) filter (where c.capacity > 0), 0)::float8 as taken, coalesce(sum(c.capacity) filter (where c.capacity > 0), 0)::float8 as capacity,
      sum(m.attended)::float8 as attended, sum(m.absent)::float8 as absent, sum(m.ratings)::float8 as ratings, sum(m.stars)::float8 as stars,
      (count(*) filter (where c.substitutes_for is not null and c.substitutes_for <> t.instructor_id))::float8 as substituted
    from (select c.single_class_id, c.taken, c.capacity, c.substitutes_for from ${classesOf(period, filter, zone)}) c
      join class_instructor ci using (single_class_id) join instructor t using (instructor_id)
      cross join lateral (
        select count(*) filter (where r.attend) as attended, count(*) filter (where not r.attend and r.excuse is null) as absent,
          count(r.coach_stars) as ratings, coalesce(sum(r.coach_stars), 0) as stars
        from class_reservation r where r.single_class_id = c.single_class_id and r."deletedAt" is null) m
    group by 1, 2 order by classes desc, 2`)
  return rows
}
