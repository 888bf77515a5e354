/**
 * Pays a purchase with any instrument: first the rows, then the processor outside of a transaction, then applying its state (V5 to
 * V8, V12).
 */
import { createHash } from 'node:crypto'
import { normalCode } from '#contract/discounts.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { parsePesos } from '#contract/money.ts'
import type { DisplayedPrice } from '#contract/pricing.ts'
import { returnPath } from '#contract/return-path.ts'
import type { PaymentAnswer, PriceShownToCustomer } from '#contract/sales.ts'
import { type Buyer, type Facts, type Instrument, PaymentError, type PaymentGateway } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { HOLD_MARGIN_MS, type Method, pricesWithoutTrial, subscriptionPlan } from '#server/modules/sales/rules.ts'
import { apply, applyProcessorState } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { markAttempt } from '#server/modules/sales/settlement/attempts.ts'
import { countingGuesses } from '#server/modules/sales/settlement/discounts.ts'
import { closeWaiting, endAttempt } from '#server/modules/sales/settlement/ending-attempts.ts'
import { attemptRef } from '#server/modules/sales/settlement/gateways.ts'
import { checkoutCard } from '#server/modules/sales/settlement/gift-cards.ts'
import { buyerFrom, findBuyer, findProviderCustomer } from '#server/modules/sales/store/buyer-store.ts'
import { type AttemptRow, findPurchase, listAttempts, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Plastic } from '#server/modules/sales/store/trial-store.ts'
import { listOrderItems, titleOfItems } from '#server/modules/sales/views/order-items.ts'
import { attemptFailure, paymentAnswer } from '#server/modules/sales/views/purchase-view.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { type Opened, openPurchase, type PurchaseInput } from './opening.ts'

/** How often the opening is repeated while older attempts are ended, before PAYMENT_IN_PROGRESS. */
const ROUNDS = 5

export interface Paying extends Omit<PurchaseInput, 'methodKey' | 'by' | 'hash' | 'shown' | 'gift'> {
  shown?: PriceShownToCustomer
  method: Method | null
  instrument: Instrument | null
  /** The fingerprint of the saved card that pays. */
  fingerprint?: string | null
  /** The typed code of the gift card that pays a part or all, and how much of it the page showed. */
  gift_card?: { code: string; amount: string } | null
}

/** The price that the page displayed, in centavos; null when it sent none. */
function readShown(shown: PriceShownToCustomer): DisplayedPrice | null {
  if (!shown) return null
  const { today, total, next_total } = shown
  // Unparseable amounts become -1, so that they never match.
  const read = (text: string) => parsePesos(text) ?? -1
  return { today: read(today), total: read(total), nextTotal: next_total === null ? null : read(next_total) }
}

/**
 * Opens or resumes the purchase of a visit and gets it paid. Refuses with every code of the checkout; an unknown outcome returns `pending`.
 */
export function payPurchase(ctx: Ctx, paying: Paying): Promise<PaymentAnswer> {
  return countingGuesses(ctx, paying.discountCode?.trim() || paying.gift_card?.code, () => payNow(ctx, paying))
}

