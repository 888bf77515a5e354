/**
 * Files of classes, reservations, notes and past purchases (IM9 to IM11, IM14): read, written, once only, and taken back row by row (IM6).
 */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ImportKind } from '#contract/imports.ts'
import { openImportStudio } from '#server/testing/import-files.ts'
import { importedContents, rowsOfTables } from '#server/testing/imported-studio.ts'
import { codeOf } from '#server/testing/studio.ts'
import { parseAmount, parseAttendance, parseHour } from './records.ts'
import { guessField } from './rules.ts'

const { on, owner, steps } = await openImportStudio()
afterAll(() => on.close())
beforeEach(() => on.reset())
const fileOf = (content: string) => new File([content], 'x.csv')
const read = (kind: ImportKind, content: string) => steps.read(fileOf(content), { kind })
const work = (import_id: number) => steps.work(import_id)
const imported = (kind: ImportKind, content: string) => steps.imported(fileOf(content), { kind })
const rowsOf = async (import_id: number) => (await on.as(owner).imports.rows({ import_id })).rows

test('hours and attendance are read as other systems write them', () => {
  expect(['18:30', '6:30 PM', '6:30 p.m.', '18:30:00', '2026-12-01 18:30', '2026-12-01T18:30:00Z', '7 pm', '19 h'].map(parseHour)).toEqual([
    '18:30',
    '18:30',
    '18:30',
    '18:30',
    '18:30',
    '18:30',
    '19:00',
    '19:00',
  ])
  expect(['12:00 AM', '12:15 pm', '24:10', '13:00 PM', '2026-12-01', '19', ''].map(parseHour)).toEqual([
    '00:00',
    '12:15',
    null,
    null,
    null,
    null,
    null,
  ])
  expect(['Asistió', 'No Show', 'Late Cancel', 'Reservada', '', 'Checked-in'].map(parseAttendance)).toEqual([
    true,
    false,
    'cancelled',
    null,
    null,
    true,
  ])
})

test('columns are known by the kind of the file', () => {
  expect(
    ['ID', 'Client ID', 'Class ID', 'Class name', 'Start time', 'Date', 'Email'].map((name) => guessField(name, [], 'reservations')),
  ).toEqual(['external_ref', 'customer_ref', 'class_ref', 'class_type', 'time', 'date', 'email'])
  expect(
    ['Class ID', 'Name', 'Staff', 'Room', 'Capacity', 'Duration (min)', 'Email'].map((name) => guessField(name, [], 'classes')),
  ).toEqual(['external_ref', 'class_type', 'instructor', 'room', 'capacity', 'minutes', null])
  expect(['Client ID', 'Notes', 'Tags', 'Card number'].map((name) => guessField(name, [], 'notes'))).toEqual([
    'customer_ref',
    'note',
    'tags',
    null,
  ])
})

