/** The studio as files: complete, without secrets, and importable into an empty studio (IM7, IM8). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { EXPORTED, LEFT_OUT } from './exported-tables.ts'
import { workOnImport } from './run.ts'
import { exportWeekly, makeExport, sweepExports } from './studio-export.ts'
import { listKeyColumns } from './studio-export-store.ts'

/** Asks for an export, makes it and downloads it. */
async function exported(on: TestStudio, owner: Person, with_files = true): Promise<File> {
  const { studio_export_id } = await on.as(owner).studioExport.start({ with_files })
  await makeExport(on.system(), { studio_export_id }, { id: 'x', signal: new AbortController().signal })
  return on.as(owner).studioExport.file({ studio_export_id })
}

let from: TestStudio
let to: TestStudio
const folder = mkdtempSync(join(tmpdir(), 'estudio-export-'))
beforeAll(async () => {
  from = await studio()
  to = await studio()
})
afterAll(async () => {
  await from.close()
  await to.close()
  rmSync(folder, { recursive: true })
})

/** Living customers with what they can use, by package and last day. */
const holdings = (on: TestStudio) =>
  on.sql(
    `select c.name, c.last_name, c.email, c.phone, c.birthdate::text as birthdate, a.title, a.unlimited, sum(a.balance)::int as balance, a.expires_at::date::text as day
     from customer c left join available_class a on a.customer_id = c.customer_id and (a.unlimited or a.balance > 0)
     where c."deletedAt" is null and not c.is_anonymous group by c.customer_id, a.title, a.unlimited, a.expires_at::date order by c.email, c.phone, a.title, day`,
  )

