/** GET and PUT /admin/me: the signed-in staff member and their stored choices in the administration. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOfRole } from '#contract/rights.ts'
import { staffIdOf } from '#server/testing/staff-ids.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

test('returns the caller, rights and locations: the role’s rights with additions and removals (E1)', async () => {
  const { instructor_id } = await on.make.instructor({ photo: '/archivos/renata.jpeg' })
  const coach = await on.make.staff('coach', { instructor_id })
  expect(await on.as(coach).team.me()).toEqual({
    staff: {
      staff_id: await staffIdOf(on, coach),
      name: expect.any(String),
      email: coach.email,
      role: 'coach',
      instructor_id,
      rights: ['classes.own', 'customers.health'],
      location_ids: null,
      photo: '/archivos/renata.jpeg',
    },
    studio: {
      business_name: on.studio.settings().business_name,
      timezone: 'America/Mexico_City',
      now: on.clock.now().toISOString(),
      public_url: on.studio.publicUrl,
    },
    location_id: null,
    onboarding: null,
    is_shared_device: false,
    terminal_fields_required: false,
    preferences: {},
    shared_views: [],
  })

  const desk = await on.make.staff('reception')
  const { location_id } = await on.make.location()
  const staff_id = await staffIdOf(on, desk)
  await on.sql(`insert into staff_right values ($1, 'sales.refund', true), ($1, 'customers.edit', false)`, [staff_id])
  await on.sql('insert into staff_location values ($1, $2)', [staff_id, location_id])
  const { staff, location_id: shown } = await on.as(desk).team.me()
  const expected = [...rightsOfRole('reception').filter((key) => key !== 'customers.edit'), 'sales.refund']
  expect([...staff.rights].sort()).toEqual(expected.sort())
  // Who works at one place is shown that one.
  expect([staff.location_ids, shown]).toEqual([[location_id], location_id])
  expect(await codeOf(on.as(desk).people.create({ name: 'Ana', last_name: 'Ríos', email: 'ana.rios@ejemplo.mx' }))).toBe('FORBIDDEN')
})

test('refuses callers who are not staff (E2)', async () => {
  const ana = await on.make.customer()
  expect(await refusalOf(on.as(ana).team.me())).toMatchObject({ code: 'FORBIDDEN', status: 403 })
  expect(await codeOf(on.as(null).team.me())).toBe('UNAUTHENTICATED')
})

test('stores preferences by key: omitted keys stay, null removes one, and other people’s are private (E12)', async () => {
  const [mia, leo] = [await on.make.staff('reception'), await on.make.staff('reception')]
  const save = (preferences: Record<string, never> | object) => on.as(mia).team.updateMe({ preferences: preferences as never })
  await save({ 'ventas.columnas': ['folio', 'total'], atajos: true })
  expect((await save({ atajos: false, 'hoy.vista': 'lista' })).preferences).toEqual({
    'ventas.columnas': ['folio', 'total'],
    atajos: false,
    'hoy.vista': 'lista',
  })
  expect((await save({ 'hoy.vista': null })).preferences).toEqual({ 'ventas.columnas': ['folio', 'total'], atajos: false })
  expect((await on.as(mia).team.me()).preferences).toEqual({ 'ventas.columnas': ['folio', 'total'], atajos: false })
  expect((await on.as(leo).team.me()).preferences).toEqual({})
})

test('shows the views that colleagues saved for the team, of the lists that one may read, while they have access (LA8)', async () => {
  const [mia, coach] = [await on.make.staff('owner', { name: 'Mía' }), await on.make.staff('coach')]
  const leo = await on.make.staff('reception')
  const view = { nombre: 'Deben', filtro: 'adeudo=si' }
  await on.as(mia).team.updateMe({
    preferences: {
      'clientes.vistas': [
        { ...view, equipo: true },
        { nombre: 'Mía sola', filtro: 'q=ana' },
        { nombre: 7, equipo: true },
      ],
      'bitacora.vistas': [{ nombre: 'Cortes', filtro: 'que=cash_session', equipo: true }],
      'otra.vistas': [{ ...view, equipo: true }],
    },
  })
  const seen = async (person: Person) => (await on.as(person).team.me()).shared_views
  expect(await seen(leo)).toEqual([{ list: 'clientes', name: 'Deben', filter: 'adeudo=si', by: 'Mía' }])
  expect([await seen(coach), await seen(mia)]).toEqual([[], []])
  expect((await seen(await on.make.staff('manager'))).map(({ name }) => name)).toEqual(['Cortes', 'Deben'])
  await on.sql('update staff set "disabledAt" = now() where staff_id = $1', [await staffIdOf(on, mia)])
  expect(await seen(leo)).toEqual([])
})

test('two devices that save different preferences concurrently lose none (E12)', async () => {
  const mia = await on.make.staff('manager')
  await Promise.all(Array.from({ length: 6 }, (_, at) => on.as(mia).team.updateMe({ preferences: { [`clave${at}`]: at } })))
  expect(Object.keys((await on.as(mia).team.me()).preferences)).toHaveLength(6)
})

test('refuses preferences that are too large or too many, without storing any of them (E12)', async () => {
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

test('the chosen location must exist and be one of the caller’s (E12)', async () => {
  const [norte, sur] = [await on.make.location(), await on.make.location()]
  const desk = await on.make.staff('reception')
  expect((await on.as(desk).team.updateMe({ location_id: norte.location_id })).location_id).toBe(norte.location_id)
  expect((await on.as(desk).team.me()).location_id).toBe(norte.location_id)
  expect(await codeOf(on.as(desk).team.updateMe({ location_id: 2_000_000_000 }))).toBe('NOT_FOUND')
  expect((await on.as(desk).team.updateMe({ location_id: null })).location_id).toBeNull()

  const limited = await on.make.staff('reception')
  const { location_id: otro } = await on.make.location()
  await on.sql('insert into staff_location select $1, unnest($2::int[])', [await staffIdOf(on, limited), [norte.location_id, otro]])
  expect(await codeOf(on.as(limited).team.updateMe({ location_id: sur.location_id }))).toBe('FORBIDDEN')
  expect((await on.as(limited).team.updateMe({ location_id: otro })).location_id).toBe(otro)
})

test('opening the administration records the sign-in once, also with requests at the same time (E13)', async () => {
  const diego = await on.make.staff('reception', { name: 'Diego' })
  const owner = await on.make.staff('owner')
  const signIns = async () =>
    (await on.as(owner).auditLog.list({ staff_id: (await staffIdOf(on, diego)) ?? 0, action: 'staff.sign_in' })).entries.map(
      ({ sentence }) => sentence,
    )
  await Promise.all([on.as(diego).team.me(), on.as(diego).team.me(), on.as(diego).team.me()])
  await on.as(diego).team.me()
  expect(await signIns()).toEqual(['Diego entró a la administración'])
  // An older sign-in on another device is not a new one; a newer one is.
  await on.sql(`update staff set "lastSignInAt" = "lastSignInAt" - interval '1 hour' where uid = $1`, [diego.uid])
  await on.as(diego).team.me()
  await on.as(diego).team.me()
  expect(await signIns()).toHaveLength(2)
})
