import { orderNumber, paddedNumber } from '#contract/copy/order-number.ts'
import { CounterFacts } from '#web/features/admin/sales/counter-facts.tsx'
import '#web/features/admin/sales/sale.css'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos } from '#contract/money.ts'
import type { PlanChange, PurchaseGrants, Refund, StudioInvoice, StudioPurchase } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import { CREDIT_LOT_STATES, leftText } from '#web/features/admin/customers/credit-lot-text.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PlanChangeNote } from '#web/features/admin/sales/change-plan.tsx'
import { type PurchaseVerb, PurchaseVerbDialog, purchaseVerbs, VERB_LABELS } from '#web/features/admin/sales/purchase-verbs.tsx'
import { ReceiptDownload } from '#web/features/admin/sales/receipt-download.tsx'
import { RefundDialog, refundable } from '#web/features/admin/sales/refund-dialog.tsx'
import { SaleInvoices } from '#web/features/admin/sales/sale-invoices.tsx'
import { NoteDialog, NotePart } from '#web/features/admin/sales/sale-note.tsx'
import { SaleReceipt } from '#web/features/admin/sales/sale-receipt.tsx'
import { INVOICE_STATUS, invoiceStatusText } from '#web/features/admin/sales/sale-text.ts'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

export const handle: AdminHandle = { title: 'Venta', detail: true }

/** One sale: what was bought, charged and refunded, and the actions on it. */
export default function Sale() {
  const { purchase_id = '' } = useParams()
  const saleQuery = useQuery(
    queries.studioSales.purchase.queryOptions({ input: { purchase_id: Number(purchase_id) }, meta: { handled: true } }),
  )
  if (saleQuery.data) return <Shown {...saleQuery.data} />
  return (
    <>
      <ScreenHead title="Venta" />
      <Loading loading={saleQuery.isPending} skeleton={<ListSkeleton rows={3} />}>
        <NotLoaded query={saleQuery}>{toFailure(saleQuery.error).message}</NotLoaded>
      </Loading>
    </>
  )
}

interface ShownProps {
  purchase: StudioPurchase
  invoices: readonly StudioInvoice[]
  refunds: readonly Refund[]
  grants: PurchaseGrants
  plan_change: PlanChange | null
  sale_id: number | null
  note: string | null
}

function Shown({ purchase, invoices, refunds, grants, plan_change, sale_id, note }: ShownProps) {
  const staff = useStaff()
  const client = useQueryClient()
  const [verb, setVerb] = useState<PurchaseVerb | null>(null)
  const [refunding, setRefunding] = useState<StudioInvoice | null>(null)
  const [isWriting, setIsWriting] = useState(false)
  const onDone = () => {
    setVerb(null)
    setRefunding(null)
    setIsWriting(false)
    void client.invalidateQueries({ queryKey: queries.studioSales.key() })
    for (const queryKey of [queries.studioSubscriptions.key(), queries.credits.key(), queries.today.key()])
      void client.invalidateQueries({ queryKey })
  }
  const verbs = purchaseVerbs(purchase, staff)
  const returnable = may(staff, 'sales.refund') ? invoices.find((invoice) => refundable(invoice) > 0) : undefined
  useShortcuts('Venta', [
    returnable && { keys: 'd', label: 'Devolver', act: () => setRefunding(returnable) },
    verbs.includes('paid') && { keys: 'p', label: VERB_LABELS.paid, act: () => setVerb('paid') },
    { keys: 'i', label: 'Imprimir', act: () => window.print() },
  ])
  const customerName = `${purchase.customer.name} ${purchase.customer.last_name}`.trim()
  return (
    <>
      <ScreenHead
        title={orderNumber(purchase.purchase_id)}
        about={
          <span className="row gap-8 wraps">
            <PurchaseBadge purchase={purchase} /> {formatWall(purchase.created_date, 'class')}
          </span>
        }
      >
        <div className="row gap-8 wraps">
          {purchase.has_receipt && <ReceiptDownload purchase_id={purchase.purchase_id} />}
          {verbs.map((verb) => (
            <Button
              key={verb}
              size="small"
              variant={verb === 'paid' || verb === 'retry' ? 'filled' : 'outline'}
              onClick={() => setVerb(verb)}
            >
              {VERB_LABELS[verb]}
            </Button>
          ))}
          {may(staff, 'credits.edit') && purchase.class_amount !== 0 && purchase.customer.has_file && (
            <Button as={AppLink} to={`${adminPaths.customer(purchase.customer.customer_id)}?ver=creditos`} size="small" variant="outline">
              Extender
            </Button>
          )}
        </div>
      </ScreenHead>
      <div className="stack gap-16">
        {purchase.alarm && <Banner tone="danger">{purchase.alarm}</Banner>}
        {purchase.disputed && <Banner tone="warn">Un banco revisa uno de sus cargos: lo que dio está en pausa.</Banner>}
        {plan_change && <PlanChangeNote purchase={purchase} change={plan_change} onDone={onDone} />}
        {purchase.past_due && <Banner tone="warn">Una renovación no se pagó y se intenta de nuevo.</Banner>}
        {purchase.customer.has_file ? (
          <AppLink to={adminPaths.customer(purchase.customer.customer_id)} className="panel-card person-link">
            <Avatar name={customerName} size={44} />
            <span className="grow">
              <span className="strong">{customerName}</span>
              <span className="small muted">{purchase.customer.email}</span>
            </span>
            <IconChevronRight className="icon muted" aria-hidden="true" />
          </AppLink>
        ) : (
          <p className="panel-card person-link strong">{customerName}</p>
        )}
        <div className="sale-parts">
          <Bought purchase={purchase} />
          <Charges invoices={invoices} seesCounts={may(staff, 'cash.review')} onRefund={may(staff, 'sales.refund') ? setRefunding : null} />
        </div>
        {sale_id !== null && <CounterFacts sale_id={sale_id} />}
        <NotePart note={note} onWrite={() => setIsWriting(true)} />
        {may(staff, 'sales.invoice') && invoices.length > 0 && <SaleInvoices purchase_id={purchase.purchase_id} />}
        {refunds.length > 0 && <Refunds refunds={refunds} />}
        {grants.lots.length > 0 && <Grants purchase={purchase} grants={grants} />}
        {sale_id !== null && <SaleReceipt sale_id={sale_id} />}
        {may(staff, 'audit.read') && (
          <p>
            <AppLink to={`${adminPaths.audit}?que=purchase&cual=${purchase.purchase_id}`} className="link link-alone">
              Ver su bitácora
            </AppLink>
          </p>
        )}
      </div>
      {verb && <PurchaseVerbDialog verb={verb} purchase={purchase} onDone={onDone} onClose={() => setVerb(null)} />}
      {isWriting && <NoteDialog purchase_id={purchase.purchase_id} note={note} onDone={onDone} onClose={() => setIsWriting(false)} />}
      {refunding && <RefundDialog purchase={purchase} invoice={refunding} onDone={onDone} onClose={() => setRefunding(null)} />}
    </>
  )
}

