/** Uses of a discount code (docs/domain.md D7). */
import { USES_PER_PAGE } from '#contract/discounts.ts'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { findDiscount } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listUsesOfCode, sumUsesOfCode } from '#server/modules/sales/store/discount-store.ts'

/** GET /discounts/{discount_id}/uses: at the caller's locations and online. DISCOUNT_NOT_FOUND. */
export async function usesOfCode(ctx: Ctx, { discount_id, page }: { discount_id: number; page: number }) {
  if (!(await findDiscount(ctx.db, discount_id))) throw refuse('DISCOUNT_NOT_FOUND')
  const stretch = { limit: USES_PER_PAGE, offset: (page - 1) * USES_PER_PAGE }
  const [rows, { total, income }] = await Promise.all([
    listUsesOfCode(ctx.db, discount_id, ctx.locationIds, stretch),
    sumUsesOfCode(ctx.db, discount_id, ctx.locationIds),
  ])
  return {
    uses: rows.map(({ createdAt, discount, total: cost, ...row }) => ({
      ...row,
      discount: pesos(discount),
      total: pesos(cost),
      createdAt: createdAt.toISOString(),
    })),
    total,
    pages: pageCount(total, USES_PER_PAGE),
    income: ctx.may('reports.money') ? pesos(income) : null,
  }
}
