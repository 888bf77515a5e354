/** Stripe's adapter and what a network does to it: signatures, lost answers, processes that die, and what was missed meanwhile. */
import { afterAll, expect, test } from 'vitest'
import type { Facts, Instrument, Plan } from '#server/adapters/payments/port.ts'
import { NO_EVENTS } from '#server/testing/fakes/no-events.ts'
import { STRIPE_FAKE_SECRET } from '#server/testing/fakes/stripe.ts'
import { buyer, closeWorlds, DAY, database, deliverWebhooks, stripeWorld, token } from '#server/testing/fakes/worlds.ts'
import { StripeGateway } from './stripe.ts'

afterAll(closeWorlds)

test('refuses missing, old, foreign and altered webhook signatures', async () => {
  const { gateway, fake, charge, now, deps } = await stripeWorld()
  await gateway.start(charge(token('pm_card_visa')))
  const [event] = await fake.signed()
  if (!event) throw new Error('Nothing was told.')
  const { default: Stripe } = await import('stripe')
  const body = event.body
  const header = (more: { secret?: string; age?: number; payload?: string; scheme?: string } = {}) =>
    Stripe.webhooks.generateTestHeaderString({
      payload: more.payload ?? body,
      secret: more.secret ?? STRIPE_FAKE_SECRET,
      timestamp: Math.floor(now().getTime() / 1000) - (more.age ?? 0),
      ...(more.scheme ? { scheme: more.scheme } : {}),
    })
  const verify = (signature: string | string[] | undefined, text = body, by = gateway) =>
    by.verifyWebhook({ headers: { 'stripe-signature': signature }, body: Buffer.from(text) }).then(
      () => 'believed',
      (error: Error) => error.constructor.name,
    )
  const rotated = `${header({ secret: 'whsec_old' })},${header().split(',')[1]}`
  const live = JSON.stringify({ ...JSON.parse(body), livemode: true })
  const table: [string, Promise<string>, string][] = [
    ['good', verify(header()), 'believed'],
    ['written anew', verify(header(), JSON.stringify(JSON.parse(body), null, 1)), 'BadSignature'],
    ['another secret', verify(header({ secret: 'whsec_other' })), 'BadSignature'],
    ['299 seconds old', verify(header({ age: 299 })), 'believed'],
    ['301 seconds old', verify(header({ age: 301 })), 'BadSignature'],
    ['299 seconds early', verify(header({ age: -299 })), 'believed'],
    ['a day early', verify(header({ age: -86_400 })), 'BadSignature'],
    ['two v1 while a secret is changed', verify(rotated), 'believed'],
    ['v0 only', verify(header({ scheme: 'v0' })), 'BadSignature'],
    ['no header', verify(undefined), 'BadSignature'],
    ['two headers', verify([header(), header()]), 'BadSignature'],
    ['no time', verify(header().replace(/t=\d+,/, '')), 'BadSignature'],
    ['the other mode', verify(header({ payload: live }), live), 'BadSignature'],
    ['no secret of ours', verify(header({ secret: ' ' }), body, new StripeGateway({ ...deps, webhookSecret: undefined })), 'BadSignature'],
    ...NO_EVENTS.map((text): [string, Promise<string>, string] => [text, verify(header({ payload: text }), text), 'SyntaxError']),
  ]
  for (const [what, outcome, expected] of table) expect([what, await outcome]).toEqual([what, expected])
})

test('events name the object to read, and objects of other shops on the account are ignored', async () => {
  const at = await stripeWorld()
  const { gateway, fake, charge } = at
  const facts = await gateway.start(charge(token('pm_card_visa')))
  const plan = await gateway.start(charge(token('pm_card_visa')), { every: { unit: 'month', count: 1 }, amount: 145_000 })
  await gateway.refund(facts.ref, facts.ref.id, 1_000, { purchase: 1, step: 'refund', n: 1 })
  fake.books.dispute(plan.payments[0]?.id ?? '', 'needs_response')
  const delivered = await deliverWebhooks(at, true)
  expect(new Set(delivered.map(({ ref }) => ref.id))).toEqual(new Set([facts.ref.id, plan.ref.id]))

  const other = fake.books.intent({
    amount: 5_000,
    currency: 'mxn',
    metadata: { app: 'otro', purchase_id: '101', attempt: '1', step: 'pay' },
  })
  fake.waiting.length = 0
  fake.books.emit('payment_intent.succeeded', other)
  fake.books.emit('customer.created', { id: 'cus_x' })
  expect(await deliverWebhooks(at)).toEqual([])
  expect((await gateway.settle({ gateway: 'stripe', kind: 'payment', id: other.id })).purchaseId).toBeUndefined()
})

