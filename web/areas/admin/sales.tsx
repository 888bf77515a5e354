import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { STUDIO_SALES_PER_PAGE, type StudioPurchase } from '#contract/studio-sales.ts'
import { formatWall, isLocalDate } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { orderNumber, sumText } from '#web/features/admin/sales/sale-text.ts'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import type { Column } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Ventas' }

const STATUSES = [
  { value: 'pending', label: 'Pendientes' },
  { value: 'active', label: 'Activas' },
  { value: 'completed', label: 'Completadas' },
  { value: 'failed', label: 'Fallidas' },
  { value: 'cancelled', label: 'Canceladas' },
  { value: 'revoked', label: 'Revocadas' },
] as const

/** Ventas: every purchase of the studio. */
export default function Sales() {
  const table = useTableQuery(['estado', 'estudio', 'desde', 'hasta'])
  const { estado, estudio, desde, hasta } = table.filters
  const studios = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = studios.data?.locations ?? []
  const status = STATUSES.find(({ value }) => value === estado)?.value
  const input = {
    page: table.page,
    ...(table.q ? { query: table.q.slice(0, 120) } : {}),
    ...(status ? { status } : {}),
    ...(/^[1-9]\d{0,8}$/.test(estudio) ? { location_id: Number(estudio) } : {}),
    ...(isLocalDate(desde) ? { from: desde } : {}),
    ...(isLocalDate(hasta) ? { to: hasta } : {}),
  }
  const query = useQuery({
    ...queries.studioSales.purchases.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { total = 0, sum } = query.data ?? {}
  return (
    <>
      <ScreenHead title="Ventas" />
      <DataTable
        caption="Ventas"
        query={query}
        table={table}
        searchLabel="Cliente, paquete, código u orden"
        filters={
          <>
            <ChipSelect
              label="Estado"
              all="Todos los estados"
              options={STATUSES}
              value={estado}
              onChange={(value) => table.setFilter('estado', value)}
            />
            {locations.length > 1 && (
              <ChipSelect
                label="Estudio"
                all="Todos los Estudios"
                options={locations.map(({ location_id, name }) => ({ value: String(location_id), label: name }))}
                value={estudio}
                onChange={(value) => table.setFilter('estudio', value)}
              />
            )}
            <DayFilter label="Desde" value={desde} onChange={(value) => table.setFilter('desde', value)} />
            <DayFilter label="Hasta" value={hasta} onChange={(value) => table.setFilter('hasta', value)} />
          </>
        }
        columns={columns}
        rows={query.data?.purchases ?? []}
        rowKey={(row) => row.purchase_id}
        card={(row) => (
          <>
            <span className="row spread">
              <Order row={row} />
              <span className="row-money">{formatPesos(row.total_payment)}</span>
            </span>
            <p>{nameOf(row)}</p>
            <p className="small muted">{[row.title, wayOf(row), formatWall(row.created_date, 'class')].filter(Boolean).join(' · ')}</p>
            <p>
              <PurchaseBadge purchase={row} />
            </p>
          </>
        )}
        totals={`${total === 1 ? '1 venta' : `${total.toLocaleString('es-MX')} ventas`}${sum ? ` · ${sumText(sum.total)}` : ''}`}
        pages={query.data && pageCount(total, STUDIO_SALES_PER_PAGE)}
        failed="No pudimos cargar las ventas."
        empty={<EmptyState>Todavía no hay ventas.</EmptyState>}
      />
    </>
  )
}

const nameOf = ({ customer }: StudioPurchase) => `${customer.name} ${customer.last_name}`.trim()
const wayOf = (row: StudioPurchase) => row.payment_method?.name ?? (row.is_gift ? 'Regalo' : null)

function Order({ row }: { row: StudioPurchase }) {
  return (
    <AppLink to={adminPaths.sale(row.purchase_id)} className="row-link strong">
      {orderNumber(row.purchase_id)}
    </AppLink>
  )
}

const columns: readonly Column<StudioPurchase>[] = [
  { header: 'Orden', cell: (row) => <Order row={row} /> },
  { header: 'Cliente', cell: nameOf },
  { header: 'Qué compró', cell: (row) => row.title },
  { header: 'Cómo pagó', cell: (row) => <span className="muted">{wayOf(row) ?? '—'}</span> },
  { header: 'Fecha', cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'class')}</span> },
  { header: 'Total', align: 'right', cell: (row) => <span className="row-money">{formatPesos(row.total_payment)}</span> },
  { header: 'Estado', cell: (row) => <PurchaseBadge purchase={row} /> },
]
