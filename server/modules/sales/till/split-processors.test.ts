/**
 * Orders with several payments, and gift cards, at the fakes of the real processors: paid, declined, abandoned, paid late, interrupted and
 * refunded (docs/domain.md S15, S5, I7, I9, I12). The sandbox has the same in `split-orders.test.ts` and `gift-card.test.ts`.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { CARDS } from '#server/testing/fakes/stripe-cards.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

/** How a bank answers a charge of a saved card. */
type Answer = 'pays' | 'declines' | 'asks'

interface Processor {
  fake: StripeFake | ConektaFake | PayPalFake
  env: Record<string, string>
}
/** A processor of cards. */
interface CardProcessor extends Processor {
  fake: StripeFake | ConektaFake
  /** The token of a card. */
  card(answer: Answer): string
  /** A saved card answers like this from now on. */
  behave(provider_card: string, answer: Answer): void
  payPage(ref: string): void
  /** The request that takes money. */
  charges: (path: string) => boolean
}

const STRIPE_CARDS = { pays: 'pm_card_visa', declines: 'pm_card_chargeDeclinedInsufficientFunds', asks: 'pm_card_authenticationRequired' }
const CONEKTA_CARDS = { pays: 'visa', declines: 'insufficient_funds', asks: '3ds' }

const PROCESSORS: Record<'stripe' | 'conekta', (now: () => Date) => Promise<CardProcessor>> = {
  async stripe(now) {
    const fake = await new StripeFake({ now }).listen()
    return {
      fake,
      env: {
        PAYMENTS: 'stripe',
        STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
        STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
        STRIPE_API_BASE: fake.url,
      },
      card: (answer) => STRIPE_CARDS[answer],
      behave(id, answer) {
        const card = CARDS[STRIPE_CARDS[answer]]
        if (card) fake.books.method(id).hidden.card = card
      },
      payPage: (ref) => void fake.payPage(ref),
      charges: (path) => path === '/v1/payment_intents',
    }
  },
  async conekta(now) {
    const fake = await new ConektaFake({ now }).listen()
    return {
      fake,
      env: { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url },
      card: (answer) => conektaToken(CONEKTA_CARDS[answer]),
      behave: (id, answer) => void Object.assign(fake.books.sources.get(id) ?? {}, { behaviour: CONEKTA_CARDS[answer] }),
      payPage: (ref) => fake.books.pay(ref),
      charges: (path) => path.endsWith('/charges'),
    }
  },
}

let s: TestStudio
let owner: Person
let location_id: number
let ten: number
let cash: number
let terminal: number

/** Opens a studio at a processor with what it sells, and a till. */
async function open<P extends Processor>(name: string, make: (now: () => Date) => Promise<P>): Promise<P> {
  let clock = () => new Date(START)
  const at = await make(() => clock())
  s = await studio({ env: at.env, settings: { paypal_enabled: true, gift_cards_on_site: true, gift_card_amounts: '500' } })
  clock = s.clock.now
  at.fake.courier = async ({ headers, body }) => (await fetch(`${s.url}/api/webhooks/${name}`, { method: 'POST', headers, body })).status
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  ten = (await s.make.package({ title: 'Diez', price_centavos: 179_000, class_amount: 10 })).class_package_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
  terminal = (await s.make.paymentMethod({ name: 'Terminal', kind: 'terminal' })).payment_method_id
  await s.as(owner, randomUUID()).cashSessions.open({ location_id, opening: '500' })
  return at
}
async function close({ fake }: Processor) {
  await s.close()
  await fake.close()
  expect(fake.complaints).toEqual([])
}

type Order = Parameters<ReturnType<TestStudio['as']>['counterOrders']['open']>[0]
/** Ten classes and water, 1,815, on one order. */
const order = (input: Partial<Order> & Pick<Order, 'customer_id'>, key: string = randomUUID()) =>
  s.as(owner, key).counterOrders.open({
    location_id,
    shown: { total: '1815' },
    lines: [
      { kind: 'package', class_package_id: ten },
      { kind: 'other', title: 'Agua', amount: '25' },
    ],
    ...input,
  })
