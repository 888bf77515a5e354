/**
 * Limits of the identity service: leaky buckets in the database, one for all processes. A bucket lets a burst through and then
 * one try per interval, so nobody is locked out for good; unlike the platform's windows it can give a try back after a success.
 */
import { hash } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Tx } from '#server/platform/db.ts'
import { identityThrottle } from './tables.ts'

/** `burst` tries at once, then one every `seconds`. */
export interface Limit {
  burst: number
  seconds: number
}

export const LIMITS = {
  /** New accounts from one address: Google's 100 per hour. */
  signUp: { burst: 100, seconds: 36 },
  /** Failed sign-ins of one account from one address. */
  signInHere: { burst: 10, seconds: 60 },
  /** Failed sign-ins of one account from anywhere: high, so that a stranger cannot keep the owner out cheaply. */
  signInAccount: { burst: 100, seconds: 30 },
  /** Failed sign-ins from one address: a whole studio may share it. */
  signInAddress: { burst: 300, seconds: 5 },
  /** Wrong codes of a second factor, of one account: 288 guesses a day at a million. */
  secondFactor: { burst: 5, seconds: 300 },
  /** Mails to one person, whichever door they were asked for at: the service's own or the studio's API (P12). */
  mailTo: { burst: 5, seconds: 600 },
  /** Mails asked for from one address. */
  mailFrom: { burst: 40, seconds: 60 },
  /** Questions whose answer tells whether an account exists. */
  probe: { burst: 60, seconds: 20 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS
export type Limits = Record<LimitName, Limit>

/** A bucket: which limit, and whose. */
export type Bucket = readonly [name: LimitName, who: string]

const keyOf = ([name, who]: Bucket) => `${name}:${hash('sha256', who, 'base64url')}`

export interface Throttle {
  /** Takes one try out of each bucket in turn; false at the first that has none left. */
  take(tx: Tx, buckets: readonly Bucket[], now: Date): Promise<boolean>
  /** Returns one try to each bucket: it was no failure after all. */
  giveBack(tx: Tx, buckets: readonly Bucket[]): Promise<void>
  /** Empties a bucket. */
  clear(tx: Tx, bucket: Bucket): Promise<void>
}

export function openThrottle(limits: Limits): Throttle {
  return {
    async take(tx, buckets, now) {
      for (const bucket of buckets) {
        const { burst, seconds } = limits[bucket[0]]
        const at = now.toISOString()
        // One that is fuller than tries can make it was filled by a clock that has been put right since: nobody waits for that.
        const held = sql`case when bucket."emptyAt" > ${at}::timestamptz + make_interval(secs => ${2 * burst * seconds})
          then ${at}::timestamptz else greatest(bucket."emptyAt", ${at}::timestamptz) end`
        // A new bucket holds one try; a full one is not touched, so hammering does not prolong the wait.
        const { rowCount } = await tx.execute(sql`
          insert into identity_throttle as bucket (key, "emptyAt")
          values (${keyOf(bucket)}, ${at}::timestamptz + make_interval(secs => ${seconds}))
          on conflict (key) do update set "emptyAt" = ${held} + make_interval(secs => ${seconds})
          where ${held} <= ${at}::timestamptz + make_interval(secs => ${(burst - 1) * seconds})`)
        if (rowCount === 0) return false
      }
      return true
    },
    async giveBack(tx, buckets) {
      for (const bucket of buckets)
        await tx
          .update(identityThrottle)
          .set({ emptyAt: sql`${identityThrottle.emptyAt} - make_interval(secs => ${limits[bucket[0]].seconds})` })
          .where(eq(identityThrottle.key, keyOf(bucket)))
    },
    async clear(tx, bucket) {
      await tx.delete(identityThrottle).where(eq(identityThrottle.key, keyOf(bucket)))
    },
  }
}

/** Forgets the buckets that have drained. */
export async function sweepThrottle(tx: Tx, now: Date): Promise<void> {
  await tx.delete(identityThrottle).where(lt(identityThrottle.emptyAt, now))
}
