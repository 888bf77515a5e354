/**
 * The calls of spec 2 section 7 for classes, places, lines, credits and penalties as they go over the wire: paths, bodies, names, statuses.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let reception: Person
beforeAll(async () => {
  s = await studio({
    settings: {
      waitlist_enabled: true,
      allow_class_guests: true,
      unlimited_membership_penalties_enabled: true,
      reservation_rating_enabled: true,
    },
  })
  reception = await s.make.staff('reception')
})
afterAll(() => s.close())

interface Answer {
  status: number
  body: Record<string, unknown>
}
async function call(person: Person | null, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${s.url}/api${path}`, {
    method,
    headers: { ...(person ? { authorization: `Bearer ${person.token}` } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
const keys = (value: unknown) => Object.keys(value as object)
async function fullClass(): Promise<{ single_class_id: number; host: Person; spots: number }> {
  const { single_class_id } = await s.make.class({ capacity: 1 })
  const host = await s.make.buyer()
  const { body } = await call(host, 'POST', '/class_reservations', { single_class_id })
  return { single_class_id, host, spots: (body.class_reservation as { class_reservation_id: number }).class_reservation_id }
}

/** What the spec calls the fields (S2-3.07, S2-3.11, S2-3.13, S2-3.15). */
const CLASS = [
  'single_class_id',
  'class_date',
  'description',
  'capacity',
  'class_instructors',
  'class_type',
  'location',
  'location_id',
  'class_package_id',
  'tags',
  'icon',
  'class_category_id',
]
const RESERVATION = [
  'class_reservation_id',
  'single_class_id',
  'customer_id',
  'deletedAt',
  'is_cash',
  'is_paid',
  'attend',
  'spot',
  'guest',
  'class_stars',
  'coach_stars',
  'comment',
  'single_class',
]
const ENTRY = ['waitlist_id', 'single_class_id', 'customer_id', 'single_class', 'createdAt']
const CREDIT_LOT = ['available_class_id', 'class_type_id', 'class_types', 'allowed_times', 'available_classes', 'expiration_date']

test('GET /appconfig has the studio area’s switches under the spec’s names (S2-3.30 to S2-3.32, S2-9.04)', async () => {
  const list = (await call(null, 'GET', '/appconfig')).body as unknown as { key: string; value: unknown }[]
  const values = new Map(list.map(({ key, value }) => [key, value]))
  for (const key of [
    'timezone_offset',
    'reservation_timeframe_hours',
    'reservation_timeframe_minutes',
    'cancel_timeframe_unit',
    'cancel_timeframe_value',
    'allow_cancel_reservations',
    'allow_cancel_after_treshold',
    'max_cancels_per_available_class',
    'reservation_rating_enabled',
    'allow_class_guests',
    'qrcode_enabled',
    'unlimited_membership_penalties_enabled',
    'waitlist_enabled',
    'single_class_enabled',
    'allow_restricted_class_types',
    'allow_restricted_times',
    'unlimited_max_no_shows_for_penalty',
  ])
    expect([key, values.has(key)]).toEqual([key, true])
  expect(values.get('waitlist_enabled')).toBe(true)
  for (const secret of ['quiet_hours_start', 'reminder_hours', 'message_channels'])
    expect([secret, values.has(secret)]).toEqual([secret, false])
})

describe('classes (S2-7.59, S2-7.60; S2-3.07, S2-3.08)', () => {
  test('GET /single_class returns days, by start_date, end_date and instructor_id; GET /single_class/single/{id} one class', async () => {
    const coach = await s.make.instructor({ nick_name: 'Rena' })
    const room = await s.make.class({ instructor_id: coach.instructor_id, spot_map: '3,2' })
    const week = await call(null, 'GET', `/single_class?start_date=2026-11-20&end_date=2026-11-20&instructor_id=${coach.instructor_id}`)
    expect(week.status).toBe(200)
    const [day] = week.body.days as { date: string; classes: Record<string, unknown>[] }[]
    expect(day?.date).toBe('2026-11-20')
    expect(day?.classes.map((cls) => cls.single_class_id)).toEqual([room.single_class_id])
    expect(keys(day?.classes[0])).toEqual(expect.arrayContaining([...CLASS, 'class_reservations']))
    expect(day?.classes[0]).toMatchObject({
      class_date: '2026-11-20T10:00:00.000Z',
      class_reservations: [],
      class_instructors: [
        {
          instructor: {
            instructor_id: coach.instructor_id,
            name: coach.name,
            last_name: 'Quiroz',
            nick_name: 'Rena',
            birthdate: null,
            file: null,
          },
        },
      ],
      class_type: { name: expect.any(String), icon: null, spot_map: '3,2' },
      location: { location_id: room.location_id, name: expect.any(String), address: 'Tonalá 118' },
    })
    const answer = await call(null, 'GET', `/single_class/single/${room.single_class_id}`)
    expect(answer).toMatchObject({ status: 200, body: { single_class: { single_class_id: room.single_class_id, spot_map: '3,2' } } })
    expect((await call(null, 'GET', '/single_class/single/2000000000')).body).toMatchObject({ code: 'CLASS_NOT_FOUND' })
  })
})

