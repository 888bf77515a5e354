/** Refunds owed for single places that were sold at the counter and cancelled (V45, V37). */
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { closeDiscrepancy, findOpenDiscrepancy, putDiscrepancy, updateDiscrepancy } from '#server/modules/sales/store/discrepancy-store.ts'
import { type InvoiceRow, listInvoices, lockPurchase } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

interface ReservationRefund {
  purchase_id: number
  amount: number
}

/** The counter's charges of a place's sale, behind its lock, and the refund owed of each. */
async function chargesOf(tx: Tx, purchase_id: number) {
  const purchase = await lockPurchase(tx, purchase_id)
  if (!purchase) throw new Error(`There is no place sale ${purchase_id}.`)
  const rows: InvoiceRow[] = (await listInvoices(tx, purchase_id)).filter((row) => isCounter(row.gateway))
  const charges = []
  for (const charge of rows) {
    const open = await findOpenDiscrepancy(tx, 'refund_due', charge.gateway, charge.provider_payment)
    charges.push({ charge, open, due: Math.max(Number(open?.details.our_refund ?? 0), charge.refunded_centavos) })
  }
  return { sale: purchase, charges }
}

/**
 * Owes the price of a cancelled place, and notifies its customer, like a refund that did not arrive, until it is refunded (V37). With split
 * payments it is owed of one charge after another, never more than was paid.
 */
export async function oweReservationRefund(tx: Tx, ctx: Ctx, { purchase_id, amount }: ReservationRefund): Promise<void> {
  let left = amount
  for (const { charge, open, due } of (await chargesOf(tx, purchase_id)).charges) {
    const our_refund = Math.min(charge.total_centavos, due + left)
    if (our_refund <= due) continue
    left -= our_refund - due
    const details = { amount: our_refund - charge.refunded_centavos, their_refund: charge.refunded_centavos, our_refund }
    if (open) await updateDiscrepancy(tx, open.money_difference_id, details)
    else
      await putDiscrepancy(
        tx,
        { kind: 'refund_due', gateway: charge.gateway, about: charge.provider_payment, purchase_id, details },
        ctx.now,
      )
    await ctx.audit(tx, { action: 'money.refund_due', entity: 'purchase', entity_id: purchase_id, after: details })
  }
}

/** Withdraws the owed refund of a restored place. False when the sale was refunded in full meanwhile. */
export async function withdrawReservationRefund(tx: Tx, ctx: Ctx, { purchase_id, amount }: ReservationRefund): Promise<boolean> {
  const { sale, charges } = await chargesOf(tx, purchase_id)
  if (sale.status !== 'completed') return false
  let left = amount
  for (const { charge, open, due } of charges.toReversed()) {
    if (!open || left <= 0) continue
    const our_refund = Math.max(charge.refunded_centavos, due - left)
    left -= due - our_refund
    if (our_refund <= charge.refunded_centavos) await closeDiscrepancy(tx, open.money_difference_id, 'mended', ctx.now)
    else
      await updateDiscrepancy(tx, open.money_difference_id, {
        ...{ amount: our_refund - charge.refunded_centavos, their_refund: charge.refunded_centavos, our_refund },
      })
  }
  return true
}
