import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { ClassBlock } from './class-block.tsx'
import { classKey } from './class-key.ts'
import { watchGrid } from './grid-pointer.ts'
import { type GhostStore, useGhost } from './plan-ghost.ts'
import type { PlanMarks } from './plan-marks.ts'
import type { PlanDay, PlanRow } from './plan-views.ts'
import { DayName } from './time-grid.tsx'
import './timetable.css'
import './plan-matrix.css'

interface PlanMatrixProps {
  caption: string
  days: readonly PlanDay[]
  rows: readonly PlanRow[]
  today: LocalDate
  marks: PlanMarks
  ghost: GhostStore
}

const NEW_AT = '18:00'

/** "6 clases, 4.5 h" */
const rowText = ({ count, minutes }: PlanRow): string =>
  count === 0 ? 'Sin clases' : `${count === 1 ? '1 clase' : `${count} clases`}, ${(Math.round(minutes / 6) / 10).toLocaleString('es-MX')} h`

/** A week by coaches or rooms: a row each, a cell per day. */
export function PlanMatrix({ caption, days, rows, today, marks, ghost }: PlanMatrixProps) {
  const table = useRef<HTMLTableElement>(null)
  const { drag, onNew } = marks.actions
  useEffect(() => (drag && table.current ? drag.grid(table.current, null) : undefined), [drag])
  useEffect(
    () => (onNew && table.current ? watchGrid(table.current, { ...marks.actions, hours: null }) : undefined),
    [onNew, marks.actions],
  )
  return (
    <div className="plan-matrix-box">
      <table className="plan-matrix" ref={table}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <td />
            {days.map(({ date, holiday }) => (
              <th key={date} scope="col" className={date === today ? 'plan-today' : ''}>
                <span className="plan-matrix-day">
                  <DayName day={date} />
                </span>
                {holiday && <span className="plan-closed">{holiday}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <span className="strong">{row.name}</span>
                {row.detail && <span className="small muted">{row.detail}</span>}
                <span className="small muted">{rowText(row)}</span>
              </th>
              {days.map(({ date, holiday }, at) => (
                <Cell key={date} at={at} column={`${row.key} ${date}`} isClosed={holiday !== null} ghost={ghost}>
                  <ul className="plan-cell">
                    {row.days[at]?.map((cls) => (
                      <li key={classKey(cls)}>
                        <ClassBlock cls={cls} marks={marks} without={row.venue ? 'room' : 'coach'} />
                      </li>
                    ))}
                  </ul>
                  {onNew && (
                    <button
                      type="button"
                      className="plan-cell-new"
                      tabIndex={-1}
                      aria-label={`Nueva clase, ${row.name}, ${formatWall(`${date}T00:00:00Z`, 'long')}`}
                      onClick={() => onNew({ day: date, hour: NEW_AT, minutes: null, venue: row.venue, coach: row.coach ?? null })}
                    >
                      <IconPlus className="icon" aria-hidden="true" />
                    </button>
                  )}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps {
  /** Its position in the row. */
  at: number
  /** "row day" */
  column: string
  isClosed: boolean
  ghost: GhostStore
  children: ReactNode
}

/** A cell, marked while a class is dragged over it. */
function Cell({ at, column, isClosed, ghost, children }: CellProps) {
  const isOver = useGhost(ghost, column) !== null
  return (
    <td data-col={at} data-column={column} className={`${isClosed ? 'plan-closed-column' : ''} ${isOver ? 'plan-over' : ''}`}>
      {children}
    </td>
  )
}
