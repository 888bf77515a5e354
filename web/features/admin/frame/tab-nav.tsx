import { type ReactNode, useEffect, useRef } from 'react'

interface TabNavProps {
  label: string
  /** Identifies the current tab; when it changes, the row is scrolled to that tab. */
  current: string | undefined
  /** links; the current one has `aria-current` */
  children: ReactNode
}

/** A row of tabs. Where it is wider than the screen, it is scrolled to the current one. */
export function TabNav({ label, current, children }: TabNavProps) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab is found in the document
  useEffect(() => {
    const row = nav.current
    const tab = row?.querySelector('[aria-current]')
    if (row && tab) row.scrollLeft += tab.getBoundingClientRect().left - row.getBoundingClientRect().left - PEEK
  }, [current])
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {children}
    </nav>
  )
}

/** How much of the tab before the current one stays visible, in px. */
const PEEK = 48
