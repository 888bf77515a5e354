import type { Reservation } from '#contract/bookings.ts'
import { lateCancelWarning, success } from '#contract/copy/messages.ts'
import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { returnedCreditsText } from './credits-returned.ts'
import { reservationTitle } from './reservation-text.ts'
import { useReservationsChanged } from './reservations-changed.ts'

interface CancelDialogProps {
  row: Reservation
  onClose: () => void
}

/** 'Cancelar Clase': shows before the confirmation which credits come back (S2-2.31, S2-2.52, S2-5.10, S2-5.11). */
export function CancelDialog({ row, onClose }: CancelDialogProps) {
  const changed = useReservationsChanged()
  const cancel = useIdempotentMutation(api.bookings.cancel, {
    onSuccess() {
      onClose()
      showAlert('success', success.reservationCancelled)
    },
    onError(error) {
      onClose()
      alertFailure(error)
    },
    onSettled: changed,
  })
  if (!row.actions.cancel && cancel.isIdle)
    return (
      <Dialog open onClose={onClose} title="Cancelar Clase" actions={<Button onClick={onClose}>Entendido</Button>}>
        <p>{row.why_not?.message ?? 'Esta reservación ya no se puede cancelar.'}</p>
      </Dialog>
    )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => cancel.mutateAsync({ class_reservation_id: row.class_reservation_id }).catch(() => {})}
      title="Cancelar Clase"
      yes="Cancelar Clase"
      no="Conservar mi lugar"
      consequence={
        row.late_window ? { tone: 'warn', text: lateCancelWarning(row.late_window) } : { tone: 'neutral', text: whatReturns(row) }
      }
    >
      {reservationTitle(row)}, {formatWall(row.single_class.class_date, 'class')}.
      {row.guest ? ` También se cancela el lugar de ${row.guest}.` : ''}
    </ConfirmDialog>
  )
}

function whatReturns(row: Reservation): string {
  if (row.is_cash) return row.is_paid ? 'El estudio te dirá cómo se devuelve tu pago.' : 'No tienes nada que pagar.'
  const returnedText = row.comes_back ? returnedCreditsText(row.comes_back, 'mine') : ''
  return row.undo_until ? `${returnedText} Acabas de reservar: no cuenta como cancelación.` : returnedText
}
