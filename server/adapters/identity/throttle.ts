/** Limits of the identity service: which attempts are counted, and by what (platform/throttle.ts counts them). */
import type { Tx } from '#server/platform/db.ts'
import { clearAttempts, countAttempt, returnAttemptInside } from '#server/platform/throttle.ts'

/** A burst of `max` attempts, restored completely after `seconds`. */
export interface TryLimit {
  max: number
  seconds: number
}

export const LIMITS = {
  /** New accounts from one address: Google's 100 per hour. */
  signUp: { max: 100, seconds: 3_600 },
  /** Failed sign-ins of one account from one address. */
  signInHere: { max: 10, seconds: 600 },
  /** Failed sign-ins of one account from anywhere: high, so that an attacker cannot easily lock the owner out. */
  signInAccount: { max: 100, seconds: 3_000 },
  /** Failed sign-ins from one address, which a whole studio may share. */
  signInAddress: { max: 300, seconds: 1_500 },
  /** Wrong second-factor codes of one account: 288 guesses a day, out of a million codes. */
  secondFactor: { max: 5, seconds: 1_500 },
  /** Mails to one person, requested from this service or from the studio's API (P12). */
  mailTo: { max: 5, seconds: 3_000 },
  /** Mails requested from one address. */
  mailFrom: { max: 40, seconds: 2_400 },
  /** Requests whose response reveals whether an account exists. */
  probe: { max: 60, seconds: 1_200 },
} as const satisfies Record<string, TryLimit>

export type LimitName = keyof typeof LIMITS
export type Limits = Record<LimitName, TryLimit>

/** A counter: the limit, and its subject. */
export type Bucket = readonly [name: LimitName, who: string]

export interface Throttle {
  /** Counts one attempt in each bucket in turn; false at the first that is full. */
  take(tx: Tx, buckets: readonly Bucket[], now: Date): Promise<boolean>
  /** Returns one attempt to each bucket: it did not fail after all. */
  giveBack(tx: Tx, buckets: readonly Bucket[]): Promise<void>
  /** Empties a bucket. */
  clear(tx: Tx, bucket: Bucket): Promise<void>
}

export function openThrottle(limits: Limits): Throttle {
  const limitOf = ([name, subject]: Bucket) => ({ name: `identity.${name}`, subject, ...limits[name] })
  return {
    async take(tx, buckets, now) {
      for (const bucket of buckets) if (!(await countAttempt(tx, limitOf(bucket), now))) return false
      return true
    },
    async giveBack(tx, buckets) {
      for (const bucket of buckets) await returnAttemptInside(tx, limitOf(bucket))
    },
    async clear(tx, bucket) {
      await clearAttempts(tx, limitOf(bucket))
    },
  }
}
