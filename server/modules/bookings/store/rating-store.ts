/** Sums of the stars of classes; read-only. */
import { sql } from 'drizzle-orm'
import type { Reader } from '#server/platform/db.ts'

/**
 * The average and number of ratings since an instant. Of the studio: the stars of the class, or of its coach where only they were rated.
 */
export async function averageStars(
  db: Reader,
  since: Date,
  instructor_id: number | null,
): Promise<{ average: number | null; ratings: number }> {
  const stars = instructor_id === null ? sql`coalesce(r.class_stars, r.coach_stars)` : sql`r.coach_stars`
  const coach =
    instructor_id === null
      ? sql``
      : sql`and exists (select 1 from class_instructor ci where ci.single_class_id = r.single_class_id and ci.instructor_id = ${instructor_id})`
  const { rows } = await db.execute<{ average: number | null; ratings: number }>(sql`
    select avg(${stars})::float8 as average, count(*)::integer as ratings from class_reservation r
    where r.coach_stars is not null and r."createdAt" >= ${since.toISOString()} ${coach}`)
  return rows[0] ?? { average: null, ratings: 0 }
}
