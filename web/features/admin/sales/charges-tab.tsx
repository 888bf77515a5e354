import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { STUDIO_SALES_PER_PAGE, type StudioInvoice } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { useNewRows } from '#web/features/admin/table/new-rows.ts'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { INVOICE_STATUS, invoiceStatusText, sumText } from './sale-text.ts'
import { optionIn, SalesFilters, sharedInput, useSalesTable } from './sales-filters.tsx'
import { countText, customerText, OrderLink, PaymentSums } from './sales-parts.tsx'

const STATES = (['paid', 'partially_refunded', 'refunded', 'disputed', 'lost', 'pending', 'void'] as const).map((value) => ({
  value,
  label: INVOICE_STATUS[value].text,
}))
const SORTS = ['taken', '-taken', 'total', '-total', 'name', '-name'] as const

/** Cargos: the money that was taken, with what went back of it. */
export default function ChargesTab() {
  const table = useSalesTable()
  const status = optionIn(STATES, table.filters.estado)
  const head = tableOrder(table, SORTS, '-taken')
  const { sort } = head
  const input = { ...sharedInput(table), sort, ...(status ? { status: [status] } : {}) }
  const query = useQuery({
    ...queries.studioSales.invoices.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { total = 0, sum, people = [] } = query.data ?? {}
  const { page: _, ...all } = input
  const allColumns: readonly KeyedColumn<StudioInvoice>[] = [
    { key: 'orden', header: 'Orden', cell: (row) => <OrderLink purchase_id={row.purchase_id} /> },
    { key: 'cliente', ...sortHead<StudioInvoice>({ header: 'Cliente', by: 'name', ...head }), cell: customerText },
    { key: 'paquete', header: 'Paquete', cell: (row) => row.purchase.title },
    { key: 'metodo', header: 'Método', cell: (row) => <span className="muted">{methodText(row) || '—'}</span> },
    {
      key: 'fecha',
      ...sortHead<StudioInvoice>({ header: 'Fecha', by: 'taken', first: 'down', ...head }),
      cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'class')}</span>,
    },
    {
      key: 'cobrado',
      ...sortHead<StudioInvoice>({ header: 'Cobrado', by: 'total', first: 'down', ...head }),
      align: 'right',
      cell: (row) => <span className="row-money">{formatPesos(row.total_payment)}</span>,
    },
    {
      key: 'devuelto',
      header: 'Devuelto',
      align: 'right',
      cell: (row) => <span className="row-money muted">{row.refunded === '0.00' ? '—' : `-${formatPesos(row.refunded)}`}</span>,
    },
    { key: 'estado', header: 'Estado', cell: (row) => <StatusBadge row={row} /> },
  ]
  const { columns, chooser } = useChosenColumns('cargos', allColumns)
  const { shown, ...newRows } = useNewRows(
    query.data?.invoices ?? [],
    (row) => row.invoice_id,
    sort === '-taken' && table.page === 1 ? JSON.stringify(all) : null,
    query.isSuccess && !query.isPlaceholderData,
  )
  return (
    <DataTable
      caption="Cargos"
      newRows={{ ...newRows, isMasculine: true }}
      list="cargos"
      query={query}
      table={table}
      searchLabel="Cliente, teléfono, orden, folio o referencia"
      filters={
        <>
          <SalesFilters table={table} states={STATES} people={people} />
          {chooser}
          <ExportMenu load={(format) => api.listExports.invoices({ ...all, format })} />
        </>
      }
      columns={columns}
      rows={shown}
      rowKey={(row) => row.invoice_id}
      card={(row) => (
        <>
          <span className="row spread">
            <OrderLink purchase_id={row.purchase_id} />
            <span className="row-money">{formatPesos(row.total_payment)}</span>
          </span>
          <p>{customerText(row)}</p>
          <p className="small muted">
            {[row.purchase.title, methodText(row), formatWall(row.created_date, 'class')].filter(Boolean).join(' · ')}
          </p>
          <p>
            <StatusBadge row={row} />
          </p>
        </>
      )}
      totals={
        <>
          {countText(total, 'cargo', 'cargos')}
          {sum && ` · Cobrado ${sumText(sum.charged)} · Devuelto ${sumText(sum.refunded)} · IVA ${sumText(sum.tax)}`}
          {sum && sum.lost !== '0.00' && ` · Perdido en disputas ${sumText(sum.lost)}`}
          {sum && <PaymentSums sums={sum.by_way.map((row) => ({ ...row, amount: row.charged }))} />}
        </>
      }
      pages={query.data && pageCount(total, STUDIO_SALES_PER_PAGE)}
      failed="No pudimos cargar los cargos."
      empty={<EmptyState>Todavía no se ha cobrado nada.</EmptyState>}
    />
  )
}

const methodText = (row: StudioInvoice) => [row.payment_method?.name, row.reference].filter(Boolean).join(' · ')

function StatusBadge({ row }: { row: StudioInvoice }) {
  return <Badge tone={INVOICE_STATUS[row.status].tone}>{invoiceStatusText(row)}</Badge>
}
