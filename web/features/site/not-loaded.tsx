import type { ReactNode } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

interface NotLoadedProps {
  query: { refetch: () => Promise<unknown> }
  children: ReactNode
}

/** A page that could not be loaded: its sentence and a retry button. */
export function NotLoaded({ query, children }: NotLoadedProps) {
  return <EmptyState action={<Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>}>{children}</EmptyState>
}

/** The same for a part of a page or dialog, as a banner. */
export function PartNotLoaded({ query, children }: NotLoadedProps) {
  return (
    <Banner tone="danger" live>
      {children}{' '}
      <button type="button" className="link" onClick={() => void query.refetch()}>
        Intentar de nuevo
      </button>
    </Banner>
  )
}
