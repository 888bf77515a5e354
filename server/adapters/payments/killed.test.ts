/**
 * The process that sells is killed at the two critical moments: before the processor's answer arrives, and between that answer and our
 * commit. A new process gets the same request under the same key: one charge, one grant (docs/domain.md V5, V7, V8).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RealProcessor } from '#contract/processors.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import type { Fake } from '#server/testing/fakes/fake.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, studio, type TestStudio } from '#server/testing/studio.ts'

interface Processor {
  open(now: () => Date): Fake
  env(fake: Fake): Record<string, string>
  /** The path of the request that takes money. */
  charges: (path: string) => boolean
  /** What the customer does before money is taken; answers what takes it. */
  begin(client: Client, class_package_id: number, fake: Fake): Promise<(client: Client) => Promise<{ purchase_id: number; status: string }>>
}

const byCard = (card: () => string): Processor['begin'] => {
  return async (_, class_package_id) => {
    const payment_method = card()
    return (client) => client.sales.attempt({ class_package_id, payment_method })
  }
}
const PROCESSORS: Readonly<Record<RealProcessor, Processor>> = {
  stripe: {
    open: (now) => new StripeFake({ now }),
    env: ({ url }) => ({
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: url,
    }),
    charges: (path) => path === '/v1/payment_intents',
    begin: byCard(() => 'pm_card_visa'),
  },
  conekta: {
    open: (now) => new ConektaFake({ now }),
    env: ({ url }) => ({ PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: url }),
    charges: (path) => path.endsWith('/charges'),
    begin: byCard(() => conektaToken('visa')),
  },
  paypal: {
    open: (now) => new PayPalFake({ now }),
    env: ({ url }) => ({
      PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
      PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
      PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
      PAYPAL_API_BASE: url,
    }),
    charges: (path) => path.endsWith('/capture'),
    async begin(client, class_package_id, fake) {
      const { orderID } = await client.checkout.paypal({ class_package_id })
      if (fake instanceof PayPalFake) fake.books.approve(orderID ?? '')
      return (again) => again.checkout.capture({ orderID })
    },
  },
}

describe.each(Object.entries(PROCESSORS))('%s', (_name, processor) => {
  let s: TestStudio
  let fake: Fake
  let running: SecondProcess
  const start = () => secondProcess(s, { env: processor.env(fake) })
  beforeAll(async () => {
    let clock = () => new Date('2026-11-19T16:00:00Z')
    fake = await processor.open(() => clock()).listen()
    s = await studio({ env: processor.env(fake), settings: { paypal_enabled: true } })
    clock = s.clock.now
    running = await start()
  })
  afterEach(() => {
    fake.mend()
    fake.gate = null
  })
  afterAll(async () => {
    await running?.close()
    await s.close()
    await fake.close()
    expect(fake.complaints).toEqual([])
  })

  /** Until something is so; a machine that is busy takes its time. */
  async function until(is: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + 60_000
    while (!(await is())) {
      if (performance.now() > end) throw new Error('It never came to that.')
      await sleep(5)
    }
  }
  const count = async (table: string, purchase_id: number) =>
    (await s.sql(`select 1 from ${table} where purchase_id = $1`, [purchase_id])).length
  const books = async (purchase_id: number) => ({
    status: (await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [purchase_id]))[0]?.status,
    charges: fake.movements(purchase_id).length,
    grants: await count('available_class', purchase_id),
    invoices: await count('invoice', purchase_id),
    attempts: await count('payment_attempt', purchase_id),
  })
  const ONCE = { status: 'completed', charges: 1, grants: 1, invoices: 1, attempts: 1 }

  /** Buys at the running process, kills it at the moment, starts another one and repeats the request. */
  async function killed(moment: 'answer' | 'commit', then: 'same key' | 'sweeper'): Promise<void> {
    const [ana, classPackage, visit] = [await s.make.customer(), await s.make.package(), randomUUID()]
    const take = await processor.begin(running.as(ana, visit), classPackage.class_package_id, fake)
    const isCharge = ({ method, path }: { method: string; path: string }) => method === 'POST' && processor.charges(path)
    const before = fake.ledger.length
    const blocker = await s.studio.db.pool.connect()
    try {
      if (moment === 'answer') fake.break('hang after', isCharge)
      // During the charge a second connection locks the customer's row: settling has the answer and waits for the lock.
      else
        fake.onRequest = (request) => {
          if (!isCharge(request)) return
          fake.gate = blocker
            .query('begin')
            .then(() => blocker.query('select 1 from customer where customer_id = $1 for update', [ana.customer_id]))
        }
      const cut = take(running.as(ana, visit)).then(
        () => 'answered',
        () => 'cut',
      )
      await until(() => fake.ledger.length > before)
      if (moment === 'commit')
        await until(
          async () =>
            (await s.sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length > 0,
        )
      await running.kill()
      expect(await cut).toBe('cut')
    } finally {
      await blocker.query('rollback')
      blocker.release()
      fake.mend()
      fake.onRequest = null
      fake.gate = null
    }
    const [row] = await s.sql<{ purchase_id: number; status: string }>('select purchase_id, status from purchase where customer_id = $1', [
      ana.customer_id,
    ])
    const purchase_id = row?.purchase_id ?? 0
    expect(await books(purchase_id)).toEqual({ ...ONCE, status: 'pending', grants: 0, invoices: 0 })
    // The call of a dead process may still arrive for a while.
    s.clock.advance({ minutes: 3 })
    running = await start()
    if (then === 'sweeper') await sweep(s.system())
    else expect(await take(running.as(ana, visit))).toMatchObject({ purchase_id, status: 'completed' })
    expect(await books(purchase_id)).toEqual(ONCE)
    expect(await take(running.as(ana, visit))).toMatchObject({ purchase_id, status: 'completed' })
    await sweep(s.system())
    expect(await books(purchase_id)).toEqual(ONCE)
  }

  test('killed before the answer arrives: a repeat with the same key finds the charge', () => killed('answer', 'same key'))
  test('killed between the answer and our commit: a repeat with the same key completes it', () => killed('commit', 'same key'))
  test('killed between the answer and our commit without a repeat: the sweeper completes it', () => killed('commit', 'sweeper'))
})
