/** One-off payments of the sandbox processor: state changes inside its transactions. */
import { randomInt } from 'node:crypto'
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import { refundFailed } from '#server/adapters/payments/failures.ts'
import { type Facts, type Next, PaymentError, type PaymentFact, type Ref } from '#server/adapters/payments/port.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { preparedWrite } from '#server/platform/prepared-writes.ts'
import { BEHAVIOURS, cardLabel, refusedState, type TestCard } from './cards.ts'
import { sandboxCard, sandboxEvent, sandboxLedger, sandboxPayment } from './tables.ts'

export type PaymentRow = typeof sandboxPayment.$inferSelect

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz'

/** An id without digits, so that it is never mistaken for a card number. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
}

/** A definite refusal by the bank. */
export function declined(code: ErrorCode, message?: string | null): PaymentError {
  return new PaymentError({
    kind: 'declined',
    code,
    retry: 'new-instrument',
    provider: { code: code.toLowerCase() },
    ...(message ? { message } : {}),
  })
}

/** A payment in process succeeds after this time. */
const ASYNC_MS = 5_000

/** Result of charging a card now. */
export function chargeOutcome(
  card: TestCard,
): { state: 'paid' | 'processing' | 'refused'; step: null } | { state: 'waiting'; step: 'challenge' } {
  if (BEHAVIOURS[card.behaviour].refusal) return { state: 'refused', step: null }
  if (card.behaviour === '3ds' || card.behaviour === '3ds_fail') return { state: 'waiting', step: 'challenge' }
  return { state: card.behaviour === 'async' ? 'processing' : 'paid', step: null }
}

/** Queues a webhook event that an object changed, sent once this transaction is committed. */
const insertedEvent = preparedWrite('sandbox.insertEvent', sandboxEvent, (tx, row: typeof sandboxEvent.$inferInsert) =>
  tx.insert(sandboxEvent).values(row),
)

export async function emitEvent(tx: Tx, type: string, ref: Ref, at: Date): Promise<void> {
  await insertedEvent(tx, { type, about: [ref], at })
}

const refOf = (id: string): Ref => ({ gateway: 'sandbox', kind: 'payment', id })

const locked = prepared('sandbox.lockPayment', (on: Tx) =>
  on
    .select()
    .from(sandboxPayment)
    .where(eq(sandboxPayment.id, sql.placeholder('id')))
    .for('update'),
)

export async function lockPayment(tx: Tx, id: string): Promise<PaymentRow | null> {
  const [row] = await locked(tx).execute({ id })
  return row ?? null
}

const changedPayment = preparedWrite('sandbox.changePayment', sandboxPayment, (tx, set: Partial<PaymentRow>) =>
  tx
    .update(sandboxPayment)
    .set(set)
    .where(sql`${sandboxPayment.id} = ${sql.placeholder('of_id')}`)
    .returning(),
)

async function change(tx: Tx, row: PaymentRow, now: Date, set: Partial<PaymentRow>): Promise<PaymentRow> {
  const [changed] = await changedPayment(tx, { ...set, updatedAt: now }, { of_id: row.id })
  if (!changed) throw new Error(`The sandbox lost the payment ${row.id}.`)
  return changed
}

const insertedEntry = preparedWrite('sandbox.insertEntry', sandboxLedger, (tx, row: typeof sandboxLedger.$inferInsert) =>
  tx.insert(sandboxLedger).values(row),
)

/** Takes the money: inserts one ledger row, and saves the card if requested. */
export async function take(tx: Tx, row: PaymentRow, now: Date): Promise<PaymentRow> {
  tx.fireAndForget(
    insertedEntry(tx, { id: newId('mov'), kind: 'charge', object: row.id, purchase_id: row.purchase_id, amount: row.amount, at: now }),
  )
  const saved_card = row.save_card && row.card ? (row.saved_card ?? (await saveCard(tx, row.buyer, row.card, now))) : row.saved_card
  tx.fireAndForget(emitEvent(tx, 'payment.paid', refOf(row.id), now))
  return change(tx, row, now, { card: row.card, state: 'paid', step: null, approved: false, saved_card, settlesAt: null })
}

