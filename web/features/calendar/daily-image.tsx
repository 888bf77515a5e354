import { type ReactNode, useEffect, useId, useState } from 'react'
import { todayIn } from '#web/lib/clock.ts'
import { AppLink } from '#web/lib/link.tsx'
import { followLink } from '#web/lib/paths.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { CloseButton } from '#web/ui/close-button.tsx'
import { BareDialog } from '#web/ui/dialog.tsx'
import './daily-image.css'

const SEEN = 'estudio:imagen'

/** The day on which the image was last seen. Without storage it is shown once per page load. */
function seenOn(): string | null {
  try {
    return localStorage.getItem(SEEN)
  } catch {
    return null
  }
}
function noteSeen(mark: string): void {
  try {
    localStorage.setItem(SEEN, mark)
  } catch {
    // Without storage it is shown again.
  }
}

/** The studio's image of the day over the calendar: once a day in this browser; a click outside closes it (S2-2.32, S2-2.33). */
export function DailyImage() {
  const site = useSite()
  const titleId = useId()
  const [open, setOpen] = useState(false)
  const src = site.popup_presencial_enabled && site.popup_presencial_src ? fileUrl(site, site.popup_presencial_src) : null
  const today = todayIn(site.zone)

  useEffect(() => {
    if (!src || seenOn() === today) return
    let current = true
    // Open only once the image has loaded; if it fails, nothing opens.
    const image = new Image()
    image.onload = () => {
      if (!current) return
      noteSeen(today)
      setOpen(true)
    }
    image.src = src
    return () => {
      current = false
    }
  }, [src, today])

  if (!src) return null
  const close = () => setOpen(false)
  const picture = <img src={src} alt={site.popup_presencial_link ? `Ver el aviso de ${site.business_name}` : ''} />
  return (
    <BareDialog open={open} onClose={close} labelledBy={titleId}>
      <div className="daily-image">
        <h2 id={titleId} className="sr-only" tabIndex={-1} data-title>
          Aviso de {site.business_name}
        </h2>
        <Followed link={site.popup_presencial_link} domain={site.domain} onGo={close}>
          {picture}
        </Followed>
        <CloseButton onClose={close} />
      </div>
    </BareDialog>
  )
}

function Followed({ link, domain, onGo, children }: { link: string; domain: string; onGo: () => void; children: ReactNode }) {
  if (!link) return children
  const { to, newTab } = followLink(link, domain)
  if (to.startsWith('/') && !newTab)
    return (
      <AppLink to={to} onClick={onGo}>
        {children}
      </AppLink>
    )
  return (
    <a href={to} onClick={onGo} {...(newTab && { target: '_blank', rel: 'noopener' })}>
      {children}
    </a>
  )
}
