/** Transfers of another amount, or at another time, at Conekta: each order of its events (docs/domain.md V40). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isClabe } from '#server/adapters/payments/clabe.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { closeMoneyDiscrepancy, compareBooks, listMoneyDiscrepancies } from '#server/modules/sales/settlement/reconciliation.ts'
import { CONEKTA_FAKE_KEY, ConektaFake } from '#server/testing/fakes/conekta.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let conekta: ConektaFake
beforeAll(async () => {
  let clock = () => new Date('2026-11-19T16:00:00Z')
  conekta = await new ConektaFake({ now: () => clock() }).listen()
  s = await studio({ env: { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: conekta.url } })
  clock = s.clock.now
  conekta.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/conekta`, { method: 'POST', headers, body })).status
})
beforeEach(async () => {
  conekta.books.refundsTransfers = true
  await s.change({ spei_enabled: true, refund_late_payments: true })
})
afterAll(async () => {
  await s.close()
  await conekta.close()
  expect(conekta.complaints).toEqual([])
})

const purchaseOf = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
/** What the minutes and the quarter of an hour do. */
const quarter = async () => {
  conekta.tick()
  await conekta.deliver()
  await deliverPendingWebhooks(s)
  await doJobs(s)
  await sweep(s.system())
  await compareBooks(s.system(), 3_600_000)
  await conekta.deliver()
  await deliverPendingWebhooks(s)
  await doJobs(s)
}
const messages = async (person: Person) =>
  (
    await s.sql<{ words: { title: string; lines: string[] } }>(
      `select words from message where customer_id = $1 and event in ('refund_owed', 'payment_refunded') and channel = 'app' order by message_id`,
      [person.customer_id],
    )
  ).map(({ words }) => words)
const listed = async (purchase_id: number) =>
  (await listMoneyDiscrepancies(s.system())).money_differences.filter((row) => row.purchase_id === purchase_id)

/** A customer with an open transfer of $500. */
async function attemptTransfer() {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 50_000, class_amount: 5 })
  const { purchase_id, voucher } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'spei' })
  const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
  return { who: customer, purchase_id, class_package_id, voucher, order: row?.ref_id ?? '' }
}

test('the exact amount completes the purchase; its CLABE is accepted by banks', async () => {
  const { who, purchase_id, voucher, order } = await attemptTransfer()
  expect(isClabe(voucher?.clabe ?? '')).toBe(true)
  conekta.books.transfer(order, 50_000)
  await quarter()
  expect((await purchaseOf(who, purchase_id)).status).toBe('completed')
  expect([await listed(purchase_id), await messages(who)]).toEqual([[], []])
})

test('an overpayment completes the purchase; the excess is refunded once, and a later full refund is of the price', async () => {
  const { who, purchase_id, order } = await attemptTransfer()
  conekta.books.transfer(order, 60_000)
  for (let n = 0; n < 3; n++) await quarter()
  expect(await purchaseOf(who, purchase_id)).toMatchObject({ status: 'completed', refunded: '0.00' })
  expect(conekta.movements(purchase_id)).toEqual(['charge 60000', 'refund 10000'])
  expect(await listed(purchase_id)).toMatchObject([
    { kind: 'unclaimed_money', closedAt: expect.any(String), details: { customer_id: who.customer_id, amount: 10_000 } },
  ])
  expect(await messages(who)).toMatchObject([
    { title: 'Recibimos $100.00 que no son de ninguna compra', lines: [expect.any(String), expect.stringContaining('Te los devolvemos')] },
  ])
  const owner = await s.make.staff('owner')
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'No pudo venir', by_hand: false, cancel_subscription: false })
  await quarter()
  expect(await purchaseOf(who, purchase_id)).toMatchObject({ status: 'revoked', refunded: '500.00' })
  expect(conekta.movements(purchase_id)).toEqual(['charge 60000', 'refund 10000', 'refund 50000'])
  expect((await listed(purchase_id)).filter(({ closedAt }) => closedAt === null)).toEqual([])
})

