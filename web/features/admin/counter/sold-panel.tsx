import { IconBrandWhatsapp, IconCircleCheck } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import { BookClass } from '#web/features/admin/counter/book-class.tsx'
import { GiftCodes } from '#web/features/admin/counter/gift-codes.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { SaleReceipt } from '#web/features/admin/sales/sale-receipt.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { onDemandPart } from '#web/lib/on-demand-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Without reloading: the codes and the change of the sale would be lost. */
const InvoiceSale = onDemandPart(
  () => import('#web/features/admin/sales/invoice-sale.tsx'),
  <p role="alert" className="small muted">
    No pudimos cargar “Facturar”. También se factura en la venta.
  </p>,
)

/** A class that was booked with a sale: when, where, and the seat. */
export interface BookedClass {
  single_class_id: number
  title: string
  about: string
}

interface SoldPanelProps {
  sale: CounterSale
  phone: string | null
  /** classes that were booked with the sale */
  classes: readonly BookedClass[]
  onAgain: () => void
}

/** After a sale: its change, the receipt, a WhatsApp message to the customer, the roster of the class, the next sale. */
export function SoldPanel({ sale, phone, classes, onAgain }: SoldPanelProps) {
  const site = useSite()
  const mayInvoice = may(useStaff(), 'sales.invoice')
  const what = sale.lines
    .map(({ title, quantity, gift_to }) => `${quantity > 1 ? `${quantity} × ` : ''}${title}${gift_to ? ` para ${gift_to.name}` : ''}`)
    .join(', ')
  const text = `Hola, ${sale.customer?.name ?? ''}. Gracias por tu compra en ${site.business_name}: ${what}, ${formatPesos(sale.total)}. Folio ${sale.folio}.`
  const cards = sale.lines.flatMap(({ gift_card, title }) => (gift_card ? [{ code: gift_card.code, title }] : []))
  const isNonZero = (amount: string) => Number(amount) > 0
  return (
    <section className="panel-card sold-panel" aria-labelledby="vendido">
      <div className="panel-body stack gap-16">
        <div className="row gap-12">
          <IconCircleCheck className="icon icon-large sold-icon" aria-hidden="true" />
          <h2 id="vendido" className="t2" tabIndex={-1} ref={(heading) => heading?.focus()}>
            ¡Compra exitosa!
          </h2>
        </div>
        <p>
          {sale.customer ? `${sale.customer.name} ${sale.customer.last_name}` : 'Público en general'} · {what} · Folio {sale.folio}
        </p>
        <dl className="basket-sums">
          <div>
            <dt>Total</dt>
            <dd>{formatPesos(sale.total)}</dd>
          </div>
          {sale.payments.map(({ name, last_digits, amount }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the payments are in their order
            <div key={n} className="small muted">
              <dt>
                {name}
                {last_digits ? ` ···${last_digits}` : ''}
              </dt>
              <dd>{formatPesos(amount)}</dd>
            </div>
          ))}
          {isNonZero(sale.change) && (
            <div className="basket-total">
              <dt>Cambio</dt>
              <dd>{formatPesos(sale.change)}</dd>
            </div>
          )}
          {isNonZero(sale.owed) && (
            <div>
              <dt>Queda a deber{sale.owe_until ? ` hasta el ${formatWall(`${sale.owe_until}T00:00:00Z`, 'date')}` : ''}</dt>
              <dd>{formatPesos(sale.owed)}</dd>
            </div>
          )}
        </dl>
        {classes.map(({ single_class_id, title, about }) => (
          <p key={single_class_id}>
            Lugar reservado en <span className="strong">{title}</span>: {about}.
          </p>
        ))}
        {cards.length > 0 && <GiftCodes cards={cards} />}
        {isNonZero(sale.pending) && (
          <Banner tone="warn">{formatPesos(sale.pending)} por transferencia quedan por confirmar cuando lleguen al banco.</Banner>
        )}
        <div className="row gap-8 wraps">
          <Button size="small" onClick={onAgain}>
            Nueva venta
          </Button>
          {classes.map(({ single_class_id, title }) => (
            <Button key={single_class_id} as={AppLink} to={adminPaths.roster(single_class_id)} variant="outline" size="small">
              Lista de {title}
            </Button>
          ))}
          {classes.length === 0 && sale.customer && <BookClass customer={{ ...sale.customer, phone }} />}
          {sale.customer && mayInvoice && <InvoiceSale purchase_ids={[...new Set(sale.lines.flatMap((line) => line.purchase_id ?? []))]} />}
          {phone && (
            <Button
              as="a"
              variant="outline"
              size="small"
              href={`https://wa.me/52${phone}?text=${encodeURIComponent(text)}`}
              target="_blank"
              rel="noreferrer"
              icon={<IconBrandWhatsapp className="icon" aria-hidden="true" />}
            >
              Enviar por WhatsApp
            </Button>
          )}
        </div>
        {sale.sale_id !== null && <SaleReceipt sale_id={sale.sale_id} codes={cards.map(({ code }) => code)} />}
      </div>
    </section>
  )
}
