/** Limits shared by every process of a studio: a counter per key and window in the database. */
import { isIPv6 } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { refuse } from '#contract/errors.ts'
import { type Db, only, prepared, type Tx } from './db.ts'
import { throttleCounter } from './tables.ts'

export interface Limit {
  /** What is limited, "phone-lookup". */
  name: string
  /** Who, usually an address (`addressGroup`) or an account. */
  who: string
  max: number
  seconds: number
  /** What this try counts as, a whole number; 1 when absent. */
  cost?: number
}

const counted = prepared('throttle.count', (on: Tx) =>
  on
    .insert(throttleCounter)
    .values({ key: sql.placeholder('key'), count: sql`${sql.placeholder('cost')}::int`, expires_at: sql`${sql.placeholder('expires')}` })
    .onConflictDoUpdate({ target: throttleCounter.key, set: { count: sql`${throttleCounter.count} + excluded.count` } })
    .returning({ count: throttleCounter.count }),
)

/** The counter of a limit in the window of an instant, and when that ends. */
function counterAt(limit: Limit, now: Date): { key: string; expires: Date } {
  const window = Math.floor(now.getTime() / 1000 / limit.seconds)
  return { key: `${limit.name}:${limit.who}:${limit.seconds}:${window}`, expires: new Date((window + 1) * limit.seconds * 1000) }
}

/** Counts one try and refuses with TOO_MANY_REQUESTS when there were too many in this window. */
export async function throttle(db: Db, limit: Limit, now: Date): Promise<void> {
  const { key, expires } = counterAt(limit, now)
  const { count } = only(await db.tx((tx) => counted(tx).execute({ key, cost: limit.cost ?? 1, expires: expires.toISOString() })))
  if (count > limit.max) throw refuse('TOO_MANY_REQUESTS', { retry_after: Math.ceil((expires.getTime() - now.getTime()) / 1000) })
}

/** Takes back a try that was counted and should not have been, in the window in which it was counted. */
export async function uncount(db: Db, limit: Limit, now: Date): Promise<void> {
  const { key } = counterAt(limit, now)
  await db.tx((tx) =>
    tx
      .update(throttleCounter)
      .set({ count: sql`${throttleCounter.count} - ${limit.cost ?? 1}` })
      .where(eq(throttleCounter.key, key)),
  )
}

/** Who an address is for a limit: IPv4 as it is, IPv6 by its /64, because one household has all of that. */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(address)) return address
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::')
  const front = head ? head.split(':') : []
  const back = tail ? tail.split(':') : []
  const groups = tail === undefined ? front : [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return `${groups.slice(0, 4).join(':')}::/64`
}
