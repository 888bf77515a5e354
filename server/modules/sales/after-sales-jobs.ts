/** What happens by itself after a sale: refunds that were left open, subscriptions that have to end, and telling people. Every job may run twice. */
import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import type { JobHandler } from '#server/platform/jobs.ts'
import { endNow, resumeRefunds } from './refunds.ts'
import { tellRefunded } from './telling.ts'

/** How much one round takes on. */
const BATCH = 50

export function afterSalesJobs(asSystem: (job: string) => Ctx): JobHandler[] {
  const on = <T>(name: string, shape: z.ZodType<T>, work: (ctx: Ctx, data: T) => Promise<void>): JobHandler => ({
    name,
    work: (data) => work(asSystem(name), shape.parse(data)),
  })
  const every = (name: string, line: string, work: (ctx: Ctx) => Promise<void>): JobHandler => ({
    name,
    every: line,
    work: () => work(asSystem(name)),
  })
  const id = z.int()
  return [
    on('sales.refunded', z.object({ invoice_id: id, refunded: id, before: id }), tellRefunded),
    on('sales.end-subscription', z.object({ purchase_id: id }), (ctx, { purchase_id }) =>
      endNow(ctx, purchase_id, 'el banco retiró un cobro'),
    ),
    every('sales.refunds', '* * * * *', (ctx) => resumeRefunds(ctx, BATCH)),
  ]
}
