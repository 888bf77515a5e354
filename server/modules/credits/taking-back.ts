/** Takes back one change of one credit lot (LA9). */
import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#server/modules/ctx.ts'
import type { UndoableAct } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { newMovement } from './ledger.ts'
import { type CreditLotRow, insertMovements, lockCreditLotsById, updateCreditLot } from './store.ts'

/** Until when a lot can be used, as plain JSON. */
export const validityDates = ({ expires_at, frozenAt, days_from_first_class }: CreditLotRow) => ({
  expires_at: expires_at?.toISOString() ?? null,
  frozenAt: frozenAt?.toISOString() ?? null,
  days_from_first_class,
})

type CreditLotAct = Extract<UndoableAct, { kind: 'credit_lot' }>

/**
 * Takes back one change of a lot (LA9). False, and nothing is written, when the lot changed since, was revoked, or no longer has the credits
 * that were given.
 */
export async function takeBackCredits(tx: Tx, ctx: Ctx, { available_class_id, add, before, after }: CreditLotAct): Promise<boolean> {
  const [creditLot] = await lockCreditLotsById(tx, [available_class_id])
  if (!creditLot || creditLot.revokedAt || !isDeepStrictEqual(validityDates(creditLot), after)) return false
  if (creditLot.balance !== null && creditLot.balance < add) return false
  const reason = 'se deshizo un cambio'
  const record = (kind: 'extend' | 'adjust' | 'remove', amount: number) =>
    insertMovements(tx, [{ ...newMovement(ctx, creditLot), kind, amount, class_reservation_id: null, reason }])
  const instant = (text: string | null) => (text === null ? null : new Date(text))
  await updateCreditLot(tx, available_class_id, {
    ...{ expires_at: instant(before.expires_at), frozenAt: instant(before.frozenAt) },
    days_from_first_class: before.days_from_first_class,
  })
  if (before.expires_at !== after.expires_at) await record('extend', 0)
  if (add !== 0) await record(add > 0 ? 'remove' : 'adjust', -add)
  const recorded = ({ expires_at, frozenAt }: CreditLotAct['before'], balance: number | null) => ({
    ...{ expires_at, frozen: frozenAt !== null, balance },
  })
  await ctx.audit(tx, {
    ...{ action: 'credits.change', entity: 'available_class', entity_id: available_class_id, reason },
    before: recorded(after, creditLot.balance),
    after: recorded(before, creditLot.balance === null ? null : creditLot.balance - add),
  })
  return true
}

/** Gives a revoked lot back with what it had (LA9). False, and nothing is written, when it is no longer revoked by that act. */
export async function takeBackRevocation(tx: Tx, ctx: Ctx, act: Extract<UndoableAct, { kind: 'credit_revocation' }>): Promise<boolean> {
  const { available_class_id, amount, revokedAt } = act
  const [creditLot] = await lockCreditLotsById(tx, [available_class_id])
  if (creditLot?.revokedAt?.toISOString() !== revokedAt) return false
  const reason = 'se deshizo el retiro'
  await updateCreditLot(tx, available_class_id, { revokedAt: null })
  if (amount > 0)
    await insertMovements(tx, [{ ...newMovement(ctx, creditLot), kind: 'adjust', amount, class_reservation_id: null, reason }])
  await ctx.audit(tx, {
    ...{ action: 'credits.give_back', entity: 'available_class', entity_id: available_class_id, reason },
    after: { balance: creditLot.balance === null ? null : amount, expires_at: creditLot.expires_at?.toISOString() ?? null },
  })
  return true
}
