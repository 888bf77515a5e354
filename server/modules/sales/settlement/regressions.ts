/** Refunds, disputes and regressions (V23, V24); called while a processor's state is applied. */
import type { Facts, PaymentFact } from '#server/adapters/payments/port.ts'
import { freezeCredits, revokeCredits, thawCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { upsertDiscrepancy } from '#server/modules/sales/store/discrepancy-store.ts'
import { revokeRefunds, sumByHand } from '#server/modules/sales/store/refund-store.ts'
import { type AttemptRow, type InvoiceRow, type PurchaseRow, updatePurchase } from '#server/modules/sales/store/store.ts'
import { isRegression, type Verdict } from '#server/modules/sales/verdict-rules.ts'
import type { Tx } from '#server/platform/db.ts'

/** Adds refunds made outside of the processor to its facts: they count like those made through it (V23). */
export async function addRefundsByHand(tx: Tx, purchase_id: number, facts: Facts): Promise<Facts> {
  const byHand = await sumByHand(tx, purchase_id)
  if (byHand.size === 0) return facts
  const payments = facts.payments.map((fact) => ({
    ...fact,
    refunded: Math.min(fact.amount, fact.refunded + (byHand.get(fact.id) ?? 0)),
  }))
  return { ...facts, payments }
}

/** The state of our books per charge (`invoice_id`) before the processor was re-read. */
export type ConfirmedReads = ReadonlyMap<number, string>

/** What must not change between two reads of a charge. */
const stateInBooks = ({ refunded_centavos, disputed_centavos, open_dispute_centavos, status }: InvoiceRow) =>
  `${refunded_centavos} ${disputed_centavos} ${open_dispute_centavos} ${status}`

/**
 * A read that shows less than our books (a smaller refund, a missing dispute) may be stale. It is applied when the processor was read after
 * our books were written and they have not changed since (V37). Until then our books count; `regressions` lists the charges to re-read.
 */
export function applyOnlyForward(
  charges: readonly InvoiceRow[],
  facts: Facts,
  confirmed: ConfirmedReads,
): { facts: Facts; regressions: Map<number, string> } {
  const regressions = new Map<number, string>()
  const payments = facts.payments.map((fact): PaymentFact => {
    const row = charges.find((charge) => charge.gateway === facts.ref.gateway && charge.provider_payment === fact.id)
    if (!row || !isRegression(row, fact) || confirmed.get(row.invoice_id) === stateInBooks(row)) return fact
    regressions.set(row.invoice_id, stateInBooks(row))
    const refunded = Math.max(fact.refunded, row.refunded_centavos)
    if (row.status !== 'lost' && row.status !== 'disputed') return { ...fact, refunded }
    return {
      ...fact,
      refunded,
      disputed: row.status === 'lost' ? 'lost' : 'open',
      disputedAmount: row.disputed_centavos,
      openAmount: row.open_dispute_centavos,
    }
  })
  return { facts: { ...facts, payments }, regressions }
}

/**
 * Refunds that a processor accepted and then could not deliver (V37): the studio has the money again and owes it. They count as refused, so
 * that it can be refunded another way, and the owner is notified. Revoked credits are not restored automatically.
 */
export async function reverseFailedRefunds(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  attempt: AttemptRow,
  charges: readonly InvoiceRow[],
  facts: Facts,
): Promise<void> {
  for (const fact of facts.payments) {
    const row = charges.find((charge) => charge.gateway === attempt.gateway && charge.provider_payment === fact.id)
    if (!row || fact.refunded >= row.refunded_centavos) continue
    const refunds = await revokeRefunds(tx, row.invoice_id, fact.refunded, ctx.now)
    const details = {
      ref_kind: facts.ref.kind,
      ref_id: facts.ref.id,
      amount: row.refunded_centavos - fact.refunded,
      their_refund: fact.refunded,
      our_refund: row.refunded_centavos,
    }
    await upsertDiscrepancy(
      tx,
      { kind: 'refund_failed', gateway: attempt.gateway, about: fact.id, purchase_id: purchase.purchase_id, details },
      ctx.now,
    )
    await ctx.audit(tx, {
      action: 'money.refund_failed',
      entity: 'purchase',
      entity_id: purchase.purchase_id,
      after: { invoice_id: row.invoice_id, refunds, ...details },
    })
    ctx.studio.log.error({ purchase_id: purchase.purchase_id, ...details }, 'refund.failed')
  }
}

/** Money that paid for nothing and cannot be refunded automatically (OXXO, a closed account): staff have to return it (V13). */
export async function leaveRefundToStaff(tx: Tx, ctx: Ctx, charge: InvoiceRow, ref: Facts['ref'], why: string): Promise<void> {
  const { purchase_id, gateway, provider_payment, total_centavos, refunded_centavos } = charge
  const details = {
    ref_kind: ref.kind,
    ref_id: ref.id,
    amount: total_centavos - refunded_centavos,
    their_refund: refunded_centavos,
    our_refund: total_centavos,
    why: why.slice(0, 200),
  }
  if (!(await upsertDiscrepancy(tx, { kind: 'refund_failed', gateway, about: provider_payment, purchase_id, details }, ctx.now))) return
  await updatePurchase(tx, purchase_id, { alarm: 'late_payment', updatedAt: ctx.now })
  await ctx.audit(tx, { action: 'money.refund_failed', entity: 'purchase', entity_id: purchase_id, after: details })
}

/** Revokes, freezes or unfreezes the credits of charges (V23, V24). A job of bookings releases the reservations that they paid for. */
export async function moveCredits(tx: Tx, ctx: Ctx, purchase: PurchaseRow, decision: Verdict): Promise<void> {
  const { purchase_id } = purchase
  const all = decision.status === 'revoked' ? [null] : decision.takenBack
  let revoked = 0
  for (const period of all) revoked += await revokeCredits(tx, ctx, { purchase_id, period }, 'el dinero se devolvió')
  // A single spot has no credits: its reservation is released (V45).
  if (revoked > 0 || (purchase.class_package_id === null && all.length > 0))
    await tx.send({ name: 'bookings.release', data: { purchase_id } })
  for (const period of decision.freezes) await freezeCredits(tx, ctx, { purchase_id, period })
  for (const period of decision.thaws) await thawCredits(tx, ctx, { purchase_id, period }, purchase.frozenAt ?? ctx.now)
}
