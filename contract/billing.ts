/** When a subscription is charged. Pure; the same on both sides (S1-4.29 to S1-4.31, settled 3 and 35; docs/domain.md V16, V22). */
import type { CardProcessor, WalletProcessor } from './processors.ts'
import { addPeriods, fromWallClock, localDate, type PeriodUnit, wallClock } from './time.ts'

/**
 * Whose calendar decides on which day a subscription is charged (docs/decisions/014-the-processor-counts.md). `utc`: Stripe, Conekta and
 * the sandbox, at the time of day of the first charge. `paypal`: PayPal counts days in California's time zone and charges at 10:00 UTC.
 */
export type BillingCalendar = 'utc' | 'paypal'

export const PAYPAL_ZONE = 'America/Los_Angeles'
const PAYPAL_HOUR = '10:00:00.000Z'

const CALENDARS: Readonly<Record<CardProcessor | WalletProcessor, BillingCalendar>> = {
  sandbox: 'utc',
  stripe: 'utc',
  conekta: 'utc',
  paypal: 'paypal',
}

/** The calendar of a processor by its name; `utc` where none charges, as for what is paid at the counter. */
export const billingCalendarOf = (processor: string | null): BillingCalendar =>
  (CALENDARS as Readonly<Record<string, BillingCalendar>>)[processor ?? ''] ?? 'utc'

/**
 * The instant of charge number `count` of a subscription first charged at `first` (V16). Displayed dates, the sandbox and the adapters all
 * use this function. A subscription of the 31st is charged on the last day of shorter months, then on the 31st again. Months are counted in
 * the calendar's own days: in the evening of a month's last day in Mexico it is already the next day in UTC, so that charge comes a day
 * before its date in Mexico's calendar.
 */
export function chargeAfter(first: Date, unit: PeriodUnit, count: number, calendar: BillingCalendar = 'utc'): Date {
  if (calendar === 'paypal') return new Date(`${addPeriods(localDate(first, PAYPAL_ZONE), unit, count)}T${PAYPAL_HOUR}`)
  const [day = '', time = ''] = first.toISOString().split('T')
  return new Date(`${addPeriods(day, unit, count)}T${time}`)
}

/** `count` periods after an instant on the studio's calendar, at the same time of day: the end of a trial or of a granted period (V16). */
export function periodsAfter(at: Date, unit: PeriodUnit, count: number, zone: string): Date {
  const [day = '', time = ''] = wallClock(at, zone).toISOString().split('T')
  return fromWallClock(new Date(`${addPeriods(day, unit, count)}T${time}`), zone)
}

/** What determines the days on which a subscription is charged. */
export interface BillingTerms {
  createdAt: Date
  subscription_period: PeriodUnit | null
  subscription_interval: number | null
  free_trial_length: number | null
  free_trial_period: PeriodUnit | null
}

/** When the free trial ends, in its own units, days by default (settled 35); null without one. */
export function trialEndOf(terms: BillingTerms, zone: string): Date | null {
  return terms.free_trial_length ? periodsAfter(terms.createdAt, terms.free_trial_period ?? 'day', terms.free_trial_length, zone) : null
}

const DAY = 86_400_000
/** The shortest that a period of each unit can be, in days. */
const SHORTEST = { day: 1, month: 28, year: 365 } as const

/**
 * The next charge after `now`: the end of the trial while it is in the future (S1-4.30); then the first charge's day of the month, every
 * `interval` periods, each counted from the first so that the 31st comes back after a short month (S1-4.31). Null for a non-subscription.
 * `zone`: the studio's, for the trial; `calendar`: that of the processor that charges.
 */
export function nextBillingDate(terms: BillingTerms, now: Date, zone: string, calendar: BillingCalendar = 'utc'): Date | null {
  const unit = terms.subscription_period
  if (unit === null) return null
  const every = terms.subscription_interval ?? 1
  const trialEnd = trialEndOf(terms, zone)
  if (trialEnd && trialEnd > now) return trialEnd
  const first = trialEnd ?? terms.createdAt
  // Start a tenth below the number of periods that have passed: the estimate must not be later than the result.
  const passed = Math.max(0, now.getTime() - first.getTime()) / (SHORTEST[unit] * every * DAY)
  let n = Math.max(1, Math.floor(passed * 0.88) - 1)
  while (chargeAfter(first, unit, every * n, calendar) <= now) n++
  return chargeAfter(first, unit, every * n, calendar)
}