async function payNow(ctx: Ctx, paying: Paying): Promise<PaymentAnswer> {
  const { method, instrument, fingerprint, gift_card, ...rest } = paying
  const card = gift_card ? await checkoutCard(ctx.db, gift_card.code) : null
  const input: PurchaseInput = {
    ...rest,
    shown: readShown(paying.shown),
    gift: card && { gift_card_id: card.gift_card_id, last_four: card.last_four, shown: parsePesos(gift_card?.amount ?? '') ?? -1 },
    by: instrument?.by ?? null,
    methodKey: method && createHash('sha256').update(JSON.stringify(method)).digest('base64url').slice(0, 16),
    hash: requestHash('purchase', {
      class_package_id: paying.class_package_id,
      discountCode: normalCode(paying.discountCode ?? '') || null,
      ...(card ? { gift_card_id: card.gift_card_id } : {}),
    }),
  }
  for (let round = 1; round <= ROUNDS; round++) {
    const opened = await ctx.tx((tx) => openPurchase(tx, ctx, input))
    if (opened.kind === 'done') return paymentAnswer(opened.purchase, opened.attempt, null)
    if (opened.kind === 'identify') {
      input.plastic = await plasticOf(ctx, paying)
      continue
    }
    if (opened.kind === 'refused') {
      if (round === ROUNDS || !(await closeOwnWaiting(ctx, opened))) throw opened.no
      continue
    }
    if (opened.kind === 'outdated' || opened.kind === 'replaces') {
      const { purchase_id } = opened.purchase
      const isOwn = opened.kind === 'outdated'
      const reason = isOwn ? 'el precio cambió' : 'otra compra del mismo paquete'
      const isOver = await isEnded(ctx, purchase_id, async () => {
        const { status } = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason })
        return status !== 'pending'
      })
      if (!isOver) throw refuse(isOwn ? 'PAYMENT_IN_PROGRESS' : 'PURCHASE_IN_PROGRESS', { purchase_id })
      continue
    }
    if (opened.kind === 'clear') {
      const { purchase_id, idempotency_key } = opened.purchase
      if (await isEnded(ctx, purchase_id, () => endAttempt(ctx, opened.attempt, 'otra forma de pago', false))) continue
      throw refuse(idempotency_key === ctx.idempotencyKey ? 'PAYMENT_IN_PROGRESS' : 'PURCHASE_IN_PROGRESS', { purchase_id })
    }
    if (opened.kind === 'resume') {
      const ref = attemptRef(ctx, opened.attempt)
      const applied = ref && (await applyProcessorState(ctx, ref))
      // The 3-D Secure challenge failed meanwhile: this is the next attempt.
      if (applied && applied.purchase.status === 'pending' && applied.attempt.state === 'refused') continue
      return applied ? toPaymentAnswer(applied) : paymentAnswer(opened.purchase, opened.attempt, null)
    }
    if (!instrument) throw refuse('PAYMENT_METHOD_MISSING')
    return chargeAttempt(ctx, opened, { ...input, instrument })
  }
  throw refuse('PAYMENT_IN_PROGRESS')
}

/** Whether an attempt is ended. False when the processor cannot be read now: then nothing else may be charged (V12). */
async function isEnded(ctx: Ctx, purchase_id: number, end: () => Promise<boolean>): Promise<boolean> {
  try {
    return await end()
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    ctx.studio.log.warn({ error, purchase_id }, 'payment.cancel_failed')
    return false
  }
}

/** The fingerprint of the card in the request; null where the processor provides none or does not know the card. PAYMENT_TRY_LATER. */
async function plasticOf(ctx: Ctx, { gateway, instrument, fingerprint }: Paying): Promise<Plastic | null> {
  const { identify } = gateway.cards
  if (!identify || !instrument) return null
  try {
    const found = instrument.by === 'card-token' ? await identify(instrument.token) : fingerprint
    return found ? { gateway: gateway.id, fingerprint: found } : null
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    if (error.kind === 'invalid' || error.kind === 'declined') return null
    ctx.studio.log.warn({ error, gateway: gateway.id }, 'card.not_identified')
    throw refuse('PAYMENT_TRY_LATER')
  }
}

/** Gives up the customer's own waiting purchases, so that this visit gets their discount use or free trial (D4, V41). */
async function closeOwnWaiting(ctx: Ctx, opened: Opened & { kind: 'refused' }): Promise<boolean> {
  let freed = false
  for (const purchase_id of opened.ownWaiting) {
    const after = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: 'otra compra de la misma persona' })
    freed ||= after.status === 'cancelled'
  }
  return freed
}

/**
 * Charges an attempt at its processor and applies the outcome (V7). `returnTo`: the path to which a processor's page returns, and
 * `pageUntil`: until when that page takes the payment. Throws the refusal of the payment; an unknown outcome returns `pending`.
 */
