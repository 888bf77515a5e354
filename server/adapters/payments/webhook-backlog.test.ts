/**
 * A quarter of a year of events at each processor, delivered afterwards: thousands in any order, each many times. Every purchase ends in
 * its state at the processor (docs/domain.md V8, V18, V37).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handleEvent } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import type { Fake } from '#server/testing/fakes/fake.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

/** How many notices arrive at least. */
const EVENT_COUNT = 1_000

/** What happens at a processor without our doing. */
interface Panel {
  fake: Fake & { tick(): void }
  env: Record<string, string>
  /** Buys, and answers the purchase; `left`: begun and never paid. */
  buy(s: TestStudio, customer: Person, class_package_id: number, left: boolean): Promise<number>
  /** Of the charge of a purchase: the processor's object, and its payment. */
  refund(at: { ref: string; payment: string }, amount: number): void
  failRefund(at: { ref: string; payment: string }): void
  dispute(at: { ref: string; payment: string }, state: 'open' | 'won' | 'lost'): void
}

const byCard =
  (card: (needsChallenge: boolean) => string): Panel['buy'] =>
  async (s, customer, class_package_id, left) =>
    (await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: card(left) })).purchase_id

async function stripe(now: () => Date): Promise<Panel> {
  const fake = await new StripeFake({ now }).listen()
  return {
    fake,
    env: {
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: fake.url,
    },
    buy: byCard((needsChallenge) => (needsChallenge ? 'pm_card_threeDSecure2Required' : 'pm_card_visa')),
    refund: ({ payment }, amount) => fake.books.refund(fake.books.get('intents', payment), amount, { reason: null, metadata: {} }),
    failRefund({ payment }) {
      const last = [...fake.books.all.refunds.values()].findLast((refund) => refund.payment_intent === payment)
      fake.books.failRefund(last?.id ?? '')
    },
    dispute: ({ payment }, state) => fake.books.dispute(payment, state === 'open' ? 'needs_response' : state),
  }
}

async function conekta(now: () => Date): Promise<Panel> {
  const fake = await new ConektaFake({ now }).listen()
  return {
    fake,
    env: { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url },
    buy: byCard((needsChallenge) => conektaToken(needsChallenge ? '3ds' : 'visa')),
    refund: ({ ref }, amount) => void fake.books.refund(fake.books.get(fake.books.orders, ref), amount),
    failRefund: ({ ref }) => fake.books.failRefund(ref),
    dispute: ({ ref }, state) => fake.books.chargeback(ref, state === 'open' ? 'action_required' : state),
  }
}

async function paypal(now: () => Date): Promise<Panel> {
  const fake = await new PayPalFake({ now }).listen()
  return {
    fake,
    env: {
      PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
      PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
      PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
      PAYPAL_API_BASE: fake.url,
    },
    async buy(s, customer, class_package_id, left) {
      const { purchase_id, orderID, subscriptionID } = await s.as(customer, randomUUID()).checkout.paypal({ class_package_id })
      if (left) return purchase_id
      if (subscriptionID) fake.books.approveSubscription(subscriptionID)
      else fake.books.approve(orderID ?? '')
      await s.as(customer).checkout.capture({ orderID, subscriptionID })
      return purchase_id
    },
    refund: ({ payment }, amount) => void fake.books.refund(payment, { currency_code: 'MXN', value: (amount / 100).toFixed(2) }),
    failRefund: ({ payment }) => fake.books.failRefund(payment),
    dispute: ({ payment }, state) =>
      fake.books.dispute(payment, { open: undefined, won: 'RESOLVED_SELLER_FAVOUR', lost: 'RESOLVED_BUYER_FAVOUR' }[state]),
  }
}

