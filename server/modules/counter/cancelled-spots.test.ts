/** What a sale of the till owes, and what is owed back, once a place of it was cancelled or what it bought was revoked (V45, S4). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adminPaths } from '#contract/admin-paths.ts'
import { oweReservationRefund, withdrawReservationRefund } from '#server/modules/sales/sales.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let location_id: number
let cash: number
let transfer: number
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '200.00', cash_session_required: false } })
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  transfer = (await s.make.paymentMethod({ name: 'Transferencia' })).payment_method_id
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

type Basket = Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]
const desk = () => s.as(owner, randomUUID())

/** A class sold for $200, of which cash and a transfer pay a part and the rest is left owed. */
async function sellSpot(paid: { cash?: string; transfer?: string }) {
  const customer = await s.make.customer()
  const { single_class_id } = await s.make.class({ location_id, starts_at: new Date(s.clock.now().getTime() + 5 * 86_400_000) })
  const payments: Basket['payments'] = [
    ...(paid.cash ? [{ payment_method_id: cash, amount: paid.cash }] : []),
    ...(paid.transfer ? [{ payment_method_id: transfer, amount: paid.transfer }] : []),
  ]
  const isOwed = Number(paid.cash ?? 0) + Number(paid.transfer ?? 0) < 200
  const { sale } = await desk().counterSales.sell({
    customer_id: customer.customer_id,
    location_id,
    lines: [{ kind: 'class', single_class_id }],
    payments,
    shown: { total: '200' },
    ...(isOwed ? { owe: { until: '2026-11-19', reason: 'Quincena' } } : {}),
  })
  const sale_id = sale.sale_id ?? 0
  const pending = sale.payments.find((payment) => payment.state === 'pending')?.invoice_ids[0] ?? 0
  return { customer, single_class_id, sale_id, pending }
}
type Sold = Awaited<ReturnType<typeof sellSpot>>

/** What the customer owes, by the sale, its list, their file, the task and the report; and what is owed to them. */
async function money({ customer, sale_id }: Pick<Sold, 'customer' | 'sale_id'>) {
  const { customer_id } = customer
  const { sale } = await desk().counterSales.one({ sale_id })
  const listed = (await desk().counterSales.list({ state: 'owed' })).sales.find((sale) => sale.sale_id === sale_id)?.owed ?? '0.00'
  const file = (await desk().customerFile.one({ customer_id })).figures.owed
  const tasks = (await desk().today.tasks({})).tasks.filter((task) => task.task_id === `debt-${sale_id}`)
  const [due] = await s.sql<{ sum: number }>(
    `select coalesce(sum((details->>'amount')::int), 0)::int as sum from money_difference join purchase using (purchase_id)
     where customer_id = $1 and "closedAt" is null and kind = 'refund_due'`,
    [customer_id],
  )
  const report = await desk().reports.read({ key: 'por-cobrar', group_by: 'person', only: 'adeudos' })
  const reported = report.rows.some(({ link }) => link?.split('?')[0] === adminPaths.customer(customer_id))
  expect([listed, file, tasks.length > 0, reported]).toEqual([sale.owed, sale.owed, sale.owed !== '0.00', sale.owed !== '0.00'])
  expect(await wrongMoney(s, false)).toEqual({})
  return { owes: sale.owed, owedBack: due?.sum }
}
const cancelClass = ({ single_class_id }: Sold) => desk().schedule.cancel({ single_class_id, reason: 'Se cayó la luz' })

test('the unpaid rest of a cancelled place is not owed any more, and what was paid is owed back', async () => {
  const owed = await sellSpot({})
  expect(await money(owed)).toEqual({ owes: '200.00', owedBack: 0 })
  await cancelClass(owed)
  expect(await money(owed)).toEqual({ owes: '0.00', owedBack: 0 })
  const partly = await sellSpot({ cash: '50' })
  await cancelClass(partly)
  expect(await money(partly)).toEqual({ owes: '0.00', owedBack: 5_000 })
})

