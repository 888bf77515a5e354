/** Taking back the lots of an import as if they had never been (docs/domain.md IM6). */

import type { Tx } from '#server/platform/db.ts'
import { eraseCreditLot, lockCreditLotsById } from './store.ts'

/**
 * Deletes a lot with its movements, where those are only its grant and, with `reservations`, what these spent. False when anything else happened to
 * it. The ledger allows this only while an import that recorded the lot is being undone.
 */
export async function eraseGranted(
  tx: Tx,
  { available_class_id, amount, reservations }: { available_class_id: number; amount: number; reservations: readonly number[] },
): Promise<boolean> {
  const [creditLot] = await lockCreditLotsById(tx, [available_class_id])
  if (!creditLot) return true
  const left = creditLot.unlimited ? null : amount - reservations.length
  if (creditLot.revokedAt !== null || creditLot.frozenAt !== null || (creditLot.granted ?? -1) !== amount || creditLot.balance !== left)
    return false
  return eraseCreditLot(tx, available_class_id, reservations)
}
