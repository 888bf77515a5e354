/** The parts of Por cobrar. Each reads its own pages, and shows what is received at the location of the top bar. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { COUNTER_ORDERS_PER_PAGE, type CounterOrder } from '#contract/counter-orders.ts'
import { COUNTER_SALES_PER_PAGE, type CounterSale } from '#contract/counter-sales.ts'
import type { ListedReservation } from '#contract/front-desk.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { STUDIO_SALES_PER_PAGE, type StudioPurchase } from '#contract/studio-sales.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { debtText, itemsText } from './sale-text.ts'
import { countText, customerText, OrderLink, SaleLink } from './sales-parts.tsx'

interface Transfer {
  sale: CounterSale
  payment: CounterSale['payments'][number]
  invoice_id: number
}

/** What is being received, confirmed, rejected, sent or given up. */
export type Receivable =
  | { what: 'paid'; purchase: StudioPurchase }
  | { what: 'debt'; sale: CounterSale }
  | { what: 'reservation'; reservation: ListedReservation }
  | { what: 'link' | 'end'; order: CounterOrder }
  | { what: 'confirm' | 'reject'; transfer: Transfer }

interface ReceivablePartProps {
  onShow: (receivable: Receivable) => void
}

/** Owed places of every day are listed from here. */
const FIRST_DAY = '2000-01-01'
const options = { meta: { handled: true } }

/** The page of a part, and the location whose money it shows. Another location begins at the first page. */
function usePart() {
  const location_id = useLocationFilter()
  const [at, setAt] = useState({ page: 1, location_id })
  const page = at.location_id === location_id ? at.page : 1
  return {
    page,
    onPage: (next: number) => setAt({ page: next, location_id }),
    input: { page, ...(location_id === null ? {} : { location_id }) },
    hasLocation: location_id !== null,
  }
}

