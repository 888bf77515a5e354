import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

/** With settings that hold for one test. */
async function under<T>(settings: Partial<Settings>, work: () => Promise<T>): Promise<T> {
  await s.change(settings)
  try {
    return await work()
  } finally {
    await s.change(Object.fromEntries(Object.keys(settings).map((key) => [key, defaultSettings[key as keyof Settings]])))
  }
}

const dates = (answer: { days: { date: string }[] }) => answer.days.map((day) => day.date)
const ids = (answer: { days: { classes: { single_class_id: number }[] }[] }) =>
  answer.days.flatMap((day) => day.classes.map((cls) => cls.single_class_id))

describe('the week', () => {
  test('the week is by default this week, Monday to Sunday, with every day (H2, H3, S2-2.17, S2-2.18, S2-7.59)', async () => {
    const week = await s.as(null).schedule.week({})
    expect(dates(week)).toEqual(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'])
    expect(week).toMatchObject({ start_date: '2026-11-16', end_date: '2026-11-22', today: '2026-11-19' })
  })

  test('lists a class on its local day, with its local hour written as UTC (H1, settled 2, S2-9.05)', async () => {
    const [tijuana, cancun] = await Promise.all([
      s.make.location({ timezone: 'America/Tijuana' }),
      s.make.location({ timezone: 'America/Cancun' }),
    ])
    // The same instant: 23:30 on Tuesday in Tijuana, 2:30 on Wednesday in Cancún.
    const starts_at = new Date('2027-01-06T07:30:00Z')
    const [west, east] = await Promise.all([
      s.make.class({ starts_at, location_id: tijuana.location_id }),
      s.make.class({ starts_at, location_id: cancun.location_id }),
    ])
    const at = async (date: string) => (await s.as(null).schedule.week({ start_date: date, end_date: date })).days[0]?.classes ?? []
    expect(await at('2027-01-05')).toMatchObject([
      { single_class_id: west.single_class_id, class_date: '2027-01-05T23:30:00.000Z', timezone: 'America/Tijuana' },
    ])
    expect(await at('2027-01-06')).toMatchObject([
      { single_class_id: east.single_class_id, class_date: '2027-01-06T02:30:00.000Z', starts_at: '2027-01-06T07:30:00.000Z' },
    ])
    expect(await at('2027-01-07')).toEqual([])
  })

  test('filters by location, coach and type', async () => {
    const [here, there, coach, type] = await Promise.all([s.make.location(), s.make.location(), s.make.instructor(), s.make.classType()])
    const starts_at = new Date('2027-02-03T16:00:00Z')
    const cls = await s.make.class({ starts_at, location_id: here.location_id, instructor_id: coach.instructor_id })
    const two = await s.make.class({ starts_at, location_id: there.location_id, class_type_id: type.class_type_id })
    const at = async (filter: object) => ids(await s.as(null).schedule.week({ start_date: '2027-02-01', ...filter }))
    expect(await at({})).toEqual([cls.single_class_id, two.single_class_id])
    expect(await at({ location_id: here.location_id })).toEqual([cls.single_class_id])
    expect(await at({ instructor_id: coach.instructor_id })).toEqual([cls.single_class_id])
    expect(await at({ class_type_id: type.class_type_id })).toEqual([two.single_class_id])
    expect(await at({ class_type_id: type.class_type_id, location_id: here.location_id })).toEqual([])
  })

  test('a class has its coach, location, type and spots, and no customers (S2-3.07, S2-3.10)', async () => {
    const coach = await s.make.instructor({ name: 'Renata', last_name: 'Quiroz', nick_name: 'Rena', birthdate: '1994-03-17' })
    const cls = await s.make.class({
      starts_at: new Date('2027-03-03T16:00:00Z'),
      instructor_id: coach.instructor_id,
      spot_map: '5,7',
      closed_spots: ['1-1'],
      capacity: 12,
    })
    const ana = await s.make.customer({ name: 'Sofía', email: 'sofia.unica@ejemplo.mx' })
    await s.make.lot(ana, { expires_at: new Date('2027-12-31T05:59:59Z') })
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, spot: '2-7' })
    const { days } = await s.as(null).schedule.week({ start_date: '2027-03-03', end_date: '2027-03-03' })
    expect(days[0]?.classes).toMatchObject([
      {
        capacity: 12,
        taken: 1,
        places_left: 10,
        spot_map: '5,7',
        closed_spots: ['1-1'],
        class_reservations: [{ spot: '2-7' }],
        class_instructors: [{ instructor: { name: 'Renata', nick_name: 'Rena', birthdate: '--03-17' } }],
        duration_minutes: 50,
        state: 'available',
        actions: { reserve: 'sign_in' },
        mine: null,
      },
    ])
    expect(JSON.stringify(days)).not.toMatch(/Sofía|sofia\.unica|customer_id|1994/)
  })

  test('refuses invalid days with a message (H2)', async () => {
    for (const input of [
      { start_date: '2026-02-30' },
      { start_date: 'ayer' },
      { start_date: '2026-11-20', end_date: '2026-11-19' },
      { start_date: '2026-11-01', end_date: '2026-12-13' },
      { start_date: '0001-01-01' },
      { location_id: -1 },
      { location_id: 1.5 },
      { class_type_id: '99999999999' },
    ])
      expect(await refusalOf(s.as(null).schedule.week(input as never)), JSON.stringify(input)).toMatchObject({
        code: 'INVALID_INPUT',
        status: 400,
      })
  })

  test('each customer sees their own state: booked, overlapping, full, without credits (H5)', async () => {
    const starts_at = new Date('2027-04-07T16:00:00Z')
    const [mine, same, full, later] = [
      await s.make.class({ starts_at }),
      await s.make.class({ starts_at: new Date(starts_at.getTime() + 600_000) }),
      await s.make.class({ starts_at: new Date(starts_at.getTime() + 7_200_000), capacity: 1 }),
      await s.make.class({ starts_at: new Date(starts_at.getTime() + 14_400_000) }),
    ]
    const [ana, eva] = await Promise.all([s.make.customer(), s.make.customer()])
    await s.make.lot(ana, { granted: 1, expires_at: new Date('2027-12-31T05:59:59Z') })
    await s.make.lot(eva, { granted: 5, expires_at: new Date('2027-12-31T05:59:59Z') })
    await s.as(ana).bookings.reserve({ single_class_id: mine.single_class_id })
    await s.as(eva).bookings.reserve({ single_class_id: full.single_class_id })
    const seen = async (person: typeof ana | null) =>
      Object.fromEntries(
        (await s.as(person).schedule.week({ start_date: '2027-04-05' })).days.flatMap((day) =>
          day.classes.map((cls) => [cls.single_class_id, [cls.state, cls.actions.reserve, cls.why_not?.code ?? null]]),
        ),
      )
    expect(await seen(ana)).toEqual({
      [mine.single_class_id]: ['reserved', null, null],
      [same.single_class_id]: ['available', null, 'OVERLAPPING_RESERVATION'],
      [full.single_class_id]: ['full', null, 'CLASS_FULL'],
      [later.single_class_id]: ['available', 'buy_credits', 'NO_CREDITS'],
    })
    expect(await seen(eva)).toMatchObject({
      [mine.single_class_id]: ['available', 'ok', null],
      [full.single_class_id]: ['reserved', null, null],
    })
    expect(await seen(null)).toMatchObject({
      [mine.single_class_id]: ['available', 'sign_in', null],
      [full.single_class_id]: ['full', null, 'CLASS_FULL'],
    })
  })
})

