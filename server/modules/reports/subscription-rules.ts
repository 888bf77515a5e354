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

export const startsIn = (life: SubscriptionLife, stretch: { from: Date; until: Date }): boolean => isWithin(life.startedAt, stretch)
export const endsIn = (life: SubscriptionLife, stretch: { from: Date; until: Date }): boolean => isWithin(life.endedAt, stretch)

/** What lived at the beginning, plus what began, less what ended, is what lived at the end; one that began and ended between is in both. */
export function countLives(all: readonly SubscriptionLife[], stretch: { from: Date; until: Date }): SubscriptionCounts {
  const ended = all.filter((life) => endsIn(life, stretch))
  return {
    start: all.filter((life) => livesAt(life, stretch.from)).length,
    started: all.filter((life) => startsIn(life, stretch)).length,
    ended: ended.length,
    unpaid: ended.filter(({ endedBy }) => endedBy === 'unpaid').length,
    end: all.filter((life) => livesAt(life, stretch.until)).length,
  }
}
