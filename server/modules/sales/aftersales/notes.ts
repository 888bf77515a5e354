/** Notes of the staff on purchases and counter sales (docs/domain.md V57). */
import type { Ctx } from '#server/modules/ctx.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { findSale, updateSaleNote } from '#server/modules/sales/store/sale-store.ts'
import { lockPurchase, updatePurchase } from '#server/modules/sales/store/store.ts'
import { purchaseHere } from '#server/modules/sales/views/visible-sales.ts'

/** Writes the note of a purchase, or of the counter sale that it is an item of; empty removes it. PURCHASE_NOT_FOUND. */
export async function writeNote(ctx: Ctx, input: { purchase_id: number; note: string | null }): Promise<{ note: string | null }> {
  const { purchase_id, customer_id, sale_id } = await purchaseHere(ctx, input.purchase_id)
  const note = input.note?.trim() || null
  await ctx.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    const purchase = await lockPurchase(tx, purchase_id)
    const before = sale_id === null ? (purchase?.note ?? null) : ((await findSale(tx, sale_id))?.note ?? null)
    if (before === note) return
    if (sale_id === null) await updatePurchase(tx, purchase_id, { note })
    else await updateSaleNote(tx, sale_id, note)
    await ctx.audit(tx, { action: 'purchase.note', entity: 'purchase', entity_id: purchase_id, before: { note: before }, after: { note } })
  })
  return { note }
}
