import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import type { Facts, Instrument, Plan } from '#server/adapters/payments/port.ts'
import { gatewaySuite } from '#server/adapters/payments/suite.ts'
import type { Bench } from '#server/adapters/payments/suite-bench.ts'
import { NO_EVENTS } from '#server/testing/fakes/no-events.ts'
import { buyer, closeWorlds, DAY, deliverWebhooks, paypalWorld, stranger } from '#server/testing/fakes/worlds.ts'
import { billingPeriods, centavos, orderFacts, toPaypalMoney } from './facts.ts'
import { PayPalGateway } from './paypal.ts'
import { toBillingCycles } from './plans.ts'

afterAll(closeWorlds)

gatewaySuite(
  'paypal',
  { cards: false, plans: true, vouchers: false, disputes: true, failingRefunds: true, signsEvents: 'timeless' },
  async (): Promise<Bench> => {
    const at = await paypalWorld()
    const { gateway, fake, now, advance } = at
    return {
      gateway,
      buyer,
      stranger,
      waiting: { by: 'wallet' },
      pay: async (ref) => fake.books.approve(ref.id),
      centavosTaken: async (purchase) => fake.taken(purchase),
      complaints: fake.complaints,
      now,
      advance,
      failRefund: async ({ payments }) => fake.books.failRefund(payments[0]?.id ?? ''),
      dispute: async ({ payments }, state) => {
        const outcome = { open: undefined, won: 'RESOLVED_SELLER_FAVOUR', lost: 'RESOLVED_BUYER_FAVOUR' }[state]
        // Its existence is known only from the webhook event.
        fake.waiting.length = 0
        fake.books.dispute(payments[0]?.id ?? '', outcome)
        await deliverWebhooks(at)
      },
      plans: {
        changesPaymentItself: true,
        pays: { by: 'wallet' },
        failsLater: { by: 'wallet' },
        approve: async (ref, fails) => fake.books.approveSubscription(ref.id, fails),
        neverGivesUp: true,
        tick: async () => fake.tick(),
      },
      signedEvent: async () => {
        const event = (await fake.signed()).at(-1)
        if (!event) throw new Error('Nothing changed.')
        return { headers: event.headers, body: new TextEncoder().encode(event.body) }
      },
    }
  },
)

const wallet: Instrument = { by: 'wallet' }
const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
const APPROVED = { approved: true }

test('a declined instrument leaves the order open for another one, which is charged once', async () => {
  const { gateway, fake, charge } = await paypalWorld()
  const input = charge(wallet)
  const { ref } = await gateway.start(input)
  fake.books.approve(ref.id)
  fake.books.nextCapture = 'INSTRUMENT_DECLINED'
  expect(await gateway.settle(ref, APPROVED)).toMatchObject({
    state: 'waiting',
    next: { do: 'approve', token: ref.id },
    why: { code: 'CARD_DECLINED', kind: 'declined' },
  })
  expect(await gateway.settle(ref, APPROVED)).toMatchObject({ state: 'waiting' })
  fake.books.approve(ref.id)
  expect((await gateway.settle(ref, APPROVED)).state).toBe('paid')
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
  expect(fake.complaints).toEqual([])
})

test.each([
  ['TRANSACTION_REFUSED', 'CARD_DECLINED'],
  ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'CARD_DECLINED'],
  ['PAYER_CANNOT_PAY', 'CARD_DECLINED'],
  ['PAYER_ACCOUNT_RESTRICTED', 'CARD_DECLINED'],
  ['DUPLICATE_INVOICE_ID', 'CARD_DECLINED'],
  ['COMPLIANCE_VIOLATION', 'CARD_DECLINED'],
  ['DECLINED', 'CARD_DECLINED'],
])('%s is a final no: the order is never captured afterwards', async (issue, code) => {
  const { gateway, fake, charge } = await paypalWorld()
  const input = charge(wallet)
  const { ref } = await gateway.start(input)
  fake.books.approve(ref.id)
  fake.books.nextCapture = issue
  expect(await gateway.settle(ref, APPROVED)).toMatchObject({ state: 'refused', next: null, why: { code } })
  expect((await gateway.settle(ref, APPROVED)).state).toBe('refused')
  expect(fake.taken(input.key.purchase)).toBe(0)
})

