import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Settings } from '#contract/settings.ts'
import { countSpots } from '#server/testing/reservations.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

describe('cancelling a reservation', () => {
  async function reserved(creditLot: Parameters<TestStudio['make']['lot']>[1] = {}, cls: Parameters<TestStudio['make']['class']>[0] = {}) {
    const [ana, row] = await Promise.all([s.make.buyer(creditLot), s.make.class(cls)])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: row.single_class_id })
    return { ana, cls: row, id: class_reservation.class_reservation_id }
  }

  test('in time frees the spot and returns the credit (C8, R8, S2-7.65, S2-5.10)', async () => {
    const { ana, cls, id } = await reserved()
    const { class_reservation, credit } = await s.as(ana).bookings.cancel({ class_reservation_id: id })
    expect(credit).toBe('returned')
    expect(class_reservation).toMatchObject({
      status: 'Cancelada',
      deletedAt: '2026-11-19T16:00:00.000Z',
      actions: { cancel: null, access_code: false },
    })
    expect(await s.balance(ana)).toBe(10)
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 0, places: 0 })
  })

  test('a second cancellation is reported as such and returns nothing more', async () => {
    const { ana, id } = await reserved()
    await s.as(ana).bookings.cancel({ class_reservation_id: id })
    expect(await refusalOf(s.as(ana).bookings.cancel({ class_reservation_id: id }))).toMatchObject({
      code: 'RESERVATION_CANCELLED',
      status: 409,
    })
    expect(await s.balance(ana)).toBe(10)
  })

  test('the same class can be booked again after cancelling, any number of times', async () => {
    const { ana, cls, id } = await reserved()
    await s.as(ana).bookings.cancel({ class_reservation_id: id })
    for (let i = 0; i < 3; i++) {
      const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
      await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    }
    expect(await s.balance(ana)).toBe(10)
  })

  test('late, where allowed, frees the spot and forfeits the credit (R9)', async () => {
    const { ana, cls, id } = await reserved()
    await s.change({ cancel_timeframe_value: 12, cancel_timeframe_unit: 'hours', allow_cancel_after_treshold: true })
    s.clock.advance({ hours: 12, seconds: 1 })
    const shown = await s.as(ana).bookings.one({ class_reservation_id: id })
    expect(shown.class_reservation.actions.cancel).toBe('late')
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: id })).credit).toBe('kept')
    expect(await s.balance(ana)).toBe(9)
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 0, places: 0 })
  })

  test('late, where not allowed, changes nothing (R7, S2-8.05, S2-8.07)', async () => {
    const { ana, cls, id } = await reserved()
    await s.change({ cancel_timeframe_value: 12, cancel_timeframe_unit: 'hours' })
    s.clock.advance({ hours: 12, seconds: 1 })
    expect(await refusalOf(s.as(ana).bookings.cancel({ class_reservation_id: id }))).toMatchObject({
      code: 'CANCEL_TOO_LATE',
      status: 412,
      message: 'Solo puedes cancelar clases con 12 horas de anticipacion',
    })
    s.clock.advance({ seconds: -1 })
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: id })).credit).toBe('returned')
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 0, places: 0 })
  })

  test('cancelling a reservation is refused once the class began, and where cancelling is off (R7)', async () => {
    const { ana, id } = await reserved()
    await s.change({ allow_cancel_reservations: false, undo_minutes: 0 })
    expect(await refusalOf(s.as(ana).bookings.cancel({ class_reservation_id: id }))).toMatchObject({
      code: 'CANCEL_NOT_ALLOWED',
      message: 'Tus clases son transferibles y no son cancelables',
    })
    await s.change({ allow_cancel_reservations: true })
    s.clock.advance({ days: 1 })
    expect(await codeOf(s.as(ana).bookings.cancel({ class_reservation_id: id }))).toBe('CLASS_STARTED')
  })

  test('cancelling a reservation is limited per credit lot (R9, settled 25)', async () => {
    const { ana, cls, id } = await reserved()
    await s.change({ max_cancels_per_available_class: 1, undo_minutes: 0 })
    await s.as(ana).bookings.cancel({ class_reservation_id: id })
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(class_reservation).toMatchObject({ actions: { cancel: null }, why_not: { code: 'CANCEL_LIMIT' } })
    expect(await refusalOf(s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id }))).toMatchObject({
      code: 'CANCEL_LIMIT',
      message: 'Solo puedes cancelar hasta 1 vez por cada crédito de clase.',
    })
    await s.make.lot(ana, { title: 'Otro', expires_at: new Date('2026-11-22T05:59:59Z') })
    const other = await s.make.class({ starts_at: new Date('2026-11-20T20:00:00Z') })
    const fresh = await s.as(ana).bookings.reserve({ single_class_id: other.single_class_id })
    expect(fresh.class_reservation.paid_with).toBe('Otro')
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: fresh.class_reservation.class_reservation_id })).credit).toBe(
      'returned',
    )
  })

  test('with a lot that expired meanwhile grants a courtesy credit of seven days (C9, settled 19)', async () => {
    const type = await s.make.classType()
    const { ana, id } = await reserved({ granted: 1, class_type_ids: [type.class_type_id] }, { class_type_id: type.class_type_id })
    await s.sql('update available_class set expires_at = $2 where customer_id = $1', [
      ana.customer_id,
      new Date(s.clock.now().getTime() - 1000),
    ])
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: id })).credit).toBe('courtesy')
    expect((await s.as(ana).credits.list()).available_classes).toMatchObject([
      {
        title: 'Cortesía por cancelación',
        is_courtesy: true,
        available_classes: 1,
        class_type_id: type.class_type_id,
        expiration_date: '2026-11-26T23:59:59.000Z',
      },
    ])
  })

  const expire = (title: string) => s.sql(`update available_class set expires_at = $2 where title = $1`, [title, '2026-11-19T15:59:59Z'])
  test.each<[string, Partial<Settings>, Parameters<TestStudio['make']['lot']>[1][], { guest?: string }, () => Promise<unknown>, object]>([
    ['one credit', {}, [{}], {}, async () => {}, { returned: 1, courtesy: 0, kept: 0 }],
    ['two, with a guest', {}, [{}], { guest: 'Jimena' }, async () => {}, { returned: 2, courtesy: 0, kept: 0 }],
    ['none of an unlimited lot', {}, [{ unlimited: true }], { guest: 'Jimena' }, async () => {}, { returned: 0, courtesy: 0, kept: 0 }],
    [
      'one, where guests come for nothing',
      {},
      [{ guests_use_credit: false }],
      { guest: 'Jimena' },
      async () => {},
      { returned: 1, courtesy: 0, kept: 0 },
    ],
    [
      'one to its lot and one as courtesy',
      {},
      [{ granted: 1, title: 'Vencida', expires_at: new Date('2026-11-25T05:59:59Z') }, { granted: 1 }],
      { guest: 'Jimena' },
      () => expire('Vencida'),
      { returned: 1, courtesy: 1, kept: 0 },
    ],
    [
      'none when it is late',
      { cancel_timeframe_value: 2, cancel_timeframe_unit: 'days', allow_cancel_after_treshold: true },
      [{}],
      { guest: 'Jimena' },
      async () => {},
      { returned: 0, courtesy: 0, kept: 2 },
    ],
  ])(
    'what is said to come back is what comes back: %s (S2-5.10, S2-5.11)',
    async (_what, settings, creditLots, input, meanwhile, expected) => {
      await s.change({ ...settings, undo_minutes: 0, allow_class_guests: true })
      const [customer, cls] = [await s.make.customer(), await s.make.class()]
      for (const creditLot of creditLots) await s.make.lot(customer, creditLot)
      const answer = await s.as(customer).bookings.reserve({ single_class_id: cls.single_class_id, ...input })
      await meanwhile()
      const { class_reservation_id } = answer.class_reservation
      const [{ class_reservation }, list] = [
        await s.as(customer).bookings.one({ class_reservation_id }),
        await s.as(customer).bookings.list({}),
      ]
      expect(class_reservation.comes_back).toEqual(expected)
      expect(list.class_reservations[0]?.comes_back).toEqual(expected)
      await s.as(customer).bookings.cancel({ class_reservation_id })
      const [came] = await s.sql(
        `select coalesce(sum(amount) filter (where kind = 'give_back'), 0)::int as returned,
         coalesce(sum(amount) filter (where kind = 'grant' and class_reservation_id is not null), 0)::int as courtesy
       from credit_movement where customer_id = $1`,
        [customer.customer_id],
      )
      expect({ ...came, kept: (expected as { kept: number }).kept }).toEqual(expected)
      expect((await s.as(customer).bookings.one({ class_reservation_id })).class_reservation.comes_back).toBeNull()
    },
  )

  test('returns nothing for an unlimited or a revoked lot', async () => {
    const unlimited = await reserved({ unlimited: true })
    expect((await s.as(unlimited.ana).bookings.cancel({ class_reservation_id: unlimited.id })).credit).toBe('none')
    const revoked = await reserved({ granted: 1 })
    await s.sql('update available_class set "revokedAt" = now() where customer_id = $1', [revoked.ana.customer_id])
    expect((await s.as(revoked.ana).bookings.cancel({ class_reservation_id: revoked.id })).credit).toBe('none')
    expect(await s.balance(revoked.ana)).toBe(0)
  })

  test('another customer’s reservation is not found, to read, change or cancel (R15)', async () => {
    const { ana, id } = await reserved()
    const eva = await s.make.buyer()
    expect(await refusalOf(s.as(eva).bookings.one({ class_reservation_id: id }))).toMatchObject({
      code: 'RESERVATION_NOT_FOUND',
      status: 404,
    })
    expect(await codeOf(s.as(eva).bookings.cancel({ class_reservation_id: id }))).toBe('RESERVATION_NOT_FOUND')
    expect(await codeOf(s.as(eva).bookings.update({ class_reservation_id: id, spot: '1-1' }))).toBe('RESERVATION_NOT_FOUND')
    expect(await codeOf(s.as(eva).bookings.cancel({ class_reservation_id: 2_000_000_000 }))).toBe('RESERVATION_NOT_FOUND')
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.status).toBe('Próxima')
  })
})

