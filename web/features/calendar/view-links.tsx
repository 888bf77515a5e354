import './view-links.css'
import type { MouseEvent, ReactNode } from 'react'

export interface ViewLink {
  key: string
  label: ReactNode
  href: string
  current: boolean
  /** changes the view without navigation; if absent, the link navigates */
  onChoose?: (() => void) | undefined
}

/** Whether a click is without modifier keys, which would open a new tab or window. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** Two to five views of the same list as links: each has an address, so they work without scripts and can be shared. */
export function ViewLinks({ label, links }: { label: string; links: readonly ViewLink[] }) {
  return (
    <nav className="view-links" aria-label={label}>
      {links.map(({ key, label: text, href, current, onChoose }) => (
        <a
          key={key}
          href={href}
          aria-current={current ? 'true' : undefined}
          onClick={(event) => {
            if (!onChoose || !isPlainClick(event)) return
            event.preventDefault()
            onChoose()
          }}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}
