/**
 * The studio on the clocks of every zone of the country, in the weeks in which those of the border change: windows, days, weeks, reminders,
 * quiet hours, penalties and what expires (settled 1 to 4; S2-5.10, S2-5.12, S2-9.05). The clocks of the tests are the law's, not ours.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { addDays } from '#contract/time.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { instantByRule, MEXICAN_ZONES, type MexicanZone } from '#server/testing/mexico.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio({
    settings: {
      waitlist_enabled: true,
      waitlist_mode: 'oferta',
      allow_cancel_after_treshold: true,
      unlimited_membership_penalties_enabled: true,
      undo_minutes: 0,
    },
  })
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
afterEach(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})

const desk = () => s.as(manager)
async function buyer(creditLot: Parameters<TestStudio['make']['lot']>[1] = {}): Promise<Person> {
  const customer = await s.make.customer()
  await s.make.lot(customer, { granted: 30, expires_at: new Date('2028-06-01T05:59:59Z'), ...creditLot })
  return customer
}

/** The Sundays on which the clocks of the border change. */
const CHANGES = ['2027-03-14', '2027-11-07']
const cases = MEXICAN_ZONES.flatMap((zone) => CHANGES.map((sunday) => ({ zone, sunday })))

describe.each(cases)('$zone, around $sunday', ({ zone, sunday }: { zone: MexicanZone; sunday: string }) => {
  const saturday = addDays(sunday, -1)
  const at = (day: string, hour: string): Date => {
    const found = instantByRule(`${day}T${hour.padEnd(8, ':00')}`, zone)
    if (!found) throw new Error(`${zone} has no ${day} ${hour}.`)
    return found
  }
  const plus = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1_000)
  const use = (settings: Parameters<TestStudio['change']>[0] = {}) => s.change({ timezone: zone, ...settings })
  const make = (day: string, hour: string, values: Parameters<TestStudio['make']['class']>[0] = {}) =>
    s.make.class({ starts_at: at(day, hour), ...values })

  test('a day before is the same local hour, 24 hours are 24 hours; to the second (R8)', async () => {
    for (const [unit, value, until] of [
      ['days', 1, at(saturday, '10:00')],
      ['days', 2, at(addDays(sunday, -2), '10:00')],
      ['hours', 24, plus(at(sunday, '10:00'), -86_400)],
      ['minutes', 90, plus(at(sunday, '10:00'), -5_400)],
    ] as const) {
      await use({ cancel_timeframe_unit: unit, cancel_timeframe_value: value })
      s.clock.set(at(addDays(sunday, -4), '10:00'))
      const [person, cls] = [await buyer(), await make(sunday, '10:00')]
      const { single_class_id } = cls
      await s.as(person).bookings.reserve({ single_class_id })
      const cancel = async () => (await s.as(person).schedule.one({ single_class_id })).single_class.actions.cancel
      s.clock.set(until)
      expect([unit, value, await cancel()]).toEqual([unit, value, 'free'])
      s.clock.set(plus(until, 1))
      expect([unit, value, await cancel()]).toEqual([unit, value, 'late'])
      const { class_reservations } = await s.as(person).bookings.list({})
      const { credit } = await s.as(person).bookings.cancel({ class_reservation_id: class_reservations[0]?.class_reservation_id ?? 0 })
      expect(credit).toBe('kept')
    }
    await s.change({ cancel_timeframe_unit: 'hours', cancel_timeframe_value: null })
  })

  test('booking opens at the class’s local hour a week before and closes the configured minutes before (R2, R3)', async () => {
    await use({ reservation_opens_days: 7, reservation_timeframe_hours: 10, reservation_timeframe_minutes: 30 })
    const [person, { single_class_id }] = [await buyer(), await make(sunday, '09:00')]
    const code = async () => (await refusalOf(s.as(person).bookings.reserve({ single_class_id }))).code
    const state = async () => (await s.as(person).schedule.one({ single_class_id })).single_class.state
    s.clock.set(plus(at(addDays(sunday, -7), '09:00'), -1))
    expect([await code(), await state()]).toEqual(['CLASS_NOT_OPEN', 'not_open'])
    s.clock.set(plus(at(sunday, '09:00'), -37_799))
    expect([await code(), await state()]).toEqual(['CLASS_CLOSED', 'closed'])
    s.clock.set(plus(at(sunday, '09:00'), -37_800))
    expect(await state()).toBe('available')
    s.clock.set(at(addDays(sunday, -7), '09:00'))
    await s.as(person).bookings.reserve({ single_class_id })
    await s.change({ reservation_opens_days: 0, reservation_timeframe_hours: 0, reservation_timeframe_minutes: 0 })
  })

  test('a class belongs to its local day, and a credit of Saturday pays until Saturday’s last minute (H1, C2)', async () => {
    await use()
    s.clock.set(at(saturday, '12:00'))
    const person = await buyer({ expires_at: at(saturday, '23:59:59') })
    const [late, early] = [await make(saturday, '23:30', { ends_at: at(sunday, '00:10') }), await make(sunday, '00:30')]
    const days = async (start: string) => {
      const week = await s.as(person).schedule.week({ start_date: start, end_date: start })
      return week.days.flatMap((day) => day.classes.map((cls) => [day.date, cls.single_class_id, cls.class_date, cls.starts_at]))
    }
    const shown = (cls: { single_class_id: number; starts_at: Date }, day: string, hour: string) => [
      day,
      cls.single_class_id,
      `${day}T${hour}:00.000Z`,
      cls.starts_at.toISOString(),
    ]
    expect(await days(saturday)).toContainEqual(shown(late, saturday, '23:30'))
    expect(await days(sunday)).toContainEqual(shown(early, sunday, '00:30'))
    expect((await days(saturday)).flat()).not.toContain(early.single_class_id)
    expect((await refusalOf(s.as(person).bookings.reserve({ single_class_id: early.single_class_id }))).code).toBe('NO_MATCHING_CREDITS')
    await s.as(person).bookings.reserve({ single_class_id: late.single_class_id })
    const today = async () => (await s.as(person).schedule.week({})).today
    s.clock.set(at(saturday, '23:59:59'))
    expect(await today()).toBe(saturday)
    expect((await s.as(person).credits.list()).summary.next_expiration).toBe(`${saturday}T23:59:59.000Z`)
    s.clock.set(at(sunday, '00:00'))
    expect(await today()).toBe(sunday)
    expect((await s.as(person).credits.list()).available_classes).toEqual([])
  })

  test('every week at seven local time, for staff and for customers who book it weekly (H8, R19)', async () => {
    await use()
    s.clock.set(at(addDays(sunday, -12), '12:00'))
    const [person, type, location] = [await buyer(), await s.make.classType(), await s.make.location()]
    const first = addDays(sunday, -8)
    const { single_class_ids } = await desk().schedule.create({
      class_type_id: type.class_type_id,
      location_id: location.location_id,
      instructor_ids: [],
      capacity: 4,
      class_date: `${first}T07:00:00.000Z`,
      repeat_until: addDays(first, 21),
    })
    const { weeks } = await s.as(person).bookings.repeat({ single_class_id: single_class_ids[0] ?? 0, weeks: 4 })
    expect(weeks.map((week) => [week.date, week.outcome, week.class_date])).toEqual(
      [0, 7, 14, 21].map((days) => [addDays(first, days), 'booked', `${addDays(first, days)}T07:00:00.000Z`]),
    )
    const { class_reservations } = await s.as(person).bookings.list({ filter: 'upcoming' })
    expect(class_reservations.map((classReservation) => classReservation.single_class.starts_at)).toEqual(
      [0, 7, 14, 21].map((days) => at(addDays(first, days), '07:00').toISOString()),
    )
  })

  test('the reminder is sent twelve hours before, not eleven or thirteen (M8)', async () => {
    await use({ reminder_hours: 12 })
    s.clock.set(at(addDays(sunday, -3), '10:00'))
    const person = await buyer()
    const { single_class_id } = await make(sunday, '11:00')
    await s.as(person).bookings.reserve({ single_class_id })
    await doJobs(s)
    const messages = async () => {
      await doJobs(s, 'bookings.reminders')
      return s.sql(`select 1 from message where customer_id = $1 and event = 'reservation_reminder' and channel = 'app'`, [
        person.customer_id,
      ])
    }
    s.clock.set(plus(at(sunday, '11:00'), -43_201))
    expect(await messages()).toHaveLength(0)
    s.clock.set(plus(at(sunday, '11:00'), -43_200))
    expect(await messages()).toHaveLength(1)
    expect(await messages()).toHaveLength(1)
  })

  test('a spot freed at 23:30 waits for the local morning, and so does its WhatsApp (W5, M4)', async () => {
    await use({ waitlist_offer_minutes: 30 })
    s.clock.set(at(saturday, '12:00'))
    const [inside, ana] = [await buyer(), await buyer()]
    const { single_class_id } = await make(addDays(sunday, 2), '10:00', { capacity: 1 })
    const { class_reservation } = await s.as(inside).bookings.reserve({ single_class_id })
    const { waitlist } = await s.as(ana).waitlist.join({ single_class_id })
    s.clock.set(at(saturday, '23:30'))
    await s.as(inside).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    const { offer } = (await s.as(ana).waitlist.one({ waitlist_id: waitlist.waitlist_id })).waitlist
    expect([offer?.until, offer?.until_wall]).toEqual([at(sunday, '08:30').toISOString(), `${sunday}T08:30:00.000Z`])
    await doJobs(s)
    const whatsapp = await s.sql<{ at: Date }>(
      `select "nextAt" as at from message where customer_id = $1 and event = 'waitlist_offer' and channel = 'whatsapp'`,
      [ana.customer_id],
    )
    expect(whatsapp.map((row) => row.at.toISOString())).toEqual([at(sunday, '08:00').toISOString()])
    s.clock.set(plus(at(sunday, '08:30'), 1))
    await doJobs(s, 'waitlist.sweep')
    expect((await s.as(ana).waitlist.one({ waitlist_id: waitlist.waitlist_id })).waitlist.status).toBe('waiting')
  })

  test('a penalty ends at the start of a day, credits at the end of one (A6, C1, C16)', async () => {
    await use({ unlimited_penalty_days: 3 })
    s.clock.set(at(saturday, '22:45'))
    const customer = await s.make.customer()
    const input = { customer_id: customer.customer_id, reason: 'De prueba' }
    const penalising = s.as(manager, randomUUID()).penalties
    const { class_reservation_penalty } = await penalising.create(input)
    expect((await penalising.create(input)).class_reservation_penalty).toEqual(class_reservation_penalty)
    const resumes = addDays(saturday, 3)
    expect(class_reservation_penalty).toMatchObject({ ends_at: at(resumes, '00:00').toISOString(), resumes_at: `${resumes}T00:00:00.000Z` })
    const { available_classes } = await desk().credits.create({ ...input, available_classes: 2, expiration_date: sunday })
    expect(available_classes).toMatchObject([
      { expiration_date: `${sunday}T23:59:59.000Z`, expires_at: at(sunday, '23:59:59').toISOString(), state: 'alive' },
    ])
    const { single_class_id } = await make(addDays(sunday, 5), '10:00')
    await s.make.lot(customer, { expires_at: new Date('2028-06-01T05:59:59Z') })
    s.clock.set(plus(at(resumes, '00:00'), -1))
    expect((await refusalOf(s.as(customer).bookings.reserve({ single_class_id }))).code).toBe('PENALTY_ACTIVE')
    s.clock.set(at(resumes, '00:00'))
    await s.as(customer).bookings.reserve({ single_class_id })
  })
})

test('without a zone the offset is used, six hours by default (S1-9.01, settled 1)', async () => {
  expect(defaultSettings.timezone_offset).toBe(6)
  for (const [offset, hour] of [
    [6, '12:00'],
    [8, '10:00'],
    [5, '13:00'],
  ] as const) {
    await s.change({ timezone: '', timezone_offset: offset })
    s.clock.set('2027-06-01T12:00:00Z')
    const { single_class_id } = await s.make.class({ starts_at: new Date('2027-06-02T18:00:00Z') })
    expect((await s.as(null).schedule.one({ single_class_id })).single_class.class_date).toBe(`2027-06-02T${hour}:00.000Z`)
  }
})