describe.each([
  ['stripe', stripe],
  ['conekta', conekta],
  ['paypal', paypal],
] as const)('%s', (name, open) => {
  let s: TestStudio
  let panel: Panel
  beforeAll(async () => {
    let clock = () => new Date('2026-11-19T16:00:00Z')
    panel = await open(() => clock())
    s = await studio({ env: panel.env, settings: { paypal_enabled: true } })
    clock = s.clock.now
    panel.fake.courier = async ({ headers, body }) =>
      (await fetch(`${s.url}/api/webhooks/${name}`, { method: 'POST', headers, body })).status
  })
  afterAll(async () => {
    await s.close()
    await panel.fake.close()
    expect(panel.fake.complaints).toEqual([])
  })

  async function books(purchase_id: number) {
    const [row] = await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [purchase_id])
    const [creditLots] = await s.sql<{ given: number; gone: number; resting: number }>(
      `select count(*)::int as given, count("revokedAt")::int as gone, count("frozenAt")::int as resting from available_class where purchase_id = $1`,
      [purchase_id],
    )
    const charges = await s.sql<{ charge: string }>(
      `select status || ' ' || refunded_centavos as charge from invoice where purchase_id = $1 order by invoice_id`,
      [purchase_id],
    )
    return { status: row?.status, ...creditLots, charges: charges.map(({ charge }) => charge), kept: panel.fake.taken(purchase_id) }
  }

  test('three months of events in any order, each repeated many times, give the same state', async () => {
    const price = 219_000
    const classPackage = await s.make.package()
    const month = await s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
    const buy = async (of: { class_package_id: number } = classPackage, left = false) =>
      panel.buy(s, await s.make.customer(), of.class_package_id, left)
    const chargeOf = async (purchase_id: number) => {
      const [row] = await s.sql<{ ref: string; payment: string }>(
        `select a.ref_id as ref, i.provider_payment as payment from payment_attempt a join invoice i using (purchase_id) where purchase_id = $1`,
        [purchase_id],
      )
      if (!row) throw new Error(`Nothing was charged for ${purchase_id}.`)
      return row
    }
    const [paid, left, part, whole, came, won, lost, open, monthly] = [
      await buy(),
      await buy(classPackage, true),
      await buy(),
      await buy(),
      await buy(),
      await buy(),
      await buy(),
      await buy(),
      await buy(month),
    ]
    if (!paid || !left || !part || !whole || !came || !won || !lost || !open || !monthly) throw new Error('Nothing was bought.')
    panel.refund(await chargeOf(part), 45_000)
    panel.refund(await chargeOf(whole), price)
    panel.refund(await chargeOf(came), price)
    panel.failRefund(await chargeOf(came))
    for (const [id, end] of [
      [won, 'won'],
      [lost, 'lost'],
      [open, 'open'],
    ] as const) {
      panel.dispute(await chargeOf(id), 'open')
      if (end !== 'open') panel.dispute(await chargeOf(id), end)
    }
    for (let days = 0; days < 92; days += 23) {
      s.clock.advance({ days: 23 })
      panel.fake.tick()
    }
    const count = panel.fake.waiting.length
    expect(new Set(await panel.fake.deliver({ order: 'shuffled', times: Math.ceil(EVENT_COUNT / count) }))).toEqual(new Set([200]))
    const events = await s.sql<{ provider_event_id: number }>('select provider_event_id from provider_event order by md5(event_id)')
    for (const event of events) await handleEvent(s.system(), event.provider_event_id)
    expect(await s.sql('select last_error from provider_event where "doneAt" is null')).toEqual([])

    const state = { status: 'completed', given: 1, gone: 0, resting: 0 }
    expect(await books(paid)).toEqual({ ...state, charges: ['paid 0'], kept: price })
    expect(await books(left)).toMatchObject({ given: 0, charges: [], kept: 0 })
    expect(await books(part)).toEqual({ ...state, charges: ['partially_refunded 45000'], kept: price - 45_000 })
    expect(await books(whole)).toEqual({ ...state, status: 'revoked', gone: 1, charges: [`refunded ${price}`], kept: 0 })
    expect(await books(came)).toEqual({ ...state, charges: ['paid 0'], kept: price })
    expect(await books(won)).toEqual({ ...state, charges: ['paid 0'], kept: price })
    expect(await books(lost)).toMatchObject({ status: 'revoked', gone: 1, charges: ['lost 0'] })
    expect(await books(open)).toEqual({ ...state, resting: 1, charges: ['disputed 0'], kept: price })
    expect(await books(monthly)).toEqual({
      ...state,
      status: 'active',
      given: 4,
      charges: Array.from({ length: 4 }, () => 'paid 0'),
      kept: 4 * price,
    })
    expect(await findBrokenInvariants(s)).toEqual({})
    s.clock.advance({ days: -92 })
  })
})
