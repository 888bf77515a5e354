/**
 * The map of a room: rows of seats with their labels and kinds, and what a class in it gets from it (docs/domain.md L18). Pure,
 * without schemas.
 */

export const SEAT_KINDS = ['normal', 'vip', 'adaptado', 'coach', 'hueco'] as const
/** `coach` and `hueco` (a gap) occupy a position and are never sold. */
export type SeatKind = (typeof SEAT_KINDS)[number]

export const MAX_ROWS = 20
export const MAX_SEATS_IN_ROW = 30

export interface RoomSeat {
  label: string
  kind: SeatKind
  closed: boolean
  /** The last day on which it is closed; null = until it is opened again. */
  closed_until: string | null
  closed_reason: string | null
}

export interface RoomMap {
  rows: { label: string; seats: RoomSeat[] }[]
}

/** The seats of a class, as the tables of classes store them. */
export interface RoomPlan {
  /** Row sizes: gaps and the coach count, so that a seat keeps its name when its neighbour changes. */
  spot_map: string
  closed_spots: string[]
}

export const isForSale = ({ kind }: Pick<RoomSeat, 'kind'>): boolean => kind !== 'coach' && kind !== 'hueco'

/** Whether a seat cannot be taken on a day. */
export const isClosedOn = (seat: RoomSeat, day: string): boolean =>
  !isForSale(seat) || (seat.closed && (seat.closed_until === null || day <= seat.closed_until))

/** "2-5": the fifth position of the second row. */
export const spotAt = (row: number, column: number): string => `${row + 1}-${column + 1}`

/** Every seat with its spot, front row first. */
export function* seatsIn(map: RoomMap): Iterable<{ spot: string; seat: RoomSeat; row: number; column: number }> {
  for (const [row, { seats }] of map.rows.entries())
    for (const [column, seat] of seats.entries()) yield { spot: spotAt(row, column), seat, row, column }
}

/** What a class in the room gets on a day. */
export function roomPlan(map: RoomMap, day: string): RoomPlan {
  return {
    spot_map: map.rows.map(({ seats }) => seats.length).join(','),
    closed_spots: [...seatsIn(map)].flatMap(({ spot, seat }) => (isClosedOn(seat, day) ? [spot] : [])),
  }
}

/** Seats that can be sold, on a day or (null) at all. */
export const seatsForSale = (map: RoomMap, day: string | null): number =>
  [...seatsIn(map)].filter(({ seat }) => (day === null ? isForSale(seat) : !isClosedOn(seat, day))).length

export function seatAt(map: RoomMap, spot: string): RoomSeat | null {
  const [row = 0, column = 0] = spot.split('-').map(Number)
  return map.rows[row - 1]?.seats[column - 1] ?? null
}

/** A seat as a class shows it. */
export interface SeatMark {
  spot: string
  /** Its number in the room: "17"; with the row's where rows count from 1 each: "A-4". Null: the seat has none. */
  label: string | null
  kind: 'normal' | 'vip' | 'adaptado'
}

/** The seats for sale with what they are called: a label names one seat of the room only. */
export function seatMarks(map: RoomMap): SeatMark[] {
  const seats = [...seatsIn(map)].filter(({ seat }) => isForSale(seat))
  const uses = new Map<string, number>()
  for (const { seat } of seats) uses.set(seat.label, (uses.get(seat.label) ?? 0) + 1)
  return seats.map(({ spot, seat, row }) => {
    const prefix = uses.get(seat.label) === 1 ? '' : `${map.rows[row]?.label.replace(/^fila\s*/i, '').trim() || row + 1}-`
    return { spot, label: (seat.label && `${prefix}${seat.label}`) || null, kind: seat.kind as SeatMark['kind'] }
  })
}

export const newSeat = (label = ''): RoomSeat => ({ label, kind: 'normal', closed: false, closed_until: null, closed_reason: null })

/** The map with its seats numbered from the front: 1, 2, 3 through all rows, or from 1 in each row. */
export function numberSeats<S extends RoomSeat>(
  rows: readonly { label: string; seats: readonly S[] }[],
  by: 'room' | 'row',
): { label: string; seats: S[] }[] {
  let next = 1
  return rows.map(({ label, seats }) => {
    if (by === 'row') next = 1
    return { label, seats: seats.map((seat) => ({ ...seat, label: isForSale(seat) ? String(next++) : '' })) }
  })
}

/** A map of ordinary seats from row sizes. */
export function mapOfRows(sizes: readonly number[]): RoomMap {
  return {
    rows: numberSeats(
      sizes.map((size, at) => ({ label: `Fila ${at + 1}`, seats: Array.from({ length: size }, () => newSeat()) })),
      'room',
    ),
  }
}

/**
 * The replacement of a removed spot: free and open, as near as possible; of two equally near, the one in the same row, then the left one.
 * Null when there is none.
 */
export function nearestSpot(free: readonly string[], from: string): string | null {
  const [row = 0, column = 0] = from.split('-').map(Number)
  const away = (spot: string): number => {
    const [r = 0, c = 0] = spot.split('-').map(Number)
    return Math.abs(r - row) * 1.5 + Math.abs(c - column)
  }
  return free.reduce<string | null>((best, spot) => (best !== null && away(best) <= away(spot) ? best : spot), null)
}
