/** Runs in a test what the job queue would run: all pending jobs in order, until none is left. */
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { bookingJobs } from '#server/modules/bookings/jobs.ts'
import { bookingRelevance } from '#server/modules/bookings/notifications/notifications.ts'
import { broadcastRelevance } from '#server/modules/broadcasts/broadcasts.ts'
import { broadcastJobs } from '#server/modules/broadcasts/jobs.ts'
import { bulkJobs } from '#server/modules/bulk/jobs.ts'
import { creditJobs } from '#server/modules/credits/jobs.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerJobs } from '#server/modules/customers/jobs.ts'
import { fiscalJobs } from '#server/modules/fiscal/jobs.ts'
import { fiscalFiles, fiscalRelevance } from '#server/modules/fiscal/notifications.ts'
import { messageJobs } from '#server/modules/messages/jobs.ts'
import type { Relevance } from '#server/modules/messages/messages.ts'
import { asHandlers } from '#server/modules/module-job.ts'
import { payrollJobs } from '#server/modules/payroll/jobs.ts'
import { planningJobs } from '#server/modules/planning/jobs.ts'
import { afterSalesJobs } from '#server/modules/sales/aftersales-jobs.ts'
import { handleEvent } from '#server/modules/sales/jobs.ts'
import { salesRelevance } from '#server/modules/sales/notifications/notifications.ts'
import type { TakenJob } from '#server/platform/job-types.ts'
import { newRun } from './run.ts'
import type { TestStudio } from './studio.ts'

/**
 * Runs the pending jobs of bookings, credits, customers, invoices, messages and aftersales, of a studio without workers; then `also`,
 * scheduled jobs. Returns how many of each ran.
 */
export async function doJobs(s: TestStudio, ...also: string[]): Promise<Record<string, number>> {
  const jobs = [
    ...bookingJobs,
    ...creditJobs,
    ...customerJobs,
    ...afterSalesJobs,
    ...planningJobs,
    ...payrollJobs,
    ...fiscalJobs,
    ...bulkJobs,
    ...broadcastJobs,
    ...messageJobs({ ...bookingRelevance, ...salesRelevance, ...fiscalRelevance, ...broadcastRelevance }, fiscalFiles),
  ]
  const handlers = new Map(asHandlers(s.studio, jobs).map((handler) => [handler.name, handler]))
  const done: Record<string, number> = {}
  /** As a worker does: those of a kind that were sent one after the other together, where the handler can. */
  const run = async (name: string, jobs: readonly TakenJob[]) => {
    const handler = handlers.get(name)
    if (handler?.workMany && jobs.length > 1) await handler.workMany(jobs)
    else for (const job of jobs) await handler?.work(job.data, job.run)
    done[name] = (done[name] ?? 0) + jobs.length
  }
  for (const name of also) await run(name, [{ data: {}, run: newRun() }])
  for (;;) {
    const waiting = await s.sql<{ id: string; data: { job: string; data: unknown } }>(
      `delete from jobs.job where id in (select id from jobs.job where data->>'job' = any($1) order by created_on, id limit 50) returning id, data`,
      [[...handlers.keys()]],
    )
    if (waiting.length === 0) return done
    while (waiting.length > 0) {
      const name = waiting[0]?.data.job ?? ''
      const other = waiting.findIndex(({ data }) => data.job !== name)
      const alike = waiting.splice(0, other < 0 ? waiting.length : other)
      await run(
        name,
        alike.map(({ id, data }) => ({ data: data.data, run: newRun(id) })),
      )
    }
  }
}

/** Runs the messages' sweeper once, and then every pending delivery, four at a time. */
export async function sweepMessages(ctx: Ctx, relevance: Relevance): Promise<void> {
  const jobs = new Map(messageJobs(relevance).map((job) => [job.name, job]))
  await jobs.get('messages.sweep')?.work(ctx, {}, newRun())
  const { rows } = await ctx.studio.db.pool.query<{ id: string; data: { data: unknown } }>(
    `delete from jobs.job where data->>'job' = 'messages.deliver' and state < 'active' and start_after <= now() returning id, data`,
  )
  const next = async (): Promise<void> => {
    for (let job = rows.shift(); job; job = rows.shift()) await jobs.get('messages.deliver')?.work(ctx, job.data.data, newRun(job.id))
  }
  await Promise.all([next(), next(), next(), next()])
}

/** Posts what the sandbox has not posted yet, and processes every pending webhook event of the inbox. */
export async function deliverPendingWebhooks(s: TestStudio): Promise<void> {
  const sandbox = s.studio.ports.gateways.get('sandbox')
  if (sandbox instanceof Sandbox) await sandbox.post()
  const waiting = await s.sql<{ provider_event_id: number }>('select provider_event_id from provider_event where "doneAt" is null')
  for (const { provider_event_id } of waiting) await handleEvent(s.system(), provider_event_id)
}
