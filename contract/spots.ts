/** The spot map of a room, without schemas (settled 23): rows of spots, a spot is row-column counted from 1. */

/** Row sizes of a spot map ("5,7,6" -> [5, 7, 6]); null for a missing or invalid map. */
export function spotRows(map: string | null): number[] | null {
  if (!map) return null
  const rows = map.split(',').map((size) => Number(size.trim()))
  return rows.length > 0 && rows.every((size) => Number.isInteger(size) && size > 0 && size <= 60) ? rows : null
}

/** Whether a spot exists on a map. */
export function isSpotOn(map: string | null, at: string): boolean {
  const [row = 0, column = 0] = at.split('-').map(Number)
  return (spotRows(map)?.[row - 1] ?? 0) >= column && column >= 1
}

/** Every spot of a map, front row first. */
export function allSpots(map: string | null): string[] {
  return (spotRows(map) ?? []).flatMap((size, row) => Array.from({ length: size }, (_, column) => `${row + 1}-${column + 1}`))
}
