/**
 * The stored income by day equals that of charges, lots and movements, at any instant, whether it is derived for all purchases, for some or
 * for none; every change marks the purchases that it outdates. That income itself is right is in
 * `server/modules/reports/generated.test.ts`, that its days are in `rules.test.ts`.
 */
import { type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportKey } from '#contract/copy/reports.ts'
import { startOfDay } from '#contract/time.ts'
import { generateStudio } from '#server/testing/generated-studio.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { listPurchaseIncome, type PackageIncome, readIncome, refreshIncome } from './days.ts'
import { readTotals } from './days-store.ts'
import { checkIncome, rebuildIncome, refreshAllIncome, wrongIncome } from './income.ts'
import { type Income, recognisedIncome } from './rules.ts'
import { listIncomeUnits } from './store.ts'

const ZONE = 'America/Mexico_City'
const NONE = { purchases: [], days: [], classes: [] }

let s: TestStudio
let owner: Person
let there: number
/** Some instants at which something happens, just before and after them, and beginnings of days, in order. */
let instants: Date[]

beforeAll(async () => {
  s = await studio()
  s.clock.set(START)
  owner = await s.make.staff('owner')
  there = (await generateStudio(s, 'chaotic', 11)).locations[1]
  await addUnusual()
  const rows = await s.sql<{ at: Date }>(`
    select at from (
      select "paidAt" as at from invoice union select "doneAt" from refund union select "createdAt" from available_class union select expires_at from available_class
      union select "revokedAt" from available_class union select "frozenAt" from available_class union select starts_at from single_class) events
    where at between '2026-08-01' and '2026-12-15' order by 1`)
  // Each costs two parts of a statement.
  const some = rows.filter((_, n) => n % Math.ceil(rows.length / 16) === 0)
  const around = some.flatMap(({ at }) => [-1, 0, 1].map((ms) => new Date(at.getTime() + ms)))
  const days = ['2026-07-30', '2026-09-01', '2026-10-01', '2026-11-19', '2026-11-20', '2026-12-20'].map((day) => startOfDay(day, ZONE))
  instants = [...around, ...days, s.clock.now()].sort((a, b) => a.getTime() - b.getTime())
  expect(instants.length).toBeGreaterThan(40)
})
afterAll(() => s.close())

/** Purchases that the generated studio does not have. */
async function addUnusual() {
  const customer = await s.make.customer()
  const classPackage = await s.make.package()
  const at = new Date('2026-09-15T18:00:00Z')
  const sold = async (class_package_id: number | null, total: number) => {
    const [row] = await s.sql<{ purchase_id: number }>(
      `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash,
         "completedAt", "createdAt", "updatedAt") values ($1, $2, 'Raro', $3, $3, 10, 60, 'sandbox', 'completed', 'raro', $4, $4, $4) returning purchase_id`,
      [customer.customer_id, class_package_id, total, at],
    )
    const purchase_id = row?.purchase_id ?? 0
    await s.sql(
      `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
       values ($1, $2, 'sandbox', $5, 'once', $3, 'paid', 0, $3, 0, $4, $4)`,
      [purchase_id, customer.customer_id, total, at, `raro-${purchase_id}`],
    )
    return purchase_id
  }
  const gives = (purchase_id: number, values: Parameters<typeof s.make.lot>[1]) =>
    s.make.lot(customer, { purchase_id, period: 'once', class_package_id: classPackage.class_package_id, createdAt: at, ...values })
  // Paid, and its credits are still to come; a place or a product; one whose clock has not begun; one whose credits came long after.
  await sold(classPackage.class_package_id, 70_001)
  await sold(null, 25_000)
  await gives(await sold(classPackage.class_package_id, 90_000), { expires_at: null, days_from_first_class: 30 })
  await gives(await sold(classPackage.class_package_id, 80_000), { createdAt: new Date('2026-11-02T06:00:00Z') })
  // Two lots, of which one ended long before the other; unlimited until the next century, whose days are not stored.
  const two = await sold(classPackage.class_package_id, 60_000)
  await gives(two, { granted: 3, expires_at: startOfDay('2026-09-20', ZONE), class_type_ids: [1] })
  await gives(two, { granted: 5, createdAt: new Date('2026-11-03T06:00:00Z'), class_type_ids: [2] })
  await gives(await sold(classPackage.class_package_id, 100_000_000), { unlimited: true, expires_at: new Date('2101-01-01T00:00:00Z') })
  // What pays a gift card is no income.
  await s.sql(
    `insert into gift_card (nonce, code_hash, last_four, amount_centavos, purchase_id, "createdAt") values ('raro', 'raro', '0000', 50000, $1, $2)`,
    [await sold(null, 50_000), at],
  )
}

