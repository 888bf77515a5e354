/** The view of a week of classes: week, day, location and filters, and how they are written in an address. */
import { addDays, addMonths, formatWall, type LocalDate, mondayOf } from '#contract/time.ts'
import type { CardClass, CardDay } from './class-facts.ts'
import { isId, weekQuery } from './week-query.ts'

export interface WeekView {
  /** the Monday (S2-2.18) */
  week: LocalDate
  /** the day that narrow screens show; null: see `chosenDay` */
  day: LocalDate | null
  location: number | null
  type: number | null
  coach: number | null
  category: number | null
  /** part of the day in which a class begins */
  part: DayPart | null
  /** only classes that can be reserved now */
  free: boolean
}

/** The last day on the screen of a week: on a Saturday and Sunday the next week follows this one. */
export function lastShownDay(week: LocalDate, today: LocalDate): LocalDate {
  const isWeekend = addDays(mondayOf(today), 5) <= today
  return addDays(week, isWeekend && week === mondayOf(today) ? 13 : 6)
}

/** Parts of a day: until noon, until 18:00, after that. */
export const DAY_PARTS = { manana: 'Mañana', tarde: 'Tarde', noche: 'Noche' } as const
export type DayPart = keyof typeof DAY_PARTS
const isPart = (value: string): value is DayPart => Object.hasOwn(DAY_PARTS, value)

/** A week without filters, and optionally a day of it. */
export const wholeWeek = (week: LocalDate, day: LocalDate | null = null): WeekView => ({
  week,
  day,
  location: null,
  type: null,
  coach: null,
  category: null,
  part: null,
  free: false,
})

/** The query keys of the customer's own calendar, which is rendered in the browser only. */
export const ownWeekQuery = { ...weekQuery, coach: isId, categoria: isId, hora: isPart, lugares: (value: string) => value === '1' }

/** Reads a view from an address. `known`: the query keys of the page; missing or invalid values mean this week without filters. */
export function readWeekView(query: URLSearchParams, today: LocalDate, known: Partial<typeof ownWeekQuery> = weekQuery): WeekView {
  const read = (key: keyof typeof ownWeekQuery): string | null => {
    const value = query.get(key)
    return value !== null && known[key]?.(value) ? value : null
  }
  const day = read('dia')
  const part = read('hora')
  const id = (value: string | null): number | null => (value ? Number(value) : null)
  return {
    week: mondayOf(day ?? read('semana') ?? today),
    day,
    location: id(read('estudio')),
    type: id(read('tipo')),
    coach: id(read('coach')),
    category: id(read('categoria')),
    part: part !== null && isPart(part) ? part : null,
    free: read('lugares') !== null,
  }
}

/**
 * Whether an address shows another week than the one before it, whatever is drawn: React may still be rendering the week of the previous
 * address when the browser goes back. One without a week means the current one: it is read again, because that changes on Monday.
 */
export function isOtherWeek(before: URLSearchParams, next: URLSearchParams, today: LocalDate): boolean {
  const names = (query: URLSearchParams) => query.has('semana') || query.has('dia')
  return names(next) ? readWeekView(next, today).week !== readWeekView(before, today).week : names(before)
}

/** Writes a view to a query: `?dia=` or `?semana=`, and the filters. Empty for this week without filters. */
export function writeWeekView(view: WeekView, today: LocalDate): string {
  const query = new URLSearchParams()
  if (view.day) query.set('dia', view.day)
  else if (view.week !== mondayOf(today)) query.set('semana', view.week)
  if (view.location) query.set('estudio', String(view.location))
  if (view.type) query.set('tipo', String(view.type))
  if (view.coach) query.set('coach', String(view.coach))
  if (view.category) query.set('categoria', String(view.category))
  if (view.part) query.set('hora', view.part)
  if (view.free) query.set('lugares', '1')
  return query.size ? `?${query}` : ''
}

/**
 * The view of the current address with what a choice changed. Choices are links of the rendered view; on a slow phone two can be made
 * before the first is rendered, and the second must not undo it. Week and day belong together.
 */
export function withChoice(current: WeekView, rendered: WeekView, chosen: WeekView): WeekView {
  const { week, day, ...filters } = chosen
  const changed = Object.entries(filters).filter(([key, value]) => rendered[key as keyof typeof filters] !== value)
  const moved = week !== rendered.week || day !== rendered.day
  return { ...current, ...Object.fromEntries(changed), ...(moved ? { week, day } : {}) }
}

/** Another week of the same view. */
export const inWeek = (view: WeekView, day: LocalDate): WeekView => ({ ...view, week: mondayOf(day), day: null })
/** Another day, in any week. */
export const onDay = (view: WeekView, day: LocalDate): WeekView => ({ ...view, week: mondayOf(day), day })

