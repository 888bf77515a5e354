/**
 * One customer, thirty tabs, one package: whatever payment option each tab uses and in whatever order the answers arrive, it is charged
 * once (docs/domain.md V5, V6).
 * After the rush everything that can still be paid is paid: vouchers at the shop, the bank's questions, what was approved in the wallet.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { findMatchingRows } from '#server/testing/invariants.ts'
import { outcomes } from '#server/testing/outcomes.ts'
import { racesWithoutLocks } from '#server/testing/races-without-guards.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

const TABS = 30
const SETTINGS = {
  cash_session_required: false,
  cash_checkout_enabled: true,
  oxxo_enabled: true,
  spei_enabled: true,
  paypal_enabled: true,
  discounts_enabled: true,
}
const tabs = <T>(call: (n: number) => Promise<T>) => Array.from({ length: TABS }, (_, n) => call(n))

interface World {
  s: TestStudio
  /** A person's client in one tab or another; the tabs talk to every process there is. */
  tab(n: number, person: Person, key?: string | null): Client
  cards: { good: string; challenges: string }
  /** Charges less what went back, of these purchases, in centavos. */
  taken(purchases: readonly number[]): Promise<number>
  /** Completes a payment that still waits: the voucher, the bank's challenge, the page. */
  payLate(ref: { gateway: string; ref_id: string }): Promise<void>
  close(): Promise<void>
}

async function sandboxWorld(): Promise<World> {
  const s = await studio({ settings: SETTINGS })
  const other: SecondProcess = await secondProcess(s)
  const bank: Sandbox = s.bank()
  return {
    s,
    tab: (n, person, key = randomUUID()) => (n % 2 ? other : s).as(person, key ?? undefined),
    cards: { good: 'tok_ok', challenges: 'tok_3ds' },
    async taken(purchases) {
      const rows = (await Promise.all(purchases.map((id) => bank.ledger(id)))).flat()
      return rows.reduce((sum, row) => sum + (row.kind === 'charge' ? row.amount : -row.amount), 0)
    },
    async payLate({ ref_id }) {
      for (const late of [() => bank.payVoucher(ref_id), () => bank.authorize(ref_id, true), () => bank.approve(ref_id, true)])
        await late().catch(() => {})
    },
    async close() {
      await other.close()
      await s.close()
    },
  }
}

