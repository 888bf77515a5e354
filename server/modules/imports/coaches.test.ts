/** Files of coaches (docs/domain.md IM17): read, made or completed once, and taken back while nobody changed or used them. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openImportStudio } from '#server/testing/import-files.ts'
import { codeOf } from '#server/testing/studio.ts'
import { guessField } from './rules.ts'

const { on, owner, steps } = await openImportStudio()
afterAll(() => on.close())
beforeEach(async () => {
  await on.reset()
  await on.sql('delete from class_instructor')
  await on.sql('delete from instructor')
  await on.sql('delete from external_record')
})
const fileOf = (...lines: string[]) => new File([lines.join('\n')], 'coaches.csv')
const read = (...lines: string[]) => steps.read(fileOf(...lines), { kind: 'coaches' })
const imported = (...lines: string[]) => steps.imported(fileOf(...lines), { kind: 'coaches' })
const rowsOf = async (import_id: number) => (await on.as(owner).imports.rows({ import_id })).rows
const coaches = () => on.sql<Record<string, unknown>>('select to_jsonb(t) as row from instructor t order by instructor_id')
const refs = () => on.sql('select ref, record_id from external_record order by ref')

const HEAD = 'Staff ID,Nombre,Apellidos,Apodo,Fecha de nacimiento,Instagram,Biografía,Especialidades'

test('columns are known as other systems call them', () => {
  const headers = [
    'Staff ID',
    'First Name',
    'Last Name',
    'Nickname',
    'Date of birth',
    'Instagram',
    'Bio',
    'Specialties',
    'Email',
    'Password',
    'Coach',
  ]
  expect(headers.map((name) => guessField(name, [], 'coaches'))).toEqual([
    'external_ref',
    'name',
    'last_name',
    'nick_name',
    'birthdate',
    'instagram',
    'short_bio',
    'specialties',
    null,
    null,
    'full_name',
  ])
})

test('imported coaches are made without a log-in and off the landing page, once, and the file again changes nothing', async () => {
  const file = [HEAD, '7,Renata,Solís Gómez,Ren,17/03/1989,https://instagram.com/ren.mueve,"Baila.\nDesde 2010.",Barre', '8,Diego,Paz,,,,,']
  const { counts, import_id } = await imported(...file)
  expect(counts).toEqual({ done: 2 })
  expect(
    await on.sql(
      'select name, last_name, nick_name, birthdate::text, instagram, short_bio, specialties, is_home from instructor order by 1',
    ),
  ).toEqual([
    {
      name: 'Diego',
      last_name: 'Paz',
      nick_name: null,
      birthdate: null,
      instagram: null,
      short_bio: null,
      specialties: null,
      is_home: false,
    },
    {
      name: 'Renata',
      last_name: 'Solís Gómez',
      nick_name: 'Ren',
      birthdate: '1989-03-17',
      instagram: 'ren.mueve',
      short_bio: 'Baila.\nDesde 2010.',
      specialties: 'Barre',
      is_home: false,
    },
  ])
  expect(await on.sql('select 1 from staff where instructor_id is not null')).toEqual([])
  expect((await read(...file)).counts).toEqual({ same: 2 })
  // Under another number, but the same name.
  expect((await read(HEAD, '9,renata,SOLIS GOMEZ,,,,,')).counts).toEqual({ same: 1 })
  expect((await steps.undo(import_id)).counts).toEqual({ undone: 2 })
  expect([await coaches(), await refs()]).toEqual([[], []])
})

test('who is known, also by a first name alone, is completed where something is empty, and emptied again', async () => {
  await on.make.instructor({
    name: 'Sofía',
    last_name: '',
    nick_name: null,
    short_bio: 'Escrita aquí.',
    updatedAt: new Date('2026-11-01T12:00:00Z'),
  })
  await on.make.instructor({ name: 'Ana', last_name: 'Ríos', birthdate: null, updatedAt: new Date('2026-11-01T12:00:00Z') })
  const before = await coaches()
  const view = await read(HEAD, '1,Sofía,Ramírez,Sofi,,,Otra.,', '2,Ana,Ríos,,1990-02-01,,,', '3,Sofía,López,,,,,')
  expect(view.counts).toEqual({ update: 2, new: 1 })
  expect((await rowsOf(view.import_id))[0]?.match).toMatchObject({ name: 'Sofía', why: 'Ya es coach' })
  expect((await rowsOf(view.import_id)).map(({ adds }) => adds)).toEqual([['last_name', 'nick_name'], ['birthdate'], []])
  await on.as(owner).imports.run({ import_id: view.import_id })
  expect((await steps.work(view.import_id)).counts).toEqual({ done: 3 })
  expect(await on.sql('select name, last_name, nick_name, short_bio, birthdate::text from instructor order by instructor_id')).toEqual([
    { name: 'Sofía', last_name: 'Ramírez', nick_name: 'Sofi', short_bio: 'Escrita aquí.', birthdate: null },
    { name: 'Ana', last_name: 'Ríos', nick_name: null, short_bio: null, birthdate: '1990-02-01' },
    { name: 'Sofía', last_name: 'López', nick_name: null, short_bio: null, birthdate: null },
  ])
  expect((await steps.undo(view.import_id)).counts).toEqual({ undone: 3 })
  expect(await coaches()).toEqual(before)
})

test('what somebody changed since stays, with the reason', async () => {
  const known = await on.make.instructor({ name: 'Ana', last_name: 'Ríos', nick_name: null, short_bio: null })
  const { import_id } = await imported(HEAD, '1,Ana,Ríos,Anita,,,Nueva.,', '2,Diego,Paz,,,,,', '3,Luz,Mora,,,,,', '4,Eva,Sol,,,,,')
  const idOf = async (name: string) =>
    (await on.sql<{ id: number }>('select instructor_id as id from instructor where name = $1', [name]))[0]?.id ?? 0
  await on.make.class({ instructor_id: await idOf('Diego') })
  on.clock.set(new Date(on.clock.now().getTime() + 60_000))
  const { instructors } = on.as(owner).catalogue.admin
  await instructors.update({ instructor_id: await idOf('Luz'), short_bio: 'Escrita aquí.' })
  await instructors.update({ instructor_id: known.instructor_id, nick_name: 'Ani' })
  expect((await steps.undo(import_id)).counts).toEqual({ undone: 2, stayed: 2 })
  expect(
    (await rowsOf(import_id)).filter(({ state }) => state === 'stayed').map(({ title, issues }) => [title, issues[0]?.message]),
  ).toEqual([
    ['Diego Paz', 'Ya da clases o alguien cambió su perfil.'],
    ['Luz Mora', 'Ya da clases o alguien cambió su perfil.'],
  ])
  expect(await on.sql('select name, nick_name, short_bio from instructor order by instructor_id')).toEqual([
    { name: 'Ana', nick_name: 'Ani', short_bio: null },
    { name: 'Diego', nick_name: null, short_bio: null },
    { name: 'Luz', nick_name: null, short_bio: 'Escrita aquí.' },
  ])
})

test('what is wrong is said and corrected in place; who stands twice in the file is one person', async () => {
  const view = await read(
    HEAD,
    ',,,,,,,Barre',
    ',Ana,Ríos,,31/02/1990,,,',
    ',Eva,Sol,,,una cuenta rara,,',
    ',Luz,Mora,,,,,',
    ',LUZ,mora,,,,,',
  )
  const rows = await rowsOf(view.import_id)
  expect(rows.map(({ state, issues }) => [state, issues[0]?.field, issues[0]?.message])).toEqual([
    ['error', 'name', 'Falta el nombre.'],
    ['error', 'birthdate', 'Ese día no existe.'],
    ['error', 'instagram', 'Escribe la cuenta, como @estudio.'],
    ['new', undefined, undefined],
    ['skipped', 'external_ref', `Es el mismo que el renglón ${rows[3]?.n}.`],
  ])
  const { row } = await on.as(owner).imports.fix({ import_id: view.import_id, n: rows[1]?.n ?? 0, values: { birthdate: '28/02/1990' } })
  expect(row).toMatchObject({ state: 'new', title: 'Ana Ríos', facts: ['1990-02-28'] })
  expect(await codeOf(on.as(await on.make.staff('coach')).imports.create({ source: 'other', kind: 'coaches' }))).toBe('FORBIDDEN')
})
