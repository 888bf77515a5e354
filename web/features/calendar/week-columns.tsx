import { IconChevronRight } from '@tabler/icons-react'
import { type CSSProperties, Fragment, type ReactNode, useDeferredValue, useId, useState } from 'react'
import { empty } from '#contract/copy/empty-lists.ts'
import { addDays, mondayOf } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { useMedia } from '#web/lib/use-media.ts'
import { WeekStrip } from '#web/ui/week-strip.tsx'
import { type ActOf, ClassCard } from './class-card.tsx'
import type { CardClass } from './class-facts.ts'
import { useSwipe } from './swipe.ts'
import { Step, type StepProps } from './week-steps.tsx'
import { chosenDay, emptyWeek, emptyWeekText, inWeek, nextToday, onDay, type WeekDay, type WeekView, weekTitle } from './week-view.ts'

interface WeekProps<C extends CardClass> extends StepProps {
  days: readonly WeekDay<C>[]
  /** the next week, where it follows on the same screen (on a Saturday and Sunday) */
  following: readonly WeekDay<C>[]
  view: WeekView
  act: ActOf<C>
  /** cards show their location */
  showsLocation: boolean
  /** "hora de Tijuana", by location */
  zones: ReadonlyMap<number, string>
  busy: boolean
  /** no data of this week yet */
  waiting: boolean
  /** shown while there is none */
  outline: ReactNode
}

/** From this number of classes on, only the visible cards are rendered. */
const MANY = 100

/** A row across the week, and the index of its classes in `WeekDay.parts`. */
interface PartRow {
  name: string
  at: number
}
const PART_ROWS: readonly PartRow[] = ['Mañana', 'Tarde'].map((name, at) => ({ name, at }))

/**
 * The days of a week: a strip that selects one on narrow screens, and the classes of each day. Past days of a current week are folded; a
 * checkbox, which also works without scripts, shows them.
 */
export function Week<C extends CardClass>(props: WeekProps<C>) {
  const { days, following, view, act, showsLocation, zones, busy, waiting, outline, hrefOf, onView, today } = props
  const panel = useId()
  const [unfolds, setUnfolds] = useState<boolean | null>(null)
  const chosen = chosenDay(days, view)
  const near = [chosen, addDays(chosen, 1)]
  const nothing = waiting ? null : emptyWeek(days, today)
  const move = (by: number) => onView?.(onDay(view, addDays(chosen, by)))
  const swipe = useSwipe(move)
  const swipeWeek = useSwipe((weeks) => move(7 * weeks))
  const past = days.filter((day) => day.past).length % 7
  const isUnfolded = unfolds ?? days.some((day) => day.past && day.date === chosen)
  const foldId = `${panel}pasados`
  const columns = { act, showsLocation, zones, near, today: view.day, panel }

  return (
    <>
      {past > 0 && (
        <input
          type="checkbox"
          id={foldId}
          className="sr-only week-unfold"
          aria-label={past === 1 ? 'Ver el día que ya pasó' : `Ver los ${past} días que ya pasaron`}
          checked={isUnfolded}
          onChange={(event) => setUnfolds(event.currentTarget.checked)}
        />
      )}
      <div className="calendar-strip" {...swipeWeek}>
        {past > 0 && <PastDays days={days.slice(0, past)} of={foldId} />}
        <WeekStrip
          days={[...days, ...following.slice(0, past)]}
          chosen={chosen}
          hrefOf={(date) => hrefOf(onDay(view, date))}
          onChoose={(date) => onView?.(onDay(view, date))}
          onWeek={(weeks) => move(7 * weeks)}
          panel={panel}
        />
      </div>
      {waiting ? (
        <div id={panel} aria-busy="true">
          {outline ?? <p role="status">Cargando</p>}
        </div>
      ) : nothing === 'none' ? (
        <div id={panel}>
          <EmptyState drawing="salto">{emptyWeekText(days, empty.classes)}</EmptyState>
        </div>
      ) : (
        <WeekGrid days={days} past={past} id={panel} busy={busy} swipe={swipe} {...columns}>
          {past > 0 && <PastDays days={days.slice(0, past)} of={foldId} />}
        </WeekGrid>
      )}
      {nothing === 'no-more' && (
        <p className="calendar-no-more" role="note">
          {empty.classesThisWeek}{' '}
          <Step hrefOf={hrefOf} onView={onView} today={today} to={inWeek(view, addDays(mondayOf(today), 7))} className="link">
            Ver la semana siguiente
          </Step>
        </p>
      )}
      {following[0] && !waiting && following.some((day) => day.count > 0) && (
        <>
          <p className="t4 display calendar-following">{weekTitle(following[0].date)}</p>
          <WeekGrid days={following} past={0} busy={busy} swipe={swipe} {...columns} />
        </>
      )}
    </>
  )
}

interface WeekGridProps<C extends CardClass> extends Pick<WeekProps<C>, 'days' | 'act' | 'showsLocation' | 'zones' | 'busy'> {
  /** number of past days, which can be folded; 0: none */
  past: number
  id?: string
  /** the prefix of the ids of the days' titles */
  panel: string
  swipe: ReturnType<typeof useSwipe>
  near: readonly string[]
  /** the day of the address */
  today: string | null
  children?: ReactNode
}

