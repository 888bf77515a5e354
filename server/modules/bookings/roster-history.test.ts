import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let manager: Person
let owner: Person
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())
beforeEach(() => s.reset({ waitlist_enabled: true }))

test('a roster lists cancelled reservations on request: when, by whom and why (A9)', async () => {
  const cls = await s.make.class({ capacity: 5 })
  const { single_class_id } = cls
  const [ana, eva, leo] = [await s.make.buyer(), await s.make.buyer(), await s.make.buyer()]
  const reserve = async (person: Person) =>
    (await s.as(person).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id
  const [stays, byStaff, byCustomer] = [await reserve(ana), await reserve(eva), await reserve(leo)]
  await s.as(manager).attendance.cancel({ class_reservation_id: byStaff, reason: 'Llamó por teléfono', credit: 'return' })
  s.clock.advance({ minutes: 30 })
  await s.as(leo).bookings.cancel({ class_reservation_id: byCustomer })
  const plain = await s.as(manager).attendance.roster({ single_class_id })
  expect(plain.class_reservations.map((classReservation) => classReservation.class_reservation_id)).toEqual([stays])
  const { class_reservations } = await s.as(manager).attendance.roster({ single_class_id, with: 'cancelled' })
  expect(class_reservations.map((classReservation) => classReservation.class_reservation_id)).toEqual([stays, byStaff, byCustomer])
  const [name] = await s.sql<{ name: string }>('select name from staff where uid = $1', [manager.uid])
  expect(class_reservations.map((classReservation) => classReservation.cancelled)).toEqual([
    null,
    { at: '2026-11-19T16:00:00.000Z', by: 'staff', late: false, who: name?.name, reason: 'Llamó por teléfono' },
    { at: '2026-11-19T16:30:00.000Z', by: 'customer', late: false, who: null, reason: null },
  ])
})

test('a class that never had a booking is deleted with its empty series; one with history is not (B9)', async () => {
  const single_class_ids: number[] = []
  const type = await s.make.classType()
  const location = await s.make.location()
  const seriesAnswer = await s.as(manager).schedule.create({
    class_type_id: type.class_type_id,
    location_id: location.location_id,
    class_date: '2026-11-23T18:00:00.000Z',
    instructor_ids: [],
    capacity: 4,
    repeat_until: '2026-11-30',
  })
  single_class_ids.push(...seriesAnswer.single_class_ids)
  expect(single_class_ids).toHaveLength(2)
  const [first = 0, second = 0] = single_class_ids
  const onCalendar = async () => {
    const { days } = await s.as(null).schedule.week({ start_date: '2026-11-23', end_date: '2026-11-30' })
    return days.flatMap((day) => day.classes.map((cls) => cls.single_class_id))
  }
  expect(await onCalendar()).toEqual(expect.arrayContaining(single_class_ids))
  await s.as(manager).schedule.erase({ single_class_id: first })
  await expect.poll(onCalendar).not.toContain(first)
  expect((await refusalOf(s.as(manager).schedule.erase({ single_class_id: first }))).code).toBe('CLASS_NOT_FOUND')
  const series = () => s.sql('select 1 from class_series where class_series_id = $1', [seriesAnswer.class_series_id])
  expect(await series()).toHaveLength(1)

  const ana = await s.make.buyer()
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: second })
  await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
  expect((await refusalOf(s.as(manager).schedule.erase({ single_class_id: second }))).code).toBe('CLASS_HAS_HISTORY')
  expect(await onCalendar()).toContain(second)

  const full = await s.make.class({ capacity: 0 })
  await s.as(ana).waitlist.join({ single_class_id: full.single_class_id })
  expect((await refusalOf(s.as(manager).schedule.erase({ single_class_id: full.single_class_id }))).code).toBe('CLASS_HAS_HISTORY')

  const alone = await s.as(manager).schedule.create({
    class_type_id: type.class_type_id,
    location_id: location.location_id,
    class_date: '2026-11-25T18:00:00.000Z',
    instructor_ids: [],
    capacity: 4,
    repeat_until: '2026-11-26',
  })
  await s.as(manager).schedule.erase({ single_class_id: alone.single_class_ids[0] ?? 0 })
  expect(await s.sql('select 1 from class_series where class_series_id = $1', [alone.class_series_id ?? -1])).toHaveLength(0)
  const [trail] = await s.sql<{ action: string }>("select action from audit where entity = 'single_class' order by audit_id desc limit 1")
  expect(trail).toEqual({ action: 'class.erase' })
})

test('of a booking and a concurrent deletion of its class one succeeds completely', async () => {
  for (let round = 0; round < 12; round++) {
    const { single_class_id } = await s.make.class({ capacity: 2 })
    const ana = await s.make.buyer()
    const [booked, erased] = await Promise.allSettled([
      s.as(ana).bookings.reserve({ single_class_id }),
      s.as(manager).schedule.erase({ single_class_id }),
    ])
    expect([booked.status, erased.status].sort()).toEqual(['fulfilled', 'rejected'])
    const rows = await s.sql('select 1 from single_class where single_class_id = $1', [single_class_id])
    expect(rows).toHaveLength(booked.status === 'fulfilled' ? 1 : 0)
  }
})

