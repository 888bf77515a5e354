import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let reception: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
})
afterAll(() => s.close())
beforeEach(async () => {
  await s.reset({ allow_class_guests: true, drop_in_price: '220.00', waitlist_enabled: true, waitlist_mode: 'todos' })
  reception = await s.make.staff('reception', { name: 'Lorena' })
})

const inHours = (hours: number) => new Date(s.clock.now().getTime() + hours * 3_600_000)
const desk = () => s.as(reception).frontDesk
const aClass = (hours: number, values: Parameters<TestStudio['make']['class']>[0] = {}) =>
  s.make.class({ starts_at: inHours(hours), ...values })

async function booked(single_class_id: number, more: { spot?: string; guest?: string; guest_spot?: string } = {}) {
  const person = await s.make.buyer()
  const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id, ...more })
  return { person, id: class_reservation.class_reservation_id }
}
/** The code of a refusal; null = it was done. */
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { code: string }) => error.code,
  )
const balance = async (person: Person) =>
  (await s.sql<{ n: number }>('select sum(balance)::int as n from available_class where customer_id = $1', [person.customer_id]))[0]?.n

describe('spots and guests, changed by staff (Q3)', () => {
  test('another spot until the class ends, also after it began; a taken or unknown spot is refused', async () => {
    const { single_class_id } = await aClass(1, { spot_map: '3,3', capacity: 6 })
    const ana = await booked(single_class_id, { spot: '1-1' })
    await booked(single_class_id, { spot: '1-2' })
    s.clock.advance({ hours: 1.2 })
    const { class_reservation } = await desk().change({ class_reservation_id: ana.id, spot: '2-3' })
    expect(class_reservation.spot).toBe('2-3')
    expect(await codeOf(desk().change({ class_reservation_id: ana.id, spot: '1-2' }))).toBe('SPOT_TAKEN')
    expect(await codeOf(desk().change({ class_reservation_id: ana.id, spot: '9-9' }))).toBe('SPOT_UNKNOWN')
    s.clock.advance({ hours: 2 })
    expect(await codeOf(desk().change({ class_reservation_id: ana.id, spot: '1-1' }))).toBe('CLASS_STARTED')
    expect(await findBrokenInvariants(s)).toEqual({})
  })

  test('of two receptions that assign the same spot one succeeds, the other gets the refusal', async () => {
    const { single_class_id } = await aClass(1, { spot_map: '3,3', capacity: 6 })
    const [ana, eva] = [await booked(single_class_id, { spot: '1-1' }), await booked(single_class_id, { spot: '1-2' })]
    const other = s.as(await s.make.staff('reception')).frontDesk
    const answers = await Promise.all([
      outcome(desk().change({ class_reservation_id: ana.id, spot: '2-2' })),
      outcome(other.change({ class_reservation_id: eva.id, spot: '2-2' })),
    ])
    expect(answers).toEqual(expect.arrayContaining(['SPOT_TAKEN', null]))
    expect(await findBrokenInvariants(s)).toEqual({})
  })

  test('a guest is added with a credit, or owed beside a cash reservation, and removed alone', async () => {
    const { single_class_id } = await aClass(1)
    const ana = await booked(single_class_id)
    const before = (await balance(ana.person)) ?? 0
    expect((await desk().change({ class_reservation_id: ana.id, guest: 'Jimena' })).class_reservation.guest).toBe('Jimena')
    expect(await balance(ana.person)).toBe(before - 1)
    const removed = await desk().removeGuest({ class_reservation_id: ana.id })
    expect(removed).toMatchObject({ credit: 'returned', class_reservation: { guest: null, deletedAt: null } })
    expect(await balance(ana.person)).toBe(before)
    expect(await codeOf(desk().removeGuest({ class_reservation_id: ana.id }))).toBe('GUEST_NOT_FOUND')

    const { customer_id } = await s.make.customer()
    const cash = await s.as(reception).attendance.reserve({ customer_id, single_class_id, is_cash: true })
    const { class_reservation_id } = cash.class_reservation
    expect((await desk().change({ class_reservation_id, guest: 'Luis' })).class_reservation.owed).toBe('440.00')
    expect(await findBrokenInvariants(s)).toEqual({})
  })
})

