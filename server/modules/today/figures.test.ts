/** Figures of Hoy: their values, the comparison with the previous period, and rights (docs/domain.md N1 to N3). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOfDay } from '#contract/time.ts'
import type { FigureKey, FigurePeriod } from '#contract/today.ts'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { sumCollected, sumOccupancy } from './figures-store.ts'
import { comparedPeriods, toPercent } from './rules.ts'

const ZONE = 'America/Mexico_City'
const iso = ({ from, until }: { from: Date; until: Date }) => [from.toISOString(), until.toISOString()]

describe('the stretch of a period and the one before (N2)', () => {
  const now = new Date('2026-11-19T16:00:00Z')
  test.each<[FigurePeriod, string[], string[]]>([
    ['day', ['2026-11-19T06:00:00.000Z', '2026-11-19T16:00:00.000Z'], ['2026-11-18T06:00:00.000Z', '2026-11-18T16:00:00.000Z']],
    ['week', ['2026-11-16T06:00:00.000Z', '2026-11-19T16:00:00.000Z'], ['2026-11-09T06:00:00.000Z', '2026-11-12T16:00:00.000Z']],
    ['month', ['2026-11-01T06:00:00.000Z', '2026-11-19T16:00:00.000Z'], ['2026-10-01T06:00:00.000Z', '2026-10-19T16:00:00.000Z']],
  ])('%s', (period, current, before) => {
    const stretches = comparedPeriods(period, now, ZONE)
    expect([iso(stretches.now), iso(stretches.before)]).toEqual([current, before])
  })

  test('the month before ends where this one begins', () => {
    const { before } = comparedPeriods('month', new Date('2026-03-31T20:00:00Z'), ZONE)
    expect(iso(before)).toEqual(['2026-02-01T06:00:00.000Z', '2026-03-01T06:00:00.000Z'])
  })

  test('a share of nothing is no share', () => {
    expect([toPercent(1, 3), toPercent(0, 4), toPercent(0, 0)]).toEqual([33.3, 0, null])
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
  there = (await s.make.location()).location_id
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const at = (days: number, hours = 0) => new Date(Date.parse(START) + (days * 24 + hours) * 3_600_000)
async function figures(period: FigurePeriod, location_id?: number, person = owner) {
  const { figures } = await s.as(person).today.read({ period, ...(location_id === undefined ? {} : { location_id }) })
  return (key: FigureKey) => {
    const found = figures?.items.find((figure) => figure.key === key)
    return found && [found.value, found.before]
  }
}
async function aPurchase(values: { status?: string; completedAt?: Date; is_subscription?: boolean; cancelledAt?: Date | null } = {}) {
  const { customer_id } = await s.make.customer()
  const { status = 'completed', completedAt = at(-20), is_subscription = false, cancelledAt = null } = values
  const [row] = await s.sql<{ id: number }>(
    `insert into purchase (customer_id, title, class_package_id, amount_centavos, total_centavos, class_amount, expiration_days, is_subscription, gateway, status,
       request_hash, "completedAt", "cancelledAt", "createdAt", "updatedAt")
     values ($1, 'Diez', $2, 1000, 1000, 10, 30, $3, 'sandbox', $4, 'x', $5, $6, $5, $5) returning purchase_id as id`,
    [customer_id, (await s.make.package()).class_package_id, is_subscription, status, completedAt, cancelledAt],
  )
  return { customer_id, purchase_id: row?.id ?? 0 }
}
let charges = 0
async function aCharge(
  centavos: number,
  paidAt: Date,
  more: { location_id?: number; status?: string; refunded?: number; disputed?: number } = {},
) {
  const { customer_id, purchase_id } = await aPurchase()
  const [row] = await s.sql<{ id: number }>(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, location_id, tax_rate, net_centavos,
       tax_centavos, "paidAt", "createdAt", disputed_centavos)
     values ($1, $2, 'sandbox', $3, 'once', $4, $5, $6, $7, 0, $4, 0, $8, $9, $10) returning invoice_id as id`,
    [
      purchase_id,
      customer_id,
      `pay_${charges++}`,
      centavos,
      more.refunded ?? 0,
      more.status ?? 'paid',
      more.location_id ?? null,
      more.status === 'pending' ? null : paidAt,
      paidAt,
      more.disputed ?? 0,
    ],
  )
  return { purchase_id, invoice_id: row?.id ?? 0 }
}
const aRefund = ({ purchase_id, invoice_id }: { purchase_id: number; invoice_id: number }, centavos: number, doneAt: Date) =>
  s.sql(
    `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt") values ($1, $2, $3, true, 'x', 'done', $4, $4, $4)`,
    [purchase_id, invoice_id, centavos, doneAt],
  )
const aLoss = ({ invoice_id }: { invoice_id: number }, centavos: number, at: Date) =>
  s.sql(`insert into dispute_movement (invoice_id, amount_centavos, "createdAt") values ($1, $2, $3)`, [invoice_id, centavos, at])

describe('Cobrado (N3)', () => {
  test('charges of the stretch, less what went back and was lost in it, each on its own day, equal to the list of charges', async () => {
    await aCharge(100_000, at(0, -1), { location_id: here })
    await aCharge(40_000, at(-1, -1))
    await aCharge(9_000, at(-1, 1))
    await aCharge(7_000, at(0, -1), { status: 'pending' })
    const old = await aCharge(50_000, at(-40), { location_id: there, refunded: 20_000, status: 'partially_refunded' })
    await aRefund(old, 20_000, at(0, -2))
    // Three disputes of one charge: lost before, lost yesterday, and lost today, of which the bank returned a part.
    const disputed = await aCharge(30_000, at(-40), { status: 'lost', disputed: 26_000 })
    await aLoss(disputed, 1_000, at(-30))
    await aLoss(disputed, 2_000, at(-1, -1))
    await aLoss(disputed, 25_000, at(0, -3))
    await aLoss(disputed, -2_000, at(0, -2))
    expect((await figures('day'))('collected')).toEqual([1_000 - 200 - 250 + 20, 400 - 20])
    expect((await figures('day', here))('collected')).toEqual([1_000, 0])
    expect((await figures('day', there))('collected')).toEqual([-200, 0])
    const { sum } = await s.as(owner).studioSales.invoices({ from: '2026-11-01', to: '2026-11-19' })
    const listed = Number(sum?.charged) - Number(sum?.refunded) - Number(sum?.lost)
    expect((await figures('month'))('collected')?.[0]).toBe(listed)
    expect(await sumCollected(s.system().db, { from: at(-60), until: at(1) }, null)).toBe(
      100_000 + 40_000 + 9_000 + 50_000 + 30_000 - 20_000 - 26_000,
    )
  })
})

describe('Ocupación and No asistieron (N3)', () => {
  test('counts reservations of classes that began, and marks without excuses or unused rosters', async () => {
    const addReservation = async (single_class_id: number, attend: boolean | null, excuse: string | null = null) =>
      s.sql(
        `insert into class_reservation (single_class_id, customer_id, attend, excuse, "createdAt", "updatedAt") values ($1, $2, $3, $4, now(), now())`,
        [single_class_id, (await s.make.customer()).customer_id, attend, excuse],
      )
    const now = await s.make.class({ starts_at: at(0, -1), capacity: 8, location_id: here })
    for (const attend of [true, true, true, false]) await addReservation(now.single_class_id, attend)
    await addReservation(now.single_class_id, false, 'Enferma')
    const unused = await s.make.class({ starts_at: at(0, -2), capacity: 2, location_id: here })
    await addReservation(unused.single_class_id, null)
    // Not begun yet, cancelled, without capacity, and in another location.
    await s.make.class({ starts_at: at(0, 1), capacity: 10, location_id: here })
    await s.make.class({ starts_at: at(0, -1), capacity: 10, cancelledAt: at(0, -2), location_id: here })
    await s.make.class({ starts_at: at(0, -1), capacity: null, location_id: here })
    const before = await s.make.class({ starts_at: at(-1, -1), capacity: 4, location_id: here })
    await addReservation(before.single_class_id, false)
    const elsewhere = await s.make.class({ starts_at: at(0, -1), capacity: 10, location_id: there })
    await addReservation(elsewhere.single_class_id, true)
    const read = await figures('day', here)
    expect(read('occupancy')).toEqual([60, 25])
    expect(read('no_shows')).toEqual([25, 100])
    const all = await figures('day')
    expect(all('occupancy')).toEqual([35, 25])
    expect(all('no_shows')).toEqual([20, 100])
  })
})

describe('Clientes activos (N3)', () => {
  test('each person once: a visit, living credits or a subscription; then as it was', async () => {
    const [now0, then0] = (await figures('week'))('active_customers') ?? []
    const gained = async () => {
      const [now, then] = (await figures('week'))('active_customers') ?? []
      return [Number(now) - Number(now0), Number(then) - Number(then0)]
    }
    const ana = await s.make.customer()
    s.clock.set(at(-20))
    const creditLot = await s.make.lot(ana, { granted: 1, expires_at: at(20) })
    s.clock.set(START)
    expect(await gained()).toEqual([1, 1])
    // Spent yesterday: it was good a week ago.
    await s.sql(
      `insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt") values ($1, $2, 'remove', -1, 'test', $3)`,
      [creditLot.available_class_id, ana.customer_id, at(-1)],
    )
    expect(await gained()).toEqual([0, 1])
    const cls = await s.make.class({ starts_at: at(-2) })
    await s.sql(
      `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, now(), now())`,
      [cls.single_class_id, ana.customer_id],
    )
    expect(await gained()).toEqual([1, 1])
    await aPurchase({ status: 'active', is_subscription: true, completedAt: at(-3) })
    await aPurchase({ status: 'cancelled', is_subscription: true, completedAt: at(-90), cancelledAt: at(-3) })
    expect(await gained()).toEqual([2, 2])
    await s.make.lot(await s.make.customer(), { expires_at: at(-1), createdAt: at(-20) })
    expect((await gained())[0]).toBe(2)
  })
})

test('the list of customers has those whom Clientes activos counts (N3)', async () => {
  for (const location_id of [undefined, here]) {
    const { figures } = await s.as(owner).today.read({ period: 'day', ...(location_id === undefined ? {} : { location_id }) })
    const figure = figures?.items.find(({ key }) => key === 'active_customers')
    expect(figure?.link).toBe(`/admin/clientes?actividad=si${location_id === undefined ? '' : `&estudio=${location_id}`}`)
    const listed = async (active: boolean) =>
      (await s.as(owner).customerList.list({ active, ...(location_id === undefined ? {} : { location_id }) })).total
    expect(await listed(true)).toBe(figure?.value)
    expect((await listed(true)) + (await listed(false))).toBe((await s.as(owner).customerList.list({})).total)
  }
})

describe('trends (N11)', () => {
  test('trends are the figures of the last twelve periods, the current one until now', async () => {
    const { trends } = await s.as(owner).today.trends({ period: 'day' })
    const { figures } = await s.as(owner).today.read({ period: 'day' })
    expect(trends.map(({ key }) => key)).toEqual(figures?.items.map(({ key }) => key))
    for (const { key, values } of trends) {
      expect(values).toHaveLength(12)
      expect(values.at(-1)).toEqual(figures?.items.find((figure) => figure.key === key)?.value)
    }
    const money = trends.find(({ key }) => key === 'collected')?.values.map(Number) ?? []
    const whole = await sumCollected(s.system().db, { from: at(-11, -10), until: at(0) }, null)
    expect(money.reduce((sum, value) => sum + value, 0)).toBeCloseTo(whole / 100, 2)
    expect(await codeOf(s.as(desk).today.trends({ period: 'day' }))).toBe('FORBIDDEN')
  })
})

describe('who gets them (N1)', () => {
  test('only with reports.money; each says how it is counted and where its rows are', async () => {
    const { figures: none, date, purchases } = await s.as(desk).today.read({})
    expect([none, date]).toEqual([null, '2026-11-19'])
    expect(purchases.length).toBeGreaterThan(0)
    const { figures } = await s.as(owner).today.read({ period: 'week', location_id: here })
    expect(figures).toMatchObject({ period: 'week', from: '2026-11-16' })
    for (const figure of figures?.items ?? [])
      expect([figure.definition.length > 40, figure.link.startsWith('/admin/')]).toEqual([true, true])
    expect(figures?.items.find(({ key }) => key === 'no_shows')?.link).toContain(`desde=2026-11-16&hasta=2026-11-19&estudio=${here}`)
  })

  test('a manager of one location gets its figures, classes and purchases only', async () => {
    const manager = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [manager.uid, there])
    const seen = await s.as(manager).today.read({ period: 'day' })
    expect(seen.figures?.items.find(({ key }) => key === 'collected')?.value).toBe(-200)
    expect(seen.classes.length).toBeGreaterThan(0)
    expect(seen.classes.every((cls) => cls.location_id === there)).toBe(true)
    expect(seen.purchases.every((row) => row.location_id === null || row.location_id === there)).toBe(true)
  })
})

test('asks as many queries for a full day as for an empty one (N9)', async () => {
  const empty = await studio()
  try {
    const emptyOwner = await empty.make.staff('owner')
    const count = async (on: TestStudio, person: Person) => {
      await on.as(person).today.read({})
      const { pool } = on.studio.db
      const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
      let n = 0
      pool.query = ((...args: unknown[]) => {
        n++
        return query(...args)
      }) as typeof pool.query
      await on.as(person).today.read({})
      pool.query = query as typeof pool.query
      return n
    }
    const few = await count(empty, emptyOwner)
    const { location_id } = await empty.make.location()
    for (let hour = 1; hour < 6; hour++) {
      const cls = await empty.make.class({ starts_at: at(0, hour), location_id, capacity: hour % 2 ? null : 5 })
      for (let n = 0; n < 2 && hour % 2 === 0; n++) {
        const customer = await empty.make.customer({ birthdate: '1990-11-19' })
        await empty.make.lot(customer, { expires_at: at(3) })
        await empty.sql(
          `insert into class_reservation (single_class_id, customer_id, is_cash, is_paid, "createdAt", "updatedAt") values ($1, $2, true, false, now(), now())`,
          [cls.single_class_id, customer.customer_id],
        )
      }
    }
    expect((await empty.as(emptyOwner).today.tasks({})).tasks.length).toBeGreaterThan(10)
    // Figures of classes and of the buyers' attempts are queried only where there are any.
    expect((await count(empty, emptyOwner)) - few).toBeLessThanOrEqual(3)
    expect(few).toBeLessThanOrEqual(25)
  } finally {
    await empty.close()
  }
})

describe('charts of the last eight weeks (N10)', () => {
  test('each week has what its figure counts, subscriptions apart; hours together have the occupancy of all', async () => {
    const { purchase_id, customer_id } = await aPurchase({ is_subscription: true, status: 'active' })
    await s.sql(
      `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, location_id, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
       values ($1, $2, 'sandbox', 'pay_chart', 'once', 77700, 'paid', $3, 0, 77700, 0, $4, $4)`,
      [purchase_id, customer_id, here, at(-8)],
    )
    await s.make.class({ starts_at: at(-9), capacity: 6, location_id: here })
    for (const [location_id, locations] of [
      [undefined, null],
      [here, [here]],
    ] as const) {
      const charts = await s.as(owner).today.charts(location_id === undefined ? {} : { location_id })
      expect(charts.weeks.map(({ from }) => from)).toEqual([
        '2026-09-28',
        '2026-10-05',
        '2026-10-12',
        '2026-10-19',
        '2026-10-26',
        '2026-11-02',
        '2026-11-09',
        '2026-11-16',
      ])
      for (const [index, { from, subscriptions, others }] of charts.weeks.entries()) {
        const until = charts.weeks[index + 1]?.from
        const stretch = { from: startOfDay(from, ZONE), until: until ? startOfDay(until, ZONE) : new Date(START) }
        const expected = await sumCollected(s.system().db, stretch, locations)
        expect([from, Math.round(100 * (Number(subscriptions) + Number(others)))]).toEqual([from, expected])
        expect([from, subscriptions]).toEqual([from, from === '2026-11-09' ? '777.00' : '0.00'])
      }
      const { taken, capacity } = await sumOccupancy(
        s.system().db,
        { from: startOfDay('2026-09-28', ZONE), until: new Date(START) },
        locations,
      )
      const add = (key: 'taken' | 'capacity') => charts.occupancy.reduce((sum, hour) => sum + hour[key], 0)
      expect([add('taken'), add('capacity')]).toEqual([taken, capacity])
      expect(taken).toBeGreaterThan(0)
    }
    expect(await codeOf(s.as(desk).today.charts({}))).toBe('FORBIDDEN')
  })
})
