import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { GIFT_CARDS_PER_PAGE, type GiftCard } from '#contract/gift-cards.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant } from '#contract/time.ts'
import { sentText } from '#web/features/admin/counter/gift-card-delivery.tsx'
import { GiftCardPanel } from '#web/features/admin/counter/gift-card-panel.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { ChipSelect } from '#web/ui/chip-select.tsx'

export const handle: AdminHandle = { title: 'Tarjetas de regalo' }

const buyer = ({ customer }: GiftCard): string => (customer ? `${customer.name} ${customer.last_name}`.trim() : 'Público en general')

const SORTS = ['created', '-created', 'amount', '-amount', 'balance', '-balance', 'name', '-name'] as const

const STATES = [
  { value: 'vivas', label: 'Vivas' },
  { value: 'usadas', label: 'Usadas' },
] as const

/** Tarjetas de regalo: buyers, balances, and what the studio owes in all. */
export default function GiftCards() {
  const site = useSite()
  const table = useTableQuery(['estado', 'orden'])
  const { estado } = table.filters
  const state = estado === 'usadas' ? ('spent' as const) : estado === 'vivas' ? ('live' as const) : undefined
  const head = tableOrder(table, SORTS, '-created')
  const all = { sort: head.sort, ...(table.q ? { query: table.q.slice(0, 60) } : {}), ...(state ? { state } : {}) }
  const panel = useDialogParam(['tarjeta'] as const)
  const list = useQuery({
    ...queries.giftCards.list.queryOptions({
      input: { page: table.page, ...all },
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
  const { gift_cards = [], total = 0, liability } = list.data ?? {}
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'date')
  const name = (row: GiftCard) => (
    <button type="button" className="link link-alone strong" onClick={() => panel.show('tarjeta', row.gift_card_id)}>
      Termina en {row.last_four}
    </button>
  )
  const allColumns: readonly KeyedColumn<GiftCard>[] = [
    { key: 'tarjeta', header: 'Tarjeta', cell: name },
    { key: 'comprador', ...sortHead<GiftCard>({ header: 'La compró', by: 'name', ...head }), cell: buyer },
    { key: 'para', header: 'Para quién', cell: (row) => row.delivery?.name ?? '—' },
    { key: 'enviada', header: 'Enviada', cell: (row) => (row.delivery ? sentText(row.delivery, site.zone) : '—') },
    { key: 'fecha', ...sortHead<GiftCard>({ header: 'Fecha', by: 'created', first: 'down', ...head }), cell: (row) => at(row.createdAt) },
    {
      key: 'valor',
      align: 'right',
      ...sortHead<GiftCard>({ header: 'Valor', by: 'amount', first: 'down', ...head }),
      cell: (row) => formatPesos(row.amount),
    },
    {
      key: 'saldo',
      align: 'right',
      ...sortHead<GiftCard>({ header: 'Saldo', by: 'balance', first: 'down', ...head }),
      cell: (row) => formatPesos(row.balance),
    },
  ]
  const { columns, chooser } = useChosenColumns('tarjetas', allColumns)
  return (
    <>
      <ScreenHead title="Tarjetas de regalo" about={liability ? `Por usar: ${formatPesos(liability)}` : ' '} />
      <DataTable
        caption="Tarjetas de regalo"
        list="tarjetas"
        query={list}
        table={table}
        searchLabel="Quien la compró o final del código"
        filters={
          <>
            <ChipSelect label="Cuáles" all="Todas" options={STATES} value={estado} onChange={(value) => table.setFilter('estado', value)} />
            {chooser}
            <ExportMenu load={(format) => api.listExports.giftCards({ ...all, format })} />
          </>
        }
        columns={columns}
        rows={gift_cards}
        rowKey={(row) => row.gift_card_id}
        card={(row) => (
          <>
            <span className="row spread">
              {name(row)}
              <span className="strong">{formatPesos(row.balance)}</span>
            </span>
            <p className="small muted">
              {buyer(row)} · {at(row.createdAt)} · vale {formatPesos(row.amount)}
              {row.delivery?.name && ` · para ${row.delivery.name}`}
            </p>
          </>
        )}
        totals={total === 1 ? '1 tarjeta' : `${total.toLocaleString('es-MX')} tarjetas`}
        pages={list.data && pageCount(total, GIFT_CARDS_PER_PAGE)}
        failed="No pudimos cargar las tarjetas de regalo."
        empty={<EmptyState next={{ label: 'Nueva venta', to: adminPaths.newSale }}>Todavía no vendes tarjetas de regalo.</EmptyState>}
      />
      {panel.open && <GiftCardPanel key={panel.open.id} gift_card_id={panel.open.id} onClose={panel.close} />}
    </>
  )
}
