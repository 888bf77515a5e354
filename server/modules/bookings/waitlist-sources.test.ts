/**
 * W11: every freed spot is offered to the waitlist, whatever freed it, in each of the three modes; a change that frees no spot makes no
 * offer.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allSpots } from '#contract/spots.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio({
    settings: { waitlist_enabled: true, allow_class_guests: true, undo_minutes: 5, cash_hold_hours: 2, drop_in_price: '220' },
  })
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))
afterEach(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})

async function buyer(): Promise<Person> {
  const customer = await s.make.customer()
  await s.make.lot(customer, { granted: 20, expires_at: new Date('2027-06-01T05:59:59Z') })
  return customer
}
const desk = () => s.as(manager)
const book = async (person: Person, single_class_id: number, more: object = {}) =>
  (await s.as(person).bookings.reserve({ single_class_id, ...more })).class_reservation.class_reservation_id
/** Two days ahead, so that nothing is near its end. */
const STARTS = new Date('2026-11-21T18:00:00Z')
const make = (values: Parameters<TestStudio['make']['class']>[0] = {}) => s.make.class({ capacity: 1, starts_at: STARTS, ...values })

interface Full {
  single_class_id: number
  /** Frees one place. */
  free(): Promise<unknown>
}
/** A full class of every kind, and what frees one place of it. */
const SOURCES: Record<string, () => Promise<Full>> = {
  'the customer cancels': async () => {
    const [person, { single_class_id }] = [await buyer(), await make()]
    const class_reservation_id = await book(person, single_class_id)
    return { single_class_id, free: async () => s.as(person).bookings.cancel({ class_reservation_id }) }
  },
  'a booking is taken back (R16)': async () => {
    const [person, { single_class_id }] = [await buyer(), await make()]
    const class_reservation_id = await book(person, single_class_id)
    return {
      single_class_id,
      free: async () => expect((await s.as(person).bookings.cancel({ class_reservation_id })).credit).toBe('returned'),
    }
  },
  'the guest does not come (R23)': async () => {
    const [person, { single_class_id }] = [await buyer(), await make({ capacity: 2 })]
    const class_reservation_id = await book(person, single_class_id, { guest: 'Jimena' })
    return { single_class_id, free: () => s.as(person).bookings.removeGuest({ class_reservation_id }) }
  },
  'a move to another class (R18)': async () => {
    const [person, { single_class_id }] = [await buyer(), await make()]
    const class_reservation_id = await book(person, single_class_id)
    const other = await make({ starts_at: new Date('2026-11-25T18:00:00Z') })
    return { single_class_id, free: () => s.as(person).bookings.move({ class_reservation_id, single_class_id: other.single_class_id }) }
  },
  'staff cancel (R21)': async () => {
    const [person, { single_class_id }] = [await buyer(), await make()]
    const class_reservation_id = await book(person, single_class_id)
    return { single_class_id, free: () => desk().attendance.cancel({ class_reservation_id, reason: 'Avisó', credit: 'keep' }) }
  },
  'cash does not come (R22)': async () => {
    const [customer, { single_class_id }] = [await s.make.customer(), await make()]
    await desk().attendance.reserve({ customer_id: customer.customer_id, single_class_id, is_cash: true })
    const free = async () => {
      s.clock.advance({ hours: 2, minutes: 1 })
      await doJobs(s, 'bookings.unpaid')
    }
    return { single_class_id, free }
  },
  'there is more room': async () => {
    const { single_class_id } = await make()
    await book(await buyer(), single_class_id)
    return { single_class_id, free: () => desk().schedule.update({ single_class_id, capacity: 2 }) }
  },
  'a class without capacity gets one (settled 20)': async () => {
    const { single_class_id } = await make({ capacity: null })
    return { single_class_id, free: () => desk().schedule.update({ single_class_id, capacity: 1 }) }
  },
  'a seat is mended': async () => {
    const { single_class_id } = await make({ capacity: 2, spot_map: '2', closed_spots: ['1-2'] })
    await book(await buyer(), single_class_id, { spot: '1-1' })
    return { single_class_id, free: () => desk().schedule.update({ single_class_id, closed_spots: [] }) }
  },
  'a bigger map': async () => {
    const { single_class_id } = await make({ capacity: 2, spot_map: '1' })
    await book(await buyer(), single_class_id, { spot: '1-1' })
    return { single_class_id, free: () => desk().schedule.update({ single_class_id, spot_map: '1,1' }) }
  },
  'the money went back (R24)': async () => {
    const [customer, classPackage, { single_class_id }] = [await s.make.customer(), await s.make.package(), await make()]
    const { purchase_id } = await s
      .as(customer)
      .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' })
    await book(customer, single_class_id)
    const free = async () => {
      await desk().studioSales.revokeAccess({ purchase_id, reason: 'Se devolvió el dinero' })
      await doJobs(s)
    }
    return { single_class_id, free }
  },
  'a cancelling is taken back (B5), and one who was in it went elsewhere': async () => {
    const [person, { single_class_id }] = [await buyer(), await make()]
    await book(person, single_class_id)
    const free = async () => {
      await desk().schedule.cancel({ single_class_id })
      await book(person, (await make()).single_class_id)
      expect(await desk().schedule.restore({ single_class_id })).toMatchObject({ restored: 0, lost: [{ customer_id: person.customer_id }] })
    }
    return { single_class_id, free }
  },
}

