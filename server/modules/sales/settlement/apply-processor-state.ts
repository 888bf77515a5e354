/**
 * Applies a processor's state to our books (settled 12). The browser's return, webhook events, polling and the sweeper all read the processor
 * and call this; nothing else moves a purchase from waiting to paid (docs/domain.md V8 to V13).
 */
import { Refusal } from '#contract/errors.ts'
import { startOfDay } from '#contract/time.ts'
import { type Facts, PaymentError, type PaymentGateway, type Ref, type Voucher } from '#server/adapters/payments/port.ts'
import { findPackage, returnStock, takeStock, whyNotEvent } from '#server/modules/catalogue/catalogue.ts'
import { endCredits, grant } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { endOfNextBankDay } from '#server/modules/sales/business-days.ts'
import {
  CHALLENGE_HOLD_MS,
  creditsEnd,
  freeSlot,
  isLate,
  isOpenAttempt,
  mayBecome,
  ONE_OFF,
  type PurchaseFacts,
  type Verdict,
  verdict,
} from '#server/modules/sales/rules.ts'
import { putCharge, type Receipt } from '#server/modules/sales/store/charge-store.ts'
import {
  type AttemptRow,
  findAttemptOf,
  findProviderCustomer,
  findPurchase,
  type InvoiceRow,
  isBuyerOfMerged,
  listAttempts,
  listInvoices,
  listLive,
  lockBuyer,
  lockBuyerOf,
  lockPurchase,
  lockTogether,
  type PurchaseRow,
  putProviderCustomer,
  updateAttempt,
  updatePurchase,
  updateTogether,
} from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'
import { releaseCounterParts } from './counter-parts.ts'
import { releaseDiscountUse, returnUseTakenAgain, spendUse, takeUseAgain } from './discounts.ts'
import { chargeGiftCard, createOrderedGiftCard, followMoneyOfCard, holdGiftCard, releaseGiftCard } from './gift-cards.ts'
import { finishPlanChange } from './plan-changes.ts'
import { applyOnlyForward, type ConfirmedReads, isFinal, moneyReturned, moveCredits, withByHand } from './regressions.ts'
import { finishOrder, partsOf, returnPiecesOf } from './shared-charges.ts'
import { subscriptionEvents } from './subscription-events.ts'
import { withoutSecondTrial } from './trials.ts'

/** A purchase and its attempt after the processor's state was applied. */
export interface AppliedState {
  purchase: PurchaseRow
  attempt: AttemptRow
  facts: Facts
}

/** The gateway of a purchase. Throws when the studio no longer has it. */
export function gatewayOf(ctx: Ctx, id: string): PaymentGateway {
  const gateway = ctx.ports.gateways.get(id)
  if (!gateway) throw new Error(`This studio has no payment gateway ${id}.`)
  return gateway
}

/** The reference of an attempt's object at the processor; null while unknown. */
export function refOf(ctx: Ctx, attempt: AttemptRow): Ref | null {
  return attempt.ref_id === null ? null : { gateway: gatewayOf(ctx, attempt.gateway).id, kind: attempt.ref_kind, id: attempt.ref_id }
}

/**
 * Reads an object at the processor and applies its state. Idempotent. Null when the object belongs to no purchase of ours. An approved wallet order
 * is captured only while its purchase still holds its stock. Throws PaymentError.
 */
export async function applyProcessorState(ctx: Ctx, ref: Ref): Promise<AppliedState | null> {
  const attempt = await findAttemptOf(ctx.db, ref, undefined)
  const purchase = attempt && (await findPurchase(ctx.db, attempt.purchase_id))
  const approved = purchase?.status === 'pending' && purchase.hold_until !== null && purchase.hold_until > ctx.now
  return apply(ctx, await gatewayOf(ctx, ref.gateway).settle(ref, { approved }), attempt)
}

