/** Begins subscriptions of another system on the day of their first charge (docs/domain.md V62). */
import { Refusal, refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { localDate } from '#contract/time.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { priceOfPending } from '#server/modules/sales/aftersales/pending-subscriptions.ts'
import { findBuyer, lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { findSource } from '#server/modules/sales/store/card-store.ts'
import {
  findPending,
  listDuePending,
  lockPending,
  type PendingRow,
  subscriptionTo,
  updatePending,
} from '#server/modules/sales/store/pending-subscription-store.ts'
import { findPurchase } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { type OrderMethod, settleOrder, writeOrder } from './orders.ts'

/** Subscriptions that begin in one run. */
const BATCH = 100

/** Queues the beginning of each one with a card whose day has come. */
export async function startDuePending(ctx: Ctx): Promise<void> {
  const due = await listDuePending(ctx.db, localDate(ctx.now, ctx.zone), BATCH)
  await ctx.tx(async (tx) => {
    for (const { pending_subscription_id, gateway } of due)
      await tx.send({ name: 'sales.start-pending', data: { pending_subscription_id, gateway }, key: String(pending_subscription_id) })
  })
}

/**
 * Begins a pending subscription: an order at the agreed price on the card of its customer; when the bank refuses it, the customer gets a
 * link (S8). Idempotent: the order is found again by its key. Throws while an outcome is unknown. It waits while its customer is frozen,
 * and never begins when the customer has that subscription already.
 */
export async function startPending(ctx: Ctx, { pending_subscription_id }: { pending_subscription_id: number }): Promise<void> {
  const pending = await findPending(ctx.db, pending_subscription_id)
  if (!pending || pending.cancelledAt || pending.payment_source_id === null) return
  try {
    await charge(ctx, pending, pending.payment_source_id)
  } catch (error) {
    if (!isFinalNo(error)) throw error
    try {
      await charge(ctx, pending, null)
    } catch (last) {
      if (!isFinalNo(last)) throw last
      await giveUp(ctx, pending, last)
    }
  }
}

const isFinalNo = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code !== 'PAYMENT_IN_PROGRESS' && error.code !== 'PAYMENT_TRY_LATER' && error.code !== 'BUSY'

/** Opens the order, or finds the one that an earlier run opened, and charges it. `payment_source_id` null: by its customer, with a link. */
async function charge(ctx: Ctx, { pending_subscription_id, customer_id }: PendingRow, payment_source_id: number | null): Promise<void> {
  const idempotencyKey = `pending-${pending_subscription_id}${payment_source_id === null ? '-link' : ''}`
  const by = new Ctx(ctx.studio, { actor: ctx.actor, requestId: ctx.requestId, idempotencyKey })
  const method = await cardOrLink(by, customer_id, payment_source_id)
  const opened = await by.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    const pending = await lockPending(tx, pending_subscription_id)
    if (!pending || pending.cancelledAt) return null
    if (pending.customer_id !== customer_id) throw new Error('The customer was merged meanwhile: the next attempt finds who it is of now.')
    const before = pending.purchase_id === null ? null : await findPurchase(tx, pending.purchase_id)
    // An earlier run made it: its payment link, or this very charge, whose outcome is read next.
    if (before && (before.idempotency_key === idempotencyKey || before.status === 'pending')) return before
    if (before && (before.status !== 'failed' || payment_source_id !== null)) return null
    if (!before && pending.paused_with_customer) return null
    const { class_package_id } = pending
    const other = await subscriptionTo(tx, { customer_id, class_package_id, except: pending.purchase_id })
    if (other === 'active') await takeOff(tx, by, pending, { code: 'ALREADY_EXISTS', message: 'Ya tiene esta suscripción.' })
    // After a refused card it becomes an order with a link all the same.
    if (other === 'active' || (other && !before)) return null
    const buyer = await findBuyer(tx, customer_id)
    if (buyer.deletedAt) throw refuse('NOT_FOUND')
    if (buyer.email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
    const { pack, total } = await priceOfPending(tx, pending)
    const order = {
      customer_id,
      location_id: null,
      payment_source_id,
      shown: { total: pesos(total) },
      line: { kind: 'package' as const, class_package_id: pack.class_package_id, quantity: 1, agreed: pending.price_centavos },
    }
    const hash = requestHash('pending-subscription', { pending_subscription_id })
    const purchase = await writeOrder(tx, by, order, { method, hash, ending: [], staff_id: pending.staff_id })
    await updatePending(tx, pending_subscription_id, { purchase_id: purchase.purchase_id })
    return purchase
  })
  if (opened) await settleOrder(by, opened.purchase_id)
}

/** Like a card link, regardless of whether the studio saves cards at the checkout. PAYMENT_SOURCE_NOT_FOUND, PAYMENT_METHOD_UNAVAILABLE. */
async function cardOrLink(ctx: Ctx, customer_id: number, payment_source_id: number | null): Promise<OrderMethod> {
  const source = payment_source_id === null ? null : await findSource(ctx.db, customer_id, payment_source_id)
  if (payment_source_id !== null && !source) throw refuse('PAYMENT_SOURCE_NOT_FOUND')
  const gateway = source ? ctx.ports.gateways.get(source.gateway) : ctx.ports.cards
  if (!gateway) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  return { gateway, source }
}

async function giveUp(ctx: Ctx, pending: PendingRow, error: Refusal): Promise<void> {
  const { pending_subscription_id } = pending
  ctx.studio.log.error({ error, pending_subscription_id }, 'pending_subscription.not_started')
  await ctx.tx((tx) => takeOff(tx, ctx, pending, { code: error.code, message: error.message }))
}

/** Ends one that never began; the audit trail has why. */
async function takeOff(tx: Tx, ctx: Ctx, { pending_subscription_id, customer_id }: PendingRow, after: { code: string; message: string }) {
  await updatePending(tx, pending_subscription_id, { cancelledAt: ctx.now })
  await ctx.audit(tx, { action: 'subscription.pending_failed', entity: 'customer', entity_id: customer_id, after })
}