test('schedule, reservations and notes are imported once, and undone as if they had never been (IM6, IM9 to IM11)', async () => {
  await on.make.location({ name: 'Centro' })
  await on.make.location({ name: 'Norte' })
  const known = await on.make.customer({ name: 'Eva', last_name: 'Paz', email: 'eva@ejemplo.mx', birthdate: null })
  // The factory leaves microseconds, which no verb writes.
  await on.sql(`update customer set "updatedAt" = date_trunc('milliseconds', "updatedAt")`)
  const before = await rowsOfTables(on)

  const people = await imported(
    'customers',
    'ID cliente,Nombre,Apellidos,Correo,Fecha de nacimiento,Paquete,Clases,Vence\n7,Ana,Ruiz,ana@ejemplo.mx,1990-05-17,Diez,3,2027-01-31\n8,Eva,Paz,eva@ejemplo.mx,1991-02-03,,,',
  )
  expect(people.counts).toEqual({ done: 2 })
  const classes = await read(
    'classes',
    'ID clase,Clase,Coach,Estudio,Sala,Fecha,Hora,Minutos,Lugares,Mapa\n1,Ciclo,Sol Rey,Norte,Sala A,21/11/2026,7:00 PM,50,10,"5,5"\n2,Barre,"Sol Rey, Luz Mar",Norte,,22/11/2026,08:00,,12,\n3,Ciclo,Sol Rey,Norte,Sala A,01/10/2026,19:00,50,10,\n4,Yoga,,,,21/11/2026,10:00,,5,\n5,Yoga,,Norte,,31/02/2026,10:00,,,',
  )
  expect(classes.counts).toEqual({ new: 3, error: 2 })
  expect((await rowsOf(classes.import_id)).map(({ issues }) => issues.map(({ message }) => message))).toEqual([
    ['Se crea el tipo de clase Ciclo.', 'Se crea coach Sol Rey.'],
    ['Se crea el tipo de clase Barre.', 'Se crea coach Sol Rey.', 'Se crea coach Luz Mar.'],
    ['Se crea el tipo de clase Ciclo.', 'Se crea coach Sol Rey.'],
    ['Falta en qué estudio es.'],
    ['Ese día no existe.', 'Falta cuántos lugares tiene.'],
  ])
  expect(await rowsOfTables(on)).not.toEqual(before)
  await on.as(owner).imports.run({ import_id: classes.import_id })
  expect((await work(classes.import_id)).counts).toEqual({ done: 3, error: 2 })

  const file =
    'ID,ID cliente,Correo,ID clase,Clase,Fecha,Hora,Lugar,Estado,Paquete,Vence\nr1,7,,1,,,,2-3,Reservada,Diez,2027-01-31\nr2,,eva@ejemplo.mx,,Barre,22/11/2026,08:00,,,,\nr3,7,,3,,,,,Asistió,,\nr4,8,,3,,,,,No show,,\nr5,99,,1,,,,1-1,,,\nr6,7,,,Pilates,22/11/2026,08:00,,,,\nr7,8,,1,,,,1-1,Cancelada,,'
  const reservationImport = await read('reservations', file)
  expect(reservationImport.counts).toEqual({ new: 4, error: 2, skipped: 1 })
  await on.as(owner).imports.run({ import_id: reservationImport.import_id })
  expect((await work(reservationImport.import_id)).counts).toEqual({ done: 4, error: 2, skipped: 1 })
  const contents = await importedContents(on)
  expect(contents.reservations).toEqual([
    { email: 'ana@ejemplo.mx', starts: '2026-10-02 01:00', spot: null, guest: null, attend: true, active: true },
    { email: 'ana@ejemplo.mx', starts: '2026-11-22 01:00', spot: '2-3', guest: null, attend: null, active: true },
    { email: 'eva@ejemplo.mx', starts: '2026-10-02 01:00', spot: null, guest: null, attend: false, active: true },
    { email: 'eva@ejemplo.mx', starts: '2026-11-22 14:00', spot: null, guest: null, attend: null, active: true },
  ])
  // The place was paid at the source: the credits that are left stay whole.
  expect(await on.balance(known)).toBe(0)
  expect(contents.lots).toMatchObject([
    { email: 'ana@ejemplo.mx', title: 'Diez', granted: 1, balance: 0 },
    { email: 'ana@ejemplo.mx', title: 'Diez', granted: 3, balance: 3 },
    { email: 'eva@ejemplo.mx', granted: 1, balance: 0 },
  ])
  expect(await on.sql('select 1 from message')).toEqual([])

  const notes = await imported(
    'notes',
    'ID,Correo,Fecha,Nota,Etiquetas\nn1,ana@ejemplo.mx,15/01/2026,Rodilla derecha,"VIP, Mañanas"\nn2,eva@ejemplo.mx,,,VIP\nn3,nadie@ejemplo.mx,,Hola,',
  )
  expect(notes.counts).toEqual({ done: 2, error: 1 })
  expect((await importedContents(on)).tags).toEqual([
    { email: 'ana@ejemplo.mx', name: 'Mañanas' },
    { email: 'ana@ejemplo.mx', name: 'VIP' },
    { email: 'eva@ejemplo.mx', name: 'VIP' },
  ])

  const now = await rowsOfTables(on)
  const again = await imported('reservations', file)
  expect(again.counts).toEqual({ same: 4, error: 2, skipped: 1 })
  expect(await rowsOfTables(on)).toEqual(now)

  for (const { import_id } of [notes, reservationImport, classes, people]) {
    const undone = await steps.undo(import_id)
    expect([undone.kind, undone.state, undone.counts.stayed]).toEqual([undone.kind, 'undone', undefined])
  }
  expect(await rowsOfTables(on)).toEqual(before)
})

