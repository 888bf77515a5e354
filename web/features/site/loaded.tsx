import type { ReactNode } from 'react'
import { Loading } from '#web/ui/skeleton.tsx'
import { NotLoaded } from './not-loaded.tsx'

interface LoadedProps {
  /** what was asked; an answer stays on the screen when asking again fails */
  query: { isPending: boolean; isError: boolean; data: unknown; refetch: () => Promise<unknown> }
  /** the outline while it loads */
  skeleton: ReactNode
  /** "No pudimos cargar tus cargos." */
  failed: string
  /** what stands there when there is nothing to show: an `EmptyState`, or false */
  nothing: ReactNode
  children: ReactNode
}

/** What a page asked for, in each of its states: on its way, failed with a way to ask again, nothing, or there. */
export function Loaded({ query, skeleton, failed, nothing, children }: LoadedProps) {
  return (
    <Loading loading={query.isPending} skeleton={skeleton}>
      {query.isError && !query.data ? <NotLoaded query={query}>{failed}</NotLoaded> : nothing || children}
    </Loading>
  )
}
