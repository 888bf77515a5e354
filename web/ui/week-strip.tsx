import { type ElementType, type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { dayByKey } from './week-keys.ts'
import './week-strip.css'

export interface StripDay {
  /** the date in the studio's time zone, "2026-11-18" */
  date: string
  /** "mié"; today is shown as "Hoy" */
  weekday: string
  /** "18" */
  number: string
  /** what a screen reader reads instead of "mié 18": "miércoles 18 de noviembre" */
  ariaLabel: string
  past?: boolean
  today?: boolean
  /** the viewer has a class; `waiting`: is on a waitlist */
  mine?: boolean
  waiting?: boolean
}

interface WeekStripProps {
  /** seven days from Monday, or those of them that are shown */
  days: readonly StripDay[]
  chosen: string
  onChoose: (date: string) => void
  /** address of the page with that day: the days are then links, which also work without scripts */
  hrefOf?: (date: string) => string
  /** called by PageUp and PageDown; the focus stays on the day */
  onWeek?: (weeks: -1 | 1) => void
  /** id of the panel that shows the chosen day */
  panel: string
  label?: string
}

/** The id of a day's tab, which labels its panel. */
export const dayTabId = (panel: string, date: string): string => `${panel}-${date}`

/** The days of a week as tabs: arrows move, Home and End go to Monday and Sunday, PageUp and PageDown change the week. */
export function WeekStrip({ days, chosen, onChoose, hrefOf, onWeek, panel, label = 'Días de la semana' }: WeekStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const Tab: ElementType = hrefOf ? 'a' : 'button'
  const at = Math.max(
    0,
    days.findIndex((day) => day.date === chosen),
  )

  const move = (event: KeyboardEvent): void => {
    const target = dayByKey(event.key, at, days.length)
    if (!target) return
    event.preventDefault()
    if ('weeks' in target) {
      onWeek?.(target.weeks)
      return
    }
    const day = days[target.day]
    if (day) onChoose(day.date)
    strip.current?.querySelectorAll<HTMLElement>('[role="tab"]')[target.day]?.focus()
  }

  return (
    <div ref={strip} className="week-strip" role="tablist" aria-label={label}>
      {days.map((day, index) => (
        <Tab
          key={day.date}
          {...(hrefOf ? { href: hrefOf(day.date) } : { type: 'button' })}
          role="tab"
          id={dayTabId(panel, day.date)}
          className={`week-day ${day.past ? 'week-day-past' : ''} ${day.today ? 'week-day-today' : ''}`}
          aria-selected={index === at}
          aria-controls={index === at ? panel : undefined}
          tabIndex={index === at ? 0 : -1}
          onClick={(event: MouseEvent) => {
            // With a modifier key the link opens in a new tab or window, as links do.
            if (hrefOf && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return
            event.preventDefault()
            onChoose(day.date)
          }}
          onKeyDown={move}
        >
          <span aria-hidden="true">{day.today ? 'Hoy' : day.weekday}</span> <b aria-hidden="true">{day.number}</b>
          {/* Text instead of aria-label: a label would have to contain the visible text, "mié 18" (WCAG 2.5.3). */}
          <span className="sr-only">
            {[day.today && 'Hoy', day.ariaLabel, day.mine && 'tienes clase', day.waiting && 'en lista de espera']
              .filter(Boolean)
              .join(', ')}
          </span>
          <span className="week-dots">
            {day.mine && <i />}
            {day.waiting && <i className="waiting" />}
          </span>
        </Tab>
      ))}
    </div>
  )
}
