import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { spotName } from '#contract/copy/names.ts'
import type { CounterOrder } from '#contract/counter-orders.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatMoney, parsePesos } from '#contract/money.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import {
  type BasketItem,
  type BasketPayment,
  changeOf,
  classItem,
  creditsUsedText,
  itemsSent,
  needsNoCustomer,
  paymentsSent,
  reductionProblem,
  stillOpen,
  withItem,
} from '#web/features/admin/counter/basket.ts'
import { BasketPanel } from '#web/features/admin/counter/basket-panel.tsx'
import { OfferPanel } from '#web/features/admin/counter/offer-panel.tsx'
import {
  EmailForOnline,
  isOnePackage,
  OnlineButtons,
  type OnlinePayment,
  OnlineRow,
  whyNotBeside,
  whyNotOnline,
} from '#web/features/admin/counter/online-payment.tsx'
import { OrderPanel } from '#web/features/admin/counter/order-panel.tsx'
import { type Owing, PaymentsPanel } from '#web/features/admin/counter/payments-panel.tsx'
import { type BookedClass, SoldPanel } from '#web/features/admin/counter/sold-panel.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationChoices, useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { DocumentsToAccept } from '#web/features/admin/people/documents-to-accept.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import '#web/features/admin/counter/counter.css'

export const handle: AdminHandle = { title: 'Nueva venta', detail: true }

/** Nueva venta: the counter sale: basket, buyer and payments. A class in the basket is booked with the sale. */
export default function NewSale() {
  const [sold, setSold] = useState<{
    sale: CounterSale
    phone: string | null
    classes: BookedClass[]
  } | null>(null)
  const [ordered, setOrdered] = useState<{ order: CounterOrder; byCard: boolean; phone: string | null } | null>(null)
  const [round, setRound] = useState(0)
  const onAgain = () => {
    setSold(null)
    setOrdered(null)
    setRound(round + 1)
  }
  return (
    <>
      <ScreenHead title="Nueva venta" />
      {sold ? (
        <SoldPanel {...sold} onAgain={onAgain} />
      ) : ordered ? (
        <OrderPanel {...ordered} onAgain={onAgain} />
      ) : (
        <Counter
          key={round}
          onSold={(sale, phone, classes) => setSold({ sale, phone, classes })}
          onOrdered={(order, byCard, phone) => setOrdered({ order, byCard, phone })}
        />
      )}
    </>
  )
}

interface CounterProps {
  onSold: (sale: CounterSale, phone: string | null, classes: BookedClass[]) => void
  onOrdered: (order: CounterOrder, byCard: boolean, phone: string | null) => void
}

