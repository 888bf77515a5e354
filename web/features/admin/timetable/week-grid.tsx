import { Fragment, type KeyboardEvent, type MouseEvent, useRef } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall, type LocalDate } from '#contract/time.ts'
import { ClassBlock, classKey } from './class-block.tsx'
import { minuteAt, topOf, weekLayout } from './week-layout.ts'
import './timetable.css'

interface WeekGridProps {
  days: readonly { date: LocalDate; holiday: string | null; classes: readonly PlannedClass[] }[]
  today: LocalDate
  /** The class that is open, by `classKey`. */
  current: string | null
  onOpen: (cls: PlannedClass) => void
  /** null: the viewer may not plan */
  onNew: ((day: LocalDate, hour: string) => void) | null
  /** Moves a class by minutes and days; null: the viewer may not plan. */
  onMove: ((cls: PlannedClass, by: { minutes: number; days: number }) => void) | null
}

const minuteOf = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))
const two = (n: number): string => String(n).padStart(2, '0')
const hourOf = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`

const MOVES: Readonly<Record<string, { minutes: number; days: number }>> = {
  ArrowUp: { minutes: -15, days: 0 },
  ArrowDown: { minutes: 15, days: 0 },
  ArrowLeft: { minutes: 0, days: -1 },
  ArrowRight: { minutes: 0, days: 1 },
}

/** A week with its hours: folded where no day has a class, wider where classes stand beside each other. */
export function WeekGrid({ days, today, current, onOpen, onNew, onMove }: WeekGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const layout = weekLayout(
    days.map(({ classes }) =>
      classes.map((cls) => ({ key: classKey(cls), start: minuteOf(cls.class_date), minutes: cls.duration_minutes })),
    ),
  )
  const hours = layout.bands.flatMap((band) =>
    band.folded ? [] : Array.from({ length: (band.until - band.from) / 60 }, (_, n) => band.from + n * 60),
  )
  const columns = layout.lanes.map((lanes) => `minmax(0, ${1 + (lanes - 1) * 0.5}fr)`).join(' ')

  const startNew = (event: MouseEvent<HTMLElement>, day: LocalDate) => {
    if (!onNew || event.target !== event.currentTarget) return
    const minute = minuteAt(event.clientY - event.currentTarget.getBoundingClientRect().top, layout.bands)
    if (minute !== null) onNew(day, hourOf(minute))
  }

  /** Arrows go to the next class of the day or of the neighbouring day; with Alt they move the class itself. */
  const onKey = (event: KeyboardEvent, cls: PlannedClass, at: number) => {
    const by = MOVES[event.key]
    if (!by || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (event.altKey) {
      onMove?.(cls, by)
      return
    }
    const inDay = (index: number) => [...(grid.current?.querySelectorAll<HTMLElement>(`[data-day="${index}"] [data-class]`) ?? [])]
    const own = inDay(at)
    const here = own.findIndex((block) => block.dataset.class === classKey(cls))
    if (by.days === 0) own[here + Math.sign(by.minutes)]?.focus()
    else {
      for (let index = at + by.days; index >= 0 && index < days.length; index += by.days) {
        const blocks = inDay(index)
        const nearest = blocks[Math.min(here, blocks.length - 1)]
        if (nearest) return nearest.focus()
      }
    }
  }

  return (
    <div className="plan-week" ref={grid}>
      <div className="plan-days" style={{ gridTemplateColumns: `64px ${columns}` }}>
        <span />
        {days.map(({ date, holiday }) => (
          <h2 key={date} className={`plan-day-head ${date === today ? 'plan-today' : ''}`} id={`dia-${date}`}>
            <span className="plan-day-number">{Number(date.slice(8))}</span>
            <span aria-hidden="true">{formatWall(`${date}T00:00:00Z`, 'class').slice(0, 3)}</span>
            <span className="sr-only">{formatWall(`${date}T00:00:00Z`, 'long')}</span>
            {holiday && <span className="plan-closed">{holiday}</span>}
          </h2>
        ))}
      </div>
      <div className="plan-grid" style={{ gridTemplateColumns: `64px ${columns}`, height: layout.height }}>
        <div className="plan-hours" aria-hidden="true">
          {hours.map((minute) => (
            <span key={minute} className="plan-hour" style={{ top: topOf(minute, layout.bands) }}>
              {hourOf(minute)}
            </span>
          ))}
        </div>
        {days.map(({ date, holiday, classes }, at) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the button "Nueva clase" does the same
          // biome-ignore lint/a11y/useKeyWithClickEvents: likewise
          <div
            key={date}
            className={`plan-column ${holiday ? 'plan-closed-column' : ''}`}
            data-day={at}
            onClick={(event) => startNew(event, date)}
          >
            <ul className="plan-list" aria-labelledby={`dia-${date}`}>
              {classes.map((cls) => {
                const key = classKey(cls)
                const spot = layout.days[at]?.find((one) => one.key === key)
                if (!spot) return null
                return (
                  <li key={key}>
                    <ClassBlock
                      cls={cls}
                      current={key === current}
                      style={{
                        top: spot.top + 1,
                        height: spot.height - 3,
                        left: `calc(${(100 * spot.lane) / spot.lanes}% + 2px)`,
                        width: `calc(${100 / spot.lanes}% - 4px)`,
                      }}
                      onOpen={() => onOpen(cls)}
                      onKeyDown={(event) => onKey(event, cls, at)}
                    />
                  </li>
                )
              })}
            </ul>
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
