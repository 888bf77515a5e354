/** Where the studio's books and a processor's do not agree, for the owner (payments study section 2, "Reconciliation job"; docs/domain.md V31). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, refusals, singleLine } from './endpoint.ts'

/**
 * `paid_no_grant`: money came and nothing was given. `grant_no_money`: something was given that no processor was paid for. `amount_differs`:
 * another sum, or another one given back. `unknown_object`: money of ours that no purchase knows. `refund_failed`: money that should have gone
 * back and did not arrive: it is at the studio again, and owed. `refund_due`: a place that was paid at the counter was given up, and its money is
 * still to be given back. `unclaimed_money`: a customer's money at the processor that no purchase took: a transfer of too much, of too little, or too late.
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
  /** The processor's name of the payment or object. */
  about: z.string(),
  purchase_id: id.nullable(),
  /** What each side says, in centavos where it is money. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  foundAt: instant,
  closedAt: instant.nullable(),
  /** `mended`: it was gone when looked at again. */
  closed_by: z.enum(['mended', 'staff']).nullable(),
})
export type MoneyDiscrepancy = z.infer<typeof moneyDiscrepancy>

export const discrepancies = {
  /** Open ones first, newest first; at most 200. */
  list: endpoint('GET', '/admin/money_differences', 'staff:reports.money', 'Compras', 'Diferencias con los procesadores').output(
    z.object({ money_differences: z.array(moneyDiscrepancy) }),
  ),
  /** Somebody looked into it and settled it by hand. */
  close: endpoint('POST', '/admin/money_differences/{money_difference_id}/close', 'staff:sales.refund', 'Compras', 'Cerrar una diferencia')
    .input(z.object({ money_difference_id: pathId, reason: singleLine(500).min(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ money_difference: moneyDiscrepancy })),
}