test('a class lists every reserved place, also in a room without a map (S2-3.07, S2-4.11)', async () => {
  const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
  const cls = await s.make.class({ capacity: 2 })
  for (const customer of [ana, eva])
    expect((await call(customer, 'POST', '/class_reservations', { single_class_id: cls.single_class_id, spot: '' })).status).toBe(200)
  const { body } = await call(null, 'GET', `/single_class/single/${cls.single_class_id}`)
  expect(body.single_class).toMatchObject({ capacity: 2, class_reservations: [{ spot: null }, { spot: null }] })
})

describe('reservations (S2-7.61 to S2-7.65; S2-3.11, S2-3.12, S2-6.01)', () => {
  test('POST with the class’s data, spot and guest; GET by page and filter; PUT spot and guest; DELETE', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const cls = await s.make.class({ spot_map: '4,4', capacity: 8 })
    const { single_class_id } = cls
    const input = {
      single_class_id,
      class_date: 'x',
      capacity: 99,
      customer_id: eva.customer_id,
      is_paid: false,
      attend: true,
      spot: '1-1',
    }
    const reserved = await call(ana, 'POST', '/class_reservations', { ...input, guest: 'Jimena', guest_spot: '1-2' })
    expect(reserved.status).toBe(200)
    const reservation = reserved.body.class_reservation as { class_reservation_id: number }
    expect(keys(reservation)).toEqual(expect.arrayContaining(RESERVATION))
    expect(reservation).toMatchObject({
      customer_id: ana.customer_id,
      is_paid: true,
      attend: null,
      deletedAt: null,
      spot: '1-1',
      guest: 'Jimena',
    })

    const list = await call(ana, 'GET', '/class_reservations?page=1&filter=upcoming')
    expect(list.body).toMatchObject({ total: 1, class_reservations: [{ class_reservation_id: reservation.class_reservation_id }] })
    expect(keys((list.body.class_reservations as { single_class: object }[])[0]?.single_class)).toEqual(expect.arrayContaining(CLASS))
    for (const filter of ['past', 'cancelled']) expect((await call(ana, 'GET', `/class_reservations?filter=${filter}`)).body.total).toBe(0)

    const { class_reservation_id } = reservation
    const changed = await call(ana, 'PUT', '/class_reservations', {
      class_reservation_id,
      customer_id: eva.customer_id,
      spot: '2-1',
      guest: 'Jime',
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { class_reservation: { customer_id: ana.customer_id, spot: '2-1', guest: 'Jime' } },
    })
    const named = await call(ana, 'PUT', '/single_class/guest', { class_reservation_id, name: 'Sofía' })
    expect(named).toMatchObject({ status: 200, body: { class_reservation: { guest: 'Sofía' } } })
    expect(await call(eva, 'PUT', '/single_class/guest', { class_reservation_id, name: 'Otra' })).toMatchObject({ status: 404 })

    const answer = await call(ana, 'DELETE', `/class_reservations/${class_reservation_id}`)
    expect(answer).toMatchObject({
      status: 200,
      body: { credit: 'returned', class_reservation: { status: 'Cancelada', deletedAt: expect.any(String) } },
    })
    expect((await call(ana, 'GET', '/class_reservations?filter=cancelled')).body.total).toBe(1)
  })

  test('saving with class_reservation_id changes that reservation and never creates a second one (S2-4.16)', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const [plain, other] = [await s.make.class({ spot_map: '4' }), await s.make.class({ starts_at: new Date('2026-12-03T16:00:00Z') })]
    const { single_class_id } = plain
    const first = (await call(ana, 'POST', '/class_reservations', { single_class_id, class_reservation_id: null, spot: '1-1' })).body
    const { class_reservation_id } = first.class_reservation as { class_reservation_id: number }
    const saved = await call(ana, 'POST', '/class_reservations', {
      single_class_id,
      class_reservation_id,
      spot: '1-3',
      guest: 'Jimena',
      guest_spot: '1-4',
    })
    expect(saved).toMatchObject({
      status: 200,
      body: { class_reservation: { class_reservation_id, spot: '1-3', guest: 'Jimena', guest_spot: '1-4' } },
    })
    expect((await s.as(ana).bookings.list({})).total).toBe(1)
    expect((await s.as(ana).credits.list()).summary.available).toBe(8)

    const elsewhere = await call(ana, 'POST', '/class_reservations', { single_class_id: other.single_class_id, class_reservation_id })
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    const foreign = await call(eva, 'POST', '/class_reservations', { single_class_id, class_reservation_id, spot: '1-2' })
    expect(foreign).toMatchObject({ status: 404, body: { code: 'RESERVATION_NOT_FOUND' } })
    await s.as(ana).bookings.cancel({ class_reservation_id })
    const late = await call(ana, 'POST', '/class_reservations', { single_class_id, class_reservation_id, spot: '1-2' })
    expect(late.body).toMatchObject({ code: 'RESERVATION_CANCELLED' })
    for (const person of [ana, eva]) expect((await s.as(person).bookings.list({ filter: 'upcoming' })).total).toBe(0)
  })

  test('refusals are 409 or 412 with a code and the server’s message (S2-8.04)', async () => {
    const { single_class_id } = await fullClass()
    const full = await call(await s.make.buyer(), 'POST', '/class_reservations', { single_class_id })
    expect([409, 412]).toContain(full.status)
    expect(full.body).toMatchObject({ code: 'CLASS_FULL', message: expect.stringMatching(/\p{L}{3}/u) })
    const broke = await call(await s.make.customer(), 'POST', '/class_reservations', {
      single_class_id: (await s.make.class()).single_class_id,
    })
    expect(broke).toMatchObject({
      status: 412,
      body: { code: 'NO_CREDITS', message: expect.stringContaining('agotado todos tus créditos') },
    })
  })

  test('a rating has class_reservation_id, customer_id, class_stars, coach_stars and comment (S2-3.23)', async () => {
    const { host, single_class_id, spots } = await fullClass()
    const eva = await s.make.buyer()
    await s.sql(`update class_reservation set attend = true where class_reservation_id = $1`, [spots])
    await s.sql(`update single_class set starts_at = $2, ends_at = $3 where single_class_id = $1`, [
      single_class_id,
      '2026-11-18T16:00:00Z',
      '2026-11-18T17:00:00Z',
    ])
    const rating = { class_reservation_id: spots, customer_id: eva.customer_id, class_stars: 4, coach_stars: 5, comment: 'Qué clase' }
    expect(await call(eva, 'POST', '/class_reservations/rating', rating)).toMatchObject({ status: 404 })
    expect(await call(host, 'POST', '/class_reservations/rating', { ...rating, coach_stars: 6 })).toMatchObject({ status: 400 })
    expect(await call(host, 'POST', '/class_reservations/rating', rating)).toMatchObject({
      status: 200,
      body: { class_reservation: { customer_id: host.customer_id, class_stars: 4, coach_stars: 5, comment: 'Qué clase' } },
    })
  })
})

