import { useState } from 'react'
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { AMOUNT, AMOUNT_HINT, BILLS, COINS, cashSent, cashTotal, type TypedCash } from './cash-text.ts'

interface CountFormProps {
  session: CashSession
  onClosed: (session: CashSession) => void
}

/** Corte de caja: counts the drawer and what terminal and transfers say, without seeing what is expected (settings `cash_blind_count`), and closes. */
export function CountForm({ session, onClosed }: CountFormProps) {
  const [cash, setCash] = useState<TypedCash>({})
  const [others, setOthers] = useState<Record<number, string>>({})
  const [left, setLeft] = useState(session.opening)
  const [note, setNote] = useState('')
  const [asking, setAsking] = useState(false)
  const total = cashTotal(cash)
  const stays = parsePesos(left)
  const ways = session.ways.filter(({ kind }) => kind !== 'cash')
  const problem =
    total === null
      ? 'Revisa cuántos billetes y monedas contaste.'
      : ways.some(({ payment_method_id }) => others[payment_method_id] && !AMOUNT.test(others[payment_method_id] ?? ''))
        ? AMOUNT_HINT
        : !AMOUNT.test(left) || stays === null
          ? 'Escribe cuánto se queda en la caja.'
          : stays > total
            ? `Contaste ${formatMoney(total)}: no puede quedarse más.`
            : null
  const close = useIdempotentMutation(api.cashSessions.close, {
    onSuccess({ cash_session }) {
      showAlert('success', 'Corte guardado.')
      onClosed(cash_session)
    },
    onError: () => setAsking(false),
  })
  const failure = close.isError ? failureOf(close.error) : null
  const send = () =>
    close.mutate({
      cash_session_id: session.cash_session_id,
      cash: cashSent(cash),
      ways: ways.flatMap(({ payment_method_id }) => {
        const counted = others[payment_method_id]
        return counted ? [{ payment_method_id, counted }] : []
      }),
      left_in_drawer: left,
      note: note.trim() || null,
    })
  const count = (value: keyof NonNullable<CashSession['cash']>) => (
    <label key={value} className="count-line">
      <span className="strong">{formatPesos(Number(value) < 1 ? value : `${value}.00`).replace(/\.00$/, '')}</span>
      <input
        className="control count-input"
        inputMode="numeric"
        maxLength={5}
        placeholder="0"
        value={cash[value] ?? ''}
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
        {ways.length > 0 && (
          <fieldset className="count-part">
            <legend className="strong">2 · Lo demás</legend>
            <p className="small muted">Lo que dice el cierre de la terminal y el banco. Lo que dejes vacío cuenta como lo registrado.</p>
            <div className="field-pair">
              {ways.map(({ payment_method_id, name }) => (
                <TextField
                  key={payment_method_id}
                  label={name}
                  optional
                  inputMode="decimal"
                  maxLength={12}
                  value={others[payment_method_id] ?? ''}
                  onChange={(event) => setOthers({ ...others, [payment_method_id]: event.currentTarget.value })}
                />
              ))}
            </div>
          </fieldset>
        )}
        <fieldset className="count-part">
          <legend className="strong">3 · Cierra</legend>
          <div className="field-pair">
            <TextField
              label="Se queda en la caja"
              inputMode="decimal"
              maxLength={12}
              value={left}
              onChange={(event) => setLeft(event.currentTarget.value)}
            />
            <div>
              <p className="label">Se retira</p>
              <p className="price count-out">{total !== null && stays !== null && stays <= total ? formatMoney(total - stays) : '—'}</p>
            </div>
          </div>
          {failure && (
            <Banner tone={failure.code === 'CASH_NOTE_REQUIRED' ? 'warn' : 'danger'} live>
              {failure.message}
            </Banner>
          )}
          <TextArea
            label="Qué pasó"
            optional={failure?.code !== 'CASH_NOTE_REQUIRED'}
            rows={2}
            maxLength={1000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button full reason={problem} loading={close.isPending} onClick={() => !problem && setAsking(true)}>
            Cerrar caja
          </Button>
          <p className="small muted">Un corte cerrado ya no cambia con lo que se venda o devuelva después.</p>
        </fieldset>
      </div>
      {asking && (
        <Dialog
          open
          onClose={close.isPending ? null : () => setAsking(false)}
          title={`¿Cerrar con ${formatMoney(total ?? 0)} en efectivo?`}
          actions={
            <>
              <Button variant="outline" onClick={() => setAsking(false)}>
                Contar otra vez
              </Button>
              <Button loading={close.isPending} onClick={send}>
                Sí, cerrar caja
              </Button>
            </>
          }
        >
          <p>
            Se quedan {formatPesos(left)} en el cajón. Después verás lo esperado y la diferencia, y quien administra revisa y aprueba el
            corte.
          </p>
        </Dialog>
      )}
    </section>
  )
}
