import './site-header.css'
import { type ReactNode, useEffect, useState } from 'react'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import { Banner } from './banner.tsx'

/** Where the banner hides (S1-2.52). */
const BANNER_HIDES_AT = 1000

/** Whether the page is scrolled so far that the banner hides. */
function usePastBanner(): boolean {
  const [past, setPast] = useState(false)
  useEffect(() => {
    const look = () => setPast(window.scrollY >= BANNER_HIDES_AT)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  return past
}

/**
 * Banner and bar at the top: 120 px with banner, 75 without (S1-2.48). It stays at the top; hiding the banner moves it up by
 * 45 px and moves nothing of the page.
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