/** Seven days beside each other, with Mañana and Tarde aligned across them; `children`: the column of folded days. */
function WeekGrid<C extends CardClass>({ days, past, id, panel, busy, swipe, near, today, children, ...cards }: WeekGridProps<C>) {
  // The first rendering has all days, as the server's document; a narrow screen then leaves out those that its style sheet hides. Today
  // stays, because its fold is a checkbox that React does not keep.
  const isWide = useDeferredValue(useMedia('(min-width: 1081px)'))
  const lines = PART_ROWS.filter(({ at }) => days.some((day) => day.parts[at]?.length))
  const rest = `repeat(${7 - past}, minmax(0, 1fr))`
  const style = { '--days': past ? `44px repeat(${past}, 112px) ${rest}` : rest, '--days-folded': `44px ${rest}`, '--parts': lines.length }
  return (
    <div
      id={id}
      className={`week ${days.reduce((sum, day) => sum + day.count, 0) > MANY ? 'week-many' : ''}`}
      aria-busy={busy}
      style={style as CSSProperties}
      {...swipe}
    >
      {lines.map(({ name }, row) => (
        <p key={name} className="week-part-name" aria-hidden="true" style={{ gridRow: row + 2 }}>
          {name}
        </p>
      ))}
      {children}
      {days.map(
        (day, at) =>
          (isWide || day.today || near.includes(day.date)) && (
            <DayColumn
              key={day.date}
              day={day}
              lines={lines}
              near={near.includes(day.date)}
              chosen={day.date === today}
              column={past ? { open: at + 3, folded: at + 3 - past } : { open: at + 2, folded: at + 2 }}
              id={`${panel}${day.date}`}
              {...cards}
            />
          ),
      )}
    </div>
  )
}

/** The label of the checkbox that shows the past days: a narrow column on a desktop, one more day of the strip elsewhere. */
function PastDays({ days, of }: { days: readonly WeekDay<CardClass>[]; of: string }) {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  const name = first === last ? first.weekday : `${first.weekday} – ${last.weekday}`
  return (
    <label htmlFor={of} className="week-past-days" aria-hidden="true">
      <IconChevronRight className="icon" aria-hidden="true" />
      <span>{name}</span>
    </label>
  )
}

interface DayColumnProps<C extends CardClass> extends Pick<WeekProps<C>, 'act' | 'showsLocation' | 'zones'> {
  day: WeekDay<C>
  lines: readonly PartRow[]
  /** one of the two days that narrow screens show */
  near: boolean
  /** it is the day of the address */
  chosen: boolean
  /** its column of the grid, while past days are shown and while they are folded */
  column: { open: number; folded: number }
  /** id of its title */
  id: string
}

function DayColumn<C extends CardClass>({ day, lines, near, chosen, column, act, showsLocation, zones, id }: DayColumnProps<C>) {
  const next = nextToday(day)
  const over = day.today ? day.parts.flat().filter((cls) => cls.state === 'past').length : 0
  return (
    <section
      className={`week-column ${day.past ? 'week-past' : ''} ${day.today ? 'week-today' : ''} ${near ? 'week-near' : ''} ${chosen ? 'week-chosen' : ''}`}
      aria-labelledby={id}
      style={{ '--at': column.open, '--at-folded': column.folded } as CSSProperties}
    >
      <DayHead day={day} id={id}>
        {over > 0 && <Fold over={over} />}
      </DayHead>
      {lines.map(({ name, at }, row) => (
        <div key={name} className="class-list" style={{ gridRow: row + 2 }}>
          {day.parts[at]?.map((cls) => (
            <Fragment key={cls.single_class_id}>
              {day.today && next === cls.single_class_id && <NowLine />}
              <ClassCard cls={cls} act={act} showsLocation={showsLocation} zone={zones.get(cls.location_id)} />
            </Fragment>
          ))}
          {day.today && day.count > 0 && next === null && at === lastPart(day) && <NowLine />}
          {row === 0 &&
            day.closed.map((text) => (
              <p key={text} className="week-none">
                {text}
              </p>
            ))}
          {(day.count === 0 ? row === 0 && day.closed.length === 0 : !day.parts[at]?.length) && (
            <p className={`week-none ${day.count === 0 ? '' : 'week-none-part'}`}>{empty.classes}</p>
          )}
        </div>
      ))}
    </section>
  )
}

function DayHead({ day, id, children }: { day: WeekDay<CardClass>; id: string; children?: ReactNode }) {
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
      {children}
    </div>
  )
}

const lastPart = (day: WeekDay<CardClass>): number => (day.parts[1].length ? 1 : 0)

/** The separator between today's past and coming classes. */
function NowLine() {
  return (
    <p className="week-now" aria-hidden="true">
      Ahora
    </p>
  )
}

/** On narrow screens today's past classes are collapsed; a checkbox expands them without scripts. */
function Fold({ over }: { over: number }) {
  return (
    <label className="link week-fold">
      <input type="checkbox" className="sr-only" />
      <span>{over === 1 ? 'Ver 1 clase que ya pasó' : `Ver ${over} clases que ya pasaron`}</span>
    </label>
  )
}
