import '#web/ui/chip.css'
import './week-calendar.css'
import { IconCalendar, IconCheck, IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type CSSProperties, Fragment, type ReactNode, useId } from 'react'
import { empty } from '#contract/messages.ts'
import { addDays, type LocalDate, mondayOf } from '#contract/time.ts'
import { instructorName } from '#contract/wording.ts'
import { LateWords, Skeleton } from '#web/ui/skeleton.tsx'
import { WeekStrip } from '#web/ui/week-strip.tsx'
import { type ActOf, ClassCard } from './class-card.tsx'
import type { CardClass, CardDay } from './class-facts.ts'
import { EmptyState } from './empty-state.tsx'
import { useSwipe } from './swipe.ts'
import { ViewLinks } from './view-links.tsx'
import { Choice, Step, type StepProps } from './week-steps.tsx'
import {
  chosenDay,
  DAY_PARTS,
  type DayPart,
  emptyWeek,
  inWeek,
  monthChoices,
  nextToday,
  onDay,
  type WeekDay,
  type WeekView,
  weekDays,
  weekSpoken,
  weekTitle,
  zoneSentence,
} from './week-view.ts'

export interface WeekCalendarProps<C extends CardClass> {
  /** the page's h1: 'Horarios', 'Calendario' */
  title: string
  view: WeekView
  /** the week's days as the API answers them; null while they load */
  days: readonly CardDay<C>[] | null
  /** the studio's today, as the API says */
  today: LocalDate
  /** null while they are on their way */
  locations: readonly { location_id: number; name: string; timezone: string }[] | null
  /** kinds of classes across types, for the filter */
  categories?: readonly { class_category_id: number; name: string }[]
  /** address of another view of this page; everything here is a link or a form, so it works without scripts */
  hrefOf: (view: WeekView) => string
  /** the same step inside the page */
  onView?: (view: WeekView) => void
  act: ActOf<C>
  /** also coach, part of the day and 'Con lugares': the customer's own calendar */
  filters?: boolean
  /** beside the filters: the customer's credits */
  aside?: ReactNode
  /** above the week: what holds everything in it */
  notice?: ReactNode
  /** another week is on its way */
  busy?: boolean
}

/**
 * The week of the studio (design sections 5 to 7): seven columns with Mañana and Tarde on a desktop, a strip of days and
 * two days below it elsewhere. It knows no router: the page says where its views are and what buttons do.
 */
export function WeekCalendar<C extends CardClass>(props: WeekCalendarProps<C>) {
  const { title, view, today, categories = [], hrefOf, onView, act, filters = false, aside, notice, busy = false } = props
  const days = weekDays(props.days ?? [], view, today)
  const loading = props.days === null
  // What is here belongs to the week before: it says nothing about this one.
  const waiting = busy && !props.days?.some(({ date }) => date === view.week)
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const types = classTypes(props.days ?? [], view)
  const coaches = filters ? classCoaches(props.days ?? [], view) : []
  const kinds = filters ? classCategories(props.days ?? [], view, categories) : []
  const locations = props.locations ?? []
  const several = locations.length > 1
  const panel = useId()
  const step = { hrefOf, onView, today }
  const months = {
    label: 'Mes',
    name: 'semana',
    icon: <IconCalendar className="icon" aria-hidden="true" />,
    value: view.week,
    rest: { ...view, day: null },
    options: monthChoices(view.week, today || view.week).map(({ week, label }) => ({ value: week, label, view: inWeek(view, week) })),
  }

  return (
    <>
      <div className="calendar-head">
        <h1 className="t1">{title}</h1>
        <nav className="row gap-8" aria-label="Semanas">
          <Step {...step} to={inWeek(view, addDays(view.week, -7))} className="icon-btn" label="Semana anterior">
            <IconChevronLeft className="icon" aria-hidden="true" />
          </Step>
          <Step {...step} to={inWeek(view, today || view.week)} className="chip only-desk">
            Hoy
          </Step>
          <span className="t4 display nowrap calendar-week only-desk">{weekTitle(view.week)}</span>
          <Step {...step} to={inWeek(view, addDays(view.week, 7))} className="icon-btn" label="Semana siguiente">
            <IconChevronRight className="icon" aria-hidden="true" />
          </Step>
          <Choice {...step} {...months} className="only-desk" />
        </nav>
      </div>
      <div className="calendar-tools">
        <div className="calendar-filters">
          {props.locations === null && <Skeleton shape="pill" width="440px" height="50px" />}
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
              <Choice {...step} {...months} />
            </div>
            {/* Their room, until it is known what can be chosen. */}
            {loading && <Skeleton shape="pill" width="162px" height="44px" />}
            {loading && filters && <Skeleton shape="pill" width="174px" height="44px" />}
            {types.length > 1 && (
              <Choice
                {...step}
                label="Clase"
                name="tipo"
                value={String(view.type ?? '')}
                rest={{ ...view, type: null }}
                options={[
                  { value: '', label: 'Todas las clases', view: { ...view, type: null } },
                  ...types.map(({ id, name }) => ({ value: String(id), label: name, view: { ...view, type: id } })),
                ]}
              />
            )}
            {coaches.length > 1 && (
              <Choice
                {...step}
                label="Coach"
                name="coach"
                value={String(view.coach ?? '')}
                rest={{ ...view, coach: null }}
                options={[
                  { value: '', label: 'Todos los coaches', view: { ...view, coach: null } },
                  ...coaches.map(({ id, name }) => ({ value: String(id), label: name, view: { ...view, coach: id } })),
                ]}
              />
            )}
            {kinds.length > 1 && (
              <Choice
                {...step}
                label="Categoría"
                name="categoria"
                value={String(view.category ?? '')}
                rest={{ ...view, category: null }}
                options={[
                  { value: '', label: 'Todas las categorías', view: { ...view, category: null } },
                  ...kinds.map(({ id, name }) => ({ value: String(id), label: name, view: { ...view, category: id } })),
                ]}
              />
            )}
            {filters && (
              <>
                <Choice
                  {...step}
                  label="Hora"
                  name="hora"
                  value={view.part ?? ''}
                  rest={{ ...view, part: null }}
                  options={[
                    { value: '', label: 'Cualquier hora', view: { ...view, part: null } },
                    ...PART_KEYS.map((part) => ({ value: part, label: DAY_PARTS[part], view: { ...view, part } })),
                  ]}
                />
                <Step {...step} to={{ ...view, free: !view.free }} className={`chip ${view.free ? 'chip-on' : ''}`} current={view.free}>
                  {view.free && <IconCheck className="icon" aria-hidden="true" />}
                  Con lugares
                </Step>
              </>
            )}
          </div>
        </div>
        {aside}
      </div>
      {notice}
      <p className="sr-only" aria-live="polite">
        {loading || busy ? '' : weekSpoken(view.week, count)}
      </p>
      {loading ? (
        <WaitingWeek />
      ) : (
        <>
          <Week {...step} days={days} view={view} act={act} place={several} busy={busy} waiting={waiting} panel={panel} />
          <div className="row wraps calendar-foot">
            <Legend />
            <span className="small muted">{zoneSentence(locations.map(({ timezone }) => timezone))}</span>
          </div>
        </>
      )}
    </>
  )
}

