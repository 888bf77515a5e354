/** The first reports: their figures equal a slow query that was written separately; rights; periods. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Report, ReportInput } from '#contract/reports.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { demandingSlots, demandLevel } from './occupancy-rules.ts'
import { comparedPeriods, daysBefore, listSteps } from './rules.ts'

const MEXICO = 'America/Mexico_City'

describe('periods (RE2)', () => {
  test.each([
    ['2026-10-19', '2026-11-15', 'before', '2026-09-21', '2026-10-18'],
    ['2026-02-01', '2026-02-28', 'before', '2026-01-01', '2026-01-31'],
    ['2026-01-01', '2026-03-31', 'before', '2025-10-01', '2025-12-31'],
    ['2026-11-19', '2026-11-19', 'before', '2026-11-18', '2026-11-18'],
    ['2026-10-19', '2026-11-15', 'year', '2025-10-19', '2025-11-15'],
  ] as const)('%s to %s against %s: %s to %s', (from, to, compare, earlier, until) => {
    expect(daysBefore({ from, to }, compare)).toEqual({ from: earlier, to: until })
  })

  test('a period that has not ended is counted until now, the previous one for as long; a future one whole', () => {
    const now = new Date('2026-11-19T16:00:00Z')
    const month = comparedPeriods({ from: '2026-11-01', to: '2026-11-30' }, 'before', now, MEXICO)
    expect([month.isUntilNow, month.now.until.toISOString(), month.before?.until.toISOString()]).toEqual([
      true,
      '2026-11-19T16:00:00.000Z',
      '2026-10-19T16:00:00.000Z',
    ])
    const future = comparedPeriods({ from: '2026-12-01', to: '2026-12-31' }, 'none', now, MEXICO)
    expect([future.isUntilNow, future.now.until.toISOString(), future.before]).toEqual([false, '2027-01-01T06:00:00.000Z', null])
  })

  test('days begin and end on the clocks of the zone, also when these change', () => {
    const days = { from: '2026-11-01', to: '2026-11-01' }
    const later = new Date('2027-01-01T00:00:00Z')
    const bounds = (zone: string) => {
      const { now } = comparedPeriods(days, 'none', later, zone)
      return [now.from.toISOString(), now.until.toISOString()]
    }
    // The clocks of Tijuana go back on 1 November 2026: the day has 25 hours.
    expect(bounds('America/Tijuana')).toEqual(['2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'])
    expect(bounds(MEXICO)).toEqual(['2026-11-01T06:00:00.000Z', '2026-11-02T06:00:00.000Z'])
    expect(bounds('America/Cancun')).toEqual(['2026-11-01T05:00:00.000Z', '2026-11-02T05:00:00.000Z'])
  })

  test('the steps of a period are all of its days, each once', () => {
    for (const step of ['day', 'week', 'month'] as const) {
      const steps = listSteps({ from: '2026-01-15', to: '2026-03-02' }, step)
      expect([steps[0]?.from, steps.at(-1)?.until]).toEqual(['2026-01-15', '2026-03-03'])
      for (const [at, { until }] of steps.entries()) if (steps[at + 1]) expect(steps[at + 1]?.from).toBe(until)
    }
  })
})

describe('which hour asks for something (RE7)', () => {
  const slot = (values: object) => ({ weekday: 4, time: '18:00', classes: 4, taken: 56, capacity: 56, waiting: 24, ...values })
  test('full with people outside asks for another class, nearly empty for another hour, below three classes nothing', () => {
    expect([
      demandLevel(slot({})),
      demandLevel(slot({ waiting: 0 })),
      demandLevel(slot({ classes: 2 })),
      demandLevel(slot({ taken: 10, waiting: 0 })),
    ]).toEqual(['open_another', null, null, 'move'])
    expect(demandingSlots([slot({ taken: 10, waiting: 0 }), slot({ waiting: 3 }), slot({})]).map(({ waiting }) => waiting)).toEqual([
      24, 3, 0,
    ])
  })
})

let s: TestStudio
let owner: Person
let desk: Person
let here: number
let there: number
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  here = (await s.make.location()).location_id
  there = (await s.make.location({ timezone: 'America/Cancun' })).location_id
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const at = (days: number, hours = 0) => new Date(Date.parse(START) + (days * 24 + hours) * 3_600_000)
const read = (input: Partial<ReportInput> & Pick<ReportInput, 'key'>, person = owner): Promise<Report> => s.as(person).reports.read(input)
const value = (report: Report, key: string) => report.figures.find((figure) => figure.key === key)?.value

let charges = 0
async function aCharge(centavos: number, paidAt: Date, more: { location_id?: number; gateway?: string } = {}) {
  const { customer_id } = await s.make.customer()
  const { class_package_id } = await s.make.package()
  const [purchase] = await s.sql<{ id: number }>(
    `insert into purchase (customer_id, title, class_package_id, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash,
       "completedAt", "createdAt", "updatedAt")
     values ($1, 'Diez', $2, $3, $3, 10, 30, 'sandbox', 'completed', 'x', $4, $4, $4) returning purchase_id as id`,
    [customer_id, class_package_id, centavos, paidAt],
  )
  const [invoice] = await s.sql<{ id: number }>(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, location_id, tax_rate, net_centavos, tax_centavos, "paidAt",
       "createdAt") values ($1, $2, $3, $4, 'once', $5, 'paid', $6, 0, $5, 0, $7, $7) returning invoice_id as id`,
    [purchase?.id, customer_id, more.gateway ?? 'sandbox', `pay_report_${charges++}`, centavos, more.location_id ?? null, paidAt],
  )
  return { purchase_id: purchase?.id ?? 0, invoice_id: invoice?.id ?? 0 }
}
const aRefund = ({ purchase_id, invoice_id }: { purchase_id: number; invoice_id: number }, centavos: number, doneAt: Date) =>
  s.sql(
    `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt") values ($1, $2, $3, true, 'x', 'done', $4, $4, $4)`,
    [purchase_id, invoice_id, centavos, doneAt],
  )

describe('Ingresos cobrados (RE4)', () => {
  beforeAll(async () => {
    s.clock.set(START)
    await aCharge(100_000, at(0, -1), { location_id: here })
    const refunded = await aCharge(40_000, at(-3), { location_id: here })
    await aRefund(refunded, 15_050, at(-1))
    await aCharge(9_000, at(-20))
    await aCharge(70_000, at(-2), { gateway: 'regalo' })
    await aCharge(30_000, at(-35))
  })

  test('charges less refunds, each on its own day, without what gift cards paid, beside the weeks before', async () => {
    const report = await read({ key: 'cobrado' })
    expect([value(report, 'collected'), value(report, 'charges'), value(report, 'returned')]).toEqual([1_339.5, 3, 150.5])
    expect(report.figures[0]?.before).toBe(300)
    expect(report.headline?.text).toBe('Cobraste $1,339.50, 347 % más que los 28 días antes.')
    expect(report.totals.collected).toBe(1_339.5)
    expect(report.rows.map(({ cells }) => [cells.name, cells.collected])).toEqual([
      ['2026-10-30', 90],
      ['2026-11-16', 400],
      ['2026-11-18', -150.5],
      ['2026-11-19', 1_000],
    ])
    const { sum } = await s.as(owner).studioSales.invoices({ from: report.from, to: report.to })
    expect(value(report, 'collected')).toBe(Number(sum?.charged) - Number(sum?.refunded) - Number(sum?.lost))
  })

  test.each(['day', 'method', 'location', 'package', 'seller'] as const)(
    'grouped by %s the rows add up to the figure',
    async (group_by) => {
      const report = await read({ key: 'cobrado', group_by })
      const sum = report.rows.reduce((total, { cells }) => total + Math.round(100 * Number(cells.collected)), 0)
      expect(sum).toBe(Math.round(100 * (value(report, 'collected') ?? 0)))
      const [now] = report.charts[0]?.series ?? []
      expect(now?.points.reduce((total, { y }) => total + Math.round(100 * (y ?? 0)), 0)).toBe(sum)
    },
  )

  test('a location has what was received there', async () => {
    expect(value(await read({ key: 'cobrado', location_id: here }), 'collected')).toBe(1_249.5)
    expect(value(await read({ key: 'cobrado', location_id: there }), 'collected')).toBe(0)
  })
})

async function aWaiting(single_class_id: number, status = 'closed') {
  const { customer_id } = await s.make.customer()
  await s.sql(`insert into waitlist (single_class_id, customer_id, status, "createdAt", "updatedAt") values ($1, $2, $3, now(), now())`, [
    single_class_id,
    customer_id,
    status,
  ])
}
async function aTaken(single_class_id: number, count: number) {
  for (let n = 0; n < count; n++)
    await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
      single_class_id,
      (await s.make.customer()).customer_id,
    ])
}

describe('Ocupación (RE7)', () => {
  beforeAll(async () => {
    s.clock.set(START)
    for (const week of [1, 2, 3]) {
      const full = await s.make.class({ starts_at: at(-7 * week, 3), capacity: 2, location_id: here })
      await aTaken(full.single_class_id, 2)
      await aWaiting(full.single_class_id)
      const empty = await s.make.class({ starts_at: at(-7 * week, 1), capacity: 10, location_id: there })
      await aTaken(empty.single_class_id, 1)
    }
    await s.make.class({ starts_at: at(-6), capacity: 8, cancelledAt: at(-7), location_id: here })
    await s.make.class({ starts_at: at(-6), capacity: null, location_id: here })
    await s.make.class({ starts_at: at(2), capacity: 5, location_id: here })
  })

  test('places of places there were, equal to a count of reservations one by one', async () => {
    const report = await read({ key: 'ocupacion' })
    const [slow] = await s.sql<{ taken: number; capacity: number }>(
      `select count(r.class_reservation_id)::int as taken, (select sum(capacity)::int from single_class where "cancelledAt" is null and starts_at >= $1 and starts_at < $2) as capacity
       from single_class c join class_reservation r using (single_class_id)
       where r."deletedAt" is null and c."cancelledAt" is null and c.capacity is not null and c.starts_at >= $1 and c.starts_at < $2`,
      [new Date('2026-10-23T06:00:00Z'), new Date(START)],
    )
    expect([value(report, 'taken'), report.totals.capacity]).toEqual([slow?.taken, slow?.capacity])
    expect([value(report, 'occupancy'), value(report, 'full'), value(report, 'waiting')]).toEqual([25, 3, 3])
    const cells = report.heat?.cells ?? []
    expect([cells.reduce((sum, { taken }) => sum + taken, 0), cells.reduce((sum, { capacity }) => sum + capacity, 0)]).toEqual([9, 36])
  })

  test('the headline asks for another class where people stay outside, on the clock of the location', async () => {
    const report = await read({ key: 'ocupacion' })
    expect(report.headline?.text).toBe('Jueves 13:00 se llena y en cada clase una persona se queda fuera. Abre otra clase.')
    expect(report.headline?.actions[0]).toMatchObject({ label: 'Crear clase jue 14:00', path: '/admin/horario?nueva=2026-11-26T14%3A00' })
    // Cancún is an hour ahead of the studio.
    expect(report.heat?.cells.map(({ weekday, time }) => [weekday, time])).toEqual([
      [4, '12:00'],
      [4, '13:00'],
    ])
    // Reception may not create classes.
    const seen = await read({ key: 'ocupacion' }, desk)
    expect([seen.headline?.actions.length, seen.rows.every(({ action }) => action === null)]).toEqual([1, true])
  })

  test('an hour from which people stayed outside offers another class, to those who may plan', async () => {
    const { rows } = await read({ key: 'espera' })
    expect(rows.find(({ id }) => id === '4-13:00')?.action).toEqual({
      label: 'Abrir otra',
      path: '/admin/horario?nueva=2026-11-26T14%3A00',
    })
    expect((await read({ key: 'espera' }, desk)).rows.every(({ action }) => action === null)).toBe(true)
  })

  test('a cell opens its classes, and a class its list', async () => {
    const report = await read({ key: 'ocupacion', group_by: 'class', slot: '4-13:00' })
    expect(report.rows.length).toBe(3)
    expect(report.rows.every(({ link, cells }) => link?.startsWith('/admin/clases/') && cells.percent === 100)).toBe(true)
    expect(report.rows[0]?.cells.at).toBe('2026-11-12T13:00')
  })

  test.each(['slot', 'type', 'coach', 'location', 'room', 'class'] as const)('grouped by %s', async (group_by) => {
    const report = await read({ key: 'ocupacion', group_by })
    if (group_by !== 'coach') expect(report.totals.taken).toBe(9)
    expect(report.totals.percent).toBe(25)
  })

  test('of each room, and of classes without one; a room opens its classes', async () => {
    const { room } = await s.as(owner).rooms.create({ location_id: here, name: 'Sala alta', capacity: 12 })
    const [moved] = await s.sql<{ single_class_id: number; taken: number }>(
      `update single_class set room_id = $1 where single_class_id = (select single_class_id from single_class where location_id = $2
       and "cancelledAt" is null and capacity > 0 and starts_at >= $3 and starts_at < $4 order by taken desc limit 1) returning single_class_id, taken`,
      [room.room_id, here, new Date('2026-10-23T06:00:00Z'), new Date(START)],
    )
    const { rows } = await read({ key: 'ocupacion', group_by: 'room' })
    expect(rows.map(({ cells, link }) => [cells.name, link]).sort()).toEqual([
      [expect.stringMatching(/^Sala alta · /), expect.stringContaining(`por=class&sala=${room.room_id}&`)],
      ['Sin sala', null],
    ])
    expect(rows.find(({ id }) => id === String(room.room_id))?.cells).toMatchObject({ classes: 1, taken: moved?.taken })
    const only = await read({ key: 'ocupacion', group_by: 'class', room_id: room.room_id })
    expect(only.rows.map(({ id }) => id)).toEqual([String(moved?.single_class_id)])
    expect(only.figures.find(({ key }) => key === 'taken')?.value).toBe(moved?.taken)
    const types = await read({ key: 'ocupacion', group_by: 'type', room_id: room.room_id })
    expect(types.rows[0]?.link).toContain(`sala=${room.room_id}`)
    expect(await codeOf(read({ key: 'asistencia', room_id: room.room_id }))).toBe('INVALID_INPUT')
    await s.sql('update single_class set room_id = null where single_class_id = $1', [moved?.single_class_id])
  })
})

describe('who reads them (RE1)', () => {
  test('money needs reports.money, activity reports.activity; a coach has neither', async () => {
    const coach = await s.make.staff('coach')
    expect(await codeOf(read({ key: 'cobrado' }, desk))).toBe('FORBIDDEN')
    expect(await codeOf(s.as(desk).reports.file({ key: 'cobrado', format: 'csv' }))).toBe('FORBIDDEN')
    expect(await codeOf(read({ key: 'ocupacion' }, coach))).toBe('FORBIDDEN')
    const keys = async (person: Person) => (await s.as(person).reports.list({})).reports.map(({ key }) => key)
    expect(await keys(coach)).toEqual([])
    expect([
      (await keys(owner)).includes('cobrado'),
      (await keys(desk)).includes('cobrado'),
      (await keys(desk)).includes('ocupacion'),
    ]).toEqual([true, false, true])
  })

  test('the index leaves out a report that only names customers when the caller may not read them', async () => {
    const coach = await s.make.staff('coach')
    await s.sql(`insert into staff_right select staff_id, 'reports.activity', true from staff where uid = $1`, [coach.uid])
    const { reports } = await s.as(coach).reports.list({})
    expect(reports.map(({ key }) => key)).toContain('ocupacion')
    expect(reports.map(({ key }) => key)).not.toContain('riesgo')
    expect(await refusalOf(read({ key: 'riesgo' }, coach))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'customers.read' } })
  })

  test('staff of one location read only that one', async () => {
    const manager = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [manager.uid, there])
    expect(value(await read({ key: 'ocupacion' }, manager), 'taken')).toBe(3)
    expect(value(await read({ key: 'cobrado' }, manager), 'collected')).toBe(0)
    expect(await codeOf(read({ key: 'ocupacion', location_id: here }, manager))).toBe('FORBIDDEN')
  })

  test('a group or a filter that a report does not have is refused, as is a period that ends before it begins', async () => {
    expect(await codeOf(read({ key: 'cobrado', group_by: 'slot' }))).toBe('INVALID_INPUT')
    expect(await codeOf(read({ key: 'cobrado', class_type_id: 1 }))).toBe('INVALID_INPUT')
    expect(await codeOf(read({ key: 'cobrado', from: '2026-11-02', to: '2026-11-01' }))).toBe('INVALID_INPUT')
    expect(await codeOf(read({ key: 'cobrado', from: '2020-11-02', to: '2026-11-01' }))).toBe('INVALID_INPUT')
    expect(await codeOf(read({ key: 'cobrado', from: '2026-11-02' }))).toBe('INVALID_INPUT')
  })

  test('every figure says how it is counted, and a report how it is compared', async () => {
    for (const { key } of (await s.as(owner).reports.list({})).reports) {
      const report = await read({ key })
      for (const { definition } of report.figures) expect(definition.length).toBeGreaterThan(30)
      expect([key, report.definitions.at(-1)?.term === 'Contra antes']).toEqual([key, report.before !== null])
      for (const row of report.rows) for (const column of report.columns) expect(row.cells).toHaveProperty(column.key)
    }
  })
})

test('its file has the rows of the screen, and is recorded (LA1, LA2)', async () => {
  const file = await s.as(owner).reports.file({ key: 'cobrado', group_by: 'day', format: 'csv' })
  const text = await file.text()
  expect(file.name).toBe('reporte-cobrado-2026-11-19.csv')
  expect(text).toContain('Cobrado')
  expect(text.trim().split('\n').length).toBe(5)
  const [entry] = await s.sql<{ entity_id: string; after: { rows: number } }>(
    `select entity_id, after from audit where action = 'list.export' order by audit_id desc limit 1`,
  )
  expect([entry?.entity_id, entry?.after.rows]).toEqual(['reporte-cobrado', 4])
})

test('a long report has its first rows, the number and the sums of all, and a file with every row', async () => {
  const count = 510
  await s.sql(
    `with added as (
       insert into customer (name, last_name, email, "createdAt") select 'Persona ' || n, 'Larga', 'larga' || n || '@ejemplo.mx', $2::timestamptz
       from generate_series(1, $1::int) n returning customer_id)
     insert into available_class (customer_id, title, unlimited, granted, balance, expires_at, "createdAt")
     select customer_id, 'Diez', false, 10, 3, $2::timestamptz + interval '3 days', $2 from added`,
    [count, s.clock.now()],
  )
  const due = await s.as(owner).reports.read({ key: 'creditos', compare: 'none' })
  const credits = due.figures.find(({ key }) => key === 'credits')?.value
  expect([due.rows.length, due.rows_total, due.totals.credits]).toEqual([500, due.figures[0]?.value, credits])
  expect(due.rows_total).toBeGreaterThanOrEqual(count)
  expect(credits).toBeGreaterThanOrEqual(3 * count)
  const risk = await s.as(owner).reports.read({ key: 'riesgo', only: 'por-vencer' })
  expect([risk.rows.length, risk.rows_total]).toEqual([500, risk.figures.find(({ key }) => key === 'expiring')?.value])
  expect(risk.rows_total).toBeGreaterThanOrEqual(count)
  // The action is a message where the caller may write broadcasts, and a sale for reception.
  expect(risk.rows[0]?.action).toEqual({ label: 'Escribirle', path: `/admin/mensajes/nuevo?clientes=${risk.rows[0]?.id}` })
  const atDesk = await s.as(desk).reports.read({ key: 'riesgo', only: 'por-vencer' })
  expect(atDesk.rows[0]?.action).toEqual({ label: 'Venderle', path: `/admin/ventas/nueva?cliente=${atDesk.rows[0]?.id}` })
  for (const [key, total] of [['creditos', due.rows_total] as const, ['riesgo', risk.rows_total] as const]) {
    const file = await s.as(owner).reports.file({ key, format: 'csv', ...(key === 'riesgo' ? { only: 'por-vencer' } : {}) })
    expect((await file.text()).trim().split('\n').length).toBe(total + 1)
  }
})

describe('what to do about an hour that asks for something (RE7)', () => {
  const actionsOf = async (key: string, person = owner) => {
    const { heat, rows } = await read({ key: 'ocupacion' }, person)
    const cell = heat?.cells.find(({ weekday, time }) => `${weekday}-${time}` === key)
    return { cell, labels: cell?.actions.map(({ label }) => label), row: rows.find(({ id }) => id === key)?.action }
  }
  let next: { single_class_id: number }
  let slack: { single_class_id: number }
  beforeAll(async () => {
    s.clock.set(START)
    next = await s.make.class({ starts_at: at(7, 3), capacity: 2, location_id: here })
    slack = await s.make.class({ starts_at: at(7, 1), capacity: 10, location_id: there })
    // What is taught at these hours is what is offered to be changed.
    const { class_type_id } = await s.make.classType()
    await s.sql(
      'update single_class set class_type_id = $1 where (location_id = $2 and capacity = 2) or (location_id = $3 and capacity = 10)',
      [class_type_id, here, there],
    )
    const small = await s.as(owner).rooms.create({ location_id: here, name: 'Chica', capacity: 2 })
    await s.sql('update single_class set room_id = $1 where single_class_id = $2', [small.room.room_id, next.single_class_id])
    await s.as(owner).rooms.create({ location_id: there, name: 'De otro estudio', capacity: 30 })
    await s.sql(`update room set "archivedAt" = now() where location_id = $1 and name = 'Sala alta'`, [here])
  })

  test('another class while no larger room of the same location is free; one that is, first where it seats all who stayed outside', async () => {
    expect((await actionsOf('4-13:00')).labels).toEqual(['Abrir otra'])
    const { room } = await s.as(owner).rooms.create({ location_id: here, name: 'Grande', capacity: 12 })
    const path = `/admin/horario?semana=2026-11-26&dia=2026-11-26&clase=${next.single_class_id}&hacer=cambiar-sala&en=${room.room_id}`
    const larger = { label: 'Pasar a sala grande', path }
    const found = await actionsOf('4-13:00')
    expect([found.row, found.cell?.actions[0], found.labels]).toEqual([larger, larger, ['Pasar a sala grande', 'Abrir otra']])
    // More stayed outside than it seats: another class is the main thing.
    await s.sql('update room set capacity = 3 where room_id = $1', [room.room_id])
    for (const _ of [1, 2, 3, 4]) await aWaiting(Number((await fullClasses())[0]))
    expect((await actionsOf('4-13:00')).labels).toEqual(['Abrir otra', 'Pasar a sala grande'])
    // Another class is in it then.
    const other = await s.make.class({ starts_at: at(7, 3), capacity: 2, location_id: here })
    await s.sql('update single_class set room_id = $1 where single_class_id = $2', [room.room_id, other.single_class_id])
    expect((await actionsOf('4-13:00')).labels).toEqual(['Abrir otra'])
    await s.sql('update single_class set "cancelledAt" = now() where single_class_id = $1', [other.single_class_id])
    expect((await actionsOf('4-13:00')).labels).toEqual(['Abrir otra', 'Pasar a sala grande'])
  })

  test('a slack hour is moved: its panel asks for the hour, or proposes one after an hour that leaves people outside', async () => {
    const day = `semana=2026-11-26&dia=2026-11-26&clase=${slack.single_class_id}&hacer=cambiar-hora`
    // People stay outside at another location only.
    expect((await actionsOf('4-12:00')).row).toEqual({ label: 'Mover de hora', path: `/admin/horario?${day}` })
    for (const week of [1, 2, 3]) {
      const full = await s.make.class({ starts_at: at(-7 * week, 6), capacity: 1, location_id: there })
      await aTaken(full.single_class_id, 1)
      await aWaiting(full.single_class_id)
    }
    expect((await actionsOf('4-12:00')).row?.path).toBe(`/admin/horario?${day}&hora=18%3A00`)
    // Its coach teaches then.
    const { instructor_id } = await s.make.instructor()
    const busy = await s.make.class({ starts_at: at(7, 7), location_id: there })
    for (const { single_class_id } of [slack, busy])
      await s.sql('insert into class_instructor (single_class_id, instructor_id, sort) values ($1, $2, 9)', [
        single_class_id,
        instructor_id,
      ])
    expect((await actionsOf('4-12:00')).row?.path).toBe(`/admin/horario?${day}`)
  })

  test('who may not plan is offered nothing, and the hour says how long before it fills', async () => {
    const seen = await actionsOf('4-13:00', desk)
    expect([seen.labels, seen.row]).toEqual([[], null])
    const classes = await fullClasses()
    for (const [at, single_class_id] of classes.entries())
      await s.sql(
        `update class_reservation r set "createdAt" = c.starts_at - make_interval(mins => $2) from single_class c
         where c.single_class_id = r.single_class_id and c.single_class_id = $1`,
        [single_class_id, [2_881, 90, 4_000][at]],
      )
    expect((await actionsOf('4-13:00')).cell).toMatchObject({ filled: 3, fills_before: 2_881, classes: 3 })
    expect((await actionsOf('4-12:00')).cell).toMatchObject({ filled: 0, fills_before: null })
  })

  /** Those of Thursday at one o'clock. */
  async function fullClasses(): Promise<number[]> {
    const rows = await s.sql<{ single_class_id: number }>(
      'select single_class_id from single_class where location_id = $1 and capacity = 2 and taken = 2 and starts_at < $2 order by 1',
      [here, new Date(START)],
    )
    return rows.map(({ single_class_id }) => single_class_id)
  }
})
