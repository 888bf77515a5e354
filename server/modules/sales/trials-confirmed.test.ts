/** One free trial per card or wallet where only the processor's confirmation identifies it (docs/domain.md V41). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PriceShownToCustomer } from '#contract/sales.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'
import { sweep } from './jobs.ts'

const FREE: PriceShownToCustomer = { today: '0.00', total: '1450.00', next_total: '1450.00' }
const PAID: PriceShownToCustomer = { today: '1450.00', total: '1450.00', next_total: '1450.00' }
const TRIAL = {
  price_centavos: 145_000,
  expiration_days: 31,
  is_subscription: true,
  subscription_period: 'month',
  subscription_interval: 1,
  free_trial_length: 7,
  free_trial_period: 'day',
} as const

interface World {
  s: TestStudio
  /** Subscribes with one of two cards or wallets, and confirms it as its owner does. */
  subscribe(person: Person, class_package_id: number, shown: PriceShownToCustomer, plastic: 'first' | 'second'): Promise<number>
  /** Lets the processor charge what is due, and deliver its events. */
  tick(): Promise<void>
  /** What the processor took, in centavos. */
  taken(purchase_id: number): Promise<number>
  close(): Promise<void>
}

const refIn = async (s: TestStudio, purchase_id: number) =>
  (await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1 order by n desc', [purchase_id]))[0]
    ?.ref_id ?? ''
const page = async (s: TestStudio, person: Person, class_package_id: number, shown: PriceShownToCustomer) => {
  const { session, purchase_id } = await s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'card', shown })
  return { purchase_id, id: session?.id ?? '' }
}
/** The customer comes back from the processor's page. */
const comeBack = (s: TestStudio, person: Person, purchase_id: number) => s.as(person).sales.one({ id: purchase_id })

/** The common part of each world with a fake of a processor. */
const processorIn = (s: TestStudio, fake: StripeFake | ConektaFake | PayPalFake): Pick<World, 'tick' | 'taken' | 'close'> => ({
  async tick() {
    fake.tick()
    await fake.deliver()
  },
  taken: async (id) => fake.taken(id),
  async close() {
    await s.close()
    await fake.close()
    expect(fake.complaints).toEqual([])
  },
})

const WORLDS: { name: string; open: () => Promise<World> }[] = [
  {
    name: 'Stripe’s own page',
    async open() {
      let clock = () => new Date()
      const fake = await new StripeFake({ now: () => clock() }).listen()
      const keys = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET }
      const s = await studio({ env: { ...keys, STRIPE_API_BASE: fake.url }, settings: { stripe_checkout_mode: 'session' } })
      clock = s.clock.now
      fake.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status
      return {
        s,
        async subscribe(person, class_package_id, shown, plastic) {
          const { purchase_id, id } = await page(s, person, class_package_id, shown)
          expect(fake.payPage(id, plastic === 'first' ? 'pm_card_visa' : 'pm_card_mastercard')).toBe(true)
          await comeBack(s, person, purchase_id)
          return purchase_id
        },
        ...processorIn(s, fake),
      }
    },
  },
  {
    name: 'Conekta',
    async open() {
      let clock = () => new Date()
      const fake = await new ConektaFake({ now: () => clock() }).listen()
      const s = await studio({ env: { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url } })
      clock = s.clock.now
      fake.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/conekta`, { method: 'POST', headers, body })).status
      return {
        s,
        async subscribe(person, class_package_id, shown, plastic) {
          const payment_method = conektaToken(plastic === 'first' ? 'visa' : 'mastercard')
          const payment = s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method, shown })
          return payment.then(
            ({ purchase_id }) => purchase_id,
            (error) => {
              expect(error).toMatchObject({ code: 'TRIAL_USED', status: 409, data: PAID })
              return Number(error.data.purchase_id)
            },
          )
        },
        ...processorIn(s, fake),
      }
    },
  },
  {
    name: 'PayPal',
    async open() {
      let clock = () => new Date()
      const fake = await new PayPalFake({ now: () => clock() }).listen()
      const s = await studio({
        env: {
          PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
          PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
          PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
          PAYPAL_API_BASE: fake.url,
        },
        settings: { paypal_enabled: true },
      })
      clock = s.clock.now
      fake.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/paypal`, { method: 'POST', headers, body })).status
      return {
        s,
        async subscribe(person, class_package_id, shown, plastic) {
          const { purchase_id, subscriptionID } = await s.as(person, randomUUID()).checkout.paypal({ class_package_id, shown })
          fake.books.approveSubscription(subscriptionID ?? '', false, plastic === 'first' ? 'PAYERPAYERONE' : 'PAYERPAYERTWO')
          await s
            .as(person)
            .checkout.capture({ subscriptionID: subscriptionID ?? '' })
            .catch((error) => expect(error).toMatchObject({ code: 'TRIAL_USED', status: 409, data: PAID }))
          return purchase_id
        },
        ...processorIn(s, fake),
      }
    },
  },
  {
    name: 'the sandbox’s own page',
    async open() {
      const s = await studio({ settings: { stripe_checkout_mode: 'session' } })
      const bank = s.bank()
      return {
        s,
        async subscribe(person, class_package_id, shown, plastic) {
          const { purchase_id, id } = await page(s, person, class_package_id, shown)
          await bank.giveToken(id, `tok_ok~visa~${plastic === 'first' ? '8001' : '8002'}~122030~${randomUUID().slice(0, 8)}`)
          await comeBack(s, person, purchase_id)
          return purchase_id
        },
        tick: () => bank.tick(),
        taken: async (id) => (await bank.ledger(id)).reduce((sum, { kind, amount }) => sum + (kind === 'charge' ? amount : -amount), 0),
        close: () => s.close(),
      }
    },
  },
]