const where = (location_id: number | undefined) => ({
  there: (column: SQL) => (location_id === undefined ? sql`` : sql`and ${column} = ${location_id}`),
  zone: ZONE,
})

/** Of each package what is to be recognised at each instant, and what moved since the first one; those without any are left out. */
function movedOf(packages: readonly PackageIncome[]) {
  const zero: Income = { paid: 0, back: 0, recognised: 0, deferred: 0 }
  return packages
    .map(({ class_package_id, at }) => {
      const first = at[0] ?? zero
      return {
        class_package_id,
        at: at.map(({ paid, back, recognised, deferred }) => [
          paid - first.paid,
          back - first.back,
          recognised - first.recognised,
          deferred,
        ]),
      }
    })
    .filter(({ at }) => at.flat().some((amount) => amount !== 0))
    .sort((a, b) => (a.class_package_id ?? 0) - (b.class_package_id ?? 0))
}

/** The same computed from all units, none of which is stored. */
async function slowly(location_id?: number): Promise<PackageIncome[]> {
  const units = await listIncomeUnits(s.studio.db.read, instants, where(location_id).there)
  return [...new Set(units.map((unit) => unit.class_package_id))].map((class_package_id) => ({
    class_package_id,
    at: instants.map((at, n) => {
      const sum: Income = { paid: 0, back: 0, recognised: 0, deferred: 0 }
      for (const unit of units)
        if (unit.class_package_id === class_package_id) {
          const one = recognisedIncome(unit, at, n)
          sum.paid += one.paid
          sum.back += one.back
          sum.recognised += one.recognised
          sum.deferred += one.deferred
        }
      return sum
    }),
  }))
}

/** Purchase by purchase between instants that are near and far from each other: which have moved, how many they are, and the last five of them. */
async function expectExactPurchases(location_id?: number) {
  const scope = where(location_id)
  for (const [n, from] of instants.entries()) {
    const until = instants[n + (n % 2 ? 1 : 9)]
    if (!until || from >= until) continue
    const ends = [from, until] as const
    const found = await listPurchaseIncome(s.studio.db.read, ends, { ...scope, limit: 10_000 })
    const slow = (await listIncomeUnits(s.studio.db.read, ends, scope.there))
      .map((unit) => ({ ...unit, at: [recognisedIncome(unit, from, 0), recognisedIncome(unit, until, 1)] as const }))
      .filter(
        ({ at: [a, b] }) => a.deferred !== 0 || b.deferred !== 0 || a.paid !== b.paid || a.back !== b.back || a.recognised !== b.recognised,
      )
      .sort((a, b) => b.purchase_id - a.purchase_id || (a.period < b.period ? -1 : 1))
      .map(({ purchase_id, period, title, at }) => ({ purchase_id, period, title, at }))
    expect(found).toEqual({ rows: slow, count: slow.length })
    expect(await listPurchaseIncome(s.studio.db.read, ends, { ...scope, limit: 5 })).toEqual({ rows: slow.slice(0, 5), count: slow.length })
  }
}

/** What is read is what all charges, lots and movements make. */
async function expectExact() {
  await expectExactPurchases()
  for (const location_id of [undefined, there]) {
    const found = movedOf(await readIncome(s.studio.db.read, instants, where(location_id)))
    expect(found).toEqual(movedOf(await slowly(location_id)))
    expect(found.length).toBeGreaterThan(1)
  }
}

