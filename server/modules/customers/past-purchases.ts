/** What customers bought at the system that the studio used before (docs/domain.md IM14): history, which counts nowhere. */
import { PAST_PURCHASES_PER_PAGE, type PastPurchase } from '#contract/customer-file.ts'
import { importSources } from '#contract/imports.ts'
import { pesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { deletePastPurchase, insertPastPurchase, type NewPastPurchase, pageOfPastPurchases } from './past-purchase-store.ts'
import { lockCustomer } from './store.ts'

/** GET /admin/customers/{customer_id}/past_purchases. NOT_FOUND. */
export async function listPastPurchases(ctx: Ctx, { customer_id, page }: { customer_id: number; page: number }) {
  await customerById(ctx.db, customer_id)
  const { rows, total } = await pageOfPastPurchases(ctx.db, customer_id, { number: page, size: PAST_PURCHASES_PER_PAGE })
  const past_purchases = rows.map(
    ({ past_purchase_id, bought_on, title, total_centavos, way, source }): PastPurchase => ({
      past_purchase_id,
      bought_on,
      title,
      way,
      amount: pesos(total_centavos),
      source: importSources[source],
    }),
  )
  return { past_purchases, total, pages: pageCount(total, PAST_PURCHASES_PER_PAGE) }
}

/** Writes a purchase of another system; its id. Null when the customer is gone. */
export async function addPastPurchase(tx: Tx, values: NewPastPurchase): Promise<number | null> {
  return (await lockCustomer(tx, values.customer_id)) ? insertPastPurchase(tx, values) : null
}

/** Deletes an imported purchase. Safe: no row refers to it and no endpoint changes it. */
export const erasePastPurchase = (tx: Tx, past_purchase_id: number): Promise<void> => deletePastPurchase(tx, past_purchase_id)