/** Applies facts of a processor behind the customer's and the purchase's locks, and refunds money that paid for nothing. */
export async function apply(ctx: Ctx, facts: Facts, known: AttemptRow | null): Promise<AppliedState | null> {
  let done = await ctx.tx((tx) => applyInside(tx, ctx, facts, known, { believed: new Map() }))
  if (done && done.doubts.size > 0) done = await askOnceMore(ctx, done)
  if (!done) {
    ctx.studio.log.info({ gateway: facts.ref.gateway, kind: facts.ref.kind }, 'webhook.unknown_object')
    return null
  }
  if (done.strays)
    await returnStrayMoney(ctx, done.purchase.purchase_id).catch((error) =>
      ctx.studio.log.error({ error, purchase_id: done.purchase.purchase_id }, 'refund.retry_scheduled'),
    )
  return done
}

interface Applied extends AppliedState {
  strays: boolean
  /** Charges for which this read showed less than our books; not applied until a re-read confirms it. */
  doubts: ConfirmedReads
}

/** Re-reads the processor after a regression, which may be a stale read: it is applied when the second read confirms it (V37). */
async function askOnceMore(ctx: Ctx, first: Applied): Promise<Applied> {
  const { attempt, facts, doubts } = first
  try {
    const again = await gatewayOf(ctx, facts.ref.gateway).settle(facts.ref)
    const second = await ctx.tx((tx) => applyInside(tx, ctx, again, attempt, { believed: doubts }))
    return second ? { ...second, strays: first.strays || second.strays } : first
  } catch (error) {
    ctx.studio.log.warn({ error, purchase_id: first.purchase.purchase_id }, 'payment.regression_requeried')
    return first
  }
}

/**
 * The same inside the caller's transaction, for money that the counter receives: its ledger is in our own database. `received` says who
 * received it, where and how.
 */
export async function applyInside(
  tx: Tx,
  ctx: Ctx,
  told: Facts,
  known: AttemptRow | null,
  { believed, received }: { believed: ConfirmedReads; received?: Receipt },
): Promise<Applied | null> {
  const found = known ?? (await findAttemptOf(tx, told.ref, told.purchaseId))
  if (!found) return null
  const how = { believed, ...(received ? { received } : {}) }
  if (found.sale_id !== null) return applyToOrder(tx, ctx, told, { ...found, sale_id: found.sale_id }, how)
  const { purchase_id } = found
  // Pipelined, but executed in order: customer and purchase are locked before their rows are read.
  const [, sale, attempts, charges, counted] = await Promise.all([
    lockBuyerOf(tx, purchase_id),
    lockPurchase(tx, purchase_id),
    listAttempts(tx, purchase_id),
    listInvoices(tx, purchase_id),
    withByHand(tx, purchase_id, told),
  ])
  const attempt = attempts.find((one) => one.payment_id === found.payment_id)
  if (!sale || !attempt) return null
  return applyToPurchase(tx, ctx, { sale, attempt, charges, counted, told }, how)
}

/**
 * The same for a charge of an order of several items (S12): each item gets its part, all in this transaction. What is not divided (nothing is paid yet, another
 * amount, money that pays for nothing) is applied to the purchase that was charged.
 */
