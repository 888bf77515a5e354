import type { CashSession } from '#contract/cash-sessions.ts'
import { cashDiscrepancyText, signedAmount } from './cash-text.ts'

/** Income, refunds and counts of a cash session by payment method. */
export function CountTable({ session }: { session: CashSession }) {
  const isClosed = session.state !== 'open'
  return (
    <div className="count-tables">
      {session.ways.map((row) => (
        <dl key={row.payment_method_id} className="count-list" aria-label={row.name}>
          <div className="strong">
            <dt>{row.name}</dt>
            <dd>{isClosed && row.difference !== null ? cashDiscrepancyText(row.difference) : ''}</dd>
          </div>
          {row.kind === 'cash' && <Line name="Apertura" amount={session.opening} />}
          <Line name={row.count === null ? 'Ventas' : `Ventas (${row.count})`} amount={row.sales} />
          <Line name="Devoluciones" amount={row.refunds} />
          {row.kind === 'cash' && (
            <>
              <Line name="Entradas" amount={row.in} />
              <Line name="Salidas" amount={row.out} />
            </>
          )}
          <Line name="Esperado" amount={row.expected} />
          {isClosed && (
            <>
              <Line name="Contado" amount={row.counted} />
              <Line name="Diferencia" amount={row.difference} />
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
