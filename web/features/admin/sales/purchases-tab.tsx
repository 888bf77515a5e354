import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { formatPhone } from '#contract/phone.ts'
import { STUDIO_SALES_PER_PAGE, type StudioPurchase } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import { countOf } from '#web/features/admin/bulk/bulk-text.ts'
import { useBulk } from '#web/features/admin/bulk/use-bulk.tsx'
import { useLocationChoices } from '#web/features/admin/frame/location-filter.tsx'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { useNewRows } from '#web/features/admin/table/new-rows.ts'
import { useSelection } from '#web/features/admin/table/selection.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder } from '#web/features/admin/table/use-table-query.ts'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import { sumText } from './sale-text.ts'
import { idOfFilter, optionIn, SalesFilters, sharedInput, useSalesTable } from './sales-filters.tsx'
import { countText, customerText, OrderLink, PaymentSums } from './sales-parts.tsx'

const STATES = [
  { value: 'vendidas', label: 'Vendidas' },
  { value: 'pending', label: 'Pendientes' },
  { value: 'active', label: 'Activas' },
  { value: 'completed', label: 'Completadas' },
  { value: 'failed', label: 'Fallidas' },
  { value: 'cancelled', label: 'Canceladas' },
  { value: 'revoked', label: 'Revocadas' },
] as const
const SUBSCRIPTIONS = [
  { value: 'atrasadas', label: 'Con renovación atrasada' },
  { value: 'pausa', label: 'En pausa' },
] as const
const SORTS = ['created', '-created', 'total', '-total', 'name', '-name'] as const

/** Compras: every purchase of the studio. */
export default function PurchasesTab() {
  const table = useSalesTable()
  const { filters } = table
  const status = optionIn(STATES, filters.estado)
  const subscription = optionIn(SUBSCRIPTIONS, filters.suscripcion)
  const discount_id = idOfFilter(filters.codigo)
  const head = tableOrder(table, SORTS, '-created')
  const { sort } = head
  const input = {
    ...sharedInput(table),
    sort,
    ...(status === 'vendidas' ? { sold: true } : status ? { status: [status] } : {}),
    ...(discount_id ? { discount_id } : {}),
    ...(subscription === 'atrasadas' ? { past_due: true } : subscription === 'pausa' ? { paused: true } : {}),
  }
  const query = useQuery({
    ...queries.studioSales.purchases.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { total = 0, sum, people = [] } = query.data ?? {}
  const { page: _page, ...all } = input
  const locations = useLocationChoices()
  const sellerName = ({ staff_id }: StudioPurchase) => people.find((person) => person.staff_id === staff_id)?.name ?? '—'
  const locationName = ({ location_id }: StudioPurchase) =>
    location_id === null ? 'En línea' : (locations.find((location) => location.location_id === location_id)?.name ?? '—')
  const allColumns: readonly KeyedColumn<StudioPurchase>[] = [
    { key: 'orden', header: 'Orden', cell: (row) => <OrderLink purchase_id={row.purchase_id} /> },
    { key: 'cliente', ...sortHead<StudioPurchase>({ header: 'Cliente', by: 'name', ...head }), cell: customerText },
    {
      key: 'telefono',
      isExtra: true,
      header: 'Teléfono',
      cell: (row) => <span className="nowrap">{row.customer.phone ? formatPhone(row.customer.phone) : '—'}</span>,
    },
    { key: 'paquete', header: 'Paquete', cell: (row) => row.title },
    { key: 'metodo', header: 'Método', cell: (row) => <span className="muted">{methodText(row) ?? '—'}</span> },
    {
      key: 'fecha',
      ...sortHead<StudioPurchase>({ header: 'Fecha', by: 'created', first: 'down', ...head }),
      cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'class')}</span>,
    },
    {
      key: 'total',
      ...sortHead<StudioPurchase>({ header: 'Total', by: 'total', first: 'down', ...head }),
      align: 'right',
      cell: (row) => <span className="row-money">{formatPesos(row.total_payment)}</span>,
    },
    { key: 'vendio', isExtra: true, header: 'Vendió', cell: (row) => <span className="muted">{sellerName(row)}</span> },
    { key: 'sucursal', isExtra: true, header: 'Sucursal', cell: (row) => <span className="muted">{locationName(row)}</span> },
    { key: 'estado', header: 'Estado', cell: (row) => <PurchaseBadge purchase={row} /> },
  ]
  const { columns, chooser } = useChosenColumns('compras', allColumns)
  const isNewestFirst = sort === '-created' && table.page === 1
  const { shown: rows, ...newRows } = useNewRows(
    query.data?.purchases ?? [],
    (row) => row.purchase_id,
    isNewestFirst ? JSON.stringify(all) : null,
    query.isSuccess && !query.isPlaceholderData,
  )
  const selection = useSelection(
    JSON.stringify(all),
    rows.map((row) => row.purchase_id),
    total,
  )
  const { sort: _, ...matching } = all
  const bulk = useBulk('purchase', selection, matching)
  return (
    <>
      <DataTable
        caption="Compras"
        list="compras"
        query={query}
        table={table}
        searchLabel="Cliente, teléfono, paquete, código u orden"
        filters={
          <>
            <SalesFilters table={table} states={STATES} codes people={people} />
            <ChipSelect
              label="Suscripción"
              all="Todas"
              options={SUBSCRIPTIONS}
              value={filters.suscripcion}
              onChange={(value) => table.setFilter('suscripcion', value)}
            />
            {chooser}
            <ExportMenu load={(format) => api.listExports.purchases({ ...all, format })} />
          </>
        }
        columns={columns}
        newRows={newRows}
        rows={rows}
        rowKey={(row) => row.purchase_id}
        card={(row) => (
          <>
            <span className="row spread">
              <OrderLink purchase_id={row.purchase_id} />
              <span className="row-money">{formatPesos(row.total_payment)}</span>
            </span>
            <p>{customerText(row)}</p>
            <p className="small muted">{[row.title, methodText(row), formatWall(row.created_date, 'class')].filter(Boolean).join(' · ')}</p>
            <p>
              <PurchaseBadge purchase={row} />
            </p>
          </>
        )}
        totals={
          <>
            {countText(total, 'venta', 'ventas')}
            {sum && ` · ${sumText(sum.total)}`}
            {sum && <PaymentSums sums={sum.by_way.map((row) => ({ ...row, amount: row.total }))} />}
          </>
        }
        pages={query.data && pageCount(total, STUDIO_SALES_PER_PAGE)}
        failed="No pudimos cargar las ventas."
        selectable={{
          selection,
          total,
          isFeminine: true,
          verbs: bulk.verbs,
          nameOf: (row) => `${customerText(row)}, ${row.title}`,
          countText: (n) => countOf('purchase', n),
        }}
        empty={
          <EmptyState
            action={
              <Button as={AppLink} to={adminPaths.newSale}>
                Nueva venta
              </Button>
            }
          >
            Todavía no hay ventas.
          </EmptyState>
        }
      />
      {bulk.dialogs}
    </>
  )
}

const methodText = (row: StudioPurchase) => row.payment_method?.name ?? (row.is_gift ? 'Regalo' : null)
