/** What a coach owes the studio at the end of a period, which the next one takes off (docs/domain.md, PY8). */
import type { LocalDate } from '#contract/time.ts'
import type { Reader } from '#server/platform/db.ts'
import { listOwing } from './store.ts'

interface Coach {
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
}

export interface Carried {
  instructor: Coach
  /** Centavos: negative where it is taken off, positive where the period leaves it for the next one. */
  amount: number
  why: string
}

/** What approved periods left to take off, in the first period after the last approved one. */
export async function carriedInto(
  on: Reader,
  days: { from: LocalDate; to: LocalDate },
  instructor_id: number | undefined,
): Promise<Carried[]> {
  return (await listOwing(on, days, instructor_id)).map(({ owed, ...instructor }) => ({
    instructor,
    amount: -owed,
    why: 'Saldo en contra de periodos anteriores.',
  }))
}

/** The negative sums of coaches, carried to the next period, so that no payment is negative. */
export function carriedOut(lines: readonly { instructor: Coach; amount: number }[]): Carried[] {
  const sums = new Map<number, Carried>()
  for (const { instructor, amount } of lines) {
    const before = sums.get(instructor.instructor_id)?.amount ?? 0
    sums.set(instructor.instructor_id, {
      instructor,
      amount: before - amount,
      why: 'Queda en contra: se descuenta en el siguiente periodo.',
    })
  }
  return [...sums.values()].filter(({ amount }) => amount > 0)
}
