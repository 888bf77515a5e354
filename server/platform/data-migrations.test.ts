/** The migrations that move data, tried on a database of the version before them that has rows. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { taxIn } from '#contract/money.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { migrate } from './migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const step of cleanups.splice(0).reverse()) await step()
})

/** A database as the version with migrations up to `last` left it, and a connection to it on which no trigger or foreign key is checked. */
async function databaseOf(last: number) {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-migrations-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as { entries: { idx: number }[] }
  const entries = journal.entries.filter(({ idx }) => idx <= last)
  expect(entries).toHaveLength(last + 1)
  expect(readdirSync(MIGRATIONS).length).toBeGreaterThan(last)
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  const url = await freshDatabase('template0')
  await migrate(url, folder)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  cleanups.push(() => client.end())
  await client.query('set session_replication_role = replica')
  return {
    /** Inserts a row; columns that must not be null and are not given get a value of their type. */
    async insert(table: string, values: Record<string, unknown>): Promise<void> {
      const { rows } = await client.query<{ column_name: string; data_type: string }>(
        `select column_name, data_type from information_schema.columns
         where table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
        [table],
      )
      const filler = (type: string) =>
        type === 'integer' || type === 'bigint'
          ? 1
          : type === 'boolean'
            ? false
            : type.startsWith('timestamp')
              ? '2026-01-05T12:00:00Z'
              : type === 'uuid'
                ? '00000000-0000-4000-8000-000000000001'
                : type.startsWith('json')
                  ? '{}'
                  : type === 'ARRAY'
                    ? '{}'
                    : 'x'
      const row = { ...Object.fromEntries(rows.map(({ column_name, data_type }) => [column_name, filler(data_type)])), ...values }
      const names = Object.keys(row)
      await client.query(
        `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) overriding system value
         values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      )
    },
    migrateFully: () => migrate(url),
    select: async (text: string) => (await client.query(text)).rows,
  }
}

test('separates the counter’s terminal payments from cash, with method, person and location (0015)', async () => {
  const old = await databaseOf(14)
  await old.insert('location', { location_id: 3, deletedAt: null })
  await old.insert('staff', { staff_id: 8, role: 'reception', email: 'recepcion@estudio.example' })
  await old.insert('customer', { customer_id: 1 })
  await old.insert('class_package', { class_package_id: 1 })
  await old.insert('payment_method', { payment_method_id: 1, name: 'Efectivo' })
  await old.insert('payment_method', { payment_method_id: 2, name: 'Terminal bancaria' })
  for (const [id, method] of [
    [11, 2],
    [12, 1],
  ] as const) {
    const reference = `cash_${id}`
    await old.insert('purchase', {
      purchase_id: id,
      gateway: 'efectivo',
      payment_method_id: method,
      status: 'completed',
      request_hash: 'given',
    })
    await old.insert('cash_payment', {
      ...{ reference, purchase_id: id, receivedBy: 'staff:8', state: 'paid', amount: 50_000, key: reference },
      paidAt: '2026-01-05T12:00:00Z',
    })
    await old.insert('payment_attempt', { purchase_id: id, gateway: 'efectivo', ref_id: reference, state: 'paid' })
    await old.insert('invoice', {
      ...{ invoice_id: id, purchase_id: id, gateway: 'efectivo', provider_payment: reference, status: 'paid' },
      ...{ total_centavos: 50_000, refunded_centavos: id === 12 ? 20_000 : 0, paidAt: '2026-01-05T12:00:00Z' },
    })
  }
  await old.migrateFully()
  expect(await old.select('select invoice_id, gateway, payment_method_id, staff_id, location_id from invoice order by 1')).toEqual([
    { invoice_id: 11, gateway: 'mostrador', payment_method_id: 2, staff_id: 8, location_id: 3 },
    { invoice_id: 12, gateway: 'efectivo', payment_method_id: 1, staff_id: 8, location_id: 3 },
  ])
  expect(await old.select('select purchase_id, gateway, staff_id, location_id from purchase order by 1')).toEqual([
    { purchase_id: 11, gateway: 'mostrador', staff_id: 8, location_id: 3 },
    { purchase_id: 12, gateway: 'efectivo', staff_id: 8, location_id: 3 },
  ])
  expect(await old.select('select purchase_id, gateway from payment_attempt order by 1')).toEqual([
    { purchase_id: 11, gateway: 'mostrador' },
    { purchase_id: 12, gateway: 'efectivo' },
  ])
  expect(await old.select('select invoice_id, amount_centavos, state from refund')).toEqual([
    { invoice_id: 12, amount_centavos: 20_000, state: 'done' },
  ])
})

