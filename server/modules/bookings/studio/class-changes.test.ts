import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.reset({ allow_class_guests: true, waitlist_enabled: true }))

const messagesOf = (person: Person, event: string) =>
  s.sql<{ words: { lines: string[]; notes: string[]; blanks: string[] } }>(
    `select words from message where customer_id = $1 and event = $2 and channel = 'app' order by message_id`,
    [person.customer_id, event],
  )
const row = async (single_class_id: number) =>
  (
    await s.sql<{ taken: number; held: number; capacity: number }>(
      'select taken, held, capacity from single_class where single_class_id = $1',
      [single_class_id],
    )
  )[0]
const staff = () => s.as(manager).schedule

describe('the studio cancels a class (B1 to B4)', () => {
  test('reservations, credits, waitlist and messages in one transaction', async () => {
    const coach = await s.make.instructor({ name: 'Renata' })
    const teacher = await s.make.staff('coach', { instructor_id: coach.instructor_id })
    const type = await s.make.classType({ name: 'Reformer Flow' })
    const cls = await s.make.class({ capacity: 3, instructor_id: coach.instructor_id, class_type_id: type.class_type_id })
    const { single_class_id } = cls
    const [ana, leo, eva] = [await s.make.buyer(), await s.make.customer(), await s.make.buyer()]
    await s.make.lot(leo, { unlimited: true })
    await s.as(ana).bookings.reserve({ single_class_id, guest: 'Jimena' })
    await s.as(leo).bookings.reserve({ single_class_id })
    const { waitlist } = await s.as(eva).waitlist.join({ single_class_id })
    const others: { single_class_id: number }[] = []
    for (const hours of [3, 26, 50, 74])
      others.push(
        await s.make.class({
          class_type_id: type.class_type_id,
          location_id: cls.location_id,
          starts_at: new Date(cls.starts_at.getTime() + hours * 3_600_000),
        }),
      )
    await s.make.class({ class_type_id: type.class_type_id, capacity: 0, starts_at: new Date(cls.starts_at.getTime() + 3_600_000) })
    // Leo has his own plans for one of these hours.
    await s.as(leo).bookings.reserve({ single_class_id: others[1]?.single_class_id ?? 0 })

    const done = await staff().cancel({ single_class_id, reason: 'La coach está enferma' })
    expect(done).toMatchObject({
      released: 3,
      told: 3,
      undo_until: '2026-11-19T16:10:00.000Z',
      single_class: { state: 'cancelled', places_left: 3 },
    })
    expect([await s.balance(ana), await row(single_class_id)]).toEqual([10, { taken: 0, held: 0, capacity: 3 }])
    expect((await s.as(eva).waitlist.one({ waitlist_id: waitlist.waitlist_id })).waitlist.status).toBe('closed')
    expect((await s.as(ana).bookings.list({})).class_reservations).toMatchObject([{ status: 'Cancelada', guest: 'Jimena' }])
    expect((await s.as(eva).bookings.alternatives({ single_class_id })).classes.map((cls) => cls.single_class_id)).toEqual(
      others.slice(0, 3).map((cls) => cls.single_class_id),
    )
    const forLeo = (await s.as(leo).bookings.alternatives({ single_class_id })).classes
    expect(forLeo.map((cls) => cls.single_class_id)).toEqual([0, 2, 3].map((n) => others[n]?.single_class_id))
    await doJobs(s)
    await doJobs(s)
    const [mine] = await messagesOf(ana, 'class_cancelled')
    expect(mine?.words.lines.slice(1, 4)).toEqual([
      'La coach está enferma',
      'Tu crédito regresó y puedes usarlo hasta el 18 ene 2027.',
      'Otras clases con lugar:',
    ])
    expect(mine?.words.lines).toHaveLength(7)
    const offered = async (person: Person) => (await messagesOf(person, 'class_cancelled'))[0]?.words.lines.slice(-3)
    expect((await messagesOf(leo, 'class_cancelled'))[0]?.words.lines).toContain('No se te cobró nada.')
    expect((await offered(leo))?.[0]).toEqual((await offered(ana))?.[0])
    expect((await offered(leo))?.[1]).toEqual((await offered(ana))?.[2])
    expect((await messagesOf(eva, 'class_cancelled'))[0]?.words.lines).toContain('Ya no hay lista de espera para esta clase.')
    for (const person of [ana, leo, eva]) expect(await messagesOf(person, 'class_cancelled')).toHaveLength(1)
    expect(await s.sql('select subject from mail_outbox where "to" = $1', [teacher.email])).toEqual([
      { subject: expect.stringContaining('Se canceló Reformer Flow') },
    ])
    expect(
      await s.sql(`select actor, reason from audit where action = 'class.cancel' and entity_id = $1`, [String(single_class_id)]),
    ).toEqual([{ actor: 'staff:manager', reason: 'La coach está enferma' }])
    expect(await codeOf(staff().cancel({ single_class_id }))).toBe('CLASS_CANCELLED')
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id }))).toBe('CLASS_CANCELLED')
  })

  test('returned credits are valid at least seven more days (settled 19), also in an expired lot (B2, C15)', async () => {
    const soon = await s.make.buyer({ expires_at: new Date('2026-11-21T05:59:59Z') })
    const late = await s.make.buyer({ expires_at: new Date('2027-03-01T05:59:59Z') })
    const cls = await s.make.class({ starts_at: new Date('2026-11-20T22:00:00Z') })
    for (const person of [soon, late]) await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
    await staff().cancel({ single_class_id: cls.single_class_id })
    expect((await s.as(soon).credits.list()).available_classes).toMatchObject([
      { available_classes: 10, expiration_date: '2026-11-26T23:59:59.000Z' },
    ])
    expect((await s.as(late).credits.list()).available_classes).toMatchObject([{ expiration_date: '2027-02-28T23:59:59.000Z' }])
    expect((await s.as(soon).credits.movements({})).movements.map((movement) => movement.kind)).toEqual([
      'give_back',
      'extend',
      'spend',
      'grant',
    ])
  })

  test('cancelling a class is refused when it began or does not exist, and to coaches, reception and customers', async () => {
    const cls = await s.make.class({ starts_at: new Date(s.clock.now().getTime() - 60_000) })
    expect(await codeOf(staff().cancel({ single_class_id: cls.single_class_id }))).toBe('CLASS_STARTED')
    expect(await codeOf(staff().cancel({ single_class_id: 2_000_000_000 }))).toBe('CLASS_NOT_FOUND')
    for (const person of [await s.make.buyer(), await s.make.staff('coach'), await s.make.staff('reception')])
      expect(await codeOf(s.as(person).schedule.cancel({ single_class_id: cls.single_class_id }))).toBe('FORBIDDEN')
  })
})

