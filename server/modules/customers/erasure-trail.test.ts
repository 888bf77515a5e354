/** Traces of an erased customer in others' records, imports, tax documents and payments (docs/domain.md X13). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

/** The tables and entries of the trail that have a text. */
async function textsWith(word: string): Promise<string[]> {
  const tables = await s.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const what = name === 'audit' ? `'audit ' || (to_jsonb(t) ->> 'action')` : `'${name}'`
    const rows = await s.sql<{ what: string }>(
      `select distinct ${what} as what from "${name}" t where to_jsonb(t)::text ilike $1 order by 1`,
      [`%${word}%`],
    )
    found.push(...rows.map((row) => row.what))
  }
  return found
}
const boss = () => s.as(owner, randomUUID())
async function erase(customer_id: number): Promise<void> {
  await s.as(owner).customerErasure.start({ customer_id, reason: 'Lo pidió' })
  s.clock.advance({ hours: 73 })
  await doJobs(s, 'customers.erase')
}

test('the trail of a record that they were merged with and separated from, or marked as different from, names them no more', async () => {
  const word = 'Zirahuénita'
  const [other, person] = [await s.make.customer({ name: 'Lupe' }), await s.make.customer({ name: word })]
  const [keep_id, merge_id] = [other.customer_id, person.customer_id]
  const { customer_merge_id } = await boss().customerMerge.merge({ keep_id, merge_id })
  await boss().customerMerge.undo({ customer_merge_id: customer_merge_id ?? 0 })
  await s.as(owner).customerMerge.distinct({ customer_ids: [keep_id, merge_id] })
  // Entries of another customer on the same record stay in the trail.
  const third = await s.make.customer({ name: 'Otilia' })
  await s.as(owner).customerMerge.distinct({ customer_ids: [keep_id, third.customer_id] })
  expect(await textsWith(word)).toEqual(
    expect.arrayContaining(['audit customer.distinct', 'audit customer.merge', 'audit customer.separate']),
  )
  await erase(merge_id)
  expect(await textsWith(word)).toEqual([])
  expect(await textsWith('Otilia')).toContain('audit customer.distinct')
})

test('a remaining record is not named in the trail of the one that was merged into it and separated', async () => {
  const word = 'Tzintzunia'
  const [person, other] = [await s.make.customer({ name: word }), await s.make.customer({ name: 'Lupe' })]
  const { customer_merge_id } = await boss().customerMerge.merge({ keep_id: person.customer_id, merge_id: other.customer_id })
  await boss().customerMerge.undo({ customer_merge_id: customer_merge_id ?? 0 })
  expect(await textsWith(word)).toContain('audit customer.merged_into')
  await erase(person.customer_id)
  expect(await textsWith(word)).toEqual([])
})

test('a class that was restored without them, and a renamed file of theirs, name them no more', async () => {
  const word = 'Erongarícua'
  const person = await s.make.customer({ name: word })
  await s.make.lot(person)
  const starts_at = new Date(s.clock.now().getTime() + 72 * 3_600_000)
  const [cancelled, clash] = [await s.make.class({ starts_at }), await s.make.class({ starts_at })]
  await s.as(person).bookings.reserve({ single_class_id: cancelled.single_class_id })
  await s.as(owner).schedule.cancel({ single_class_id: cancelled.single_class_id, reason: 'Lluvia' })
  await s.as(person).bookings.reserve({ single_class_id: clash.single_class_id })
  const { lost } = await s.as(owner).schedule.restore({ single_class_id: cancelled.single_class_id })
  expect(lost).toMatchObject([{ customer_id: person.customer_id, name: expect.stringContaining(word) }])
  const [file] = await s.sql<{ file_id: number }>(
    `insert into file (key, place, status, name, type, kind, size, is_public, uid, customer_id, "createdAt")
     values ('zz-ine.pdf', 'server', 'ready', 'INE.pdf', 'application/pdf', 'document', 3, false, $1, $2, now()) returning file_id`,
    [person.uid, person.customer_id],
  )
  await s.as(owner).files.update({ file_id: file?.file_id ?? 0, name: `INE ${word}` })
  expect(await textsWith(word)).toContain('audit file.change')
  expect(await textsWith(word)).not.toContain('audit class.restore')
  s.clock.advance({ hours: 80 })
  await erase(person.customer_id)
  expect(await textsWith(word)).toEqual([])
})

