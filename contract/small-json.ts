/** JSON of any shape in a request, limited in size. */
import * as z from 'zod'

const DEEPEST = 6
const MOST = 5_000

/** Whether a value has limited depth and number of parts. Iterative, without recursion. */
export function isSmall(input: unknown): boolean {
  let parts = 0
  let level: unknown[] = [input]
  for (let depth = 0; level.length; depth++) {
    parts += level.length
    if (depth > DEEPEST || parts > MOST) return false
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return true
}

/**
 * Any JSON of limited size; `tooLarge` is the message otherwise. `z.json()` recurses: a body of a hundred thousand brackets overflows its
 * stack.
 */
export const smallJson = (tooLarge: string) => z.unknown().refine(isSmall, tooLarge)