/** What each class of the whole time brought in. */
async function classIncome() {
  const { rows } = await s.as(owner).reports.read({ key: 'ganancia', from: '2026-01-01', to: '2026-12-31', group_by: 'class' })
  return rows.map(({ id, cells }) => [id, cells.income])
}

const READING: readonly ReportKey[] = ['reconocido', 'creditos', 'ganancia', 'valor']

/** Every row of every group of the reports that read it, of two periods, of one location and of all. */
async function everything(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const key of READING)
    for (const period of [
      { from: '2026-08-01', to: '2026-11-19' },
      { from: '2026-10-05', to: '2026-10-25' },
    ])
      for (const location_id of [undefined, there]) {
        const usual = await s.as(owner).reports.read({ key, ...period, location_id })
        for (const { key: group_by } of usual.groups) {
          const { figures, rows, rows_total, totals, charts } = await s.as(owner).reports.read({ key, ...period, location_id, group_by })
          found[`${key} ${period.from} ${location_id ?? 'all'} ${group_by}`] = { figures, rows, rows_total, totals, charts }
        }
      }
  return found
}

const ALL = ['income_unit', 'income_day', 'income_total', 'income_class', 'income_class_total']
/** Says that nothing is derived, by the days of no zone. */
async function forget() {
  for (const table of [...ALL, 'income_zone', 'income_change']) await s.sql(`delete from ${table}`)
  await s.sql(`insert into income_change (purchase_id) select distinct purchase_id from invoice`)
}
const markHalf = () => s.sql(`insert into income_change (purchase_id) select purchase_id from purchase where purchase_id % 2 = 0`)
/** Corrupts the stored income of every second purchase, with its totals. */
async function spoil() {
  await s.sql(`update income_day set paid = paid + 500, recognised = recognised + 1000 where purchase_id % 2 = 0`)
  await s.sql(`update income_unit set net = net + 40000, granted = granted + 1, rest = rest + 7 where purchase_id % 2 = 0`)
  await s.sql(`delete from income_total`)
  await s.sql(`insert into income_total select d.day, u.class_package_id, u.location_id, sum(d.paid), sum(d.back), sum(d.recognised)
    from income_day d join income_unit u using (purchase_id, period) group by 1, 2, 3`)
  await s.sql(`update income_class set amount = amount + 70000 where purchase_id % 2 = 0`)
  await s.sql(`delete from income_class_total`)
  await s.sql(`insert into income_class_total select single_class_id, sum(amount) from income_class group by 1`)
}

