/** Gift cards: sold as an item of a sale, taken as payment, adjusted; every change of a balance is a movement (I4 to I8, I12). */
import { createHash, randomBytes } from 'node:crypto'
import type * as z from 'zod'
import { Refusal, refuse } from '#contract/errors.ts'
import {
  GIFT_CARD_CODE_LENGTH,
  GIFT_CARD_SIGNS,
  type GiftCard,
  type GiftCardMovement,
  shownGiftCardCode,
  type giftCards as wire,
} from '#contract/gift-cards.ts'
import { type Centavos, parsePesos, pesos, taxIn } from '#contract/money.ts'
import { findPackage, purchasablePackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { MONEY_REASONS } from '#server/modules/sales/gift-card-tables.ts'
import { ONE_OFF } from '#server/modules/sales/rules.ts'
import { locationTaxRate, taxFacts } from '#server/modules/sales/store/charge-store.ts'
import {
  findCard,
  findCardByHash,
  findCardOfCharge,
  findCardOfPurchase,
  findGiftCardOrder,
  findRefundMovement,
  type GiftCardRow,
  insertGiftCard,
  insertGiftCardMovement,
  lastMovement,
  listCardsOfPurchases,
  listGiftCardMovements,
  listGiftCards,
  listHolds,
  lockGiftCards,
  moneyBehindCard,
} from '#server/modules/sales/store/gift-card-store.ts'
import { insertPart } from '#server/modules/sales/store/sale-store.ts'
import { listInvoices, type PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { countingGuesses as countingCustomerGuesses } from './discounts.ts'
import { recordPart } from './received-parts.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>

/** Wrong codes per hour and person of the staff. */
const GUESSES = 20

/** The code of a card: 16 signs (79 bits) of a keyed hash of its nonce, so that it can be printed again and is stored nowhere. */
function codeOf(ctx: Ctx, nonce: string): string {
  const token = ctx.studio.signer.sign('gift-card', nonce)
  const mac = Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url')
  let rest = BigInt(`0x${mac.toString('hex')}`)
  const base = BigInt(GIFT_CARD_SIGNS.length)
  let code = ''
  for (let n = 0; n < GIFT_CARD_CODE_LENGTH; n++) {
    code += GIFT_CARD_SIGNS[Number(rest % base)]
    rest /= base
  }
  return code
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')

/** Changes a balance behind the card's lock. GIFT_CARD_BALANCE when less is left than is taken. */
async function move(
  tx: Tx,
  ctx: Ctx,
  { gift_card_id, last_four }: Pick<GiftCardRow, 'gift_card_id' | 'last_four'>,
  by: {
    kind: GiftCardMovement['kind']
    amount: Centavos
    sale_payment_id?: number
    purchase_id?: number
    refund_id?: number
    reason?: string
  },
): Promise<void> {
  const { kind, amount, sale_payment_id = null, purchase_id = null, refund_id = null, reason = null } = by
  const { n, balance } = await lastMovement(tx, gift_card_id)
  if (balance + amount < 0) throw refuse('GIFT_CARD_BALANCE', { last_four, balance: pesos(balance) })
  await insertGiftCardMovement(tx, {
    gift_card_id,
    n: n + 1,
    kind,
    amount_centavos: amount,
    balance_centavos: balance + amount,
    sale_payment_id,
    purchase_id,
    refund_id,
    reason,
    staff_id: ctx.staff?.staff_id ?? null,
    createdAt: ctx.now,
  })
}

/** Creates the card that an item of a sale is, with its balance (I4). */
export async function createGiftCard(tx: Tx, ctx: Ctx, of: { purchase_id: number; amount: Centavos }): Promise<void> {
  const nonce = randomBytes(16).toString('hex')
  const code = codeOf(ctx, nonce)
  const card = await insertGiftCard(tx, {
    nonce,
    code_hash: hashOf(code),
    last_four: code.slice(-4),
    amount_centavos: of.amount,
    purchase_id: of.purchase_id,
    createdAt: ctx.now,
  })
  await move(tx, ctx, card, { kind: 'sold', amount: of.amount })
  // The bank may have disputed the payment before it became known.
  await followMoneyOfCard(tx, ctx, of.purchase_id)
}

/**
 * Creates the card that a customer bought on the site, once it is paid, and mails its code when it is due (I9). Does nothing for
 * other purchases.
 */
export async function createOrderedGiftCard(tx: Tx, ctx: Ctx, purchase: { purchase_id: number; total_centavos: Centavos }): Promise<void> {
  const { purchase_id, total_centavos: amount } = purchase
  if (!(await findGiftCardOrder(tx, purchase_id))) return
  await createGiftCard(tx, ctx, { purchase_id, amount })
  await tx.send({ name: 'sales.gift-card', data: { purchase_id } })
}

/** Runs work with a typed code and counts the code as a guess if no card has it. Counted first, so that simultaneous guesses count too. */
async function countingGuesses<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  const limit = { name: 'gift-card-guess', subject: `staff ${ctx.staff?.staff_id}`, max: GUESSES, seconds: 3_600 }
  await ctx.throttle(limit)
  let isGuess = false
  try {
    return await work()
  } catch (error) {
    isGuess = error instanceof Refusal && error.code === 'GIFT_CARD_NOT_FOUND'
    throw error
  } finally {
    if (!isGuess) await ctx.uncount(limit).catch((error: unknown) => ctx.studio.log.warn({ error }, 'throttle.uncount_failed'))
  }
}

async function cardWithCode(ctx: Ctx, code: string) {
  const { rows } = await listGiftCards(ctx.db, { code_hash: hashOf(code), locations: null }, { number: 1, size: 1 })
  const [row] = rows
  if (!row) throw refuse('GIFT_CARD_NOT_FOUND')
  return row
}

/** The card of a typed code (I6). GIFT_CARD_NOT_FOUND; TOO_MANY_REQUESTS after twenty wrong codes in an hour. */
export async function giftCardByCode(ctx: Ctx, code: string): Promise<{ gift_card_id: number; last_four: string }> {
  const { card } = await countingGuesses(ctx, () => cardWithCode(ctx, code))
  return { gift_card_id: card.gift_card_id, last_four: card.last_four }
}

/** Locks the cards of a sale's payments in the order of their ids, before any of them pays. */
export async function lockPayingCards(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await lockGiftCards(tx, ids)
}

/** Takes a payment of a sale from a locked card (I6). GIFT_CARD_BALANCE. */
export async function spendGiftCard(
  tx: Tx,
  ctx: Ctx,
  of: { card: Pick<GiftCardRow, 'gift_card_id' | 'last_four'>; sale_payment_id: number; amount: Centavos },
): Promise<void> {
  await move(tx, ctx, of.card, { kind: 'spent', amount: -of.amount, sale_payment_id: of.sale_payment_id })
}

/** Gives back what a held payment took from a locked card (S15). */
export async function releaseCardOfPayment(
  tx: Tx,
  ctx: Ctx,
  { gift_card_id, sale_payment_id, amount }: { gift_card_id: number; sale_payment_id: number; amount: Centavos },
): Promise<void> {
  const card = await findCard(tx, gift_card_id)
  if (card) await move(tx, ctx, card, { kind: 'released', amount, sale_payment_id })
}

/** A gift card that pays at the checkout. `shown`: the amount that the page showed as paid by it. */
export interface CheckoutCard {
  gift_card_id: number
  last_four: string
  shown: Centavos
}

/** The card of a code that a customer typed; its caller counts guesses. GIFT_CARD_NOT_FOUND. */
export async function checkoutCard(db: Reader, code: string): Promise<GiftCardRow> {
  const card = await findCardByHash(db, hashOf(code))
  if (!card) throw refuse('GIFT_CARD_NOT_FOUND')
  return card
}

/** What a card can pay of a package for a customer: its balance, with what their own open purchase of that package holds of it. */
async function payableOf(db: Reader, gift_card_id: number, of: { customer_id: number; class_package_id: number }) {
  const [{ balance }, holds] = await Promise.all([lastMovement(db, gift_card_id), listHolds(db, gift_card_id)])
  const isOwn = (hold: (typeof holds)[number]) => hold.customer_id === of.customer_id && hold.class_package_id === of.class_package_id
  const sum = (rows: typeof holds) => rows.reduce((all, hold) => all + hold.amount, 0)
  return { balance: balance + sum(holds.filter(isOwn)), held: sum(holds.filter((hold) => !isOwn(hold))) }
}

/**
 * How much of a total the card of this visit pays, before anything is written (I12). GIFT_CARD_SUBSCRIPTION; GIFT_CARD_BALANCE when it is
 * not what the page showed.
 */
export async function giftCardPart(
  db: Reader,
  card: CheckoutCard,
  of: { customer_id: number; class_package_id: number; is_subscription: boolean; total: Centavos },
): Promise<Centavos> {
  if (of.is_subscription) throw refuse('GIFT_CARD_SUBSCRIPTION')
  const { balance } = await payableOf(db, card.gift_card_id, of)
  const part = Math.min(balance, of.total)
  if (part !== card.shown || part === 0) throw refuse('GIFT_CARD_BALANCE', { last_four: card.last_four, balance: pesos(balance) })
  return part
}

/**
 * The card of a typed code and what it can pay of a package (I12). GIFT_CARD_NOT_FOUND, GIFT_CARD_SUBSCRIPTION; guesses share one limit
 * with discount codes (D6).
 */
export async function giftCardAtCheckout(
  ctx: Ctx,
  { code, class_package_id }: { code: string; class_package_id: number },
): Promise<{ last_four: string; balance: string; held: string }> {
  const { customer_id } = ctx.customer
  return countingCustomerGuesses(ctx, code, async () => {
    const card = await checkoutCard(ctx.db, code)
    if ((await purchasablePackage(ctx, class_package_id)).is_subscription) throw refuse('GIFT_CARD_SUBSCRIPTION')
    const { balance, held } = await payableOf(ctx.db, card.gift_card_id, { customer_id, class_package_id })
    return { last_four: card.last_four, balance: pesos(balance), held: pesos(held) }
  })
}

type GiftCardPart = Pick<PurchaseRow, 'purchase_id' | 'gift_card_id' | 'gift_card_centavos'>

/**
 * Takes from the card what it pays of a purchase, as the last lock of the transaction (I12). GIFT_CARD_BALANCE when another purchase took
 * it meanwhile. Does nothing for purchases without a card.
 */
export async function holdGiftCard(tx: Tx, ctx: Ctx, { purchase_id, gift_card_id, gift_card_centavos }: GiftCardPart): Promise<void> {
  if (gift_card_id === null) return
  const [card] = await lockGiftCards(tx, [gift_card_id])
  if (card) await move(tx, ctx, card, { kind: 'spent', amount: -gift_card_centavos, purchase_id })
}

/** Releases the balance that a failed or expired purchase holds of a card. A paid purchase returns it by a refund (I7). */
export async function releaseGiftCard(tx: Tx, ctx: Ctx, purchase: GiftCardPart & Pick<PurchaseRow, 'status'>): Promise<void> {
  const { purchase_id, gift_card_id, gift_card_centavos, status } = purchase
  if (gift_card_id === null || status !== 'pending') return
  const [card] = await lockGiftCards(tx, [gift_card_id])
  if (card) await move(tx, ctx, card, { kind: 'released', amount: gift_card_centavos, purchase_id })
}

/**
 * Writes the charge of what a card pays of a purchase that is completed now (I12). Its tax is what is missing to the tax of the total, so
 * that the charges add up to it. Its attempt has the number 0, so that the last one stays the processor's.
 */
export async function chargeGiftCard(tx: Tx, ctx: Ctx, purchase: PurchaseRow): Promise<void> {
  const { purchase_id, customer_id, gift_card_id, gift_card_centavos: amount, total_centavos, location_id } = purchase
  if (gift_card_id === null) return
  const card = await findCard(tx, gift_card_id)
  const others = (await listInvoices(tx, purchase_id)).filter((row) => row.period === ONE_OFF)
  const classPackage = purchase.class_package_id === null ? null : await findPackage(tx, purchase.class_package_id)
  const { tax_rate, tax_exempt } = others[0] ?? taxFacts(ctx.settings, total_centavos, classPackage, await locationTaxRate(tx, location_id))
  const known = others.reduce((sum, row) => sum + row.tax_centavos, 0)
  const tax = Math.max(0, Math.min(amount, taxIn(total_centavos, tax_rate).tax - known))
  const label = 'Tarjeta de regalo'
  const provider_payment = await recordPart(tx, ctx, purchase, { amount, gateway: 'regalo', method: label, receivedBy: 'system', n: 0 })
  await insertPart(tx, {
    purchase_id,
    customer_id,
    gateway: 'regalo',
    provider_payment,
    period: ONE_OFF,
    total_centavos: amount,
    status: 'paid',
    label,
    location_id,
    reference: card?.last_four ?? null,
    tax_rate,
    tax_exempt,
    net_centavos: amount - tax,
    tax_centavos: tax,
    paidAt: ctx.now,
    createdAt: ctx.now,
  })
}

/** Returns a finished refund of a charge to the card that paid it, once (I7). */
export async function returnToGiftCard(tx: Tx, ctx: Ctx, of: { invoice_id: number; refund_id: number; amount: Centavos }): Promise<void> {
  const gift_card_id = await findCardOfCharge(tx, of.invoice_id)
  const [card] = gift_card_id === null ? [] : await lockGiftCards(tx, [gift_card_id])
  if (!card || (await findRefundMovement(tx, of.refund_id, 'returned')) !== null) return
  await move(tx, ctx, card, { kind: 'returned', amount: of.amount, refund_id: of.refund_id })
}

/**
 * Takes the balance back from a card whose own sale is refunded by a row that was written just now (I7): not a second time what an earlier
 * refund took that did not reach its customer (V37). GIFT_CARD_BALANCE when more of it was spent.
 */
export async function takeBackGiftCard(tx: Tx, ctx: Ctx, of: { purchase_id: number; refund_id: number }): Promise<void> {
  const card = await findCardOfPurchase(tx, of.purchase_id)
  if (!card) return
  await lockGiftCards(tx, [card.gift_card_id])
  const { refunded, takenByRefunds } = await moneyBehindCard(tx, card)
  const amount = refunded - takenByRefunds
  if (amount > 0) await move(tx, ctx, card, { kind: 'refunded', amount: -amount, refund_id: of.refund_id })
}

/** Gives the balance back after the refund of the card's own sale was refused (I7). */
export async function restoreGiftCard(tx: Tx, ctx: Ctx, of: { purchase_id: number; refund_id: number }): Promise<void> {
  const card = await findCardOfPurchase(tx, of.purchase_id)
  const takenBack = card && (await findRefundMovement(tx, of.refund_id, 'refunded'))
  if (!takenBack || (await findRefundMovement(tx, of.refund_id, 'adjusted')) !== null) return
  await lockGiftCards(tx, [card.gift_card_id])
  await move(tx, ctx, card, { kind: 'adjusted', amount: -takenBack, refund_id: of.refund_id, reason: 'La devolución no se hizo.' })
}

/**
 * Deducts from the balance of a sold card: refunds of its own sale that were not requested here (in a processor's panel), at most the
 * remaining balance; all of it while the sale is disputed or after the dispute is lost, until it is won; or the disputed part (V24, I7).
 * Does nothing for other purchases. Idempotent.
 */
export async function followMoneyOfCard(tx: Tx, ctx: Ctx, purchase_id: number): Promise<void> {
  const card = await findCardOfPurchase(tx, purchase_id)
  if (!card) return
  await lockGiftCards(tx, [card.gift_card_id])
  const money = await moneyBehindCard(tx, card)
  const { refunded, lost, isDisputed, takenByRefunds, takenByDispute } = money
  if (!isDisputed && takenByDispute > lost)
    await move(tx, ctx, card, { kind: 'adjusted', amount: takenByDispute - lost, reason: MONEY_REASONS.disputeOver })
  let spent = 0
  const take = async (due: Centavos, reason: string) => {
    const { balance } = await lastMovement(tx, card.gift_card_id)
    const amount = Math.min(balance, due)
    if (amount > 0) await move(tx, ctx, card, { kind: 'refunded', amount: -amount, reason })
    spent += due - amount
  }
  if (isDisputed) await take((await lastMovement(tx, card.gift_card_id)).balance, MONEY_REASONS.disputed)
  else {
    await take(Math.max(0, lost - takenByDispute), MONEY_REASONS.disputed)
    await take(refunded - takenByRefunds, MONEY_REASONS.outside)
  }
  if (spent > 0) ctx.studio.log.warn({ gift_card_id: card.gift_card_id, purchase_id, spent }, 'gift_card.refunded_after_spending')
}

/** Codes and ids of the cards that were sold as these purchases. */
export async function soldCards(ctx: Ctx, db: Reader, purchase_ids: readonly number[]) {
  if (purchase_ids.length === 0) return new Map<number, { gift_card_id: number; last_four: string; code: string }>()
  const cards = await listCardsOfPurchases(db, purchase_ids)
  return new Map(
    cards.map(({ gift_card_id, last_four, nonce, purchase_id }) => [
      purchase_id,
      { gift_card_id, last_four, code: shownGiftCardCode(codeOf(ctx, nonce)) },
    ]),
  )
}

const onWire = (
  ctx: Ctx,
  { card, balance, customer, isAnonymous, order }: Awaited<ReturnType<typeof listGiftCards>>['rows'][number],
): GiftCard => ({
  gift_card_id: card.gift_card_id,
  last_four: card.last_four,
  purchase_id: card.purchase_id,
  amount: pesos(card.amount_centavos),
  balance: pesos(balance),
  createdAt: card.createdAt.toISOString(),
  customer: isAnonymous ? null : customer,
  delivery:
    order && ctx.may('customers.read')
      ? { name: order.name, email: order.email, on: order.on, sentAt: order.sentAt?.toISOString() ?? null }
      : null,
})

/** Cards of the caller's locations, and for `reports.money` the sum of their balances (I8). */
export function allGiftCards(ctx: Ctx, { page, per_page, ...input }: Input<'list'>) {
  return pageOfGiftCards(ctx, input, { number: page, size: per_page })
}

/** The same with pages of any size. */
export async function pageOfGiftCards(
  ctx: Ctx,
  { sort, query, state }: Omit<Input<'list'>, 'page' | 'per_page'>,
  page: { number: number; size: number },
) {
  const { rows, total, liability } = await listGiftCards(ctx.db, { query, state, locations: ctx.locationIds }, page, sort)
  return { gift_cards: rows.map((row) => onWire(ctx, row)), total, liability: ctx.may('reports.money') ? pesos(liability) : null }
}

/** A card of the caller's locations. NOT_FOUND. */
export async function cardHere(ctx: Ctx, gift_card_id: number) {
  const { rows } = await listGiftCards(ctx.db, { gift_card_id, locations: ctx.locationIds }, { number: 1, size: 1 })
  const [row] = rows
  if (!row) throw refuse('NOT_FOUND')
  return row
}

/** One card with its movements. NOT_FOUND, also for a card of another location. */
export async function oneGiftCard(
  ctx: Ctx,
  { gift_card_id }: Input<'one'>,
): Promise<{ gift_card: GiftCard; movements: GiftCardMovement[] }> {
  const row = await cardHere(ctx, gift_card_id)
  const movements = await listGiftCardMovements(ctx.db, gift_card_id)
  return {
    gift_card: onWire(ctx, row),
    movements: movements.map(({ movement, staff }) => ({
      gift_card_movement_id: movement.gift_card_movement_id,
      kind: movement.kind,
      reason: movement.reason,
      amount: `${movement.amount_centavos < 0 ? '-' : ''}${pesos(Math.abs(movement.amount_centavos))}`,
      balance: pesos(movement.balance_centavos),
      staff: movement.staff_id === null ? null : { staff_id: movement.staff_id, name: staff ?? '' },
      createdAt: movement.createdAt.toISOString(),
    })),
  }
}

/** The card of a typed code with its balance. GIFT_CARD_NOT_FOUND; TOO_MANY_REQUESTS after twenty wrong codes in an hour. */
export async function findGiftCard(ctx: Ctx, { code }: Input<'find'>): Promise<{ gift_card: GiftCard }> {
  return { gift_card: onWire(ctx, await countingGuesses(ctx, () => cardWithCode(ctx, code))) }
}

/** The code of a card, to print it again; recorded in the audit trail. NOT_FOUND. */
export async function giftCardCodeAgain(ctx: Ctx, { gift_card_id }: Input<'code'>): Promise<{ code: string }> {
  const { card } = await cardHere(ctx, gift_card_id)
  await ctx.tx((tx) => ctx.audit(tx, { action: 'gift_card.code', entity: 'gift_card', entity_id: gift_card_id }))
  return { code: shownGiftCardCode(codeOf(ctx, card.nonce)) }
}

/** Adds to a balance or takes from it, with a reason (I8). NOT_FOUND, GIFT_CARD_BALANCE. */
export async function adjustGiftCard(ctx: Ctx, input: Input<'adjust'>) {
  const { gift_card_id, reason } = input
  const { card } = await cardHere(ctx, gift_card_id)
  const amount = (input.amount.startsWith('-') ? -1 : 1) * (parsePesos(input.amount.replace(/^-/, '')) ?? 0)
  await ctx.once('giftCards.adjust', input, async (tx) => {
    await lockGiftCards(tx, [gift_card_id])
    await move(tx, ctx, card, { kind: 'adjusted', amount, reason })
    await ctx.audit(tx, {
      action: 'gift_card.adjust',
      entity: 'gift_card',
      entity_id: gift_card_id,
      reason,
      after: { amount_centavos: amount },
    })
    return null
  })
  return oneGiftCard(ctx, { gift_card_id })
}
