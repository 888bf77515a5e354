/** Seats of a room as somebody who comes to it finds them. */
import type { ClassDetail } from '#contract/schedule.ts'
import { allSpots, spotRows } from '#contract/spots.ts'

interface Room {
  /** row sizes; null = a room without a map */
  rows: number[] | null
  /** of other people */
  taken: Set<string>
  closed: Set<string>
  /** can be had, one's own included */
  free: string[]
}

/** The room of a class; `own`: the seats of whoever asks, which are theirs to keep or to change. */
export function roomOf(
  cls: Pick<ClassDetail, 'spot_map' | 'closed_spots' | 'class_reservations'>,
  own: readonly (string | null)[] = [],
): Room {
  const taken = new Set(cls.class_reservations.flatMap(({ spot }) => (spot && !own.includes(spot) ? [spot] : [])))
  const closed = new Set(cls.closed_spots)
  return {
    rows: spotRows(cls.spot_map),
    taken,
    closed,
    free: allSpots(cls.spot_map).filter((one) => !taken.has(one) && !closed.has(one)),
  }
}

/** A seat that an address names, while it can be had. */
export const seatFrom = (at: string | null, free: readonly string[]): string | null => free.find((one) => one === at) ?? null

/** A seat beside another one, else any other; null when there is none. */
export function seatBeside(free: readonly string[], mine: string): string | null {
  const [row, column] = mine.split('-').map(Number)
  const beside = [`${row}-${(column ?? 0) + 1}`, `${row}-${(column ?? 0) - 1}`].find((one) => free.includes(one))
  return beside ?? free.find((one) => one !== mine) ?? null
}