async function giftCard(amount: string) {
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount }],
    shown: { total: amount },
    payments: [{ payment_method_id: terminal, amount }],
  })
  const card = sale.lines[0]?.gift_card
  if (!card) throw new Error('The sale has no gift card.')
  return { ...card, balance: async () => (await s.as(owner).giftCards.one({ gift_card_id: card.gift_card_id })).gift_card.balance }
}
const charges = (customer_id: number) =>
  s.sql<{ purchase_id: number; invoice_id: number; gateway: string; total: number; refunded: number; status: string }>(
    `select purchase_id, invoice_id, gateway, total_centavos as total, refunded_centavos as refunded, status from invoice
     where customer_id = $1 order by invoice_id`,
    [customer_id],
  )
const statuses = async (customer_id: number) =>
  (await s.sql<{ status: string }>('select distinct status from purchase where customer_id = $1', [customer_id])).map(
    ({ status }) => status,
  )
const refOf = async (purchase_id: number) =>
  (
    await s.sql<{ ref_id: string }>(
      `select ref_id from payment_attempt where purchase_id = $1 and ref_id is not null and gateway not in ('efectivo', 'regalo') order by n desc`,
      [purchase_id],
    )
  )[0]?.ref_id ?? ''
const tokenOf = (path: string | undefined) => path?.split('/').at(-1) ?? ''
/** The till's money by payment method. */
const till = async () => {
  const { cash_session } = await s.as(owner).cashSessions.current({ location_id })
  return Object.fromEntries((cash_session?.ways ?? []).filter(({ name }) => name === 'Efectivo').map(({ name, sales }) => [name, sales]))
}
/** The books are those of the processor, and whole. */
async function agrees() {
  await reconcile(s.system())
  expect((await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)).toEqual([])
  expect(await wrongMoney(s, false)).toEqual({})
}

