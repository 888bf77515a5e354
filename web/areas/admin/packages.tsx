import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/packages/package.css'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { packageFacts } from '#web/features/admin/packages/package-facts.ts'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'

export const handle: AdminHandle = { title: 'Paquetes' }

const VIEWS = {
  presenciales: {
    label: 'Presenciales',
    holds: (classPackage: StudioPackage) =>
      classPackage.available && !classPackage.archived && !classPackage.is_online && !classPackage.is_special_event,
  },
  online: {
    label: 'Online',
    holds: (classPackage: StudioPackage) => classPackage.available && !classPackage.archived && classPackage.is_online,
  },
  eventos: {
    label: 'Eventos',
    holds: (classPackage: StudioPackage) => classPackage.available && !classPackage.archived && classPackage.is_special_event,
  },
  ocultos: { label: 'Ocultos', holds: (classPackage: StudioPackage) => !classPackage.available && !classPackage.archived },
  archivados: { label: 'Archivados', holds: (classPackage: StudioPackage) => classPackage.archived },
} as const
type View = keyof typeof VIEWS
const isView = (text: string | null): text is View => text !== null && Object.hasOwn(VIEWS, text)

const row = (classPackage: StudioPackage) => (
  <AppLink to={adminPaths.package(classPackage.class_package_id)} className="catalogue-row" data-row>
    <span className="strong">{classPackage.title}</span>
    <span className="small muted">{packageFacts(classPackage)}</span>
  </AppLink>
)

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
  const requestedView = search.get('ver')
  const view = isView(requestedView) ? requestedView : 'presenciales'
  const archived = useQuery(queries.studioPackages.all.queryOptions({ input: { archived: true }, meta: { handled: true } }))
  const client = useQueryClient()
  // The order that was chosen, until the server has answered.
  const [chosen, setChosen] = useState<readonly StudioPackage[] | null>(null)
  const order = useMutation({
    meta: { handled: true },
    mutationFn: (packages: readonly StudioPackage[]) =>
      api.studioPackages.order({ ids: packages.map(({ class_package_id }) => class_package_id) }),
    onError: (error) => showAlert('alert', toFailure(error).message),
    async onSettled() {
      await client.invalidateQueries()
      setChosen(null)
    },
  })
  const put = (next: readonly StudioPackage[]) => {
    // Packages of other tabs keep their places among the others.
    const moving = [...next]
    const whole = current.map((classPackage) => (rows.includes(classPackage) ? (moving.shift() ?? classPackage) : classPackage))
    setChosen(whole)
    order.mutate(whole)
  }
  const current = chosen ?? query.data?.class_packages ?? []
  const all = [...current, ...(archived.data?.class_packages ?? [])]
  const rows = all.filter(VIEWS[view].holds)
  const count = (key: View) => all.filter(VIEWS[key].holds).length
  const add = (
    <Button as={AppLink} to={adminPaths.newPackage()} icon={<IconPlus className="icon" aria-hidden="true" />}>
      Nuevo paquete
    </Button>
  )
  return (
    <>
      <ScreenHead title="Paquetes" about={query.data ? `${rows.length} en la lista.` : ' '}>
        {!(query.data && all.length === 0) && add}
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
          rows.length === 0 && (
            <EmptyState action={all.length === 0 && add}>
              {all.length === 0
                ? 'Crea tu primer paquete.'
                : view === 'archivados'
                  ? 'No has archivado paquetes.'
                  : 'No hay paquetes de este tipo.'}
            </EmptyState>
          )
        }
      >
        {view === 'archivados' ? (
          <ul className="panel-card catalogue-list">
            {rows.map((listed) => (
              <li key={listed.class_package_id}>{row(listed)}</li>
            ))}
          </ul>
        ) : (
          <OrderedList
            label={VIEWS[view].label}
            items={rows}
            idOf={({ class_package_id }) => class_package_id}
            nameOf={({ title }) => title}
            onOrder={put}
          >
            {row}
          </OrderedList>
        )}
      </Loaded>
    </>
  )
}