interface WeekProps<C extends CardClass> extends StepProps {
  days: readonly WeekDay<C>[]
  view: WeekView
  act: ActOf<C>
  place: boolean
  busy: boolean
  /** nothing is known of this week yet */
  waiting: boolean
  panel: string
}

/** Above this only what is in sight is drawn. */
const MANY = 100

/** The two lines on which classes stand across the week. */
const PARTS = ['Mañana', 'Tarde'] as const
const PART_KEYS = Object.keys(DAY_PARTS) as DayPart[]

function Week<C extends CardClass>({ days, view, act, place, busy, waiting, panel, hrefOf, onView, today }: WeekProps<C>) {
  const chosen = chosenDay(days, view)
  const near = [chosen, addDays(chosen, 1)]
  const parts = PARTS.map((name, at) => ({ name, at })).filter(({ at }) => days.some((day) => day.parts[at]?.length))
  const nothing = waiting ? null : emptyWeek(days, today)
  const swipe = useSwipe((days) => onView?.(onDay(view, addDays(chosen, days))))
  const swipeWeek = useSwipe((weeks) => onView?.(onDay(view, addDays(chosen, 7 * weeks))))
  // Days that are over are narrow, unless the whole week is.
  const narrow = days.filter((day) => day.past).length % 7
  const columns = narrow ? `repeat(${narrow}, 112px) repeat(${7 - narrow}, minmax(0, 1fr))` : 'repeat(7, minmax(0, 1fr))'

  return (
    <>
      <div className="calendar-strip" {...swipeWeek}>
        <WeekStrip
          days={days}
          chosen={chosen}
          hrefOf={(date) => hrefOf(onDay(view, date))}
          onChoose={(date) => onView?.(onDay(view, date))}
          onWeek={(weeks) => onView?.(onDay(view, addDays(chosen, weeks * 7)))}
          panel={panel}
        />
      </div>
      {waiting ? (
        <div id={panel} aria-busy="true">
          <WaitingWeek />
        </div>
      ) : nothing === 'none' ? (
        <div id={panel}>
          <EmptyState>{empty.classes}</EmptyState>
        </div>
      ) : (
        <div
          id={panel}
          className={`week ${days.reduce((sum, day) => sum + day.count, 0) > MANY ? 'week-many' : ''}`}
          aria-busy={busy}
          style={{ '--days': columns } as CSSProperties}
          {...swipe}
        >
          {parts.map(({ name }, row) => (
            <p key={name} className="week-part-name" aria-hidden="true" style={{ gridRow: row + 2 }}>
              {name}
            </p>
          ))}
          {days.map((day) => (
            <section
              key={day.date}
              className={`week-column ${day.past ? 'week-past' : ''} ${day.today ? 'week-today' : ''} ${near.includes(day.date) ? 'week-near' : ''}`}
              aria-labelledby={`${panel}${day.date}`}
              style={{ '--parts': parts.length } as CSSProperties}
            >
              <DayHead day={day} id={`${panel}${day.date}`} />
              {day.today && <Fold day={day} />}
              {parts.map(({ name, at }, row) => (
                <div key={name} className="class-list" style={{ gridRow: row + 2 }}>
                  {day.parts[at]?.map((cls) => (
                    <Fragment key={cls.single_class_id}>
                      {day.today && nextToday(day) === cls.single_class_id && <NowLine />}
                      <ClassCard cls={cls} act={act} place={place} />
                    </Fragment>
                  ))}
                  {day.today && day.count > 0 && nextToday(day) === null && at === lastPart(day) && <NowLine />}
                  {(day.count === 0 ? row === 0 : !day.parts[at]?.length) && (
                    <p className={`week-none ${day.count === 0 ? '' : 'week-none-part'}`}>{empty.classes}</p>
                  )}
                </div>
              ))}
            </section>
          ))}
        </div>
      )}
      {nothing === 'no-more' && (
        <p className="calendar-no-more" role="note">
          {empty.classesThisWeek}{' '}
          <Step hrefOf={hrefOf} onView={onView} today={today} to={inWeek(view, addDays(mondayOf(today), 7))} className="link">
            Ver la semana siguiente
          </Step>
        </p>
      )}
    </>
  )
}