describe('waitlists (S2-7.07 to S2-7.11; S2-3.13)', () => {
  test('POST, GET, GET by id, PUT, DELETE; customer_id in the body is ignored', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { single_class_id } = await fullClass()
    const joined = await call(ana, 'POST', '/waitlist', { single_class_id, customer_id: eva.customer_id })
    expect(joined.status).toBe(200)
    expect(keys(joined.body.waitlist)).toEqual(expect.arrayContaining(ENTRY))
    expect(joined.body.waitlist).toMatchObject({ customer_id: ana.customer_id, single_class_id })
    const { waitlist_id } = joined.body.waitlist as { waitlist_id: number }
    expect((await call(ana, 'GET', '/waitlist')).body).toMatchObject({ waitlists: [{ waitlist_id, single_class: { single_class_id } }] })
    expect((await call(eva, 'GET', '/waitlist')).body).toMatchObject({ waitlists: [] })
    expect((await call(ana, 'GET', `/waitlist/${waitlist_id}`)).body).toMatchObject({ waitlist: { waitlist_id } })
    expect((await call(ana, 'PUT', '/waitlist', { waitlist_id, auto: true })).body).toMatchObject({ waitlist: { waitlist_id, auto: true } })
    expect(await call(ana, 'DELETE', `/waitlist/${waitlist_id}`)).toMatchObject({ status: 200, body: { waitlist: { status: 'left' } } })
    expect((await call(ana, 'GET', '/waitlist')).body).toMatchObject({ waitlists: [] })
  })

  test.each([[undefined], [null], [''], ['nuevo'], ['undefined'], ['NaN']])('saving with waitlist_id %j joins (S2-4.19)', async (draft) => {
    const ana = await s.make.buyer()
    const { single_class_id } = await fullClass()
    const { body } = await call(ana, 'POST', '/waitlist', { waitlist_id: draft, single_class_id })
    expect(body.waitlist).toMatchObject({ waitlist_id: expect.any(Number), single_class_id, status: 'waiting', auto: false })
  })

  test('saving with an id changes that entry, of the caller and that class, and never creates a second one (S2-4.19)', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const [{ single_class_id }, other] = [await fullClass(), await fullClass()]
    const { waitlist_id } = (await s.as(ana).waitlist.join({ single_class_id })).waitlist
    for (const id of [waitlist_id, String(waitlist_id)]) {
      const auto = id === waitlist_id
      const saved = await call(ana, 'POST', '/waitlist', { waitlist_id: id, single_class_id, auto })
      expect(saved).toMatchObject({ status: 200, body: { waitlist: { waitlist_id, auto } } })
    }
    const untouched = await call(ana, 'POST', '/waitlist', { waitlist_id, single_class_id })
    expect(untouched.body).toMatchObject({ waitlist: { waitlist_id, auto: false } })
    const elsewhere = await call(ana, 'POST', '/waitlist', { waitlist_id, single_class_id: other.single_class_id })
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    const foreign = await call(eva, 'POST', '/waitlist', { waitlist_id, single_class_id, auto: true })
    expect(foreign).toMatchObject({ status: 404, body: { code: 'WAITLIST_NOT_FOUND' } })
    for (const waitlist_id of [0, -4, '3.5', 9e12]) {
      expect(await call(ana, 'POST', '/waitlist', { waitlist_id, single_class_id })).toMatchObject({ status: 400 })
    }
    expect((await s.as(ana).waitlist.list()).waitlists).toMatchObject([{ waitlist_id, auto: false }])
    expect((await s.as(eva).waitlist.list()).waitlists).toEqual([])
  })
})

