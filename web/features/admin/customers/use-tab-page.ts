/** The page of a list in a tab of the customer's file, in the address (`pagina`). */
import { useSearchParams } from 'react-router'
import { pageIn } from '#web/lib/list-page.ts'
import { useQueryChange } from '#web/lib/query-change.ts'

export function useTabPage(): [page: number, turnTo: (page: number) => void] {
  const [query] = useSearchParams()
  const changeQuery = useQueryChange()
  return [pageIn(query), (page) => changeQuery({ pagina: page > 1 ? String(page) : null })]
}
