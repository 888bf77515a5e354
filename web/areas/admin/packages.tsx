import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/packages/package.css'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { packageFacts } from '#web/features/admin/packages/package-facts.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'

export const handle: AdminHandle = { title: 'Paquetes' }

const VIEWS = {
  presenciales: { label: 'Presenciales', holds: (one: StudioPackage) => one.available && !one.is_online && !one.is_special_event },
  online: { label: 'Online', holds: (one: StudioPackage) => one.available && one.is_online },
  eventos: { label: 'Eventos', holds: (one: StudioPackage) => one.available && one.is_special_event },
  ocultos: { label: 'Ocultos', holds: (one: StudioPackage) => !one.available },
} as const
type View = keyof typeof VIEWS
const isView = (text: string | null): text is View => text !== null && Object.hasOwn(VIEWS, text)

/** Paquetes: what is sold, each on its own screen. */
export default function Packages() {
  const [search, setSearch] = useSearchParams()
  const query = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } }))
  const navigate = useNavigate()
  useShortcuts('Paquetes', [
    ...ROW_SHORTCUTS,
    EDIT_SHORTCUT,
    { keys: 'n', label: 'Nuevo paquete', act: () => void navigate(adminPaths.newPackage()) },
  ])
  const asked = search.get('ver')
  const view = isView(asked) ? asked : 'presenciales'
  const all = query.data?.class_packages ?? []
  const rows = all.filter(VIEWS[view].holds)
  const count = (key: View) => all.filter(VIEWS[key].holds).length
  return (
    <>
      <ScreenHead title="Paquetes" about={query.data ? `${rows.length} en la lista.` : ' '}>
        <Button as={AppLink} to={adminPaths.newPackage()} icon={<IconPlus className="icon" aria-hidden="true" />}>
          Nuevo paquete
        </Button>
      </ScreenHead>
      <div className="package-list-tabs">
        <Segmented
          label="Qué paquetes"
          options={(Object.keys(VIEWS) as View[]).map((key) => ({ value: key, label: `${VIEWS[key].label} ${count(key)}` }))}
          value={view}
          onChange={(next) => setSearch(next === 'presenciales' ? {} : { ver: next }, { replace: true, preventScrollReset: true })}
        />
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar los paquetes."
        nothing={
          rows.length === 0 && <EmptyState>{all.length === 0 ? 'Crea tu primer paquete.' : 'No hay paquetes de este tipo.'}</EmptyState>
        }
      >
        <ul className="panel-card catalogue-list">
          {rows.map((row) => (
            <li key={row.class_package_id}>
              <AppLink to={adminPaths.package(row.class_package_id)} className="catalogue-row" data-row>
                <span className="strong">{row.title}</span>
                <span className="small muted">{packageFacts(row)}</span>
              </AppLink>
            </li>
          ))}
        </ul>
      </Loaded>
    </>
  )
}
