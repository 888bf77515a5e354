/** What reports answer, for comparing it before and after their rows are derived again. */
import type { ReportKey } from '#contract/copy/reports.ts'
import type { Person, TestStudio } from './studio.ts'

const PERIODS = [
  { from: '2026-08-01', to: '2026-11-19' },
  { from: '2026-10-05', to: '2026-10-25' },
]

/** Every row of every group of some reports, of two periods, of one location and of all. */
export async function allReportRows(
  s: TestStudio,
  reader: Person,
  keys: readonly ReportKey[],
  oneLocation: number,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const key of keys)
    for (const period of PERIODS)
      for (const location_id of [undefined, oneLocation]) {
        const usual = await s.as(reader).reports.read({ key, ...period, location_id })
        for (const { key: group_by } of usual.groups) {
          const { figures, rows, rows_total, totals, charts } = await s.as(reader).reports.read({ key, ...period, location_id, group_by })
          found[`${key} ${period.from} ${location_id ?? 'all'} ${group_by}`] = { figures, rows, rows_total, totals, charts }
        }
      }
  return found
}
