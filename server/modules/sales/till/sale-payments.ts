/** Payments of a counter sale: spread over its purchases as charges, with the sale or later, received or still to be confirmed (S3, S4). */

import type * as z from 'zod'
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import type { CounterSale, counterSales as wire } from '#contract/counter-sales.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import type { StoredFile } from '#contract/files.ts'
import { type Centavos, parsePesos, pesos } from '#contract/money.ts'
import { claimFiles, filesById, serializeFile } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { assignTill, listMissingSlipFields, type Received } from '#server/modules/sales/checkout/counter.ts'
import { unpaidOf } from '#server/modules/sales/rules.ts'
import { giftCardByCode, lockPayingCards, spendGiftCard } from '#server/modules/sales/settlement/gift-cards.ts'
import { counterGateway, recordPart, spreadPayment } from '#server/modules/sales/settlement/received-parts.ts'
import { oweBackConfirmed } from '#server/modules/sales/settlement/spot-refunds.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { listAllPaymentMethods } from '#server/modules/sales/store/cash-session-store.ts'
import {
  type ChargedPurchase,
  findProof,
  findSaleOfInvoice,
  insertSalePayment,
  lockParts,
  lockPaymentOfInvoice,
  lockSalePurchases,
  type SalePaymentRow,
  type SaleRow,
  updatePart,
  updateSalePayment,
} from '#server/modules/sales/store/sale-store.ts'
import { readSales } from '#server/modules/sales/views/sale-view.ts'
import { saleHere } from '#server/modules/sales/views/visible-sales.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type PaymentInput = Input<'pay'>['payments'][number]

/** A validated payment of a sale. */
export interface ReadPayment {
  input: PaymentInput
  amount: Centavos
  received: Centavos | null
  kind: PaymentMethodKind | 'gift_card'
  name: string
  /** The gift card that pays. */
  giftCard: { gift_card_id: number; last_four: string } | null
}

/** Whether a payment of this kind waits for confirmation by staff. */
const isPending = (kind: ReadPayment['kind']) => kind === 'transfer'

/**
 * Validates the payments that staff typed. PAYMENT_METHOD_UNAVAILABLE when the counter does not take the method,
 * GIFT_CARD_NOT_FOUND; INVALID_INPUT when less cash was handed over than is due, or required terminal fields are missing
 * (`payment_terminal_fields_required`).
 */
export async function readPayments(ctx: Ctx, db: Reader, payments: readonly PaymentInput[]): Promise<ReadPayment[]> {
  const methods = await listAllPaymentMethods(db)
  const read: ReadPayment[] = []
  for (const [n, input] of payments.entries()) {
    if (input.gift_card_code) {
      if (input.payment_method_id != null) throw refuse('INVALID_INPUT', { field: `payments.${n}.payment_method_id` })
      const giftCard = await giftCardByCode(ctx, input.gift_card_code)
      read.push({ input, amount: parsePesos(input.amount) ?? 0, received: null, kind: 'gift_card', name: 'Tarjeta de regalo', giftCard })
      continue
    }
    if (input.payment_method_id == null) throw refuse('INVALID_INPUT', { field: `payments.${n}.payment_method_id` })
    const method = methods.find((method) => method.payment_method_id === input.payment_method_id)
    if (!method || method.deletedAt !== null || method.kind === 'online') throw refuse('PAYMENT_METHOD_UNAVAILABLE')
    const wrong = (field: string) => refuse('INVALID_INPUT', { field: `payments.${n}.${field}` })
    const amount = parsePesos(input.amount) ?? 0
    const received = input.received == null ? null : parsePesos(input.received)
    if (received !== null && (method.kind !== 'cash' || received < amount)) throw wrong('received')
    const missing = listMissingSlipFields(ctx, method.kind, input)
    if (missing) throw wrong(missing)
    if (input.proof_file_id != null && method.kind !== 'transfer') throw wrong('proof_file_id')
    read.push({ input, amount, received, kind: method.kind, name: method.name, giftCard: null })
  }
  return read
}