function Bought({ purchase }: { purchase: StudioPurchase }) {
  const classes = purchase.class_amount
  return (
    <section className="panel-card" aria-labelledby="que-compro">
      <div className="panel-head">
        <h2 id="que-compro" className="t3">
          Qué compró
        </h2>
      </div>
      <div className="panel-body">
        <DefinitionList
          items={[
            ['Paquete', purchase.title],
            ['Se lo regaló', purchase.gift_from && `${purchase.gift_from.name} ${purchase.gift_from.last_name}`.trim()],
            ['Clases', classes < 0 ? 'Ilimitadas' : classes === 0 ? null : String(classes)],
            ['Vigencia', validityText(purchase.expiration_days)],
            ['Precio', formatPesos(purchase.amount)],
            [
              purchase.discount_code ? `Descuento ${purchase.discount_code}` : 'Descuento',
              purchase.discount === '0.00' ? null : `-${formatPesos(purchase.discount)}`,
            ],
            ['Total', <b key="total">{formatPesos(purchase.total_payment)}</b>],
            [
              purchase.status === 'pending' ? 'Apartado de una tarjeta de regalo' : 'Con tarjeta de regalo',
              purchase.by_gift_card === '0.00' ? null : formatPesos(purchase.by_gift_card),
            ],
            ['Cómo pagó', purchase.payment_method?.name ?? (purchase.is_gift ? 'Regalo' : null)],
            [
              'Próximo cobro',
              purchase.next_charge && `${formatPesos(purchase.next_charge.amount)} el ${formatWall(purchase.next_charge.date, 'date')}`,
            ],
            ['Vigente hasta', purchase.benefits_until_date && formatWall(purchase.benefits_until_date, 'date')],
            ['Motivo de cancelación', purchase.cancel_reason],
          ]}
        />
      </div>
    </section>
  )
}

interface ChargesProps {
  invoices: readonly StudioInvoice[]
  /** whether this staff member sees the cortes of all */
  seesCounts: boolean
  onRefund: ((invoice: StudioInvoice) => void) | null
}