describe('credits (S2-7.35 to S2-7.40; S2-3.15, S2-3.16)', () => {
  test('GET, GET date/all, GET by id: the caller’s own, whatever customer_id is sent', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.buyer()]
    const type = await s.make.classType({ name: 'Barre' })
    await s.make.lot(ana, { class_type_ids: [type.class_type_id], allowed_times: [{ days: [1, 2], from: '07:00', to: '10:00' }] })
    await s.make.lot(ana, { unlimited: true })
    const mine = await call(ana, 'GET', `/available_classes?customer_id=${eva.customer_id}`)
    const creditLots = mine.body.available_classes as { available_class_id: number; available_classes: number }[]
    expect(creditLots).toHaveLength(2)
    expect(keys(creditLots[0])).toEqual(expect.arrayContaining(CREDIT_LOT))
    expect(creditLots.map((creditLot) => creditLot.available_classes)).toEqual([-1, 10])
    expect(creditLots[1]).toMatchObject({
      class_type_id: type.class_type_id,
      class_types: 'Barre',
      allowed_times: [{ days: [1, 2], from: '07:00', to: '10:00' }],
    })
    expect((await call(ana, 'GET', '/available_classes/date/all')).body.available_classes).toHaveLength(2)
    expect((await call(ana, 'GET', '/available_classes/date/all?date=2031-01-01')).body.available_classes).toEqual([])
    const answer = await call(ana, 'GET', `/available_classes/${creditLots[0]?.available_class_id}`)
    expect(answer).toMatchObject({ status: 200, body: { available_class: { available_class_id: creditLots[0]?.available_class_id } } })
    expect(await call(eva, 'GET', `/available_classes/${creditLots[0]?.available_class_id}`)).toMatchObject({ status: 404 })
  })

  test('POST creates from a draft, PUT changes an existing one and never creates a second (S2-4.28)', async () => {
    const ana = await s.make.customer()
    const give = { customer_id: ana.customer_id, available_classes: 3, expiration_date: '2026-12-31', reason: 'De prueba' }
    const reply = await call(reception, 'POST', '/available_classes', { ...give, available_class_id: 'nuevo' })
    expect(reply.status).toBe(200)
    const [creditLot] = reply.body.available_classes as { available_class_id: number }[]
    const again = await call(reception, 'POST', '/available_classes', { ...give, available_class_id: creditLot?.available_class_id })
    expect(again).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    const change = { available_class_id: creditLot?.available_class_id, add: 2, reason: 'Dos más' }
    expect((await call(reception, 'PUT', '/available_classes', change)).body).toMatchObject({ available_class: { available_classes: 5 } })
    expect(await call(reception, 'PUT', '/available_classes', { ...change, available_class_id: 'nuevo' })).toMatchObject({ status: 400 })
    const answer = await call(reception, 'DELETE', `/available_classes/${creditLot?.available_class_id}`, { reason: 'Se equivocó' })
    expect(answer).toMatchObject({ status: 200, body: { available_class: { state: 'revoked' } } })
    expect((await s.as(ana).credits.list()).available_classes).toEqual([])
  })
})