/** The receipt of a sale payment at a location, by this person. */
function receivedFor(
  ctx: Ctx,
  { kind, name, input, giftCard }: Pick<ReadPayment, 'kind' | 'name' | 'input' | 'giftCard'>,
  location_id: number,
  needsTill: boolean,
): Received {
  const staff_id = ctx.staff?.staff_id ?? null
  return {
    gateway: counterGateway(kind),
    method: name,
    payment_method_id: input.payment_method_id ?? null,
    location_id,
    staff_id,
    reference: giftCard?.last_four ?? (input.reference || null),
    cash_session_id: null,
    needsTill,
    receivedBy: `staff:${staff_id}`,
  }
}

/** Takes a payment of a sale: spread over its purchases in their order (S3). CASH_SESSION_REQUIRED, GIFT_CARD_BALANCE, PAYMENTS_DIFFER. */
export async function takePayment(
  tx: Tx,
  ctx: Ctx,
  {
    sale,
    location_id,
    n,
    payment,
    purchases,
  }: { sale: SaleRow; location_id: number; n: number; payment: ReadPayment; purchases: ChargedPurchase[] },
): Promise<void> {
  const by = await receivedInto(tx, ctx, payment, location_id)
  const row = await insertPayment(tx, ctx, { sale, n, payment, state: isPending(payment.kind) ? 'pending' : 'received' })
  const left = await spreadPayment(tx, ctx, purchases, row, by)
  if (left > 0) throw refuse('PAYMENTS_DIFFER', { missing: pesos(-left) })
}

/**
 * Holds a payment beside the charge of a processor until that is paid (S15): a gift card gives its amount now, other money counts once it
 * is taken. CASH_SESSION_REQUIRED, GIFT_CARD_BALANCE.
 */
export async function holdPayment(tx: Tx, ctx: Ctx, of: { sale: SaleRow; n: number; payment: ReadPayment }): Promise<void> {
  await receivedInto(tx, ctx, of.payment, of.sale.location_id)
  await insertPayment(tx, ctx, { ...of, state: 'held' })
}

/**
 * The receipt of a payment, in the till that is open. What a gift card pays was received when the card was sold: it is in no till.
 * CASH_SESSION_REQUIRED.
 */
async function receivedInto(tx: Tx, ctx: Ctx, payment: ReadPayment, location_id: number): Promise<Received> {
  const receipt = receivedFor(ctx, payment, location_id, true)
  return payment.giftCard ? receipt : assignTill(tx, ctx, receipt)
}

async function insertPayment(
  tx: Tx,
  ctx: Ctx,
  { sale, n, payment, state }: { sale: SaleRow; n: number; payment: ReadPayment; state: SalePaymentRow['state'] },
): Promise<SalePaymentRow> {
  const { input, amount, received, giftCard } = payment
  if (input.proof_file_id != null) await takeProof(tx, ctx, sale.customer_id, input.proof_file_id, n)
  const row = await insertSalePayment(tx, {
    sale_id: sale.sale_id,
    n,
    payment_method_id: input.payment_method_id ?? null,
    amount_centavos: amount,
    received_centavos: received,
    gift_card_id: giftCard?.gift_card_id ?? null,
    reference: giftCard?.last_four ?? (input.reference || null),
    card_brand: input.card_brand || null,
    last_digits: input.last_digits || null,
    authorisation: input.authorisation || null,
    funding: input.funding ?? null,
    state,
    proof_file_id: input.proof_file_id ?? null,
    staff_id: ctx.staff?.staff_id ?? sale.staff_id,
    createdAt: ctx.now,
  })
  if (giftCard) await spendGiftCard(tx, ctx, { card: giftCard, sale_payment_id: row.sale_payment_id, amount })
  return row
}

/**
 * Gives the file of a proof to the customer of the sale, so that the export of their data includes it and an erasure deletes it.
 * INVALID_INPUT for a video, a published file, and a file of another customer.
 */
