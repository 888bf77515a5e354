import { DiscountSeries } from '#web/features/admin/catalogue/discount-series.tsx'
import { ListScreen } from '#web/features/admin/catalogue/list-screen.tsx'
import { DISCOUNT_LIST } from '#web/features/admin/catalogue/selling-lists.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'

export const handle: AdminHandle = { title: 'Descuentos' }

/** Descuentos: codes that make packages cheaper, and series of single-use codes. */
export default function Discounts() {
  return (
    <>
      <ListScreen list={DISCOUNT_LIST} />
      <DiscountSeries />
    </>
  )
}
