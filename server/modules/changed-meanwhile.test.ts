/** A change that was made from an older version of a record is refused with who changed it and when; nothing is written (K19). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let diego: Person
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true } })
  owner = await s.make.staff('owner')
  diego = await s.make.staff('owner', { name: 'Diego Luna' })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

type Stored = { updatedAt: string }
type Change = { if_updatedAt?: string | null }

/** Somebody changes the record; three minutes later a change from the version before is refused, and one from the stored version is saved. */
async function refusesOlder(
  before: Stored,
  change: (person: Person, input: Change, n: number) => Promise<Stored>,
  nameOf: () => Promise<unknown>,
): Promise<void> {
  s.clock.advance({ minutes: 1 })
  const theirs = await change(diego, { if_updatedAt: before.updatedAt }, 1)
  expect(theirs.updatedAt).not.toBe(before.updatedAt)
  s.clock.advance({ minutes: 3 })
  const stored = await nameOf()
  const refused = await refusalOf(change(owner, { if_updatedAt: before.updatedAt }, 2))
  expect(refused).toMatchObject({ code: 'CHANGED_MEANWHILE', data: { by: 'Diego Luna' } })
  expect(refused.message).toBe('Diego Luna cambió esto hace 3 min. Revisa cómo quedó y vuelve a guardar.')
  expect(await nameOf()).toEqual(stored)
  await change(owner, { if_updatedAt: theirs.updatedAt }, 3)
  expect(await nameOf()).not.toEqual(stored)
  // Without a version nothing is checked, as for every other caller of the API.
  await change(owner, {}, 4)
}

test('a class type, a coach and a location', async () => {
  const { class_type_id } = await s.make.classType()
  const { instructor_id } = await s.make.instructor()
  const { location_id } = await s.make.location()
  const admin = (person: Person) => s.as(person).catalogue.admin
  const rows = {
    type: async () => (await admin(owner).classTypes.all()).class_types.find((row) => row.class_type_id === class_type_id),
    coach: async () => (await admin(owner).instructors.all()).instructors.find((row) => row.instructor_id === instructor_id),
    location: async () => (await admin(owner).locations.all()).locations.find((row) => row.location_id === location_id),
  }
  const [type, coach, location] = await Promise.all([rows.type(), rows.coach(), rows.location()])
  if (!type || !coach || !location) throw new Error('A record is missing.')
  await refusesOlder(
    type,
    async (person, input, n) => (await admin(person).classTypes.update({ class_type_id, name: `Barre ${n}`, ...input })).class_type,
    async () => (await rows.type())?.name,
  )
  await refusesOlder(
    coach,
    async (person, input, n) => (await admin(person).instructors.update({ instructor_id, name: `Sofía ${n}`, ...input })).instructor,
    async () => (await rows.coach())?.name,
  )
  await refusesOlder(
    location,
    async (person, input, n) => (await admin(person).locations.update({ location_id, name: `Centro ${n}`, ...input })).location,
    async () => (await rows.location())?.name,
  )
})

test('a package, a discount, a product, an announcement and a form', async () => {
  const as = (person: Person) => s.as(person)
  const { class_package_id } = await s.make.package({ title: 'Diez' })
  const find = async () => (await as(owner).studioPackages.all({})).class_packages.find((row) => row.class_package_id === class_package_id)
  const found = await find()
  if (!found) throw new Error('The package is missing.')
  await refusesOlder(
    found,
    async (person, input, n) => (await as(person).studioPackages.update({ class_package_id, title: `Diez ${n}`, ...input })).class_package,
    async () => (await find())?.title,
  )
  const { discount } = await as(owner).discounts.create({ code: 'VERANO', amount: '10', is_percent: true })
  const { discount_id } = discount
  await refusesOlder(
    discount,
    async (person, input, n) => (await as(person).discounts.update({ discount_id, code: `VERANO${n}`, ...input })).discount,
    async () => (await as(owner).discounts.one({ discount_id })).discount.code,
  )
  const { product } = await as(owner).products.create({ name: 'Agua', price: '25' })
  const { product_id } = product
  await refusesOlder(
    product,
    async (person, input, n) => (await as(person).products.update({ product_id, name: `Agua ${n}`, ...input })).product,
    async () => (await as(owner).products.list({})).products.map(({ name }) => name),
  )
  const announcements = (person: Person) => as(person).content.admin.announcements
  const { announcement } = await announcements(owner).create({ title: 'Abrimos', content: '<p>Mañana</p>' })
  const { announcement_id } = announcement
  await refusesOlder(
    announcement,
    async (person, input, n) => (await announcements(person).update({ announcement_id, title: `Abrimos ${n}`, ...input })).announcement,
    async () => (await announcements(owner).all()).announcements.map(({ title }) => title),
  )
  const forms = (person: Person) => as(person).forms.admin.forms
  const { form } = await forms(owner).create({ name: 'Salud', form_fields: [] })
  const { form_id } = form
  await refusesOlder(
    form,
    async (person, input, n) => (await forms(person).update({ form_id, name: `Salud ${n}`, ...input })).form,
    async () => (await forms(owner).all()).forms.map(({ name }) => name),
  )
})

test('the data of a customer', async () => {
  const { customer_id } = await s.make.customer({ name: 'Ana' })
  const find = async () => (await s.as(owner).people.find({ customer_id })).customer
  await refusesOlder(
    await find(),
    async (person, input, n) => (await s.as(person).people.update({ customer_id, name: `Ana ${'abcde'[n]}`, ...input })).customer,
    async () => (await find()).name,
  )
})