describe.each(Object.entries(PROCESSORS))('%s', (name, make) => {
  let at: CardProcessor
  beforeAll(async () => {
    at = await open(name, make)
  })
  beforeEach(() => {
    s.clock.advance({ hours: 1 })
    at.fake.mend()
  })
  afterAll(() => close(at))

  /** A customer whose saved card gives this answer. */
  async function withCard(answer: Answer = 'pays') {
    const customer = await s.make.customer()
    const { payment_source } = await s.as(customer).cards.keep({ token_id: at.card('pays') })
    const payment_source_id = payment_source?.payment_source_id ?? 0
    const answers = async (next: Answer) => {
      const [row] = await s.sql<{ provider_card: string }>('select provider_card from payment_source where payment_source_id = $1', [
        payment_source_id,
      ])
      at.behave(row?.provider_card ?? '', next)
    }
    await answers(answer)
    return { who: customer, answers, buyer: { customer_id: customer.customer_id, payment_source_id } }
  }
  async function deliverWebhooks(times = 1) {
    await at.fake.deliver({ times, order: 'reversed' })
    await deliverPendingWebhooks(s)
  }

  describe('an order beside a saved card', () => {
    test('an order beside a saved card is one sale; each part goes back to where it came from, also what is refunded in the panel', async () => {
      const [{ who, buyer }, card, before] = [await withCard(), await giftCard('300'), Number((await till()).Efectivo ?? 0)]
      const paid = await order({
        ...buyer,
        payments: [
          { payment_method_id: cash, amount: '500', received: '600' },
          { gift_card_code: card.code, amount: '300' },
        ],
      })
      expect(paid).toMatchObject({ state: 'paid', total: '1815.00', charge: '1015.00' })
      await deliverWebhooks(2)
      expect(at.fake.movements(paid.purchase.purchase_id)).toEqual(['charge 101500'])
      expect([Number((await till()).Efectivo) - before, await card.balance(), await s.balance(who)]).toEqual([500, '0.00', 10])
      const rows = await charges(who.customer_id)
      expect(rows.reduce((sum, { total }) => sum + total, 0)).toBe(181_500)
      // The processor's part first, half of it here and half in its panel.
      const [first] = rows.filter(({ gateway }) => gateway === name)
      const refund = (row: (typeof rows)[number] | undefined, more: object = {}) =>
        s.as(owner, randomUUID()).studioSales.refund({
          purchase_id: row?.purchase_id ?? 0,
          invoice_id: row?.invoice_id ?? 0,
          reason: 'Prueba',
          ...more,
        })
      await refund(first, { amount: '515' })
      const ref = await refOf(paid.purchase.purchase_id)
      const { fake } = at
      if (fake instanceof StripeFake) fake.books.refund(fake.books.get('intents', ref), 50_000, { reason: null, metadata: {} })
      else fake.books.refund(fake.books.get(fake.books.orders, ref), 50_000)
      await deliverWebhooks()
      expect(at.fake.taken(paid.purchase.purchase_id)).toBe(0)
      expect(await s.balance(who)).toBe(10)
      for (const row of rows.filter(({ gateway }) => gateway !== name))
        await refund(row, row.gateway === 'efectivo' ? { by_hand: true } : {})
      expect(await card.balance()).toBe('300.00')
      expect(await s.balance(who)).toBe(0)
      expect(await statuses(who.customer_id)).toEqual(['revoked'])
      expect((await charges(who.customer_id)).every(({ total, refunded }) => total === refunded)).toBe(true)
      await agrees()
    })

    test('declined, nothing is sold and everything is where it was; another card then pays', async () => {
      const [{ who, buyer, answers }, card, before] = [await withCard('declines'), await giftCard('300'), await till()]
      const payments = [
        { payment_method_id: cash, amount: '500' },
        { gift_card_code: card.code, amount: '300' },
      ]
      expect(await codeOf(order({ ...buyer, payments }))).toBe('CARD_INSUFFICIENT_FUNDS')
      expect([await statuses(who.customer_id), await till(), await card.balance()]).toEqual([['failed'], before, '300.00'])
      expect(await charges(who.customer_id)).toEqual([])
      await answers('pays')
      expect((await order({ ...buyer, payments })).state).toBe('paid')
      await deliverWebhooks(2)
      expect([await card.balance(), await s.balance(who)]).toEqual(['0.00', 10])
      await agrees()
    })

    test('when the bank asks its customer, money in the drawer sells nothing; a gift card waits with a link, and has its balance again when that is left', async () => {
      const [{ who, buyer }, card] = [await withCard('asks'), await giftCard('815')]
      expect(await codeOf(order({ ...buyer, payments: [{ payment_method_id: cash, amount: '500' }] }))).toBe('CARD_CONFIRMATION')
      expect(await statuses(who.customer_id)).toEqual(['failed'])
      const waits = await order({ ...buyer, payments: [{ gift_card_code: card.code, amount: '815' }] })
      expect(waits).toMatchObject({ state: 'waiting', charge: '1000.00' })
      expect(await card.balance()).toBe('0.00')
      // The page is opened, and left.
      expect((await s.as(null).paymentLinks.pay({ token: tokenOf(waits.link?.url) })).url).toBeTruthy()
      s.clock.advance({ hours: 73 })
      at.fake.tick()
      await sweep(s.system())
      await deliverWebhooks()
      await sweep(s.system())
      expect([await statuses(who.customer_id), await card.balance()]).toEqual([['failed'], '815.00'])
      expect(at.fake.taken(waits.purchase.purchase_id)).toBe(0)
      await agrees()
    })

    test('the answer to the charge is lost: the sweeper finds it, and every part counts once', async () => {
      const [{ who, buyer }, card] = [await withCard(), await giftCard('300')]
      const [key, before] = [randomUUID(), Number((await till()).Efectivo ?? 0)]
      const payments = [
        { payment_method_id: cash, amount: '500' },
        { gift_card_code: card.code, amount: '300' },
      ]
      const isCharge = ({ method, path }: { method: string; path: string }) => method === 'POST' && at.charges(path)
      at.fake.onRequest = (request) => {
        if (!isCharge(request)) return
        at.fake.onRequest = null
        at.fake.break('drop after', isCharge, 1)
        // The following requests are dropped too, so that neither a retry nor a read finds the charge.
        at.fake.break('drop before', () => true, 50)
      }
      expect(await order({ ...buyer, payments }, key)).toMatchObject({ state: 'processing', charge: '1015.00' })
      at.fake.mend()
      expect([Number((await till()).Efectivo ?? 0), await card.balance(), await s.balance(who)]).toEqual([before, '0.00', 0])
      s.clock.advance({ minutes: 3 })
      await sweep(s.system())
      await deliverWebhooks(2)
      await sweep(s.system())
      expect((await order({ ...buyer, payments }, key)).state).toBe('paid')
      expect([Number((await till()).Efectivo) - before, await card.balance(), await s.balance(who)]).toEqual([500, '0.00', 10])
      expect((await charges(who.customer_id)).reduce((sum, { total }) => sum + total, 0)).toBe(181_500)
      await agrees()
    })

    test('the charge never arrives: nothing is sold, and the gift card has its balance', async () => {
      const [{ who, buyer }, card, before] = [await withCard(), await giftCard('300'), await till()]
      at.fake.break('drop before', () => true, 50)
      const state = await order({
        ...buyer,
        payments: [
          { payment_method_id: cash, amount: '500' },
          { gift_card_code: card.code, amount: '300' },
        ],
      }).then(
        (opened) => opened.state,
        () => 'refused',
      )
      expect(['processing', 'refused']).toContain(state)
      at.fake.mend()
      for (let round = 0; round < 3; round++) {
        s.clock.advance({ minutes: 20 })
        await sweep(s.system())
      }
      expect([await statuses(who.customer_id), await till(), await card.balance()]).toEqual([['failed'], before, '300.00'])
      await agrees()
    })
  })

  describe('a link beside a gift card', () => {
    test('a link beside a gift card is paid on the page; the news come late and twice, after the hold', async () => {
      const [customer, card] = [await s.make.customer(), await giftCard('815')]
      const waits = await order({ customer_id: customer.customer_id, payments: [{ gift_card_code: card.code, amount: '815' }] })
      await s.as(null).paymentLinks.pay({ token: tokenOf(waits.link?.url) })
      at.payPage(await refOf(waits.purchase.purchase_id))
      s.clock.advance({ hours: 73 })
      await Promise.all([sweep(s.system()), deliverWebhooks(2)])
      await sweep(s.system())
      expect([await statuses(customer.customer_id), await card.balance(), await s.balance(customer)]).toEqual([['completed'], '0.00', 10])
      expect(at.fake.movements(waits.purchase.purchase_id)).toEqual(['charge 100000'])
      await agrees()
    })
  })

  describe('a gift card at the checkout', () => {
    const PLUS = { price_centavos: 100_000, class_amount: 8, expiration_days: 30 }
    const pay = async (person: Person, code: string, answer: Answer) =>
      s.as(person, randomUUID()).sales.attempt({
        class_package_id: (await s.make.package(PLUS)).class_package_id,
        payment_method: at.card(answer),
        gift_card: { code, amount: '300.00' },
      })

    test('pays a part; both parts go back to where they came from', async () => {
      const [customer, card] = [await s.make.customer(), await giftCard('300')]
      const { purchase_id, status } = await pay(customer, card.code, 'pays')
      expect([status, await card.balance(), at.fake.movements(purchase_id)]).toEqual(['completed', '0.00', ['charge 70000']])
      await deliverWebhooks(2)
      for (const { invoice_id } of await charges(customer.customer_id))
        await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, invoice_id, reason: 'Prueba' })
      expect([await card.balance(), at.fake.taken(purchase_id), await statuses(customer.customer_id)]).toEqual(['300.00', 0, ['revoked']])
      await agrees()
    })

    test('declined or left at the bank’s question, it has its balance again when the hold is over', async () => {
      for (const answer of ['declines', 'asks'] as const) {
        const [customer, card] = [await s.make.customer(), await giftCard('300')]
        const refusal = await pay(customer, card.code, answer).then(
          () => null,
          (error: unknown) => refusalOf(Promise.reject(error)),
        )
        expect((await refusal)?.code ?? 'waits').toBe(answer === 'declines' ? 'CARD_INSUFFICIENT_FUNDS' : 'waits')
        expect(await card.balance()).toBe('0.00')
        for (let round = 0; round < 2; round++) {
          s.clock.advance({ minutes: 45 })
          await sweep(s.system())
        }
        await deliverWebhooks()
        expect([await statuses(customer.customer_id), await card.balance()]).toEqual([['failed'], '300.00'])
        await agrees()
      }
    })

    test('of its own, bought on the site: it exists once, with the news that come late; left, it never does', async () => {
      const customer = await s.make.customer()
      const [paid, left] = [
        await s.as(customer, randomUUID()).giftCardOrders.buy({ amount: '500' }),
        await s.as(customer, randomUUID()).giftCardOrders.buy({ amount: '500' }),
      ]
      for (const { path } of [paid, left]) expect((await s.as(null).paymentLinks.pay({ token: tokenOf(path) })).url).toBeTruthy()
      at.payPage(await refOf(paid.purchase_id))
      s.clock.advance({ hours: 73 })
      at.fake.tick()
      await Promise.all([deliverWebhooks(2), sweep(s.system())])
      await sweep(s.system())
      const cards = await s.sql<{ purchase_id: number }>('select purchase_id from gift_card where purchase_id = any($1)', [
        [paid.purchase_id, left.purchase_id],
      ])
      expect(cards).toEqual([{ purchase_id: paid.purchase_id }])
      expect(await s.sql('select status from purchase where purchase_id = $1', [left.purchase_id])).toEqual([{ status: 'failed' }])
      expect([at.fake.taken(paid.purchase_id), at.fake.taken(left.purchase_id)]).toEqual([50_000, 0])
      await agrees()
    })
  })
})

