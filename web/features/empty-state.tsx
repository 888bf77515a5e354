import type { ReactNode } from 'react'
import { useSite } from '#web/lib/settings.tsx'
import { artUrl } from './art.tsx'
import './empty-state.css'

interface EmptyStateProps {
  /** the exact sentence of the spec */
  children: ReactNode
  /** the one way out */
  action?: ReactNode
}

/** Nothing here yet, or a block that failed: a drawing on its floor, the sentence, one way out. */
export function EmptyState({ children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <img src={artUrl(useSite(), { kind: 'movimiento', seed: 'estira', ground: 'paper' })} alt="" loading="lazy" decoding="async" />
      <p>{children}</p>
      {action}
    </div>
  )
}
