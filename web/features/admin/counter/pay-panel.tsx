import type { ReactNode, RefObject } from 'react'
import type { CounterSale } from '#contract/counter-sales.ts'
import type { Centavos } from '#contract/money.ts'
import { formatMoney } from '#contract/money.ts'
import { type BasketItem, type BasketPayment, creditsUsedText, givenTexts } from '#web/features/admin/counter/basket.ts'
import {
  EmailForOnline,
  isOnePackage,
  OnlineButtons,
  type OnlinePayment,
  OnlineRow,
  whyNotOnline,
} from '#web/features/admin/counter/online-payment.tsx'
import { type Owing, PaymentsPanel } from '#web/features/admin/counter/payments-panel.tsx'
import { may, type Staff, useStaff } from '#web/features/admin/frame/staff.tsx'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import type { CounterMethod } from './payments-panel.tsx'

interface PayPanelProps {
  ref: RefObject<HTMLElement | null>
  lines: readonly BasketItem[]
  quote: CounterSale | null
  buyer: FoundCustomer | null
  total: Centavos
  /** What is not paid yet, in centavos; null while a payment cannot be read. */
  open: Centavos | null
  methods: readonly CounterMethod[]
  payments: readonly BasketPayment[]
  onPayments: (payments: BasketPayment[]) => void
  owing: Owing | null
  onOwing: (owing: Owing | null) => void
  online: OnlinePayment | null
  onOnline: (online: OnlinePayment | null) => void
  onBuyer: (buyer: FoundCustomer) => void
  /** Why it could not be paid, and the button that pays. */
  children: ReactNode
}

/** Cómo paga: payments at the desk or online, a debt, and what the customer gets. */
export function PayPanel(props: PayPanelProps) {
  const { ref, lines, quote, buyer, total, open, methods, payments, onPayments, owing, onOwing, online, onOnline, onBuyer, children } =
    props
  const staff = useStaff()
  const sellsGiftCard = lines.some(({ kind }) => kind === 'gift_card')
  return (
    <section ref={ref} className="panel-card panel-body stack gap-16" aria-labelledby="como-paga">
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
          onRemove={() => onOnline(null)}
        />
      )}
      {online && buyer && buyer.email === null && <EmailForOnline customer={buyer} onSaved={(email) => onBuyer({ ...buyer, email })} />}
      <PaymentsPanel
        total={total}
        methods={online?.by === 'link' ? [] : methods}
        payments={payments}
        takesGiftCards={!sellsGiftCard}
        onChange={onPayments}
        owing={online ? null : owing}
        onOwe={buyer && !online && !sellsGiftCard && mayLetOwe(staff) ? onOwing : null}
        more={
          buyer && !online && !owing && (open ?? 0) > 0 && whyNotOnline(lines) === null ? (
            <OnlineButtons
              customer_id={buyer.customer_id}
              takesLinks={payments.every(({ kind }) => kind === 'gift_card')}
              onChoose={onOnline}
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
      {buyer && <GivenCredits lines={lines} quote={quote} buyer={buyer} />}
      {children}
    </section>
  )
}

/** What each person gets from the sale, and until when it is valid. */
function GivenCredits({ lines, quote, buyer }: { lines: readonly BasketItem[]; quote: CounterSale | null; buyer: FoundCustomer }) {
  const site = useSite()
  const gives = (quote?.lines ?? []).flatMap(({ gives, gift_to }) => (gives ? [{ ...gives, name: gift_to?.name ?? buyer.name }] : []))
  if (gives.length === 0) return null
  return (
    <Banner tone="brand">
      {givenTexts(gives, site.zone)
        .concat(creditsUsedText(lines) ?? [])
        .join(' ')}
    </Banner>
  )
}

/** As the server decides (S3): a debt is a price below which only managers may go without a limit. */
const mayLetOwe = (staff: Staff): boolean => (staff.role === 'owner' || staff.role === 'manager') && may(staff, 'sales.discount_free')
