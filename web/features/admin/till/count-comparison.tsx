import { formatMoney, parsePesos } from '#contract/money.ts'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { cashDiscrepancyText, signedAmount } from './cash-text.ts'
import type { Comparison, Count } from './use-count.ts'
import '#web/ui/price.css'

/** The last part of a count: expected and counted amounts side by side, what stays in the drawer, and closing the session. */
export function CountComparison({ count, compared }: { count: Count; compared: Comparison }) {
  const hasPad = useMoneyPad()
  const off = compared.ways.find((row) => parsePesos(row.difference.replace('-', '')) !== 0)
  return (
    <fieldset className="count-part">
      <legend className="strong">{count.otherMethods.length > 0 ? '3' : '2'} · Compara</legend>
      <ComparedAmounts rows={compared.ways} />
      <Banner tone={compared.needs_note ? 'danger' : off ? 'warn' : 'ok'} live>
        {off ? `${cashDiscrepancyText(off.difference)} en ${off.name.toLowerCase()}.` : 'Todo cuadra.'}
        {compared.needs_note && ' Cuenta otra vez o escribe qué pasó.'}
      </Banner>
      <Button variant="outline" size="small" onClick={() => !count.isClosing && count.countAgain()}>
        Contar otra vez
      </Button>
      <TextArea
        label="Qué pasó"
        optional={!compared.needs_note}
        rows={2}
        maxLength={1000}
        value={count.note}
        readOnly={count.isClosing}
        onChange={(event) => count.setNote(event.currentTarget.value)}
      />
      <div className="field-pair">
        <TextField
          label="Se queda en la caja"
          inputMode={hasPad ? 'none' : 'decimal'}
          maxLength={12}
          value={count.leftInDrawer}
          readOnly={count.isClosing}
          onChange={(event) => count.setLeftInDrawer(event.currentTarget.value)}
        />
        <div className="count-removed">
          <p className="small strong">Se retira</p>
          <p className="price count-out">{count.removed === null ? '—' : formatMoney(count.removed)}</p>
        </div>
      </div>
      <MoneyPad label="Se queda en la caja" value={count.leftInDrawer} disabled={count.isClosing} onChange={count.setLeftInDrawer} />
      {count.failure && (
        <Banner tone="danger" live>
          {count.failure}
        </Banner>
      )}
      <Button full reason={count.closeProblem} loading={count.isClosing} onClick={count.close}>
        {off ? `Cerrar caja con ${signedAmount(off.difference)}` : 'Cerrar caja'}
      </Button>
      <p className="small muted">Ya no se puede cambiar; quien administra lo revisa y lo aprueba.</p>
    </fieldset>
  )
}

function ComparedAmounts({ rows }: { rows: Comparison['ways'] }) {
  return (
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
        {rows.map((row) => (
          <tr key={row.payment_method_id}>
            <th scope="row">{row.name}</th>
            <td>{signedAmount(row.expected)}</td>
            <td>{signedAmount(row.counted)}</td>
            <td className={row.difference.startsWith('-') ? 'till-out' : undefined}>{signedAmount(row.difference)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