test('an order is paid by its capture, not by its status; a capture under review is pending', async () => {
  for (const through of [true, false]) {
    const { gateway, fake, charge } = await paypalWorld()
    const input = charge(wallet)
    const { ref } = await gateway.start(input)
    fake.books.approve(ref.id)
    fake.books.nextCapture = 'PENDING'
    expect(await gateway.settle(ref, APPROVED)).toMatchObject({ state: 'processing', payments: [] })
    expect(fake.books.orders.get(ref.id)?.status).toBe('COMPLETED')
    expect((await gateway.stop(ref, 'now', 'prisa')).state).toBe('processing')
    fake.books.conclude(ref.id, through)
    expect((await gateway.settle(ref)).state).toBe(through ? 'paid' : 'refused')
    expect(fake.movements(input.key.purchase)).toEqual(through ? ['charge 145000'] : [])
  }
})

test('captures nothing without approval, nor for a purchase that no longer wants it', async () => {
  const { gateway, fake, charge, advance } = await paypalWorld()
  const input = charge(wallet)
  const { ref } = await gateway.start(input)
  expect((await gateway.settle(ref, APPROVED)).state).toBe('waiting')
  fake.books.approve(ref.id)
  expect((await gateway.settle(ref)).state).toBe('waiting')
  expect(fake.taken(input.key.purchase)).toBe(0)
  advance(4 * 3_600_000)
  fake.tick()
  expect((await gateway.settle(ref, APPROVED)).state).toBe('expired')
  advance(DAY)
  fake.tick()
  expect(fake.books.orders.has(ref.id)).toBe(false)
  expect((await gateway.settle(ref, APPROVED)).state).toBe('expired')
})

test('of two orders of one purchase PayPal’s invoice id lets only one be paid', async () => {
  const { gateway, fake, charge } = await paypalWorld()
  const input = charge(wallet)
  const [first, two] = [await gateway.start(input), await gateway.start({ ...input, key: { ...input.key, n: 2 } })]
  for (const { ref } of [first, two]) fake.books.approve(ref.id)
  expect((await gateway.settle(first.ref, APPROVED)).state).toBe('paid')
  expect((await gateway.settle(two.ref, APPROVED)).state).toBe('refused')
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
})

test.concurrent.each(['drop after', '500 after', 'hang after', 'drop before', '500 before', 'hang before'] as const)(
  'a capture that nobody heard of (%s) is unknown, is in process meanwhile, and is taken once',
  async (fault) => {
    const { gateway, fake, charge, deps, advance } = await paypalWorld(fault.startsWith('hang') ? 1_500 : 5_000)
    const input = charge(wallet)
    const { ref } = await gateway.start(input)
    fake.books.approve(ref.id)
    fake.break(fault, `POST /v2/checkout/orders/${ref.id}/capture`)
    await expect(gateway.settle(ref, APPROVED)).rejects.toMatchObject({ kind: 'unknown_outcome', retry: 'same-key' })
    const after = new PayPalGateway(deps)
    const took = fault.endsWith('after')
    expect((await after.settle(ref)).state).toBe(took ? 'paid' : 'processing')
    // A payment that may be in progress cannot be given up.
    expect((await after.stop(ref, 'now', 'prisa')).state).toBe(took ? 'paid' : 'processing')
    advance(61_000)
    expect((await after.settle(ref, APPROVED)).state).toBe('paid')
    expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
  },
)

test('a capture whose process died can be given up once it cannot be running any more', async () => {
  const { gateway, fake, charge, advance } = await paypalWorld()
  const input = charge(wallet)
  const { ref } = await gateway.start(input)
  fake.books.approve(ref.id)
  fake.break('drop before', 'POST /v2/checkout/orders/')
  await expect(gateway.settle(ref, APPROVED)).rejects.toMatchObject({ kind: 'unknown_outcome' })
  advance(61_000)
  expect((await gateway.stop(ref, 'now', 'venció')).state).toBe('ended')
  expect((await gateway.settle(ref, APPROVED)).state).toBe('ended')
  expect(fake.taken(input.key.purchase)).toBe(0)
})

