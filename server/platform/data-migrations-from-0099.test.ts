/** Migrations from 0099 that move data, tried on a database of the version before them that has rows. */
import { expect, test } from 'vitest'
import { oldDatabases } from '#server/testing/old-database.ts'

const databaseOf = oldDatabases()

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

test('documents sent before accounts were stored, and without an answer, have an unknown account (0103)', async () => {
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
  // Updated twice by one run, which checks their references.
  await old.insert('customer', { customer_id: 1 })
  await old.insert('purchase', { purchase_id: 1, customer_id: 1, status: 'completed' })
  for (const [invoice_id, status, refunded_centavos, more] of [
    [1, 'paid', 0, {}],
    [2, 'disputed', 20_000, {}],
    [3, 'lost', 45_000, { lostAt: '2026-01-07T12:00:00Z' }],
    [4, 'partially_refunded', 10_000, { lostAt: '2026-01-07T12:00:00Z', regainedAt: '2026-01-09T12:00:00Z' }],
    [5, 'refunded', 145_000, {}],
  ] as const)
    await old.insert('invoice', {
      invoice_id,
      status,
      refunded_centavos,
      total_centavos: 145_000,
      provider_payment: `p${invoice_id}`,
      period: '0',
      tax_rate: 0,
      net_centavos: 145_000,
      tax_centavos: 0,
      ...more,
    })
  await old.migrateFully()
  // What a bank returned is a movement of its own, and no part of the charge any more (0124).
  expect((await old.select('select disputed_centavos as part from invoice order by invoice_id')).map(({ part }) => part)).toEqual([
    0, 125_000, 100_000, 0, 0,
  ])
  const moved = `select invoice_id, amount_centavos as moved, "createdAt"::date::text as day from dispute_movement order by "createdAt", invoice_id`
  expect(await old.select(moved)).toEqual([
    { invoice_id: 3, moved: 100_000, day: '2026-01-07' },
    { invoice_id: 4, moved: 135_000, day: '2026-01-07' },
    { invoice_id: 4, moved: -135_000, day: '2026-01-09' },
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
        purchase_id,
        is_cash: true,
        is_paid: true,
        price_centavos: 10_000,
        deletedAt: '2026-01-07T12:00:00Z',
        cancelled_late: false,
        cancelled_by: 'staff',
        ...more,
      })
    for (const [n, status] of charges.entries())
      await old.insert('invoice', {
        purchase_id,
        status,
        provider_payment: `p${purchase_id}-${n}`,
        period: '0',
        total_centavos: 10_000,
        tax_rate: 0,
        net_centavos: 10_000,
        tax_centavos: 0,
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
    20_000, 10_000, 0, 0, 0, 0,
  ])
  expect(
    (await old.select('select created_until::text as day from class_series order by 1, class_series_id')).map(({ day }) => day),
  ).toEqual(['2026-01-05', '2026-01-05', '2026-02-02', '2026-03-30'])
})