describe('guests', () => {
  beforeEach(() => s.change({ allow_class_guests: true }))
  const creditLotOf = async (person: Person) =>
    (
      await s.sql<{ balance: number }>('select balance from available_class where customer_id = $1 order by available_class_id', [
        person.customer_id,
      ])
    ).map((creditLot) => creditLot.balance)

  test('a guest takes a spot and a credit (R6, C5, settled 21)', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer(), s.make.class({ capacity: 2, spot_map: '5' })])
    const { class_reservation } = await s
      .as(ana)
      .bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-1', guest: 'Jimena', guest_spot: '1-2' })
    expect(class_reservation).toMatchObject({ spot: '1-1', guest: 'Jimena', guest_spot: '1-2', single_class: { taken: 2, places_left: 0 } })
    expect(await s.balance(ana)).toBe(8)
    expect((await s.as(ana).bookings.list({})).total).toBe(1)
  })

  test('guests need two free spots and two credits', async () => {
    const [ana, eva] = await Promise.all([s.make.buyer(), s.make.buyer({ granted: 1 })])
    const [last, wide] = await Promise.all([s.make.class({ capacity: 1 }), s.make.class()])
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: last.single_class_id, guest: 'Jimena' }))).toBe('CLASS_FULL')
    expect(await codeOf(s.as(eva).bookings.reserve({ single_class_id: wide.single_class_id, guest: 'Jimena' }))).toBe('NO_CREDITS')
    expect(await countSpots(s, wide.single_class_id)).toEqual({ taken: 0, places: 0 })
    expect(await s.balance(eva)).toBe(1)
  })

  test('a taken guest spot rolls the whole booking back', async () => {
    const [ana, eva, cls] = await Promise.all([s.make.buyer(), s.make.buyer(), s.make.class({ spot_map: '5' })])
    await s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-2' })
    expect(
      await codeOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-1', guest: 'Jimena', guest_spot: '1-2' })),
    ).toBe('SPOT_TAKEN')
    expect(await s.balance(ana)).toBe(10)
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 1, places: 1 })
  })

  test('where guests are free, only the spot is taken', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer({ granted: 1, guests_use_credit: false }), s.make.class()])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Jimena' })
    expect(class_reservation.single_class.taken).toBe(2)
    expect((await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })).credit).toBe('returned')
    expect(await s.balance(ana)).toBe(1)
  })

  test('cancelling the host cancels the guest, and both credits return to their lots', async () => {
    const ana = await s.make.customer()
    await s.make.lot(ana, { granted: 1, expires_at: new Date('2026-11-30T05:59:59Z') })
    await s.make.lot(ana, { granted: 5 })
    const cls = await s.make.class()
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Jimena' })
    expect(await creditLotOf(ana)).toEqual([0, 4])
    const { class_reservation: cancelled } = await s
      .as(ana)
      .bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    expect(cancelled).toMatchObject({ status: 'Cancelada', guest: 'Jimena' })
    expect(await creditLotOf(ana)).toEqual([1, 5])
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 0, places: 0 })
  })

  test('a guest can be added later, at the same price and under the same rules (R14)', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer({ granted: 2 }), s.make.class({ capacity: 2 })])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(class_reservation.actions.add_guest).toBe(true)
    const { class_reservation_id } = class_reservation
    expect(await codeOf(s.as(ana).bookings.update({ class_reservation_id, guest: 'J' }))).toBe('GUEST_NAME_REQUIRED')
    const add = () => s.as(ana, 'invito-1').bookings.update({ class_reservation_id, guest: 'Jimena' })
    const { class_reservation: both } = await add()
    await add()
    expect(both).toMatchObject({ guest: 'Jimena', actions: { add_guest: false }, single_class: { places_left: 0 } })
    expect(await s.balance(ana)).toBe(0)
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 2, places: 2 })
  })

  test('a guest cannot be added to a full class, without a credit, or once it is closed', async () => {
    const [ana, eva, cls] = await Promise.all([s.make.buyer(), s.make.buyer({ granted: 1 }), s.make.class({ capacity: 2 })])
    const hers = await s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(
      await codeOf(s.as(eva).bookings.update({ class_reservation_id: hers.class_reservation.class_reservation_id, guest: 'Jimena' })),
    ).toBe('NO_CREDITS')
    const mine = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    const add = () => s.as(ana).bookings.update({ class_reservation_id: mine.class_reservation.class_reservation_id, guest: 'Jimena' })
    expect(await codeOf(add())).toBe('CLASS_FULL')
    await s.change({ reservation_timeframe_hours: 48 })
    expect(await codeOf(add())).toBe('CLASS_CLOSED')
    await s.change({ reservation_timeframe_hours: 0, allow_class_guests: false })
    expect(await codeOf(add())).toBe('GUESTS_NOT_ALLOWED')
  })

  test('names and spots can change until the class begins; host and guest can swap spots', async () => {
    const [ana, eva, cls] = await Promise.all([s.make.buyer(), s.make.buyer(), s.make.class({ spot_map: '5' })])
    await s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-5' })
    const { class_reservation } = await s
      .as(ana)
      .bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-1', guest: 'Jimena', guest_spot: '1-2' })
    const { class_reservation_id } = class_reservation
    const update = (change: object) => s.as(ana).bookings.update({ class_reservation_id, ...change })
    expect((await update({ spot: '1-2', guest_spot: '1-1' })).class_reservation).toMatchObject({ spot: '1-2', guest_spot: '1-1' })
    expect((await update({ guest: 'Ximena' })).class_reservation).toMatchObject({ guest: 'Ximena', guest_spot: '1-1' })
    expect((await update({ spot: '1-3' })).class_reservation).toMatchObject({ spot: '1-3', guest: 'Ximena' })
    expect(await codeOf(update({ spot: '1-5' }))).toBe('SPOT_TAKEN')
    expect(await codeOf(update({ guest_spot: '1-6' }))).toBe('SPOT_UNKNOWN')
    expect(await codeOf(update({ guest: '' }))).toBe('GUEST_NAME_REQUIRED')
    expect(await s.balance(ana)).toBe(8)
    s.clock.advance({ days: 1 })
    expect(await codeOf(update({ spot: '1-4' }))).toBe('CLASS_STARTED')
  })
})