test('extends unexpired credits to the end of their last day in the studio’s zone (0024)', async () => {
  const old = await databaseOf(23)
  await old.insert('setting', { key: 'timezone', value: '"America/Tijuana"' })
  for (const [id, expires_at, revokedAt] of [
    // 20:30 of 14 May in Tijuana, and 00:10 there.
    [1, '2099-05-15T03:30:00Z', null],
    [2, '2099-05-14T07:10:00Z', null],
    [3, '2020-05-14T07:10:00Z', null],
    [4, '2099-05-14T07:10:00Z', '2026-01-05T12:00:00Z'],
    [5, null, null],
  ] as const)
    await old.insert('available_class', {
      available_class_id: id,
      unlimited: true,
      expires_at,
      revokedAt,
      days_from_first_class: expires_at ? null : 30,
    })
  await old.migrateFully()
  const rows = await old.select('select expires_at from available_class order by available_class_id')
  expect(rows.map(({ expires_at }) => expires_at?.toISOString() ?? null)).toEqual([
    '2099-05-15T06:59:59.000Z',
    '2099-05-15T06:59:59.000Z',
    '2020-05-14T07:10:00.000Z',
    '2099-05-14T07:10:00.000Z',
    null,
  ])
})

test('adds the tax to older charges, to the centavo, at the studio’s rate (0025)', async () => {
  const old = await databaseOf(24)
  await old.insert('setting', { key: 'tax_rate', value: '8' })
  await old.insert('purchase', { purchase_id: 1, status: 'completed' })
  const totals = [0, 1, 53, 54, 55, 9_999, 116_00, 22_050, 99_999_999]
  for (const [n, total_centavos] of totals.entries())
    await old.insert('invoice', { invoice_id: n + 1, purchase_id: 1, provider_payment: `old_${n}`, status: 'paid', total_centavos })
  // One that was kept at another rate stays as it was.
  await old.insert('invoice', {
    ...{ invoice_id: 50, purchase_id: 1, provider_payment: 'kept', status: 'paid', total_centavos: 11_600 },
    ...{ tax_rate: 1_600, net_centavos: 10_000, tax_centavos: 1_600 },
  })
  for (const [n, name] of ['Tarjeta', 'Efectivo', 'Transferencia SPEI', 'Terminal bancaria', 'Vales'].entries())
    await old.insert('payment_method', { payment_method_id: n + 1, name })
  await old.migrateFully()
  const rows = await old.select(
    'select total_centavos, tax_rate, net_centavos, tax_centavos from invoice where invoice_id < 50 order by invoice_id',
  )
  expect(rows).toEqual(
    totals.map((total_centavos) => {
      const { net, tax } = taxIn(total_centavos, 800)
      return { total_centavos, tax_rate: 800, net_centavos: net, tax_centavos: tax }
    }),
  )
  expect(await old.select('select tax_rate, net_centavos, tax_centavos from invoice where invoice_id = 50')).toEqual([
    { tax_rate: 1_600, net_centavos: 10_000, tax_centavos: 1_600 },
  ])
  expect((await old.select('select kind from payment_method order by payment_method_id')).map(({ kind }) => kind)).toEqual([
    ...['online', 'cash', 'transfer', 'terminal', 'other'],
  ])
})