describe('PayPal beside a gift card', () => {
  let at: Processor
  let fake: PayPalFake
  beforeAll(async () => {
    at = await open('paypal', async (now) => {
      fake = await new PayPalFake({ now }).listen()
      return {
        fake,
        env: {
          PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
          PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
          PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
          PAYPAL_API_BASE: fake.url,
        },
      }
    })
  })
  beforeEach(() => {
    s.clock.advance({ hours: 1 })
    fake.mend()
  })
  afterAll(() => close(at))

  async function begin() {
    const [person, card, { class_package_id }] = [
      await s.make.customer(),
      await giftCard('300'),
      await s.make.package({ price_centavos: 100_000, class_amount: 8 }),
    ]
    const opened = await s.as(person, randomUUID()).checkout.paypal({ class_package_id, gift_card: { code: card.code, amount: '300.00' } })
    expect(await card.balance()).toBe('0.00')
    return { who: person, card, ...opened, orderID: opened.orderID ?? '' }
  }

  test('takes the rest; each part goes back to where it came from', async () => {
    const { who, card, purchase_id, orderID } = await begin()
    fake.books.approve(orderID)
    expect((await s.as(who).checkout.capture({ orderID })).status).toBe('completed')
    await fake.deliver({ times: 2 })
    await deliverPendingWebhooks(s)
    expect(fake.movements(purchase_id)).toEqual(['charge 70000'])
    for (const { invoice_id } of await charges(who.customer_id))
      await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, invoice_id, reason: 'Prueba' })
    expect([await card.balance(), fake.taken(purchase_id), await statuses(who.customer_id)]).toEqual(['300.00', 0, ['revoked']])
    await agrees()
  })

  test('left before or after its approval, it takes nothing, and the gift card has its balance', async () => {
    const [left, approved] = [await begin(), await begin()]
    fake.books.approve(approved.orderID)
    for (let round = 0; round < 2; round++) {
      s.clock.advance({ minutes: 45 })
      await sweep(s.system())
    }
    expect((await refusalOf(s.as(approved.who).checkout.capture({ orderID: approved.orderID }))).code).toMatch(
      /^(PURCHASE_CLOSED|PAYMENT_IN_PROGRESS)$/,
    )
    await fake.deliver()
    await deliverPendingWebhooks(s)
    for (const { who, card, purchase_id } of [left, approved])
      expect([await statuses(who.customer_id), await card.balance(), fake.taken(purchase_id)]).toEqual([['failed'], '300.00', 0])
    await agrees()
  })

  test('the answer to the capture is lost: the sweeper finds it, and both parts count once', async () => {
    const { who, card, purchase_id, orderID } = await begin()
    fake.books.approve(orderID)
    fake.break('drop after', ({ path }) => path.endsWith('/capture'))
    fake.break('drop before', () => true, 50)
    await s
      .as(who)
      .checkout.capture({ orderID })
      .catch(() => null)
    fake.mend()
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    await fake.deliver({ times: 2 })
    await deliverPendingWebhooks(s)
    expect([await statuses(who.customer_id), await card.balance(), fake.movements(purchase_id)]).toEqual([
      ['completed'],
      '0.00',
      ['charge 70000'],
    ])
    expect((await charges(who.customer_id)).map(({ total }) => total).sort()).toEqual([30_000, 70_000])
    await agrees()
  })
})
