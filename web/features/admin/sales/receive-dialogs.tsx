/** Money of a counter sale that arrives later: part of a debt, or a transfer. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CASH_PAYMENT_METHOD_NAME } from '#contract/catalogue.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { NO_SLIP, slipProblem, slipSent, TerminalFields } from '#web/features/admin/people/terminal-fields.tsx'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { customerText } from './sales-parts.tsx'

interface DialogEnds {
  onDone: () => void
  onClose: () => void
}

/** Receives what a sale still owes, or a part of it, by one payment method. */
export function PayDebt({ sale, onDone, onClose }: { sale: CounterSale } & DialogEnds) {
  const methods = useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const hasPad = useMoneyPad()
  const [amount, setAmount] = useState(sale.owed)
  const [chosen, setChosen] = useState<number | null>(null)
  const [reference, setReference] = useState('')
  const [slip, setSlip] = useState(NO_SLIP)
  const { needsTerminalFields } = useStaff()
  const all = (methods.data?.payment_methods ?? []).filter(({ kind }) => kind !== 'online')
  const method =
    all.find((method) => method.payment_method_id === chosen) ?? all.find((method) => method.name === CASH_PAYMENT_METHOD_NAME) ?? all[0]
  const centavos = parsePesos(amount)
  const owed = parsePesos(sale.owed) ?? 0
  const problem =
    centavos === null || centavos === 0
      ? 'Escribe cuánto, como 350 o 350.50.'
      : centavos > owed
        ? `Debe ${formatMoney(owed)}.`
        : method
          ? slipProblem(method.kind, slip, needsTerminalFields)
          : 'Elige cómo pagó.'
  const pay = useIdempotentMutation(api.counterSales.pay, { onSuccess: onDone, onError: () => undefined })
  return (
    <Dialog
      open
      onClose={pay.isPending ? null : onClose}
      title={`Cobrar ${sale.folio ?? 'la venta'}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Todavía no
          </Button>
          <Button
            loading={pay.isPending}
            reason={problem}
            onClick={() =>
              !problem &&
              method &&
              sale.sale_id !== null &&
              pay.mutate({
                sale_id: sale.sale_id,
                payments: [
                  {
                    payment_method_id: method.payment_method_id,
                    amount: amount.trim(),
                    ...slipSent(slip),
                    ...(reference.trim() ? { reference: reference.trim() } : {}),
                  },
                ],
              })
            }
          >
            Recibí {centavos === null ? '' : formatMoney(centavos)}
          </Button>
        </>
      }
    >
      <p>
        {customerText(sale)} debe {formatPesos(sale.owed)}.
      </p>
      {pay.isError && <CounterRefusal error={pay.error} location_id={sale.location.location_id} onOpened={pay.reset} />}
      <TextField
        label="Cuánto"
        inputMode={hasPad ? 'none' : 'decimal'}
        before={<span aria-hidden="true">$</span>}
        value={amount}
        readOnly={pay.isPending}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <MoneyPad label="Cuánto" value={amount} disabled={pay.isPending} onChange={setAmount} />
      <Select
        label="Cómo pagó"
        value={String(method?.payment_method_id ?? '')}
        onChange={(event) => {
          setChosen(Number(event.currentTarget.value))
          setSlip(NO_SLIP)
        }}
      >
        {all.map(({ payment_method_id, name }) => (
          <option key={payment_method_id} value={payment_method_id}>
            {name}
          </option>
        ))}
      </Select>
      {method?.kind === 'terminal' && <TerminalFields value={slip} disabled={pay.isPending} onChange={setSlip} />}
      <TextField
        label="Referencia"
        optional
        maxLength={80}
        value={reference}
        readOnly={pay.isPending}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </Dialog>
  )
}

interface ConfirmTransferProps extends DialogEnds {
  invoice_id: number
  payment: { amount: string; reference: string | null; has_proof: boolean }
  name: string
}

/** The photo of a transfer's proof. */
function Proof({ invoice_id }: { invoice_id: number }) {
  const query = useQuery(queries.counterSales.proof.queryOptions({ input: { invoice_id }, staleTime: 0, meta: { handled: true } }))
  const file = query.data?.file
  return (
    <Loading loading={query.isPending} skeleton={<Skeleton height="200px" />}>
      {file ? (
        <a href={file.src} target="_blank" rel="noreferrer" className="link transfer-proof">
          {file.type.startsWith('image/') ? <img src={file.src} alt="Comprobante de la transferencia" /> : 'Abrir el comprobante'}
        </a>
      ) : (
        <Banner tone="warn">{toFailure(query.error).message}</Banner>
      )}
    </Loading>
  )
}

/** Confirms that a transfer arrived at the bank: it counts from now on. */
export function ConfirmTransfer({ invoice_id, payment, name, onDone, onClose }: ConfirmTransferProps) {
  const [reference, setReference] = useState(payment.reference ?? '')
  const confirm = useIdempotentMutation(api.counterSales.confirm, { onSuccess: onDone, onError: () => undefined })
  return (
    <Dialog
      open
      onClose={confirm.isPending ? null : onClose}
      title={`Confirmar ${formatPesos(payment.amount)}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Todavía no
          </Button>
          <Button
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ invoice_id, ...(reference.trim() ? { reference: reference.trim() } : {}) })}
          >
            Sí, llegó
          </Button>
        </>
      }
    >
      <p>Transferencia de {name}. Cuenta como cobrada desde hoy.</p>
      {payment.has_proof && <Proof invoice_id={invoice_id} />}
      {confirm.isError && (
        <Banner tone="danger" live>
          {toFailure(confirm.error).message}
        </Banner>
      )}
      <TextField
        label="Referencia del banco"
        optional
        maxLength={80}
        value={reference}
        readOnly={confirm.isPending}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </Dialog>
  )
}

interface RejectTransferProps extends DialogEnds {
  invoice_id: number
  payment: { amount: string }
}

/** Records that a transfer never arrived: its amount is owed again. */
export function RejectTransfer({ invoice_id, payment, onDone, onClose }: RejectTransferProps) {
  return (
    <ReasonDialog
      title="La transferencia no llegó"
      yes="Sí, anularla"
      no="Seguir esperando"
      danger
      consequence={`${formatPesos(payment.amount)} quedan a deber. Lo que compró se queda con la persona.`}
      send={(reason) => api.counterSales.reject({ invoice_id, reason })}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
