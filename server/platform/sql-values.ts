/** Values of queries with their types, which PostgreSQL cannot always tell from a parameter. */
import { type SQL, sql } from 'drizzle-orm'

export const instantValue = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`

export const integerArray = (ids: readonly number[]): SQL => sql`${`{${ids.join(',')}}`}::integer[]`
