import type { ReactNode } from 'react'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

interface NotLoadedProps {
  query: { refetch: () => Promise<unknown>; error?: unknown }
  children: ReactNode
}

/**
 * A page that could not be loaded: its sentence and a retry button. Without the right to it, only the server's sentence: a retry ends
 * the same.
 */
export function NotLoaded({ query, children }: NotLoadedProps) {
  const { code, message } = toFailure(query.error)
  if (code === 'FORBIDDEN') return <EmptyState>{message}</EmptyState>
  return <EmptyState action={<Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>}>{children}</EmptyState>
}

/** The same for a part of a page or dialog, as a banner. */
export function PartNotLoaded({ query, children }: NotLoadedProps) {
  const { code, message } = toFailure(query.error)
  if (code === 'FORBIDDEN') return <Banner>{message}</Banner>
  return (
    <Banner tone="danger" live>
      {children}{' '}
      <button type="button" className="link" onClick={() => void query.refetch()}>
        Intentar de nuevo
      </button>
    </Banner>
  )
}
