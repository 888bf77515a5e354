import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { type Refund, STUDIO_SALES_PER_PAGE } from '#contract/studio-sales.ts'
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
import { sumText } from './sale-text.ts'
import { SalesFilters, sharedInput, useSalesTable } from './sales-filters.tsx'
import { countText, customerText, OrderLink } from './sales-parts.tsx'

interface RefundRow extends Refund {
  customer: { name: string; last_name: string }
  purchase: { purchase_id: number; title: string }
}

const SORTS = ['done', '-done', 'amount', '-amount', 'name', '-name'] as const

/** Devoluciones: by the day on which the money went back. */
export default function RefundsTab() {
  const table = useSalesTable()
  const head = tableOrder(table, SORTS, '-done')
  const { sort } = head
  const { page, ...filter } = sharedInput(table)
  const all = { ...filter, sort }
  const query = useQuery({
    ...queries.studioSales.refunds.queryOptions({ input: { page, ...all }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { total = 0, sum, people = [] } = query.data ?? {}
  const allColumns: readonly KeyedColumn<RefundRow>[] = [
    { key: 'orden', header: 'Orden', cell: (row) => <OrderLink purchase_id={row.purchase.purchase_id} /> },
    { key: 'cliente', ...sortHead<RefundRow>({ header: 'Cliente', by: 'name', ...head }), cell: customerText },
    { key: 'paquete', header: 'Paquete', cell: (row) => row.purchase.title },
    { key: 'motivo', header: 'Motivo', cell: (row) => <span className="muted">{row.reason}</span> },
    {
      key: 'fecha',
      ...sortHead<RefundRow>({ header: 'Fecha', by: 'done', first: 'down', ...head }),
      cell: (row) => <span className="nowrap">{formatWall(row.done_date ?? row.created_date, 'class')}</span>,
    },
    {
      key: 'devuelto',
      ...sortHead<RefundRow>({ header: 'Devuelto', by: 'amount', first: 'down', ...head }),
      align: 'right',
      cell: (row) => <span className="row-money">-{formatPesos(row.amount)}</span>,
    },
    { key: 'estado', header: 'Estado', cell: (row) => <StatusBadge row={row} /> },
  ]
  const { columns, chooser } = useChosenColumns('devoluciones', allColumns)
  const { shown, ...newRows } = useNewRows(
    query.data?.refunds ?? [],
    (row) => row.refund_id,
    sort === '-done' && page === 1 ? JSON.stringify(all) : null,
    query.isSuccess && !query.isPlaceholderData,
  )
  return (
    <DataTable
      caption="Devoluciones"
      newRows={newRows}
      list="devoluciones"
      query={query}
      table={table}
      searchLabel="Cliente, teléfono, paquete u orden"
      filters={
        <>
          <SalesFilters table={table} people={people} />
          {chooser}
          <ExportMenu load={(format) => api.listExports.refunds({ ...all, format })} />
        </>
      }
      columns={columns}
      rows={shown}
      rowKey={(row) => row.refund_id}
      card={(row) => (
        <>
          <span className="row spread">
            <OrderLink purchase_id={row.purchase.purchase_id} />
            <span className="row-money">-{formatPesos(row.amount)}</span>
          </span>
          <p>{customerText(row)}</p>
          <p className="small muted">
            {[row.purchase.title, row.reason, formatWall(row.done_date ?? row.created_date, 'class')].join(' · ')}
          </p>
          <p>
            <StatusBadge row={row} />
          </p>
        </>
      )}
      totals={
        <>
          {countText(total, 'devolución', 'devoluciones')}
          {sum && ` · ${sumText(sum.refunded)}`}
          {sum && sum.returned !== '0.00' && ` · Regresó al estudio ${sumText(sum.returned)}`}
        </>
      }
      pages={query.data && pageCount(total, STUDIO_SALES_PER_PAGE)}
      failed="No pudimos cargar las devoluciones."
      empty={<EmptyState>Todavía no hay devoluciones.</EmptyState>}
    />
  )
}

const StatusBadge = ({ row }: { row: RefundRow }) =>
  row.returnedAt ? (
    <Badge tone="danger">Regresó al estudio</Badge>
  ) : (
    <Badge tone="outline">{row.by_hand ? 'Por otro medio' : 'Devuelto'}</Badge>
  )
