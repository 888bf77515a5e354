/** What has to be asked again when a place was taken, changed or given up. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { queries } from '#web/lib/api.ts'

const placesChanged = (client: QueryClient): Promise<unknown> =>
  Promise.all(
    [queries.schedule, queries.bookings, queries.credits, queries.waitlist].map((part) =>
      client.invalidateQueries({ queryKey: part.key() }),
    ),
  )

/** Calendar, reservations, credits and lines, all at once; settles when what is on the screen is new. */
export function useReservationsChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(() => placesChanged(client), [client])
}
