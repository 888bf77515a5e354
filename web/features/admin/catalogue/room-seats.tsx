import {
  IconArmchair,
  IconArrowDown,
  IconArrowUp,
  IconMinus,
  IconPlus,
  IconStar,
  IconTool,
  IconTrash,
  IconUser,
  IconWheelchair,
} from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { isForSale, type SeatKind, spotAt } from '#contract/room-map.ts'
import { IconButton } from '#web/ui/button.tsx'
import { type Draft, neighbour } from './room-draft.ts'

export const KIND_LABELS: Readonly<Record<SeatKind, string>> = {
  normal: 'Normal',
  vip: 'VIP',
  adaptado: 'Adaptado',
  coach: 'Coach',
  hueco: 'Hueco',
}

export const KIND_ICONS: Readonly<Record<SeatKind, typeof IconStar>> = {
  normal: IconArmchair,
  vip: IconStar,
  adaptado: IconWheelchair,
  coach: IconUser,
  hueco: IconMinus,
}

interface RoomSeatsProps {
  rows: Draft
  selected: ReadonlySet<string>
  /** `extend`: the others stay selected. */
  onSelect: (spots: readonly string[], extend: boolean) => void
  /** Space, Enter or a click on a seat. */
  onAct: (spot: string, extend: boolean) => void
  /** Delete on one of these seats. */
  onGap: (spots: readonly string[]) => void
  onResize: (row: number, by: 1 | -1) => void
  onMoveRow: (row: number, by: 1 | -1) => void
  onRemoveRow: (row: number) => void
  canEdit: boolean
}

/** The seats of a room as buttons: one tab stop, arrows move, Space acts, Shift selects several, Delete makes gaps. */
export function RoomSeats({ rows, selected, onSelect, onAct, onGap, onResize, onMoveRow, onRemoveRow, canEdit }: RoomSeatsProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState('1-1')
  const isThere = rows.some(({ seats }, r) => seats.some((_, c) => spotAt(r, c) === at))
  const stop = isThere ? at : '1-1'
  const onKey = (event: KeyboardEvent, spot: string) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      // The selection is not there yet when the seat was only focused.
      onGap(selected.has(spot) ? [...selected] : [spot])
      return
    }
    const next = neighbour(rows, spot, event.key)
    if (!event.key.startsWith('Arrow') || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (next === null) return
    if (event.shiftKey) onSelect(selected.has(spot) ? [next] : [spot, next], true)
    setAt(next)
    grid.current?.querySelector<HTMLElement>(`[data-seat="${next}"]`)?.focus()
  }
  return (
    <div className="room-rows" ref={grid}>
      {rows.map(({ label, seats }, r) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its position
        <div key={r} className="room-row">
          <p className="room-row-name">
            <span className="strong">{label}</span>
            <span className="small muted">{countText(seats.filter(isForSale).length)}</span>
          </p>
          {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons is no fieldset */}
          <div className="room-row-seats" role="group" aria-label={label}>
            {seats.map((seat, c) => {
              const spot = spotAt(r, c)
              const Icon = KIND_ICONS[seat.kind]
              return (
                <button
                  key={spot}
                  type="button"
                  data-seat={spot}
                  className={`room-seat room-seat-${seat.kind} ${seat.closed && isForSale(seat) ? 'room-seat-closed' : ''}`}
                  aria-pressed={selected.has(spot)}
                  aria-label={seatText(seat, r, c)}
                  tabIndex={spot === stop ? 0 : -1}
                  disabled={!canEdit}
                  onFocus={() => setAt(spot)}
                  onKeyDown={(event) => onKey(event, spot)}
                  onClick={(event: MouseEvent) => onAct(spot, event.shiftKey || event.ctrlKey || event.metaKey)}
                >
                  {isForSale(seat) ? seat.label : <Icon className="icon" aria-hidden="true" />}
                  {seat.closed && isForSale(seat) && <IconTool className="room-seat-mark" aria-hidden="true" />}
                  {!seat.closed && (seat.kind === 'vip' || seat.kind === 'adaptado') && (
                    <Icon className="room-seat-mark" aria-hidden="true" />
                  )}
                </button>
              )
            })}
          </div>
          {canEdit && (
            <div className="room-row-verbs">
              <IconButton label={`${label}: quitar el último lugar`} onClick={() => onResize(r, -1)}>
                <IconMinus className="icon" aria-hidden="true" />
              </IconButton>
              <IconButton label={`${label}: agregar un lugar`} onClick={() => onResize(r, 1)}>
                <IconPlus className="icon" aria-hidden="true" />
              </IconButton>
              {r > 0 && (
                <IconButton label={`${label}: mover hacia adelante`} onClick={() => onMoveRow(r, -1)}>
                  <IconArrowUp className="icon" aria-hidden="true" />
                </IconButton>
              )}
              {r === 0 && rows.length > 1 && (
                <IconButton label={`${label}: mover hacia atrás`} onClick={() => onMoveRow(r, 1)}>
                  <IconArrowDown className="icon" aria-hidden="true" />
                </IconButton>
              )}
              {rows.length > 1 && (
                <IconButton label={`${label}: quitar la fila`} onClick={() => onRemoveRow(r)}>
                  <IconTrash className="icon" aria-hidden="true" />
                </IconButton>
              )}
            </div>
          )}
        </div>
      ))}
    </div>
  )
}

const countText = (count: number): string => (count === 1 ? '1 lugar' : `${count} lugares`)

function seatText(seat: Draft[number]['seats'][number], row: number, column: number): string {
  const what = isForSale(seat) ? `Lugar ${seat.label || '?'}` : KIND_LABELS[seat.kind]
  const kind = isForSale(seat) && seat.kind !== 'normal' ? `, ${KIND_LABELS[seat.kind].toLowerCase()}` : ''
  return `${what}, fila ${row + 1}, posición ${column + 1}${kind}${seat.closed && isForSale(seat) ? ', cerrado' : ''}`
}
