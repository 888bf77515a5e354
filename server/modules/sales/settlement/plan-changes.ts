/**
 * Changes of a subscription to another package: what is left of the paid period, and the end of the plan that was replaced (V53 to V55).
 */
import { daysBetween } from '#contract/day-count.ts'
import { refuse } from '#contract/errors.ts'
import { type Centavos, formatMoney } from '#contract/money.ts'
import { localDate } from '#contract/time.ts'
import type { PackageWithTypes } from '#server/modules/catalogue/catalogue.ts'
import { countRemainingCredits, endCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isLate, ONE_OFF, refundableAmount, TRIAL, unusedPart } from '#server/modules/sales/rules.ts'
import {
  findChangeTo,
  findScheduledChange,
  findWaitingReplacement,
  insertPlanChange,
  type PlanChangeRow,
  updatePlanChange,
} from '#server/modules/sales/store/plan-change-store.ts'
import { findPurchaseAt } from '#server/modules/sales/store/purchase-filter-store.ts'
import { listInvoices, lockPurchase, type PurchaseRow, updatePurchase } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

/** A subscription is not replaced this shortly before its renewal, which may have started already. */
export const RENEWAL_MARGIN_MS = 86_400_000
/** The link of a new plan ends this long before the old one renews; a page of the processor that is open then ends within it. */
const PAYMENT_MARGIN_MS = 3_600_000
const LIVE: ReadonlySet<string> = new Set(['active', 'cancelled', 'completed'])
const REASON = 'cambio de plan'

/** What is left of the plan that a package replaces. */
export interface Replaced {
  purchase: PurchaseRow
  /** The unused part of what was paid. */
  credit: Centavos
  /** The end of the paid period; null: it has none yet. */
  period_end: Date | null
  /** Days that are left of it; null: they do not count. */
  days_left: number | null
  /** Unused credits of the period; null: unlimited, or none. */
  credits_left: number | null
}

interface PlanRequest {
  purchase_id: number
  customer_id: number
  classPackage: Pick<PackageWithTypes, 'class_package_id' | 'is_subscription'>
}

/**
 * The plan of a purchase that may be changed, behind its customer's lock. PURCHASE_NOT_FOUND, PLAN_NOT_CHANGEABLE with `why`,
 * PLAN_CHANGE_WAITING.
 */
export async function changeablePlan(tx: Tx, ctx: Ctx, { purchase_id, customer_id, classPackage }: PlanRequest): Promise<PurchaseRow> {
  const purchase = await findPurchaseAt(tx, purchase_id, ctx.locationIds)
  if (!purchase || purchase.customer_id !== customer_id) throw refuse('PURCHASE_NOT_FOUND')
  if ((await findScheduledChange(tx, purchase_id)) || (await findWaitingReplacement(tx, purchase_id))) throw refuse('PLAN_CHANGE_WAITING')
  const why = whyNotChangeable(purchase, classPackage, ctx.now)
  if (why) throw refuse('PLAN_NOT_CHANGEABLE', { why })
  return purchase
}

function whyNotChangeable(purchase: PurchaseRow, classPackage: PlanRequest['classPackage'], now: Date): string | null {
  const { is_subscription, status, benefits_until } = purchase
  if (!classPackage.is_subscription) return 'el paquete nuevo no es una suscripción'
  if (purchase.class_package_id === classPackage.class_package_id) return 'ya tiene ese plan'
  if (purchase.frozenAt) return 'un banco revisa uno de sus cargos'
  if (!is_subscription) return status === 'completed' ? null : 'ya no está vigente'
  if (status !== 'active') return 'ya terminó o está cancelado'
  if (purchase.past_due_since) return 'debe una renovación'
  if (purchase.paused_since) return 'está en pausa'
  return benefits_until && benefits_until > now ? null : 'su renovación está en camino'
}

/**
 * What a package replaces from now on, and the part of its price that is paid already (V53). Besides the refusals of `changeablePlan`:
 * PLAN_RENEWS_SOON, PLAN_CREDIT_TOO_HIGH when the unused part is not less than `price`.
 */
export async function planReplacedNow(
  tx: Tx,
  ctx: Ctx,
  { price, prorate, ...of }: PlanRequest & { price: Centavos; prorate: boolean },
): Promise<Replaced> {
  const purchase = await changeablePlan(tx, ctx, of)
  const { is_subscription, benefits_until } = purchase
  if (is_subscription && benefits_until && benefits_until.getTime() - ctx.now.getTime() < RENEWAL_MARGIN_MS)
    throw refuse('PLAN_RENEWS_SOON')
  const replaced = await unusedOf(tx, ctx, purchase)
  if (!prorate) return { ...replaced, credit: 0, days_left: null }
  if (replaced.credit > 0 && replaced.credit >= price) throw refuse('PLAN_CREDIT_TOO_HIGH', { credit: formatMoney(replaced.credit) })
  return replaced
}

