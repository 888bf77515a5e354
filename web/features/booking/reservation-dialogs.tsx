import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccessCode } from './access-code.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { GuestDialog } from './guest-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { RateDialog } from './rate-dialog.tsx'
import { RepeatDialog } from './repeat-dialog.tsx'
import { ReservationSheet } from './reservation-sheet.tsx'
import type { ReservationDialog } from './reservation-text.ts'
import { SeatDialog } from './seat-dialog.tsx'

interface ReservationDialogsProps {
  open: { name: ReservationDialog; id: number } | null
  show: (name: ReservationDialog, id: number) => void
  onClose: () => void
}

/** Renders the reservation dialog that the address names. */
export function ReservationDialogs({ open, show, onClose }: ReservationDialogsProps) {
  const { data, error } = useQuery({
    ...queries.bookings.one.queryOptions({ input: { class_reservation_id: open?.id || 1 }, meta: { handled: true } }),
    enabled: open !== null,
  })
  if (!open) return null
  const row = data?.class_reservation
  if (error)
    return (
      <Dialog open onClose={onClose} title="No pudimos abrir esta reservación" actions={<Button onClick={onClose}>Entendido</Button>}>
        <p>{toFailure(error).message}</p>
      </Dialog>
    )
  if (row?.class_reservation_id !== open.id)
    return (
      <Dialog open onClose={onClose} title="Mi lugar">
        <Skeleton height="160px" />
      </Dialog>
    )
  switch (open.name) {
    case 'lugar':
      return <ReservationSheet row={row} show={show} onClose={onClose} />
    case 'asiento':
      return <SeatDialog row={row} onClose={onClose} />
    case 'invitado':
      return <GuestDialog row={row} onClose={onClose} />
    case 'cancelar':
      return <CancelDialog row={row} onClose={onClose} />
    case 'cambiar':
      return <MoveDialog row={row} onClose={onClose} />
    case 'repetir':
      return <RepeatDialog row={row} onClose={onClose} />
    case 'codigo':
      return <AccessCode row={row} onClose={onClose} />
    case 'calificar':
      return <RateDialog row={row} onClose={onClose} />
  }
}
