import './site-header.css'
import { type ReactNode, useEffect, useState } from 'react'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import { Banner } from './banner.tsx'

/** Scroll position in px at which the banner hides (S1-2.52). */
const BANNER_HIDES_AT = 1000

/** Scrolling by fewer px than this is a trembling finger, not a direction; smaller steps in one direction add up. */
const STEADY = 4

/** 0: the banner shows; 1: scrolled so far that it hides; 2: and still scrolling down. Scrolling up returns to 1. */
function useScrolled(): number {
  const [scrolled, setScrolled] = useState(0)
  useEffect(() => {
    let from = 0
    const update = () => {
      const y = window.scrollY
      const moved = y - from
      if (Math.abs(moved) > STEADY) from = y
      setScrolled((was) => (y < BANNER_HIDES_AT ? 0 : moved > STEADY && y > BANNER_HIDES_AT ? 2 : moved < -STEADY ? 1 : Math.max(was, 1)))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [])
  return scrolled
}

/**
 * Banner and bar at the top: 120 px with the banner, 75 without (S1-2.48). Sticky; hiding the banner moves the header up by 45 px and
 * does not shift the page. On a phone the whole header leaves while reading down and comes back on scrolling up.
 */
export function SiteHeader({ children }: { children: ReactNode }) {
  const scrolled = useScrolled()
  return (
    <header className={`site-header ${scrolled ? 'site-header-past' : ''} ${scrolled > 1 ? 'site-header-away' : ''}`}>
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
