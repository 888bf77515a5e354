import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useMatches } from 'react-router'
import { browserQueries } from '#web/lib/api.ts'
import { type Site, useSite } from '#web/lib/settings.tsx'

/** Declared by a page of the account area as `export const handle`. */
export interface AccountHandle {
  /**
   * Starts the queries that the page waits for, while the customer is still loaded: on a slow phone one round trip less before the page is
   * complete. Failures are left to the page, which asks again.
   */
  startQueries: (client: QueryClient, site: Site, query: URLSearchParams) => void
}

/** Starts the queries of the page with which the area was opened. */
export function useStartQueries(): void {
  const site = useSite()
  const { search } = useLocation()
  const first = useRef({ matches: useMatches(), site, search })
  useEffect(() => {
    const { matches, site, search } = first.current
    for (const { handle } of matches)
      (handle as Partial<AccountHandle> | undefined)?.startQueries?.(browserQueries(), site, new URLSearchParams(search))
  }, [])
}
