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
  expect(first).toContain('2026-11-19T10:00:00,1450.50,0.00,1450.50,50.50,Completada')
  expect(others.map((row) => row.slice(0, 7))).toEqual([order(ids.there), order(ids.online)])
})

test('the export of sales has exactly what the list shows with the same filter, of the caller’s locations only (E14)', async () => {
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

test('gift cards and cash sessions as on their screens, without codes, and what is counted blind stays hidden', async () => {
  await s.sql(`insert into staff_right select staff_id, 'customers.read', false from staff where uid = $1 on conflict do nothing`, [
    desk.uid,
  ])
  const cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  const { cash_session } = await s.as(owner, randomUUID()).cashSessions.open({ location_id: at.here, opening: '500' })
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id: at.here,
    lines: [{ kind: 'gift_card', amount: '250.50' }],
    shown: { total: '250.50' },
    payments: [{ payment_method_id: cash, amount: '250.50' }],
  })
  const { code = '' } = sale.lines[0]?.gift_card ?? {}
  expect(code).not.toBe('')
  const cards = await rowsOf(await s.as(owner).listExports.giftCards({ state: 'live' }))
  expect(cards[0]).toBe('Tarjeta,La compró,Para quién,Enviada,Enviada (ISO),Fecha,Fecha (ISO),Valor,Saldo')
  expect(cards[1]).toMatch(/^Termina en .{4},Público en general,,,,.*,250\.50,250\.50$/)
  expect(cards.join()).not.toContain(code)
  expect(await s.as(owner).listExports.giftCards({ state: 'spent' }).then(rowsOf)).toHaveLength(1)
  await s.as(owner).cashSessions.close({
    cash_session_id: cash_session.cash_session_id,
    cash: { '500': 1, '200': 1 },
    left_in_drawer: '500',
    note: 'Faltó cambio',
  })
  await s.as(desk, randomUUID()).cashSessions.open({ location_id: at.here, opening: '500' })
  const [head, newest, first] = await rowsOf(await s.as(owner).listExports.cashSessions({ location_id: at.here }))
  expect(head).toContain('Efectivo esperado,Efectivo contado,Diferencia en efectivo')
  expect(first).toMatch(/Por aprobar,,500\.00,250\.50,0\.00,0\.00,0\.00,750\.50,700\.00,-50\.50,.*,500\.00$/)
  expect(newest).toContain('Abierta,,500.00,0.00')
  // Reception has its own sessions only, and counts blind.
  const own = await rowsOf(await s.as(desk).listExports.cashSessions({}))
  expect(own).toHaveLength(2)
  expect(own[1]).toMatch(/Abierta,,500\.00,,,,,,,,/)
})

test('lists in the order asked for, with as many rows per page as asked for', async () => {
  const cards = async (sort: 'amount' | '-amount' | '-created', page = 1) =>
    (await s.as(owner).giftCards.list({ sort, per_page: 1, page })).gift_cards.map(({ amount }) => amount)
  const cash = (await s.as(owner).catalogue.admin.paymentMethods.all()).payment_methods.find(({ kind }) => kind === 'cash')
  await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id: at.there,
    lines: [{ kind: 'gift_card', amount: '900' }],
    shown: { total: '900' },
    payments: [{ payment_method_id: cash?.payment_method_id ?? 0, amount: '900' }],
  })
  expect([await cards('amount'), await cards('-amount'), await cards('-amount', 2), await cards('-created')]).toEqual([
    ['250.50'],
    ['900.00'],
    ['250.50'],
    ['900.00'],
  ])
  const sessions = async (sort: 'opened' | '-opened') =>
    (await s.as(owner).cashSessions.list({ sort, per_page: 1 })).cash_sessions.map(({ state }) => state)
  expect([await sessions('opened'), await sessions('-opened')]).toEqual([['closed'], ['open']])
  const entries = async (sort: 'at' | '-at') =>
    (await s.as(owner).auditLog.list({ sort, per_page: 2 })).entries.map(({ audit_id }) => audit_id)
  const [oldest, newest] = [await entries('at'), await entries('-at')]
  expect([oldest.length, newest.length, (oldest[0] ?? 0) < (oldest[1] ?? 0), (newest[0] ?? 0) > (newest[1] ?? 0)]).toEqual([
    2,
    2,
    true,
    true,
  ])
  const subscriptions = await s.as(owner).studioSubscriptions.list({ sort: '-name' })
  expect(subscriptions.subscriptions.map(({ purchase_id }) => purchase_id)).toContain(ids.online)
})
