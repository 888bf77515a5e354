import { useQuery } from '@tanstack/react-query'
import type { SeatMark } from '#contract/room-map.ts'
import { queries } from '#web/lib/api.ts'

/** The seats of a class with their numbers, which lists of classes do not have. */
export const seatsQuery = (single_class_id: number | null) => ({
  ...queries.schedule.one.queryOptions({
    input: { single_class_id: single_class_id ?? 0 },
    staleTime: 300_000,
    meta: { handled: true },
  }),
  enabled: single_class_id !== null,
})

/** The same on a screen; null while they load, and in a room without a map of its own. */
export const useSeats = (single_class_id: number | null) => useQuery(seatsQuery(single_class_id)).data?.single_class.seats ?? null

/** What the room calls a spot; undefined where it has no number. */
export const seatLabelIn = ({ seats }: { seats: readonly SeatMark[] | null }, spot: string): string | undefined =>
  seats?.find((seat) => seat.spot === spot)?.label ?? undefined