test('two databases on one account do not react to each other’s purchases', async () => {
  const { gateway, charge, deps } = await stripeWorld()
  const db = await database()
  const copy = new StripeGateway({ ...deps, db })
  const input = charge(token('pm_card_visa'))
  const [here, there] = [await gateway.start(input), await copy.start(input)]
  expect(here.ref.id).not.toBe(there.ref.id)
  expect(await copy.find({ ...input.key, n: 2 })).toBeNull()
  expect((await copy.settle(here.ref)).purchaseId).toBeUndefined()
})

test.concurrent.each([
  ['drop after', true],
  ['500 after', true],
  ['hang after', true],
  ['drop before', false],
  ['500 before', false],
  ['hang before', false],
] as const)('a lost answer (%s) is unknown, found again and never charged twice', async (fault, took) => {
  const { gateway, fake, charge, deps } = await stripeWorld(fault.startsWith('hang') ? 1_000 : 5_000)
  await gateway.cards.begin(buyer)
  for (const instrument of [token('pm_card_visa'), { by: 'hosted-page' as const }]) {
    const input = charge(instrument)
    const path = instrument.by === 'hosted-page' ? 'POST /v1/checkout/sessions' : 'POST /v1/payment_intents'
    fake.break(fault, path, 9)
    await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unknown_outcome', code: 'PAYMENT_IN_PROGRESS', retry: 'same-key' })
    fake.mend()
    // A new gateway: the process that made the call is gone.
    const after = new StripeGateway(deps)
    const found = await after.find(input.key)
    expect(found !== null).toBe(took)
    const again = await after.start(input)
    expect(again.state).toBe(instrument.by === 'hosted-page' ? 'waiting' : 'paid')
    if (found) expect(again.ref).toEqual(found.ref)
    expect(fake.movements(input.key.purchase)).toEqual(instrument.by === 'hosted-page' ? [] : ['charge 145000'])
  }
  expect(fake.complaints).toEqual([])
})

test('a subscription without an answer is found, and its first payment is taken once', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const plan: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
  for (const path of ['POST /v1/subscriptions', 'POST /v1/payment_intents/']) {
    const input = charge(token('pm_card_visa'))
    fake.break('drop after', path, 9)
    await expect(gateway.start(input, plan)).rejects.toMatchObject({ kind: 'unknown_outcome' })
    fake.mend()
    const found = await gateway.find(input.key)
    expect(found?.ref.kind).toBe('subscription')
    expect(found?.state).toBe(path.endsWith('/') ? 'paid' : 'waiting')
    expect(fake.movements(input.key.purchase).length).toBe(path.endsWith('/') ? 1 : 0)
    if (found?.state === 'waiting') expect((await gateway.stop(found.ref, 'now', 'nadie pagó')).state).toBe('ended')
  }
})

test('reports that nothing was charged after a rate limit, a wrong key or a foreign answer', async () => {
  const { gateway, fake, charge, deps } = await stripeWorld()
  await gateway.cards.begin(buyer)
  fake.break('429', 'POST /v1/payment_intents')
  await expect(gateway.start(charge(token('pm_card_visa')))).rejects.toMatchObject({ kind: 'unavailable', code: 'PAYMENT_TRY_LATER' })
  // The same answer to an earlier request does not decide the first one.
  fake.break('drop after', 'POST /v1/payment_intents')
  fake.break('429', 'POST /v1/payment_intents')
  const lost = charge(token('pm_card_visa'))
  await expect(gateway.start(lost)).rejects.toMatchObject({ kind: 'unknown_outcome' })
  expect(await gateway.find(lost.key)).toMatchObject({ state: 'paid' })
  fake.break('strange', 'POST /v1/payment_intents')
  await expect(gateway.start(charge(token('pm_card_visa')))).rejects.toMatchObject({ kind: 'unknown_outcome' })
  fake.break('strange', 'GET /v1/payment_intents')
  await expect(gateway.settle({ gateway: 'stripe', kind: 'payment', id: 'pi_x' })).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(new StripeGateway({ ...deps, secretKey: 'sk_test_otra' }).start(charge(token('pm_card_visa')))).rejects.toMatchObject({
    kind: 'config',
    code: 'PAYMENT_TRY_LATER',
  })
  await expect(gateway.start(charge(token('pm_card_nadie')))).rejects.toMatchObject({ kind: 'invalid', code: 'PAYMENT_METHOD_UNAVAILABLE' })
})

