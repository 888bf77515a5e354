import type { ReactNode } from 'react'
import { Outlet, useMatches } from 'react-router'
import { hush, useAlert } from '../../lib/alerts.ts'
import { AppLink } from '../../lib/link.tsx'
import { paths } from '../../lib/paths.ts'
import { fileUrl, useSite } from '../../lib/settings.tsx'
import { Toasts } from '../../ui/toast.tsx'
import './access.css'

/** What a page of this area says on the stage beside it. */
export interface AccessHandle {
  stage?: { title: string; background: 'bg_login' | 'bg_recovery' }
}

/** Split screen: the stage (hidden on phones, S1-2.37) and the form. */
export default function AccessLayout() {
  const site = useSite()
  const alert = useAlert()
  const stage = useMatches()
    .map((match) => (match.handle as AccessHandle | undefined)?.stage)
    .find(Boolean)
  const background = stage && site[stage.background]
  return (
    <div className="access">
      <a className="skip-link" href="#contenido">
        Saltar al contenido
      </a>
      <div
        className="access-stage ground-stage"
        aria-hidden="true"
        style={background ? { backgroundImage: `url(${JSON.stringify(fileUrl(site, background))})` } : undefined}
      >
        {!background && (
          <>
            <p className="t1">{stage?.title ?? 'Tu lugar te está esperando'}</p>
            <img className="access-art" src="/arte/heroe-salto.svg?fondo=stage" alt="" width="1000" height="390" />
            <p className="lead access-foot">{site.tagline}</p>
          </>
        )}
      </div>
      <main id="contenido" className="access-main" tabIndex={-1}>
        <div className="access-form">
          <AppLink className="access-logo" to={paths.home}>
            <Logo />
          </AppLink>
          <Outlet />
        </div>
      </main>
      <Toasts toast={alert} onDone={hush} />
    </div>
  )
}

/** The studio's logo, or its mark and name in the studio's voice. */
function Logo(): ReactNode {
  const site = useSite()
  if (site.navbar_logo) return <img src={fileUrl(site, site.navbar_logo)} alt={site.business_name} height="40" />
  return (
    <>
      <img src="/arte/marca-estudio.svg" alt="" width="32" height="32" />
      <span className="display">{site.business_name}</span>
    </>
  )
}
