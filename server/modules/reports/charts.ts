/** Charts of reports from rows with a day or a name. */
import type { ReportChart, ReportUnit } from '#contract/reports.ts'
import type { LocalDate } from '#contract/time.ts'
import type { Scope } from './report.ts'
import { byStep, chooseStep, listSteps, type Step } from './rules.ts'

const BY_STEP: Readonly<Record<Step, string>> = { day: 'por día', week: 'por semana', month: 'por mes' }

/** Columns by day, week or month, beside those of the period before. `least`: the shortest useful step. */
export function stepChart<R extends { day: LocalDate }>(
  scope: Scope,
  chart: { title: string; unit: ReportUnit; least?: 'day' | 'week'; rows: readonly R[]; before: readonly R[] | null },
  read: (rows: readonly R[]) => number | null,
): ReportChart {
  const { unit, title, rows } = chart
  const usual = chooseStep(scope.now.days)
  const step = chart.least === 'week' && usual === 'day' ? 'week' : usual
  const steps = listSteps(scope.now.days, step)
  const now = byStep(steps, rows, read)
  const then = scope.before && chart.before && byStep(listSteps(scope.before.days, step), chart.before, read)
  const points = (values: readonly (number | null)[]) => steps.map(({ from }, at) => ({ x: from, y: values[at] ?? null }))
  return {
    title: `${title} ${BY_STEP[step]}`.trim(),
    kind: 'columns',
    better: null,
    step,
    series: [
      { key: 'now', label: 'ahora', unit, points: points(now) },
      ...(then ? [{ key: 'before', label: 'antes', unit, points: points(then) }] : []),
    ],
  }
}

/** Horizontal bars by name; `before`: the same names in the period before. `better`: which change is good. */
export function barChart(
  title: string,
  unit: ReportUnit,
  rows: readonly { name: string; value: number | null; before?: number | null }[],
  better: ReportChart['better'] = null,
): ReportChart {
  const hasBefore = rows.some(({ before }) => before !== undefined)
  return {
    title,
    kind: 'bars',
    better,
    step: null,
    series: [
      { key: 'now', label: 'ahora', unit, points: rows.map(({ name, value }) => ({ x: name, y: value })) },
      ...(hasBefore
        ? [{ key: 'before', label: 'antes', unit, points: rows.map(({ name, before = null }) => ({ x: name, y: before })) }]
        : []),
    ],
  }
}
