/** The state of a table in the address: search text (`q`), filters and page. */
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { pageIn } from '#web/lib/list-page.ts'
import { type QueryChanges, useQueryChange } from '#web/lib/query-change.ts'

/** The query key of the order: no filter, since it leaves no row out. */
export const ORDER = 'orden'

/** Pause in typing, in ms, after which the search runs. */
const PAUSE_MS = 250

export interface TableQuery<K extends string> {
  q: string
  page: number
  filters: Readonly<Record<K, string>>
  /** whether there is a search text or a filter */
  isNarrowed: boolean
  setQ: (text: string) => void
  /** '' removes a filter */
  setFilter: (key: K, value: string) => void
  /** several at once */
  setFilters: (values: Partial<Record<K, string>>) => void
  turnTo: (page: number) => void
  clear: () => void
  /** the search text and the filters as a query string, to be stored */
  view: string
  /** puts a stored search text and filters in place of the present ones */
  showView: (view: string) => void
}

/** `keys`: the query keys of the table's filters. A changed search or filter returns to the first page. */
export function useTableQuery<const K extends string>(keys: readonly K[]): TableQuery<K> {
  const [query] = useSearchParams()
  const changeQuery = useQueryChange()
  const narrow = (changes: QueryChanges) => changeQuery({ ...changes, pagina: null }, { replace: true })
  const filters = Object.fromEntries(keys.map((key) => [key, query.get(key) ?? ''])) as Record<K, string>
  const q = query.get('q') ?? ''
  return {
    q,
    page: pageIn(query),
    filters,
    isNarrowed: q !== '' || keys.some((key) => key !== ORDER && filters[key] !== ''),
    setQ: (text) => narrow({ q: text }),
    setFilter: (key, value) => narrow({ [key]: value }),
    setFilters: narrow,
    turnTo: (page) => changeQuery({ pagina: page > 1 ? String(page) : null }),
    clear: () => narrow(Object.fromEntries(['q', ...keys].flatMap((key) => (key === ORDER ? [] : [[key, null]])))),
    view: new URLSearchParams(['q', ...keys].flatMap((key) => (query.get(key) ? [[key, query.get(key) ?? '']] : []))).toString(),
    showView: (view) => {
      const stored = new URLSearchParams(view)
      changeQuery({ ...Object.fromEntries(['q', ...keys].map((key) => [key, stored.get(key)])), pagina: null })
    },
  }
}

/** A search field that runs the search after a pause, and follows changes of the address. */
export function useSearchField(q: string, setQ: (text: string) => void): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(q)
  const [lastQ, setLastQ] = useState(q)
  if (lastQ !== q) {
    setLastQ(q)
    if (typed.trim() !== q) setTyped(q)
  }
  useEffect(() => {
    const text = typed.trim()
    if (text === q) return
    const timer = setTimeout(() => {
      setLastQ(text)
      setQ(text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return [typed, setTyped]
}

/** The order in the address, for the heads of the columns: one that the list knows, or its own, which is not written there. */
export function tableOrder<S extends string>(
  { filters, setFilter }: Pick<TableQuery<typeof ORDER>, 'filters' | 'setFilter'>,
  sorts: readonly S[],
  byDefault: S,
): { sort: S; onSort: (sort: string) => void } {
  return {
    sort: sorts.find((sort) => sort === filters[ORDER]) ?? byDefault,
    onSort: (sort) => setFilter(ORDER, sort === byDefault ? '' : sort),
  }
}