test('rows of a finished import without a customer, found by email, telephone or match, are emptied; drafts and others stay', async () => {
  const person = await s.make.customer({ name: 'Irepania', email: 'irepania@ejemplo.mx' })
  const { customer_id } = person
  await s.sql(`update customer set phone = '4431234567' where customer_id = $1`, [customer_id])
  const job = async (state: string) => {
    const [row] = await s.sql<{ id: number }>(
      `insert into import (source, kind, state, date_order, staff_id, "createdAt")
       select 'other', 'customers', $1, 'dmy', staff_id, now() from staff limit 1 returning import_id as id`,
      [state],
    )
    return row?.id ?? 0
  }
  const [done, draft] = [await job('done'), await job('draft')]
  const rows: [import_id: number, n: number, cells: string[], match: object | null][] = [
    [done, 1, ['Irepania', 'Irepania@ejemplo.mx'], null],
    [done, 2, ['Irepania', '(443) 123-4567'], null],
    [done, 3, ['Irepania Luz'], { customer_id, row: null, name: 'Irepania Luz', why: 'name' }],
    [done, 4, ['Eréndira', 'erendira@ejemplo.mx'], null],
    [draft, 1, ['Irepania', 'irepania@ejemplo.mx'], null],
  ]
  for (const [import_id, n, cells, match] of rows)
    await s.sql(`insert into import_row (import_id, n, cells, state, match) values ($1, $2, $3, 'skipped', $4)`, [
      import_id,
      n,
      JSON.stringify(cells),
      match && JSON.stringify(match),
    ])
  await erase(customer_id)
  expect(
    await s.sql('select cells, match is null as emptied from import_row where import_id = any($1) order by import_id, n', [[done, draft]]),
  ).toEqual([
    ...Array(3).fill({ cells: [], emptied: true }),
    { cells: ['Eréndira', 'erendira@ejemplo.mx'], emptied: true },
    { cells: ['Irepania', 'irepania@ejemplo.mx'], emptied: true },
  ])
})

test('references of payments and tax documents that were never stamped name them no more; stamped ones stay', async () => {
  const word = 'Cucuchucho'
  const { customer_id } = await s.make.customer({ name: word })
  const { location_id } = await s.make.location()
  const { payment_method_id } = await s.make.paymentMethod({ name: 'Terminal bancaria' })
  await boss().counterSales.sell({
    customer_id,
    location_id,
    lines: [{ kind: 'other', title: 'Agua', amount: '25' }],
    shown: { total: '25' },
    payments: [{ payment_method_id, amount: '25', reference: `Tarjeta de ${word}` }],
  })
  for (const [folio, state] of [
    [901, 'refused'],
    [902, 'valid'],
  ] as const)
    await s.sql(
      `insert into fiscal_document (kind, state, series, folio, key, customer_id, draft, total_centavos, tax_centavos, signed_xml, is_test, "createdAt", "updatedAt"
         ${state === 'valid' ? ', uuid, xml, "stampedAt"' : ''})
       values ('income', $1, 'Z', $2, $3, $4, $5, 2500, 0, $6, true, now(), now() ${state === 'valid' ? `, gen_random_uuid()::text, '<x/>', now()` : ''})`,
      [state, folio, `z-${folio}`, customer_id, { receiver: { rfc: 'ZZZZ010101AAA', name: word, postalCode: '58000' } }, `<x>${word}</x>`],
    )
  expect(await textsWith(word)).toEqual(expect.arrayContaining(['fiscal_document', 'invoice', 'sale_payment']))
  await erase(customer_id)
  expect(await textsWith(word)).toEqual(['fiscal_document'])
  expect(await s.sql(`select state from fiscal_document where signed_xml <> '' and series = 'Z'`)).toEqual([{ state: 'valid' }])
  await s.sql(`delete from fiscal_document where series = 'Z'`)
})
