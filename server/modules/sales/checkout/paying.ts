/** How a purchase gets its money, whatever it is paid with: rows first, the provider outside, settling third (V5 to V8, V12). */
import { createHash } from 'node:crypto'
import { normalCode } from '#contract/discounts.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { parsePesos } from '#contract/money.ts'
import type { DisplayedPrice } from '#contract/pricing.ts'
import { returnPath } from '#contract/return-path.ts'
import type { PaymentAnswer, PriceShownToCustomer } from '#contract/sales.ts'
import { type Buyer, type Facts, type Instrument, PaymentError, type PaymentGateway } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { HOLD_MARGIN_MS, type Method, planOf, pricesWithoutTrial } from '#server/modules/sales/rules.ts'
import {
  apply,
  applyProcessorState,
  closeWaiting,
  endAttempt,
  markAttempt,
  refOf,
} from '#server/modules/sales/settlement/apply-processor-state.ts'
import { countingGuesses } from '#server/modules/sales/settlement/discounts.ts'
import {
  type AttemptRow,
  findBuyer,
  findProviderCustomer,
  findPurchase,
  listAttempts,
  type PurchaseRow,
} from '#server/modules/sales/store/store.ts'
import type { Plastic } from '#server/modules/sales/store/trial-store.ts'
import { answerOf, failureOf } from '#server/modules/sales/views/purchase-view.ts'
import { requestHash } from '#server/platform/idempotency.ts'
import { type Opened, openPurchase, type PurchaseInput } from './opening.ts'

/** Rounds of asking a provider about an older attempt before saying "a moment, please". */
const ROUNDS = 5

export interface Paying extends Omit<PurchaseInput, 'methodKey' | 'by' | 'hash' | 'shown'> {
  shown?: PriceShownToCustomer
  method: Method | null
  instrument: Instrument | null
  /** The fingerprint of the saved card that pays. */
  fingerprint?: string | null
}

/** What a page said that it costs, in centavos; null when it said nothing. */
function readShown(said: PriceShownToCustomer): DisplayedPrice | null {
  if (!said) return null
  const { today, total, next_total } = said
  // What is no amount is like no price of ours.
  const read = (text: string) => parsePesos(text) ?? -1
  return { today: read(today), total: read(total), nextTotal: next_total === null ? null : read(next_total) }
}

/** Opens or resumes the purchase of a visit and gets it paid. Refuses with every code of the checkout; an unknown outcome answers `pending`. */
export function pay(ctx: Ctx, paying: Paying): Promise<PaymentAnswer> {
  return countingGuesses(ctx, paying.discountCode, () => payNow(ctx, paying))
}

async function payNow(ctx: Ctx, paying: Paying): Promise<PaymentAnswer> {
  const { method, instrument, fingerprint, ...rest } = paying
  const input: PurchaseInput = {
    ...rest,
    shown: readShown(paying.shown),
    by: instrument?.by ?? null,
    methodKey: method && createHash('sha256').update(JSON.stringify(method)).digest('base64url').slice(0, 16),
    hash: requestHash('purchase', {
      class_package_id: paying.class_package_id,
      discountCode: normalCode(paying.discountCode ?? '') || null,
    }),
  }
  for (let round = 1; round <= ROUNDS; round++) {
    const opened = await ctx.tx((tx) => openPurchase(tx, ctx, input))
    if (opened.kind === 'done') return answerOf(opened.purchase, opened.attempt, null)
    if (opened.kind === 'identify') {
      input.plastic = await plasticOf(ctx, paying)
      continue
    }
    if (opened.kind === 'refused') {
      if (round === ROUNDS || !(await makeWay(ctx, opened))) throw opened.no
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
      const ref = refOf(ctx, opened.attempt)
      const settled = ref && (await applyProcessorState(ctx, ref))
      // The bank's question was answered with no since: this is the next try.
      if (settled && settled.purchase.status === 'pending' && settled.attempt.state === 'refused') continue
      return settled ? conclude(settled) : answerOf(opened.purchase, opened.attempt, null)
    }
    if (!instrument) throw refuse('PAYMENT_METHOD_MISSING')
    return charge(ctx, opened, input, instrument)
  }
  throw refuse('PAYMENT_IN_PROGRESS')
}

/** What a processor cannot say now is not ended: nothing else is charged beside it (V12). */
async function isEnded(ctx: Ctx, purchase_id: number, end: () => Promise<boolean>): Promise<boolean> {
  try {
    return await end()
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    ctx.studio.log.warn({ error, purchase_id }, 'payment.cancel_failed')
    return false
  }
}

/** The plastic of the card that is named; null where its processor tells none, or does not know the card. PAYMENT_TRY_LATER. */
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

/** A customer's own waiting purchases give up their use of a discount, or their free trial, to this visit (D4, V41). */
async function makeWay(ctx: Ctx, opened: Opened & { kind: 'refused' }): Promise<boolean> {
  let freed = false
  for (const purchase_id of opened.ownWaiting) {
    const after = await closeWaiting(ctx, purchase_id, { status: 'cancelled', reason: 'otra compra de la misma persona' })
    freed ||= after.status === 'cancelled'
  }
  return freed
}

