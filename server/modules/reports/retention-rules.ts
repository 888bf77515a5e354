/** Cohorts: of the customers whose first class was in a month, how many came in each month after it. Pure: docs/domain.md, "Reports". */
import { addMonths, type LocalDate } from '#contract/time.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { sumBy } from './rules.ts'

/** Months after the first one that are shown. */
export const COHORT_MONTHS = 11

export interface Cohort {
  /** First day of the month. */
  month: LocalDate
  people: number
  /** How many came this number of months later, from 1 on; null: that month is not over. */
  came: (number | null)[]
}

/** The months that some days are in: the first day of the first one, and of the month after the last one. */
export const monthRange = ({ from, to }: { from: LocalDate; to: LocalDate }): { from: LocalDate; until: LocalDate } => ({
  from: `${from.slice(0, 8)}01`,
  until: addMonths(`${to.slice(0, 8)}01`, 1),
})

/** The cohorts of a period from their counts. A month counts once it is over. */
export function buildCohorts(counts: readonly { cohort: LocalDate; after: number; people: number }[], today: LocalDate): Cohort[] {
  const months = [...new Set(counts.map(({ cohort }) => cohort))].sort()
  return months.map((month) => {
    const at = (after: number) => counts.find((count) => count.cohort === month && count.after === after)?.people ?? 0
    const came = Array.from({ length: COHORT_MONTHS }, (_, n) => (addMonths(month, n + 2) <= today ? at(n + 1) : null))
    return { month, people: at(0), came }
  })
}

/** The share of a cohort that came so many months later: over the cohorts of which that month is over. */
export function shareRetained(cohorts: readonly Cohort[], after: number): number | null {
  const over = cohorts.filter(({ came }) => came[after - 1] != null)
  return toPercent(
    sumBy(over, ({ came }) => came[after - 1] ?? 0),
    sumBy(over, ({ people }) => people),
  )
}