describe('moving to another class, by staff (Q4)', () => {
  test('past the windows, with the guest and the same credit; the audit row names both classes', async () => {
    await s.reset({ allow_class_guests: true, allow_cancel_reservations: false, reservation_timeframe_hours: 48 })
    const from = await aClass(72, { spot_map: '3,3', capacity: 6 })
    const to = await aClass(5, { spot_map: '3,3', capacity: 6 })
    const ana = await booked(from.single_class_id, { spot: '2-1', guest: 'Jimena', guest_spot: '2-2' })
    const before = await balance(ana.person)
    const { class_reservation } = await desk().move({
      class_reservation_id: ana.id,
      single_class_id: to.single_class_id,
      reason: 'Lo pidió',
    })
    expect(class_reservation).toMatchObject({
      single_class_id: to.single_class_id,
      source: 'move',
      spot: '2-1',
      guest: 'Jimena',
      guest_spot: '2-2',
    })
    expect(await balance(ana.person)).toBe(before)
    const { events } = await desk().history({ single_class_id: from.single_class_id })
    expect(events.map(({ text }) => text)).toContain('Cambió a otra clase')
    expect(
      await codeOf(desk().move({ class_reservation_id: class_reservation.class_reservation_id, single_class_id: to.single_class_id })),
    ).toBe('MOVE_SAME_CLASS')
    expect(await findBrokenInvariants(s)).toEqual({})
  })

  test('of two receptions that move customers into the last spot one succeeds, the other customer stays', async () => {
    const [first, two] = [await aClass(30), await aClass(33)]
    const last = await aClass(36, { capacity: 1 })
    const [ana, eva] = [await booked(first.single_class_id), await booked(two.single_class_id)]
    const other = s.as(await s.make.staff('reception')).frontDesk
    const { single_class_id } = last
    const answers = await Promise.all([
      outcome(desk().move({ class_reservation_id: ana.id, single_class_id })),
      outcome(other.move({ class_reservation_id: eva.id, single_class_id })),
    ])
    expect(answers.filter((code) => code === 'CLASS_FULL')).toHaveLength(1)
    const still = await s.sql('select 1 from class_reservation where class_reservation_id = any($1) and "deletedAt" is null', [
      [ana.id, eva.id],
    ])
    expect(still).toHaveLength(1)
    expect(await findBrokenInvariants(s)).toEqual({})
  })
})

describe('above capacity (Q7)', () => {
  test('requires the right and a reason; capacity and audit row are written, and the customer has no spot', async () => {
    const { single_class_id } = await aClass(3, { spot_map: '1', capacity: 1 })
    await booked(single_class_id, { spot: '1-1' })
    const { customer_id } = await s.make.buyer()
    const over = { customer_id, single_class_id, over_capacity: { reason: 'Viene de otra sucursal' } }
    expect(await refusalOf(s.as(reception).attendance.reserve(over))).toMatchObject({
      code: 'FORBIDDEN',
      data: { needs: 'roster.over_capacity' },
    })
    const manager = s.as(await s.make.staff('manager'))
    expect(await codeOf(manager.attendance.reserve({ customer_id, single_class_id }))).toBe('CLASS_FULL')
    const { class_reservation } = await manager.attendance.reserve(over)
    expect(class_reservation).toMatchObject({ spot: null, source: 'staff' })
    const { single_class } = await manager.attendance.roster({ single_class_id })
    expect(single_class).toMatchObject({ capacity: 2, taken: 2, places_left: 0 })
    const { events } = await manager.frontDesk.history({ single_class_id })
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'class', text: 'Se amplió el cupo de 1 a 2', reason: 'Viene de otra sucursal' }),
    )
    expect(await findBrokenInvariants(s)).toEqual({})
  })

  test('in a class with free spots the capacity is unchanged, and a spot is still required', async () => {
    const { single_class_id } = await aClass(3, { spot_map: '2', capacity: 2 })
    const manager = s.as(await s.make.staff('manager'))
    const { customer_id } = await s.make.buyer()
    const input = { customer_id, single_class_id, over_capacity: { reason: 'Por si acaso' } }
    expect(await codeOf(manager.attendance.reserve(input))).toBe('SPOT_REQUIRED')
    await manager.attendance.reserve({ ...input, spot: '1-1' })
    expect((await manager.attendance.roster({ single_class_id })).single_class.capacity).toBe(2)
  })
})

