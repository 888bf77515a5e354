/**
 * Refunds owed for single places that were sold at the counter and cancelled (V45, V37), and for transfers that paid for nothing any
 * more (S4).
 */
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { unpaidOf } from '#server/modules/sales/rules.ts'
import {
  closeDiscrepancy,
  findOpenDiscrepancy,
  updateDiscrepancy,
  upsertDiscrepancy,
} from '#server/modules/sales/store/discrepancy-store.ts'
import { sumCharged } from '#server/modules/sales/store/sale-store.ts'
import { type InvoiceRow, listInvoices, lockPurchase, type PurchaseRow, updatePurchase } from '#server/modules/sales/store/store.ts'
import type { Tx } from '#server/platform/db.ts'

interface ReservationRefund {
  purchase_id: number
  amount: number
}

/** The refund owed of a charge: its open discrepancy, and how much of the charge was refunded or is to be. */
async function dueOf(tx: Tx, charge: InvoiceRow) {
  const open = await findOpenDiscrepancy(tx, 'refund_due', charge.gateway, charge.provider_payment)
  return { charge, open, due: Math.max(Number(open?.details.our_refund ?? 0), charge.refunded_centavos) }
}

/** The counter's charges of a place's sale, behind its lock, with the refund owed of each. */
async function chargesOf(tx: Tx, purchase_id: number) {
  const purchase = await lockPurchase(tx, purchase_id)
  if (!purchase) throw new Error(`There is no place sale ${purchase_id}.`)
  const rows: InvoiceRow[] = (await listInvoices(tx, purchase_id)).filter((row) => isCounter(row.gateway))
  const charges = []
  for (const charge of rows) charges.push(await dueOf(tx, charge))
  return { sale: purchase, charges }
}

/** Owes up to `amount` of a charge, at most what was paid; returns how much. */
async function oweOfCharge(tx: Tx, ctx: Ctx, { charge, open, due }: Awaited<ReturnType<typeof dueOf>>, amount: number): Promise<number> {
  const our_refund = Math.min(charge.total_centavos, due + amount)
  if (our_refund <= due) return 0
  const { purchase_id } = charge
  const details = { amount: our_refund - charge.refunded_centavos, their_refund: charge.refunded_centavos, our_refund }
  if (open) await updateDiscrepancy(tx, open.money_difference_id, details)
  else
    await upsertDiscrepancy(
      tx,
      { kind: 'refund_due', gateway: charge.gateway, about: charge.provider_payment, purchase_id, details },
      ctx.now,
    )
  await ctx.audit(tx, { action: 'money.refund_due', entity: 'purchase', entity_id: purchase_id, after: details })
  return our_refund - due
}

const setWaived = (tx: Tx, ctx: Ctx, purchase_id: number, waived_centavos: number) =>
  updatePurchase(tx, purchase_id, { waived_centavos, updatedAt: ctx.now })

/**
 * Reduces a counter sale by the price of a cancelled spot. The unpaid part is waived. The paid part is owed back, charge by charge and
 * never more than was paid, and the customer is notified, as for a refund that did not arrive, until it is refunded (V37). The part in an
 * unconfirmed transfer is waived too; `oweBackConfirmed` owes it once the transfer is confirmed.
 */
export async function oweReservationRefund(tx: Tx, ctx: Ctx, { purchase_id, amount }: ReservationRefund): Promise<void> {
  const { sale, charges } = await chargesOf(tx, purchase_id)
  // Without a sale of the till it was paid at once.
  const charged = sale.sale_id === null ? sale.total_centavos : await sumCharged(tx, purchase_id)
  const unpaid = Math.min(amount, unpaidOf(sale, charged))
  let left = amount - unpaid
  for (const charge of charges) left -= await oweOfCharge(tx, ctx, charge, left)
  const paidAmount = charges.reduce((sum, { charge }) => sum + charge.total_centavos, 0)
  const pending = sale.sale_id === null ? 0 : Math.min(left, Math.max(0, charged - paidAmount))
  if (unpaid + pending === 0) return
  await setWaived(tx, ctx, purchase_id, Math.min(sale.total_centavos, sale.waived_centavos + unpaid + pending))
}

/**
 * Owes back what a confirmed transfer paid of a purchase that was revoked, or whose spot was cancelled, before its confirmation (S4). Needs
 * the purchase's lock; call it once the charge is confirmed.
 */
export async function oweBackConfirmed(tx: Tx, ctx: Ctx, purchase: PurchaseRow, part: InvoiceRow): Promise<void> {
  const { purchase_id, status, total_centavos, waived_centavos } = purchase
  const charge = await dueOf(tx, part)
  if (status !== 'completed' && status !== 'active') {
    await oweOfCharge(tx, ctx, charge, part.total_centavos)
    return
  }
  if (waived_centavos === 0) return
  const paidAmount = (await listInvoices(tx, purchase_id)).reduce((sum, charge) => sum + charge.total_centavos, 0)
  const owed = await oweOfCharge(tx, ctx, charge, Math.max(0, paidAmount + waived_centavos - total_centavos))
  if (owed > 0) await setWaived(tx, ctx, purchase_id, waived_centavos - owed)
}

/**
 * Withdraws the owed refund of a restored place; what was waived of it is owed again. False when the sale was refunded in full meanwhile.
 */
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
        amount: our_refund - charge.refunded_centavos,
        their_refund: charge.refunded_centavos,
        our_refund,
      })
  }
  // What was paid for the place first: another place of the purchase may be the one whose price was waived.
  const waived = Math.min(left, sale.waived_centavos)
  if (waived > 0) await setWaived(tx, ctx, purchase_id, sale.waived_centavos - waived)
  return true
}
