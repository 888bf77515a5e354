/** GET /admin/search: what each person finds, by right and location, and what was typed (docs/domain.md Z1 to Z4). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
const locations = { norte: 0, sur: 0 }
let coach: Person
let instructor_id: number
const cls = { norte: 0, sur: 0, taught: 0 }
beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true, cash_session_required: false } })
  owner = await s.make.staff('owner')
  locations.norte = (await s.make.location({ name: 'Roma Norte' })).location_id
  locations.sur = (await s.make.location({ name: 'Coyoacán' })).location_id
  instructor_id = (await s.make.instructor()).instructor_id
  coach = await s.make.staff('coach', { instructor_id })
  const { class_type_id } = await s.make.classType({ name: 'Barré Fluido' })
  const in3 = (hours: number) => new Date(s.clock.now().getTime() + (48 + hours) * 3_600_000)
  cls.norte = (await s.make.class({ class_type_id, location_id: locations.norte, starts_at: in3(1) })).single_class_id
  cls.sur = (await s.make.class({ class_type_id, location_id: locations.sur, starts_at: in3(2) })).single_class_id
  cls.taught = (await s.make.class({ class_type_id, location_id: locations.sur, starts_at: in3(3), instructor_id })).single_class_id
})
afterAll(() => s.close())

const find = (person: Person, query: string) => s.as(person).search.find({ query })
const worksOnlyAt = (person: Person, location_id: number) =>
  s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
const without = (person: Person, right: string) =>
  s.sql('insert into staff_right select staff_id, $2, false from staff where uid = $1', [person.uid, right])

describe('customers (Z2)', () => {
  test('customers are found by name without accents, telephone and e-mail, who was just added too; the name that begins so comes first', async () => {
    const last = await s.make.customer({ name: 'Ana', last_name: 'Zyanya', phone: '5587650001' })
    const first = await s.make.customer({ name: 'Zyanya', last_name: 'Ríos', phone: '5587650002' })
    const ids = async (query: string) => (await find(owner, query)).customers.map((customer) => customer.customer_id)
    expect(await ids('zyan')).toEqual([first.customer_id, last.customer_id])
    expect(await ids('rios zyanya')).toEqual([first.customer_id])
    expect(await ids('8765 0001')).toEqual([last.customer_id])
    expect(await ids(first.email)).toEqual([first.customer_id])
  })

  test('found customers are six at most, and none for one character', async () => {
    for (let n = 0; n < 8; n++) await s.make.customer({ name: 'Quetzalli', last_name: `Pérez ${n}` })
    expect((await find(owner, 'quetz')).customers).toHaveLength(6)
    expect((await find(owner, 'q')).customers).toEqual([])
  })

  test('the search for customers is not for a coach, nor for callers without customers.read', async () => {
    await s.make.customer({ name: 'Xóchitl', last_name: 'Luna' })
    const desk = await s.make.staff('reception')
    expect((await find(desk, 'xochitl')).customers).toHaveLength(1)
    expect((await find(coach, 'xochitl')).customers).toEqual([])
    const other = await s.make.staff('reception')
    await without(other, 'customers.read')
    expect((await find(other, 'xochitl')).customers).toEqual([])
  })

  test('a deleted customer is not found', async () => {
    const deletedCustomer = await s.make.customer({ name: 'Yaretzi', last_name: 'Sol' })
    expect((await find(owner, 'yaretzi')).customers).toHaveLength(1)
    await s.sql('update customer set "deletedAt" = now() where customer_id = $1', [deletedCustomer.customer_id])
    expect((await find(owner, 'yaretzi')).customers).toEqual([])
  })
})

describe('classes (Z3)', () => {
  const ids = async (person: Person, query: string) => (await find(person, query)).classes.map((cls) => cls.single_class_id)

  test('classes are found by type and location, the next one first', async () => {
    expect(await ids(owner, 'barre')).toEqual([cls.norte, cls.sur, cls.taught])
    expect(await ids(owner, 'barre coyoacan')).toEqual([cls.sur, cls.taught])
    expect((await find(owner, 'barre roma')).classes[0]).toMatchObject({ name: 'Barré Fluido', location: 'Roma Norte', cancelled: false })
  })

  test('elsewhere are not found by staff of one location', async () => {
    const desk = await s.make.staff('reception')
    await worksOnlyAt(desk, locations.norte)
    expect(await ids(desk, 'barre')).toEqual([cls.norte])
  })

  test('of others are not found by a coach, nor the own ones where the coach no longer works', async () => {
    expect(await ids(coach, 'barre')).toEqual([cls.taught])
    const moved = await s.make.staff('coach', { instructor_id })
    await worksOnlyAt(moved, locations.norte)
    expect(await ids(moved, 'barre')).toEqual([])
    const none = await s.make.staff('coach')
    expect(await ids(none, 'barre')).toEqual([])
  })
})

describe('purchases (Z4)', () => {
  test('purchases are found by number, where the person works and online, with sales.sell only', async () => {
    const cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
    const customer = await s.make.customer({ name: 'Lucía', last_name: 'Paz' })
    const { class_package_id } = await s.make.package({ title: 'Paquete 10', price_centavos: 179_000 })
    const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
      customer_id: customer.customer_id,
      location_id: locations.sur,
      lines: [{ kind: 'package', class_package_id }],
      shown: { total: '1790' },
      payments: [{ payment_method_id: cash, amount: '1790' }],
    })
    const sur = sale.lines[0]?.purchase_id ?? 0
    const online = (await s.as(await s.make.customer(), randomUUID()).sales.checkout({ class_package_id, payment_method_id: cash }))
      .purchase_id
    const ids = async (person: Person, query: string) => (await find(person, query)).purchases.map((purchase) => purchase.purchase_id)
    for (const query of [`#00${sur}`, `#${sur}`, String(sur)]) expect(await ids(owner, query)).toEqual([sur])
    expect((await find(owner, `#${sur}`)).purchases[0]).toMatchObject({
      title: 'Paquete 10',
      customer: 'Lucía Paz',
      total: '1790.00',
      status: 'completed',
    })
    const desk = await s.make.staff('reception')
    await worksOnlyAt(desk, locations.norte)
    expect([await ids(desk, `#${sur}`), await ids(desk, `#${online}`)]).toEqual([[], [online]])
    expect(await ids(coach, `#${online}`)).toEqual([])
    expect(await ids(owner, '#999999999')).toEqual([])
  })
})

test('hostile text finds nothing and fails nothing; what is too long or empty is refused (Z1)', async () => {
  const nothing = { customers: [], classes: [], purchases: [], settings: [] }
  for (const query of [
    "'; drop table customer; --",
    '%%',
    '__',
    '\\\\',
    '#99999999999999999999',
    '<b>hola</b>',
    '日本語',
    '🧘🏽‍♀️🧘🏽‍♀️',
    ') (',
  ])
    expect(await find(owner, query), query).toEqual(nothing)
  for (const query of ['', '   ', 'x'.repeat(101), 'a\u0000b']) expect(await codeOf(find(owner, query)), query).toBe('INVALID_INPUT')
  expect(await codeOf(find(await s.make.customer(), 'hola'))).toBe('FORBIDDEN')
})

test('settings are found by their words, by who may change them (Z8)', async () => {
  const keys = async (person: Person, query: string) => (await find(person, query)).settings.map(({ key }) => key)
  expect(await keys(owner, 'límite cancelar')).toEqual(expect.arrayContaining(['cancel_timeframe_value', 'cancel_timeframe_unit']))
  expect((await find(owner, 'lista de espera')).settings[0]).toMatchObject({
    key: 'waitlist_enabled',
    area: 'espera',
    group: 'Lista de espera',
  })
  expect(await keys(owner, 'la')).toEqual([])
  expect(await keys(await s.make.staff('reception'), 'lista de espera')).toEqual([])
})