describe('what reports read', () => {
  let without: Record<string, unknown>
  beforeAll(async () => {
    await forget()
    without = await everything()
    expect(JSON.stringify(without).length).toBeGreaterThan(20_000)
  })

  test('with nothing derived, all, some, and wrong rows that are out of date: the same', async () => {
    expect(await readTotals(s.studio.db.read, instants, where(undefined).there, ZONE)).toBeNull()
    expect(await refreshAllIncome(s.system())).toBeGreaterThan(40)
    for (const table of ALL) expect(await s.sql(`select 1 from ${table} limit 1`)).toHaveLength(1)
    expect(await s.sql('select 1 from income_unit where not has_days')).toHaveLength(1)
    expect(await everything()).toEqual(without)
    await spoil()
    expect(await everything()).not.toEqual(without)
    await markHalf()
    expect(await everything()).toEqual(without)
    await s.sql('insert into income_change (purchase_id) select purchase_id from purchase')
    expect(await everything()).toEqual(without)
    await refreshAllIncome(s.system())
    expect(await everything()).toEqual(without)
    expect(await wrongIncome(s.system())).toEqual(NONE)
  })

  test('more changes than are read apart: the same', async () => {
    await s.sql('insert into income_change (purchase_id) select (select min(purchase_id) from purchase) from generate_series(1, 2100)')
    expect(await everything()).toEqual(without)
    await refreshAllIncome(s.system())
  })

  test('derived a few at a time', async () => {
    await forget()
    await refreshIncome(s.system(), 25)
    expect(await everything()).toEqual(without)
    await expectExact()
    await refreshAllIncome(s.system())
    expect(await wrongIncome(s.system())).toEqual(NONE)
  })

  test('stored by the days of another zone, it is not read', async () => {
    await s.sql(`update income_zone set zone = 'Asia/Tokyo'`)
    await s.sql(`update income_total set day = day + 1500`)
    expect(await everything()).toEqual(without)
    await rebuildIncome(s.system())
    expect(await everything()).toEqual(without)
    expect(await wrongIncome(s.system())).toEqual(NONE)
  })

  test('at any instant, whole days and parts of a day, it is that of charges, lots and movements (RI1, RI2)', async () => {
    await expectExact()
    await markHalf()
    await expectExact()
    await refreshAllIncome(s.system())
    await expectExact()
  })

  test('of every purchase, what is recognised, to be recognised and went back is what was paid (RI1)', async () => {
    const rows = await s.sql<{ purchase_id: number; paid: string; income: string }>(
      `select u.purchase_id, sum(d.paid) as paid, sum(d.recognised) + u.rest + sum(d.back) as income
       from income_unit u join income_day d using (purchase_id, period) group by u.purchase_id, u.period, u.rest`,
    )
    expect(rows.length).toBeGreaterThan(40)
    for (const { income, paid } of rows) expect(income).toBe(paid)
    const charges = await s.sql<{ purchase_id: number; net: string }>(
      `select purchase_id, sum(net_centavos) as net from invoice i where status not in ('pending', 'void')
         and not exists (select from gift_card g where g.purchase_id = i.purchase_id) group by 1 order by 1`,
    )
    const stored = await s.sql<{ purchase_id: number; net: string }>(
      `select purchase_id, sum(paid) as net from income_day group by 1 order by 1`,
    )
    const withDays = new Set(stored.map(({ purchase_id }) => purchase_id))
    expect(stored).toEqual(charges.filter(({ purchase_id }) => withDays.has(purchase_id)))
    // The one whose days are not stored.
    expect(charges.length - stored.length).toBe(1)
  })
})

test('the check of the night finds what is wrong, names it in its answer and repairs it; rebuilding repairs all', async () => {
  await refreshAllIncome(s.system())
  const right = await everything()
  const [first, second, third] = await s.sql<{ purchase_id: number }>(
    `select purchase_id from income_unit where last_day > '2026-11-01' group by 1 order by 1 limit 3`,
  )
  await s.sql(`update income_day set recognised = recognised + 100 where purchase_id = $1`, [first?.purchase_id])
  await s.sql(`delete from income_unit where purchase_id = $1`, [second?.purchase_id])
  await s.sql(`update income_unit set net = net + 1 where purchase_id = $1`, [third?.purchase_id])
  await s.sql(`update income_total set paid = paid + 7 where day = '2026-10-20'`)
  const spots = await s.sql<{ purchase_id: number; single_class_id: number }>(
    `select purchase_id, single_class_id from income_class where purchase_id <> all($1) order by 1, 2`,
    [[first, second, third].map((one) => one?.purchase_id)],
  )
  const [fourth, fifth, added] = [spots[0], spots.at(-1), spots[Math.floor(spots.length / 2)]]
  expect(new Set([fourth, fifth, added].map((one) => one?.purchase_id)).size).toBe(3)
  await s.sql(`update income_class set amount = amount - 1 where purchase_id = $1`, [fourth?.purchase_id])
  await s.sql(`delete from income_class where purchase_id = $1`, [fifth?.purchase_id])
  await s.sql(`update income_class_total set amount = amount + 900 where single_class_id = $1`, [added?.single_class_id])
  const found = await checkIncome(s.system())
  expect(found.purchases).toEqual(
    [first, second, third, fourth, fifth].map((one) => one?.purchase_id).sort((a, b) => Number(a) - Number(b)),
  )
  expect(found.days).toContain('2026-10-20')
  expect(found.classes).toContain(added?.single_class_id)
  expect(await everything()).toEqual(right)
  expect(await checkIncome(s.system())).toEqual(NONE)
  await spoil()
  await rebuildIncome(s.system())
  expect(await everything()).toEqual(right)
  expect(await wrongIncome(s.system())).toEqual(NONE)
})

