import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CounterOrder } from '#contract/counter-orders.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatMoney } from '#contract/money.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { type BasketItem, type BasketPayment, classItem, stillOpen, withItem } from '#web/features/admin/counter/basket.ts'
import { BuyerPanel } from '#web/features/admin/counter/buyer-panel.tsx'
import { OfferPanel } from '#web/features/admin/counter/offer-panel.tsx'
import type { OnlinePayment } from '#web/features/admin/counter/online-payment.tsx'
import { OrderPanel } from '#web/features/admin/counter/order-panel.tsx'
import { PayPanel } from '#web/features/admin/counter/pay-panel.tsx'
import type { Owing } from '#web/features/admin/counter/payments-panel.tsx'
import { SaleItems } from '#web/features/admin/counter/sale-items.tsx'
import { type BookedClass, SoldPanel } from '#web/features/admin/counter/sold-panel.tsx'
import { useBuyer } from '#web/features/admin/counter/use-buyer.ts'
import { useClassInAddress } from '#web/features/admin/counter/use-class-in-address.ts'
import { useCounterKeys } from '#web/features/admin/counter/use-counter-keys.ts'
import { useSale } from '#web/features/admin/counter/use-sale.ts'
import { useSaleQuote } from '#web/features/admin/counter/use-sale-quote.ts'
import { whyNotPay } from '#web/features/admin/counter/why-not-pay.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationChoices, useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
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
  const locations = useLocationChoices()
  const filter = useLocationFilter()
  const [chosen, setChosen] = useState(filter)
  const location_id = chosen ?? locations[0]?.location_id ?? null
  const [lines, setLines] = useState<BasketItem[]>([])
  const [payments, setPayments] = useState<BasketPayment[]>([])
  const [owing, setOwing] = useState<Owing | null>(null)
  const [online, setOnline] = useState<OnlinePayment | null>(null)
  const payPart = useRef<HTMLElement>(null)
  const offers = useRef<HTMLDivElement>(null)
  const { buyer, hasBuyer, sellsToPublic, mayBePublic, creating, ...choice } = useBuyer(lines)
  useClassInAddress((cls) => {
    setLines((before) => withItem(before, classItem(cls, `${formatWall(cls.class_date, 'class')} · ${cls.location.name}`)))
    setChosen(cls.location_id)
  })

  const methodsQuery = useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const methods = (methodsQuery.data?.payment_methods ?? []).filter(({ kind }) => kind !== 'online')
  const till = useQuery({
    ...queries.cashSessions.current.queryOptions({ input: { location_id: location_id ?? 0 }, meta: { handled: true } }),
    enabled: location_id !== null,
  })
  const session = till.data?.cash_session ?? null

  const { quote, total, refusal, sent, overLimit, setOverLimit, tried } = useSaleQuote({ lines, buyer, hasBuyer, location_id })
  const open = total === null ? null : stillOpen(total, payments)
  const sale = useSale({ lines, buyer, online, onSold, onOrdered, onRefused: () => void tried.refetch() })
  const { needsTerminalFields } = useStaff()
  const problem = whyNotPay({
    needsTerminalFields,
    lines,
    hasBuyer,
    buyer,
    total,
    open,
    payments,
    online,
    owing,
    isRefused: refusal !== null,
  })
  const send = () => {
    if (hasBuyer && location_id !== null && total !== null && problem === null)
      sale.send({ location_id, sent, payments, owing, total, open })
  }
  useCounterKeys(payPart, choice.reset)
  return (
    <div className="counter-parts">
      <BuyerPanel
        buyer={buyer}
        sellsToPublic={sellsToPublic}
        creating={creating}
        mayBePublic={mayBePublic}
        onPublic={choice.setPublic}
        onCreating={choice.setCreating}
        onChoose={choice.choose}
      />
      <div ref={offers} className="counter-offer stack gap-16" tabIndex={-1}>
        {locations.length > 1 && (
          <Segmented
            label="Estudio"
            options={locations.map((location) => ({ value: String(location.location_id), label: location.name }))}
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
          <SaleItems
            lines={lines}
            quote={quote}
            refusal={refusal}
            onChange={setLines}
            overLimit={overLimit}
            onOverLimit={setOverLimit}
            onOthers={() => {
              offers.current?.scrollIntoView({ block: 'start' })
              offers.current?.focus({ preventScroll: true })
            }}
          />
        )}
        {lines.length > 0 && hasBuyer && total !== null && (
          <PayPanel
            ref={payPart}
            lines={lines}
            quote={quote}
            buyer={buyer}
            total={total}
            open={open}
            methods={methods}
            payments={payments}
            owing={owing}
            online={online}
            onPayments={setPayments}
            onOwing={setOwing}
            onOnline={setOnline}
            onBuyer={choice.choose}
          >
            {sale.refusals.map(
              ({ of, error }) =>
                error && (
                  <CounterRefusal key={of} error={error} location_id={location_id} onOpened={() => void till.refetch().then(send)} />
                ),
            )}
            <Button full loading={sale.isPending || tried.isFetching} reason={problem} onClick={send}>
              {online?.by === 'link' ? 'Crear enlace de' : 'Cobrar'}{' '}
              {formatMoney(online?.by === 'link' ? Math.max(0, open ?? total) : total)}
            </Button>
          </PayPanel>
        )}
        {(lines.length === 0 || !hasBuyer) && (
          <p className="small muted">{lines.length === 0 ? 'Elige qué se vende y a quién.' : 'Elige al cliente para cobrar.'}</p>
        )}
      </div>
    </div>
  )
}
