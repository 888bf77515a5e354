/**
 * The days of a unit against its income at any instant: whole days add up to it, and within a day it is that of one end of the day outside
 * of its instants.
 */
import { describe, expect, test } from 'vitest'
import { addDays, localDate, startOfDay } from '#contract/time.ts'
import { dayClock, type Income, type IncomeHistory, incomeDays, recognisedIncome } from './rules.ts'

const DAY = 86_400_000
/** Where clocks change twice a year, where they do not, and where they change at midnight. */
const ZONES = ['America/Tijuana', 'America/Mexico_City', 'America/Havana']

/** Reproducible numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const before = <E extends { at: number }>(events: readonly E[], at: number, amount: (event: E) => number) =>
  events.filter((event) => event.at < at).reduce((sum, event) => sum + amount(event), 0)

/** The income of a history at an instant, from all of its events. */
function incomeAt({ money, creditLots, givesCredits }: IncomeHistory, at: number): Income {
  return recognisedIncome(
    {
      paid: [before(money, at, ({ paid }) => paid)],
      back: [before(money, at, ({ back }) => back)],
      creditLots: creditLots.map(({ spent, ...creditLot }) => ({ ...creditLot, used: [before(spent, at, ({ used }) => used)] })),
      givesCredits,
    },
    new Date(at),
    0,
  )
}

/**
 * Money, lots of every kind and what was spent of them, from October to March; much of it exactly at midnight, some in the same instant.
 */
function history(random: () => number, zone: string): IncomeHistory {
  const start = startOfDay('2026-10-01', zone).getTime()
  const instant = () => {
    const at = start + Math.floor(random() * 170 * DAY)
    return random() < 0.3 ? startOfDay(localDate(new Date(at), zone), zone).getTime() : at
  }
  const maybe = (share: number) => (random() < share ? new Date(instant()) : null)
  const paid = 10_000 + Math.floor(random() * 200_000)
  const money = [{ at: instant(), paid, back: 0 }]
  if (random() < 0.3) money.push({ at: instant(), paid: 5_000, back: 0 })
  if (random() < 0.4) money.push({ at: instant(), paid: 0, back: Math.floor(random() * paid) })
  if (random() < 0.1) money.push({ at: instant(), paid: 0, back: -1_000 })
  const creditLots = Array.from({ length: Math.floor(random() * 3) }, () => {
    const unlimited = random() < 0.4
    const createdAt = new Date(instant())
    const granted = unlimited ? null : Math.floor(random() * 12)
    const spent = unlimited
      ? []
      : Array.from({ length: Math.floor(random() * 14) }, () => ({ at: instant(), used: random() < 0.2 ? -1 : 1 }))
    return {
      unlimited,
      granted,
      spent,
      createdAt,
      frozenAt: maybe(0.15),
      revokedAt: maybe(0.15),
      expires_at: random() < 0.1 ? null : new Date(random() < 0.1 ? createdAt : Math.max(createdAt.getTime(), instant())),
    }
  })
  return { money, creditLots, givesCredits: random() < 0.7 }
}

const NOTHING = { paid: 0, back: 0, recognised: 0 }
const plus = (a: typeof NOTHING, b: typeof NOTHING) => ({
  paid: a.paid + b.paid,
  back: a.back + b.back,
  // Never -0, which rounding makes of small losses.
  recognised: a.recognised + b.recognised + 0,
})

describe.each(ZONES)('in %s', (zone) => {
  const clock = dayClock(zone)
  const seen = { before: 0, after: 0, among: 0, without: 0 }

  test.each(Array.from({ length: 60 }, (_, n) => n))('the days of history %i are its income at every instant (RI1)', (seed) => {
    const random = numbers(seed * 7_919 + 13)
    const unit = history(random, zone)
    const days = incomeDays(unit, clock)
    if (!days) throw new Error('The history has too many days.')
    expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].sort())
    const events = [...unit.money, ...unit.creditLots.flatMap(({ spent }) => spent)].map(({ at }) => at)
    const dates = unit.creditLots.flatMap((creditLot) =>
      [creditLot.createdAt, creditLot.expires_at, creditLot.frozenAt, creditLot.revokedAt].flatMap((date) => date?.getTime() ?? []),
    )
    const others = Array.from({ length: 40 }, () => startOfDay('2026-10-01', zone).getTime() + Math.floor(random() * 200 * DAY))
    for (const at of [...events, ...dates, ...others].flatMap((event) => [event - 1, event, event + 1])) {
      const day = localDate(new Date(at), zone)
      const start = startOfDay(day, zone).getTime()
      const sum = days.filter((entry) => entry.day < day).reduce(plus, NOTHING)
      const { deferred, ...atStart } = incomeAt(unit, start)
      expect(plus(atStart, NOTHING)).toEqual(sum)
      expect(deferred).toBe(sum.paid - sum.back - sum.recognised)
      const today = days.find((entry) => entry.day === day)
      const now = incomeAt(unit, at)
      const sums = plus({ paid: now.paid, back: now.back, recognised: now.recognised }, NOTHING)
      if (!today || at < today.first) {
        expect(sums).toEqual(sum)
        seen[today ? 'before' : 'without']++
      } else if (at > today.last) {
        expect(sums).toEqual(plus(sum, { paid: today.paid, back: today.back, recognised: today.recognised }))
        seen.after++
      } else seen.among++
    }
  })

  test('each of these ways was met', () => {
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20)
  })
})

test('an unlimited lot has each of its days, and none where it would have centuries of them', () => {
  const clock = dayClock('America/Mexico_City')
  const createdAt = new Date('2026-11-01T15:00:00Z')
  const unit = (expires_at: Date): IncomeHistory => ({
    money: [{ at: createdAt.getTime(), paid: 31_000, back: 0 }],
    creditLots: [{ unlimited: true, granted: null, spent: [], createdAt, expires_at, frozenAt: null, revokedAt: null }],
    givesCredits: true,
  })
  const days = incomeDays(unit(new Date(createdAt.getTime() + 31 * DAY)), clock) ?? []
  expect(days.map(({ day }) => day)).toEqual(Array.from({ length: 32 }, (_, n) => addDays('2026-11-01', n)))
  expect(days.slice(1, -1).map(({ recognised }) => recognised)).toEqual(Array.from({ length: 30 }, () => 1_000))
  expect(days.reduce((sum, { recognised }) => sum + recognised, 0)).toBe(31_000)
  expect(incomeDays(unit(new Date('2046-01-01T00:00:00Z')), clock)).toBeNull()
  expect(incomeDays(unit(new Date('9999-12-31T12:00:00Z')), clock)).toBeNull()
})

test('a lot that ends when it begins is used up, frozen or not', () => {
  const createdAt = new Date('2026-11-01T15:00:00Z')
  for (const frozenAt of [null, createdAt]) {
    const creditLots = [{ unlimited: true, granted: null, spent: [], createdAt, expires_at: createdAt, frozenAt, revokedAt: null }]
    const unit = { money: [{ at: createdAt.getTime(), paid: 100, back: 0 }], creditLots, givesCredits: true }
    expect(incomeAt(unit, createdAt.getTime() + 1)).toEqual({ paid: 100, back: 0, recognised: 100, deferred: 0 })
  }
})
