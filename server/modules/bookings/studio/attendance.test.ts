import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { closeRoster } from './roster-marks.ts'

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.reset({ unlimited_membership_penalties_enabled: true, allow_class_guests: true, drop_in_price: '220.00' }))

const HOUR = 3_600_000

/** A member with an unlimited package. */
async function member() {
  const customer = await s.make.customer()
  await s.make.lot(customer, { unlimited: true, title: 'Ilimitado', expires_at: new Date('2027-06-01T05:59:59Z') })
  return customer
}

/** Books a class this number of days from now for a person; returns the ids. */
async function booked(person: Person, days: number, values: Parameters<TestStudio['make']['class']>[0] = {}) {
  const cls = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + days * 24 * HOUR), ...values })
  const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
  return { single_class_id: cls.single_class_id, id: class_reservation.class_reservation_id, ends_at: cls.ends_at }
}
/** Lets the class and the grace period pass, with another customer marked so that the roster was used. */
async function settle(at: { single_class_id: number; ends_at: Date }) {
  s.clock.set(new Date(at.ends_at.getTime() + 3 * HOUR))
  await doJobs(s, 'bookings.settle')
}
const mark = (id: number, attend: boolean | null, excuse?: string) =>
  s.as(manager).attendance.mark({ class_reservation_id: id, attend, ...(excuse ? { excuse } : {}) })
const statusOf = async (person: Person, id: number) =>
  (await s.as(person).bookings.one({ class_reservation_id: id })).class_reservation.status
const messagesOf = (person: Person, event: string) =>
  s.sql<{ words: { lines: string[]; blanks: string[] } }>(
    `select words from message where customer_id = $1 and event = $2 and channel = 'app' order by message_id`,
    [person.customer_id, event],
  )

/** Does not come to so many classes, a day apart, marked by reception. */
async function misses(person: Person, times: number) {
  const ids: number[] = []
  for (let n = 0; n < times; n++) {
    const at = await booked(person, 1)
    s.clock.set(at.ends_at)
    await mark(at.id, false)
    await settle(at)
    ids.push(at.id)
  }
  return ids
}

describe('the roster of a class', () => {
  test('coaches see and mark their own classes by name; reception all, also by QR code (S2-2.49, S2-6.02); customers none (A1)', async () => {
    const coach = await s.make.instructor()
    const [mine, other, ana] = [
      await s.make.staff('coach', { instructor_id: coach.instructor_id }),
      await s.make.staff('coach', { instructor_id: (await s.make.instructor()).instructor_id }),
      await member(),
    ]
    const { single_class_id, id } = await booked(ana, 1, { instructor_id: coach.instructor_id })
    await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Jimena' })
    const seen = await s.as(mine).attendance.roster({ single_class_id })
    expect(seen.single_class).toMatchObject({ single_class_id, taken: 2, coaches: expect.stringMatching(/^Renata/) })
    expect(seen.class_reservations).toMatchObject([
      {
        class_reservation_id: id,
        name: expect.stringMatching(/^Ana/),
        guest: 'Jimena',
        email: null,
        phone: null,
        attend: null,
        first_class: true,
        status: 'Próxima',
      },
    ])
    const all = await s.as(manager).attendance.one({ class_reservation_id: id })
    expect(all.class_reservation).toMatchObject({ email: ana.email, phone: expect.stringMatching(/^\d{10}$/), paid_with: 'Ilimitado' })
    s.clock.set(new Date(Date.parse(all.single_class.starts_at) - HOUR))
    expect((await s.as(mine).attendance.mark({ class_reservation_id: id, attend: true })).class_reservation.attend).toBe(true)
    for (const call of [
      () => s.as(other).attendance.roster({ single_class_id }),
      () => s.as(other).attendance.one({ class_reservation_id: id }),
      () => s.as(other).attendance.mark({ class_reservation_id: id, attend: true }),
    ])
      expect(await codeOf(call())).toBe('NOT_YOUR_CLASS')
    expect(await codeOf(s.as(ana).attendance.mark({ class_reservation_id: id, attend: true }))).toBe('FORBIDDEN')
    expect(await codeOf(s.as(manager).attendance.roster({ single_class_id: 2_000_000_000 }))).toBe('CLASS_NOT_FOUND')
    expect(await codeOf(s.as(manager).attendance.one({ class_reservation_id: 2_000_000_000 }))).toBe('RESERVATION_NOT_FOUND')
  })

  test('from two hours before, with corrections, guests separately; each mark is audited (A2, A3)', async () => {
    const ana = await member()
    const { id } = await booked(ana, 1)
    await s.as(ana).bookings.guest({ class_reservation_id: id, name: 'Jimena' })
    expect(await codeOf(mark(id, true))).toBe('ATTENDANCE_TOO_EARLY')
    s.clock.advance({ hours: 22 })
    await mark(id, true)
    expect((await mark(id, null)).class_reservation.attend).toBeNull()
    const guest = (await s.as(manager).attendance.one({ class_reservation_id: id })).class_reservation.guest_reservation_id ?? 0
    const { class_reservation } = await mark(guest, false)
    expect(class_reservation).toMatchObject({ class_reservation_id: id, attend: null, guest_attend: false })
    expect(await s.sql(`select count(*)::int as n from audit where action = 'attendance.mark' and entity_id = $1`, [String(id)])).toEqual([
      { n: 2 },
    ])
    await s.as(manager).attendance.cancel({ class_reservation_id: id, reason: 'Se enfermó' })
    expect(await codeOf(mark(id, true))).toBe('RESERVATION_CANCELLED')
  })
})

