import { useId, useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { success, validation } from '#contract/copy/messages.ts'
import { paths } from '#contract/paths.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogState, useDraft } from '#web/lib/use-dialog-state.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { useClassDetail } from './class-detail.ts'
import { guestCreditText } from './credit-text.ts'
import { returnedCreditsText } from './credits-returned.ts'
import { GuestNameField } from './guest-name-field.tsx'
import { reservationTitle } from './reservation-text.ts'
import { useReservationsChanged } from './reservations-changed.ts'
import { roomOf, seatBeside, seatFrom } from './seats.ts'

interface GuestDialogProps {
  row: Reservation
  onClose: () => void
}

/** The guest of the customer's reservation: add, rename or remove one (S2-2.23, S2-5.06, S2-7.61, settled 21). */
export function GuestDialog({ row, onClose }: GuestDialogProps) {
  const { cls } = useClassDetail(row.guest ? null : row.single_class_id)
  if (row.guest) return <KnownGuest key={row.class_reservation_id} row={row} name={row.guest} onClose={onClose} />
  if (!cls)
    return (
      <Dialog open onClose={onClose} title="Llevo un invitado">
        <Skeleton height="180px" />
      </Dialog>
    )
  if (!row.actions.add_guest) return <NoGuest cls={cls} onClose={onClose} />
  return <NewGuest key={cls.single_class_id} row={row} cls={cls} onClose={onClose} />
}

/** Explains why no guest can be added now, with a next step if there is one. */
function NoGuest({ cls, onClose }: { cls: ClassDetail; onClose: () => void }) {
  const site = useSite()
  const full = cls.places_left < 1
  const lacksCredits = !full && cls.guest_spend === null
  return (
    <Dialog
      open
      onClose={onClose}
      title="Llevo un invitado"
      actions={
        <>
          <Button variant={lacksCredits ? 'outline' : 'filled'} onClick={onClose}>
            Entendido
          </Button>
          {lacksCredits && (
            <Button as={AppLink} to={paths.mystudio.packages(site)}>
              Comprar Clases
            </Button>
          )}
        </>
      }
    >
      <p>
        {full
          ? 'Ya no quedan lugares para tu invitado en esta clase.'
          : lacksCredits
            ? 'Tu invitado usa un crédito más, y no te queda ninguno para esta clase.'
            : 'Ahora no se puede agregar un invitado a esta clase.'}
      </p>
    </Dialog>
  )
}

function NewGuest({ row, cls, onClose }: GuestDialogProps & { cls: ClassDetail }) {
  const changed = useReservationsChanged()
  const room = roomOf(cls, [row.spot])
  const otherSpots = room.free.filter((otherSpot) => otherSpot !== row.spot)
  const { getChoice, setChoices } = useDialogState()
  const [name, setName] = useDraft(`invitado:${row.single_class_id}`)
  const [spot, setSpot] = useState(
    () => seatFrom(getChoice('sitio_invitado'), otherSpots) ?? (row.spot ? seatBeside(otherSpots, row.spot) : null),
  )
  const [wrong, setWrong] = useState<{ name?: string; map?: string; form?: string }>({})
  const problem = useId()
  const add = useIdempotentMutation(api.bookings.guest, {
    onSuccess() {
      onClose()
      showAlert('success', success.reservationRecorded)
    },
    onError: (error) => setWrong({ form: toFailure(error).message }),
    onSettled: changed,
  })
  const submit = () => {
    const problems: typeof wrong = {}
    if (name.trim().length < 2) problems.name = validation.guestName
    if (room.rows && !spot) problems.map = 'Elige el lugar de tu invitado.'
    setWrong(problems)
    if (problems.name || problems.map) return
    add.mutate({ class_reservation_id: row.class_reservation_id, name: name.trim(), ...(spot ? { guest_spot: spot } : {}) })
  }
  return (
    <Dialog
      open
      onClose={add.isPending ? null : onClose}
      title="Llevo un invitado"
      width={room.rows ? 'middle' : 'normal'}
      actions={
        <>
          <Button variant="outline" disabled={add.isPending} onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={add.isPending} onClick={submit}>
            Agregar invitado
          </Button>
        </>
      }
    >
      <p>
        {reservationTitle(row)}, {formatWall(row.single_class.class_date, 'class')}.
        {cls.guest_spend && ` ${guestCreditText(cls.guest_spend)}`}
      </p>
      <GuestNameField value={name} onChange={setName} error={wrong.name} />
      {wrong.map && (
        <Banner id={problem} tone="danger" live>
          {wrong.map}
        </Banner>
      )}
      {room.rows && (
        <SpotMap
          rows={room.rows}
          seats={room.seats}
          taken={room.taken}
          broken={room.closed}
          value={row.spot}
          guest={spot}
          choosing="guest"
          problem={wrong.map ? problem : undefined}
          onChoose={(at) => {
            setSpot(at)
            setChoices({ sitio_invitado: at })
          }}
        />
      )}
      {wrong.form && (
        <Banner tone="danger" live>
          {wrong.form}
        </Banner>
      )}
    </Dialog>
  )
}

function KnownGuest({ row, name: now, onClose }: GuestDialogProps & { name: string }) {
  const changed = useReservationsChanged()
  const { getChoice, setChoices } = useDialogState()
  const [name, setName] = useDraft(`invitado:${row.single_class_id}`, now)
  const [wrong, setWrong] = useState<string | null>(null)
  const [removing, setRemoving] = useState(() => getChoice('quitar') === '1')
  const showRemoval = (asking: boolean) => {
    setRemoving(asking)
    setChoices({ quitar: asking ? 1 : null })
  }
  const rename = useIdempotentMutation(api.bookings.guest, {
    onSuccess() {
      onClose()
      showAlert('success', success.guestNameUpdated)
    },
    onError: (error) => setWrong(toFailure(error).message),
    onSettled: changed,
  })
  const remove = useIdempotentMutation(api.bookings.removeGuest, {
    onSuccess() {
      onClose()
      showAlert('success', `${now} ya no viene contigo.`)
    },
    onError(error) {
      onClose()
      alertFailure(error)
    },
    onSettled: changed,
  })
  const how = row.actions.remove_guest
  if (removing && how)
    return (
      <ConfirmDialog
        open
        onClose={() => showRemoval(false)}
        onConfirm={() => remove.mutateAsync({ class_reservation_id: row.class_reservation_id }).catch(() => {})}
        yes="Sí, quitar"
        no="No, que venga"
        consequence={
          how === 'late'
            ? { tone: 'warn', text: 'Ya pasó el tiempo para cancelar: el crédito de tu invitado no regresa.' }
            : {
                tone: 'neutral',
                text: `${row.guest_comes_back ? returnedCreditsText(row.guest_comes_back, 'guest') : ''} Tu lugar se queda como está.`,
              }
        }
      >
        ¿Quieres quitar a {now} de {reservationTitle(row)}, {formatWall(row.single_class.class_date, 'class')}?
      </ConfirmDialog>
    )
  const submit = () => {
    if (name.trim().length < 2) return setWrong(validation.guestName)
    setWrong(null)
    rename.mutate({ class_reservation_id: row.class_reservation_id, name: name.trim() })
  }
  return (
    <Dialog
      open
      onClose={rename.isPending ? null : onClose}
      title="Mi invitado"
      actions={
        <>
          {how && (
            <Button variant="danger-quiet" disabled={rename.isPending} onClick={() => showRemoval(true)}>
              Quitar a mi invitado
            </Button>
          )}
          <Button loading={rename.isPending} onClick={submit}>
            Guardar
          </Button>
        </>
      }
    >
      <p>
        {reservationTitle(row)}, {formatWall(row.single_class.class_date, 'class')}.
      </p>
      <GuestNameField value={name} onChange={setName} error={wrong} />
    </Dialog>
  )
}
