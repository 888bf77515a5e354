/** Queries of the calendars' secret addresses. */
import { eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/platform/db.ts'
import { calendarFeed } from './tables.ts'

/** Which version of somebody's address is the valid one; null = they never asked for one. */
export async function findFeed(on: Reader, customer_id: number): Promise<number | null> {
  const [row] = await on.select({ version: calendarFeed.version }).from(calendarFeed).where(eq(calendarFeed.customer_id, customer_id))
  return row?.version ?? null
}

/** Makes somebody's address, or the next version of it; answers the version. */
export async function putFeed(tx: Tx, customer_id: number, createdAt: Date, renew = false): Promise<number> {
  const [row] = await tx
    .insert(calendarFeed)
    .values({ customer_id, createdAt })
    .onConflictDoUpdate({
      target: calendarFeed.customer_id,
      set: renew ? { version: sql`${calendarFeed.version} + 1`, createdAt } : { version: calendarFeed.version },
    })
    .returning({ version: calendarFeed.version })
  return row?.version ?? 1
}
