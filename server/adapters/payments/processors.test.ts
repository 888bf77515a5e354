/** A whole studio on the fake of a real processor: one charge, one grant, whatever happens to responses, events and processes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RealCardProcessor } from '#contract/processors.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import type { Fake } from '#server/testing/fakes/fake.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

interface Processor {
  name: RealCardProcessor
  open(now: () => Date): Fake
  env(fake: Fake): Record<string, string>
  cards: { good: string; poor: string; challenges: string }
  /** The path of the request that takes money. */
  charges: (path: string) => boolean
  /** The customer passes the bank's challenge. */
  confirm(fake: Fake, answer: { clientSecret: string | null; session: { id: string } | null }): void
}

/** A processor with cards and without a fake does not compile. */
const PROCESSORS: Readonly<Record<RealCardProcessor, Omit<Processor, 'name'>>> = {
  stripe: {
    open: (now) => new StripeFake({ now }),
    env: (fake) => ({
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: fake.url,
    }),
    cards: { good: 'pm_card_visa', poor: 'pm_card_chargeDeclinedInsufficientFunds', challenges: 'pm_card_threeDSecure2Required' },
    charges: (path) => path === '/v1/payment_intents',
    confirm: (fake, { clientSecret }) => {
      if (fake instanceof StripeFake) fake.books.authenticate(clientSecret ?? '', true)
    },
  },
  conekta: {
    open: (now) => new ConektaFake({ now }),
    env: (fake) => ({ PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url }),
    cards: {
      get good() {
        return conektaToken('visa')
      },
      get poor() {
        return conektaToken('insufficient_funds')
      },
      get challenges() {
        return conektaToken('3ds')
      },
    },
    charges: (path) => path.endsWith('/charges'),
    confirm: (fake, { session }) => {
      if (fake instanceof ConektaFake) fake.books.pay(session?.id ?? '')
    },
  },
}

