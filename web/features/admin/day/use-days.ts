/** The classes of some days with what the staff see of each, kept up to date while they are on the screen. */
import { useQuery } from '@tanstack/react-query'
import type { LocalDate } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'

/** People book while one looks. */
const ASK_AGAIN_MS = 20_000

export function useDays(from: LocalDate, to: LocalDate, location_id: number | null) {
  const input = { start_date: from, end_date: to, ...(location_id === null ? {} : { location_id: String(location_id) }) }
  return useQuery({
    ...queries.schedule.week.queryOptions({ input, staleTime: 5_000, meta: { handled: true } }),
    refetchInterval: ASK_AGAIN_MS,
  })
}
