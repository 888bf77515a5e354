import './entering.css'
import type { ReactNode } from 'react'
import { paths } from '../../lib/paths.ts'
import { fileUrl, useSite } from '../../lib/settings.tsx'

/** 'Accediendo', with the way to /entrar when it takes more than 30 seconds (S1-2.26, S1-2.27). */
export function Entering() {
  return (
    <Screen>
      <p role="status">Accediendo</p>
      <p className="entering-late">
        ¿Está tardando mucho? <a href={paths.login}>Haz click aquí</a>
      </p>
    </Screen>
  )
}

/** The account could not be loaded although the session is good: nothing answered. */
export function EnteringFailed({ again }: { again: () => void }) {
  return (
    <Screen still>
      <p role="alert">No pudimos cargar tu cuenta. Revisa tu conexión.</p>
      <p>
        <button type="button" className="btn" onClick={again}>
          Intentar de nuevo
        </button>
      </p>
    </Screen>
  )
}

function Screen({ still = false, children }: { still?: boolean; children: ReactNode }) {
  const site = useSite()
  return (
    <main
      className="entering"
      aria-busy={!still}
      style={site.bg_loading ? { backgroundImage: `url(${JSON.stringify(fileUrl(site, site.bg_loading))})` } : undefined}
    >
      <title>{`Accediendo · ${site.business_name}`}</title>
      <meta name="robots" content="noindex" />
      <div className="entering-words">
        <div className="entering-mark" aria-hidden="true" hidden={still}>
          <i />
          <i />
          <i />
        </div>
        {children}
      </div>
    </main>
  )
}