describe.each(Object.entries(PROCESSORS).map(([name, processor]) => ({ name, ...processor })))('$name', (processor) => {
  let s: TestStudio
  let fake: Fake
  beforeAll(async () => {
    let clock = () => new Date('2026-11-19T16:00:00Z')
    fake = await processor.open(() => clock()).listen()
    s = await studio({ env: processor.env(fake) })
    clock = s.clock.now
    fake.courier = async ({ headers, body }) =>
      (await fetch(`${s.url}/api/webhooks/${processor.name}`, { method: 'POST', headers, body })).status
  })
  afterAll(async () => {
    await s.close()
    await fake.close()
    expect(fake.complaints).toEqual([])
  })

  const buyer = async () => {
    const [ana, classPackage, visit] = [await s.make.customer(), await s.make.package(), randomUUID()]
    return {
      ana,
      pay: (card: string) => s.as(ana, visit).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: card }),
    }
  }
  /** Purchase, grants, invoices and what was really taken. */
  const books = async (purchase_id: number) => {
    const [row] = await s.sql<{ status: string; total_centavos: number }>(
      'select status, total_centavos from purchase where purchase_id = $1',
      [purchase_id],
    )
    const count = async (table: string) => (await s.sql(`select 1 from ${table} where purchase_id = $1`, [purchase_id])).length
    return {
      status: row?.status,
      grants: await count('available_class'),
      invoices: await count('invoice'),
      taken: fake.taken(purchase_id) / (row?.total_centavos ?? 1),
      charges: fake.movements(purchase_id).length,
    }
  }
  const ONCE = { status: 'completed', grants: 1, invoices: 1, taken: 1, charges: 1 }

  test('a card pays; after a decline another card of the same visit pays', async () => {
    const { pay } = await buyer()
    expect(await refusalOf(pay(processor.cards.poor))).toMatchObject({ code: 'CARD_INSUFFICIENT_FUNDS', status: 402 })
    const { good } = processor.cards
    const { purchase_id, status } = await pay(good)
    expect(status).toBe('completed')
    expect(await books(purchase_id)).toEqual(ONCE)
    expect((await pay(good)).purchase_id).toBe(purchase_id)
    expect(await books(purchase_id)).toEqual(ONCE)
  })

  test.each([
    ['before the answer', async () => {}],
    ['twice', () => fake.deliver({ times: 2 })],
    ['turned around', () => fake.deliver({ order: 'reversed' })],
    [
      'ten minutes late',
      () => {
        s.clock.advance({ minutes: 10 })
        return fake.deliver()
      },
    ],
  ] as const)('the bank asks for a confirmation; the webhook events come %s', async (when, deliver) => {
    const { ana, pay } = await buyer()
    fake.waiting.length = 0
    fake.delivery = when === 'before the answer' ? when : 'held'
    const answer = await pay(processor.cards.challenges)
    expect(answer.status).toBe('pending')
    processor.confirm(fake, answer)
    if (when === 'before the answer') await fake.deliver()
    else expect(new Set(await deliver())).toEqual(new Set([200]))
    fake.delivery = 'held'
    await deliverPendingWebhooks(s)
    expect(await books(answer.purchase_id)).toEqual(ONCE)
    expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.status).toBe('completed')
  })

  test('when events are lost or badly signed, the customer’s own read completes the purchase', async () => {
    const { ana, pay } = await buyer()
    fake.waiting.length = 0
    const answer = await pay(processor.cards.challenges)
    processor.confirm(fake, answer)
    expect(new Set(await fake.deliver({ wrongSecret: true }))).toEqual(new Set([400]))
    await deliverPendingWebhooks(s)
    expect((await books(answer.purchase_id)).status).toBe('pending')
    expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.status).toBe('completed')
    expect(await books(answer.purchase_id)).toEqual(ONCE)
  })

  test('a charge without an answer is pending, never failed, and the sweeper finds it', async () => {
    const { pay } = await buyer()
    fake.break('drop after', ({ method, path }) => method === 'POST' && processor.charges(path), 9)
    const answer = await pay(processor.cards.good)
    fake.mend()
    expect(answer.status).toBe('pending')
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    expect(await books(answer.purchase_id)).toEqual(ONCE)
  })

  test('a charge that never reached the processor ends after a while, and the visit’s next card pays', async () => {
    const { pay } = await buyer()
    fake.break('drop before', ({ method, path }) => method === 'POST' && processor.charges(path), 9)
    const { purchase_id } = await pay(processor.cards.good)
    fake.mend()
    expect((await books(purchase_id)).charges).toBe(0)
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    expect((await books(purchase_id)).status).toBe('pending')
    const again = await pay(processor.cards.good)
    expect(again.purchase_id).toBe(purchase_id)
    expect(await books(purchase_id)).toEqual(ONCE)
  })

  test('ten concurrent clicks are one charge', async () => {
    const [{ pay }, { good }] = [await buyer(), processor.cards]
    fake.latencyMs = 40
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => pay(good)))
    fake.latencyMs = 0
    const ids = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.purchase_id] : [])))
    expect(ids.size).toBe(1)
    await sweep(s.system())
    expect(await books([...ids][0] ?? 0)).toEqual(ONCE)
  })

  test('the processor charges the frozen discounted price, once or per period (D2, V1)', async () => {
    await s.change({ discounts_enabled: true })
    const [ana, once] = [await s.make.customer(), await s.make.package()]
    const monthly = await s.make.package({
      price_centavos: 145_000,
      expiration_days: 30,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 1,
    })
    const [{ code }, first] = [
      await s.make.discount({ amount: 1_550 }),
      await s.make.discount({ amount: 10_000, is_percent: false, first_invoice_only: true }),
    ]
    const buy = (class_package_id: number, discountCode: string) =>
      s.as(ana, randomUUID()).sales.attempt({ class_package_id, discountCode, payment_method: processor.cards.good })
    const cut = await buy(once.class_package_id, code)
    expect(fake.movements(cut.purchase_id)).toEqual(['charge 185055'])
    expect(await books(cut.purchase_id)).toEqual(ONCE)
    const { purchase_id } = await buy(monthly.class_package_id, first.code)
    expect((await s.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({
      status: 'active',
      next_charge: { amount: '1450.00' },
    })
    s.clock.advance({ days: 31 })
    if (fake instanceof StripeFake || fake instanceof ConektaFake) fake.tick()
    await sweep(s.system())
    expect(fake.movements(purchase_id)).toEqual(['charge 135000', 'charge 145000'])
    expect(await books(purchase_id)).toMatchObject({ status: 'active', grants: 2, invoices: 2 })
    s.clock.advance({ days: -31 })
  })

  test('an expired hold is cancelled at the processor before its stock is released', async () => {
    const { pay } = await buyer()
    const answer = await pay(processor.cards.challenges)
    s.clock.advance({ minutes: 40 })
    await sweep(s.system())
    expect((await books(answer.purchase_id)).status).toBe('failed')
    if (processor.name === 'stripe') processor.confirm(fake, answer)
    else expect(() => processor.confirm(fake, answer)).toThrow(/canceled/)
    expect((await books(answer.purchase_id)).charges).toBe(0)
  })
})
