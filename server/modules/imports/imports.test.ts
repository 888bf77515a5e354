/**
 * Imports: the dry run writes nothing, twice is once, duplicates are decided, a killed job is resumed, and it can be taken back
 * (IM1 to IM6).
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ImportSource } from '#contract/imports.ts'
import { openImportStudio } from '#server/testing/import-files.ts'
import { codeOf, refusalOf } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

const { on, owner, steps } = await openImportStudio('manager')
afterAll(() => on.close())
beforeEach(() => on.reset())

const text = (content: string, name = 'clientes.csv') => new File([content], name)
const fixture = (name: string) => new File([readFileSync(new URL(`./fixtures/${name}`, import.meta.url))], name)
const read = (source: ImportSource, file: File) => steps.read(file, { source })
const run = steps.work
const imported = (source: ImportSource, file: File) => steps.imported(file, { source })
const customers = () =>
  on.sql<{ customer_id: number; name: string; email: string | null; phone: string | null; birthdate: string | null }>(
    `select customer_id, name, email, phone, birthdate::text from customer where "deletedAt" is null and not is_anonymous order by customer_id`,
  )
const everything = async () =>
  JSON.stringify([await customers(), await on.sql('select available_class_id, balance, "revokedAt" from available_class order by 1')])
const unique = () => `${Date.now()}${Math.round(Math.random() * 1e6)}`

test('a file is read, its columns guessed, and nothing is written until it is run; totals stay out (IM1, IM2)', async () => {
  const before = await everything()
  const view = await read('fitco', fixture('fitco-windows-1252.csv'))
  expect(view.columns.map(({ name, field }) => [name, field])).toEqual([
    ['ID socio', 'external_ref'],
    ['Nombre', 'name'],
    ['Apellidos', 'last_name'],
    ['Correo electrónico', 'email'],
    ['Celular', 'phone'],
    ['F. nac.', 'birthdate'],
    ['Membresía', 'package'],
    ['Clases disp.', 'credits'],
    ['Vence', 'expires'],
  ])
  expect(view).toMatchObject({
    state: 'draft',
    total: 4,
    people: 2,
    credits: 4,
    counts: { new: 2, error: 1, skipped: 1 },
    date_order: 'dmy',
    date_question: null,
  })
  expect(view.packages.map(({ name, rows }) => [name, rows])).toEqual([
    ['10 CLASES', 2],
    ['ILIM MENSUAL', 1],
  ])
  expect(await everything()).toBe(before)
  const { rows } = await on.as(owner).imports.rows({ import_id: view.import_id, state: 'error' })
  expect(rows).toMatchObject([
    {
      n: 6,
      values: { name: 'Paola', phone: '55 3821 77' },
      issues: [
        { field: 'phone', message: 'Faltan 2 dígitos.' },
        { field: 'expires', message: 'Ese día no existe.' },
      ],
    },
  ])
})

test('a row is corrected in place and is then imported; credits keep their number, package and last day (IM3, IM4)', async () => {
  const classPackage = await on.make.package({ title: '10 clases', class_amount: 10 })
  const { import_id } = await read('fitco', fixture('fitco-windows-1252.csv'))
  const fixed = await on.as(owner).imports.fix({ import_id, n: 6, values: { phone: '55 3821 7700', expires: '28/02/27' } })
  expect(fixed.row).toMatchObject({ state: 'new', person: { phone: '5538217700', expires_on: '2027-02-28', credits: 7 } })
  expect(fixed.import.packages[0]).toMatchObject({ name: '10 CLASES', class_package_id: classPackage.class_package_id })
  await on.as(owner).imports.run({ import_id })
  expect(await run(import_id)).toMatchObject({ state: 'done', counts: { done: 3, skipped: 1 } })
  const creditLots = await on.sql(
    `select c.name, a.title, a.class_package_id, a.unlimited, a.balance, to_char(a.expires_at at time zone 'America/Mexico_City', 'YYYY-MM-DD HH24:MI') as until
     from available_class a join customer c using (customer_id) where c.name in ('José Ángel', 'Ana Sofía', 'Paola') order by c.name`,
  )
  expect(creditLots).toEqual([
    { name: 'Ana Sofía', title: 'ILIM MENSUAL', class_package_id: null, unlimited: true, balance: null, until: '2026-12-15 23:59' },
    {
      name: 'José Ángel',
      title: '10 clases',
      class_package_id: classPackage.class_package_id,
      unlimited: false,
      balance: 4,
      until: '2026-11-30 23:59',
    },
    {
      name: 'Paola',
      title: '10 clases',
      class_package_id: classPackage.class_package_id,
      unlimited: false,
      balance: 7,
      until: '2027-02-28 23:59',
    },
  ])
  expect((await customers()).find(({ name }) => name === 'José Ángel')).toMatchObject({ phone: '5522108842', birthdate: '1994-04-03' })
  expect(await on.sql('select 1 from message')).toEqual([])
})

test('the same file twice changes nothing, also without numbers of the source (IM5)', async () => {
  for (const [source, name] of [
    ['arketa', 'arketa.csv'],
    ['glofox', 'glofox.csv'],
  ] as const) {
    await imported(source, fixture(name))
    const before = await everything()
    const again = await read(source, fixture(name))
    expect([name, Object.keys(again.counts)]).toEqual([name, ['same']])
    await on.as(owner).imports.run({ import_id: again.import_id })
    await run(again.import_id)
    expect(await everything()).toBe(before)
  }
})

test('a customer who is there is completed, not doubled; another name with the same mail is asked about (IM4)', async () => {
  const id = unique()
  const eva = await on.make.customer({ name: 'Eva', last_name: 'Soto', email: `eva.${id}@ejemplo.mx`, birthdate: null })
  const file = () =>
    text(
      `Nombre,Apellidos,Correo,Teléfono,Nacimiento\nEva,Soto Gil,EVA.${id}@ejemplo.mx,,1990-05-17\nIván,Luna,eva.${id}@ejemplo.mx,5591${id.slice(-6)},`,
    )
  const view = await read('other', file())
  const { rows } = await on.as(owner).imports.rows({ import_id: view.import_id })
  expect(rows).toMatchObject([
    { state: 'update', match: { customer_id: eva.customer_id, why: 'Mismo correo' } },
    { state: 'duplicate', match: { customer_id: eva.customer_id, name: 'Eva Soto' } },
  ])
  // Undecided: it stays out, and is in the file of what was not imported.
  const decided = await on.as(owner).imports.fix({ import_id: view.import_id, n: 3, decision: 'new' })
  expect(decided.row.state).toBe('new')
  await on.as(owner).imports.run({ import_id: view.import_id })
  await run(view.import_id)
  const now = await customers()
  expect(now.find(({ customer_id }) => customer_id === eva.customer_id)).toMatchObject({ name: 'Eva', birthdate: '1990-05-17' })
  expect(now.find(({ name }) => name === 'Iván')).toMatchObject({ email: null, phone: `5591${id.slice(-6)}` })
})

test('two people of one file with one mail are asked about; undecided ones and errors are in a file to correct (IM4)', async () => {
  const view = await read('teamup', fixture('teamup.csv'))
  expect(view.counts).toEqual({ new: 2, duplicate: 1 })
  const csv = await (await on.as(owner).imports.rejected({ import_id: view.import_id })).text()
  expect(csv).toContain('Mateo')
  expect(csv).toContain('Coincide con el renglón 3: Jimena Rosas')
  expect(csv).not.toContain('Iván')
  await on.as(owner).imports.fix({ import_id: view.import_id, n: 4, decision: 'skip' })
  await on.as(owner).imports.run({ import_id: view.import_id })
  expect((await run(view.import_id)).counts).toEqual({ done: 2, skipped: 1 })
})

test('a mother and two children share a telephone, two sisters a mail: each is asked about, and another person is a relative (IM4, P19)', async () => {
  const id = unique()
  const phone = `5592${id.slice(-6)}`
  const view = await read(
    'other',
    text(
      `Nombre,Apellidos,Correo,Teléfono,Paquete,Clases,Vence\nRosa,Gil,rosa.${id}@ejemplo.mx,${phone},,,\nLeo,Gil,,${phone},8 clases,8,2026-12-20\nSol,Gil,,${phone},,,\nVera,Gil,rosa.${id}@ejemplo.mx,,,,`,
    ),
  )
  expect(view.counts).toEqual({ new: 1, duplicate: 3 })
  const { rows } = await on.as(owner).imports.rows({ import_id: view.import_id })
  expect(rows.slice(1).map(({ match }) => match?.name)).toEqual(['Rosa Gil', 'Rosa Gil', 'Rosa Gil'])
  for (const n of [3, 4]) {
    const { row } = await on.as(owner).imports.fix({ import_id: view.import_id, n, decision: 'new' })
    expect(row.state).toBe('new')
  }
  // A mail belongs to one account: without a telephone she would have no contact.
  const { row: vera } = await on.as(owner).imports.fix({ import_id: view.import_id, n: 5, decision: 'new' })
  expect([vera.state, vera.issues.map(({ field, message }) => [field, message])]).toEqual([
    'error',
    [['phone', 'Su correo es de Rosa Gil: escribe un teléfono, suyo o del familiar.']],
  ])
  const { row: mended } = await on.as(owner).imports.fix({ import_id: view.import_id, n: 5, values: { phone } })
  expect(mended.state).toBe('new')
  await on.as(owner).imports.run({ import_id: view.import_id })
  expect((await run(view.import_id)).counts).toEqual({ done: 4 })
  const family = await on.sql(
    `select c.name, c.email, c.shares_phone, coalesce(sum(a.balance), 0)::int as credits from customer c left join available_class a using (customer_id)
     where c.phone = $1 and c."deletedAt" is null group by c.customer_id order by c.customer_id`,
    [phone],
  )
  expect(family).toEqual([
    { name: 'Rosa', email: `rosa.${id}@ejemplo.mx`, shares_phone: false, credits: 0 },
    { name: 'Leo', email: null, shares_phone: true, credits: 8 },
    { name: 'Sol', email: null, shares_phone: true, credits: 0 },
    { name: 'Vera', email: null, shares_phone: true, credits: 0 },
  ])
})

test('dates that fit both ways are asked about once, and columns are remembered for the source (IM2)', async () => {
  const id = unique()
  const file = (n: number) => text(`Campo X,Nombre,Nacimiento\na${n}.${id}@ejemplo.mx,Uno,03/04/94\nb${n}.${id}@ejemplo.mx,Dos,07/12/91`)
  const view = await read('momence', file(1))
  expect(view).toMatchObject({ date_order: 'mdy', date_question: { rows: 2, sample: '03/04/94' } })
  expect(await refusalOf(on.as(owner).imports.run({ import_id: view.import_id }))).toMatchObject({ code: 'IMPORT_MAPPING' })
  const mapped = await on
    .as(owner)
    .imports.map({ import_id: view.import_id, date_order: 'dmy', columns: [{ index: 1, field: 'full_name' }] })
  expect(mapped.date_question).toBeNull()
  expect((await on.as(owner).imports.rows({ import_id: view.import_id })).rows[0]?.person?.birthdate).toBe('1994-04-03')
  expect(await codeOf(on.as(owner).imports.map({ import_id: view.import_id, columns: [{ index: 0, field: 'full_name' }] }))).toBe(
    'IMPORT_MAPPING',
  )
  // What was said is kept when the import is run.
  expect((await read('momence', file(2))).columns[1]?.field).toBe('name')
  await on.as(owner).imports.run({ import_id: view.import_id })
  expect((await read('momence', file(3))).columns[1]?.field).toBe('full_name')
})

test('a stopped job resumes with the remaining rows, once each (IM5)', async () => {
  const id = unique()
  const lines = Array.from({ length: 130 }, (_, n) => `Persona${n},Apellido,p${n}.${id}@ejemplo.mx,Diez,3,2026-12-31`)
  const { import_id } = await read('other', text(`Nombre,Apellidos,Correo,Paquete,Clases,Vence\n${lines.join('\n')}`))
  await on.as(owner).imports.run({ import_id })
  const stop = new AbortController()
  const going = run(import_id, stop.signal)
  while ((await on.sql(`select 1 from import_row where import_id = $1 and state = 'done' limit 20`, [import_id])).length < 20)
    await sleep(5)
  stop.abort()
  const half = await going
  expect(half.state).toBe('running')
  expect(half.progress).toBeLessThan(130)
  // Two processes at once.
  await Promise.all([run(import_id), run(import_id)])
  expect(await on.as(owner).imports.read({ import_id })).toMatchObject({ state: 'done', counts: { done: 130 } })
  const [{ people, lots } = { people: 0, lots: 0 }] = await on.sql<{ people: number; lots: number }>(
    `select count(distinct c.customer_id)::int as people, count(a.available_class_id)::int as lots from customer c left join available_class a using (customer_id) where c.email like $1`,
    [`%.${id}@ejemplo.mx`],
  )
  expect([people, lots]).toEqual([130, 130])
})

test('undoing removes what is unused, for seven days; used records stay, with the reason (IM6)', async () => {
  const id = unique()
  const eva = await on.make.customer({ name: 'Eva', last_name: 'Paz', email: `eva.${id}@ejemplo.mx`, birthdate: null })
  const before = await everything()
  const file = text(
    `Nombre,Apellidos,Correo,Nacimiento,Paquete,Clases,Vence\nNueva,Uno,uno.${id}@ejemplo.mx,,Diez,3,2026-12-31\nNueva,Dos,dos.${id}@ejemplo.mx,,Libre,Ilimitado,2026-12-31\nEva,Paz,eva.${id}@ejemplo.mx,1990-05-17,,,`,
  )
  const done = await imported('other', file)
  expect(done.counts).toEqual({ done: 3 })
  expect(await steps.undo(done.import_id)).toMatchObject({ state: 'undone', counts: { undone: 3 } })
  const withoutRevoked = (all: string) =>
    JSON.stringify([JSON.parse(all)[0], JSON.parse(all)[1].filter((creditLot: { revokedAt: unknown }) => creditLot.revokedAt === null)])
  expect(withoutRevoked(await everything())).toBe(withoutRevoked(before))
  expect((await customers()).find(({ customer_id }) => customer_id === eva.customer_id)?.birthdate).toBeNull()

  // Imported again, one of them books: she stays.
  const again = await imported('other', file)
  const { rows } = await on.as(owner).imports.rows({ import_id: again.import_id })
  const uno = rows[0]?.customer_id ?? 0
  const { single_class_id } = await on.make.class({ starts_at: new Date('2026-11-21T16:00:00Z') })
  await on.as(owner).attendance.reserve({ single_class_id, customer_id: uno })
  expect((await steps.undo(again.import_id)).counts).toEqual({ undone: 2, stayed: 1 })
  const stayed = await on.as(owner).imports.rows({ import_id: again.import_id, state: 'stayed' })
  expect(stayed.rows).toMatchObject([{ customer_id: uno, issues: [{ message: 'Ya reservó, compró o tiene cuenta.' }] }])

  const third = await imported('other', text(`Nombre,Correo\nTres,tres.${id}@ejemplo.mx`))
  on.clock.advance({ days: 7 })
  expect(await codeOf(on.as(owner).imports.undo({ import_id: third.import_id }))).toBe('UNDO_TOO_LATE')
})

test('files that are none, too large or of another step are refused (IM2)', async () => {
  const { import_id } = await on.as(owner).imports.create({ source: 'other' })
  expect(await refusalOf(on.as(owner).imports.file({ import_id, file: text('%PDF-1.7', 'x.pdf') }))).toMatchObject({
    code: 'IMPORT_FILE',
    message: expect.stringContaining('PDF'),
  })
  expect(await codeOf(on.as(owner).imports.file({ import_id, file: text('x'.repeat(10 * 1024 * 1024 + 1)) }))).toBe('FILE_TOO_LARGE')
  expect(await codeOf(on.as(owner).imports.file({ import_id: 999_999, file: text('Nombre,Correo\na,b') }))).toBe('NOT_FOUND')
  const reception = await on.make.staff('reception')
  expect(await codeOf(on.as(reception).imports.file({ import_id, file: text('Nombre,Correo\na,b') }))).toBe('FORBIDDEN')
  expect(await codeOf(on.as(null).imports.file({ import_id, file: text('Nombre,Correo\na,b') }))).toBe('UNAUTHENTICATED')
})

test('a consent counts with its day only, never against the own answer, and is taken back with the import (IM3, IM5, IM6)', async () => {
  const id = unique()
  const known = await on.make.customer({ email: `sabe${id}@ejemplo.mx`, name: 'Sabe', last_name: 'Ríos' })
  await on.as(known).messages.setPreferences({ marketing: false })
  const open = await on.make.customer({ email: `abre${id}@ejemplo.mx`, name: 'Abre', last_name: 'Ríos' })
  const content = [
    'Nombre,Apellidos,Correo,Acepto promociones el,Acepto WhatsApp el',
    `Sabe,Ríos,sabe${id}@ejemplo.mx,2025-03-04,2025-03-05`,
    `Abre,Ríos,abre${id}@ejemplo.mx,14/02/2025,no`,
    `Nueva,Ríos,nueva${id}@ejemplo.mx,,2024-12-31`,
    `Vacía,Ríos,vacia${id}@ejemplo.mx,Sí,`,
    `Futura,Ríos,futura${id}@ejemplo.mx,2031-01-01,`,
  ].join('\n')
  const consents = () =>
    on.sql<{ email: string; channel: string; allowed: boolean; day: string }>(
      `select c.email, m.channel, m.allowed, to_char(m."changedAt" at time zone 'America/Mexico_City', 'YYYY-MM-DD') as day
       from message_consent m join customer c using (customer_id) where c.email like $1 order by c.email, m.channel`,
      [`%${id}@ejemplo.mx`],
    )
  const before = await consents()
  const view = await read('other', text(content))
  expect(view.counts).toMatchObject({ new: 1, update: 2, error: 2 })
  const { rows } = await on.as(owner).imports.rows({ import_id: view.import_id, state: 'error' })
  expect(rows.map(({ issues }) => issues[0]?.message)).toEqual([
    'Falta el día en que aceptó: sin él no cuenta.',
    'Ese día todavía no llega.',
  ])
  await on.as(owner).imports.run({ import_id: view.import_id })
  await run(view.import_id)
  const after = (await consents()).map(({ email, channel, allowed, day }) => [email.slice(0, 4), channel, allowed, day])
  expect(after).toEqual([
    ['abre', 'marketing', true, '2025-02-14'],
    ['nuev', 'whatsapp', true, '2024-12-31'],
    ['sabe', 'marketing', false, before[0]?.day],
    ['sabe', 'whatsapp', true, '2025-03-05'],
  ])
  // The same file again changes nothing.
  expect((await imported('other', text(content))).counts).toMatchObject({ same: 3, error: 2 })
  // Who answered since keeps the answer.
  await on.as(open).messages.setPreferences({ marketing: false })
  await steps.undo(view.import_id)
  expect((await consents()).map(({ email, channel, allowed }) => [email.slice(0, 4), channel, allowed])).toEqual([
    ['abre', 'marketing', false],
    ['sabe', 'marketing', false],
  ])
})

test('after an import its people are invited in waves, none twice and none automatically', async () => {
  const mark = unique()
  const people = ['Uno', 'Dos', 'Tres'].map(
    (name, at) => `${name},${name}${mark}@ejemplo.mx,55${String(at).padStart(2, '0')}${mark.slice(-6)}`,
  )
  const view = await imported('other', text(`Nombre,Correo,Teléfono\n${people.join('\n')}\nSinCorreo,,5599${mark.slice(-6)}\n`))
  const invitations = () => on.as(owner).imports.invitations({ import_id: view.import_id, wave: 2 })
  const first = await invitations()
  expect(first).toMatchObject({ total: 3, invited: 0 })
  expect(first.customer_ids).toHaveLength(2)
  const mails = () =>
    on.sql(`select customer_id from message where event = 'account_invite' and customer_id = any($1)`, [first.customer_ids])
  expect(await mails()).toEqual([])

  await on.as(owner, randomUUID()).bulk.start({ action: 'customers.invite', ids: first.customer_ids, params: {} })
  await doJobs(on)
  expect(await mails()).toHaveLength(2)
  const second = await invitations()
  expect(second).toMatchObject({ total: 1, invited: 2 })
  expect(first.customer_ids).not.toContain(second.customer_ids[0])
  // Who has an account by now needs no invitation.
  await on.sql(`update customer set uid = $2 where customer_id = $1`, [second.customer_ids[0], `u${mark}`])
  expect(await invitations()).toEqual({ total: 0, invited: 2, customer_ids: [] })
})

test('visits at another system count in figures, state, roster, milestones and first classes, once, and are undone (IM16)', async () => {
  const id = unique()
  const file = text(
    [
      'Nombre,Apellidos,Correo,Fecha de alta,Visitas totales,Última visita,Paquete,Clases,Vence',
      `Lupe,Paz,lupe.${id}@ejemplo.mx,2021-03-04,98,2026-11-10,Diez,3,2026-12-31`,
      `Lupe,Paz,lupe.${id}@ejemplo.mx,2021-03-04,98,2026-11-10,Cinco,2,2027-01-31`,
      `Nora,Luz,nora.${id}@ejemplo.mx,,,,,,`,
      `Mala,Luz,mala.${id}@ejemplo.mx,2031-01-01,muchas,2031-01-01,,,`,
    ].join('\n'),
  )
  const view = await read('other', file)
  expect(view.columns.map(({ field }) => field).slice(3, 6)).toEqual(['created_on', 'visits', 'last_visit'])
  const wrong = await on.as(owner).imports.rows({ import_id: view.import_id, state: 'error' })
  expect(wrong.rows[0]?.issues.map(({ field }) => field)).toEqual(['created_on', 'last_visit', 'visits'])
  await on.as(owner).imports.run({ import_id: view.import_id })
  await run(view.import_id)
  const idOf = async (name: string) => (await customers()).find(({ email }) => email === `${name}.${id}@ejemplo.mx`)?.customer_id ?? 0
  const [lupe, nora] = [await idOf('lupe'), await idOf('nora')]
  const about = async (customer_id: number) => await on.as(owner).customerFile.one({ customer_id })
  expect(await about(lupe)).toMatchObject({
    state: 'active',
    figures: { visits: 98, first_visit: null, last_visit: '2026-11-10T18:00:00.000Z' },
  })
  expect((await about(nora)).state).toBe('new')
  expect(await on.sql(`select "createdAt"::date::text as day from customer where customer_id = $1`, [lupe])).toEqual([
    { day: '2021-03-04' },
  ])

  // Two of the 98 come row by row, and two are after them.
  const attended = async (starts_at: string) => {
    const { single_class_id } = await on.make.class({ starts_at: new Date(starts_at) })
    for (const customer_id of [lupe, nora])
      await on.sql(
        `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, now(), now())`,
        [single_class_id, customer_id],
      )
    return single_class_id
  }
  const first = await attended('2026-11-08T16:00:00Z')
  await attended('2026-11-10T16:00:00Z')
  await attended('2026-11-12T16:00:00Z')
  const last = await attended('2026-11-14T16:00:00Z')
  expect((await about(lupe)).figures).toMatchObject({ visits: 100, last_visit: '2026-11-14T16:00:00.000Z' })
  expect((await about(nora)).figures).toMatchObject({ visits: 4, first_visit: '2026-11-08T16:00:00.000Z' })
  const flags = async (single_class_id: number) =>
    (await on.as(owner).attendance.roster({ single_class_id })).class_reservations
      .map(({ customer_id, first_class }) => [customer_id === lupe ? 'lupe' : 'nora', first_class])
      .sort()
  expect(await flags(first)).toEqual([
    ['lupe', false],
    ['nora', true],
  ])
  const account = await on.make.account()
  await on.sql('update customer set uid = $2 where customer_id = $1', [lupe, account.uid])
  const me = await on.as({ ...account, customer_id: lupe }).people.me()
  expect(me.customer?.customer_milestone).toEqual([{ classes: 100, reached_at: '2026-11-14T16:00:00.000Z' }])
  await on.sql('update customer set uid = null where customer_id = $1', [lupe])
  const report = await on.as(owner).reports.read({ key: 'primera-clase', from: '2026-11-01', to: '2026-11-19', group_by: 'person' })
  expect(report.rows.map(({ id: row }) => Number(row))).toEqual([nora])

  // Again, from here or elsewhere: nothing changes.
  expect((await imported('other', file)).counts).toMatchObject({ same: 3 })
  await imported('fitco', file)
  expect((await about(lupe)).figures.visits).toBe(100)
  await on.sql('delete from class_reservation where single_class_id <= $1', [last])
  await steps.undo(view.import_id)
  expect(await on.sql('select 1 from past_visit where customer_id = any($1)', [[lupe, nora]])).toEqual([])
})
