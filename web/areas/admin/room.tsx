import { IconChevronLeft, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { type RoomMap, roomPlan, seatMarks, seatsForSale } from '#contract/room-map.ts'
import type { AffectedSeat } from '#contract/rooms.ts'
import { spotRows } from '#contract/spots.ts'
import { changesText, type Draft, moveRow, resized, toDraft, withoutRow, withRow } from '#web/features/admin/catalogue/room-draft.ts'
import { RoomSeats } from '#web/features/admin/catalogue/room-seats.tsx'
import { RoomTools } from '#web/features/admin/catalogue/room-tools.tsx'
import { SeatMovesDialog } from '#web/features/admin/catalogue/seat-moves-dialog.tsx'
import { SeatPanel } from '#web/features/admin/catalogue/seat-panel.tsx'
import { type RoomEdits, useRoomEdits } from '#web/features/admin/catalogue/use-room-edits.ts'
import '#web/features/admin/catalogue/room.css'
import { adminPaths } from '#contract/admin-paths.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ConflictDialog } from '#web/features/admin/frame/conflict-dialog.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'

export const handle: AdminHandle = { title: 'Mapa de la sala', detail: true }

type Room = Awaited<ReturnType<typeof api.rooms.all>>['rooms'][number]

/** Mapa de la sala: its rows and seats, what they are, and which are closed until when. */
export default function RoomScreen() {
  const { room_id } = useParams()
  const rooms = useQuery(queries.rooms.all.queryOptions({ meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const room = rooms.data?.rooms.find((room) => String(room.room_id) === room_id)
  const location = locations.data?.locations.find((location) => location.location_id === room?.location_id)?.name ?? ''
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
        {room && <RoomEditor key={room.room_id} newest={room} others={rooms.data?.rooms ?? []} />}
      </Loaded>
    </>
  )
}

const mapOf = (rows: Draft): RoomMap => ({ rows: rows.map(({ label, seats }) => ({ label, seats: [...seats] })) })

/** Edits the version from which its draft was made, whatever is saved meanwhile; without a draft the newest one. */
function RoomEditor({ newest, others }: { newest: Room; others: readonly Room[] }) {
  const [room, setRoom] = useState(newest)
  return <Editor key={room.updatedAt} room={room} newest={newest} others={others} onFollow={() => setRoom(newest)} />
}

interface EditorProps {
  room: Room
  newest: Room
  others: readonly Room[]
  /** Leaves the draft for the newest version. */
  onFollow: () => void
}

function Editor({ room, newest, others, onFollow }: EditorProps) {
  const canEdit = may(useStaff(), 'schedule.edit')
  const today = todayIn(useSite().zone)
  const edits = useRoomEdits(room.map)
  const { rows, isDirty, selected, selectedSeats } = edits
  const map = mapOf(rows)
  const { save, rehearse, affected, setAffected, hasConflict, setConflict } = useMapSaving(room, map)
  const failure = save.error ?? rehearse.error
  const isOutdated = newest.updatedAt !== room.updatedAt
  useEffect(() => {
    if (isOutdated && (!isDirty || save.isSuccess) && !hasConflict) onFollow()
  })
  const copyable = others.filter((location) => location.map !== null && location.room_id !== room.room_id)
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
          {canEdit && <RoomTools edits={edits} copyable={copyable} />}
          <EditedSeats edits={edits} canEdit={canEdit} />
        </div>
        {canEdit && (
          <p className="small muted">Flechas para moverte entre lugares, espacio para elegir, Mayús para varios, Supr para hacer hueco.</p>
        )}
      </div>
      <aside className="room-side">
        {selectedSeats.length > 0 && canEdit ? (
          <SeatPanel seats={selectedSeats} onChange={(seat) => edits.changeSeats(selected, seat)} />
        ) : (
          <p className="muted">{canEdit ? 'Elige un lugar para decir qué es, o para cerrarlo hasta un día.' : ''}</p>
        )}
        <CustomersView map={map} today={today} />
      </aside>
      {failure && affected === null && !hasConflict && (
        <Banner tone="danger" live>
          {toFailure(failure).message}
        </Banner>
      )}
      {canEdit && (isDirty || room.map === null) && (
        <div className="room-save">
          <span>
            <span className="strong">{room.map ? changesText(toDraft(room.map), rows) : 'Un mapa nuevo'}</span>
            <span className="small muted">Las clases por venir en esta sala toman el mapa.</span>
          </span>
          <Button variant="outline" onClick={edits.discard}>
            Descartar
          </Button>
          <Button loading={save.isPending || rehearse.isPending} onClick={() => rehearse.mutate(room.updatedAt)}>
            Guardar
          </Button>
        </div>
      )}
      {affected && (
        <SeatMovesDialog
          affected={affected.seats}
          before={newest.map}
          after={map}
          error={save.error}
          saving={save.isPending}
          onSave={(moves) => save.mutate({ moves, over: affected.over })}
          onClose={() => setAffected(null)}
        />
      )}
      {hasConflict && isOutdated && (
        <ConflictDialog
          title="Alguien más cambió el mapa de esta sala"
          message={failure ? toFailure(failure).message : ''}
          onTakeTheirs={onFollow}
          onSaveMine={() => {
            setConflict(false)
            rehearse.mutate(newest.updatedAt)
          }}
          onClose={() => setConflict(false)}
        >
          <div className="room-versions">
            <MapVersion title="La suya" map={newest.map} today={today} about={changesText(toDraft(room.map), toDraft(newest.map))} />
            <MapVersion title="La tuya" map={map} today={today} about={changesText(toDraft(room.map), rows)} />
          </div>
        </ConflictDialog>
      )}
      <LeaveGuard when={isDirty && !save.isPending} />
    </div>
  )
}

/**
 * Saves the map of a room over a version of it (`over`). When customers would lose their seat they are shown first (`affected`); otherwise
 * it is saved at once. When a newer version was saved meanwhile, it is loaded and both are offered (`hasConflict`). Not `useVersionedEdit`:
 * a save is two requests, the first of which may ask where people move, and the draft has a history of its own.
 */
function useMapSaving({ room_id }: Room, map: RoomMap) {
  const client = useQueryClient()
  const [affected, setAffected] = useState<{ seats: readonly AffectedSeat[]; over: string } | null>(null)
  const [hasConflict, setConflict] = useState(false)
  const onError = async (error: unknown) => {
    if (toFailure(error).code !== 'CHANGED_MEANWHILE') return
    await client.invalidateQueries({ queryKey: queries.rooms.key() })
    setAffected(null)
    setConflict(true)
  }
  const save = useIdempotentMutation(
    ({ moves, over }: { moves: { class_reservation_id: number; spot: string }[]; over: string }, { context }) =>
      api.rooms.saveMap({ room_id, map, if_updatedAt: over, moves }, { context }),
    {
      async onSuccess({ told }) {
        await client.invalidateQueries()
        showAlert(
          'success',
          told === 0 ? 'Guardado.' : told === 1 ? 'Guardado. Se avisa a 1 persona.' : `Guardado. Se avisa a ${told} personas.`,
        )
      },
      onError: (error) => void onError(error),
    },
  )
  const rehearse = useMutation({
    meta: { handled: true },
    mutationFn: (over: string) => api.rooms.saveMap({ room_id, map, if_updatedAt: over, dry_run: true }),
    onSuccess(answer, over) {
      if (answer.affected.length > 0) setAffected({ seats: answer.affected, over })
      else save.mutate({ moves: [], over })
    },
    onError: (error) => onError(error),
  })
  return { save, rehearse, affected, setAffected, hasConflict, setConflict }
}

/** The rows and seats with the front of the room, as they are edited. */
function EditedSeats({ edits, canEdit }: { edits: RoomEdits; canEdit: boolean }) {
  const { rows, selected, select, applyTool, makeGaps, changeRows } = edits
  return (
    <>
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
        onAct={applyTool}
        onGap={makeGaps}
        onResize={(row, by) => changeRows(resized(rows, row, by))}
        onMoveRow={(row, by) => changeRows(moveRow(rows, row, by))}
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
    </>
  )
}

/** The map as customers see it on a day. */
function CustomersView({ map, today }: { map: RoomMap; today: string }) {
  return (
    <section aria-label="Como la ve quien reserva">
      <h2 className="t4">Como la ve quien reserva</h2>
      <MapPreview map={map} today={today} />
      <p className="small muted">
        Los huecos, el lugar del coach y los cerrados se ven fuera de servicio. Cada lugar se llama por su número; el que no tiene, por su
        fila y su posición.
      </p>
    </section>
  )
}

function MapPreview({ map, today }: { map: RoomMap; today: string }) {
  const plan = roomPlan(map, today)
  return (
    <div className="room-preview" inert>
      <SpotMap
        rows={spotRows(plan.spot_map) ?? []}
        seats={seatMarks(map)}
        taken={new Set()}
        broken={new Set(plan.closed_spots)}
        value={null}
        onChoose={() => undefined}
      />
    </div>
  )
}

/** One of two versions of a map, with what it changes of the one before. */
function MapVersion({ title, map, about, today }: { title: string; map: RoomMap | null; about: string; today: string }) {
  return (
    <section aria-label={title}>
      <p className="strong">{title}</p>
      <p className="small muted">{about}</p>
      {map ? <MapPreview map={map} today={today} /> : <p className="muted">Sin mapa.</p>}
    </section>
  )
}
