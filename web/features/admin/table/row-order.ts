/** The order of rows that the browser has all of, by one of their columns. */
import { useSearchParams } from 'react-router'
import { useQueryChange } from '#web/lib/query-change.ts'
import type { Column } from '#web/ui/table.tsx'
import { sortHead } from './sort-head.tsx'

export type CellValue = string | number | null

/** The rows by a value of theirs, upwards or downwards; those without one come last in both directions, equal ones keep their order. */
export function sortByValue<T>(rows: readonly T[], value: (row: T) => CellValue, isDown: boolean): readonly T[] {
  const sign = isDown ? -1 : 1
  return rows.toSorted((a, b) => {
    const [first, other] = [value(a), value(b)]
    if (first === null || other === null) return Number(first === null) - Number(other === null)
    if (typeof first === 'number' && typeof other === 'number') return sign * (first - other)
    return sign * String(first).localeCompare(String(other), 'es', { numeric: true, sensitivity: 'base' })
  })
}

/** Sorts rows by the columns that have a value here; the order is in the address (`orden`). */
export function useRowOrder<T>(values: Readonly<Record<string, (row: T) => CellValue>>) {
  const [query] = useSearchParams()
  const change = useQueryChange()
  const sort = query.get('orden') ?? ''
  const isDown = sort.startsWith('-')
  const value = values[isDown ? sort.slice(1) : sort]
  return {
    sorted: (rows: readonly T[]): readonly T[] => (value ? sortByValue(rows, value, isDown) : rows),
    /** The head of a column that sorts by one of the values; numbers begin with the greatest. */
    head: (header: string, by: string, first: 'up' | 'down' = 'up'): Pick<Column<T>, 'header' | 'head' | 'sorted' | 'order'> =>
      sortHead<T>({ header, by, sort, first, onSort: (orden) => change({ orden }, { replace: true }) }),
  }
}
