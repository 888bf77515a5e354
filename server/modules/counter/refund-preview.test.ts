/** The preview of a refund agrees with the refund (docs/domain.md V51). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let owner: Person
let location_id: number
let cash: number
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  await s.as(owner, randomUUID()).cashSessions.open({ location_id, opening: '0' })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const rows = () =>
  s.sql(`select (select count(*) from refund) as refunds, (select count(*) from audit) as audits, (select count(*) from jobs.job) as jobs,
    (select count(*) from credit_movement) as movements, (select sum(taken) from single_class) as taken`)
const preview = async (input: Parameters<ReturnType<TestStudio['as']>['refundPreviews']['show']>[0]) =>
  (await s.as(owner).refundPreviews.show(input)).preview

test('of a card counts what goes back, the unused classes and the reservations, writes nothing, and is what the refund does', async () => {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ class_amount: 10 })
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  for (const days of [3, 4]) {
    const { single_class_id } = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + days * 86_400_000) })
    await s.as(customer).bookings.reserve({ single_class_id })
  }
  const before = await rows()
  expect(await preview({ purchase_id, amount: '100' })).toMatchObject({ amount: '100.00', by: 'processor', revokes: false, credits: 0 })
  const all = await preview({ purchase_id })
  expect(all).toMatchObject({
    by: 'processor',
    left: '0.00',
    revokes: true,
    credits: 8,
    class_reservations: 2,
    pieces: 0,
    subscription: null,
  })
  expect(all.to).toContain('4242')
  expect(await rows()).toEqual(before)
  const done = await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Se mudó' })
  expect(done.refund.amount).toBe(all.amount)
  await doJobs(s)
  const { class_reservations } = await s.as(customer).bookings.list({})
  expect(class_reservations.filter((classReservation) => classReservation.status === 'Cancelada')).toHaveLength(all.class_reservations)
  expect(await s.balance(customer)).toBe(0)
  expect(await codeOf(preview({ purchase_id }))).toBe('REFUND_NOTHING_LEFT')
})

test('of two parts takes what was bought only with the last, and says the till', async () => {
  const { customer_id } = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 100_000, class_amount: 5 })
  const { purchases } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id,
    location_id,
    lines: [{ kind: 'package', class_package_id }],
    shown: { total: '1000' },
    payments: [
      { payment_method_id: cash, amount: '400' },
      { payment_method_id: cash, amount: '600' },
    ],
  })
  const purchase_id = purchases[0]?.purchase_id ?? 0
  const { invoices } = await s.as(owner).studioSales.purchase({ purchase_id })
  const [first, two] = invoices.map(({ invoice_id }) => invoice_id)
  expect(await preview({ purchase_id, ...(first ? { invoice_id: first } : {}) })).toMatchObject({
    by: 'till',
    to: 'Efectivo',
    revokes: false,
    credits: 0,
  })
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, ...(first ? { invoice_id: first } : {}), reason: 'Se mudó' })
  expect(await preview({ purchase_id, ...(two ? { invoice_id: two } : {}) })).toMatchObject({ by: 'till', revokes: true, credits: 5 })
})

test('of a product says how many pieces may return to the stock', async () => {
  const { product } = await s.as(owner).products.create({ name: 'Agua', price: '25' })
  const { purchases } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'product', product_id: product.product_id, quantity: 3 }],
    shown: { total: '75' },
    payments: [{ payment_method_id: cash, amount: '75' }],
  })
  const purchase_id = purchases[0]?.purchase_id ?? 0
  expect(await preview({ purchase_id, restock: 2 })).toMatchObject({ pieces: 3, amount: '75.00' })
  expect(await codeOf(preview({ purchase_id, restock: 4 }))).toBe('INVALID_INPUT')
})
