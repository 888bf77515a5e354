/** Undoing a booking and moving it to another class (docs/domain.md R16, R18). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { countTaken, reserveNewClass } from '#server/testing/reservations.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

describe('undoing a booking (R16)', () => {
  test('undoing within minutes restores the state before, regardless of windows and limits', async () => {
    await s.change({ allow_cancel_reservations: false, max_cancels_per_available_class: 0, undo_minutes: 5 })
    const ana = await s.make.buyer()
    const { cls, id } = await reserveNewClass(s, ana)
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation).toMatchObject({
      undo_until: '2026-11-19T16:05:00.000Z',
      actions: { cancel: 'free' },
    })
    s.clock.advance({ minutes: 5 })
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: id })).credit).toBe('returned')
    expect(await s.balance(ana)).toBe(10)
    const again = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    s.clock.advance({ minutes: 5, seconds: 1 })
    const shown = (await s.as(ana).bookings.one({ class_reservation_id: again.class_reservation.class_reservation_id })).class_reservation
    expect(shown).toMatchObject({ undo_until: null, actions: { cancel: null } })
    expect(await codeOf(s.as(ana).bookings.cancel({ class_reservation_id: shown.class_reservation_id }))).toBe('CANCEL_NOT_ALLOWED')
  })

  test('undoing a booking does not count against the lot’s limit', async () => {
    await s.change({ max_cancels_per_available_class: 1 })
    const ana = await s.make.buyer()
    for (let n = 0; n < 3; n++) {
      const { id } = await reserveNewClass(s, ana)
      await s.as(ana).bookings.cancel({ class_reservation_id: id })
    }
    const { id } = await reserveNewClass(s, ana)
    s.clock.advance({ minutes: 10 })
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: id })).credit).toBe('returned')
  })
})

describe('moving to another class (R18)', () => {
  test('in one step: the old spot is free, the new one booked, with the same credit', async () => {
    const ana = await s.make.buyer()
    const { cls, id } = await reserveNewClass(s, ana)
    const other = await s.make.class({ starts_at: new Date('2026-11-24T16:00:00Z') })
    s.clock.advance({ minutes: 30 })
    const { class_reservation } = await s.as(ana).bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id })
    expect(class_reservation).toMatchObject({ single_class_id: other.single_class_id, paid_with: 'Diez', status: 'Próxima' })
    expect([await s.balance(ana), await countTaken(s, cls.single_class_id), await countTaken(s, other.single_class_id)]).toEqual([9, 0, 1])
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.status).toBe('Cancelada')
    expect(await codeOf(s.as(ana).bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id }))).toBe(
      'RESERVATION_CANCELLED',
    )
  })

  test('the guest moves too, with spots where there is a map; also to an overlapping class', async () => {
    await s.change({ allow_class_guests: true })
    const ana = await s.make.buyer()
    const { id } = await reserveNewClass(s, ana, {}, { guest: 'Jimena' })
    const other = await s.make.class({ spot_map: '3' })
    expect(await codeOf(s.as(ana).bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id, spot: '1-1' }))).toBe(
      'SPOT_REQUIRED',
    )
    const { class_reservation } = await s
      .as(ana)
      .bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id, spot: '1-1', guest_spot: '1-2' })
    expect(class_reservation).toMatchObject({ spot: '1-1', guest: 'Jimena', guest_spot: '1-2' })
    expect(await s.balance(ana)).toBe(8)
  })

  test.each<[string, (id: number) => Promise<{ single_class_id: number }>]>([
    ['CLASS_FULL', async () => s.make.class({ capacity: 0, starts_at: new Date('2026-11-24T16:00:00Z') })],
    ['CLASS_NOT_FOUND', async () => ({ single_class_id: 2_000_000_000 })],
    [
      'MOVE_SAME_CLASS',
      async (id) => ({
        single_class_id:
          (
            await s.sql<{ single_class_id: number }>('select single_class_id from class_reservation where class_reservation_id = $1', [id])
          )[0]?.single_class_id ?? 0,
      }),
    ],
  ])('%s: everything stays as it was', async (expected, to) => {
    const ana = await s.make.buyer()
    const { cls, id } = await reserveNewClass(s, ana)
    const { single_class_id } = await to(id)
    expect(await codeOf(s.as(ana).bookings.move({ class_reservation_id: id, single_class_id }))).toBe(expected)
    expect([await s.balance(ana), await countTaken(s, cls.single_class_id)]).toEqual([9, 1])
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.status).toBe('Próxima')
  })

  test('moving to another class is refused late, and does not count as a cancellation', async () => {
    await s.change({ cancel_timeframe_value: 12, allow_cancel_after_treshold: true, undo_minutes: 0, max_cancels_per_available_class: 1 })
    const ana = await s.make.buyer()
    const { id } = await reserveNewClass(s, ana)
    const other = await s.make.class({ starts_at: new Date('2026-11-24T16:00:00Z') })
    const moved = await s.as(ana).bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id })
    expect(moved.class_reservation.actions).toMatchObject({ move: true, cancel: 'free' })
    s.clock.set('2026-11-24T09:00:00-06:00')
    const later = await s.make.class({ starts_at: new Date('2026-11-26T16:00:00Z') })
    const input = { class_reservation_id: moved.class_reservation.class_reservation_id, single_class_id: later.single_class_id }
    expect(await refusalOf(s.as(ana).bookings.move(input))).toMatchObject({
      code: 'MOVE_TOO_LATE',
      message: 'Ya no puedes cambiar de clase: faltan menos de 12 horas para la tuya.',
    })
  })

  test('two customers who swap classes concurrently both succeed or both stay', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const newClass = await reserveNewClass(s, ana, { capacity: 2, starts_at: new Date('2026-11-24T16:00:00Z') })
    const two = await reserveNewClass(s, eva, { capacity: 2, starts_at: new Date('2026-11-25T16:00:00Z') })
    for (let round = 0; round < 5; round++) {
      const reservations = await s.sql<{ id: number; customer_id: number; single_class_id: number }>(
        `select class_reservation_id as id, customer_id, single_class_id from class_reservation where "deletedAt" is null and customer_id = any($1)`,
        [[ana.customer_id, eva.customer_id]],
      )
      const swap = (person: Person) => {
        const mine = reservations.find((reservation) => reservation.customer_id === person.customer_id)
        const to = mine?.single_class_id === newClass.cls.single_class_id ? two.cls.single_class_id : newClass.cls.single_class_id
        return s.as(person).bookings.move({ class_reservation_id: mine?.id ?? 0, single_class_id: to })
      }
      await Promise.all([swap(ana), swap(eva)])
    }
    expect([await countTaken(s, newClass.cls.single_class_id), await countTaken(s, two.cls.single_class_id)]).toEqual([1, 1])
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
