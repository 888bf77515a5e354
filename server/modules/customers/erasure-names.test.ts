/**
 * What others' records, messages, tills, webhooks, exports and stored mails say of a person whose data were erased, also by an earlier
 * address (docs/domain.md X13).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeExport } from '#server/modules/imports/studio-export.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { namePattern, namingTexts } from './erasure-names.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true } })
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

async function textsWith(word: string): Promise<string[]> {
  const tables = await s.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables)
    if ((await s.sql(`select from "${name}" t where to_jsonb(t)::text ilike $1 limit 1`, [`%${word}%`])).length > 0) found.push(name)
  return found
}
const boss = () => s.as(owner, randomUUID())
async function erase(customer_id: number): Promise<void> {
  await s.as(owner).customerErasure.start({ customer_id, reason: 'Lo pidió' })
  s.clock.advance({ hours: 73 })
  await doJobs(s, 'customers.erase')
}

test('every text that is looked through exists', async () => {
  const columns = await s.sql<{ at: string }>(
    `select table_name || '.' || column_name as at from information_schema.columns where table_schema = 'public'`,
  )
  const known = new Set(columns.map(({ at }) => at))
  expect(namingTexts.map(({ table, column }) => `${table}.${column}`).filter((at) => !known.has(at))).toEqual([])
})

test('stored mails to an earlier address and telephone are erased with those to the last one; that of a relative stays', async () => {
  const person = await s.make.customer({ name: 'Ixchel', last_name: 'Tecuanhuey Ramos', email: 'primera@ejemplo.mx' })
  const { customer_id } = person
  await s.studio.ports.identity.removeAccount(person.uid)
  await s.sql('update customer set uid = null where customer_id = $1', [customer_id])
  await s.as(owner).people.update({ customer_id, email: 'familia@ejemplo.mx', phone: '4431112233' })
  await s.as(owner).people.update({ customer_id, email: 'ultima@ejemplo.mx', phone: '4439998877' })
  // As when an account changes its own.
  const ctx = s.system()
  await ctx.tx((tx) =>
    ctx.audit(tx, {
      action: 'customer.email',
      entity: 'customer',
      entity_id: customer_id,
      before: 'segunda@ejemplo.mx',
      after: 'ultima@ejemplo.mx',
    }),
  )
  const relative = await s.make.customer({ name: 'Nahum', last_name: 'Tecuanhuey' })
  await s.sql(`update customer set email = 'familia@ejemplo.mx' where customer_id = $1`, [relative.customer_id])
  const mail = (id: string, to: string) =>
    s.sql(`insert into mail_outbox (message_id, "to", subject, html, text, "createdAt") values ($1, $2, 'Hola', $3, $3, now())`, [
      id,
      to,
      `Para ${to}`,
    ])
  await mail('zz-1', 'Primera@ejemplo.mx')
  await mail('zz-2', 'familia@ejemplo.mx')
  await mail('zz-4', 'segunda@ejemplo.mx')
  await mail('zz-3', 'ultima@ejemplo.mx')
  // To an address that nothing else remembers: the message says whose it was.
  const [message] = await s.sql<{ message_id: number }>(
    `insert into message (event, about, customer_id, channel, status, words, "nextAt", "createdAt", resends)
     values ('welcome', 'customer:77', $1, 'mail', 'sent', '{"title": "Hola", "lines": []}', now(), now(), 1) returning message_id`,
    [customer_id],
  )
  await mail(`welcome-${message?.message_id}`, 'olvidada@ejemplo.mx')
  await mail(`welcome-${message?.message_id}-1`, 'olvidada@ejemplo.mx')
  await erase(customer_id)
  for (const text of ['primera@ejemplo', 'segunda@ejemplo', 'ultima@ejemplo', 'olvidada@ejemplo', '4431112233', '4439998877', 'Ixchel'])
    expect([text, await textsWith(text)]).toEqual([text, []])
  expect(await textsWith('familia@ejemplo')).toEqual(expect.arrayContaining(['customer', 'mail_outbox']))
})

test('tills, titles of sales, notes about others, guests of others and exported lists name them no more', async () => {
  const person = await s.make.customer({ name: 'Tonatiuh Iván', last_name: 'Cuauhtémoc Ruiz', email: 'tona@ejemplo.mx' })
  const host = await s.make.customer({ name: 'Lupe' })
  const { location_id } = await s.make.location()
  const cash = await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })
  await s.sql(
    `insert into webhook_endpoint (url, event_types, "createdAt") values ('https://ejemplo.mx/avisos', '{purchase.created}', now())`,
  )
  const { cash_session } = await boss().cashSessions.open({ location_id, opening: '500' })
  const { cash_session_id } = cash_session
  await boss().cashSessions.move({ cash_session_id, kind: 'out', amount: '35', reason: 'Cambio para tonatiuh cuauhtemoc, mañana' })
  await boss().counterSales.sell({
    customer_id: host.customer_id,
    location_id,
    shown: { total: '25' },
    lines: [{ kind: 'other', title: 'Toalla de Tonatiuh Iván Cuauhtémoc Ruiz', amount: '25' }],
    payments: [{ payment_method_id: cash.payment_method_id, amount: '25' }],
  })
  await s.as(owner).customerFile.addNote({ customer_id: host.customer_id, text: 'Prima de Tonatiuh Cuauhtémoc; llega tarde' })
  await s.make.lot(host, { granted: 5 })
  const cls = await s.make.class()
  await s.as(host, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Tonatiuh Cuauhtémoc' })
  for (const query of ['Tonatiuh Cuauhtémoc', 'TONA@ejemplo.mx', 'Lupe']) await s.as(owner).listExports.customers({ format: 'csv', query })
  await s.sql(
    `update cash_session set "closedAt" = now(), closed_by = staff_id, counted = '[]', left_centavos = 0, cash_count = '{}', note = 'Falta lo de Tonatiuh Cuauhtémoc'
     where cash_session_id = $1`,
    [cash_session_id],
  )
  // The confirmation of the host's place says who comes along.
  await doJobs(s)
  await s.as(owner).customerList.list({})
  for (const table of [
    'audit',
    'cash_movement',
    'cash_session',
    'class_reservation',
    'customer_note',
    'customer_summary',
    'mail_outbox',
    'message',
    'purchase',
    'sale_line',
    'webhook_delivery',
  ])
    expect([table, (await textsWith('Tonatiuh')).includes(table)]).toEqual([table, true])
  await erase(person.customer_id)
  // The list derives what changed.
  await s.as(owner).customerList.list({})
  for (const text of ['Tonatiuh', 'Cuauhtémoc', 'cuauhtemoc', 'tona@ejemplo']) expect([text, await textsWith(text)]).toEqual([text, []])
  expect(await s.sql('select reason, amount_centavos from cash_movement where cash_session_id = $1', [cash_session_id])).toEqual([
    { reason: 'Cambio para Cliente sin datos, mañana', amount_centavos: 3500 },
  ])
  await expect(s.sql('update cash_movement set amount_centavos = 1 where cash_session_id = $1', [cash_session_id])).rejects.toThrow(
    'is closed',
  )
  expect(await s.sql(`select guest from class_reservation where guest is not null`)).toEqual([{ guest: 'Invitado' }])
  expect(await s.sql(`select after ->> 'query' as query from audit where action = 'list.export' and after is not null`)).toEqual([
    { query: 'Lupe' },
  ])
  await expect(s.sql(`update audit set reason = 'otro' where entity = 'export'`)).rejects.toThrow('audit is written once')
})

test('records of another customer with the same name stay, also their trail', async () => {
  const [person, namesake] = [
    await s.make.customer({ name: 'Nayeli', last_name: 'Xicoténcatl' }),
    await s.make.customer({ name: 'Nayeli', last_name: 'Xicoténcatl' }),
  ]
  const note = { customer_id: namesake.customer_id, text: 'Nayeli Xicoténcatl prefiere la fila 2' }
  await s.as(owner).customerFile.addNote(note)
  await s.as(owner).people.update({ customer_id: namesake.customer_id, last_name: 'Xicoténcatl Paz' })
  await s.as(owner).people.update({ customer_id: namesake.customer_id, last_name: 'Xicoténcatl' })
  const trail = () => s.sql(`select count(*)::int as n from audit where customer_id = $1 and after is not null`, [namesake.customer_id])
  const before = await trail()
  expect(before).not.toEqual([{ n: 0 }])
  await erase(person.customer_id)
  expect(await s.sql('select text from customer_note where customer_id = $1', [namesake.customer_id])).toEqual([{ text: note.text }])
  expect(await s.sql('select name, last_name from customer where customer_id = $1', [namesake.customer_id])).toEqual([
    { name: 'Nayeli', last_name: 'Xicoténcatl' },
  ])
  expect(await trail()).toEqual(before)
})

test('exports of the whole studio from before end with an erasure, and one that is being made begins again', async () => {
  const run = { id: 'x', signal: new AbortController().signal }
  const exported = async () => {
    const { studio_export_id } = await s.as(owner).studioExport.start({ with_files: false })
    await makeExport(s.system(), { studio_export_id }, run)
    return studio_export_id
  }
  const studio_export_id = await exported()
  expect((await s.as(owner).studioExport.list({})).exports).toMatchObject([{ studio_export_id, state: 'done' }])
  const [first, second] = [
    await s.make.customer({ name: 'Itzel', last_name: 'Moctezuma' }),
    await s.make.customer({ name: 'Yaretzi', last_name: 'Ometecuhtli' }),
  ]
  await erase(first.customer_id)
  expect((await s.as(owner).studioExport.list({})).exports).toEqual([])
  expect(await refusalOf(s.as(owner).studioExport.file({ studio_export_id }))).toMatchObject({ code: 'NOT_FOUND' })

  // A customer is erased after the rows were read, before the archive is finished.
  const { files } = s.studio.ports
  const forNew = files.forNew.bind(files)
  const spy = vi.spyOn(files, 'forNew').mockImplementationOnce(() => {
    const store = forNew()
    return Object.assign(Object.create(store), {
      async put(...input: Parameters<typeof store.put>) {
        await erase(second.customer_id)
        return store.put(...input)
      },
    })
  })
  const { studio_export_id: next } = await s.as(owner).studioExport.start({ with_files: false })
  await expect(makeExport(s.system(), { studio_export_id: next }, run)).rejects.toThrow('begins again')
  spy.mockRestore()
  expect((await s.as(owner).studioExport.list({})).exports).toMatchObject([{ studio_export_id: next, state: 'failed' }])
  await makeExport(s.system(), { studio_export_id: next }, run)
  expect((await s.as(owner).studioExport.list({})).exports).toMatchObject([{ studio_export_id: next, state: 'done' }])
})

test('a name is found with or without its other names and accents, as whole words only, and never by the first name alone', async () => {
  const pattern = namePattern({ name: 'José Luis', last_name: "Núñez D'Aquino" })
  const matches = async (text: string) => (await s.sql<{ is: boolean }>('select $1 ~* $2 as is', [text, pattern]))[0]?.is
  for (const text of ['jose nunez', 'Para José  Luis Núñez', 'JOSÉ NÚÑEZ D’AQUINO.', 'José Luis Nuñez DAquino'])
    expect([text, await matches(text)]).toEqual([text, true])
  for (const text of ['José', 'Núñez', 'María José Núñezaga', 'José Ramón Núñez'])
    expect([text, await matches(text)]).toEqual([text, false])
  expect(namePattern({ name: 'José', last_name: null })).toBeNull()
  expect(namePattern({ name: 'A.*', last_name: '(B' })).not.toContain('(B')
})
