import type { ReactNode } from 'react'

interface CustomerPartProps {
  id: string
  title: string
  aside?: string
  /** A button at the end of the heading. */
  verb?: ReactNode
  children: ReactNode
}

/** A part of the file with its heading. */
export function CustomerPart({ id, title, aside, verb, children }: CustomerPartProps) {
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {title}
        </h2>
        {aside && <span className="small muted">{aside}</span>}
        {verb}
      </div>
      {children}
    </section>
  )
}