test('it is owed again when the class takes place after all', async () => {
  const sold = await sellSpot({ cash: '50' })
  await cancelClass(sold)
  await desk().schedule.restore({ single_class_id: sold.single_class_id })
  expect(await money(sold)).toEqual({ owes: '150.00', owedBack: 0 })
  await desk().counterSales.pay({ sale_id: sold.sale_id, payments: [{ payment_method_id: cash, amount: '150' }] })
  expect(await money(sold)).toEqual({ owes: '0.00', owedBack: 0 })
})

test('a restored place takes back what was paid for it, not what was waived of another place of the purchase', async () => {
  const { customer, sale_id } = await sellSpot({ cash: '100' })
  const [sold] = await s.sql<{ purchase_id: number }>('select purchase_id from purchase where sale_id = $1', [sale_id])
  const half = { purchase_id: sold?.purchase_id ?? 0, amount: 10_000 }
  const ctx = s.system()
  // First the unpaid half of a guest, then the paid half of the host; only the host is restored.
  await ctx.tx((tx) => oweReservationRefund(tx, ctx, half))
  await ctx.tx((tx) => oweReservationRefund(tx, ctx, half))
  expect(await money({ customer, sale_id })).toEqual({ owes: '0.00', owedBack: 10_000 })
  await ctx.tx((tx) => withdrawReservationRefund(tx, ctx, half))
  expect(await money({ customer, sale_id })).toEqual({ owes: '0.00', owedBack: 0 })
})

test('a forfeited place is still owed', async () => {
  const sold = await sellSpot({})
  const { class_reservations } = await desk().attendance.roster({ single_class_id: sold.single_class_id })
  const class_reservation_id = class_reservations[0]?.class_reservation_id ?? 0
  await desk().attendance.cancel({ class_reservation_id, reason: 'No avisó', credit: 'keep' })
  expect(await money(sold)).toEqual({ owes: '200.00', owedBack: 0 })
})

test('a transfer that is confirmed after its class was cancelled is owed back; one that never arrived is not owed', async () => {
  const arrives = await sellSpot({ cash: '50', transfer: '150' })
  await cancelClass(arrives)
  expect(await money(arrives)).toEqual({ owes: '0.00', owedBack: 5_000 })
  await desk().counterSales.confirm({ invoice_id: arrives.pending })
  expect(await money(arrives)).toEqual({ owes: '0.00', owedBack: 20_000 })
  await desk().schedule.restore({ single_class_id: arrives.single_class_id })
  expect(await money(arrives)).toEqual({ owes: '0.00', owedBack: 0 })
  const never = await sellSpot({ transfer: '150' })
  await cancelClass(never)
  await desk().counterSales.reject({ invoice_id: never.pending, reason: 'Nunca llegó' })
  expect(await money(never)).toEqual({ owes: '0.00', owedBack: 0 })
})

test('a transfer that is confirmed for a purchase that was revoked meanwhile is owed back and can be refunded', async () => {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 100_000, class_amount: 10 })
  const { sale, purchases } = await desk().counterSales.sell({
    customer_id: customer.customer_id,
    location_id,
    lines: [{ kind: 'package', class_package_id }],
    shown: { total: '1000' },
    payments: [
      { payment_method_id: cash, amount: '400' },
      { payment_method_id: transfer, amount: '600' },
    ],
  })
  const purchase_id = purchases[0]?.purchase_id ?? 0
  const [paid, pending] = sale.payments.map((payment) => payment.invoice_ids[0] ?? 0)
  await desk().studioSales.refund({ purchase_id, invoice_id: paid ?? 0, reason: 'Se mudó', by_hand: true })
  const sale_id = sale.sale_id ?? 0
  expect(await money({ customer, sale_id })).toEqual({ owes: '0.00', owedBack: 0 })
  await desk().counterSales.confirm({ invoice_id: pending ?? 0 })
  expect(await money({ customer, sale_id })).toEqual({ owes: '0.00', owedBack: 60_000 })
  expect((await s.as(customer).sales.list()).purchases.map((purchase) => purchase.refund_owed)).toEqual(['600.00'])
  await desk().studioSales.refund({ purchase_id, invoice_id: pending ?? 0, reason: 'Se mudó', by_hand: true })
  expect((await s.as(customer).sales.list()).purchases.map((purchase) => purchase.refund_owed)).toEqual(['0.00'])
})