test('records that were used or changed since stay, with the reason (IM6)', async () => {
  await on.make.location({ name: 'Sur' })
  const ana = await on.make.customer({ email: 'ana.stays@ejemplo.mx' })
  const classes = await imported(
    'classes',
    'ID clase,Clase,Estudio,Fecha,Hora,Lugares\ns1,Ciclo,Sur,25/11/2026,19:00,10\ns2,Ciclo,Sur,26/11/2026,19:00,10',
  )
  const reservationImport = await imported('reservations', 'ID,Correo,ID clase\ns1,ana.stays@ejemplo.mx,s1\ns2,ana.stays@ejemplo.mx,s2')
  expect(reservationImport.counts).toEqual({ done: 2 })
  const [first] = await on.sql<{ class_reservation_id: number }>(
    'select class_reservation_id from class_reservation where customer_id = $1 order by 1',
    [ana.customer_id],
  )
  await on.as(ana).bookings.cancel({ class_reservation_id: first?.class_reservation_id ?? 0 })
  // Cancelled in time: the credit of the other system is theirs again.
  expect(await on.balance(ana)).toBe(1)
  expect((await steps.undo(reservationImport.import_id)).counts).toEqual({ stayed: 1, undone: 1 })
  expect((await steps.undo(classes.import_id)).counts).toEqual({ stayed: 1, undone: 1 })
  const stayed = await on.as(owner).imports.rows({ import_id: classes.import_id, state: 'stayed' })
  expect(stayed.rows).toMatchObject([{ title: 'Ciclo', issues: [{ message: 'Esta clase ya tiene reservaciones o cambió.' }] }])
})

test('amounts are read as other systems write them, and columns of purchases are known by their names (IM14)', () => {
  const texts = ['$1,450.00', '1450', 'MXN 1,450.5', '1.450,00', '12,50', '0', '1450.0', '1,450 pesos']
  expect(texts.map(parseAmount)).toEqual([145_000, 145_000, 145_050, 145_000, 1_250, 0, 145_000, 145_000])
  expect(['', '-500', '(500.00)', '1,4567', 'gratis', '12.345', '9,999,999.00'].map(parseAmount)).toEqual(Array(7).fill(null))
  expect(
    ['Sale ID', 'Client ID', 'Sale Date', 'Item name', 'Amount paid', 'Payment method', 'Card number'].map((name) =>
      guessField(name, [], 'purchases'),
    ),
  ).toEqual(['external_ref', 'customer_ref', 'date', 'package', 'amount', 'way', null])
  expect(
    ['ID compra', 'ID cliente', 'Fecha de compra', 'Concepto', 'Importe', 'Forma de pago'].map((name) => guessField(name, [], 'purchases')),
  ).toEqual(['external_ref', 'customer_ref', 'date', 'package', 'amount', 'way'])
})

