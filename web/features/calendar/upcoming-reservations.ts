/** The customer's upcoming reservations, soonest first: one request for all components of the frame. */
import { useQuery } from '@tanstack/react-query'
import type { Reservation } from '#contract/bookings.ts'
import { api, queries } from '#web/lib/api.ts'

const soonest = async (): Promise<Reservation[]> => (await api.bookings.list({ filter: 'upcoming', page: 1 })).class_reservations

/** Reloaded whenever reservations change, because its key starts with theirs. */
export const useComing = (): Reservation[] | undefined =>
  useQuery({ queryKey: [...queries.bookings.key(), 'coming'], queryFn: soonest, staleTime: 60_000, meta: { handled: true } }).data
