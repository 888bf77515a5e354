/** Migrations up to 0098 that move data, tried on a database of the version before them that has rows. */
import { expect, test } from 'vitest'
import { taxIn } from '#contract/money.ts'
import { oldDatabases } from '#server/testing/old-database.ts'

const databaseOf = oldDatabases()

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
      reference,
      purchase_id: id,
      receivedBy: 'staff:8',
      state: 'paid',
      amount: 50_000,
      key: reference,
      paidAt: '2026-01-05T12:00:00Z',
    })
    await old.insert('payment_attempt', { purchase_id: id, gateway: 'efectivo', ref_id: reference, state: 'paid' })
    await old.insert('invoice', {
      invoice_id: id,
      purchase_id: id,
      gateway: 'efectivo',
      provider_payment: reference,
      status: 'paid',
      total_centavos: 50_000,
      refunded_centavos: id === 12 ? 20_000 : 0,
      paidAt: '2026-01-05T12:00:00Z',
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
  // A charge with another stored rate stays as it was.
  await old.insert('invoice', {
    invoice_id: 50,
    purchase_id: 1,
    provider_payment: 'kept',
    status: 'paid',
    total_centavos: 11_600,
    tax_rate: 1_600,
    net_centavos: 10_000,
    tax_centavos: 1_600,
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
    'online',
    'cash',
    'transfer',
    'terminal',
    'other',
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

test('the counts of every class are to be derived again, with those of stars and waitlists, and with refusals and when it was full (0097, 0125)', async () => {
  const old = await databaseOf(96)
  for (const single_class_id of [8, 7])
    await old.insert('single_class', { single_class_id, starts_at: '2026-01-05T12:00:00Z', ends_at: '2026-01-05T13:00:00Z' })
  await old.insert('class_rollup', { single_class_id: 7 })
  await old.insert('class_reservation', { class_reservation_id: 1, single_class_id: 8, coach_stars: 2 })
  await old.insert('waitlist', { waitlist_id: 1, single_class_id: 7, customer_id: 5, status: 'waiting' })
  await old.migrateFully()
  expect(await old.select('select single_class_id from class_rollup')).toEqual([])
  const marked = 'select single_class_id from rollup_change where single_class_id is not null order by rollup_change_id'
  expect(await old.select(marked)).toEqual([7, 8, 7, 8].map((single_class_id) => ({ single_class_id })))
  await old.select('delete from rollup_change')
  await old.select('set session_replication_role = origin')
  // Only what is counted marks its class.
  await old.select(`update waitlist set status = 'left' where waitlist_id = 1`)
  await old.select('update class_reservation set class_stars = 4 where class_reservation_id = 1')
  await old.select('update class_reservation set class_stars = 4 where class_reservation_id = 1')
  expect(await old.select(marked)).toEqual([{ single_class_id: 7 }, { single_class_id: 8 }])
})

test('the income of every purchase with a charge is to be derived, each once by the day and once with its classes (0101, 0123)', async () => {
  const old = await databaseOf(100)
  for (const purchase_id of [7, 8, 9]) await old.insert('purchase', { purchase_id, status: 'completed' })
  for (const [invoice_id, purchase_id] of [
    [1, 8],
    [2, 7],
    [3, 8],
  ])
    await old.insert('invoice', {
      invoice_id,
      purchase_id,
      provider_payment: `p${invoice_id}`,
      status: 'paid',
      total_centavos: 100,
      net_centavos: 100,
      tax_centavos: 0,
      tax_rate: 0,
    })
  await old.migrateFully()
  expect(await old.select('select purchase_id from income_change order by 1')).toEqual([7, 7, 8, 8].map((purchase_id) => ({ purchase_id })))
  await old.select('set session_replication_role = origin')
  await old.select('update invoice set period = $$otro$$ where invoice_id = 2')
  expect(await old.select('select purchase_id from income_change order by income_change_id desc limit 1')).toEqual([{ purchase_id: 7 }])
})
