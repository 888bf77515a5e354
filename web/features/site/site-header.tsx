import './site-header.css'
import { type ReactNode, useEffect, useState } from 'react'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import { Banner } from './banner.tsx'

/** Scroll position in px at which the banner hides (S1-2.52). */
const BANNER_HIDES_AT = 1000

/** Whether the page is scrolled so far that the banner hides. */
function usePastBanner(): boolean {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const update = () => setPast(window.scrollY >= BANNER_HIDES_AT)
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [])
  return past
}

/**
 * Banner and bar at the top: 120 px with the banner, 75 without (S1-2.48). Sticky; hiding the banner moves the header up by 45 px and
 * does not shift the page.
 */
export function SiteHeader({ children }: { children: ReactNode }) {
  const past = usePastBanner()
  return (
    <header className={`site-header ${past ? 'site-header-past' : ''}`}>
      <a href="#contenido" className="skip-link">
        Saltar al contenido
      </a>
      <SectionBoundary>
        <Banner />
      </SectionBoundary>
      {children}
    </header>
  )
}
