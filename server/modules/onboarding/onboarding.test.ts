/** First steps: states computed from the records, proposals, examples and the test customer (docs/domain.md I1 to I5). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GIROS, type Giro, type OnboardingKey } from '#contract/onboarding.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { makeProposal, zoneOfCity } from './proposals.ts'

let s: TestStudio
let owner: Person
let manager: Person
beforeAll(async () => {
  s = await studio({ env: { PAYMENTS: 'ninguno' } })
  owner = await s.make.staff('owner', { name: 'Mónica' })
  manager = await s.make.staff('manager', { name: 'Raúl' })
})
afterAll(() => s.close())

const steps = () => s.as(owner).onboarding.read()
const stateOf = async (key: OnboardingKey) => (await steps()).steps.find((step) => step.key === key)?.state

test('an empty studio has ten pending steps, and each is done by what the ordinary calls create (I1)', async () => {
  const on = s.as(owner)
  expect(await steps()).toMatchObject({ done: 0, total: 10, is_open: true, has_reservations: false, examples: 0, test_customer_id: null })
  await on.content.changeSettings({ settings: [{ key: 'business_name', value: 'Marea' }] })
  expect(await stateOf('studio')).toBe('done')
  const { location } = await on.catalogue.admin.locations.create({ location_id: 'nueva', name: 'Centro', address: 'Juárez 12' })
  expect(await stateOf('location')).toBe('done')
  expect(await stateOf('room')).toBe('pending')
  await on.rooms.create({ room_id: 'nueva', location_id: location.location_id, name: 'Sala', capacity: 12 })
  expect((await steps()).steps.find(({ key }) => key === 'room')).toMatchObject({ state: 'done', summary: '1 sala, 12 lugares' })
  const { class_type } = await on.catalogue.admin.classTypes.create({ class_type_id: 'nuevo', name: 'Vinyasa', duration_minutes: 60 })
  expect(await stateOf('class_types')).toBe('done')
  const { instructor } = await on.catalogue.admin.instructors.create({ instructor_id: 'nueva', name: 'Sofía' })
  expect(await stateOf('coaches')).toBe('done')
  expect(await stateOf('schedule')).toBe('pending')
  const fields = {
    class_type_id: class_type.class_type_id,
    location_id: location.location_id,
    instructor_ids: [instructor.instructor_id],
    class_date: '2026-11-23T07:00:00Z',
    capacity: 12,
    spot_map: '6,6',
  }
  const { result } = await s.as(owner, randomUUID()).studioSchedule.change({
    changes: [{ op: 'create', fields, series: { weekdays: [1, 3], until: '2027-01-17' } }],
  })
  expect(result.created).toBe(16)
  expect((await steps()).steps.find(({ key }) => key === 'schedule')).toMatchObject({ state: 'done', summary: '16 clases publicadas' })
  await on.studioPackages.create({ title: 'Clase suelta', price: '200', class_amount: 1, expiration_days: 30 })
  expect(await stateOf('packages')).toBe('done')
  expect(await stateOf('payments')).toBe('pending')
  await on.content.changeSettings({ settings: [{ key: 'cash_checkout_enabled', value: true }] })
  expect(await stateOf('payments')).toBe('done')
  await on.content.changeSettings({ settings: [{ key: 'cancel_timeframe_value', value: 12 }] })
  expect((await steps()).steps.find(({ key }) => key === 'rules')?.summary).toBe('Cancelar hasta 12 h antes')
  expect((await s.as(manager).team.me()).onboarding).toEqual({ done: 9, total: 10 })
  await on.onboarding.update({ key: 'legal', skipped: true })
  expect(await stateOf('legal')).toBe('skipped')
  expect((await s.as(owner).team.me()).onboarding).toBeNull()
  await on.onboarding.update({ key: 'legal', skipped: false })
  expect(await steps()).toMatchObject({ done: 9, is_open: true })
})

test('a step keeps what was chosen, up to a limit (I2)', async () => {
  const draft = { cells: [{ day: 1, time: '07:00', type: 'Vinyasa', coach: 'Sofía' }] }
  const saved = await s.as(owner).onboarding.update({ key: 'schedule', draft })
  expect(saved.steps.find(({ key }) => key === 'schedule')?.draft).toEqual(draft)
  const cleared = await s.as(owner).onboarding.update({ key: 'schedule', draft: null })
  expect(cleared.steps.find(({ key }) => key === 'schedule')?.draft).toBeNull()
  expect(await codeOf(s.as(owner).onboarding.update({ key: 'schedule', draft: 'x'.repeat(40_000) }))).toBe('INVALID_INPUT')
})

describe('proposals (I3)', () => {
  test('every kind of studio has types, four packages and both legal pages that the ordinary calls accept', async () => {
    for (const giro of Object.keys(GIROS) as Giro[]) {
      const { class_types, class_packages, pages, settings } = await s.as(owner).onboarding.proposal({ giro, city: 'Puebla' })
      expect(class_types.filter(({ is_usual }) => is_usual).length).toBeGreaterThan(1)
      expect(class_packages.map(({ title }) => title)).toEqual(['Primera clase', 'Clase suelta', 'Paquete 10', 'Ilimitado mensual'])
      const [first, single, ten, unlimited] = class_packages.map(({ price }) => Number(price))
      expect([first, ten].every((price) => price && price > 0)).toBe(true)
      expect(first).toBeLessThan(single ?? 0)
      expect(ten).toBeLessThan(10 * (single ?? 0))
      expect(unlimited).toBeGreaterThan(single ?? 0)
      expect(pages.map(({ slug }) => slug)).toEqual(['aviso-de-privacidad', 'terminos-y-condiciones', 'reglamento'])
      await s.as(owner).content.changeSettings({ settings })
    }
  })
  test('the city gives the zone', () => {
    expect(zoneOfCity('Tijuana')).toBe('America/Tijuana')
    expect(zoneOfCity('Cancún, Q. Roo')).toBe('America/Cancun')
    expect(zoneOfCity('Ciudad Juárez')).toBe('America/Ciudad_Juarez')
    expect(zoneOfCity('Benito Juárez, CDMX')).toBe('America/Mexico_City')
    expect(zoneOfCity('Mérida')).toBe('America/Mexico_City')
  })
  test('names of the studio cannot write HTML into the legal texts', () => {
    const { pages } = makeProposal({
      giro: 'yoga',
      city: '<b>x',
      business_name: '<script>alert(1)</script>',
      legal_name: '<i>y</i>',
      address: '<u>z',
      email: '',
      cancel_hours: 6,
    })
    expect(pages.map(({ content }) => content).join()).not.toMatch(/<script|<b>|<i>|<u>/)
    expect(pages[1]?.content).toContain('6 horas')
  })
  test('the legal texts name who answers for the data, where, and the address to write to; what is given wins over what is stored', async () => {
    const on = s.as(owner)
    const stored = await on.onboarding.proposal({ giro: 'yoga', city: 'Puebla' })
    expect(stored.pages[0]?.content).toContain('Marea, con domicilio en Juárez 12, Puebla, México,')
    const business = { business_name: 'Otra', legal_name: 'Sofía Luna', address: 'Reforma 8, Puebla', email: 'hola@otra.mx' }
    const { pages, settings } = await on.onboarding.proposal({ giro: 'yoga', city: 'Puebla', ...business })
    expect(pages[0]?.content).toContain('Sofía Luna, con domicilio en Reforma 8, Puebla, México, es responsable')
    expect(pages[0]?.content).toContain('mailto:hola@otra.mx')
    expect(settings).toContainEqual({ key: 'about_title', value: 'Así es Otra' })
  })
})

test('removing the examples deletes only unchanged and unused ones (I4)', async () => {
  const on = s.as(owner)
  const make = async (title: string) =>
    (await on.studioPackages.create({ title, price: '100', class_amount: 1, expiration_days: 30 })).class_package.class_package_id
  const [untouched, changed] = [await make('Ejemplo A'), await make('Ejemplo B')]
  const type = async (name: string) => (await on.catalogue.admin.classTypes.create({ class_type_id: 'n', name })).class_type.class_type_id
  const [unused, used] = [await type('Hatha'), await type('Yin')]
  await s.make.class({ class_type_id: used, starts_at: new Date(s.clock.now().getTime() + 86_400_000) })
  const examples = [
    ...[untouched, changed].map((entity_id) => ({ entity: 'class_package' as const, entity_id })),
    ...[unused, used].map((entity_id) => ({ entity: 'class_type' as const, entity_id })),
  ]
  await on.onboarding.update({ key: 'packages', examples })
  await on.studioPackages.update({ class_package_id: changed, price: '150' })
  expect((await steps()).examples).toBe(3)
  expect((await on.onboarding.removeExamples({ dry_run: 'true' })).removed).toBe(3)
  const { removed, kept } = await on.onboarding.removeExamples({})
  expect(removed).toBe(2)
  expect(kept.map(({ entity_id }) => entity_id).sort()).toEqual([changed, used].sort())
  const titles = (await on.studioPackages.all({})).class_packages.map(({ title }) => title)
  expect(titles).toContain('Ejemplo B')
  expect(titles).not.toContain('Ejemplo A')
})

test('a record that was there before is no example (I4)', async () => {
  const { class_package } = await s.as(owner).studioPackages.create({ title: 'Viejo', price: '100', class_amount: 1, expiration_days: 30 })
  s.clock.advance({ minutes: 20 })
  const examples = [{ entity: 'class_package' as const, entity_id: class_package.class_package_id }]
  expect(await codeOf(s.as(owner).onboarding.update({ key: 'packages', examples }))).toBe('NOT_FOUND')
})

test('the test customer reserves, does not end the first steps, and is taken off with one call (I5)', async () => {
  const on = s.as(owner)
  const key = () => s.as(owner, randomUUID())
  const { customer_id } = await key().people.create({ name: 'Persona', last_name: 'de prueba', email: 'monica+prueba@ejemplo.mx' })
  await on.onboarding.update({ key: 'legal', examples: [{ entity: 'customer', entity_id: customer_id }] })
  const until = '2026-12-19'
  await key().credits.create({
    available_class_id: 'nuevo',
    customer_id,
    title: 'Prueba',
    available_classes: 1,
    expiration_date: until,
    reason: 'Para probar',
  })
  const { single_class_id } = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 2 * 86_400_000) })
  await key().attendance.reserve({ customer_id, single_class_id })
  expect(await steps()).toMatchObject({ test_customer_id: customer_id, is_open: true })
  const countTaken = async () =>
    (await s.sql<{ taken: number }>('select taken from single_class where single_class_id = $1', [single_class_id]))[0]
  expect(await countTaken()).toEqual({ taken: 1 })
  await on.onboarding.removeTestCustomer({ customer_id })
  expect(await countTaken()).toEqual({ taken: 0 })
  expect(await steps()).toMatchObject({ test_customer_id: null, has_reservations: false, is_open: true })
  expect(await codeOf(on.onboarding.removeTestCustomer({ customer_id }))).toBe('NOT_FOUND')
  expect(JSON.stringify(await on.people.list({}))).not.toContain('de prueba')
  const real = await s.make.customer()
  expect(await codeOf(on.onboarding.removeTestCustomer({ customer_id: real.customer_id }))).toBe('NOT_FOUND')
})

test('a studio with a reservation needs no first steps (I1)', async () => {
  const { customer_id } = await s.make.customer()
  const { single_class_id } = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 2 * 86_400_000) })
  await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
    single_class_id,
    customer_id,
  ])
  expect(await steps()).toMatchObject({ is_open: false, has_reservations: true })
  expect((await s.as(owner).team.me()).onboarding).toBeNull()
})