function Charges({ invoices, seesCounts, onRefund }: ChargesProps) {
  return (
    <section className="panel-card" aria-labelledby="cobros">
      <div className="panel-head">
        <h2 id="cobros" className="t3">
          Cobros
        </h2>
      </div>
      {invoices.length === 0 ? (
        <p className="panel-body muted">No se ha cobrado nada.</p>
      ) : (
        <ul className="charge-list">
          {invoices.map((invoice) => (
            <li key={invoice.invoice_id}>
              <span className="grow">
                <span className="strong">{invoice.payment_method?.name ?? 'Cobro'}</span>
                <span className="small muted">
                  {[formatWall(invoice.created_date, 'class'), invoice.reference].filter(Boolean).join(' · ')}
                </span>
                <Badge tone={INVOICE_STATUS[invoice.status].tone}>{invoiceStatusText(invoice)}</Badge>
                {seesCounts && invoice.cash_session_id !== null && (
                  <AppLink to={adminPaths.tillCount(invoice.cash_session_id)} className="link small">
                    Corte {paddedNumber(invoice.cash_session_id)}
                  </AppLink>
                )}
              </span>
              <span className="row-money">{formatPesos(invoice.total_payment)}</span>
              {onRefund && refundable(invoice) > 0 && (
                <Button variant="outline" size="small" onClick={() => onRefund(invoice)}>
                  Devolver
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const REFUND_STATE = { asked: 'En camino', done: 'Devuelto', refused: 'Rechazada' } as const

function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <section className="panel-card" aria-labelledby="devoluciones">
      <div className="panel-head">
        <h2 id="devoluciones" className="t3">
          Devoluciones
        </h2>
      </div>
      <ul className="charge-list">
        {refunds.map((refund) => (
          <li key={refund.refund_id}>
            <span className="grow">
              <span className="strong">{refund.reason}</span>
              <span className="small muted">{formatWall(refund.created_date, 'class')}</span>
              <Badge tone={refund.state === 'refused' || refund.returnedAt ? 'danger' : refund.state === 'asked' ? 'warn' : 'outline'}>
                {refund.returnedAt ? 'Regresó al estudio' : REFUND_STATE[refund.state]}
              </Badge>
            </span>
            <span className="row-money">-{formatPesos(refund.amount)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const RESERVATION_STATE = {
  reserved: { text: 'Reservada', tone: 'brand' },
  attended: { text: 'Llegó', tone: 'ok' },
  absent: { text: 'No asistió', tone: 'warn' },
  cancelled: { text: 'Cancelada', tone: 'outline' },
} as const

/** The grants of the purchase, what is left of them, and the reservations that were paid with them. */
function Grants({
  purchase,
  grants: { lots, class_reservations, class_reservations_total: total },
}: {
  purchase: StudioPurchase
  grants: PurchaseGrants
}) {
  const more = total - class_reservations.length
  return (
    <section className="panel-card" aria-labelledby="que-dio">
      <div className="panel-head">
        <h2 id="que-dio" className="t3">
          Qué dio
        </h2>
        <p className="small muted">
          {total === 0 ? 'Todavía no se usa.' : total === 1 ? '1 lugar pagado con ella' : `${total} lugares pagados con ella`}
        </p>
      </div>
      <ul className="charge-list">
        {lots.map((creditLot) => (
          <li key={creditLot.available_class_id}>
            <span className="grow">
              <span className="strong">{creditLot.title}</span>
              <span className="small muted">
                {creditLot.expiration_date
                  ? `${creditLot.state === 'expired' ? 'Venció' : 'Vence'} el ${formatWall(creditLot.expiration_date, 'date')}`
                  : 'Su plazo empieza con la primera clase'}
              </span>
              {CREDIT_LOT_STATES[creditLot.state] && (
                <Badge tone={CREDIT_LOT_STATES[creditLot.state]?.tone ?? 'outline'}>{CREDIT_LOT_STATES[creditLot.state]?.text}</Badge>
              )}
            </span>
            <span className="strong">{leftText(creditLot)}</span>
          </li>
        ))}
        {class_reservations.map((row) => (
          <li key={`${row.class_reservation_id} ${row.guest ?? ''}`}>
            <span className="grow">
              <AppLink to={adminPaths.reservationDetails(row.class_reservation_id)} className="link link-alone strong">
                {row.class_type}, {formatWall(row.class_date, 'class')}
              </AppLink>
              <span className="small muted">{[row.location, row.guest && `Para ${row.guest}`].filter(Boolean).join(' · ')}</span>
            </span>
            <Badge tone={RESERVATION_STATE[row.status].tone}>{RESERVATION_STATE[row.status].text}</Badge>
          </li>
        ))}
      </ul>
      {more > 0 && purchase.customer.has_file && (
        <p className="panel-body">
          <AppLink to={`${adminPaths.customer(purchase.customer.customer_id)}?ver=reservaciones`} className="link link-alone">
            {more === 1 ? 'Falta 1 lugar más: ver todas sus reservaciones' : `Faltan ${more} lugares más: ver todas sus reservaciones`}
          </AppLink>
        </p>
      )}
    </section>
  )
}

const validityText = (days: number): string | null => (days === 1 ? '1 día' : days > 0 ? `${days} días` : null)