test('an underpayment buys nothing, is refunded, and the package can be bought again at once', async () => {
  const { who, purchase_id, class_package_id, order } = await attemptTransfer()
  conekta.books.transfer(order, 30_000)
  await quarter()
  expect(await s.balance(who)).toBe(0)
  expect(conekta.movements(purchase_id)).toEqual(['charge 30000', 'refund 30000'])
  expect(await purchaseOf(who, purchase_id)).toMatchObject({ status: 'pending', voucher: null, unfinished: true })
  expect((await messages(who)).map(({ title }) => title)).toEqual(['Recibimos $300.00 que no son de ninguna compra'])
  const again = await s.as(who, randomUUID()).sales.attempt({ class_package_id, payment_method: 'spei' })
  const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1 order by n desc', [
    again.purchase_id,
  ])
  conekta.books.transfer(row?.ref_id ?? '', 50_000)
  await quarter()
  expect((await purchaseOf(who, again.purchase_id)).status).toBe('completed')
  expect((await listed(purchase_id)).map(({ kind, closedAt }) => [kind, closedAt === null])).toEqual([['unclaimed_money', false]])
})

test('where Conekta cannot refund a transfer it stays reported until the owner closes it, and the customer sees it', async () => {
  conekta.books.refundsTransfers = false
  const { who, purchase_id, order } = await attemptTransfer()
  conekta.books.transfer(order, 70_000)
  for (let n = 0; n < 2; n++) await quarter()
  expect((await purchaseOf(who, purchase_id)).status).toBe('completed')
  const [open] = await listed(purchase_id)
  expect(open).toMatchObject({ closedAt: null, details: { amount: 20_000, use: null } })
  expect(await messages(who)).toMatchObject([
    { title: 'Recibimos $200.00 que no son de ninguna compra', lines: [expect.any(String), expect.stringContaining('escríbenos')] },
  ])
  await closeMoneyDiscrepancy(s.system(), { money_difference_id: open?.money_difference_id ?? 0, reason: 'Devuelto a mano' })
  s.clock.advance({ hours: 4 })
  await quarter()
  expect((await listed(purchase_id)).filter(({ closedAt }) => closedAt === null)).toEqual([])
})

test('a transfer returned by the bank changes nothing, and is reported to owner and customer from the order’s list', async () => {
  const { who, purchase_id, order } = await attemptTransfer()
  conekta.books.transfer(order, 45_000, 'returned')
  await quarter()
  expect(await purchaseOf(who, purchase_id)).toMatchObject({ status: 'pending', voucher: { kind: 'spei' } })
  expect(conekta.movements(purchase_id)).toEqual([])
  expect(await listed(purchase_id)).toMatchObject([{ kind: 'unclaimed_money', details: { amount: 45_000 } }])
  expect((await messages(who))[0]?.lines[1]).toBe('El dinero es tuyo. Si tu banco no te lo regresó ya, escríbenos y te lo devolvemos.')
  // The right amount still pays, and what was listed is explained by the bank's return.
  conekta.books.transfer(order, 50_000)
  await quarter()
  expect((await purchaseOf(who, purchase_id)).status).toBe('completed')
})

test('an attempt with an amount that Conekta does not state is reported to the owner only', async () => {
  const { who, purchase_id, order } = await attemptTransfer()
  conekta.books.transfer(order, 45_000, 'returned')
  const charge = conekta.books.orders.get(order)?.charges.data[0]
  if (charge) charge.payment_method.payment_attempts = ['rejected']
  await quarter()
  expect(await listed(purchase_id)).toMatchObject([{ kind: 'unclaimed_money', closedAt: null, details: { amount: null } }])
  expect(await messages(who)).toEqual([])
})

test('money after the voucher expired reserves stock again, or is refunded and notified (V13)', async () => {
  const [first, second] = [await attemptTransfer(), await attemptTransfer()]
  s.clock.advance({ hours: 73 })
  await quarter()
  for (const { who, purchase_id } of [first, second]) expect((await purchaseOf(who, purchase_id)).status).toBe('failed')
  conekta.books.transfer(first.order, 50_000)
  await s.sql('update class_package set capacity = sold where class_package_id = $1', [second.class_package_id])
  conekta.books.transfer(second.order, 50_000)
  await quarter()
  expect((await purchaseOf(first.who, first.purchase_id)).status).toBe('completed')
  expect(await purchaseOf(second.who, second.purchase_id)).toMatchObject({ status: 'failed', refunded: '500.00' })
  expect(await messages(second.who)).toHaveLength(1)
})

test('an underpayment after the expiry is refunded too', async () => {
  const { who, purchase_id, order } = await attemptTransfer()
  s.clock.advance({ hours: 73 })
  await quarter()
  conekta.books.transfer(order, 30_000)
  await quarter()
  expect((await purchaseOf(who, purchase_id)).status).toBe('failed')
  expect(conekta.movements(purchase_id)).toEqual(['charge 30000', 'refund 30000'])
  expect((await messages(who)).map(({ title }) => title)).toEqual(['Recibimos $300.00 que no son de ninguna compra'])
})
