import { useQuery } from '@tanstack/react-query'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatPesos } from '#contract/money.ts'
import { queries } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'

const isNothing = (amount: string | null): boolean => amount === null || Number(amount) === 0

/** "···4417 · autorización 083512", "Recibió $700.00 · cambio $49.00" */
function paymentText({ last_digits, authorisation, reference, received, change }: CounterSale['payments'][number]): string {
  return [
    last_digits && `···${last_digits}`,
    authorisation && `autorización ${authorisation}`,
    reference && `referencia ${reference}`,
    !isNothing(received) && `recibió ${formatPesos(received ?? '')}`,
    !isNothing(change) && `cambio ${formatPesos(change)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Who sold at the counter and where, and each payment of the whole sale, which may have several purchases. */
export function CounterFacts({ sale_id }: { sale_id: number }) {
  const sale = useQuery(queries.counterSales.one.queryOptions({ input: { sale_id }, meta: { handled: true } })).data?.sale
  if (!sale) return null
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
          <li key={n}>
            <span className="grow">
              <span className="strong">{payment.name}</span>
              <span className="small muted">{paymentText(payment)}</span>
              {payment.state === 'pending' && <Badge tone="warn">Por confirmar</Badge>}
              {payment.state === 'void' && <Badge tone="danger">No llegó</Badge>}
            </span>
            <span className="row-money">{formatPesos(payment.amount)}</span>
          </li>
        ))}
        {!isNothing(sale.owed) && (
          <li>
            <span className="grow strong">
              Queda a deber{sale.owe_until ? ` hasta el ${sale.owe_until.split('-').reverse().join('/')}` : ''}
            </span>
            <span className="row-money">{formatPesos(sale.owed)}</span>
          </li>
        )}
      </ul>
    </section>
  )
}