test('adds none for a studio whose prices exclude tax (0025)', async () => {
  const old = await databaseOf(24)
  await old.insert('setting', { key: 'tax_included', value: 'false' })
  await old.insert('purchase', { purchase_id: 1, status: 'completed' })
  await old.insert('invoice', { invoice_id: 1, purchase_id: 1, provider_payment: 'old', status: 'paid', total_centavos: 11_600 })
  await old.migrateFully()
  expect(await old.select('select tax_rate, net_centavos, tax_centavos from invoice')).toEqual([
    { tax_rate: 0, net_centavos: 11_600, tax_centavos: 0 },
  ])
})

test('entries of the audit trail get the customer and location of what they are about, and stay unchangeable (0034, 0035)', async () => {
  const old = await databaseOf(33)
  await old.insert('purchase', { purchase_id: 1001, customer_id: 7, location_id: 3, status: 'completed' })
  await old.insert('money_difference', { money_difference_id: 5, purchase_id: 1001, kind: 'amount_differs' })
  for (const [audit_id, entity, entity_id] of [
    [1, 'purchase', '1001'],
    [2, 'money_difference', '5'],
    [3, 'customer', '7'],
    [4, 'setting', 'timezone'],
  ] as const)
    await old.insert('audit', { audit_id, entity, entity_id })
  await old.migrateFully()
  expect(await old.select('select customer_id, location_id from audit order by audit_id')).toEqual([
    { customer_id: 7, location_id: 3 },
    { customer_id: 7, location_id: 3 },
    { customer_id: 7, location_id: null },
    { customer_id: null, location_id: null },
  ])
  await old.select('set session_replication_role = origin')
  await expect(old.select('update audit set location_id = 9')).rejects.toThrow('audit is written once')
})

test('entries about gift cards, pieces of a product and changes to one record get their customer and location (0088)', async () => {
  const old = await databaseOf(87)
  await old.insert('purchase', { purchase_id: 1001, customer_id: 7, location_id: 3, status: 'completed' })
  await old.insert('gift_card', { gift_card_id: 1, purchase_id: 1001 })
  for (const [bulk_job_id, total] of [
    [1, 1],
    [2, 2],
  ] as const) {
    await old.insert('bulk_job', { bulk_job_id, action: 'credits.freeze', state: 'done', total })
    await old.insert('bulk_item', { bulk_job_id, item_id: 7, state: 'done' })
  }
  for (const [audit_id, entity, entity_id, after] of [
    [1, 'gift_card', '1', '{"amount_centavos":-100}'],
    [2, 'product', '5', '{"location_id":4,"quantity":2}'],
    [3, 'product', '5', '{"name":"Agua"}'],
    [4, 'bulk_job', '1', '{"total":1}'],
    [5, 'bulk_job', '2', '{"total":2}'],
  ] as const)
    await old.insert('audit', { audit_id, entity, entity_id, after })
  await old.migrateFully()
  expect(await old.select('select customer_id, location_id from audit order by audit_id')).toEqual([
    { customer_id: 7, location_id: 3 },
    { customer_id: null, location_id: 4 },
    { customer_id: null, location_id: null },
    { customer_id: 7, location_id: null },
    { customer_id: null, location_id: null },
  ])
})

test('each page gets its version of now, and a new one with each change of its number (0055)', async () => {
  const old = await databaseOf(54)
  await old.insert('page', { page_id: 1, slug: 'uno', title: 'Uno', source: '<b>a</b>', content: '<strong>a</strong>', version: 3 })
  await old.migrateFully()
  await old.select('set session_replication_role = origin')
  await old.select(`update page set version = 4, content = '<p>b</p>' where page_id = 1`)
  await old.select(`update page set title = 'Otro' where page_id = 1`)
  expect(await old.select('select version, title, source, content from page_version order by version')).toEqual([
    { version: 3, title: 'Uno', source: '<b>a</b>', content: '<strong>a</strong>' },
    { version: 4, title: 'Uno', source: '<b>a</b>', content: '<p>b</p>' },
  ])
})

