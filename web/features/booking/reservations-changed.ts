/** Reloads what depends on reservations after one was made, changed or cancelled. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { queries } from '#web/lib/api.ts'

const invalidateReservations = (client: QueryClient): Promise<unknown> =>
  Promise.all(
    [queries.schedule, queries.bookings, queries.credits, queries.waitlist].map((part) =>
      client.invalidateQueries({ queryKey: part.key() }),
    ),
  )

/** Reloads calendar, reservations, credits and waitlists together. Resolves when the new data is on the screen. */
export function useReservationsChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(() => invalidateReservations(client), [client])
}

/** Stores the reservation that a booking returned, so that its dialog shows it at once. `useReservationsChanged` reloads it afterwards. */
export function useStoreReservation(): (answer: { class_reservation: Reservation }) => void {
  const client = useQueryClient()
  return (answer) => {
    const { class_reservation_id } = answer.class_reservation
    client.setQueryData(queries.bookings.one.queryKey({ input: { class_reservation_id } }), answer)
  }
}
