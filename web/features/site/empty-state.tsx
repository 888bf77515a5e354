import type { ReactNode } from 'react'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { artUrl } from './art.tsx'
import type { NextStep } from './next-steps.ts'
import './empty-state.css'

interface EmptyStateProps {
  /** the exact sentence of the specification */
  children: ReactNode
  /** the one next step, as a link */
  next?: NextStep
  /** … or as any other element */
  action?: ReactNode
  /** the movement that is drawn: lists have different ones; the lying figure is for what failed */
  drawing?: 'battement' | 'ciclo' | 'estira' | 'fuerza' | 'reformer' | 'rueda' | 'salto' | 'yoga'
}

/** An empty list, or a block that failed: a drawing, the sentence, one next step. */
export function EmptyState({ children, next, action, drawing = 'estira' }: EmptyStateProps) {
  return (
    <div className="empty">
      <img src={artUrl(useSite(), { kind: 'movimiento', seed: drawing, ground: 'paper' })} alt="" loading="lazy" decoding="async" />
      <p>{children}</p>
      {next ? (
        <Button as={AppLink} to={next.to}>
          {next.label}
        </Button>
      ) : (
        action
      )}
    </div>
  )
}
