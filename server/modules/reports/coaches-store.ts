/** Queries of the classes of coaches; read-only. */
import { sql } from 'drizzle-orm'
import { countsOfClasses } from '#server/modules/rollups/rollups.ts'
import type { Reader } from '#server/platform/db.ts'
import { type ClassFilter, sqlClasses } from './occupancy-store.ts'
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
  /** Classes given as a substitute. */
  substituted: number
}

/** Of each coach with a class in the period. A class with two coaches counts for both. */
export async function sumCoaches(db: Reader, period: Period, filter: ClassFilter, zone: string): Promise<CoachSums[]> {
  const { rows } = await db.execute<CoachSums>(sql`
    with c as materialized (select c.single_class_id, c.taken, c.capacity, c.substitutes_for from ${sqlClasses(period, filter, zone)}),
      ${countsOfClasses(sql`select single_class_id from c`)}
    select t.instructor_id, coalesce(nullif(t.nick_name, ''), t.name) as name, count(*)::float8 as classes,
      coalesce(sum(c.taken) filter (where c.capacity > 0), 0)::float8 as taken, coalesce(sum(c.capacity) filter (where c.capacity > 0), 0)::float8 as capacity,
      coalesce(sum(m.attended), 0)::float8 as attended, coalesce(sum(m.absent), 0)::float8 as absent, coalesce(sum(m.ratings), 0)::float8 as ratings,
      coalesce(sum(m.stars), 0)::float8 as stars,
      (count(*) filter (where c.substitutes_for is not null and c.substitutes_for <> t.instructor_id))::float8 as substituted
    from c join class_instructor ci using (single_class_id) join instructor t using (instructor_id) left join class_counts m using (single_class_id)
    group by 1, 2 order by classes desc, 2`)
  return rows
}
