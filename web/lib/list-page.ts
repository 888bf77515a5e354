/** Which page of a list is shown: it stands in the address as `pagina`, counted from 1. */
import { useSearchParams } from 'react-router'

/** What the address says; anybody can write an address. */
export const pageIn = (query: URLSearchParams): number => Math.max(1, Math.trunc(Number(query.get('pagina'))) || 1)

/** The page of a list that has nothing else in its address, and the way to another one. */
export function useListPage(): [page: number, turnTo: (page: number) => void] {
  const [query, setQuery] = useSearchParams()
  return [pageIn(query), (to) => setQuery(to > 1 ? { pagina: String(to) } : {}, { preventScrollReset: true })]
}
