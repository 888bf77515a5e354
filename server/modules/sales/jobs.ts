/** What happens to purchases by itself: notices, holds that end, outcomes that nobody knew, renewals, receipts. Every job may run twice. */
import * as z from 'zod'
import { byGateway } from '#server/adapters/queues.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { saveCardOf } from './checkout/cards.ts'
import { sendToGateways } from './gateway-jobs.ts'
import { receiptEmail } from './notifications/emails.ts'
import { isOpenAttempt, renewalNotificationDelayMs } from './rules.ts'
import { findPurchaseByVisit } from './sales.ts'
import {
  applyProcessorState,
  closeWaiting,
  gatewayOf,
  IN_FLIGHT_MS,
  markAttempt,
  refOf,
  returnStrayMoney,
} from './settlement/apply-processor-state.ts'
import { compareBooks } from './settlement/reconciliation.ts'
import { listRefundsDue } from './store/refund-store.ts'
import {
  findAttempt,
  findBuyer,
  findEvent,
  type GatewayFilter,
  listOverdue,
  listQuiet,
  listRenewing,
  listUndoneEvents,
  updateAttempt,
  updateEvent,
  updatePurchase,
} from './store/store.ts'
import { findView } from './store/view-store.ts'
import { receiptFor } from './views/receipts.ts'

/** How much one run of the sweeper takes on. */
const BATCH = 100
/** How long one round takes on something new; a call that is under way then ends within its own time-out, before the job's time is over. */
const SWEEP_MS = 45_000
/** A notice that was not understood so often is a person's to look at. */
const NOTICE_ALARM = 8
/** How far back the processors are asked: every quarter of an hour, and once a day. */
const RECENT_MS = 3_600_000
const RECONCILE_MS = 72 * 3_600_000

export const salesJobs: ModuleJob[] = [
  on(
    'sales.event',
    z.object({ provider_event_id: z.int() }),
    (ctx, { provider_event_id }) => handleEvent(ctx, provider_event_id),
    byGateway,
  ),
  on(
    'sales.keep-card',
    z.object({ payment_id: z.int() }),
    async (ctx, { payment_id }) => {
      const attempt = await findAttempt(ctx.db, payment_id)
      if (attempt) await saveCardOf(ctx, attempt)
    },
    byGateway,
  ),
  on(
    'sales.receipt',
    z.object({ purchase_id: z.int(), period: z.string() }),
    (ctx, { purchase_id, period }) => sendReceipt(ctx, purchase_id, period),
    'mail',
  ),
  on('sales.sweep-gateway', z.object({ gateway: z.string() }), (ctx, { gateway }) => sweep(ctx, { only: gateway }), byGateway),
  on(
    'sales.compare-books',
    z.object({ gateway: z.string(), recent: z.boolean() }),
    (ctx, { gateway, recent }) => (recent ? compareBooks(ctx, RECENT_MS, gateway) : reconcile(ctx, gateway)),
    'books',
  ),
  every('sales.sweep', '* * * * *', async (ctx) => {
    await sendToGateways(ctx, 'sales.sweep-gateway')
    // What was sold through a processor that is not configured any more is said in the log; nobody is asked.
    await sweep(ctx, { except: [...ctx.ports.gateways.keys()] })
  }),
  every('sales.reconcile-recent', '*/15 * * * *', (ctx) => sendToGateways(ctx, 'sales.compare-books', { recent: true })),
  every('sales.reconcile', '40 9 * * *', (ctx) => sendToGateways(ctx, 'sales.compare-books', { recent: false })),
]

/** Looks at everything that a notice is about. What fails is tried again by the sweeper, later each time (V18). */
export async function handleEvent(ctx: Ctx, provider_event_id: number): Promise<void> {
  const event = await findEvent(ctx.db, provider_event_id)
  if (!event || event.doneAt) return
  try {
    const { id: gateway } = gatewayOf(ctx, event.gateway)
    for (const { kind, id } of event.about) await applyProcessorState(ctx, { gateway, kind, id })
    await ctx.tx((tx) => updateEvent(tx, provider_event_id, { doneAt: ctx.now, last_error: null }))
  } catch (error) {
    const tries = event.tries + 1
    const details = { error, provider_event_id, tries }
    if (tries >= NOTICE_ALARM) ctx.studio.log.error(details, 'webhook.not_applicable')
    else ctx.studio.log.warn(details, 'webhook.apply_failed')
    await ctx.tx((tx) =>
      updateEvent(tx, provider_event_id, { tries, last_error: error instanceof Error ? error.message.slice(0, 500) : 'unknown' }),
    )
  }
}