test('ten concurrent calls over a slow connection are one charge', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  fake.latencyMs = 150
  const input = charge(token('pm_card_visa'))
  const all = await Promise.all(Array.from({ length: 10 }, () => gateway.start(input)))
  expect(new Set(all.map(({ ref, state }) => `${ref.id} ${state}`)).size).toBe(1)
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
  expect(fake.books.all.customers.size).toBe(1)
})

test('refuses unsupported offers beforehand', async () => {
  const { gateway } = await stripeWorld()
  const refuses = (instrument: Instrument['by'], plan?: Partial<Plan> & Pick<Plan, 'every'>, amount = 145_000) =>
    gateway.refuses({ instrument, amount, ...(plan ? { plan: { amount, ...plan } } : {}) })
  expect(refuses('wallet')).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(refuses('hand')).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(refuses('voucher', { every: { unit: 'month', count: 1 } })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  for (const [unit, most] of [
    ['day', 1_095],
    ['month', 36],
    ['year', 3],
  ] as const) {
    expect(refuses('card-token', { every: { unit, count: most } })).toBeNull()
    expect(refuses('card-token', { every: { unit, count: most + 1 } })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  }
  expect(refuses('card-token', { every: { unit: 'month', count: 1 }, firstAmount: 999 })).toBe('AMOUNT_OUT_OF_RANGE')
  expect(refuses('card-token', undefined, 999)).toBe('AMOUNT_OUT_OF_RANGE')
  expect(refuses('hosted-page', undefined, 100_000_000)).toBe('AMOUNT_OUT_OF_RANGE')
})

test('lists all changes when every event was lost: a renewal, a refund, a dispute', async () => {
  const { gateway, fake, charge, advance, now } = await stripeWorld()
  const plan = await gateway.start(charge(token('pm_card_visa')), { every: { unit: 'month', count: 1 }, amount: 145_000 })
  const secondFacts = await gateway.start(charge(token('pm_card_visa')))
  const quiet = await gateway.start(charge(token('pm_card_visa')))
  advance(31 * DAY)
  const from = now()
  fake.tick()
  fake.books.refund(fake.books.get('intents', secondFacts.ref.id), 5_000, { reason: null, metadata: {} })
  const changed: Facts[] = []
  for await (const facts of gateway.since(from)) changed.push(facts)
  expect(new Set(changed.map(({ ref }) => ref.id))).toEqual(new Set([plan.ref.id, secondFacts.ref.id]))
  expect(changed.find(({ ref }) => ref.id === plan.ref.id)?.payments).toHaveLength(2)
  expect(changed.map(({ ref }) => ref.id)).not.toContain(quiet.ref.id)
})

test('our metadata at Stripe contains no card number, name or email of a customer', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  await gateway.start(charge(token('pm_card_visa')))
  await gateway.start(charge({ by: 'hosted-page' }))
  for (const { raw, headers } of fake.requests.filter(({ method, path }) => method === 'POST' && path !== '/v1/customers')) {
    expect(decodeURIComponent(raw)).not.toMatch(/ana@|Treviño/)
    expect(headers['idempotency-key']).not.toMatch(/ana@|Treviño/)
  }
})

test('a page whose creation got no answer is requested again with the same parameters, also later with a longer hold', async () => {
  const { gateway, fake, charge, advance } = await stripeWorld()
  const input = charge({ by: 'hosted-page' })
  await gateway.cards.begin(buyer)
  fake.break('drop before', 'POST /v1/checkout/sessions', 9)
  await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unknown_outcome' })
  fake.mend()
  fake.break('drop after', 'POST /v1/checkout/sessions', 9)
  await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unknown_outcome' })
  fake.mend()
  advance(120_000)
  expect((await gateway.start({ ...input, expiresAt: new Date(input.expiresAt.getTime() + 120_000) })).state).toBe('waiting')
  expect(fake.books.all.sessions.size).toBe(1)
})
