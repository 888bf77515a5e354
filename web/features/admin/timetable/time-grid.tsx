import { type CSSProperties, Fragment, type MouseEvent, useEffect, useRef } from 'react'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { ClassBlock } from './class-block.tsx'
import { classKey } from './class-key.ts'
import { watchGrid } from './grid-pointer.ts'
import { type GhostStore, useGhost } from './plan-ghost.ts'
import type { PlanMarks } from './plan-marks.ts'
import type { PlanColumn } from './plan-views.ts'
import { type Band, hourOf, minuteAt, topOf, weekLayout } from './week-layout.ts'
import './timetable.css'

interface TimeGridProps {
  columns: readonly PlanColumn[]
  today: LocalDate
  marks: PlanMarks
  ghost: GhostStore
}

const minuteOf = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))
/** From here on the columns scroll sideways. */
const WIDE_FROM = 8

/** Columns with their hours: folded where none has a class, wider where classes overlap. */
export function TimeGrid({ columns, today, marks, ghost }: TimeGridProps) {
  const layout = weekLayout(
    columns.map(({ classes }) =>
      classes.map((cls) => ({ key: classKey(cls), start: minuteOf(cls.class_date), minutes: cls.duration_minutes })),
    ),
  )
  const hours = layout.bands.flatMap((band) =>
    band.folded ? [] : Array.from({ length: (band.until - band.from) / 60 }, (_, n) => band.from + n * 60),
  )
  const least = columns.length > WIDE_FROM ? '120px' : '0'
  const shares = layout.lanes.map((lanes) => 1 + (lanes - 1) * 0.5)
  const template = {
    gridTemplateColumns: `64px ${shares.map((share) => `minmax(${least}, ${share}fr)`).join(' ')}`,
    '--plan-least': `${64 + 72 * shares.reduce((sum, share) => sum + share, 0)}px`,
  } as CSSProperties
  const { onNew, drag } = marks.actions
  const grid = useRef<HTMLDivElement>(null)
  const bands = useRef(layout.bands)
  const latest = useRef(columns)
  useEffect(() => {
    bands.current = layout.bands
    latest.current = columns
  })
  useEffect(() => (drag && grid.current ? drag.grid(grid.current, () => bands.current) : undefined), [drag])

  useEffect(() => {
    if (!onNew || !grid.current) return
    const columnOf = (key: string) => latest.current.find((column) => column.key === key)
    return watchGrid(grid.current, {
      ...marks.actions,
      hours: {
        bands: () => bands.current,
        onRange: (column, hours) => ghost.set(hours && { column, ...hours }),
        onMarked(key, { minute, minutes }) {
          const column = columnOf(key)
          if (column) onNew({ day: column.day, hour: hourOf(minute), minutes, venue: column.venue, coach: null })
        },
      },
    })
  }, [onNew, marks.actions, ghost])

  const startNew = (event: MouseEvent<HTMLElement>, { day, venue }: PlanColumn) => {
    if (!onNew || event.shiftKey || event.target !== event.currentTarget || marks.actions.isSelecting()) return
    const minute = minuteAt(event.clientY - event.currentTarget.getBoundingClientRect().top, layout.bands)
    if (minute !== null) onNew({ day, hour: hourOf(minute), minutes: null, venue, coach: null })
  }

  return (
    <div className={`plan-week ${columns.length > WIDE_FROM ? 'plan-scroll' : ''}`}>
      <div className="plan-days" style={template}>
        <span />
        {columns.map((column) => (
          <ColumnHead key={column.key} column={column} isToday={column.day === today} />
        ))}
      </div>
      <div className="plan-grid" ref={grid} style={{ ...template, height: layout.height }}>
        <div className="plan-hours" aria-hidden="true">
          {hours.map((minute) => (
            <span key={minute} className="plan-hour" style={{ top: topOf(minute, layout.bands) }}>
              {hourOf(minute)}
            </span>
          ))}
        </div>
        {columns.map((column, at) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the button "Nueva clase" and the key h do the same
          // biome-ignore lint/a11y/useKeyWithClickEvents: likewise
          <div
            key={column.key}
            className={`plan-column ${column.holiday ? 'plan-closed-column' : ''}`}
            data-col={at}
            data-column={column.key}
            onClick={(event) => startNew(event, column)}
          >
            <ul className="plan-list" aria-labelledby={headId(column)}>
              {column.classes.map((cls) => {
                const key = classKey(cls)
                const spot = layout.days[at]?.find((day) => day.key === key)
                if (!spot) return null
                return (
                  <li key={key}>
                    <ClassBlock
                      cls={cls}
                      marks={marks}
                      style={{
                        top: spot.top + 1,
                        height: spot.height - 3,
                        left: `calc(${(100 * spot.lane) / spot.lanes}% + 2px)`,
                        width: `calc(${100 / spot.lanes}% - 4px)`,
                      }}
                    />
                  </li>
                )
              })}
            </ul>
            <Ghost store={ghost} column={column.key} bands={layout.bands} />
          </div>
        ))}
        {layout.bands.map((band) => (
          <Fragment key={band.from}>
            {band.folded ? (
              <p className="plan-fold" style={{ top: band.top, height: band.height }}>
                Sin clases de {hourOf(band.from)} a {hourOf(band.until)}
              </p>
            ) : (
              hours
                .filter((minute) => minute >= band.from && minute < band.until)
                .map((minute) => <span key={minute} className="plan-line" style={{ top: topOf(minute, layout.bands) }} />)
            )}
          </Fragment>
        ))}
      </div>
    </div>
  )
}

/** The outline of a dragged class in one column. */
function Ghost({ store, column, bands }: { store: GhostStore; column: string; bands: readonly Band[] }) {
  const ghost = useGhost(store, column)
  if (!ghost) return null
  const [top, end] = [ghost.minute, ghost.minute + ghost.minutes].map((minute) => topOf(minute, bands)) as [number, number]
  return (
    <div className="plan-ghost" aria-hidden="true" style={{ top: top + 1, height: end - top - 3 }}>
      {hourOf(ghost.minute)} – {hourOf((ghost.minute + ghost.minutes) % 1440)}
    </div>
  )
}

const headId = ({ key }: PlanColumn): string => `columna-${key.replaceAll(' ', '-')}`

function ColumnHead({ column, isToday }: { column: PlanColumn; isToday: boolean }) {
  const { day, venue, name, detail, holiday } = column
  if (venue)
    return (
      <h2 className="plan-day-head plan-room-head" id={headId(column)}>
        <span>{name}</span>
        {detail && <span className="small muted">{detail}</span>}
      </h2>
    )
  return (
    <h2 className={`plan-day-head ${isToday ? 'plan-today' : ''}`} id={headId(column)}>
      <DayName day={day} />
      {holiday && <span className="plan-closed">{holiday}</span>}
    </h2>
  )
}

/** "16 lun", read as "lunes 16 de noviembre". */
export function DayName({ day }: { day: LocalDate }) {
  const wall = `${day}T00:00:00Z`
  return (
    <>
      <span className="plan-day-number" aria-hidden="true">
        {Number(day.slice(8))}
      </span>
      <span aria-hidden="true">{formatWall(wall, 'class').slice(0, 3)}</span>
      <span className="sr-only">{formatWall(wall, 'long')}</span>
    </>
  )
}
