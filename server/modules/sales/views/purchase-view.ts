/** Serializes purchases and payments for the wire. */
import { billingCalendarOf, nextBillingDate } from '#contract/billing.ts'
import { voucherSteps } from '#contract/copy/purchase-texts.ts'
import { isErrorCode, sentence } from '#contract/errors.ts'
import { formatMoney, pesos } from '#contract/money.ts'
import { type PaymentAnswer, type Purchase, type SavedCard, wantedClass } from '#contract/sales.ts'
import type { MetodoPago } from '#contract/saved-cards.ts'
import { formatInstant, wallClock } from '#contract/time.ts'
import type { Next } from '#server/adapters/payments/port.ts'
import { serializeFile, validImage } from '#server/modules/catalogue/catalogue.ts'
import { signedFileLink } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { sourceId } from '#server/modules/sales/rules.ts'
import type { SourceRow } from '#server/modules/sales/store/card-store.ts'
import { findLatestChange } from '#server/modules/sales/store/plan-change-store.ts'
import type { AttemptRow, PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { PurchaseView } from '#server/modules/sales/store/view-store.ts'

/** Payment method kinds that charge a card. */
const CARD: ReadonlySet<string> = new Set(['card-token', 'saved-card', 'hosted-page'])

/** Attempt states that bring no money any more, while the purchase waits for the next attempt. */
const OVER: ReadonlySet<string> = new Set(['refused', 'ended', 'expired', 'cancelled'])

/** Code and Spanish sentence of a refused attempt (S1-8.32: 3-D Secure and second trials have sentences of their own). */
export function attemptFailure(attempt: Pick<AttemptRow, 'error_code' | 'error_message'>): { code: string; message: string } | null {
  const code = attempt.error_code
  if (!code || !isErrorCode(code)) return null
  return { code, message: sentence(code, { message: attempt.error_message ?? '', price: attempt.error_message ?? '' }) }
}

/** Whether a renewal waits for the customer to confirm it with the bank (V33). */
export function needsBankConfirmation(
  purchase: Pick<PurchaseRow, 'status' | 'past_due_since'>,
  attempt: Pick<AttemptRow, 'state' | 'error_code'> | null,
): boolean {
  return (
    purchase.status === 'active' &&
    purchase.past_due_since !== null &&
    attempt?.state === 'past_due' &&
    attempt.error_code === 'CARD_CONFIRMATION'
  )
}

/**
 * The next charge of a live subscription: as its provider reported it, or by the calendar where that has passed (S1-4.29 to S1-4.31, V22).
 */
function nextCharge({ purchase, attempt }: Pick<PurchaseView, 'purchase' | 'attempt'>, at: { now: Date; zone: string }) {
  if (purchase.status !== 'active' || purchase.paused_since) return null
  const { benefits_until } = purchase
  const date =
    benefits_until && benefits_until > at.now
      ? benefits_until
      : nextBillingDate(purchase, at.now, at.zone, billingCalendarOf(purchase.gateway))
  const isFirst = attempt?.state === 'trialing' && purchase.total_centavos > 0
  const amount = isFirst ? purchase.total_centavos : (purchase.next_total_centavos ?? purchase.total_centavos)
  return date && { amount: pesos(amount), date: wallClock(date, at.zone).toISOString() }
}

/** A purchase with its downloadable file, whose address works for a few minutes: read it again after that (V39). */
export async function purchaseOnWire(ctx: Ctx, view: PurchaseView): Promise<Purchase> {
  const downloadable = view.classPackage?.downloadable ?? null
  return serializePurchase(
    view,
    ctx,
    downloadable === null ? null : ((await signedFileLink(ctx.db, ctx, downloadable)) ?? serializeFile(downloadable)),
  )
}

/** A purchase for its customer: a gift shows no price, discount or payment method (S10). */
export async function ownPurchaseOnWire(ctx: Ctx, view: PurchaseView): Promise<Purchase> {
  const purchase = { ...(await purchaseOnWire(ctx, view)), plan_change: await plannedChange(ctx, view.purchase) }
  if (!view.giver) return purchase
  const nothing = pesos(0)
  return {
    ...purchase,
    amount: nothing,
    discount: nothing,
    total_payment: nothing,
    by_gift_card: nothing,
    amount_due: nothing,
    refunded: nothing,
    refund_owed: nothing,
    discount_code: null,
    payment_method_id: null,
    payment_method: null,
    is_gift: true,
    has_receipt: false,
  }
}

/** The change of plan that begins when the paid period ends, in a sentence (V55); null without one. */
async function plannedChange(ctx: Ctx, purchase: PurchaseRow): Promise<string | null> {
  if (!purchase.is_subscription || !purchase.benefits_until) return null
  const change = await findLatestChange(ctx.db, purchase.purchase_id)
  if (!change || change.replaced_by !== null || change.doneAt) return null
  const day = formatInstant(purchase.benefits_until, ctx.zone, 'date')
  return `Cambia a ${change.title} el ${day}, por ${formatMoney(change.total_centavos)}.`
}

/** A purchase as its customer sees it. `zone`: the studio's; `file`: its downloadable file with a current address. */
export function serializePurchase(
  view: PurchaseView,
  at: { now: Date; zone: string },
  file: { name: string; type: string; src: string } | null = null,
): Purchase {
  const { purchase, classPackage, email, method, attempt, money } = view
  const wall = (instant: Date) => wallClock(instant, at.zone).toISOString()
  const isLive = purchase.status === 'active' || purchase.status === 'completed'
  const voucher = attempt?.voucher?.kind
  const by = attempt?.instrument.by ?? ''
  const label = attempt?.instrument.label ?? (voucher === 'oxxo' || voucher === 'spei' ? voucher.toUpperCase() : method)
  const isByCard = purchase.gift_card_centavos > 0 && purchase.gateway !== 'regalo'
  const names = [label, isByCard ? 'Tarjeta de regalo' : null].filter((name) => name !== null && name !== undefined)
  return {
    purchase_id: purchase.purchase_id,
    payment_id: attempt?.payment_id ?? null,
    title: purchase.title,
    class_package: classPackage && {
      class_package_id: classPackage.class_package_id,
      title: classPackage.title,
      image: validImage(classPackage.image),
      receipt_file: validImage(classPackage.receipt_file),
      class_amount: classPackage.class_amount,
      is_online: classPackage.is_online,
      downloadable: file && { name: file.name, type: file.type },
      file_url: isLive ? (file?.src ?? null) : null,
    },
    createdAt: purchase.createdAt.toISOString(),
    updatedAt: purchase.updatedAt.toISOString(),
    cancelledAt: purchase.cancelledAt?.toISOString() ?? null,
    created_date: wall(purchase.createdAt),
    cancelled_date: purchase.cancelledAt ? wall(purchase.cancelledAt) : null,
    amount: pesos(purchase.amount_centavos),
    discount: pesos(purchase.discount_centavos),
    discount_code: purchase.discount_code,
    total_payment: pesos(purchase.total_centavos),
    by_gift_card: pesos(purchase.gift_card_centavos),
    amount_due: pesos(purchase.total_centavos - purchase.gift_card_centavos),
    status: purchase.status,
    class_amount: purchase.class_amount,
    expiration_days: purchase.expiration_days,
    payment_method_id: purchase.payment_method_id,
    payment_method: names.length > 0 ? { name: names.join(' y ') } : null,
    customer: { email },
    subscription_id: purchase.subscription_id,
    subscription_period: purchase.subscription_period,
    subscription_interval: purchase.subscription_interval,
    free_trial_length: purchase.free_trial_length,
    free_trial_period: purchase.free_trial_period,
    next_charge: nextCharge(view, at),
    trial_ends_date:
      purchase.status === 'active' && attempt?.state === 'trialing' && purchase.benefits_until ? wall(purchase.benefits_until) : null,
    benefits_until_date: purchase.is_subscription && purchase.benefits_until ? wall(purchase.benefits_until) : null,
    past_due: purchase.past_due_since !== null,
    confirm_charge: needsBankConfirmation(purchase, attempt),
    paused: purchase.paused_since !== null,
    plan_change: null,
    is_gift: purchase.is_gift,
    refunded: pesos(money.refunded),
    refund_owed: pesos(money.owed),
    has_receipt: isLive || money.charges > 0,
    can_change_card: purchase.is_subscription && purchase.status === 'active' && CARD.has(by),
    unfinished:
      purchase.status === 'pending' &&
      attempt !== null &&
      (OVER.has(attempt.state) || (attempt.state === 'waiting' && (by === 'wallet' || CARD.has(by)))),
    can_cancel: purchase.subscription_id !== null && (purchase.status === 'active' || purchase.status === 'pending'),
    voucher: purchase.status === 'pending' && attempt?.state === 'waiting' && attempt.voucher ? voucherOut(attempt.voucher) : null,
    failure:
      purchase.status === 'pending' || purchase.status === 'failed'
        ? attempt && attempt.state === 'refused'
          ? attemptFailure(attempt)
          : null
        : null,
    // What is stored may be older than the present shape.
    wanted_class: wantedClass.safeParse(purchase.wanted_class).data ?? null,
  }
}

/** The voucher of a purchase: its reference and how to pay it. */
function voucherOut({
  kind,
  reference,
  expires_at,
  url,
  clabe,
  missing,
}: NonNullable<AttemptRow['voucher']>): NonNullable<PaymentAnswer['voucher']> {
  return { kind, reference, expires_at, url, clabe, missing: missing ? pesos(missing) : null, instructions: voucherSteps(kind) }
}

/** The answer of a payment call: the purchase's state and the browser's next step (S1-3.47). */
export function paymentAnswer(purchase: PurchaseRow, attempt: AttemptRow | null, next: Next | null): PaymentAnswer {
  return {
    purchase_id: purchase.purchase_id,
    payment_id: attempt?.payment_id ?? null,
    status: purchase.status,
    plan_id: next?.do === 'approve' ? (next.planId ?? null) : null,
    subscriptionID: next?.do === 'approve' && purchase.is_subscription ? next.token : null,
    orderID: next?.do === 'approve' && !purchase.is_subscription ? next.token : null,
    approve_url: next?.do === 'approve' ? (next.url ?? null) : null,
    clientSecret: next?.do === 'confirm' ? next.clientSecret : null,
    intent: next?.do === 'confirm' ? next.intent : null,
    session: next?.do === 'go' ? { id: next.id, url: next.url } : null,
    voucher: next?.do === 'show' ? voucherOut({ ...next.voucher, expires_at: next.voucher.expiresAt.toISOString() }) : null,
  }
}

/** A saved card with the wire names of the first document (S1-3.38, S1-3.39). */
export function serializeMetodo(source: SourceRow): MetodoPago {
  return {
    payment_source_id: source.payment_source_id,
    token_id: sourceId(source.payment_source_id),
    card_type: source.card_type,
    last_digits: source.last_digits,
    saveCard: true,
  }
}

/** A saved card with all the names that the wire uses for it (settled 14). */
export function serializeCard(source: SourceRow): SavedCard {
  const source_id = sourceId(source.payment_source_id)
  return {
    payment_source_id: source.payment_source_id,
    source_id,
    conekta_payment_source_id: source.gateway === 'conekta' ? source_id : null,
    card_type: source.card_type,
    last_digits: source.last_digits,
    exp: source.exp,
  }
}
