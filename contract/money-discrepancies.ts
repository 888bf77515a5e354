/** Discrepancies between the studio's books and a processor's, for staff with the right `reports.money` (docs/domain.md V31). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, refusals, singleLine } from './endpoint.ts'

/**
 * `paid_no_grant`: money arrived and nothing was granted. `grant_no_money`: something was granted that no processor was paid for.
 * `amount_differs`: the amounts charged or refunded differ. `unknown_object`: the studio's processor account has a payment that belongs to
 * no purchase. `refund_failed`: a refund did not arrive; the money is back at the studio, which owes it. `refund_due`: a place paid at the
 * counter was cancelled and its money is still to be returned. `unclaimed_money`: a customer's money at the processor that no purchase
 * accounts for: a transfer of the wrong amount, or too late.
 */
export const discrepancyKind = z.enum([
  'paid_no_grant',
  'grant_no_money',
  'amount_differs',
  'unknown_object',
  'refund_failed',
  'refund_due',
  'unclaimed_money',
])

export const moneyDiscrepancy = z.object({
  money_difference_id: id,
  kind: discrepancyKind,
  gateway: z.string(),
  /** The processor's id of the payment or object. */
  about: z.string(),
  purchase_id: id.nullable(),
  /** The values of both sides, in centavos where they are amounts. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  foundAt: instant,
  closedAt: instant.nullable(),
  /** `mended`: a later check found no discrepancy. */
  closed_by: z.enum(['mended', 'staff']).nullable(),
})
export type MoneyDiscrepancy = z.infer<typeof moneyDiscrepancy>

export const discrepancies = {
  /** Open ones first, newest first; at most 200. */
  list: endpoint('GET', '/admin/money_differences', 'staff:reports.money', 'Compras', 'Diferencias con los procesadores').output(
    z.object({ money_differences: z.array(moneyDiscrepancy) }),
  ),
  /** Closes the record: it was resolved by hand. */
  close: endpoint('POST', '/admin/money_differences/{money_difference_id}/close', 'staff:sales.refund', 'Compras', 'Cerrar una diferencia')
    .input(z.object({ money_difference_id: pathId, reason: singleLine(500).min(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ money_difference: moneyDiscrepancy })),
}
