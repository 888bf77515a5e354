/** Writes the state of a payment attempt. It never leaves `paid`, and an older read never undoes a newer one (V8). */
import type { Facts } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { mayBecome } from '#server/modules/sales/rules.ts'
import { type AttemptRow, listAttempts, lockPurchase, updateAttempt } from '#server/modules/sales/store/store.ts'
import type { Verdict } from '#server/modules/sales/verdict-rules.ts'
import type { Tx } from '#server/platform/db.ts'

/** The label that staff entered for money received by hand is more exact than the gateway's. */
const methodOf = (attempt: AttemptRow, facts: Facts) =>
  attempt.instrument.by === 'hand' && attempt.instrument.label ? undefined : facts.method

/** How the attempt was paid, as receipts name it, once `storeAttempt` has written these facts. */
export function paidWithLabel(attempt: AttemptRow, facts: Facts): string | null {
  return methodOf(attempt, facts)?.label ?? attempt.instrument.label ?? null
}

/** Writes what a read of the processor shows of the attempt: state, instrument, voucher, error. */
export async function storeAttempt(tx: Tx, ctx: Ctx, attempt: AttemptRow, facts: Facts, decision: Verdict): Promise<AttemptRow> {
  const state = decision.alarm ? attempt.state : mayBecome(attempt.state, decision.attempt) ? decision.attempt : attempt.state
  const method = methodOf(attempt, facts)
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

/** Updates an attempt, unless another process concluded it meanwhile. */
export async function markAttempt(
  ctx: Ctx,
  attempt: AttemptRow,
  set: Pick<Partial<AttemptRow>, 'state' | 'error_code' | 'error_message'>,
): Promise<AttemptRow> {
  return ctx.tx(async (tx) => {
    await lockPurchase(tx, attempt.purchase_id)
    const current = (await listAttempts(tx, attempt.purchase_id)).find((other) => other.payment_id === attempt.payment_id) ?? attempt
    if (set.state && !mayBecome(current.state, set.state)) return current
    return updateAttempt(tx, attempt.payment_id, { ...set, updatedAt: ctx.now })
  })
}
