/**
 * The stored income by day equals that of charges, lots and movements, at any instant, whether it is derived for all purchases, for some or
 * for none. That changes mark what they make wrong is in `changes.test.ts`, that income itself is right in
 * `server/modules/reports/generated.test.ts`, that its days are in `rules.test.ts`.
 */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportKey } from '#contract/copy/reports.ts'
import { expectExact, incomeStudio, NOTHING_WRONG, ZONE } from '#server/testing/income-studio.ts'
import { allReportRows } from '#server/testing/report-rows.ts'
import { studio } from '#server/testing/studio.ts'
import { refreshIncome } from './days.ts'
import { readTotals } from './days-store.ts'
import { checkIncome, rebuildIncome, refreshAllIncome, wrongIncome } from './income.ts'

const income = await incomeStudio()
const { s, owner, location_id: there, instants } = income
afterAll(() => s.close())

const READING: readonly ReportKey[] = ['reconocido', 'creditos', 'ganancia', 'valor']

/** What the reports that read it answer. */
const everything = () => allReportRows(s, owner, READING, there)

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
    expect(await readTotals(s.studio.db.read, instants, () => sql``, ZONE)).toBeNull()
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
    expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
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
    await expectExact(income)
    await refreshAllIncome(s.system())
    expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
  })

  test('stored by the days of another zone, it is not read', async () => {
    await s.sql(`update income_zone set zone = 'Asia/Tokyo'`)
    await s.sql(`update income_total set day = day + 1500`)
    expect(await everything()).toEqual(without)
    await rebuildIncome(s.system())
    expect(await everything()).toEqual(without)
    expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
  })

  test('at any instant, whole days and parts of a day, it is that of charges, lots and movements (RI1, RI2)', async () => {
    await expectExact(income)
    await markHalf()
    await expectExact(income)
    await refreshAllIncome(s.system())
    await expectExact(income)
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
    [[first, second, third].map((purchase) => purchase?.purchase_id)],
  )
  const [fourth, fifth, added] = [spots[0], spots.at(-1), spots[Math.floor(spots.length / 2)]]
  expect(new Set([fourth, fifth, added].map((row) => row?.purchase_id)).size).toBe(3)
  await s.sql(`update income_class set amount = amount - 1 where purchase_id = $1`, [fourth?.purchase_id])
  await s.sql(`delete from income_class where purchase_id = $1`, [fifth?.purchase_id])
  await s.sql(`update income_class_total set amount = amount + 900 where single_class_id = $1`, [added?.single_class_id])
  const found = await checkIncome(s.system())
  expect(found.purchases).toEqual(
    [first, second, third, fourth, fifth].map((purchase) => purchase?.purchase_id).sort((a, b) => Number(a) - Number(b)),
  )
  expect(found.days).toContain('2026-10-20')
  expect(found.classes).toContain(added?.single_class_id)
  expect(await everything()).toEqual(right)
  expect(await checkIncome(s.system())).toEqual(NOTHING_WRONG)
  await spoil()
  await rebuildIncome(s.system())
  expect(await everything()).toEqual(right)
  expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
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
