import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { reservationOfCode } from './checkin.ts'

let s: TestStudio
let reception: Person
/** Reservations of earlier tests have ids up to this one. */
let before = 0
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
})
afterAll(() => s.close())
beforeEach(async () => {
  await s.reset({ allow_class_guests: true, drop_in_price: '220.00' })
  const [row] = await s.sql<{ id: number }>('select coalesce(max(class_reservation_id), 0)::int as id from class_reservation')
  before = row?.id ?? 0
  reception = await s.make.staff('reception', { name: 'Lorena' })
})

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(s.clock.now().getTime() + hours * HOUR)
const desk = () => s.as(reception)

async function booked(hours: number, values: Parameters<TestStudio['make']['class']>[0] = {}, client?: Person) {
  const person = client ?? (await s.make.buyer())
  const cls = await s.make.class({ starts_at: inHours(hours), ...values })
  const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
  return { person, cls, id: class_reservation.class_reservation_id }
}

describe('the list of all reservations (Q1)', () => {
  const idsOf = async (input: Parameters<ReturnType<typeof desk>['frontDesk']['reservations']>[0] = {}) =>
    (await desk().frontDesk.reservations(input)).class_reservations.map((row) => row.class_reservation_id).filter((id) => id > before)

  test('shows today without a filter, with class and facts; dates, words and numbers find others', async () => {
    s.clock.set(new Date('2026-11-18T16:00:00Z'))
    const eva = await s.make.buyer()
    await s.sql(`update customer set name = 'Éva', birthdate = '1990-11-18' where customer_id = $1`, [eva.customer_id])
    const today = await booked(3, {}, eva)
    const later = await booked(72, {}, eva)
    const other = await booked(72)
    const found = await desk().frontDesk.reservations({})
    expect(found).toMatchObject({ total: 1, pages: 1 })
    expect(found.class_reservations).toMatchObject([
      {
        class_reservation_id: today.id,
        name: 'Éva',
        source: 'customer',
        birthday: true,
        visits: 0,
        first_with_coach: true,
        class: { single_class_id: today.cls.single_class_id, taken: 1 },
        credits: { has_unlimited: false },
        marked: null,
      },
    ])
    expect(await idsOf({ from: '2026-11-18', to: '2026-11-30' })).toEqual([today.id, later.id, other.id])
    expect(await idsOf({ from: '2026-11-19', to: '2026-11-30', sort: '-class' })).toEqual([other.id, later.id])
    expect(await idsOf({ query: 'eva' })).toEqual([today.id, later.id])
    expect(await idsOf({ query: `#${other.id}` })).toEqual([other.id])
    expect(await idsOf({ customer_id: eva.customer_id, per_page: 1, page: 2 })).toEqual([later.id])
  })

  test('filters by status, source, type, coach, and by debts, guests and late cancellations', async () => {
    const coach = await s.make.instructor()
    const type = await s.make.classType()
    const taught = await booked(3, { instructor_id: coach.instructor_id, class_type_id: type.class_type_id })
    await s.as(taught.person).bookings.guest({ class_reservation_id: taught.id, name: 'Jimena' })
    const cls = await s.make.class({ starts_at: inHours(4) })
    const { customer_id } = await s.make.customer()
    const owed = (await desk().attendance.reserve({ customer_id, single_class_id: cls.single_class_id, is_cash: true })).class_reservation
    const absent = await booked(5)
    await desk().attendance.cancel({ class_reservation_id: absent.id, reason: 'No llegó', credit: 'keep' })
    const all = { from: '2020-01-01' }
    expect(await idsOf({ ...all, status: 'Cancelada' })).toEqual([absent.id])
    expect(await idsOf({ ...all, status: 'Próxima' })).toEqual([taught.id])
    expect(await idsOf({ ...all, status: 'Pago en Efectivo Incompleto' })).toEqual([owed.class_reservation_id])
    expect(await idsOf({ ...all, source: 'staff' })).toEqual([owed.class_reservation_id])
    expect(await idsOf({ ...all, only: 'owed' })).toEqual([owed.class_reservation_id])
    expect(await idsOf({ ...all, only: 'guest' })).toEqual([taught.id])
    expect(await idsOf({ ...all, only: 'late_cancel' })).toEqual([absent.id])
    expect(await idsOf({ ...all, instructor_id: coach.instructor_id })).toEqual([taught.id])
    expect(await idsOf({ ...all, class_type_id: type.class_type_id })).toEqual([taught.id])
    s.clock.advance({ hours: 3 })
    await desk().attendance.mark({ class_reservation_id: taught.id, attend: false })
    expect(await idsOf({ ...all, status: 'No Asistí' })).toEqual([])
    s.clock.advance({ hours: 2 })
    expect(await idsOf({ ...all, status: 'No Asistí' })).toEqual([taught.id])
  })

  test('the list of all reservations says who still has to accept a document, the coach too (T3)', async () => {
    const coach = await s.make.instructor()
    const teacher = await s.make.staff('coach')
    await s.sql('update staff set instructor_id = $2 where uid = $1', [teacher.uid, coach.instructor_id])
    const first = await booked(3, { instructor_id: coach.instructor_id })
    const { single_class_id } = first.cls
    await s.as(await s.make.buyer()).bookings.reserve({ single_class_id })
    const unsigned = async (reader = reception) =>
      (await s.as(reader).attendance.roster({ single_class_id })).class_reservations.map((row) => [
        row.customer_id === first.person.customer_id,
        row.unsigned,
      ])
    expect((await unsigned()).map(([, is]) => is)).toEqual([false, false])
    const page = await s.make.page({ title: 'Responsiva', required: true, content: '<p>Uno</p>' })
    const terms = await s.make.page({ title: 'Reglamento', required_signup: true, content: '<p>Dos</p>' })
    const accept = (page_id: number) => desk().customerRecords.acceptPage({ customer_id: first.person.customer_id, page_id, version: 1 })
    await accept(page.page_id)
    expect((await unsigned(teacher)).map(([, is]) => is)).toEqual([true, true])
    await accept(terms.page_id)
    expect(new Map((await unsigned()) as [boolean, boolean][])).toEqual(
      new Map([
        [true, false],
        [false, true],
      ]),
    )
    await s.sql('update page set version = version + 1 where page_id = $1', [page.page_id])
    expect((await unsigned()).map(([, is]) => is)).toEqual([true, true])
    await s.sql('delete from accepted_page')
    await s.sql('delete from page')
  })

  test('words alone find reservations of every day, also where locations have several time zones', async () => {
    const west = await s.make.location({ timezone: 'America/Tijuana' })
    const there = await booked(72, { location_id: west.location_id })
    const found = await desk().frontDesk.reservations({ query: `#${there.id}` })
    expect(found).toMatchObject({ total: 1, class_reservations: [{ class_reservation_id: there.id }] })
    await s.sql('update location set timezone = null where location_id = $1', [west.location_id])
  })

  test('staff with assigned locations see theirs only; another location and an unknown filter are refused (E4)', async () => {
    const [norte, sur] = [await s.make.location(), await s.make.location()]
    const here = await booked(3, { location_id: norte.location_id })
    const there = await booked(3, { location_id: sur.location_id })
    expect(await idsOf()).toEqual([here.id, there.id])
    reception = await s.make.staff('reception')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [reception.uid, norte.location_id])
    expect(await idsOf()).toEqual([here.id])
    expect(await idsOf({ query: `#${there.id}` })).toEqual([])
    expect(await refusalOf(desk().frontDesk.reservations({ location_id: sur.location_id }))).toMatchObject({
      code: 'FORBIDDEN',
      data: { needs: 'roster.all', location_id: sur.location_id },
    })
    expect(await codeOf(desk().frontDesk.reservations({ sucursal: 1 } as object))).toBe('INVALID_INPUT')
  })
})

