import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { GIFT_CARDS_PER_PAGE, type GiftCard } from '#contract/gift-cards.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant } from '#contract/time.ts'
import { GiftCardPanel } from '#web/features/admin/counter/gift-card-panel.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { useLastPage, useListPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Tarjetas de regalo' }

const buyer = ({ customer }: GiftCard): string => (customer ? `${customer.name} ${customer.last_name}`.trim() : 'Público en general')

/** Tarjetas de regalo: who bought them, what is left of them, and what the studio owes in all. */
export default function GiftCards() {
  const site = useSite()
  const [page, turnTo] = useListPage()
  const panel = useDialogParam(['tarjeta'] as const)
  const list = useQuery({
    ...queries.giftCards.list.queryOptions({ input: { page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.gift_cards ?? []
  const pages = pageCount(list.data?.total ?? 0, GIFT_CARDS_PER_PAGE)
  useLastPage(page, list.data && !list.isPlaceholderData ? pages : undefined)
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'date')
  const name = (row: GiftCard) => (
    <button type="button" className="link strong" onClick={() => panel.show('tarjeta', row.gift_card_id)}>
      Termina en {row.last_four}
    </button>
  )
  const columns: readonly Column<GiftCard>[] = [
    { header: 'Tarjeta', cell: name },
    { header: 'La compró', cell: buyer },
    { header: 'Fecha', cell: (row) => at(row.createdAt) },
    { header: 'Valor', cell: (row) => formatPesos(row.amount) },
    { header: 'Saldo', cell: (row) => formatPesos(row.balance) },
  ]
  return (
    <>
      <ScreenHead title="Tarjetas de regalo" about={list.data?.liability ? `Por usar: ${formatPesos(list.data.liability)}` : ' '}>
        {list.data && <Pager page={page} pages={pages} onPage={turnTo} />}
      </ScreenHead>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={6} />}
        failed="No pudimos cargar las tarjetas de regalo."
        nothing={
          rows.length === 0 && (
            <EmptyState way={{ label: 'Nueva venta', to: adminPaths.newSale }}>Todavía no vendes tarjetas de regalo.</EmptyState>
          )
        }
      >
        <Table
          caption="Tarjetas de regalo"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.gift_card_id}
          card={(row) => (
            <>
              <span className="row spread">
                {name(row)}
                <span className="strong">{formatPesos(row.balance)}</span>
              </span>
              <p className="small muted">
                {buyer(row)} · {at(row.createdAt)} · vale {formatPesos(row.amount)}
              </p>
            </>
          )}
        />
      </Loaded>
      {panel.open && <GiftCardPanel key={panel.open.id} gift_card_id={panel.open.id} onClose={panel.close} />}
    </>
  )
}
