/** Sends what is due: at once after a commit, and every minute what had to wait or did not go through. */
import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import type { JobHandler } from '#server/platform/jobs.ts'
import { deliver, type Relevance, recover } from './messages.ts'
import { forgetBefore, listDue } from './store.ts'

/** How much one round takes on. */
const BATCH = 200
/** How long the log is kept. */
const KEPT_DAYS = 400

export function messageJobs(asSystem: (job: string) => Ctx, relevance: Relevance): JobHandler[] {
  return [
    {
      name: 'messages.deliver',
      work: (data) => deliver(asSystem('messages.deliver'), z.object({ message_ids: z.array(z.int()) }).parse(data).message_ids, relevance),
    },
    { name: 'messages.sweep', every: '* * * * *', work: () => sweepMessages(asSystem('messages.sweep'), relevance) },
    {
      name: 'messages.forget',
      every: '53 4 * * *',
      work: () => {
        const ctx = asSystem('messages.forget')
        return ctx.tx((tx) => forgetBefore(tx, new Date(ctx.now.getTime() - KEPT_DAYS * 86_400_000)))
      },
    },
  ]
}

/** One round: what a dead process left behind, then what is due. */
export async function sweepMessages(ctx: Ctx, relevance: Relevance): Promise<void> {
  await recover(ctx)
  await deliver(ctx, await listDue(ctx.db, ctx.now, BATCH), relevance)
}
