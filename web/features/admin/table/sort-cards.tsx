import { IconChevronDown } from '@tabler/icons-react'
import '#web/ui/chip.css'
import '#web/ui/chip-select.css'
import './data-table.css'
import type { Column } from '#web/ui/table.tsx'

const directionIn = (by: string, sort: string) => (sort === by ? 'up' : sort === `-${by}` ? 'down' : null)

/** Sorts a table while its rows are cards: by which column, and in which direction. */
export default function SortCards({ columns }: { columns: readonly Pick<Column<never>, 'header' | 'order'>[] }) {
  const options = columns.flatMap(({ header, order }) =>
    order ? [{ header, ...order, direction: directionIn(order.by, order.sort) }] : [],
  )
  if (options.length === 0) return null
  const current = options.find(({ direction }) => direction !== null)
  const isDown = current?.direction === 'down'
  const direction = isDown ? 'Descendente' : 'Ascendente'
  return (
    <span className="sort-cards">
      <span className="chip chip-select chip-fit">
        <select
          aria-label="Ordenar por"
          value={current?.by ?? ''}
          onChange={(event) => {
            const chosen = options.find(({ by }) => by === event.currentTarget.value)
            chosen?.onSort(chosen.first === 'down' ? `-${chosen.by}` : chosen.by)
          }}
        >
          {!current && <option value="">Ordenar</option>}
          {options.map(({ header, by }) => (
            <option key={by} value={by}>
              {header}
            </option>
          ))}
        </select>
        <IconChevronDown className="icon" aria-hidden="true" />
      </span>
      {current && (
        <button
          type="button"
          className="chip"
          aria-label={`${direction}: invertir el orden`}
          onClick={() => current.onSort(isDown ? current.by : `-${current.by}`)}
        >
          {direction}
        </button>
      )}
    </span>
  )
}
