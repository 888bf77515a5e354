/**
 * Baskets with one charge at Stripe and Conekta: on a saved card and with a link, and refunds of single items (docs/domain.md S12 to S14).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

let s: TestStudio
let owner: Person
let location_id: number
let ten: number
async function furnish() {
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  ten = (await s.make.package({ title: 'Diez', price_centavos: 179_000, class_amount: 10 })).class_package_id
}

const order = (customer_id: number, payment_source_id?: number) =>
  s.as(owner, randomUUID()).counterOrders.open({
    customer_id,
    location_id,
    shown: { total: '2125' },
    ...(payment_source_id ? { payment_source_id } : {}),
    lines: [
      { kind: 'package', class_package_id: ten },
      { kind: 'other', title: 'Agua', amount: '35' },
      { kind: 'gift_card', amount: '300' },
    ],
  })
const refund = (purchase_id: number | undefined, more: object = {}) =>
  s.as(owner, randomUUID()).studioSales.refund({ purchase_id: purchase_id ?? 0, reason: 'Prueba', ...more })
/** Nothing differs from the processor's books. */
async function agrees() {
  await reconcile(s.system())
  expect((await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)).toEqual([])
  expect(await wrongMoney(s, false)).toEqual({})
}

describe('Stripe', () => {
  let fake: StripeFake
  beforeAll(async () => {
    let clock = () => new Date()
    fake = await new StripeFake({ now: () => clock() }).listen()
    const keys = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET }
    s = await studio({ env: { ...keys, STRIPE_API_BASE: fake.url } })
    clock = s.clock.now
    fake.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status
    await furnish()
  })
  afterAll(async () => {
    await s.close()
    await fake.close()
    expect(fake.complaints).toEqual([])
  })

  test('a saved card is charged once, and items are refunded by themselves', async () => {
    const customer = await s.make.customer()
    const { payment_source } = await s.as(customer).cards.keep({ token_id: 'pm_card_visa' })
    const { state, lines, purchase } = await order(customer.customer_id, payment_source?.payment_source_id)
    expect(state).toBe('paid')
    await refund(lines[1]?.purchase_id)
    await refund(lines[0]?.purchase_id, { amount: '790' })
    await fake.deliver()
    await deliverPendingWebhooks(s)
    expect(fake.movements(purchase.purchase_id)).toEqual(['charge 212500', 'refund 3500', 'refund 79000'])
    expect(await s.balance(customer)).toBe(10)
    await refund(lines[0]?.purchase_id)
    expect(await s.balance(customer)).toBe(0)
    await agrees()
  })

  test('a link leads to one page, and its notice gives everything', async () => {
    const customer = await s.make.customer()
    const { link, purchase } = await order(customer.customer_id)
    const token = link?.url.split('/').at(-1) ?? ''
    const { url } = await s.as(null).paymentLinks.pay({ token })
    const [attempt] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase.purchase_id])
    expect(url).toBeTruthy()
    expect(fake.payPage(attempt?.ref_id ?? '')).toBe(true)
    await fake.deliver()
    await deliverPendingWebhooks(s)
    expect(await s.balance(customer)).toBe(10)
    expect((await s.as(null).paymentLinks.shown({ token })).order.state).toBe('paid')
    expect(fake.movements(purchase.purchase_id)).toEqual(['charge 212500'])
    await agrees()
  })
})

describe('Conekta', () => {
  let fake: ConektaFake
  beforeAll(async () => {
    let clock = () => new Date()
    fake = await new ConektaFake({ now: () => clock() }).listen()
    s = await studio({ env: { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url } })
    clock = s.clock.now
    fake.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/conekta`, { method: 'POST', headers, body })).status
    await furnish()
  })
  afterAll(async () => {
    await s.close()
    await fake.close()
    expect(fake.complaints).toEqual([])
  })

  test('a saved card is charged once, and items are refunded by themselves', async () => {
    const customer = await s.make.customer()
    const { payment_source } = await s.as(customer).cards.keep({ token_id: conektaToken('visa') })
    const { state, lines, purchase } = await order(customer.customer_id, payment_source?.payment_source_id)
    expect(state).toBe('paid')
    await refund(lines[1]?.purchase_id)
    await refund(lines[2]?.purchase_id, { amount: '100' })
    await fake.deliver()
    await deliverPendingWebhooks(s)
    expect(fake.movements(purchase.purchase_id)).toEqual(['charge 212500', 'refund 3500', 'refund 10000'])
    expect(await s.balance(customer)).toBe(10)
    await agrees()
  })
})
