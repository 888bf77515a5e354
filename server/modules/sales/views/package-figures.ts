/** Who has a package, and what it sold in the last 30 days: shown beside it while it is edited. */
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { findPackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { countPackage } from '#server/modules/sales/store/package-figures-store.ts'

const DAYS_MS = 30 * 86_400_000

/** GET /admin/class_packages/{id}/figures. `collected` only with `reports.money`. PACKAGE_NOT_FOUND. */
export async function packageFigures(ctx: Ctx, { class_package_id }: { class_package_id: number }) {
  if (!(await findPackage(ctx.db, class_package_id))) throw refuse('PACKAGE_NOT_FOUND')
  const { holders, sold, collected_centavos } = await countPackage(ctx.db, class_package_id, new Date(ctx.now.getTime() - DAYS_MS), ctx.now)
  return { holders, sold, collected: ctx.may('reports.money') ? pesos(collected_centavos) : null }
}