test('penalties: GET, GET by id, POST, PUT, DELETE under the spec’s names (S2-7.46 to S2-7.50, S2-3.22, settled 44)', async () => {
  const [ana, eva] = [await s.make.customer(), await s.make.customer()]
  const at = '/class_reservation_penaltys'
  const answer = await call(reception, 'POST', at, { customer_id: ana.customer_id, reason: 'Tres faltas', resumes_on: '2026-11-25' })
  const { class_reservation_penalty_id: id } = answer.body.class_reservation_penalty as { class_reservation_penalty_id: number }
  expect(answer).toMatchObject({
    status: 200,
    body: { class_reservation_penalty: { customer_id: ana.customer_id, resumes_at: '2026-11-25T00:00:00.000Z' } },
  })
  expect((await call(ana, 'GET', at)).body).toMatchObject({
    class_reservation_penaltys: [{ class_reservation_penalty_id: id, active: true }],
  })
  expect((await call(eva, 'GET', `${at}?customer_id=${ana.customer_id}`)).body).toMatchObject({ class_reservation_penaltys: [] })
  expect(await call(eva, 'GET', `${at}/${id}`)).toMatchObject({ status: 404 })
  const moved = await call(reception, 'PUT', at, { class_reservation_penalty_id: id, resumes_on: '2026-11-22', reason: 'Menos' })
  expect(moved.body).toMatchObject({ class_reservation_penalty: { resumes_at: '2026-11-22T00:00:00.000Z' } })
  const penalised = await call(ana, 'POST', '/class_reservations', { single_class_id: (await s.make.class()).single_class_id })
  // S2-8.10: the spec's sentence; the date of S2-4.24 goes beside it.
  expect(penalised).toMatchObject({
    status: 412,
    body: {
      code: 'PENALTY_ACTIVE',
      message: 'Lo sentimos, no puedes reservar clases porque cuentas con una penalización.',
      data: { resumes_on: '22 nov 2026' },
    },
  })
  expect(await call(reception, 'DELETE', `${at}/${id}`, { reason: 'Perdonada' })).toMatchObject({
    status: 200,
    body: { class_reservation_penalty: { active: false, forgive_reason: 'Perdonada' } },
  })
  for (const [method, body] of [
    ['POST', { customer_id: eva.customer_id, reason: 'No puede' }],
    ['PUT', { class_reservation_penalty_id: id, resumes_on: '2026-12-22', reason: 'No puede' }],
  ] as const)
    expect(await call(ana, method, at, body)).toMatchObject({ status: 403 })
})
