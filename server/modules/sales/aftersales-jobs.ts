/** Jobs after a sale: open refunds, subscriptions that have to end, notifications. Every job may run twice. */
import * as z from 'zod'
import { byGateway } from '#server/adapters/queues.ts'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { endNow, resumeRefunds } from './aftersales/refunds.ts'
import { announceRenewals, endLeftSubscription, endSubscriptions, endUnpaidSubscriptions } from './aftersales/subscriptions.ts'
import { sendToGateways } from './gateway-jobs.ts'
import {
  notifyCardChanged,
  notifyPastDue,
  notifyPlanChange,
  notifyRefunded,
  notifyRefundOwed,
  notifyRenewal,
  notifySubscriptionEnded,
  notifySubscriptionPaused,
  notifyUnclaimedTransfer,
} from './notifications/notifications.ts'
import { forgetCardLinks } from './store/card-link-store.ts'
import { startDueChanges, startScheduledPlan, stopAtPeriodEnd, stopReplaced } from './till/plan-changes.ts'
import { startDuePending, startPending } from './till/start-pending.ts'
import { checkTotals, mergeTotals } from './views/invoice-totals.ts'

/** How many rows one run processes. */
const BATCH = 50
/** How long expired links are stored, in days: until then they answer that they expired, afterwards that they are unknown. */
const STORED_DAYS = 90

const id = z.int()
const events = z.object({ purchase_id: id, at: z.string() })

export const afterSalesJobs: ModuleJob[] = [
  sentJob('sales.refunded', z.object({ invoice_id: id, refunded: id, before: id, at: z.string() }), notifyRefunded),
  sentJob('sales.refund-owed', z.object({ money_difference_id: id }), notifyRefundOwed),
  sentJob(
    'sales.end-subscription',
    z.object({ purchase_id: id, reason: z.string().default('el banco retiró un cobro') }),
    (ctx, { purchase_id, reason }) => endNow(ctx, purchase_id, reason),
    byGateway,
  ),
  sentJob('sales.stop-replaced', z.object({ purchase_id: id }), stopReplaced, byGateway),
  sentJob('sales.stop-at-period-end', z.object({ purchase_id: id }), stopAtPeriodEnd, byGateway),
  sentJob('sales.start-plan', z.object({ plan_change_id: id }), startScheduledPlan, byGateway),
  sentJob('sales.start-pending', z.object({ pending_subscription_id: id }), startPending, byGateway),
  sentJob('sales.plan-change-notice', z.object({ purchase_id: id }), notifyPlanChange),
  sentJob('sales.account-left', z.object({ customer_id: id }), endSubscriptions),
  sentJob('sales.end-left-subscription', z.object({ purchase_id: id }), endLeftSubscription, byGateway),
  sentJob(
    'sales.resume-refunds',
    z.object({ gateway: z.string() }),
    (ctx, { gateway }) => resumeRefunds(ctx, BATCH, { only: gateway }),
    byGateway,
  ),
  sentJob(
    'sales.unclaimed-money',
    z.object({
      gateway: z.string(),
      movement: z.string(),
      customer_id: id,
      amount: id,
      returned: z.boolean(),
      reusable: z.boolean().default(true),
    }),
    notifyUnclaimedTransfer,
  ),
  sentJob('sales.renewal-notice', events, notifyRenewal),
  sentJob('sales.past-due', events, notifyPastDue),
  sentJob('sales.subscription-ended', z.object({ purchase_id: id, unpaid: z.boolean() }), notifySubscriptionEnded),
  sentJob('sales.subscription-paused', events.extend({ paused: z.boolean() }), notifySubscriptionPaused),
  sentJob('sales.card-changed', events, notifyCardChanged),
  scheduledJob('sales.renewal-notices', '25 * * * *', announceRenewals),
  scheduledJob('sales.plan-changes', '*/10 * * * *', startDueChanges),
  scheduledJob('sales.pending-subscriptions', '5-55/10 * * * *', startDuePending),
  scheduledJob('sales.unpaid-subscriptions', '35 * * * *', endUnpaidSubscriptions),
  scheduledJob('sales.forget-links', '13 5 * * *', (ctx) =>
    ctx.tx((tx) => forgetCardLinks(tx, new Date(ctx.now.getTime() - STORED_DAYS * 86_400_000))),
  ),
  scheduledJob('sales.merge-totals', '45 * * * *', mergeTotals, 'upkeep'),
  scheduledJob('sales.check-totals', '55 9 * * *', checkTotals, 'upkeep'),
  scheduledJob('sales.refunds', '* * * * *', async (ctx) => {
    await sendToGateways(ctx, 'sales.resume-refunds')
    await resumeRefunds(ctx, BATCH, { except: [...ctx.ports.gateways.keys()] })
  }),
]
