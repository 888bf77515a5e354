/** Deletes expired rows of the platform: stored answers of repeated requests and empty rate-limit buckets. */
import { lt } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { JobHandler } from './job-types.ts'
import { idempotency } from './tables.ts'
import { sweepBuckets } from './throttle.ts'

/** How long the answer to an idempotency key is stored; clients may repeat a request for at least a day. */
export const ANSWER_RETENTION_DAYS = 7

/** The jobs of the platform. */
export function upkeepJobs(db: Db, now: () => Date): JobHandler[] {
  return [
    {
      name: 'platform.upkeep',
      queue: 'upkeep',
      every: '27 * * * *',
      work: () =>
        db.tx(async (tx) => {
          await sweepBuckets(tx, now())
          await tx.delete(idempotency).where(lt(idempotency.createdAt, new Date(now().getTime() - ANSWER_RETENTION_DAYS * 86_400_000)))
        }),
    },
  ]
}