export async function saveCard(tx: Tx, buyer: string, card: TestCard, now: Date): Promise<string> {
  const [savedCard] = await tx
    .insert(sandboxCard)
    .values({ id: newId('card'), buyer, card, createdAt: now })
    .returning({ id: sandboxCard.id })
  if (!savedCard) throw new Error('The sandbox could not keep a card.')
  return savedCard.id
}

/**
 * Charges a card for a waiting payment: paid, in process, one more step, or a refusal. `retryable`: on the hosted page a refusal leaves the
 * payment open.
 */
export async function tryCard(tx: Tx, row: PaymentRow, card: TestCard, now: Date, retryable = false): Promise<PaymentRow> {
  const outcome = chargeOutcome(card)
  if (outcome.state === 'paid') return take(tx, { ...row, card }, now)
  if (outcome.state === 'processing')
    return change(tx, row, now, { card, state: 'processing', step: null, settlesAt: new Date(now.getTime() + ASYNC_MS) })
  if (outcome.state === 'waiting') return change(tx, row, now, { card, step: 'challenge' })
  return retryable ? change(tx, row, now, { card }) : refusePayment(tx, { ...row, card }, now)
}

async function refusePayment(tx: Tx, row: PaymentRow, now: Date, confirmed = true): Promise<PaymentRow> {
  await emitEvent(tx, 'payment.refused', refOf(row.id), now)
  return change(tx, row, now, { card: row.card, ...refusedState(row.card, confirmed) })
}

/** Applies the customer's answer to the bank's challenge. */
export async function answerChallenge(tx: Tx, row: PaymentRow, yes: boolean, now: Date): Promise<PaymentRow> {
  if (row.state !== 'waiting' || row.step !== 'challenge') return row
  if (yes && row.card?.behaviour !== '3ds_fail') return take(tx, row, now)
  return refusePayment(tx, row, now, false)
}

/** Applies the state changes that are due by the clock. */
export async function advancePayment(tx: Tx, row: PaymentRow, now: Date): Promise<PaymentRow> {
  if (row.state === 'processing' && row.settlesAt && row.settlesAt <= now) return take(tx, row, now)
  if (row.state === 'waiting' && row.expiresAt <= now) {
    await emitEvent(tx, 'payment.expired', refOf(row.id), now)
    return change(tx, row, now, { state: 'expired', step: null })
  }
  return row
}

/** Gives up an unpaid payment; a paid one or one in process is left unchanged. */
export async function endPayment(tx: Tx, row: PaymentRow, now: Date): Promise<PaymentRow> {
  if (row.state !== 'waiting') return row
  await emitEvent(tx, 'payment.ended', refOf(row.id), now)
  return change(tx, row, now, { state: 'ended', step: null, approved: false })
}

export async function approveOrder(tx: Tx, row: PaymentRow, now: Date): Promise<PaymentRow> {
  if (row.state !== 'waiting' || row.step !== 'wallet') return row
  await emitEvent(tx, 'order.approved', refOf(row.id), now)
  return change(tx, row, now, { approved: true })
}

const ledgerOf = prepared('sandbox.ledger', (on: Reader) =>
  on
    .select()
    .from(sandboxLedger)
    .where(eq(sandboxLedger.object, sql.placeholder('object')))
    .orderBy(asc(sandboxLedger.at), asc(sandboxLedger.id)),
)

/** The charges and refunds of an object as the port's payments. */
export async function listPayments(db: Reader, object: string): Promise<PaymentFact[]> {
  const rows = await ledgerOf(db).execute({ object })
  return rows
    .filter((row) => row.kind === 'charge')
    .map((row) => ({
      id: row.id,
      amount: row.amount,
      refunded: rows.filter((other) => other.charge === row.id && !other.failedAt).reduce((sum, other) => sum + other.amount, 0),
      currency: 'MXN',
      at: row.at,
      ...(row.periodFrom && row.periodTo ? { period: { from: row.periodFrom, to: row.periodTo } } : {}),
      ...(row.disputed ? { disputed: row.disputed } : {}),
      ...(row.disputedAmount !== null && row.disputed !== 'won' ? { disputedAmount: row.disputedAmount } : {}),
      ...(row.openAmount !== null && row.disputed === 'lost' ? { openAmount: row.openAmount } : {}),
    }))
}

