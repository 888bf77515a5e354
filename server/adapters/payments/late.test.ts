/**
 * The hold of a purchase ends while its customer is paying (docs/domain.md V10, V12, V13): the sweeper gives it up at the processor in the
 * very moment in which the money comes. Either it was paid, once, with what it bought, or nothing was taken; its place is never lost
 * or sold twice.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import type { Fake } from '#server/testing/fakes/fake.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let fake: Fake
const open = async (make: (now: () => Date) => Fake, env: (url: string) => Record<string, string>) => {
  let clock = () => new Date('2026-11-19T16:00:00Z')
  fake = await make(() => clock()).listen()
  s = await studio({ env: env(fake.url), settings: { paypal_enabled: true } })
  clock = s.clock.now
}
const close = async () => {
  await s.close()
  await fake.close()
  expect(fake.complaints).toEqual([])
}

async function books(purchase_id: number) {
  const [row] = await s.sql<{ status: string; sold: number }>(
    'select status, sold from purchase join class_package using (class_package_id) where purchase_id = $1',
    [purchase_id],
  )
  const count = async (table: string) => (await s.sql(`select 1 from ${table} where purchase_id = $1`, [purchase_id])).length
  return { ...row, taken: fake.movements(purchase_id).length, grants: await count('available_class'), invoices: await count('invoice') }
}
const PAID = { status: 'completed', sold: 1, taken: 1, grants: 1, invoices: 1 }
const NOTHING = { status: 'failed', sold: 0, taken: 0, grants: 0, invoices: 0 }

/** The last unit of a package, being bought. */
async function lastUnit(): Promise<{ ana: Person; class_package_id: number }> {
  const { class_package_id } = await s.make.package({ capacity: 1 })
  return { ana: await s.make.customer(), class_package_id }
}
/** Whatever comes later changes nothing any more. */
async function stays(purchase_id: number, as: object): Promise<void> {
  for (let round = 0; round < 2; round++) {
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    await reconcile(s.system())
    expect(await books(purchase_id)).toEqual(as)
  }
}

describe.each([
  {
    name: 'stripe',
    make: (now: () => Date) => new StripeFake({ now }),
    env: (url: string) => ({
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: url,
    }),
    asks: (): string => 'pm_card_threeDSecure2Required',
    confirm: (answer: { clientSecret: string | null }) => {
      if (fake instanceof StripeFake) fake.books.authenticate(answer.clientSecret ?? '', true)
    },
  },
  {
    name: 'conekta',
    make: (now: () => Date) => new ConektaFake({ now }),
    env: (url: string) => ({ PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: url }),
    asks: (): string => conektaToken('3ds'),
    confirm: (answer: { session: { id: string } | null }) => {
      const id = answer.session?.id ?? ''
      if (fake instanceof ConektaFake && fake.books.orders.get(id)?.payment_status === 'pending_payment') fake.books.pay(id)
    },
  },
])('$name', ({ make, env, asks, confirm }) => {
  beforeAll(() => open(make, env))
  afterAll(close)

  test.each(['before', 'after'] as const)('the bank says yes just %s the sweeper’s word arrives', async (moment) => {
    const { ana, class_package_id } = await lastUnit()
    const answer = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: asks() })
    s.clock.advance({ minutes: 40 })
    let cancels = 0
    fake.onRequest = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/cancel')) return
      cancels++
      if (moment === 'before') confirm(answer)
    }
    await Promise.all([sweep(s.system()), s.as(ana).sales.one({ id: answer.purchase_id }), sweep(s.system())])
    fake.onRequest = null
    expect(cancels).toBeGreaterThan(0)
    confirm(answer)
    await sweep(s.system())
    expect(await books(answer.purchase_id)).toEqual(moment === 'before' ? PAID : NOTHING)
    await stays(answer.purchase_id, moment === 'before' ? PAID : NOTHING)
  })
})

describe('paypal', () => {
  beforeAll(() =>
    open(
      (now) => new PayPalFake({ now }),
      (url) => ({
        PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
        PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
        PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
        PAYPAL_API_BASE: url,
      }),
    ),
  )
  afterAll(close)

  async function approved() {
    const { ana, class_package_id } = await lastUnit()
    const { purchase_id, orderID } = await s.as(ana, randomUUID()).checkout.paypal({ class_package_id })
    if (fake instanceof PayPalFake) fake.books.approve(orderID ?? '')
    return { ana, purchase_id, orderID }
  }

  test('the sweeper waits for a running capture when the hold ends', async () => {
    const { ana, purchase_id, orderID } = await approved()
    fake.latencyMs = 150
    const sweeping: Promise<unknown>[] = []
    fake.onRequest = ({ path }) => {
      if (!path.endsWith('/capture') || sweeping.length) return
      s.clock.advance({ minutes: 41 })
      sweeping.push(sweep(s.system()), sweep(s.system()))
    }
    const captured = s.as(ana).checkout.capture({ orderID })
    expect((await captured).status).toMatch(/^(pending|completed)$/)
    fake.onRequest = null
    fake.latencyMs = 0
    await Promise.all(sweeping)
    await sweep(s.system())
    expect(await books(purchase_id)).toEqual(PAID)
    await stays(purchase_id, PAID)
  })

  test('an approval captured after the hold takes no money, and the stock is free', async () => {
    const { ana, purchase_id, orderID } = await approved()
    s.clock.advance({ minutes: 41 })
    const [refusal] = await Promise.all([refusalOf(s.as(ana).checkout.capture({ orderID })), sweep(s.system())])
    expect(refusal.code).toMatch(/^(PURCHASE_CLOSED|PAYMENT_IN_PROGRESS)$/)
    await sweep(s.system())
    expect(await books(purchase_id)).toEqual(NOTHING)
    await stays(purchase_id, NOTHING)
  })
})
