/** Jobs whose retries ran out: recorded once, until staff sends them again or closes the record. */
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Reader, Tx } from './db.ts'
import { failedJob } from './tables.ts'

export type FailedJobRow = typeof failedJob.$inferSelect

/** Number of open records. */
export function countFailedJobs(on: Reader): Promise<number> {
  return on.$count(failedJob, isNull(failedJob.closedAt))
}

/** One page of records, open ones first, then newest first; and their total number. */
export async function listFailedJobs(on: Reader, page: { number: number; size: number }): Promise<{ rows: FailedJobRow[]; total: number }> {
  const [rows, [all]] = await Promise.all([
    on
      .select()
      .from(failedJob)
      .orderBy(sql`${failedJob.closedAt} is not null`, desc(failedJob.failed_job_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ total: count() }).from(failedJob),
  ])
  return { rows, total: all?.total ?? 0 }
}

/** Closes an open record; null when there is none or it is closed already. */
export async function closeFailedJob(tx: Tx, failed_job_id: number, by: 'retry' | 'staff', now: Date): Promise<FailedJobRow | null> {
  const [row] = await tx
    .update(failedJob)
    .set({ closedAt: now, closed_by: by })
    .where(and(eq(failedJob.failed_job_id, failed_job_id), isNull(failedJob.closedAt)))
    .returning()
  return row ?? null
}
