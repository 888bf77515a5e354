import { PageTitle } from '#web/features/site/page-meta.tsx'
import './entering.css'
import { type ReactNode, useEffect, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { LOOKED_UP } from '#contract/return-path.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { useAwake } from '#web/ui/submit-button.tsx'

const LATE_MS = 30_000

/** How long after one screen the next one continues its wait: the session is waited for first, then the customer. */
const SAME_WAIT_MS = 1_000
const wait = { began: 0, ended: Number.NEGATIVE_INFINITY }

/** After a payment the page waits for its confirmation, not for a page of the account. */
const comesFromPayment = (): boolean => location.pathname.startsWith('/gracias/') && !new URLSearchParams(location.search).has(LOOKED_UP)

/** 'Accediendo', with a link to /entrar after more than 30 seconds (S1-2.26, S1-2.27). */
export function Entering() {
  const awake = useAwake()
  const [late, setLate] = useState(false)
  const [text, setText] = useState('Accediendo')
  useEffect(() => {
    // Not while rendering: all pages of the area share one document.
    if (comesFromPayment()) setText('Confirmando tu pago')
    const now = performance.now()
    if (now - wait.ended > SAME_WAIT_MS) wait.began = now
    const timer = setTimeout(setLate, Math.max(0, wait.began + LATE_MS - now), true)
    return () => {
      clearTimeout(timer)
      wait.ended = performance.now()
    }
  }, [])
  return (
    <EnteringScreen title={text}>
      <div className="entering-mark" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <p role="status">{text}</p>
      {/* Until the scripts run, the CSS animation shows the text: the scripts themselves may be late. */}
      <p className={`entering-late ${!awake ? 'entering-asleep' : late ? '' : 'entering-early'}`}>
        ¿Está tardando? <a href={paths.login}>Haz click aquí</a>
      </p>
    </EnteringScreen>
  )
}

/** The session may be valid, but the server could not be reached: offers a retry. */
export function EnteringFailed({ again }: { again: () => void }) {
  return (
    <EnteringScreen still>
      <p role="alert">No pudimos cargar tu cuenta. Revisa tu conexión.</p>
      <Button variant="outline" onClick={again}>
        Intentar de nuevo
      </Button>
    </EnteringScreen>
  )
}

interface EnteringScreenProps {
  /** the title of the document */
  title?: string
  /** not loading, so no animation */
  still?: boolean
  children: ReactNode
}

/** The full-page screen while no customer is loaded: the studio's logo and `children`. */
export function EnteringScreen({ title = 'Accediendo', still = false, children }: EnteringScreenProps) {
  const site = useSite()
  const picture = site.bg_loading ? { backgroundImage: `url(${JSON.stringify(fileUrl(site, site.bg_loading))})` } : undefined
  return (
    <main className="entering" aria-busy={!still} style={picture}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      {still && <h1 className="sr-only">Tu cuenta</h1>}
      <div className="entering-text">
        {still && (
          <a href={paths.home} aria-label={`${site.business_name}, inicio`}>
            <Brand size="big" />
          </a>
        )}
        {children}
      </div>
    </main>
  )
}
