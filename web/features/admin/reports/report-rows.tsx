import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Report, ReportColumn, ReportRow } from '#contract/reports.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import SortCards from '#web/features/admin/table/sort-cards.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { type Column, Table, useWide } from '#web/ui/table.tsx'
import '#web/ui/chip.css'
import '#web/ui/chip-select.css'
import { cellText } from './amount-text.ts'
import { customerIdsInRows, firstDirection, type RowOrder, sortRows } from './sort-rows.ts'

const isNumber = ({ type }: ReportColumn) => !['text', 'day', 'moment'].includes(type)
const TOTAL = 'total'
/** Rows at first; the others with one press. */
const FEW_ROWS = 12

/** The totals as a last row. */
function totalRow({ columns, totals, rows_total }: Report): ReportRow | null {
  const [first] = columns
  if (rows_total < 2 || !first || !columns.some(({ key }) => totals[key] != null)) return null
  return { id: TOTAL, cells: { ...totals, [first.key]: 'Total' }, link: null, action: null }
}

/** Opens a message to all people of the rows that were read. */
function WriteToAll({ report: { group_by, rows, rows_total } }: { report: Report }) {
  const canWrite = may(useStaff(), 'messages.send')
  const customer_ids = canWrite && group_by === 'person' ? customerIdsInRows(rows) : null
  if (customer_ids === null || customer_ids.length < 2) return null
  const count = customer_ids.length
  const first = rows_total > rows.length ? 'primeras ' : ''
  return (
    <AppLink to={adminPaths.newBroadcast} state={{ audience: { customer_ids }, count }} className="btn btn-outline btn-small report-write">
      {`Escribirles a las ${first}${count.toLocaleString('es-MX')}`}
    </AppLink>
  )
}

/** The rows of a report, each opening what it counts, with their totals. */
export function ReportRows({ report }: { report: Report }) {
  const { columns } = report
  const [all, setAll] = useState(false)
  const [order, setOrder] = useState<RowOrder>('')
  useEffect(() => {
    // On paper nothing can be opened. The page is drawn when the event has been handled.
    const showAll = () => flushSync(() => setAll(true))
    window.addEventListener('beforeprint', showAll)
    return () => window.removeEventListener('beforeprint', showAll)
  }, [])
  // Rows that were not read could come first.
  const isSortable = report.rows_total === report.rows.length && report.rows.length > 1
  const isWide = useWide()
  const rows = isSortable ? sortRows(report.rows, order) : report.rows
  const total = totalRow(report)
  const shown = all ? rows : rows.slice(0, FEW_ROWS)
  const text = (row: ReportRow, column: ReportColumn) =>
    row.id === TOTAL && column === columns[0]
      ? 'Total'
      : row.id === TOTAL && row.cells[column.key] == null
        ? ''
        : cellText(row.cells[column.key], column.type)
  const [first, ...others] = columns
  if (!first) return null
  const last = others.at(-1)
  const middle = others.slice(0, -1)
  /** "Vinyasa", "Clases: 4": a cell without its column's header. */
  const inCard = (row: ReportRow, column: ReportColumn): string[] => {
    const cell = text(row, column)
    if (cell === '' || cell === '—') return []
    return [isNumber(column) ? `${column.label}: ${cell}` : cell]
  }
  const name = (row: ReportRow) =>
    row.link ? (
      <AppLink to={row.link} className="row-link strong">
        {text(row, first)}
      </AppLink>
    ) : (
      <span className="strong">{text(row, first)}</span>
    )
  const action = (row: ReportRow) =>
    row.action && (
      <AppLink to={row.action.path} className="btn btn-outline btn-small report-action">
        {row.action.label}
      </AppLink>
    )
  const headOf = (column: ReportColumn) =>
    isSortable
      ? sortHead<ReportRow>({ header: column.label, by: column.key, sort: order, onSort: setOrder, first: firstDirection(column) })
      : {}
  const tableColumns: Column<ReportRow>[] = [
    { header: first.label, ...headOf(first), cell: name },
    ...others.map(
      (column): Column<ReportRow> => ({
        header: column.label,
        ...headOf(column),
        align: isNumber(column) ? 'right' : 'left',
        cell: (row) => (row.id === TOTAL ? <b>{text(row, column)}</b> : text(row, column)),
      }),
    ),
    ...(rows.some((row) => row.action) ? [{ header: 'Qué hacer', cell: action, align: 'right' as const }] : []),
  ]
  return (
    <div className="data-table">
      <div className="report-tools">
        {!isWide && <SortCards columns={tableColumns} />}
        <WriteToAll report={report} />
      </div>
      <Table
        caption={report.table_title}
        columns={tableColumns}
        rows={total ? [...shown, total] : shown}
        rowKey={(row) => row.id}
        card={(row) => (
          <>
            <p className="report-card-head">
              {name(row)}
              {last && <b>{text(row, last)}</b>}
            </p>
            <p className="small muted">{middle.flatMap((column) => inCard(row, column)).join(' · ')}</p>
            {action(row)}
          </>
        )}
      />
      {shown.length < rows.length && (
        <button type="button" className="link link-alone report-more" onClick={() => setAll(true)}>
          Ver los {rows.length.toLocaleString('es-MX')} renglones
        </button>
      )}
      {all && report.rows_total > rows.length && (
        <p className="small muted report-more">
          Los primeros {rows.length.toLocaleString('es-MX')} de {report.rows_total.toLocaleString('es-MX')} renglones. El archivo los tiene
          todos.
        </p>
      )}
    </div>
  )
}
