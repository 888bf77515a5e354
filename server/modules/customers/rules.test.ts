import { describe, expect, it } from 'vitest'
import { customerState, detectHabits, medianGap, type StateFacts } from './rules.ts'

const now = new Date('2026-11-20T18:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
const facts = (change: Partial<StateFacts>): StateFacts => ({
  now,
  createdAt: ago(400),
  archivedAt: null,
  visits: [],
  past: null,
  creditLots: [],
  hasSubscription: false,
  renews: false,
  isPastDue: false,
  ...change,
})
const creditLot = (days: number | null, isTrial = false) => ({
  isAlive: true,
  expires_at: days === null ? null : ago(-days),
  endedAt: null,
  isTrial,
})
const ended = (days: number, isTrial = false) => ({ isAlive: false, expires_at: ago(days), endedAt: ago(days), isTrial })

describe('the state of a customer (X3)', () => {
  it.each<[string, Partial<StateFacts>, string]>([
    ['came yesterday with credits for weeks', { visits: [ago(40), ago(1)], creditLots: [creditLot(40)] }, 'active'],
    ['has credits that end in a week and nothing that renews', { visits: [ago(9), ago(1)], creditLots: [creditLot(7)] }, 'expiring'],
    [
      'has a subscription that renews',
      { visits: [ago(40), ago(1)], creditLots: [creditLot(3)], hasSubscription: true, renews: true },
      'active',
    ],
    ['has a paused subscription', { visits: [ago(9), ago(1)], creditLots: [creditLot(3)], hasSubscription: true }, 'expiring'],
    ['has credits without an end', { visits: [ago(60), ago(50), ago(9)], creditLots: [creditLot(null)] }, 'active'],
    ['stays away for twice the usual gap', { visits: [ago(33), ago(26), ago(19)], creditLots: [creditLot(40)] }, 'at_risk'],
    ['stays away for less than ten days', { visits: [ago(42), ago(12), ago(11), ago(10), ago(9)], creditLots: [creditLot(40)] }, 'active'],
    ['stays away without credits', { visits: [ago(33), ago(26), ago(19)] }, 'expiring'],
    [
      'has a renewal that was refused',
      { visits: [ago(2)], creditLots: [creditLot(40)], hasSubscription: true, renews: true, isPastDue: true },
      'at_risk',
    ],
    ['only ever had trials', { createdAt: ago(5), visits: [ago(2)], creditLots: [creditLot(20, true)] }, 'trial'],
    ['bought after the trial', { createdAt: ago(5), visits: [ago(2)], creditLots: [ended(1, true), creditLot(40)] }, 'new'],
    ['came first this month, signed up long ago', { visits: [ago(2)], creditLots: [creditLot(40)] }, 'new'],
    ['signed up this month', { createdAt: ago(3) }, 'new'],
    [
      'came before the studio came here',
      { createdAt: ago(3), visits: [ago(2)], past: { last_at: ago(9) }, creditLots: [creditLot(40)] },
      'active',
    ],
    ['came before, nobody knows when', { createdAt: ago(3), past: { last_at: null }, creditLots: [creditLot(40)] }, 'active'],
    ['signed up this month at the system of before', { createdAt: ago(20), past: { last_at: ago(9) }, creditLots: [creditLot(40)] }, 'new'],
    ['came before for the last time 100 days ago', { past: { last_at: ago(100) } }, 'lost'],
    ['has had neither visit nor credits for 31 days', { visits: [ago(31)] }, 'inactive'],
    ['has credits that ended ten days ago', { visits: [ago(60)], creditLots: [ended(10)] }, 'inactive'],
    ['has had neither for 90 days', { visits: [ago(90)] }, 'inactive'],
    ['has had neither for 91 days', { visits: [ago(91)], creditLots: [ended(95)] }, 'lost'],
    ['signed up long ago and never came', {}, 'lost'],
  ])('of who %s', (_, change, state) => {
    expect(customerState(facts(change))).toBe(state)
  })

  it('uses the median of the gaps between visits', () => {
    expect(medianGap([])).toBeNull()
    expect(medianGap([ago(3)])).toBeNull()
    expect(medianGap([ago(20), ago(10), ago(8)])).toBe(6)
    expect(medianGap([ago(40), ago(20), ago(17), ago(15)])).toBe(3)
  })
})

describe('habits (X4)', () => {
  const visit = (wall: string, coach: string | null = 'Sofía', location = 'Roma', row: number | null = null) => ({
    wall: new Date(wall),
    coach,
    location,
    row,
  })
  it('the habits of a customer are weekday and hour of at least three visits, with the most frequent coach', () => {
    const tuesdays = ['2026-11-03T19:30Z', '2026-11-10T19:30Z', '2026-11-17T19:30Z'].map((wall) => visit(wall))
    expect(detectHabits([...tuesdays.slice(0, 2), visit('2026-11-04T08:00Z', 'Leo')])).toBeNull()
    expect(detectHabits([visit('2026-11-04T08:00Z', 'Leo', 'Centro'), visit('2026-10-27T19:30Z', null), ...tuesdays])).toEqual({
      weekday: 'martes',
      weekdays: ['martes'],
      hour: '19:30',
      coach: 'Sofía',
      location: 'Roma',
      row: null,
    })
  })

  it('a habit names each weekday of that hour with three visits, and the row of most of their spots', () => {
    const thursdays = ['2026-11-05T19:30Z', '2026-11-12T19:30Z', '2026-11-19T19:30Z', '2026-11-26T19:30Z']
    const tuesdays = ['2026-11-03T19:30Z', '2026-11-10T19:30Z', '2026-11-17T19:30Z']
    const withRows = (rows: readonly (number | null)[]) =>
      detectHabits([...thursdays, ...tuesdays].map((wall, at) => visit(wall, 'Sofía', 'Roma', rows[at] ?? null)))
    expect(withRows([2, 2, 1, 2, null, null, 2])).toMatchObject({ weekday: 'jueves', weekdays: ['martes', 'jueves'], row: 2 })
    expect(withRows([1, 2, 1, 2, 1, 2])?.row).toBeNull()
    expect(withRows([2, 2])?.row).toBeNull()
  })
})
