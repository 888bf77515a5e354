/** How soon classes were full. Pure: docs/domain.md RE32. */

export interface Filling {
  /** When it could be booked: its opening, or when it was added if that was later. */
  opensAt: Date
  /** When its first place was taken. */
  firstAt: Date
  /** When as many places as it has were taken for the first time. */
  filledAt: Date
}

/**
 * Minutes from the moment when a class could be booked until it was full. A place that was taken before (by staff, or under another rule)
 * is that moment.
 */
export function minutesToFill({ opensAt, firstAt, filledAt }: Filling): number {
  const from = opensAt < firstAt ? opensAt : firstAt
  return Math.max(0, Math.round((filledAt.getTime() - from.getTime()) / 60_000))
}

/** The middle of some numbers, of two the lower half of their sum; null without any. One class that filled in weeks does not move it. */
export function median(values: readonly number[]): number | null {
  const inOrder = [...values].sort((a, b) => a - b)
  const [low, high] = [inOrder[Math.floor((inOrder.length - 1) / 2)], inOrder[Math.floor(inOrder.length / 2)]]
  return low === undefined || high === undefined ? null : Math.floor((low + high) / 2)
}
