/** The free seats of a room, row by row. */
import { seatsOf } from '#web/ui/spot-geometry.ts'

interface Room {
  spot_map: string | null
  closed_spots: readonly string[]
}

/** `entries`: the reservations with their seats; closed seats are not free either. */
export function freeSpots(cls: Room, entries: readonly { spot: string | null }[]): string[] {
  const takenSpots = new Set([...cls.closed_spots, ...entries.flatMap(({ spot }) => (spot ? [spot] : []))])
  return cls.spot_map
    ? seatsOf(cls.spot_map.split(',').map(Number)).flatMap((row) => row.map(({ spot }) => spot).filter((spot) => !takenSpots.has(spot)))
    : []
}