const entries = (single_class_id: number) =>
  s.sql<{ customer_id: number; status: string; opening: number }>(
    'select customer_id, status, opening from waitlist where single_class_id = $1 order by waitlist_id',
    [single_class_id],
  )
const notified = async (single_class_id: number) =>
  (
    await s.sql<{ customer_id: number }>(
      `select m.customer_id from message m join waitlist_opening o on m.about = 'opening:' || o.waitlist_opening_id
       where o.single_class_id = $1 and m.channel = 'app' order by m.customer_id`,
      [single_class_id],
    )
  ).map((row) => row.customer_id)
const spotsOf = async (single_class_id: number) =>
  (await s.sql('select taken, held from single_class where single_class_id = $1', [single_class_id]))[0]

describe.each(Object.entries(SOURCES))('%s', (_source, full) => {
  test('oferta: it is held for the first of the waitlist only', async () => {
    await s.change({ waitlist_mode: 'oferta' })
    const [ana, eva, { single_class_id, free }] = [await buyer(), await buyer(), await full()]
    for (const person of [ana, eva]) await s.as(person).waitlist.join({ single_class_id })
    await free()
    expect((await entries(single_class_id)).map((entry) => entry.status)).toEqual(['offered', 'waiting'])
    expect(await spotsOf(single_class_id)).toMatchObject({ held: 1 })
    // A customer outside the waitlist finds the class full.
    expect((await s.as(await buyer()).schedule.one({ single_class_id })).single_class).toMatchObject({ state: 'full', places_left: 0 })
  })

  test('auto: the first who chose so gets it without an offer', async () => {
    await s.change({ waitlist_mode: 'auto' })
    const [ana, eva, { single_class_id, free }] = [await buyer(), await buyer(), await full()]
    for (const person of [ana, eva]) await s.as(person).waitlist.join({ single_class_id, auto: true })
    await free()
    await doJobs(s)
    expect((await entries(single_class_id)).map((entry) => entry.status)).toEqual(['booked', 'waiting'])
    expect((await s.as(ana).bookings.list({ filter: 'upcoming' })).class_reservations).toMatchObject([{ single_class_id }])
    expect(await spotsOf(single_class_id)).toMatchObject({ held: 0 })
  })

  test('todos: all are notified once, and the first to book gets it (S2-4.20, S2-4.21)', async () => {
    await s.change({ waitlist_mode: 'todos' })
    const [ana, eva, { single_class_id, free }] = [await buyer(), await buyer(), await full()]
    for (const person of [ana, eva]) await s.as(person).waitlist.join({ single_class_id })
    await free()
    await doJobs(s)
    await doJobs(s)
    expect(await notified(single_class_id)).toEqual([ana.customer_id, eva.customer_id])
    const { single_class } = await s.as(eva).schedule.one({ single_class_id })
    const seat = single_class.spot_map
      ? allSpots(single_class.spot_map).find(
          (spot) => !single_class.class_reservations.some((classReservation) => classReservation.spot === spot),
        )
      : null
    await book(eva, single_class_id, { spot: seat })
    expect((await entries(single_class_id)).map((entry) => entry.status)).toEqual(['waiting', 'booked'])
  })
})

