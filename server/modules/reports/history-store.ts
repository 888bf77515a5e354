/** How far back the history of the studio goes. */
import { sql } from 'drizzle-orm'
import { oneRow } from '#server/modules/today/today.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'

/** Days since the first class that took place; 0 without one. */
export async function daysOfHistory(db: Reader, now: Date): Promise<number> {
  const { days } = await oneRow<{ days: number }>(
    db,
    sql`select coalesce(floor(extract(epoch from ${instantValue(now)} - min(c.starts_at)) / 86400), 0)::float8 as days
      from single_class c where c.starts_at <= ${instantValue(now)} and c."cancelledAt" is null`,
  )
  return days
}
