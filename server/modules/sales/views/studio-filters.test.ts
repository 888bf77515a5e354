/** Filters, order, pages and sums of the studio's lists of purchases, charges and refunds (docs/domain.md V29). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let at: number
let terminal: number
let till: number
const bought: Record<'eva' | 'ana' | 'zoe' | 'cash', number> = { eva: 0, ana: 0, zoe: 0, cash: 0 }
let packageId: number
let saleId = 0
beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true, cash_session_required: false, discounts_enabled: true } })
  owner = await s.make.staff('owner')
  at = (await s.make.location()).location_id
  await s.make.paymentMethod({ name: 'Efectivo' })
  terminal = (await s.make.paymentMethod({ name: 'Terminal' })).payment_method_id
  till = (await s.as(owner, randomUUID()).cashSessions.open({ location_id: at, opening: '0' })).cash_session.cash_session_id
  packageId = (await s.make.package({ price_centavos: 30_000 })).class_package_id
  const other = (await s.make.package({ price_centavos: 50_000 })).class_package_id
  const give = async (name: string, class_package_id: number, payment_method_id?: number) => {
    const { customer_id } = await s.make.customer({ name, last_name: 'Paz', phone: `551234567${name.length}` })
    const input = { customer_id, class_package_id, location_id: at, ...(payment_method_id ? { payment_method_id } : {}) }
    return (await s.as(owner, randomUUID()).studioSales.giveAccess(input)).purchase.purchase_id
  }
  bought.eva = await give('Évita', packageId, terminal)
  s.clock.advance({ minutes: 1 })
  bought.ana = await give('Ana', other)
  s.clock.advance({ minutes: 1 })
  const zoe = await s.make.customer({ name: 'Zoe', last_name: 'Paz' })
  const { code } = await s.make.discount()
  bought.zoe = (
    await s.as(zoe, randomUUID()).sales.attempt({ class_package_id: packageId, payment_method: 'tok_ok', discountCode: code })
  ).purchase_id
  s.clock.advance({ minutes: 1 })
  bought.cash = (await s.as(zoe, randomUUID()).sales.checkout({ class_package_id: other })).purchase_id
  const { customer_id } = await s.make.customer({ name: 'Mar' })
  const item = { kind: 'other' as const, title: 'Agua', amount: '25.00' }
  const payments = [{ payment_method_id: terminal, amount: '25.00' }]
  saleId =
    (
      await s
        .as(owner, randomUUID())
        .counterSales.sell({ customer_id, location_id: at, lines: [item], payments, shown: { total: '25.00' } })
    ).sale.sale_id ?? 0
})
afterAll(() => s.close())

type Input = Parameters<ReturnType<TestStudio['as']>['studioSales']['purchases']>[0]
const list = (input: Input = {}) => s.as(owner).studioSales.purchases(input)
const idsOf = async (input: Input) => (await list(input)).purchases.map((row) => row.purchase_id)

test('purchases by one or several states, code, till, package, and by being overdue or paused', async () => {
  expect(await idsOf({ status: ['pending'] })).toEqual([bought.cash])
  expect(await idsOf({ status: ['pending', 'completed'], class_package_id: packageId })).toEqual([bought.zoe, bought.eva])
  const [used] = await s.sql<{ discount_id: number }>('select discount_id from purchase where purchase_id = $1', [bought.zoe])
  expect(await idsOf({ discount_id: used?.discount_id ?? 0 })).toEqual([bought.zoe])
  expect(await idsOf({ cash_session_id: till, class_package_id: packageId })).toEqual([bought.eva])
  expect(await idsOf({ past_due: true })).toEqual([])
  expect(await idsOf({ paused: true })).toEqual([])
  expect((await list({ past_due: false, paused: false })).total).toBe(5)
})

test('lists current and former staff for the filter; the filter by location can include sales without one', async () => {
  const desk = await s.make.staff('reception', { name: 'Ana de la barra' })
  const disabledStaff = await s.make.staff('reception', { name: 'Bruno que se fue' })
  await s.sql('update staff set "disabledAt" = now() where uid = $1', [disabledStaff.uid])
  await s.sql(`insert into staff (email, name, role) values ('x@y.example', 'Sin aceptar', 'reception')`)
  const { purchases, invoices, refunds } = s.as(desk).studioSales
  for (const { people } of [await purchases({}), await invoices({}), await refunds({})])
    expect(people.map(({ name }) => name).slice(0, 2)).toEqual(['Ana de la barra', 'Bruno que se fue'])
  expect((await purchases({})).people.some(({ name }) => name === 'Sin aceptar')).toBe(false)
  expect(await idsOf({ location_id: at, status: ['pending'], gateway: 'efectivo' })).toEqual([])
  expect(await idsOf({ location_id: at, with_online: true, status: ['pending'], gateway: 'efectivo' })).toEqual([bought.cash])
  const elsewhere = (await s.make.location()).location_id
  expect(await idsOf({ location_id: elsewhere, with_online: true })).toEqual([bought.cash, bought.zoe])
})

test('in any order, in pages of any size that do not overlap, with the sums of everything', async () => {
  expect(await idsOf({ sort: 'name', status: ['completed'], query: 'Paz' })).toEqual([bought.ana, bought.eva, bought.zoe])
  expect((await idsOf({ sort: '-total' }))[0]).toBe(bought.cash)
  expect(await idsOf({ sort: 'created', query: 'Paz' })).toEqual([bought.eva, bought.ana, bought.zoe, bought.cash])
  const pages = await Promise.all([1, 2, 3].map((page) => list({ per_page: 2, page })))
  expect(pages.map(({ purchases }) => purchases.length)).toEqual([2, 2, 1])
  expect(new Set(pages.flatMap(({ purchases }) => purchases.map((row) => row.purchase_id))).size).toBe(5)
  expect(new Set(pages.map(({ sum }) => sum?.total))).toEqual(new Set(['1595.00']))
  expect((await refusalOf(list({ per_page: 201 }))).code).toBe('INVALID_INPUT')
})

test('purchases are found by telephone, order number, the folio of a receipt and that of a counter sale (P11)', async () => {
  expect(await idsOf({ query: '55 1234 56' })).toEqual([bought.ana, bought.eva])
  const order = String(bought.eva).padStart(6, '0')
  for (const query of [`#${order}`, order, `00${bought.eva}-12`]) expect([query, await idsOf({ query })]).toEqual([query, [bought.eva]])
  const folio = `V-${String(saleId).padStart(6, '0')}`
  expect((await list({ query: folio })).purchases.map((row) => row.title)).toEqual(['Agua'])
})

test('charges by state, package and order; refunds by package and amount', async () => {
  const { invoices, refunds, refund } = s.as(owner, randomUUID()).studioSales
  expect((await invoices({ class_package_id: packageId, sort: 'total' })).invoices.map((row) => row.purchase_id)).toEqual([
    bought.zoe,
    bought.eva,
  ])
  await refund({ purchase_id: bought.eva, amount: '50', reason: 'Se equivocó' })
  expect((await invoices({ status: ['partially_refunded', 'refunded'] })).invoices.map((row) => row.purchase_id)).toEqual([bought.eva])
  expect(await refunds({ class_package_id: packageId, sort: '-amount' })).toMatchObject({ total: 1, sum: { refunded: '50.00' } })
  expect((await refunds({ class_package_id: packageId + 1 })).total).toBe(0)
})

test('a filter that does not exist is refused, so that it does not answer everything (F4)', async () => {
  const answerOf = async (path: string) => {
    const answer = await fetch(`${s.url}/api/admin/${path}`, { headers: { authorization: `Bearer ${owner.token}` } })
    return [answer.status, ((await answer.json()) as { code?: string }).code]
  }
  for (const path of ['purchases?estado=pending', 'invoices?statuses=paid', 'refunds?day=2026-11-19', 'subscriptions?stat=active'])
    expect([path, ...(await answerOf(path))]).toEqual([path, 400, 'INVALID_INPUT'])
})