test('an order whose creation got no answer is created again with the same key, and there is one', async () => {
  const { gateway, fake, charge } = await paypalWorld()
  const input = charge(wallet)
  fake.break('drop after', 'POST /v2/checkout/orders')
  await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await gateway.find(input.key)).toBeNull()
  expect((await gateway.start(input)).state).toBe('waiting')
  expect(fake.books.orders.size).toBe(1)
})

test('ten concurrent calls over a slow connection are one order, and ten captures one charge', async () => {
  const { gateway, fake, charge } = await paypalWorld()
  fake.latencyMs = 100
  const input = charge(wallet)
  const all = await Promise.all(Array.from({ length: 10 }, () => gateway.start(input)))
  expect(new Set(all.map(({ ref }) => ref.id)).size).toBe(1)
  const ref = all[0]?.ref ?? { gateway: 'paypal', kind: 'payment', id: '' }
  fake.books.approve(ref.id)
  // The capture is delayed until the nine others have read the order twice: before and after its start.
  const looked = () => fake.countOf(`GET /v2/checkout/orders/${ref.id}`)
  const before = looked()
  fake.gate = vi.waitFor(() => expect(looked() - before).toBe(19), 30_000)
  const read = await Promise.all(Array.from({ length: 10 }, () => gateway.settle(ref, APPROVED)))
  expect(new Set(read.map(({ state }) => state))).toEqual(new Set(['processing', 'paid']))
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
  expect(fake.countOf(`POST /v2/checkout/orders/${ref.id}/capture`)).toBe(1)
})

test('a subscription approved after it was given up is cancelled at PayPal', async () => {
  const { gateway, fake, charge, now } = await paypalWorld()
  for (const plan of [monthly, { ...monthly, trialEnd: new Date(now().getTime() + 7 * DAY) }]) {
    const input = charge(wallet)
    const { ref } = await gateway.start(input, plan)
    expect((await gateway.stop(ref, 'now', 'cerró la ventana')).state).toBe('ended')
    fake.books.approveSubscription(ref.id)
    const after = await gateway.settle(ref)
    expect(after.cancelled ?? after.state === 'ended').toBe(true)
    expect(fake.books.subscriptions.get(ref.id)?.status).toBe('CANCELLED')
    // An earlier payment is reported, so that it is refunded.
    expect(after.payments).toHaveLength(plan.trialEnd ? 0 : 1)
  }
})

test('cancelling twice, without or with an overlong reason, is one cancellation', async () => {
  const { gateway, fake, charge, now } = await paypalWorld()
  for (const reason of ['', 'x'.repeat(500)]) {
    const { ref } = await gateway.start(charge(wallet), monthly)
    fake.books.approveSubscription(ref.id)
    const first = await gateway.stop(ref, 'period-end', reason)
    expect(first).toMatchObject({ state: 'paid', cancelled: true, endsAt: first.payments[0]?.period?.to })
    expect(await gateway.stop(ref, 'period-end', reason)).toMatchObject({ state: 'paid', cancelled: true })
    expect(await gateway.stop(ref, 'now', reason)).toMatchObject({ state: 'ended', endsAt: now() })
  }
  expect(fake.complaints).toEqual([])
})

test('refunds payments of a subscription, through us and in the dashboard', async () => {
  const at = await paypalWorld()
  const { gateway, fake, charge } = at
  const input = charge(wallet)
  const { ref } = await gateway.start(input, monthly)
  fake.books.approveSubscription(ref.id)
  const payment = (await gateway.settle(ref)).payments[0]?.id ?? ''
  const key = { ...input.key, step: 'refund' }
  expect((await gateway.refund(ref, payment, 45_000, key)).payments).toMatchObject([{ refunded: 45_000 }])
  fake.waiting.length = 0
  fake.books.refund(payment, { currency_code: 'MXN', value: '10.00' })
  const [delivered] = await deliverWebhooks(at)
  expect(delivered).toMatchObject({ ref, payments: [{ refunded: 46_000 }] })
  expect((await gateway.refund(ref, payment, 45_000, key)).payments).toMatchObject([{ refunded: 46_000 }])
  fake.books.refund(payment, undefined)
  expect((await gateway.settle(ref)).payments).toMatchObject([{ refunded: 145_000 }])
  await expect(gateway.refund(ref, payment, 1_000, { ...key, n: 2 })).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
})

