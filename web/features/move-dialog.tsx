import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { success } from '#contract/messages.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { say } from '#web/lib/alerts.ts'
import { api, queries, useOnce } from '#web/lib/api.ts'
import { useChosen } from '#web/lib/chosen.ts'
import { todayIn } from '#web/lib/clock.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { useClassDetail } from './class-detail.ts'
import { coachNames, placesWords } from './class-facts.ts'
import { placeName } from './place-words.ts'
import { usePlacesChanged } from './places-changed.ts'
import { roomOf, seatBeside } from './seats.ts'
import './move-dialog.css'

/** Two weeks are enough to choose from; further ahead the calendar is the better place. */
const DAYS_AHEAD = 13

const PAID_BY_THE_FREED: readonly string[] = ['NO_CREDITS', 'NO_MATCHING_CREDITS']

/** Classes that the place could be changed for. The freed credit pays and the freed hour is free again; the rest is the server's to say. */
function canTake(cls: SingleClass, row: Reservation): boolean {
  if (cls.single_class_id === row.single_class_id || cls.state !== 'available' || cls.class_package_id !== null) return false
  if (cls.places_left < (row.guest ? 2 : 1)) return false
  if (cls.actions.reserve === 'ok') return true
  const why = cls.why_not?.code ?? ''
  if (PAID_BY_THE_FREED.includes(why)) return cls.class_type.class_type_id === row.single_class.class_type.class_type_id
  const { starts_at, ends_at } = row.single_class
  return why === 'OVERLAPPING_RESERVATION' && cls.starts_at < ends_at && starts_at < cls.ends_at
}

/** Another class instead of this one, in one step, with the same credit (docs/domain.md R18). */
export function MoveDialog({ row, onClose }: { row: Reservation; onClose: () => void }) {
  const site = useSite()
  const changed = usePlacesChanged()
  const { before, keep } = useChosen()
  const [which, setWhich] = useState<'same' | 'all'>(() => (before('ver') === 'todas' ? 'all' : 'same'))
  const [chosen, setChosen] = useState(() => before('otra'))
  const [seats, setSeats] = useState<Seats>(() => ({ mine: before('sitio'), guest: row.guest ? before('sitio_invitado') : null }))
  const sit = (next: Seats) => {
    setSeats(next)
    keep({ sitio: next.mine, sitio_invitado: next.guest })
  }
  const [wrong, setWrong] = useState<string | null>(null)
  const start_date = todayIn(site.zone)
  const type = row.single_class.class_type
  const week = useQuery({
    ...queries.schedule.week.queryOptions({
      input: {
        start_date,
        end_date: addDays(start_date, DAYS_AHEAD),
        ...(which === 'same' ? { class_type_id: type.class_type_id } : {}),
      },
      staleTime: 0,
      meta: { handled: true },
    }),
    enabled: row.actions.move,
  })
  const classes = (week.data?.days ?? []).flatMap((day) => day.classes).filter((cls) => canTake(cls, row))
  const target = classes.find((cls) => String(cls.single_class_id) === chosen)
  const move = useOnce(api.bookings.move, {
    onSuccess() {
      onClose()
      say('success', success.reservationSaved)
    },
    onError: (error) => setWrong(failureOf(error).message),
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
  const submit = () => {
    setWrong(null)
    if (!target) return
    const { single_class_id } = target
    move.mutate({ class_reservation_id: row.class_reservation_id, single_class_id, spot: seats.mine, guest_spot: seats.guest })
  }
  const hasMap = target ? target.spot_map !== null : false
  const missing = !target ? 'Elige una clase.' : hasMap && (!seats.mine || (row.guest && !seats.guest)) ? 'Elige tu lugar.' : null
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
          <Button loading={move.isPending} disabled={missing !== null} onClick={submit}>
            {target ? `Cambiar a ${formatWall(target.class_date, 'class')}` : 'Cambiar'}
          </Button>
        </>
      }
    >
      <p>
        Dejas {placeName(row)}, {formatWall(row.single_class.class_date, 'class')}, y tomas otra con el mismo crédito
        {row.guest ? `. ${row.guest} va contigo.` : '.'}
      </p>
      <Segmented
        label="Qué clases mostrar"
        options={[
          { value: 'same', label: type.name },
          { value: 'all', label: 'Todas las clases' },
        ]}
        value={which}
        onChange={(value) => {
          setWhich(value)
          setChosen(null)
          setSeats(NO_SEATS)
          keep({ ver: value === 'all' ? 'todas' : null, otra: null, sitio: null, sitio_invitado: null })
        }}
      />
      <Loading loading={week.isPending} skeleton={<Skeleton height="240px" />}>
        {week.isError ? (
          <Notice tone="danger" live>
            No pudimos cargar las clases.{' '}
            <button type="button" className="link" onClick={() => void week.refetch()}>
              Intentar de nuevo
            </button>
          </Notice>
        ) : classes.length === 0 ? (
          <Notice>No hay otra clase con lugar en las próximas dos semanas.</Notice>
        ) : (
          <RadioCards
            legend="Clases con lugar"
            quietLegend
            look="list"
            value={chosen}
            onChange={(value) => {
              setChosen(value)
              setSeats(NO_SEATS)
              keep({ otra: value, sitio: null, sitio_invitado: null })
              setWrong(null)
            }}
            options={classes.map((cls) => ({
              value: String(cls.single_class_id),
              title: <b>{formatWall(cls.class_date, 'class')}</b>,
              detail: [`${cls.class_type.name}${coachNames(cls) && ` con ${coachNames(cls)}`}`, cls.location.name].join(' · '),
              aside: placesWords(cls),
              panel: cls.spot_map ? <TargetSeats classId={cls.single_class_id} row={row} seats={seats} onSeats={sit} /> : undefined,
            }))}
          />
        )}
      </Loading>
      {wrong && (
        <Notice tone="danger" live>
          {wrong}
        </Notice>
      )}
    </Dialog>
  )
}

interface Seats {
  mine: string | null
  guest: string | null
}
const NO_SEATS: Seats = { mine: null, guest: null }

interface TargetSeatsProps {
  classId: number
  row: Reservation
  seats: Seats
  onSeats: (seats: Seats) => void
}

/** The room of the class that is chosen. */
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
