/** SPEI transfers of another amount, or at another time, than was requested (docs/domain.md V40): each is refunded or reported. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isClabe } from '#server/adapters/payments/clabe.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { compareBooks, listMoneyDiscrepancies } from '#server/modules/sales/settlement/reconciliation.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let stripe: StripeFake
beforeAll(async () => {
  let clock = () => new Date('2026-11-19T16:00:00Z')
  stripe = await new StripeFake({ now: () => clock() }).listen()
  s = await studio({
    env: { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET, STRIPE_API_BASE: stripe.url },
  })
  clock = s.clock.now
  stripe.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status
})
beforeEach(() => s.change({ spei_enabled: true, refund_late_payments: true }))
afterAll(async () => {
  await s.close()
  await stripe.close()
  expect(stripe.complaints).toEqual([])
})

const purchaseOf = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
const deliverWebhooks = async () => {
  await stripe.deliver()
  await deliverPendingWebhooks(s)
  await doJobs(s)
}
/** What the quarter of an hour does. */
const quarter = async () => {
  await deliverWebhooks()
  await compareBooks(s.system(), 3_600_000)
  await deliverWebhooks()
}
const messagesOf = async (person: Person) =>
  (
    await s.sql<{ words: { title: string; lines: string[] } }>(
      `select words from message where customer_id = $1 and event = 'refund_owed' and channel = 'app' order by message_id`,
      [person.customer_id],
    )
  ).map(({ words }) => words)
const open = async () =>
  (await listMoneyDiscrepancies(s.system())).money_differences.filter(
    ({ closedAt, kind }) => closedAt === null && kind === 'unclaimed_money',
  )

/** A customer with an open transfer of $500, and their customer object at Stripe. */
async function attemptTransfer(ana?: Person) {
  const person = ana ?? (await s.make.customer())
  const { class_package_id } = await s.make.package({ price_centavos: 50_000, class_amount: 5 })
  const { purchase_id, voucher } = await s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'spei' })
  const [known] = await s.sql<{ provider_ref: string }>('select * from provider_customer where customer_id = $1', [person.customer_id])
  const customer = Object.values(known ?? {}).find((value) => String(value).startsWith('cus_'))
  return { who: person, purchase_id, voucher, customer: String(customer) }
}
const returned = () => [...stripe.books.all.refunds.values()].map(({ amount, status }) => `${amount} ${status}`)

test('the CLABE is accepted by banks', async () => {
  const { voucher } = await attemptTransfer()
  expect(voucher?.clabe).toMatch(/^646\d{15}$/)
  expect(isClabe(voucher?.clabe ?? '')).toBe(true)
})

test('an underpayment shows the missing amount, and the rest completes the purchase', async () => {
  const { who, purchase_id, voucher, customer } = await attemptTransfer()
  expect(voucher).toMatchObject({ kind: 'spei', missing: null })
  stripe.balance.transfer(customer, 30_000)
  await deliverWebhooks()
  expect(await purchaseOf(who, purchase_id)).toMatchObject({ status: 'pending', voucher: { missing: '200.00', clabe: voucher?.clabe } })
  await quarter()
  expect(await open()).toEqual([])
  stripe.balance.transfer(customer, 20_000)
  await deliverWebhooks()
  expect(await purchaseOf(who, purchase_id)).toMatchObject({ status: 'completed', voucher: null })
  expect(stripe.movements(purchase_id)).toEqual(['charge 50000'])
})

test('an underpayment until the end is refunded: customer notified, discrepancy for the owner', async () => {
  const { who, purchase_id, customer } = await attemptTransfer()
  const before = returned().length
  stripe.balance.transfer(customer, 30_000)
  await deliverWebhooks()
  s.clock.advance({ hours: 73 })
  await sweep(s.system())
  expect((await purchaseOf(who, purchase_id)).status).toBe('failed')
  expect(stripe.balance.available(customer)).toBe(30_000)
  await quarter()
  expect(returned().slice(before)).toEqual(['30000 pending'])
  expect(await messagesOf(who)).toMatchObject([
    { title: 'Recibimos $300.00 que no son de ninguna compra', lines: [expect.any(String), expect.stringContaining('Te los devolvemos')] },
  ])
  const [written] = (await listMoneyDiscrepancies(s.system())).money_differences.filter(({ kind }) => kind === 'unclaimed_money')
  expect(written).toMatchObject({ gateway: 'stripe', details: { customer_id: who.customer_id, amount: 30_000 } })
  // The money is gone: the discrepancy closes by itself, and neither refund nor message is repeated.
  await quarter()
  await quarter()
  expect(await open()).toEqual([])
  expect(returned().slice(before)).toHaveLength(1)
  expect(await messagesOf(who)).toHaveLength(1)
})

test('an overpayment completes the purchase, and the excess is refunded; late money too', async () => {
  const { who, purchase_id, customer } = await attemptTransfer()
  const before = returned().length
  stripe.balance.transfer(customer, 60_000)
  await quarter()
  expect((await purchaseOf(who, purchase_id)).status).toBe('completed')
  expect(returned().slice(before)).toEqual(['10000 pending'])
  s.clock.advance({ days: 5 })
  stripe.balance.transfer(customer, 50_000)
  await quarter()
  expect(returned().slice(before)).toEqual(['10000 pending', '50000 pending'])
  expect((await messagesOf(who)).map(({ title }) => title)).toEqual([
    'Recibimos $100.00 que no son de ninguna compra',
    'Recibimos $500.00 que no son de ninguna compra',
  ])
})

test('where the studio decides itself the money stays, reported, and the next SPEI purchase uses it', async () => {
  await s.change({ refund_late_payments: false })
  const { who, customer } = await attemptTransfer()
  stripe.balance.transfer(customer, 70_000)
  await quarter()
  expect(await open()).toMatchObject([{ details: { customer_id: who.customer_id, amount: 20_000 } }])
  expect((await messagesOf(who))[0]?.lines[1]).toContain('Se usa en tu próxima compra por SPEI')
  const next = await attemptTransfer(who)
  expect(next.voucher).toMatchObject({ missing: '300.00' })
  stripe.balance.transfer(customer, 30_000)
  await quarter()
  expect((await purchaseOf(who, next.purchase_id)).status).toBe('completed')
  expect(await open()).toEqual([])
})
