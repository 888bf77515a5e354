import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from './empty-state.tsx'

/** What a page could not load, in its sentence, and the way to ask for it again. */
export function NotLoaded({ query, children }: { query: { refetch: () => Promise<unknown> }; children: ReactNode }) {
  return <EmptyState action={<Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>}>{children}</EmptyState>
}
