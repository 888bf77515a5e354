import type { ReactNode } from 'react'
import './badge.css'

export type BadgeTone = 'neutral' | 'brand' | 'ok' | 'warn' | 'danger' | 'accent' | 'outline'

/** A state, shown by icon, word and colour, never by colour alone. */
export function Badge({ tone = 'neutral', icon, children }: { tone?: BadgeTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={`badge badge-${tone}`}>
      {icon}
      {children}
    </span>
  )
}
