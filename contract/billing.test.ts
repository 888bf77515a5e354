/** When a subscription is charged (docs/domain.md V16, V22; S1-4.29 to S1-4.31). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BillingTerms, chargeAfter, nextBillingDate, trialEndOf } from './billing.ts'
import { localDate, type PeriodUnit } from './time.ts'

const ZONE = 'America/Mexico_City'
const terms = (values: Partial<BillingTerms> = {}): BillingTerms => ({
  createdAt: new Date('2026-01-31T16:00:00Z'),
  subscription_period: 'month',
  subscription_interval: 1,
  free_trial_length: null,
  free_trial_period: null,
  ...values,
})
const day = (at: Date | null) => at && localDate(at, ZONE)

test.each([
  ['the 31st in a month of 28 days', {}, '2026-02-01', '2026-02-28'],
  ['and back on the 31st', {}, '2026-02-28T23:00:00Z', '2026-03-31'],
  ['the 30th', { createdAt: new Date('2026-01-30T16:00:00Z') }, '2026-02-01', '2026-02-28'],
  ['the 29th in a leap year', { createdAt: new Date('2028-01-29T16:00:00Z') }, '2028-02-01', '2028-02-29'],
  [
    'the 29th of February, a year later',
    { createdAt: new Date('2028-02-29T16:00:00Z'), subscription_period: 'year' },
    '2028-03-01',
    '2029-02-28',
  ],
  ['every three months', { subscription_interval: 3 }, '2026-02-01', '2026-04-30'],
  ['every fifteen days', { subscription_period: 'day', subscription_interval: 15 }, '2026-02-01', '2026-02-15'],
  ['a trial that is to end, in days by default (S1-4.30)', { free_trial_length: 7 }, '2026-02-01', '2026-02-07'],
  ['a trial of a month', { free_trial_length: 1, free_trial_period: 'month' }, '2026-02-01', '2026-02-28'],
  ['after a trial its end is the day of the charges', { free_trial_length: 7 }, '2026-02-08', '2026-03-07'],
  [
    'the evening of the 30th of January: the last of the month in UTC, where it is the 31st already',
    { createdAt: new Date('2027-01-31T02:30:00Z') },
    '2027-02-01',
    '2027-02-27',
  ],
  ['the evening of the 31st', { createdAt: new Date('2027-02-01T05:30:00Z') }, '2027-02-02', '2027-02-28'],
  ['the very instant of a charge is past', {}, '2026-02-28T16:00:00Z', '2026-03-31'],
] satisfies [string, Partial<BillingTerms>, string, string][])('%s', (_, values, now, expected) => {
  expect(day(nextBillingDate(terms(values), new Date(now), ZONE))).toBe(expected)
})

test('what is no subscription is never charged again', () => {
  expect(nextBillingDate(terms({ subscription_period: null }), new Date('2026-02-01'), ZONE)).toBeNull()
  expect(trialEndOf(terms(), ZONE)).toBeNull()
})

describe('for any subscription at any moment', () => {
  const anyTerms = fc.record({
    createdAt: fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
    subscription_period: fc.constantFrom<PeriodUnit>('day', 'month', 'year'),
    subscription_interval: fc.integer({ min: 1, max: 12 }),
    free_trial_length: fc.option(fc.integer({ min: 1, max: 90 })),
    free_trial_period: fc.option(fc.constantFrom<PeriodUnit>('day', 'month')),
  })
  const zone = fc.constantFrom(ZONE, 'America/Tijuana', 'Etc/GMT+6')

  test('the next charge is the first one of its calendar after now', () => {
    fc.assert(
      fc.property(anyTerms, zone, fc.integer({ min: 0, max: 4_000 }), (terms, where, days) => {
        const now = new Date(terms.createdAt.getTime() + days * 86_400_000)
        const next = nextBillingDate(terms, now, where)
        const first = trialEndOf(terms, where) ?? terms.createdAt
        if (!next) throw new Error('no date')
        expect(next > now).toBe(true)
        // Counted one by one from the first charge, no earlier one lies ahead.
        let n = first > now ? 0 : 1
        while (n > 0 && chargeAfter(first, terms.subscription_period, terms.subscription_interval * n) <= now) n++
        expect(next).toEqual(n === 0 ? first : chargeAfter(first, terms.subscription_period, terms.subscription_interval * n))
      }),
      { numRuns: 300 },
    )
  })

  test('it falls on the same day of the month and time of day in UTC, or on the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyTerms, fc.integer({ min: 0, max: 2_000 }), (terms, days) => {
        fc.pre(terms.subscription_period !== 'day' && terms.free_trial_length === null)
        const next = nextBillingDate(terms, new Date(terms.createdAt.getTime() + days * 86_400_000), ZONE)
        if (!next) throw new Error('no date')
        const last = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
        expect(next.getUTCDate()).toBe(Math.min(terms.createdAt.getUTCDate(), last))
        expect(next.toISOString().slice(11)).toBe(terms.createdAt.toISOString().slice(11))
      }),
    )
  })
})
