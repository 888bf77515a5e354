import { type ReactNode, useSyncExternalStore } from 'react'
import './table.css'

export interface Column<T> {
  header: string
  cell: (row: T) => ReactNode
  align?: 'left' | 'right'
}

interface TableProps<T> {
  /** what the table lists, for a reader */
  caption: string
  /** the first column names its row */
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string | number
  /** the same row as a card, below 1081 px: badge, hour, name, the rest, buttons full width */
  card: (row: T) => ReactNode
  /** rows that no longer matter are written in the secondary ink */
  quiet?: (row: T) => boolean
}

const WIDE = '(min-width: 1081px)'
const hear = (change: () => void): (() => void) => {
  const query = matchMedia(WIDE)
  query.addEventListener('change', change)
  return () => query.removeEventListener('change', change)
}

/** Whether the window has room for a table (wider than 1080 px); on the server it has. */
export function useWide(): boolean {
  return useSyncExternalStore(
    hear,
    () => matchMedia(WIDE).matches,
    () => true,
  )
}

/** A table on wide screens, a list of cards below: one of the two is in the page, never both. */
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
            {columns.map(({ header, align }) => (
              <th key={header} scope="col" className={align}>
                {header}
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
