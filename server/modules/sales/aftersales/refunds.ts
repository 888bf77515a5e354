/** Refunds by staff: insert the row, call the processor, then apply its answer, so that no amount is refunded twice (V23). */
import { refuse } from '#contract/errors.ts'
import { type Centavos, parsePesos, pesos } from '#contract/money.ts'
import type { Refund, StudioPurchase } from '#contract/studio-sales.ts'
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import { type Facts, PaymentError, type PaymentGateway, type Ref } from '#server/adapters/payments/port.ts'
import { returnProduct } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { readReceived, tillOfRefund } from '#server/modules/sales/checkout/counter.ts'
import { apply } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { IN_FLIGHT_MS } from '#server/modules/sales/settlement/ending-attempts.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { followMoneyOfCard, restoreGiftCard, returnToGiftCard, takeBackGiftCard } from '#server/modules/sales/settlement/gift-cards.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { upsertDiscrepancy } from '#server/modules/sales/store/discrepancy-store.ts'
import {
  finalizeRefund,
  findInvoice,
  findRefund,
  findRefundByKey,
  findRepeatedRefund,
  insertRefund,
  listOpenRefunds,
  type RefundRow,
  sumRequestedRefunds,
  sumThroughProcessor,
  touchRefund,
} from '#server/modules/sales/store/refund-store.ts'
import { restockItem } from '#server/modules/sales/store/sale-store.ts'
import {
  type AttemptRow,
  findPurchase,
  type GatewayFilter,
  type InvoiceRow,
  listAttempts,
  listInvoices,
  listShares,
  lockPurchase,
  type PurchaseRow,
} from '#server/modules/sales/store/store.ts'
import { serializeStudioRefund, studioPurchase } from '#server/modules/sales/views/studio-lists.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'
import type { Tx } from '#server/platform/db.ts'

/** Without an idempotency key, the same amount of the same charge by the same person within this time is the same refund (V23). */
const REPEAT_REFUND_MS = 60_000

export interface RefundInput {
  purchase_id: number
  invoice_id?: number | undefined
  amount?: string | undefined
  reason: string
  by_hand: boolean
  payment_method_id?: number | null | undefined
  cancel_subscription: boolean
  /** Pieces of a product that the customer returned; undefined = none. */
  restock?: number | undefined
}

/**
 * Refunds a charge or a part of it (V23). Repeating the `Idempotency-Key` returns the same refund; without a key, so does the same amount
 * within a minute. State `asked` means that the processor's outcome is unknown yet: a job resolves it. PURCHASE_NOT_FOUND,
 * REFUND_NOTHING_LEFT, REFUND_TOO_MUCH, REFUND_REFUSED, REFUND_IN_PROGRESS, CHARGE_DISPUTED.
 */
export async function refundPurchase(ctx: Ctx, input: RefundInput): Promise<{ purchase: StudioPurchase; refund: Refund }> {
  await purchaseHere(ctx, input.purchase_id)
  const by = input.by_hand ? await readReceived(ctx, input, { needsSlip: false }) : null
  const opened = await ctx.tx((tx) => openRefund(tx, ctx, input, by))
  const row = opened.state === 'asked' ? await carryOut(ctx, opened) : opened
  if (row.state === 'refused') throw refuse('REFUND_REFUSED')
  if (input.cancel_subscription) await endNow(ctx, input.purchase_id, input.reason)
  return { purchase: await studioPurchase(ctx, input.purchase_id), refund: serializeStudioRefund(ctx, row) }
}

