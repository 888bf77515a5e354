/** One view of the timetable: its columns or rows, and where a class that is moved in it lands. Pure. */
import type { LocalDate } from '#contract/time.ts'
import type { PlanGroup } from './day-plan.tsx'
import type { PlanTarget } from './plan-steps.ts'
import {
  coachRows,
  dayColumns,
  type PlanColumn,
  type PlanDay,
  type PlanRecords,
  type PlanRow,
  type PlanView,
  roomRows,
  weekColumns,
} from './plan-views.ts'

export interface LaidView {
  columns: PlanColumn[]
  /** Of the matrix of coaches or rooms; null = a grid of hours. */
  rows: PlanRow[] | null
  /** The chosen day alone: a phone. */
  groups: PlanGroup[]
  targets: PlanTarget[]
  across: PlanTarget[] | null
  down: PlanTarget[] | null
}

const NO_DAY = { holiday: null, classes: [] }

export function layView(
  view: PlanView,
  days: readonly PlanDay[],
  chosen: LocalDate,
  records: PlanRecords,
  onlyCoach: number | null,
): LaidView {
  const day = days.find(({ date }) => date === chosen) ?? { date: chosen, ...NO_DAY }
  if (view === 'semana' || view === 'dia') {
    const columns = view === 'semana' ? weekColumns(days) : dayColumns(day, records)
    const targets = columns.map(({ key, day, venue }) => ({ column: key, day, venue, coach: undefined }))
    const groups =
      view === 'semana'
        ? [{ key: 'dia', name: '', classes: day.classes }]
        : columns.map(({ key, name, detail, classes }) => ({ key, name: detail ? `${name}, ${detail}` : name, classes }))
    return { columns, rows: null, groups, targets, across: view === 'dia' ? targets : null, down: null }
  }
  const lay = (some: readonly PlanDay[]) => (view === 'coach' ? coachRows(some, records, onlyCoach) : roomRows(some, records))
  const rows = lay(days)
  const targets = rows.flatMap(({ key, venue, coach }) => days.map(({ date }) => ({ column: `${key} ${date}`, day: date, venue, coach })))
  const groups = lay([day]).map(({ key, name, detail, days: [classes = []] }) => ({
    key,
    name: detail ? `${name}, ${detail}` : name,
    classes,
  }))
  return { columns: [], rows, groups, targets, across: null, down: targets }
}