test('everything is in the files, and what must not leave is not; an empty studio that imports them has the same people and credits (IM7, IM8)', async () => {
  const owner = await from.make.staff('owner')
  const ana = await from.make.customer({ name: 'Ana', last_name: 'Ríos, "Nena"', birthdate: '1990-05-17' })
  const until = new Date('2026-12-20T05:59:59Z')
  await from.as(ana).messages.setPreferences({ marketing: true })
  await from.make.lot(ana, { title: '10 clases', granted: 4, expires_at: until })
  await from.make.lot(ana, { title: '10 clases', granted: 3, expires_at: until })
  await from.make.lot(ana, { title: 'Ilimitado', unlimited: true, granted: null, expires_at: new Date('2027-01-10T05:59:59Z') })
  await from.make.customer({ name: '=HYPERLINK("x")', last_name: 'Mal', email: 'mal@ejemplo.mx' })
  const { single_class_id } = await from.make.class({ starts_at: new Date('2026-11-21T16:00:00Z') })
  await from.as(ana).bookings.reserve({ single_class_id })
  const zip = await exported(from, owner)
  expect(zip.name).toBe('estudio-2026-11-19.zip')
  const mails = await from.sql<{ title: string; path: string; email: string }>(
    `select words->>'title' as title, words->'action'->>'path' as path, s.email from message m join staff s using (staff_id) where event = 'export_ready'`,
  )
  expect(mails).toEqual([{ title: expect.stringMatching(/ está lista$/), path: '/admin/ajustes/exportar', email: owner.email }])
  writeFileSync(join(folder, 'x.zip'), new Uint8Array(await zip.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', join(folder, 'x.zip'), '-d', folder])
  const file = (name: string) => readFileSync(join(folder, name), 'utf8')
  for (const { file: name, table } of EXPORTED) {
    const [{ n } = { n: -1 }] = await from.sql<{ n: number }>(
      `select count(*)::int as n from ${table}${table === 'customer' ? ' where not is_anonymous' : ''}`,
    )
    // The export itself writes an entry of the audit trail and the mail about it after it has read them.
    if (table !== 'audit' && table !== 'message') expect([name, recordsOf(file(`${name}.csv`))]).toEqual([name, n])
    expect(file('LEEME.txt')).toContain(`${name}.csv`)
  }
  expect(file('reservaciones.csv')).toContain(String(single_class_id))
  const all = ['LEEME.txt', 'clientes.csv', 'ajustes.csv', ...EXPORTED.map(({ file: name }) => `${name}.csv`)].map(file).join('\n')
  for (const secret of [ana.uid, owner.uid]) expect(all).not.toContain(secret)
  expect(file('clientes.csv')).not.toMatch(/(^|,)"?=HYPER/m)

  const boss = await to.make.staff('owner')
  const { import_id } = await to.as(boss).imports.create({ source: 'estudio' })
  const view = await to.as(boss).imports.file({ import_id, file: new File([readFileSync(join(folder, 'clientes.csv'))], 'clientes.csv') })
  expect(view.columns.map(({ field }) => field)).toEqual([
    'external_ref',
    'name',
    'last_name',
    'email',
    'phone',
    'birthdate',
    'promotions_on',
    'whatsapp_on',
    'created_on',
    'visits',
    'last_visit',
    'package',
    'credits',
    'expires',
    'frozen',
  ])
  await to.as(boss).imports.run({ import_id })
  await workOnImport(to.system(), { import_id }, { id: 'x', signal: new AbortController().signal })
  expect(await holdings(to)).toEqual(await holdings(from))
  expect(await codeOf(from.as(await from.make.staff('manager')).studioExport.start({}))).toBe('FORBIDDEN')
})

/** The files that another studio imports, without ids, which are its own: rows in any order. */
async function movable(on: TestStudio, owner: Person, into: string) {
  const zip = await exported(on, owner)
  const path = join(folder, `${into}.zip`)
  writeFileSync(path, new Uint8Array(await zip.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', path, '-d', join(folder, into)])
  const file = (name: string) => readFileSync(join(folder, into, name))
  const rows = Object.fromEntries(
    ['clientes', 'perfiles-de-coaches', 'horario', 'lugares', 'notas-y-etiquetas', 'historial-de-compras', 'suscripciones-por-activar'].map(
      (name) => {
        const { data } = Papa.parse<string[]>(
          file(`${name}.csv`)
            .toString('utf8')
            .replace(/^\ufeff/, ''),
          { skipEmptyLines: true },
        )
        const [header = [], ...body] = data
        const shown = body.map((cells) => JSON.stringify(cells.filter((_, at) => !header[at]?.startsWith('ID '))))
        return [name, [JSON.stringify(header), ...shown.sort()]]
      },
    ),
  )
  return { file, rows }
}

test('staff of some locations only neither start, list nor download an export of the whole studio (E14)', async () => {
  const owner = await from.make.staff('owner')
  const { studio_export_id } = await from.as(owner).studioExport.start({ with_files: false })
  await makeExport(from.system(), { studio_export_id }, { id: 'x', signal: new AbortController().signal })
  const boss = await from.make.staff('owner')
  const { location_id } = await from.make.location()
  await from.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [boss.uid, location_id])
  await from.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: boss.uid }))
  const { studioExport } = from.as(boss)
  for (const call of [
    () => studioExport.list({}),
    () => studioExport.start({ with_files: false }),
    () => studioExport.file({ studio_export_id }),
  ])
    expect(await codeOf(call())).toBe('FORBIDDEN')
})

test('export, import into an empty studio, export: the same rows (IM8)', async () => {
  const first = await studio({ settings: { allow_class_guests: true } })
  const second = await studio({ settings: { allow_class_guests: true } })
  const owner = await first.make.staff('owner')
  const location_id = (await first.make.location({ name: 'Roma Norte' })).location_id
  const people = await Promise.all(['Ana', 'Beto', '+Carla', 'Dora'].map((name) => first.make.customer({ name, last_name: 'Ríos Vela' })))
  const [ana, beto, carla, dora] = people as [Person, Person, Person, Person]
  const until = new Date('2026-12-20T05:59:59Z')
  for (const person of people) await first.make.lot(person, { title: '10 clases', granted: 5, expires_at: until })
  await first.make.lot(dora, { title: 'Ilimitado', unlimited: true, granted: null, expires_at: until })
  const coming = await first.make.class({ location_id, starts_at: new Date('2026-11-21T16:00:00Z'), spot_map: '5,5' })
  const past = await first.make.class({
    location_id,
    starts_at: new Date('2026-10-21T16:00:00Z'),
    settledAt: new Date('2026-10-21T17:00:00Z'),
  })
  await first.as(ana).bookings.reserve({ single_class_id: coming.single_class_id, spot: '1-2', guest: 'Prima Inés', guest_spot: '1-3' })
  await first.as(beto).bookings.reserve({ single_class_id: coming.single_class_id, spot: '2-5' })
  for (const [person, attend] of [
    [carla, true],
    [dora, false],
    [ana, null],
  ] as const)
    await first.sql(
      `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, $3, now(), now())`,
      [past.single_class_id, person.customer_id, attend],
    )
  const { customer_id } = carla
  await first.as(owner).customerFile.addNote({ customer_id, text: '=Rodilla\nderecha, "ojo"', pinned: false, for_coaches: false })
  const { tag_id } = (
    await first.sql<{ tag_id: number }>(`insert into tag (name, type) values ('VIP', 'customer') returning tag_id`)
  )[0] ?? { tag_id: 0 }
  await first.as(owner).customerFile.putTags({ customer_id, tag_ids: [tag_id] })

  await first.sql(
    `insert into past_visit (customer_id, source, visits, last_at, until_at) values ($1, 'fitco', 41, '2026-09-30T18:00:00Z', '2026-10-01T05:59:59Z'), ($2, 'fitco', 7, null, '2026-10-01T05:59:59Z')`,
    [carla.customer_id, beto.customer_id],
  )
  await first.sql(
    `insert into past_purchase (customer_id, source, bought_on, title, total_centavos, way) values ($1, 'fitco', '2024-02-29', 'Mensual', 89950, 'Efectivo')`,
    [beto.customer_id],
  )
  const classPackage = await first.make.package({ title: 'Mensual', price_centavos: 100_050 })
  const { purchase } = await first.as(owner).studioSales.giveAccess({
    customer_id: ana.customer_id,
    class_package_id: classPackage.class_package_id,
    is_gift: true,
  })
  await first.sql(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, tax_rate, net_centavos, tax_centavos, label, "paidAt", "createdAt")
     values ($1, $2, 'sandbox', 'pay_moved', 'once', 100050, 25000, 'partially_refunded', 1600, 86250, 13800, 'Visa', $3, $3)`,
    [purchase.purchase_id, ana.customer_id, new Date('2026-11-01T03:00:00Z')],
  )
  const terms = { is_subscription: true, subscription_period: 'month', subscription_interval: 1, title: 'Plan mensual' } as const
  const plan = await first.make.package(terms)
  await second.make.package(terms)
  await first.sql(
    `insert into pending_subscription (customer_id, class_package_id, source, price_centavos, next_charge_on, staff_id, "createdAt")
     values ($1, $2, 'fitco', 89950, '2027-01-31', (select staff_id from staff where uid = $3), $4)`,
    [dora.customer_id, plan.class_package_id, owner.uid, first.clock.now()],
  )
  // What is easily lost: names with “y” and commas, a first name of two words, another time zone, frozen credits and those that wait for
  // their first class.
  const tijuana = await first.make.location({ name: 'Zona Río', timezone: 'America/Tijuana' })
  const far = await first.make.class({ location_id: tijuana.location_id, starts_at: new Date('2026-11-22T03:00:00Z') })
  const coaches = await first.sql<{ id: number }>(
    `insert into instructor (name, last_name, is_home) values ('José', 'Ortega y Gasset', false), ('Luz', 'Mar', false) returning instructor_id as id`,
  )
  await first.sql(
    `update instructor set nick_name = 'Pepe', birthdate = '1980-02-29', instagram = 'pepe.o', short_bio = $1, specialties = 'Barre, Yin' where name = 'José'`,
    ['=Baila\ndesde "siempre"'],
  )
  await first.make.instructor({ name: 'Ana María', last_name: '', nick_name: null })
  await first.sql('delete from class_instructor where single_class_id = $1', [far.single_class_id])
  for (const [sort, { id }] of coaches.entries())
    await first.sql('insert into class_instructor (single_class_id, instructor_id, sort) values ($1, $2, $3)', [
      far.single_class_id,
      id,
      sort,
    ])
  const { tag_id: gold } = (
    await first.sql<{ tag_id: number }>(`insert into tag (name, type) values ('Oro, plata y bronce', 'customer') returning tag_id`)
  )[0] ?? { tag_id: 0 }
  await first.as(owner).customerFile.putTags({ customer_id, tag_ids: [tag_id, gold] })
  const eva = await first.make.customer({ name: 'Eva María', last_name: '' })
  const frozen = await first.make.lot(eva, { title: 'Congelado', granted: 6, expires_at: until })
  await first.sql('update available_class set "frozenAt" = $2 where available_class_id = $1', [
    frozen.available_class_id,
    new Date('2026-11-09T16:00:00Z'),
  ])
  const waits = await first.make.lot(eva, { title: 'Sin empezar', granted: 9 })
  await first.sql('update available_class set expires_at = null, days_from_first_class = 30 where available_class_id = $1', [
    waits.available_class_id,
  ])
  const online = await first.make.lot(eva, { title: 'Videos', unlimited: true, granted: null, expires_at: until })
  await first.sql('update available_class set is_online = true where available_class_id = $1', [online.available_class_id])
  const before = await movable(first, owner, 'before')
  const boss = await second.make.staff('owner')
  for (const [kind, name] of [
    ['customers', 'clientes'],
    ['coaches', 'perfiles-de-coaches'],
    ['classes', 'horario'],
    ['reservations', 'lugares'],
    ['notes', 'notas-y-etiquetas'],
    ['purchases', 'historial-de-compras'],
    ['subscriptions', 'suscripciones-por-activar'],
  ] as const) {
    const { import_id } = await second.as(boss).imports.create({ source: 'estudio', kind })
    const view = await second
      .as(boss)
      .imports.file({ import_id, file: new File([new Uint8Array(before.file(`${name}.csv`))], `${name}.csv`) })
    expect([name, view.columns.filter(({ field }) => field === null)]).toEqual([name, []])
    await second.as(boss).imports.run({ import_id })
    await workOnImport(second.system(), { import_id }, { id: 'x', signal: new AbortController().signal })
    const done = await second.as(boss).imports.read({ import_id })
    expect([name, done.counts.failed, done.counts.error, done.counts.duplicate]).toEqual([name, undefined, undefined, undefined])
  }
  const after = await movable(second, boss, 'after')
  expect(after.rows).toEqual(before.rows)
  const ofEva = before.rows.clientes?.filter((row) => row.includes('Eva María')).map((row) => (JSON.parse(row) as string[]).slice(-4))
  expect(ofEva).toEqual([
    ['Congelado', '6', '2026-12-19', '2026-11-09'],
    ['Sin empezar', '9', '2026-12-19', ''],
  ])
  const starts = (on: TestStudio) => on.sql('select starts_at from single_class order by 1')
  expect(await starts(second)).toEqual(await starts(first))
  expect(
    await second.sql(
      `select trim(concat_ws(' ', name, last_name)) as name from instructor where last_name like '%Gasset' or name = 'Luz' order by 1`,
    ),
  ).toEqual([{ name: 'José Ortega y Gasset' }, { name: 'Luz Mar' }])
  expect(await second.sql(`select nick_name, birthdate::text, short_bio from instructor where name = 'José'`)).toEqual([
    { nick_name: 'Pepe', birthdate: '1980-02-29', short_bio: '=Baila\ndesde "siempre"' },
  ])
  expect(before.rows.lugares).toHaveLength(6)
  expect(before.rows['historial-de-compras']).toHaveLength(3)
  expect(before.rows['suscripciones-por-activar']).toHaveLength(2)
  await first.close()
  await second.close()
})

test('every table is in the export or named as left out, and pages of a table have each row once (IM7)', async () => {
  const tables = await from.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const named = [...EXPORTED.map(({ table }) => table), ...Object.values(LEFT_OUT).flat()]
  expect(named.toSorted()).toEqual(tables.map(({ name }) => name).filter((name) => named.includes(name)))
  expect(tables.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([])
  expect(new Set(EXPORTED.map(({ file }) => file)).size).toBe(EXPORTED.length)
  for (const table of EXPORTED)
    expect([table.table, (await listKeyColumns(from.studio.db.read, table)).length > 0]).toEqual([table.table, true])
})

test('pictures go along; one export at a time; it can be downloaded for a day; the weekly one stays longer (IM12)', async () => {
  const on = await studio({ settings: { weekly_export: false } })
  const owner = await on.make.staff('owner')
  const key = `archivos/${'a'.repeat(22)}.png`
  const picture = new Uint8Array([137, 80, 78, 71, 1, 2, 3])
  const files = on.system().ports.files.at('server')
  await files.put(key, { bytes: picture }, { type: 'image/png', disposition: 'inline', cacheControl: 'no-store' })
  const [{ file_id } = { file_id: 0 }] = await on.sql<{ file_id: number }>(
    `insert into file (key, name, kind, type, size, is_public, place, status, uid, "createdAt") values ($1, 'logo', 'image', 'image/png', 7, true, 'server', 'ready', '', now()) returning file_id`,
    [key],
  )
  const [first, second] = await Promise.all([on.as(owner).studioExport.start({}), on.as(owner).studioExport.start({})])
  const { studio_export_id } = first ?? { studio_export_id: 0 }
  expect(second?.studio_export_id).toBe(studio_export_id)
  expect(await codeOf(on.as(owner).studioExport.file({ studio_export_id }))).toBe('NOT_FOUND')
  const stop = new AbortController()
  stop.abort()
  await expect(makeExport(on.system(), { studio_export_id }, { id: 'x', signal: stop.signal })).rejects.toThrow('next attempt')
  await makeExport(on.system(), { studio_export_id }, { id: 'x', signal: new AbortController().signal })
  const [listed] = (await on.as(owner).studioExport.list()).exports
  expect(listed).toMatchObject({ state: 'done', with_files: true, until: '2026-11-20T16:00:00.000Z', done: listed?.total })
  const zip = await on.as(owner).studioExport.file({ studio_export_id })
  expect(zip.size).toBe(listed?.bytes)
  writeFileSync(join(folder, 'p.zip'), new Uint8Array(await zip.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', join(folder, 'p.zip'), '-d', join(folder, 'p')])
  expect(new Uint8Array(readFileSync(join(folder, 'p', `archivos/${file_id}.png`)))).toEqual(picture)

  await exportWeekly(on.system())
  await on.change({ weekly_export: true })
  await exportWeekly(on.system())
  const weekly = (await on.as(owner).studioExport.list()).exports
  expect(weekly.map(({ created_by }) => created_by === null)).toEqual([true, false])
  await makeExport(on.system(), { studio_export_id: weekly[0]?.studio_export_id ?? 0 }, { id: 'x', signal: new AbortController().signal })
  on.clock.advance({ days: 2 })
  await sweepExports(on.system())
  expect(await codeOf(on.as(owner).studioExport.file({ studio_export_id }))).toBe('NOT_FOUND')
  expect((await on.as(owner).studioExport.list()).exports).toHaveLength(1)
  expect(await on.sql('select 1 from studio_export')).toHaveLength(1)
  await on.close()
})

/** A foreign key between two tables of the export, by the names of its files. */
interface Reference {
  from: string
  column: string
  to: string
  key: string
}

async function listReferences(on: TestStudio): Promise<Reference[]> {
  const keys = await on.sql<{ table: string; column: string; target: string; key: string }>(
    `select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as target, b.attname as key from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
     where c.contype = 'f' and cardinality(c.conkey) = 1`,
  )
  const fileOf = new Map(EXPORTED.map(({ table, file }) => [table, file]))
  const left = new Map(EXPORTED.map(({ table, without }) => [table, without]))
  return keys.flatMap(({ table, column, target, key }) => {
    const [from, to] = [fileOf.get(table.replaceAll('"', '')), fileOf.get(target.replaceAll('"', ''))]
    return from && to && !left.get(table)?.includes(column) ? [{ from, column, to, key }] : []
  })
}

test('what is written while an export is made is in all of its files or in none: every row names rows that are there (IM7)', async () => {
  const on = await studio()
  const owner = await on.make.staff('owner')
  for (const name of ['Ana', 'Beto']) await on.make.customer({ name })
  await on.make.class()
  // People sign up and get a note, which is in a file after the one of the customers.
  let isOver = false
  const signUps = (async () => {
    for (let n = 0; !isOver; n++)
      await on.sql(
        `with new as (insert into customer (name, last_name, email, "createdAt") values ('Nueva', '', $1, now()) returning customer_id)
         insert into customer_note (customer_id, text, staff_id, "createdAt", "updatedAt")
         select customer_id, 'Nota', (select min(staff_id) from staff), now(), now() from new`,
        [`nueva${n}@ejemplo.mx`],
      )
  })()
  const zip = await exported(on, owner).finally(() => {
    isOver = true
  })
  await signUps
  const path = join(folder, 'whole.zip')
  writeFileSync(path, new Uint8Array(await zip.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', path, '-d', join(folder, 'whole')])
  const rowsOfFile = (name: string) =>
    Papa.parse<Record<string, string>>(readFileSync(join(folder, 'whole', `${name}.csv`), 'utf8').replace(/^\ufeff/, ''), {
      header: true,
      skipEmptyLines: true,
    }).data
  const references = await listReferences(on)
  expect(references.length).toBeGreaterThan(40)
  for (const { from, column, to, key } of references) {
    const there = new Set(rowsOfFile(to).map((row) => row[key]))
    const lost = rowsOfFile(from).filter((row) => row[column] && !there.has(row[column]))
    expect([from, column, to, lost]).toEqual([from, column, to, []])
  }
  expect(rowsOfFile('clientes').length).toBe(rowsOfFile('personas').length)
  const [{ n } = { n: 0 }] = await on.sql<{ n: number }>('select count(*)::int as n from customer_note')
  expect(n).toBeGreaterThan(rowsOfFile('notas').length)
  await on.close()
})

test('a failed export holds up no other; a killed one no longer than an hour (IM12)', async () => {
  const on = await studio()
  const owner = await on.make.staff('owner')
  const { studio_export_id: first } = await on.as(owner).studioExport.start({})
  await on.sql('alter table tag rename to tag_elsewhere')
  const run = { id: 'x', signal: new AbortController().signal }
  await expect(makeExport(on.system(), { studio_export_id: first }, run)).rejects.toThrow()
  await on.sql('alter table tag_elsewhere rename to tag')
  expect((await on.as(owner).studioExport.list()).exports).toMatchObject([{ state: 'failed' }])
  const { studio_export_id: second } = await on.as(owner).studioExport.start({})
  expect(second).not.toBe(first)
  // The next attempt of the first one leaves the place to the second.
  await makeExport(on.system(), { studio_export_id: first }, run)
  expect((await on.as(owner).studioExport.list()).exports).toMatchObject([{ state: 'waiting' }, { state: 'failed' }])
  on.clock.advance({ minutes: 59 })
  expect((await on.as(owner).studioExport.start({})).studio_export_id).toBe(second)
  on.clock.advance({ minutes: 2 })
  const { studio_export_id: third } = await on.as(owner).studioExport.start({})
  expect(third).not.toBe(second)
  await makeExport(on.system(), { studio_export_id: third }, run)
  // What failed is made by its next attempt when no other one is in its place.
  await makeExport(on.system(), { studio_export_id: first }, run)
  expect((await on.as(owner).studioExport.list()).exports).toMatchObject([{ state: 'done' }, { state: 'waiting' }, { state: 'done' }])
  await on.close()
})

test('an archive whose export fails after it was stored is deleted by the clean-up; a finished export is not undone by a late error (IM12)', async () => {
  const on = await studio()
  const owner = await on.make.staff('owner')
  const run = { id: 'x', signal: new AbortController().signal }
  const { studio_export_id } = await on.as(owner).studioExport.start({})
  const [{ key } = { key: '' }] = await on.sql<{ key: string }>('select key from studio_export')
  const files = on.system().ports.files.at('server')
  const isStored = async () => {
    const stored = await files.read(key)
    stored?.stream.destroy()
    return stored !== null
  }
  await on.sql(`alter table audit add constraint no_list_export check (action <> 'list.export')`)
  await expect(makeExport(on.system(), { studio_export_id }, run)).rejects.toThrow()
  await on.sql('alter table audit drop constraint no_list_export')
  expect(await on.sql('select state, place from studio_export')).toEqual([{ state: 'failed', place: 'server' }])
  expect(await isStored()).toBe(true)
  expect(await codeOf(on.as(owner).studioExport.file({ studio_export_id }))).toBe('NOT_FOUND')
  on.clock.advance({ hours: 49 })
  await sweepExports(on.system())
  expect([await isStored(), await on.sql('select 1 from studio_export')]).toEqual([false, []])

  const { studio_export_id: second } = await on.as(owner).studioExport.start({})
  const lost = new Error('The answer to the commit was lost.')
  for (const isAwayAfterwards of [false, true]) {
    await on.sql(`update studio_export set state = 'waiting'`)
    const system = on.system()
    const begin = system.tx.bind(system)
    let isDone = false
    const failing: typeof system.tx = async (work) => {
      if (isDone && isAwayAfterwards) throw new Error('The database is away.')
      const result = await begin(work)
      if (isDone) return result
      isDone = (await on.sql(`select 1 from studio_export where state = 'done'`)).length > 0
      if (isDone) throw lost
      return result
    }
    Object.assign(system, { tx: failing })
    await expect(makeExport(system, { studio_export_id: second }, run)).rejects.toBe(lost)
    expect(await on.sql('select state from studio_export')).toEqual([{ state: 'done' }])
  }
  await on.close()
})

/** Records of a CSV without its header; quoted cells may have line breaks. */
function recordsOf(csv: string): number {
  let [records, quoted] = [0, false]
  for (const char of csv.trimEnd()) {
    if (char === '"') quoted = !quoted
    if (char === '\n' && !quoted) records++
  }
  return records
}
