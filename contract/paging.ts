/** The last page number that a list accepts. */
export const MAX_PAGE = 10_000

/** Messages per page of a list. */
export const MESSAGES_PER_PAGE = 50

/** Number of pages of a list of `total` (S2-9.02): at least one, so that "1 / 1" can be shown. They count from 1 (settled 43). */
export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}
