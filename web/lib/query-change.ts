/** Edits of the query of the address that leave its other keys as they are. */
import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/** The new values by key: null or '' removes the key. */
export type QueryChanges = Readonly<Record<string, string | null | undefined>>

/** The query string `search` with the changes. */
export function changedQuery(search: string, changes: QueryChanges): string {
  const query = new URLSearchParams(search)
  for (const [key, value] of Object.entries(changes)) {
    if (value) query.set(key, value)
    else query.delete(key)
  }
  return query.toString()
}

/**
 * Changes keys of the query. Starts from the present address, not from the one last rendered: of two edits shortly after one another (a
 * typed search that begins to run and a filter) none is lost. `replace`: without an entry of its own in the history.
 */
export function useQueryChange(): (changes: QueryChanges, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (changes, { replace = false } = {}) =>
      void navigate(`?${changedQuery(window.location.search, changes)}`, { replace, preventScrollReset: true }),
    [navigate],
  )
}
