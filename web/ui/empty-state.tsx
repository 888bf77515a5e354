import type { ReactNode } from 'react'
import './empty-state.css'

interface EmptyStateProps {
  /** the exact sentence of the spec */
  children: ReactNode
  /** address of a drawing for the ground it stands on */
  art: string
  /** the one way out */
  action?: ReactNode
}

/** Nothing here yet, or a block that failed: a drawing on its floor, the sentence, one way out. */
export function EmptyState({ children, art, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <img src={art} alt="" loading="lazy" decoding="async" />
      <p>{children}</p>
      {action}
    </div>
  )
}
