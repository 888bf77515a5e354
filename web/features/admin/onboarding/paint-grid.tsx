import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { classAt, erased, type PaintedClass, type PaintedSlot, painted, shortName, WEEKDAYS } from './week-painting.ts'
import './week-painter.css'

/** What a stroke puts into a cell; null: it erases. */
export type Brush = { type: string; coach: string | null } | null

interface PaintGridProps {
  week: readonly PaintedClass[]
  times: readonly string[]
  location_id: number
  brush: Brush
  /** its current cell has the focus when the grid appears */
  takesFocus: boolean
  /** the tone of a class, by its name: 0 to 5 */
  toneOf: (type: string) => number
  onChange: (week: PaintedClass[]) => void
}

const SHORT_DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'] as const
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

/**
 * A week of cells that are painted with the brush: by pointer, or with arrows, space and Delete. Shift with an arrow paints while it moves.
 */
export function PaintGrid({ week, times, location_id, brush, takesFocus, toneOf, onChange }: PaintGridProps) {
  const table = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState({ row: 0, column: 0 })
  const [fresh, setFresh] = useState<readonly string[]>([])
  const isErasing = useRef(false)
  const slotOf = (row: number, column: number): PaintedSlot => ({ day: column + 1, time: times[row] ?? '', location_id })
  const keyOf = ({ day, time }: PaintedSlot) => `${location_id} ${day} ${time}`

  function paint(slot: PaintedSlot, how: 'paint' | 'erase') {
    if (how === 'erase' || brush === null) onChange(erased(week, slot))
    else {
      onChange(painted(week, { ...slot, ...brush }))
      setFresh((all) => [...all.filter((key) => key !== keyOf(slot)), keyOf(slot)])
    }
  }
  /** Painting what is there already erases it. */
  const strokeOn = (slot: PaintedSlot): 'paint' | 'erase' => {
    const there = classAt(week, slot)
    return brush === null || (there && there.type === brush.type && there.coach === brush.coach) ? 'erase' : 'paint'
  }
  function onKeyDown(event: KeyboardEvent, row: number, column: number) {
    const step = STEPS[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      paint(slotOf(row, column), 'erase')
    } else if (step) {
      event.preventDefault()
      const next = {
        row: Math.max(0, Math.min(times.length - 1, row + step[0])),
        column: Math.max(0, Math.min(WEEKDAYS.length - 1, column + step[1])),
      }
      setAt(next)
      table.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${next.column}"]`)?.focus()
      if (event.shiftKey) paint(slotOf(next.row, next.column), brush === null ? 'erase' : 'paint')
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the grid appears
  useEffect(() => {
    if (takesFocus) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [])
  const focused = { row: Math.min(at.row, times.length - 1), column: at.column }
  return (
    <div className="paint-scroll">
      <table ref={table} className="paint-grid" aria-label="Semana">
        <thead>
          <tr>
            <td />
            {SHORT_DAYS.map((day, column) => (
              <th key={day} scope="col">
                <span aria-hidden="true">{day}</span>
                <span className="sr-only">{WEEKDAYS[column]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, row) => (
            <tr key={time}>
              <th scope="row">{time}</th>
              {WEEKDAYS.map((day, column) => {
                const slot = slotOf(row, column)
                const cls = classAt(week, slot)
                const label = cls ? `${cls.type}${cls.coach ? ` con ${cls.coach}` : ''}` : 'vacío'
                return (
                  <td key={day}>
                    <button
                      type="button"
                      data-cell={`${row}-${column}`}
                      tabIndex={row === focused.row && column === focused.column ? 0 : -1}
                      className={`paint-cell ${cls ? `paint-look-${toneOf(cls.type)}` : ''} ${cls && fresh.includes(keyOf(slot)) ? 'paint-fresh' : ''}`}
                      onFocus={() => setAt({ row, column })}
                      onKeyDown={(event) => onKeyDown(event, row, column)}
                      // A key press is a click without a pointer; pointers paint where they go down and where they are dragged.
                      onClick={(event) => event.detail === 0 && paint(slot, strokeOn(slot))}
                      onPointerDown={(event) => {
                        if (event.button !== 0) return
                        event.currentTarget.releasePointerCapture(event.pointerId)
                        isErasing.current = strokeOn(slot) === 'erase'
                        paint(slot, isErasing.current ? 'erase' : 'paint')
                      }}
                      onPointerEnter={(event) => event.buttons === 1 && paint(slot, isErasing.current ? 'erase' : 'paint')}
                    >
                      <span className="sr-only">
                        {day} {time}, {label}
                      </span>
                      {cls && (
                        <>
                          <span className="paint-short" aria-hidden="true">
                            {shortName(cls.type)}
                          </span>
                          <span className="paint-name strong" aria-hidden="true">
                            {cls.type}
                          </span>
                          {cls.coach && (
                            <span className="paint-name" aria-hidden="true">
                              {cls.coach.split(' ')[0]}
                            </span>
                          )}
                        </>
                      )}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
