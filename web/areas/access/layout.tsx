import { Outlet, useMatches } from 'react-router'
import { paths } from '#contract/paths.ts'
import { Art } from '#web/features/site/art.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Surface } from '#web/ui/section.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import './access.css'

/** The title and picture that a page of this area shows beside its form. */
export interface AccessHandle {
  stage?: { title: string; background: 'bg_login' | 'bg_recovery' }
}

/** A split screen: the picture (hidden on phones, S1-2.37) and the form. */
export default function AccessLayout() {
  const site = useSite()
  const stage = useMatches()
    .map((match) => (match.handle as AccessHandle | undefined)?.stage)
    .find(Boolean)
  return (
    <div className="access">
      <a className="skip-link" href="#contenido">
        Saltar al contenido
      </a>
      <SectionBoundary>
        <Stage stage={stage} />
      </SectionBoundary>
      <main id="contenido" className="access-main" tabIndex={-1}>
        <div className="access-form">
          <AppLink className="access-logo" to={paths.home} aria-label={`${site.business_name}, inicio`}>
            <Brand />
          </AppLink>
          <Outlet />
        </div>
      </main>
      <Toaster />
    </div>
  )
}

function Stage({ stage }: { stage: AccessHandle['stage'] }) {
  const site = useSite()
  const background = stage && site[stage.background]
  return (
    <Surface
      ground="stage"
      className="access-stage"
      aria-hidden="true"
      style={background ? { backgroundImage: `url(${JSON.stringify(fileUrl(site, background))})` } : undefined}
    >
      {!background && (
        <>
          <p className="t1">{stage?.title ?? 'Tu lugar te está esperando'}</p>
          <Art kind="heroe" seed="salto" ground="stage" fills width={1000} height={330} className="access-art" eager />
          <p className="lead access-foot">{site.tagline}</p>
        </>
      )}
    </Surface>
  )
}
