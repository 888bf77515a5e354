/** Jobs after a sale: open refunds, subscriptions that have to end, notifications. Every job may run twice. */
import * as z from 'zod'
import { byGateway } from '#server/adapters/queues.ts'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { endNow, resumeRefunds } from './aftersales/refunds.ts'
import { announceRenewals, endLeftSubscription, endSubscriptionsOf, endUnpaidSubscriptions } from './aftersales/subscriptions.ts'
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

/** How many rows one run processes. */
const BATCH = 50
/** How long expired links are stored, in days: until then they answer that they expired, afterwards that they are unknown. */
const STORED_DAYS = 90

const id = z.int()
const events = z.object({ purchase_id: id, at: z.string() })

export const afterSalesJobs: ModuleJob[] = [
  on('sales.refunded', z.object({ invoice_id: id, refunded: id, before: id, at: z.string() }), notifyRefunded),
  on('sales.refund-owed', z.object({ money_difference_id: id }), notifyRefundOwed),
  on(
    'sales.end-subscription',
    z.object({ purchase_id: id, reason: z.string().default('el banco retiró un cobro') }),
    (ctx, { purchase_id, reason }) => endNow(ctx, purchase_id, reason),
    byGateway,
  ),
  on('sales.stop-replaced', z.object({ purchase_id: id }), stopReplaced, byGateway),
  on('sales.stop-at-period-end', z.object({ purchase_id: id }), stopAtPeriodEnd, byGateway),
  on('sales.start-plan', z.object({ plan_change_id: id }), startScheduledPlan, byGateway),
  on('sales.start-pending', z.object({ pending_subscription_id: id }), startPending, byGateway),
  on('sales.plan-change-notice', z.object({ purchase_id: id }), notifyPlanChange),
  on('sales.account-left', z.object({ customer_id: id }), endSubscriptionsOf),
  on('sales.end-left-subscription', z.object({ purchase_id: id }), endLeftSubscription, byGateway),
  on(
    'sales.resume-refunds',
    z.object({ gateway: z.string() }),
    (ctx, { gateway }) => resumeRefunds(ctx, BATCH, { only: gateway }),
    byGateway,
  ),
  on(
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
  on('sales.renewal-notice', events, notifyRenewal),
  on('sales.past-due', events, notifyPastDue),
  on('sales.subscription-ended', z.object({ purchase_id: id, unpaid: z.boolean() }), notifySubscriptionEnded),
  on('sales.subscription-paused', events.extend({ paused: z.boolean() }), notifySubscriptionPaused),
  on('sales.card-changed', events, notifyCardChanged),
  every('sales.renewal-notices', '25 * * * *', announceRenewals),
  every('sales.plan-changes', '*/10 * * * *', startDueChanges),
  every('sales.pending-subscriptions', '5-55/10 * * * *', startDuePending),
  every('sales.unpaid-subscriptions', '35 * * * *', endUnpaidSubscriptions),
  every('sales.forget-links', '13 5 * * *', (ctx) =>
    ctx.tx((tx) => forgetCardLinks(tx, new Date(ctx.now.getTime() - STORED_DAYS * 86_400_000))),
  ),
  every('sales.refunds', '* * * * *', async (ctx) => {
    await sendToGateways(ctx, 'sales.resume-refunds')
    await resumeRefunds(ctx, BATCH, { except: [...ctx.ports.gateways.keys()] })
  }),
]
