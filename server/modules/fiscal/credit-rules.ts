/** What credit notes are owed for a charge that was invoiced. */
import type { Centavos } from '#contract/money.ts'

/** A charge as its invoice has it, with what went back of it, in centavos. */
export interface InvoicedCharge {
  total: Centavos
  /** What the invoice has of it. */
  invoiced: Centavos
  /** What banks had taken of it before the invoice, which does not have it. */
  lostBefore: Centavos
  /** What banks have of it now, in all. */
  lost: Centavos
  /** In live credit notes of the invoice; of these those of lost disputes. */
  credited: Centavos
  lossesCredited: Centavos
  /** A credit note of a loss was refused within a day. */
  lossWaits: boolean
  /** Refunds that are done or in progress, in the order of their requests. */
  refunds: { refund_id: number; amount: Centavos; isDone: boolean; isCredited: boolean; waits: boolean }[]
}

/**
 * The credit notes that are missing: of refunds, and of what a bank took (`refund_id` null). The invoice excludes refunds that were done or
 * in progress when it was written. Decided by amounts, because the clocks of simultaneous requests do not show which one had the lock
 * first. Never more than the invoice has beyond what the studio keeps: a refund may still arrive after the bank took everything, and money
 * that the invoice left out may come back.
 */
export function owedCreditsOf(charge: InvoicedCharge): { refund_id: number | null; amount: Centavos }[] {
  const { total, invoiced, lostBefore, lost, credited, lossesCredited, lossWaits, refunds } = charge
  const sum = (isDone: boolean) => refunds.reduce((all, refund) => all + (refund.isDone === isDone ? refund.amount : 0), 0)
  const paid = Math.max(0, total - sum(true) - lost)
  // Refunds in progress count only as far as there is money left.
  const pending = Math.min(sum(false), paid)
  let left = invoiced - credited - (paid - pending)
  // How much of the refunds so far is in the invoice: none of those before it.
  let over = -(total - invoiced - lostBefore)
  let reserved = 0
  const owed: { refund_id: number | null; amount: Centavos }[] = []
  for (const { refund_id, amount, isDone, isCredited, waits } of refunds) {
    over += amount
    const part = Math.min(amount, over)
    if (isCredited || part <= 0) continue
    if (!isDone) {
      reserved += part
      continue
    }
    const due = Math.min(part, left)
    if (due <= 0) continue
    left -= due
    if (!waits) owed.push({ refund_id, amount: due })
  }
  const loss = Math.min(lost - lossesCredited, left - Math.min(reserved, pending))
  return loss > 0 && !lossWaits ? [...owed, { refund_id: null, amount: loss }] : owed
}
