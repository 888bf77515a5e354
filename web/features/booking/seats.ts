/** The seats of a class's room for one customer. */
import type { SeatMark } from '#contract/room-map.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { allSpots, spotRows } from '#contract/spots.ts'

interface Room {
  /** number of seats per row; null: a room without a map */
  rows: number[] | null
  /** seats of other customers */
  taken: Set<string>
  closed: Set<string>
  /** available seats, including the customer's own */
  free: string[]
  seats: readonly SeatMark[] | null
  /** what the room calls a spot; undefined where it has no number */
  labelOf: (spot: string) => string | undefined
}

/** The room of a class. `own`: the customer's own seats, which count as available. */
export function roomOf(
  cls: Pick<ClassDetail, 'spot_map' | 'closed_spots' | 'class_reservations'> & Partial<Pick<ClassDetail, 'seats'>>,
  own: readonly (string | null)[] = [],
): Room {
  const takenSpots = new Set(cls.class_reservations.flatMap(({ spot }) => (spot && !own.includes(spot) ? [spot] : [])))
  const closed = new Set(cls.closed_spots)
  return {
    rows: spotRows(cls.spot_map),
    taken: takenSpots,
    closed,
    seats: cls.seats ?? null,
    labelOf: (spot) => cls.seats?.find((seat) => seat.spot === spot)?.label ?? undefined,
    free: allSpots(cls.spot_map).filter((spot) => !takenSpots.has(spot) && !closed.has(spot)),
  }
}

/** The seat named in an address, if it is available. */
export const seatFrom = (at: string | null, free: readonly string[]): string | null => free.find((spot) => spot === at) ?? null

/** An available seat next to another one, else any other; null if there is none. */
export function seatBeside(free: readonly string[], mine: string): string | null {
  const [row, column] = mine.split('-').map(Number)
  const beside = [`${row}-${(column ?? 0) + 1}`, `${row}-${(column ?? 0) - 1}`].find((spot) => free.includes(spot))
  return beside ?? free.find((spot) => spot !== mine) ?? null
}

/** The available seat that is proposed: the one nearest to the front with an available one beside it, else the first. */
export const frontSeat = (free: readonly string[]): string | null =>
  free.find((seat) => free.includes(seat.replace(/\d+$/, (column) => String(Number(column) + 1)))) ?? free[0] ?? null