function Counter({ onSold, onOrdered }: CounterProps) {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const [address] = useSearchParams()
  const locations = useLocationChoices()
  const filter = useLocationFilter()
  const [chosen, setChosen] = useState(filter)
  const location_id = chosen ?? locations[0]?.location_id ?? null
  const [lines, setLines] = useState<BasketItem[]>([])
  const [customer, setCustomer] = useState<FoundCustomer | null>(null)
  const [creating, setCreating] = useState<string | null>(null)
  const [isPublic, setIsPublic] = useState(false)
  const [payments, setPayments] = useState<BasketPayment[]>([])
  const [owing, setOwing] = useState<Owing | null>(null)
  const [online, setOnline] = useState<OnlinePayment | null>(null)
  const [overLimit, setOverLimit] = useState('')
  const [isOverLimit, setIsOverLimit] = useState(false)
  const payPart = useRef<HTMLElement>(null)

  const customerInAddress = address.get('cliente')
  const before = useQuery({
    ...queries.people.find.queryOptions({ input: { customer_id: customerInAddress ?? '' }, meta: { handled: true } }),
    enabled: customerInAddress !== null && /^\d+$/.test(customerInAddress),
  })
  const buyer =
    customer ?? (creating === null && before.data ? { ...before.data.customer, phone: before.data.customer.phone ?? null } : null)

  // Products and other items are sold without a customer too (Público en general).
  const sellsToPublic = isPublic && !buyer && needsNoCustomer(lines)
  const hasBuyer = buyer !== null || sellsToPublic
  const classInAddress = address.get('clase')
  const cls = useQuery({
    ...queries.schedule.one.queryOptions({ input: { single_class_id: classInAddress ?? '' }, meta: { handled: true } }),
    enabled: classInAddress !== null && /^\d+$/.test(classInAddress),
  }).data?.single_class
  const isAdded = useRef(false)
  useEffect(() => {
    if (!cls || isAdded.current) return
    isAdded.current = true
    setLines((before) => withItem(before, classItem(cls, `${formatWall(cls.class_date, 'class')} · ${cls.location.name}`)))
    setChosen(cls.location_id)
  }, [cls])

  const methodsQuery = useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const methods = (methodsQuery.data?.payment_methods ?? []).filter(({ kind }) => kind !== 'online')
  const till = useQuery({
    ...queries.cashSessions.current.queryOptions({ input: { location_id: location_id ?? 0 }, meta: { handled: true } }),
    enabled: location_id !== null,
  })
  const session = till.data?.cash_session ?? null

  const sent = itemsSent(lines, isOverLimit && overLimit.trim().length >= 3 ? overLimit.trim() : null)
  const tried = useQuery({
    ...queries.counterSales.sell.queryOptions({
      input: { customer_id: buyer?.customer_id ?? null, location_id: location_id ?? 0, lines: sent, dry_run: true },
      staleTime: 0,
      meta: { handled: true },
    }),
    enabled: hasBuyer && location_id !== null && lines.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isQuoted = hasBuyer && lines.length > 0 && tried.data !== undefined && !tried.isError
  const quote = isQuoted ? tried.data.sale : null
  const refusal = lines.length > 0 && tried.isError ? failureOf(tried.error) : null
  useEffect(() => {
    if (refusal?.code === 'OVER_LIMIT_REASON') setIsOverLimit(true)
  }, [refusal?.code])

  const total = quote ? parsePesos(quote.total) : null
  const open = total === null ? null : stillOpen(total, payments)
  const sell = useIdempotentMutation(api.counterSales.sell, {
    onSuccess({ sale, class_reservations }) {
      showAlert('success', 'Venta registrada.')
      for (const part of [
        queries.studioSales,
        queries.cashSessions,
        queries.schedule,
        queries.attendance,
        queries.credits,
        queries.products,
        queries.giftCards,
      ])
        void client.invalidateQueries({ queryKey: part.key() })
      const booked = class_reservations.length > 0 ? lines.filter(({ kind }) => kind === 'class') : []
      onSold(
        sale,
        buyer?.phone ?? null,
        booked.flatMap(({ single_class_id, title, detail, spot }) =>
          single_class_id ? [{ single_class_id, title, about: [detail, spot && spotName(spot)].filter(Boolean).join(' · ') }] : [],
        ),
      )
    },
    onError: () => void tried.refetch(),
  })
  const order = useIdempotentMutation(api.counterOrders.open, {
    onSuccess(answer) {
      for (const part of [
        queries.studioSales,
        queries.counterOrders,
        queries.cashSessions,
        queries.credits,
        queries.products,
        queries.giftCards,
      ])
        void client.invalidateQueries({ queryKey: part.key() })
      onOrdered(answer, online?.by === 'card', buyer?.phone ?? null)
    },
    onError: () => void tried.refetch(),
  })
  const send = () => {
    if (!hasBuyer || location_id === null || total === null || problem) return
    if (online && buyer) {
      order.mutate({
        ...{ customer_id: buyer.customer_id, location_id, lines: sent, shown: { total: (total / 100).toFixed(2) } },
        payments: paymentsSent(payments),
        ...(online.by === 'card' ? { payment_source_id: online.payment_source_id } : {}),
      })
      return
    }
    sell.mutate({
      ...{ customer_id: buyer?.customer_id ?? null, location_id, lines: sent, payments: paymentsSent(payments) },
      ...(owing && open !== null && open > 0 ? { owe: { until: owing.until, reason: owing.reason.trim() } } : {}),
      shown: { total: (total / 100).toFixed(2) },
    })
  }

  const problem =
    lines.length === 0
      ? 'Agrega lo que se vende.'
      : !hasBuyer
        ? 'Elige al cliente.'
        : lines.some(({ gift }) => gift === 'choosing')
          ? 'Elige para quién es el regalo.'
          : lines.some(({ reduction }) => reduction && reductionProblem(reduction))
            ? 'Completa el descuento o quítalo.'
            : total === null
              ? refusal
                ? 'Corrige la venta.'
                : 'Calculando…'
              : payments.some(({ kind, code }) => kind === 'gift_card' && !code?.trim())
                ? 'Escribe el código de la tarjeta de regalo.'
                : payments.some((one) => changeOf(one) === null) || open === null
                  ? 'Revisa las cantidades de los pagos.'
                  : open < 0
                    ? `Sobran ${formatMoney(-open)}.`
                    : online
                      ? buyer?.email === null
                        ? 'Escribe el correo del cliente.'
                        : (whyNotOnline(lines) ?? whyNotBeside(online, payments, open))
                      : open > 0 && !owing
                        ? `Faltan ${formatMoney(open)}.`
                        : open > 0 && (!owing?.until || owing.reason.trim().length < 3)
                          ? 'Escribe hasta cuándo y por qué queda a deber.'
                          : null

  // Shortcuts: F2 searches for the customer, F4 goes to the payment.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F2') {
        event.preventDefault()
        setCustomer(null)
        document.querySelector<HTMLInputElement>('#vender-a input[type=search]')?.focus()
      }
      if (event.key === 'F4') {
        event.preventDefault()
        payPart.current?.querySelector<HTMLElement>('button, input')?.focus()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  const gives = (quote?.lines ?? []).flatMap(({ gives, gift_to }) =>
    gives ? [{ ...gives, name: gift_to?.name ?? buyer?.name ?? '' }] : [],
  )
  return (
    <div className="counter-parts">
      <section id="vender-a" className="panel-card panel-body stack gap-12" aria-label="Cliente">
        {buyer ? (
          <div className="basket-row">
            <Avatar name={`${buyer.name} ${buyer.last_name}`} size={44} />
            <span className="grow">
              <span className="strong">
                {buyer.name} {buyer.last_name}
              </span>
              <span className="small muted">{[buyer.phone, buyer.email].filter(Boolean).join(' · ')}</span>
            </span>
            <button
              type="button"
              className="link link-alone"
              onClick={() => {
                setCustomer(null)
                setCreating('')
              }}
            >
              Cambiar
            </button>
          </div>
        ) : creating ? (
          <NewCustomer
            typed={creating}
            onMade={(made) => {
              setCustomer(made)
              setCreating('')
            }}
            onBack={() => setCreating('')}
          />
        ) : sellsToPublic ? (
          <div className="basket-row">
            <span className="grow strong">Público en general</span>
            <button type="button" className="link link-alone" onClick={() => setIsPublic(false)}>
              Elegir cliente
            </button>
          </div>
        ) : (
          <>
            <CustomerSearch onChoose={setCustomer} onCreate={setCreating} />
            {lines.length > 0 && needsNoCustomer(lines) && (
              <button type="button" className="link link-alone" onClick={() => setIsPublic(true)}>
                Vender a público en general
              </button>
            )}
          </>
        )}
        {buyer && (
          <DocumentsToAccept
            key={buyer.customer_id}
            customer_id={buyer.customer_id}
            name={buyer.name}
            mayAccept={may(staff, 'customers.edit')}
          />
        )}
      </section>
      <div className="counter-offer stack gap-16">
        {locations.length > 1 && (
          <Segmented
            label="Estudio"
            options={locations.map((one) => ({ value: String(one.location_id), label: one.name }))}
            value={location_id === null ? '' : String(location_id)}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
        {session && (
          <p className="small muted">
            Caja de {session.location.name} abierta desde {formatInstant(new Date(session.openedAt), site.zone, 'class')}
          </p>
        )}
        <OfferPanel location_id={location_id} lines={lines} onAdd={(line) => setLines(withItem(lines, line))} />
      </div>
      <div className="counter-side">
        {lines.length > 0 && (
          <section className="panel-card panel-body stack gap-16" aria-labelledby="en-la-venta">
            <h2 id="en-la-venta" className="t3">
              En la venta
            </h2>
            <BasketPanel lines={lines} quote={quote} onChange={setLines} />
            {isOverLimit ? (
              <Banner tone="warn" live title={refusal?.code === 'OVER_LIMIT_REASON' ? refusal.message : 'Se vende por encima del límite.'}>
                <TextField
                  label="Vender con motivo"
                  maxLength={300}
                  value={overLimit}
                  onChange={(event) => setOverLimit(event.currentTarget.value)}
                />
              </Banner>
            ) : (
              refusal && (
                <Banner tone="danger" live>
                  {refusal.message}
                </Banner>
              )
            )}
          </section>
        )}
        {lines.length > 0 && hasBuyer && total !== null && (
          <section ref={payPart} className="panel-card panel-body stack gap-16" aria-labelledby="como-paga">
            <div className="row spread">
              <h2 id="como-paga" className="t3">
                Cómo paga
              </h2>
              {open !== null && !online && (
                <span className="small muted">{open === 0 ? 'Completo' : open > 0 ? `Faltan ${formatMoney(open)}` : ''}</span>
              )}
            </div>
            {online && buyer && (
              <OnlineRow
                payment={online}
                charge={Math.max(0, open ?? total)}
                name={buyer.name}
                isRest={payments.length > 0}
                onRemove={() => setOnline(null)}
              />
            )}
            {online && buyer && buyer.email === null && (
              <EmailForOnline customer={buyer} onSaved={(email) => setCustomer({ ...buyer, email })} />
            )}
            <PaymentsPanel
              total={total}
              methods={online?.by === 'link' ? [] : methods}
              payments={payments}
              takesGiftCards={!lines.some(({ kind }) => kind === 'gift_card')}
              onChange={setPayments}
              owing={online ? null : owing}
              onOwe={
                buyer && !online && !lines.some(({ kind }) => kind === 'gift_card') && may(staff, 'sales.discount_free') ? setOwing : null
              }
              more={
                buyer && !online && !owing && (open ?? 0) > 0 && whyNotOnline(lines) === null ? (
                  <OnlineButtons
                    customer_id={buyer.customer_id}
                    takesLinks={payments.every(({ kind }) => kind === 'gift_card')}
                    onChoose={setOnline}
                  />
                ) : null
              }
            />
            {lines.some(({ renews }) => renews) && (
              <p className="small muted">
                {online && isOnePackage(lines) && payments.length === 0
                  ? 'Es una suscripción: se renueva sola con esa tarjeta hasta que la cancele.'
                  : 'Es una suscripción: pagada así se vende un solo periodo, sin renovación. Para que se renueve, usa solo su tarjeta guardada o un enlace.'}
              </p>
            )}
            {buyer && gives.length > 0 && (
              <Banner tone="brand">
                {gives
                  .map(({ class_amount, expires_at, name }) => {
                    const what = class_amount < 0 ? 'clases ilimitadas' : class_amount === 1 ? '1 clase' : `${class_amount} clases`
                    return `${name} tendrá ${what} ${expires_at ? `hasta el ${formatInstant(new Date(expires_at), site.zone, 'date')}` : 'desde su primera clase'}.`
                  })
                  .concat(creditsUsedText(lines) ?? [])
                  .join(' ')}
              </Banner>
            )}
            {sell.isError && (
              <CounterRefusal error={sell.error} location_id={location_id} onOpened={() => void till.refetch().then(send)} />
            )}
            {order.isError && (
              <CounterRefusal error={order.error} location_id={location_id} onOpened={() => void till.refetch().then(send)} />
            )}
            <Button full loading={sell.isPending || order.isPending || tried.isFetching} reason={problem} onClick={send}>
              {online?.by === 'link' ? 'Crear enlace de' : 'Cobrar'}{' '}
              {formatMoney(online?.by === 'link' ? Math.max(0, open ?? total) : total)}
            </Button>
          </section>
        )}
        {(lines.length === 0 || !hasBuyer) && (
          <p className="small muted">{lines.length === 0 ? 'Elige qué se vende y a quién.' : 'Elige al cliente para cobrar.'}</p>
        )}
      </div>
    </div>
  )
}