/** Inserts the refund row. `by`: the payment method of a refund by hand; null = through the processor that took the charge. */
export async function openRefund(
  tx: Tx,
  ctx: Ctx,
  input: RefundInput,
  by: { payment_method_id: number | null } | null,
): Promise<RefundRow> {
  const seen = await findPurchase(tx, input.purchase_id)
  if (!seen) throw refuse('PURCHASE_NOT_FOUND')
  await lockBuyer(tx, seen.customer_id)
  await lockPurchase(tx, input.purchase_id)
  const requested = input.amount === undefined ? null : parsePesos(input.amount)
  if (input.amount !== undefined && !requested) throw refuse('INVALID_INPUT', { field: 'amount' })
  const same = ctx.idempotencyKey ? await findRefundByKey(tx, input.purchase_id, ctx.idempotencyKey) : null
  if (same) {
    const differs =
      same.reason !== input.reason ||
      same.by_hand !== input.by_hand ||
      (requested !== null && requested !== same.amount_centavos) ||
      (input.invoice_id !== undefined && input.invoice_id !== same.invoice_id) ||
      (by !== null && by.payment_method_id !== same.payment_method_id)
    if (differs) throw refuse('IDEMPOTENCY_KEY_REUSED')
    return same
  }
  const staff_id = ctx.staff?.staff_id ?? null
  if (!ctx.idempotencyKey && requested !== null) {
    const { purchase_id, invoice_id, by_hand } = input
    const since = new Date(ctx.now.getTime() - REPEAT_REFUND_MS)
    const repeated = await findRepeatedRefund(tx, { purchase_id, invoice_id, amount_centavos: requested, by_hand, staff_id }, since)
    if (repeated) return repeated
  }
  const { charge, left } = await chargeOf(tx, input)
  const amount = requested ?? left
  if (amount > left) throw refuse('REFUND_TOO_MUCH', { left: pesos(left) })
  assertRefundAllowed(ctx, charge.total_centavos - left + amount)
  if (!input.by_hand) await assertNoOtherShare(tx, charge)
  // The part paid by a gift card is returned to the card (I7).
  if (charge.gateway === 'regalo' && input.by_hand) throw refuse('INVALID_INPUT', { field: 'by_hand' })
  const isFromTill = input.by_hand || (isCounter(charge.gateway) && charge.gateway !== 'regalo')
  const row = await insertRefund(tx, {
    purchase_id: input.purchase_id,
    invoice_id: charge.invoice_id,
    amount_centavos: amount,
    by_hand: input.by_hand,
    reason: input.reason,
    state: 'asked',
    idempotency_key: ctx.idempotencyKey,
    staff_id,
    payment_method_id: by ? by.payment_method_id : charge.payment_method_id,
    cash_session_id: isFromTill ? await tillOfRefund(tx, ctx, charge) : null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await takeBackGiftCard(tx, ctx, { purchase_id: input.purchase_id, refund_id: row.refund_id })
  if (input.restock) await restock(tx, seen, input.restock)
  await ctx.audit(tx, {
    action: 'purchase.refund',
    entity: 'purchase',
    entity_id: input.purchase_id,
    before: { invoice_id: charge.invoice_id, total_centavos: charge.total_centavos, refunded_centavos: charge.refunded_centavos },
    after: {
      refund_id: row.refund_id,
      amount_centavos: amount,
      by_hand: input.by_hand,
      ...(input.restock ? { restock: input.restock } : {}),
    },
    reason: input.reason,
  })
  return row
}

/**
 * Returns pieces of a sold product to the stock of the sale's location (I3). INVALID_INPUT for more than were sold and not returned yet.
 */
async function restock(tx: Tx, { sale_line_id }: PurchaseRow, pieces: number): Promise<void> {
  const restocked = sale_line_id === null ? null : await restockItem(tx, sale_line_id, pieces)
  if (!restocked) throw refuse('INVALID_INPUT', { field: 'restock' })
  await returnProduct(tx, { ...restocked, quantity: pieces })
}

/** REFUND_IN_PROGRESS while another purchase paid by the same charge is being refunded: the processor reports only their sum (S14). */
async function assertNoOtherShare(tx: Tx, charge: InvoiceRow): Promise<void> {
  const others = (await listShares(tx, charge.gateway, charge.provider_payment)).filter((share) => share.invoice_id !== charge.invoice_id)
  const refunds = await sumThroughProcessor(
    tx,
    others.map((charge) => charge.invoice_id),
  )
  if ([...refunds.values()].some(({ requested }) => requested > 0)) throw refuse('REFUND_IN_PROGRESS')
}

/** FORBIDDEN when the caller does not manage the studio and the refund exceeds the setting `pos_refund_max`, per charge, in centavos. */
function assertRefundAllowed(ctx: Ctx, ofCharge: Centavos): void {
  if (ctx.actor.kind === 'system' || ctx.staff?.role === 'owner' || ctx.staff?.role === 'manager') return
  const max = parsePesos(ctx.settings.pos_refund_max) ?? 0
  if (ofCharge > max) throw refuse('FORBIDDEN', { needs: 'sales.refund', max: pesos(max) })
}

/** The charge to refund and the centavos of it not refunded yet. */
async function chargeOf(tx: Tx, input: RefundInput): Promise<{ charge: InvoiceRow; left: Centavos }> {
  const charges = await listInvoices(tx, input.purchase_id)
  const requested = await sumRequestedRefunds(tx, input.purchase_id)
  const leftOf = (row: InvoiceRow) => row.total_centavos - row.refunded_centavos - (requested.get(row.invoice_id) ?? 0)
  const named =
    input.invoice_id === undefined ? charges.filter((row) => leftOf(row) > 0) : charges.filter((row) => row.invoice_id === input.invoice_id)
  // With several charges the caller must name one.
  if (named.length > 1 || (named.length === 0 && input.invoice_id !== undefined)) throw refuse('INVALID_INPUT', { field: 'invoice_id' })
  const [charge] = named
  if (!charge || leftOf(charge) <= 0) throw refuse('REFUND_NOTHING_LEFT')
  if (charge.status === 'disputed' || charge.status === 'lost') throw refuse('CHARGE_DISPUTED')
  return { charge, left: leftOf(charge) }
}

/** Calls the processor and applies its answer. An unknown outcome leaves the refund in state `asked`. */
async function carryOut(ctx: Ctx, row: RefundRow): Promise<RefundRow> {
  try {
    const charge = await findInvoice(ctx.db, row.invoice_id)
    const taker = charge && (await takerOf(ctx, charge))
    if (!charge || !taker) throw new Error(`Nobody knows the charge of the refund ${row.refund_id}.`)
    const { gateway, ref, attempt } = taker
    const key = { purchase: row.purchase_id, step: `refund-${row.refund_id}`, n: 1 }
    const facts: Facts = row.by_hand
      ? await gateway.settle(ref)
      : await gateway.refund(ref, charge.provider_payment, row.amount_centavos, key)
    await apply(ctx, facts, attempt)
    return await ctx.tx(async (tx) => {
      const finalized = await finalizeRefund(tx, row, { state: 'done' }, ctx.now)
      const { invoice_id, refund_id, amount_centavos: amount } = row
      if (finalized.state === 'done') await returnToGiftCard(tx, ctx, { invoice_id, refund_id, amount })
      return finalized
    })
  } catch (error) {
    if (error instanceof PaymentError && (error.kind === 'declined' || error.kind === 'invalid' || error.kind === 'unsupported')) {
      ctx.studio.log.warn({ error, refund_id: row.refund_id }, 'refund.refused')
      return ctx.tx(async (tx) => {
        const finalized = await finalizeRefund(tx, row, { state: 'refused', error: error.message.slice(0, 300) }, ctx.now)
        await restoreGiftCard(tx, ctx, { purchase_id: row.purchase_id, refund_id: row.refund_id })
        // What was refunded in the processor's panel meanwhile is booked only now.
        await followMoneyOfCard(tx, ctx, row.purchase_id)
        await ctx.audit(tx, {
          action: 'purchase.refund_refused',
          entity: 'purchase',
          entity_id: row.purchase_id,
          after: { refund_id: row.refund_id, error: finalized.error },
        })
        return finalized
      })
    }
    ctx.studio.log.error({ error, refund_id: row.refund_id }, 'refund.outcome_unknown')
    return ctx.tx((tx) => touchRefund(tx, row.refund_id, ctx.now))
  }
}

/** The processor and the object in it that took a charge. */
async function takerOf(ctx: Ctx, charge: InvoiceRow): Promise<{ gateway: PaymentGateway; ref: Ref; attempt: AttemptRow } | null> {
  const gateway = getGateway(ctx, charge.gateway)
  const able = (await listAttempts(ctx.db, charge.purchase_id)).flatMap((attempt) => {
    const ref = attempt.gateway === charge.gateway ? attemptRef(ctx, attempt) : null
    return ref ? [{ gateway, ref, attempt }] : []
  })
  if (able.length < 2) return able[0] ?? null
  for (const refundable of able) {
    const { payments } = await gateway.settle(refundable.ref)
    if (payments.some((fact) => fact.id === charge.provider_payment)) return refundable
  }
  return null
}

/** Retries refunds whose answer was lost or whose process died, under the same key; of one processor, or of all. */
export async function resumeRefunds(ctx: Ctx, limit: number, which?: GatewayFilter): Promise<void> {
  for (const row of await listOpenRefunds(ctx.db, new Date(ctx.now.getTime() - IN_FLIGHT_MS), limit, which)) {
    const current = await findRefund(ctx.db, row.refund_id)
    if (current?.state !== 'asked') continue
    // The response to the request said 'in progress', so that a refusal needs a message.
    const { state } = await carryOut(ctx, current)
    if (state === 'refused') await notifyRefused(ctx, current)
  }
}

/** Records a money discrepancy for a refund that was in progress and failed, so that the owner sees it (V37). */
async function notifyRefused(ctx: Ctx, row: RefundRow): Promise<void> {
  const charge = await findInvoice(ctx.db, row.invoice_id)
  if (!charge) return
  const { gateway, provider_payment: about, refunded_centavos } = charge
  const details = { amount: row.amount_centavos, their_refund: refunded_centavos, our_refund: refunded_centavos + row.amount_centavos }
  await ctx.tx((tx) => upsertDiscrepancy(tx, { kind: 'refund_failed', gateway, about, purchase_id: row.purchase_id, details }, ctx.now))
}

/** Ends a live subscription at its processor at once; does nothing for other purchases and for those that are over. */
export async function endNow(ctx: Ctx, purchase_id: number, reason: string): Promise<void> {
  const attempt = (await listAttempts(ctx.db, purchase_id)).find(
    (attempt) => attempt.ref_kind === 'subscription' && attempt.ref_id !== null,
  )
  const ref = attempt && attemptRef(ctx, attempt)
  if (attempt && ref && attempt.state !== 'ended')
    await apply(ctx, await getGateway(ctx, attempt.gateway).stop(ref, 'now', reason), attempt)
}
