import '#web/features/admin/customers/customer.css'
import { IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { CUSTOMER_SORTS, CUSTOMER_STATES, type CustomerState, customerStateLabels } from '#contract/copy/customer-list.ts'
import type { CustomerRow } from '#contract/customer-list.ts'
import { formatPesos } from '#contract/money.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import { useBulk } from '#web/features/admin/bulk/use-bulk.tsx'
import { StateBadge } from '#web/features/admin/customers/customer-facts.tsx'
import { FILTER_KEYS, type FilterValues, toFilter } from '#web/features/admin/customers/customer-filter.ts'
import { CustomerFilters } from '#web/features/admin/customers/customer-filters.tsx'
import { customerColumns, customerName, expiryText, HasText, Tags } from '#web/features/admin/customers/list-columns.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { TabNav } from '#web/features/admin/frame/tab-nav.tsx'
import { useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { useSelection } from '#web/features/admin/table/selection.tsx'
import { tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { api, queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button } from '#web/ui/button.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

export const handle: AdminHandle = { title: 'Clientes' }

const NewCustomer = lazy(async () => ({ default: (await import('#web/features/admin/people/new-customer.tsx')).NewCustomer }))

const DIALOGS = ['nuevo'] as const
const KEYS = [...FILTER_KEYS, 'segmento', 'orden'] as const

/** The states in the order of the tabs: what can be done something about first. */
const TABS = ['expiring', 'at_risk', 'new', 'trial', 'active', 'inactive', 'lost'] as const satisfies readonly CustomerState[]
const TAB_LABELS: Readonly<Record<CustomerState, string>> = {
  ...customerStateLabels,
  new: 'Nuevos',
  active: 'Activos',
  inactive: 'Inactivos',
}
/** Clientes: the list with its search and states, and creating a customer. */
export default function Customers() {
  const site = useSite()
  const staff = useStaff()
  const navigate = useNavigate()
  const table = useTableQuery(KEYS)
  const { open: shownDialog, show, close } = useDialogParam(DIALOGS)
  const location_id = useLocationFilter()
  const { filters } = table
  useShortcuts('Clientes', [may(staff, 'customers.edit') && { keys: 'n', label: 'Agregar cliente', act: () => show('nuevo', 0) }])
  const state = CUSTOMER_STATES.find((customerState) => customerState === filters.estado)
  const values = { ...filters, q: table.q, estudio: String(location_id ?? '') }
  const segments = useQuery(queries.segments.all.queryOptions({ staleTime: 60_000, meta: { handled: true } })).data?.segments ?? []
  const segment_id = idInText(filters.segmento) ?? undefined
  const head = tableOrder(table, CUSTOMER_SORTS, 'name')
  const { sort } = head
  const all = { ...toFilter(values), ...(segment_id === undefined ? {} : { segment_id }), sort }
  const query = useQuery({
    ...queries.customerList.list.queryOptions({ input: { ...all, page: table.page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { columns, chooser } = useChosenColumns('clientes', customerColumns({ zone: site.zone, ...head }))
  const { sort: _, ...matching } = all
  const rows = query.data?.customers ?? []
  const selection = useSelection(
    JSON.stringify(matching),
    rows.map((row) => row.customer_id),
    query.data?.total ?? 0,
  )
  const bulk = useBulk('customer', selection, matching)
  const canChange = may(staff, 'customers.edit') || may(staff, 'credits.edit')
  const data = query.data
  const total = data && Object.values(data.states).reduce((sum, n) => sum + n, 0)
  const add = may(staff, 'customers.edit') && (
    <Button variant="outline" icon={<IconUserPlus className="icon" aria-hidden="true" />} onClick={() => show('nuevo', 0)}>
      Agregar cliente
    </Button>
  )
  return (
    <>
      <ScreenHead
        title="Clientes"
        about={data && total ? `${count(total)} en total, ${count(total - data.states.inactive - data.states.lost)} activos` : ' '}
      >
        <Button as={AppLink} to={adminPaths.segments} variant="outline">
          Segmentos
        </Button>
        {may(staff, 'customers.merge') && (
          <Button as={AppLink} to={adminPaths.duplicates} variant="outline">
            Repetidos
          </Button>
        )}
        {add}
      </ScreenHead>
      {data && total ? <StateTabs states={data.states} total={total} current={state} /> : null}
      <DataTable
        caption="Clientes"
        list="clientes"
        query={query}
        table={table}
        searchLabel="Nombre, teléfono o correo"
        filters={
          <>
            <div className="customer-filters">
              {segments.length > 0 && (
                <ChipSelect
                  label="Segmento"
                  all="Sin segmento"
                  options={segments.map(({ segment_id, name }) => ({ value: String(segment_id), label: name }))}
                  value={filters.segmento}
                  onChange={(value) => table.setFilter('segmento', value)}
                />
              )}
              <CustomerFilters values={values} onChange={(key, value) => key !== 'q' && key !== 'estudio' && table.setFilter(key, value)} />
              {chooser}
            </div>
            {may(staff, 'customers.edit') && Object.keys(toFilter(values)).length > 0 && (
              <AppLink className="chip" to={`${adminPaths.segments}?${new URLSearchParams({ segmento: '0', ...filled(values) })}`}>
                <IconUsersGroup className="icon" aria-hidden="true" /> Guardar como segmento
              </AppLink>
            )}
            <ExportMenu load={(format) => api.listExports.customers({ ...all, format })} />
          </>
        }
        columns={columns}
        rows={rows}
        rowKey={(row) => row.customer_id}
        card={(row) => <Card row={row} zone={site.zone} />}
        totals={data && totals(data)}
        pages={data?.pages}
        failed="No pudimos cargar los clientes."
        empty={
          <EmptyState
            action={
              <>
                {may(staff, 'data.import') && (
                  <Button as={AppLink} to={adminPaths.imports} variant="outline">
                    Importar
                  </Button>
                )}
                {add}
              </>
            }
          >
            Aún no tienes clientes.
          </EmptyState>
        }
        selectable={
          canChange
            ? {
                selection,
                nameOf: customerName,
                total: data?.total ?? 0,
                countText: (n) => (n === 1 ? '1 cliente' : `${count(n)} clientes`),
                verbs: bulk.verbs,
              }
            : undefined
        }
      />
      {bulk.dialogs}
      <Dialog open={shownDialog?.name === 'nuevo'} onClose={close} title="Cliente nuevo">
        <Suspense fallback={<ListSkeleton rows={3} />}>
          <NewCustomer onMade={({ customer_id }) => void navigate(adminPaths.customer(customer_id), { replace: true })} onBack={null} />
        </Suspense>
      </Dialog>
    </>
  )
}

/** Without the filters that are not set. */
const filled = (values: FilterValues) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

const count = (n: number) => n.toLocaleString('es-MX')

function totals({ total, spent, owed }: { total: number; spent: string | null; owed: string }) {
  const people = total === 1 ? '1 cliente' : `${count(total)} clientes`
  const debt = owed === '0.00' ? '' : ` · ${total === 1 ? 'debe' : 'deben'} ${formatPesos(owed)}`
  const paid = spent === null ? '' : ` · ${total === 1 ? 'gastó' : 'gastaron'} ${formatPesos(spent)}`
  return `${people}${paid}${debt}`
}

/** One tab per state with its count; the other filters stay. */
function StateTabs({
  states,
  total,
  current,
}: {
  states: Readonly<Record<CustomerState, number>>
  total: number
  current: CustomerState | undefined
}) {
  const [query] = useSearchParams()
  const to = (state: CustomerState | null) => {
    const next = new URLSearchParams(query)
    next.delete('pagina')
    if (state) next.set('estado', state)
    else next.delete('estado')
    return next.size ? `${adminPaths.customers}?${next}` : adminPaths.customers
  }
  const tab = (state: CustomerState | null, label: string, n: number) => (
    <AppLink key={label} to={to(state)} aria-current={(state ?? undefined) === current ? 'page' : undefined} preventScrollReset>
      {label} <span className="small">{count(n)}</span>
    </AppLink>
  )
  return (
    <TabNav label="Estados" current={current}>
      {tab(null, 'Todos', total)}
      {TABS.map((state) => tab(state, TAB_LABELS[state], states[state]))}
    </TabNav>
  )
}

function Card({ row, zone }: { row: CustomerRow; zone: string }) {
  const expires = expiryText(row, zone)
  return (
    <>
      <span className="row spread">
        <AppLink to={adminPaths.customer(row.customer_id)} className="row-link strong">
          {customerName(row)}
        </AppLink>
        <StateBadge state={row.state} />
      </span>
      <p className="small muted">{row.phone ? formatPhone(row.phone) : row.email}</p>
      <p>{row.has.titles.length ? <HasText row={row} /> : <span className="small muted">Sin clases disponibles</span>}</p>
      {row.renewal_refused ? (
        <p className="customer-refused">Renovación rechazada</p>
      ) : (
        expires && <p className="small muted">Vence {expires}</p>
      )}
      <span className="row spread">
        <span className="small muted">
          {row.next_class ? `Próxima ${formatInstant(new Date(row.next_class), zone, 'class')}` : 'Sin próxima clase'}
        </span>
        {row.owed !== '0.00' && <span className="row-money customer-owes">Debe {formatPesos(row.owed)}</span>}
      </span>
      {row.tags.length > 0 && <Tags row={row} />}
    </>
  )
}
