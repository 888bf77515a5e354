import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithinTimes } from '#contract/allowed-times.ts'
import { Refusal } from '#contract/errors.ts'
import { fromWallClock, wallClock } from '#contract/time.ts'
import { creditLotFacts } from '#server/testing/credit-lot-facts.ts'
import {
  type CreditLotFacts,
  canPayForClass,
  compareCreditLots,
  creditToReturn,
  expiryOnceSpent,
  isAlive,
  type PayableClass,
  payGuest,
  planPayment,
  usableFor,
  whyNoCredit,
} from './rules.ts'

const ZONE = 'America/Mexico_City'
const NOW = new Date('2026-11-19T16:00:00.000Z')

const creditLot = creditLotFacts

/** Friday 20 November 2026, 18:00 in Mexico City. */
function cls(values: Partial<PayableClass> & { local?: string; zone?: string } = {}): PayableClass {
  const wall = new Date(values.local ?? '2026-11-20T18:00:00.000Z')
  return { starts_at: fromWallClock(wall, values.zone ?? ZONE), wall, class_type_id: 1, location_id: 1, class_package_id: null, ...values }
}

const unlimited = (values: Partial<CreditLotFacts> = {}) => creditLot({ unlimited: true, granted: null, balance: null, ...values })
const plan = (creditLots: CreditLotFacts[], input: { guest?: boolean; chosen?: number | null } = {}, at = cls()) =>
  planPayment(creditLots, at, { guest: false, chosen: null, zone: ZONE, now: NOW, ...input })
const paidBy = (payments: ReturnType<typeof plan>) =>
  payments instanceof Refusal ? payments.code : payments.map(({ creditLot, amount }) => [creditLot.available_class_id, amount])

describe('usable lots (C1)', () => {
  test.each([
    ['with credits', creditLot(), true],
    ['empty', creditLot({ balance: 0 }), false],
    ['unlimited', unlimited(), true],
    ['expired a second ago', creditLot({ expires_at: new Date(NOW.getTime() - 1000) }), false],
    ['expiring now', creditLot({ expires_at: NOW }), true],
    ['with a clock that has not started', creditLot({ expires_at: null, days_from_first_class: 30 }), true],
    ['frozen', creditLot({ frozenAt: NOW }), false],
    ['revoked', creditLot({ revokedAt: NOW }), false],
  ])('a lot %s', (_what, facts, alive) => expect(isAlive(facts, NOW)).toBe(alive))
})

describe('which classes a lot fits (C2)', () => {
  test.each<[string, CreditLotFacts, PayableClass, boolean]>([
    ['any class', creditLot(), cls(), true],
    ['its own type', creditLot({ class_type_ids: [2, 1] }), cls(), true],
    ['another type', creditLot({ class_type_ids: [2] }), cls(), false],
    ['its own place', creditLot({ location_ids: [1] }), cls(), true],
    ['another place', creditLot({ location_ids: [2] }), cls(), false],
    ['videos', creditLot({ is_online: true }), cls(), false],
    [
      'a class on its last day',
      creditLot({ expires_at: new Date('2026-11-21T05:59:59.000Z') }),
      cls({ local: '2026-11-20T23:59:00.000Z' }),
      true,
    ],
    [
      'a class a day after',
      creditLot({ expires_at: new Date('2026-11-21T05:59:59.000Z') }),
      cls({ local: '2026-11-21T00:00:00.000Z' }),
      false,
    ],
    ['a class sold as its package', creditLot({ class_package_id: 7, is_event: true }), cls({ class_package_id: 7 }), true],
    ['a class sold as another package', creditLot({ class_package_id: 7 }), cls({ class_package_id: 8 }), false],
    ['an ordinary class, from a special event', creditLot({ class_package_id: 7, is_event: true }), cls(), false],
    ['a class while frozen', creditLot({ frozenAt: NOW }), cls(), false],
    ['a class once revoked', creditLot({ revokedAt: NOW }), cls(), false],
  ])('%s', (_what, facts, at, good) => expect(canPayForClass(facts, at, ZONE)).toBe(good))

  test('the last day is the class’s local day, also in a zone behind the studio’s', () => {
    const last = creditLot({ expires_at: new Date('2026-11-21T05:59:59.000Z') })
    // 22:30 in Tijuana is half past midnight in Mexico City, and still the 20th for who goes there.
    expect(canPayForClass(last, cls({ local: '2026-11-20T22:30:00.000Z', zone: 'America/Tijuana' }), ZONE)).toBe(true)
    expect(canPayForClass(last, cls({ local: '2026-11-21T00:30:00.000Z', zone: 'America/Cancun' }), ZONE)).toBe(false)
  })

  test.each([
    ['2026-11-20T06:59:00.000Z', false],
    ['2026-11-20T07:00:00.000Z', true],
    ['2026-11-20T12:59:00.000Z', true],
    ['2026-11-20T13:00:00.000Z', false],
    ['2026-11-21T08:00:00.000Z', false],
    ['2026-11-22T23:59:00.000Z', true],
  ])('weekdays from 7:00 to 13:00 and all Sunday, at %s: %s', (wall, good) => {
    const times = [
      { days: [1, 2, 3, 4, 5], from: '07:00', to: '13:00' },
      { days: [7], from: '00:00', to: '24:00' },
    ]
    expect(isWithinTimes(times, new Date(wall))).toBe(good)
  })
})

