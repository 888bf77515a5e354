import { adminPaths } from '#contract/admin-paths.ts'
import { orderNumber } from '#contract/copy/order-number.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { AppLink } from '#web/lib/link.tsx'

/** The number of a purchase, as the link of its row to its own screen. */
export function SaleLink({ row }: { row: StudioPurchase }) {
  return (
    <AppLink to={adminPaths.sale(row.purchase_id)} className="row-link strong">
      {orderNumber(row.purchase_id)}
    </AppLink>
  )
}
