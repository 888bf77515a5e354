/** How the values of reports are written. */
import { minutesText } from '#contract/copy/minutes.ts'
import type { ReportColumn, ReportFigure, ReportUnit } from '#contract/reports.ts'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { figureText } from '#web/features/admin/today/figure-text.ts'

const number = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 1 })

/** "$186,420.00", "81 %", "412", "3 días", "3 h 20 min", "4.8 de 5"; a dash where there is nothing to count. */
export function amountText(value: number | null, unit: ReportUnit): string {
  if (value === null) return '—'
  if (unit === 'days') return `${number.format(value)} ${value === 1 ? 'día' : 'días'}`
  if (unit === 'minutes') return minutesText(value)
  if (unit === 'stars') return `${number.format(value)} de 5`
  return figureText({ unit, value })
}

/** "9 nov". */
export const shortDay = (day: LocalDate): string => formatWall(`${day}T00:00:00Z`, 'day')

const month = new Intl.DateTimeFormat('es-MX', { month: 'short', year: '2-digit', timeZone: 'UTC' })

/** The name of a step of a chart: "9 nov", "nov 26", or the name that it has. */
export function stepText(x: string, step: 'day' | 'week' | 'month' | null): string {
  if (step === null) return x
  return step === 'month' ? month.format(new Date(`${x.slice(0, 8)}15T00:00:00Z`)) : shortDay(x)
}

/** A cell as people read it. */
export function cellText(value: string | number | null | undefined, type: ReportColumn['type']): string {
  if (value === null || value === undefined || value === '') return '—'
  if (type === 'day') return formatWall(`${value}T00:00:00Z`, 'date')
  if (type === 'moment') return formatWall(`${value}:00Z`, 'class')
  return type === 'text' || typeof value === 'string' ? String(value) : amountText(value, type)
}

const signed = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/**
 * The change beside a bar: "+6" points of a percentage, "+8 %" of money, "−3" of a number, "+40 min"; "=" for none, null where there is
 * nothing to compare with.
 */
export function signedChange(value: number | null, before: number | null, unit: ReportUnit): string | null {
  if (value === null || before === null) return null
  const minus = (text: string) => text.replace('-', '−')
  if (unit === 'mxn') {
    // Of nothing before, a percentage has no meaning.
    if (before <= 0) return value === before ? '=' : null
    const share = Math.round((100 * (value - before)) / before)
    return share === 0 ? '=' : `${minus(signed.format(share))} %`
  }
  const apart = unit === 'percent' ? Math.round(value - before) : Math.round(10 * (value - before)) / 10
  if (apart === 0) return '='
  const isTime = unit === 'minutes' || unit === 'days'
  return isTime ? `${apart > 0 ? '+' : '−'}${amountText(Math.abs(apart), unit)}` : minus(signed.format(apart))
}

export interface Change {
  /** "8 % más", "3 puntos más". */
  text: string
  /** Whether the change is good for the studio; null: neither. */
  isGood: boolean | null
}

/**
 * A figure against the period that it is compared with; null: nothing to compare. Percentages differ in points, money and counts
 * in percent.
 */
export function trend({ unit, value, before, better }: Pick<ReportFigure, 'unit' | 'value' | 'before' | 'better'>): Change | null {
  if (value === null || before === null) return null
  if (value === before) return { text: 'Igual', isGood: null }
  const isMore = value > before
  const word = isMore ? 'más' : 'menos'
  const isGood = better === null ? null : isMore === (better === 'more')
  const apart = Math.abs(Math.round(10 * (value - before)) / 10)
  if (unit === 'percent') return { text: `${number.format(apart)} ${apart === 1 ? 'punto' : 'puntos'} ${word}`, isGood }
  if (unit === 'mxn' && before > 0) {
    const percent = Math.round((100 * Math.abs(value - before)) / before)
    return { text: percent === 0 ? 'Casi igual' : `${number.format(percent)} % ${word}`, isGood }
  }
  return { text: `${amountText(Math.abs(Math.round(100 * (value - before)) / 100), unit === 'stars' ? 'count' : unit)} ${word}`, isGood }
}