describe('one class', () => {
  test('the details of a class has the matching credit lots in order, the end of free cancellation, and the policy (H6)', async () => {
    const [ana, cls] = await Promise.all([s.make.customer(), s.make.class({ starts_at: new Date('2026-11-21T00:00:00Z') })])
    await s.make.lot(ana, { title: 'Diez' })
    await s.make.lot(ana, { title: 'Ilimitada', unlimited: true })
    await s.make.lot(ana, { title: 'De otra clase', class_type_ids: [(await s.make.classType()).class_type_id] })
    await under({ cancel_timeframe_value: 12, max_cancels_per_available_class: 2 }, async () => {
      const { single_class } = await s.as(ana).schedule.one({ single_class_id: cls.single_class_id })
      expect(single_class.credits.map((creditLot) => [creditLot.title, creditLot.available_classes])).toEqual([
        ['Ilimitada', -1],
        ['Diez', 10],
      ])
      expect(single_class.free_cancel_until).toBe('2026-11-20T06:00:00.000Z')
      expect(single_class.policy).toEqual({
        cancel: 'Solo puedes cancelar clases con 12 horas de anticipacion',
        window: '12 horas',
        limit: 'Solo puedes cancelar hasta 2 veces por cada crédito de clase.',
      })
    })
    // After that time the dialog shows the cost of cancelling, and never a time that has passed.
    const over = async () => {
      const { free_cancel_until, policy } = (await s.as(ana).schedule.one({ single_class_id: cls.single_class_id })).single_class
      return [free_cancel_until, policy.cancel]
    }
    const day = { cancel_timeframe_value: 10, cancel_timeframe_unit: 'days' } as const
    await under({ ...day, allow_cancel_after_treshold: false }, async () =>
      expect(await over()).toEqual([null, 'Solo puedes cancelar clases con 10 días de anticipacion']),
    )
    await under({ ...day, allow_cancel_after_treshold: true }, async () =>
      expect(await over()).toEqual([null, 'Faltan menos de 10 días: si cancelas, tu crédito no regresa.']),
    )
    const never = { cancel_timeframe_value: 12, allow_cancel_reservations: false, allow_cancel_after_treshold: false }
    await under(never, async () => expect(await over()).toEqual([null, 'Tus clases son transferibles y no son cancelables']))
    const visitor = await s.as(null).schedule.one({ single_class_id: cls.single_class_id })
    expect(visitor.single_class).toMatchObject({ credits: [], free_cancel_until: null, actions: { reserve: 'sign_in' } })
  })

  test('an unknown class is not found', async () => {
    expect(await refusalOf(s.as(null).schedule.one({ single_class_id: 2_000_000_000 }))).toMatchObject({
      code: 'CLASS_NOT_FOUND',
      status: 404,
    })
    expect(await refusalOf(s.as(null).schedule.one({ single_class_id: 0 }))).toMatchObject({ code: 'INVALID_INPUT', status: 400 })
  })

  test('bookings of others are visible at once, also in weeks read before', async () => {
    const [ana, cls] = await Promise.all([s.make.customer(), s.make.class({ starts_at: new Date('2027-05-05T16:00:00Z') })])
    await s.make.lot(ana, { expires_at: new Date('2027-12-31T05:59:59Z') })
    const eva = await s.make.customer()
    const left = async () =>
      (await s.as(eva).schedule.week({ start_date: '2027-05-03' })).days.flatMap((day) => day.classes)[0]?.places_left
    expect(await left()).toBe(10)
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(await left()).toBe(9)
    await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    expect(await left()).toBe(10)
    const more = await s.make.class({ starts_at: new Date('2027-05-06T16:00:00Z') })
    expect(ids(await s.as(eva).schedule.week({ start_date: '2027-05-03' }))).toEqual([cls.single_class_id, more.single_class_id])
  })
})
