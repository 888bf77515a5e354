/**
 * The studio's one rate limiter: leaky buckets in the database, shared by every process. A bucket takes a burst of tries and then gets one back per
 * interval, so nobody is locked out for good; a try that was no failure can be returned. (`@fastify/rate-limit` only guards each process against
 * floods of requests, in memory, before the database is asked.)
 */
import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { eq, lt, sql } from 'drizzle-orm'
import { refuse } from '#contract/errors.ts'
import { type Db, prepared, type Tx } from './db.ts'
import { throttleBucket } from './tables.ts'

export interface Limit {
  /** What is limited, "phone-lookup". */
  name: string
  /** Whose tries are counted, usually an address (`addressGroup`), an account or an e-mail address. Stored as a hash. */
  who: string
  /** Tries that are free at once. */
  max: number
  /** Within how many seconds all of them are back: one every `seconds / max`. */
  seconds: number
  /** How many tries this one counts as, a whole number; 1 when absent. */
  cost?: number
}

const keyOf = ({ name, who, seconds }: Limit): string => `${name}:${seconds}:${hash('sha256', who, 'base64url')}`

const now = sql`${sql.placeholder('now')}::timestamptz`
const after = (name: string) => sql`make_interval(secs => ${sql.placeholder(name)}::double precision)`
// A bucket that is fuller than tries can make it was filled by a clock that has been put right since: it counts as empty.
const level = sql`case when ${throttleBucket.emptyAt} > ${now} + ${after('impossible')} then ${now} else greatest(${throttleBucket.emptyAt}, ${now}) end`

/** Puts a try into a bucket that has room for it; a full bucket is not touched, so that hammering does not prolong the wait. */
const taken = prepared('throttle.take', (on: Tx) =>
  on
    .insert(throttleBucket)
    .values({ key: sql.placeholder('key'), emptyAt: sql`${now} + ${after('step')}` })
    .onConflictDoUpdate({
      target: throttleBucket.key,
      set: { emptyAt: sql`${level} + ${after('step')}` },
      setWhere: sql`${level} <= ${now} + ${after('room')}`,
    })
    .returning({ key: throttleBucket.key }),
)

/** Counts one try inside a transaction; false where the limit has none left. */
export async function takeTry(tx: Tx, limit: Limit, at: Date): Promise<boolean> {
  const { max, seconds, cost = 1 } = limit
  if (cost > max) return false
  const every = seconds / max
  const rows = await taken(tx).execute({
    ...{ key: keyOf(limit), now: at.toISOString() },
    ...{ step: cost * every, room: (max - cost) * every, impossible: 2 * seconds },
  })
  return rows.length > 0
}

/** Returns a try that was counted and should not have been. */
export async function returnTry(tx: Tx, limit: Limit): Promise<void> {
  const step = ((limit.cost ?? 1) * limit.seconds) / limit.max
  await tx
    .update(throttleBucket)
    .set({ emptyAt: sql`${throttleBucket.emptyAt} - make_interval(secs => ${step})` })
    .where(eq(throttleBucket.key, keyOf(limit)))
}

/** Returns all tries of a limit. */
export async function clearTries(tx: Tx, limit: Limit): Promise<void> {
  await tx.delete(throttleBucket).where(eq(throttleBucket.key, keyOf(limit)))
}

/** Deletes the buckets in which nothing is left. */
export async function sweepBuckets(tx: Tx, at: Date): Promise<void> {
  await tx.delete(throttleBucket).where(lt(throttleBucket.emptyAt, at))
}

/** Seconds until a try of this cost is free again, at least 1. */
async function secondsToWait(tx: Tx, limit: Limit, at: Date): Promise<number> {
  const { max, seconds, cost = 1 } = limit
  const [bucket] = await tx
    .select({ emptyAt: throttleBucket.emptyAt })
    .from(throttleBucket)
    .where(eq(throttleBucket.key, keyOf(limit)))
  const room = ((max - Math.min(cost, max)) * seconds) / max
  return Math.max(1, Math.ceil(((bucket?.emptyAt.getTime() ?? 0) - at.getTime()) / 1000 - room))
}

/** Counts one try in a transaction of its own. TOO_MANY_REQUESTS, with the seconds to wait, where the limit has none left. */
export async function throttle(db: Db, limit: Limit, at: Date): Promise<void> {
  const retry_after = await db.tx(async (tx) => ((await takeTry(tx, limit, at)) ? null : secondsToWait(tx, limit, at)))
  if (retry_after !== null) throw refuse('TOO_MANY_REQUESTS', { retry_after })
}

/** Returns a try in a transaction of its own. */
export function uncount(db: Db, limit: Limit): Promise<void> {
  return db.tx((tx) => returnTry(tx, limit))
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
