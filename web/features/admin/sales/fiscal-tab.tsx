import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { FISCAL_DOCUMENTS_PER_PAGE, FISCAL_SORTS, type FiscalDocument } from '#contract/fiscal.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { formatWall, isLocalDate } from '#contract/time.ts'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import type { Column } from '#web/ui/table.tsx'
import { FiscalState } from './fiscal-state.tsx'
import { cancelText, FISCAL_KINDS, fiscalFolio } from './fiscal-text.ts'
import { GiveUpInvoice } from './give-up-invoice.tsx'
import { MailInvoice } from './mail-invoice.tsx'
import { MonthInvoices } from './month-invoices.tsx'
import { sumText } from './sale-text.ts'
import { optionIn, useSalesTable } from './sales-filters.tsx'
import { countText, OrderLink } from './sales-parts.tsx'

const STATES = [
  { value: 'stamping', label: 'Timbrando' },
  { value: 'valid', label: 'Timbradas' },
  { value: 'cancelling', label: 'Por cancelar' },
  { value: 'cancelled', label: 'Canceladas' },
  { value: 'refused', label: 'Con error' },
] as const

/** Facturas: every CFDI of the studio, of sales, of refunds, and global ones. */
export default function FiscalTab() {
  const table = useSalesTable()
  const { filters, q, page } = table
  const head = tableOrder(table, FISCAL_SORTS, '-created')
  const { sort } = head
  const state = optionIn(STATES, filters.estado)
  const input = {
    page,
    sort,
    ...(q ? { query: q.slice(0, 100) } : {}),
    ...(state ? { state: [state] } : {}),
    ...(isLocalDate(filters.desde) ? { from: filters.desde } : {}),
    ...(isLocalDate(filters.hasta) ? { to: filters.hasta } : {}),
  }
  const query = useQuery({ ...queries.fiscal.list.queryOptions({ input, meta: { handled: true } }), placeholderData: keepPreviousData })
  const { total = 0, sum } = query.data ?? {}
  const columns: readonly Column<FiscalDocument>[] = [
    { header: 'Folio', cell: (row) => <span className="nowrap">{fiscalFolio(row)}</span> },
    { header: 'Documento', cell: (row) => FISCAL_KINDS[row.kind] },
    { header: 'Receptor', cell: (row) => receiverText(row) },
    { header: 'Orden', cell: (row) => <Orders row={row} /> },
    {
      ...sortHead<FiscalDocument>({ header: 'Fecha', by: 'created', first: 'down', ...head }),
      cell: (row) => <span className="nowrap">{formatWall(row.issued_date, 'class')}</span>,
    },
    {
      ...sortHead<FiscalDocument>({ header: 'Total', by: 'total', first: 'down', ...head }),
      align: 'right',
      cell: (row) => <span className="row-money">{totalText(row)}</span>,
    },
    { header: 'Estado', cell: (row) => <Status row={row} /> },
    { header: 'Archivos', cell: (row) => <Files row={row} /> },
  ]
  return (
    <DataTable
      caption="Facturas"
      list="facturas"
      query={query}
      table={table}
      searchLabel="RFC, nombre o folio"
      filters={
        <>
          <ChipSelect
            label="Estado"
            all="Todos"
            options={STATES}
            value={filters.estado}
            onChange={(value) => table.setFilter('estado', value)}
          />
          <MonthInvoices />
        </>
      }
      columns={columns}
      rows={query.data?.fiscal_documents ?? []}
      rowKey={(row) => row.fiscal_document_id}
      card={(row) => (
        <>
          <span className="row spread">
            <span className="strong">
              {FISCAL_KINDS[row.kind]} {fiscalFolio(row)}
            </span>
            <span className="row-money">{totalText(row)}</span>
          </span>
          <p>{receiverText(row)}</p>
          <p className="small muted">{formatWall(row.issued_date, 'class')}</p>
          <div className="row gap-8 wraps">
            <Status row={row} /> <Files row={row} />
          </div>
        </>
      )}
      totals={
        <>
          {countText(total, 'factura', 'facturas')}
          {sum && ` · Vigentes ${sumText(sum)}`}
        </>
      }
      pages={query.data && pageCount(total, FISCAL_DOCUMENTS_PER_PAGE)}
      failed="No pudimos cargar las facturas."
      empty={<EmptyState>Todavía no hay facturas. Se piden en la venta, con “Facturar”.</EmptyState>}
    />
  )
}

const receiverText = ({ receiver }: FiscalDocument): string => `${receiver.name} · ${receiver.rfc}`
const totalText = ({ kind, total }: FiscalDocument): string => `${kind === 'credit' ? '-' : ''}${formatPesos(total)}`

function Orders({ row: { purchase_ids, charges } }: { row: FiscalDocument }) {
  const [first] = purchase_ids
  if (first === undefined) return <span className="muted">{countText(charges, 'cargo', 'cargos')}</span>
  return <OrderLink purchase_id={first} />
}

function Status({ row }: { row: FiscalDocument }) {
  const { zone } = useSite()
  const cancellation = cancelText(row, zone)
  return (
    <>
      <FiscalState document={row} />
      {cancellation && <p className="small muted">{cancellation}</p>}
      {row.error && (
        <p className="small">
          {row.error.code}: {row.error.message}
        </p>
      )}
    </>
  )
}

function Files({ row }: { row: FiscalDocument }) {
  const { fiscal_document_id } = row
  const saving = useMutation({ mutationFn: (load: () => Promise<File>) => load(), onSuccess: saveFile })
  if (row.give_up_from) return <GiveUpInvoice document={row} />
  if (!row.uuid) return <span className="muted">—</span>
  const files = [
    ['PDF', () => api.fiscal.pdf({ fiscal_document_id })],
    ['XML', () => api.fiscal.xml({ fiscal_document_id })],
  ] as const
  return (
    <span className="row gap-8">
      {files.map(([name, load]) => (
        <Button key={name} size="small" variant="outline" aria-label={`${name} de ${fiscalFolio(row)}`} onClick={() => saving.mutate(load)}>
          {name}
        </Button>
      ))}
      <MailInvoice document={row} short />
    </span>
  )
}