describe('batch marks (A11)', () => {
  const markedAt = (minutes: number) => new Date(s.clock.now().getTime() - minutes * 60_000).toISOString()

  test('each is applied separately, an older one never wins, and a repetition changes nothing', async () => {
    const cls = await s.make.class({ starts_at: inHours(1) })
    const { single_class_id } = cls
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const { class_reservation } = await s.as(await s.make.buyer()).bookings.reserve({ single_class_id })
        return class_reservation.class_reservation_id
      }),
    )
    const [ana = 0, eva = 0, leo = 0] = ids
    const other = await booked(1)
    await desk().attendance.mark({ class_reservation_id: eva, attend: true })
    await desk().attendance.cancel({ class_reservation_id: leo, reason: 'Se fue' })
    const marks = [
      { class_reservation_id: ana, attend: true, marked_at: markedAt(10) },
      { class_reservation_id: eva, attend: false, marked_at: markedAt(5) },
      { class_reservation_id: leo, attend: true },
      { class_reservation_id: other.id, attend: true },
    ]
    const first = await desk().frontDesk.mark({ single_class_id, marks })
    expect(first.saved).toBe(1)
    expect(
      Object.fromEntries(first.refused.map((classReservation) => [classReservation.class_reservation_id, classReservation.code])),
    ).toEqual({
      [eva]: 'MARK_SUPERSEDED',
      [leo]: 'RESERVATION_CANCELLED',
      [other.id]: 'RESERVATION_NOT_FOUND',
    })
    const { class_reservations } = await desk().attendance.roster({ single_class_id })
    const rows = new Map(class_reservations.map((row) => [row.class_reservation_id, row]))
    expect(rows.get(ana)).toMatchObject({ attend: true, marked: { at: marks[0]?.marked_at, who: 'Lorena' } })
    expect(rows.get(eva)?.attend).toBe(true)
    await desk().frontDesk.mark({ single_class_id, marks: marks.slice(0, 1) })
    expect(await s.sql(`select count(*)::int as n from audit where action = 'attendance.mark' and entity_id = $1`, [String(ana)])).toEqual([
      { n: 1 },
    ])
    // A device whose clock is ahead does not override later marks.
    await desk().frontDesk.mark({ single_class_id, marks: [{ class_reservation_id: ana, attend: null, marked_at: markedAt(-600) }] })
    s.clock.advance({ minutes: 1 })
    expect((await desk().attendance.mark({ class_reservation_id: ana, attend: true })).class_reservation.attend).toBe(true)
  })

  test('two receptions that mark the same roster concurrently end with the later marks, in any order', async () => {
    const { cls, id } = await booked(1)
    const { single_class_id } = cls
    const other = s.as(await s.make.staff('reception'))
    const early = { class_reservation_id: id, attend: false, marked_at: markedAt(9) }
    const late = { class_reservation_id: id, attend: true, marked_at: markedAt(3) }
    const answers = await Promise.all([
      desk().frontDesk.mark({ single_class_id, marks: [late] }),
      other.frontDesk.mark({ single_class_id, marks: [early] }),
    ])
    expect(answers[0]).toEqual({ saved: 1, refused: [] })
    expect((await desk().attendance.one({ class_reservation_id: id })).class_reservation).toMatchObject({
      attend: true,
      marked: { at: late.marked_at },
    })
  })
})

