/** Access that staff grant and revoke by hand (V28; S1-7.11 to S1-7.13). Each change writes an audit row. */
import type * as z from 'zod'
import { periodsAfter } from '#contract/billing.ts'
import { refuse } from '#contract/errors.ts'
import { basePrice } from '#contract/money.ts'
import type { StudioPurchase, studioSales as wire } from '#contract/studio-sales.ts'
import { expiryAfter } from '#contract/time.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import { findPackage, type PackageWithTypes, takeStock } from '#server/modules/catalogue/catalogue.ts'
import { creditSummary, grantCredits, isAsGranted, revokeCredits, setLastDay, subtractClasses } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, recordUndo } from '#server/modules/people/people.ts'
import { type Received, readReceived, sellReceived } from '#server/modules/sales/checkout/counter.ts'
import { freeSlot, ONE_OFF } from '#server/modules/sales/rules.ts'
import { closeWaiting } from '#server/modules/sales/settlement/ending-attempts.ts'
import { releasePurchaseHolds } from '#server/modules/sales/settlement/purchase-holds.ts'
import { countUsed } from '#server/modules/sales/settlement/trials.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import {
  findPurchase,
  insertPurchase,
  listLive,
  listOpen,
  lockPurchase,
  type PurchaseRow,
  updatePurchase,
} from '#server/modules/sales/store/store.ts'
import { studioPurchase } from '#server/modules/sales/views/studio-lists.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'
import type { Tx } from '#server/platform/db.ts'
import { endNow } from './refunds.ts'

type Give = z.output<NonNullable<(typeof wire)['giveAccess']['~orpc']['inputSchema']>>

/**
 * Grants a package to a customer (V28): free for a gift; otherwise at its price, recorded as money received at the counter. A subscription
 * package is granted for one period. NOT_FOUND, PACKAGE_NOT_FOUND, PACKAGE_SOLD_OUT, PAYMENT_METHOD_UNAVAILABLE, PAYMENT_IN_PROGRESS;
 * OVER_LIMIT_REASON beyond the package's limit per customer, unless the input has `over_limit` with a reason.
 */
export async function giveAccess(ctx: Ctx, input: Give): Promise<{ purchase: StudioPurchase; undo: ActUndo | null }> {
  if (input.is_gift) ctx.require('credits.edit')
  await customerById(ctx.db, input.customer_id)
  const received = await readReceived(ctx, input, { needsTill: false, needsSlip: !input.is_gift && input.bill !== false })
  if (!input.is_gift) await endOpen(ctx, input)
  const { purchase_id, undo } = await ctx.once('sales.giveAccess', input, (tx) => openGiven(tx, ctx, input, received))
  return { purchase: await studioPurchase(ctx, purchase_id), undo }
}

/**
 * Ends the customer's unfinished purchases of the same package at their processors before it is sold at the counter (V5), so that none is
 * charged later.
 */
async function endOpen(ctx: Ctx, input: Give): Promise<void> {
  const open = await listOpen(ctx.db, input.customer_id, input.class_package_id)
  // Check the sale first: one that is refused must not end anything.
  const ids = open.map((purchase) => purchase.purchase_id)
  if (ids.length) await ctx.tx((tx) => givable(tx, ctx, input, ids))
  for (const { purchase_id } of open) {
    const { status } = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: 'se vendió en recepción' })
    if (status === 'pending') throw refuse('PAYMENT_IN_PROGRESS', { purchase_id })
  }
}

/**
 * The package to grant, and which of the customer's allowed purchases this is; null when it exceeds the limit, which needs a reason (V3,
 * V28).
 */
