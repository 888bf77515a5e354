/** Jobs whose retries ran out: recorded once, until somebody sends them again or closes the record. */
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Reader, Tx } from './db.ts'
import { failedJob } from './tables.ts'

export type FailedJobRow = typeof failedJob.$inferSelect

/** Records a failed job; the same one once. Through the pool, as pg-boss works. */
export async function insertFailedJob(
  pool: pg.Pool,
  row: Pick<FailedJobRow, 'job_id' | 'queue' | 'job' | 'data' | 'error' | 'attempts'>,
): Promise<void> {
  await pool.query(
    `insert into failed_job (job_id, queue, job, data, error, attempts) values ($1, $2, $3, $4, $5, $6) on conflict (job_id) do nothing`,
    [row.job_id, row.queue, row.job, JSON.stringify(row.data), row.error, row.attempts],
  )
}

/** How many are open. */
export function countFailedJobs(on: Reader): Promise<number> {
  return on.$count(failedJob, isNull(failedJob.closedAt))
}

/** A page of them, open ones first, newest first; and how many there are in all. */
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
