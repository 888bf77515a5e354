/** JSON of any shape that somebody sends, as long as it is small. */
import * as z from 'zod'

const DEEPEST = 6
const MOST = 5_000

/** Whether a value is small enough to be looked into: not nested without end, not of many thousands of parts. Walks without recursion. */
export function isSmall(given: unknown): boolean {
  let parts = 0
  let level: unknown[] = [given]
  for (let depth = 0; level.length; depth++) {
    parts += level.length
    if (depth > DEEPEST || parts > MOST) return false
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return true
}

/** Any JSON that is small; `tooLarge` is said of another. `z.json()` walks down by recursion: a body of a hundred thousand brackets overflows its stack. */
export const smallJson = (tooLarge: string) => z.unknown().refine(isSmall, tooLarge)
