/**
 * What classes and customers brought in (docs/domain.md RE30, RE31): single places, unlimited packages, approved pay, who may read what.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Report, ReportInput } from '#contract/reports.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { sumValues } from './gain-rules.ts'

describe('the value of classes', () => {
  test('places are added and never averages; classes without places bring income and no places', () => {
    const some = [
      { capacity: 10, income: 100_000, pay: 30_000 },
      { capacity: 2, income: 20_000, pay: 30_000 },
      { capacity: null, income: 5_000, pay: 0 },
    ]
    expect(sumValues(some)).toEqual({ classes: 3, income: 1_250, spots: 12, per_spot: 100, pay: 600, gain: 650 })
    expect(sumValues([{ capacity: 0, income: 100, pay: null }])).toMatchObject({ per_spot: null, pay: null, gain: null })
    expect(sumValues([])).toMatchObject({ classes: 0, income: 0, per_spot: null })
  })
})

let s: TestStudio
let owner: Person
let base: { class_type_id: number; location_id: number }
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  base = { class_type_id: (await s.make.classType()).class_type_id, location_id: (await s.make.location()).location_id }
})
afterAll(() => s.close())
beforeEach(() => s.clock.set('2026-12-02T12:00:00-06:00'))

const read = (input: Partial<ReportInput> & Pick<ReportInput, 'key'>, person = owner): Promise<Report> => s.as(person).reports.read(input)
const day = (on: string) => ({ from: on, to: on })
const value = (report: Report, key: string) => report.figures.find((figure) => figure.key === key)?.value
const incomeOf = async (on: string) =>
  Object.fromEntries((await read({ key: 'ganancia', group_by: 'class', ...day(on) })).rows.map(({ id, cells }) => [id, cells.income]))

const teach = (starts: string, more: object = {}) =>
  s.make.class({ ...base, starts_at: new Date(starts), settledAt: new Date(starts), ...more })

/** A purchase that was paid, without tax. */
async function paid(centavos: number, more: { customer_id?: number; period?: string } = {}) {
  const customer_id = more.customer_id ?? (await s.make.customer()).customer_id
  const [purchase] = await s.sql<{ id: number }>(
    `insert into purchase (customer_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash, "completedAt", "createdAt", "updatedAt")
     values ($1, 'Clase suelta', $2, $2, 0, 0, 'sandbox', 'completed', 'x', $3, $3, $3) returning purchase_id as id`,
    [customer_id, centavos, '2026-11-01T12:00:00-06:00'],
  )
  const purchase_id = purchase?.id ?? 0
  await s.sql(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
     values ($1, $2, 'sandbox', $3, $4, $5, 'paid', 0, $5, 0, $6, $6)`,
    [purchase_id, customer_id, `gain_${purchase_id}`, more.period ?? 'once', centavos, '2026-11-01T12:00:00-06:00'],
  )
  return { customer_id, purchase_id }
}

interface UsedSpot {
  customer_id: number
  purchase_id?: number
  available_class_id?: number
  late?: boolean
  given_back?: boolean
}
const takeSpot = ({ single_class_id }: { single_class_id: number }, of: UsedSpot) =>
  s.sql(
    `insert into class_reservation (single_class_id, customer_id, purchase_id, available_class_id, is_cash, is_paid, attend, "deletedAt", cancelled_late, cancelled_by, "createdAt", "updatedAt")
     values ($1, $2, $3, $4, $5, true, $6, $7, $8, $9, now(), now())`,
    [
      single_class_id,
      of.customer_id,
      of.purchase_id ?? null,
      of.available_class_id ?? null,
      of.purchase_id !== undefined,
      ...(of.late || of.given_back ? [null, '2026-11-10T12:00:00-06:00', of.late ?? false, 'customer'] : [true, null, null, null]),
    ],
  )

test('a purchase that paid several places is shared by those that were used, once', async () => {
  const [first, other] = [await teach('2026-11-10T08:00:00-06:00'), await teach('2026-11-10T10:00:00-06:00')]
  const sold = await paid(30_000)
  await takeSpot(first, sold)
  await takeSpot(other, { ...sold, late: true })
  await takeSpot(other, { ...(await paid(1_000)), given_back: true })
  expect(await incomeOf('2026-11-10')).toEqual({ [first.single_class_id]: 150, [other.single_class_id]: 150 })
  expect(value(await read({ key: 'ganancia', ...day('2026-11-10') }), 'income')).toBe(300)
})

test('a day of an unlimited package is shared by its classes of that day on the clocks of their location, whatever day the server has', async () => {
  // 19:30 and 22:30 of one day in Mexico City are two days in UTC.
  const classes = [
    await teach('2026-11-11T19:30:00-06:00'),
    await teach('2026-11-11T22:30:00-06:00'),
    await teach('2026-11-12T19:30:00-06:00'),
  ]
  const { customer_id, purchase_id } = await paid(300_000, { period: 'mes' })
  const creditLot = await s.make.lot(
    { customer_id },
    {
      unlimited: true,
      purchase_id,
      period: 'mes',
      createdAt: new Date('2026-11-01T12:00:00Z'),
      expires_at: new Date('2026-12-01T12:00:00Z'),
    },
  )
  for (const cls of classes) await takeSpot(cls, { customer_id, available_class_id: creditLot.available_class_id })
  // 3,000 pesos for 30 days.
  expect(Object.values({ ...(await incomeOf('2026-11-11')), ...(await incomeOf('2026-11-12')) })).toEqual([50, 50, 100])
})

test('what was approved is what a class costs, with its corrections; the rest follows the rules of now', async () => {
  const boss = s.as(owner)
  const instructor_id = (await s.make.instructor()).instructor_id
  const [first, second] = [
    await teach('2026-10-05T08:00:00-06:00', { instructor_id }),
    await teach('2026-11-20T08:00:00-06:00', { instructor_id }),
  ]
  const { pay_rule } = await boss.payRules.create({ instructor_id, from_day: '2026-01-01', base: '200' })
  const coach = { key: 'ganancia' as const, instructor_id, from: '2026-10-01', to: '2026-11-30', group_by: 'class' as const }
  expect((await read(coach)).rows.map(({ cells }) => cells.pay)).toEqual([200, 200])
  await boss.payrolls.approve({ period: '2026-10-01', total: (await boss.payrolls.read({ from: '2026-10-01' })).total })
  await boss.payRules.update({ pay_rule_id: pay_rule.pay_rule_id, from_day: '2026-01-01', base: '350' })
  const report = await read(coach)
  expect(report.rows.map(({ id, cells }) => [id, cells.pay, cells.gain])).toEqual([
    [String(second.single_class_id), 350, -350],
    [String(first.single_class_id), 200, -200],
  ])
  expect([value(report, 'pay'), value(report, 'gain')]).toEqual([550, -550])
  expect(report.headline?.detail).toBe('En 2 clases se pagó al coach más de lo que dejó la clase.')
})

test('a class that goes on or was cancelled is not counted', async () => {
  await teach('2026-12-02T11:30:00-06:00')
  await teach('2026-12-02T08:00:00-06:00', { cancelledAt: new Date('2026-12-01T08:00:00-06:00'), settledAt: null })
  const over = await teach('2026-12-02T09:00:00-06:00')
  expect(Object.keys(await incomeOf('2026-12-02'))).toEqual([String(over.single_class_id)])
})

describe('who reads them', () => {
  const rightOf = async (person: Person, right: string, has: boolean) => {
    await s.sql(
      `insert into staff_right select staff_id, $2, $3 from staff where uid = $1 on conflict (staff_id, "right") do update set granted = excluded.granted`,
      [person.uid, right, has],
    )
    await s.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: person.uid }))
  }

  test('without the right of payroll there is income and no pay, neither in figures, columns nor definitions', async () => {
    const person = await s.make.staff('manager')
    await rightOf(person, 'reports.money', true)
    await rightOf(person, 'payroll', false)
    const report = await read({ key: 'ganancia', ...day('2026-11-10') }, person)
    expect([report.figures, report.columns].map((all) => all.map(({ key }) => key))).toEqual([
      ['per_spot', 'income'],
      ['name', 'classes', 'income', 'spots', 'per_spot'],
    ])
    expect(report.definitions.map(({ term }) => term)).not.toContain('Pago a coaches')
    expect(report.totals).not.toHaveProperty('pay')
    expect(await codeOf(read({ key: 'ganancia' }, await s.make.staff('reception')))).toBe('FORBIDDEN')
  })

  test('whoever works at one location reads its classes without pay, and not the value of customers, who buy anywhere', async () => {
    const person = await s.make.staff('manager')
    await rightOf(person, 'reports.money', true)
    await rightOf(person, 'payroll', true)
    const { location_id } = await s.make.location()
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
    await s.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: person.uid }))
    const report = await read({ key: 'ganancia', ...day('2026-11-10') }, person)
    expect([report.figures.map(({ key }) => key), report.rows]).toEqual([['per_spot', 'income'], []])
    expect(await codeOf(read({ key: 'valor' }, person))).toBe('FORBIDDEN')
    expect((await s.as(person).reports.list({})).reports.map(({ key }) => key)).not.toContain('valor')
  })
})

test('the value of customers is of now, of their first class, and has no period before it (RE31)', async () => {
  const { customer_id, purchase_id } = await paid(40_000)
  await takeSpot(await teach('2025-12-30T08:00:00-06:00'), { customer_id, purchase_id })
  await takeSpot(await teach('2026-01-03T08:00:00-06:00'), { customer_id: (await s.make.customer()).customer_id })
  const read2026 = (to: string) => read({ key: 'valor', from: '2025-12-01', to })
  const report = await read2026('2026-01-31')
  expect(report.rows.map(({ id, cells }) => [id, cells.people, cells.income, cells.ltv, cells.paying])).toEqual([
    ['2026', 1, 0, 0, 0],
    ['2025', 1, 400, 400, 100],
  ])
  expect([report.before, value(report, 'ltv'), value(report, 'paying')]).toEqual([null, 200, 50])
  expect(report.headline?.text).toBe('Cada persona que empezó en 2025 te ha dejado $400.00 en promedio.')
  // Paid in November: the first class alone says which period somebody belongs to.
  expect(value(await read2026('2025-12-31'), 'income')).toBe(400)
})
