import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Column } from '#web/ui/table.tsx'
import './data-table.css'

interface SortHead {
  header: string
  /** the server's key of this order */
  by: string
  /** the order of the table: a key, with `-` downwards */
  sort: string
  onSort: (sort: string) => void
  /** which direction the first click gives; dates and amounts begin with the greatest */
  first?: 'up' | 'down'
}

/** The head of a column that sorts its table: each click turns the direction. */
export function sortHead<T>({ header, by, sort, onSort, first = 'up' }: SortHead): Pick<Column<T>, 'header' | 'head' | 'sorted' | 'order'> {
  const direction = sort === by ? 'up' : sort === `-${by}` ? 'down' : null
  const next = (direction ?? (first === 'up' ? 'down' : 'up')) === 'up' ? `-${by}` : by
  const Arrow = direction === 'down' ? IconArrowDown : IconArrowUp
  return {
    header,
    order: { by, sort, onSort, first },
    sorted: direction === null ? undefined : direction === 'up' ? 'ascending' : 'descending',
    head: (
      <button type="button" className={`sort-head ${direction ? 'sort-head-on' : ''}`} onClick={() => onSort(next)}>
        {header}
        {direction && <Arrow className="icon" aria-hidden="true" />}
      </button>
    ),
  }
}
