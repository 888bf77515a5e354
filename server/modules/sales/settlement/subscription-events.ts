/** The notification jobs for a change of a subscription, to be enqueued for after the commit. Pure. */

import type { PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Job } from '#server/platform/job-types.ts'

/** Compares two states of a purchase (V30, V33, V34). */
export function subscriptionEvents(before: PurchaseRow, now: PurchaseRow): Job[] {
  if (!now.is_subscription) return []
  const { purchase_id } = now
  const at = now.updatedAt.toISOString()
  const jobs: Job[] = []
  if (now.past_due_since && !before.past_due_since && now.status === 'active')
    jobs.push({ name: 'sales.past-due', data: { purchase_id, at } })
  if (now.status === 'cancelled' && before.status === 'active')
    jobs.push({
      name: 'sales.subscription-ended',
      data: { purchase_id, unpaid: before.past_due_since !== null && now.cancel_reason === null },
    })
  if ((now.paused_since === null) !== (before.paused_since === null) && now.status === 'active')
    jobs.push({ name: 'sales.subscription-paused', data: { purchase_id, at, paused: now.paused_since !== null } })
  return jobs
}
