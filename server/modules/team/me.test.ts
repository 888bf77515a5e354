/** GET and PUT /admin/me: who somebody is in the administration, and what they left chosen there. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOfRole } from '#contract/rights.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

const idOf = async ({ uid }: Person) =>
  (await on.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [uid]))[0]?.staff_id

test('says who I am, what I may do and where: the rights of the role, with what was added and without what was removed (E1)', async () => {
  const { instructor_id } = await on.make.instructor({ photo: '/archivos/renata.jpeg' })
  const coach = await on.make.staff('coach', { instructor_id })
  expect(await on.as(coach).team.me()).toEqual({
    staff: {
      ...{ staff_id: await idOf(coach), name: expect.any(String), email: coach.email, role: 'coach', instructor_id },
      ...{ rights: ['classes.own', 'customers.health'], location_ids: null, photo: '/archivos/renata.jpeg' },
    },
    studio: {
      business_name: on.studio.settings().business_name,
      timezone: 'America/Mexico_City',
      now: on.clock.now().toISOString(),
      public_url: on.studio.publicUrl,
    },
    ...{ location_id: null, onboarding: null, preferences: {} },
  })

  const desk = await on.make.staff('reception')
  const { location_id } = await on.make.location()
  const staff_id = await idOf(desk)
  await on.sql(`insert into staff_right values ($1, 'sales.refund', true), ($1, 'customers.edit', false)`, [staff_id])
  await on.sql('insert into staff_location values ($1, $2)', [staff_id, location_id])
  const { staff, location_id: shown } = await on.as(desk).team.me()
  const expected = [...rightsOfRole('reception').filter((key) => key !== 'customers.edit'), 'sales.refund']
  expect([...staff.rights].sort()).toEqual(expected.sort())
  // Who works at one place is shown that one.
  expect([staff.location_ids, shown]).toEqual([[location_id], location_id])
  expect(await codeOf(on.as(desk).people.create({ name: 'Ana', last_name: 'Ríos', email: 'ana.rios@ejemplo.mx' }))).toBe('FORBIDDEN')
})

test('somebody who is none of the staff is refused, whatever else they are (E2)', async () => {
  const ana = await on.make.customer()
  expect(await refusalOf(on.as(ana).team.me())).toMatchObject({ code: 'FORBIDDEN', status: 403 })
  expect(await codeOf(on.as(null).team.me())).toBe('UNAUTHENTICATED')
})

test('keeps preferences key by key: what is not named stays, null takes one away, and nobody sees another’s (E12)', async () => {
  const [mia, leo] = [await on.make.staff('reception'), await on.make.staff('reception')]
  const save = (preferences: Record<string, never> | object) => on.as(mia).team.updateMe({ preferences: preferences as never })
  await save({ 'ventas.columnas': ['folio', 'total'], atajos: true })
  expect((await save({ atajos: false, 'hoy.vista': 'lista' })).preferences).toEqual({
    ...{ 'ventas.columnas': ['folio', 'total'], atajos: false, 'hoy.vista': 'lista' },
  })
  expect((await save({ 'hoy.vista': null })).preferences).toEqual({ 'ventas.columnas': ['folio', 'total'], atajos: false })
  expect((await on.as(mia).team.me()).preferences).toEqual({ 'ventas.columnas': ['folio', 'total'], atajos: false })
  expect((await on.as(leo).team.me()).preferences).toEqual({})
})

test('two devices that save different preferences at the same moment lose none (E12)', async () => {
  const mia = await on.make.staff('manager')
  await Promise.all(Array.from({ length: 6 }, (_, at) => on.as(mia).team.updateMe({ preferences: { [`clave${at}`]: at } })))
  expect(Object.keys((await on.as(mia).team.me()).preferences)).toHaveLength(6)
})

test('preferences have a size: one that is too large, or too many, is refused and nothing of it is kept (E12)', async () => {
  const mia = await on.make.staff('reception')
  const save = (preferences: object) => on.as(mia).team.updateMe({ preferences: preferences as never })
  expect(await refusalOf(save({ chica: 1, grande: 'x'.repeat(9_000) }))).toMatchObject({
    code: 'INVALID_INPUT',
    data: { issues: [expect.objectContaining({ path: 'preferences.grande' })] },
  })
  for (const key of ['a', 'b', 'c']) await save({ [key]: Array.from({ length: 3_900 }, () => 1) })
  await save({ d: 'x'.repeat(7_000) })
  expect(await refusalOf(save({ e: 'x'.repeat(8_000) }))).toMatchObject({
    data: { issues: [expect.objectContaining({ path: 'preferences' })] },
  })
  expect(Object.keys((await on.as(mia).team.me()).preferences)).toEqual(['a', 'b', 'c', 'd'])
  expect(await codeOf(save({ 'con espacio': 1 }))).toBe('INVALID_INPUT')
  expect(await codeOf(save(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at]))))).toBe('INVALID_INPUT')
})

test('the location to look at is one of mine, and one that exists (E12)', async () => {
  const [norte, sur] = [await on.make.location(), await on.make.location()]
  const desk = await on.make.staff('reception')
  expect((await on.as(desk).team.updateMe({ location_id: norte.location_id })).location_id).toBe(norte.location_id)
  expect((await on.as(desk).team.me()).location_id).toBe(norte.location_id)
  expect(await codeOf(on.as(desk).team.updateMe({ location_id: 2_000_000_000 }))).toBe('NOT_FOUND')
  expect((await on.as(desk).team.updateMe({ location_id: null })).location_id).toBeNull()

  const limited = await on.make.staff('reception')
  const { location_id: otro } = await on.make.location()
  await on.sql('insert into staff_location select $1, unnest($2::int[])', [await idOf(limited), [norte.location_id, otro]])
  expect(await codeOf(on.as(limited).team.updateMe({ location_id: sur.location_id }))).toBe('FORBIDDEN')
  expect((await on.as(limited).team.updateMe({ location_id: otro })).location_id).toBe(otro)
})
