/** Queries of the calendars' secret addresses. */
import { eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'
import { calendarFeed } from './tables.ts'

/** Which version of somebody's address is the valid one: the first, until they ask for another. */
export async function findFeed(on: Reader, customer_id: number): Promise<number> {
  const [row] = await on.select({ version: calendarFeed.version }).from(calendarFeed).where(eq(calendarFeed.customer_id, customer_id))
  return row?.version ?? 1
}

/** The next version of somebody's address. */
export async function nextFeed(tx: Tx, customer_id: number, createdAt: Date): Promise<number> {
  const [row] = await tx
    .insert(calendarFeed)
    .values({ customer_id, version: 2, createdAt })
    .onConflictDoUpdate({ target: calendarFeed.customer_id, set: { version: sql`${calendarFeed.version} + 1`, createdAt } })
    .returning({ version: calendarFeed.version })
  if (!row) throw new Error("A calendar's address was not stored.")
  return row.version
}