describe('a change marks what it makes wrong (RI5)', () => {
  const charge = (
    condition = 'true',
  ) => `(select min(invoice_id) from invoice i where status = 'paid' and not exists (select from dispute_movement d where d.invoice_id = i.invoice_id) and ${condition}
    and not exists (select from refund r where r.invoice_id = i.invoice_id) and not exists (select from gift_card g where g.purchase_id = i.purchase_id))`
  const newCreditLot = (
    condition: string,
  ) => `(select min(available_class_id) from available_class l where "revokedAt" is null and "frozenAt" is null
    and exists (select from invoice i where i.purchase_id = l.purchase_id and i.period = l.period and i.status = 'paid') and ${condition})`
  const counted = 'not unlimited and balance > 2'
  /** A class that a customer attended with a paid credit. */
  const spent = `select r.single_class_id, r.class_reservation_id from class_reservation r join credit_movement m using (class_reservation_id)
    join available_class l on l.available_class_id = m.available_class_id where r."deletedAt" is null and m.amount < 0 and l."revokedAt" is null
    and exists (select from invoice i where i.purchase_id = l.purchase_id and i.period = l.period and i.status = 'paid')
    and not exists (select from class_reservation g where g.host_reservation_id = r.class_reservation_id)`
  /** A place of an unlimited lot that was paid. */
  const ofUnlimited = (
    condition: string,
  ) => `(select max(r.class_reservation_id) from class_reservation r join available_class l using (available_class_id)
    join single_class c using (single_class_id) where l.unlimited and c."cancelledAt" is null and ${condition}
    and exists (select from invoice i where i.purchase_id = l.purchase_id and i.period = l.period and i.status = 'paid')
    and not exists (select from class_reservation g where g.host_reservation_id = r.class_reservation_id))`
  const newClass = `insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, description)
    select class_type_id, location_id, starts_at + interval '5 days', ends_at + interval '5 days', 9, 'otra'
    from single_class where single_class_id = (select min(single_class_id) from (${spent}) c)`
  test.each<[string, ...string[]]>([
    ['another day of a charge', `update invoice set "paidAt" = "paidAt" - interval '3 days' where invoice_id = ${charge()}`],
    [
      'another tax of a charge',
      `update invoice set tax_rate = 800, net_centavos = net_centavos - 100, tax_centavos = tax_centavos + 100 where invoice_id = ${charge('net_centavos > 100')}`,
    ],
    ['a charge that never arrived', `update invoice set status = 'void', "paidAt" = null where invoice_id = ${charge()}`],
    [
      'a lost dispute',
      `insert into dispute_movement (invoice_id, amount_centavos, "createdAt")
       select invoice_id, total_centavos - refunded_centavos, "paidAt" + interval '2 days' from invoice where invoice_id = ${charge()}`,
    ],
    [
      'a dispute that was won after all',
      `insert into dispute_movement (invoice_id, amount_centavos, "createdAt")
       select invoice_id, -amount_centavos, "createdAt" + interval '1 day' from dispute_movement where amount_centavos > 0`,
    ],
    ['another period of a charge', `update invoice set period = 'otro' where invoice_id = ${charge()}`],
    [
      'a charge of another purchase',
      `update invoice set purchase_id = (select max(purchase_id) from purchase p where not exists (select from gift_card g where g.purchase_id = p.purchase_id)) where invoice_id = ${charge()}`,
    ],
    [
      'a refund',
      `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt")
       select purchase_id, invoice_id, 100, true, 'prueba', 'done', "paidAt" + interval '1 day', "paidAt", "paidAt" from invoice where invoice_id = ${charge('total_centavos > 100')}`,
    ],
    [
      'another day of a refund',
      `update refund set "doneAt" = "doneAt" - interval '1 day' where refund_id = (select min(refund_id) from refund where "doneAt" is not null)`,
    ],
    [
      'a refund that came back',
      `update refund set state = 'refused', "returnedAt" = "doneAt" + interval '1 hour' where refund_id = (select max(refund_id) from refund where state = 'done')`,
    ],
    ['a refund that is gone', `delete from refund where refund_id = (select max(refund_id) from refund)`],
    [
      'a charge that was for a gift card',
      `insert into gift_card (nonce, code_hash, last_four, amount_centavos, purchase_id, "createdAt")
       select 'prueba', 'prueba', '1111', 100, purchase_id, now() from invoice where invoice_id = ${charge()}`,
    ],
    ['a gift card that is gone', `delete from gift_card where nonce = 'prueba'`],
    [
      'a later end',
      `update available_class set expires_at = expires_at + interval '9 days' where available_class_id = ${newCreditLot('expires_at is not null')}`,
    ],
    [
      'a revoked lot',
      `update available_class set "revokedAt" = "createdAt" + interval '1 day' where available_class_id = ${newCreditLot('unlimited')}`,
    ],
    [
      'a frozen lot',
      `update available_class set "frozenAt" = "createdAt" + interval '1 day' where available_class_id = ${newCreditLot('unlimited')}`,
    ],
    ['more credits', `update available_class set granted = granted + 4 where available_class_id = ${newCreditLot(counted)}`],
    [
      'a lot of no purchase',
      `update available_class set purchase_id = null, period = null where available_class_id = ${newCreditLot(counted)}`,
    ],
    [
      'a correction',
      `insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt")
       select available_class_id, customer_id, 'remove', -1, 'test', '2026-10-15T10:00:00Z' from available_class where available_class_id = ${newCreditLot(counted)}`,
    ],
    [
      'another hour of a class',
      `update single_class set starts_at = starts_at + interval '30 hours', ends_at = ends_at + interval '30 hours'
       where single_class_id = (select min(single_class_id) from (${spent}) c)`,
    ],
    [
      'another class of a reservation',
      newClass,
      `update class_reservation set single_class_id = (select max(single_class_id) from single_class where description = 'otra')
       where class_reservation_id = (select min(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'a reservation that is gone',
      `delete from class_reservation where class_reservation_id = (select max(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'another package of a purchase',
      `update purchase set class_package_id = (select max(class_package_id) from class_package) where purchase_id =
       (select min(purchase_id) from invoice join purchase using (purchase_id) where invoice.status = 'paid' and not is_subscription)`,
    ],
    [
      'another place of a purchase',
      `update purchase set location_id = (select min(location_id) from location) where purchase_id = (select max(p.purchase_id) from purchase p
       join invoice i using (purchase_id) where i.status = 'paid' and p.location_id = (select max(location_id) from location))`,
    ],
    [
      'a place that was given back in time',
      `update class_reservation set "deletedAt" = now(), cancelled_by = 'customer', cancelled_late = false where class_reservation_id = (select max(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'a place that was used after all',
      `update class_reservation set cancelled_late = true where class_reservation_id = ${ofUnlimited('r."deletedAt" is not null')}`,
    ],
    [
      'a place of another lot',
      `update class_reservation set available_class_id = ${newCreditLot(counted)} where class_reservation_id = (select min(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'a place of an unlimited lot that is given back',
      `update class_reservation set "deletedAt" = now(), cancelled_by = 'customer', cancelled_late = false where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')}`,
    ],
    [
      'a place of an unlimited lot that is erased',
      `delete from class_reservation where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')}`,
    ],
    [
      'another hour of a class of an unlimited lot',
      `update single_class set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day' where single_class_id =
       (select single_class_id from class_reservation where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')})`,
    ],
    [
      'a class of an unlimited lot that is cancelled',
      `update single_class set "cancelledAt" = now() where single_class_id =
       (select single_class_id from class_reservation where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')})`,
    ],
    [
      'the clocks of a location',
      `update location set timezone = 'Pacific/Auckland' where location_id = (select max(location_id) from location)`,
    ],
    ['a package that begins to give credits', `update class_package set class_amount = 5 where class_amount = 0`],
  ])('%s', async (_, ...statements) => {
    await refreshAllIncome(s.system())
    for (const statement of statements) await s.sql(statement)
    expect(await s.sql('select 1 from income_change limit 1')).toHaveLength(1)
    await expectExact()
    const classes = await classIncome()
    expect(await wrongIncome(s.system())).toEqual(NONE)
    await refreshAllIncome(s.system())
    await expectExact()
    expect(await classIncome()).toEqual(classes)
    expect(await wrongIncome(s.system())).toEqual(NONE)
  })

  test('what cannot change it marks nothing', async () => {
    await refreshAllIncome(s.system())
    await s.sql(`update purchase set note = 'Nada' where purchase_id = (select min(purchase_id) from invoice)`)
    await s.sql(`update invoice set label = 'Nada' where invoice_id = ${charge()}`)
    await s.sql(
      `update class_reservation set attend = false where class_reservation_id = (select min(class_reservation_id) from (${spent}) c)`,
    )
    await s.sql(`update class_package set title = title || ' nuevo', class_amount = 12 where class_amount = 10`)
    expect(await s.sql('select 1 from income_change limit 1')).toEqual([])
    expect(await wrongIncome(s.system())).toEqual(NONE)
  })
})

test('a change that is committed while its purchase is derived is read from then on', async () => {
  await refreshAllIncome(s.system())
  const [row] = await s.sql<{ invoice_id: number; purchase_id: number }>(
    `select invoice_id, purchase_id from invoice i where status = 'paid' and "paidAt" between '2026-10-06' and '2026-10-24'
       and not exists (select from gift_card g where g.purchase_id = i.purchase_id) limit 1`,
  )
  expect(row).toBeDefined()
  const income = async () => (await s.as(owner).reports.read({ key: 'reconocido', from: '2026-10-05', to: '2026-10-25' })).totals
  const before = await income()
  const held = new pg.Client({ connectionString: s.database })
  await held.connect()
  await held.query('begin')
  await held.query(`update invoice set net_centavos = net_centavos - 100, tax_centavos = tax_centavos + 100 where invoice_id = $1`, [
    row?.invoice_id,
  ])
  await s.sql(`insert into income_change (purchase_id) values ($1)`, [row?.purchase_id])
  await refreshAllIncome(s.system())
  expect(await income()).toEqual(before)
  await held.query('commit')
  await held.end()
  const after = await income()
  expect(after).not.toEqual(before)
  await refreshAllIncome(s.system())
  expect(await income()).toEqual(after)
  expect(await wrongIncome(s.system())).toEqual(NONE)
})

test('before the first derivation of more charges than a request can compute, reports say what is left, and the index has the others', async () => {
  const large = await studio()
  const boss = await large.make.staff('owner')
  const { customer_id } = await large.make.customer()
  const { class_package_id } = await large.make.package()
  await large.sql('alter table invoice disable trigger user')
  await large.sql(
    `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash,
       "completedAt", "createdAt", "updatedAt") values ($1, $2, 'Muchas', 100, 100, 10, 60, 'sandbox', 'completed', 'x', now(), now(), now())`,
    [customer_id, class_package_id],
  )
  // In parts, each of which is done long before a statement has to end.
  for (let from = 1; from <= 50_001; from += 5_000)
    await large.sql(
      `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
       select (select max(purchase_id) from purchase), $1, 'sandbox', 'pay_' || n, 'p' || n, 116, 'paid', 1600, 100, 16, $2, $2 from generate_series($3::integer, least($3 + 4999, 50001)) n`,
      [customer_id, new Date('2026-11-02T18:00:00Z'), from],
    )
  await large.sql('delete from income_change')
  await large.sql('insert into income_change (purchase_id) select 1 from generate_series(1, 2345)')
  for (const key of ['reconocido', 'ganancia', 'valor'] as const) {
    const refused = await large
      .as(boss)
      .reports.read({ key })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'INCOME_BEING_PREPARED', status: 409, message: expect.stringContaining('faltan 2345 compras') })
  }
  const { reports } = await large.as(boss).reports.list({})
  expect(reports.flatMap(({ key, figure, preparing, missing_days }) => (figure || missing_days ? [] : [[key, preparing]]))).toEqual([
    ['reconocido', 2345],
  ])
  await large.sql('delete from income_change')
  expect((await large.as(boss).reports.read({ key: 'creditos' })).key).toBe('creditos')
  await large.close()
})
