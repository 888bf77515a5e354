import { PageTitle } from '#web/features/site/page-meta.tsx'
import './entering.css'
import { type ReactNode, useEffect, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { useAwake } from '#web/ui/submit-button.tsx'

const LATE_MS = 30_000

/** 'Accediendo', with the way to /entrar when it takes more than 30 seconds (S1-2.26, S1-2.27). */
export function Entering() {
  const awake = useAwake()
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, LATE_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <EnteringScreen>
      <div className="entering-mark" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <p role="status">Accediendo</p>
      {/* The style sheet counts only until the scripts do: they may be what is late. */}
      <p className={awake ? 'entering-late' : 'entering-late entering-asleep'} hidden={awake && !late}>
        ¿Está tardando? <a href={paths.login}>Haz click aquí</a>
      </p>
    </EnteringScreen>
  )
}

/** The session is good, or nothing is known of it, but nobody answered: nothing is lost by trying again. */
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

/** The whole page while nobody is in: the mark of the studio, and `children` below it where it stands `still`. */
export function EnteringScreen({ still = false, children }: { still?: boolean; children: ReactNode }) {
  const site = useSite()
  const picture = site.bg_loading ? { backgroundImage: `url(${JSON.stringify(fileUrl(site, site.bg_loading))})` } : undefined
  return (
    <main className="entering" aria-busy={!still} style={picture}>
      <PageTitle>Accediendo</PageTitle>
      <meta name="robots" content="noindex" />
      {still && <h1 className="sr-only">Tu cuenta</h1>}
      <div className="entering-words">
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
