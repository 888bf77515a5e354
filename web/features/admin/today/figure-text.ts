/** How the figures of Hoy are written. */
import { addMonths, type LocalDate } from '#contract/time.ts'
import type { Figure, FigurePeriod } from '#contract/today.ts'

const number = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 1 })
const monthOf = new Intl.DateTimeFormat('es-MX', { month: 'long', timeZone: 'UTC' })

/** "noviembre": the month of a day. */
export const monthName = (day: LocalDate): string => monthOf.format(new Date(`${day}T00:00:00Z`))

/** "$186,420.00", "81 %", "412"; a dash where there is nothing to count. */
export function figureText({ unit, value }: Pick<Figure, 'unit' | 'value'>): string {
  if (value === null) return '—'
  if (unit === 'mxn') {
    const [whole = '0', cents = '00'] = Math.abs(value).toFixed(2).split('.')
    return `${value < 0 ? '-' : ''}$${Number(whole).toLocaleString('es-MX')}.${cents}`
  }
  return unit === 'percent' ? `${number.format(value)} %` : number.format(value)
}

const BEFORE: Record<FigurePeriod, (from: LocalDate) => string> = {
  day: () => 'ayer',
  week: () => 'la semana pasada',
  month: (from) => `en ${monthName(addMonths(from, -1))}`,
}

export interface Change {
  /** "8 % más que en octubre". */
  text: string
  /** Whether it is good for the studio; null: neither, or nothing to compare with. */
  isGood: boolean | null
}

/** A figure against the same stretch before. Percentages differ in points, the others in percent. */
export function trend({ key, unit, value, before }: Figure, period: FigurePeriod, from: LocalDate): Change {
  const then = BEFORE[period](from)
  if (value === null) return { text: 'Todavía no hay datos', isGood: null }
  if (before === null) return { text: `Sin datos de ${then.replace(/^en /, '')}`, isGood: null }
  if (value === before) return { text: `Igual que ${then}`, isGood: null }
  const word = value > before ? 'más' : 'menos'
  const isGood = value > before === (key !== 'no_shows')
  if (unit === 'percent') {
    const points = Math.abs(Math.round(10 * (value - before)) / 10)
    return { text: `${number.format(points)} ${points === 1 ? 'punto' : 'puntos'} ${word} que ${then}`, isGood }
  }
  if (before <= 0) return { text: `${figureText({ unit, value: before })} ${then}`, isGood }
  const percent = Math.round((100 * Math.abs(value - before)) / before)
  return { text: percent === 0 ? `Casi igual que ${then}` : `${number.format(percent)} % ${word} que ${then}`, isGood }
}