describe('undoing a cancellation (B5)', () => {
  test('undoing within ten minutes restores spots, guests, credits and waitlist, and notifies all again', async () => {
    const cls = await s.make.class({ capacity: 2, spot_map: '2' })
    const { single_class_id } = cls
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    await s.as(ana).bookings.reserve({ single_class_id, spot: '1-2', guest: 'Jimena', guest_spot: '1-1' })
    const { waitlist } = await s.as(eva).waitlist.join({ single_class_id })
    await staff().cancel({ single_class_id })
    await doJobs(s)
    s.clock.advance({ minutes: 10 })
    const done = await staff().restore({ single_class_id })
    expect(done).toMatchObject({ restored: 1, lost: [], single_class: { state: 'full' } })
    expect([await s.balance(ana), await row(single_class_id)]).toEqual([8, { taken: 2, held: 0, capacity: 2 }])
    const [mine] = (await s.as(ana).bookings.list({ filter: 'upcoming' })).class_reservations
    expect(mine).toMatchObject({ spot: '1-2', guest: 'Jimena', guest_spot: '1-1', paid_with: 'Diez' })
    expect((await s.as(eva).waitlist.one({ waitlist_id: waitlist.waitlist_id })).waitlist).toMatchObject({ status: 'waiting' })
    await doJobs(s)
    expect((await messagesOf(ana, 'class_restored'))[0]?.words.lines).toContain('Tu lugar es tuyo otra vez, con el mismo crédito.')
    expect((await messagesOf(eva, 'class_restored'))[0]?.words.lines).toContain('Sigues en la lista de espera.')
    expect(await codeOf(staff().restore({ single_class_id }))).toBe('UNDO_TOO_LATE')
  })

  test('undoing a cancellation is refused later; customers who spent the credit or booked another class are reported with the reason', async () => {
    const cls = await s.make.class()
    const { single_class_id } = cls
    const [ana, leo, zoe] = [await s.make.buyer({ granted: 1 }), await s.make.buyer(), await s.make.buyer()]
    for (const person of [ana, leo, zoe]) await s.as(person).bookings.reserve({ single_class_id })
    await staff().cancel({ single_class_id })
    await s
      .as(ana)
      .bookings.reserve({ single_class_id: (await s.make.class({ starts_at: new Date('2026-11-28T16:00:00Z') })).single_class_id })
    await s.as(leo).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
    const done = await staff().restore({ single_class_id })
    expect(done.restored).toBe(1)
    expect(done.lost.map((customer) => [customer.customer_id, customer.why_not.code])).toEqual([
      [ana.customer_id, 'NO_CREDITS'],
      [leo.customer_id, 'OVERLAPPING_RESERVATION'],
    ])
    await doJobs(s)
    expect((await messagesOf(ana, 'class_restored'))[0]?.words.lines).toContain('Tu lugar no se pudo recuperar; tu crédito sigue contigo.')
    const other = await s.make.class()
    await staff().cancel({ single_class_id: other.single_class_id })
    s.clock.advance({ minutes: 10, seconds: 1 })
    expect(await codeOf(staff().restore({ single_class_id: other.single_class_id }))).toBe('UNDO_TOO_LATE')
  })

  test('repeated cancelling and restoring loses nothing', async () => {
    const cls = await s.make.class()
    const ana = await s.make.buyer()
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Jimena' })
    for (let n = 0; n < 4; n++) {
      await staff().cancel({ single_class_id: cls.single_class_id })
      expect(await s.balance(ana)).toBe(10)
      s.clock.advance({ minutes: 1 })
      await staff().restore({ single_class_id: cls.single_class_id })
      expect(await s.balance(ana)).toBe(8)
    }
  })

  test('two cancellations in one millisecond with a new customer in between restore no more than fit', async () => {
    const { single_class_id } = await s.make.class({ capacity: 1, spot_map: '1' })
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    await s.as(ana).bookings.reserve({ single_class_id, spot: '1-1' })
    await staff().cancel({ single_class_id })
    await staff().restore({ single_class_id })
    const [mine] = (await s.as(ana).bookings.list({ filter: 'upcoming' })).class_reservations
    await s.as(ana).bookings.cancel({ class_reservation_id: mine?.class_reservation_id ?? 0 })
    await s.as(eva).bookings.reserve({ single_class_id, spot: '1-1' })
    await staff().cancel({ single_class_id })
    const done = await staff().restore({ single_class_id })
    expect([done.restored, done.lost.map((customer) => customer.why_not.code)]).toEqual([1, ['SPOT_TAKEN']])
    expect([await s.balance(ana), await s.balance(eva)].sort()).toEqual([10, 9])
    expect(await row(single_class_id)).toEqual({ taken: 1, held: 0, capacity: 1 })
  })

  test('of five concurrent cancellations of a class one succeeds, and of five restorations', async () => {
    const cls = await s.make.class()
    const ana = await s.make.buyer()
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    const input = { single_class_id: cls.single_class_id }
    const cancels = await Promise.allSettled(Array.from({ length: 5 }, () => staff().cancel(input)))
    expect(cancels.filter((cancel) => cancel.status === 'fulfilled')).toHaveLength(1)
    const restores = await Promise.allSettled(Array.from({ length: 5 }, () => staff().restore(input)))
    expect(restores.filter((restore) => restore.status === 'fulfilled')).toHaveLength(1)
    expect(await s.balance(ana)).toBe(9)
  })
})