/** Refunds at most the amount charged; once per key. */
export async function refundSandboxCharge(
  tx: Tx,
  input: { object: string; charge: string; amount: number; key: string; now: Date },
): Promise<void> {
  const [charge] = await tx
    .select()
    .from(sandboxLedger)
    .where(and(eq(sandboxLedger.id, input.charge), eq(sandboxLedger.object, input.object), eq(sandboxLedger.kind, 'charge')))
    .for('update')
  if (!charge) throw new PaymentError({ kind: 'invalid', code: 'PAYMENT_FAILED', retry: 'never', message: 'There is no such charge.' })
  const [done] = await tx.select().from(sandboxLedger).where(eq(sandboxLedger.key, input.key))
  if (done?.failedAt) throw refundFailed()
  if (done) return
  const [sum] = await tx
    .select({ total: sql<number>`coalesce(sum(${sandboxLedger.amount}), 0)::integer` })
    .from(sandboxLedger)
    .where(and(eq(sandboxLedger.charge, input.charge), isNull(sandboxLedger.failedAt)))
  if ((sum?.total ?? 0) + input.amount > charge.amount)
    throw new PaymentError({ kind: 'invalid', code: 'AMOUNT_OUT_OF_RANGE', retry: 'never', message: 'More than what was charged.' })
  await tx.insert(sandboxLedger).values({
    id: newId('mov'),
    kind: 'refund',
    object: input.object,
    purchase_id: charge.purchase_id,
    amount: input.amount,
    charge: input.charge,
    key: input.key,
    at: input.now,
  })
}

/** Makes the newest refund of an object fail: the studio has its money again. */
export async function loseRefund(tx: Tx, object: string, now: Date): Promise<void> {
  const [last] = await tx
    .select({ id: sandboxLedger.id })
    .from(sandboxLedger)
    .where(and(eq(sandboxLedger.object, object), eq(sandboxLedger.kind, 'refund'), isNull(sandboxLedger.failedAt)))
    .orderBy(desc(sandboxLedger.at), desc(sandboxLedger.id))
    .limit(1)
  if (last) await tx.update(sandboxLedger).set({ failedAt: now }).where(eq(sandboxLedger.id, last.id))
}

/** Name of the payment method for the list of purchases. */
export function methodOf(row: { card: TestCard | null; by: PaymentRow['by']; voucher?: PaymentRow['voucher'] }): Pick<Facts, 'method'> {
  if (row.card) return { method: { label: cardLabel(row.card), brand: row.card.brand, last4: row.card.last4 } }
  if (row.by === 'wallet') return { method: { label: 'PayPal' } }
  return row.voucher ? { method: { label: row.voucher.kind === 'oxxo' ? 'OXXO' : 'SPEI' } } : {}
}

/** The port's facts of a payment. `site`: base URL of the processor's pages. */
export async function paymentFacts(db: Reader, row: PaymentRow, site: string): Promise<Facts> {
  return {
    ref: refOf(row.id),
    state: row.state,
    next: row.state === 'waiting' ? nextStep(row, site) : null,
    payments: await listPayments(db, row.id),
    purchaseId: row.purchase_id,
    buyerRef: row.buyer,
    ...methodOf(row),
    ...(row.refused_code ? { why: declined(row.refused_code as ErrorCode, row.refused_message) } : {}),
  }
}

function nextStep(row: PaymentRow, site: string): Next | null {
  if (row.step === 'challenge') return { do: 'confirm', clientSecret: row.secret, intent: 'payment' }
  if (row.step === 'hosted') return { do: 'go', id: row.id, url: `${site}/sandbox/pagar/${row.id}` }
  if (row.step === 'wallet') return { do: 'approve', token: row.id, url: `${site}/sandbox/billetera/${row.id}` }
  if (row.step === 'voucher' && row.voucher)
    return { do: 'show', voucher: { ...row.voucher, expiresAt: row.expiresAt, url: `${site}/sandbox/voucher/${row.id}` } }
  return null
}
