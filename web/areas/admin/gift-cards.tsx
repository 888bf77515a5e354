import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { GIFT_CARDS_PER_PAGE, type GiftCard } from '#contract/gift-cards.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant } from '#contract/time.ts'
import { sentText } from '#web/features/admin/counter/gift-card-delivery.tsx'
import { GiftCardPanel } from '#web/features/admin/counter/gift-card-panel.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { pageIn, useLastPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Segmented } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Tarjetas de regalo' }

const buyer = ({ customer }: GiftCard): string => (customer ? `${customer.name} ${customer.last_name}`.trim() : 'Público en general')

/** Tarjetas de regalo: who bought them, what is left of them, and what the studio owes in all. */
export default function GiftCards() {
  const site = useSite()
  const [query, setQuery] = useSearchParams()
  const page = pageIn(query)
  const text = query.get('buscar') ?? ''
  const state = query.get('ver') === 'usadas' ? 'spent' : query.get('ver') === 'vivas' ? 'live' : undefined
  const isFiltered = text !== '' || state !== undefined
  const set = (change: Readonly<Record<string, string>>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [key, value] of Object.entries({ pagina: '', ...change })) {
          if (value) next.set(key, value)
          else next.delete(key)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const turnTo = (to: number) => set({ pagina: to > 1 ? String(to) : '' })
  const panel = useDialogParam(['tarjeta'] as const)
  const list = useQuery({
    ...queries.giftCards.list.queryOptions({
      input: { page, ...(text ? { query: text } : {}), ...(state ? { state } : {}) },
      meta: { handled: true },
    }),
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
    { header: 'Para quién', cell: (row) => row.delivery?.name ?? '' },
    { header: 'Enviada', cell: (row) => (row.delivery ? sentText(row.delivery, site.zone) : '') },
    { header: 'Fecha', cell: (row) => at(row.createdAt) },
    { header: 'Valor', cell: (row) => formatPesos(row.amount) },
    { header: 'Saldo', cell: (row) => formatPesos(row.balance) },
  ]
  return (
    <>
      <ScreenHead title="Tarjetas de regalo" about={list.data?.liability ? `Por usar: ${formatPesos(list.data.liability)}` : ' '}>
        {list.data && <Pager page={page} pages={pages} onPage={turnTo} />}
      </ScreenHead>
      <div className="row wraps gap-12 gift-card-filters">
        <TextField
          label="Buscar"
          type="search"
          required={false}
          hint="Quien la compró, o los últimos cuatro de su código."
          maxLength={60}
          value={text}
          onChange={(event) => set({ buscar: event.currentTarget.value })}
        />
        <Segmented
          label="Cuáles"
          options={[
            { value: '', label: 'Todas' },
            { value: 'vivas', label: 'Vivas' },
            { value: 'usadas', label: 'Usadas' },
          ]}
          value={state === 'spent' ? 'usadas' : state === 'live' ? 'vivas' : ''}
          onChange={(ver) => set({ ver })}
        />
      </div>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={6} />}
        failed="No pudimos cargar las tarjetas de regalo."
        nothing={
          rows.length === 0 &&
          (isFiltered ? (
            <EmptyState>Nada coincide con tu búsqueda.</EmptyState>
          ) : (
            <EmptyState way={{ label: 'Nueva venta', to: adminPaths.newSale }}>Todavía no vendes tarjetas de regalo.</EmptyState>
          ))
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
                {row.delivery?.name && ` · para ${row.delivery.name}`}
              </p>
            </>
          )}
        />
      </Loaded>
      {panel.open && <GiftCardPanel key={panel.open.id} gift_card_id={panel.open.id} onClose={panel.close} />}
    </>
  )
}