describe('changes of a class (B6 to B8)', () => {
  test('a change of hour and location notifies all of old and new, reminds again, and allows free cancellation (B7)', async () => {
    await s.change({ allow_cancel_reservations: false, undo_minutes: 0 })
    const cls = await s.make.class({ capacity: 1 })
    const { single_class_id } = cls
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id })
    await s.as(eva).waitlist.join({ single_class_id })
    expect(class_reservation.actions.cancel).toBeNull()
    const north = await s.make.location({ name: 'Norte', timezone: 'America/Tijuana' })
    s.clock.advance({ minutes: 30 })
    const done = await staff().update({ single_class_id, class_date: '2026-11-20T12:30:00.000Z', location_id: north.location_id })
    expect(done).toMatchObject({
      told: 2,
      single_class: { class_date: '2026-11-20T12:30:00.000Z', starts_at: '2026-11-20T20:30:00.000Z', duration_minutes: 50 },
    })
    await doJobs(s)
    const [mine] = await messagesOf(ana, 'class_changed')
    expect(mine?.words.lines.join(' ')).toMatch(/Antes: .*10:00.*Ahora: .*12:30.*Nueva hora.*Nuevo lugar: Norte\./)
    expect(mine?.words.notes).toEqual(['Si ya no te acomoda, puedes cancelar sin perder tu crédito hasta que comience.'])
    expect((await messagesOf(eva, 'class_changed'))[0]?.words.notes).toEqual([])
    const id = { class_reservation_id: class_reservation.class_reservation_id }
    expect((await s.as(ana).bookings.one(id)).class_reservation.actions.cancel).toBe('free')
    expect((await s.as(ana).bookings.cancel(id)).credit).toBe('returned')
    const late = await s.as(eva).bookings.reserve({ single_class_id })
    expect(late.class_reservation.actions.cancel).toBeNull()
  })

  test('another location keeps the local hour, which is another instant in another zone (H9)', async () => {
    const [cls, north] = [await s.make.class(), await s.make.location({ timezone: 'America/Tijuana' })]
    const { single_class } = await staff().update({ single_class_id: cls.single_class_id, location_id: north.location_id })
    expect(cls.starts_at.toISOString()).toBe('2026-11-20T16:00:00.000Z')
    expect(single_class).toMatchObject({ class_date: '2026-11-20T10:00:00.000Z', starts_at: '2026-11-20T18:00:00.000Z' })
  })

  test('another coach is notified, and allows no free cancellation', async () => {
    const cls = await s.make.class()
    const { single_class_id } = cls
    const ana = await s.make.buyer()
    await s.as(ana).bookings.reserve({ single_class_id })
    await s.change({ allow_cancel_reservations: false, undo_minutes: 0 })
    const tomas = await s.make.instructor({ name: 'Tomás' })
    expect((await staff().update({ single_class_id, instructor_ids: [tomas.instructor_id] })).told).toBe(1)
    expect((await staff().update({ single_class_id, instructor_ids: [tomas.instructor_id], description: 'Trae calcetines' })).told).toBe(0)
    await doJobs(s)
    expect((await messagesOf(ana, 'class_changed')).map((message) => message.words.lines.at(-1))).toEqual(['Ahora da la clase Tomás.'])
    expect((await s.as(ana).bookings.list({})).class_reservations[0]?.actions.cancel).toBeNull()
  })

  test.each<[string, object, (person: Person) => Promise<number>]>([
    [
      'CAPACITY_BELOW_TAKEN',
      { capacity: 1 },
      async (person) => {
        const cls = await s.make.class({ capacity: 4 })
        await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Jimena' })
        return cls.single_class_id
      },
    ],
    [
      'CAPACITY_BELOW_TAKEN',
      { capacity: null },
      async (person) => {
        const cls = await s.make.class()
        await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
        return cls.single_class_id
      },
    ],
    [
      'SPOTS_IN_USE',
      { closed_spots: ['1-2'] },
      async (person) => {
        const cls = await s.make.class({ spot_map: '3' })
        await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-2' })
        return cls.single_class_id
      },
    ],
    [
      'SPOTS_IN_USE',
      { spot_map: '1,5' },
      async (person) => {
        const cls = await s.make.class({ spot_map: '3' })
        await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-2' })
        return cls.single_class_id
      },
    ],
    ['INVALID_INPUT', { closed_spots: ['9-9'] }, async () => (await s.make.class({ spot_map: '3' })).single_class_id],
    ['INVALID_INPUT', { class_date: '2026-11-18T10:00:00.000Z' }, async () => (await s.make.class()).single_class_id],
    ['NOT_FOUND', { location_id: 2_000_000_000 }, async () => (await s.make.class()).single_class_id],
    ['NOT_FOUND', { instructor_ids: [2_000_000_000] }, async () => (await s.make.class()).single_class_id],
    ['CLASS_NOT_FOUND', { capacity: 3 }, async () => 2_000_000_000],
    ['CLASS_CANCELLED', { capacity: 3 }, async () => (await s.make.class({ cancelledAt: s.clock.now() })).single_class_id],
    ['CLASS_STARTED', { capacity: 3 }, async () => (await s.make.class({ starts_at: s.clock.now() })).single_class_id],
  ])('%s for %j: nothing changes (B6)', async (expected, input, make) => {
    const single_class_id = await make(await s.make.buyer())
    const before = await s.sql('select * from single_class where single_class_id = $1', [single_class_id])
    expect(await codeOf(staff().update({ single_class_id, ...input }))).toBe(expected)
    expect(await s.sql('select * from single_class where single_class_id = $1', [single_class_id])).toEqual(before)
  })

  test('a new map gives every reservation a spot; removing the map cancels none (B8)', async () => {
    const cls = await s.make.class({ capacity: 3 })
    const { single_class_id } = cls
    const ana = await s.make.buyer()
    await s.as(ana).bookings.reserve({ single_class_id, guest: 'Jimena' })
    await staff().update({ single_class_id, spot_map: '1,2', closed_spots: ['1-1'] })
    expect((await s.as(ana).bookings.list({})).class_reservations).toMatchObject([{ spot: '2-1', guest_spot: '2-2' }])
    await staff().update({ single_class_id, spot_map: null })
    expect((await s.as(ana).bookings.list({})).class_reservations).toMatchObject([{ spot: null, guest_spot: null, deletedAt: null }])
  })
})

