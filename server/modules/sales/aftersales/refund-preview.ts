/** What a refund would do: the refund itself, in a transaction that is rolled back (docs/domain.md V51). */
import { pesos } from '#contract/money.ts'
import type { RefundPreview } from '#contract/refund-preview.ts'
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import { countRemainingCredits, revokeCredits } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { readReceived } from '#server/modules/sales/checkout/counter.ts'
import { ONE_OFF } from '#server/modules/sales/rules.ts'
import { findInvoice } from '#server/modules/sales/store/refund-store.ts'
import { findSaleItem } from '#server/modules/sales/store/sale-store.ts'
import { findPurchase, type InvoiceRow, listInvoices, type PurchaseRow, updatePurchase } from '#server/modules/sales/store/store.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'
import type { Tx } from '#server/platform/db.ts'
import { openRefund, type RefundInput } from './refunds.ts'

/**
 * The consequences of a refund (V51). `countReleased`: how many upcoming reservations would lose their credit, counted by the caller inside
 * the transaction. Refusals are those of the refund.
 */
export async function previewRefund(
  ctx: Ctx,
  input: Omit<RefundInput, 'reason'> & { reason?: string | undefined },
  countReleased: (tx: Tx, purchase_id: number) => Promise<number>,
): Promise<{ preview: RefundPreview }> {
  const { purchase_id, cancel_subscription } = input
  await purchaseHere(ctx, purchase_id)
  const by = input.by_hand ? await readReceived(ctx, input, { needsSlip: false }) : null
  const preview = await dryRun(ctx, async (tx): Promise<RefundPreview> => {
    const refund = await openRefund(tx, ctx, { ...input, reason: input.reason ?? 'Vista previa' }, by)
    const [charge, purchase] = await Promise.all([findInvoice(tx, refund.invoice_id), findPurchase(tx, purchase_id)])
    if (!charge || !purchase) throw new Error(`The charge of a refund of ${purchase_id} is gone.`)
    const left = charge.total_centavos - charge.refunded_centavos - refund.amount_centavos
    const isLive = purchase.is_subscription && purchase.status === 'active'
    const lost = await lossOf(tx, ctx, purchase, { invoice_id: charge.invoice_id, period: charge.period, left })
    const item = purchase.sale_line_id === null ? null : await findSaleItem(tx, purchase.sale_line_id)
    return {
      amount: pesos(refund.amount_centavos),
      left: pesos(left),
      cash_session_id: refund.cash_session_id,
      to: by?.method ?? charge.label ?? 'El medio con el que pagó',
      by:
        charge.gateway === 'regalo'
          ? 'gift_card'
          : !input.by_hand && !isCounter(charge.gateway)
            ? 'processor'
            : refund.cash_session_id === null
              ? 'hand'
              : 'till',
      ...lost,
      class_reservations: lost.revokes ? await countReleased(tx, purchase_id) : 0,
      pieces: item?.product_id == null ? 0 : item.quantity - item.restocked + (input.restock ?? 0),
      subscription: isLive ? (cancel_subscription ? 'ends' : 'continues') : null,
    }
  })
  return { preview }
}

const isGone = ({ status, total_centavos, refunded_centavos, disputed_centavos }: InvoiceRow) =>
  status === 'refunded' || (status === 'lost' && refunded_centavos + disputed_centavos >= total_centavos)

/**
 * Takes away what the charge bought when nothing is left of it and of the other parts (C20, S5), as the refund does; returns what that was.
 */
async function lossOf(
  tx: Tx,
  ctx: Ctx,
  purchase: PurchaseRow,
  charge: { invoice_id: number; period: string; left: number },
): Promise<Pick<RefundPreview, 'revokes' | 'credits' | 'unlimited'>> {
  const { purchase_id } = purchase
  const isOneOff = charge.period === ONE_OFF
  const others = (await listInvoices(tx, purchase_id)).filter(
    (invoice) => invoice.invoice_id !== charge.invoice_id && invoice.period === ONE_OFF,
  )
  const isRest = !isOneOff || others.every((charge) => isGone(charge))
  if (charge.left > 0 || !isRest) return { revokes: false, credits: 0, unlimited: false }
  const of = { purchase_id, period: isOneOff ? null : charge.period }
  const { credits, unlimited } = await countRemainingCredits(tx, of, ctx.now)
  await revokeCredits(tx, ctx, of, 'vista previa')
  if (isOneOff && purchase.status === 'completed') await updatePurchase(tx, purchase_id, { status: 'revoked' })
  return { revokes: true, credits, unlimited }
}
