/** The classes of some days with the staff's figures, polled while they are on the screen. */
import { useQuery } from '@tanstack/react-query'
import type { LocalDate } from '#contract/time.ts'
import { useOwnLocations } from '#web/features/admin/frame/location-filter.tsx'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'

/** Polling interval: reservations change all the time. */
const POLL_MS = 20_000

/**
 * `from` and `to`: dates in the studio's time zone, both inclusive. `location_id`: null for all locations where the person works. Classes
 * of other locations are public but not theirs to book; a coach's own classes are all theirs.
 */
export function useDays(from: LocalDate, to: LocalDate, location_id: number | null) {
  const { role } = useStaff()
  const atWork = useOwnLocations()
  const own = role === 'coach' ? null : atWork
  const input = { start_date: from, end_date: to, ...(location_id === null ? {} : { location_id: String(location_id) }) }
  return useQuery({
    ...queries.schedule.week.queryOptions({ input, staleTime: 5_000, meta: { handled: true } }),
    refetchInterval: POLL_MS,
    select: (week) =>
      own === null
        ? week
        : { ...week, days: week.days.map((day) => ({ ...day, classes: day.classes.filter((cls) => own.includes(cls.location_id)) })) },
  })
}