const midnight = (day: LocalDate): string => `${day}T00:00:00.000Z`

const monthOf = (day: LocalDate, style: 'short' | 'long'): string => {
  const words = formatWall(midnight(day), style === 'long' ? 'long' : 'day').split(' ')
  return words.at(-1) ?? ''
}

export interface WeekDay<C extends CardClass> {
  date: LocalDate
  /** "18" */
  number: string
  /** "mié" */
  weekday: string
  /** "Miércoles 18" */
  title: string
  /** "miércoles 18 de noviembre", for screen readers */
  ariaLabel: string
  past: boolean
  today: boolean
  /** Mañana and Tarde */
  parts: readonly [morning: readonly C[], afternoon: readonly C[]]
  count: number
  mine: boolean
  waiting: boolean
  /** "Cerrado: Navidad" */
  closed: readonly string[]
  /** closed at every location that the view shows */
  isClosed: boolean
}

const NOON = 12
const EVENING = 18
const hourOf = (cls: CardClass): number => new Date(cls.class_date).getUTCHours()
const partOf = (hour: number): DayPart => (hour < NOON ? 'manana' : hour < EVENING ? 'tarde' : 'noche')

/** Whether a class passes the filters of a view. The viewer's own classes pass the filter for free places. */
function isShown(cls: CardClass, { location, type, coach, category, part, free }: WeekView): boolean {
  if (location && cls.location_id !== location) return false
  if (type && cls.class_type.class_type_id !== type) return false
  if (coach && !cls.class_instructors.some(({ instructor }) => instructor.instructor_id === coach)) return false
  if (category && cls.class_category_id !== category) return false
  if (part && partOf(hourOf(cls)) !== part) return false
  return !free || cls.state === 'available' || cls.state === 'reserved'
}

/** The seven days of a view, with filtered and sorted classes. */
export function weekDays<C extends CardClass>(days: readonly CardDay<C>[], view: WeekView, today: LocalDate): WeekDay<C>[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  return Array.from({ length: 7 }, (_, at) => {
    const date = addDays(view.week, at)
    const classes = (byDate.get(date)?.classes ?? [])
      .filter((cls) => isShown(cls, view))
      .sort((a, b) => a.class_date.localeCompare(b.class_date))
    const title = formatWall(midnight(date), 'weekday')
    const closed = byDate.get(date)?.closed ?? []
    return {
      date,
      number: String(Number(date.slice(8))),
      weekday: formatWall(midnight(date), 'class').slice(0, 3),
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ariaLabel: formatWall(midnight(date), 'long'),
      past: date < today,
      today: date === today,
      parts: [classes.filter((cls) => hourOf(cls) < NOON), classes.filter((cls) => hourOf(cls) >= NOON)],
      count: classes.length,
      mine: classes.some((cls) => cls.state === 'reserved'),
      waiting: classes.some((cls) => cls.state === 'waitlisted'),
      closed: closedTexts(closed, view.location),
      isClosed: closed.some((location) => isClosedAt(location, view.location)),
    }
  })
}

type Closed = NonNullable<CardDay['closed']>[number]

const isClosedAt = ({ places }: Closed, location: number | null): boolean =>
  places === null || places.some(({ location_id }) => location_id === location)

/** "Cerrado: Navidad"; "Cerrado en Roma Norte: Aniversario" while all locations are shown. */
const closedTexts = (closed: readonly Closed[], location: number | null): string[] =>
  closed.flatMap((closure) =>
    isClosedAt(closure, location)
      ? `Cerrado: ${closure.name}`
      : location === null
        ? `Cerrado en ${closure.places?.map(({ name }) => name).join(', ')}: ${closure.name}`
        : [],
  )

/**
 * The day that a narrow screen opens with: the one of the address, today while it has a class to come, the next one with classes, today,
 * or Monday.
 */
export function chosenDay(days: readonly WeekDay<CardClass>[], view: WeekView): LocalDate {
  const ofAddress = days.find((day) => day.date === view.day)
  const next = days.find((day) => !day.past && nextToday(day) !== null)
  return (ofAddress ?? next ?? days.find((day) => day.today))?.date ?? view.week
}

/** A day's first class that is not over; null if all are over. */
export const nextToday = (day: WeekDay<CardClass>): number | null =>
  day.parts.flat().find((cls) => cls.state !== 'past')?.single_class_id ?? null

/**
 * Why a week is empty: it has no classes at all, or none from now on (S2-2.34, S2-2.35). Null if a class that is not cancelled is ahead.
 */