async function takeProof(tx: Tx, ctx: Ctx, customer_id: number, file_id: number, n: number): Promise<void> {
  const wrong = refuse('INVALID_INPUT', { field: `payments.${n - 1}.proof_file_id` })
  const [row] = await claimFiles(ctx, tx, [file_id], customer_id).catch((error: unknown) => {
    throw error instanceof Refusal ? wrong : error
  })
  if (!row || row.kind === 'video' || row.is_public) throw wrong
}

/** The photo of a transfer's proof, for staff who may confirm it. NOT_FOUND, also for a sale of another location. */
export async function transferProof(ctx: Ctx, { invoice_id }: Input<'proof'>): Promise<{ file: StoredFile }> {
  await saleOfTransfer(ctx, invoice_id)
  const file_id = await findProof(ctx.db, invoice_id)
  const [row] = file_id === null ? [] : await filesById(ctx.db, [file_id])
  if (!row) throw refuse('NOT_FOUND')
  return { file: await serializeFile(ctx, row) }
}

/** The gift cards among payments. */
export const giftCardIds = (payments: readonly ReadPayment[]): number[] => payments.flatMap(({ giftCard }) => giftCard?.gift_card_id ?? [])

/** What is still unpaid of the purchases, in centavos. */
export const totalOwed = (purchases: readonly ChargedPurchase[]): Centavos =>
  purchases.reduce((sum, { purchase, charged }) => sum + unpaidOf(purchase, charged), 0)

/** One sale with its items and payments. NOT_FOUND. */
export async function oneSale(ctx: Ctx, { sale_id }: { sale_id: number }): Promise<{ sale: CounterSale }> {
  const [sale] = (await readSales(ctx.db, { sale_ids: [sale_id], locations: ctx.locationIds }, { number: 1, size: 1 })).sales
  if (!sale) throw refuse('NOT_FOUND')
  return { sale }
}

/** Purchases that still count: a revoked one owes nothing. */
const livePurchases = (purchases: ChargedPurchase[]) =>
  purchases.filter(({ purchase }) => purchase.status === 'completed' || purchase.status === 'active')

/** Receives all or part of what a sale owes (S4). NOT_FOUND; PAYMENTS_DIFFER for more than is owed, CASH_SESSION_REQUIRED. */
export async function paySale(ctx: Ctx, input: Input<'pay'>): Promise<{ sale: CounterSale }> {
  const sale = await saleHere(ctx, input.sale_id)
  const payments = await readPayments(ctx, ctx.db, input.payments)
  const location_id = input.location_id ?? sale.location_id
  ctx.requireLocation('sales.sell', location_id)
  await ctx.once('sales.paySale', input, async (tx) => {
    await lockBuyer(tx, sale.customer_id)
    const purchases = livePurchases(await lockSalePurchases(tx, sale.sale_id))
    const paid = payments.reduce((sum, payment) => sum + payment.amount, 0)
    const owed = totalOwed(purchases)
    if (paid > owed) throw refuse('PAYMENTS_DIFFER', { missing: pesos(owed - paid), total: pesos(owed) })
    const before = await countPayments(tx, sale.sale_id)
    await lockPayingCards(tx, giftCardIds(payments))
    if (payments.some(({ giftCard }) => giftCard) && purchases.some(({ isGiftCard }) => isGiftCard))
      throw refuse('INVALID_INPUT', { field: 'payments' })
    for (const [n, payment] of payments.entries()) await takePayment(tx, ctx, { sale, location_id, n: before + n + 1, payment, purchases })
    await ctx.audit(tx, { action: 'sale.pay', entity: 'sale', entity_id: sale.sale_id, after: { paid, owed: owed - paid } })
    return null
  })
  return oneSale(ctx, input)
}

const countPayments = async (tx: Tx, sale_id: number) =>
  (await readSales(tx, { sale_ids: [sale_id] }, { number: 1, size: 1 })).sales[0]?.payments.length ?? 0

