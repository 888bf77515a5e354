/** Dialogs with actions on a reservation, for the roster, the reservation's own screen and the check-in. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RosterReservation } from '#contract/attendance.ts'
import { success } from '#contract/copy/messages.ts'
import { formatPesos } from '#contract/money.ts'
import { showWithUndo } from '#web/features/admin/frame/act-undo.ts'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf, usePaidProblem } from '#web/features/admin/people/paid-with.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { useRosterChanged } from './use-roster.ts'

interface VerbProps {
  row: RosterReservation
  /** closes the dialog, with or without the action */
  onClose: () => void
  /** returns to the previous dialog */
  onBack: () => void
}

interface ExcuseProps {
  /** the name on the entry: a guest's differs from the customer's */
  name: string
  onMark: (mark: { attend: boolean | null; excuse?: string }) => void
}

/** Cancels the reservation for the customer; shows before whether the credit is returned. */
export function CancelReservation({ row, onClose, onBack }: VerbProps) {
  const changed = useRosterChanged()
  const [credit, setCredit] = useState<'return' | 'keep'>('return')
  const [reason, setReason] = useState('')
  const cancel = useMutation({
    meta: { handled: true },
    mutationFn: () => api.attendance.cancel({ class_reservation_id: String(row.class_reservation_id), reason: reason.trim(), credit }),
    onSuccess({ undo }) {
      showWithUndo(success.reservationCancelled, undo, changed)
      onClose()
    },
    onSettled: changed,
  })
  const tooShort = reason.trim().length < 3
  return (
    <Dialog
      open
      onClose={cancel.isPending ? null : onClose}
      title="Cancelar su lugar"
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            No, conservarlo
          </Button>
          <Button
            variant="danger"
            loading={cancel.isPending}
            reason={tooShort ? 'Escribe el motivo.' : null}
            onClick={() => !tooShort && cancel.mutate()}
          >
            Sí, cancelar
          </Button>
        </>
      }
    >
      <p>
        {row.name} {row.last_name}
        {row.guest ? `, con ${row.guest}. También se libera el lugar de su invitado.` : ''}
      </p>
      {cancel.isError && (
        <Banner tone="danger" live>
          {toFailure(cancel.error).message}
        </Banner>
      )}
      {!row.is_cash && (
        <RadioCards
          legend="Su clase"
          options={[
            { value: 'return', title: 'Se le regresa', detail: 'Podrá usarla en otra clase.' },
            { value: 'keep', title: 'No se le regresa', detail: 'Cuenta como cancelación tardía.' },
          ]}
          value={credit}
          onChange={setCredit}
        />
      )}
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}

/** Receives the money owed for a reservation. */
export function ReceiveMoney({ row, location_id, onClose, onBack }: VerbProps & { location_id: number | null }) {
  const changed = useRosterChanged()
  const [paid, setPaid] = useState<PaidWith>({ ...BY_DEFAULT, location_id })
  const problem = usePaidProblem(paid)
  const owed = row.owed ?? '0.00'
  const receive = useIdempotentMutation(api.attendance.paid, {
    onSuccess() {
      showAlert('success', `Cobro de ${formatPesos(owed)} registrado.`)
      onClose()
    },
    onError: () => undefined,
    onSettled: changed,
  })
  return (
    <Dialog
      open
      onClose={receive.isPending ? null : onClose}
      title={`Recibir ${formatPesos(owed)}`}
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Todavía no
          </Button>
          <Button
            loading={receive.isPending}
            reason={problem}
            onClick={() =>
              !problem && receive.mutate({ class_reservation_id: row.class_reservation_id, amount: owed, ...receivedOf(paid) })
            }
          >
            Recibí {formatPesos(owed)}
          </Button>
        </>
      }
    >
      <p>
        De {row.name} {row.last_name}.
      </p>
      {receive.isError && <CounterRefusal error={receive.error} location_id={paid.location_id} onOpened={receive.reset} />}
      <PaidWithFields value={paid} onChange={setPaid} />
    </Dialog>
  )
}

/** Excuses an absence, with a reason, so that it causes no penalty. */
export function Excuse({ name, row, onMark, onClose, onBack }: VerbProps & ExcuseProps) {
  const [reason, setReason] = useState(row.excuse ?? '')
  const tooShort = reason.trim().length < 3
  return (
    <Dialog
      open
      onClose={onClose}
      title="Justificar la falta"
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Volver
          </Button>
          <Button
            reason={tooShort ? 'Escribe el motivo.' : null}
            onClick={() => {
              if (tooShort) return
              onMark({ attend: false, excuse: reason.trim() })
              onClose()
            }}
          >
            Justificar
          </Button>
        </>
      }
    >
      <p>{name} no cuenta como inasistencia: no suma para una penalización.</p>
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}
