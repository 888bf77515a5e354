import '#web/features/admin/customers/customer.css'
import '#web/features/admin/customers/segments.css'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { FILTER_KEYS, type FilterValues } from '#web/features/admin/customers/customer-filter.ts'
import { useFilterNames } from '#web/features/admin/customers/customer-filters.tsx'
import { peopleText, SegmentPanel } from '#web/features/admin/customers/segment-panel.tsx'
import { filterText, toFilterValues } from '#web/features/admin/customers/stored-filter.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Segmentos', detail: true }

/** Segmentos: filters of customers that are saved for the whole team and always select the customers who match now. */
export default function Segments() {
  const staff = useStaff()
  const client = useQueryClient()
  const [address] = useSearchParams()
  const panel = useDialogParam(['segmento'] as const)
  const names = useFilterNames()
  const list = useQuery(queries.segments.all.queryOptions({ meta: { handled: true } }))
  const rows = list.data?.segments ?? []
  const canEdit = may(staff, 'customers.edit')
  const opened = rows.find(({ segment_id }) => segment_id === panel.open?.id) ?? null
  const changed = () =>
    Promise.all([queries.segments.key(), queries.customerList.key()].map((queryKey) => client.invalidateQueries({ queryKey })))
  useShortcuts('Segmentos', [
    ...ROW_SHORTCUTS,
    EDIT_SHORTCUT,
    canEdit && { keys: 'n', label: 'Segmento nuevo', act: () => panel.show('segmento', 0) },
  ])
  const add = canEdit && (
    <Button icon={<IconPlus className="icon" aria-hidden="true" />} onClick={() => panel.show('segmento', 0)}>
      Segmento nuevo
    </Button>
  )
  return (
    <>
      <ScreenHead title="Segmentos" about="Filtros con nombre, para todo el equipo. Reúnen a quien los cumple en cada momento.">
        <Button as={AppLink} to={adminPaths.customers} variant="outline">
          Clientes
        </Button>
        {rows.length > 0 && add}
      </ScreenHead>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar los segmentos."
        nothing={
          rows.length === 0 && (
            <EmptyState action={add}>
              Guarda aquí a quienes buscas seguido, como “Sin venir en 30 días”, para verlos, escribirles o cambiarlos juntos.
            </EmptyState>
          )
        }
      >
        <ul className="panel-card segment-list" aria-label="Segmentos">
          {rows.map((row) => (
            <li key={row.segment_id}>
              <button type="button" className="segment-row" data-row onClick={() => panel.show('segmento', row.segment_id)}>
                <IconUsersGroup className="icon muted" aria-hidden="true" />
                <span className="grow">
                  <span className="strong">{row.name}</span>
                  <span className="small muted">{filterText(row.filter, names)}</span>
                </span>
              </button>
              <AppLink className="link segment-people" to={`${adminPaths.customers}?segmento=${row.segment_id}`}>
                {peopleText(row.count)}
                <span className="sr-only"> de {row.name}</span>
              </AppLink>
            </li>
          ))}
        </ul>
      </Loaded>
      {panel.open && (opened || panel.open.id === 0) && (
        <SegmentPanel
          key={panel.open.id}
          segment={opened}
          start={startOf(address)}
          canEdit={canEdit}
          onChanged={changed}
          onClose={panel.close}
        />
      )}
    </>
  )
}

/** The filter that the address brings from the list of customers. */
const startOf = (address: URLSearchParams): FilterValues => ({
  ...toFilterValues({}),
  ...Object.fromEntries(['q', 'estudio', ...FILTER_KEYS].flatMap((key) => (address.get(key) ? [[key, address.get(key) ?? '']] : []))),
})
