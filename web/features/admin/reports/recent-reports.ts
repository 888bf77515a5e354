/** The reports that were last opened on this device since the sign-in, for the index. */
import { REPORT_KEYS, type ReportKey } from '#contract/copy/reports.ts'
import { RECENT_REPORTS_KEY, withStorage } from '#web/features/admin/frame/device-data.ts'

const MOST_RECENT = 3

/** The last one first. */
export const recentReports = (): ReportKey[] =>
  withStorage((storage) => {
    const stored: unknown = JSON.parse(storage.getItem(RECENT_REPORTS_KEY) ?? '[]')
    return Array.isArray(stored)
      ? REPORT_KEYS.filter((key) => stored.includes(key)).sort((a, b) => stored.indexOf(a) - stored.indexOf(b))
      : []
  }, [])

export function rememberReport(key: ReportKey): void {
  const next = [key, ...recentReports().filter((recentReport) => recentReport !== key)].slice(0, MOST_RECENT)
  withStorage((storage) => storage.setItem(RECENT_REPORTS_KEY, JSON.stringify(next)), undefined)
}
