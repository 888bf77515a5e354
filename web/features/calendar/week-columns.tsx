import { IconChevronDown } from '@tabler/icons-react'
import { type CSSProperties, Fragment, useId } from 'react'
import { empty } from '#contract/copy/empty-lists.ts'
import { addDays, mondayOf } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { WeekStrip } from '#web/ui/week-strip.tsx'
import { type ActOf, ClassCard } from './class-card.tsx'
import type { CardClass } from './class-facts.ts'
import { useSwipe } from './swipe.ts'
import { WaitingWeek } from './waiting-week.tsx'
import { Step, type StepProps } from './week-steps.tsx'
import { chosenDay, emptyWeek, inWeek, nextToday, onDay, type WeekDay, type WeekView } from './week-view.ts'

interface WeekProps<C extends CardClass> extends StepProps {
  days: readonly WeekDay<C>[]
  view: WeekView
  act: ActOf<C>
  /** cards show their location */
  place: boolean
  busy: boolean
  /** no data of this week yet */
  waiting: boolean
}

/** From this number of classes on, only the visible cards are rendered. */
const MANY = 100

/** A row across the week, and the index of its classes in `WeekDay.parts`. */
interface PartRow {
  name: string
  at: number
}
const PART_ROWS: readonly PartRow[] = ['Mañana', 'Tarde'].map((name, at) => ({ name, at }))

/** The days of a week: a strip that selects one on narrow screens, and the classes of each day. */
export function Week<C extends CardClass>({ days, view, act, place, busy, waiting, hrefOf, onView, today }: WeekProps<C>) {
  const panel = useId()
  const chosen = chosenDay(days, view)
  const near = [chosen, addDays(chosen, 1)]
  const lines = PART_ROWS.filter(({ at }) => days.some((day) => day.parts[at]?.length))
  const nothing = waiting ? null : emptyWeek(days, today)
  const move = (by: number) => onView?.(onDay(view, addDays(chosen, by)))
  const swipe = useSwipe(move)
  const swipeWeek = useSwipe((weeks) => move(7 * weeks))

  return (
    <>
      <div className="calendar-strip" {...swipeWeek}>
        <WeekStrip
          days={days}
          chosen={chosen}
          hrefOf={(date) => hrefOf(onDay(view, date))}
          onChoose={(date) => onView?.(onDay(view, date))}
          onWeek={(weeks) => move(7 * weeks)}
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
          style={{ '--days': columnsOf(days) } as CSSProperties}
          {...swipe}
        >
          {lines.map(({ name }, row) => (
            <p key={name} className="week-part-name" aria-hidden="true" style={{ gridRow: row + 2 }}>
              {name}
            </p>
          ))}
          {days.map((day) => (
            <DayColumn
              key={day.date}
              day={day}
              lines={lines}
              near={near.includes(day.date)}
              act={act}
              place={place}
              id={`${panel}${day.date}`}
            />
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

/** Past days are narrow, unless the whole week is past. */
function columnsOf(days: readonly WeekDay<CardClass>[]): string {
  const narrow = days.filter((day) => day.past).length % 7
  return narrow ? `repeat(${narrow}, 112px) repeat(${7 - narrow}, minmax(0, 1fr))` : 'repeat(7, minmax(0, 1fr))'
}

interface DayColumnProps<C extends CardClass> {
  day: WeekDay<C>
  lines: readonly PartRow[]
  /** one of the two days that narrow screens show */
  near: boolean
  act: ActOf<C>
  place: boolean
  /** id of its title */
  id: string
}

function DayColumn<C extends CardClass>({ day, lines, near, act, place, id }: DayColumnProps<C>) {
  const next = nextToday(day)
  return (
    <section
      className={`week-column ${day.past ? 'week-past' : ''} ${day.today ? 'week-today' : ''} ${near ? 'week-near' : ''}`}
      aria-labelledby={id}
      style={{ '--parts': lines.length } as CSSProperties}
    >
      <DayHead day={day} id={id} />
      {day.today && <Fold day={day} />}
      {lines.map(({ name, at }, row) => (
        <div key={name} className="class-list" style={{ gridRow: row + 2 }}>
          {day.parts[at]?.map((cls) => (
            <Fragment key={cls.single_class_id}>
              {day.today && next === cls.single_class_id && <NowLine />}
              <ClassCard cls={cls} act={act} place={place} />
            </Fragment>
          ))}
          {day.today && day.count > 0 && next === null && at === lastPart(day) && <NowLine />}
          {(day.count === 0 ? row === 0 : !day.parts[at]?.length) && (
            <p className={`week-none ${day.count === 0 ? '' : 'week-none-part'}`}>{empty.classes}</p>
          )}
        </div>
      ))}
    </section>
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

/** The line between today's past and coming classes. */
function NowLine() {
  return (
    <p className="week-now" aria-hidden="true">
      Ahora
    </p>
  )
}

/** On narrow screens today's past classes are collapsed; a checkbox expands them without scripts. */
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
