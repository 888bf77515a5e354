import type { ReactNode } from 'react'

/** A panel of the profile. */
export function ProfilePart({ id, title, aside, children }: { id: string; title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
