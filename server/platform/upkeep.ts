/** What the ground floor keeps only for a while: answers of repeated requests and counters of limits. */
import { lt } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { JobHandler } from './jobs.ts'
import { idempotency } from './tables.ts'
import { sweepBuckets } from './throttle.ts'

/** How long a repeated request finds its first answer (reliability study 4.8: a day at least). */
export const ANSWER_RETENTION_DAYS = 7

/** The jobs of the ground floor. */
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
