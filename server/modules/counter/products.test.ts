/** Products and sales without a customer (docs/domain.md S6, I1 to I3). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let elsewhere: number
let cash: number
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location()).location_id
  elsewhere = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
})
afterAll(() => s.close())

const managed = () => s.as(owner, randomUUID()).products
const water = async (quantity: number | null = 5) =>
  (
    await managed().create({
      name: `Agua ${randomUUID()}`,
      price: '25.50',
      stock: quantity === null ? [] : [{ location_id, quantity }],
    })
  ).product
type Basket = Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]
const sell = (lines: Basket['lines'], total: string, more: Partial<Basket> = {}) =>
  s.as(desk, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines,
    shown: { total },
    payments: [{ payment_method_id: cash, amount: total }],
    ...more,
  })
const pieces = async (product_id: number, at = location_id) =>
  (await s.sql<{ quantity: number }>('select quantity from product_stock where product_id = $1 and location_id = $2', [product_id, at]))[0]
    ?.quantity ?? null

describe('a correction of pieces (I2)', () => {
  test('adds, takes away or states what was counted, with its reason, never below none', async () => {
    const { product_id } = await water(5)
    const correct = (more: object) =>
      s.as(owner, randomUUID()).products.correct({ product_id, location_id, reason: 'Se rompieron', ...more })
    expect((await correct({ change: -2 })).product.stock).toEqual([{ location_id, quantity: 3 }])
    await correct({ change: 12 })
    expect(await pieces(product_id)).toBe(15)
    expect(await refusalOf(correct({ change: -16 }))).toMatchObject({ code: 'PRODUCT_SOLD_OUT', data: { left: 15 } })
    await correct({ counted: 14 })
    expect(await pieces(product_id)).toBe(14)
    const trail = await s.sql(
      `select reason, before->>'quantity' as was, after->>'quantity' as is from audit where action = 'product.stock' and entity_id = $1 order by audit_id`,
      [String(product_id)],
    )
    expect(trail).toEqual([
      { reason: 'Se rompieron', was: '5', is: '3' },
      { reason: 'Se rompieron', was: '3', is: '15' },
      { reason: 'Se rompieron', was: '15', is: '14' },
    ])
  })

  test('a first count starts the stock of an uncounted product; each request applies once, and needs a change or a count', async () => {
    const { product_id } = await water(null)
    const key = randomUUID()
    const correct = (more: object, with_key: string = randomUUID()) =>
      s.as(owner, with_key).products.correct({ product_id, location_id, reason: 'Inventario', ...more })
    expect(await codeOf(correct({ change: 3 }))).toBe('NOT_FOUND')
    expect(await codeOf(correct({}))).toBe('INVALID_INPUT')
    expect(await codeOf(correct({ change: 1, counted: 1 }))).toBe('INVALID_INPUT')
    await correct({ counted: 4 })
    await correct({ change: 2 }, key)
    await correct({ change: 2 }, key)
    expect(await pieces(product_id)).toBe(6)
  })
})

describe('products (I1)', () => {
  test('products have a name of their own, a price, a tax rate and pieces by location; archived ones are not sold, and their name is free', async () => {
    const rows = await water()
    expect(rows).toMatchObject({ price: '25.50', tax_rate: null, archived: false, stock: [{ location_id, quantity: 5 }] })
    const { product_id, name } = rows
    expect(await codeOf(managed().create({ name: name.toUpperCase(), price: '1' }))).toBe('ALREADY_EXISTS')
    const changed = await managed().update({ product_id, price: '30', tax_rate: 0, stock: [{ location_id: elsewhere, quantity: 2 }] })
    expect(changed.product).toMatchObject({
      name,
      price: '30.00',
      tax_rate: 0,
      stock: [
        { location_id, quantity: 5 },
        { location_id: elsewhere, quantity: 2 },
      ],
    })
    await managed().update({ product_id, archived: true, stock: [{ location_id: elsewhere, quantity: null }] })
    expect((await s.as(desk).products.list({})).products.some((product) => product.product_id === product_id)).toBe(false)
    expect(
      (await s.as(desk).products.list({ archived: true })).products.find((product) => product.product_id === product_id),
    ).toMatchObject({
      archived: true,
      stock: [{ location_id, quantity: 5 }],
    })
    expect(await codeOf(sell([{ kind: 'product', product_id }], '30'))).toBe('NOT_FOUND')
    await managed().create({ name, price: '1' })
    expect(await codeOf(managed().update({ product_id, archived: false }))).toBe('ALREADY_EXISTS')
    expect(await codeOf(managed().update({ product_id: 987_654, price: '1' }))).toBe('NOT_FOUND')
    expect(await codeOf(managed().create({ name: 'X', price: '1', stock: [{ location_id: 987_654, quantity: 1 }] }))).toBe('NOT_FOUND')
  })

  test('products are counted only at the locations of who asks, who cannot change the others', async () => {
    const there = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [there.uid, elsewhere])
    const { product_id } = await water()
    expect((await s.as(there).products.list({})).products.find((product) => product.product_id === product_id)?.stock).toEqual([])
    const change = { product_id, stock: [{ location_id, quantity: 0 }] }
    expect(await refusalOf(s.as(there, randomUUID()).products.update(change))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await pieces(product_id)).toBe(5)
  })
})

describe('the stock (I2, I3)', () => {
  test('the stock is lowered in the transaction of the sale, and a basket with too many pieces sells nothing', async () => {
    const [first, other, uncounted] = [await water(3), await water(1), await water(null)]
    const lines = (quantity: number) => [
      { kind: 'product' as const, product_id: first.product_id, quantity: 2 },
      { kind: 'product' as const, product_id: other.product_id, quantity },
      { kind: 'product' as const, product_id: uncounted.product_id, quantity: 40 },
    ]
    const refused = await refusalOf(sell(lines(2), '1122'))
    expect(refused).toMatchObject({ code: 'PRODUCT_SOLD_OUT', data: { product_id: other.product_id, left: 1 } })
    expect(await pieces(first.product_id)).toBe(3)
    expect((await sell(lines(1), '1096.50', { dry_run: true })).sale.total).toBe('1096.50')
    expect(await pieces(first.product_id)).toBe(3)
    const { sale } = await sell(lines(1), '1096.50')
    expect(sale.lines.map(({ kind, title, quantity, total }) => ({ kind, title, quantity, total }))).toEqual([
      { kind: 'product', title: first.name, quantity: 2, total: '51.00' },
      { kind: 'product', title: other.name, quantity: 1, total: '25.50' },
      { kind: 'product', title: uncounted.name, quantity: 40, total: '1020.00' },
    ])
    expect([await pieces(first.product_id), await pieces(other.product_id), await pieces(uncounted.product_id)]).toEqual([1, 0, null])
  })

  test('comes back with a refund that says so, at most once for each piece', async () => {
    const { product_id } = await water(3)
    const { sale } = await sell([{ kind: 'product', product_id, quantity: 2 }], '51')
    const purchase_id = sale.lines[0]?.purchase_id ?? 0
    const refund = (restock: number, amount?: string) =>
      s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Cerrada', restock, ...(amount ? { amount } : {}) })
    expect(await refusalOf(refund(3))).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'restock' } })
    await refund(0, '10')
    expect(await pieces(product_id)).toBe(1)
    await refund(1, '10')
    expect(await pieces(product_id)).toBe(2)
    expect(await codeOf(refund(2))).toBe('INVALID_INPUT')
    await refund(1)
    expect(await pieces(product_id)).toBe(3)
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('a product has the tax rate of its own or of the studio', async () => {
    const [first, other] = [await water(), await water()]
    await managed().update({ product_id: other.product_id, tax_rate: 0 })
    const lines = [first, other].map(({ product_id }) => ({ kind: 'product' as const, product_id }))
    const { sale } = await sell(lines, '51')
    expect(sale).toMatchObject({ iva: '3.52', lines: [{ tax: { rate: 16, amount: '3.52' } }, { tax: { rate: 0, amount: '0.00' } }] })
  })
})

describe('a sale without a customer (S6)', () => {
  test('a sale without a customer has no customer, sends nothing, and is refunded like any other', async () => {
    const { sale, purchases } = await sell([{ kind: 'other', title: 'Toalla', amount: '90' }], '90')
    expect(sale.customer).toBe(null)
    const [purchase] = purchases
    expect(purchase?.customer).toMatchObject({ name: 'Público', last_name: 'en general', has_file: false })
    const jobs = await s.sql("select 1 from jobs.job where name = 'sales.receipt' and data->>'purchase_id' = $1", [
      String(purchase?.purchase_id),
    ])
    expect(jobs).toEqual([])
    expect((await s.as(desk).counterSales.one({ sale_id: sale.sale_id ?? 0 })).sale.customer).toBe(null)
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: purchase?.purchase_id ?? 0, reason: 'Prueba' })
    await reconcile(s.system())
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('a sale without a customer is no customer of any list or search', async () => {
    await sell([{ kind: 'other', title: 'Toalla', amount: '90' }], '90')
    const search = { query: 'Público' }
    expect((await s.as(owner).people.query(search)).customers).toEqual([])
    expect((await s.as(owner).customerList.list(search)).total).toBe(0)
  })

  test('owes nothing, and has no packages and no places', async () => {
    const { class_package_id } = await s.make.package()
    const { single_class_id } = await s.make.class({ location_id })
    expect(await codeOf(sell([{ kind: 'package', class_package_id }], '100'))).toBe('CUSTOMER_REQUIRED')
    expect(await codeOf(sell([{ kind: 'class', single_class_id }], '100'))).toBe('CUSTOMER_REQUIRED')
    const owe = { until: '2099-01-01', reason: 'Paga luego' }
    expect(await codeOf(sell([{ kind: 'other', title: 'Toalla', amount: '90' }], '90', { payments: [], owe }))).toBe('CUSTOMER_REQUIRED')
  })
})
