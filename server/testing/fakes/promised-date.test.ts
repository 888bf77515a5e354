/**
 * The date that the checkout promises is the date that the processor charges (V16, V22): on the clocks of every zone of Mexico, at any
 * second of ten years, for every period. Each fake counts with code of its own, as its processor does; the promise is the contract's.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextBillingDate, trialEndOf } from '#contract/billing.ts'
import { localDate, type PeriodUnit } from '#contract/time.ts'
import { toBillingCycles } from '#server/adapters/payments/paypal/plans.ts'
import { MEXICAN_ZONES } from '#server/testing/mexico.ts'
import { addPlanPeriod as conektaNext } from './conekta-account.ts'
import { paypalNext } from './paypal-account.ts'
import { addBillingPeriods as stripeNext } from './stripe-billing.ts'

const terms = (createdAt: Date, unit: PeriodUnit, count: number, trial: number | null = null) => ({
  createdAt,
  subscription_period: unit,
  subscription_interval: count,
  free_trial_length: trial,
  free_trial_period: 'day' as const,
})
const DAY = 86_400_000
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
const instant = fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2035-12-31T23:59:59Z'), noInvalidDate: true })
const zone = fc.constantFrom(...MEXICAN_ZONES)
/** The evenings around the ends of months, where calendars disagree, as often as everything else. */
const monthEnd = fc
  .record({ month: fc.integer({ min: 0, max: 119 }), hours: fc.integer({ min: -72, max: 72 }), minutes: fc.integer({ min: 0, max: 59 }) })
  .map(({ month, hours, minutes }) => new Date(Date.UTC(2026, month + 1, 1, hours, minutes)))
const bought = fc.oneof(instant, monthEnd)
const unit = fc.constantFrom<PeriodUnit>('day', 'month', 'year')
const count = fc.integer({ min: 1, max: 3 })

const charged = {
  stripe: (at: Date, every: PeriodUnit, many: number) =>
    new Date(1000 * stripeNext(seconds(at), { recurring: { interval: every, interval_count: many } }, 1)),
  conekta: (at: Date, every: PeriodUnit, many: number) =>
    new Date(
      1000 * conektaNext(seconds(at), every === 'day' ? { interval: 'week', frequency: many } : { interval: every, frequency: many }),
    ),
  paypal: (at: Date, every: PeriodUnit, many: number) =>
    paypalNext(at, { interval_unit: every.toUpperCase() as 'DAY', interval_count: many }),
}

test.each(['stripe', 'conekta', 'paypal'] as const)('%s charges on the day that was promised, in all zones of Mexico', (processor) => {
  fc.assert(
    fc.property(bought, zone, unit, count, (at, where, every, many) => {
      // Conekta sells weeks, not days.
      const days = processor === 'conekta' && every === 'day' ? 7 * many : many
      const promised = nextBillingDate(terms(at, every, days), at, where, processor === 'paypal' ? 'paypal' : 'utc')
      expect(promised && localDate(promised, where)).toBe(localDate(charged[processor](at, every, many), where))
    }),
    { numRuns: 2_000 },
  )
})

test('a trial ends at PayPal on its last day in the studio’s zone', () => {
  fc.assert(
    fc.property(bought, zone, fc.integer({ min: 1, max: 300 }), (at, where, trial) => {
      const trialEnd = trialEndOf(terms(at, 'month', 1, trial), where)
      if (!trialEnd) throw new Error('no trial')
      const [cycle] = toBillingCycles({ every: { unit: 'month', count: 1 }, amount: 50_000, trialEnd, zone: where }, at)
      const { intervalUnit, intervalCount } = cycle?.frequency ?? {}
      const charge = paypalNext(at, { interval_unit: intervalUnit as 'DAY', interval_count: intervalCount ?? 0 })
      // 10:00 UTC is the small hours everywhere in Mexico.
      expect(localDate(charge, where)).toBe(localDate(trialEnd, where))
      expect(Math.abs(charge.getTime() - trialEnd.getTime())).toBeLessThan(DAY)
    }),
    { numRuns: 1_000 },
  )
})

test('what is bought on 30 January 2027 at 20:30 in Mexico City is charged on 27 February, and at PayPal on 28 February', () => {
  const at = new Date('2027-01-31T02:30:00Z')
  const day = (date: Date | null) => date && localDate(date, 'America/Mexico_City')
  expect(day(nextBillingDate(terms(at, 'month', 1), at, 'America/Mexico_City'))).toBe('2027-02-27')
  expect(day(charged.stripe(at, 'month', 1))).toBe('2027-02-27')
  expect(day(nextBillingDate(terms(at, 'month', 1), at, 'America/Mexico_City', 'paypal'))).toBe('2027-02-28')
  expect(day(charged.paypal(at, 'month', 1))).toBe('2027-02-28')
})
