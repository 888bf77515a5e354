import { IconArrowBackUp, IconArrowForwardUp, IconChevronLeft, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { type RoomMap, roomPlan, seatsForSale } from '#contract/room-map.ts'
import type { AffectedSeat } from '#contract/rooms.ts'
import { spotRows } from '#contract/spots.ts'
import {
  changesText,
  copiedFrom,
  type Draft,
  draftOf,
  isSame,
  movedRow,
  type Numbering,
  numberingOf,
  renumbered,
  resized,
  seatOf,
  withoutRow,
  withRow,
  withSeats,
} from '#web/features/admin/catalogue/room-draft.ts'
import { RoomSeats } from '#web/features/admin/catalogue/room-seats.tsx'
import { SeatMovesDialog } from '#web/features/admin/catalogue/seat-moves-dialog.tsx'
import { SeatPanel } from '#web/features/admin/catalogue/seat-panel.tsx'
import '#web/features/admin/catalogue/room.css'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Select } from '#web/ui/field.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'

export const handle: AdminHandle = { title: 'Mapa de la sala', detail: true }

type Room = Awaited<ReturnType<typeof api.rooms.all>>['rooms'][number]

/** Mapa de la sala: its rows and seats, what they are, and which are closed until when. */
export default function RoomScreen() {
  const { room_id } = useParams()
  const rooms = useQuery(queries.rooms.all.queryOptions({ meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const room = rooms.data?.rooms.find((one) => String(one.room_id) === room_id)
  const location = locations.data?.locations.find((one) => one.location_id === room?.location_id)?.name ?? ''
  return (
    <>
      <AppLink to={adminPaths.catalogue('salas')} className="link room-back">
        <IconChevronLeft className="icon" aria-hidden="true" /> {location ? `Salas de ${location}` : 'Salas'}
      </AppLink>
      <Loaded
        query={rooms}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar la sala."
        nothing={!room && <p>Esta sala ya no existe.</p>}
      >
        {room && <Editor key={`${room.room_id} ${room.updatedAt}`} room={room} others={rooms.data?.rooms ?? []} />}
      </Loaded>
    </>
  )
}

const TOOLS = [
  { value: 'choose', label: 'Elegir' },
  { value: 'normal', label: 'Lugar' },
  { value: 'hueco', label: 'Hueco' },
  { value: 'close', label: 'Cerrar' },
] as const
type Tool = (typeof TOOLS)[number]['value']

const mapOf = (rows: Draft): RoomMap => ({ rows: rows.map(({ label, seats }) => ({ label, seats: [...seats] })) })

function Editor({ room, others }: { room: Room; others: readonly Room[] }) {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const canEdit = may(staff, 'schedule.edit')
  const saved = draftOf(room.map)
  const [history, setHistory] = useState<{ past: Draft[]; rows: Draft; next: Draft[] }>({ past: [], rows: saved, next: [] })
  const { past, rows, next } = history
  const [numbering, setNumbering] = useState<Numbering>(() => numberingOf(saved))
  const [tool, setTool] = useState<Tool>('choose')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [affected, setAffected] = useState<readonly AffectedSeat[] | null>(null)
  const change = (after: Draft) =>
    setHistory(({ past, rows }) => (isSame(rows, after) ? { past, rows, next: [] } : { past: [...past, rows], rows: after, next: [] }))
  const changeRows = (after: Draft) => {
    change(renumbered(after, numbering))
    setSelected(new Set())
  }
  const changeSeats = (spots: ReadonlySet<string>, seat: Parameters<typeof withSeats>[2]) => {
    const after = withSeats(rows, spots, seat)
    change(seat.kind === undefined ? after : renumbered(after, numbering))
  }
  const today = todayIn(site.zone)
  const map = mapOf(rows)
  const plan = roomPlan(map, today)
  const save = useIdempotentMutation(
    (moves: { class_reservation_id: number; spot: string }[], { context }) =>
      api.rooms.saveMap({ room_id: room.room_id, map, moves, if_updatedAt: room.updatedAt }, { context }),
    {
      async onSuccess({ told }) {
        await client.invalidateQueries()
        showAlert(
          'success',
          told === 0 ? 'Guardado.' : told === 1 ? 'Guardado. Se avisa a 1 persona.' : `Guardado. Se avisa a ${told} personas.`,
        )
      },
      onError: () => undefined,
    },
  )
  /** Who would lose their seat is shown first; without anybody the map is saved at once. */
  const rehearse = useMutation({
    meta: { handled: true },
    mutationFn: () => api.rooms.saveMap({ room_id: room.room_id, map, if_updatedAt: room.updatedAt, dry_run: true }),
    onSuccess(answer) {
      if (answer.affected.length > 0) setAffected(answer.affected)
      else save.mutate([])
    },
  })
  const failure = save.error ?? rehearse.error
  const act = (spot: string, extend: boolean) => {
    if (tool === 'choose') return select([spot], extend)
    const seat = seatOf(rows, spot)
    if (!seat) return
    setSelected(new Set([spot]))
    if (tool === 'close') changeSeats(new Set([spot]), { closed: !seat.closed })
    else changeSeats(new Set([spot]), { kind: tool })
  }
  const select = (spots: readonly string[], extend: boolean) =>
    setSelected((current) => {
      if (!extend) return current.size === 1 && spots.length === 1 && current.has(spots[0] ?? '') ? new Set() : new Set(spots)
      const after = new Set(current)
      for (const spot of spots) after.add(spot)
      return after
    })
  const copyable = others.filter((one) => one.map !== null && one.room_id !== room.room_id)
  const copyFrom = (room_id: number) => {
    const map = copyable.find((one) => one.room_id === room_id)?.map
    if (!map) return
    const after = copiedFrom(map, saved)
    setNumbering(numberingOf(after))
    change(after)
    setSelected(new Set())
  }
  const seats = [...selected].flatMap((spot) => seatOf(rows, spot) ?? [])
  const changes = room.map ? changesText(saved, rows) : 'Un mapa nuevo'
  const isDirty = room.map === null ? past.length > 0 : !isSame(saved, rows)
  return (
    <div className="room-editor">
      <div className="room-main">
        <ScreenHead title={room.name} about={canEdit ? ' ' : 'Lo cambia quien edita el horario.'}>
          {null}
        </ScreenHead>
        <dl className="room-figures">
          <div>
            <dt>lugares</dt>
            <dd>{seatsForSale(map, null)}</dd>
          </div>
          <div>
            <dt>a la venta hoy</dt>
            <dd>{seatsForSale(map, today)}</dd>
          </div>
          <div>
            <dt>filas</dt>
            <dd>{rows.length}</dd>
          </div>
        </dl>
        <div className="room-card">
          {canEdit && (
            <div className="room-tools">
              <Segmented label="Al tocar un lugar" options={TOOLS} value={tool} onChange={setTool} />
              <Select
                label={<span className="sr-only">Numerar</span>}
                value={numbering}
                onChange={(event) => {
                  const by = event.currentTarget.value === 'row' ? 'row' : 'room'
                  setNumbering(by)
                  change(renumbered(rows, by))
                }}
              >
                <option value="room">Numerar toda la sala</option>
                <option value="row">Numerar por fila</option>
              </Select>
              {copyable.length > 0 && (
                <Select
                  label={<span className="sr-only">Copiar el mapa de otra sala</span>}
                  value=""
                  onChange={(event) => copyFrom(Number(event.currentTarget.value))}
                >
                  <option value="">Copiar de otra sala</option>
                  {copyable.map((one) => (
                    <option key={one.room_id} value={one.room_id}>
                      {one.name}
                    </option>
                  ))}
                </Select>
              )}
              <span className="room-history">
                <IconButton
                  label="Deshacer"
                  disabled={past.length === 0}
                  onClick={() => setHistory({ past: past.slice(0, -1), rows: past.at(-1) ?? rows, next: [rows, ...next] })}
                >
                  <IconArrowBackUp className="icon" aria-hidden="true" />
                </IconButton>
                <IconButton
                  label="Rehacer"
                  disabled={next.length === 0}
                  onClick={() => setHistory({ past: [...past, rows], rows: next[0] ?? rows, next: next.slice(1) })}
                >
                  <IconArrowForwardUp className="icon" aria-hidden="true" />
                </IconButton>
              </span>
            </div>
          )}
          <div className="spot-front">
            <span>Coach, al frente</span>
            <svg viewBox="0 0 210 22" fill="none" aria-hidden="true">
              <path d="M4 4C60 22 150 22 206 4" stroke="var(--line-3)" strokeWidth="2" />
            </svg>
          </div>
          <RoomSeats
            rows={rows}
            selected={selected}
            canEdit={canEdit}
            onSelect={select}
            onAct={act}
            onGap={(spots) => {
              setSelected(new Set(spots))
              changeSeats(new Set(spots), { kind: 'hueco' })
            }}
            onResize={(row, by) => changeRows(resized(rows, row, by))}
            onMoveRow={(row, by) => changeRows(movedRow(rows, row, by))}
            onRemoveRow={(row) => changeRows(withoutRow(rows, row))}
          />
          {canEdit && (
            <Button
              variant="quiet"
              size="small"
              icon={<IconPlus className="icon" aria-hidden="true" />}
              onClick={() => changeRows(withRow(rows))}
            >
              Agregar fila
            </Button>
          )}
        </div>
        {canEdit && (
          <p className="small muted">Flechas para moverte entre lugares, espacio para elegir, Mayús para varios, Supr para hacer hueco.</p>
        )}
      </div>
      <aside className="room-side">
        {seats.length > 0 && canEdit ? (
          <SeatPanel seats={seats} onChange={(seat) => changeSeats(selected, seat)} />
        ) : (
          <p className="muted">{canEdit ? 'Elige un lugar para decir qué es, o para cerrarlo hasta un día.' : ''}</p>
        )}
        <section aria-label="Como la ve quien reserva">
          <h2 className="t4">Como la ve quien reserva</h2>
          <div className="room-preview" inert>
            <SpotMap
              rows={spotRows(plan.spot_map) ?? []}
              taken={new Set()}
              broken={new Set(plan.closed_spots)}
              value={null}
              onChoose={() => undefined}
            />
          </div>
          <p className="small muted">
            Los huecos, el lugar del coach y los cerrados se ven fuera de servicio. Cada lugar se llama por su fila y su posición.
          </p>
        </section>
      </aside>
      {failure && affected === null && (
        <Banner tone="danger" live>
          {failureOf(failure).message}
        </Banner>
      )}
      {canEdit && (isDirty || room.map === null) && (
        <div className="room-save">
          <span>
            <span className="strong">{changes}</span>
            <span className="small muted">Las clases por venir en esta sala toman el mapa.</span>
          </span>
          <Button
            variant="outline"
            onClick={() => {
              setHistory({ past: [], rows: saved, next: [] })
              setSelected(new Set())
            }}
          >
            Descartar
          </Button>
          <Button loading={save.isPending || rehearse.isPending} onClick={() => rehearse.mutate()}>
            Guardar
          </Button>
        </div>
      )}
      {affected && (
        <SeatMovesDialog
          affected={affected}
          before={room.map}
          after={map}
          error={save.error}
          saving={save.isPending}
          onSave={(moves) => save.mutate(moves)}
          onClose={() => setAffected(null)}
        />
      )}
      <LeaveGuard when={isDirty && !save.isPending} />
    </div>
  )
}
