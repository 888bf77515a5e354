/** The customer's upcoming reservations, soonest first: one request for all components of the frame. */
import { useQuery } from '@tanstack/react-query'
import type { Reservation } from '#contract/bookings.ts'
import { api, queries } from '#web/lib/api.ts'

/** The list is sorted latest class first, so the soonest reservations are at the end of its last page. */
async function soonest(): Promise<Reservation[]> {
  const first = await api.bookings.list({ filter: 'upcoming', page: 1 })
  const last = first.pages > 1 ? await api.bookings.list({ filter: 'upcoming', page: first.pages }) : first
  return last.class_reservations.toReversed()
}

/** Reloaded whenever reservations change, because its key starts with theirs. */
export const useComing = (): Reservation[] | undefined =>
  useQuery({ queryKey: [...queries.bookings.key(), 'coming'], queryFn: soonest, staleTime: 60_000, meta: { handled: true } }).data
