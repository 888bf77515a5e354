/** Money of single places that were sold at the counter and given up again (V45, V37). */
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { closeDiscrepancy, findOpenDiscrepancy, putDiscrepancy, updateDiscrepancy } from '#server/modules/sales/store/discrepancy-store.ts'
import { type InvoiceRow, listInvoices, lockPurchase } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

interface ReservationRefund {
  purchase_id: number
  amount: number
}

/** The counter's charge of a place's sale, behind its lock, and what is written down as owed of it. */
async function chargeOf(tx: Tx, purchase_id: number) {
  const purchase = await lockPurchase(tx, purchase_id)
  const charge: InvoiceRow | undefined = (await listInvoices(tx, purchase_id)).find((row) => isCounter(row.gateway))
  if (!purchase || !charge) throw new Error(`The place sale ${purchase_id} has no charge.`)
  const open = await findOpenDiscrepancy(tx, 'refund_due', charge.gateway, charge.provider_payment)
  return { sale: purchase, charge, open, due: Number(open?.details.our_refund ?? charge.refunded_centavos) }
}

/** The price of a place that was given up has to go back: owed and told like a refund that did not arrive, until it is given back (V37). */
export async function oweReservationRefund(tx: Tx, ctx: Ctx, { purchase_id, amount }: ReservationRefund): Promise<void> {
  const { charge, open, due } = await chargeOf(tx, purchase_id)
  const our_refund = Math.min(charge.total_centavos, Math.max(due, charge.refunded_centavos) + amount)
  if (our_refund <= charge.refunded_centavos) return
  const details = { amount: our_refund - charge.refunded_centavos, their_refund: charge.refunded_centavos, our_refund }
  if (open) await updateDiscrepancy(tx, open.money_difference_id, details)
  else
    await putDiscrepancy(tx, { kind: 'refund_due', gateway: charge.gateway, about: charge.provider_payment, purchase_id, details }, ctx.now)
  await ctx.audit(tx, { action: 'money.refund_due', entity: 'purchase', entity_id: purchase_id, after: details })
}

/** The place is taken again: its price is owed no more. False when the sale's money went back whole meanwhile. */
export async function withdrawReservationRefund(tx: Tx, ctx: Ctx, { purchase_id, amount }: ReservationRefund): Promise<boolean> {
  const { sale, charge, open, due } = await chargeOf(tx, purchase_id)
  if (sale.status !== 'completed') return false
  if (!open) return true
  const our_refund = due - amount
  if (our_refund <= charge.refunded_centavos) await closeDiscrepancy(tx, open.money_difference_id, 'mended', ctx.now)
  else
    await updateDiscrepancy(tx, open.money_difference_id, {
      ...{ amount: our_refund - charge.refunded_centavos, their_refund: charge.refunded_centavos, our_refund },
    })
  return true
}
