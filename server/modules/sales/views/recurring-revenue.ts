/** Monthly recurring revenue (docs/domain.md V47). */
import { type Centavos, taxIn } from '#contract/money.ts'
import type { ChargeGroup } from '#server/modules/sales/store/subscription-list-store.ts'

/** Charges per month of a subscription that is charged once per period; days by the mean length of a month. */
const PER_MONTH: Readonly<Record<ChargeGroup['period'], number>> = { day: 30.4375, month: 1, year: 1 / 12 }

/** The sum of the next charges without tax, each converted to one month; rounded once. `taxRate` in hundredths of a percent. */
export function monthlyRevenue(groups: readonly ChargeGroup[], taxRate: number): Centavos {
  return Math.round(
    groups.reduce(
      (sum, { amount, period, interval, count }) => sum + (count * taxIn(amount, taxRate).net * PER_MONTH[period]) / interval,
      0,
    ),
  )
}