test('past purchases are history in the file of the customer, once, corrected in place, and undone as if they had never been (IM14)', async () => {
  const ana = await on.make.customer({ name: 'Ana', last_name: 'Ruiz', email: 'ana.compras@ejemplo.mx' })
  const { class_package_id } = await on.make.package({ title: 'Diez clases' })
  const desk = await on.make.staff('reception')
  const before = await rowsOfTables(on)
  const file = [
    'Folio,Correo,Fecha,Concepto,Importe,Forma de pago',
    'v1,ana.compras@ejemplo.mx,15/01/2026,10 CLASES,"$1,450.00",Terminal',
    'v2,ana.compras@ejemplo.mx,20/02/2025,Mensual,899.5,',
    'v3,ana.compras@ejemplo.mx,20/03/2025,Agua,25,Efectivo',
    'v4,nadie.compras@ejemplo.mx,20/03/2025,Mensual,25,Efectivo',
    'v5,ana.compras@ejemplo.mx,20/03/2030,Mensual,mucho,4242 4242 4242 4242',
    'v1,ana.compras@ejemplo.mx,15/01/2026,10 CLASES,1450,Terminal',
  ].join('\n')
  const { import_id } = await read('purchases', file)
  const packages = [
    { name: '10 CLASES', class_package_id, skip: false },
    { name: 'Agua', class_package_id: null, skip: true },
  ]
  const view = await on.as(owner).imports.map({ import_id, packages, remember: false })
  expect(view.counts).toEqual({ new: 2, skipped: 2, error: 2 })
  expect((await rowsOf(import_id)).map(({ state, issues }) => [state, ...issues.map(({ message }) => message)])).toEqual([
    ['new'],
    ['new'],
    ['skipped', 'Las compras de este paquete no se traen.'],
    ['error', 'No encontramos a este cliente. Importa primero a tus clientes.'],
    ['error', 'Ese día todavía no llega.', 'No es un monto en pesos.', 'Trae un número de tarjeta: nunca se importa.'],
    ['skipped', 'Es el mismo que el renglón 2.'],
  ])
  const fixed = await on.as(owner).imports.fix({ import_id, n: 6, values: { date: '20/03/2024', amount: '700', way: '' } })
  expect(fixed.row).toMatchObject({ state: 'new', facts: ['2024-03-20', 'Mensual', '$700.00'] })
  expect(await rowsOfTables(on)).toEqual(before)
  await on.as(owner).imports.run({ import_id })
  expect((await work(import_id)).counts).toEqual({ done: 3, skipped: 2, error: 1 })

  const { customer_id } = ana
  const shown = await on.as(desk).customerFile.pastPurchases({ customer_id })
  expect(shown).toMatchObject({ total: 3, pages: 1 })
  expect(shown.past_purchases.map(({ bought_on, title, amount, way, source }) => [bought_on, title, amount, way, source])).toEqual([
    ['2026-01-15', 'Diez clases', '1450.00', 'Terminal', 'Excel o CSV'],
    ['2025-02-20', 'Mensual', '899.50', null, 'Excel o CSV'],
    ['2024-03-20', 'Mensual', '700.00', null, 'Excel o CSV'],
  ])
  expect(await codeOf(on.as(desk).customerFile.pastPurchases({ customer_id: 2_000_000 }))).toBe('NOT_FOUND')
  // Nothing else of the studio knows about them: no sale, charge, credit or message.
  const after = await rowsOfTables(on)
  expect(Object.keys(after).filter((table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]))).toEqual([
    'external_record',
    'past_purchase',
  ])
  expect(await on.balance(ana)).toBe(0)

  const again = await imported('purchases', file.replace('nadie.', 'otra.'))
  expect(again.counts).toMatchObject({ same: 2 })
  expect((await on.as(desk).customerFile.pastPurchases({ customer_id })).total).toBe(4)
  for (const id of [again.import_id, import_id]) {
    expect((await steps.undo(id)).counts.stayed).toBeUndefined()
  }
  expect(await rowsOfTables(on)).toEqual(before)
})