test('a refund without an answer is made once', async () => {
  const { gateway, fake, charge } = await paypalWorld()
  const input = charge(wallet)
  const { ref } = await gateway.start(input)
  fake.books.approve(ref.id)
  const payment = (await gateway.settle(ref, APPROVED)).payments[0]?.id ?? ''
  fake.break('drop after', 'POST /v2/payments/captures/')
  const key = { ...input.key, step: 'refund' }
  await expect(gateway.refund(ref, payment, 45_000, key)).rejects.toMatchObject({ kind: 'unknown_outcome' })
  expect((await gateway.refund(ref, payment, 45_000, key)).payments).toMatchObject([{ refunded: 45_000 }])
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000', 'refund 45000'])
})

test('a dispute freezes an order or subscription, and is lost or won', async () => {
  const at = await paypalWorld()
  const { gateway, fake, charge } = at
  const order = await gateway.start(charge(wallet))
  fake.books.approve(order.ref.id)
  const subscription = await gateway.start(charge(wallet), monthly)
  fake.books.approveSubscription(subscription.ref.id)
  for (const { ref } of [order, subscription]) {
    const payment = (await gateway.settle(ref, APPROVED)).payments[0]?.id ?? ''
    for (const [outcome, disputed] of [
      [undefined, 'open'],
      ['RESOLVED_SELLER_FAVOUR', 'won'],
      ['RESOLVED_BUYER_FAVOUR', 'lost'],
    ] as const) {
      fake.waiting.length = 0
      fake.books.dispute(payment, outcome)
      expect(await deliverWebhooks(at)).toMatchObject([{ ref, payments: [{ id: payment, disputed }] }])
      expect((await gateway.settle(ref)).payments[0]?.disputed).toBe(disputed)
    }
  }
})

test('every event leads to its purchase, in any order', async () => {
  const at = await paypalWorld()
  const { gateway, fake, charge } = at
  const order = await gateway.start(charge(wallet))
  fake.books.approve(order.ref.id)
  const paid = await gateway.settle(order.ref, APPROVED)
  fake.books.refund(paid.payments[0]?.id ?? '', { currency_code: 'MXN', value: '10.00' })
  const subscription = await gateway.start(charge(wallet), monthly)
  fake.books.approveSubscription(subscription.ref.id)
  const delivered = await deliverWebhooks(at, true)
  expect(delivered.length).toBeGreaterThan(5)
  for (const { ref, purchaseId } of delivered)
    expect([
      [order.ref.id, 101],
      [subscription.ref.id, 102],
    ]).toContainEqual([ref.id, purchaseId])
})

test('objects of other shops on the same account are ignored', async () => {
  const at = await paypalWorld()
  const { gateway, fake, charge } = at
  await gateway.start(charge(wallet))
  const other = fake.books.createOrder({
    reference_id: '1',
    custom_id: 'otro:101:pay:1',
    invoice_id: 'otro-101',
    amount: { currency_code: 'MXN', value: '10.00' },
  })
  fake.books.approve(other.id)
  const capture = fake.books.capture(other.id).purchase_units[0]?.payments?.captures[0]?.id ?? ''
  fake.books.dispute(capture)
  fake.books.refund(capture, undefined)
  for (const facts of await deliverWebhooks(at)) expect(facts).toMatchObject({ state: 'processing', payments: [] })
  for (const facts of await deliverWebhooks(at)) expect(facts.purchaseId).toBeUndefined()
  for await (const facts of gateway.since(new Date('2026-11-01T00:00:00Z')))
    if (facts.purchaseId !== undefined) expect(facts.purchaseId).toBe(101)
})

