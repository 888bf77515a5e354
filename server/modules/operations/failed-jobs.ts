/** Jobs whose retries ran out, to be repeated or closed by staff. */
import { refuse } from '#contract/errors.ts'
import { FAILED_JOBS_PER_PAGE, type FailedJob } from '#contract/failed-jobs.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { closeFailedJob, countFailedJobs, type FailedJobRow, listFailedJobs } from '#server/platform/failed-jobs.ts'

/** A page of failed jobs, open ones first. */
export async function failedJobs(ctx: Ctx, input: { page: number }): Promise<{ failed_jobs: FailedJob[]; total: number; open: number }> {
  const [{ rows, total }, open] = await Promise.all([
    listFailedJobs(ctx.db, { number: input.page, size: FAILED_JOBS_PER_PAGE }),
    countFailedJobs(ctx.db),
  ])
  return { failed_jobs: rows.map(serializeFailedJob), total, open }
}

/** Sends a failed job again, in the transaction that closes its record. NOT_FOUND when there is none or it is closed. */
export function retryFailedJob(ctx: Ctx, input: { failed_job_id: number }): Promise<{ failed_job: FailedJob }> {
  return ctx.tx(async (tx) => {
    const row = await closeFailedJob(tx, input.failed_job_id, 'retry', ctx.now)
    if (!row) throw refuse('NOT_FOUND')
    await tx.send({ name: row.job, data: row.data })
    await ctx.audit(tx, { action: 'job.retry', entity: 'failed_job', entity_id: row.failed_job_id, after: { job: row.job } })
    return { failed_job: serializeFailedJob(row) }
  })
}

/** Closes the record of a failed job that staff resolved by hand. NOT_FOUND when there is none or it is closed. */
export function dismissFailedJob(ctx: Ctx, input: { failed_job_id: number; reason: string }): Promise<{ failed_job: FailedJob }> {
  return ctx.tx(async (tx) => {
    const row = await closeFailedJob(tx, input.failed_job_id, 'staff', ctx.now)
    if (!row) throw refuse('NOT_FOUND')
    await ctx.audit(tx, {
      action: 'job.close',
      entity: 'failed_job',
      entity_id: row.failed_job_id,
      after: { job: row.job },
      reason: input.reason,
    })
    return { failed_job: serializeFailedJob(row) }
  })
}

function serializeFailedJob({ job_id: _, data, ...row }: FailedJobRow): FailedJob {
  const about = Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, number] => entry[0].endsWith('_id') && typeof entry[1] === 'number'),
  )
  return { ...row, about, failedAt: row.failedAt.toISOString(), closedAt: row.closedAt?.toISOString() ?? null }
}