test('past purchases go with a customer whose import is undone first, and their own import ends (IM6, IM14)', async () => {
  const before = await rowsOfTables(on)
  const people = await imported('customers', 'ID cliente,Nombre,Correo\nc77,Zoe,zoe.compras@ejemplo.mx')
  const purchases = await imported('purchases', 'ID cliente,Fecha,Paquete,Monto\nc77,2025-01-15,Mensual,900\nc77,2025-02-15,Mensual,900')
  expect(purchases.counts).toEqual({ done: 2 })
  for (const { import_id } of [people, purchases]) {
    expect((await steps.undo(import_id)).state).toBe('undone')
  }
  expect(await rowsOfTables(on)).toEqual(before)
})

test('subscriptions wait for a card, once each, and are undone until their customer gives one (IM15, V60)', async () => {
  const ana = await on.make.customer({ name: 'Ana', last_name: 'Ruiz', email: 'ana.plan@ejemplo.mx' })
  const eva = await on.make.customer({ name: 'Eva', last_name: 'Paz', email: 'eva.plan@ejemplo.mx' })
  const terms = { is_subscription: true, subscription_period: 'month', subscription_interval: 1, price_centavos: 120_000 } as const
  const { class_package_id } = await on.make.package({ ...terms, title: 'Mensual ilimitada' })
  await on.make.package({ title: 'Suelta' })
  const before = await rowsOfTables(on)
  const file = [
    'ID suscripción,Correo,Paquete,Próximo cobro,Precio,Tarjeta',
    's1,ana.plan@ejemplo.mx,UNLIMITED,15/12/2026,"$1,099.00",4242',
    's2,eva.plan@ejemplo.mx,Mensual ilimitada,01/12/2026,899,',
    's3,eva.plan@ejemplo.mx,Suelta,01/12/2026,899,',
    's4,eva.plan@ejemplo.mx,Otra,01/11/2026,0,',
  ].join('\n')
  const { import_id, columns } = await read('subscriptions', file)
  expect(columns.map(({ field }) => field)).toEqual(['external_ref', 'email', 'package', 'next_charge', 'amount', null])
  const packages = [{ name: 'UNLIMITED', class_package_id, skip: false }]
  const view = await on.as(owner).imports.map({ import_id, packages, remember: false })
  expect(view.counts).toEqual({ new: 2, error: 2 })
  expect((await rowsOf(import_id)).map(({ state, issues }) => [state, ...issues.map(({ message }) => message)])).toEqual([
    ['new'],
    ['new'],
    ['error', 'Di en Valores qué suscripción tuya es, o escribe aquí su nombre.'],
    ['error', 'Ese día ya pasó.', 'No es un monto en pesos.'],
  ])
  // The same person and package as the row before: corrected in place, it is one that exists already.
  const values = { package: 'mensual ILIMITADA', external_ref: 's2' }
  const fixed = await on.as(owner).imports.fix({ import_id, n: 4, values })
  expect(fixed.row).toMatchObject({ state: 'skipped', issues: [{ message: 'Es el mismo que el renglón 3.' }] })
  expect(await rowsOfTables(on)).toEqual(before)
  await on.as(owner).imports.run({ import_id })
  expect((await work(import_id)).counts).toEqual({ done: 2, skipped: 1, error: 1 })
  const listed = await on.as(owner).pendingSubscriptions.list({})
  expect(
    listed.pending_subscriptions.map(({ customer, amount, next_charge_on, state }) => [customer.name, amount, next_charge_on, state]),
  ).toEqual([
    ['Eva', '899.00', '2026-12-01', 'waiting'],
    ['Ana', '1099.00', '2026-12-15', 'waiting'],
  ])
  const after = await rowsOfTables(on)
  expect(Object.keys(after).filter((table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]))).toEqual([
    'external_record',
    'pending_subscription',
  ])
  const { import_id: second } = await read('subscriptions', file.replace('s2', 's9'))
  const again = await on.as(owner).imports.map({ import_id: second, packages, remember: false })
  expect(again.counts).toEqual({ same: 2, error: 2 })
  await on.as(owner).imports.remove({ import_id: second })

  expect((await steps.undo(import_id)).counts).toEqual({ undone: 2, skipped: 1, error: 1 })
  expect(await rowsOfTables(on)).toEqual(before)

  const more = await imported(
    'subscriptions',
    `Correo,Paquete,Próximo cobro,Precio\n${ana.email},Mensual ilimitada,15/12/2026,900\n${eva.email},Mensual ilimitada,15/12/2026,900`,
  )
  const [first] = (await on.as(owner).pendingSubscriptions.list({ customer_id: ana.customer_id })).pending_subscriptions
  const { url } = await on.as(owner).pendingSubscriptions.link({ pending_subscription_id: first?.pending_subscription_id ?? 0 })
  await on.as(null).cardLinks.change({ token: url.split('/').at(-1) ?? '', token_id: 'tok_ok' })
  expect((await steps.undo(more.import_id)).counts).toEqual({ undone: 1, stayed: 1 })
  const { rows } = await on.as(owner).imports.rows({ import_id: more.import_id, state: 'stayed' })
  expect(rows).toMatchObject([{ issues: [{ message: 'Ya puso su tarjeta, empezó o se quitó.' }] }])
})

