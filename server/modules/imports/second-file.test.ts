/** What a system exports in two files, people and their credits, is imported one after the other (IM4, IM5). */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openImportStudio } from '#server/testing/import-files.ts'
import { codeOf, refusalOf } from '#server/testing/studio.ts'

const { on, owner, steps } = await openImportStudio()
afterAll(() => on.close())
beforeEach(() => on.reset())
const fileOf = (...lines: string[]) => new File([lines.join('\n')], 'clientes.csv')
const PEOPLE = fileOf('Client ID,First Name,Last Name,Email', '100,Ofelia,Paz,ofelia@ejemplo.mx')
const REMAINING = fileOf(
  'Client ID,First Name,Last Name,Pricing Option,Remaining,Expiration Date',
  '100,Ofelia,Paz,10 Class Card,4,12/31/2026',
  '100,Ofelia,Paz,5 Class Card,2,12/31/2026',
  '200,Ciro,Gil,10 Class Card,4,12/31/2026',
)

test('the number at the source is enough for whom it was imported before, and each of the credits is given once', async () => {
  await steps.imported(PEOPLE, { source: 'mindbody' })
  const { import_id } = await steps.read(REMAINING, { source: 'mindbody' })
  const { rows } = await on.as(owner).imports.rows({ import_id })
  expect(rows).toMatchObject([
    { state: 'update', match: { why: 'Ya se importó antes' }, adds: ['credits'] },
    { state: 'update', match: { why: 'Ya se importó antes' }, adds: ['credits'] },
    { state: 'error', issues: [{ message: 'Hace falta su teléfono o su correo.' }] },
  ])
  await on.as(owner).imports.run({ import_id })
  await steps.work(import_id)
  const balances = await on.sql(
    `select a.balance from available_class a join customer c using (customer_id) where c.email = 'ofelia@ejemplo.mx' order by 1`,
  )
  expect(balances).toEqual([{ balance: 2 }, { balance: 4 }])
  expect((await steps.read(REMAINING, { source: 'mindbody' })).counts).toEqual({ same: 2, error: 1 })
})

test('a number of another source is not known', async () => {
  await steps.imported(PEOPLE, { source: 'mindbody' })
  expect((await steps.read(REMAINING, { source: 'other' })).counts).toEqual({ error: 3 })
})

test('both files at once are one import: columns with the same name are one, and the credits are of the people of the first', async () => {
  const people = fileOf('Client ID,First Name,Last Name,Email', '300,Berta,Ríos,berta@ejemplo.mx')
  const remaining = fileOf(
    'Client ID,First Name,Last Name,Pricing Option,Remaining,Expiration Date',
    '300,Berta,Ríos,10 Class Card,4,12/31/2026',
    '300,Berta,Ríos,5 Class Card,2,12/31/2026',
    '400,Ciro,Gil,10 Class Card,4,12/31/2026',
  )
  const { import_id } = await on.as(owner).imports.create({ source: 'mindbody' })
  const view = await on.as(owner).imports.file({ import_id, file: people, more: [remaining] })
  expect(view).toMatchObject({ file_name: 'clientes.csv, clientes.csv', total: 4, counts: { new: 1, update: 2, error: 1 } })
  expect(view.columns.map(({ field }) => field)).toEqual(['external_ref', 'name', 'last_name', 'email', 'package', 'credits', 'expires'])
  await on.as(owner).imports.run({ import_id })
  expect((await steps.work(import_id)).counts).toEqual({ done: 3, error: 1 })
  const balances = await on.sql(
    `select c.email, sum(a.balance)::integer as credits from customer c join available_class a using (customer_id) where c.name in ('Berta', 'Ciro') group by 1`,
  )
  expect(balances).toEqual([{ email: 'berta@ejemplo.mx', credits: 6 }])
})

test('the reason names the file that cannot be read; files are ten, and ten megabytes together', async () => {
  const { import_id } = await on.as(owner).imports.create({ source: 'other' })
  const pdf = new File(['%PDF-1.7'], 'reporte.pdf')
  expect(await refusalOf(on.as(owner).imports.file({ import_id, file: PEOPLE, more: [pdf] }))).toMatchObject({
    code: 'IMPORT_FILE',
    data: { why: expect.stringMatching(/^reporte\.pdf: Es un PDF/) },
  })
  const large = new File(['x'.repeat(6 * 1024 * 1024)], 'grande.csv')
  expect(await codeOf(on.as(owner).imports.file({ import_id, file: large, more: [large] }))).toBe('FILE_TOO_LARGE')
})
