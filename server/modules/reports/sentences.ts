/** Sentences of reports about figures and their changes. Pure. */

import { minutesText } from '#contract/copy/minutes.ts'
import { formatMoney } from '#contract/money.ts'
import type { ReportUnit } from '#contract/reports.ts'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { type Compare, dayCount, type Period } from './rules.ts'

const number = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 1 })

/** "$186,420.00", "81 %", "412". */
export function amountText(value: number, unit: ReportUnit): string {
  if (unit === 'minutes') return minutesText(value)
  if (unit === 'mxn') return formatMoney(Math.round(100 * value))
  return unit === 'percent' ? `${number.format(value)} %` : number.format(value)
}

/** "1 clase", "4 clases". */
export const countText = (count: number, singular: string, many: string): string =>
  `${number.format(count)} ${count === 1 ? singular : many}`

/** "09 nov". */
export const dayText = (day: LocalDate): string => formatWall(`${day}T00:00:00Z`, 'day')

const month = new Intl.DateTimeFormat('es-MX', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "noviembre de 2026", of any day of it. */
export const monthText = (day: LocalDate): string => month.format(new Date(`${day.slice(0, 8)}15T00:00:00Z`))

const WEEKDAYS = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']
/** "jueves"; 1 is Monday. */
export const weekdayName = (weekday: number): string => WEEKDAYS[weekday - 1] ?? ''

/** A longer period is named by its first and last day: nobody counts 211 days back. */
const MAX_COUNTED_DAYS = 31

const dateText = (day: LocalDate): string => formatWall(`${day}T00:00:00Z`, 'date')
/** "del 02 oct 2025 al 30 abr 2026", "del 05 mar al 30 abr 2026". */
const rangeText = ({ from, to }: Period['days']): string =>
  `del ${from.slice(0, 4) === to.slice(0, 4) ? dayText(from) : dateText(from)} al ${dateText(to)}`

/** "los 28 días antes", "el día antes", "un año antes", "del 02 oct 2025 al 30 abr 2026". */
export function beforeText(compare: Compare, before: Period): string {
  const days = dayCount(before.days.from, before.days.to)
  if (compare === 'year') return 'un año antes'
  if (days > MAX_COUNTED_DAYS) return rangeText(before.days)
  return days === 1 ? 'el día antes' : `los ${days} días antes`
}

/** The part of definitions about the previous period. */
export function beforeDefinition(compare: Compare, { days: { from, to } }: Period): string {
  if (compare === 'year') return 'Los mismos días de un año antes.'
  const days = dayCount(from, to)
  if (days > MAX_COUNTED_DAYS) return `${days} días, justo antes: ${rangeText({ from, to })}.`
  return days === 1 ? `El día antes, ${dayText(from)}.` : `${days} días, justo antes: del ${dayText(from)} al ${dayText(to)}.`
}

/** "8 % más que los 28 días antes"; null when there is nothing to compare with, or no difference. */
export function changeText(
  now: number | null | undefined,
  before: number | null | undefined,
  unit: ReportUnit,
  scope: { compare: Compare; before: Period | null },
): string | null {
  if (now == null || before == null || now === before || !scope.before) return null
  const word = now > before ? 'más' : 'menos'
  const then = beforeText(scope.compare, scope.before)
  if (unit === 'percent') {
    const points = Math.abs(Math.round(10 * (now - before)) / 10)
    return `${number.format(points)} ${points === 1 ? 'punto' : 'puntos'} ${word} que ${then}`
  }
  // More was refunded than collected: a percentage of that has no meaning.
  if (before <= 0 || now < 0) return null
  const percent = Math.round((100 * Math.abs(now - before)) / before)
  return percent === 0 ? null : `${number.format(percent)} % ${word} que ${then}`
}
