import { useState } from 'react'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { AMOUNT, AMOUNT_HINT } from './cash-text.ts'

interface MovementDialogProps {
  cash_session_id: number
  kind: 'in' | 'out'
  onDone: () => void
  onClose: () => void
}

/** Records cash that is added to the drawer or removed without a sale. */
export default function MovementDialog({ cash_session_id, kind, onDone, onClose }: MovementDialogProps) {
  const [amount, setAmount] = useState('')
  const hasPad = useMoneyPad()
  const [reason, setReason] = useState('')
  const problem = !AMOUNT.test(amount) || Number(amount) === 0 ? AMOUNT_HINT : reason.trim().length < 3 ? 'Escribe el motivo.' : null
  const title = kind === 'in' ? 'Entrada de efectivo' : 'Salida de efectivo'
  const move = useIdempotentMutation(api.cashSessions.move, {
    onSuccess() {
      showAlert('success', 'Guardado.')
      onDone()
    },
    onError: () => undefined,
  })
  return (
    <Dialog
      open
      onClose={move.isPending ? null : onClose}
      title={title}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancelar
          </Button>
          <Button
            loading={move.isPending}
            reason={problem}
            onClick={() => !problem && move.mutate({ cash_session_id, kind, amount, reason: reason.trim() })}
          >
            {kind === 'in' ? 'Guardar entrada' : 'Guardar salida'}
          </Button>
        </>
      }
    >
      {move.isError && (
        <Banner tone="danger" live>
          {toFailure(move.error).message}
        </Banner>
      )}
      <TextField
        label="Cantidad"
        inputMode={hasPad ? 'none' : 'decimal'}
        maxLength={12}
        value={amount}
        readOnly={move.isPending}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <MoneyPad label="Cantidad" value={amount} disabled={move.isPending} onChange={setAmount} />
      <TextField
        label="Motivo"
        maxLength={300}
        hint={kind === 'in' ? 'Por ejemplo, “Cambio de la oficina”.' : 'Por ejemplo, “Agua” o “Depósito al banco”.'}
        value={reason}
        readOnly={move.isPending}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}
