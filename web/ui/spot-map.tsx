import { IconTool } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Seat, seatByKey, seatsOf } from './spot-geometry.ts'
import './spot-map.css'

interface SpotMapProps {
  /** seats per row, the front row first */
  rows: readonly number[]
  /** numbers and kinds of the room's seats; without them seats are called by row and column, and all are shown */
  seats?: readonly { spot: string; label: string | null; kind: 'normal' | 'vip' | 'adaptado' }[] | null | undefined
  /** spots of other people, "row-column" */
  taken: ReadonlySet<string>
  /** spots that are out of order */
  broken?: ReadonlySet<string>
  value: string | null
  /** the guest's spot; undefined without a guest */
  guest?: string | null | undefined
  /** whose spot a click sets */
  choosing?: 'me' | 'guest'
  /** id of the sentence that explains why the choice is invalid */
  problem?: string | undefined
  onChoose: (spot: string) => void
  /** label at the front of the room: the coach */
  front?: ReactNode
}

type State = 'free' | 'taken' | 'broken' | 'mine' | 'guest'

const stateText: Record<State, string> = {
  free: 'disponible',
  taken: 'ocupado',
  broken: 'fuera de servicio',
  mine: 'elegido',
  guest: 'de tu invitado',
}

/** what a special seat is, where it is read aloud and in the legend */
const KINDS = { vip: 'VIP', adaptado: 'Adaptado' } as const

/** "Lugar 17", or "Fila 2, lugar 5" */
const seatText = (seat: Seat, label: string | null | undefined): string =>
  label ? `Lugar ${label}` : `Fila ${seat.row}, lugar ${seat.column}`

const LONG = 8

/**
 * The map of a room as a radio group: one tab stop, arrow keys follow the geometry and reach every seat, Space or Enter
 * chooses. Arrow keys do not choose, because they also pass over taken seats.
 */
export function SpotMap({ rows, seats: marks, taken, broken, value, guest, choosing = 'me', problem, onChoose, front }: SpotMapProps) {
  const map = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<string | null>(null)
  const seats = seatsOf(rows)
  const longest = Math.max(...rows)
  // A room wider than the screen is scrolled to its middle, where the coach is.
  useEffect(() => {
    const room = map.current?.parentElement
    if (room) room.scrollLeft = (room.scrollWidth - room.clientWidth) / 2
  }, [])

  const stateOf = ({ spot }: Seat): State => {
    if (spot === value) return 'mine'
    if (spot === guest) return 'guest'
    if (broken?.has(spot)) return 'broken'
    return taken.has(spot) ? 'taken' : 'free'
  }
  const markOf = new Map(marks?.map((mark) => [mark.spot, mark]))
  const chosen = choosing === 'me' ? value : guest
  const known = (spot: string | null | undefined): boolean => seats.flat().some((seat) => seat.spot === spot)
  const stop = [at, chosen].find(known) ?? seats.flat().find((seat) => stateOf(seat) === 'free')?.spot ?? '1-1'

  const move = (event: KeyboardEvent, seat: Seat): void => {
    const next = seatByKey(rows, seat, event.key)
    if (next) {
      setAt(next.spot)
      map.current?.querySelector<HTMLElement>(`[data-spot="${next.spot}"]`)?.focus()
    }
    if (next || event.key.startsWith('Arrow')) event.preventDefault()
  }

  return (
    <div className="spot-map">
      {front && (
        <div className="spot-front">
          <span className="row gap-8">{front}</span>
          <svg viewBox="0 0 210 22" fill="none" aria-hidden="true">
            <path d="M4 4C60 22 150 22 206 4" stroke="var(--line-3)" strokeWidth="2" />
          </svg>
        </div>
      )}
      <div className={`spot-room ${longest > LONG ? 'spot-room-long' : ''}`} style={{ '--seats': longest } as CSSProperties}>
        <div
          ref={map}
          className="spot-rows"
          role="radiogroup"
          aria-label={choosing === 'me' ? 'Elige tu lugar' : 'Elige el lugar de tu invitado'}
          aria-describedby={problem}
          aria-invalid={problem ? true : undefined}
        >
          {seats.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place
            <div key={index} className="spot-row">
              <span aria-hidden="true" className="name">
                Fila {index + 1}
              </span>
              {row.map((seat) => {
                const state = stateOf(seat)
                const checked = seat.spot === chosen
                const mark = markOf.get(seat.spot)
                const kind = mark && mark.kind !== 'normal' && KINDS[mark.kind]
                const closed = state !== 'free' && !checked
                return (
                  // biome-ignore lint/a11y/useSemanticElements: seats that are taken must be reachable, which a disabled input is not
                  <button
                    key={seat.spot}
                    type="button"
                    role="radio"
                    data-spot={seat.spot}
                    className={`seat seat-${state} ${kind ? `seat-${mark.kind}` : ''}`}
                    aria-checked={checked}
                    aria-disabled={closed || undefined}
                    aria-label={[seatText(seat, mark?.label), kind, stateText[state]].filter(Boolean).join(', ')}
                    tabIndex={seat.spot === stop ? 0 : -1}
                    onFocus={() => setAt(seat.spot)}
                    onKeyDown={(event) => move(event, seat)}
                    onClick={() => {
                      if (!closed) onChoose(seat.spot)
                    }}
                  >
                    {state === 'taken' ? null : state === 'broken' ? (
                      <IconTool className="icon" aria-hidden="true" />
                    ) : state === 'guest' ? (
                      '+1'
                    ) : (
                      (mark?.label ?? seat.column)
                    )}
                  </button>
                )
              })}
            </div>
          ))}
        </div>
      </div>
      <div aria-hidden="true" className="spot-legend">
        <Key state="free">Disponible</Key>
        <Key state="mine">Tu lugar</Key>
        {guest !== undefined && <Key state="guest">Tu invitado</Key>}
        <Key state="taken">Ocupado</Key>
        {(['vip', 'adaptado'] as const).map(
          (kind) =>
            marks?.some((mark) => mark.kind === kind) && (
              <span key={kind}>
                <i className={`seat seat-${kind}`} />
                {KINDS[kind]}
              </span>
            ),
        )}
        {broken && broken.size > 0 && <Key state="broken">Fuera de servicio</Key>}
      </div>
    </div>
  )
}

function Key({ state, children }: { state: State; children: ReactNode }) {
  return (
    <span>
      <i className={`seat seat-${state}`} />
      {children}
    </span>
  )
}
