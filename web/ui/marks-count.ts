/** How many bars represent a class and which are filled (design section 6, Marks). */

export type Mark = 'taken' | 'mine' | 'free'

interface ClassSpots {
  capacity: number
  taken: number
  mine: number
  most: number
}

/**
 * One bar per place, at most `most`; above that in proportion, but a class with a free place always has a hollow bar and one with a
 * taken place a filled one. `few`: one or two places are left.
 */
export function layoutMarks({ capacity, taken, mine, most }: ClassSpots): { marks: Mark[]; few: boolean } {
  const all = Math.max(0, capacity)
  const used = Math.min(all, Math.max(0, taken))
  const free = all - used
  const bars = Math.min(all, most)
  const least = used > 0 ? 1 : 0
  const filled = all === 0 ? 0 : Math.min(bars - (free > 0 ? 1 : 0), Math.max(least, Math.round((used / all) * bars)))
  const own = Math.min(filled, Math.max(mine > 0 ? 1 : 0, Math.round((Math.min(mine, used) / Math.max(1, all)) * bars)))
  const marks = Array.from({ length: bars }, (_, at): Mark => (at < own ? 'mine' : at < filled ? 'taken' : 'free'))
  return { marks, few: free > 0 && free <= 2 }
}

/** The text beside the marks: "7 lugares", "Último lugar", "Sin lugares". */
export function spotsLeftText(capacity: number, takenCount: number): string {
  const free = Math.max(0, capacity - takenCount)
  return free === 0 ? 'Sin lugares' : free === 1 ? 'Último lugar' : `${free} lugares`
}
