import type { ReactNode } from 'react'
import { PageTitle } from '#web/features/site/page-meta.tsx'

interface PageHeadProps {
  title: string
  /** a sentence below the title; null while it is loading */
  about?: string | null
  /** the sentence changes while the page is open: announce it */
  live?: boolean
  /** across from the title */
  children?: ReactNode
}

/** The head of a page of the area: sets the document title, and shows the heading and a sentence. */
export function PageHead({ title, about, live = false, children }: PageHeadProps) {
  const heading = <h1 className="t1">{title}</h1>
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <header className="page-head">
        {about === undefined ? (
          heading
        ) : (
          <div className="page-head-text">
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