test('the same subscription is never imported twice: neither from two rows, nor bought or imported between the review and the job (IM15)', async () => {
  const { class_package_id } = await on.make.package({
    title: 'Mensual',
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const [ana, eva] = [await on.make.customer({ email: 'ana.dos@ejemplo.mx' }), await on.make.customer({ email: 'eva.dos@ejemplo.mx' })]
  const file = (refs: readonly string[]) =>
    `ID suscripción,Correo,Paquete,Próximo cobro,Precio\n${refs.map((ref) => `${ref},ana.dos@ejemplo.mx,Mensual,15/12/2026,900`).join('\n')}`
  const twice = await read('subscriptions', `${file(['a1', 'a2'])}\ne1,eva.dos@ejemplo.mx,Mensual,15/12/2026,900`)
  expect((await rowsOf(twice.import_id)).map(({ state }) => state)).toEqual(['new', 'skipped', 'new'])
  const other = await read('subscriptions', file(['b1']))
  expect(other.counts).toEqual({ new: 1 })
  for (const { import_id } of [twice, other]) await on.as(owner).imports.run({ import_id })
  await on.sql(
    `insert into purchase (customer_id, class_package_id, title, class_amount, expiration_days, amount_centavos, total_centavos, gateway, status, is_subscription, subscription_period, subscription_interval, request_hash, "createdAt", "updatedAt")
     values ($1, $2, 'Mensual', 8, 30, 90000, 90000, 'sandbox', 'active', true, 'month', 1, '', now(), now())`,
    [eva.customer_id, class_package_id],
  )
  await Promise.all([twice, other].map(({ import_id }) => work(import_id)))
  const states = await on.sql<{ state: string; n: number }>(
    'select state, count(*)::int as n from import_row where import_id = any($1) group by 1 order by 1',
    [[twice.import_id, other.import_id]],
  )
  expect(states).toEqual([
    { state: 'done', n: 1 },
    { state: 'failed', n: 2 },
    { state: 'skipped', n: 1 },
  ])
  const pending = 'select customer_id from pending_subscription where customer_id = any($1)'
  expect(await on.sql(pending, [[ana.customer_id, eva.customer_id]])).toEqual([{ customer_id: ana.customer_id }])
})

test('a field of another kind of file is refused', async () => {
  const { import_id } = await read('notes', 'Correo,Nota\na@ejemplo.mx,Hola')
  expect(await codeOf(on.as(owner).imports.map({ import_id, columns: [{ index: 1, field: 'birthdate' }] }))).toBe('IMPORT_MAPPING')
})