test('verifies the signature with PayPal’s certificate, our webhook id and the exact bytes', async () => {
  const { gateway, fake, charge, deps } = await paypalWorld()
  await gateway.start(charge(wallet), monthly)
  const [event] = await fake.signed()
  if (!event) throw new Error('Nothing was told.')
  const { body } = event
  const verify = (headers: Record<string, string | string[]>, text = body, by = gateway) =>
    by.verifyWebhook({ headers, body: Buffer.from(text) }).then(
      () => 'believed',
      (error: Error) => error.constructor.name,
    )
  const { 'paypal-transmission-sig': _, ...unsigned } = fake.signature(body)
  const table: [string, Promise<string>, string][] = [
    ['good', verify(fake.signature(body)), 'believed'],
    ...NO_EVENTS.map((text): [string, Promise<string>, string] => [text, verify(fake.signature(text), text), 'SyntaxError']),
    ['written anew', verify(fake.signature(body), JSON.stringify(JSON.parse(body), null, 1)), 'BadSignature'],
    ['another key', verify(fake.signature(body, { stranger: true })), 'BadSignature'],
    ['another webhook', verify(fake.signature(body, { webhook: 'WH-OTHER' })), 'BadSignature'],
    [
      'another time than the signed one',
      verify({ ...fake.signature(body), 'paypal-transmission-time': '2026-11-19T16:00:01.000Z' }),
      'BadSignature',
    ],
    ['no signature', verify(unsigned), 'BadSignature'],
    ['another way to sign', verify({ ...fake.signature(body), 'paypal-auth-algo': 'NONE' }), 'BadSignature'],
    ['no webhook of ours', verify(fake.signature(body), body, new PayPalGateway({ ...deps, webhookId: undefined })), 'BadSignature'],
    ...[
      'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-OWN',
      'https://evil.example/v1/notifications/certs/CERT-OWN',
      'http://api.paypal.com/v1/notifications/certs/CERT-OWN',
      'https://api.paypal.com/v1/notifications/certs/../../evil',
      'https://api.paypal.com@evil.example/v1/notifications/certs/CERT-OWN',
      `${fake.url}.evil.example/v1/notifications/certs/CERT-OWN`,
      'file:///etc/passwd',
    ].map((url): [string, Promise<string>, string] => [url, verify(fake.signature(body, { url })), 'BadSignature']),
  ]
  for (const [what, outcome, expected] of table) expect([what, await outcome]).toEqual([what, expected])
  expect(fake.countOf('GET /v1/notifications/certs/')).toBe(1)
})

test('creates plans and products once per terms; trials and first prices are PayPal’s two trial cycles', async () => {
  const { gateway, fake, charge, now } = await paypalWorld()
  const trialEnd = new Date(now().getTime() + 7 * DAY)
  for (const plan of [monthly, monthly, { ...monthly, firstAmount: 100_000 }, { ...monthly, firstAmount: 100_000, trialEnd }])
    await gateway.start(charge(wallet), plan)
  expect([fake.books.products.size, fake.books.plans.size]).toEqual([1, 3])
  expect(toBillingCycles({ ...monthly, firstAmount: 100_000, trialEnd }, now())).toMatchObject([
    { sequence: 1, tenureType: 'TRIAL', totalCycles: 1, frequency: { intervalUnit: 'DAY', intervalCount: 7 } },
    {
      sequence: 2,
      tenureType: 'TRIAL',
      totalCycles: 1,
      frequency: { intervalUnit: 'MONTH', intervalCount: 1 },
      pricingScheme: { fixedPrice: { value: '1000.00' } },
    },
    { sequence: 3, tenureType: 'REGULAR', totalCycles: 0, pricingScheme: { fixedPrice: { currencyCode: 'MXN', value: '1450.00' } } },
  ])
  expect(fake.complaints).toEqual([])
})

