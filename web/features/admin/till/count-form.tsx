import { useState } from 'react'
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatMoney, formatPesos } from '#contract/money.ts'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { BILLS, COINS, cashTotal, type Denomination } from './cash-text.ts'
import { CountComparison } from './count-comparison.tsx'
import { type Count, useCount } from './use-count.ts'
import '#web/ui/price.css'

/** What the money pad types: a number of bills or coins, or the total of a payment method. */
type Counted = Denomination | number

/** The name of a bill or coin: "$500", "$0.50". */
const pesosOf = (value: string): string => formatPesos(Number(value) < 1 ? value : `${value}.00`).replace(/\.00$/, '')

const countLabel = (value: Denomination): string => `${BILLS.includes(value) ? 'Billetes' : 'Monedas'} de ${pesosOf(value)}`

interface CountFormProps {
  session: CashSession
  onClosed: (session: CashSession) => void
}

/**
 * Corte de caja: bills, coins, and the totals of terminal and bank are counted first, without the expected amounts (setting
 * `cash_blind_count`), then compared, then the session is closed.
 */
export function CountForm({ session, onClosed }: CountFormProps) {
  const count = useCount(session, onClosed)
  const [padFor, setPadFor] = useState<Counted>(BILLS[0] ?? '1000')
  return (
    <section className="panel-card" aria-labelledby="corte">
      <div className="panel-head">
        <h2 id="corte" className="t3">
          Corte de caja
        </h2>
        {session.ways.some(({ expected }) => expected === null) && <span className="small muted">A ciegas hasta comparar</span>}
      </div>
      <div className="panel-body stack gap-20">
        <fieldset className="count-part">
          <legend className="strong">1 · Cuenta el efectivo</legend>
          <CashLines values={BILLS} count={count} onFocus={setPadFor} />
          <p className="small strong">Monedas</p>
          <CashLines values={COINS} count={count} onFocus={setPadFor} />
          <p className="count-total">
            <span>Contado en efectivo</span>
            <output className="price">{count.total === null ? '—' : formatMoney(count.total)}</output>
          </p>
        </fieldset>
        {count.otherMethods.length > 0 && <OtherCounts count={count} onFocus={setPadFor} />}
        {count.compared ? (
          <CountComparison count={count} compared={count.compared} />
        ) : (
          <>
            {count.failure && (
              <Banner tone="danger" live>
                {count.failure}
              </Banner>
            )}
            <CountPad padFor={padFor} count={count} />
            <Button full loading={count.isComparing} reason={count.countProblem} onClick={count.compare}>
              Comparar
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

interface CashLinesProps {
  values: readonly Denomination[]
  count: Count
  onFocus: (value: Denomination) => void
}

/** One field per bill or coin, with what they come to. */
function CashLines({ values, count: { cash, setCash, isReadOnly, firstRef }, onFocus }: CashLinesProps) {
  const hasPad = useMoneyPad()
  return (
    <div className="count-grid">
      {values.map((value) => (
        <label key={value} className="count-line">
          <span className="strong">{pesosOf(value)}</span>
          <input
            aria-label={countLabel(value)}
            className="control count-input"
            inputMode={hasPad ? 'none' : 'numeric'}
            maxLength={5}
            onFocus={() => onFocus(value)}
            placeholder="0"
            value={cash[value] ?? ''}
            ref={value === BILLS[0] ? firstRef : undefined}
            readOnly={isReadOnly}
            onChange={(event) => setCash({ ...cash, [value]: event.currentTarget.value })}
          />
          <span className="muted count-sum">{formatMoney(cashTotal({ [value]: cash[value] ?? '' }) ?? 0)}</span>
        </label>
      ))}
    </div>
  )
}

interface OtherCountsProps {
  count: Count
  onFocus: (payment_method_id: number) => void
}

/** The totals of terminal and bank. */
function OtherCounts({ count: { otherMethods, otherCounts, setOtherCounts, isReadOnly }, onFocus }: OtherCountsProps) {
  const hasPad = useMoneyPad()
  return (
    <fieldset className="count-part">
      <legend className="strong">2 · Lo demás</legend>
      <p className="small muted">Lo que dice el cierre de la terminal y el banco. Lo que dejes vacío cuenta como lo registrado.</p>
      <div className="field-pair">
        {otherMethods.map(({ payment_method_id, name }) => (
          <TextField
            key={payment_method_id}
            label={name}
            optional
            inputMode={hasPad ? 'none' : 'decimal'}
            maxLength={12}
            onFocus={() => onFocus(payment_method_id)}
            value={otherCounts[payment_method_id] ?? ''}
            readOnly={isReadOnly}
            onChange={(event) => setOtherCounts({ ...otherCounts, [payment_method_id]: event.currentTarget.value })}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** The money pad of the field that was focused last. */
function CountPad({ padFor, count }: { padFor: Counted; count: Count }) {
  const { cash, setCash, otherCounts, setOtherCounts, isComparing } = count
  if (typeof padFor === 'number')
    return (
      <MoneyPad
        sticky
        label={count.otherMethods.find(({ payment_method_id }) => payment_method_id === padFor)?.name ?? ''}
        disabled={isComparing}
        value={otherCounts[padFor] ?? ''}
        onChange={(typed) => setOtherCounts({ ...otherCounts, [padFor]: typed })}
      />
    )
  return (
    <MoneyPad
      sticky
      whole
      longest={5}
      label={countLabel(padFor)}
      disabled={isComparing}
      value={cash[padFor] ?? ''}
      onChange={(typed) => setCash({ ...cash, [padFor]: typed })}
    />
  )
}
