import { type ReactNode, useSyncExternalStore } from 'react'
import './table.css'

export interface Column<T> {
  header: string
  cell: (row: T) => ReactNode
  align?: 'left' | 'right'
  /** how the table is sorted by it, for screen readers; with what sorts it in `head` */
  sorted?: 'ascending' | 'descending' | undefined
  /** shown in place of `header` */
  head?: ReactNode
  /** how the rows are sorted by it: for cards, which have no heads */
  order?: ColumnOrder
}

export interface ColumnOrder {
  /** its name for `onSort` */
  by: string
  /** the order of the table: such a name, with `-` downwards */
  sort: string
  onSort: (sort: string) => void
  /** the direction with which it begins */
  first: 'up' | 'down'
}

interface TableProps<T> {
  /** what the table lists, for screen readers */
  caption: string
  /** the first column is the header of its row */
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string | number
  /** the same row as a card, below 1081 px: badge, time, name, other fields, full-width buttons */
  card: (row: T) => ReactNode
  /** rows to show in the secondary text colour, for example past ones */
  quiet?: (row: T) => boolean
}

const WIDE = '(min-width: 1081px)'
const subscribe = (change: () => void): (() => void) => {
  const query = matchMedia(WIDE)
  query.addEventListener('change', change)
  return () => query.removeEventListener('change', change)
}

/** Whether the window has room for a table (wider than 1080 px); true on the server. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => true,
  )
}

/** A table on wide screens, a list of cards on narrow ones; only one of the two is rendered. */
export function Table<T>({ caption, columns, rows, rowKey, card, quiet }: TableProps<T>) {
  const wide = useWide()
  if (!wide) {
    return (
      <ul className="table-cards" aria-label={caption}>
        {rows.map((row) => (
          <li key={rowKey(row)} className="card">
            {card(row)}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <div className="table-frame">
      <table className="table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, align, sorted, head = header }) => (
              <th key={header} scope="col" className={align} aria-sort={sorted}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={quiet?.(row) ? 'quiet' : undefined}>
              {columns.map(({ header, cell, align }, at) =>
                at === 0 ? (
                  <th key={header} scope="row" className={align}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={header} className={align}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
