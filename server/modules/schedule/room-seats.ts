/**
 * What the seats of a room are called and are (docs/domain.md L18): from its map as it is now, for the classes that have the map's rows.
 */
import { isClosedOn, type RoomMap, type SeatMark, seatMarks, seatsIn } from '#contract/room-map.ts'
import type { LocalDate } from '#contract/time.ts'

export interface RoomSeats {
  /** Row sizes, as `spot_map` of its classes. */
  spot_map: string
  marks: readonly SeatMark[]
  /** By spot; seats without a label are not in it. */
  labels: ReadonlyMap<string, string>
  map: RoomMap
}

export function roomSeats(map: RoomMap): RoomSeats {
  const marks = seatMarks(map)
  return {
    spot_map: map.rows.map(({ seats }) => seats.length).join(','),
    marks,
    labels: new Map(marks.flatMap(({ spot, label }) => (label === null ? [] : [[spot, label] as const]))),
    map,
  }
}

/** The seats of the room of a class that was read by itself, as far as they are those of its map. */
export function seatsOfRow(
  rooms: ReadonlyMap<number, RoomSeats | null>,
  { room_id, spot_map }: { room_id: number | null; spot_map: string | null },
): RoomSeats | null {
  const seats = room_id === null ? null : rooms.get(room_id)
  return seats?.spot_map === spot_map ? seats : null
}

/** The wire's labels of a reservation's seats; nothing where they have none. */
export function seatLabelsOf(
  seats: Pick<RoomSeats, 'labels'> | null | undefined,
  { spot, guest_spot }: { spot: string | null; guest_spot?: string | null },
): { seat_label?: string; guest_seat_label?: string } {
  const own = seats?.labels.get(spot ?? '')
  const guests = seats?.labels.get(guest_spot ?? '')
  return { ...(own ? { seat_label: own } : {}), ...(guests ? { guest_seat_label: guests } : {}) }
}

/** The closed seats of a day that have a reason. */
export function closedReasons({ map }: Pick<RoomSeats, 'map'>, day: LocalDate): { spot: string; reason: string }[] {
  return [...seatsIn(map)].flatMap(({ spot, seat }) =>
    seat.closed_reason && isClosedOn(seat, day) ? [{ spot, reason: seat.closed_reason }] : [],
  )
}