describe('the customer’s reservations', () => {
  test('the customer’s reservations are filtered, the next class first and past ones last, fifty per page (R13, S2-7.62, S2-9.01, S2-9.02)', async () => {
    const ana = await s.make.buyer({ unlimited: true })
    const type = await s.make.classType()
    const [location, coach] = [await s.make.location(), await s.make.instructor()]
    const at = (hours: number) =>
      s.make.class({
        class_type_id: type.class_type_id,
        location_id: location.location_id,
        instructor_id: coach.instructor_id,
        starts_at: new Date(s.clock.now().getTime() + hours * 3_600_000),
      })
    const ids: number[] = []
    for (let hour = 1; hour <= 53; hour++)
      ids.push(
        (await s.as(ana).bookings.reserve({ single_class_id: (await at(hour)).single_class_id })).class_reservation.class_reservation_id,
      )
    await s.as(ana).bookings.cancel({ class_reservation_id: ids[52] ?? 0 })
    s.clock.advance({ hours: 2, minutes: 50 })
    const list = (filter: 'all' | 'upcoming' | 'past' | 'cancelled', page = 1) => s.as(ana).bookings.list({ filter, page })
    const all = await list('all')
    expect([all.total, all.pages, all.class_reservations.length]).toEqual([53, 2, 50])
    expect(all.class_reservations.map((classReservation) => classReservation.class_reservation_id)).toEqual(ids.slice(2, 52))
    // The cancelled reservation is of the latest class, and not to come.
    expect((await list('all', 2)).class_reservations.map((classReservation) => classReservation.class_reservation_id)).toEqual([
      ids[52],
      ids[1],
      ids[0],
    ])
    expect(await list('all', 3)).toMatchObject({ class_reservations: [], total: 53, pages: 2 })
    expect((await list('past')).class_reservations.map((classReservation) => classReservation.class_reservation_id)).toEqual([
      ids[1],
      ids[0],
    ])
    const upcoming = await list('upcoming')
    expect(upcoming.total).toBe(50)
    expect(upcoming.class_reservations.map((classReservation) => classReservation.class_reservation_id)).toEqual(ids.slice(2, 52))
    expect(
      (await list('cancelled')).class_reservations.map((classReservation) => [
        classReservation.class_reservation_id,
        classReservation.status,
      ]),
    ).toEqual([[ids[52], 'Cancelada']])
  })

  test('without any there is one empty page', async () => {
    const ana = await s.make.customer()
    expect(await s.as(ana).bookings.list({})).toMatchObject({ class_reservations: [], total: 0, pages: 1 })
  })

  test.each([[{ page: 0 }], [{ page: -1 }], [{ page: 10_001 }], [{ page: 'x' }], [{ filter: 'otra' }]])(
    '%j is refused with words',
    async (input) => {
      const ana = await s.make.customer()
      expect(await codeOf(s.as(ana).bookings.list(input as never))).toBe('INVALID_INPUT')
    },
  )
})