test('JSON null in a column that must not be null becomes what is read instead, and is refused from then on (0085)', async () => {
  const old = await databaseOf(84)
  await old.insert('segment', { name: 'Todos', filter: 'null' })
  await old.insert('import', { import_id: 1 })
  await old.insert('import_row', { fixes: 'null', cells: 'null', issues: '[]' })
  await old.migrateFully()
  expect(await old.select('select filter from segment')).toEqual([{ filter: { query: 'filtro ilegible' } }])
  expect(await old.select('select cells, fixes from import_row')).toEqual([{ cells: [], fixes: {} }])
  await expect(old.select(`update segment set filter = 'null'`)).rejects.toThrow('segment_filter_no_json_null')
})

test('the counts of every class are to be derived again, with those of stars and waitlists (0097)', async () => {
  const old = await databaseOf(96)
  for (const single_class_id of [8, 7])
    await old.insert('single_class', { single_class_id, starts_at: '2026-01-05T12:00:00Z', ends_at: '2026-01-05T13:00:00Z' })
  await old.insert('class_rollup', { single_class_id: 7 })
  await old.insert('class_reservation', { class_reservation_id: 1, single_class_id: 8, coach_stars: 2 })
  await old.insert('waitlist', { waitlist_id: 1, single_class_id: 7, customer_id: 5, status: 'waiting' })
  await old.migrateFully()
  expect(await old.select('select single_class_id from class_rollup')).toEqual([])
  const marked = 'select single_class_id from rollup_change where single_class_id is not null order by rollup_change_id'
  expect(await old.select(marked)).toEqual([{ single_class_id: 7 }, { single_class_id: 8 }])
  await old.select('delete from rollup_change')
  await old.select('set session_replication_role = origin')
  // Only what is counted marks its class.
  await old.select(`update waitlist set status = 'left' where waitlist_id = 1`)
  await old.select('update class_reservation set class_stars = 4 where class_reservation_id = 1')
  await old.select('update class_reservation set class_stars = 4 where class_reservation_id = 1')
  expect(await old.select(marked)).toEqual([{ single_class_id: 7 }, { single_class_id: 8 }])
})

test('the income of every purchase with a charge is to be derived, each once (0101)', async () => {
  const old = await databaseOf(100)
  for (const purchase_id of [7, 8, 9]) await old.insert('purchase', { purchase_id, status: 'completed' })
  for (const [invoice_id, purchase_id] of [
    [1, 8],
    [2, 7],
    [3, 8],
  ])
    await old.insert('invoice', {
      ...{ invoice_id, purchase_id, provider_payment: `p${invoice_id}`, status: 'paid' },
      ...{ total_centavos: 100, net_centavos: 100, tax_centavos: 0, tax_rate: 0 },
    })
  await old.migrateFully()
  expect(await old.select('select purchase_id from income_change order by 1')).toEqual([{ purchase_id: 7 }, { purchase_id: 8 }])
  await old.select('set session_replication_role = origin')
  await old.select('update invoice set period = $$otro$$ where invoice_id = 2')
  expect(await old.select('select purchase_id from income_change order by income_change_id desc limit 1')).toEqual([{ purchase_id: 7 }])
})

