/** Taking back the lots of an import as if they had never been (docs/domain.md IM6). */

import type { Tx } from '#server/platform/db.ts'
import { eraseCreditLot, lockCreditLotsById, updateCreditLot } from './store.ts'

/** Freezes a lot that an import just granted, as of the day of its file (C17). */
export const freezeGranted = (tx: Tx, available_class_id: number, frozenAt: Date): Promise<unknown> =>
  updateCreditLot(tx, available_class_id, { frozenAt })

/**
 * Deletes a lot with its movements, where those are only its grant and, with `reservations`, what these spent. False when anything else
 * happened to it. The ledger allows this only while an import that recorded the lot is being undone.
 */
export async function eraseGranted(
  tx: Tx,
  {
    available_class_id,
    amount,
    frozenAt = null,
    reservations,
  }: { available_class_id: number; amount: number; frozenAt?: string | null | undefined; reservations: readonly number[] },
): Promise<boolean> {
  const [creditLot] = await lockCreditLotsById(tx, [available_class_id])
  if (!creditLot) return true
  const left = creditLot.unlimited ? null : amount - reservations.length
  const isFrozenAsGranted = (creditLot.frozenAt?.toISOString() ?? null) === frozenAt
  if (creditLot.revokedAt !== null || !isFrozenAsGranted || (creditLot.granted ?? -1) !== amount || creditLot.balance !== left) return false
  return eraseCreditLot(tx, available_class_id, reservations)
}
