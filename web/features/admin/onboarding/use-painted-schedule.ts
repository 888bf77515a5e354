import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { splitName } from '#contract/person-name.ts'
import { addDays } from '#contract/time.ts'
import { api, newIdempotencyKey, queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDelayed } from '#web/lib/use-delayed.ts'
import { useStepDraft } from './step-form.tsx'
import {
  isSameName,
  type KnownRecords,
  lastDay,
  missingNames,
  type PaintedClass,
  toClassChanges,
  USUAL_TIMES,
  type WeekSpan,
} from './week-painting.ts'

interface ScheduleDraft {
  cells: PaintedClass[]
  times: string[]
  start: string
  weeks: number | null
}

/** What the studio has when its week is painted. */
export interface ScheduleRecords {
  types: { class_type_id: number; name: string; duration_minutes: number }[]
  coaches: { instructor_id: number; label: string }[]
  locations: { location_id: number; name: string }[]
  rooms: KnownRecords['rooms']
}

/** Colours of classes in the grid (week-painter.css). */
const COLOURS = 6
const USUAL_WEEKS = 8
/** Of a week without end: the days from the first on whose holidays are left out; those after it are entered as days without classes. */
const YEAR_DAYS = 365
export const USUAL_MINUTES = 60
/** Pause after a stroke, in ms, before the week is checked by a dry run. */
const PAUSE_MS = 900
/** What is wrong with a class only until a later step, or by choice. */
const EXPECTED = ['no_package', 'no_coach'] as const

/** The week that is painted, its hours, and the span over which it is repeated. */
export interface PaintedSchedule {
  week: readonly PaintedClass[]
  setWeek: (week: readonly PaintedClass[]) => void
  times: readonly string[]
  setTimes: (times: readonly string[]) => void
  today: string
  setStart: (day: string) => void
  setWeeks: (weeks: number | null) => void
  span: WeekSpan
  /** the official holidays within the span; no classes on them */
  closed: readonly { day: string }[]
  /** the names of classes that can be painted, those that the paste brought too */
  names: readonly string[]
  colourOf: (name: string) => number
  /** people per class where a room has no capacity */
  capacity: string
  setCapacity: (capacity: string) => void
  needsCapacity: boolean
  rooms: KnownRecords['rooms']
}

export function usePaintedSchedule({ types, coaches, locations, rooms }: ScheduleRecords): PaintedSchedule {
  const draft = useStepDraft<ScheduleDraft>('schedule')
  const today = todayIn(useSite().zone)
  const [week, setWeek] = useState<readonly PaintedClass[]>(
    (draft?.cells ?? []).filter(({ location_id }) => locations.some((location) => location.location_id === location_id)),
  )
  const [times, setTimes] = useState<readonly string[]>(draft?.times ?? USUAL_TIMES)
  const [start, setStart] = useState(draft && draft.start > today ? draft.start : addDays(today, 1))
  const [weeks, setWeeks] = useState(draft ? draft.weeks : USUAL_WEEKS)
  const [capacity, setCapacity] = useState('12')
  const closed = useOfficialHolidays(start, lastDay({ start, weeks }) ?? addDays(start, YEAR_DAYS))
  const names = [...types.map(({ name }) => name), ...missingNames(week, { types, coaches }).types]
  return {
    week,
    setWeek,
    times,
    setTimes,
    today,
    setStart,
    setWeeks,
    closed,
    names,
    capacity,
    setCapacity,
    span: { start, weeks, except: closed.map(({ day }) => day) },
    colourOf: (name) =>
      Math.max(
        0,
        names.findIndex((candidate) => isSameName(candidate, name)),
      ) % COLOURS,
    needsCapacity: locations.some((location) => rooms.get(location.location_id)?.capacity == null),
    rooms: withCapacity(rooms, locations, Number(capacity)),
  }
}

/** The official holidays from one day to another. */
function useOfficialHolidays(start: string, last: string) {
  const years = [...new Set([start, last].map((day) => Number(day.slice(0, 4))))]
  const official = useQueries({
    queries: years.map((year) => queries.holidays.official.queryOptions({ input: { year }, staleTime: Number.POSITIVE_INFINITY })),
    combine: (all) => all.flatMap(({ data }) => data?.holidays ?? []).filter(({ kind }) => kind === 'official'),
  })
  return official.filter(({ day }) => day >= start && day <= last)
}

/** The rooms by location, with the given capacity where a room has none. */
function withCapacity(rooms: KnownRecords['rooms'], locations: ScheduleRecords['locations'], capacity: number): KnownRecords['rooms'] {
  return new Map(
    locations.map(({ location_id }) => {
      const room = rooms.get(location_id)
      return [
        location_id,
        { room_id: room?.room_id ?? null, spot_map: room?.spot_map ?? null, capacity: room?.capacity ?? (capacity || null) },
      ]
    }),
  )
}

/** Makes the classes and coaches that the studio does not have yet, then the timetable of the week over its span. */
export async function saveSchedule({ week, span, rooms }: PaintedSchedule, { types, coaches }: ScheduleRecords): Promise<void> {
  const missing = missingNames(week, { types, coaches })
  const added = { types: [...types], coaches: [...coaches] }
  for (const name of missing.types) {
    const { class_type } = await api.catalogue.admin.classTypes.create({ class_type_id: 'nuevo', name, duration_minutes: USUAL_MINUTES })
    added.types.push(class_type)
  }
  for (const label of missing.coaches) {
    const { instructor } = await api.catalogue.admin.instructors.create({
      instructor_id: 'nueva',
      ...splitName(label),
      is_home: true,
    })
    added.coaches.push({ instructor_id: instructor.instructor_id, label })
  }
  const changes = toClassChanges(week, span, { ...added, rooms })
  await api.studioSchedule.change({ changes }, { context: { intention: newIdempotencyKey() } })
}

/** Checks the week by a dry run: why it would be refused, and its warnings. */
export function useScheduleCheck(
  week: readonly PaintedClass[],
  span: WeekSpan,
  known: KnownRecords,
): { problem: string | null; warnings: string[] } {
  const text = JSON.stringify(toClassChanges(week, { ...span, weeks: span.weeks === null ? 1 : Math.min(span.weeks, 1) }, known))
  const delayed = useDelayed(text, PAUSE_MS)
  const changes = JSON.parse(delayed) as ReturnType<typeof toClassChanges>
  const query = useQuery({
    queryKey: [...queries.studioSchedule.change.key(), 'dry-run', delayed],
    queryFn: () => api.studioSchedule.change({ changes, dry_run: true }),
    enabled: changes.length > 0,
    retry: false,
    meta: { handled: true },
  })
  const conflicts = (query.data?.result.conflicts ?? []).filter(({ kind }) => !(EXPECTED as readonly string[]).includes(kind))
  return {
    problem: changes.length > 0 && query.isError ? toFailure(query.error).message : null,
    warnings: [...new Set(conflicts.map(({ message }) => message))],
  }
}
