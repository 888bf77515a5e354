/** Tasks of Hoy: found, visible by right, postponed, closed and returned (docs/domain.md N4 to N8). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TaskKind } from '#contract/today.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let cash: number
let transfer: number
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_checkout_enabled: true, no_show_grace_hours: 12 } })
  owner = await s.make.staff('owner', { name: 'Mónica' })
  desk = await s.make.staff('reception', { name: 'Diego' })
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  transfer = (await s.make.paymentMethod({ name: 'Transferencia' })).payment_method_id
  await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const tasksOf = async (person: Person, more: { location_id?: number } = {}) => (await s.as(person).today.tasks(more)).tasks
const find = async (kind: TaskKind, subject: number, person = owner) =>
  (await tasksOf(person)).find(({ task_id }) => task_id === `${kind}-${subject}`)
const hours = (n: number) => new Date(Date.parse(START) + n * 3_600_000)
const addReservation = async (
  cls: { single_class_id: number },
  customer: { customer_id: number },
  more: { unpaid?: boolean; attend?: boolean } = {},
) => {
  const [row] = await s.sql<{ id: number }>(
    `insert into class_reservation (single_class_id, customer_id, attend, is_cash, is_paid, "createdAt", "updatedAt")
     values ($1, $2, $3, $4, not $4, now(), now()) returning class_reservation_id as id`,
    [cls.single_class_id, customer.customer_id, more.attend ?? null, more.unpaid ?? false],
  )
  return row?.id ?? 0
}
const sell = async (more: { owe?: string; transfer?: string }) => {
  const { customer_id } = await s.make.customer({ name: 'Lucía', last_name: 'Paz' })
  return s.as(owner, randomUUID()).counterSales.sell({
    customer_id,
    location_id,
    lines: [{ kind: 'other', title: 'Agua', amount: '300' }],
    shown: { total: '300' },
    ...(more.owe ? { owe: { until: more.owe, reason: 'Olvidó su cartera' } } : {}),
    payments: more.transfer ? [{ payment_method_id: transfer, amount: '300', reference: more.transfer }] : [],
  })
}

describe('a task is found from what is there (N4)', () => {
  test('a coach with two classes at once, until one of them is moved', async () => {
    const { instructor_id } = await s.make.instructor({ name: 'Renata', last_name: 'Ruiz' })
    const [first, second] = [
      await s.make.class({ location_id, instructor_id, starts_at: hours(5) }),
      await s.make.class({ location_id, instructor_id, starts_at: hours(5.5) }),
    ]
    expect(await find('coach_twice', first.single_class_id)).toBeUndefined()
    expect(await find('coach_twice', second.single_class_id)).toMatchObject({ title: 'Renata Ruiz tiene dos clases a la vez', location_id })
    expect(await find('coach_twice', second.single_class_id, desk)).toBeUndefined()
    await s.sql(`update single_class set "cancelledAt" = now() where single_class_id = $1`, [first.single_class_id])
    expect(await find('coach_twice', second.single_class_id)).toBeUndefined()
  })

  test('a class whose coach is absent that day at its location, until a substitute is looked for', async () => {
    const { instructor_id } = await s.make.instructor({ name: 'Sara', last_name: 'Gil' })
    const cls = await s.make.class({ location_id, instructor_id, starts_at: hours(29) })
    expect(await find('coach_absent', cls.single_class_id)).toBeUndefined()
    const absent = (from: string, to: string) =>
      s.sql(`insert into instructor_absence (instructor_id, from_day, to_day, reason, "createdAt") values ($1, $2, $3, 'Viaje', now())`, [
        instructor_id,
        from,
        to,
      ])
    const day = (n: number) => hours(29 + n * 24).toLocaleDateString('en-CA', { timeZone: 'America/Mexico_City' })
    await absent(day(1), day(4))
    expect(await find('coach_absent', cls.single_class_id)).toBeUndefined()
    await absent(day(0), day(0))
    expect(await find('coach_absent', cls.single_class_id)).toMatchObject({
      title: expect.stringMatching(/^Sara Gil no está y da /),
      location_id,
      link: `/admin/clases/${cls.single_class_id}`,
    })
    expect(await find('coach_absent', cls.single_class_id, desk)).toBeUndefined()
    await s.sql(
      `insert into substitution (single_class_id, instructor_id, staff_id, reason, state, "createdAt", "updatedAt")
       select $1, $2, min(staff_id), 'Viaje', 'open', now(), now() from staff`,
      [cls.single_class_id, instructor_id],
    )
    expect(await find('coach_absent', cls.single_class_id)).toBeUndefined()
  })

  test('a document that a customer of today has not accepted, until they do', async () => {
    const ana = await s.make.customer({ name: 'Ana', last_name: 'Paz' })
    const page = await s.make.page({ title: 'Reglamento', required: true })
    const cls = await s.make.class({ location_id, starts_at: hours(4) })
    expect(await find('document', ana.customer_id)).toBeUndefined()
    await addReservation(cls, ana)
    expect(await find('document', ana.customer_id, desk)).toMatchObject({
      title: 'A Ana Paz le falta firmar',
      count: 1,
      link: `/admin/clientes/${ana.customer_id}?ver=perfil`,
      detail: expect.stringContaining('Reglamento'),
    })
    await s.as(desk).customerRecords.acceptPage({ customer_id: ana.customer_id, page_id: page.page_id, version: page.version })
    expect(await find('document', ana.customer_id)).toBeUndefined()
    await s.sql('update page set required = false where page_id = $1', [page.page_id])
  })

  test('a till that was opened before today, for its person and for who reviews tills, until it is counted (J1)', async () => {
    const { cash_session } = await s.as(desk).cashSessions.current({ location_id })
    const { cash_session_id = 0 } = cash_session ?? {}
    const other = await s.make.staff('reception')
    expect(await find('till_open', cash_session_id)).toBeUndefined()
    s.clock.set(hours(24).toISOString())
    expect(await find('till_open', cash_session_id, desk)).toMatchObject({
      title: 'La caja de Diego quedó abierta',
      link: `/admin/caja/cortes/${cash_session_id}`,
      location_id,
      detail: expect.stringContaining('Desde'),
    })
    expect(await find('till_open', cash_session_id)).toBeDefined()
    expect(await find('till_open', cash_session_id, other)).toBeUndefined()
    await s.as(owner, randomUUID()).cashSessions.close({ cash_session_id, cash: {}, left_in_drawer: '0' })
    expect(await find('till_open', cash_session_id)).toBeUndefined()
    s.clock.set(START)
    await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
  })

  test('a debt, until it is paid; a part of it changes its amount', async () => {
    const { sale } = await sell({ owe: '2026-11-25' })
    const subject = sale.sale_id ?? 0
    const purchase = sale.lines[0]?.purchase_id
    expect(await find('debt', subject)).toMatchObject({
      title: 'Lucía Paz tiene un adeudo',
      amount: '300.00',
      location_id,
      link: `/admin/ventas/${purchase}`,
      verb: null,
      due_at: '2026-11-26T06:00:00.000Z',
    })
    const pay = (amount: string) =>
      s.as(desk, randomUUID()).counterSales.pay({ sale_id: subject, payments: [{ payment_method_id: cash, amount }] })
    await pay('100')
    expect(await find('debt', subject)).toMatchObject({ amount: '200.00' })
    await pay('200')
    expect(await find('debt', subject)).toBeUndefined()
  })

  test('a transfer, whose call confirms it; one that never came is a debt again', async () => {
    const first = await sell({ transfer: 'SPEI 1' })
    const id = (await s.sql<{ id: number }>('select max(sale_payment_id) as id from sale_payment'))[0]?.id ?? 0
    const invoice_id = first.sale.payments[0]?.invoice_ids[0] ?? 0
    expect(await find('transfer', id)).toMatchObject({
      amount: '300.00',
      detail: expect.stringContaining('Referencia SPEI 1'),
      verb: { endpoint: `/admin/invoices/${invoice_id}/confirm`, method: 'POST', body: {} },
    })
    await s.as(desk).counterSales.confirm({ invoice_id })
    expect(await find('transfer', id)).toBeUndefined()
    const second = await sell({ transfer: 'SPEI 2' })
    await s.as(desk).counterSales.reject({ invoice_id: second.sale.payments[0]?.invoice_ids[0] ?? 0, reason: 'No llegó' })
    expect(await find('debt', second.sale.sale_id ?? 0)).toMatchObject({ amount: '300.00' })
  })

  test('cash of an order that waits, a refused renewal, a voucher that ends today', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({ price_centavos: 179_000 })
    const { purchase_id } = await s.as(customer, randomUUID()).sales.checkout({ class_package_id, payment_method_id: cash })
    expect(await find('cash_due', purchase_id)).toMatchObject({ amount: '1790.00', location_id: null })
    expect(await find('renewal', purchase_id)).toBeUndefined()
    await s.sql(`update payment_attempt set state = 'waiting', voucher = $2 where purchase_id = $1`, [
      purchase_id,
      JSON.stringify({ kind: 'oxxo', reference: '1', expires_at: hours(5).toISOString(), url: null, clabe: null }),
    ])
    expect(await find('voucher', purchase_id)).toMatchObject({ due_at: hours(5).toISOString() })
    s.clock.set(hours(6))
    expect(await find('voucher', purchase_id)).toBeUndefined()
    const [renewing] = await s.sql<{ id: number }>(
      `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, next_total_centavos, class_amount, expiration_days,
         is_subscription, gateway, status, request_hash, past_due_since, "createdAt", "updatedAt")
       values ($1, $2, 'Mensual', 100000, 100000, 90000, 8, 30, true, 'sandbox', 'active', 'x', $3, now(), now()) returning purchase_id as id`,
      [customer.customer_id, class_package_id, hours(-3)],
    )
    expect(await find('renewal', renewing?.id ?? 0)).toMatchObject({
      amount: '900.00',
      count: 1,
      verb: { label: 'Enviar enlace', endpoint: `/admin/purchases/${renewing?.id}/card_link/send`, method: 'POST', body: {} },
    })
  })

  test('places that are not paid: today apart from before', async () => {
    const customer = await s.make.customer()
    const [now, past] = [
      await s.make.class({ starts_at: hours(3), location_id }),
      await s.make.class({ starts_at: hours(-72), location_id }),
    ]
    const today = await addReservation(now, customer, { unpaid: true })
    const before = await addReservation(past, customer, { unpaid: true })
    expect(await find('spot_due', today)).toMatchObject({ amount: '220.00', link: `/admin/clases/${now.single_class_id}` })
    expect(await find('spot_debt', before)).toMatchObject({ amount: '220.00' })
    expect(await find('spot_debt', today)).toBeUndefined()
  })

  test('a timetable whose last class is near, unless a series continues; and one that ended', async () => {
    const { location_id: end } = await s.make.location({ name: 'Condesa' })
    const series = async (until: string | null) =>
      (
        await s.sql<{ id: number }>(
          `insert into class_series (repeat_until, weekdays, starts_on, created_until, "createdAt") values ($1, '{1}', '2026-10-01', '2026-12-01', now())
           returning class_series_id as id`,
          [until],
        )
      )[0]?.id ?? 0
    const cls = async (starts_at: Date, class_series_id: number | null) =>
      s.make.class({ location_id: end, class_series_id, starts_at, capacity: 5 })
    // At seven in the evening, when it is the next day in UTC.
    const evening = new Date('2026-12-03T01:00:00Z')
    await cls(hours(24 * 5), null)
    expect(await find('timetable_ends', end)).toBeUndefined()
    const last = await cls(evening, await series('2026-12-02'))
    expect(await find('timetable_ends', end)).toMatchObject({
      title: 'El horario de Condesa termina el 02 dic 2026',
      location_id: end,
      link: `/admin/horario?estudio=${end}`,
      due_at: evening.toISOString(),
    })
    expect(await find('timetable_ends', end, desk)).toBeUndefined()
    s.clock.set(hours(24 * 14))
    expect(await find('timetable_ends', end)).toMatchObject({ title: 'El horario de Condesa terminó el 02 dic 2026' })
    s.clock.set(hours(24 * 30))
    expect(await find('timetable_ends', end)).toBeUndefined()
    s.clock.set(START)
    const further = await cls(hours(24 * 15), null)
    expect(await find('timetable_ends', end)).toBeUndefined()
    await s.sql('update single_class set "cancelledAt" = now() where single_class_id = $1', [further.single_class_id])
    expect(await find('timetable_ends', end)).toBeDefined()
    await cls(hours(24 * 2), await series(null))
    expect(await find('timetable_ends', end)).toBeUndefined()
    await s.sql('update single_class set "cancelledAt" = now() where location_id = $1', [end])
    expect(last.single_class_id).toBeGreaterThan(0)
  })

  test('a class without capacity or coach in the next seven days, and an unused roster', async () => {
    const open = await s.make.class({ starts_at: hours(30), capacity: null })
    const far = await s.make.class({ starts_at: hours(24 * 8), capacity: null })
    expect(await find('no_capacity', open.single_class_id)).toMatchObject({ title: expect.stringContaining('no tiene cupo') })
    expect(await find('no_capacity', far.single_class_id)).toBeUndefined()
    expect(await find('no_coach', open.single_class_id)).toBeUndefined()
    await s.sql('delete from class_instructor where single_class_id = $1', [open.single_class_id])
    expect(await find('no_coach', open.single_class_id)).toMatchObject({ due_at: hours(30).toISOString() })
    const over = await s.make.class({ starts_at: hours(-2.5) })
    const reservationId = await addReservation(over, await s.make.customer())
    // It ended less than two hours ago.
    expect(await find('roster_open', over.single_class_id)).toBeUndefined()
    s.clock.advance({ hours: 1 })
    expect(await find('roster_open', over.single_class_id)).toMatchObject({ count: 1 })
    await s.sql('update class_reservation set attend = true where class_reservation_id = $1', [reservationId])
    expect(await find('roster_open', over.single_class_id)).toBeUndefined()
  })

  test('people: credits that end, a first class, a birthday, messages that failed', async () => {
    const ana = await s.make.customer({ name: 'Ana', last_name: 'Ríos', birthdate: '1990-11-19' })
    await s.make.lot(ana, { title: 'Cinco', granted: 5, expires_at: hours(48) })
    await s.make.lot(ana, { title: 'Diez', expires_at: hours(24 * 20) })
    expect(await find('credits_ending', ana.customer_id)).toMatchObject({
      count: 5,
      detail: expect.stringContaining('Le quedan 5 clases'),
      verb: { label: 'Avisar', endpoint: `/admin/customers/${ana.customer_id}/credits_notice` },
    })
    const cls = await s.make.class({ starts_at: hours(4), location_id })
    await addReservation(cls, ana)
    expect(await find('first_class', cls.single_class_id)).toMatchObject({ title: 'Primera clase de Ana Ríos' })
    expect(await find('birthday', cls.single_class_id)).toMatchObject({ title: 'Hoy cumple años Ana Ríos' })
    await addReservation(await s.make.class({ starts_at: hours(-48) }), ana, { attend: true })
    expect(await find('first_class', cls.single_class_id)).toBeUndefined()
    await s.sql(
      `insert into message (event, about, customer_id, channel, status, words, "nextAt", "createdAt")
       values ('reservation.confirmed', 'x:1', $1, 'mail', 'failed', '{}', now(), $2)`,
      [ana.customer_id, hours(-1)],
    )
    expect(await find('message_failed', ana.customer_id)).toMatchObject({
      title: 'No le llegó un mensaje a Ana Ríos',
      link: `/admin/clientes/${ana.customer_id}?ver=mensajes`,
    })
  })

  test('money that differs and money that is owed back, each under its own right', async () => {
    const insert = async (kind: string, about: string) =>
      (
        await s.sql<{ id: number }>(
          `insert into money_difference (kind, gateway, about, details, "foundAt") values ($1, 'sandbox', $2, '{"amount": 12500}', now()) returning money_difference_id as id`,
          [kind, about],
        )
      )[0]?.id ?? 0
    const [differs, back] = [await insert('amount_differs', 'a'), await insert('refund_due', 'b')]
    expect(await find('discrepancy', differs)).toMatchObject({ amount: '125.00' })
    expect(await find('refund_due', back)).toMatchObject({ amount: '125.00' })
    expect(await find('discrepancy', differs, desk)).toBeUndefined()
    expect(await find('refund_due', back, desk)).toBeUndefined()
  })

  test('a job that failed is the owner’s, and its call sends it again', async () => {
    const [row] = await s.sql<{ id: number }>(
      `insert into failed_job (job_id, queue, job, data, error, attempts) values ($1, 'mail', 'messages.deliver', '{}', 'x', 3) returning failed_job_id as id`,
      [randomUUID()],
    )
    const id = row?.id ?? 0
    expect(await find('job_failed', id)).toMatchObject({ verb: { endpoint: `/admin/failed_jobs/${id}/retry` } })
    expect(await find('job_failed', id, desk)).toBeUndefined()
  })
})

describe('who sees and decides (N5)', () => {
  test('a person of one location gets theirs and those of none; another location is refused', async () => {
    const elsewhere = (await s.make.location()).location_id
    const staff = await s.make.staff('reception')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [staff.uid, elsewhere])
    const { sale } = await sell({ owe: '2026-11-25' })
    const id = `debt-${sale.sale_id}`
    expect((await tasksOf(staff)).some((task) => task.task_id === id)).toBe(false)
    expect((await tasksOf(staff)).every((task) => task.location_id === null || task.location_id === elsewhere)).toBe(true)
    expect(await codeOf(s.as(staff).today.tasks({ location_id }))).toBe('FORBIDDEN')
    expect(await codeOf(s.as(staff).today.read({ location_id }))).toBe('FORBIDDEN')
    // It is not there for them, and nothing is written.
    expect(await codeOf(s.as(staff).today.decide({ task_id: id, done: true, reason: 'No es mía' }))).toMatch(/TASK_/)
    expect((await tasksOf(owner, { location_id: elsewhere })).some((task) => task.task_id === id)).toBe(false)
    expect(await find('debt', sale.sale_id ?? 0)).toBeDefined()
  })

  test('a coach is turned away, and a kind needs its right', async () => {
    const coach = await s.make.staff('coach')
    expect(await codeOf(s.as(coach).today.read({}))).toBe('FORBIDDEN')
    expect(await refusalOf(s.as(desk).today.decide({ task_id: 'job_failed-1', done: true, reason: 'Listo' }))).toMatchObject({
      code: 'FORBIDDEN',
      data: { needs: 'settings.edit' },
    })
    expect(await codeOf(s.as(desk).today.decide({ task_id: 'nothing_known-1', done: true, reason: 'Listo' }))).toBe('NOT_FOUND')
  })
})

describe('putting off and closing (N6, N7, N8)', () => {
  const aDebt = async () => {
    const { sale } = await sell({ owe: '2026-11-25' })
    const subject = sale.sale_id ?? 0
    return { subject, task_id: `debt-${subject}`, seen: async () => (await find('debt', subject)) !== undefined }
  }

  test('a task that is put off returns when its time comes', async () => {
    const { task_id, seen } = await aDebt()
    await s.as(desk).today.decide({ task_id, snooze_until: hours(20).toISOString() })
    expect(await seen()).toBe(false)
    s.clock.set(hours(19))
    expect(await seen()).toBe(false)
    s.clock.set(hours(20.1))
    expect(await seen()).toBe(true)
  })

  test('a closed task stays away until its facts change, and can be opened again', async () => {
    const { subject, task_id, seen } = await aDebt()
    await s.as(owner).today.decide({ task_id, done: true, reason: 'Paga el lunes' })
    s.clock.advance({ days: 30 })
    expect(await seen()).toBe(false)
    s.clock.set(START)
    await s.as(desk, randomUUID()).counterSales.pay({ sale_id: subject, payments: [{ payment_method_id: cash, amount: '50' }] })
    expect(await seen()).toBe(true)
    await s.as(owner).today.decide({ task_id, done: true, reason: 'Otra vez' })
    expect(await seen()).toBe(false)
    await s.as(owner).today.decide({ task_id, done: false })
    expect(await seen()).toBe(true)
    const trail = await s.sql<{ action: string }>(`select action from audit where entity = 'task' and entity_id = $1 order by audit_id`, [
      task_id,
    ])
    expect(trail.map(({ action }) => action)).toEqual(['task.close', 'task.close', 'task.reopen'])
  })

  test('shows who closed it first, and who resolved its cause', async () => {
    const { subject, task_id } = await aDebt()
    await s.as(desk).today.decide({ task_id, done: true, reason: 'Ya quedamos' })
    const late = { task_id, done: true, reason: 'Yo también' }
    expect(await refusalOf(s.as(owner).today.decide(late))).toMatchObject({ code: 'TASK_RESOLVED', message: 'Ya lo resolvió Diego.' })
    await s.as(desk, randomUUID()).counterSales.pay({ sale_id: subject, payments: [{ payment_method_id: cash, amount: '300' }] })
    expect(await refusalOf(s.as(owner).today.decide(late))).toMatchObject({ code: 'TASK_RESOLVED', message: 'Ya lo resolvió Diego.' })
    expect(await codeOf(s.as(owner).today.decide({ task_id: 'credits_ending-999999', done: true, reason: 'Nada' }))).toBe('TASK_GONE')
  })

  test('refuses to close what changed meanwhile, without a reason, or put off into the past', async () => {
    const { subject, task_id, seen } = await aDebt()
    const version = (await find('debt', subject))?.version
    await s.as(desk, randomUUID()).counterSales.pay({ sale_id: subject, payments: [{ payment_method_id: cash, amount: '50' }] })
    expect(await codeOf(s.as(owner).today.decide({ task_id, done: true, reason: 'Listo', version }))).toBe('TASK_CHANGED')
    expect(await codeOf(s.as(owner).today.decide({ task_id, done: true }))).toBe('INVALID_INPUT')
    expect(await codeOf(s.as(owner).today.decide({ task_id, snooze_until: hours(-1).toISOString() }))).toBe('INVALID_INPUT')
    expect(await codeOf(s.as(owner).today.decide({ task_id, snooze_until: hours(24 * 91).toISOString() }))).toBe('INVALID_INPUT')
    expect(await seen()).toBe(true)
  })
})