async function applyToOrder(
  tx: Tx,
  ctx: Ctx,
  told: Facts,
  found: AttemptRow & { sale_id: number },
  how: { believed: ConfirmedReads },
): Promise<Applied | null> {
  const { purchase_id, sale_id } = found
  await lockBuyerOf(tx, purchase_id)
  const members = await lockTogether(tx, purchase_id)
  const attempts = await listAttempts(tx, purchase_id)
  const first = members.find((one) => one.purchase_id === purchase_id)
  const attempt = attempts.find((one) => one.payment_id === found.payment_id)
  if (!first || !attempt) return null
  const one = async (sale: PurchaseRow, by: AttemptRow, facts: Facts) => {
    const charges = await listInvoices(tx, sale.purchase_id)
    const counted = await withByHand(tx, sale.purchase_id, facts)
    return applyToPurchase(tx, ctx, { sale, attempt: by, charges, counted, told: facts }, how)
  }
  const parts = await partsOf(tx, { members, first, attempt }, told)
  if (!parts) {
    const done = await one(first, attempt, told)
    const { status, hold_until } = done.purchase
    if (status === 'pending' && hold_until?.getTime() !== first.hold_until?.getTime())
      await updateTogether(tx, purchase_id, { hold_until, updatedAt: ctx.now })
    return done
  }
  const all: Applied = { purchase: first, attempt, facts: told, strays: false, doubts: new Map() }
  for (const { purchase, facts } of parts) {
    const [payment] = facts.payments
    const done = await one(purchase, { ...all.attempt, part_centavos: payment?.amount ?? 0 }, facts)
    all.attempt = { ...done.attempt, part_centavos: attempt.part_centavos }
    if (purchase.purchase_id === purchase_id) all.purchase = done.purchase
    all.strays ||= done.strays
    all.doubts = new Map([...all.doubts, ...done.doubts])
  }
  if (first.status !== 'pending' || all.purchase.status === 'pending') return all
  const [payment] = told.payments
  const isPaid = all.purchase.status === 'completed'
  for (const item of members) {
    if (!isPaid) await returnPiecesOf(tx, item)
    if (parts.some(({ purchase }) => purchase.purchase_id === item.purchase_id)) continue
    if (isPaid) await completeUncharged(tx, ctx, item)
    else await close(tx, ctx, item, { status: 'failed', reason: 'el dinero se devolvió' })
  }
  if (!isPaid) await releaseCounterParts(tx, ctx, sale_id)
  if (isPaid && payment)
    await finishOrder(tx, ctx, {
      ...{ sale_id, customer_id: first.customer_id, attempt: all.attempt, provider_payment: payment.id, amount: payment.amount },
    })
  return all
}