/** One round of mending what was sold through one processor, or through all. What fails does not stop the rest; what there is no time for waits for the next round. */
export async function sweep(ctx: Ctx, which?: GatewayFilter): Promise<void> {
  const until = performance.now() + SWEEP_MS
  const each = async <T>(what: string, rows: readonly T[], work: (row: T) => Promise<unknown>) => {
    for (const row of rows) {
      if (performance.now() > until) return
      await work(row).catch((error: unknown) => ctx.studio.log.warn({ error, what }, 'sales.sweep_failed'))
    }
  }
  const ripe = (await listUndoneEvents(ctx.db, BATCH, which)).filter(
    (event) => event.receivedAt.getTime() + renewalNotificationDelayMs(event.tries) <= ctx.now.getTime(),
  )
  await each('notice', ripe, (event) => handleEvent(ctx, event.provider_event_id))
  await each('quiet', await listQuiet(ctx.db, new Date(ctx.now.getTime() - IN_FLIGHT_MS), BATCH, which), (attempt) =>
    askAgain(ctx, attempt.payment_id),
  )
  await each('overdue', await listOverdue(ctx.db, ctx.now, BATCH, which), (purchase) =>
    closeWaiting(ctx, purchase.purchase_id, { status: 'failed', reason: 'venció el plazo' }),
  )
  await each('renewal', await listRenewing(ctx.db, ctx.now, BATCH, which), async (attempt) => {
    await ctx.tx((tx) => updatePurchase(tx, attempt.purchase_id, { checkedAt: ctx.now }))
    const ref = refOf(ctx, attempt)
    if (ref) await applyProcessorState(ctx, ref)
  })
  await each('stray', [...new Set((await listRefundsDue(ctx.db, BATCH, which)).map((row) => row.purchase_id))], (purchase_id) =>
    returnStrayMoney(ctx, purchase_id),
  )
}

/** An attempt that nobody heard of for a while: the provider is asked; what it never had is over (V7). */
async function askAgain(ctx: Ctx, payment_id: number): Promise<void> {
  const before = await findAttempt(ctx.db, payment_id)
  if (!before || !isOpenAttempt(before.state)) return
  await findPurchaseByVisit(ctx, before.purchase_id)
  const after = await findAttempt(ctx.db, payment_id)
  if (!after || !isOpenAttempt(after.state)) return
  if (
    after.ref_id === null &&
    (await gatewayOf(ctx, after.gateway).find({ purchase: after.purchase_id, step: 'pay', n: after.n })) === null
  )
    await markAttempt(ctx, after, { state: 'refused', error_code: 'PAYMENT_TRY_LATER', error_message: 'The provider never had it.' })
  // Looked at now: the next round takes others first.
  else await ctx.tx((tx) => updateAttempt(tx, payment_id, { updatedAt: ctx.now }))
}

/** Everything of the last three days, once a day: what a lost notice left open is mended, what does not agree is reported. */
export function reconcile(ctx: Ctx, only?: string): Promise<void> {
  return compareBooks(ctx, RECONCILE_MS, only)
}

/** The receipt of a purchase or of a renewal, once per period. */
export async function sendReceipt(ctx: Ctx, purchase_id: number, period: string): Promise<void> {
  const view = await findView(ctx.db, purchase_id)
  const buyer = await findBuyer(ctx.db, view.purchase.customer_id)
  if (buyer.deletedAt) return
  const letter = receiptEmail(ctx.settings, ctx.studio.publicUrl, view, { name: buyer.name, period, zone: ctx.zone })
  const attachments = [await receiptFor(ctx, view, period)]
  await ctx.ports.mail.send({
    to: buyer.email,
    ...letter,
    attachments,
    messageId: `recibo-${purchase_id}-${period.replace(/[^A-Za-z0-9]/g, '')}`,
  })
}
