/** Starting payments and subscriptions of the sandbox, and saving cards. */
import { and, eq } from 'drizzle-orm'
import { clabeCheckDigit } from '#server/adapters/payments/clabe.ts'
import { type Charge, type Instrument, PaymentError, type Plan, type Ref } from '#server/adapters/payments/port.ts'
import type { Tx } from '#server/platform/db.ts'
import { preparedWrite } from '#server/platform/prepared-writes.ts'
import { NOT_AUTHENTICATED, readToken, type TestCard } from './cards.ts'
import * as payments from './payments.ts'
import * as subscriptions from './subscriptions.ts'
import { type SandboxStep, sandboxPayment, sandboxSetup, sandboxSubscription } from './tables.ts'

/** The request is invalid; nothing was charged. */
export const invalid = (code: PaymentError['code'], message: string) =>
  new PaymentError({ kind: 'invalid', code, retry: 'new-instrument', message })

interface StartFacts {
  key: string
  hash: string
  buyer: string
  card: TestCard | null
  now: Date
}

function stepOf(instrument: Instrument): SandboxStep | null {
  if (instrument.by === 'hosted-page') return 'hosted'
  if (instrument.by === 'wallet') return 'wallet'
  return instrument.by === 'voucher' ? 'voucher' : null
}

/** What a payment and a subscription have in common when they begin. */
const startedRow = (id: string, { key, instrument, saveCard, title, returnUrl, expiresAt }: Charge, start: StartFacts) => ({
  id,
  key: start.key,
  request_hash: start.hash,
  purchase_id: key.purchase,
  buyer: start.buyer,
  title,
  state: 'waiting' as const,
  by: instrument.by,
  step: stepOf(instrument),
  card: start.card,
  save_card: saveCard ?? false,
  saved_card: instrument.by === 'saved-card' ? instrument.card.id : null,
  secret: `${id}_secret_${payments.newId('s')}`,
  return_url: returnUrl,
  expiresAt,
  createdAt: start.now,
  updatedAt: start.now,
})

const insertedPayment = preparedWrite('sandbox.insertPayment', sandboxPayment, (tx, row: typeof sandboxPayment.$inferInsert) =>
  tx.insert(sandboxPayment).values(row).onConflictDoNothing().returning(),
)

/** Null when a concurrent request with the same key was first. */
export async function insertPayment(tx: Tx, charge: Charge, start: StartFacts): Promise<payments.PaymentRow | null> {
  const { instrument } = charge
  const [row] = await insertedPayment(tx, {
    ...startedRow(payments.newId('pay'), charge, start),
    amount: charge.amount,
    voucher: instrument.by === 'voucher' ? voucherOf(instrument.kind, charge.key.purchase) : null,
  })
  if (!row) return null
  return start.card ? await payments.tryCard(tx, row, start.card, start.now) : row
}

export async function insertSubscription(tx: Tx, charge: Charge, plan: Plan, start: StartFacts): Promise<Ref | null> {
  const id = payments.newId('sub')
  const [row] = await tx
    .insert(sandboxSubscription)
    .values({
      ...startedRow(id, charge, start),
      unit: plan.every.unit,
      every: plan.every.count,
      amount: plan.amount,
      first_amount: plan.firstAmount ?? plan.amount,
      trialEnd: plan.trialEnd ?? null,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) return null
  await subscriptions.beginSubscription(tx, row, start.now)
  return { gateway: 'sandbox', kind: 'subscription', id }
}

/**
 * References start with 9 and 000, as no card number does. The CLABE has a valid check digit and the bank 000, which does not exist, so
 * that a real transfer meant for the sandbox reaches no account. Banks accept seven digits as a transfer's reference.
 */
function voucherOf(kind: 'oxxo' | 'spei', purchase: number) {
  const number = String(purchase)
  if (kind === 'oxxo') return { kind, reference: `9800${number.padStart(10, '0')}`, url: null, clabe: null }
  const account = `000180${number.padStart(11, '0')}`
  return { kind, reference: number.padStart(7, '0').slice(-7), url: null, clabe: account + clabeCheckDigit(account) }
}

/** The id of a saved card: from a finished setup, a token, or a payment that was made to save its card. */
export async function isCardSavedFor(tx: Tx, owner: string, proof: string, now: Date): Promise<string> {
  if (proof.startsWith('tok_')) {
    const card = readToken(proof)
    if (!card) throw invalid('CARD_FORMAT', 'No such token.')
    const outcome = payments.chargeOutcome(card)
    if (outcome.state === 'refused' || outcome.state === 'waiting')
      throw invalid('PAYMENT_SOURCE_FAILED', 'The bank does not let this card be kept like this.')
    return payments.saveCard(tx, owner, card, now)
  }
  if (proof.startsWith('setup_')) {
    const [setup] = await tx
      .select()
      .from(sandboxSetup)
      .where(and(eq(sandboxSetup.id, proof), eq(sandboxSetup.buyer, owner)))
      .for('update')
    if (setup?.state !== 'ready' || !setup.card)
      throw invalid('PAYMENT_SOURCE_FAILED', setup?.state === 'refused' ? NOT_AUTHENTICATED : 'The card is not ready.')
    if (setup.saved_card) return setup.saved_card
    const savedCard = await payments.saveCard(tx, owner, setup.card, now)
    await tx.update(sandboxSetup).set({ saved_card: savedCard }).where(eq(sandboxSetup.id, proof))
    return savedCard
  }
  const table = proof.startsWith('sub_') ? sandboxSubscription : sandboxPayment
  const [row] = await tx
    .select({ kept: table.saved_card })
    .from(table)
    .where(and(eq(table.id, proof), eq(table.buyer, owner)))
  if (!row?.kept) throw invalid('PAYMENT_SOURCE_FAILED', 'No card was kept with this payment.')
  return row.kept
}