describe('closing after the grace period (A4, settled 24)', () => {
  test('unmarked customers of a used roster count as absent; nothing is closed before', async () => {
    const [ana, eva] = [await member(), await member()]
    const at = await booked(ana, 1)
    const { class_reservation } = await s.as(eva).bookings.reserve({ single_class_id: at.single_class_id })
    s.clock.set(at.ends_at)
    await mark(at.id, true)
    s.clock.set(new Date(at.ends_at.getTime() + 2 * HOUR - 1000))
    await doJobs(s, 'bookings.settle')
    expect(await statusOf(eva, class_reservation.class_reservation_id)).toBe('Próxima')
    await settle(at)
    expect(await statusOf(ana, at.id)).toBe('Exitosa')
    expect(await statusOf(eva, class_reservation.class_reservation_id)).toBe('No Asistí')
    await Promise.all(Array.from({ length: 5 }, () => closeRoster(s.system(), at.single_class_id)))
    expect(await messagesOf(eva, 'no_show_warning')).toHaveLength(1)
  })

  test('on a roster that was not used all count as present', async () => {
    const ana = await member()
    const at = await booked(ana, 1)
    await settle(at)
    expect(await statusOf(ana, at.id)).toBe('Exitosa')
    expect(await messagesOf(ana, 'no_show_warning')).toEqual([])
  })

  test('a cancelled class is not closed', async () => {
    const ana = await member()
    const at = await booked(ana, 1)
    await s.as(manager).schedule.cancel({ single_class_id: at.single_class_id })
    await settle(at)
    expect(await s.sql('select "settledAt" from single_class where single_class_id = $1', [at.single_class_id])).toEqual([
      { settledAt: null },
    ])
  })
})

