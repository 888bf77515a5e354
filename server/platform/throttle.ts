/**
 * The studio's rate limiter: leaky buckets in the database, shared by every process. A bucket allows a burst of attempts and then one more
 * per interval, so there is no permanent lock-out; an attempt that did not fail can be returned. (`@fastify/rate-limit` only protects each
 * process against floods of requests, in memory, before the database is queried.)
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
  /** The subject of the limit: usually an address (`addressGroup`), an account or an e-mail address. Stored as a hash. */
  subject: string
  /** Attempts allowed in one burst. */
  max: number
  /** Seconds until an empty limit is completely restored: one attempt every `seconds / max`. */
  seconds: number
  /** How many attempts this one counts as, an integer; default 1. */
  cost?: number
}

const keyOf = ({ name, subject, seconds }: Limit): string => `${name}:${seconds}:${hash('sha256', subject, 'base64url')}`

const now = sql`${sql.placeholder('now')}::timestamptz`
const after = (name: string) => sql`make_interval(secs => ${sql.placeholder(name)}::double precision)`
// A bucket fuller than attempts can make it was filled while the clock was wrong: it counts as empty.
const level = sql`case when ${throttleBucket.emptyAt} > ${now} + ${after('impossible')} then ${now} else greatest(${throttleBucket.emptyAt}, ${now}) end`

/** Adds an attempt to a bucket with room for it; a full bucket is not changed, so that further attempts do not prolong the wait. */
const takeStatement = prepared('throttle.take', (on: Tx) =>
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

/** Counts one attempt inside a transaction; false when the limit is reached. */
export async function countAttempt(tx: Tx, limit: Limit, at: Date): Promise<boolean> {
  const { max, seconds, cost = 1 } = limit
  if (cost > max) return false
  const every = seconds / max
  const rows = await takeStatement(tx).execute({
    key: keyOf(limit),
    now: at.toISOString(),
    step: cost * every,
    room: (max - cost) * every,
    impossible: 2 * seconds,
  })
  return rows.length > 0
}

/** Returns an attempt that should not have been counted. */
export async function returnAttemptInside(tx: Tx, limit: Limit): Promise<void> {
  const step = ((limit.cost ?? 1) * limit.seconds) / limit.max
  await tx
    .update(throttleBucket)
    .set({ emptyAt: sql`${throttleBucket.emptyAt} - make_interval(secs => ${step})` })
    .where(eq(throttleBucket.key, keyOf(limit)))
}

/** Returns all attempts of a limit. */
export async function clearAttempts(tx: Tx, limit: Limit): Promise<void> {
  await tx.delete(throttleBucket).where(eq(throttleBucket.key, keyOf(limit)))
}

/** Deletes the empty buckets. */
export async function sweepBuckets(tx: Tx, at: Date): Promise<void> {
  await tx.delete(throttleBucket).where(lt(throttleBucket.emptyAt, at))
}

/** Seconds until an attempt of this cost is allowed, at least 1. */
async function secondsToWait(tx: Tx, limit: Limit, at: Date): Promise<number> {
  const { max, seconds, cost = 1 } = limit
  const [bucket] = await tx
    .select({ emptyAt: throttleBucket.emptyAt })
    .from(throttleBucket)
    .where(eq(throttleBucket.key, keyOf(limit)))
  const room = ((max - Math.min(cost, max)) * seconds) / max
  return Math.max(1, Math.ceil(((bucket?.emptyAt.getTime() ?? 0) - at.getTime()) / 1000 - room))
}

/** Attempts that a limit still allows at once. */
export async function triesLeft(tx: Tx, limit: Limit, at: Date): Promise<number> {
  const { max, seconds } = limit
  const [bucket] = await tx
    .select({ emptyAt: throttleBucket.emptyAt })
    .from(throttleBucket)
    .where(eq(throttleBucket.key, keyOf(limit)))
  const full = Math.max(0, (bucket?.emptyAt.getTime() ?? 0) - at.getTime()) / 1000
  // A thousandth of an attempt for the rounding of instants.
  return Math.max(0, Math.floor(((seconds - full) * max) / seconds + 0.001))
}

/** Counts one attempt in its own transaction. Throws TOO_MANY_REQUESTS, with the seconds to wait, when the limit is reached. */
export async function throttle(db: Db, limit: Limit, at: Date): Promise<void> {
  let isTaken = false
  await db.tx(async (tx) => {
    // Not awaited: the commit leaves with the statement, in one round trip.
    tx.fireAndForget(
      countAttempt(tx, limit, at).then((isAllowed) => {
        isTaken = isAllowed
      }),
    )
  })
  if (!isTaken) throw refuse('TOO_MANY_REQUESTS', { retry_after: await db.tx((tx) => secondsToWait(tx, limit, at)) })
}

/** Returns an attempt in its own transaction. */
export function returnAttempt(db: Db, limit: Limit): Promise<void> {
  return db.tx((tx) => returnAttemptInside(tx, limit))
}

/** The part of an address that a limit counts: IPv4 as it is, IPv6 by its /64, because one household has a whole /64. */
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
