/** The lists of sales as files (docs/domain.md V50): the rows, filters and rights of the screen. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
const ids = { here: 0, there: 0, online: 0 }
const at = { here: 0, there: 0 }
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  const payment_method_id = (await s.make.paymentMethod({ name: 'Terminal' })).payment_method_id
  const { class_package_id } = await s.make.package({ title: 'Paquete 10, mañanas', price_centavos: 145_050 })
  at.here = (await s.make.location()).location_id
  at.there = (await s.make.location()).location_id
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [desk.uid, at.here])
  const sell = async (name: string, location_id: number) => {
    const { customer_id } = await s.make.customer({ name, last_name: 'Paz' })
    return (await s.as(owner, randomUUID()).studioSales.giveAccess({ customer_id, class_package_id, location_id, payment_method_id }))
      .purchase.purchase_id
  }
  ids.here = await sell('=cmd', at.here)
  s.clock.advance({ minutes: 1 })
  ids.there = await sell('Zoe', at.there)
  s.clock.advance({ minutes: 1 })
  const monthly = await s.make.package({
    title: 'Membresía',
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const customer = await s.make.customer({ name: 'Éva', last_name: 'Paz' })
  ids.online = (
    await s.as(customer, randomUUID()).sales.attempt({ class_package_id: monthly.class_package_id, payment_method: 'tok_ok' })
  ).purchase_id
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: ids.here, amount: '50.50', reason: 'Pagó de más' })
})
afterAll(() => s.close())

const order = (id: number) => `#${String(id).padStart(6, '0')}`
async function rowsOf(file: File): Promise<string[]> {
  const text = await file.text()
  return text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
}

test('purchases in the order of the screen, amounts as numbers, and names that are no formulas', async () => {
  const file = await s.as(owner).listExports.purchases({ sort: 'created' })
  expect([file.name, file.type]).toEqual(['compras-2026-11-19.csv', 'text/csv;charset=utf-8'])
  const [head, first, ...others] = await rowsOf(file)
  expect(head).toBe('Orden,Cliente,Correo,Teléfono,Paquete,Código,Método,Fecha,Fecha (ISO),Precio,Descuento,Total,Devuelto,Estado')
  expect(first).toContain(`${order(ids.here)},'=cmd Paz,`)
  expect(first).toContain('"Paquete 10, mañanas"')
  expect(first).toContain('2026-11-19T16:00:00.000Z,1450.50,0.00,1450.50,50.50,Completada')
  expect(others.map((row) => row.slice(0, 7))).toEqual([order(ids.there), order(ids.online)])
})

test('has exactly what the list shows with the same filter, of the caller’s locations only (E14)', async () => {
  const { listExports } = s.as(desk)
  const orders = async (call: Promise<File>) => (await rowsOf(await call)).slice(1).map((row) => row.slice(0, 7))
  expect(await orders(listExports.purchases({}))).toEqual([order(ids.online), order(ids.here)])
  expect(await orders(listExports.purchases({ query: 'cmd' }))).toEqual([order(ids.here)])
  expect(await orders(listExports.purchases({ status: ['failed'] }))).toEqual([])
  expect(await orders(listExports.invoices({}))).toEqual([order(ids.online), order(ids.here)])
  expect(await orders(listExports.refunds({}))).toEqual([order(ids.here)])
  expect(await orders(listExports.subscriptions({}))).toEqual([order(ids.online)])
  expect(await orders(listExports.subscriptions({ state: 'paused' }))).toEqual([])
  for (const call of [listExports.purchases, listExports.invoices, listExports.refunds, listExports.subscriptions])
    expect(await refusalOf(call({ location_id: at.there }))).toMatchObject({ code: 'FORBIDDEN', data: { location_id: at.there } })
})

test('for Excel is a file that Excel opens', async () => {
  const file = await s.as(owner).listExports.invoices({ format: 'xlsx' })
  expect(file.name).toBe('cargos-2026-11-19.xlsx')
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 2)).toBe('PK')
})
