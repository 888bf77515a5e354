import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { mapOfRows, seatsForSale } from '#contract/room-map.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { Switch } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import { StepForm, useStepDraft } from './step-form.tsx'
import { StepSkeleton } from './step-parts.tsx'

interface RoomFields {
  location_id: number
  locationName: string
  room_id: number | null
  name: string
  capacity: string
  hasMap: boolean
  /** seats of each row, "5, 5" */
  rows: string
  /** the room has a map that was drawn by hand: it is changed on its own screen */
  isDrawn: boolean
}

const sizesOf = (rows: string): number[] | null => {
  const text = rows.replace(/\s+/g, '').replace(/,+$/, '')
  return /^[1-9]\d?(,[1-9]\d?){0,19}$/.test(text) ? text.split(',').map(Number) : null
}
const SEATS_IN_ROW = 6
const USUAL_CAPACITY = 12

/** Rows of about the same size for this number of seats. */
function rowsFor(capacity: number): string {
  const rows = Math.max(1, Math.ceil(capacity / SEATS_IN_ROW))
  return Array.from({ length: rows }, (_, at) => Math.floor((capacity + at) / rows)).join(', ')
}

/** Sala: how many people fit, and whether they choose their place on a map. */
export default function RoomStep() {
  const locations = useQuery(queries.catalogue.admin.locations.all.queryOptions()).data?.locations
  const rooms = useQuery(queries.rooms.all.queryOptions()).data?.rooms
  if (!locations || !rooms) return <StepSkeleton />
  const stored = locations
    .filter(({ archived }) => !archived)
    .map(({ location_id, name }): RoomFields => {
      const room = rooms.find((room) => !room.archived && room.location_id === location_id)
      const seats = room?.map ? seatsForSale(room.map, null) : null
      return {
        location_id,
        locationName: name,
        room_id: room?.room_id ?? null,
        name: room?.name ?? 'Sala',
        capacity: String(seats ?? room?.capacity ?? USUAL_CAPACITY),
        hasMap: room ? room.map !== null : true,
        rows: room?.map ? room.map.rows.map((row) => row.seats.length).join(', ') : rowsFor(room?.capacity ?? USUAL_CAPACITY),
        isDrawn: room?.map != null,
      }
    })
  return <RoomForm stored={stored} />
}

function RoomForm({ stored }: { stored: RoomFields[] }) {
  const draft = useStepDraft<{ rooms: RoomFields[] }>('room')
  const isSame = draft?.rooms.length === stored.length && draft.rooms.every(({ room_id }, at) => room_id === stored[at]?.room_id)
  const [rooms, setRooms] = useState(isSame && draft ? draft.rooms : stored)
  const change = (at: number, values: Partial<RoomFields>) =>
    setRooms((all) => all.map((roomFields, index) => (index === at ? { ...roomFields, ...values } : roomFields)))
  const isWrong = ({ capacity, hasMap, rows }: RoomFields) =>
    hasMap ? sizesOf(rows) === null : !/^\d{1,3}$/.test(capacity) || Number(capacity) < 1
  return (
    <StepForm
      title="¿Cuántas personas caben?"
      about="Con los lugares contados nadie reserva de más. Con un mapa cada quien elige el suyo."
      draft={{ rooms }}
      problem={
        rooms.length === 0
          ? 'Primero di dónde das clases.'
          : rooms.some(isWrong)
            ? 'Escribe cuántas personas caben, o cuántos lugares tiene cada fila, como 5, 5.'
            : null
      }
      onSubmit={async () => {
        for (const { location_id, room_id, name, capacity, hasMap, rows, isDrawn } of rooms) {
          if (isDrawn) continue
          const sizes = hasMap ? sizesOf(rows) : null
          const spots = sizes ? sizes.reduce((sum, size) => sum + size, 0) : Number(capacity)
          // Two classes at the same hour are a warning in the timetable, not a refusal: the studio decides later.
          const fields = { location_id, name: name.trim() || 'Sala', capacity: spots, exclusive: false }
          const { room } =
            room_id === null ? await api.rooms.create({ room_id: 'nueva', ...fields }) : await api.rooms.update({ room_id, ...fields })
          if (sizes) await api.rooms.saveMap({ room_id: room.room_id, map: mapSent(sizes) })
        }
        return {}
      }}
    >
      {rooms.length === 0 && <EmptyState>Una sala está en un lugar: vuelve al paso anterior.</EmptyState>}
      {rooms.map((room, at) => (
        <fieldset key={room.location_id} className="steps-group" disabled={room.isDrawn}>
          <legend className={rooms.length > 1 ? 't4' : 'sr-only'}>{room.locationName}</legend>
          <Switch checked={room.hasMap} onChange={(event) => change(at, { hasMap: event.currentTarget.checked })}>
            Cada quien elige su lugar en un mapa
          </Switch>
          {room.hasMap ? (
            <>
              <TextField
                label="Lugares de cada fila, de adelante hacia atrás"
                hint="Separados por comas: 5, 5 son dos filas de cinco."
                inputMode="numeric"
                value={room.rows}
                onChange={(event) => change(at, { rows: event.currentTarget.value })}
              />
              <SeatRows sizes={sizesOf(room.rows) ?? []} />
            </>
          ) : (
            <TextField
              label="Personas por clase"
              inputMode="numeric"
              maxLength={3}
              value={room.capacity}
              onChange={(event) => change(at, { capacity: event.currentTarget.value })}
            />
          )}
          {room.isDrawn && room.room_id !== null && (
            <p className="small muted">
              El mapa de esta sala ya está hecho.{' '}
              <a className="link" href={adminPaths.room(room.room_id)}>
                Cambiar el mapa
              </a>
            </p>
          )}
        </fieldset>
      ))}
    </StepForm>
  )
}

/** A new map of ordinary seats, as the API takes it. */
const mapSent = (sizes: readonly number[]) => ({
  rows: mapOfRows(sizes).rows.map(({ label, seats }) => ({ label, seats: seats.map((seat) => ({ ...seat, spot: null })) })),
})

/** The rows as they will be drawn: numbered from the front. */
function SeatRows({ sizes }: { sizes: readonly number[] }) {
  const spots = sizes.reduce((sum, size) => sum + size, 0)
  return (
    <figure className="steps-seats">
      <p className="small muted">Coach</p>
      {mapOfRows(sizes).rows.map(({ label, seats }) => (
        <div key={label} aria-hidden="true">
          {seats.map((seat) => (
            <span key={seat.label}>{seat.label}</span>
          ))}
        </div>
      ))}
      <figcaption className="small muted">{spots === 1 ? '1 lugar' : `${spots} lugares`}</figcaption>
    </figure>
  )
}
