/**
 * Rows of an import with the same question are answered at once, what a row completes is said, and what its classes are worth (IM3,
 * IM4, IM18).
 */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openImportStudio } from '#server/testing/import-files.ts'
import { codeOf } from '#server/testing/studio.ts'

const { on, owner, steps } = await openImportStudio()
afterAll(() => on.close())
beforeEach(() => on.reset())
const read = (...lines: string[]) => steps.read(new File([lines.join('\n')], 'clientes.csv'))
const imports = () => on.as(owner).imports
const rowsOf = async (import_id: number) => (await imports().rows({ import_id })).rows
const HEAD = 'Nombre,Apellidos,Correo,Teléfono,Paquete,Clases,Vence'

test('each row gets what is suggested for it; another mistake, and one with two mistakes, wait', async () => {
  const { import_id, counts } = await read(
    HEAD,
    'Eva,Paz,eva@gmial.com,,,,',
    'Luz,Sol,luz@gmial.com,,,,',
    'Ana,Mar,ana@hotmial.com,,,,',
    'Iris,Luna,iris@gmial.com,55,,,',
    'Noé,Río,noe@ejemplo.mx,55,,,',
  )
  expect(counts).toEqual({ error: 5 })
  expect((await rowsOf(import_id)).map(({ alike }) => alike)).toEqual([1, 1, 0, 0, 0])
  const [first] = await rowsOf(import_id)
  const answer = await imports().fixAlike({ import_id, n: first?.n ?? 0, use: 'suggestion' })
  expect([answer.changed, answer.import.counts]).toEqual([2, { new: 2, error: 3 }])
  expect((await rowsOf(import_id)).map(({ values }) => values.email)).toEqual([
    'eva@gmail.com',
    'luz@gmail.com',
    'ana@hotmial.com',
    'iris@gmial.com',
    'noe@ejemplo.mx',
  ])
  // Nothing is asked about it any more.
  expect(await codeOf(imports().fixAlike({ import_id, n: first?.n ?? 0, use: 'suggestion' }))).toBe('NOT_FOUND')
  // An error is no duplicate.
  const noe = (await rowsOf(import_id)).at(-1)?.n ?? 0
  expect((await imports().fixAlike({ import_id, n: noe, use: 'merge' })).changed).toBe(0)
  expect((await imports().fixAlike({ import_id, n: noe, use: 'skip' })).import.counts).toEqual({ new: 2, error: 2, skipped: 1 })
})

test('duplicates by the same thing are decided together, others stay undecided, and who stands in the file twice is its own question', async () => {
  await on.make.customer({ name: 'Rosa', last_name: 'Vela', phone: '5522108841', email: 'rosa@ejemplo.mx' })
  await on.make.customer({ name: 'Paula', last_name: 'Gil', phone: '5522108842', email: 'paula@ejemplo.mx' })
  const { import_id, counts } = await read(
    HEAD,
    'Hugo,Vela,hugo@ejemplo.mx,5522108841,,,',
    'Nora,Gil,nora@ejemplo.mx,5522108842,,,',
    'Otro,Más,rosa@ejemplo.mx,,,,',
    'Sara,Mora,sara@ejemplo.mx,5522108850,,,',
    'Tomás,Mora,tomas@ejemplo.mx,5522108850,,,',
    'Ulises,Mora,ulises@ejemplo.mx,5522108850,,,',
  )
  expect(counts).toEqual({ duplicate: 5, new: 1 })
  const rows = await rowsOf(import_id)
  expect(rows.map(({ alike }) => alike)).toEqual([1, 1, 0, 0, 1, 1])
  const relatives = await imports().fixAlike({ import_id, n: rows[0]?.n ?? 0, use: 'new' })
  expect([relatives.changed, relatives.import.counts]).toEqual([2, { duplicate: 3, new: 3 }])
  const family = await imports().fixAlike({ import_id, n: rows[4]?.n ?? 0, use: 'new' })
  expect([family.changed, family.import.counts]).toEqual([2, { duplicate: 1, new: 5 }])
  const [mail] = (await rowsOf(import_id)).filter(({ state }) => state === 'duplicate')
  expect((await imports().fixAlike({ import_id, n: mail?.n ?? 0, use: 'merge' })).import.counts).toEqual({ new: 5, same: 1 })
  await imports().run({ import_id })
  expect((await steps.work(import_id)).counts).toEqual({ done: 5, same: 1 })
  expect(await codeOf(imports().fixAlike({ import_id, n: mail?.n ?? 0, use: 'merge' }))).toBe('IMPORT_STATE')
})

test('a row that completes somebody says what it adds, and the classes what they cost here', async () => {
  await on.make.package({ title: 'Diez clases', class_amount: 10, price_centavos: 190_000 })
  await on.make.customer({ name: 'Irma', last_name: 'Vela', phone: null, birthdate: '1990-01-01', email: 'irma@ejemplo.mx' })
  const view = await read(
    HEAD,
    'Irma,Vela,irma@ejemplo.mx,5522108871,Diez clases,4,31/12/2027',
    'Eda,Paz,eda@ejemplo.mx,,Otra cosa,3,31/12/2027',
    'Lía,Sol,lia@ejemplo.mx,,Diez clases,Ilimitado,31/12/2027',
  )
  expect(view).toMatchObject({ people: 3, credits: 7, value: '760.00' })
  expect((await rowsOf(view.import_id)).map(({ state, adds }) => [state, adds])).toEqual([
    ['update', ['phone', 'credits']],
    ['new', []],
    ['new', []],
  ])
})
