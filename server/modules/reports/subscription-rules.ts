/** How many subscriptions live, begin and end. Pure: docs/domain.md, "Reports". */

/** Ended by its customer or the staff, because it was not paid, or because its access was taken away. */
export type SubscriptionEnd = 'cancelled' | 'unpaid' | 'revoked'

export interface SubscriptionLife {
  startedAt: Date
  endedAt: Date | null
  endedBy: SubscriptionEnd
}

export interface SubscriptionCounts {
  start: number
  started: number
  ended: number
  /** Of those that ended. */
  unpaid: number
  end: number
}

const isWithin = (at: Date | null, { from, until }: { from: Date; until: Date }) => at !== null && at >= from && at < until
const livesAt = ({ startedAt, endedAt }: SubscriptionLife, instant: Date) => startedAt < instant && (endedAt === null || endedAt >= instant)

export const startsIn = (one: SubscriptionLife, stretch: { from: Date; until: Date }): boolean => isWithin(one.startedAt, stretch)
export const endsIn = (one: SubscriptionLife, stretch: { from: Date; until: Date }): boolean => isWithin(one.endedAt, stretch)

/** What lived at the beginning, plus what began, less what ended, is what lived at the end; one that began and ended between is in both. */
export function countLives(all: readonly SubscriptionLife[], stretch: { from: Date; until: Date }): SubscriptionCounts {
  const ended = all.filter((one) => endsIn(one, stretch))
  return {
    start: all.filter((one) => livesAt(one, stretch.from)).length,
    started: all.filter((one) => startsIn(one, stretch)).length,
    ended: ended.length,
    unpaid: ended.filter(({ endedBy }) => endedBy === 'unpaid').length,
    end: all.filter((one) => livesAt(one, stretch.until)).length,
  }
}
