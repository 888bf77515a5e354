import type { CashSession } from '#contract/cash-sessions.ts'
import { cashDiscrepancyText, signedAmount } from './cash-text.ts'

/** Income, refunds and counts of a cash session by payment method. */
export function CountTable({ session }: { session: CashSession }) {
  const isClosed = session.state !== 'open'
  return (
    <div className="count-tables">
      {session.ways.map((way) => (
        <dl key={way.payment_method_id} className="count-list" aria-label={way.name}>
          <div className="strong">
            <dt>{way.name}</dt>
            <dd>{isClosed && way.difference !== null ? cashDiscrepancyText(way.difference) : ''}</dd>
          </div>
          {way.kind === 'cash' && <Line name="Apertura" amount={session.opening} />}
          <Line name={way.count === null ? 'Ventas' : `Ventas (${way.count})`} amount={way.sales} />
          <Line name="Devoluciones" amount={way.refunds} />
          {way.kind === 'cash' && (
            <>
              <Line name="Entradas" amount={way.in} />
              <Line name="Salidas" amount={way.out} />
            </>
          )}
          <Line name="Esperado" amount={way.expected} />
          {isClosed && (
            <>
              <Line name="Contado" amount={way.counted} />
              <Line name="Diferencia" amount={way.difference} />
            </>
          )}
        </dl>
      ))}
      {session.left_in_drawer !== null && (
        <dl className="count-list">
          <Line name="Se queda en la caja" amount={session.left_in_drawer} />
        </dl>
      )}
    </div>
  )
}

function Line({ name, amount }: { name: string; amount: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{signedAmount(amount)}</dd>
    </div>
  )
}