/** Reads and locks a transfer: the customer, the purchases and the payment. NOT_FOUND, PAYMENT_DECIDED. */
async function lockTransfer(tx: Tx, sale: SaleRow, invoice_id: number): Promise<{ payment: SalePaymentRow; purchases: ChargedPurchase[] }> {
  await lockBuyer(tx, sale.customer_id)
  const purchases = await lockSalePurchases(tx, sale.sale_id)
  const payment = await lockPaymentOfInvoice(tx, invoice_id)
  if (!payment) throw refuse('NOT_FOUND')
  if (payment.state !== 'pending') throw refuse('PAYMENT_DECIDED')
  return { payment, purchases }
}

/** The sale that a transfer paid, at a location of the caller. NOT_FOUND. */
async function saleOfTransfer(ctx: Ctx, invoice_id: number): Promise<SaleRow> {
  const found = await findSaleOfInvoice(ctx.db, invoice_id)
  if (!found) throw refuse('NOT_FOUND')
  return saleHere(ctx, found.sale_id)
}

/**
 * Confirms that a transfer arrived (S4): its charges count from now, in the open cash session of the person who confirms it. The part for
 * revoked purchases and cancelled spots is owed back. NOT_FOUND, PAYMENT_DECIDED.
 */
export async function confirmTransfer(ctx: Ctx, input: Input<'confirm'>): Promise<{ sale: CounterSale }> {
  const { invoice_id } = input
  const sale = await saleOfTransfer(ctx, invoice_id)
  const methods = await listAllPaymentMethods(ctx.db)
  await ctx.tx(async (tx) => {
    const { payment, purchases } = await lockTransfer(tx, sale, invoice_id)
    const reference = input.reference || payment.reference
    const name = methods.find((method) => method.payment_method_id === payment.payment_method_id)?.name ?? ''
    const asRead = {
      input: { payment_method_id: payment.payment_method_id, amount: '0' },
      amount: 0,
      received: null,
      kind: 'transfer' as const,
      name,
      giftCard: null,
    }
    const by = await assignTill(tx, ctx, receivedFor(ctx, asRead, sale.location_id, false))
    for (const part of await lockParts(tx, payment.sale_payment_id)) {
      await recordPart(tx, ctx, part, {
        amount: part.total_centavos,
        gateway: 'mostrador',
        method: name,
        receivedBy: by.receivedBy,
        reference: part.provider_payment,
      })
      await updatePart(tx, part.invoice_id, { status: 'paid', paidAt: ctx.now, reference, cash_session_id: by.cash_session_id })
      const bought = purchases.find(({ purchase }) => purchase.purchase_id === part.purchase_id)
      if (bought) await oweBackConfirmed(tx, ctx, bought.purchase, part)
    }
    await updateSalePayment(tx, payment.sale_payment_id, {
      state: 'received',
      reference,
      decidedAt: ctx.now,
      decided_by: ctx.staff?.staff_id ?? null,
    })
    await ctx.audit(tx, {
      action: 'sale.confirm',
      entity: 'sale',
      entity_id: sale.sale_id,
      after: { amount_centavos: payment.amount_centavos, reference },
    })
  })
  return oneSale(ctx, sale)
}

/** Rejects a transfer that never arrived (S4): its amount is owed again. NOT_FOUND, PAYMENT_DECIDED. */
export async function rejectTransfer(ctx: Ctx, input: Input<'reject'>): Promise<{ sale: CounterSale }> {
  const { invoice_id, reason } = input
  const sale = await saleOfTransfer(ctx, invoice_id)
  await ctx.tx(async (tx) => {
    const { payment } = await lockTransfer(tx, sale, invoice_id)
    for (const part of await lockParts(tx, payment.sale_payment_id)) await updatePart(tx, part.invoice_id, { status: 'void' })
    await updateSalePayment(tx, payment.sale_payment_id, {
      state: 'void',
      decidedAt: ctx.now,
      decided_by: ctx.staff?.staff_id ?? null,
      decide_reason: reason,
    })
    await ctx.audit(tx, {
      action: 'sale.reject',
      entity: 'sale',
      entity_id: sale.sale_id,
      reason,
      after: { amount_centavos: payment.amount_centavos },
    })
  })
  return oneSale(ctx, sale)
}
