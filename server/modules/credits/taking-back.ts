/** Takes back one change of one credit lot (LA9). */
import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#server/modules/ctx.ts'
import type { UndoableAct } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { newMovement } from './ledger.ts'
import {
  type CreditLotRow,
  insertMovements,
  listMovementKinds,
  lockCreditLotsById,
  lockCreditLotsOfPurchase,
  updateCreditLot,
} from './store.ts'

/** Until when a lot can be used, as plain JSON. */
export const validityDates = ({ expires_at, frozenAt, days_from_first_class }: CreditLotRow) => ({
  expires_at: expires_at?.toISOString() ?? null,
  frozenAt: frozenAt?.toISOString() ?? null,
  days_from_first_class,
})

type CreditLotAct = Extract<UndoableAct, { kind: 'credit_lot' }>

/**
 * Takes back one change of a lot (LA9). False, and nothing is written, when the lot changed since, was revoked, or no longer has the
 * credits that were given.
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
    expires_at: instant(before.expires_at),
    frozenAt: instant(before.frozenAt),
    days_from_first_class: before.days_from_first_class,
  })
  if (before.expires_at !== after.expires_at) await record('extend', 0)
  if (add !== 0) await record(add > 0 ? 'remove' : 'adjust', -add)
  const recorded = ({ expires_at, frozenAt }: CreditLotAct['before'], balance: number | null) => ({
    expires_at,
    frozen: frozenAt !== null,
    balance,
  })
  await ctx.audit(tx, {
    action: 'credits.change',
    entity: 'available_class',
    entity_id: available_class_id,
    reason,
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
    action: 'credits.give_back',
    entity: 'available_class',
    entity_id: available_class_id,
    reason,
    after: { balance: creditLot.balance === null ? null : amount, expires_at: creditLot.expires_at?.toISOString() ?? null },
  })
  return true
}

/** Gives back the classes that were subtracted from lots (LA9). False, and nothing is written, when one of the lots was revoked since. */
export async function takeBackSubtraction(
  tx: Tx,
  ctx: Ctx,
  { customer_id, lots }: { customer_id: number } & Pick<Extract<UndoableAct, { kind: 'subtraction' }>, 'lots'>,
): Promise<boolean> {
  const creditLots = await lockCreditLotsById(
    tx,
    lots.map(({ available_class_id }) => available_class_id),
  )
  if (creditLots.length < lots.length || creditLots.some(({ revokedAt }) => revokedAt)) return false
  const reason = 'se deshizo la resta'
  const amountOf = (id: number) => lots.find(({ available_class_id }) => available_class_id === id)?.amount ?? 0
  await insertMovements(
    tx,
    creditLots.map((creditLot) => ({
      ...newMovement(ctx, creditLot),
      kind: 'adjust' as const,
      class_reservation_id: null,
      reason,
      amount: amountOf(creditLot.available_class_id),
    })),
  )
  const amount = lots.reduce((sum, part) => sum + part.amount, 0)
  await ctx.audit(tx, { action: 'credits.give', entity: 'customer', entity_id: customer_id, after: { amount, lots }, reason })
  return true
}

/**
 * Whether nothing was done with the credits of a purchase since they were granted: none was spent, changed, frozen or revoked. Locks them.
 */
export async function isAsGranted(tx: Tx, purchase_id: number): Promise<boolean> {
  const creditLots = await lockCreditLotsOfPurchase(tx, { purchase_id, period: null })
  if (creditLots.some(({ revokedAt, frozenAt }) => revokedAt || frozenAt)) return false
  const kinds = await listMovementKinds(
    tx,
    creditLots.map(({ available_class_id }) => available_class_id),
  )
  return kinds.every((kind) => kind === 'grant')
}
