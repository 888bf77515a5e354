/** Periods of reports, their steps, and sums of rows. Pure: docs/domain.md, "Reports". */
import { daysBetween } from '#contract/day-count.ts'
import { addDays, addMonths, type LocalDate, localDate, startOfDay } from '#contract/time.ts'

/** A half-open interval of instants, with its days. */
export interface Period {
  /** First and last day, both included. */
  days: { from: LocalDate; to: LocalDate }
  from: Date
  until: Date
}

export interface ComparedPeriods {
  now: Period
  before: Period | null
  /** Whether the period has not ended: it is counted until now, and the previous one until the same offset from its start. */
  isUntilNow: boolean
}

export type Compare = 'before' | 'year' | 'none'

/** Number of days from one day to another, both included. */
export const dayCount = (from: LocalDate, to: LocalDate): number => daysBetween(from, to) + 1

const isMonthStart = (day: LocalDate) => day.endsWith('-01')
const isMonthEnd = (day: LocalDate) => isMonthStart(addDays(day, 1))

/**
 * The days to compare with: whole months with as many whole months before, other periods with as many days before; or the same days a
 * year before.
 */
export function daysBefore(days: { from: LocalDate; to: LocalDate }, compare: 'before' | 'year'): { from: LocalDate; to: LocalDate } {
  const { from, to } = days
  if (compare === 'year') return { from: addMonths(from, -12), to: addMonths(to, -12) }
  if (isMonthStart(from) && isMonthEnd(to)) {
    const months = (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1
    return { from: addMonths(from, -months), to: addDays(from, -1) }
  }
  const length = dayCount(from, to)
  return { from: addDays(from, -length), to: addDays(to, -length) }
}

/**
 * The period on the clocks of a zone and the one that it is compared with. A period that has not ended is counted until now, the previous
 * one until the same offset from its start; a period that has not begun is counted whole, as far as it is known, and so is one of a report
 * that looks ahead.
 */
export function comparedPeriods(
  days: { from: LocalDate; to: LocalDate },
  compare: Compare,
  now: Date,
  zone: string,
  isAhead = false,
): ComparedPeriods {
  const bounds = ({ from, to }: { from: LocalDate; to: LocalDate }) => ({
    from: startOfDay(from, zone),
    until: startOfDay(addDays(to, 1), zone),
  })
  const whole = bounds(days)
  const isUntilNow = !isAhead && whole.from < now && now < whole.until
  const period: Period = { days, ...whole, until: isUntilNow ? now : whole.until }
  if (compare === 'none') return { now: period, before: null, isUntilNow }
  const earlier = daysBefore(days, compare)
  const before: Period = { days: earlier, ...bounds(earlier) }
  if (isUntilNow) {
    const elapsed = new Date(before.from.getTime() + now.getTime() - whole.from.getTime())
    if (elapsed < before.until) before.until = elapsed
  }
  return { now: period, before, isUntilNow }
}

export type Step = 'day' | 'week' | 'month'

/** A step of a chart: its first day, and the first day after it. */
export interface StepDays {
  from: LocalDate
  until: LocalDate
}

/** How long the steps of a chart are, so that it has at most about forty. */
export const chooseStep = (days: { from: LocalDate; to: LocalDate }): Step => {
  const length = dayCount(days.from, days.to)
  return length <= 31 ? 'day' : length <= 217 ? 'week' : 'month'
}

/** The steps of a period: days, weeks counted from its first day, or months of the calendar. The last one may be shorter. */
export function listSteps(days: { from: LocalDate; to: LocalDate }, step: Step): StepDays[] {
  const steps: StepDays[] = []
  const end = addDays(days.to, 1)
  for (let from = days.from; from < end; ) {
    const next = step === 'day' ? addDays(from, 1) : step === 'week' ? addDays(from, 7) : addMonths(`${from.slice(0, 8)}01`, 1)
    const until = next < end ? next : end
    steps.push({ from, until })
    from = until
  }
  return steps
}

/** The instants at which steps begin, and the end of the period as the last one. Steps that have not begun are left out. */
export function startOfSteps(period: Period, steps: readonly StepDays[], zone: string): Date[] {
  const instants = [period.from]
  for (const { until } of steps) {
    const ends = startOfDay(until, zone)
    instants.push(ends < period.until ? ends : period.until)
    if (ends >= period.until) break
  }
  return instants
}

/** The value of `read` for each step, from rows with a day. */
export function byStep<R extends { day: LocalDate }, T>(
  steps: readonly StepDays[],
  rows: readonly R[],
  read: (rows: readonly R[]) => T,
): T[] {
  return steps.map(({ from, until }) => read(rows.filter(({ day }) => day >= from && day < until)))
}

/** The days of a period that begin before its end, each with the instants between which it is counted. */
export function daysIn(period: Period, zone: string): { day: LocalDate; from: Date; until: Date }[] {
  const steps = listSteps(period.days, 'day')
  const instants = startOfSteps(period, steps, zone)
  return steps.flatMap(({ from: day }, n) => {
    const [from, until] = [instants[n], instants[n + 1]]
    return from && until ? { day, from, until } : []
  })
}

export const sumBy = <R>(rows: readonly R[], read: (row: R) => number): number => rows.reduce((sum, row) => sum + read(row), 0)

/** The sums of some keys of rows. */
export const sumColumns = <K extends string>(rows: readonly Readonly<Record<K, number>>[], keys: readonly K[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, sumBy(rows, (row) => row[key])])) as Record<K, number>

/** Centavos as the number of pesos of a figure or a cell. */
export const inPesos = (centavos: number): number => Math.round(centavos) / 100

/** The default period of a report of what happened: the four weeks until today. */
export const lastFourWeeks = (now: Date, zone: string) => {
  const to = localDate(now, zone)
  return { from: addDays(to, -27), to }
}