describe('penalties (A5 to A8)', () => {
  test('a warning at each no-show, a penalty at the third in a row, with the day on which booking resumes (S2-4.22 to S2-4.24, S2-9.13)', async () => {
    const ana = await member()
    await misses(ana, 2)
    expect((await messagesOf(ana, 'no_show_warning')).map((message) => message.words.blanks[3])).toEqual(['1 de 3', '2 de 3'])
    expect((await s.as(ana).penalties.list({})).class_reservation_penaltys).toEqual([])
    const [third] = await misses(ana, 1)
    const { class_reservation_penaltys } = await s.as(ana).penalties.list({})
    expect(class_reservation_penaltys).toMatchObject([
      {
        customer_id: ana.customer_id,
        no_shows: 3,
        reason: '3 faltas seguidas',
        active: true,
        resumes_at: '2026-11-29T00:00:00.000Z',
        ends_at: '2026-11-29T06:00:00.000Z',
      },
    ])
    expect((await messagesOf(ana, 'penalty')).map((message) => message.words.blanks[2])).toEqual(['29 nov 2026'])
    expect(await messagesOf(ana, 'no_show_warning')).toHaveLength(2)

    const cls = await s.make.class()
    const refused = await refusalOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))
    expect(refused).toMatchObject({
      code: 'PENALTY_ACTIVE',
      status: 412,
      message: 'Lo sentimos, no puedes reservar clases porque cuentas con una penalización.',
      data: { resumes_on: '29 nov 2026', resumes_at: '2026-11-29T06:00:00.000Z' },
    })
    expect((await s.as(ana).schedule.one({ single_class_id: cls.single_class_id })).single_class).toMatchObject({
      state: 'penalised',
      opens_at: '2026-11-29T00:00:00.000Z',
      why_not: { code: 'PENALTY_ACTIVE' },
      actions: { reserve: null, join_waitlist: false },
    })
    s.clock.set('2026-11-29T00:00:00-06:00')
    const later = await s.make.class()
    await s.as(ana).bookings.reserve({ single_class_id: later.single_class_id })
    expect(
      (await s.as(ana).penalties.one({ class_reservation_penalty_id: class_reservation_penaltys[0]?.class_reservation_penalty_id ?? 0 }))
        .class_reservation_penalty.active,
    ).toBe(false)
    expect(third).toBeGreaterThan(0)
  })

  test('an attendance resets the count; counted packages do not count; the same no-shows never count twice', async () => {
    const ana = await member()
    await misses(ana, 2)
    const at = await booked(ana, 1)
    s.clock.set(at.ends_at)
    await mark(at.id, true)
    await settle(at)
    await misses(ana, 2)
    expect((await s.as(ana).penalties.list({})).class_reservation_penaltys).toEqual([])

    const eva = await s.make.customer()
    await s.make.lot(eva)
    await misses(eva, 4)
    expect(await messagesOf(eva, 'no_show_warning')).toEqual([])
    expect((await s.as(eva).penalties.list({})).class_reservation_penaltys).toEqual([])

    const leo = await member()
    await misses(leo, 3)
    const [row] = (await s.as(leo).penalties.list({})).class_reservation_penaltys
    await s
      .as(manager)
      .penalties.forgive({ class_reservation_penalty_id: row?.class_reservation_penalty_id ?? 0, reason: 'Estuvo en el hospital' })
    await misses(leo, 1)
    expect((await s.as(leo).penalties.list({})).class_reservation_penaltys).toHaveLength(1)
    expect((await messagesOf(leo, 'no_show_warning')).at(-1)?.words.blanks[3]).toBe('1 de 3')
  })

  test('an excused absence does not count; a correction lifts a penalty based on it, and says so', async () => {
    const ana = await member()
    const first = await booked(ana, 1)
    s.clock.set(first.ends_at)
    expect((await mark(first.id, false, 'Se enfermó su hija')).class_reservation.excuse).toBe('Se enfermó su hija')
    await settle(first)
    const ids = await misses(ana, 3)
    expect((await s.as(ana).penalties.list({})).class_reservation_penaltys).toMatchObject([{ no_shows: 3, active: true }])
    await mark(ids[1] ?? 0, true)
    await doJobs(s)
    expect((await s.as(ana).penalties.list({})).class_reservation_penaltys).toMatchObject([
      { active: false, forgive_reason: 'se corrigió la asistencia' },
    ])
    expect(await messagesOf(ana, 'penalty_forgiven')).toHaveLength(1)
    await s.as(ana).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
  })

  test('marking absent after closing counts too', async () => {
    const ana = await member()
    await misses(ana, 2)
    const at = await booked(ana, 1)
    await settle(at)
    expect(await statusOf(ana, at.id)).toBe('Exitosa')
    await mark(at.id, false)
    expect((await s.as(ana).penalties.list({})).class_reservation_penaltys).toMatchObject([{ no_shows: 3, active: true }])
  })

  test('without penalties enabled there are no warnings or blocks', async () => {
    await s.change({ unlimited_membership_penalties_enabled: false })
    const ana = await member()
    await misses(ana, 4)
    expect(await messagesOf(ana, 'no_show_warning')).toEqual([])
    expect((await s.as(ana).penalties.list({})).class_reservation_penaltys).toEqual([])
    expect(await codeOf(s.as(manager).penalties.create({ customer_id: ana.customer_id, reason: 'No llegó' }))).toBe('PENALTIES_DISABLED')
  })

  test('reception lists them by page with the customer, also only active or only ended ones (S2-7.46)', async () => {
    const ownStudio = await studio({ settings: { unlimited_membership_penalties_enabled: true } })
    const [ana, eva, desk] = [
      await ownStudio.make.customer({ name: 'Ana' }),
      await ownStudio.make.customer({ name: 'Eva' }),
      await ownStudio.make.staff('manager'),
    ]
    await ownStudio.sql(
      `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, "createdAt")
       select $1, 'faltas', t, t + interval '7 days', t from generate_series('2026-01-01'::timestamptz, '2026-06-30', interval '3 days') t`,
      [ana.customer_id],
    )
    await ownStudio.as(desk).penalties.create({ customer_id: eva.customer_id, reason: 'Llegó tarde', resumes_on: '2026-12-01' })
    const list = (input: { filter?: 'active' | 'over'; page?: number; customer_id?: number } = {}) =>
      ownStudio.as(desk).penalties.list(input)
    const all = await list()
    expect([all.class_reservation_penaltys.length, all.total, all.pages]).toEqual([50, 62, 2])
    expect(all.class_reservation_penaltys[0]).toMatchObject({ customer: { name: 'Eva', last_name: 'Treviño' }, active: true })
    expect((await list({ page: 2 })).class_reservation_penaltys).toHaveLength(12)
    expect((await list({ filter: 'active' })).class_reservation_penaltys.map(({ customer_id }) => customer_id)).toEqual([eva.customer_id])
    const over = await list({ filter: 'over' })
    expect([over.total, over.class_reservation_penaltys.every(({ active }) => !active)]).toEqual([61, true])
    expect((await list({ filter: 'active', customer_id: ana.customer_id })).total).toBe(0)
    expect((await ownStudio.as(ana).penalties.list({})).total).toBe(61)
    await ownStudio.change({ unlimited_membership_penalties_enabled: false })
    expect([(await list({ filter: 'active' })).total, (await list({ filter: 'over' })).total]).toEqual([0, 62])
    await ownStudio.close()
  })

  test('by hand: given, changed, forgiven with stored reasons; seen by the customer and reception (S2-7.46 to S2-7.50)', async () => {
    const [ana, eva, coach] = [await member(), await member(), await s.make.staff('coach')]
    const { class_reservation_penalty: penalty } = await s
      .as(manager)
      .penalties.create({ customer_id: ana.customer_id, reason: 'Llegó tarde muchas veces', resumes_on: '2026-12-01' })
    expect(penalty).toMatchObject({ no_shows: 0, active: true, resumes_at: '2026-12-01T00:00:00.000Z' })
    const id = { class_reservation_penalty_id: penalty.class_reservation_penalty_id }
    expect((await s.as(ana).penalties.one(id)).class_reservation_penalty.reason).toBe('Llegó tarde muchas veces')
    expect((await s.as(manager).penalties.list({ customer_id: ana.customer_id })).class_reservation_penaltys).toHaveLength(1)
    expect((await s.as(eva).penalties.list({ customer_id: ana.customer_id })).class_reservation_penaltys).toEqual([])
    expect(await codeOf(s.as(eva).penalties.one(id))).toBe('PENALTY_NOT_FOUND')
    for (const person of [ana, coach])
      expect(await codeOf(s.as(person).penalties.forgive({ ...id, reason: 'porque sí' }))).toBe('FORBIDDEN')
    expect(await codeOf(s.as(manager).penalties.update({ ...id, resumes_on: '2026-11-19', reason: 'hoy' }))).toBe('INVALID_INPUT')
    expect(
      (await s.as(manager).penalties.update({ ...id, resumes_on: '2026-11-25', reason: 'Menos días' })).class_reservation_penalty
        .resumes_at,
    ).toBe('2026-11-25T00:00:00.000Z')
    expect((await s.as(manager).penalties.forgive({ ...id, reason: 'Hablamos' })).class_reservation_penalty).toMatchObject({
      active: false,
      forgive_reason: 'Hablamos',
    })
    expect(await codeOf(s.as(manager).penalties.forgive({ ...id, reason: 'Otra vez' }))).toBe('PENALTY_OVER')
    expect(
      await s.sql(`select action, reason from audit where entity = 'class_reservation_penalty' and entity_id = $1 order by audit_id`, [
        String(penalty.class_reservation_penalty_id),
      ]),
    ).toEqual([
      { action: 'penalty.create', reason: 'Llegó tarde muchas veces' },
      { action: 'penalty.change', reason: 'Menos días' },
      { action: 'penalty.forgive', reason: 'Hablamos' },
    ])
    expect(await codeOf(s.as(manager).penalties.create({ customer_id: 2_000_000_000, reason: 'Nadie' }))).toBe('NOT_FOUND')
  })
})