test('what belongs to one location and what was recorded about people who were erased before (0099)', async () => {
  const old = await databaseOf(98)
  await old.insert('room', { room_id: 5, location_id: 4 })
  for (const [customer_id, merged_into] of [
    [7, null],
    [8, 7],
    [9, null],
  ])
    await old.insert('customer', { customer_id, merged_into, deletedAt: '2026-01-05T12:00:00Z' })
  await old.insert('customer_erasure', { customer_erasure_id: 1, customer_id: 7, outcome: 'erased', endedAt: '2026-01-05T12:00:00Z' })
  for (const customer_id of [8, 9]) {
    await old.insert('credit_movement', { credit_movement_id: customer_id, customer_id, kind: 'grant', reason: 'Se lastimó la rodilla' })
    await old.insert('purchase', { purchase_id: customer_id, customer_id, status: 'completed', note: 'Tiene asma' })
    await old.insert('refund', { refund_id: customer_id, purchase_id: customer_id, state: 'refused', reason: 'Se enfermó' })
    await old.insert('gift_card', { gift_card_id: customer_id, purchase_id: customer_id, code_hash: `c${customer_id}` })
    await old.insert('gift_card_movement', {
      gift_card_movement_id: customer_id,
      gift_card_id: customer_id,
      kind: 'adjusted',
      n: 1,
      reason: 'Cumpleaños de Ana',
    })
  }
  for (const [audit_id, entity, entity_id, after, customer_id, reason] of [
    [1, 'location', '4', '{"name":"Lejos"}', null, null],
    [2, 'room', '5', '{"name":"Sala"}', null, null],
    [3, 'pay_rule', '6', '{"location_id":4}', null, null],
    [4, 'holiday', '7', '{"location_ids":[4]}', null, null],
    [5, 'holiday', '8', '{"location_ids":[4,5]}', null, null],
    [6, 'holiday', '9', '{"location_ids":null}', null, null],
    [7, 'available_class', '1', '{"balance":3}', 8, 'Se lastimó la rodilla'],
    [8, 'available_class', '2', '{"balance":3}', 9, 'Otra razón'],
  ] as const)
    await old.insert('audit', { audit_id, entity, entity_id, after, customer_id, reason })
  await old.migrateFully()
  expect(await old.select('select location_id, after is null as emptied, reason from audit order by audit_id')).toEqual([
    ...[4, 4, 4, 4, null, null].map((location_id) => ({ location_id, emptied: false, reason: null })),
    { location_id: null, emptied: true, reason: null },
    { location_id: null, emptied: false, reason: 'Otra razón' },
  ])
  for (const [table, then] of [
    ['credit_movement', null],
    ['refund', 'Devolución'],
    ['gift_card_movement', 'Ajuste'],
  ] as const) {
    const [erased, unchanged] = await old.select(`select reason from ${table} order by ${table}_id`)
    expect([table, erased.reason, unchanged.reason]).toEqual([table, then, expect.stringMatching(/^(Se lastimó|Se enfermó|Cumpleaños)/)])
  }
  expect(await old.select('select note from purchase order by purchase_id')).toEqual([{ note: null }, { note: 'Tiene asma' }])
})

test('entries about templates of one location and broadcasts about a class are of that location (0102)', async () => {
  const old = await databaseOf(101)
  const classes = (...ids: number[]) => JSON.stringify(ids.map((location_id) => ({ weekday: 1, hour: '07:00', fields: { location_id } })))
  await old.insert('single_class', { single_class_id: 3, location_id: 4, ends_at: '2026-01-05T13:00:00Z' })
  for (const [broadcast_id, audience] of [
    [1, '{"single_class_id":3}'],
    [2, '{"segment_id":3}'],
  ])
    await old.insert('broadcast', { broadcast_id, audience, state: 'paused', channels: ['mail'], button: 'none' })
  for (const [schedule_template_id, of] of [
    [5, classes(4, 4)],
    [6, classes(4, 7)],
    [7, '{}'],
  ] as const)
    await old.insert('schedule_template', { schedule_template_id, name: `Semana ${schedule_template_id}`, classes: of })
  for (const [audit_id, entity, entity_id] of [
    [1, 'broadcast', '1'],
    [2, 'broadcast', '2'],
    [3, 'schedule_template', '5'],
    [4, 'schedule_template', '6'],
    [5, 'schedule_template', '7'],
  ] as const)
    await old.insert('audit', { audit_id, entity, entity_id, after: '{"name":"x"}' })
  await old.migrateFully()
  expect((await old.select('select location_id from audit order by audit_id')).map(({ location_id }) => location_id)).toEqual([
    4,
    null,
    4,
    null,
    null,
  ])
})

