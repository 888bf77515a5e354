/**
 * OXXO: paid on the voucher's last evening, confirmed by the next bank day, paid after it was given up, and names that it does not take
 * (V10, V13, V37).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweep } from '#server/modules/sales/jobs.ts'
import { compareBooks } from '#server/modules/sales/settlement/reconciliation.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { CONEKTA_FAKE_KEY, ConektaFake } from '#server/testing/fakes/conekta.ts'
import type { Fake } from '#server/testing/fakes/fake.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let fake: StripeFake | ConektaFake
const open = async <T extends StripeFake | ConektaFake>(
  name: string,
  make: (now: () => Date) => T,
  env: (url: string) => Record<string, string>,
) => {
  let clock = () => new Date('2026-11-19T16:00:00Z')
  fake = await make(() => clock()).listen()
  s = await studio({ env: env(fake.url), settings: { oxxo_enabled: true } })
  clock = s.clock.now
  ;(fake as Fake).courier = async ({ headers, body }) =>
    (await fetch(`${s.url}/api/webhooks/${name}`, { method: 'POST', headers, body })).status
}
const close = async () => {
  await s.close()
  await fake.close()
  expect(fake.complaints).toEqual([])
}
const deliverWebhooks = async () => {
  fake.tick()
  await fake.deliver()
  await deliverPendingWebhooks(s)
  await doJobs(s)
  await sweep(s.system())
}
const purchaseOf = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
const buy = async (person: Person) => {
  const { class_package_id } = await s.make.package({ price_centavos: 50_000, class_amount: 5 })
  return s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'oxxo' })
}
/** The customer pays in a shop. */
async function payInShop(purchase_id: number) {
  const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
  if (fake instanceof StripeFake) fake.vouchers.payInShop(fake.books.get('intents', row?.ref_id))
  else fake.books.payInShop(row?.ref_id ?? '')
}

describe.each([
  {
    name: 'stripe',
    make: (now: () => Date): StripeFake | ConektaFake => new StripeFake({ now }),
    env: (url: string) => ({
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: url,
    }),
  },
  {
    name: 'conekta',
    make: (now: () => Date): StripeFake | ConektaFake => new ConektaFake({ now }),
    env: (url: string) => ({ PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: url }),
  },
])('$name', ({ name, make, env }) => {
  beforeAll(() => open(name, make, env))
  afterAll(close)

  test('a payment a minute before the voucher expires is confirmed on the next bank day, and completes its purchase (S1-2.70, V10)', async () => {
    const ana = await s.make.customer()
    const { purchase_id, voucher } = await buy(ana)
    expect(voucher?.reference).toMatch(/^\d{14}$/)
    const ends = new Date(voucher?.expires_at ?? '')
    s.clock.set(new Date(ends.getTime() - 60_000))
    await payInShop(purchase_id)
    await deliverWebhooks()
    // A night and a weekend pass without any answer: the voucher is not given up.
    for (let hours = 1; hours <= 16; hours++) {
      s.clock.advance({ hours: 4 })
      await deliverWebhooks()
      expect(['pending', 'completed']).toContain((await purchaseOf(ana, purchase_id)).status)
      if (fake instanceof ConektaFake)
        expect([...fake.books.orders.values()].map(({ payment_status }) => payment_status)).not.toContain('canceled')
    }
    expect((await purchaseOf(ana, purchase_id)).status).toBe('completed')
    expect(fake.movements(purchase_id)).toEqual(['charge 50000'])
    s.clock.set('2026-11-30T16:00:00Z')
  })

  test('an unpaid voucher reserves its stock for one more bank day', async () => {
    const ana = await s.make.customer()
    const { purchase_id, voucher } = await buy(ana)
    const [row] = await s.sql<{ hold_until: Date }>('select hold_until from purchase where purchase_id = $1', [purchase_id])
    const hours = ((row?.hold_until.getTime() ?? 0) - new Date(voucher?.expires_at ?? '').getTime()) / 3_600_000
    expect(hours).toBeGreaterThanOrEqual(24)
    expect(hours).toBeLessThan(5 * 24)
    s.clock.set(new Date((row?.hold_until.getTime() ?? 0) + 60_000))
    await deliverWebhooks()
    expect((await purchaseOf(ana, purchase_id)).status).toBe('failed')
  })

  test('money for a cancelled voucher is owed or refunded, and the customer is notified (V13, V37)', async () => {
    const ana = await s.make.customer()
    const { purchase_id } = await buy(ana)
    await s.as(ana).sales.giveUp({ purchase_id })
    expect((await purchaseOf(ana, purchase_id)).status).toBe('cancelled')
    await s.sql(
      'update class_package set available = false where class_package_id = (select class_package_id from purchase where purchase_id = $1)',
      [purchase_id],
    )
    await s.sql(
      `update class_package set capacity = sold where class_package_id = (select class_package_id from purchase where purchase_id = $1)`,
      [purchase_id],
    )
    await payInShop(purchase_id)
    s.clock.advance({ days: 4 })
    await deliverWebhooks()
    await deliverWebhooks()
    const { status } = await purchaseOf(ana, purchase_id)
    expect(['cancelled', 'failed']).toContain(status)
    const owed = (await purchaseOf(ana, purchase_id)).refund_owed
    const refunded = (await purchaseOf(ana, purchase_id)).refunded
    // OXXO gives nothing back at Stripe: it is owed. Conekta gives it back.
    expect({ owed, given: refunded }).toEqual(name === 'stripe' ? { owed: '500.00', given: '0.00' } : { owed: '0.00', given: '500.00' })
    const messages = await s.sql(
      `select 1 from message where customer_id = $1 and event in ('refund_owed', 'payment_refunded') and channel = 'app'`,
      [ana.customer_id],
    )
    expect(messages).toHaveLength(1)
  })
})