describe('creating classes (H8)', () => {
  async function change(more: object = {}) {
    const [type, location, coach] = [
      await s.make.classType({ duration_minutes: 45, spot_map: '3,4' }),
      await s.make.location({ timezone: 'America/Tijuana' }),
      await s.make.instructor(),
    ]
    return {
      class_type_id: type.class_type_id,
      location_id: location.location_id,
      class_date: '2027-03-02T07:00:00.000Z',
      capacity: 6,
      instructor_ids: [coach.instructor_id],
      ...more,
    }
  }

  test('one class at the local hour of its location, with its type’s defaults', async () => {
    const { single_class_ids, class_series_id } = await staff().create(await change({ description: 'Trae agua' }))
    expect([single_class_ids.length, class_series_id]).toEqual([1, null])
    const { single_class } = await s.as(null).schedule.one({ single_class_id: single_class_ids[0] ?? 0 })
    expect(single_class).toMatchObject({
      class_date: '2027-03-02T07:00:00.000Z',
      starts_at: '2027-03-02T15:00:00.000Z',
      duration_minutes: 45,
      spot_map: '3,4',
      description: 'Trae agua',
      capacity: 6,
    })
    expect(single_class.class_instructors).toHaveLength(1)
    const week = await s.as(null).schedule.week({ start_date: '2027-03-01' })
    expect(week.days.flatMap((day) => day.classes).map((cls) => cls.single_class_id)).toEqual(single_class_ids)
  })

  test('every week until a day: the same local hour, also across DST changes', async () => {
    const { single_class_ids, class_series_id } = await staff().create(await change({ repeat_until: '2027-03-30' }))
    expect(class_series_id).toBeGreaterThan(0)
    const rows = await s.sql<{ starts_at: Date; capacity: number }>(
      'select starts_at, capacity from single_class where single_class_id = any($1) order by starts_at',
      [single_class_ids],
    )
    expect(rows.map((cls) => cls.starts_at.toISOString())).toEqual([
      '2027-03-02T15:00:00.000Z',
      '2027-03-09T15:00:00.000Z',
      '2027-03-16T14:00:00.000Z',
      '2027-03-23T14:00:00.000Z',
      '2027-03-30T14:00:00.000Z',
    ])
  })

  test('a repeated coach or tag is stored once', async () => {
    const it = await change()
    const instructor_ids = [...it.instructor_ids, ...it.instructor_ids]
    const [tag] = await s.sql<{ tag_id: number }>(
      `insert into tag (name, type, color) values ('Suave', 'class', '#336699') returning tag_id`,
    )
    const { single_class_ids } = await staff().create({ ...it, instructor_ids, tag_ids: [tag?.tag_id ?? 0, tag?.tag_id ?? 0] })
    const single_class_id = single_class_ids[0] ?? 0
    await staff().update({ single_class_id, instructor_ids })
    const { single_class } = await s.as(null).schedule.one({ single_class_id })
    expect([single_class.class_instructors.length, single_class.tags.length]).toEqual([1, 1])
  })

  test('a repeated request with the same key creates it once; capacity may be empty (settled 20)', async () => {
    const it = await change({ capacity: null })
    const [first, two] = [await s.as(manager, 'la-misma').schedule.create(it), await s.as(manager, 'la-misma').schedule.create(it)]
    expect(two).toEqual(first)
    expect((await s.as(null).schedule.one({ single_class_id: first.single_class_ids[0] ?? 0 })).single_class).toMatchObject({
      state: 'full',
      capacity: null,
    })
  })

  test.each([
    ['NOT_FOUND', { class_type_id: 2_000_000_000 }],
    ['NOT_FOUND', { location_id: 2_000_000_000 }],
    ['NOT_FOUND', { instructor_ids: [2_000_000_000] }],
    ['NOT_FOUND', { tag_ids: [2_000_000_000] }],
    ['NOT_FOUND', { class_package_id: 2_000_000_000 }],
    ['NOT_FOUND', { class_category_id: 2_000_000_000 }],
    ['INVALID_INPUT', { class_date: '2026-11-01T07:00:00.000Z' }],
    ['INVALID_INPUT', { class_date: 'mañana' }],
    ['INVALID_INPUT', { class_date: '9999-12-31T23:59:59.000Z' }],
    ['INVALID_INPUT', { capacity: -1 }],
    ['INVALID_INPUT', { closed_spots: ['7-7'] }],
    ['INVALID_INPUT', { repeat_until: '2027-02-30' }],
  ])('%s for %j: nothing is made', async (expected, wrong) => {
    const it = await change(wrong)
    const before = await s.sql('select count(*) from single_class')
    expect(await codeOf(staff().create(it))).toBe(expected)
    expect(await s.sql('select count(*) from single_class')).toEqual(before)
  })

  test('requires the right to change the schedule: neither coaches nor reception (E2)', async () => {
    const it = await change()
    for (const person of [await s.make.buyer(), await s.make.staff('coach'), await s.make.staff('reception')])
      expect(await codeOf(s.as(person).schedule.create(it))).toBe('FORBIDDEN')
    expect((await s.as(await s.make.staff('owner')).schedule.create(it)).single_class_ids).toHaveLength(1)
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
