/**
 * The plans of the lists' queries, and of all prepared ones, in a studio with many rows: none reads a table that grows from end to end
 * (docs/performance.md).
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { refreshAllIncome } from '#server/modules/income/income.ts'
import { preparedQueries } from '#server/platform/db.ts'
import { fillLargeStudio } from '#server/testing/large-studio.ts'
import { type Client, studio, type TestStudio } from '#server/testing/studio.ts'

/** Tables with a row for every booking, sale or message, as far as the large studio has them. */
const GROWING = new Set([
  'class_reservation',
  'purchase',
  'invoice',
  'payment_attempt',
  'sale',
  'sale_line',
  'message',
  'audit',
  'waitlist',
  'income_day',
])

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Filter?: string
  Plans?: Plan[]
}
interface Statement {
  text: string
  values: unknown[]
}

let s: TestStudio
let desk: Client
let owner: Client
let statements: Statement[] | null = null
const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown

beforeAll(async () => {
  s = await studio()
  desk = s.as(await s.make.staff('reception'))
  owner = s.as(await s.make.staff('owner'))
  const cls = await s.make.class()
  const { class_package_id } = await s.make.package()
  const [seller] = await s.sql<{ staff_id: number }>(`select staff_id from staff where role = 'reception'`)
  const client = new pg.Client({ connectionString: s.database })
  await client.connect()
  const { class_type_id, location_id } = cls
  await fillLargeStudio(client, { customers: 4_000, class_type_id, location_id, class_package_id, staff_id: seller?.staff_id ?? 0 })
  // Their summaries are not what is looked at.
  await client.query('truncate customer_change, rollup_change')
  // Reports read the stored income by day.
  await refreshAllIncome(s.system())
  await client.query('vacuum analyze')
  await client.end()
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
    const values = Array.isArray(second) ? second : ((first as { values?: unknown[] } | undefined)?.values ?? [])
    if (statements && /^\s*(select|with)\b/i.test(text)) statements.push({ text, values })
    return query.apply(this, args) as never
  } as never)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await s.close()
})

/** Tables that grow and are read from end to end. A limit right above a scan without a condition ends it early. */
function readWhole(plan: Plan, isLimited = false): string[] {
  const table = plan['Relation Name'] ?? ''
  const isScan = plan['Node Type'] === 'Seq Scan' && GROWING.has(table) && !(isLimited && plan.Filter === undefined)
  const below = (plan.Plans ?? []).flatMap((child) => readWhole(child, plan['Node Type'] === 'Limit'))
  return isScan ? [table, ...below] : below
}

async function wholeTablesOf(call: () => Promise<unknown>): Promise<string[]> {
  statements = []
  await call()
  const seen = statements
  statements = null
  expect(seen.length).toBeGreaterThan(0)
  const found: string[] = []
  for (const { text, values } of seen) {
    const [row] = await s.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, values)
    if (row) found.push(...readWhole(row['QUERY PLAN'][0].Plan))
  }
  return found
}

const month = { from: '2026-11-01', to: '2026-11-20' }
const telephone = '6000000123'
it.each<[string, () => Promise<unknown>]>([
  ['reservations of today', () => desk.frontDesk.reservations({ page: 2 })],
  [
    'reservations of some days, the last class first',
    () => desk.frontDesk.reservations({ from: '2026-11-16', to: '2026-11-20', sort: '-class', page: 2 }),
  ],
  ['reservations of a customer', () => desk.frontDesk.reservations({ customer_id: 500 })],
  ['reservations by telephone', () => desk.frontDesk.reservations({ query: telephone })],
  ['reservations by number', () => desk.frontDesk.reservations({ query: '#1234' })],
  ['purchases of some days', () => desk.studioSales.purchases({ ...month, page: 2 })],
  ['purchases by telephone', () => desk.studioSales.purchases({ query: telephone })],
  ['purchases of a customer', () => desk.studioSales.purchases({ customer_id: 500 })],
  ['charges of some days', () => desk.studioSales.invoices({ from: '2026-11-12', to: '2026-11-14', page: 2 })],
  ['messages', () => desk.messages.log({ page: 2 })],
  ['messages, the oldest first, many per page', () => desk.messages.log({ sort: 'created', per_page: 200, page: 2 })],
  ['messages that failed', () => desk.messages.log({ status: 'failed' })],
  ['messages of a customer', () => desk.messages.log({ customer_id: 500 })],
  ['audit trail', () => owner.auditLog.list({ page: 2 })],
  ['audit trail, the oldest first, many per page', () => owner.auditLog.list({ sort: 'at', per_page: 200, page: 2 })],
  ['gift cards by what is left of them', () => desk.giftCards.list({ sort: '-balance', per_page: 200 })],
  ['cash sessions by who had them', () => owner.cashSessions.list({ sort: 'name', per_page: 200 })],
  ['audit trail of a customer', () => owner.auditLog.list({ customer_id: 500 })],
  ['waiting lists of a customer', () => desk.customerRecords.waitlists({ customer_id: 500 })],
  ['timeline of a customer', () => desk.customerRecords.timeline({ customer_id: 500 })],
])('reads no table whole: %s', async (_, call) => {
  expect(await wholeTablesOf(call)).toEqual([])
})

it('reads income from its totals, and of charges and movements only what is out of date (RE28)', async () => {
  const period = { from: '2026-10-01', to: '2026-11-19' }
  expect(await wholeTablesOf(() => owner.reports.read({ key: 'reconocido', group_by: 'package', ...period }))).toEqual([])
  // By purchase the days of each one are added; by day, package or person the paid amount of ending credits is read from the stored income.
  expect(await wholeTablesOf(() => owner.reports.read({ key: 'reconocido', group_by: 'lot', ...period }))).not.toContain('invoice')
  expect(await wholeTablesOf(() => owner.reports.read({ key: 'creditos', group_by: 'package' }))).not.toContain('invoice')
  // Of some weeks the places of their classes; of those who came for the first time their purchases.
  const weeks = { from: '2026-11-05', to: '2026-11-19' }
  for (const key of ['ganancia', 'valor'] as const) {
    const whole = await wholeTablesOf(() => owner.reports.read({ key, ...weeks }))
    expect([key, whole.filter((table) => ['class_reservation', 'invoice', 'credit_movement', 'available_class'].includes(table))]).toEqual([
      key,
      [],
    ])
  }
})

/** The first version with plans without values (EXPLAIN GENERIC_PLAN). */
const PLANS_WITHOUT_VALUES = 160_000

it('no prepared query reads a table whole, whatever its values', async () => {
  // db.test.ts has queries of its own, over tables that no studio has; the files of a worker share modules.
  const queries = [...preparedQueries].filter(([name]) => !name.startsWith('test_'))
  expect(queries.length).toBeGreaterThan(40)
  const [server] = await s.sql<{ version: number }>(`select current_setting('server_version_num')::integer as version`)
  if ((server?.version ?? 0) < PLANS_WITHOUT_VALUES) return
  const found: Record<string, string[]> = {}
  for (const [name, build] of queries) {
    const query = build(s.studio.db.read as never).prepare(name) as { getQuery(): { sql: string } }
    const [row] = await s.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (generic_plan, format json) ${query.getQuery().sql}`)
    const whole = row ? readWhole(row['QUERY PLAN'][0].Plan) : []
    if (whole.length) found[name] = whole
  }
  expect(found).toEqual({})
})