describe('the order of lots (C3)', () => {
  const order = (creditLots: CreditLotFacts[]) => [...creditLots].sort(compareCreditLots).map((creditLot) => creditLot.available_class_id)

  test('lots pay in the order unlimited, courtesy, soonest expiry, most restrictive, oldest (settled 18)', () => {
    const soon = new Date('2026-12-01T05:59:59.000Z')
    expect(
      order([
        creditLot({ available_class_id: 9, expires_at: null, days_from_first_class: 30 }),
        creditLot({ available_class_id: 8 }),
        creditLot({ available_class_id: 7, createdAt: new Date('2026-10-01T00:00:00.000Z') }),
        creditLot({ available_class_id: 6, class_type_ids: [1, 2] }),
        creditLot({ available_class_id: 5, class_type_ids: [1] }),
        creditLot({ available_class_id: 4, class_type_ids: [1, 2, 3], location_ids: [1] }),
        creditLot({ available_class_id: 3, expires_at: soon }),
        creditLot({ available_class_id: 2, is_courtesy: true }),
        unlimited({ available_class_id: 1 }),
      ]),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('fewer allowed hours a week come first', () => {
    const times = (to: string) => [{ days: [1, 2], from: '08:00', to }]
    expect(
      order([
        creditLot({ available_class_id: 2, allowed_times: times('12:00') }),
        creditLot({ available_class_id: 1, allowed_times: times('10:00') }),
      ]),
    ).toEqual([1, 2])
  })

  test('the customer may name another lot that fits, and only one that fits', () => {
    const creditLots = [
      unlimited({ available_class_id: 1 }),
      creditLot({ available_class_id: 2 }),
      creditLot({ available_class_id: 3, class_type_ids: [5] }),
    ]
    expect(paidBy(plan(creditLots))).toEqual([[1, 0]])
    expect(paidBy(plan(creditLots, { chosen: 2 }))).toEqual([[2, 1]])
    expect(paidBy(plan(creditLots, { chosen: 3 }))).toBe('CREDIT_NOT_USABLE')
    expect(paidBy(plan(creditLots, { chosen: 99 }))).toBe('CREDIT_NOT_USABLE')
  })
})

describe('host and guest (C4, C5)', () => {
  test.each<[string, CreditLotFacts[], ReturnType<typeof paidBy>]>([
    [
      'one lot with two credits',
      [creditLot({ balance: 2 })],
      [
        [1, 1],
        [1, 1],
      ],
    ],
    [
      'two lots with one each',
      [creditLot({ balance: 1 }), creditLot({ available_class_id: 2, balance: 1 })],
      [
        [1, 1],
        [2, 1],
      ],
    ],
    ['one credit in all', [creditLot({ balance: 1 })], 'NO_CREDITS'],
    [
      'unlimited',
      [unlimited()],
      [
        [1, 0],
        [1, 0],
      ],
    ],
    [
      'a package whose guests come for nothing',
      [creditLot({ balance: 1, guests_use_credit: false })],
      [
        [1, 1],
        [1, 0],
      ],
    ],
  ])('%s', (_what, creditLots, expected) => expect(paidBy(plan(creditLots, { guest: true }))).toEqual(expected))

  test('a guest added later is paid by the same lot while it has a balance', () => {
    const host = creditLot({ available_class_id: 2, balance: 1 })
    const other = creditLot({ available_class_id: 1 })
    expect(payGuest([other, host], host)).toEqual({ creditLot: host, amount: 1 })
    expect(payGuest([other], { ...host, balance: 0 })).toEqual({ creditLot: other, amount: 1 })
    expect(payGuest([], { ...host, balance: 0 })).toBeNull()
    expect(payGuest([], { ...host, balance: 0, guests_use_credit: false })?.amount).toBe(0)
  })
})

test('reports no lot, no lot for this class, or a class sold as a package (C6)', () => {
  expect(whyNoCredit([], cls(), NOW).code).toBe('NO_CREDITS')
  expect(whyNoCredit([creditLot({ balance: 0 })], cls(), NOW).code).toBe('NO_CREDITS')
  expect(whyNoCredit([creditLot({ is_online: true })], cls(), NOW).code).toBe('NO_CREDITS')
  expect(whyNoCredit([creditLot({ class_type_ids: [3] })], cls(), NOW).code).toBe('NO_MATCHING_CREDITS')
  expect(whyNoCredit([creditLot()], cls({ class_package_id: 4 }), NOW).code).toBe('CLASS_SOLD_AS_PACKAGE')
})

test('a clock that starts at the first class follows the earliest booked class (C7)', () => {
  const waiting = creditLot({ expires_at: null, days_from_first_class: 30 })
  const first = expiryOnceSpent(waiting, cls(), ZONE)
  expect(wallClock(first as Date, ZONE).toISOString()).toBe('2026-12-20T23:59:59.000Z')
  const started = { ...waiting, expires_at: first }
  expect(expiryOnceSpent(started, cls({ local: '2026-11-25T18:00:00.000Z' }), ZONE)).toEqual(first)
  expect(wallClock(expiryOnceSpent(started, cls({ local: '2026-11-19T18:00:00.000Z' }), ZONE) as Date, ZONE).toISOString()).toBe(
    '2026-12-19T23:59:59.000Z',
  )
  expect(expiryOnceSpent(creditLot(), cls(), ZONE)).toEqual(creditLot().expires_at)
})

test.each([
  ['in time', creditLot(), 1, 'returned'],
  ['to a lot that expired', creditLot({ expires_at: new Date(NOW.getTime() - 1) }), 1, 'courtesy'],
  ['to a frozen lot', creditLot({ frozenAt: NOW }), 1, 'returned'],
  ['to a lot that was revoked', creditLot({ revokedAt: NOW }), 1, 'none'],
  ['to an unlimited lot', unlimited(), 0, 'none'],
  ['for a guest who came for nothing', creditLot(), 0, 'none'],
])('what comes back %s (C8, C9)', (_what, facts, amount, back) => expect(creditToReturn(facts, amount, NOW)).toBe(back))

describe('properties', () => {
  const anyCreditLot = fc
    .record({
      unlimited: fc.boolean(),
      balance: fc.integer({ min: 0, max: 3 }),
      is_courtesy: fc.boolean(),
      is_online: fc.boolean(),
      guests_use_credit: fc.boolean(),
      class_type_ids: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1 })),
      location_ids: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 2 }), { minLength: 1 })),
      hours: fc.option(fc.constantFrom('08:00', '18:00', '18:01', '24:00')),
      days: fc.option(fc.integer({ min: -2, max: 60 })),
      dead: fc.constantFrom(null, 'frozen', 'revoked'),
      age: fc.integer({ min: 0, max: 5 }),
    })
    .map((a) =>
      creditLot({
        ...(a.unlimited ? { unlimited: true, granted: null, balance: null } : { balance: a.balance }),
        is_courtesy: a.is_courtesy,
        is_online: a.is_online,
        guests_use_credit: a.guests_use_credit,
        class_type_ids: a.class_type_ids,
        location_ids: a.location_ids,
        allowed_times: a.hours === null ? [] : [{ days: [1, 5], from: '07:00', to: a.hours }],
        ...(a.days === null
          ? { expires_at: null, days_from_first_class: 30 }
          : { expires_at: new Date(NOW.getTime() + a.days * 86_400_000) }),
        frozenAt: a.dead === 'frozen' ? NOW : null,
        revokedAt: a.dead === 'revoked' ? NOW : null,
        createdAt: new Date(NOW.getTime() - a.age * 86_400_000),
      }),
    )
  const anyCreditLots = fc
    .array(anyCreditLot, { maxLength: 6 })
    .map((creditLots) => creditLots.map((creditLot, n) => ({ ...creditLot, available_class_id: n + 1 })))
  const anyClass = fc
    .record({
      class_type_id: fc.integer({ min: 1, max: 3 }),
      location_id: fc.integer({ min: 1, max: 2 }),
      day: fc.integer({ min: 20, max: 30 }),
    })
    .map(({ day, ...rest }) => cls({ ...rest, local: `2026-11-${day}T18:00:00.000Z` }))

  test('a plan never takes more than a lot has, and only from lots that fit', () => {
    fc.assert(
      fc.property(anyCreditLots, anyClass, fc.boolean(), fc.option(fc.integer({ min: 1, max: 7 })), (creditLots, at, guest, chosen) => {
        const payments = planPayment(creditLots, at, { guest, chosen, zone: ZONE, now: NOW })
        if (payments instanceof Refusal) return
        expect(payments).toHaveLength(guest ? 2 : 1)
        for (const creditLot of creditLots) {
          const amount = payments.filter((paid) => paid.creditLot === creditLot).reduce((sum, paid) => sum + paid.amount, 0)
          expect(amount).toBeLessThanOrEqual(creditLot.unlimited ? 0 : (creditLot.balance ?? 0))
        }
        for (const paid of payments) expect(canPayForClass(paid.creditLot, at, ZONE)).toBe(true)
        if (chosen !== null) expect(payments[0]?.creditLot.available_class_id).toBe(chosen)
      }),
      { numRuns: 500 },
    )
  })

  test('a booking is refused only when no lot that fits has a balance', () => {
    fc.assert(
      fc.property(anyCreditLots, anyClass, (creditLots, at) => {
        const payments = planPayment(creditLots, at, { guest: false, chosen: null, zone: ZONE, now: NOW })
        const could = creditLots.some(
          (creditLot) => canPayForClass(creditLot, at, ZONE) && (creditLot.unlimited || (creditLot.balance ?? 0) > 0),
        )
        expect(payments instanceof Refusal).toBe(!could)
      }),
      { numRuns: 500 },
    )
  })

  test('the result does not depend on the input order of the lots', () => {
    fc.assert(
      fc.property(
        anyCreditLots.chain((creditLots) =>
          fc.tuple(fc.constant(creditLots), fc.shuffledSubarray(creditLots, { minLength: creditLots.length })),
        ),
        anyClass,
        ([creditLots, shuffled], at) => {
          expect(usableFor(shuffled, at, ZONE)).toEqual(usableFor(creditLots, at, ZONE))
        },
      ),
    )
  })
})
