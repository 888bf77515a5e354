/** Booking the class of the last visit again, and booking one every week (docs/domain.md R19, R28). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

describe('the class of the last visit again (R28)', () => {
  const DAY = 86_400_000
  const again = (person: Person) => s.as(person).bookings.again({})
  const weekly = (weeks: number, more: object = {}) =>
    s.make.class({ class_type_id: type, location_id, starts_at: new Date(start.getTime() + weeks * 7 * DAY), ...more })
  let [type, location_id, start] = [0, 0, new Date()]
  async function visit(person: Person, more: object = {}) {
    const cls = await s.make.class({ capacity: 9, ...more })
    const [row] = await s.sql<{ class_type_id: number; location_id: number; starts_at: Date; ends_at: Date }>(
      'select class_type_id, location_id, starts_at, ends_at from single_class where single_class_id = $1',
      [cls.single_class_id],
    )
    if (!row) throw new Error('No class.')
    ;[type, location_id, start] = [row.class_type_id, row.location_id, row.starts_at]
    const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
    s.clock.advance({ minutes: Math.ceil((row.ends_at.getTime() - s.clock.now().getTime()) / 60_000) + 1 })
    return class_reservation.class_reservation_id
  }

  test('its next date with a place that is not theirs yet', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    expect(await again(ana)).toEqual({ single_class: null, spot: null })
    await visit(ana)
    expect(await again(ana)).toEqual({ single_class: null, spot: null })
    // Another hour, another type and another place are other classes.
    await weekly(1, { starts_at: new Date(start.getTime() + 7 * DAY + 3_600_000) })
    await s.make.class({ starts_at: new Date(start.getTime() + 7 * DAY) })
    const [next, later] = [await weekly(1), await weekly(2)]
    expect((await again(ana)).single_class?.single_class_id).toBe(next.single_class_id)
    expect((await again(eva)).single_class).toBeNull()
    await s.as(ana).bookings.reserve({ single_class_id: next.single_class_id })
    expect((await again(ana)).single_class?.single_class_id).toBe(later.single_class_id)
  })

  test('the class of an absence is not offered again', async () => {
    const ana = await s.make.buyer()
    const id = await visit(ana)
    await weekly(1)
    expect((await again(ana)).single_class).not.toBeNull()
    await s.sql('update class_reservation set attend = false where class_reservation_id = $1', [id])
    expect((await again(ana)).single_class).toBeNull()
  })
})

describe('booking every week (R19)', () => {
  /** The same class on some Tuesdays at 7:00 in Tijuana, over the night in which its clocks go forward. */
  async function tuesdays(days: readonly string[], capacity = 5) {
    const location = await s.make.location({ timezone: 'America/Tijuana' })
    const type = await s.make.classType()
    const classes = []
    for (const day of days) {
      const offset = day < '2027-03-14' ? '-08:00' : '-07:00'
      const starts_at = new Date(`${day}T07:00:00${offset}`)
      classes.push(await s.make.class({ starts_at, capacity, location_id: location.location_id, class_type_id: type.class_type_id }))
    }
    return classes
  }

  test('books the same local hour each week, also across DST changes; a week without class is reported', async () => {
    s.clock.set('2027-03-01T10:00:00-06:00')
    const [first] = await tuesdays(['2027-03-02', '2027-03-09', '2027-03-16', '2027-03-30'])
    const ana = await s.make.buyer({ expires_at: new Date('2027-06-01T05:59:59Z') })
    const single_class_id = first?.single_class_id ?? 0
    const done = await s.as(ana).bookings.repeat({ single_class_id, weeks: 5 })
    expect(done.weeks.map((week) => [week.date, week.outcome])).toEqual([
      ['2027-03-02', 'booked'],
      ['2027-03-09', 'booked'],
      ['2027-03-16', 'booked'],
      ['2027-03-23', 'no_class'],
      ['2027-03-30', 'booked'],
    ])
    expect(done.weeks.flatMap((week) => week.class_date ?? []).every((date) => date.endsWith('T07:00:00.000Z'))).toBe(true)
    expect([done.booked, await s.balance(ana)]).toEqual([4, 6])
    const again = await s.as(ana).bookings.repeat({ single_class_id, weeks: 5 })
    expect(again.weeks.map((week) => week.outcome)).toEqual(['mine', 'mine', 'mine', 'no_class', 'mine'])
    expect(await s.balance(ana)).toBe(6)
    await doJobs(s)
    const mails = await s.sql<{ lines: string[] }>(
      `select words->'lines' as lines from message where customer_id = $1 and event = 'reservation_confirmed' and channel = 'app'`,
      [ana.customer_id],
    )
    expect(mails).toHaveLength(1)
    expect(mails[0]?.lines).toHaveLength(5)
  })

  test('as far as credits, spots and other classes allow, with a reason for each refused week', async () => {
    s.clock.set('2027-01-04T10:00:00-06:00')
    const classes = await tuesdays(['2027-01-05', '2027-01-12', '2027-01-19', '2027-01-26'], 1)
    await s
      .as(await s.make.buyer({ expires_at: new Date('2027-06-01T05:59:59Z') }))
      .bookings.reserve({ single_class_id: classes[1]?.single_class_id ?? 0 })
    const ana = await s.make.buyer({ granted: 2, expires_at: new Date('2027-06-01T05:59:59Z') })
    const done = await s.as(ana).bookings.repeat({ single_class_id: classes[0]?.single_class_id ?? 0, weeks: 4 })
    expect(done.weeks.map((week) => week.why_not?.code ?? week.outcome)).toEqual(['booked', 'CLASS_FULL', 'booked', 'NO_CREDITS'])
    expect(done.booked).toBe(2)
    expect(await s.balance(ana)).toBe(0)
  })

  test('a weekly booking takes the requested spot, or another free one', async () => {
    const type = await s.make.classType()
    const location = await s.make.location()
    const at = (day: string) =>
      s.make.class({
        starts_at: new Date(`${day}T16:00:00Z`),
        spot_map: '2',
        capacity: 2,
        class_type_id: type.class_type_id,
        location_id: location.location_id,
      })
    const [first, two] = [await at('2026-11-24'), await at('2026-12-01')]
    await s.as(await s.make.buyer()).bookings.reserve({ single_class_id: two.single_class_id, spot: '1-2' })
    const ana = await s.make.buyer()
    const done = await s.as(ana).bookings.repeat({ single_class_id: first.single_class_id, weeks: 2, spot: '1-2' })
    expect(done.booked).toBe(2)
    const spots = (await s.as(ana).bookings.list({})).class_reservations.map((row) => row.spot)
    expect(spots).toEqual(['1-2', '1-1'])
  })

  test('staff repeat for a customer by the rules of the front desk, with a trace of each booking (R19, R21)', async () => {
    s.clock.set('2027-01-04T10:00:00-06:00')
    await s.change({ reservation_opens_days: 3 })
    const classes = await tuesdays(['2027-01-05', '2027-01-12', '2027-01-26'])
    const ana = await s.make.buyer({ granted: 2, expires_at: new Date('2027-06-01T05:59:59Z') })
    const reception = await s.make.staff('reception')
    const input = { customer_id: ana.customer_id, single_class_id: classes[0]?.single_class_id ?? 0, weeks: 4 }
    // Customers wait until a class opens; staff do not.
    expect((await s.as(ana).bookings.repeat(input)).weeks.map((week) => week.why_not?.code ?? week.outcome)).toEqual([
      'booked',
      'CLASS_NOT_OPEN',
      'no_class',
      'CLASS_NOT_OPEN',
    ])
    const done = await s.as(reception).frontDesk.repeat(input)
    expect(done.weeks.map((week) => week.why_not?.code ?? week.outcome)).toEqual(['mine', 'booked', 'no_class', 'NO_CREDITS'])
    expect([done.booked, await s.balance(ana)]).toEqual([1, 0])
    const id = done.weeks[1]?.class_reservation_id ?? 0
    const rows = await s.sql(
      `select source, action, actor from class_reservation join audit on entity_id = class_reservation_id::text
      and entity = 'class_reservation' where class_reservation_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ source: 'repeat', action: 'reservation.create', actor: 'staff:reception' }])
    const again = await s.as(reception).frontDesk.repeat(input)
    expect(again.weeks.map((week) => week.why_not?.code ?? week.outcome)).toEqual(['mine', 'mine', 'no_class', 'NO_CREDITS'])
    expect(await codeOf(s.as(reception).frontDesk.repeat({ ...input, customer_id: 2_000_000_000 }))).toBe('NOT_FOUND')
    expect(await codeOf(s.as(reception).frontDesk.repeat({ ...input, single_class_id: 2_000_000_000 }))).toBe('CLASS_NOT_FOUND')
  })

  test('a weekly booking is refused for an unknown class and for more than half a year', async () => {
    const ana = await s.make.buyer()
    expect(await codeOf(s.as(ana).bookings.repeat({ single_class_id: 2_000_000_000, weeks: 2 }))).toBe('CLASS_NOT_FOUND')
    const cls = await s.make.class()
    expect(await codeOf(s.as(ana).bookings.repeat({ single_class_id: cls.single_class_id, weeks: 27 }))).toBe('INVALID_INPUT')
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