export function emptyWeek(days: readonly WeekDay<CardClass>[], today: LocalDate): 'none' | 'no-more' | null {
  if (days.every((day) => day.count === 0)) return 'none'
  if (!days.some((day) => day.date === today)) return null
  const ahead = days.some((day) => day.parts.flat().some(({ state }) => state !== 'past' && state !== 'cancelled'))
  return ahead ? null : 'no-more'
}

/**
 * The text of a week without classes: why it is closed if all its days to come are, else the usual sentence (`none`) and the closed days.
 */
export function emptyWeekText(days: readonly WeekDay<CardClass>[], none: string): string {
  const ahead = days.filter((day) => !day.past)
  const shown = ahead.length > 0 ? ahead : days
  const reasons = [...new Set(shown.flatMap((day) => day.closed))]
  if (shown.every((day) => day.isClosed)) return reasons.join('. ')
  const titles = (reason: string) => shown.flatMap(({ closed, title }) => (closed.includes(reason) ? title : [])).join(', ')
  return [none, ...reasons.map((reason) => `${titles(reason)}. ${reason}.`)].join(' ')
}

const dayOf = (day: LocalDate): number => Number(day.slice(8))

/** "16 – 22 noviembre", "30 nov – 6 dic"; with the year "16 – 22 nov 2026". */
export function weekTitle(week: LocalDate, { year = false } = {}): string {
  const end = addDays(week, 6)
  const same = week.slice(0, 7) === end.slice(0, 7)
  const short = year || !same
  const last = `${dayOf(end)} ${monthOf(end, short ? 'short' : 'long')}${year ? ` ${end.slice(0, 4)}` : ''}`
  return `${dayOf(week)}${same ? '' : ` ${monthOf(week, 'short')}`} – ${last}`
}

/** "Semana del 23 al 29 de noviembre, 27 clases" (design section 7). */
export function weekAriaLabel(week: LocalDate, classes: number): string {
  const end = addDays(week, 6)
  const first = week.slice(0, 7) === end.slice(0, 7) ? dayOf(week) : `${dayOf(week)} de ${monthOf(week, 'long')}`
  const count = classes === 0 ? 'sin clases' : classes === 1 ? '1 clase' : `${classes} clases`
  return `Semana del ${first} al ${dayOf(end)} de ${monthOf(end, 'long')}, ${count}`
}

/** A week belongs to the month of its Thursday. */
const monthStart = (week: LocalDate): LocalDate => `${addDays(week, 3).slice(0, 7)}-01`

/** The first week of a month. */
function firstWeek(month: LocalDate): LocalDate {
  const week = mondayOf(month)
  return monthStart(week) === month ? week : addDays(week, 7)
}

/** Months to choose from, "nov 2026", with the week that each opens: two before the current one to six after it, and the shown one. */
export function monthChoices(week: LocalDate, today: LocalDate): { week: LocalDate; label: string; shown: boolean }[] {
  const [shownMonth, currentMonth] = [monthStart(week), monthStart(mondayOf(today))]
  const months = new Set([shownMonth, ...Array.from({ length: 9 }, (_, at) => addMonths(currentMonth, at - 2))])
  return [...months].sort().map((month) => ({
    week: month === shownMonth ? week : month === currentMonth ? mondayOf(today) : firstWeek(month),
    label: `${monthOf(month, 'short')} ${month.slice(0, 4)}`,
    shown: month === shownMonth,
  }))
}

const ZONES: Readonly<Record<string, string>> = {
  'America/Mexico_City': 'la Ciudad de México',
  'America/Cancun': 'Cancún',
  'America/Merida': 'Mérida',
  'America/Mazatlan': 'Mazatlán',
  'America/Ciudad_Juarez': 'Ciudad Juárez',
}

const cityOf = (zone: string): string => ZONES[zone] ?? zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone

/** "hora de Tijuana", by location: of those that keep another hour than the studio. */
export function otherHours(locations: readonly { location_id: number; timezone: string }[], zone: string): ReadonlyMap<number, string> {
  const others = locations.filter(({ timezone }) => timezone !== zone && !timezone.startsWith('Etc/'))
  return new Map(others.map(({ location_id, timezone }) => [location_id, `hora de ${cityOf(timezone)}`]))
}

/** "Horario de la Ciudad de México". With locations in several zones a general sentence; empty for a bare offset. */
export function zoneSentence(zones: readonly string[]): string {
  const [zone, ...others] = new Set(zones)
  if (others.length) return 'Cada clase, en la hora de su estudio'
  if (!zone || zone.startsWith('Etc/')) return ''
  return `Horario de ${cityOf(zone)}`
}