test('documents that were sent before accounts were kept, and have no answer, are of an unknown account (0103)', async () => {
  const old = await databaseOf(102)
  const stamped = { uuid: '6F1C0A52-0000-4000-8000-000000000001', xml: '<x/>', stampedAt: '2026-01-05T12:00:00Z' }
  for (const [folio, state, pac, more] of [
    [1, 'stamping', 'sw', {}],
    [2, 'stamping', 'sw-pruebas', {}],
    [3, 'stamping', 'sandbox', {}],
    [4, 'valid', 'sw', stamped],
    [5, 'refused', 'sw', {}],
  ] as const)
    await old.insert('fiscal_document', { fiscal_document_id: folio, folio, state, pac, kind: 'income', key: `key-${folio}`, ...more })
  await old.migrateFully()
  expect(await old.select('select folio, pac_account from fiscal_document where pac_account is not null order by 1')).toEqual([
    { folio: 1, pac_account: 'unknown' },
    { folio: 2, pac_account: 'unknown' },
  ])
})

test('a charge that a bank disputes or took, also one that it returned, was all that had not been refunded (0106)', async () => {
  const old = await databaseOf(105)
  for (const [invoice_id, status, refunded_centavos, more] of [
    [1, 'paid', 0, {}],
    [2, 'disputed', 20_000, {}],
    [3, 'lost', 45_000, { lostAt: '2026-01-07T12:00:00Z' }],
    [4, 'partially_refunded', 10_000, { lostAt: '2026-01-07T12:00:00Z', regainedAt: '2026-01-09T12:00:00Z' }],
    [5, 'refunded', 145_000, {}],
  ] as const)
    await old.insert('invoice', {
      ...{ invoice_id, status, refunded_centavos, total_centavos: 145_000, provider_payment: `p${invoice_id}`, period: '0' },
      ...{ tax_rate: 0, net_centavos: 145_000, tax_centavos: 0, ...more },
    })
  await old.migrateFully()
  expect((await old.select('select disputed_centavos as part from invoice order by invoice_id')).map(({ part }) => part)).toEqual([
    ...[0, 125_000, 100_000, 135_000, 0],
  ])
})

test('what customers with a sale owe is derived again, and what is recorded behind a failed delivery waits as long (0108)', async () => {
  const old = await databaseOf(107)
  for (const [purchase_id, customer_id, sale_id] of [
    [1, 4, 9],
    [2, 4, 10],
    [3, 5, null],
    [4, 6, 11],
  ] as const)
    await old.insert('purchase', { purchase_id, customer_id, sale_id, sale_line_id: sale_id, status: 'completed' })
  await old.insert('webhook_endpoint', { webhook_endpoint_id: 1, event_types: ['customer.updated'] })
  const next = '2026-01-05T12:00:00Z'
  await old.insert('webhook_delivery', {
    webhook_endpoint_id: 1,
    object: 'customer:4',
    payload: '{}',
    state: 'waiting',
    nextAttemptAt: next,
  })
  await old.migrateFully()
  expect(await old.select('select customer_id from customer_change order by 1')).toEqual([{ customer_id: 4 }, { customer_id: 6 }])
  await old.select(`select record_webhook('customer.updated', about, now(), '{}') from unnest(array['customer:4', 'customer:5']) about`)
  expect(await old.select('select object, "nextAttemptAt" from webhook_delivery order by webhook_delivery_id')).toEqual([
    { object: 'customer:4', nextAttemptAt: new Date(next) },
    { object: 'customer:4', nextAttemptAt: new Date(next) },
    { object: 'customer:5', nextAttemptAt: null },
  ])
})

