import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { queries } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { customerText } from './sales-parts.tsx'
import { useReceivablesChanged } from './use-receivables-changed.ts'

const dialogs = () => import('./receive-dialogs.tsx')
const PayDebt = lazy(() => dialogs().then(({ PayDebt }) => ({ default: PayDebt })))
const ConfirmTransfer = lazy(() => dialogs().then(({ ConfirmTransfer }) => ({ default: ConfirmTransfer })))
const RejectTransfer = lazy(() => dialogs().then(({ RejectTransfer }) => ({ default: RejectTransfer })))

type Payment = CounterSale['payments'][number]
type Shown = { what: 'debt' } | { what: 'confirm' | 'reject'; payment: Payment; invoice_id: number }

const isNothing = (amount: string | null): boolean => amount === null || Number(amount) === 0

/** "···4417 · autorización 083512", "Recibió $700.00 · cambio $49.00" */
function paymentText({ card_brand, last_digits, authorisation, reference, received, change }: Payment): string {
  return [
    [card_brand, last_digits && `···${last_digits}`].filter(Boolean).join(' '),
    authorisation && `autorización ${authorisation}`,
    reference && `referencia ${reference}`,
    !isNothing(received) && `recibió ${formatPesos(received ?? '')}`,
    !isNothing(change) && `cambio ${formatPesos(change)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/**
 * Seller and location of a counter sale, and each payment of the whole sale, which may have several purchases. A debt is received here, and
 * a transfer confirmed.
 */
export function CounterFacts({ sale_id }: { sale_id: number }) {
  const changed = useReceivablesChanged()
  const [shown, setShown] = useState<Shown | null>(null)
  const sale = useQuery(queries.counterSales.one.queryOptions({ input: { sale_id }, meta: { handled: true } })).data?.sale
  if (!sale) return null
  const close = () => setShown(null)
  const done = (text: string) => () => {
    close()
    showAlert('success', text)
    changed()
  }
  return (
    <section className="panel-card" aria-labelledby="en-recepcion">
      <div className="panel-head">
        <h2 id="en-recepcion" className="t3">
          En recepción
        </h2>
        <p className="small muted">
          Vendió {sale.staff.name} en {sale.location.name} · Folio {sale.folio}
        </p>
      </div>
      <ul className="charge-list">
        {sale.payments.map((payment, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the payments are in their order
          <li key={n} className="receivable">
            <span className="grow">
              <span className="strong">{payment.name}</span>
              <span className="small muted">{paymentText(payment)}</span>
              {payment.state === 'pending' && <Badge tone="warn">Por confirmar</Badge>}
              {payment.state === 'void' && <Badge tone="danger">No llegó</Badge>}
            </span>
            <span className="row-money">{formatPesos(payment.amount)}</span>
            <TransferVerbs payment={payment} onOpen={setShown} />
          </li>
        ))}
        {!isNothing(sale.owed) && (
          <li className="receivable">
            <span className="grow strong">
              Queda a deber{sale.owe_until ? ` hasta el ${formatWall(`${sale.owe_until}T00:00:00Z`, 'date')}` : ''}
            </span>
            <span className="row-money">{formatPesos(sale.owed)}</span>
            <Button size="small" onClick={() => setShown({ what: 'debt' })}>
              Cobrar
            </Button>
          </li>
        )}
      </ul>
      {shown && (
        <Suspense>
          {shown.what === 'debt' && <PayDebt sale={sale} onDone={done(success.paid)} onClose={close} />}
          {shown.what === 'confirm' && (
            <ConfirmTransfer {...shown} name={customerText(sale)} onDone={done('Transferencia confirmada.')} onClose={close} />
          )}
          {shown.what === 'reject' && <RejectTransfer {...shown} onDone={done('Guardado.')} onClose={close} />}
        </Suspense>
      )}
    </section>
  )
}

/** Whether a transfer that waits arrived; nothing for other payments. */
function TransferVerbs({ payment, onOpen }: { payment: Payment; onOpen: (shown: Shown) => void }) {
  const [invoice_id] = payment.invoice_ids
  if (payment.state !== 'pending' || invoice_id === undefined) return null
  return (
    <span className="row gap-8 wraps">
      <Button size="small" variant="outline" onClick={() => onOpen({ what: 'reject', payment, invoice_id })}>
        No llegó
      </Button>
      <Button size="small" onClick={() => onOpen({ what: 'confirm', payment, invoice_id })}>
        Confirmar
      </Button>
    </span>
  )
}