async function givable(
  tx: Tx,
  ctx: Ctx,
  input: Give,
  /** Purchases that are about to be ended and so do not count towards the limit. */
  without: readonly number[] = [],
): Promise<{ classPackage: PackageWithTypes; limit_slot: number | null }> {
  const { customer_id, class_package_id } = input
  const classPackage = await findPackage(tx, class_package_id)
  if (!classPackage || classPackage.deletedAt) throw refuse('PACKAGE_NOT_FOUND')
  const live = (await listLive(tx, customer_id, class_package_id)).filter((purchase) => !without.includes(purchase.purchase_id))
  const limit = classPackage.limit_per_customer
  if (limit === null || (await countUsed(tx, ctx, { customer_id, classPackage, live })) < limit)
    return {
      classPackage,
      limit_slot: freeSlot(
        live.map((purchase) => purchase.limit_slot),
        limit,
      ),
    }
  if (!input.over_limit || !input.reason) throw refuse('OVER_LIMIT_REASON', { limit })
  return { classPackage, limit_slot: null }
}

/** Days until a granted package expires: for a subscription package, one of its periods. */
function daysOf(ctx: Ctx, classPackage: PackageWithTypes, days: number | null): number {
  if (days !== null) return days
  if (!classPackage.is_subscription || !classPackage.subscription_period) return classPackage.expiration_days
  const end = periodsAfter(ctx.now, classPackage.subscription_period, classPackage.subscription_interval ?? 1, ctx.zone)
  return Math.round((end.getTime() - ctx.now.getTime()) / 86_400_000)
}

/** Money that was recorded is given back by a refund, so what was sold cannot be taken back. */
async function openGiven(tx: Tx, ctx: Ctx, input: Give, received: Received): Promise<{ purchase_id: number; undo: ActUndo | null }> {
  const { customer_id, class_package_id, package_days = null } = input
  const [is_gift, bill] = [input.is_gift ?? false, input.bill ?? true]
  await lockBuyer(tx, customer_id)
  const { classPackage, limit_slot } = await givable(tx, ctx, input)
  await takeStock(tx, class_package_id)
  const total = is_gift ? 0 : basePrice(classPackage.price_centavos, classPackage.sale_price_centavos)
  const expiration_days = daysOf(ctx, classPackage, package_days)
  const terms = {
    customer_id,
    class_package_id,
    title: classPackage.title,
    class_amount: classPackage.class_amount,
    expiration_days,
    is_gift,
    amount_centavos: total,
    total_centavos: total,
    holds_stock: true,
    limit_slot,
    request_hash: 'given',
  }
  const sold = total > 0 && bill
  const { purchase_id } = sold
    ? await sellReceived(tx, ctx, terms, received)
    : await insertPurchase(tx, {
        ...terms,
        payment_method_id: is_gift ? null : received.payment_method_id,
        location_id: received.location_id,
        staff_id: received.staff_id,
        gateway: 'gratis',
        status: 'completed',
        completedAt: ctx.now,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      })
  await ctx.audit(tx, {
    action: is_gift ? 'access.gift' : 'access.give',
    entity: 'purchase',
    entity_id: purchase_id,
    reason: input.reason || null,
    after: {
      customer_id,
      class_package_id,
      total_centavos: total,
      expiration_days,
      bill,
      over_limit: input.over_limit ?? false,
      payment_method: is_gift ? null : received.method,
    },
  })
  const until = package_days === null ? null : expiryAfter(ctx.now, package_days, ctx.zone)
  if (sold) {
    if (until) await setLastDay(tx, ctx, purchase_id, until)
    return { purchase_id, undo: null }
  }
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  await grantCredits(tx, ctx, {
    kind: 'package',
    customer_id,
    class_package_id,
    purchase_id,
    period: ONE_OFF,
    from: ctx.now,
    class_amount: classPackage.class_amount,
    expiration_days,
    title: classPackage.title,
    ...(until ? { until } : {}),
  })
  await tx.send({ name: 'sales.receipt', data: { purchase_id, period: ONE_OFF } })
  const label = `Se dio “${classPackage.title}” a :name.`
  return { purchase_id, undo: await recordUndo(tx, ctx, { customer_id, label, act: { kind: 'access', purchase_id } }) }
}

/**
 * Takes back access that was given without recording money (LA9). False, and nothing is written, when it was revoked, or something was done
 * with its credits, since.
 */
