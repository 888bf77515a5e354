import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { otherHours } from './week-view.ts'

/** "hora de Tijuana", where a location keeps another hour than the studio. The locations are those that the calendar has loaded. */
export function useOtherHour(locationId: number): string | undefined {
  const { zone } = useSite()
  const { data } = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  return data && otherHours(data.locations, zone).get(locationId)
}
