import '#web/features/admin/till/till.css'
import { IconDownload, IconPrinter, IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { api } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'

const SendReceipt = lazy(() => import('./send-receipt.tsx'))

interface SaleReceiptProps {
  sale_id: number
  /** the codes of gift cards, which only the answer of the sale has; they are printed */
  codes?: readonly string[]
}

/** The receipt of a whole sale: as a PDF file, printed 80 mm wide, or sent. */
export function SaleReceipt({ sale_id, codes = [] }: SaleReceiptProps) {
  const file = useMutation({ mutationFn: () => api.counterSales.receipt({ sale_id }), onSuccess: saveFile })
  const slip = useMutation({ mutationFn: () => api.counterSales.one({ sale_id }) })
  const [isSending, setSending] = useState(false)
  return (
    <div className="stack gap-12">
      <div className="row gap-8 wraps">
        <Button
          variant="outline"
          size="small"
          loading={file.isPending}
          icon={<IconDownload className="icon" aria-hidden="true" />}
          onClick={() => file.mutate()}
        >
          Comprobante de la venta
        </Button>
        <Button
          variant="outline"
          size="small"
          loading={slip.isPending}
          icon={<IconPrinter className="icon" aria-hidden="true" />}
          onClick={() => slip.mutate()}
        >
          Imprimir ticket
        </Button>
        <Button
          variant="outline"
          size="small"
          aria-haspopup="dialog"
          icon={<IconSend className="icon" aria-hidden="true" />}
          onClick={() => setSending(true)}
        >
          Enviar recibo
        </Button>
      </div>
      {isSending && (
        <Suspense fallback={null}>
          <SendReceipt sale_id={sale_id} onClose={() => setSending(false)} />
        </Suspense>
      )}
      {slip.data && <Slip key={slip.submittedAt} sale={slip.data.sale} codes={codes} />}
    </div>
  )
}

/** The printed ticket, 80 mm wide. Printing begins once it is shown. */
function Slip({ sale, codes }: { sale: CounterSale; codes: readonly string[] }) {
  const site = useSite()
  useEffect(() => print(), [])
  const listed = sale.lines.reduce((sum, line) => sum + (parsePesos(line.list) ?? 0), 0)
  const discount = listed - (parsePesos(sale.total) ?? 0)
  const isNothing = (amount: string) => Number(amount) === 0
  const cashReceived = sale.payments.reduce(
    (sum, { received, state }) => (state === 'void' ? sum : sum + (parsePesos(received ?? '0') ?? 0)),
    0,
  )
  return (
    <section className="slip" aria-label="Así se imprime">
      <p className="slip-name">{site.business_name}</p>
      <p className="slip-center">{sale.location.name}</p>
      <p className="slip-center">
        Folio {sale.folio} · {formatInstant(new Date(sale.createdAt), site.zone, 'class')}
      </p>
      <p className="slip-center">{sale.customer ? `${sale.customer.name} ${sale.customer.last_name}` : 'Público en general'}</p>
      <dl aria-label="Lo que se vendió">
        {sale.lines.map(({ title, quantity, list }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a sale never change
          <Line key={n} name={`${quantity > 1 ? `${quantity} × ` : ''}${title}`} value={formatPesos(list)} />
        ))}
        {discount > 0 && <Line name="Descuento" value={`-${formatMoney(discount)}`} />}
        <Line name="Total" value={formatPesos(sale.total)} strong />
        {!isNothing(sale.iva) && <Line name="IVA incluido" value={formatPesos(sale.iva)} />}
      </dl>
      <dl aria-label="Cómo se pagó">
        {sale.payments
          .filter(({ state }) => state !== 'void')
          .map(({ name, last_digits, amount, state }, n) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: the payments are in their order
              key={n}
              name={`${name}${last_digits ? ` ···${last_digits}` : ''}${state === 'pending' ? ' (por confirmar)' : ''}`}
              value={formatPesos(amount)}
            />
          ))}
        {!isNothing(sale.change) && (
          <>
            <Line name="Recibido en efectivo" value={formatMoney(cashReceived)} />
            <Line name="Cambio" value={formatPesos(sale.change)} />
          </>
        )}
        {!isNothing(sale.owed) && <Line name="Queda por pagar" value={formatPesos(sale.owed)} strong />}
      </dl>
      {codes.length > 0 && (
        <dl aria-label="Tarjetas de regalo">
          {codes.map((code) => (
            <Line key={code} name="Tarjeta de regalo" value={code} strong />
          ))}
        </dl>
      )}
      <p className="slip-center">Atendió {sale.staff.name}. Este comprobante no es un CFDI.</p>
    </section>
  )
}

function Line({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) {
  return (
    <div className={strong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