export async function chargeAttempt(
  ctx: Ctx,
  { purchase, attempt, buyer }: { purchase: PurchaseRow; attempt: AttemptRow; buyer?: Buyer },
  input: Pick<PurchaseInput, 'gateway' | 'save'> & { instrument: Instrument; returnTo?: string; pageUntil?: Date },
): Promise<PaymentAnswer> {
  const { gateway, instrument } = input
  const hold = purchase.hold_until ?? ctx.now
  const plan = subscriptionPlan(purchase, ctx.zone)
  let applied: Awaited<ReturnType<typeof apply>>
  try {
    if (attempt.n > 1) await endOlder(ctx, attempt)
    const facts = await gateway.start(
      {
        key: { purchase: purchase.purchase_id, step: 'pay', n: attempt.n },
        amount: attempt.part_centavos ?? purchase.total_centavos,
        currency: 'MXN',
        title: attempt.sale_id === null ? purchase.title : titleOfItems(await listOrderItems(ctx.db, purchase)),
        buyer: buyer ?? (await loadBuyer(ctx, purchase.customer_id, gateway)),
        instrument,
        expiresAt: input.pageUntil ?? (instrument.by === 'hosted-page' ? new Date(hold.getTime() - HOLD_MARGIN_MS) : hold),
        returnUrl: `${ctx.studio.publicUrl}${input.returnTo ?? returnPath(purchase.purchase_id)}`,
        ...(input.save ? { saveCard: true } : {}),
      },
      plan,
    )
    applied = await apply(ctx, facts, attempt)
  } catch (error) {
    return afterFailure(ctx, purchase, attempt, error)
  }
  if (!applied) throw new Error(`The purchase ${purchase.purchase_id} is gone.`)
  // Outside of the try: a definite refusal by the processor is not an unknown outcome.
  return toPaymentAnswer(applied)
}

/** Ends a purchase's older attempts at their processors, so that only the new one can be paid. */
async function endOlder(ctx: Ctx, attempt: AttemptRow): Promise<void> {
  for (const older of await listAttempts(ctx.db, attempt.purchase_id)) {
    if (older.n >= attempt.n || older.ref_id === null || older.state !== 'refused') continue
    await endAttempt(ctx, older, 'otra forma de pago', false)
  }
}

/** The response after the processor's state was applied: the purchase, or the refusal of the payment. */
export function toPaymentAnswer({ purchase, attempt, facts }: { purchase: PurchaseRow; attempt: AttemptRow; facts: Facts }): PaymentAnswer {
  if (purchase.status === 'pending' && attempt.state === 'refused') throw refusalForAttempt(purchase, attempt)
  return paymentAnswer(purchase, attempt, purchase.status === 'pending' ? facts.next : null)
}

export function refusalForAttempt(purchase: PurchaseRow, attempt: AttemptRow): Refusal {
  const failure = attemptFailure(attempt)
  return refuse((failure?.code ?? 'PAYMENT_FAILED') as Refusal['code'], {
    purchase_id: purchase.purchase_id,
    message: attempt.error_message,
    ...(failure?.code === 'TRIAL_USED' ? pricesWithoutTrial(purchase) : {}),
  })
}

/** Handles a call that threw: refused, retry later, or unknown outcome (V7). Never reports a failure when money may have moved. */
export async function afterFailure(ctx: Ctx, purchase: PurchaseRow, attempt: AttemptRow, error: unknown): Promise<PaymentAnswer> {
  const kind = error instanceof PaymentError ? error.kind : 'unknown_outcome'
  if (error instanceof PaymentError && kind !== 'unknown_outcome') {
    if (kind === 'busy' || error.code === 'IDEMPOTENCY_KEY_REUSED')
      throw refuse('PAYMENT_IN_PROGRESS', { purchase_id: purchase.purchase_id })
    const isOurs = kind === 'config' || kind === 'unavailable'
    if (isOurs) ctx.studio.log.error({ error, purchase_id: purchase.purchase_id }, 'payments.processor_unavailable')
    const code = isOurs ? 'PAYMENT_TRY_LATER' : error.code
    const marked = await markAttempt(ctx, attempt, { state: 'refused', error_code: code, error_message: error.message })
    if (marked.state === 'refused') throw refusalForAttempt(purchase, marked)
  } else {
    // A refusal of our own (for example, the purchase is locked by another request) is not an outcome either.
    ctx.studio.log.warn({ error, purchase_id: purchase.purchase_id }, 'payment.outcome_unknown')
    await markAttempt(ctx, attempt, { state: 'unknown' })
  }
  const [current, attempts] = [await findPurchase(ctx.db, purchase.purchase_id), await listAttempts(ctx.db, purchase.purchase_id)]
  return paymentAnswer(current ?? purchase, attempts[0] ?? attempt, null)
}

/** The customer, with their id at the gateway. */
export async function loadBuyer(ctx: Ctx, customer_id: number, gateway: PaymentGateway): Promise<Buyer> {
  const [row, ref] = await Promise.all([findBuyer(ctx.db, customer_id), findProviderCustomer(ctx.db, gateway.id, customer_id)])
  return buyerFrom(row, ref)
}
