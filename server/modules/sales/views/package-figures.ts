/** Holders, sales and the history of prices of a package: shown beside it while it is edited. */
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { findPackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { countPackage, listRecordedPrices, type PriceRow } from '#server/modules/sales/store/package-figures-store.ts'

const DAYS_MS = 30 * 86_400_000
/** Prices of the history that are listed. */
const PRICES = 20

/** GET /admin/class_packages/{id}/figures. Money only with `reports.money`. PACKAGE_NOT_FOUND. */
export async function packageFigures(ctx: Ctx, { class_package_id }: { class_package_id: number }) {
  const found = await findPackage(ctx.db, class_package_id)
  if (!found) throw refuse('PACKAGE_NOT_FOUND')
  const [recent, ever, recorded] = await Promise.all([
    countPackage(ctx.db, class_package_id, { since: new Date(ctx.now.getTime() - DAYS_MS), now: ctx.now, locations: ctx.locationIds }),
    countPackage(ctx.db, class_package_id, { since: new Date(0), now: ctx.now, locations: ctx.locationIds }),
    listRecordedPrices(ctx.db, class_package_id),
  ])
  const seesMoney = ctx.may('reports.money')
  return {
    holders: recent.holders,
    sold: recent.sold,
    sold_ever: ever.sold,
    collected: seesMoney ? pesos(recent.collected_centavos) : null,
    collected_ever: seesMoney ? pesos(ever.collected_centavos) : null,
    prices: pricesSince(recorded, found),
  }
}

/**
 * Each price from when it was set until the next one, newest first; a package without entries in the audit trail has its own since
 * it exists.
 */
function pricesSince(
  recorded: readonly PriceRow[],
  found: { price_centavos: number; sale_price_centavos: number | null; createdAt: Date },
) {
  const first: PriceRow = { at: found.createdAt.toISOString(), by: null, ...found }
  const rows = recorded.length > 0 ? recorded : [first]
  const isSame = (a: PriceRow, b: PriceRow) => a.price_centavos === b.price_centavos && a.sale_price_centavos === b.sale_price_centavos
  return rows
    .filter((row, at) => at === 0 || !isSame(row, rows[at - 1] as PriceRow))
    .slice(-PRICES)
    .reverse()
    .map(({ at, by, price_centavos, sale_price_centavos }) => ({
      at: new Date(at).toISOString(),
      by,
      price: pesos(price_centavos),
      sale_price: sale_price_centavos === null ? null : pesos(sale_price_centavos),
    }))
}
