/** Limits of the identity service: which tries are counted, and for whom (platform/throttle.ts counts them). */
import type { Tx } from '#server/platform/db.ts'
import { clearTries, returnTry, takeTry } from '#server/platform/throttle.ts'

/** `max` tries at once, all of them back after `seconds`. */
export interface TryLimit {
  max: number
  seconds: number
}

export const LIMITS = {
  /** New accounts from one address: Google's 100 per hour. */
  signUp: { max: 100, seconds: 3_600 },
  /** Failed sign-ins of one account from one address. */
  signInHere: { max: 10, seconds: 600 },
  /** Failed sign-ins of one account from anywhere: high, so that a stranger cannot keep the owner out cheaply. */
  signInAccount: { max: 100, seconds: 3_000 },
  /** Failed sign-ins from one address: a whole studio may share it. */
  signInAddress: { max: 300, seconds: 1_500 },
  /** Wrong codes of a second factor, of one account: 288 guesses a day at a million. */
  secondFactor: { max: 5, seconds: 1_500 },
  /** Mails to one person, whichever door they were asked for at: the service's own or the studio's API (P12). */
  mailTo: { max: 5, seconds: 3_000 },
  /** Mails asked for from one address. */
  mailFrom: { max: 40, seconds: 2_400 },
  /** Questions whose answer tells whether an account exists. */
  probe: { max: 60, seconds: 1_200 },
} as const satisfies Record<string, TryLimit>

export type LimitName = keyof typeof LIMITS
export type Limits = Record<LimitName, TryLimit>

/** A bucket: which limit, and whose. */
export type Bucket = readonly [name: LimitName, who: string]

export interface Throttle {
  /** Takes one try out of each bucket in turn; false at the first that has none left. */
  take(tx: Tx, buckets: readonly Bucket[], now: Date): Promise<boolean>
  /** Returns one try to each bucket: it was no failure after all. */
  giveBack(tx: Tx, buckets: readonly Bucket[]): Promise<void>
  /** Empties a bucket. */
  clear(tx: Tx, bucket: Bucket): Promise<void>
}

export function openThrottle(limits: Limits): Throttle {
  const limitOf = ([name, who]: Bucket) => ({ name: `identity.${name}`, who, ...limits[name] })
  return {
    async take(tx, buckets, now) {
      for (const bucket of buckets) if (!(await takeTry(tx, limitOf(bucket), now))) return false
      return true
    },
    async giveBack(tx, buckets) {
      for (const bucket of buckets) await returnTry(tx, limitOf(bucket))
    },
    async clear(tx, bucket) {
      await clearTries(tx, limitOf(bucket))
    },
  }
}
