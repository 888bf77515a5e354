import { useEffect, useRef, useState } from 'react'
import type { RosterClass } from '#contract/attendance.ts'
import { spotName } from '#contract/copy/names.ts'
import { onDemandPart } from '#web/lib/on-demand-part.tsx'
import { preloadAtSigns } from '#web/lib/use-preload.ts'
import { initials } from '#web/ui/initials.ts'
import { seatsOf } from '#web/ui/spot-geometry.ts'
import '#web/ui/spot-map.css'
import type { RosterEntry } from './roster-entries.ts'

/** Loaded at the first pointer, touch or key event, after the map itself. */
const SeatDragging = onDemandPart(() => import('./seat-dragging.tsx'), null)

interface RoomMapProps {
  /** sizes of the rows: "5,7,6" */
  spotMap: string
  closed: readonly string[]
  seats: RosterClass['seats']
  reasons: RosterClass['closed_reasons']
  entries: readonly RosterEntry[]
  coaches: string
  onOpen: (entry: RosterEntry) => void
  /** null: no customer can be added now */
  onAdd: ((spot: string) => void) | null
}

const stateOf = ({ attend }: RosterEntry): 'came' | 'absent' | 'expected' => (attend === null ? 'expected' : attend ? 'came' : 'absent')
const KIND_LABELS = { normal: '', vip: 'VIP', adaptado: 'adaptado' } as const
const STATUS_LABELS = { came: 'llegó', absent: 'no asistió', expected: 'por llegar' } as const

/** The room map for the staff, front row first, with attendance. A taken seat opens its entry; a free one adds a customer. */
export function RoomMap({ spotMap, closed, seats, reasons, entries, coaches, onOpen, onAdd }: RoomMapProps) {
  const rows = spotMap.split(',').map(Number)
  const room = useRef<HTMLDivElement>(null)
  const canDrag = useCanDrag()
  const markOf = new Map(seats?.map((mark) => [mark.spot, mark]))
  const reasonOf = new Map(reasons.map(({ spot, reason }) => [spot, reason]))
  const bySpot = new Map(entries.flatMap((entry) => (entry.spot ? [[entry.spot, entry] as const] : [])))
  return (
    <div className="spot-map">
      {canDrag && onAdd && <SeatDragging room={room} entries={entries} />}
      <div className="spot-front">
        {coaches && <span>{coaches}, al frente</span>}
        <svg viewBox="0 0 210 22" fill="none" aria-hidden="true">
          <path d="M4 4C60 22 150 22 206 4" stroke="var(--line-3)" strokeWidth="2" />
        </svg>
      </div>
      <div className={`spot-room ${Math.max(...rows) > 8 ? 'spot-room-long' : ''}`}>
        <div ref={room} className="spot-rows">
          {seatsOf(rows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its position
            <div key={index} className="spot-row">
              {row.map(({ spot, column }) => {
                const entry = bySpot.get(spot)
                const mark = markOf.get(spot)
                const special = mark && mark.kind !== 'normal' ? ` seat-${mark.kind}` : ''
                const name = [spotName(spot, mark?.label), special && KIND_LABELS[mark?.kind ?? 'normal']].filter(Boolean).join(', ')
                if (entry)
                  return (
                    <button
                      key={spot}
                      type="button"
                      className={`seat room-${entry.isGuest && entry.attend === null ? 'guest' : stateOf(entry)}${special}`}
                      data-seat-of={entry.class_reservation_id}
                      onClick={() => onOpen(entry)}
                    >
                      <span aria-hidden="true">{entry.isGuest ? '+1' : initials(entry.name)}</span>
                      <span className="sr-only">{`${name}: ${entry.name}, ${STATUS_LABELS[stateOf(entry)]}`}</span>
                    </button>
                  )
                const isClosed = closed.includes(spot)
                return (
                  <button
                    key={spot}
                    type="button"
                    className={`seat room-${isClosed ? 'closed' : 'free'}${special}`}
                    title={reasonOf.get(spot)}
                    disabled={isClosed || !onAdd}
                    data-free-seat={isClosed ? undefined : spot}
                    onClick={() => onAdd?.(spot)}
                  >
                    <span aria-hidden="true">{isClosed ? '×' : (mark?.label ?? column)}</span>
                    <span className="sr-only">{`${name}, ${isClosed ? ['fuera de servicio', reasonOf.get(spot)].filter(Boolean).join(': ') : 'libre'}`}</span>
                  </button>
                )
              })}
            </div>
          ))}
        </div>
      </div>
      <div aria-hidden="true" className="spot-legend">
        <span>
          <i className="seat room-came" /> Llegó
        </span>
        <span>
          <i className="seat room-expected" /> Por llegar
        </span>
        <span>
          <i className="seat room-absent" /> No asistió
        </span>
        <span>
          <i className="seat room-free" /> Libre
        </span>
      </div>
    </div>
  )
}

/** Whether the part for dragging is loaded. */
function useCanDrag(): boolean {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => preloadAtSigns([{ preload: () => SeatDragging.preload().then(() => setLoaded(true)) }]), [])
  return isLoaded
}
