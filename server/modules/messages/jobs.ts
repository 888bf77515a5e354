/** Sends due messages: right after the commit, and every minute those that had to wait or failed. */
import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ModuleJob, onMany, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { deliverMessages, type MessageFiles, type Relevance, recoverStuckMessages, sendDue } from './delivery.ts'
import { forgetBefore, listDue } from './store.ts'
import { syncTemplates } from './templates.ts'

/** How many messages one run sends. */
const BATCH = 200
/** How long the log is stored, in days. */
const STORED_DAYS = 400

export const messageJobs = (relevance: Relevance, files: MessageFiles = {}): ModuleJob[] => [
  onMany(
    'messages.deliver',
    z.object({ message_id: z.int() }),
    (ctx, jobs) =>
      deliverMessages(
        ctx,
        jobs.map(({ data, run }) => ({ message_id: data.message_id, job_id: run.id })),
        relevance,
        files,
      ),
    (data) => (data as { channel?: string }).channel ?? 'mail',
  ),
  scheduledJob('messages.sweep', '* * * * *', sweepMessages),
  sentJob('messages.templates', z.object({}), (ctx) => syncTemplates(ctx), 'whatsapp'),
  scheduledJob('messages.templates-sync', '*/10 * * * *', syncTemplates, 'whatsapp'),
  scheduledJob('messages.forget', '53 4 * * *', (ctx) =>
    ctx.tx((tx) => forgetBefore(tx, new Date(ctx.now.getTime() - STORED_DAYS * 86_400_000))),
  ),
]

/** One run: recovers messages of dead processes, then sends a job for each due message without one. */
async function sweepMessages(ctx: Ctx): Promise<void> {
  await recoverStuckMessages(ctx)
  const due = await listDue(ctx.db, ctx.now, BATCH)
  await ctx.tx((tx) => sendDue(tx, due))
}
