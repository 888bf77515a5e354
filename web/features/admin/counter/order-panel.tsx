import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { CounterOrder } from '#contract/counter-orders.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { BookClass } from '#web/features/admin/counter/book-class.tsx'
import { GiftCodes } from '#web/features/admin/counter/gift-codes.tsx'
import { LinkToSend } from '#web/features/admin/sales/link-to-send.tsx'
import { ReceiptDownload } from '#web/features/admin/sales/receipt-download.tsx'
import { SaleReceipt } from '#web/features/admin/sales/sale-receipt.tsx'
import { itemsText } from '#web/features/admin/sales/sale-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

interface OrderPanelProps {
  order: CounterOrder
  /** Whether a saved card was to be charged. */
  byCard: boolean
  phone: string | null
  onAgain: () => void
}

/** After an order: the receipt of a charged one, or the link that its customer pays with. */
export function OrderPanel({ order, byCard, phone, onAgain }: OrderPanelProps) {
  const { purchase, state, link, lines, total, charge, payments, gift_cards } = order
  const change = payments.reduce((sum, payment) => sum + (parsePesos(payment.change) ?? 0), 0)
  const isRest = payments.length > 0
  const { customer } = purchase
  const title = state === 'paid' ? '¡Compra exitosa!' : state === 'waiting' ? 'Falta que pague' : 'El banco no ha respondido'
  const Icon = state === 'paid' ? IconCircleCheck : IconClock
  return (
    <section className="panel-card sold-panel" aria-labelledby="orden">
      <div className="panel-body stack gap-16">
        <div className="row gap-12">
          <Icon className={`icon icon-large ${state === 'paid' ? 'sold-icon' : ''}`} aria-hidden="true" />
          <h2 id="orden" className="t2" tabIndex={-1} ref={(heading) => heading?.focus()}>
            {title}
          </h2>
        </div>
        <p>
          {customer.name} {customer.last_name} · {itemsText(lines)} · {formatPesos(total)}
          {state === 'paid' && !isRest && purchase.payment_method ? ` con ${purchase.payment_method.name}` : ''}
        </p>
        {isRest && (
          <dl className="basket-sums">
            {payments.map(({ name, amount }, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the payments of an order never change
              <div key={n}>
                <dt>{name}</dt>
                <dd>{formatPesos(amount)}</dd>
              </div>
            ))}
            <div>
              <dt>
                {state === 'paid' ? (purchase.payment_method?.name ?? 'Pago en línea') : byCard ? 'Tarjeta guardada' : 'Con el enlace'}
              </dt>
              <dd>{formatPesos(charge)}</dd>
            </div>
            {change > 0 && (
              <div className="basket-total">
                <dt>Cambio</dt>
                <dd>{formatMoney(change)}</dd>
              </div>
            )}
          </dl>
        )}
        {gift_cards.length > 0 && <GiftCodes cards={gift_cards} />}
        {state === 'waiting' && byCard && (
          <Banner tone="warn" live title="Su banco pide que confirme el cargo">
            No se cobró nada. Envíale el enlace: ahí lo confirma o usa otra tarjeta.
          </Banner>
        )}
        {state === 'processing' && (
          <Banner tone="warn" live>
            La venta queda pendiente y se completa sola en cuanto el banco conteste. No la cobres otra vez.
            {isRest && ' Aparta lo que recibiste: cuenta en tu caja cuando se complete, y se regresa si el banco la rechaza.'}
          </Banner>
        )}
        {link && <LinkToSend order={order} link={link} />}
        <div className="row gap-8 wraps">
          <Button variant={link ? 'outline' : 'filled'} size="small" onClick={onAgain}>
            Nueva venta
          </Button>
          {state === 'paid' && <BookClass customer={{ ...customer, phone }} />}
          {purchase.has_receipt && order.sale_id === null && <ReceiptDownload purchase_id={purchase.purchase_id} />}
          <Button as={AppLink} to={adminPaths.sale(purchase.purchase_id)} variant="outline" size="small">
            Ver la compra
          </Button>
        </div>
        {order.sale_id !== null && <SaleReceipt sale_id={order.sale_id} />}
      </div>
    </section>
  )
}
