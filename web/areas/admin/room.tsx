import { IconChevronLeft, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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

const mapOf = (rows: Draft): RoomMap => ({ rows: rows.map(({ label, seats }) => ({ label, seats: [...seats] })) })

function Editor({ room, others }: { room: Room; others: readonly Room[] }) {
  const canEdit = may(useStaff(), 'schedule.edit')
  const today = todayIn(useSite().zone)
  const edits = useRoomEdits(room.map)
  const { rows, isDirty, selected, selectedSeats } = edits
  const map = mapOf(rows)
  const { save, rehearse, affected, setAffected } = useMapSaving(room, map)
  const failure = save.error ?? rehearse.error
  const copyable = others.filter((one) => one.map !== null && one.room_id !== room.room_id)
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
      {failure && affected === null && (
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

/** Saves the map of a room. When customers would lose their seat they are shown first (`affected`); otherwise it is saved at once. */
function useMapSaving(room: Room, map: RoomMap) {
  const client = useQueryClient()
  const [affected, setAffected] = useState<readonly AffectedSeat[] | null>(null)
  const input = { room_id: room.room_id, map, if_updatedAt: room.updatedAt }
  const save = useIdempotentMutation(
    (moves: { class_reservation_id: number; spot: string }[], { context }) => api.rooms.saveMap({ ...input, moves }, { context }),
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
  const rehearse = useMutation({
    meta: { handled: true },
    mutationFn: () => api.rooms.saveMap({ ...input, dry_run: true }),
    onSuccess(answer) {
      if (answer.affected.length > 0) setAffected(answer.affected)
      else save.mutate([])
    },
  })
  return { save, rehearse, affected, setAffected }
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
  const plan = roomPlan(map, today)
  return (
    <section aria-label="Como la ve quien reserva">
      <h2 className="t4">Como la ve quien reserva</h2>
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
      <p className="small muted">
        Los huecos, el lugar del coach y los cerrados se ven fuera de servicio. Cada lugar se llama por su número; el que no tiene, por su
        fila y su posición.
      </p>
    </section>
  )
}