export function CashOrders({ onShow }: ReceivablePartProps) {
  const staff = useStaff()
  const { input, hasLocation, ...paging } = usePart()
  const cash = useQuery({
    ...queries.studioSales.purchases.queryOptions({
      input: { ...input, ...(hasLocation ? { with_online: true } : {}), status: ['pending'], gateway: 'efectivo' },
      ...options,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Part
      id="efectivo"
      title="Órdenes en efectivo"
      query={cash}
      total={cash.data?.total}
      perPage={STUDIO_SALES_PER_PAGE}
      {...paging}
      rows={cash.data?.purchases ?? []}
      empty="Nadie debe una orden en efectivo."
    >
      {(row) => (
        <Item
          key={row.purchase_id}
          lead={<OrderLink purchase_id={row.purchase_id} alone />}
          text={`${customerText(row)} · ${row.title}`}
          detail={formatWall(row.created_date, 'class')}
          amount={row.amount_due}
        >
          {may(staff, 'sales.sell') && (
            <Button size="small" onClick={() => onShow({ what: 'paid', purchase: row })}>
              Cobrar
            </Button>
          )}
        </Item>
      )}
    </Part>
  )
}

/** Places that were booked to be paid at the studio (R22), also those of past classes. */
export function OwedReservations({ onShow }: ReceivablePartProps) {
  const { input, hasLocation: _, ...paging } = usePart()
  const owed = useQuery({
    ...queries.frontDesk.reservations.queryOptions({ input: { ...input, only: 'owed', from: FIRST_DAY }, ...options }),
    placeholderData: keepPreviousData,
  })
  return (
    <Part
      id="lugares"
      title="Lugares por cobrar"
      query={owed}
      total={owed.data?.total}
      pages={owed.data?.pages}
      {...paging}
      rows={owed.data?.class_reservations ?? []}
      empty="Nadie debe un lugar en una clase."
    >
      {(row) => (
        <Item
          key={row.class_reservation_id}
          lead={
            <AppLink className="link link-alone strong" to={adminPaths.reservationDetails(row.class_reservation_id)}>
              {row.class.class_type}
            </AppLink>
          }
          text={[customerText({ customer: row }), row.guest].filter(Boolean).join(' · ')}
          detail={`${formatWall(row.class.class_date, 'class')} · ${row.class.location}`}
          amount={row.owed}
        >
          {row.owed !== null && (
            <Button size="small" onClick={() => onShow({ what: 'reservation', reservation: row })}>
              Cobrar
            </Button>
          )}
        </Item>
      )}
    </Part>
  )
}

export function Transfers({ onShow }: ReceivablePartProps) {
  const site = useSite()
  const { input, hasLocation: _, ...paging } = usePart()
  const sent = useQuery({
    ...queries.counterSales.list.queryOptions({ input: { ...input, state: 'pending' }, ...options }),
    placeholderData: keepPreviousData,
  })
  const transfers = (sent.data?.sales ?? []).flatMap((sale) =>
    sale.payments.flatMap((payment) => {
      const [invoice_id] = payment.invoice_ids
      return payment.state === 'pending' && invoice_id !== undefined ? [{ sale, payment, invoice_id }] : []
    }),
  )
  return (
    <Part
      id="transferencias"
      title="Transferencias por confirmar"
      query={sent}
      total={sent.data?.total}
      counted={['venta', 'ventas']}
      perPage={COUNTER_SALES_PER_PAGE}
      {...paging}
      rows={transfers}
      empty="No hay transferencias por confirmar."
    >
      {(row) => (
        <Item
          key={row.invoice_id}
          lead={<SaleLink sale={row.sale} />}
          text={customerText(row.sale)}
          detail={[formatInstant(new Date(row.payment.createdAt), site.zone, 'class'), row.payment.reference].filter(Boolean).join(' · ')}
          amount={row.payment.amount}
        >
          <Button size="small" variant="outline" onClick={() => onShow({ what: 'reject', transfer: row })}>
            No llegó
          </Button>
          <Button size="small" onClick={() => onShow({ what: 'confirm', transfer: row })}>
            Confirmar
          </Button>
        </Item>
      )}
    </Part>
  )
}

export function SentLinks({ onShow }: ReceivablePartProps) {
  const site = useSite()
  const { input, hasLocation: _, ...paging } = usePart()
  const links = useQuery({ ...queries.counterOrders.list.queryOptions({ input, ...options }), placeholderData: keepPreviousData })
  return (
    <Part
      id="enlaces"
      title="Enlaces de pago"
      query={links}
      total={links.data?.total}
      perPage={COUNTER_ORDERS_PER_PAGE}
      {...paging}
      rows={links.data?.orders ?? []}
      empty="Nadie tiene un enlace por pagar."
    >
      {(row) => (
        <Item
          key={row.purchase.purchase_id}
          lead={<OrderLink purchase_id={row.purchase.purchase_id} alone />}
          text={`${customerText(row.purchase)} · ${itemsText(row.lines)}`}
          detail={row.link ? `Vence el ${formatInstant(new Date(row.link.until), site.zone, 'class')}` : ''}
          amount={row.charge}
        >
          <Button size="small" variant="outline" onClick={() => onShow({ what: 'end', order: row })}>
            Cancelar
          </Button>
          <Button size="small" onClick={() => onShow({ what: 'link', order: row })}>
            Enviar
          </Button>
        </Item>
      )}
    </Part>
  )
}

export function CounterDebts({ onShow }: ReceivablePartProps) {
  const { input, hasLocation: _, ...paging } = usePart()
  const owed = useQuery({
    ...queries.counterSales.list.queryOptions({ input: { ...input, state: 'owed' }, ...options }),
    placeholderData: keepPreviousData,
  })
  return (
    <Part
      id="adeudos"
      title="Adeudos"
      query={owed}
      total={owed.data?.total}
      perPage={COUNTER_SALES_PER_PAGE}
      {...paging}
      rows={owed.data?.sales ?? []}
      empty="Nadie quedó a deber."
    >
      {(row) => (
        <Item key={row.sale_id} lead={<SaleLink sale={row} />} text={customerText(row)} detail={debtText(row)} amount={row.owed}>
          <Button size="small" onClick={() => onShow({ what: 'debt', sale: row })}>
            Cobrar
          </Button>
        </Item>
      )}
    </Part>
  )
}

export function OverdueRenewals() {
  const { input, hasLocation, ...paging } = usePart()
  const overdue = useQuery({
    ...queries.studioSales.purchases.queryOptions({
      input: { ...input, ...(hasLocation ? { with_online: true } : {}), past_due: true },
      ...options,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Part
      id="renovaciones"
      title="Renovaciones atrasadas"
      query={overdue}
      total={overdue.data?.total}
      perPage={STUDIO_SALES_PER_PAGE}
      {...paging}
      rows={overdue.data?.purchases ?? []}
      empty="Todas las renovaciones pasaron."
    >
      {(row) => (
        <Item
          key={row.purchase_id}
          lead={<OrderLink purchase_id={row.purchase_id} alone />}
          text={`${customerText(row)} · ${row.title}`}
          detail={row.payment_method?.name ?? ''}
          amount={row.next_charge?.amount ?? row.total_payment}
        >
          <Button as={AppLink} to={adminPaths.sale(row.purchase_id)} size="small" variant="outline">
            Abrir
          </Button>
        </Item>
      )}
    </Part>
  )
}

interface PartProps<T> {
  id: string
  title: string
  query: Parameters<typeof Loaded>[0]['query'] & { isSuccess: boolean; isFetching: boolean }
  total: number | undefined
  /** What `total` counts. */
  counted?: readonly [one: string, several: string]
  /** Rows per page, where the response has no number of pages. */
  perPage?: number
  pages?: number | undefined
  page: number
  onPage: (page: number) => void
  rows: readonly T[]
  empty: string
  children: (row: T) => ReactNode
}

function Part<T>({ id, title, query, total = 0, counted, perPage = 1, pages, page, onPage, rows, empty, children }: PartProps<T>) {
  const [singular, several] = counted ?? ['pendiente', 'pendientes']
  const last = pages ?? pageCount(total, perPage)
  // The last page became empty: its rows were received.
  useEffect(() => {
    if (query.isSuccess && !query.isFetching && page > 1 && page > last) onPage(Math.max(1, last))
  }, [query.isSuccess, query.isFetching, page, last, onPage])
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {title}
        </h2>
        {total > 0 && <span className="small muted">{countText(total, singular, several)}</span>}
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={2} />}
        failed={`No pudimos cargar: ${title.toLowerCase()}.`}
        nothing={rows.length === 0 && page === 1 && <p className="panel-body muted">{empty}</p>}
      >
        <ul className="charge-list">{rows.map(children)}</ul>
        <Pager page={page} pages={last} onPage={onPage} label={`Páginas de ${title.toLowerCase()}`} />
      </Loaded>
    </section>
  )
}

interface ItemProps {
  lead: ReactNode
  text: string
  detail: string
  /** null: no price is set for it */
  amount: string | null
  children: ReactNode
}

function Item({ lead, text, detail, amount, children }: ItemProps) {
  return (
    <li className="receivable">
      <span className="grow">
        {lead}
        <span>{text}</span>
        {detail && <span className="small muted">{detail}</span>}
      </span>
      <span className="row-money">{amount === null ? '—' : formatPesos(amount)}</span>
      <span className="row gap-8 wraps">{children}</span>
    </li>
  )
}
