/** The first transaction of a purchase: writes its frozen terms and reserves stock and limit, before any processor is called (V1 to V6). */
import type { ErrorCode } from '#contract/errors.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import type { DisplayedPrice, Quote } from '#contract/pricing.ts'
import type { WantedClass } from '#contract/sales.ts'
import type { Buyer, PaymentGateway } from '#server/adapters/payments/port.ts'
import {
  type DiscountRow,
  findPackage,
  type PackageWithTypes,
  purchasablePackage,
  returnStock,
  takeStock,
  whyNotEvent,
} from '#server/modules/catalogue/catalogue.ts'
import { pendingDocuments } from '#server/modules/content/content.ts'
import { grantCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  areSameTerms,
  CARD_HOLD_MS,
  type FrozenTerms,
  findRepeatedPurchase,
  freeSlot,
  freezeTerms,
  isFree,
  isOpenAttempt,
  isSpent,
  MAX_ATTEMPTS,
  ONE_OFF,
  PAGE_HOLD_MS,
  subscriptionPlan,
  VOUCHER_HOLD_MS,
  whyNotBuy,
  whyNotDisplayedPrice,
} from '#server/modules/sales/rules.ts'
import { priceWith, reserveDiscountUse, writeUse } from '#server/modules/sales/settlement/discounts.ts'
import { type CheckoutCard, chargeGiftCard, giftCardPart, holdGiftCard } from '#server/modules/sales/settlement/gift-cards.ts'
import { countUsed, hasTrial, needsCardFingerprint, trialUsed, whyNoTrial } from '#server/modules/sales/settlement/trials.ts'
import { buyerFrom, findProviderCustomer, lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { listHolding } from '#server/modules/sales/store/discount-store.ts'
import {
  type AttemptRow,
  findByVisit,
  findOpen,
  hasPaid,
  insertAttempt,
  insertPurchase,
  joinVisit,
  listAttempts,
  listLive,
  type PurchaseRow,
  releaseVisits,
  updatePurchase,
} from '#server/modules/sales/store/store.ts'
import { claimPlastic, listWaitingTrials, type Plastic } from '#server/modules/sales/store/trial-store.ts'
import { pgError, type Reader, type Tx, together } from '#server/platform/db.ts'

/** One request of a checkout visit. */
export interface PurchaseInput {
  class_package_id: number
  discountCode: string | null
  payment_method_id: number | null
  gateway: PaymentGateway
  by: 'card-token' | 'saved-card' | 'hosted-page' | 'wallet' | 'voucher' | 'hand' | null
  /** Distinguishes payment instruments (a hash; never the token itself). */
  methodKey: string | null
  save: boolean
  /** The saved card that pays. */
  payment_source_id?: number
  /** Hash of what is bought: the same visit may not request something else. */
  hash: string
  /** The price that the customer was shown; null for callers that show none (V36). */
  shown: DisplayedPrice | null
  /** The customer confirmed the repetition of a recent purchase or live subscription (V6). */
  again?: boolean
  /** The class for which the customer buys it (V52). */
  wanted_class?: WantedClass | null
  /** The physical card's fingerprint; null: the processor does not know it; undefined: not read yet (V41). */
  plastic?: Plastic | null
  /** The gift card that pays a part of it or all (I12). */
  gift: CheckoutCard | null
  /** The error when the purchase is not free and the request names no payment method. */
  without?: ErrorCode
}

export type Opened =
  /** Already completed. */
  | { kind: 'done'; purchase: PurchaseRow; attempt: AttemptRow | null }
  /** The processor is to be called, with an idempotent request. */
  | { kind: 'charge'; purchase: PurchaseRow; attempt: AttemptRow; buyer?: Buyer }
  /** A repeated request: the processor is read for the state. */
  | { kind: 'resume'; purchase: PurchaseRow; attempt: AttemptRow }
  /** An attempt with another instrument is still open and has to be ended first. */
  | { kind: 'clear'; purchase: PurchaseRow; attempt: AttemptRow }
  /** It waits at another price than the one shown: it is given up, and the visit starts again (V36). */
  | { kind: 'outdated'; purchase: PurchaseRow }
  /** Another visit's purchase of the same package waits on other terms: it is ended before this one begins (V5). */
  | { kind: 'replaces'; purchase: PurchaseRow }
  /** Whether the purchase begins with a free trial depends on the card: its plastic has to be known first (V41). */
  | { kind: 'identify' }
  /** Refused, unless one of the customer's own waiting purchases is given up (D4). */
  | { kind: 'refused'; no: Refusal; ownWaiting: number[] }

/**
 * Opens the purchase of a visit, resumes it, or joins the visit to the one purchase of this package that its customer has open (V5).
 * Throws every refusal of the checkout that giving up a waiting purchase could not resolve.
 */
export async function openPurchase(tx: Tx, ctx: Ctx, input: PurchaseInput): Promise<Opened> {
  const { customer_id } = ctx.customer
  const key = ctx.idempotencyKey
  // Pipelined, but executed in order: the customer is locked before their purchases are read.
  const [customer, mine, open, ref, read] = await together([
    lockBuyer(tx, customer_id),
    key === null ? null : findByVisit(tx, customer_id, key),
    findOpen(tx, customer_id, input.class_package_id),
    findProviderCustomer(tx, input.gateway.id, customer_id),
    // What it refuses is no answer to a visit that has a purchase: thrown below. After an error of the database nothing can be read.
    readOffer(tx, ctx, input).then(
      (value) => ({ value }),
      (refusal: unknown) => {
        if (pgError(refusal)) throw refusal
        return { refusal }
      },
    ),
  ])
  if (!customer || customer.deletedAt) throw refuse('NO_CUSTOMER')
  const withBuyer = (result: Opened): Opened => (result.kind === 'charge' ? { ...result, buyer: buyerFrom(customer, ref) } : result)
  if (mine && mine.request_hash !== input.hash) throw refuse('IDEMPOTENCY_KEY_REUSED')
  if (mine && !cameToNothing(mine)) return withBuyer(await resume(tx, ctx, input, mine))
  // A failed purchase frees its visits: they can open another one (V5).
  if (mine) await releaseVisits(tx, mine.purchase_id)
  if ('refusal' in read) throw read.refusal
  const offer = await offerNow(tx, ctx, input, open, read.value)
  if ('kind' in offer) return offer
  if (!open) return withBuyer(await openNew(tx, ctx, input, offer))
  const [last] = await listAttempts(tx, open.purchase_id)
  const isSame = open.request_hash === input.hash && areSameTerms(open, offer.terms) && open.gift_card_centavos === offer.byCard
  if (!isSame || !last || !canGoOn(last)) return { kind: 'replaces', purchase: open }
  if (key !== null) await joinVisit(tx, { customer_id, idempotency_key: key, purchase_id: open.purchase_id, createdAt: ctx.now })
  return withBuyer(await resume(tx, ctx, input, open))
}

const cameToNothing = (purchase: PurchaseRow) => (purchase.status === 'failed' || purchase.status === 'cancelled') && !purchase.completedAt

/** Whether a purchase has an attempt left, or one that is open or paid. */
const canGoOn = (last: AttemptRow) => last.n < MAX_ATTEMPTS || !isSpent(last.state)

async function resume(tx: Tx, ctx: Ctx, input: PurchaseInput, sale: PurchaseRow): Promise<Opened> {
  const [last] = await listAttempts(tx, sale.purchase_id)
  if (sale.status !== 'pending' || !last) return { kind: 'done', purchase: sale, attempt: last ?? null }
  const outdated = whyNotDisplayedPrice(input.shown, sale) !== null || (input.gift !== null && input.gift.shown !== sale.gift_card_centavos)
  const same = !outdated && last.instrument.key === input.methodKey && last.gateway === input.gateway.id
  if (outdated && last.state === 'processing') return { kind: 'resume', purchase: sale, attempt: last }
  if (last.state === 'waiting' || last.state === 'processing') return { kind: same ? 'resume' : 'clear', purchase: sale, attempt: last }
  if (isOpenAttempt(last.state)) return { kind: same ? 'charge' : 'clear', purchase: sale, attempt: last }
  if (last.state === 'paid' || last.state === 'trialing' || last.state === 'past_due')
    return { kind: 'resume', purchase: sale, attempt: last }
  if (outdated) return { kind: 'outdated', purchase: sale }
  if (!canGoOn(last)) throw refuse('TOO_MANY_CARDS')
  payable(input, sale, ctx.zone)
  // The event may have begun between two attempts.
  const classPackage = await findPackage(tx, input.class_package_id)
  const over = classPackage && whyNotEvent(classPackage, ctx.settings, ctx.now)
  if (over) throw over
  if (needsCardFingerprint(sale, ctx.settings) && isCard(input.by)) {
    if (input.plastic === undefined) return { kind: 'identify' }
    const of = { purchase_id: sale.purchase_id, customer_id: sale.customer_id, now: ctx.now }
    if (input.plastic && !(await claimPlastic(tx, input.plastic, of))) return { kind: 'outdated', purchase: sale }
  }
  const hold = holdFor(ctx, input.by)
  const purchase = await updatePurchase(tx, sale.purchase_id, {
    gateway: input.gateway.id,
    payment_method_id: input.payment_method_id,
    payment_source_id: sale.is_subscription ? (input.payment_source_id ?? null) : null,
    hold_until: input.by === 'hand' || (sale.hold_until && hold > sale.hold_until) ? hold : sale.hold_until,
    ...(input.wanted_class && { wanted_class: input.wanted_class }),
    updatedAt: ctx.now,
  })
  if (input.wanted_class) await holdWanted(tx, ctx, purchase)
  return { kind: 'charge', purchase, attempt: await newAttempt(tx, ctx, input, purchase, last.n + 1) }
}

interface Offer {
  classPackage: PackageWithTypes
  /** The customer's live purchases of it, without the open one. */
  live: PurchaseRow[]
  price: Quote
  discount: DiscountRow | null
  terms: FrozenTerms
  /** What the gift card of the visit pays of it, in centavos. */
  byCard: number
}

/** What decides whether and on which terms this visit may buy. Throws why the package is not sold. */
function readOffer(tx: Tx, ctx: Ctx, input: PurchaseInput) {
  const { customer_id } = ctx.customer
  return together([
    purchasablePackage(ctx, input.class_package_id, tx),
    listLive(tx, customer_id, input.class_package_id),
    signupFee(tx, ctx, customer_id),
    pendingDocuments(tx, customer_id),
  ])
}

/** The terms on which this visit may buy, ignoring the customer's other waiting purchases. Throws the refusals (V2, V3, D3, V36, V41). */
async function offerNow(
  tx: Tx,
  ctx: Ctx,
  input: PurchaseInput,
  open: PurchaseRow | null,
  [classPackage, all, fee, documents]: Awaited<ReturnType<typeof readOffer>>,
): Promise<Offer | Extract<Opened, { kind: 'identify' }>> {
  const { customer_id } = ctx.customer
  const live = all.filter((purchase) => purchase.purchase_id !== open?.purchase_id)
  const no = whyNotBuy(
    classPackage,
    { live: await countUsed(tx, ctx, { customer_id, classPackage, live }), signupFee: fee, pendingDocuments: documents.length },
    ctx.settings,
  )
  if (no) throw no
  const { price, discount } = await priceWith(tx, ctx, { classPackage, code: input.discountCode, customer_id })
  if (needsCardFingerprint(classPackage, ctx.settings) && isCard(input.by) && input.plastic === undefined) return { kind: 'identify' }
  const noTrial = hasTrial(classPackage) ? await whyNoTrial(tx, ctx, { customer_id, plastic: input.plastic ?? null }) : null
  const terms = freezeTerms(classPackage, price, ctx.now, noTrial === null)
  const other = whyNotDisplayedPrice(input.shown, terms)
  if (other) throw noTrial && !whyNotDisplayedPrice(input.shown, freezeTerms(classPackage, price, ctx.now)) ? trialUsed(other) : other
  const { class_package_id, is_subscription } = classPackage
  const of = { customer_id, class_package_id, is_subscription, total: price.total }
  const byCard = input.gift && price.total > 0 ? await giftCardPart(tx, input.gift, of) : 0
  return { classPackage, live, price, discount, terms, byCard }
}

async function openNew(
  tx: Tx,
  ctx: Ctx,
  input: PurchaseInput,
  { classPackage, live, price, discount, terms, byCard }: Offer,
): Promise<Opened> {
  const { customer_id } = ctx.customer
  const same = input.again && ctx.idempotencyKey !== null ? null : findRepeatedPurchase(live, ctx.now)
  // Without an Idempotency-Key, the same request shortly afterwards counts as a repetition (V6).
  if (same?.isRecent && ctx.idempotencyKey === null && same.purchase.request_hash === input.hash)
    return { kind: 'done', purchase: same.purchase, attempt: (await listAttempts(tx, same.purchase.purchase_id))[0] ?? null }
  // Of two waiting trials only one can begin: the other is given up.
  if (hasTrial(terms) && ctx.settings.trial_once_per_customer) {
    const ownWaiting = await listWaitingTrials(tx, customer_id, classPackage.class_package_id)
    if (ownWaiting.length) return { kind: 'refused', no: refuse('PAYMENT_IN_PROGRESS'), ownWaiting }
  }
  // Nothing is left for a processor.
  const free = isFree(classPackage, price) || (byCard > 0 && byCard === price.total)
  const frozen = {
    customer_id,
    class_package_id: classPackage.class_package_id,
    title: classPackage.title,
    amount_centavos: price.amount,
    discount_centavos: price.discount,
    class_amount: classPackage.class_amount,
    expiration_days: classPackage.expiration_days,
    ...terms,
    discount_id: discount?.discount_id ?? null,
    discount_code: discount?.code ?? null,
    payment_source_id: classPackage.is_subscription ? (input.payment_source_id ?? null) : null,
    limit_slot: freeSlot(
      live.map((purchase) => purchase.limit_slot),
      classPackage.limit_per_customer,
    ),
    holds_stock: true,
    is_exclusive: true,
    idempotency_key: ctx.idempotencyKey,
    request_hash: input.hash,
    ...(byCard > 0 && input.gift ? { gift_card_id: input.gift.gift_card_id, gift_card_centavos: byCard } : {}),
    wanted_class: input.wanted_class ?? null,
    updatedAt: ctx.now,
  }
  if (!free) payable(input, frozen, ctx.zone)
  const pending = {
    ...frozen,
    payment_method_id: input.payment_method_id,
    gateway: input.gateway.id,
    status: 'pending' as const,
    hold_until: holdFor(ctx, input.by),
  }
  // Nothing but the stock can be short: both statements leave together.
  if (!discount && !same && !free && byCard === 0 && !hasTrial(terms)) {
    const [, purchase] = await together([takeStock(tx, classPackage.class_package_id), insertPurchase(tx, pending)])
    await opened(tx, ctx, purchase)
    return { kind: 'charge', purchase, attempt: await newAttempt(tx, ctx, input, purchase, 1) }
  }
  await takeStock(tx, classPackage.class_package_id)
  const use = discount && (await holdOrReturn(tx, discount, frozen))
  if (use && 'kind' in use) return use
  if (same)
    throw refuse(same.purchase.is_subscription ? 'SUBSCRIPTION_REPEATED' : 'PURCHASE_REPEATED', { purchase_id: same.purchase.purchase_id })
  if (free) {
    const purchase = await insertPurchase(tx, {
      ...frozen,
      payment_method_id: null,
      gateway: byCard > 0 ? 'regalo' : 'gratis',
      status: 'completed',
      completedAt: ctx.now,
    })
    if (use) await writeUse(tx, ctx, purchase, { ...use, state: 'used' })
    await holdGiftCard(tx, ctx, purchase)
    await chargeGiftCard(tx, ctx, purchase)
    await grantCredits(tx, ctx, {
      kind: 'package',
      customer_id,
      class_package_id: classPackage.class_package_id,
      purchase_id: purchase.purchase_id,
      period: ONE_OFF,
      from: ctx.now,
      class_amount: classPackage.class_amount,
      expiration_days: classPackage.expiration_days,
      title: classPackage.title,
    })
    await tx.send({ name: 'sales.receipt', data: { purchase_id: purchase.purchase_id, period: ONE_OFF } })
    await opened(tx, ctx, purchase)
    return { kind: 'done', purchase, attempt: null }
  }
  const purchase = await insertPurchase(tx, pending)
  if (use) await writeUse(tx, ctx, purchase, { ...use, state: 'held' })
  await holdGiftCard(tx, ctx, purchase)
  if (hasTrial(terms) && input.plastic && !(await claimPlastic(tx, input.plastic, { ...purchase, now: ctx.now })))
    throw refuse('PAYMENT_IN_PROGRESS')
  await opened(tx, ctx, purchase)
  return { kind: 'charge', purchase, attempt: await newAttempt(tx, ctx, input, purchase, 1) }
}

/**
 * Reserves a use of the discount (D4). Without one left, the stock just taken is returned explicitly: a refusal is returned, not thrown, so
 * the transaction commits.
 */
async function holdOrReturn(
  tx: Tx,
  discount: DiscountRow,
  purchase: { customer_id: number; class_package_id: number },
): Promise<{ discount_id: number; slot: number | null } | Extract<Opened, { kind: 'refused' }>> {
  const { discount_id } = discount
  try {
    return { discount_id, ...(await reserveDiscountUse(tx, discount, purchase.customer_id)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await returnStock(tx, purchase.class_package_id)
    return { kind: 'refused', no: error, ownWaiting: await waiting(tx, await listHolding(tx, purchase.customer_id, discount_id)) }
  }
}

async function opened(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<void> {
  const { purchase_id, customer_id, class_package_id, total_centavos, status, gateway } = purchase
  await ctx.audit(tx, {
    action: 'purchase.open',
    entity: 'purchase',
    entity_id: purchase_id,
    after: { class_package_id, total_centavos, status, gateway },
  })
  tx.notify({ topic: 'purchase', purchase_id, customer_id })
  await holdWanted(tx, ctx, purchase)
}

/** Holds the places of the wanted class while it is paid, where the studio does so (W12). */
async function holdWanted(tx: Tx, ctx: Ctx, { purchase_id, wanted_class }: PurchaseRow): Promise<void> {
  if (wanted_class && ctx.settings.hold_while_paying > 0) await tx.send({ name: 'bookings.hold-while-paying', data: { purchase_id } })
}

function newAttempt(tx: Tx, ctx: Ctx, input: PurchaseInput, purchase: PurchaseRow, n: number): Promise<AttemptRow> {
  const { purchase_id, total_centavos, gift_card_centavos } = purchase
  return insertAttempt(tx, {
    purchase_id,
    n,
    ...(gift_card_centavos > 0 ? { part_centavos: total_centavos - gift_card_centavos } : {}),
    gateway: input.gateway.id,
    ref_kind: 'payment',
    state: 'created',
    instrument: { by: input.by ?? '', ...(input.methodKey ? { key: input.methodKey } : {}), ...(input.save ? { save: true } : {}) },
    now: ctx.now,
  })
}

/** Throws when the payment method is missing or cannot pay this purchase, before anything is written (V2). */
function payable(
  input: PurchaseInput,
  purchase: Parameters<typeof subscriptionPlan>[0] & { gift_card_centavos?: number },
  zone: string,
): void {
  if (!input.by) throw refuse(input.without ?? 'PAYMENT_METHOD_MISSING')
  const plan = subscriptionPlan(purchase, zone)
  const no = input.gateway.refuses({
    instrument: input.by,
    amount: purchase.total_centavos - (purchase.gift_card_centavos ?? 0),
    saveCard: input.save,
    ...(plan ? { plan } : {}),
  })
  if (no) throw refuse(no)
}

/** Whether the instrument is a card, whose fingerprint can be read before it is charged. */
const isCard = (by: PurchaseInput['by']) => by === 'card-token' || by === 'saved-card'

/** Until when a purchase reserves its stock, by payment method (V10). */
function holdFor(ctx: Ctx, by: PurchaseInput['by']): Date {
  const ms =
    by === 'hand'
      ? ctx.settings.cash_hold_hours * 3_600_000
      : by === 'voucher'
        ? VOUCHER_HOLD_MS
        : by === 'hosted-page' || by === 'wallet'
          ? PAGE_HOLD_MS
          : CARD_HOLD_MS
  return new Date(ctx.now.getTime() + ms)
}

/** The customer's purchases that wait only for the customer: they may be given up (D4). One with an outcome still to come may not. */
async function waiting(tx: Tx, live: readonly PurchaseRow[]): Promise<number[]> {
  const found: number[] = []
  for (const purchase of live) {
    if (purchase.status !== 'pending') continue
    const attempts = await listAttempts(tx, purchase.purchase_id)
    if (attempts.every((attempt) => attempt.state === 'waiting' || !isOpenAttempt(attempt.state))) found.push(purchase.purchase_id)
  }
  return found
}

/** The sign-up fee, when there is one that can be paid (V2, S1-5.23, settled 17). */
async function signupFee(db: Reader, ctx: Ctx, customer_id: number): Promise<{ class_package_id: number; paid: boolean } | null> {
  const class_package_id = ctx.settings.signup_fee
  if (class_package_id === null) return null
  const classPackage = await findPackage(db, class_package_id)
  if (!classPackage?.available || classPackage.deletedAt) return null
  return { class_package_id, paid: await hasPaid(db, customer_id, class_package_id) }
}
