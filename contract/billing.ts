/** When a subscription is charged. Pure; the same on both sides (S1-4.29 to S1-4.31, decisions 3 and 35; docs/domain.md V16, V22). */
import { addPeriods, fromWallClock, type PeriodUnit, wallClock } from './time.ts'

/** `count` periods after an instant, on the studio's calendar, at the same time of day; the 31st falls back to the month's last day (V16). */
export function periodsAfter(at: Date, unit: PeriodUnit, count: number, zone: string): Date {
  const [day = '', time = ''] = wallClock(at, zone).toISOString().split('T')
  return fromWallClock(new Date(`${addPeriods(day, unit, count)}T${time}`), zone)
}

/** What decides about the days on which a subscription is charged. */
export interface BillingTerms {
  createdAt: Date
  subscription_period: PeriodUnit | null
  subscription_interval: number | null
  free_trial_length: number | null
  free_trial_period: PeriodUnit | null
}

/** When the free trial ends, in its own units, days by default (decision 35); null without one. */
export function trialEndOf(terms: BillingTerms, zone: string): Date | null {
  return terms.free_trial_length ? periodsAfter(terms.createdAt, terms.free_trial_period ?? 'day', terms.free_trial_length, zone) : null
}

const DAY = 86_400_000
/** The shortest that a period of each unit can be, in days. */
const SHORTEST = { day: 1, month: 28, year: 365 } as const

/**
 * The next charge after `now`: the trial's end while it is to come (S1-4.30); then the day of the month of the first charge, every so many
 * periods, each counted from that day so that the 31st comes back after a short month (S1-4.31). Null when it is no subscription.
 */
export function nextBillingDate(terms: BillingTerms, now: Date, zone: string): Date | null {
  const unit = terms.subscription_period
  if (unit === null) return null
  const every = terms.subscription_interval ?? 1
  const trialEnd = trialEndOf(terms, zone)
  if (trialEnd && trialEnd > now) return trialEnd
  const first = trialEnd ?? terms.createdAt
  // No period is longer than a day more than its longest, so the guess is never past the answer once a tenth is taken off.
  const passed = Math.max(0, now.getTime() - first.getTime()) / (SHORTEST[unit] * every * DAY)
  let n = Math.max(1, Math.floor(passed * 0.88) - 1)
  while (periodsAfter(first, unit, every * n, zone) <= now) n++
  return periodsAfter(first, unit, every * n, zone)
}
