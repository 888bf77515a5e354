import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { empty } from '#contract/copy/empty-lists.ts'
import { packageSections } from '#contract/package-sections.ts'
import { paths } from '#contract/paths.ts'
import { cardPackage } from '#web/features/checkout/card-package.ts'
import { PackageAdviceButton } from '#web/features/checkout/package-advice-button.tsx'
import { TrialPackage } from '#web/features/checkout/package-card.tsx'
import { PackageGrid } from '#web/features/checkout/package-grid.tsx'
import { allPackagesText } from '#web/features/checkout/packages-title.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PageHead } from './page-head.tsx'
import './packages.css'

const LIVE = new Set(['pending', 'active', 'completed'])

/** /mystudio/paquetes: the shop, with the name and path of the settings (S1-2.31, S1-2.83 to S1-2.86). */
export default function Packages() {
  const site = useSite()
  const customer = useCustomer()
  const [query, setQuery] = useSearchParams()
  const online = site.videos_enabled && query.get('ver') === 'online'
  const list = useQuery((online ? queries.catalogue.onlineAll : queries.catalogue.presencialesAll).queryOptions())
  const { trial, general } = packageSections(list.data?.class_packages ?? [], 'page')
  const bought = (id: number) =>
    customer.purchases.filter((purchase) => purchase.class_package_id === id && LIVE.has(purchase.status)).length
  const reasonOf = (classPackage: { class_package_id: number; limit_per_customer: number | null }) =>
    classPackage.limit_per_customer !== null && bought(classPackage.class_package_id) >= classPackage.limit_per_customer
      ? 'Ya lo compraste.'
      : null
  const trials = trial.filter((classPackage) => !reasonOf(classPackage))

  return (
    <div className="wrap stack gap-24 packages-own">
      <PageHead title={site.class_packages_name}>
        {site.videos_enabled && (
          <Segmented
            label="Clases"
            options={[
              { value: 'presenciales', label: 'Presenciales' },
              { value: 'online', label: 'Online' },
            ]}
            value={online ? 'online' : 'presenciales'}
            onChange={(value) => setQuery(value === 'online' ? { ver: 'online' } : {}, { replace: true })}
          />
        )}
      </PageHead>
      <Loaded
        query={list}
        skeleton={<PackagesSkeleton />}
        failed="No pudimos cargar los paquetes."
        nothing={
          trials.length + general.length === 0 && (
            <EmptyState
              drawing="fuerza"
              action={
                <Button as={AppLink} variant="outline" to={paths.mystudio.calendar}>
                  Ver el calendario
                </Button>
              }
            >
              {empty.packages}
            </EmptyState>
          )
        }
      >
        {trials.map((classPackage) => (
          <TrialPackage key={classPackage.class_package_id} classPackage={cardPackage(classPackage)} />
        ))}
        {general.length > 0 && (
          <div className="row spread wraps packages-rest">
            <h2 className={trials.length > 0 ? 't2' : 'sr-only'}>{allPackagesText(site.class_packages_name)}</h2>
            <p className="muted only-desk grow">Cada marca es una clase.</p>
            {/* Its questions are about classes at the studio, so it is hidden with online packages. */}
            {!online && <PackageAdviceButton packages={general.filter((classPackage) => !reasonOf(classPackage)).map(cardPackage)} />}
          </div>
        )}
        {general.length > 0 && <PackageGrid packages={general.map(cardPackage)} reasonOf={reasonOf} />}
        <p className="small muted">
          Precios en pesos mexicanos, IVA incluido. Los créditos son personales
          {site.allow_class_guests ? '; puedes llevar invitados con los tuyos.' : '.'}
        </p>
      </Loaded>
    </div>
  )
}

function PackagesSkeleton() {
  return (
    <div className="packages-outline">
      {['uno', 'dos', 'tres', 'cuatro'].map((which) => (
        <div key={which} className="card padded">
          <Skeleton width="60%" height="22px" />
          <Skeleton width="45%" height="84px" />
          <Skeleton height="16px" />
          <Skeleton width="50%" height="28px" />
          <Skeleton height="48px" shape="pill" />
        </div>
      ))}
    </div>
  )
}
