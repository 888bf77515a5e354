/** The page of a list that is shown, in the address as `pagina`, counted from 1. */
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { MAX_PAGE } from '#contract/paging.ts'
import { useQueryChange } from './query-change.ts'

/** The page number of the address, clamped to valid values: an address can be typed by hand. */
export const pageIn = (query: URLSearchParams): number => Math.min(MAX_PAGE, Math.max(1, Math.trunc(Number(query.get('pagina'))) || 1))

/** The page of a list that has no other query keys, and a function that shows another page. */
export function useListPage(): [page: number, turnTo: (page: number) => void] {
  const [query, setQuery] = useSearchParams()
  return [pageIn(query), (to) => setQuery(to > 1 ? { pagina: String(to) } : {}, { preventScrollReset: true })]
}

/** Redirects from a page beyond the end to the last one. `pages`: the number of pages, undefined until it is loaded. */
export function useLastPage(page: number, pages: number | undefined): void {
  const changeQuery = useQueryChange()
  useEffect(() => {
    if (pages === undefined || page <= pages) return
    changeQuery({ pagina: pages > 1 ? String(pages) : null }, { replace: true })
  }, [page, pages, changeQuery])
}
