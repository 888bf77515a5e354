/** Scale and labels of the bars of a chart of money, and its sentence. */
import { formatMoney } from '#contract/money.ts'

/** Round steps of an axis, in pesos: 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((times) => times * power >= least) ?? 10) * power
}

/** The values of the axis from 0 to above the largest bar, at most four of them. */
export function axisTicks(largest: number): number[] {
  const step = roundStep(Math.max(largest, 1) / 3)
  const count = Math.max(1, Math.ceil(largest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

const whole = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 0 })
const decimal = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 1 })

/** "850", "4.5 mil", "31 mil", "1.2 M": pesos where there is little room. */
export function shortPesos(pesos: number): string {
  const size = Math.abs(pesos)
  if (size < 1_000) return whole.format(pesos)
  if (size < 10_000) return `${decimal.format(pesos / 1_000)} mil`
  if (size < 999_500) return `${whole.format(pesos / 1_000)} mil`
  return `${decimal.format(pesos / 1_000_000)} M`
}

/** "Esta semana van $12,300.00; la pasada entraron $31,000.00.", of the sums of the weeks in centavos, the current one last. */
export function weeksSentence(sums: readonly number[]): string {
  const [current = 0, last = null] = sums.toReversed()
  const before = last === null ? '' : `; la pasada entraron ${formatMoney(last)}`
  return `Esta semana van ${formatMoney(current)}${before}.`
}
