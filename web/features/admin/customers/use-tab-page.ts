/** The page of a list in a tab of the customer's file, in the address (`pagina`). */
import { useSearchParams } from 'react-router'
import { pageIn } from '#web/lib/list-page.ts'

export function useTabPage(): [page: number, turnTo: (page: number) => void] {
  const [query, setQuery] = useSearchParams()
  const turnTo = (page: number) =>
    setQuery(
      (query) => {
        if (page > 1) query.set('pagina', String(page))
        else query.delete('pagina')
        return query
      },
      { preventScrollReset: true },
    )
  return [pageIn(query), turnTo]
}