test('refuses unsupported offers beforehand', async () => {
  const { gateway, now } = await paypalWorld()
  const refuses = (instrument: Instrument['by'], plan?: Partial<Plan> & Pick<Plan, 'every'>, amount = 145_000) =>
    gateway.refuses({ instrument, amount, ...(plan ? { plan: { amount, ...plan } } : {}) })
  for (const by of ['card-token', 'saved-card', 'hosted-page', 'voucher', 'hand'] as const)
    expect(refuses(by)).toBe('PAYMENT_METHOD_UNAVAILABLE')
  for (const [unit, most] of [
    ['day', 365],
    ['month', 12],
    ['year', 1],
  ] as const) {
    expect(refuses('wallet', { every: { unit, count: most } })).toBeNull()
    expect(refuses('wallet', { every: { unit, count: most + 1 } })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  }
  expect(refuses('wallet', { every: { unit: 'month', count: 1 }, trialEnd: new Date(now().getTime() + 400 * DAY) })).toBe(
    'PAYMENT_METHOD_UNAVAILABLE',
  )
  expect(refuses('wallet', undefined, 0)).toBe('AMOUNT_OUT_OF_RANGE')
})

test('wrong keys, missing rights, limits and outages at PayPal are not reported as the customer’s fault', async () => {
  const { gateway, fake, charge, deps } = await paypalWorld()
  await expect(new PayPalGateway({ ...deps, clientSecret: 'otro' }).start(charge(wallet))).rejects.toMatchObject({
    kind: 'config',
    code: 'PAYMENT_TRY_LATER',
  })
  const { ref } = await gateway.start(charge(wallet))
  fake.break('429', 'POST /v2/checkout/orders')
  await expect(gateway.start(charge(wallet))).rejects.toMatchObject({ kind: 'unavailable', code: 'PAYMENT_TRY_LATER' })
  fake.break('500 before', 'GET /v2/checkout/orders')
  await expect(gateway.settle(ref)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('lists all changes page by page when every event was lost', async () => {
  const { gateway, fake, charge, advance, now } = await paypalWorld()
  const order = await gateway.start(charge(wallet))
  const subscription = await gateway.start(charge(wallet), monthly)
  const quiet = await gateway.start(charge(wallet))
  fake.books.approveSubscription(subscription.ref.id)
  const payment = (await gateway.settle(subscription.ref)).payments[0]?.id ?? ''
  advance(31 * DAY)
  const from = now()
  fake.tick()
  for (const value of ['10.00', '20.00']) fake.books.refund(payment, { currency_code: 'MXN', value })
  const changed: Facts[] = []
  for await (const facts of gateway.since(from)) changed.push(facts)
  expect(changed.find(({ ref }) => ref.id === subscription.ref.id)?.payments).toHaveLength(2)
  expect(changed.map(({ ref }) => ref.id)).not.toContain(quiet.ref.id)
  expect(fake.countOf('GET /v1/notifications/webhooks-events')).toBeGreaterThan(1)
  expect(order.state).toBe('waiting')
})

test('periods follow the calendar, never repeat and never pay for the past', () => {
  fc.assert(
    fc.property(
      fc.record({ unit: fc.constantFrom('day' as const, 'month' as const, 'year' as const), count: fc.integer({ min: 1, max: 12 }) }),
      fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2027-12-31T23:59:59Z'), noInvalidDate: true }),
      fc.array(fc.integer({ min: -6 * 3_600_000, max: 90 * DAY }), { maxLength: 12 }),
      (every, first, gaps) => {
        const times = [first]
        for (const gap of gaps) times.push(new Date((times.at(-1) ?? first).getTime() + Math.max(0, gap)))
        const periods = billingPeriods(times, every)
        expect(periods[0]?.from).toEqual(first)
        for (const [at, { from, to }] of periods.entries()) {
          expect(to > from).toBe(true)
          const before = periods[at - 1]
          if (before) expect(from >= before.to).toBe(true)
          // A late payment is for the period that it falls into.
          if (before && (times[at] ?? first) >= before.to) expect(to > (times[at] ?? first)).toBe(true)
        }
      },
    ),
  )
})

test('an order with status COMPLETED but without a capture is not paid', () => {
  const order = { id: 'O', status: 'COMPLETED', purchaseUnits: [{ payments: { captures: [] } }] } as unknown as Parameters<
    typeof orderFacts
  >[0]
  expect(orderFacts(order, {})).toMatchObject({ state: 'processing', payments: [] })
})

test('converts amounts to centavos and back; an invalid amount equals no price', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 99_999_999 }), (amount) => centavos(toPaypalMoney(amount).value) === amount))
  for (const text of [undefined, '', '10', '10.5', '1,450.00', '-1.00', '1e3', '10.001', '10.00 ']) expect(centavos(text)).toBeNaN()
})
