/** The positions of a room's seats, and which seat an arrow key moves to (design section 7, Spot map). */

export interface Seat {
  /** counted from 1; row 1 is nearest to the coach */
  row: number
  column: number
  /** as on the wire: "2-5" (settled 23) */
  spot: string
}

/** The seats of each row, from the number of seats per row. */
export const seatsOf = (rows: readonly number[]): Seat[][] =>
  rows.map((size, at) => Array.from({ length: size }, (_, index) => ({ row: at + 1, column: index + 1, spot: `${at + 1}-${index + 1}` })))

/**
 * The seat that a key moves to: left and right within the row, up and down to the nearest seat of the next row (rows are
 * centred; of two equally near, the left one), Home and End to the ends of the row. Taken seats are included.
 * Null when the key does not move: another key, or the edge of the room.
 */
export function seatByKey(rows: readonly number[], from: Pick<Seat, 'row' | 'column'>, key: string): Seat | null {
  const seats = seatsOf(rows)
  const row = seats[from.row - 1] ?? []
  switch (key) {
    case 'ArrowLeft':
      return row[from.column - 2] ?? null
    case 'ArrowRight':
      return row[from.column] ?? null
    case 'Home':
      return row[0] ?? null
    case 'End':
      return row.at(-1) ?? null
    case 'ArrowUp':
    case 'ArrowDown': {
      const next = seats[from.row - 1 + (key === 'ArrowUp' ? -1 : 1)] ?? []
      const middle = (seat: Pick<Seat, 'column'>, size: number): number => seat.column - (size + 1) / 2
      const here = middle(from, row.length)
      const away = (seat: Seat): number => Math.abs(middle(seat, next.length) - here)
      return next.reduce<Seat | null>((best, seat) => (best && away(best) <= away(seat) ? best : seat), null)
    }
    default:
      return null
  }
}
