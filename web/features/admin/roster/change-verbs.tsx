/** Dialogs that change a reservation: its seat, its guest, its class. */
import { type ReactNode, useState } from 'react'
import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import { spotInSentence, spotName } from '#contract/copy/names.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { seatLabelIn } from '#web/features/admin/timetable/seats.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { freeSpots } from './free-spots.ts'
import type { RosterEntry } from './roster-entries.ts'
import { useRosterChanged } from './use-roster.ts'

interface ChangeProps {
  cls: RosterClass
  entry: RosterEntry
  /** the customer's own reservation, which a guest's belongs to */
  row: RosterReservation
  entries: readonly RosterEntry[]
  onClose: () => void
  onBack: () => void
}

interface ChangeDialogProps {
  title: string
  yes: string
  /** why it cannot be sent yet, in Spanish */
  problem: string | null
  change: { isPending: boolean; isError: boolean; error: unknown }
  onSend: () => void
  onClose: () => void
  onBack: () => void
  children: ReactNode
}

function ChangeDialog({ title, yes, problem, change, onSend, onClose, onBack, children }: ChangeDialogProps) {
  return (
    <Dialog
      open
      onClose={change.isPending ? null : onClose}
      title={title}
      actions={
        <>
          <Button variant="outline" onClick={onBack}>
            Volver
          </Button>
          <Button loading={change.isPending} reason={problem} onClick={() => problem === null && onSend()}>
            {yes}
          </Button>
        </>
      }
    >
      {change.isError && (
        <Banner tone="danger" live>
          {toFailure(change.error).message}
        </Banner>
      )}
      {children}
    </Dialog>
  )
}

/** A mutation of a reservation; shows `done` and closes the dialog on success. */
function useChange<Input, Answer>(call: Parameters<typeof useIdempotentMutation<Input, Answer>>[0], done: string, onClose: () => void) {
  const changed = useRosterChanged()
  return useIdempotentMutation<Input, Answer>(call, {
    onSuccess() {
      showAlert('success', done)
      onClose()
    },
    onError: () => undefined,
    onSettled: changed,
  })
}

interface SpotSelectProps {
  cls: Pick<RosterClass, 'seats'>
  free: readonly string[]
  value: string
  onChange: (spot: string) => void
}

function SpotSelect({ cls, free, value, onChange }: SpotSelectProps) {
  return (
    <Select label="Lugar" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {free.length === 0 && <option value="">Sin lugares libres</option>}
      {free.map((spot) => (
        <option key={spot} value={spot}>
          {spotName(spot, seatLabelIn(cls, spot))}
        </option>
      ))}
    </Select>
  )
}

/** Changes the seat of the customer or the guest. */
export function ChangeSpot({ cls, entry, row, entries, onClose, onBack }: ChangeProps) {
  const free = freeSpots(cls, entries)
  const [spot, setSpot] = useState(free[0] ?? '')
  const change = useChange(api.frontDesk.change, 'Lugar cambiado.', onClose)
  const { class_reservation_id } = row
  return (
    <ChangeDialog
      title="Cambiar de lugar"
      yes="Cambiar"
      problem={spot === '' ? 'No hay lugares libres.' : null}
      change={change}
      onSend={() => change.mutate(entry.isGuest ? { class_reservation_id, guest_spot: spot } : { class_reservation_id, spot })}
      onClose={onClose}
      onBack={onBack}
    >
      <p>
        {entry.name}
        {entry.spot && ` está en ${spotInSentence(entry.spot, entry.seatLabel)}`}.
      </p>
      <SpotSelect cls={cls} free={free} value={spot} onChange={setSpot} />
    </ChangeDialog>
  )
}

