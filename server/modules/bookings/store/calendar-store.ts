/** Queries of the calendars' secret addresses. */
import { eq, sql } from 'drizzle-orm'
import { calendarFeed } from '#server/modules/bookings/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

export interface Feed {
  version: number
  createdAt: Date
}

const feed = { version: calendarFeed.version, createdAt: calendarFeed.createdAt }

/** The valid version of a customer's feed address, and since when; null: never requested. */
export async function findFeed(on: Reader, customer_id: number): Promise<Feed | null> {
  const [row] = await on.select(feed).from(calendarFeed).where(eq(calendarFeed.customer_id, customer_id))
  return row ?? null
}

/** Creates the first version of a customer's feed address, unless there is one. */
export async function firstFeed(tx: Tx, customer_id: number, createdAt: Date): Promise<void> {
  await tx.insert(calendarFeed).values({ customer_id, version: 1, createdAt }).onConflictDoNothing()
}

/** Raises the version of a customer's feed address; returns it. */
export async function nextFeed(tx: Tx, customer_id: number, createdAt: Date): Promise<number> {
  const [row] = await tx
    .insert(calendarFeed)
    .values({ customer_id, version: 2, createdAt })
    .onConflictDoUpdate({ target: calendarFeed.customer_id, set: { version: sql`${calendarFeed.version} + 1`, createdAt } })
    .returning({ version: calendarFeed.version })
  if (!row) throw new Error("A calendar's address was not stored.")
  return row.version
}