describe('closing a roster by hand (A10)', () => {
  test('from the start of the class; a dry run lists absences and new penalties, and changes nothing', async () => {
    await s.reset({ unlimited_membership_penalties_enabled: true, unlimited_max_no_shows_for_penalty: 1 })
    const member = await s.make.customer()
    await s.make.lot(member, { unlimited: true, title: 'Ilimitado', expires_at: new Date('2027-06-01T05:59:59Z') })
    const { cls, id } = await booked(1, {}, member)
    const { single_class_id } = cls
    const came = (await s.as(await s.make.buyer()).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id
    expect(await codeOf(desk().frontDesk.closeRoster({ single_class_id }))).toBe('ROSTER_NOT_CLOSABLE')
    s.clock.advance({ hours: 1.1 })
    await desk().attendance.mark({ class_reservation_id: came, attend: true })
    const preview = await desk().frontDesk.closeRoster({ single_class_id, dry_run: true })
    expect(preview).toMatchObject({ was_closed: false, attended: 1, no_shows: [{ class_reservation_id: id, guest: null, penalty: true }] })
    const penalties = () => s.sql('select 1 from class_reservation_penalty where customer_id = $1', [member.customer_id])
    expect(await penalties()).toEqual([])
    expect((await desk().attendance.one({ class_reservation_id: id })).class_reservation.attend).toBeNull()
    const answers = await Promise.all([1, 2, 3].map(() => desk().frontDesk.closeRoster({ single_class_id })))
    expect(answers.filter(({ was_closed }) => !was_closed)).toEqual([preview])
    expect(await penalties()).toHaveLength(1)
    expect((await desk().attendance.one({ class_reservation_id: id })).class_reservation.attend).toBe(false)
  })
})

describe('check-in (Q2, S2-2.49)', () => {
  const scan = (input: object) => desk().frontDesk.checkin(input as never)

  test('reads the URL of the customer’s QR code or a number, and nothing else', () => {
    expect(reservationOfCode('https://vaiven.mx/admin/reservaciones/123')).toBe(123)
    expect(reservationOfCode('/admin/reservaciones/123/?x=1')).toBe(123)
    expect(reservationOfCode(' 77 ')).toBe(77)
    for (const code of ['', '0', 'hola', 'https://vaiven.mx/admin/reservaciones/x', '99999999999', 'https://vaiven.mx/mystudio/5'])
      expect(reservationOfCode(code)).toBeNull()
  })

  test('answers ok once, then already with who and when', async () => {
    const { id } = await booked(1)
    const first = await scan({ code: `https://vaiven.mx/admin/reservaciones/${id}` })
    expect(first).toMatchObject({ result: 'ok', class_reservation: { attend: true, marked: { who: 'Lorena' } }, choices: [] })
    const second = await scan({ code: `${id}` })
    expect(second).toMatchObject({ result: 'already', message: expect.stringMatching(/^La marcó Lorena a las \d\d:\d\d\.$/) })
  })

  test('two concurrent scans of a code get ok and already, with one audit row', async () => {
    const { id } = await booked(1)
    const other = s.as(await s.make.staff('reception'))
    const results = await Promise.all(
      [desk(), other, desk(), other].map((client) => client.frontDesk.checkin({ class_reservation_id: id }).then(({ result }) => result)),
    )
    expect(results.sort()).toEqual(['already', 'already', 'already', 'ok'])
    expect(await s.sql(`select count(*)::int as n from audit where action = 'attendance.mark' and entity_id = $1`, [String(id)])).toEqual([
      { n: 1 },
    ])
  })

  test('a customer with a debt is not marked unless staff confirm; a coach sees no amount', async () => {
    const coach = await s.make.instructor()
    const cls = await s.make.class({ starts_at: inHours(1), instructor_id: coach.instructor_id })
    const { customer_id } = await s.make.customer()
    const { class_reservation } = await desk().attendance.reserve({ customer_id, single_class_id: cls.single_class_id, is_cash: true })
    const { class_reservation_id } = class_reservation
    expect(await scan({ class_reservation_id })).toMatchObject({
      result: 'owed',
      class_reservation: { owed: '220.00', attend: null },
      message: expect.stringContaining('$220.00'),
    })
    const mine = s.as(await s.make.staff('coach', { instructor_id: coach.instructor_id }))
    const seen = await mine.frontDesk.checkin({ class_reservation_id })
    expect(seen).toMatchObject({ result: 'owed', class_reservation: { owed: null, phone: null, credits: null } })
    expect(seen.message).not.toContain('220')
    expect(await scan({ class_reservation_id, allow_owed: true })).toMatchObject({
      result: 'ok',
      class_reservation: { attend: true, owed: '220.00' },
    })
  })

  test('on another day offers the current class; after the class and at another location nothing is marked', async () => {
    const type = await s.make.classType()
    const at = await s.make.location()
    const where = { class_type_id: type.class_type_id, location_id: at.location_id }
    const later = await booked(48, where)
    const now = await s.make.class({ starts_at: inHours(1), ...where })
    expect(await scan({ class_reservation_id: later.id })).toMatchObject({
      result: 'not_today',
      class_reservation: { attend: null },
      move_to: { single_class_id: now.single_class_id, places_left: expect.any(Number) },
    })
    const elsewhere = await s.make.location()
    const here = await booked(1.5)
    expect(await scan({ class_reservation_id: here.id, location_id: elsewhere.location_id })).toMatchObject({ result: 'elsewhere' })
    s.clock.advance({ hours: 4 })
    expect(await scan({ class_reservation_id: here.id })).toMatchObject({ result: 'not_today', move_to: null })
    expect((await desk().attendance.one({ class_reservation_id: here.id })).class_reservation.attend).toBeNull()
  })

  test('a cancelled reservation says by whom; an unknown code is not found', async () => {
    const { id } = await booked(1)
    await desk().attendance.cancel({ class_reservation_id: id, reason: 'Se sintió mal' })
    expect(await scan({ class_reservation_id: id })).toMatchObject({
      result: 'cancelled',
      message: expect.stringMatching(/^La canceló Lorena/),
    })
    for (const input of [{ code: 'otra cosa' }, { code: '2000000000' }, { class_reservation_id: 2_000_000_000 }])
      expect(await scan(input)).toMatchObject({ result: 'not_found', class_reservation: null })
    expect(await codeOf(scan({}))).toBe('INVALID_INPUT')
    expect(await codeOf(scan({ code: '1', customer_id: 1 }))).toBe('INVALID_INPUT')
  })

  test('a customer is checked into their only current class; several need a choice; an unknown customer is not found', async () => {
    const ana = await s.make.buyer()
    expect(await scan({ customer_id: ana.customer_id })).toMatchObject({ result: 'not_found' })
    const first = await booked(1, {}, ana)
    const second = await booked(1.9, {}, ana)
    const chosen = await scan({ customer_id: ana.customer_id })
    expect(chosen).toMatchObject({ result: 'choose', class_reservation: null })
    expect(chosen.choices.map((row) => row.class_reservation_id)).toEqual([first.id, second.id])
    expect(await scan({ class_reservation_id: first.id })).toMatchObject({ result: 'ok' })
    expect(await scan({ customer_id: ana.customer_id })).toMatchObject({
      result: 'ok',
      class_reservation: { class_reservation_id: second.id },
    })
    expect(await scan({ customer_id: ana.customer_id })).toMatchObject({ result: 'already' })
  })

  test('a coach checks in their own classes only, without the search by name; nothing of another location is disclosed', async () => {
    const coach = await s.make.instructor()
    const mine = await booked(1, { instructor_id: coach.instructor_id })
    const other = await booked(1)
    const as = s.as(await s.make.staff('coach', { instructor_id: coach.instructor_id }))
    expect(await as.frontDesk.checkin({ class_reservation_id: mine.id })).toMatchObject({ result: 'ok' })
    expect(await codeOf(as.frontDesk.checkin({ class_reservation_id: other.id }))).toBe('NOT_YOUR_CLASS')
    expect(await codeOf(as.frontDesk.checkin({ customer_id: other.person.customer_id }))).toBe('FORBIDDEN')
    const far = await booked(1, { location_id: (await s.make.location()).location_id })
    const near = await s.make.location()
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [reception.uid, near.location_id])
    expect(await scan({ class_reservation_id: far.id })).toMatchObject({ result: 'elsewhere', class_reservation: null, single_class: null })
  })
})
