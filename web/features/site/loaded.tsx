import type { ReactNode } from 'react'
import { Loading } from '#web/ui/skeleton.tsx'
import { NotLoaded } from './not-loaded.tsx'

interface LoadedProps {
  /** the query; its last answer stays on the screen if a reload fails */
  query: { isPending: boolean; isError: boolean; data: unknown; error?: unknown; refetch: () => Promise<unknown> }
  /** the outline while it loads */
  skeleton: ReactNode
  /** "No pudimos cargar tus cargos." */
  failed: string
  /** shown for an empty answer: an `EmptyState`; false if the answer is not empty */
  nothing: ReactNode
  children: ReactNode
}

/** A query in each of its states: loading, failed with a retry button, empty, or its contents. */
export function Loaded({ query, skeleton, failed, nothing, children }: LoadedProps) {
  return (
    <Loading loading={query.isPending} skeleton={skeleton}>
      {query.isError && !query.data ? <NotLoaded query={query}>{failed}</NotLoaded> : nothing || children}
    </Loading>
  )
}
