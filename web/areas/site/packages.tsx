import './packages.css'
import { empty } from '#contract/copy/empty-lists.ts'
import { giftCardsPath, paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { ViewLinks } from '#web/features/calendar/view-links.tsx'
import { PackageAdviceButton } from '#web/features/checkout/package-advice-button.tsx'
import { TrialPackage } from '#web/features/checkout/package-card.tsx'
import { PackageGrid } from '#web/features/checkout/package-grid.tsx'
import { allPackagesText } from '#web/features/checkout/packages-title.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/packages.ts'
import { loadPackages, type PackagesData } from './packages.server.ts'

export const handle: PageHandle = { query: { ver: (value) => value === 'online' } }

export async function loader({ context, request }: Route.LoaderArgs) {
  return loadPackages(context.get(rendering), new URL(request.url).searchParams)
}

/** /paquetes (S1-2.20, S1-2.83 to S1-2.86). */
export default function PackagesPage({ loaderData }: Route.ComponentProps) {
  return <PackagesView packages={loaderData} />
}

/** The shop, under the path that the studio configured. */
export function PackagesView({ packages: { online, trial, general, giftCards } }: { packages: PackagesData }) {
  const site = useSite()
  const path = paths.packages(site)
  const name = site.class_packages_name
  return (
    <div className="wrap packages-page">
      <PageMeta title={name} description={`${name} de ${site.business_name}: clases sueltas, membresías y precios.`} path={path} />
      <div className="row spread wraps packages-page-head">
        <h1 className="t1">{name}</h1>
        {site.videos_enabled && (
          <ViewLinks
            label="Tipo de clases"
            links={[
              { key: 'presenciales', label: 'Presenciales', href: path, current: !online },
              { key: 'online', label: 'Online', href: `${path}?ver=online`, current: online },
            ]}
          />
        )}
      </div>
      {giftCards && (
        <p>
          <a className="link" href={giftCardsPath}>
            Regala una tarjeta
          </a>
        </p>
      )}
      {trial.length + general.length === 0 ? (
        <EmptyState
          drawing="fuerza"
          action={
            <Button as={AppLink} variant="outline" to={paths.schedule}>
              Ver horarios
            </Button>
          }
        >
          {empty.packages}
        </EmptyState>
      ) : (
        <>
          {trial.length > 0 && (
            <div className="stack gap-16">
              {trial.map((classPackage) => (
                <SectionBoundary key={classPackage.class_package_id}>
                  <TrialPackage classPackage={classPackage} />
                </SectionBoundary>
              ))}
            </div>
          )}
          {general.length > 0 && (
            <>
              <div className={`row spread wraps packages-page-all ${trial.length ? '' : 'packages-page-only'}`}>
                <h2 className="t2">{allPackagesText(name)}</h2>
                <p className="muted only-desk grow">Cada marca es una clase.</p>
                {!online && <PackageAdviceButton packages={general} />}
              </div>
              <SectionBoundary>
                <PackageGrid packages={general} />
              </SectionBoundary>
            </>
          )}
          <p className="small muted packages-page-note">
            Precios en pesos mexicanos, IVA incluido. Los créditos son personales
            {site.allow_class_guests ? '; puedes llevar invitados con los tuyos.' : '.'}
          </p>
        </>
      )}
    </div>
  )
}
