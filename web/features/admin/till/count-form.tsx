import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import {
  AMOUNT,
  AMOUNT_HINT,
  BILLS,
  COINS,
  cashDiscrepancyText,
  cashSent,
  cashTotal,
  type Denomination,
  signedAmount,
  type TypedCash,
} from './cash-text.ts'

type Comparison = Awaited<ReturnType<typeof api.cashSessions.compare>>

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
  const [cash, setCash] = useState<TypedCash>({})
  const [otherCounts, setOtherCounts] = useState<Record<number, string>>({})
  const [leftInDrawer, setLeftInDrawer] = useState(session.opening)
  const [note, setNote] = useState('')
  const [padFor, setPadFor] = useState<Counted>(BILLS[0] ?? '1000')
  const hasPad = useMoneyPad()
  const [compared, setCompared] = useState<Comparison | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const total = cashTotal(cash)
  const stays = parsePesos(leftInDrawer)
  const otherMethods = session.ways.filter(({ kind }) => kind !== 'cash')
  const areAmounts = otherMethods.every(
    ({ payment_method_id }) => !otherCounts[payment_method_id] || AMOUNT.test(otherCounts[payment_method_id] ?? ''),
  )
  const problem =
    total === null
      ? 'Revisa cuántos billetes y monedas contaste.'
      : !areAmounts
        ? AMOUNT_HINT
        : !AMOUNT.test(leftInDrawer) || stays === null
          ? 'Escribe cuánto se queda en la caja.'
          : stays > total
            ? `Contaste ${formatMoney(total)}: no puede quedarse más.`
            : compared?.needs_note && note.trim() === ''
              ? 'Escribe qué pasó.'
              : null
  const close = useIdempotentMutation(api.cashSessions.close, {
    onSuccess({ cash_session }) {
      showAlert('success', 'Corte guardado.')
      onClosed(cash_session)
    },
    onError: () => undefined,
  })
  const compare = useMutation({
    mutationFn: (input: Parameters<typeof api.cashSessions.compare>[0]) => api.cashSessions.compare(input),
    onSuccess: setCompared,
    onError: () => undefined,
    meta: { handled: true },
  })
  const failure = compare.isError ? failureOf(compare.error) : close.isError ? failureOf(close.error) : null
  // Typed by the call, so that a misnamed field does not compile.
  const counted: Omit<Parameters<typeof api.cashSessions.compare>[0], 'cash_session_id'> = {
    cash: cashSent(cash),
    ways: otherMethods.flatMap(({ payment_method_id }) => {
      const amount = otherCounts[payment_method_id]
      return amount ? [{ payment_method_id, counted: amount }] : []
    }),
  }
  const { cash_session_id } = session
  const send = () => close.mutate({ cash_session_id, ...counted, left_in_drawer: leftInDrawer, note: note.trim() || null })
  const again = () => {
    setCompared(null)
    first.current?.focus()
  }
  const off = compared?.ways.find((row) => parsePesos(row.difference.replace('-', '')) !== 0)
  const isReadOnly = compared !== null || compare.isPending
  const count = (value: Denomination) => (
    <label key={value} className="count-line">
      <span className="strong">{pesosOf(value)}</span>
      <input
        aria-label={countLabel(value)}
        className="control count-input"
        inputMode={hasPad ? 'none' : 'numeric'}
        maxLength={5}
        onFocus={() => setPadFor(value)}
        placeholder="0"
        value={cash[value] ?? ''}
        ref={value === BILLS[0] ? first : undefined}
        readOnly={isReadOnly}
        onChange={(event) => setCash({ ...cash, [value]: event.currentTarget.value })}
      />
      <span className="muted count-sum">{formatMoney(cashTotal({ [value]: cash[value] ?? '' }) ?? 0)}</span>
    </label>
  )
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
          <div className="count-grid">{BILLS.map(count)}</div>
          <p className="small strong">Monedas</p>
          <div className="count-grid">{COINS.map(count)}</div>
          <p className="count-total">
            <span>Contado en efectivo</span>
            <output className="price">{total === null ? '—' : formatMoney(total)}</output>
          </p>
        </fieldset>
        {otherMethods.length > 0 && (
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
                  onFocus={() => setPadFor(payment_method_id)}
                  value={otherCounts[payment_method_id] ?? ''}
                  readOnly={isReadOnly}
                  onChange={(event) => setOtherCounts({ ...otherCounts, [payment_method_id]: event.currentTarget.value })}
                />
              ))}
            </div>
          </fieldset>
        )}
        {compared ? (
          <fieldset className="count-part">
            <legend className="strong">{otherMethods.length > 0 ? '3' : '2'} · Compara</legend>
            <table className="count-compare">
              <thead>
                <tr>
                  <th scope="col">
                    <span className="sr-only">Forma de pago</span>
                  </th>
                  <th scope="col">Esperado</th>
                  <th scope="col">Contado</th>
                  <th scope="col">Diferencia</th>
                </tr>
              </thead>
              <tbody>
                {compared.ways.map((row) => (
                  <tr key={row.payment_method_id}>
                    <th scope="row">{row.name}</th>
                    <td>{signedAmount(row.expected)}</td>
                    <td>{signedAmount(row.counted)}</td>
                    <td className={row.difference.startsWith('-') ? 'till-out' : undefined}>{signedAmount(row.difference)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Banner tone={compared.needs_note ? 'danger' : off ? 'warn' : 'ok'} live>
              {off ? `${cashDiscrepancyText(off.difference)} en ${off.name.toLowerCase()}.` : 'Todo cuadra.'}
              {compared.needs_note && ' Cuenta otra vez o escribe qué pasó.'}
            </Banner>
            <Button variant="outline" size="small" onClick={again}>
              Contar otra vez
            </Button>
            <TextArea
              label="Qué pasó"
              optional={!compared.needs_note}
              rows={2}
              maxLength={1000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <div className="field-pair">
              <TextField
                label="Se queda en la caja"
                inputMode={hasPad ? 'none' : 'decimal'}
                maxLength={12}
                value={leftInDrawer}
                onChange={(event) => setLeftInDrawer(event.currentTarget.value)}
              />
              <div className="count-removed">
                <p className="small strong">Se retira</p>
                <p className="price count-out">{total !== null && stays !== null && stays <= total ? formatMoney(total - stays) : '—'}</p>
              </div>
            </div>
            <MoneyPad label="Se queda en la caja" value={leftInDrawer} onChange={setLeftInDrawer} />
            {failure && (
              <Banner tone="danger" live>
                {failure.message}
              </Banner>
            )}
            <Button full reason={problem} loading={close.isPending} onClick={() => !problem && send()}>
              {off ? `Cerrar caja con ${signedAmount(off.difference)}` : 'Cerrar caja'}
            </Button>
            <p className="small muted">Ya no se puede cambiar; quien administra lo revisa y lo aprueba.</p>
          </fieldset>
        ) : (
          <>
            {failure && (
              <Banner tone="danger" live>
                {failure.message}
              </Banner>
            )}
            {typeof padFor === 'number' ? (
              <MoneyPad
                sticky
                label={otherMethods.find(({ payment_method_id }) => payment_method_id === padFor)?.name ?? ''}
                disabled={compare.isPending}
                value={otherCounts[padFor] ?? ''}
                onChange={(typed) => setOtherCounts({ ...otherCounts, [padFor]: typed })}
              />
            ) : (
              <MoneyPad
                sticky
                whole
                longest={5}
                label={countLabel(padFor)}
                disabled={compare.isPending}
                value={cash[padFor] ?? ''}
                onChange={(typed) => setCash({ ...cash, [padFor]: typed })}
              />
            )}
            <Button
              full
              loading={compare.isPending}
              reason={total === null ? 'Revisa cuántos billetes y monedas contaste.' : areAmounts ? null : AMOUNT_HINT}
              onClick={() => total !== null && areAmounts && compare.mutate({ cash_session_id, ...counted })}
            >
              Comparar
            </Button>
          </>
        )}
      </div>
    </section>
  )
}