test('what was sold before has its rate and is not exempt, and a location has no rate of its own (0114)', async () => {
  const old = await databaseOf(113)
  await old.insert('location', { location_id: 1, name: 'Roma' })
  await old.insert('invoice', {
    invoice_id: 1,
    status: 'paid',
    total_centavos: 145_000,
    provider_payment: 'p1',
    period: '0',
    tax_rate: 0,
    net_centavos: 145_000,
    tax_centavos: 0,
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
      invoice_id: id,
      customer_id,
      reference: 'Ana López',
      gateway: 'mostrador',
      provider_payment: `p${id}`,
      period: '0',
      status: 'paid',
      total_centavos: 1,
      tax_rate: 0,
      net_centavos: 1,
      tax_centavos: 0,
    })
    const receiver = { rfc: 'LOAA010101AAA', name: 'Ana López', postalCode: '58000', use: 'G03' }
    await old.insert('fiscal_document', {
      fiscal_document_id: id,
      folio: id,
      key: `k${id}`,
      customer_id,
      state: 'refused',
      kind: 'income',
      pac: 'sw',
      draft: JSON.stringify({ receiver }),
      signed_xml: '<x>Ana López</x>',
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

test('a charge that lost a dispute may lose another, and old changes to many keep their author’s rights (0116, 0117)', async () => {
  const old = await databaseOf(115)
  await old.insert('staff', { staff_id: 8, role: 'reception', email: 'recepcion@estudio.example' })
  await old.insert('customer', { customer_id: 1 })
  await old.insert('purchase', { purchase_id: 1, customer_id: 1, status: 'completed' })
  await old.insert('invoice', {
    invoice_id: 1,
    purchase_id: 1,
    customer_id: 1,
    gateway: 'sandbox',
    provider_payment: 'p1',
    period: '0',
    status: 'lost',
    total_centavos: 100_000,
    disputed_centavos: 30_000,
    tax_rate: 0,
    net_centavos: 100_000,
    tax_centavos: 0,
  })
  for (const [id, kind] of [
    [1, 'income'],
    [2, 'credit'],
    [3, 'credit'],
  ] as const)
    await old.insert('fiscal_document', { fiscal_document_id: id, folio: id, key: `k${id}`, state: 'stamping', kind, pac: 'sandbox' })
  const line = (document: number, base_centavos: number, is_loss: boolean) =>
    old.insert('fiscal_line', {
      fiscal_document_id: document,
      invoice_id: 1,
      base_centavos,
      tax_centavos: 0,
      is_loss,
      live: true,
      takes_out: false,
    })
  await line(1, 100_000, false)
  await line(2, 30_000, true)
  await expect(line(3, 20_000, true)).rejects.toThrow('fiscal_line_loss')
  await old.insert('bulk_job', { bulk_job_id: 1, staff_id: 8, action: 'tags.add', state: 'waiting' })
  await old.migrateFully()
  await line(3, 20_000, true)
  expect(await old.select('select lost_before_centavos as before, is_loss from fiscal_line order by fiscal_document_id')).toEqual([
    { before: 0, is_loss: false },
    { before: 0, is_loss: true },
    { before: 0, is_loss: true },
  ])
  expect(await old.select('select rights, api_key_id from bulk_job')).toEqual([{ rights: null, api_key_id: null }])
})

test('records of lists and members of the team that are older than their version get one (0118)', async () => {
  const old = await databaseOf(117)
  await old.insert('tag', { tag_id: 1, name: 'Nueva' })
  await old.insert('staff', { staff_id: 8, role: 'reception', email: 'recepcion@estudio.example' })
  await old.migrateFully()
  for (const table of ['tag', 'staff'])
    expect(await old.select(`select "updatedAt" is not null and "updatedAt" <= now() as has_version from ${table} limit 1`)).toEqual([
      { has_version: true },
    ])
})

test('the words of a closed till may be erased, its money may not change (0119)', async () => {
  const old = await databaseOf(118)
  await old.insert('staff', { staff_id: 8, role: 'reception', email: 'recepcion@estudio.example' })
  await old.insert('location', { location_id: 3, deletedAt: null })
  await old.insert('cash_session', {
    cash_session_id: 1,
    location_id: 3,
    staff_id: 8,
    closedAt: '2026-01-05T12:00:00Z',
    closed_by: 8,
    counted: '[]',
    left_centavos: 0,
    cash_count: '{}',
    note: 'Falta lo de Ana',
  })
  await old.insert('cash_movement', {
    cash_movement_id: 1,
    cash_session_id: 1,
    kind: 'out',
    amount_centavos: 3_500,
    staff_id: 8,
    reason: 'Cambio de Ana',
  })
  await old.migrateFully()
  await old.select('set session_replication_role = origin')
  await old.select(`update cash_movement set reason = 'Borrado'`)
  await old.select(`update cash_session set note = 'Borrado'`)
  await expect(old.select('update cash_movement set amount_centavos = 1')).rejects.toThrow('is closed')
  await expect(old.select('update cash_session set left_centavos = 1')).rejects.toThrow('is closed')
})

test('absences, custom fields, keys and webhooks that are older than their version get one (0121)', async () => {
  const old = await databaseOf(120)
  await old.insert('instructor', { instructor_id: 1, name: 'Sofía' })
  await old.insert('instructor_absence', {
    instructor_absence_id: 1,
    instructor_id: 1,
    from_day: '2026-12-01',
    to_day: '2026-12-02',
    reason: '',
  })
  await old.insert('custom_field', { custom_field_id: 1, object: 'mascota', key: 'nombre' })
  await old.insert('staff', { staff_id: 8, role: 'owner', email: 'duena@estudio.example' })
  await old.insert('api_key', { api_key_id: 1, name: 'Contabilidad', rights: ['customers.read'], staff_id: 8 })
  await old.insert('webhook_endpoint', { webhook_endpoint_id: 1, url: 'https://ejemplo.mx', event_types: ['customer.created'] })
  await old.migrateFully()
  for (const table of ['instructor_absence', 'custom_field', 'api_key', 'webhook_endpoint'])
    expect(await old.select(`select "updatedAt" is not null and "updatedAt" <= now() as has_version from ${table} limit 1`)).toEqual([
      { has_version: true },
    ])
})

test('rooms from before are offered, and exports from before have everything as CSV (0122)', async () => {
  const old = await databaseOf(121)
  await old.insert('location', { location_id: 1, name: 'Centro' })
  await old.insert('room', { room_id: 1, location_id: 1, name: 'Sala 1' })
  await old.insert('studio_export', { studio_export_id: 1, with_files: true, key: 'privado/x.zip' })
  await old.migrateFully()
  expect(await old.select('select "archivedAt" from room')).toEqual([{ archivedAt: null }])
  expect(await old.select('select parts, format from studio_export')).toEqual([{ parts: null, format: 'csv' }])
})
