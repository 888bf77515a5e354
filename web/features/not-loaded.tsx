import type { ReactNode } from 'react'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { artUrl } from './art.tsx'

/** What a page could not load, in its sentence, and the way to ask for it again. */
export function NotLoaded({ query, children }: { query: { refetch: () => Promise<unknown> }; children: ReactNode }) {
  const art = artUrl(useSite(), { kind: 'movimiento', seed: 'estira', ground: 'paper' })
  return (
    <EmptyState art={art} action={<Button onClick={() => void query.refetch()}>Intentar de nuevo</Button>}>
      {children}
    </EmptyState>
  )
}
