/** Guests of a reservation: adding, naming, removing (docs/domain.md R6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { countTaken, reserveNewClass } from '#server/testing/reservations.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

describe('guests', () => {
  beforeEach(() => s.change({ allow_class_guests: true }))

  test('PUT /single_class/guest adds a guest with a spot and a credit, then changes the name (S2-7.61, S2-8.19)', async () => {
    const ana = await s.make.buyer()
    const { cls, id } = await reserveNewClass(s, ana)
    const { class_reservation } = await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Jimena' })
    expect(class_reservation).toMatchObject({
      guest: 'Jimena',
      actions: { add_guest: false, remove_guest: 'free' },
      single_class: { taken: 2 },
    })
    expect([await s.balance(ana), await countTaken(s, cls.single_class_id)]).toEqual([8, 2])
    expect((await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Jimena Ruiz' })).class_reservation.guest).toBe('Jimena Ruiz')
    expect([await s.balance(ana), await countTaken(s, cls.single_class_id)]).toEqual([8, 2])
  })

  test.each<[string, () => Promise<{ who: Person; ask: { class_reservation_id: number; name: string; guest_spot?: string } }>]>([
    [
      'GUEST_NAME_REQUIRED',
      async () => {
        const customer = await s.make.buyer()
        return { who: customer, ask: { class_reservation_id: (await reserveNewClass(s, customer)).id, name: 'J' } }
      },
    ],
    [
      'GUESTS_NOT_ALLOWED',
      async () => {
        const customer = await s.make.buyer()
        const { id } = await reserveNewClass(s, customer)
        await s.change({ allow_class_guests: false })
        return { who: customer, ask: { class_reservation_id: id, name: 'Jimena' } }
      },
    ],
    [
      'CLASS_FULL',
      async () => {
        const customer = await s.make.buyer()
        return { who: customer, ask: { class_reservation_id: (await reserveNewClass(s, customer, { capacity: 1 })).id, name: 'Jimena' } }
      },
    ],
    [
      'NO_CREDITS',
      async () => {
        const customer = await s.make.buyer({ granted: 1 })
        return { who: customer, ask: { class_reservation_id: (await reserveNewClass(s, customer)).id, name: 'Jimena' } }
      },
    ],
    [
      'SPOT_REQUIRED',
      async () => {
        const customer = await s.make.buyer()
        return {
          who: customer,
          ask: { class_reservation_id: (await reserveNewClass(s, customer, { spot_map: '3' }, { spot: '1-1' })).id, name: 'Jimena' },
        }
      },
    ],
    [
      'SPOT_TAKEN',
      async () => {
        const customer = await s.make.buyer()
        const { id } = await reserveNewClass(s, customer, { spot_map: '3' }, { spot: '1-1' })
        return { who: customer, ask: { class_reservation_id: id, name: 'Jimena', guest_spot: '1-1' } }
      },
    ],
    [
      'RESERVATION_NOT_FOUND',
      async () => {
        const { id } = await reserveNewClass(s, await s.make.buyer())
        return { who: await s.make.buyer(), ask: { class_reservation_id: id, name: 'Jimena' } }
      },
    ],
    [
      'PENALTY_ACTIVE',
      async () => {
        const [customer, reception] = [await s.make.buyer(), await s.make.staff('reception')]
        const { id } = await reserveNewClass(s, customer)
        await s.change({ unlimited_membership_penalties_enabled: true })
        await s.as(reception).penalties.create({ customer_id: customer.customer_id, reason: 'No llegó' })
        const { actions } = (await s.as(customer).bookings.one({ class_reservation_id: id })).class_reservation
        expect(actions).toMatchObject({ add_guest: false, move: false, cancel: 'free' })
        return { who: customer, ask: { class_reservation_id: id, name: 'Jimena' } }
      },
    ],
    [
      'DOCUMENTS_REQUIRED',
      async () => {
        const customer = await s.make.buyer()
        const { id } = await reserveNewClass(s, customer)
        await s.make.page({ required: true })
        return { who: customer, ask: { class_reservation_id: id, name: 'Jimena' } }
      },
    ],
  ])('%s, and nothing changes', async (expected, make) => {
    const { who, ask } = await make()
    const before = await s.balance(who)
    expect(await codeOf(s.as(who).bookings.guest(ask))).toBe(expected)
    expect(await s.balance(who)).toBe(before)
    await s.sql('delete from page where required')
  })

  test('cancelling the guest only returns the credit in time, not late, and counts for no limit', async () => {
    const ana = await s.make.buyer()
    const { cls, id } = await reserveNewClass(s, ana, {}, { guest: 'Jimena' })
    await s.change({ max_cancels_per_available_class: 0, cancel_timeframe_value: 12, undo_minutes: 0 })
    const done = await s.as(ana).bookings.removeGuest({ class_reservation_id: id })
    expect(done).toMatchObject({ credit: 'returned', class_reservation: { guest: null, guest_spot: null, deletedAt: null } })
    expect([await s.balance(ana), await countTaken(s, cls.single_class_id)]).toEqual([9, 1])
    expect(await codeOf(s.as(ana).bookings.removeGuest({ class_reservation_id: id }))).toBe('GUEST_NOT_FOUND')
    await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Otra' })
    s.clock.advance({ hours: 13 })
    expect(await codeOf(s.as(ana).bookings.removeGuest({ class_reservation_id: id }))).toBe('CANCEL_TOO_LATE')
    await s.change({ allow_cancel_after_treshold: true })
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.actions.remove_guest).toBe('late')
    expect((await s.as(ana).bookings.removeGuest({ class_reservation_id: id })).credit).toBe('kept')
    expect(await s.balance(ana)).toBe(8)
    // The next guest is another one, and goes with the host.
    await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Tercera' })
    await s
      .as(ana)
      .bookings.cancel({ class_reservation_id: id })
      .catch(() => null)
    expect(await codeOf(s.as(await s.make.buyer()).bookings.removeGuest({ class_reservation_id: id }))).toBe('RESERVATION_NOT_FOUND')
  })

  test('removing twenty times concurrently returns one credit', async () => {
    const ana = await s.make.buyer()
    const { id } = await reserveNewClass(s, ana, {}, { guest: 'Jimena' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => s.as(ana).bookings.removeGuest({ class_reservation_id: id })))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await s.balance(ana)).toBe(9)
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