describe.each(WORLDS)('$name', ({ open }) => {
  let world: World
  let s: TestStudio
  beforeAll(async () => {
    world = await open()
    s = world.s
    await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
    await s.change({ subscriptions_enabled: true })
  })
  afterAll(() => world.close())

  const purchaseOf = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
  const work = async () => {
    await world.tick()
    await deliverPendingWebhooks(s)
    await doJobs(s)
    await sweep(s.system())
  }

  test('a second trial found at confirmation is ended before any charge, reported, and offered paid', async () => {
    const [ana, luis, { class_package_id }] = [await s.make.customer(), await s.make.customer(), await s.make.package(TRIAL)]
    const first = await world.subscribe(ana, class_package_id, FREE, 'first')
    await work()
    expect(await purchaseOf(ana, first)).toMatchObject({ status: 'active', free_trial_length: 7 })

    const second = await world.subscribe(luis, class_package_id, FREE, 'first')
    const ref = await refIn(s, second)
    await work()
    expect(await purchaseOf(luis, second)).toMatchObject({
      status: 'pending',
      unfinished: true,
      failure: {
        code: 'TRIAL_USED',
        message:
          'La prueba gratis es una por persona, y ya se usó: hoy pagas $1,450.00. No te cobramos nada; revísalo y confirma de nuevo.',
      },
    })
    expect(await s.balance(luis)).toBe(0)

    // The checkout shows it now, and a request with the price of a trial is refused.
    expect((await s.as(luis).checkout.ways({ class_package_id })).free_trial).toBe(false)
    const paid = await world.subscribe(luis, class_package_id, PAID, 'first')
    await work()
    expect(await purchaseOf(luis, paid)).toMatchObject({ status: 'active', free_trial_length: null })
    expect([await world.taken(second), await world.taken(paid)]).toEqual([0, 145_000])
    expect(paid).not.toBe(second)

    // Weeks later the first one was charged after its trial, the ended one never.
    for (let day = 0; day < 10; day++) {
      s.clock.advance({ days: 1 })
      await work()
    }
    expect([await world.taken(first), await world.taken(second)]).toEqual([145_000, 0])
    expect((await purchaseOf(luis, second)).status).not.toBe('active')
    expect(ref).not.toBe('')
  })

  test('a customer refused with another person’s card gets a trial with their own, a day later', async () => {
    const [eva, { class_package_id }] = [await s.make.customer(), await s.make.package(TRIAL)]
    const refused = await world.subscribe(eva, class_package_id, FREE, 'first')
    await work()
    expect((await purchaseOf(eva, refused)).failure?.code).toBe('TRIAL_USED')
    s.clock.advance({ hours: 25 })
    await work()
    expect((await s.as(eva).checkout.ways({ class_package_id })).free_trial).toBe(true)
    const own = await world.subscribe(eva, class_package_id, FREE, 'second')
    await work()
    expect((await purchaseOf(eva, own)).status).toBe('active')
    expect(await world.taken(own)).toBe(0)
  })

  test('allowed where the studio has no limit per card', async () => {
    await s.having({ trial_once_per_card: false }, async () => {
      const [leo, { class_package_id }] = [await s.make.customer(), await s.make.package(TRIAL)]
      const another = await world.subscribe(leo, class_package_id, FREE, 'first')
      await work()
      expect((await purchaseOf(leo, another)).status).toBe('active')
    })
  })
})

test('refusals of a second trial include today’s price', async () => {
  const { s, subscribe, close } = await (WORLDS[1] as (typeof WORLDS)[number]).open()
  const [ana, luis, { class_package_id }] = [await s.make.customer(), await s.make.customer(), await s.make.package(TRIAL)]
  await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
  await subscribe(ana, class_package_id, FREE, 'first')
  const refusal = await refusalOf(
    s.as(luis, randomUUID()).sales.attempt({ class_package_id, payment_method: conektaToken('visa'), shown: FREE }),
  )
  expect(refusal).toMatchObject({ code: 'TRIAL_USED', message: expect.stringContaining('hoy pagas $1,450.00'), data: PAID })
  await close()
})
