/** What classes leave: their income, by place, less what their coaches are paid. Pure: docs/domain.md RE30. */
import { inPesos, sumBy } from './rules.ts'

export interface ClassValue {
  /** Null or 0: without spots to count. */
  capacity: number | null
  /** Centavos without tax. */
  income: number
  /** Pay of its coaches in centavos; null: the reader may not see it. */
  pay: number | null
}

export interface ClassValues {
  classes: number
  /** Pesos. */
  income: number
  /** Places of classes that have a capacity. */
  spots: number
  /** Valor por lugar: income of these classes by place; null without spots. */
  per_spot: number | null
  pay: number | null
  /** Ganancia: income less pay. */
  gain: number | null
}

/** The sums of some classes. Places are added, never averages. */
export function sumValues(classes: readonly ClassValue[]): ClassValues {
  const counted = classes.filter(({ capacity }) => (capacity ?? 0) > 0)
  const spots = sumBy(counted, ({ capacity }) => capacity ?? 0)
  const income = sumBy(classes, (cls) => cls.income)
  const pay = classes.some((cls) => cls.pay === null) ? null : sumBy(classes, (cls) => cls.pay ?? 0)
  return {
    classes: classes.length,
    income: inPesos(income),
    spots,
    per_spot: spots > 0 ? inPesos(sumBy(counted, (classValue) => classValue.income) / spots) : null,
    pay: pay === null ? null : inPesos(pay),
    gain: pay === null ? null : inPesos(income - pay),
  }
}