/** Adds a guest. */
export function BringGuest({ cls, row, entries, onClose, onBack }: Omit<ChangeProps, 'entry'>) {
  const free = freeSpots(cls, entries)
  const [guest, setGuest] = useState('')
  const [spot, setSpot] = useState(free[0] ?? '')
  const change = useChange(api.frontDesk.change, 'Invitado agregado.', onClose)
  return (
    <ChangeDialog
      title="Agregar un invitado"
      yes="Agregar"
      problem={guest.trim().length < 2 ? 'Escribe su nombre.' : null}
      change={change}
      onSend={() =>
        change.mutate({
          class_reservation_id: row.class_reservation_id,
          guest: guest.trim(),
          ...(cls.spot_map && spot ? { guest_spot: spot } : {}),
        })
      }
      onClose={onClose}
      onBack={onBack}
    >
      <p className="muted">{row.is_cash ? 'Su lugar queda por cobrar, como el de quien lo trae.' : `Se usa una clase de ${row.name}.`}</p>
      <TextField
        label="Nombre del invitado"
        maxLength={80}
        autoComplete="off"
        value={guest}
        onChange={(event) => setGuest(event.currentTarget.value)}
      />
      {cls.spot_map && <SpotSelect cls={cls} free={free} value={spot} onChange={setSpot} />}
    </ChangeDialog>
  )
}

/** Removes the guest. */
export function RemoveGuest({ row, onClose, onBack }: Pick<ChangeProps, 'row' | 'onClose' | 'onBack'>) {
  const [credit, setCredit] = useState<'return' | 'keep'>('return')
  const change = useChange(api.frontDesk.removeGuest, 'Invitado quitado.', onClose)
  return (
    <ChangeDialog
      title="Quitar al invitado"
      yes="Sí, quitar"
      problem={null}
      change={change}
      onSend={() => change.mutate({ class_reservation_id: String(row.class_reservation_id), credit })}
      onClose={onClose}
      onBack={onBack}
    >
      <p>
        El lugar de {row.guest} queda libre; {row.name} conserva el suyo.
      </p>
      {!row.is_cash && (
        <RadioCards
          legend="La clase que se usó"
          options={[
            { value: 'return', title: 'Se regresa' },
            { value: 'keep', title: 'No se regresa' },
          ]}
          value={credit}
          onChange={setCredit}
        />
      )}
    </ChangeDialog>
  )
}

/** How many days ahead other classes are offered. */
const DAYS_AHEAD = 7

/** Moves the reservation to another class: those with a free place, of the same type first. */
export function MoveReservation({ cls, row, onClose, onBack }: Omit<ChangeProps, 'entry' | 'entries'>) {
  const today = todayIn(cls.timezone)
  const days = useDays(today, addDays(today, DAYS_AHEAD), null)
  const spots = row.guest ? 2 : 1
  const now = useNow()
  const classes = (days.data?.days ?? [])
    .flatMap((day) => day.classes)
    .filter(
      (candidate) => candidate.single_class_id !== cls.single_class_id && candidate.state !== 'cancelled' && candidate.places_left >= spots,
    )
    .filter((cls) => Date.parse(cls.ends_at) > now)
    .sort((a, b) => Number(b.class_type.class_type_id === cls.class_type_id) - Number(a.class_type.class_type_id === cls.class_type_id))
  const [chosen, setChosen] = useState('')
  const id = chosen || String(classes[0]?.single_class_id ?? '')
  const [reason, setReason] = useState('')
  const change = useChange(api.frontDesk.move, 'Reservación cambiada de clase.', onClose)
  return (
    <ChangeDialog
      title="Mover a otra clase"
      yes="Mover"
      problem={id === '' ? (days.isPending ? 'Cargando clases…' : 'No hay clases con lugar en los próximos días.') : null}
      change={change}
      onSend={() =>
        change.mutate({
          class_reservation_id: row.class_reservation_id,
          single_class_id: Number(id),
          ...(reason.trim().length >= 3 ? { reason: reason.trim() } : {}),
        })
      }
      onClose={onClose}
      onBack={onBack}
    >
      <p>
        {row.name} {row.last_name}
        {row.guest && `, con ${row.guest}`}. Moverla no gasta otra clase.
      </p>
      <Select label="Clase" value={id} onChange={(event) => setChosen(event.currentTarget.value)}>
        {classes.length === 0 && <option value="">Sin clases con lugar</option>}
        {classes.map((cls) => (
          <option key={cls.single_class_id} value={cls.single_class_id}>
            {formatWall(cls.class_date, 'class')} · {cls.class_type.name} · {cls.location.name}
          </option>
        ))}
      </Select>
      <TextField label="Motivo" optional maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </ChangeDialog>
  )
}