async function unusedOf(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<Replaced> {
  const { is_subscription, total_centavos } = purchase
  const { paid, taken, credits, lots, from } = await paidPeriod(tx, ctx, purchase)
  const period_end = is_subscription ? purchase.benefits_until : lots.expires_at
  if (!is_subscription && taken < total_centavos) throw refuse('PLAN_NOT_CHANGEABLE', { why: 'todavía se debe una parte' })
  // The lots of a period at the counter are its only end.
  if (!is_subscription && lots.granted === 0 && !lots.unlimited) throw refuse('PLAN_NOT_CHANGEABLE', { why: 'ya venció' })
  const day = (at: Date) => localDate(at, ctx.zone)
  const days = period_end ? { left: daysBetween(day(ctx.now), day(period_end)), all: daysBetween(day(from), day(period_end)) } : null
  return {
    purchase,
    period_end,
    credit: unusedPart(paid, days ?? ALL, credits),
    days_left: days ? days.left : null,
    credits_left: credits ? credits.left : null,
  }
}

const ALL = { left: 1, all: 1 }

/** What was paid for the running period of a purchase, and the credits that are left of it. */
async function paidPeriod(tx: Tx, ctx: Ctx, purchase: PurchaseRow) {
  const { purchase_id, is_subscription } = purchase
  const charges = (await listInvoices(tx, purchase_id)).filter((invoice) => !isLate(invoice.period))
  // The last charge of a subscription; a purchase at the counter may have several for its only period.
  const last = charges.reduce<(typeof charges)[number] | null>(
    (found, charge) => (!found || charge.period > found.period ? charge : found),
    null,
  )
  const period = is_subscription ? (last?.period ?? TRIAL) : ONE_OFF
  const own = charges.filter((charge) => charge.period === period)
  const paidAmount = own.reduce((sum, charge) => sum + charge.total_centavos, 0)
  const creditLots = await countRemainingCredits(tx, { purchase_id, period }, ctx.now)
  return {
    taken: paidAmount,
    paid: own.reduce((sum, charge) => sum + refundableAmount(charge), 0),
    lots: creditLots,
    credits:
      creditLots.unlimited || creditLots.granted === 0
        ? null
        : { left: Math.min(creditLots.credits, creditLots.granted), granted: creditLots.granted },
    from: is_subscription && last ? new Date(last.period) : (purchase.completedAt ?? purchase.createdAt),
  }
}

/**
 * Whether the order of a new plan may still be paid at its price: false once more of the old plan was used, or of its money refunded, than
 * its credit assumed (V54). True for every other order.
 */
export async function isCreditStillThere(tx: Tx, ctx: Ctx, purchase_id: number): Promise<boolean> {
  const change = await findChangeTo(tx, purchase_id)
  if (!change || change.doneAt || change.credit_centavos === 0) return true
  const old = await lockPurchase(tx, change.purchase_id)
  if (!old || old.frozenAt || !LIVE.has(old.status)) return false
  const { paid, credits } = await paidPeriod(tx, ctx, old)
  return unusedPart(paid, ALL, credits) >= change.credit_centavos
}

/** Records that a purchase takes the place of another plan; `finishPlanChange` concludes it once it is paid. */
export async function recordReplacement(
  tx: Tx,
  ctx: Ctx,
  { replaced, by, staff_id }: { replaced: Replaced; by: PurchaseRow; staff_id: number },
): Promise<PlanChangeRow> {
  if (by.class_package_id === null) throw new Error(`The purchase ${by.purchase_id} is of no package.`)
  return insertPlanChange(tx, {
    purchase_id: replaced.purchase.purchase_id,
    replaced_by: by.purchase_id,
    class_package_id: by.class_package_id,
    starts: 'now',
    credit_centavos: replaced.credit,
    total_centavos: by.total_centavos,
    period_end: replaced.period_end,
    location_id: by.location_id,
    staff_id,
    createdAt: ctx.now,
  })
}

/** Until when the order of a new plan may be paid: before the old one renews. Null: it replaces none, or one that does not renew. */
export async function payableUntil(tx: Tx, purchase_id: number): Promise<Date | null> {
  const change = await findChangeTo(tx, purchase_id)
  if (!change || change.starts === 'next_period' || change.period_end === null) return null
  return new Date(change.period_end.getTime() - PAYMENT_MARGIN_MS)
}

/** Releases what a purchase holds; from the settlement of purchases. */
type Release = (tx: Tx, ctx: Ctx, purchase: PurchaseRow) => Promise<Partial<PurchaseRow>>

/**
 * Ends the plan that a purchase replaces, in the transaction that pays it (V54). Its unused credits expire now, and what was booked with
 * the used ones stays. A job cancels it at its processor; a period that was charged meanwhile is refunded. Does nothing for other
 * purchases. Idempotent.
 */
export async function finishPlanChange(tx: Tx, ctx: Ctx, { purchase_id: replaced_by }: PurchaseRow, release: Release): Promise<void> {
  const change = await findChangeTo(tx, replaced_by)
  if (!change || change.doneAt) return
  await updatePlanChange(tx, change.plan_change_id, { doneAt: ctx.now })
  const old = await lockPurchase(tx, change.purchase_id)
  // A scheduled change begins after the old plan has ended by itself.
  if (!old || change.starts === 'next_period') return
  const { purchase_id, status, gateway } = old
  // A lot can be used until the instant of its expiry.
  await endCredits(tx, ctx, purchase_id, new Date(ctx.now.getTime() - 1), REASON)
  if (old.is_subscription && (status === 'active' || status === 'cancelled')) {
    await updatePurchase(tx, purchase_id, {
      ...(status === 'active'
        ? { ...(await release(tx, ctx, old)), status: 'cancelled', cancelledAt: ctx.now, cancel_reason: REASON }
        : {}),
      benefits_until: ctx.now,
      past_due_since: null,
      paused_since: null,
      updatedAt: ctx.now,
    })
    await tx.send({ name: 'sales.stop-replaced', data: { purchase_id, gateway } })
  }
  await ctx.audit(tx, {
    action: 'subscription.change_plan',
    entity: 'purchase',
    entity_id: purchase_id,
    before: { status },
    after: { replaced_by, credit_centavos: change.credit_centavos },
  })
  tx.notify({ topic: 'purchase', purchase_id, customer_id: old.customer_id })
}
