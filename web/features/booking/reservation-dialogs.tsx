import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
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

interface PlaceDialogsProps {
  asked: { name: ReservationDialog; id: number } | null
  ask: (name: ReservationDialog, id: number) => void
  close: () => void
}

/** The dialog of a place that the address asks for. */
export function ReservationDialogs({ asked, ask, close }: PlaceDialogsProps) {
  const { data, error } = useQuery({
    ...queries.bookings.one.queryOptions({ input: { class_reservation_id: asked?.id || 1 }, meta: { handled: true } }),
    enabled: asked !== null,
  })
  if (!asked) return null
  const row = data?.class_reservation
  if (error)
    return (
      <Dialog open onClose={close} title="No pudimos abrir esta reservación" actions={<Button onClick={close}>Entendido</Button>}>
        <p>{failureOf(error).message}</p>
      </Dialog>
    )
  if (row?.class_reservation_id !== asked.id)
    return (
      <Dialog open onClose={close} title="Mi lugar">
        <Skeleton height="160px" />
      </Dialog>
    )
  switch (asked.name) {
    case 'lugar':
      return <ReservationSheet row={row} ask={ask} onClose={close} />
    case 'asiento':
      return <SeatDialog row={row} onClose={close} />
    case 'invitado':
      return <GuestDialog row={row} onClose={close} />
    case 'cancelar':
      return <CancelDialog row={row} onClose={close} />
    case 'cambiar':
      return <MoveDialog row={row} onClose={close} />
    case 'repetir':
      return <RepeatDialog row={row} onClose={close} />
    case 'codigo':
      return <AccessCode row={row} onClose={close} />
    case 'calificar':
      return <RateDialog row={row} onClose={close} />
  }
}
