/** What money that goes back takes along (V23, V24); called while settling. */
import type { Facts } from '#server/adapters/payments/port.ts'
import { freezeCredits, takeBackCredits, thawCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { sumByHand } from './refund-store.ts'
import type { Verdict } from './rules.ts'
import type { PurchaseRow } from './store.ts'

/** What was given back outside of the processor counts like what went back through it (V23). */
export async function withByHand(tx: Tx, purchase_id: number, facts: Facts): Promise<Facts> {
  const byHand = await sumByHand(tx, purchase_id)
  if (byHand.size === 0) return facts
  const payments = facts.payments.map((fact) => ({
    ...fact,
    refunded: Math.min(fact.amount, fact.refunded + (byHand.get(fact.id) ?? 0)),
  }))
  return { ...facts, payments }
}

/** Credits follow their money: taken back, resting, or awake again (V23, V24). The places that they paid for are a job of the bookings. */
export async function moveCredits(tx: Tx, ctx: Ctx, sale: PurchaseRow, say: Verdict): Promise<void> {
  const { purchase_id } = sale
  const all = say.status === 'revoked' ? [null] : say.takenBack
  let gone = 0
  for (const period of all) gone += await takeBackCredits(tx, ctx, { purchase_id, period }, 'el dinero se devolvió')
  if (gone > 0) await tx.send({ name: 'bookings.release', data: { purchase_id } })
  for (const period of say.freezes) await freezeCredits(tx, ctx, { purchase_id, period })
  for (const period of say.thaws) await thawCredits(tx, ctx, { purchase_id, period }, sale.frozenAt ?? ctx.now)
}
