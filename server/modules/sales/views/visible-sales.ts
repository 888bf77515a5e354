/** Purchases and sales that a staff member may read and change: those of the locations where they work (docs/domain.md E14). */
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { findPurchaseAt } from '#server/modules/sales/store/purchase-filter-store.ts'
import { findSaleAt, type SaleRow } from '#server/modules/sales/store/sale-store.ts'
import type { PurchaseRow } from '#server/modules/sales/store/store.ts'

/** A purchase that the caller may see. PURCHASE_NOT_FOUND for one of another location too, so that its existence is not disclosed. */
export async function purchaseHere(ctx: Ctx, purchase_id: number): Promise<PurchaseRow> {
  const found = await findPurchaseAt(ctx.db, purchase_id, ctx.locationIds)
  if (!found) throw refuse('PURCHASE_NOT_FOUND')
  return found
}

/** A counter sale that the caller may see. NOT_FOUND for one of another location too. */
export async function saleHere(ctx: Ctx, sale_id: number): Promise<SaleRow> {
  const found = await findSaleAt(ctx.db, sale_id, ctx.locationIds)
  if (!found) throw refuse('NOT_FOUND')
  return found
}