test('a change that frees no spot is no opening: an expired offer is not repeated for a new description (W3)', async () => {
  await s.change({ waitlist_mode: 'oferta' })
  const [ana, { single_class_id, free }] = [await buyer(), await (SOURCES['the customer cancels'] as () => Promise<Full>)()]
  await s.as(ana).waitlist.join({ single_class_id })
  await free()
  s.clock.advance({ minutes: 31 })
  await doJobs(s, 'waitlist.sweep')
  const status = async () => (await entries(single_class_id)).map((entry) => entry.status)
  expect(await status()).toEqual(['waiting'])
  const changes = [{ description: 'Con velas' }, { icon: 'luna' }, { instructor_ids: [] }, { capacity: 1 }, { duration_minutes: 40 }]
  for (const change of changes) {
    await desk().schedule.update({ single_class_id, ...change })
    expect([change, await status()]).toEqual([change, ['waiting']])
  }
  // Another hour is another class: they may want that one.
  await desk().schedule.update({ single_class_id, class_date: '2026-11-22T12:00:00.000Z' })
  expect(await status()).toEqual(['offered'])
  s.clock.advance({ minutes: 31 })
  await doJobs(s, 'waitlist.sweep')
  await desk().schedule.update({ single_class_id, capacity: 2 })
  expect(await status()).toEqual(['offered'])
})

test('a room with more capacity than spots is full when its spots are: no offer is made for a missing spot (W6)', async () => {
  await s.change({ waitlist_mode: 'todos' })
  const [ana, inside, other] = [await buyer(), await buyer(), await buyer()]
  const { single_class_id } = await make({ capacity: 8, spot_map: '1' })
  const class_reservation_id = await book(inside, single_class_id, { spot: '1-1' })
  await s.as(ana).waitlist.join({ single_class_id })
  await s.as(inside).bookings.cancel({ class_reservation_id })
  await book(other, single_class_id, { spot: '1-1' })
  await doJobs(s)
  expect(await notified(single_class_id)).toEqual([])
})

test('no hold outlasts a class that was moved to an earlier hour (W5)', async () => {
  await s.change({ waitlist_mode: 'oferta' })
  s.clock.set('2026-11-19T23:30:00-06:00')
  const [ana, { single_class_id, free }] = [await buyer(), await (SOURCES['the customer cancels'] as () => Promise<Full>)()]
  const { waitlist_id } = (await s.as(ana).waitlist.join({ single_class_id })).waitlist
  await free()
  const offer = async () => (await s.as(ana).waitlist.one({ waitlist_id })).waitlist.offer?.until_wall
  expect(await offer()).toBe('2026-11-20T08:30:00.000Z')
  await desk().schedule.update({ single_class_id, class_date: '2026-11-20T07:00:00.000Z' })
  expect(await offer()).toBe('2026-11-20T07:00:00.000Z')
})

test('a spot of an expired or passed hold, or of a customer who left, goes to the next in the same opening (W5, W9)', async () => {
  await s.change({ waitlist_mode: 'oferta' })
  const waiting = [await buyer(), await buyer(), await buyer(), await buyer()]
  const { single_class_id, free } = await (SOURCES['the customer cancels'] as () => Promise<Full>)()
  const ids: number[] = []
  for (const person of waiting) ids.push((await s.as(person).waitlist.join({ single_class_id })).waitlist.waitlist_id)
  await free()
  const status = async () => (await entries(single_class_id)).map((entry) => entry.status)
  expect(await status()).toEqual(['offered', 'waiting', 'waiting', 'waiting'])
  s.clock.advance({ minutes: 31 })
  await doJobs(s, 'waitlist.sweep')
  expect(await status()).toEqual(['waiting', 'offered', 'waiting', 'waiting'])
  await s.as(null).waitlist.answer({ token: s.studio.signer.sign('waitlist-offer', `${ids[1]}-1`), accept: false })
  expect(await status()).toEqual(['waiting', 'passed', 'offered', 'waiting'])
  await s.as(waiting[2] as Person).waitlist.leave({ waitlist_id: ids[2] ?? 0 })
  expect(await status()).toEqual(['waiting', 'passed', 'left', 'offered'])
  expect(await s.sql('select 1 from waitlist_opening where single_class_id = $1', [single_class_id])).toHaveLength(1)
})
