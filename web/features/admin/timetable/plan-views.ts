/** The same classes as a week, a day by rooms, or a week by coaches or rooms: columns of a grid of hours, rows of a matrix. Pure. */
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'

export const VIEWS = [
  { value: 'semana', label: 'Semana' },
  { value: 'dia', label: 'Día' },
  { value: 'coach', label: 'Coach' },
  { value: 'sala', label: 'Sala' },
] as const
export type PlanView = (typeof VIEWS)[number]['value']

/** What the timetable is narrowed to; '' and false: not. */
export interface PlanFilters {
  coach: string
  tipo: string
  sala: string
  problemas: boolean
}

/** How many choices differ from the plain week: what the button of the filters counts on a phone. */
export const usedFilters = (view: PlanView, { coach, tipo, sala, problemas }: PlanFilters): number =>
  [view !== 'semana', coach, tipo, sala, problemas].filter(Boolean).length

export interface PlanDay {
  date: LocalDate
  /** The day without classes that it is; null = none. */
  holiday: string | null
  classes: readonly PlannedClass[]
}

/** Where a class takes place; `room_id` null = in no room. */
export interface Venue {
  location_id: number
  room_id: number | null
}

/** A column of the grid of hours: a day of the week, or a room on one day. */
export interface PlanColumn {
  key: string
  day: LocalDate
  /** Of a room: where a class that is put there takes place. */
  venue: Venue | null
  /** Of a room: its name and its location. */
  name: string
  detail: string
  holiday: string | null
  classes: readonly PlannedClass[]
}

/** A row of the matrix: a coach or a room through the week. */
export interface PlanRow {
  key: string
  name: string
  detail: string
  /** Of a room. */
  venue: Venue | null
  /** Of a coach; null = classes without one, undefined = the row is a room. */
  coach: number | null | undefined
  /** The classes of each day. */
  days: readonly (readonly PlannedClass[])[]
  minutes: number
  count: number
}

interface Room {
  room_id: number
  location_id: number
  name: string
  archived: boolean
}
interface Coach {
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
}

export interface PlanRecords {
  rooms: readonly Room[]
  locations: readonly { location_id: number; name: string }[]
  coaches: readonly Coach[]
  /** Only this location; null = all. */
  location_id: number | null
}

interface NamedVenue extends Venue {
  name: string
  detail: string
}

const venueKey = ({ location_id, room_id }: Venue): string => `${location_id}-${room_id ?? 0}`
const venueOf = ({ location, room }: PlannedClass): Venue => ({ location_id: location.location_id, room_id: room?.room_id ?? null })

/** The rooms of the locations, location by location, each followed by its classes outside of any room where there are some. */
function venuesOf(classes: readonly PlannedClass[], { rooms, locations, location_id }: PlanRecords): NamedVenue[] {
  const shown = locations.filter((location) => location_id === null || location.location_id === location_id)
  return shown.flatMap((location) => {
    const detail = shown.length > 1 ? location.name : ''
    const own: NamedVenue[] = rooms
      .filter((room) => !room.archived && room.location_id === location.location_id)
      .map(({ room_id, name }) => ({ location_id: location.location_id, room_id, name, detail }))
    const here = classes.filter((cls) => cls.location.location_id === location.location_id)
    // A removed or archived room still has its old classes.
    for (const { room } of here)
      if (room && !own.some(({ room_id }) => room_id === room.room_id))
        own.push({ location_id: location.location_id, room_id: room.room_id, name: room.name, detail })
    if (own.length === 0 || here.some((cls) => cls.room === null)) {
      const name = own.length === 0 ? location.name : 'Sin sala'
      own.push({ location_id: location.location_id, room_id: null, name, detail: own.length === 0 ? '' : detail })
    }
    return own
  })
}

/** A column per day. */
export const weekColumns = (days: readonly PlanDay[]): PlanColumn[] =>
  days.map(({ date, holiday, classes }) => ({ key: date, day: date, venue: null, name: '', detail: '', holiday, classes }))

/** A column per room on one day. */
export function dayColumns({ date, holiday, classes }: PlanDay, records: PlanRecords): PlanColumn[] {
  return venuesOf(classes, records).map(({ name, detail, ...venue }) => ({
    key: `${date} ${venueKey(venue)}`,
    day: date,
    venue,
    name,
    detail,
    holiday,
    classes: classes.filter((cls) => venueKey(venueOf(cls)) === venueKey(venue)),
  }))
}

function rowOf(head: Pick<PlanRow, 'key' | 'name' | 'detail' | 'venue' | 'coach'>, days: readonly PlannedClass[][]): PlanRow {
  const counted = days.flat().filter((cls) => cls.state !== 'cancelled' && cls.draft?.op !== 'cancel' && cls.draft?.op !== 'delete')
  return { ...head, days, count: counted.length, minutes: counted.reduce((sum, cls) => sum + cls.duration_minutes, 0) }
}

/** A row per room. */
export function roomRows(days: readonly PlanDay[], records: PlanRecords): PlanRow[] {
  return venuesOf(
    days.flatMap(({ classes }) => classes),
    records,
  ).map(({ name, detail, ...venue }) =>
    rowOf(
      { key: venueKey(venue), name, detail, venue, coach: undefined },
      days.map(({ classes }) => classes.filter((cls) => venueKey(venueOf(cls)) === venueKey(venue))),
    ),
  )
}

/** A row per coach; classes without one come first. `only`: this coach alone. */
export function coachRows(days: readonly PlanDay[], { coaches }: PlanRecords, only: number | null): PlanRow[] {
  const all = days.flatMap(({ classes }) => classes)
  const known = new Map<number, Coach>(coaches.map((coach) => [coach.instructor_id, coach]))
  // Archived coaches still have their old classes.
  for (const coach of all.flatMap((cls) => cls.instructors)) if (!known.has(coach.instructor_id)) known.set(coach.instructor_id, coach)
  const rows = [...known.values()]
    .filter(({ instructor_id }) => only === null || instructor_id === only)
    .map((coach) =>
      rowOf(
        { key: `coach-${coach.instructor_id}`, name: instructorName(coach), detail: '', venue: null, coach: coach.instructor_id },
        days.map(({ classes }) =>
          classes.filter((cls) => cls.instructors.some((instructor) => instructor.instructor_id === coach.instructor_id)),
        ),
      ),
    )
  const without = days.map(({ classes }) => classes.filter((cls) => cls.instructors.length === 0))
  return without.some((classes) => classes.length > 0) && only === null
    ? [rowOf({ key: 'sin-coach', name: 'Sin coach', detail: '', venue: null, coach: null }, without), ...rows]
    : rows
}