async function fakeWorld(processor: 'stripe' | 'conekta'): Promise<World> {
  let clock = () => new Date(START)
  const now = () => clock()
  const [fake, wallet] = await Promise.all([
    processor === 'stripe' ? new StripeFake({ now }).listen() : new ConektaFake({ now }).listen(),
    new PayPalFake({ now }).listen(),
  ])
  const s = await studio({
    settings: SETTINGS,
    env: {
      ...(processor === 'stripe'
        ? {
            PAYMENTS: 'stripe',
            STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
            STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
            STRIPE_API_BASE: fake.url,
          }
        : { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url }),
      PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
      PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
      PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
      PAYPAL_API_BASE: wallet.url,
    },
  })
  clock = s.clock.now
  for (const [name, service] of [
    [processor, fake],
    ['paypal', wallet],
  ] as const)
    service.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/${name}`, { method: 'POST', headers, body })).status
  // As far away as a processor is.
  fake.latencyMs = 15
  wallet.latencyMs = 15
  const attempt = (act: () => void) => {
    try {
      act()
    } catch {
      // The processor takes no money for it any more.
    }
  }
  return {
    s,
    tab: (_, person, key = randomUUID()) => s.as(person, key ?? undefined),
    cards:
      processor === 'stripe'
        ? { good: 'pm_card_visa', challenges: 'pm_card_threeDSecure2Required' }
        : {
            get good() {
              return conektaToken('visa')
            },
            get challenges() {
              return conektaToken('3ds')
            },
          },
    taken: async (purchases) => purchases.reduce((sum, id) => sum + fake.taken(id) + wallet.taken(id), 0),
    async payLate({ gateway, ref_id }) {
      if (gateway === 'paypal')
        attempt(() => (ref_id.startsWith('I-') ? wallet.books.approveSubscription(ref_id) : wallet.books.approve(ref_id)))
      else if (fake instanceof ConektaFake) attempt(() => fake.books.pay(ref_id))
      else if (ref_id.startsWith('pi_'))
        attempt(() => {
          const intent = fake.books.get('intents', ref_id)
          if (intent.status === 'requires_action') fake.books.succeed(intent)
        })
      for (const service of [fake, wallet]) await service.deliver()
    },
    async close() {
      await s.close()
      await fake.close()
      await wallet.close()
      expect([...fake.complaints, ...wallet.complaints]).toEqual([])
    },
  }
}

const INVARIANTS = {
  'one purchase of a package waits for a customer': `
    select customer_id, class_package_id from purchase where status = 'pending' group by 1, 2 having count(*) > 1`,
  'stock counts the live purchases': `
    select k.class_package_id, k.sold, count(p.*) from class_package k left join purchase p on p.class_package_id = k.class_package_id and p.status in ('pending', 'active', 'completed')
    group by k.class_package_id having k.sold <> count(p.*)`,
  'what was bought has its moment, and nothing else has': `
    select purchase_id, status from purchase where ("completedAt" is not null) <> (status in ('active', 'completed'))`,
}

describe.each([
  ['sandbox', sandboxWorld],
  ['stripe and PayPal', () => fakeWorld('stripe')],
  ['conekta and PayPal', () => fakeWorld('conekta')],
] as const)('%s', (_, open) => {
  let w: World
  beforeAll(async () => {
    w = await open()
  })
  afterAll(() => w.close())
  afterEach(() => w.s.clock.set(START))

  /**
   * Completes every payment that can still be completed; then returns the charged amount of a customer in centavos, and their valid
   * purchases.
   */
  async function afterTheRush(person: Person) {
    const refs = await w.s.sql<{ gateway: string; ref_id: string; by: string }>(
      `select a.gateway, a.ref_id, a.instrument->>'by' as by from payment_attempt a join purchase p using (purchase_id) where p.customer_id = $1 and a.ref_id is not null`,
      [person.customer_id],
    )
    for (const ref of refs) await w.payLate(ref)
    for (const { ref_id, by } of refs)
      if (by === 'wallet')
        await w.s
          .as(person)
          .checkout.capture({ orderID: ref_id })
          .catch(() => {})
    const reception = await w.s.make.staff('reception')
    for (const { purchase_id } of (await w.s.as(person).sales.list()).purchases)
      if (refs.some(({ gateway }) => gateway === 'efectivo'))
        await w.s
          .as(reception)
          .sales.markPaid({ purchase_id })
          .catch(() => {})
    for (let round = 0; round < 2; round++) {
      await deliverPendingWebhooks(w.s)
      w.s.clock.advance({ minutes: 3 })
      await sweep(w.s.system())
    }
    const rows = await w.s.sql<{ purchase_id: number; status: string }>(
      'select purchase_id, status from purchase where customer_id = $1 order by purchase_id',
      [person.customer_id],
    )
    const cash = await w.s.sql('select 1 from cash_payment where customer_id = $1 and state = $2', [person.customer_id, 'paid'])
    expect(await findMatchingRows(w.s, INVARIANTS)).toEqual({})
    return {
      charges: (await w.taken(rows.map(({ purchase_id }) => purchase_id))) / PRICE + cash.length,
      good: rows.filter(({ status }) => status === 'completed' || status === 'active').length,
    }
  }
  const PRICE = 219_000
  const ONCE = { charges: 1, good: 1 }
  const statusOf = ({ status }: { status: string }) => status
  const EXPECTED = [
    'completed',
    'active',
    'pending',
    'PURCHASE_IN_PROGRESS',
    'PAYMENT_IN_PROGRESS',
    'PURCHASE_REPEATED',
    'SUBSCRIPTION_REPEATED',
    // A tab that waited three seconds for the others, or whose question to the processor took too long, on a busy machine: it paid nothing
    // and may try again. That exactly one pays is checked after it.
    'BUSY',
    'PAYMENT_TRY_LATER',
  ]

  test.each([
    ['a key each', () => randomUUID()],
    ['no key', () => null],
    ['a key for some', (n: number) => (n % 3 ? randomUUID() : null)],
  ])('thirty tabs pay by card at once, with %s: one charge', async (_how, key) => {
    for (let round = 0; round < 2; round++) {
      w.s.clock.set(START)
      const [ana, { class_package_id }] = [await w.s.make.customer(), await w.s.make.package()]
      const results = await outcomes(
        tabs((n) => w.tab(n, ana, key(n)).sales.attempt({ class_package_id, payment_method: w.cards.good })),
        statusOf,
      )
      expect(Object.keys(results).filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
      expect(await afterTheRush(ana)).toEqual(ONCE)
    }
  })

  test('thirty tabs with every payment method: one charge, and no other object can still charge', async () => {
    for (let round = 0; round < 3; round++) {
      w.s.clock.set(START)
      const [ana, { class_package_id }] = [await w.s.make.customer(), await w.s.make.package()]
      const results = await outcomes(
        tabs((n) => {
          const me = w.tab(n, ana)
          const choice = (n + round) % 6
          if (choice === 0) return me.sales.checkout({ class_package_id, payment_method_id: null })
          if (choice === 1) return me.checkout.paypal({ class_package_id })
          const payment_method = [w.cards.good, w.cards.challenges, 'oxxo', 'spei'][choice - 2] ?? ''
          return me.sales.attempt({ class_package_id, payment_method })
        }),
        statusOf,
      )
      expect(Object.keys(results).filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
      expect(await afterTheRush(ana)).toEqual(ONCE)
    }
  })

  test('thirty tabs with a challenge each, all confirmed: one charge', async () => {
    const [ana, { class_package_id }] = [await w.s.make.customer(), await w.s.make.package()]
    await outcomes(tabs((n) => w.tab(n, ana).sales.attempt({ class_package_id, payment_method: w.cards.challenges })))
    const rush = await afterTheRush(ana)
    if (rush.good === 0) {
      // The last tab ended the challenge before its own and then waited too long on a busy machine (BUSY): nothing is charged, and the next
      // attempt pays.
      expect(rush).toEqual({ charges: 0, good: 0 })
      await w.tab(0, ana).sales.attempt({ class_package_id, payment_method: w.cards.challenges })
      expect(await afterTheRush(ana)).toEqual(ONCE)
    } else expect(rush).toEqual(ONCE)
  })

  test('thirty tabs, half of them with a code: one charge, at one of the two prices', async () => {
    const [ana, { class_package_id }, { code }] = [await w.s.make.customer(), await w.s.make.package(), await w.s.make.discount({})]
    await outcomes(
      tabs((n) => w.tab(n, ana).sales.attempt({ class_package_id, payment_method: w.cards.good, discountCode: n % 2 ? code : null })),
    )
    const { charges, good } = await afterTheRush(ana)
    expect(good).toBe(1)
    expect(charges).toBeLessThanOrEqual(1)
    expect(charges).toBeGreaterThan(0.5)
  })

  test('thirty tabs that subscribe: one subscription, one charge', async () => {
    const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const
    const [ana, { class_package_id }] = [await w.s.make.customer(), await w.s.make.package(monthly)]
    await outcomes(tabs((n) => w.tab(n, ana).sales.attempt({ class_package_id, payment_method: w.cards.good })))
    expect(await afterTheRush(ana)).toEqual(ONCE)
  })
})

/** Opening a purchase without a lock: read, decide, write. */
const NAIVE = `
  create function naive_open(who int, pack int) returns text language plpgsql as $$
  begin
    if exists (select from purchase where customer_id = who and class_package_id = pack and status = 'pending') then return 'open'; end if;
    perform pg_sleep(0.3);
    insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, hold_until, request_hash, is_exclusive, "createdAt", "updatedAt")
      values (who, pack, 'x', 100, 100, 1, 1, 'x', 'pending', now(), 'x', true, now(), now());
    return 'ok';
  end $$;
  create function make_package() returns int language sql as $$
    insert into class_package (title, price_centavos, class_amount, expiration_days) values ('x', 100, 1, 1) returning class_package_id $$;
  create function make_customer() returns int language sql as $$
    insert into customer (name, last_name, email) values ('x', 'x', gen_random_uuid() || '@ejemplo.mx') returning customer_id $$;`

racesWithoutLocks({
  naive: NAIVE,
  guardsOff: 'drop index purchase_open',
  races: {
    'one package opened in twenty tabs': {
      refusedBy: 'purchase_open',
      async run(db) {
        const [customer_id, classPackage] = [await db.value('select make_customer()'), await db.value('select make_package()')]
        return db.together(Array.from({ length: 20 }, () => ['select naive_open($1, $2)', [customer_id, classPackage]]))
      },
    },
  },
})
