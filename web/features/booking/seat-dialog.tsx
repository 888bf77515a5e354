import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { success } from '#contract/copy/messages.ts'
import { spotInSentence, spotName } from '#contract/copy/names.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useDialogState } from '#web/lib/use-dialog-state.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { useClassDetail } from './class-detail.ts'
import { reservationTitle } from './reservation-text.ts'
import { useReservationsChanged } from './reservations-changed.ts'
import { roomOf, seatFrom } from './seats.ts'

/** Chooses another seat of the same room, for the customer or the guest (S2-7.64, docs/domain.md R14). */
export function SeatDialog({ row, onClose }: { row: Reservation; onClose: () => void }) {
  const { cls } = useClassDetail(row.single_class_id)
  if (!cls)
    return (
      <Dialog open onClose={onClose} title="Cambiar de lugar" width="middle">
        <Skeleton height="240px" />
      </Dialog>
    )
  return <SeatForm key={row.class_reservation_id} row={row} cls={cls} onClose={onClose} />
}

function SeatForm({ row, cls, onClose }: { row: Reservation; cls: ClassDetail; onClose: () => void }) {
  const changed = useReservationsChanged()
  const room = roomOf(cls, [row.spot, row.guest_spot])
  const { getChoice, setChoices } = useDialogState()
  const [spot, setSpot] = useState(() => seatFrom(getChoice('sitio'), room.free) ?? row.spot)
  const [guestSpot, setGuestSpot] = useState(() => seatFrom(getChoice('sitio_invitado'), room.free) ?? row.guest_spot)
  const [choosing, setChoosing] = useState<'me' | 'guest'>('me')
  const [wrong, setWrong] = useState<string | null>(null)
  const save = useIdempotentMutation(api.bookings.update, {
    onSuccess() {
      onClose()
      showAlert('success', success.reservationSaved)
    },
    onError: (error) => setWrong(toFailure(error).message),
    onSettled: changed,
  })
  const choose = (at: string) => {
    setWrong(null)
    // Choosing the seat of the other person swaps the two seats.
    const [mine, guests] = choosing === 'me' ? [at, at === guestSpot ? spot : guestSpot] : [at === spot ? guestSpot : spot, at]
    setSpot(mine)
    setGuestSpot(guests)
    setChoices({ sitio: mine, sitio_invitado: guests })
  }
  const submit = () =>
    save.mutate({
      class_reservation_id: row.class_reservation_id,
      ...(spot ? { spot } : {}),
      ...(row.guest && guestSpot ? { guest_spot: guestSpot } : {}),
    })
  const same = spot === row.spot && guestSpot === row.guest_spot
  return (
    <Dialog
      open
      onClose={save.isPending ? null : onClose}
      title="Cambiar de lugar"
      width="middle"
      actions={
        <>
          <Button variant="outline" disabled={save.isPending} onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={save.isPending} disabled={same} onClick={submit}>
            Guardar
          </Button>
        </>
      }
    >
      <p>
        {reservationTitle(row)}, {formatWall(row.single_class.class_date, 'class')}.
        {spot &&
          ` ${spotName(spot, room.labelOf(spot))}${row.guest && guestSpot ? `; ${row.guest}, ${spotInSentence(guestSpot, room.labelOf(guestSpot))}` : ''}.`}
      </p>
      {same && <p className="small muted">Elige otro lugar del mapa.</p>}
      {row.guest && (
        <Segmented
          label="Quién cambia de lugar"
          options={[
            { value: 'me', label: 'Yo' },
            { value: 'guest', label: row.guest },
          ]}
          value={choosing}
          onChange={setChoosing}
        />
      )}
      {room.rows && (
        <SpotMap
          rows={room.rows}
          seats={room.seats}
          taken={room.taken}
          broken={room.closed}
          value={spot}
          guest={row.guest ? guestSpot : undefined}
          choosing={choosing}
          onChoose={choose}
        />
      )}
      {wrong && (
        <Banner tone="danger" live>
          {wrong}
        </Banner>
      )}
    </Dialog>
  )
}
