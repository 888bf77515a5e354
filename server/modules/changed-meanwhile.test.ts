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

/** Changes the record; three minutes later a change from the version before is refused, and one from the stored version is saved. */
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

test('a class type, a coach and a location that were changed meanwhile are not overwritten', async () => {
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

test('a package, a discount, a product, an announcement and a form that were changed meanwhile are not overwritten', async () => {
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

test('the data of a customer that were changed meanwhile are not overwritten', async () => {
  const { customer_id } = await s.make.customer({ name: 'Ana' })
  const find = async () => (await s.as(owner).people.find({ customer_id })).customer
  await refusesOlder(
    await find(),
    async (person, input, n) => (await s.as(person).people.update({ customer_id, name: `Ana ${'abcde'[n]}`, ...input })).customer,
    async () => (await find()).name,
  )
})

test('a category, a tag, a payment method, a room and its map that were changed meanwhile are not overwritten', async () => {
  const admin = (person: Person) => s.as(person).catalogue.admin
  const { class_category } = await admin(owner).classCategories.create({ name: 'Fuerza' })
  const { tag } = await admin(owner).tags.create({ name: 'VIP', type: 'customer' })
  const { payment_method } = await admin(owner).paymentMethods.create({ name: 'Vales' })
  const { class_category_id } = class_category
  await refusesOlder(
    class_category,
    async (person, input, n) =>
      (await admin(person).classCategories.update({ class_category_id, name: `Fuerza ${n}`, ...input })).class_category,
    async () => (await admin(owner).classCategories.all()).class_categories.map(({ name }) => name),
  )
  const { tag_id } = tag
  await refusesOlder(
    tag,
    async (person, input, n) => (await admin(person).tags.update({ tag_id, name: `VIP ${n}`, ...input })).tag,
    async () => (await admin(owner).tags.all()).tags.map(({ name }) => name),
  )
  const { payment_method_id } = payment_method
  await refusesOlder(
    payment_method,
    async (person, input, n) =>
      (await admin(person).paymentMethods.update({ payment_method_id, name: `Vales ${n}`, ...input })).payment_method,
    async () => (await admin(owner).paymentMethods.all()).payment_methods.map(({ name }) => name),
  )
  const { location_id } = await s.make.location()
  const rooms = (person: Person) => s.as(person).rooms
  const { room } = await rooms(owner).create({ location_id, name: 'Sala' })
  const { room_id } = room
  const find = async () => (await rooms(owner).all()).rooms.find((row) => row.room_id === room_id)
  await refusesOlder(
    room,
    async (person, input, n) => (await rooms(person).update({ room_id, name: `Sala ${n}`, ...input })).room,
    async () => (await find())?.name,
  )
  const stored = await find()
  if (!stored) throw new Error('The room is missing.')
  await refusesOlder(
    stored,
    (person, input, n) =>
      rooms(person).saveMap({ room_id, map: { rows: [{ label: 'A', seats: [{ label: String(n), kind: 'normal' }] }] }, ...input }),
    async () => (await find())?.map,
  )
})

test('a type of video, a program, a video, a pay rule and a segment', async () => {
  const videos = (person: Person) => s.as(person).videos.admin
  const { video_type } = await videos(owner).videoTypes.create({ name: 'Yoga' })
  const { program } = await videos(owner).programs.create({ name: 'Reto' })
  const { video } = await videos(owner).videos.create({ name: 'Uno', duration: 60, url: 'https://vimeo.com/123456' })
  const { pay_rule } = await s.as(owner).payRules.create({ from_day: '2026-01-01', base: '100' })
  const { segment } = await s.as(owner).segments.create({ name: 'Deben', filter: { owes: true } })
  const { video_type_id } = video_type
  await refusesOlder(
    video_type,
    async (person, input, n) => (await videos(person).videoTypes.update({ video_type_id, name: `Yoga ${n}`, ...input })).video_type,
    async () => (await videos(owner).videoTypes.all()).video_types.map(({ name }) => name),
  )
  const { program_id } = program
  await refusesOlder(
    program,
    async (person, input, n) => (await videos(person).programs.update({ program_id, name: `Reto ${n}`, ...input })).program,
    async () => (await videos(owner).programs.all()).programs.map(({ name }) => name),
  )
  const { video_id } = video
  await refusesOlder(
    video,
    async (person, input, n) => (await videos(person).videos.update({ video_id, name: `Uno ${n}`, ...input })).video,
    async () => (await videos(owner).videos.one({ video_id })).video.name,
  )
  const { pay_rule_id } = pay_rule
  await refusesOlder(
    pay_rule,
    async (person, input, n) => (await s.as(person).payRules.update({ pay_rule_id, base: `10${n}`, ...input })).pay_rule,
    async () => (await s.as(owner).payRules.all()).pay_rules.map(({ base }) => base),
  )
  const { segment_id } = segment
  await refusesOlder(
    segment,
    async (person, input, n) => (await s.as(person).segments.update({ segment_id, name: `Deben ${n}`, ...input })).segment,
    async () => (await s.as(owner).segments.all()).segments.map(({ name }) => name),
  )
})

test('a holiday, an absence, a note, an automation and a custom field that were changed meanwhile are not overwritten', async () => {
  const as = (person: Person) => s.as(person)
  const day = { from: '2027-05-01', to: '2027-05-01' }
  const [holiday] = (await as(owner).holidays.add({ holidays: [{ name: 'Trabajo', ...day }] })).holidays
  if (!holiday) throw new Error('The holiday is missing.')
  const { holiday_id } = holiday
  await refusesOlder(
    holiday,
    async (person, input, n) => (await as(person).holidays.update({ holiday_id, name: `Trabajo ${n}`, ...day, ...input })).holiday,
    async () => (await as(owner).holidays.list({ year: 2027 })).holidays.map(({ name }) => name),
  )
  const { instructor_id } = await s.make.instructor()
  const { absence } = await as(owner).instructorAbsences.add({ instructor_id, ...day })
  const { instructor_absence_id } = absence
  await refusesOlder(
    absence,
    async (person, input, n) =>
      (await as(person).instructorAbsences.update({ instructor_absence_id, ...day, reason: `Viaje ${n}`, ...input })).absence,
    async () => (await as(owner).instructorAbsences.list()).absences.map(({ reason }) => reason),
  )
  const { customer_id } = await s.make.customer()
  const { note } = await as(owner).customerFile.addNote({ customer_id, text: 'Prefiere la mañana' })
  const { customer_note_id } = note
  // Entries about the customer that are newer than the note's do not name who changed the note.
  await as(owner).customerFile.addNote({ customer_id, text: 'Otra' })
  await refusesOlder(
    note,
    async (person, input, n) =>
      (await as(person).customerFile.changeNote({ customer_id, customer_note_id, text: `Prefiere la tarde ${n}`, ...input })).note,
    async () => (await as(owner).customerFile.one({ customer_id })).notes.map(({ text }) => text),
  )
  const broadcast = { customer_state: 'lost', channels: ['app'], subject: 'Vuelve', text: 'Te esperamos.' } as const
  const { automation } = await as(owner).automations.create({ ...broadcast, channels: [...broadcast.channels] })
  const { automation_id } = automation
  await refusesOlder(
    automation,
    async (person, input, n) => (await as(person).automations.update({ automation_id, subject: `Vuelve ${n}`, ...input })).automation,
    async () => (await as(owner).automations.all()).automations.map(({ subject }) => subject),
  )
  const fields = (person: Person) => as(person).forms.admin.customFields
  const { custom_field } = await fields(owner).create({ object: 'mascota', key: 'nombre', type: 'text' })
  const { custom_field_id } = custom_field
  await refusesOlder(
    custom_field,
    async (person, input, n) => (await fields(person).update({ custom_field_id, label: `Nombre ${n}`, ...input })).custom_field,
    async () => (await fields(owner).all()).custom_fields.map(({ label }) => label),
  )
})

test('a key of the API and a webhook that were changed meanwhile are not overwritten', async () => {
  const { api_key } = await s.as(owner).apiKeys.create({ name: 'Contabilidad', rights: ['customers.read'] })
  const { api_key_id } = api_key
  await refusesOlder(
    api_key,
    async (person, input, n) => (await s.as(person).apiKeys.update({ api_key_id, name: `Contabilidad ${n}`, ...input })).api_key,
    async () => (await s.as(owner).apiKeys.list()).api_keys.map(({ name }) => name),
  )
  const { webhook } = await s.as(owner).webhooks.create({ url: 'https://ejemplo.mx/avisos', event_types: ['customer.created'] })
  const { webhook_endpoint_id } = webhook
  await refusesOlder(
    webhook,
    async (person, input, n) => (await s.as(person).webhooks.update({ webhook_endpoint_id, description: `Avisos ${n}`, ...input })).webhook,
    async () => (await s.as(owner).webhooks.list()).webhooks.map(({ description }) => description),
  )
})

test('a change of nothing makes no version: it is not recorded and refuses no later one', async () => {
  const { class_category_id } = (await s.as(owner).catalogue.admin.classCategories.create({ name: 'Calma' })).class_category
  const { class_package_id } = await s.make.package({ title: 'Ocho' })
  const { discount_id } = (await s.as(owner).discounts.create({ code: 'IGUAL', amount: '10', is_percent: true })).discount
  const { product_id } = (await s.as(owner).products.create({ name: 'Toalla', price: '30' })).product
  const changes = {
    class_category: async (name: string) =>
      (await s.as(owner).catalogue.admin.classCategories.update({ class_category_id, name })).class_category.updatedAt,
    class_package: async (title: string) => (await s.as(owner).studioPackages.update({ class_package_id, title })).class_package.updatedAt,
    discount: async (code: string) => (await s.as(owner).discounts.update({ discount_id, code })).discount.updatedAt,
    product: async (name: string) => (await s.as(owner).products.update({ product_id, name })).product.updatedAt,
  }
  const ids: Readonly<Record<string, number>> = {
    class_category: class_category_id,
    class_package: class_package_id,
    discount: discount_id,
    product: product_id,
  }
  for (const [entity, change] of Object.entries(changes)) {
    const entries = async () =>
      (await s.sql('select 1 from audit where action = $1 and entity_id = $2', [`${entity}.change`, String(ids[entity])])).length
    const first = await change('NUEVO')
    s.clock.advance({ minutes: 1 })
    expect([entity, await change('NUEVO'), await entries()]).toEqual([entity, first, 1])
    expect(await change('OTRO')).not.toBe(first)
  }
})

test('a member’s choices on their screens make no version of their rights', async () => {
  const luz = await s.make.staff('reception', { name: 'Luz' })
  const find = async () => (await s.as(owner).team.list()).staff.find(({ email }) => email === luz.email)
  const stored = await find()
  if (!stored) throw new Error('The member is missing.')
  const { staff_id } = stored
  await refusesOlder(
    stored,
    async (person, input, n) => (await s.as(person).team.update({ staff_id, name: `Luz ${n}`, ...input })).staff_member,
    async () => (await find())?.name,
  )
  const changed = await find()
  s.clock.advance({ minutes: 1 })
  await s.as(luz).team.updateMe({ preferences: { atajos: true } })
  expect((await find())?.updatedAt).toBe(changed?.updatedAt)
})
