import '#web/ui/chip.css'
import './week-calendar.css'
import { IconCheck, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { addDays, type LocalDate } from '#contract/time.ts'
import { useSite } from '#web/lib/settings.tsx'
import type { ActOf } from './class-card.tsx'
import type { CardClass, CardDay } from './class-facts.ts'
import { ViewLinks } from './view-links.tsx'
import { Week } from './week-columns.tsx'
import { activeFilters, QuickFilters, WeekFilters } from './week-filters.tsx'
import { Choice, Step, type StepProps } from './week-steps.tsx'
import {
  inWeek,
  lastShownDay,
  monthChoices,
  otherHours,
  type WeekView,
  weekAriaLabel,
  weekDays,
  weekTitle,
  zoneSentence,
} from './week-view.ts'

export interface WeekCalendarProps<C extends CardClass> {
  /** the page's h1: 'Horarios', 'Calendario' */
  title: string
  view: WeekView
  /** the week's days as in the API's answer; null while loading */
  days: readonly CardDay<C>[] | null
  /** today in the studio's time zone, from the API */
  today: LocalDate
  /** null while loading */
  locations: readonly { location_id: number; name: string; timezone: string }[] | null
  /** categories of classes across types, for the filter */
  categories?: readonly { class_category_id: number; name: string }[]
  /** address of another view of this page; all controls are links or forms, so they work without scripts */
  hrefOf: (view: WeekView) => string
  /** changes the view without navigation */
  onView?: (view: WeekView) => void
  act: ActOf<C>
  /** beside the filters, for example the customer's credits */
  aside?: ReactNode
  /** above the week: a reason that blocks all its classes, such as a penalty */
  banner?: ReactNode
  /** another week is loading */
  busy?: boolean
  /** shown where `days` or `locations` are still loading */
  outline?: { locations: ReactNode; filters: ReactNode; week: ReactNode }
}

/**
 * The week of the studio (design sections 5 to 7): seven columns with Mañana and Tarde on a desktop, a strip of days and two days below it
 * on narrower screens. Independent of the router: the page passes addresses of views and actions of buttons.
 */
export function WeekCalendar<C extends CardClass>(props: WeekCalendarProps<C>) {
  const { title, view, today, categories = [], hrefOf, onView, act, aside, banner, busy = false, outline } = props
  const days = weekDays(props.days ?? [], view, today)
  const next = addDays(view.week, 7)
  const following = lastShownDay(view.week, today) > next ? weekDays(props.days ?? [], { ...view, week: next }, today) : []
  const loading = props.days === null
  // The days still belong to the previous week: show the outline instead.
  const waiting = busy && !props.days?.some(({ date }) => date === view.week)
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const locations = props.locations ?? []
  const several = locations.length > 1
  const { zone } = useSite()
  // The same map for all renderings, because cards render again only when their props change.
  const zones = useMemo(() => otherHours(props.locations ?? [], zone), [props.locations, zone])
  const step = { hrefOf, onView, today }

  const filtering = activeFilters(view)

  return (
    <>
      <div className="calendar-head">
        <h1 className="t1">{title}</h1>
        <nav className="row gap-8" aria-label="Semanas">
          <Step {...step} to={inWeek(view, addDays(view.week, -7))} className="icon-btn" label="Semana anterior">
            <IconChevronLeft className="icon" aria-hidden="true" />
          </Step>
          <span className="t4 display nowrap calendar-week only-desk">{weekTitle(view.week)}</span>
          <Step {...step} to={inWeek(view, addDays(view.week, 7))} className="icon-btn" label="Semana siguiente">
            <IconChevronRight className="icon" aria-hidden="true" />
          </Step>
          <Months {...step} view={view} className="only-desk" />
        </nav>
        {/* A checkbox, so that it works without scripts. */}
        <label className={`chip calendar-more ${filtering ? 'chip-on' : ''}`}>
          <input type="checkbox" className="sr-only" />
          {filtering ? `Filtros · ${filtering}` : 'Filtros'}
        </label>
      </div>
      <div className="calendar-tools">
        <div className="calendar-filters">
          {props.locations === null && outline?.locations}
          {several && (
            <ViewLinks
              label="Estudio"
              links={[{ location_id: null, name: 'Todos los Estudios' }, ...locations].map(({ location_id, name }) => {
                const to = { ...view, location: location_id }
                return {
                  key: name,
                  label: name,
                  href: hrefOf(to),
                  current: view.location === location_id,
                  onChoose: onView && (() => onView(to)),
                }
              })}
            />
          )}
          <div className="calendar-chips">
            <div className="only-phone">
              <Months {...step} view={view} />
            </div>
            <WeekFilters {...step} view={view} days={props.days} categories={categories} outline={outline?.filters} />
          </div>
        </div>
      </div>
      <div className="calendar-quick">
        <nav className="calendar-quick-chips" aria-label="Ver">
          <QuickFilters {...step} view={view} />
        </nav>
        {aside}
      </div>
      {banner}
      <p className="sr-only" aria-live="polite">
        {loading || busy ? '' : weekAriaLabel(view.week, count)}
      </p>
      {loading ? (
        outline?.week
      ) : (
        <>
          <Week
            {...step}
            days={days}
            following={following}
            view={view}
            act={act}
            showsLocation={several}
            zones={zones}
            busy={busy}
            waiting={waiting}
            outline={outline?.week}
          />
          <div className="row wraps calendar-foot">
            <Legend />
            <span className="small muted">{zoneSentence(locations.map(({ timezone }) => timezone))}</span>
          </div>
        </>
      )}
    </>
  )
}

/** Chooses a month. */
function Months({ view, className, ...step }: StepProps & { view: WeekView; className?: string }) {
  const months = monthChoices(view.week, step.today || view.week)
  return (
    <Choice
      {...step}
      label="Mes"
      name="semana"
      value={view.week}
      rest={{ ...view, day: null }}
      options={months.map(({ week, label }) => ({ value: week, label, view: inWeek(view, week) }))}
      className={className}
    />
  )
}

function Legend() {
  return (
    <ul className="calendar-legend" aria-label="Significado de cada tarjeta">
      <li>
        <i />
        Disponible
      </li>
      <li>
        <i className="legend-mine">
          <IconCheck aria-hidden="true" size={13} stroke={3} />
        </i>
        Reservada
      </li>
      <li>
        <i className="legend-full" />
        Sin Lugares
      </li>
    </ul>
  )
}
