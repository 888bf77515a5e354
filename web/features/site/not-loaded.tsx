import type { ReactNode } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

interface NotLoadedProps {
  query: { refetch: () => Promise<unknown> }
  children: ReactNode
}

/** What a page could not load, in its sentence, and the way to ask for it again. */
export function NotLoaded({ query, children }: NotLoadedProps) {
  return <EmptyState action={<Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>}>{children}</EmptyState>
}

/** The same of a part, in a page or a dialog that stands without it. */
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