function DayHead({ day, id }: { day: WeekDay<CardClass>; id: string }) {
  const count = day.count === 1 ? '1 clase' : `${day.count} clases`
  return (
    <div className="week-head">
      <h2 id={id}>
        <span className="week-title t3">{day.title}</span>
        <span className="week-number" aria-hidden="true">
          <b className="figure">{day.number}</b> {day.weekday}
        </span>
      </h2>
      <span className="week-aside">
        {day.today && <span>Hoy</span>}
        <span className="week-count">{day.count > 0 && `${day.today ? ' · ' : ''}${count}`}</span>
      </span>
    </div>
  )
}

const lastPart = (day: WeekDay<CardClass>): number => (day.parts[1].length ? 1 : 0)

/** Between what is over today and what is still to come. */
function NowLine() {
  return (
    <p className="week-now" aria-hidden="true">
      Ahora
    </p>
  )
}

/** On narrow screens what already ended today is folded away; a checkbox does it without scripts. */
function Fold({ day }: { day: WeekDay<CardClass> }) {
  const over = day.parts.flat().filter((cls) => cls.state === 'past').length
  if (!over) return null
  return (
    <label className="btn btn-outline btn-small week-fold">
      <input type="checkbox" className="sr-only" />
      <IconChevronDown className="icon" aria-hidden="true" />
      <span>{over === 1 ? 'Ver 1 clase que ya pasó' : `Ver ${over} clases que ya pasaron`}</span>
    </label>
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

/** Outlines of a week that is being asked for. */
function WaitingWeek() {
  return (
    <div className="calendar-waiting" role="status">
      <span className="sr-only">Cargando</span>
      <LateWords />
      <div className="calendar-waiting-strip only-narrow">
        <Skeleton height="68px" />
      </div>
      {Array.from({ length: 12 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an outline is nothing but its place
        <div key={at} className="class-card" aria-hidden="true">
          <Skeleton width="52px" height="20px" />
          <Skeleton width="80%" height="16px" />
          <Skeleton width="60%" height="14px" />
        </div>
      ))}
    </div>
  )
}

/** The categories of the week and the one that is filtered, in the studio's order. */
function classCategories(
  days: readonly CardDay<CardClass>[],
  view: WeekView,
  known: readonly { class_category_id: number; name: string }[],
): { id: number; name: string }[] {
  const found = new Set(days.flatMap(({ classes }) => classes.map((cls) => cls.class_category_id)))
  return known
    .filter(({ class_category_id }) => found.has(class_category_id) || view.category === class_category_id)
    .map(({ class_category_id, name }) => ({ id: class_category_id, name }))
}

/** The coaches of the week and the one that is filtered, by name. */
function classCoaches(days: readonly CardDay<CardClass>[], view: WeekView): { id: number; name: string }[] {
  const found = new Map<number, string>()
  for (const { classes } of days)
    for (const { class_instructors } of classes)
      for (const { instructor } of class_instructors) found.set(instructor.instructor_id, instructorName(instructor))
  if (view.coach && !found.has(view.coach)) found.set(view.coach, 'Otro coach')
  return [...found].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'es'))
}

/** The class types of the week and the one that is filtered, by name. */
function classTypes(days: readonly CardDay<CardClass>[], view: WeekView): { id: number; name: string }[] {
  const found = new Map<number, string>()
  for (const { classes } of days) for (const { class_type } of classes) found.set(class_type.class_type_id, class_type.name)
  if (view.type && !found.has(view.type)) found.set(view.type, 'Otra clase')
  return [...found].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'es'))
}
