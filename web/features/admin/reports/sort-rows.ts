/** The order of a report's rows by one of its columns, and the customers that its rows are. */
import type { ReportColumn, ReportRow } from '#contract/reports.ts'
import { sortByValue } from '#web/features/admin/table/row-order.ts'

/** The key of a column, with `-` downwards; empty: the order of the report. */
export type RowOrder = string

/** The rows by a column; those without a value come last in both directions, equal ones keep the order of the report. */
export function sortRows(rows: readonly ReportRow[], order: RowOrder): readonly ReportRow[] {
  if (order === '') return rows
  const isDown = order.startsWith('-')
  const key = isDown ? order.slice(1) : order
  return sortByValue(rows, ({ cells }) => cells[key] ?? null, isDown)
}

/** Amounts and dates begin with the greatest. */
export const firstDirection = ({ type }: ReportColumn): 'up' | 'down' => (type === 'text' ? 'up' : 'down')

/** The customers that the rows are, each once; null when some row is something else. */
export function customerIdsInRows(rows: readonly ReportRow[]): number[] | null {
  const ids = rows.map(({ link }) => Number(/^\/admin\/clientes\/([1-9]\d*)(?:\?|$)/.exec(link ?? '')?.[1] ?? 0))
  return ids.length > 0 && ids.every((id) => id > 0) ? [...new Set(ids)] : null
}
