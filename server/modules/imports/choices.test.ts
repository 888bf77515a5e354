/**
 * What stays of a customer whom a file knows differently, corrections that are taken back, and what is remembered of a file
 * (IM2 to IM4, IM6).
 */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openImportStudio } from '#server/testing/import-files.ts'

const { on, owner, steps } = await openImportStudio()
afterAll(() => on.close())
beforeEach(() => on.reset())
const fileOf = (...lines: string[]) => new File([lines.join('\n')], 'clientes.csv')
const imports = () => on.as(owner).imports
const HEAD = 'Nombre,Apellidos,Correo,Teléfono,Nacimiento'
const facts = async (customer_id: number) =>
  (await on.sql('select email, phone, birthdate::text as birthdate from customer where customer_id = $1', [customer_id]))[0]

test('of each value that differs the chosen one stays, and undoing puts the others back (IM4, IM6)', async () => {
  const here = { email: 'jimena@ejemplo.mx', phone: '5561204475', birthdate: null }
  const { customer_id } = await on.make.customer({ name: 'Jimena', last_name: 'Rosas', uid: null, ...here })
  await on.make.lot({ customer_id }, { granted: 3 })
  const { import_id } = await steps.read(fileOf(HEAD, 'Jimena,Rosas,j.rosas@trabajo.mx,5561204475,1996-06-22'))
  const [row] = (await imports().rows({ import_id })).rows
  expect(row).toMatchObject({ state: 'update', adds: ['birthdate'], choices: {} })
  expect(row?.match?.ours).toMatchObject({ ...here, has_account: false, credits: 3, has_unlimited: false, taken: [] })
  const n = row?.n ?? 0
  const chosen = await imports().fix({ import_id, n, choices: { email: 'file', birthdate: 'ours' } })
  expect(chosen.row).toMatchObject({ state: 'update', adds: ['email'], choices: { email: 'file', birthdate: 'ours' } })
  // Nothing of the file is left.
  const same = await imports().fix({ import_id, n, choices: { email: 'ours' } })
  expect(same.row).toMatchObject({ state: 'same', adds: [] })
  await imports().fix({ import_id, n, choices: { email: 'file' } })
  await imports().run({ import_id })
  expect((await steps.work(import_id)).counts).toEqual({ done: 1 })
  expect(await facts(customer_id)).toEqual({ ...here, email: 'j.rosas@trabajo.mx' })
  await steps.undo(import_id)
  expect(await facts(customer_id)).toEqual(here)
})

test('whoever logs in keeps their email, and what is somebody else’s stays theirs', async () => {
  const account = await on.make.customer({ name: 'Ana', last_name: 'Sol', email: 'ana.sol@ejemplo.mx', phone: '5511112201' })
  await on.make.customer({ name: 'Otra', last_name: 'Más', email: 'otra@ejemplo.mx', phone: '5511112209' })
  const iris = await on.make.customer({ name: 'Iris', last_name: 'Paz', uid: null, email: 'iris@ejemplo.mx', phone: '5511112203' })
  const { import_id } = await steps.read(
    fileOf(HEAD, 'Ana,Sol,nuevo@ejemplo.mx,5511112201,', 'Iris,Paz,iris@ejemplo.mx,5511112209,', 'Iris,Paz,iris@ejemplo.mx,,'),
  )
  const { rows } = await imports().rows({ import_id })
  expect(rows.map(({ match }) => match?.ours && [match.ours.has_account, match.ours.taken])).toEqual([
    [true, []],
    [false, ['phone']],
    [false, []],
  ])
  for (const { n } of rows.slice(0, 2)) {
    const { row } = await imports().fix({ import_id, n, choices: { email: 'file', phone: 'file' } })
    expect(row).toMatchObject({ state: 'same', adds: [] })
  }
  await imports().run({ import_id })
  await steps.work(import_id)
  expect(await facts(account.customer_id)).toMatchObject({ email: 'ana.sol@ejemplo.mx', phone: '5511112201' })
  expect(await facts(iris.customer_id)).toMatchObject({ email: 'iris@ejemplo.mx', phone: '5511112203' })
})

test('undoing leaves a value that somebody else has by then, and the email of whoever has an account by then', async () => {
  const first = await on.make.customer({ name: 'Rita', last_name: 'Luz', uid: null, email: 'rita@ejemplo.mx', phone: '5511113301' })
  const second = await on.make.customer({ name: 'Sara', last_name: 'Mar', uid: null, email: 'sara@ejemplo.mx', phone: '5511113302' })
  const { import_id } = await steps.read(fileOf(HEAD, 'Rita,Luz,rita2@ejemplo.mx,5511113301,', 'Sara,Mar,sara2@ejemplo.mx,5511113302,'))
  for (const { n } of (await imports().rows({ import_id })).rows) await imports().fix({ import_id, n, choices: { email: 'file' } })
  await imports().run({ import_id })
  expect((await steps.work(import_id)).counts).toEqual({ done: 2 })
  await on.make.customer({ name: 'Nueva', last_name: 'Rita', email: 'rita@ejemplo.mx', phone: null })
  await on.sql(`update customer set uid = 'sara-2' where customer_id = $1`, [second.customer_id])
  await imports().undo({ import_id })
  expect((await steps.work(import_id)).state).toBe('undone')
  expect([await facts(first.customer_id), await facts(second.customer_id)]).toMatchObject([
    { email: 'rita2@ejemplo.mx' },
    { email: 'sara2@ejemplo.mx' },
  ])
})

test('a correction and a decision are taken back, and those of many rows say how these are now (IM3)', async () => {
  const { import_id } = await steps.read(fileOf(HEAD, 'Eva,Paz,eva@gmial.com,,', 'Luz,Sol,luz@gmial.com,,'))
  const [eva] = (await imports().rows({ import_id })).rows
  const n = eva?.n ?? 0
  expect((await imports().fix({ import_id, n, values: { email: 'eva@gmail.com' } })).row).toMatchObject({ state: 'new' })
  const back = await imports().fix({ import_id, n, values: { email: null } })
  expect(back.row).toMatchObject({ state: 'error', values: { email: 'eva@gmial.com' } })
  const all = await imports().fixAlike({ import_id, n, use: 'suggestion' })
  expect(all.rows.map(({ state, values }) => [state, values.email])).toEqual([
    ['new', 'eva@gmail.com'],
    ['new', 'luz@gmail.com'],
  ])
})

test('columns are remembered when an import is run, unless that was switched off; another file in its place keeps what was said (IM2)', async () => {
  const file = (name: string) => fileOf('Campo,Nombre', `${name}@ejemplo.mx,${name}`)
  const mappedTo = async (remember: boolean | undefined, field: 'full_name' | 'last_name') => {
    const { import_id } = await steps.read(file('uno'), { source: 'arketa' })
    const view = await imports().map({ import_id, columns: [{ index: 1, field }], ...(remember === undefined ? {} : { remember }) })
    expect(view.remember).toBe(remember ?? true)
    // Another file of the same import.
    expect((await imports().file({ import_id, file: file('dos') })).columns[1]?.field).toBe(field)
    await imports().run({ import_id })
    return (await steps.read(file('tres'), { source: 'arketa' })).columns[1]?.field
  }
  expect(await mappedTo(false, 'full_name')).toBe('name')
  expect(await mappedTo(undefined, 'full_name')).toBe('full_name')
  expect(await mappedTo(false, 'last_name')).toBe('full_name')
})
