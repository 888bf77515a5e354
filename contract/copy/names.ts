/** Display names of seats and periods, without schemas: public pages use them without loading Zod. */
import type { PeriodUnit } from '#contract/time.ts'

/** "Lugar 17" where the room numbers its seats (L18), otherwise "Fila 2, lugar 5": a spot is row-column, counted from 1 (settled 23). */
export function spotName(at: string, label?: string | null): string {
  if (label) return `Lugar ${label}`
  const [row, column] = at.split('-')
  return `Fila ${row}, lugar ${column}`
}

/** The same in the middle of a sentence: "lugar A4", "fila 2, lugar 5". */
export const spotInSentence = (at: string, label?: string | null): string => (label ? `lugar ${label}` : spotName(at).toLowerCase())

/** Two spots: "Lugares 17 y 18", "Fila 2, lugares 5 y 6", or "Fila 1, lugar 8 y fila 2, lugar 1". */
export function spotsName(a: string, b: string, labels?: readonly [string | null | undefined, string | null | undefined]): string {
  if (labels?.[0] && labels[1]) return `Lugares ${labels[0]} y ${labels[1]}`
  const [first = '', second = ''] = [a, b].sort(new Intl.Collator('es', { numeric: true }).compare)
  const [row, column] = second.split('-')
  return first.startsWith(`${row}-`)
    ? `Fila ${row}, lugares ${first.split('-')[1]} y ${column}`
    : `${spotName(first)} y ${spotInSentence(second)}`
}

/** "Cada mes", "Cada 3 meses", "Cada año", "Cada 28 días" (S1-9.10). */
export function subscriptionPeriodText(period: PeriodUnit | null, interval: number | null): string {
  const every = interval ?? 1
  if (period === 'month') return every === 1 ? 'Cada mes' : `Cada ${every} meses`
  if (period === 'year') return every === 1 ? 'Cada año' : `Cada ${every} años`
  return every === 1 ? 'Cada día' : `Cada ${every} días`
}
