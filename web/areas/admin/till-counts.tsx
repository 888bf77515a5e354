import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { CASH_SESSIONS_PER_PAGE, type CashSession } from '#contract/cash-sessions.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant, isLocalDate } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { cashDiscrepancyText } from '#web/features/admin/till/cash-text.ts'
import { CountBadge } from '#web/features/admin/till/count-badge.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'

export const handle: AdminHandle = { title: 'Cortes de caja', detail: true }

const STATES = [
  { value: 'closed', label: 'Por aprobar' },
  { value: 'approved', label: 'Aprobadas' },
  { value: 'open', label: 'Abiertas' },
] as const

const SORTS = ['opened', '-opened', 'closed', '-closed', 'name', '-name'] as const

const cashDiscrepancy = ({ ways }: CashSession): string => {
  const discrepancy = ways.find(({ kind }) => kind === 'cash')?.difference ?? null
  return discrepancy === null ? '—' : cashDiscrepancyText(discrepancy)
}

/** Cortes: cash sessions; one's own, or all for staff who review them. */
export default function TillCounts() {
  const site = useSite()
  const location_id = useLocationFilter()
  const table = useTableQuery(['quien', 'estado', 'desde', 'hasta', 'orden'])
  const { quien, estado, desde, hasta } = table.filters
  const head = tableOrder(table, SORTS, '-opened')
  const state = STATES.find(({ value }) => value === estado)?.value
  const all = {
    sort: head.sort,
    ...(location_id === null ? {} : { location_id }),
    staff_id: idInText(quien) ?? undefined,
    ...(state ? { state } : {}),
    ...(isLocalDate(desde) ? { from: desde } : {}),
    ...(isLocalDate(hasta) ? { to: hasta } : {}),
  }
  const list = useQuery({
    ...queries.cashSessions.list.queryOptions({
      input: { page: table.page, ...all },
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
  const { cash_sessions = [], total = 0, people = [] } = list.data ?? {}
  const at = (instant: string | null) => (instant === null ? '—' : formatInstant(new Date(instant), site.zone, 'class'))
  const allColumns: readonly KeyedColumn<CashSession>[] = [
    {
      key: 'abierta',
      ...sortHead<CashSession>({ header: 'Abierta', by: 'opened', first: 'down', ...head }),
      cell: (row) => (
        <AppLink to={adminPaths.tillCount(row.cash_session_id)} className="row-link strong">
          {at(row.openedAt)}
        </AppLink>
      ),
    },
    {
      key: 'cerrada',
      ...sortHead<CashSession>({ header: 'Cerrada', by: 'closed', first: 'down', ...head }),
      cell: (row) => at(row.closedAt),
    },
    { key: 'estudio', header: 'Estudio', cell: (row) => row.location.name },
    { key: 'quien', ...sortHead<CashSession>({ header: 'Quién', by: 'name', ...head }), cell: (row) => row.staff.name },
    { key: 'efectivo', header: 'Efectivo', cell: cashDiscrepancy },
    { key: 'estado', header: 'Estado', cell: (row) => <CountBadge session={row} /> },
  ]
  const { columns, chooser } = useChosenColumns('cortes', allColumns)
  return (
    <>
      <ScreenHead title="Cortes de caja" />
      <DataTable
        caption="Cortes de caja"
        list="cortes"
        query={list}
        table={table}
        filters={
          <>
            <ChipSelect
              label="Estado"
              all="Todos los estados"
              options={STATES}
              value={estado}
              onChange={(value) => table.setFilter('estado', value)}
            />
            {people.length > 0 && (
              <ChipSelect
                label="Quién"
                all="Todo el equipo"
                options={people.map(({ staff_id, name }) => ({ value: String(staff_id), label: name }))}
                value={quien}
                onChange={(value) => table.setFilter('quien', value)}
              />
            )}
            <DayFilter label="Desde" value={desde} onChange={(value) => table.setFilter('desde', value)} />
            <DayFilter label="Hasta" value={hasta} onChange={(value) => table.setFilter('hasta', value)} />
            {chooser}
            <ExportMenu load={(format) => api.listExports.cashSessions({ ...all, format })} />
          </>
        }
        columns={columns}
        rows={cash_sessions}
        rowKey={(row) => row.cash_session_id}
        card={(row) => (
          <>
            <span className="row spread">
              <AppLink to={adminPaths.tillCount(row.cash_session_id)} className="row-link strong">
                {at(row.openedAt)}
              </AppLink>
              <CountBadge session={row} />
            </span>
            <p className="small muted">
              {row.location.name} · {row.staff.name} · {cashDiscrepancy(row)}
            </p>
          </>
        )}
        totals={total === 1 ? '1 caja' : `${total.toLocaleString('es-MX')} cajas`}
        pages={list.data && pageCount(total, CASH_SESSIONS_PER_PAGE)}
        failed="No pudimos cargar los cortes."
        nothingFound="No hay cajas con estos filtros."
        empty={
          <EmptyState next={{ label: 'Ir a Caja', to: adminPaths.till }}>
            {location_id === null ? 'Todavía no hay cajas abiertas ni cortes.' : 'Todavía no hay cajas ni cortes de este estudio.'}
          </EmptyState>
        }
      />
    </>
  )
}