test('days without classes from before are shown to customers (0111)', async () => {
  const old = await databaseOf(110)
  const at = '2026-01-05T12:00:00Z'
  await old.insert('holiday', {
    holiday_id: 1,
    name: 'Navidad',
    from_day: '2026-12-25',
    to_day: '2026-12-25',
    createdAt: at,
    updatedAt: at,
  })
  await old.migrateFully()
  expect(await old.select('select name, public from holiday')).toEqual([{ name: 'Navidad', public: true }])
})

test('the unpaid rest of places that were all cancelled in time is waived, and a series with a last day is created up to it (0112)', async () => {
  const old = await databaseOf(111)
  for (const [purchase_id, sale_id, reservations, charges] of [
    [1, 9, [{}], []],
    [2, 10, [{}, {}], ['paid', 'pending']],
    [3, 11, [{ cancelled_late: true }], []],
    [4, 12, [{}, { deletedAt: null, cancelled_late: null, cancelled_by: null }], []],
    [5, null, [{}], []],
    [6, 13, [{}], ['paid', 'paid']],
  ] as const) {
    const money = { amount_centavos: 20_000, total_centavos: 20_000 }
    await old.insert('purchase', { purchase_id, sale_id, sale_line_id: sale_id, status: 'completed', ...money })
    for (const more of reservations)
      await old.insert('class_reservation', {
        ...{
          purchase_id,
          is_cash: true,
          is_paid: true,
          price_centavos: 10_000,
          deletedAt: '2026-01-07T12:00:00Z',
          cancelled_late: false,
          cancelled_by: 'staff',
        },
        ...more,
      })
    for (const [n, status] of charges.entries())
      await old.insert('invoice', {
        ...{ purchase_id, status, provider_payment: `p${purchase_id}-${n}`, period: '0', total_centavos: 10_000 },
        ...{ tax_rate: 0, net_centavos: 10_000, tax_centavos: 0 },
      })
  }
  for (const [class_series_id, starts_on, created_until, repeat_until] of [
    [1, '2026-01-05', '2026-01-05', '2026-03-30'],
    [2, '2026-01-05', '2026-02-02', '2026-03-30'],
    [3, '2026-01-05', '2026-01-05', '2026-01-05'],
    [4, '2026-01-05', '2026-01-05', null],
  ] as const)
    await old.insert('class_series', { class_series_id, starts_on, created_until, repeat_until, weekdays: [1] })
  await old.migrateFully()
  expect((await old.select('select waived_centavos as waived from purchase order by purchase_id')).map(({ waived }) => waived)).toEqual([
    ...[20_000, 10_000, 0, 0, 0, 0],
  ])
  expect(
    (await old.select('select created_until::text as day from class_series order by 1, class_series_id')).map(({ day }) => day),
  ).toEqual([...['2026-01-05', '2026-01-05', '2026-02-02', '2026-03-30']])
})

test('what was sold before has its rate and is not exempt, and a location has no rate of its own (0114)', async () => {
  const old = await databaseOf(113)
  await old.insert('location', { location_id: 1, name: 'Roma' })
  await old.insert('invoice', {
    ...{ invoice_id: 1, status: 'paid', total_centavos: 145_000, provider_payment: 'p1', period: '0' },
    ...{ tax_rate: 0, net_centavos: 145_000, tax_centavos: 0 },
  })
  await old.migrateFully()
  expect(await old.select('select tax_rate, tax_exempt from invoice')).toEqual([{ tax_rate: 0, tax_exempt: false }])
  expect(await old.select('select tax_rate from location')).toEqual([{ tax_rate: null }])
})

