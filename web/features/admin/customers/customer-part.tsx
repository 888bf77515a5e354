import type { ReactNode } from 'react'

/** A part of the file with its heading. */
export function CustomerPart({ id, title, aside, children }: { id: string; title: string; aside?: string; children: ReactNode }) {
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {title}
        </h2>
        {aside && <span className="small muted">{aside}</span>}
      </div>
      {children}
    </section>
  )
}
