/** New rows of a live list: shown on demand only, so that no row moves under the pointer. */
import { useState } from 'react'

/**
 * How many rows at the top were not there when the list was last shown; 0 where all are new, because then there is nothing to keep
 * in place.
 */
export function countNew(seen: ReadonlySet<number>, ids: readonly number[]): number {
  return Math.max(
    0,
    ids.findIndex((id) => seen.has(id)),
  )
}

interface NewRows<T> {
  /** the rows without those that wait */
  shown: readonly T[]
  waiting: number
  show: () => void
}

/**
 * Holds back what appears at the top of a list that is sorted by time, newest first; changes of known rows are shown at once.
 * `scope`: what the list shows (its filters and page), null where new rows do not come at the top. `isLoaded`: the rows are those of
 * the scope.
 */
export function useNewRows<T>(rows: readonly T[], rowKey: (row: T) => number, scope: string | null, isLoaded: boolean): NewRows<T> {
  const [seen, setSeen] = useState<{ scope: string; ids: ReadonlySet<number> } | null>(null)
  const ids = rows.map(rowKey)
  const show = () => scope !== null && setSeen({ scope, ids: new Set(ids) })
  if (scope !== null && isLoaded && seen?.scope !== scope) show()
  if (scope === null || seen?.scope !== scope) return { shown: rows, waiting: 0, show }
  const waiting = countNew(seen.ids, ids)
  return { shown: rows.slice(waiting), waiting, show }
}
