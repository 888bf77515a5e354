import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { success } from '#contract/copy/messages.ts'
import { formatWall } from '#contract/time.ts'
import { coachNames, spotsText } from '#web/features/calendar/class-facts.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { useClassDetail } from './class-detail.ts'
import { type MoveChoice, NO_SEATS, type Seats, useMoveChoice } from './move-choice.ts'
import { reservationTitle } from './reservation-text.ts'
import { useReservationsChanged } from './reservations-changed.ts'
import { roomOf, seatBeside } from './seats.ts'
import './move-dialog.css'

/** Moves a reservation to another class in one step, with the same credit if it is valid there (docs/domain.md R18). */
export function MoveDialog({ row, onClose }: { row: Reservation; onClose: () => void }) {
  const changed = useReservationsChanged()
  const choice = useMoveChoice(row)
  const [wrong, setWrong] = useState<string | null>(null)
  const move = useIdempotentMutation(api.bookings.move, {
    onSuccess() {
      onClose()
      showAlert('success', success.reservationSaved)
    },
    onError: (error) => setWrong(toFailure(error).message),
    onSettled: changed,
  })
  if (!row.actions.move)
    return (
      <Dialog open onClose={onClose} title="Cambiar de clase" actions={<Button onClick={onClose}>Entendido</Button>}>
        <p>
          {row.actions.cancel === 'late'
            ? 'Ya pasó el tiempo para cambiar de clase sin perder tu crédito.'
            : (row.why_not?.message ?? 'Esta reservación ya no se puede cambiar.')}
        </p>
      </Dialog>
    )
  const { target, seats } = choice
  const submit = () => {
    setWrong(null)
    if (!target) return
    const { single_class_id } = target
    move.mutate({ class_reservation_id: row.class_reservation_id, single_class_id, spot: seats.mine, guest_spot: seats.guest })
  }
  const seated = !target?.spot_map || (seats.mine && (!row.guest || seats.guest))
  return (
    <Dialog
      open
      onClose={move.isPending ? null : onClose}
      title="Cambiar de clase"
      width="middle"
      actions={
        <>
          <Button variant="outline" disabled={move.isPending} onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={move.isPending} disabled={!target || !seated} onClick={submit}>
            {target ? `Cambiar a ${formatWall(target.class_date, 'class')}` : 'Cambiar'}
          </Button>
        </>
      }
    >
      <p>
        Dejas {reservationTitle(row)}, {formatWall(row.single_class.class_date, 'class')}, y tomas otra con el mismo crédito; si ahí no
        aplica, con el siguiente que sí.
        {row.guest && ` ${row.guest} va contigo.`}
      </p>
      <Segmented
        label="Qué clases mostrar"
        options={[
          { value: 'same', label: row.single_class.class_type.name },
          { value: 'all', label: 'Todas las clases' },
        ]}
        value={choice.which}
        onChange={choice.show}
      />
      <Targets row={row} choice={choice} onTaken={() => setWrong(null)} />
      {wrong && (
        <Banner tone="danger" live>
          {wrong}
        </Banner>
      )}
    </Dialog>
  )
}

/** The classes to choose from, and the room of the chosen one below it. */
function Targets({ row, choice, onTaken }: { row: Reservation; choice: MoveChoice; onTaken: () => void }) {
  const { week, classes, chosen, take, seats, sit } = choice
  return (
    <Loading loading={week.isPending} skeleton={<Skeleton height="240px" />}>
      {week.isError ? (
        <PartNotLoaded query={week}>No pudimos cargar las clases.</PartNotLoaded>
      ) : classes.length === 0 ? (
        <Banner>No hay otra clase con lugar en las próximas dos semanas.</Banner>
      ) : (
        <RadioCards
          legend="Clases con lugar"
          quietLegend
          variant="list"
          value={chosen}
          onChange={(value) => {
            take(value)
            onTaken()
          }}
          options={classes.map((cls) => ({
            value: String(cls.single_class_id),
            title: <b>{formatWall(cls.class_date, 'class')}</b>,
            detail: [`${cls.class_type.name}${coachNames(cls) && ` con ${coachNames(cls)}`}`, cls.location.name].join(' · '),
            aside: spotsText(cls),
            panel: cls.spot_map ? <TargetSeats classId={cls.single_class_id} row={row} seats={seats} onSeats={sit} /> : undefined,
          }))}
        />
      )}
    </Loading>
  )
}

interface TargetSeatsProps {
  classId: number
  row: Reservation
  seats: Seats
  onSeats: (seats: Seats) => void
}

/** The room of the chosen class. */
function TargetSeats({ classId, row, seats, onSeats }: TargetSeatsProps) {
  const { cls } = useClassDetail(classId)
  if (!cls) return <Skeleton height="180px" />
  const room = roomOf(cls)
  if (!room.rows) return null
  const choosing = row.guest && seats.mine ? 'guest' : 'me'
  const pick = (mine: string) => onSeats({ mine, guest: row.guest ? seatBeside(room.free, mine) : null })
  const any = () => {
    const mine = row.spot && room.free.includes(row.spot) ? row.spot : room.free[Math.floor(Math.random() * room.free.length)]
    if (mine) pick(mine)
  }
  return (
    <div className="stack gap-16 move-seats">
      <SpotMap
        rows={room.rows}
        seats={room.seats}
        taken={room.taken}
        broken={room.closed}
        value={seats.mine}
        guest={row.guest ? seats.guest : undefined}
        choosing={choosing}
        onChoose={(at) => (choosing === 'guest' ? onSeats({ ...seats, guest: at }) : pick(at))}
      />
      <span className="row wraps gap-8">
        <Button variant="outline" size="small" onClick={any}>
          Elige por mí
        </Button>
        {seats.mine && (
          <Button variant="quiet" size="small" onClick={() => onSeats(NO_SEATS)}>
            Elegir otra vez
          </Button>
        )}
      </span>
    </div>
  )
}
