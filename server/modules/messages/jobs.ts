/** Sends what is due: at once after a commit, and every minute what had to wait or did not go through. */
import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { deliver, type Relevance, recover } from './messages.ts'
import { forgetBefore, listDue } from './store.ts'

/** How much one round takes on. */
const BATCH = 200
/** How long the log is kept. */
const KEPT_DAYS = 400

export const messageJobs = (relevance: Relevance): ModuleJob[] => [
  on('messages.deliver', z.object({ message_ids: z.array(z.int()) }), (ctx, { message_ids }) => deliver(ctx, message_ids, relevance)),
  every('messages.sweep', '* * * * *', (ctx) => sweepMessages(ctx, relevance)),
  every('messages.forget', '53 4 * * *', (ctx) => ctx.tx((tx) => forgetBefore(tx, new Date(ctx.now.getTime() - KEPT_DAYS * 86_400_000)))),
]

/** One round: what a dead process left behind, then what is due. */
export async function sweepMessages(ctx: Ctx, relevance: Relevance): Promise<void> {
  await recover(ctx)
  await deliver(ctx, await listDue(ctx.db, ctx.now, BATCH), relevance)
}
