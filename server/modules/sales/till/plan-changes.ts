/** Staff change a subscription to another package: now, or when the paid period ends (docs/domain.md V53 to V56). */
import type * as z from 'zod'
import type { CounterOrder } from '#contract/counter-orders.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { basePrice, type Centavos, formatMoney, parsePesos, pesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import type { PlanQuote, studioSubscriptions as wire } from '#contract/studio-subscriptions.ts'
import { formatInstant } from '#contract/time.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import { findPackage, type PackageWithTypes } from '#server/modules/catalogue/catalogue.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { refundPurchase } from '#server/modules/sales/aftersales/refunds.ts'
import { endSubscription, subscribedBy } from '#server/modules/sales/aftersales/subscriptions.ts'
import { freezeTerms, subscriptionPlan } from '#server/modules/sales/rules.ts'
import { apply } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { changeablePlan, planReplacedNow, type Replaced } from '#server/modules/sales/settlement/plan-changes.ts'
import { leaveRefundToStaff } from '#server/modules/sales/settlement/regressions.ts'
import { findBuyer, lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import {
  findPlanChange,
  findScheduledChange,
  insertPlanChange,
  listChargesAfterChange,
  listDueChanges,
  type PlanChangeRow,
  updatePlanChange,
} from '#server/modules/sales/store/plan-change-store.ts'
import { findPurchase, listAttempts, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import { studioPurchase } from '#server/modules/sales/views/studio-lists.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'
import type { Tx } from '#server/platform/db.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { type OrderMethod, openOrder, resolvePaymentMethod, settleOrder, writeOrder } from './orders.ts'

type Input = z.output<NonNullable<(typeof wire)['changePlan']['~orpc']['inputSchema']>>

/** Scheduled changes that begin in one run. */
const BATCH = 100
const RENEWS = { day: ['día', 'días'], month: ['mes', 'meses'], year: ['año', 'años'] } as const

/**
 * Changes a subscription to another package (V53, V55). A dry run answers what it costs and changes. `now` opens an order whose payment
 * ends the old plan, once per `Idempotency-Key`; `next_period` schedules it. PURCHASE_NOT_FOUND, PACKAGE_NOT_FOUND, PLAN_NOT_CHANGEABLE,
 * PLAN_CHANGE_WAITING, PLAN_RENEWS_SOON, PLAN_CREDIT_TOO_HIGH, PRICE_CHANGED, and the refusals of an order.
 */
export async function changePlan(
  ctx: Ctx,
  input: Input,
): Promise<{ purchase: StudioPurchase; order: CounterOrder | null; quote: PlanQuote | null }> {
  const { purchase_id, class_package_id, when, prorate, payment_source_id, shown, dry_run } = input
  if (!dry_run) ctx.require('sales.sell')
  const old = await purchaseHere(ctx, purchase_id)
  if (!dry_run && !shown) throw refuse('INVALID_INPUT', { field: 'shown' })
  if (dry_run || !shown) {
    const quote = await dryRun(ctx, (tx) => (when === 'now' ? quoteNow(tx, ctx, input, old) : quoteLater(tx, ctx, input, old)))
    return { purchase: await studioPurchase(ctx, purchase_id), order: null, quote }
  }
  if (when === 'now') {
    const order = await openOrder(ctx, {
      customer_id: old.customer_id,
      location_id: input.location_id ?? old.location_id,
      payment_source_id,
      shown,
      line: { kind: 'package', class_package_id, quantity: 1, with_credit: false, replaces: { purchase_id, prorate } },
    })
    return { purchase: await studioPurchase(ctx, purchase_id), order, quote: null }
  }
  const quote = await schedule(ctx, input, old, shown.total)
  await stopAtPeriodEnd(ctx, { purchase_id }).catch((error: unknown) => {
    if (!(error instanceof PaymentError)) throw error
    // The job that was written with the change repeats it.
    ctx.studio.log.error({ error, purchase_id }, 'subscription.cancel_failed')
  })
  return { purchase: await studioPurchase(ctx, purchase_id), order: null, quote }
}

/** The package of the new plan and its price. PACKAGE_NOT_FOUND. */
async function newPlan(tx: Tx, class_package_id: number): Promise<{ classPackage: PackageWithTypes; price: Centavos }> {
  const classPackage = await findPackage(tx, class_package_id)
  if (!classPackage || classPackage.deletedAt) throw refuse('PACKAGE_NOT_FOUND')
  return { classPackage, price: basePrice(classPackage.price_centavos, classPackage.sale_price_centavos) }
}

async function quoteNow(tx: Tx, ctx: Ctx, { purchase_id, class_package_id, prorate }: Input, old: PurchaseRow): Promise<PlanQuote> {
  await lockBuyer(tx, old.customer_id)
  const { classPackage, price } = await newPlan(tx, class_package_id)
  const replaced = await planReplacedNow(tx, ctx, { purchase_id, customer_id: old.customer_id, classPackage, price, prorate })
  const total = price - replaced.credit
  return {
    title: classPackage.title,
    starts_at: ctx.now.toISOString(),
    price: pesos(price),
    credit: pesos(replaced.credit),
    total: pesos(total),
    next_total: pesos(price),
    days_left: replaced.days_left,
    credits_left: replaced.credits_left,
    consequence: consequenceNow(ctx, { classPackage, price, total, replaced }),
  }
}

function consequenceNow(
  ctx: Ctx,
  { classPackage, price, total, replaced }: { classPackage: PackageWithTypes; price: Centavos; total: Centavos; replaced: Replaced },
): string {
  const { credit, days_left, credits_left, period_end } = replaced
  const until = days_left !== null && period_end ? ` hasta el ${formatInstant(period_end, ctx.zone, 'date')}` : ''
  const less = credit > 0 ? `: ${formatMoney(price)} menos ${formatMoney(credit)} que le quedan pagados${until}` : ''
  const lost =
    credits_left === null || credits_left === 0
      ? ''
      : credits_left === 1
        ? ' La clase que le queda se quita.'
        : ` Las ${credits_left} clases que le quedan se quitan.`
  return `Paga hoy ${formatMoney(total)}${less}. ${classPackage.title} empieza hoy.${lost} Lo que ya reservó se queda.`
}

async function quoteLater(tx: Tx, ctx: Ctx, input: Input, old: PurchaseRow): Promise<PlanQuote> {
  await lockBuyer(tx, old.customer_id)
  const { classPackage, price } = await newPlan(tx, input.class_package_id)
  const purchase = await changeablePlan(tx, ctx, { purchase_id: old.purchase_id, customer_id: old.customer_id, classPackage })
  const [attempt] = (await listAttempts(tx, old.purchase_id)).filter(
    (attempt) => attempt.ref_kind === 'subscription' && attempt.ref_id !== null,
  )
  if (!purchase.is_subscription || !attempt || !purchase.benefits_until)
    throw refuse('PLAN_NOT_CHANGEABLE', { why: 'no se renueva; cámbialo ahora o véndele el nuevo cuando termine' })
  if (attempt.state === 'trialing') throw refuse('PLAN_NOT_CHANGEABLE', { why: 'está en su prueba, que terminaría hoy; cámbialo ahora' })
  const ends = formatInstant(purchase.benefits_until, ctx.zone, 'date')
  return {
    title: classPackage.title,
    starts_at: purchase.benefits_until.toISOString(),
    price: pesos(price),
    credit: pesos(0),
    total: pesos(price),
    next_total: pesos(price),
    days_left: null,
    credits_left: null,
    consequence: `Conserva lo que pagó hasta el ${ends}. Ese día empieza ${classPackage.title} y se cobran ${formatMoney(price)}, ${everyOf(classPackage)}. Hoy no se cobra nada.`,
  }
}

function everyOf({ subscription_period, subscription_interval }: PackageWithTypes): string {
  const [singular, many] = RENEWS[subscription_period ?? 'month']
  const n = subscription_interval ?? 1
  return n === 1 ? `y después cada ${singular}` : `y después cada ${n} ${many}`
}

/** Writes a change that begins when the paid period ends. The job written with it ends the renewals, should this process die now. */
async function schedule(ctx: Ctx, input: Input, old: PurchaseRow, shown: string): Promise<PlanQuote | null> {
  const { purchase_id, class_package_id } = input
  const payment_source_id = input.payment_source_id ?? null
  const method = await resolvePaymentMethod(ctx, { customer_id: old.customer_id, payment_source_id })
  if ((await findBuyer(ctx.db, old.customer_id)).email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
  return ctx.tx(async (tx) => {
    await lockBuyer(tx, old.customer_id)
    const known = await findScheduledChange(tx, purchase_id)
    // A repetition of the same request.
    if (known?.class_package_id === class_package_id && known.payment_source_id === payment_source_id) return null
    const quote = await quoteLater(tx, ctx, input, old)
    const total = parsePesos(quote.total) ?? 0
    if (parsePesos(shown) !== total) throw refuse('PRICE_CHANGED', { price: quote.total, total: quote.total })
    const { classPackage } = await newPlan(tx, class_package_id)
    assertChargeable(ctx, method, classPackage, total)
    await insertPlanChange(tx, {
      purchase_id,
      class_package_id,
      starts: 'next_period',
      credit_centavos: 0,
      total_centavos: total,
      payment_source_id,
      period_end: old.benefits_until,
      location_id: input.location_id ?? old.location_id,
      staff_id: ctx.staff?.staff_id ?? 0,
      createdAt: ctx.now,
    })
    await tx.send({ name: 'sales.stop-at-period-end', data: { purchase_id, gateway: old.gateway } })
    await tx.send({ name: 'sales.plan-change-notice', data: { purchase_id } })
    await ctx.audit(tx, {
      action: 'subscription.schedule_plan',
      entity: 'purchase',
      entity_id: purchase_id,
      after: { class_package_id, title: quote.title, total_centavos: total },
    })
    tx.notify({ topic: 'purchase', purchase_id, customer_id: old.customer_id })
    return quote
  })
}

/** PAYMENT_METHOD_UNAVAILABLE or AMOUNT_OUT_OF_RANGE where the processor cannot charge the new plan by this method. */
function assertChargeable(ctx: Ctx, { gateway, source }: OrderMethod, classPackage: PackageWithTypes, total: Centavos): void {
  const terms = freezeTerms(classPackage, { amount: total, discount: 0, total, old: null, nextTotal: total }, ctx.now, false)
  const plan = subscriptionPlan(terms, ctx.zone)
  const no = gateway.refuses({ instrument: source ? 'saved-card' : 'hosted-page', amount: total, ...(plan ? { plan } : {}) })
  if (no) throw refuse(no)
}

/** Ends the renewals of a plan that a scheduled change follows. Idempotent; throws while the processor's answer is unknown. */
export async function stopAtPeriodEnd(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<void> {
  const [purchase, attempt] = await Promise.all([findPurchase(ctx.db, purchase_id), subscribedBy(ctx, purchase_id)])
  if (purchase?.status === 'active' && attempt && (await findScheduledChange(ctx.db, purchase_id)))
    await endSubscription(ctx, purchase, attempt, 'cambio de plan')
}

/**
 * Ends a replaced plan at its processor now, and refunds a period that it charged after it was replaced (V54). Idempotent; throws while the
 * processor's answer is unknown.
 */
export async function stopReplaced(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<void> {
  const attempt = await subscribedBy(ctx, purchase_id)
  const ref = attempt && attemptRef(ctx, attempt)
  if (!attempt || !ref) return
  await apply(ctx, await getGateway(ctx, attempt.gateway).stop(ref, 'now', 'cambio de plan'), attempt)
  // The renewal may have been charged while the new plan was being paid: a full refund takes what it bought.
  for (const charge of await listChargesAfterChange(ctx.db, purchase_id)) {
    const { invoice_id } = charge
    const by = new Ctx(ctx.studio, { actor: ctx.actor, requestId: ctx.requestId, idempotencyKey: `plan-change-${invoice_id}` })
    try {
      await refundPurchase(by, { purchase_id, invoice_id, reason: 'Cambio de plan', by_hand: false, cancel_subscription: false })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await ctx.tx((tx) => leaveRefundToStaff(tx, ctx, charge, ref, error.message))
    }
  }
}

/** Calls off a change that waits for the end of the paid period (V55). Idempotent. PURCHASE_NOT_FOUND, PLAN_CHANGE_NONE. */
export async function cancelScheduledChange(
  ctx: Ctx,
  { purchase_id, reason }: { purchase_id: number; reason: string },
): Promise<{ purchase: StudioPurchase }> {
  const { customer_id } = await purchaseHere(ctx, purchase_id)
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    const change = await findScheduledChange(tx, purchase_id)
    if (!change) throw refuse('PLAN_CHANGE_NONE')
    await updatePlanChange(tx, change.plan_change_id, { cancelledAt: ctx.now })
    await ctx.audit(tx, { action: 'subscription.cancel_plan', entity: 'purchase', entity_id: purchase_id, reason })
    await tx.send({ name: 'sales.subscription-ended', data: { purchase_id, unpaid: false } })
    tx.notify({ topic: 'purchase', purchase_id, customer_id })
  })
  return { purchase: await studioPurchase(ctx, purchase_id) }
}

/** Queues the beginning of each change whose old plan has ended. */
export async function startDueChanges(ctx: Ctx): Promise<void> {
  const due = await listDueChanges(ctx.db, ctx.now, BATCH)
  await ctx.tx(async (tx) => {
    for (const { plan_change_id, gateway } of due)
      await tx.send({ name: 'sales.start-plan', data: { plan_change_id, gateway }, key: String(plan_change_id) })
  })
}

/**
 * Begins a scheduled change: an order at the agreed price on the saved card; when the bank refuses it, or without a card, the customer gets
 * a link (V55). Idempotent: the order is found again by its key. Throws while an outcome is unknown.
 */
export async function startScheduledPlan(ctx: Ctx, { plan_change_id }: { plan_change_id: number }): Promise<void> {
  const change = await findPlanChange(ctx.db, plan_change_id)
  const old = change && (await findPurchase(ctx.db, change.purchase_id))
  if (!change || !old || change.cancelledAt || change.doneAt) return
  if (change.replaced_by === null && old.status === 'active') {
    await stopAtPeriodEnd(ctx, old)
    throw new Error(`The purchase ${old.purchase_id} has not ended yet.`)
  }
  try {
    await charge(ctx, change, old, change.payment_source_id)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'PAYMENT_IN_PROGRESS' || error.code === 'PAYMENT_TRY_LATER') throw error
    if (change.payment_source_id !== null && (await isPayableByLink(ctx, change, old))) await charge(ctx, change, old, null)
    else await giveUp(ctx, change, error)
  }
}

async function isPayableByLink(ctx: Ctx, { class_package_id, total_centavos }: PlanChangeRow, old: PurchaseRow): Promise<boolean> {
  const classPackage = await findPackage(ctx.db, class_package_id)
  if (!classPackage || !ctx.ports.cards) return false
  try {
    assertChargeable(
      ctx,
      await resolvePaymentMethod(ctx, { customer_id: old.customer_id, payment_source_id: null }),
      classPackage,
      total_centavos,
    )
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return false
  }
}

/** Opens the order of a scheduled change, or finds the one that an earlier run opened, and charges it. */
async function charge(ctx: Ctx, change: PlanChangeRow, old: PurchaseRow, payment_source_id: number | null): Promise<void> {
  const { plan_change_id, class_package_id, total_centavos, location_id, staff_id } = change
  const { customer_id } = old
  const idempotencyKey = `plan-change-${plan_change_id}${payment_source_id === null ? '-link' : ''}`
  const by = new Ctx(ctx.studio, { actor: ctx.actor, requestId: ctx.requestId, idempotencyKey })
  const method = await resolvePaymentMethod(by, { customer_id, payment_source_id })
  const opened = await by.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    const now = await findPlanChange(tx, plan_change_id)
    if (!now || now.cancelledAt || now.doneAt) return null
    const before = now.replaced_by === null ? null : await findPurchase(tx, now.replaced_by)
    // Of an earlier run of this job: its link, or this charge, whose outcome is read.
    if (before && (before.idempotency_key === idempotencyKey || before.status === 'pending')) return before
    if (before && (before.status !== 'failed' || payment_source_id !== null)) return null
    const buyer = await findBuyer(tx, customer_id)
    if (buyer.deletedAt || old.status === 'revoked') throw refuse('PLAN_NOT_CHANGEABLE', { why: 'la persona ya no tiene el plan' })
    const { price } = await newPlan(tx, class_package_id)
    const total = Math.min(price, total_centavos)
    const order = {
      customer_id,
      location_id,
      payment_source_id,
      shown: { total: pesos(total) },
      line: { kind: 'package' as const, class_package_id, quantity: 1, agreed: total_centavos },
    }
    const hash = requestHash('plan-change', { plan_change_id })
    const purchase = await writeOrder(tx, by, order, { method, hash, ending: [], staff_id })
    await updatePlanChange(tx, plan_change_id, { replaced_by: purchase.purchase_id })
    return purchase
  })
  if (opened) await settleOrder(by, opened.purchase_id)
}

async function giveUp(ctx: Ctx, change: PlanChangeRow, error: Refusal): Promise<void> {
  const { plan_change_id, purchase_id } = change
  ctx.studio.log.error({ error, purchase_id }, 'plan_change.not_started')
  await ctx.tx(async (tx) => {
    if (change.replaced_by === null) await updatePlanChange(tx, plan_change_id, { cancelledAt: ctx.now })
    await ctx.audit(tx, {
      action: 'subscription.plan_failed',
      entity: 'purchase',
      entity_id: purchase_id,
      after: { code: error.code, message: error.message },
    })
  })
}