describe('the waitlist of a class, by staff (Q5)', () => {
  test('a customer is added once and removed; promoting into a full class is refused; a free spot goes to the first promoted', async () => {
    const { single_class_id } = await aClass(40, { capacity: 1 })
    const first = await booked(single_class_id)
    const [eva, leo] = [await s.make.buyer(), await s.make.buyer()]
    const join = (person: Person) => desk().joinWaitlist({ customer_id: person.customer_id, single_class_id })
    const { waitlist_id } = await join(eva)
    expect(await join(eva)).toEqual({ waitlist_id })
    const other = await join(leo)
    expect(await codeOf(desk().promote({ waitlist_id }))).toBe('CLASS_FULL')
    expect(await codeOf(desk().joinWaitlist({ customer_id: first.person.customer_id, single_class_id }))).toBe('ALREADY_RESERVED')
    await s.as(reception).attendance.cancel({ class_reservation_id: first.id, reason: 'Se enfermó' })
    const rival = s.as(await s.make.staff('reception')).frontDesk
    const answers = await Promise.all([outcome(desk().promote({ waitlist_id })), outcome(rival.promote(other))])
    expect(answers.filter((code) => code === 'CLASS_FULL')).toHaveLength(1)
    const { waitlists } = await s.as(reception).waitlist.ofClass({ single_class_id })
    expect(waitlists).toHaveLength(1)
    const [left] = waitlists
    await desk().leaveWaitlist({ waitlist_id: left?.waitlist_id ?? 0 })
    await desk().leaveWaitlist({ waitlist_id: left?.waitlist_id ?? 0 })
    expect((await s.as(reception).waitlist.ofClass({ single_class_id })).waitlists).toEqual([])
    const { events } = await desk().history({ single_class_id })
    expect(events.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Entró a la lista de espera',
        'Pasó de la lista de espera a la clase',
        'Salió de la lista de espera',
        'Canceló',
      ]),
    )
    expect(await findBrokenInvariants(s)).toEqual({})
  })
})

describe('the history of a class (Q6, F10)', () => {
  test('lists who booked, marked and cancelled, when and by whom; coaches see nothing about money', async () => {
    const coach = await s.make.instructor()
    const { single_class_id } = await aClass(1, { instructor_id: coach.instructor_id })
    const ana = await booked(single_class_id)
    const { customer_id } = await s.make.customer()
    const cash = await s.as(reception).attendance.reserve({ customer_id, single_class_id, is_cash: true, is_paid: true })
    await s.as(reception).attendance.mark({ class_reservation_id: ana.id, attend: true })
    s.clock.advance({ minutes: 5 })
    await s.as(reception).attendance.cancel({ class_reservation_id: ana.id, reason: 'Se sintió mal', credit: 'keep' })
    const { events } = await desk().history({ single_class_id })
    expect(events[0]).toMatchObject({ kind: 'cancelled', who: 'Lorena', reason: 'Se sintió mal', text: 'Canceló, tarde' })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'marked', who: 'Lorena', text: 'Llegó' }))
    expect(events).toContainEqual(expect.objectContaining({ kind: 'booked', who: null, customer_id: ana.person.customer_id }))
    expect(events).toContainEqual(expect.objectContaining({ kind: 'booked', who: 'Lorena', customer_id }))
    expect(cash.class_reservation.is_paid).toBe(true)
    const mine = s.as(await s.make.staff('coach', { instructor_id: coach.instructor_id }))
    const seen = (await mine.frontDesk.history({ single_class_id })).events
    expect(seen.map(({ kind }) => kind)).not.toContain('paid')
    expect(seen.length).toBeGreaterThan(3)
    const other = s.as(await s.make.staff('coach', { instructor_id: (await s.make.instructor()).instructor_id }))
    expect(await codeOf(other.frontDesk.history({ single_class_id }))).toBe('NOT_YOUR_CLASS')
  })
})
