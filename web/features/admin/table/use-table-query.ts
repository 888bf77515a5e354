/** What a table shows stands in the address: what is searched for (`q`), its filters and its page. */
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { pageIn } from '#web/lib/list-page.ts'

/** A pause in typing after which it is asked. */
const PAUSE_MS = 250

export interface TableQuery<K extends string> {
  q: string
  page: number
  filters: Readonly<Record<K, string>>
  /** whether anything is searched for or filtered */
  isNarrowed: boolean
  setQ: (text: string) => void
  /** '' takes a filter off */
  setFilter: (key: K, value: string) => void
  turnTo: (page: number) => void
  clear: () => void
}

/** `keys`: the query keys of the table's filters. Whatever narrows the table begins again on its first page. */
export function useTableQuery<const K extends string>(keys: readonly K[]): TableQuery<K> {
  const [query, setQuery] = useSearchParams()
  const change = (edit: (query: URLSearchParams) => void, replace: boolean) =>
    setQuery(
      (query) => {
        edit(query)
        return query
      },
      { replace, preventScrollReset: true },
    )
  const put = (query: URLSearchParams, key: string, value: string) => (value ? query.set(key, value) : query.delete(key))
  const filters = Object.fromEntries(keys.map((key) => [key, query.get(key) ?? ''])) as Record<K, string>
  const q = query.get('q') ?? ''
  return {
    q,
    page: pageIn(query),
    filters,
    isNarrowed: q !== '' || keys.some((key) => filters[key] !== ''),
    setQ: (text) =>
      change((query) => {
        put(query, 'q', text)
        query.delete('pagina')
      }, true),
    setFilter: (key, value) =>
      change((query) => {
        put(query, key, value)
        query.delete('pagina')
      }, true),
    turnTo: (page) => change((query) => put(query, 'pagina', page > 1 ? String(page) : ''), false),
    clear: () =>
      change((query) => {
        for (const key of ['q', 'pagina', ...keys]) query.delete(key)
      }, true),
  }
}

/** A field for words that are searched for once there is a pause; the address can change under it. */
export function useSearchField(q: string, setQ: (text: string) => void): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(q)
  const [asked, setAsked] = useState(q)
  if (asked !== q) {
    setAsked(q)
    if (typed.trim() !== q) setTyped(q)
  }
  useEffect(() => {
    const text = typed.trim()
    if (text === q) return
    const timer = setTimeout(() => {
      setAsked(text)
      setQ(text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return [typed, setTyped]
}
