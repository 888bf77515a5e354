/** Days without classes on the screen, read again after a change. */
import { useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { useTimetableRefresh } from './use-timetable.ts'

/** Reads holidays, absences and the timetable again. */
export function useHolidayRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  const timetable = useTimetableRefresh()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queries.holidays.key() }),
      client.invalidateQueries({ queryKey: queries.instructorAbsences.key() }),
      timetable(),
    ])
}