async function charge(
  ctx: Ctx,
  { purchase, attempt }: { purchase: PurchaseRow; attempt: AttemptRow },
  input: PurchaseInput,
  instrument: Instrument,
): Promise<PaymentAnswer> {
  const { gateway } = input
  const hold = purchase.hold_until ?? ctx.now
  const plan = planOf(purchase, ctx.zone)
  let settled: Awaited<ReturnType<typeof apply>>
  try {
    if (attempt.n > 1) await endOlder(ctx, attempt)
    const facts = await gateway.start(
      {
        key: { purchase: purchase.purchase_id, step: 'pay', n: attempt.n },
        amount: purchase.total_centavos,
        currency: 'MXN',
        title: purchase.title,
        buyer: await buyerOf(ctx, purchase.customer_id, gateway),
        instrument,
        expiresAt: instrument.by === 'hosted-page' ? new Date(hold.getTime() - HOLD_MARGIN_MS) : hold,
        returnUrl: `${ctx.studio.publicUrl}${returnPath(purchase.purchase_id)}`,
        ...(input.save ? { saveCard: true } : {}),
      },
      plan,
    )
    settled = await apply(ctx, facts, attempt)
  } catch (error) {
    return afterFailure(ctx, purchase, attempt, error)
  }
  if (!settled) throw new Error(`The purchase ${purchase.purchase_id} is gone.`)
  // Outside: what the provider answered with a clear no is not an unknown outcome.
  return conclude(settled)
}

/** No older attempt of a purchase may bring money beside the new one: what a provider still holds of them is ended first. */
async function endOlder(ctx: Ctx, attempt: AttemptRow): Promise<void> {
  for (const older of await listAttempts(ctx.db, attempt.purchase_id)) {
    if (older.n >= attempt.n || older.ref_id === null || older.state !== 'refused') continue
    await endAttempt(ctx, older, 'otra forma de pago', false)
  }
}

/** What is told after a provider spoke: the purchase, or why it said no. */
export function conclude({ purchase, attempt, facts }: { purchase: PurchaseRow; attempt: AttemptRow; facts: Facts }): PaymentAnswer {
  if (purchase.status === 'pending' && attempt.state === 'refused') throw refusalOf(purchase, attempt)
  return answerOf(purchase, attempt, purchase.status === 'pending' ? facts.next : null)
}

export function refusalOf(purchase: PurchaseRow, attempt: AttemptRow): Refusal {
  const failure = failureOf(attempt)
  return refuse((failure?.code ?? 'PAYMENT_FAILED') as Refusal['code'], {
    purchase_id: purchase.purchase_id,
    message: attempt.error_message,
    ...(failure?.code === 'TRIAL_USED' ? pricesWithoutTrial(purchase) : {}),
  })
}

/** A call that threw: a definite no, a "not now", or nobody knows (V7). Never "failed, pay again" when money may have moved. */
export async function afterFailure(ctx: Ctx, purchase: PurchaseRow, attempt: AttemptRow, error: unknown): Promise<PaymentAnswer> {
  const kind = error instanceof PaymentError ? error.kind : 'unknown_outcome'
  if (error instanceof PaymentError && kind !== 'unknown_outcome') {
    if (kind === 'busy' || error.code === 'IDEMPOTENCY_KEY_REUSED')
      throw refuse('PAYMENT_IN_PROGRESS', { purchase_id: purchase.purchase_id })
    const isOurs = kind === 'config' || kind === 'unavailable'
    if (isOurs) ctx.studio.log.error({ error, purchase_id: purchase.purchase_id }, 'payments.processor_unavailable')
    const code = isOurs ? 'PAYMENT_TRY_LATER' : error.code
    const marked = await markAttempt(ctx, attempt, { state: 'refused', error_code: code, error_message: error.message })
    if (marked.state === 'refused') throw refusalOf(purchase, marked)
  } else {
    // A refusal of our own (the purchase is locked by somebody else, say) is no outcome either.
    ctx.studio.log.warn({ error, purchase_id: purchase.purchase_id }, 'payment.outcome_unknown')
    await markAttempt(ctx, attempt, { state: 'unknown' })
  }
  const [present, attempts] = [await findPurchase(ctx.db, purchase.purchase_id), await listAttempts(ctx.db, purchase.purchase_id)]
  return answerOf(present ?? purchase, attempts[0] ?? attempt, null)
}

/** Who pays, as a gateway knows them. */
export async function buyerOf(ctx: Ctx, customer_id: number, gateway: PaymentGateway): Promise<Buyer> {
  const [row, ref] = await Promise.all([findBuyer(ctx.db, customer_id), findProviderCustomer(ctx.db, gateway.id, customer_id)])
  return { customer_id, ref, email: row.email, name: `${row.name} ${row.last_name}`.trim(), phone: row.phone }
}