test('what names people who were erased goes from the trail of others, files, payments and documents never stamped (0115)', async () => {
  const old = await databaseOf(114)
  const [then, later] = ['2026-01-05T12:00:00Z', '2026-01-06T12:00:00Z']
  await old.insert('customer_erasure', { customer_id: 2, staff_id: 1, outcome: 'erased', endedAt: later })
  await old.insert('customer_distinct', { lower_id: 4, higher_id: 5 })
  await old.insert('file', { file_id: 7, customer_id: 3, kind: 'document', place: 'server', status: 'ready', key: 'k7' })
  const lost = [{ customer_id: 2, name: 'Ana López', why_not: { code: 'CLASS_FULL', message: 'x' } }]
  for (const [audit_id, action, entity, entity_id, after, at, customer_id] of [
    [1, 'customer.merge', 'customer', '1', { merged: 'Ana López' }, then, 1],
    [2, 'customer.merged_into', 'customer', '2', null, then, 2],
    [3, 'customer.merge', 'customer', '1', { merged: 'Otra' }, later, 1],
    [4, 'customer.separate', 'customer', '1', { merged: 'Ana López', customer_id: 2 }, later, 1],
    [5, 'customer.distinct', 'customer', '1', { other: 'Ana López' }, then, 1],
    [6, 'customer.distinct', 'customer', '4', { other: 'Eva' }, then, 4],
    [7, 'class.restore', 'single_class', '9', { back: [3], lost }, then, null],
    [8, 'file.change', 'file', '7', 'INE Eva.pdf', then, null],
    [9, 'file.change', 'file', '8', 'INE Ana.pdf', then, null],
  ] as const)
    await old.insert('audit', {
      audit_id,
      action,
      entity,
      entity_id,
      after: after === null ? null : JSON.stringify(after),
      at,
      customer_id,
    })
  for (const [id, customer_id] of [
    [1, 2],
    [2, 3],
  ] as const) {
    await old.insert('sale', { sale_id: id, customer_id })
    await old.insert('sale_payment', {
      sale_payment_id: id,
      sale_id: id,
      reference: 'Ana López',
      payment_method_id: 1,
      n: 1,
      state: 'received',
    })
    await old.insert('invoice', {
      ...{
        invoice_id: id,
        customer_id,
        reference: 'Ana López',
        gateway: 'mostrador',
        provider_payment: `p${id}`,
        period: '0',
        status: 'paid',
      },
      ...{ total_centavos: 1, tax_rate: 0, net_centavos: 1, tax_centavos: 0 },
    })
    const receiver = { rfc: 'LOAA010101AAA', name: 'Ana López', postalCode: '58000', use: 'G03' }
    await old.insert('fiscal_document', {
      ...{ fiscal_document_id: id, folio: id, key: `k${id}`, customer_id, state: 'refused', kind: 'income', pac: 'sw' },
      ...{ draft: JSON.stringify({ receiver }), signed_xml: '<x>Ana López</x>' },
    })
  }
  await old.migrateFully()
  expect(await old.select('select audit_id::int, customer_id, after from audit order by audit_id')).toEqual([
    { audit_id: 1, customer_id: 1, after: null },
    { audit_id: 2, customer_id: 2, after: null },
    { audit_id: 3, customer_id: 1, after: { merged: 'Otra' } },
    { audit_id: 4, customer_id: 1, after: null },
    { audit_id: 5, customer_id: 1, after: null },
    { audit_id: 6, customer_id: 4, after: { other: 'Eva' } },
    { audit_id: 7, customer_id: null, after: { back: [3], lost: [{ customer_id: 2, why_not: { code: 'CLASS_FULL', message: 'x' } }] } },
    { audit_id: 8, customer_id: 3, after: { customer_id: 3, name: 'INE Eva.pdf' } },
    { audit_id: 9, customer_id: null, after: null },
  ])
  for (const table of ['invoice', 'sale_payment'])
    expect(await old.select(`select reference from ${table} order by 1 nulls first`)).toEqual([
      { reference: null },
      { reference: 'Ana López' },
    ])
  expect(
    await old.select(
      `select draft -> 'receiver' ->> 'name' as name, draft -> 'receiver' ->> 'use' as use, signed_xml as xml from fiscal_document order by folio`,
    ),
  ).toEqual([
    { name: 'BORRADO', use: 'G03', xml: '' },
    { name: 'Ana López', use: 'G03', xml: '<x>Ana López</x>' },
  ])
})