export async function takeBackAccess(tx: Tx, ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<boolean> {
  const seen = await findPurchase(tx, purchase_id)
  if (!seen) return false
  await lockBuyer(tx, seen.customer_id)
  const purchase = await lockPurchase(tx, purchase_id)
  if (purchase?.status !== 'completed' || !(await isAsGranted(tx, purchase_id))) return false
  await revokePurchase(tx, ctx, purchase, 'se deshizo')
  return true
}

/**
 * Revokes a purchase's access at once (V28): its remaining credits, the future reservations that they paid for, and its subscription.
 * Refunds no money. Idempotent. PURCHASE_NOT_FOUND, PURCHASE_CLOSED, PAYMENT_IN_PROGRESS.
 */
export async function revokeAccess(
  ctx: Ctx,
  input: { purchase_id: number; reason?: string | undefined },
): Promise<{ purchase: StudioPurchase }> {
  const { purchase_id, reason = '' } = input
  const seen = await purchaseHere(ctx, purchase_id)
  if (seen.status === 'pending') {
    const after = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: reason || 'el estudio quitó el acceso' })
    if (after.status === 'pending') throw refuse('PAYMENT_IN_PROGRESS', { purchase_id })
  }
  if (seen.status === 'failed') throw refuse('PURCHASE_CLOSED')
  if (seen.is_subscription && seen.status === 'active') await endNow(ctx, purchase_id, reason || 'el estudio quitó el acceso')
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, seen.customer_id)
    const purchase = await lockPurchase(tx, purchase_id)
    if (
      !purchase ||
      purchase.status === 'revoked' ||
      purchase.status === 'failed' ||
      (purchase.status === 'cancelled' && !purchase.completedAt)
    )
      return
    await revokePurchase(tx, ctx, purchase, reason)
  })
  return { purchase: await studioPurchase(ctx, purchase_id) }
}

/** Revokes a locked purchase's credits and releases what it holds; a job releases the reservations that they paid. */
async function revokePurchase(tx: Tx, ctx: Ctx, purchase: PurchaseRow, reason: string): Promise<void> {
  const { purchase_id, customer_id } = purchase
  await revokeCredits(tx, ctx, { purchase_id, period: null }, reason || 'el estudio quitó el acceso')
  await updatePurchase(tx, purchase_id, { ...(await releasePurchaseHolds(tx, ctx, purchase)), status: 'revoked', updatedAt: ctx.now })
  await ctx.audit(tx, {
    action: 'access.revoke',
    entity: 'purchase',
    entity_id: purchase_id,
    reason: reason || null,
    before: { status: purchase.status },
    after: { status: 'revoked' },
  })
  await tx.send({ name: 'bookings.release', data: { purchase_id } })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
}

/** Subtracts classes from a customer's credit lots, in spending order (V28). NOT_FOUND, NOT_ENOUGH_CLASSES. */
export async function removeClasses(
  ctx: Ctx,
  input: { customer_id: number; amount: number; reason?: string | undefined },
): Promise<{ removed: number; available: number; undo: ActUndo | null }> {
  const { customer_id, amount } = input
  const reason = input.reason || 'el estudio restó clases'
  await customerById(ctx.db, customer_id)
  const undo = await ctx.once('sales.removeClasses', input, async (tx) => {
    await lockBuyer(tx, customer_id)
    const subtracted = await subtractClasses(tx, ctx, { customer_id, amount, reason })
    await ctx.audit(tx, {
      action: 'credits.subtract',
      entity: 'customer',
      entity_id: customer_id,
      after: { amount, lots: subtracted },
      reason,
    })
    const label = amount === 1 ? 'Se restó 1 clase a :name.' : `Se restaron ${amount} clases a :name.`
    return recordUndo(tx, ctx, { customer_id, label, act: { kind: 'subtraction', lots: subtracted } })
  })
  return { removed: amount, available: (await creditSummary(ctx, customer_id)).available, undo }
}