test('IN_USE names the uses with counts (K8, K11)', async () => {
  const coach = await s.make.instructor()
  const cls = await s.make.class({ instructor_id: coach.instructor_id })
  await s.make.class({ instructor_id: coach.instructor_id, location_id: cls.location_id, class_type_id: cls.class_type_id })
  const uses = async (removing: Promise<unknown>) => (await refusalOf(removing)).data
  const admin = s.as(owner).catalogue.admin
  expect(await uses(admin.instructors.remove({ instructor_id: coach.instructor_id }))).toEqual({
    uses: [{ kind: 'single_class', count: 2 }],
  })
  expect(await uses(admin.locations.remove({ location_id: cls.location_id }))).toEqual({ uses: [{ kind: 'single_class', count: 2 }] })
  expect(await uses(admin.classTypes.remove({ class_type_id: cls.class_type_id }))).toEqual({ uses: [{ kind: 'single_class', count: 2 }] })
  const classPackage = await s.make.package()
  await s.change({ signup_fee: classPackage.class_package_id })
  expect(await uses(s.as(owner).studioPackages.remove({ class_package_id: classPackage.class_package_id }))).toEqual({
    uses: [{ kind: 'signup_fee', count: 1 }],
  })
})

test('the calendar gives only staff the day’s figures, in one query (H3)', async () => {
  await s.change({ drop_in_price: '200.00', waitlist_mode: 'oferta' })
  const coach = await s.make.staff('coach')
  const mine = await s.make.instructor()
  await s.sql('update staff set instructor_id = $1 where uid = $2', [mine.instructor_id, coach.uid])
  const day = { start_date: '2026-11-20', end_date: '2026-11-20' }
  const at = (hour: number) => new Date(`2026-11-20T${hour}:00:00-06:00`)
  const full = await s.make.class({ capacity: 3, starts_at: at(10) })
  const off = await s.make.class({ capacity: 3, starts_at: at(12) })
  await s.sql('insert into class_instructor (single_class_id, instructor_id) values ($1, $2)', [full.single_class_id, mine.instructor_id])
  const { single_class_id } = full
  const [ana, eva, leo, zoe] = [await s.make.buyer(), await s.make.buyer(), await s.make.buyer(), await s.make.buyer()]
  const reservation = (await s.as(ana).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id
  const away = (await s.as(eva).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id
  await s.as(manager).attendance.reserve({ customer_id: (await s.make.customer()).customer_id, single_class_id, is_cash: true })
  for (const person of [leo, zoe]) await s.as(person).waitlist.join({ single_class_id })
  await s.as(eva).bookings.cancel({ class_reservation_id: away })
  await s.as(manager).schedule.cancel({ single_class_id: off.single_class_id, reason: 'Se fue la luz' })
  s.clock.set(at(10))
  await s.as(manager).attendance.mark({ class_reservation_id: reservation, attend: true })

  const read = async (person: Person | null) => {
    const classes = (await s.as(person).schedule.week(day)).days.flatMap((day) => day.classes)
    return [full, off].map((cls) => classes.find((candidate) => candidate.single_class_id === cls.single_class_id)?.figures)
  }
  const [today, cancelled] = await read(manager)
  expect(today).toEqual({
    held: 1,
    waiting: 2,
    attended: 1,
    absent: 0,
    unpaid: 1,
    owed: '200.00',
    cancelled: false,
    cancel_reason: null,
    low_attendance: false,
  })
  // Two of three places are taken.
  await s.having({ low_attendance_percent: 70 }, async () => expect((await read(manager))[0]?.low_attendance).toBe(true))
  expect(cancelled).toMatchObject({ cancelled: true, cancel_reason: 'Se fue la luz', attended: 0, unpaid: 0, owed: '0.00' })
  expect((await s.as(manager).schedule.one({ single_class_id })).single_class.figures).toEqual(today)
  expect(await read(coach)).toEqual([{ ...today, owed: null }, undefined])
  expect([await read(ana), await read(null)]).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])

  // The number of queries does not depend on the number of classes: the staff's view needs one more than the public one.
  for (let hour = 13; hour < 20; hour++) await s.make.class({ starts_at: at(hour) })
  const { pool } = s.studio.db
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const counted: string[] = []
  pool.query = ((...args: unknown[]) => {
    const [statement] = args as [string | { text: string }]
    counted.push(typeof statement === 'string' ? statement : statement.text)
    return query(...args)
  }) as typeof pool.query
  await read(manager)
  pool.query = query as typeof pool.query
  expect(counted.filter((text) => text.includes('waitlist'))).toHaveLength(1)
})
