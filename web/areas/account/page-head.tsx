import type { ReactNode } from 'react'
import { PageTitle } from '#web/features/site/page-meta.tsx'

interface PageHeadProps {
  title: string
  /** a sentence below the title; null: on its way */
  about?: string | null
  /** the sentence changes while the page is open */
  live?: boolean
  /** what stands across from the title */
  children?: ReactNode
}

/** How a page of the area begins: its name, in the tab too, and what it is about. */
export function PageHead({ title, about, live = false, children }: PageHeadProps) {
  const heading = <h1 className="t1">{title}</h1>
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <header className="page-head">
        {about === undefined ? (
          heading
        ) : (
          <div className="page-head-words">
            {heading}
            <p className="muted" aria-live={live ? 'polite' : undefined}>
              {about}
            </p>
          </div>
        )}
        {children}
      </header>
    </>
  )
}