test('the sandbox accepts money for a cancelled voucher, as shops do: it is refunded or owed, and the customer is notified (V13, V37)', async () => {
  const { s: own, bank } = await openCheckoutStudio({ oxxo_enabled: true, spei_enabled: true, refund_late_payments: true })
  try {
    for (const [kind, delivers] of [
      ['oxxo', true],
      ['spei', true],
      ['oxxo', false],
    ] as const) {
      const ana = await own.make.customer()
      const { class_package_id } = await own.make.package({ price_centavos: 50_000, class_amount: 5 })
      const { purchase_id } = await own.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: kind })
      await own.as(ana).sales.giveUp({ purchase_id })
      await own.sql('update class_package set capacity = sold where class_package_id = $1', [class_package_id])
      const [row] = await own.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
      await bank.payVoucher(row?.ref_id ?? '')
      const postAndDeliver = async () => {
        await bank.post()
        await deliverPendingWebhooks(own)
        await doJobs(own)
      }
      await postAndDeliver()
      if (!delivers) {
        await bank.failRefund(row?.ref_id ?? '')
        await compareBooks(own.system(), 3_600_000)
        await postAndDeliver()
      }
      expect((await own.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({
        status: 'cancelled',
        refunded: delivers ? '500.00' : '0.00',
        refund_owed: delivers ? '0.00' : '500.00',
      })
      expect(await own.balance(ana)).toBe(0)
      const events = await own.sql<{ event: string }>(
        `select event from message where customer_id = $1 and event in ('refund_owed', 'payment_refunded') and channel = 'app'`,
        [ana.customer_id],
      )
      expect(events.map(({ event }) => event)).toContain(delivers ? 'payment_refunded' : 'refund_owed')
    }
  } finally {
    await own.close()
  }
})

describe('customer names', () => {
  beforeAll(() =>
    open(
      'stripe',
      (now) => new StripeFake({ now }),
      (url) => ({
        PAYMENTS: 'stripe',
        STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
        STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
        STRIPE_API_BASE: url,
      }),
    ),
  )
  afterAll(close)

  test('an initial is dropped; without a last name the request is refused with the reason, and nothing is pending', async () => {
    const [initial, short] = [await s.make.customer(), await s.make.customer()]
    await s.sql(`update customer set name = 'Ana María', last_name = 'M' where customer_id = $1`, [initial.customer_id])
    await s.sql(`update customer set name = 'Ana', last_name = 'O' where customer_id = $1`, [short.customer_id])
    expect((await buy(initial)).voucher?.kind).toBe('oxxo')
    expect(await refusalOf(buy(short))).toMatchObject({
      code: 'VOUCHER_NAME',
      status: 412,
      message: expect.stringContaining('al menos dos letras'),
    })
    expect(fake.countOf('POST /v1/payment_intents')).toBe(1)
  })
})