/** Gives an item of a paid order that the processor charged nothing for: it is free, or was paid at the counter. */
async function completeUncharged(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<void> {
  const { purchase_id, customer_id, discount_id } = purchase
  await grantPeriod(tx, ctx, purchase, { period: ONE_OFF, from: ctx.now, until: null })
  if (discount_id !== null) await spendUse(tx, ctx, purchase_id)
  await updatePurchase(tx, purchase_id, { status: 'completed', completedAt: ctx.now, updatedAt: ctx.now })
  await tx.send({ name: 'sales.receipt', data: { purchase_id, period: ONE_OFF } })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
}

/** Applies facts, or the part of them that is about this purchase, to one purchase; all rows were read behind its locks. */
async function applyToPurchase(
  tx: Tx,
  ctx: Ctx,
  of: { sale: PurchaseRow; attempt: AttemptRow; charges: readonly InvoiceRow[]; counted: Facts; told: Facts },
  { believed, received }: { believed: ConfirmedReads; received?: Receipt },
): Promise<Applied> {
  const { sale, attempt, charges, counted, told } = of
  const { facts: heard, doubts } = applyOnlyForward(charges, counted, believed)
  const buyerRef = await expectedBuyer(tx, attempt.gateway, sale.customer_id, heard.buyerRef)
  const say = verdict(saleFacts(sale, attempt, buyerRef, charges), heard)
  const facts = await withoutSecondTrial(tx, ctx, { sale, gateway: attempt.gateway }, told, say)

  const kept = await keepAttempt(tx, ctx, attempt, facts, say)
  if (facts.buyerRef && buyerRef === null && !say.alarm) await putProviderCustomer(tx, attempt.gateway, sale.customer_id, facts.buyerRef)
  if (say.alarm) {
    ctx.studio.log.error({ purchase_id: sale.purchase_id, alarm: say.alarm }, 'payment.amount_mismatch')
    if (sale.alarm !== say.alarm)
      await ctx.audit(tx, {
        action: `purchase.alarm.${say.alarm}`,
        entity: 'purchase',
        entity_id: sale.purchase_id,
        after: { payments: facts.payments },
      })
  }
  if (!say.alarm) await moneyReturned(tx, ctx, sale, attempt, charges, heard)
  const reopens = say.late?.reopens ? await reopen(tx, ctx, sale) : null
  if (say.late && reopens) {
    say.status = 'completed'
    say.grants = [{ period: ONE_OFF, from: say.late.fact.at, until: null }]
    say.invoices = [{ ...say.late.fact, period: ONE_OFF }]
    // Disputed before the payment became known: its credits are frozen from the start (V24).
    if (say.late.fact.disputed === 'open') {
      say.freezes.push(ONE_OFF)
      say.frozen = true
    }
  }
  const label = kept.instrument.label ?? facts.method?.label ?? null
  for (const fact of say.invoices) {
    const given = await putCharge(tx, ctx, sale, { gateway: attempt.gateway, fact, label, ...(received ? { received } : {}) })
    if (given) await tx.send({ name: 'sales.refunded', data: { ...given, at: ctx.now.toISOString() } })
  }
  if (say.invoices.length > 0 && sale.class_package_id === null) await followMoneyOfCard(tx, ctx, sale.purchase_id)
  for (const period of say.grants) await grantPeriod(tx, ctx, sale, period)
  await moveCredits(tx, ctx, sale, say)

  const purchase = await move(tx, ctx, sale, kept, facts, say, reopens)
  const strays = say.late !== null && !reopens
  if (strays)
    await ctx.audit(tx, {
      action: 'purchase.stray_money',
      entity: 'purchase',
      entity_id: sale.purchase_id,
      before: { status: sale.status },
      after: { payment: say.late?.fact },
    })
  return { purchase, attempt: kept, facts, strays, doubts }
}

/**
 * The id at the processor that a payment of this customer must state: theirs, or the stated one of a record that was merged into theirs
 * (X8), since its payments stay with the old id there.
 */
async function expectedBuyer(tx: Tx, gateway: string, customer_id: number, stated: string | undefined): Promise<string | null> {
  const own = await findProviderCustomer(tx, gateway, customer_id)
  if (!stated || own === null || own === stated) return own
  return (await isBuyerOfMerged(tx, { gateway, customer_id, provider_id: stated })) ? stated : own
}

function saleFacts(purchase: PurchaseRow, attempt: AttemptRow, buyerRef: string | null, invoices: readonly InvoiceRow[]): PurchaseFacts {
  return {
    ...purchase,
    // With split payments, an attempt pays only its part (S3).
    total_centavos: attempt.part_centavos ?? purchase.total_centavos,
    buyerRef,
    known: invoices.map((row) => ({
      id: row.provider_payment,
      period: row.period,
      refunded: row.refunded_centavos,
      status: row.status,
    })),
  }
}

/** Updates the attempt. It never leaves `paid`, and an older read never undoes a newer one (V8). */
async function keepAttempt(tx: Tx, ctx: Ctx, attempt: AttemptRow, facts: Facts, say: Verdict): Promise<AttemptRow> {
  const state = say.alarm ? attempt.state : mayBecome(attempt.state, say.attempt) ? say.attempt : attempt.state
  // The label that staff entered for money received by hand is more exact than the gateway's.
  const method = attempt.instrument.by === 'hand' && attempt.instrument.label ? undefined : facts.method
  const voucher = facts.next?.do === 'show' ? facts.next.voucher : null
  // A renewal that needs 3-D Secure is marked until the challenge was answered (V33).
  const confirms = state === 'past_due' && facts.next?.do === 'confirm'
  const confirmed = !confirms && state !== 'refused' && attempt.error_code === 'CARD_CONFIRMATION'
  const changed =
    state !== attempt.state ||
    confirmed ||
    (confirms && attempt.error_code !== 'CARD_CONFIRMATION') ||
    attempt.ref_id === null ||
    (method && attempt.instrument.label !== method.label) ||
    (voucher && (!attempt.voucher || (attempt.voucher.missing ?? null) !== (voucher.missing ?? null)))
  if (!changed) return attempt
  return updateAttempt(tx, attempt.payment_id, {
    state,
    ref_kind: facts.ref.kind,
    ref_id: facts.ref.id,
    ...(method ? { instrument: { ...attempt.instrument, ...method } } : {}),
    ...(voucher
      ? {
          voucher: {
            kind: voucher.kind,
            reference: voucher.reference,
            expires_at: voucher.expiresAt.toISOString(),
            url: voucher.url,
            clabe: voucher.clabe,
            missing: voucher.missing ?? null,
          },
        }
      : {}),
    ...(facts.why && state === 'refused' ? { error_code: facts.why.code, error_message: facts.why.message } : {}),
    ...(confirms ? { error_code: 'CARD_CONFIRMATION', error_message: null } : confirmed ? { error_code: null, error_message: null } : {}),
    updatedAt: ctx.now,
  })
}

async function grantPeriod(tx: Tx, ctx: Ctx, purchase: PurchaseRow, period: Verdict['grants'][number]): Promise<void> {
  // A single place gives no credits: the reservation is the purchase (V45).
  if (purchase.class_package_id === null) return
  await grant(tx, ctx, {
    kind: 'package',
    customer_id: purchase.customer_id,
    class_package_id: purchase.class_package_id,
    purchase_id: purchase.purchase_id,
    period: period.period,
    // Staff may set another first day at the counter (S2).
    from: period.period === ONE_OFF && purchase.starts_on ? startOfDay(purchase.starts_on, ctx.zone) : period.from,
    ...(period.until ? { until: period.until } : {}),
    class_amount: purchase.class_amount,
    expiration_days: purchase.expiration_days,
    title: purchase.title,
  })
}

/** Late money for a closed purchase: takes stock, limit slot, discount use and the part of a gift card again, if available (V13). Not for a past event (K13). */
async function reopen(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<{ limit_slot: number | null } | null> {
  const { class_package_id, sale_id } = purchase
  // An order is given completely or not at all (S12).
  if (class_package_id === null || sale_id !== null) return null
  const classPackage = await findPackage(tx, class_package_id)
  if (!classPackage || whyNotEvent(classPackage, ctx.settings, ctx.now)) return null
  const live = await listLive(tx, purchase.customer_id, class_package_id)
  if (classPackage.limit_per_customer !== null && live.length >= classPackage.limit_per_customer) return null
  try {
    await takeStock(tx, class_package_id)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
  try {
    await takeUseAgain(tx, ctx, purchase.purchase_id)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await returnStock(tx, class_package_id)
    return null
  }
  try {
    await holdGiftCard(tx, ctx, purchase)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await returnStock(tx, class_package_id)
    await returnUseTakenAgain(tx, ctx, purchase.purchase_id)
    return null
  }
  return {
    limit_slot: freeSlot(
      live.map((one) => one.limit_slot),
      classPackage.limit_per_customer,
    ),
  }
}

/** Updates the purchase, its audit trail and its events. */
async function move(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  attempt: AttemptRow,
  facts: Facts,
  say: Verdict,
  reopens: { limit_slot: number | null } | null,
): Promise<PurchaseRow> {
  const status = say.status ?? purchase.status
  const hold_until = status === 'pending' ? longerHold(ctx, purchase, facts) : purchase.hold_until
  const set: Partial<PurchaseRow> = {}
  if (say.grants.length > 0 && purchase.discount_id !== null) await spendUse(tx, ctx, purchase.purchase_id)
  if (status !== purchase.status) set.status = status
  if (say.grants.length > 0 && !purchase.completedAt) set.completedAt = ctx.now
  if (hold_until?.getTime() !== purchase.hold_until?.getTime()) set.hold_until = hold_until
  if (say.alarm && purchase.alarm !== say.alarm) set.alarm = say.alarm
  if (facts.ref.kind === 'subscription' && !say.alarm) {
    if (purchase.subscription_id !== facts.ref.id && status !== 'failed') set.subscription_id = facts.ref.id
    if (say.benefitsUntil && say.benefitsUntil.getTime() !== purchase.benefits_until?.getTime()) set.benefits_until = say.benefitsUntil
    if (say.pastDue !== (purchase.past_due_since !== null) && !isClosed(purchase)) set.past_due_since = say.pastDue ? ctx.now : null
    const paused = facts.paused ?? false
    if (paused !== (purchase.paused_since !== null)) set.paused_since = paused ? ctx.now : null
  }
  if (say.frozen !== null && say.frozen !== (purchase.frozenAt !== null)) set.frozenAt = say.frozen ? ctx.now : null
  if (status === 'cancelled' && purchase.status !== 'cancelled') {
    if (say.benefitsUntil) {
      const end = creditsEnd(purchase, facts, say.benefitsUntil, ctx.zone)
      await endCredits(tx, ctx, purchase.purchase_id, end, 'la suscripción terminó')
      // In a trial they end at once, with the reservations that they paid for (V17).
      if (end <= ctx.now) await tx.send({ name: 'bookings.release', data: { purchase_id: purchase.purchase_id } })
    }
    Object.assign(set, { cancelledAt: ctx.now }, await release(tx, ctx, purchase))
  }
  if ((status === 'failed' || status === 'revoked') && purchase.status !== status) Object.assign(set, await release(tx, ctx, purchase))
  if (say.ends)
    await tx.send({
      name: 'sales.end-subscription',
      data: {
        purchase_id: purchase.purchase_id,
        gateway: attempt.gateway,
        ...(facts.why?.code === 'TRIAL_USED' ? { reason: 'la prueba gratis ya se usó' } : {}),
      },
    })
  if (reopens) Object.assign(set, { ...reopens, holds_stock: true, cancelledAt: null, cancel_reason: null })
  if (Object.keys(set).length === 0) return purchase

  const moved = await updatePurchase(tx, purchase.purchase_id, { ...set, updatedAt: ctx.now })
  for (const job of subscriptionEvents(purchase, moved)) await tx.send(job)
  if (set.status) {
    await ctx.audit(tx, {
      action: `purchase.${set.status}`,
      entity: 'purchase',
      entity_id: purchase.purchase_id,
      before: { status: purchase.status },
      after: {
        status: set.status,
        payment_id: attempt.payment_id,
        total_centavos: purchase.total_centavos,
        instrument: attempt.instrument.label ?? null,
      },
    })
    if (set.status === 'completed') await chargeGiftCard(tx, ctx, moved)
    // Only staff change plans.
    if ((set.status === 'completed' || set.status === 'active') && purchase.staff_id !== null)
      await finishPlanChange(tx, ctx, purchase, release)
    if (set.status === 'completed' && purchase.class_package_id === null && purchase.sale_id === null)
      await createOrderedGiftCard(tx, ctx, purchase)
    if ((set.status === 'completed' || set.status === 'active') && attempt.instrument.save)
      await tx.send({ name: 'sales.keep-card', data: { payment_id: attempt.payment_id, gateway: attempt.gateway } })
  }
  for (const period of say.grants)
    await tx.send({ name: 'sales.receipt', data: { purchase_id: purchase.purchase_id, period: period.period } })
  tx.notify({ topic: 'purchase', purchase_id: purchase.purchase_id, customer_id: purchase.customer_id })
  return moved
}

const isClosed = (purchase: PurchaseRow) => purchase.status === 'failed' || purchase.status === 'cancelled' || purchase.status === 'revoked'

/** Until when a voucher's payment may be confirmed: cash paid at OXXO on the last evening is confirmed by the next bank day (V10). */
const confirmedUntil = ({ kind, expiresAt }: Voucher, zone: string): Date =>
  kind === 'oxxo' ? endOfNextBankDay(expiresAt, zone) : expiresAt

/** The extended hold of a purchase that waits for its customer or bank (V10). */
function longerHold(ctx: Ctx, purchase: PurchaseRow, facts: Facts): Date {
  const until =
    facts.next?.do === 'show'
      ? confirmedUntil(facts.next.voucher, ctx.zone)
      : facts.next?.do === 'confirm' || facts.state === 'processing'
        ? new Date((facts.state === 'processing' ? ctx.now : purchase.createdAt).getTime() + CHALLENGE_HOLD_MS)
        : null
  const present = purchase.hold_until ?? ctx.now
  return until && until > present ? until : present
}

/** Releases a purchase's stock and limit slot, its discount use and gift card if nothing was paid with it, and the places held for it (V4, D4, I12, W12). */
export async function release(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<Partial<PurchaseRow>> {
  if (purchase.holds_stock && purchase.class_package_id !== null) await returnStock(tx, purchase.class_package_id)
  await releaseDiscountUse(tx, ctx, purchase.purchase_id)
  await releaseGiftCard(tx, ctx, purchase)
  if (purchase.wanted_class) await tx.send({ name: 'bookings.release-payment-hold', data: { purchase_id: purchase.purchase_id } })
  return { holds_stock: false, limit_slot: null }
}

/**
 * Closes a waiting purchase after every processor confirmed that it can no longer be paid (V12). Returns the purchase: paid when an attempt
 * was paid meanwhile, still waiting when a processor's state is unknown. `evenInFlight`: as in `endAttempt`.
 */
export async function closeWaiting(
  ctx: Ctx,
  purchase_id: number,
  to: { status: 'failed' | 'cancelled'; reason: string; evenInFlight?: boolean },
): Promise<PurchaseRow> {
  for (const attempt of await listAttempts(ctx.db, purchase_id)) {
    if (!isOpenAttempt(attempt.state) && attempt.state !== 'refused') continue
    const gone = await endAttempt(ctx, attempt, to.reason, to.evenInFlight ?? false)
    if (!gone) break
  }
  return ctx.tx(async (tx) => {
    const before = await findPurchase(tx, purchase_id)
    if (!before) throw new Error(`There is no purchase ${purchase_id}.`)
    await lockBuyer(tx, before.customer_id)
    // The items of an order are closed together (S12).
    const members = before.status === 'pending' ? await lockTogether(tx, purchase_id) : []
    const purchase = members.find((one) => one.purchase_id === purchase_id)
    const attempts = await listAttempts(tx, purchase_id)
    if (purchase?.status !== 'pending' || attempts.some((one) => isOpenAttempt(one.state))) return purchase ?? before
    let closed = purchase
    for (const item of members) {
      if (item.status !== 'pending') continue
      await returnPiecesOf(tx, item)
      const after = await close(tx, ctx, item, to)
      if (after.purchase_id === purchase_id) closed = after
    }
    await releaseCounterParts(tx, ctx, purchase.sale_id)
    return closed
  })
}

/** Closes a pending purchase and releases what it held. */
async function close(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  to: { status: 'failed' | 'cancelled'; reason: string },
): Promise<PurchaseRow> {
  const { purchase_id, customer_id } = purchase
  const closed = await updatePurchase(tx, purchase_id, {
    ...(await release(tx, ctx, purchase)),
    status: to.status,
    ...(to.status === 'cancelled' ? { cancelledAt: ctx.now, cancel_reason: to.reason } : {}),
    updatedAt: ctx.now,
  })
  await ctx.audit(tx, {
    action: `purchase.${to.status}`,
    entity: 'purchase',
    entity_id: purchase_id,
    before: { status: purchase.status },
    after: { status: to.status },
    reason: to.reason,
  })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  return closed
}

/**
 * Ends an attempt at its processor, so that it can no longer be paid. False while the processor cannot confirm it. `evenInFlight`: also one whose
 * first call may still be on its way.
 */
export async function endAttempt(ctx: Ctx, attempt: AttemptRow, reason: string, evenInFlight: boolean): Promise<boolean> {
  const gateway = gatewayOf(ctx, attempt.gateway)
  const ref = refOf(ctx, attempt)
  if (ref) {
    const settled = await apply(ctx, await gateway.stop(ref, 'unless-paid', reason), attempt)
    return settled !== null && !isOpenAttempt(settled.attempt.state)
  }
  if (!isOpenAttempt(attempt.state)) return true
  const facts = await gateway.find({ purchase: attempt.purchase_id, step: 'pay', n: attempt.n })
  if (facts) {
    const settled = await apply(ctx, facts, attempt)
    return settled !== null && (!isOpenAttempt(settled.attempt.state) || endAttempt(ctx, settled.attempt, reason, evenInFlight))
  }
  if (!evenInFlight && ctx.now.getTime() - attempt.updatedAt.getTime() < IN_FLIGHT_MS) return false
  await markAttempt(ctx, attempt, { state: 'cancelled', error_code: 'PAYMENT_TRY_LATER', error_message: 'The provider never had it.' })
  return true
}

/** A call to a provider may still be on its way for this long. */
export const IN_FLIGHT_MS = 120_000

/** Updates an attempt, unless another process concluded it meanwhile. */
export async function markAttempt(
  ctx: Ctx,
  attempt: AttemptRow,
  set: Pick<Partial<AttemptRow>, 'state' | 'error_code' | 'error_message'>,
): Promise<AttemptRow> {
  return ctx.tx(async (tx) => {
    await lockPurchase(tx, attempt.purchase_id)
    const present = (await listAttempts(tx, attempt.purchase_id)).find((one) => one.payment_id === attempt.payment_id) ?? attempt
    if (set.state && !mayBecome(present.state, set.state)) return present
    return updateAttempt(tx, attempt.payment_id, { ...set, updatedAt: ctx.now })
  })
}

/** Refunds money that paid for nothing, once (V13). Does nothing when the studio's settings leave the decision to staff. */
export async function returnStrayMoney(ctx: Ctx, purchase_id: number): Promise<void> {
  const purchase = await findPurchase(ctx.db, purchase_id)
  if (!purchase) return
  const due = (await listInvoices(ctx.db, purchase_id)).filter((row) => isLate(row.period) && row.refunded_centavos < row.total_centavos)
  if (due.length === 0) return
  if (!ctx.settings.refund_late_payments) {
    if (purchase.alarm !== 'late_payment')
      await ctx.tx((tx) => updatePurchase(tx, purchase_id, { alarm: 'late_payment', updatedAt: ctx.now }))
    return
  }
  for (const row of due)
    for (const attempt of await listAttempts(ctx.db, purchase_id)) {
      const ref = refOf(ctx, attempt)
      if (!ref || attempt.gateway !== row.gateway) continue
      const gateway = gatewayOf(ctx, attempt.gateway)
      const facts =
        ref.kind === 'subscription' && isClosed(purchase) ? await gateway.stop(ref, 'now', 'late payment') : await gateway.settle(ref)
      if (!facts.payments.some((fact) => fact.id === row.provider_payment)) continue
      const key = { purchase: purchase_id, step: `late-${row.invoice_id}`, n: 1 }
      const amount = row.total_centavos - row.refunded_centavos
      const given = await gateway.refund(ref, row.provider_payment, amount, key).catch((error: unknown) => {
        if (error instanceof PaymentError && (error.kind === 'unsupported' || error.kind === 'declined' || error.kind === 'invalid'))
          return error
        throw error
      })
      if (given instanceof PaymentError) await ctx.tx((tx) => isFinal(tx, ctx, row, ref, given.message))
      else await apply(ctx, given, attempt)
      break
    }
}
