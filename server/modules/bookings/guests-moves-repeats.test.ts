/** Guests, ratings, undoing, moving, repeating (docs/domain.md R6, R14-R19): what one does with a place besides taking and giving it up. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { broken } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

async function reserved(person: Person, values: Parameters<TestStudio['make']['class']>[0] = {}, input: object = {}) {
  const cls = await s.make.class(values)
  const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id, ...input })
  return { cls, id: class_reservation.class_reservation_id }
}
const taken = async (single_class_id: number) =>
  (await s.sql<{ taken: number }>('select taken from single_class where single_class_id = $1', [single_class_id]))[0]?.taken

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

  test('not after an absence', async () => {
    const ana = await s.make.buyer()
    const id = await visit(ana)
    await weekly(1)
    expect((await again(ana)).single_class).not.toBeNull()
    await s.sql('update class_reservation set attend = false where class_reservation_id = $1', [id])
    expect((await again(ana)).single_class).toBeNull()
  })
})

describe('guests', () => {
  beforeEach(() => s.change({ allow_class_guests: true }))

  test('PUT /single_class/guest adds a guest with a spot and a credit, then changes the name (S2-7.61, S2-8.19)', async () => {
    const ana = await s.make.buyer()
    const { cls, id } = await reserved(ana)
    const { class_reservation } = await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Jimena' })
    expect(class_reservation).toMatchObject({
      guest: 'Jimena',
      actions: { add_guest: false, remove_guest: 'free' },
      single_class: { taken: 2 },
    })
    expect([await s.balance(ana), await taken(cls.single_class_id)]).toEqual([8, 2])
    expect((await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Jimena Ruiz' })).class_reservation.guest).toBe('Jimena Ruiz')
    expect([await s.balance(ana), await taken(cls.single_class_id)]).toEqual([8, 2])
  })

  test.each<[string, () => Promise<{ who: Person; ask: { class_reservation_id: number; name: string; guest_spot?: string } }>]>([
    [
      'GUEST_NAME_REQUIRED',
      async () => {
        const customer = await s.make.buyer()
        return { who: customer, ask: { class_reservation_id: (await reserved(customer)).id, name: 'J' } }
      },
    ],
    [
      'GUESTS_NOT_ALLOWED',
      async () => {
        const customer = await s.make.buyer()
        const { id } = await reserved(customer)
        await s.change({ allow_class_guests: false })
        return { who: customer, ask: { class_reservation_id: id, name: 'Jimena' } }
      },
    ],
    [
      'CLASS_FULL',
      async () => {
        const customer = await s.make.buyer()
        return { who: customer, ask: { class_reservation_id: (await reserved(customer, { capacity: 1 })).id, name: 'Jimena' } }
      },
    ],
    [
      'NO_CREDITS',
      async () => {
        const customer = await s.make.buyer({ granted: 1 })
        return { who: customer, ask: { class_reservation_id: (await reserved(customer)).id, name: 'Jimena' } }
      },
    ],
    [
      'SPOT_REQUIRED',
      async () => {
        const customer = await s.make.buyer()
        return {
          who: customer,
          ask: { class_reservation_id: (await reserved(customer, { spot_map: '3' }, { spot: '1-1' })).id, name: 'Jimena' },
        }
      },
    ],
    [
      'SPOT_TAKEN',
      async () => {
        const customer = await s.make.buyer()
        const { id } = await reserved(customer, { spot_map: '3' }, { spot: '1-1' })
        return { who: customer, ask: { class_reservation_id: id, name: 'Jimena', guest_spot: '1-1' } }
      },
    ],
    [
      'RESERVATION_NOT_FOUND',
      async () => {
        const { id } = await reserved(await s.make.buyer())
        return { who: await s.make.buyer(), ask: { class_reservation_id: id, name: 'Jimena' } }
      },
    ],
    [
      'PENALTY_ACTIVE',
      async () => {
        const [customer, reception] = [await s.make.buyer(), await s.make.staff('reception')]
        const { id } = await reserved(customer)
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
        const { id } = await reserved(customer)
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
    const { cls, id } = await reserved(ana, {}, { guest: 'Jimena' })
    await s.change({ max_cancels_per_available_class: 0, cancel_timeframe_value: 12, undo_minutes: 0 })
    const done = await s.as(ana).bookings.removeGuest({ class_reservation_id: id })
    expect(done).toMatchObject({ credit: 'returned', class_reservation: { guest: null, guest_spot: null, deletedAt: null } })
    expect([await s.balance(ana), await taken(cls.single_class_id)]).toEqual([9, 1])
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
    const { id } = await reserved(ana, {}, { guest: 'Jimena' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => s.as(ana).bookings.removeGuest({ class_reservation_id: id })))
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await s.balance(ana)).toBe(9)
  })
})

describe('ratings (R17, S2-3.23, S2-4.07 to S2-4.09)', () => {
  async function attended(attend: boolean | null = true) {
    const ana = await s.make.buyer()
    const { id } = await reserved(ana)
    s.clock.advance({ hours: 26 })
    await s.sql('update class_reservation set attend = $2 where class_reservation_id = $1', [id, attend])
    return { ana, id }
  }
  const rating = { class_stars: 4, coach_stars: 5, comment: 'Me encantó' }

  test('an attended class is rated once, and shows the stars', async () => {
    const { ana, id } = await attended()
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.actions.rate).toBe(true)
    const { class_reservation } = await s.as(ana).bookings.rate({ class_reservation_id: id, ...rating })
    expect(class_reservation).toMatchObject({ ...rating, status: 'Exitosa', actions: { rate: false } })
    expect(await refusalOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...rating }))).toMatchObject({
      code: 'ALREADY_RATED',
      status: 409,
    })
  })

  test('the class may be left without stars, the coach may not (S2-5.09, S2-9.03)', async () => {
    const { ana, id } = await attended()
    for (const wrong of [{ coach_stars: 0 }, { coach_stars: 6 }, { coach_stars: 4.5 }, {}, { coach_stars: 5, class_stars: 6 }])
      expect(await codeOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...wrong } as never))).toBe('INVALID_INPUT')
    const { class_reservation } = await s.as(ana).bookings.rate({ class_reservation_id: id, coach_stars: 3 })
    expect(class_reservation).toMatchObject({ class_stars: null, coach_stars: 3, comment: null, actions: { rate: false } })
  })

  test.each([
    ['did not come', false],
    ['nobody marked', null],
  ])('not one that one %s', async (_what, attend) => {
    const { ana, id } = await attended(attend)
    expect(await codeOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...rating }))).toBe('RATING_NOT_ALLOWED')
  })

  test('is refused where ratings are off, and for another customer’s reservation', async () => {
    const { ana, id } = await attended()
    expect(await codeOf(s.as(await s.make.buyer()).bookings.rate({ class_reservation_id: id, ...rating }))).toBe('RESERVATION_NOT_FOUND')
    await s.change({ reservation_rating_enabled: false })
    expect(await codeOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...rating }))).toBe('RATING_NOT_ALLOWED')
  })

  test('ten concurrent ratings are one', async () => {
    const { ana, id } = await attended()
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => s.as(ana).bookings.rate({ class_reservation_id: id, coach_stars: (n % 5) + 1 })),
    )
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  })
})

describe('undoing a booking (R16)', () => {
  test('within minutes restores the state before, whatever windows and limits say', async () => {
    await s.change({ allow_cancel_reservations: false, max_cancels_per_available_class: 0, undo_minutes: 5 })
    const ana = await s.make.buyer()
    const { cls, id } = await reserved(ana)
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

  test('does not count against the lot’s limit', async () => {
    await s.change({ max_cancels_per_available_class: 1 })
    const ana = await s.make.buyer()
    for (let n = 0; n < 3; n++) {
      const { id } = await reserved(ana)
      await s.as(ana).bookings.cancel({ class_reservation_id: id })
    }
    const { id } = await reserved(ana)
    s.clock.advance({ minutes: 10 })
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: id })).credit).toBe('returned')
  })
})

describe('moving to another class (R18)', () => {
  test('in one step: the old spot is free, the new one booked, with the same credit', async () => {
    const ana = await s.make.buyer()
    const { cls, id } = await reserved(ana)
    const other = await s.make.class({ starts_at: new Date('2026-11-24T16:00:00Z') })
    s.clock.advance({ minutes: 30 })
    const { class_reservation } = await s.as(ana).bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id })
    expect(class_reservation).toMatchObject({ single_class_id: other.single_class_id, paid_with: 'Diez', status: 'Próxima' })
    expect([await s.balance(ana), await taken(cls.single_class_id), await taken(other.single_class_id)]).toEqual([9, 0, 1])
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.status).toBe('Cancelada')
    expect(await codeOf(s.as(ana).bookings.move({ class_reservation_id: id, single_class_id: other.single_class_id }))).toBe(
      'RESERVATION_CANCELLED',
    )
  })

  test('the guest moves too, with spots where there is a map; also to an overlapping class', async () => {
    await s.change({ allow_class_guests: true })
    const ana = await s.make.buyer()
    const { id } = await reserved(ana, {}, { guest: 'Jimena' })
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
    const { cls, id } = await reserved(ana)
    const { single_class_id } = await to(id)
    expect(await codeOf(s.as(ana).bookings.move({ class_reservation_id: id, single_class_id }))).toBe(expected)
    expect([await s.balance(ana), await taken(cls.single_class_id)]).toEqual([9, 1])
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.status).toBe('Próxima')
  })

  test('is refused late, and does not count as a cancellation', async () => {
    await s.change({ cancel_timeframe_value: 12, allow_cancel_after_treshold: true, undo_minutes: 0, max_cancels_per_available_class: 1 })
    const ana = await s.make.buyer()
    const { id } = await reserved(ana)
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
    const one = await reserved(ana, { capacity: 2, starts_at: new Date('2026-11-24T16:00:00Z') })
    const two = await reserved(eva, { capacity: 2, starts_at: new Date('2026-11-25T16:00:00Z') })
    for (let round = 0; round < 5; round++) {
      const reservations = await s.sql<{ id: number; customer_id: number; single_class_id: number }>(
        `select class_reservation_id as id, customer_id, single_class_id from class_reservation where "deletedAt" is null and customer_id = any($1)`,
        [[ana.customer_id, eva.customer_id]],
      )
      const swap = (person: Person) => {
        const mine = reservations.find((reservation) => reservation.customer_id === person.customer_id)
        const to = mine?.single_class_id === one.cls.single_class_id ? two.cls.single_class_id : one.cls.single_class_id
        return s.as(person).bookings.move({ class_reservation_id: mine?.id ?? 0, single_class_id: to })
      }
      await Promise.all([swap(ana), swap(eva)])
    }
    expect([await taken(one.cls.single_class_id), await taken(two.cls.single_class_id)]).toEqual([1, 1])
  })
})

describe('booking every week (R19)', () => {
  /** The same class on some Tuesdays at 7:00 in Tijuana, over the night in which its clocks go forward. */
  async function tuesdays(days: readonly string[], capacity = 5) {
    const reservation = await s.make.location({ timezone: 'America/Tijuana' })
    const type = await s.make.classType()
    const classes = []
    for (const day of days) {
      const offset = day < '2027-03-14' ? '-08:00' : '-07:00'
      const starts_at = new Date(`${day}T07:00:00${offset}`)
      classes.push(await s.make.class({ starts_at, capacity, location_id: reservation.location_id, class_type_id: type.class_type_id }))
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

  test('with the requested spot, or another free one', async () => {
    const type = await s.make.classType()
    const reservation = await s.make.location()
    const at = (day: string) =>
      s.make.class({
        starts_at: new Date(`${day}T16:00:00Z`),
        spot_map: '2',
        capacity: 2,
        class_type_id: type.class_type_id,
        location_id: reservation.location_id,
      })
    const [one, two] = [await at('2026-11-24'), await at('2026-12-01')]
    await s.as(await s.make.buyer()).bookings.reserve({ single_class_id: two.single_class_id, spot: '1-2' })
    const ana = await s.make.buyer()
    const done = await s.as(ana).bookings.repeat({ single_class_id: one.single_class_id, weeks: 2, spot: '1-2' })
    expect(done.booked).toBe(2)
    const spots = (await s.as(ana).bookings.list({})).class_reservations.map((row) => row.spot)
    expect(spots).toEqual(['1-1', '1-2'])
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
      ...['booked', 'CLASS_NOT_OPEN', 'no_class', 'CLASS_NOT_OPEN'],
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

  test('CLASS_NOT_FOUND for an unknown class, and at most half a year', async () => {
    const ana = await s.make.buyer()
    expect(await codeOf(s.as(ana).bookings.repeat({ single_class_id: 2_000_000_000, weeks: 2 }))).toBe('CLASS_NOT_FOUND')
    const cls = await s.make.class()
    expect(await codeOf(s.as(ana).bookings.repeat({ single_class_id: cls.single_class_id, weeks: 27 }))).toBe('INVALID_INPUT')
  })
})

test('the credit history lists movements with their classes, newest first, of this customer only', async () => {
  const ana = await s.make.buyer({ title: 'Diez clases' })
  const { id } = await reserved(ana)
  s.clock.advance({ minutes: 30 })
  await s.as(ana).bookings.cancel({ class_reservation_id: id })
  const { movements, total } = await s.as(ana).credits.movements({})
  expect(total).toBe(3)
  expect(movements).toMatchObject([
    {
      kind: 'give_back',
      amount: 1,
      title: 'Diez clases',
      class_reservation_id: id,
      class_date: '2026-11-20T10:00:00.000Z',
      class_type: expect.stringMatching(/^Reformer/),
    },
    { kind: 'spend', amount: -1, class_reservation_id: id },
    { kind: 'grant', amount: 10, class_reservation_id: null, class_type: null },
  ])
  const eva = await s.make.buyer()
  expect((await s.as(eva).credits.movements({})).total).toBe(1)
  expect(await codeOf(s.as(eva).credits.movements({ available_class_id: movements[0]?.available_class_id ?? 0 }))).toBe('CREDIT_NOT_FOUND')
})

test('all counters match the rows', async () => {
  expect(await broken(s)).toEqual({})
})