describe('bookings by staff (R21, R22)', () => {
  test('staff book past every window, and cancel with or without returning the credit', async () => {
    await s.change({ reservation_opens_days: 1, reservation_timeframe_hours: 5, allow_cancel_reservations: false, undo_minutes: 0 })
    const ana = await s.make.customer()
    await s.make.lot(ana)
    const cls = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + HOUR) })
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('CLASS_CLOSED')
    const { class_reservation } = await s
      .as(manager)
      .attendance.reserve({ customer_id: ana.customer_id, single_class_id: cls.single_class_id })
    expect(class_reservation).toMatchObject({ customer_id: ana.customer_id, is_cash: false, paid_with: 'Diez' })
    const id = { class_reservation_id: class_reservation.class_reservation_id }
    expect(await codeOf(s.as(ana).bookings.cancel(id))).toBe('CANCEL_NOT_ALLOWED')
    expect((await s.as(manager).attendance.cancel({ ...id, reason: 'Avisó', credit: 'keep' })).credit).toBe('kept')
    expect(await codeOf(s.as(manager).attendance.cancel({ ...id, reason: 'Avisó' }))).toBe('RESERVATION_CANCELLED')
    const again = await s.as(manager).attendance.reserve({ customer_id: ana.customer_id, single_class_id: cls.single_class_id })
    expect(
      (await s.as(manager).attendance.cancel({ class_reservation_id: again.class_reservation.class_reservation_id, reason: 'Avisó' }))
        .credit,
    ).toBe('returned')
    expect((await s.as(ana).credits.list()).summary.available).toBe(9)
    expect(await codeOf(s.as(manager).attendance.reserve({ customer_id: 2_000_000_000, single_class_id: cls.single_class_id }))).toBe(
      'NOT_FOUND',
    )
    const full = await s.make.class({ capacity: 0 })
    expect(await codeOf(s.as(manager).attendance.reserve({ customer_id: ana.customer_id, single_class_id: full.single_class_id }))).toBe(
      'CLASS_FULL',
    )
  })

  test('as a courtesy: one call gives the class and books the place, or does neither; the right credits.edit', async () => {
    const [ana, eva, desk] = [await s.make.customer(), await s.make.customer(), await s.make.staff('reception')]
    await s.sql(`insert into staff_right select staff_id, 'credits.edit', false from staff where uid = $1`, [desk.uid])
    const cls = await s.make.class({ capacity: 1, starts_at: new Date(s.clock.now().getTime() + HOUR) })
    const on = { single_class_id: cls.single_class_id, courtesy: { reason: 'Su clase anterior se interrumpió' } }
    const creditLots = async (person: Person) => (await s.as(person).credits.all({})).available_classes
    expect(await codeOf(s.as(desk).attendance.reserve({ customer_id: ana.customer_id, ...on }))).toBe('FORBIDDEN')
    expect(await refusalOf(s.as(manager).attendance.reserve({ customer_id: ana.customer_id, ...on, is_cash: true }))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'courtesy' },
    })
    expect(await creditLots(ana)).toEqual([])
    const once = s.as(manager, 'courtesy-once').attendance
    const answer = await once.reserve({ customer_id: ana.customer_id, ...on })
    expect(await once.reserve({ customer_id: ana.customer_id, ...on })).toEqual(answer)
    expect(answer.class_reservation).toMatchObject({ paid_with: 'Cortesía del estudio', is_cash: false, owed: null })
    expect(await creditLots(ana)).toMatchObject([{ granted: 1, available_classes: 0, is_courtesy: true }])
    expect(
      await s.sql(`select reason, after->'single_class_id' as cls from audit where action = 'credits.give' and entity_id = $1`, [
        String(ana.customer_id),
      ]),
    ).toEqual([{ reason: on.courtesy.reason, cls: cls.single_class_id }])
    // The class is full now: no place, and no credit either.
    expect(await codeOf(s.as(manager).attendance.reserve({ customer_id: eva.customer_id, ...on }))).toBe('CLASS_FULL')
    expect(await creditLots(eva)).toEqual([])
    const { credit } = await s
      .as(manager)
      .attendance.cancel({ class_reservation_id: answer.class_reservation.class_reservation_id, reason: 'Avisó' })
    expect(credit).toBe('returned')
  })

  test('in cash: the reservation waits for the money, is paid once, and is cancelled when none came', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const cls = await s.make.class({ starts_at: new Date('2026-11-27T16:00:00Z') })
    const input = { customer_id: ana.customer_id, single_class_id: cls.single_class_id, is_cash: true }
    const { class_reservation } = await s.as(manager).attendance.reserve({ ...input, guest: 'Jimena' })
    const id = { class_reservation_id: class_reservation.class_reservation_id }
    expect(class_reservation).toMatchObject({ is_cash: true, is_paid: false, status: 'Pago en Efectivo Incompleto', paid_with: null })
    expect(await statusOf(ana, id.class_reservation_id)).toBe('Pago en Efectivo Incompleto')
    expect((await s.as(manager).attendance.paid(id)).class_reservation.status).toBe('Próxima')
    expect((await s.as(manager).attendance.paid(id)).class_reservation.is_paid).toBe(true)
    const other = await s.as(manager).attendance.reserve({ ...input, customer_id: eva.customer_id })
    s.clock.advance({ hours: 48, minutes: 1 })
    await doJobs(s, 'bookings.unpaid')
    expect(await statusOf(eva, other.class_reservation.class_reservation_id)).toBe('Cancelada')
    expect(await statusOf(ana, id.class_reservation_id)).toBe('Próxima')
    expect((await messagesOf(eva, 'reservation_cancelled'))[0]?.words.lines.at(-1)).toBe('No recibimos el pago en efectivo a tiempo.')
    const [stored] = await s.sql('select taken from single_class where single_class_id = $1', [cls.single_class_id])
    expect(stored).toEqual({ taken: 2 })

    const near = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + HOUR) })
    const stays = await s
      .as(manager)
      .attendance.reserve({ customer_id: eva.customer_id, single_class_id: near.single_class_id, is_cash: true })
    s.clock.advance({ hours: 50 })
    await doJobs(s, 'bookings.unpaid')
    expect(await statusOf(eva, stays.class_reservation.class_reservation_id)).toBe('Pago en Efectivo Incompleto')
    const credit = await s.make.customer()
    await s.make.lot(credit)
    const paid = await booked(credit, 1)
    expect(await codeOf(s.as(manager).attendance.paid({ class_reservation_id: paid.id }))).toBe('RESERVATION_NOT_CASH')
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
