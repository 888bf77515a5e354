/** The stored sums of charges: made fewer every hour, compared with the charges every night (docs/decisions/025-rollups.md). */
import type { Ctx } from '#server/modules/ctx.ts'
import { countWrongTotals, deriveInvoiceTotals, mergeInvoiceTotals } from '#server/modules/sales/store/invoice-total-store.ts'

/** Replaces the rows that changes of charges appended by one per group. */
export const mergeTotals = (ctx: Ctx): Promise<void> => ctx.tx(mergeInvoiceTotals)

/** Adds up all charges again. */
export const rebuildTotals = (ctx: Ctx): Promise<void> => ctx.tx(deriveInvoiceTotals)

/** Compares the stored sums with the charges; logs a discrepancy and derives them again. Returns how many groups differed. */
export async function checkTotals(ctx: Ctx): Promise<number> {
  const groups = await countWrongTotals(ctx.db)
  if (groups === 0) return 0
  ctx.studio.log.error({ groups }, 'invoice_totals.differed')
  await rebuildTotals(ctx)
  return groups
}
