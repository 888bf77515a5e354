import { afterAll, expect, test } from 'vitest'
import { CallJournal } from '#server/adapters/payments/call-journal/memory.ts'
import type { Facts, Instrument, Plan, Ref } from '#server/adapters/payments/port.ts'
import { gatewaySuite } from '#server/adapters/payments/suite.ts'
import type { Bench } from '#server/adapters/payments/suite-bench.ts'
import { breakForLostTokens, conektaToken } from '#server/testing/fakes/conekta.ts'
import { NO_EVENTS } from '#server/testing/fakes/no-events.ts'
import { buyer, closeWorlds, conektaWorld, DAY, deliverWebhooks, stranger, token } from '#server/testing/fakes/worlds.ts'

import { ConektaClient, cardCode } from './client.ts'
import { ConektaGateway } from './conekta.ts'
import { type ConektaMemo, toInterval } from './facts.ts'
import { ConektaOrders } from './orders.ts'

afterAll(closeWorlds)

gatewaySuite(
  'conekta',
  { cards: true, plans: true, vouchers: true, disputes: true, failingRefunds: true, signsEvents: 'timeless' },
  async (): Promise<Bench> => {
    const { gateway, fake, now, advance } = await conektaWorld()
    breakForLostTokens(fake)
    return {
      gateway,
      buyer,
      stranger,
      waiting: { by: 'hosted-page' },
      pay: async (ref) => fake.books.pay(ref.id),
      centavosTaken: async (purchase) => fake.taken(purchase),
      complaints: fake.complaints,
      now,
      advance,
      cards: {
        // A token is valid once: each read of this property is another filled in card form.
        get paid() {
          return token(conektaToken('visa'))
        },
        declined: [
          { instrument: token(conektaToken('insufficient_funds')), code: 'CARD_INSUFFICIENT_FUNDS' },
          { instrument: token(conektaToken('pick_up_card')), code: 'CARD_LOST_OR_STOLEN' },
          { instrument: token(conektaToken('expired_card')), code: 'CARD_EXPIRED' },
          { instrument: token(conektaToken('security_code')), code: 'CARD_INCORRECT_CVC' },
          { instrument: token(conektaToken('invalid_number')), code: 'CARD_INCORRECT_NUMBER' },
          { instrument: token(conektaToken('card_declined')), code: 'CARD_DECLINED' },
          { instrument: token(conektaToken('call_issuer')), code: 'CARD_DECLINED' },
          { instrument: token(conektaToken('suspicious')), code: 'CARD_SUSPICIOUS' },
          { instrument: token(conektaToken('risk')), code: 'CARD_SUSPICIOUS' },
          { instrument: token(conektaToken('format')), code: 'CARD_FORMAT' },
          { instrument: token(conektaToken('3ds_declined')), code: 'CARD_CONFIRMATION' },
          { instrument: token(conektaToken('bank_timeout')), code: 'PAYMENT_TRY_LATER' },
        ],
        get lostButPaid() {
          return token(conektaToken('lost_after'))
        },
        get lostAndUnpaid() {
          return token(conektaToken('lost_before'))
        },
        get proof() {
          return conektaToken('mastercard')
        },
        challenged: {
          get instrument() {
            return token(conektaToken('3ds'))
          },
          answer: async ({ ref }, yes) => (yes ? fake.books.pay(ref.id) : fake.books.notConfirmed(ref.id)),
        },
        setupTokens: {
          get atOnce() {
            return conektaToken('mastercard')
          },
          refused: 'tok_nobody',
        },
      },
      vouchers: { pay: async (ref) => fake.books.pay(ref.id) },
      failRefund: async ({ ref }) => fake.books.failRefund(ref.id),
      dispute: async ({ ref }, state) => fake.books.chargeback(ref.id, state === 'open' ? 'action_required' : state),
      plans: {
        get failsLater() {
          return token(conektaToken('fails_later'))
        },
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

const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }

test('the bank’s challenge is a page: confirming pays, declining is a refusal with its own message', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  for (const yes of [true, false]) {
    const input = charge(token(conektaToken('3ds')))
    const challenged = await gateway.start(input)
    expect(challenged).toMatchObject({ state: 'waiting', next: { do: 'go', url: expect.stringContaining(challenged.ref.id) } })
    if (yes) fake.books.pay(challenged.ref.id)
    else fake.books.notConfirmed(challenged.ref.id)
    const after = await gateway.settle(challenged.ref)
    expect(after.state).toBe(yes ? 'paid' : 'refused')
    if (!yes) expect(after.why).toMatchObject({ code: 'CARD_CONFIRMATION', message: expect.stringMatching(/^Tu banco/) })
    expect(fake.movements(input.key.purchase)).toEqual(yes ? ['charge 145000'] : [])
  }
})

test('OXXO and SPEI wait until the hold ends, are paid once, and expire', async () => {
  const { gateway, fake, charge, advance } = await conektaWorld()
  for (const kind of ['oxxo', 'spei'] as const) {
    const input = charge({ by: 'voucher', kind })
    const facts = await gateway.start(input)
    expect(facts).toMatchObject({
      state: 'waiting',
      next: {
        do: 'show',
        voucher: { kind, expiresAt: input.expiresAt, clabe: kind === 'spei' ? expect.stringMatching(/^646\d{15}$/) : null },
      },
    })
    expect((await gateway.settle(facts.ref)).next).toEqual(facts.next)
    fake.books.pay(facts.ref.id)
    expect(await gateway.settle(facts.ref)).toMatchObject({
      state: 'paid',
      method: { label: kind === 'oxxo' ? 'OXXO' : 'Transferencia SPEI' },
    })
    expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
  }
  const [late, dropped] = [
    await gateway.start(charge({ by: 'voucher', kind: 'oxxo' })),
    await gateway.start(charge({ by: 'voucher', kind: 'oxxo' })),
  ]
  expect((await gateway.stop(dropped.ref, 'now', 'otra forma')).state).toBe('ended')
  expect(fake.books.orders.get(dropped.ref.id)?.payment_status).toBe('canceled')
  advance(16 * 60_000)
  fake.tick()
  expect((await gateway.settle(late.ref)).state).toBe('expired')
  for (const amount of [999, 1_000_001]) expect(gateway.refuses({ instrument: 'voucher', amount })).toBe('AMOUNT_OUT_OF_RANGE')
  expect(fake.complaints).toEqual([])
})

test('a token works once: the same key does not use it again, and a saved card is charged as saved', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  const input = charge(token('tok_test_visa'))
  await gateway.start(input)
  expect((await gateway.start(input)).state).toBe('paid')
  await expect(gateway.start(charge(token('tok_test_visa')))).rejects.toMatchObject({ kind: 'invalid', code: 'PAYMENT_METHOD_UNAVAILABLE' })
  const saved = await gateway.start(charge(token('tok_test_amex'), { saveCard: true }))
  expect(saved.state).toBe('paid')
  expect(await gateway.cards.finish(buyer, saved.ref.id)).toMatchObject({ brand: 'amex', last4: '0005', exp: '08/2030' })
  await expect(gateway.cards.finish(stranger, saved.ref.id)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  await expect(gateway.cards.finish(buyer, 'tok_test_amex')).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  const frame = await gateway.cards.begin(buyer)
  expect(frame.next).toMatchObject({ do: 'confirm', intent: 'setup' })
  expect(fake.complaints).toEqual([])
})

test('a call interrupted after its token became a card continues with that card', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  // The order of a subscription's first period comes after its card.
  const first = charge(token(conektaToken('visa')), { saveCard: true })
  fake.break('500 before', 'POST /orders')
  await expect(gateway.start(first, monthly)).rejects.toMatchObject({ kind: 'unavailable' })
  expect((await gateway.start(first, monthly)).state).toBe('paid')
  expect(fake.books.sources.size).toBe(1)
  expect(fake.movements(first.key.purchase)).toEqual(['charge 145000'])
  expect(fake.complaints).toEqual([])
})

test.concurrent.each([
  ['drop after', true],
  ['500 after', true],
  ['hang after', true],
  ['drop before', false],
  ['500 before', false],
  ['hang before', false],
] as const)('a charge with a lost answer (%s) is never requested again', async (fault, took) => {
  const { gateway, fake, charge, deps, advance } = await conektaWorld(fault.startsWith('hang') ? 1_500 : 5_000)
  for (const plan of [undefined, monthly]) {
    const input = charge(token(conektaToken('visa')))
    fake.break(fault, ({ method, path }) => method === 'POST' && path.endsWith('/charges'))
    await expect(gateway.start(input, plan)).rejects.toMatchObject({ kind: 'unknown_outcome', retry: 'same-key' })
    // A new gateway: the process that made the call is gone.
    const after = new ConektaGateway(deps)
    const found = await after.find(input.key)
    expect(found?.state).toBe(took ? 'paid' : undefined)
    const again = await after.start(input, plan)
    expect(again.state).toBe(took ? 'paid' : 'processing')
    if (!took) {
      // After the longest duration of a call it cannot arrive any more.
      advance(61_000)
      expect(await after.find(input.key)).toBeNull()
      const [order] = [...fake.books.orders.values()].slice(-1)
      expect(order?.payment_status).toBe('canceled')
    }
    expect(fake.movements(input.key.purchase)).toEqual(took ? ['charge 145000'] : [])
  }
  expect(fake.complaints).toEqual([])
})

test('an order whose creation got no answer is created again, and only one is charged', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  await gateway.cards.begin(buyer)
  fake.break('drop after', 'POST /orders')
  const input = charge(token(conektaToken('visa')))
  await expect(gateway.start(input)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await gateway.find(input.key)).toBeNull()
  expect((await gateway.start(input)).state).toBe('paid')
  expect(fake.books.orders.size).toBe(2)
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
})

test('a subscription whose second step got no answer, or died, is completed by a later read, once', async () => {
  for (const fault of ['drop after', 'drop before'] as const) {
    const { gateway, fake, charge, deps, advance } = await conektaWorld()
    const input = charge(token(conektaToken('visa')))
    fake.break(fault, ({ method, path }) => method === 'POST' && path.endsWith('/subscriptions'))
    // The first period is paid all the same.
    const { ref, state } = await gateway.start(input, monthly)
    expect(state).toBe('paid')
    advance(61_000)
    const after = new ConektaGateway(deps)
    const readings = await Promise.all(Array.from({ length: 5 }, () => after.settle(ref)))
    for (const reading of readings)
      expect(reading).toMatchObject({ state: 'paid', purchaseId: input.key.purchase, payments: [{ amount: 145_000 }] })
    expect(fake.books.subscriptions.size).toBe(1)
    expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
    advance(31 * DAY)
    fake.tick()
    expect((await after.settle(ref)).payments).toHaveLength(2)
  }
})

test('the event of the first order stays pending until the second step is done', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  fake.break('500 before', 'POST /plans', 9)
  const { ref, state } = await gateway.start(charge(token(conektaToken('visa'))), monthly)
  expect(state).toBe('paid')
  const order: Ref = { gateway: 'conekta', kind: 'payment', id: [...fake.books.orders.keys()][0] ?? '' }
  await expect(gateway.settle(order)).rejects.toMatchObject({ kind: 'unavailable' })
  fake.mend()
  expect(await gateway.settle(order)).toMatchObject({ ref, state: 'paid' })
  expect(fake.books.subscriptions.size).toBe(1)
})

test('a subscription paid and cancelled before its second step is not created', async () => {
  const { gateway, fake, charge, advance } = await conektaWorld()
  fake.break('500 before', 'POST /plans', 9)
  const input = charge(token(conektaToken('visa')))
  const { ref } = await gateway.start(input, monthly)
  const stopped = await gateway.stop(ref, 'period-end', 'me mudo')
  expect(stopped).toMatchObject({ state: 'paid', cancelled: true, endsAt: stopped.payments[0]?.period?.to })
  fake.mend()
  expect((await gateway.settle(ref)).cancelled).toBe(true)
  expect(fake.books.subscriptions.size).toBe(0)
  advance(40 * DAY)
  fake.tick()
  expect((await gateway.settle(ref)).state).toBe('ended')
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
})

test('a declined or challenged first payment of a subscription subscribes nothing', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  const declined = await gateway.start(charge(token(conektaToken('insufficient_funds'))), monthly)
  expect(declined).toMatchObject({ state: 'refused', why: { code: 'CARD_INSUFFICIENT_FUNDS' } })
  expect((await gateway.stop(declined.ref, 'now', 'rechazada')).state).toBe('refused')
  const challenged = await gateway.start(charge(token(conektaToken('3ds'))), monthly)
  expect(challenged).toMatchObject({ state: 'waiting', next: { do: 'go' } })
  expect(fake.books.subscriptions.size).toBe(0)
  const order = [...fake.books.orders.values()].at(-1)?.id ?? ''
  fake.books.pay(order)
  // The notice of the first period's order leads to the subscription.
  expect(await gateway.settle(challenged.ref)).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }] })
  expect(fake.books.subscriptions.size).toBe(1)
  expect((await gateway.settle({ gateway: 'conekta', kind: 'payment', id: order })).ref).toEqual(challenged.ref)
})

test('a trial charges nothing, requires a saved card, and ends at once', async () => {
  const { gateway, fake, charge, now } = await conektaWorld()
  const trialEnd = new Date(now().getTime() + 7 * DAY)
  const card = await gateway.cards.finish(buyer, conektaToken('visa'))
  const facts = await gateway.start(charge({ by: 'saved-card', card }), { ...monthly, trialEnd })
  expect(facts).toMatchObject({ state: 'trialing', payments: [], endsAt: trialEnd })
  expect([...fake.books.subscriptions.values()]).toMatchObject([{ card_id: card.id, status: 'in_trial' }])
  expect(await gateway.stop(facts.ref, 'period-end', 'no')).toMatchObject({ state: 'ended', cancelled: true })
  expect(fake.complaints).toEqual([])
})

test('refunds renewals, in parts, through us and in the panel; a chargeback freezes, is won or lost', async () => {
  const at = await conektaWorld()
  const { gateway, fake, charge, advance } = at
  const input = charge(token(conektaToken('visa')))
  const { ref } = await gateway.start(input, monthly)
  advance(31 * DAY)
  fake.tick()
  const payments = (await gateway.settle(ref)).payments
  const renewal = payments[1]?.id ?? ''
  const key = { ...input.key, step: 'refund' }
  expect((await gateway.refund(ref, renewal, 45_000, key)).payments).toMatchObject([{ refunded: 0 }, { refunded: 45_000 }])
  expect((await gateway.refund(ref, renewal, 45_000, key)).payments).toMatchObject([{ refunded: 0 }, { refunded: 45_000 }])
  const [first = '', second = ''] = [...fake.books.orders.keys()]
  fake.waiting.length = 0
  fake.books.refund(fake.books.get(fake.books.orders, first), 1_000)
  for (const facts of await deliverWebhooks(at)) expect(facts.payments).toMatchObject([{ refunded: 1_000 }, { refunded: 45_000 }])
  for (const [status, disputed] of [
    ['action_required', 'open'],
    ['under_review', 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
  ] as const) {
    fake.waiting.length = 0
    fake.books.chargeback(second, status)
    const delivered = await deliverWebhooks(at)
    expect(delivered).toMatchObject([{ ref }])
    expect(delivered[0]?.payments[1]?.disputed).toBe(disputed)
  }
})

test('a refund without an answer is looked up before it is requested again', async () => {
  for (const fault of ['drop after', 'drop before'] as const) {
    const { gateway, fake, charge, advance } = await conektaWorld()
    const input = charge(token(conektaToken('visa')))
    const { ref, payments } = await gateway.start(input)
    const payment = payments[0]?.id ?? ''
    // Another refund of the same amount, which must not be taken for it.
    await gateway.refund(ref, payment, 45_000, { ...input.key, step: 'other' })
    const key = { ...input.key, step: 'refund' }
    fake.break(fault, `POST /orders/${ref.id}/refunds`)
    await expect(gateway.refund(ref, payment, 45_000, key)).rejects.toMatchObject({ kind: 'unknown_outcome' })
    if (fault === 'drop before') await expect(gateway.refund(ref, payment, 45_000, key)).rejects.toMatchObject({ kind: 'unknown_outcome' })
    advance(61_000)
    expect((await gateway.refund(ref, payment, 45_000, key)).payments).toMatchObject([{ refunded: 90_000 }])
    expect((await gateway.refund(ref, payment, 45_000, key)).payments).toMatchObject([{ refunded: 90_000 }])
    expect(fake.movements(input.key.purchase)).toEqual(['charge 145000', 'refund 45000', 'refund 45000'])
  }
})

test('twenty concurrent repeated calls are one order and one refund each', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  for (let round = 1; round <= 5; round++) {
    const input = charge(token(conektaToken('visa')))
    const all = await Promise.all(Array.from({ length: 20 }, () => gateway.start(input)))
    expect(fake.books.orders.size).toBe(round)
    const { ref, payments } = all[0] ?? { ref: { gateway: 'conekta', kind: 'payment', id: '' } as const, payments: [] }
    const key = { ...input.key, step: 'refund' }
    await Promise.allSettled(Array.from({ length: 20 }, () => gateway.refund(ref, payments[0]?.id ?? '', 45_000, key)))
    expect(fake.movements(input.key.purchase)).toEqual(['charge 145000', 'refund 45000'])
  }
})

test('a lookup before the order was created does not lead to a second order', async () => {
  const { db, now, deps } = await conektaWorld()
  const memory = new CallJournal<ConektaMemo>('conekta', { db, now })
  const orders = new ConektaOrders(new ConektaClient(deps), memory, now)
  const { call: early } = await memory.open({ purchase: 1, step: 'pay', n: 1 }, 'x', {})
  const make = (id: string) => async () => ({ ref: { gateway: 'conekta' as const, kind: 'payment' as const, id } })
  await orders.ensure(early, make('ord_one'))
  expect((await orders.ensure(early, make('ord_two'))).ref?.id).toBe('ord_one')
})

test('ten concurrent calls over a slow connection are one customer, one order and one charge', async () => {
  const { gateway, fake, charge } = await conektaWorld()
  fake.latencyMs = 100
  for (const plan of [undefined, monthly]) {
    const input = charge(token(conektaToken('visa')))
    const all = await Promise.all(Array.from({ length: 10 }, () => gateway.start(input, plan)))
    expect(new Set(all.map(({ ref, state }) => `${ref.id} ${state}`)).size).toBe(1)
    expect(all[0]?.state).toBe('paid')
    expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
  }
  expect([fake.books.customers.size, fake.books.orders.size, fake.books.subscriptions.size]).toEqual([1, 2, 1])
})

test('accepts only Conekta’s signature over the exact bytes, with a configured or fetched key', async () => {
  const { gateway, fake, charge, deps } = await conektaWorld()
  await gateway.start(charge(token(conektaToken('visa'))))
  const [event] = await fake.signed()
  if (!event) throw new Error('Nothing was told.')
  const { body } = event
  const verify = (digest: string | string[] | undefined, text = body, by = gateway) =>
    by.verifyWebhook({ headers: { digest }, body: Buffer.from(text) }).then(
      () => 'believed',
      (error: Error) => error.constructor.name,
    )
  const withoutKey = new ConektaGateway({ ...deps, webhookKey: undefined })
  const table: [string, Promise<string>, string][] = [
    ['good', verify(fake.digest(body)), 'believed'],
    [
      'a key in one line',
      verify(fake.digest(body), body, new ConektaGateway({ ...deps, webhookKey: fake.publicKey.replaceAll('\n', '\\n') })),
      'believed',
    ],
    ['the account’s own keys', verify(fake.digest(body), body, withoutKey), 'believed'],
    ['the account’s own keys, another signer', verify(fake.digest(body, true), body, withoutKey), 'BadSignature'],
    ['written anew', verify(fake.digest(body), JSON.stringify(JSON.parse(body), null, 1)), 'BadSignature'],
    ['another signer', verify(fake.digest(body, true)), 'BadSignature'],
    ['no header', verify(undefined), 'BadSignature'],
    ['empty', verify(''), 'BadSignature'],
    ['two headers', verify([fake.digest(body), fake.digest(body)]), 'BadSignature'],
    ['not base64', verify('***'), 'BadSignature'],
    ...NO_EVENTS.map((text): [string, Promise<string>, string] => [text, verify(fake.digest(text), text), 'SyntaxError']),
  ]
  for (const [what, outcome, expected] of table) expect([what, await outcome]).toEqual([what, expected])
  expect(fake.countOf('GET /webhook_keys')).toBe(1)
})

test('every event leads to its purchase in any order; objects of other shops are ignored', async () => {
  const at = await conektaWorld()
  const { gateway, fake, charge, advance } = at
  const facts = await gateway.start(charge(token(conektaToken('visa'))))
  const plan = await gateway.start(charge(token(conektaToken('visa'))), monthly)
  advance(31 * DAY)
  fake.tick()
  const other = fake.books.createOrder({
    customer: [...fake.books.customers.keys()][0] ?? '',
    amount: 5_000,
    metadata: { purchase_id: '101' },
  })
  fake.books.emit('order.paid', other)
  fake.books.emit('webhook_ping', { id: 'x' })
  const delivered = await deliverWebhooks(at, true)
  expect(new Set(delivered.map(({ ref, purchaseId }) => `${ref.id} ${purchaseId}`))).toEqual(
    new Set([`${facts.ref.id} 101`, `${plan.ref.id} 102`]),
  )
})

test('lists all changes page by page when every event was lost', async () => {
  const { gateway, fake, charge, advance, now } = await conektaWorld()
  const plan = await gateway.start(charge(token(conektaToken('visa'))), monthly)
  const secondFacts = await gateway.start(charge(token(conektaToken('visa'))))
  const quiet = await gateway.start(charge(token(conektaToken('visa'))))
  advance(31 * DAY)
  const from = now()
  fake.tick()
  fake.books.refund(fake.books.get(fake.books.orders, secondFacts.ref.id), 1_000)
  const changed: Facts[] = []
  for await (const facts of gateway.since(from)) changed.push(facts)
  expect(new Set(changed.map(({ ref }) => ref.id))).toEqual(new Set([plan.ref.id, secondFacts.ref.id]))
  expect(changed.find(({ ref }) => ref.id === plan.ref.id)?.payments).toHaveLength(2)
  expect(changed.map(({ ref }) => ref.id)).not.toContain(quiet.ref.id)
  expect(fake.countOf('GET /events')).toBeGreaterThan(1)
})

test('refuses unsupported offers beforehand: daily periods, coupons, subscriptions on its page', async () => {
  const { gateway, now } = await conektaWorld()
  const refuses = (instrument: Instrument['by'], plan?: Partial<Plan> & Pick<Plan, 'every'>, amount = 145_000) =>
    gateway.refuses({ instrument, amount, ...(plan ? { plan: { amount, ...plan } } : {}) })
  for (const by of ['wallet', 'hand'] as const) expect(refuses(by)).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(refuses('hosted-page')).toBeNull()
  expect(refuses('hosted-page', { every: { unit: 'month', count: 1 } })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(refuses('card-token', { every: { unit: 'day', count: 10 } })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(refuses('card-token', { every: { unit: 'day', count: 14 } })).toBeNull()
  expect(toInterval({ unit: 'day', count: 14 })).toEqual({ interval: 'week', frequency: 2 })
  const trialEnd = new Date(now().getTime() + DAY)
  expect(refuses('card-token', { every: { unit: 'month', count: 1 }, firstAmount: 100_000, trialEnd })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(refuses('card-token', { every: { unit: 'month', count: 1 }, firstAmount: 100_000 })).toBeNull()
  expect(refuses('card-token', undefined, 999)).toBe('AMOUNT_OUT_OF_RANGE')
})

test('wrong keys, limits and outages at Conekta are not reported as the customer’s fault', async () => {
  const { gateway, fake, charge, deps } = await conektaWorld()
  await expect(new ConektaGateway({ ...deps, privateKey: 'key_otra' }).start(charge(token(conektaToken('visa'))))).rejects.toMatchObject({
    kind: 'config',
    code: 'PAYMENT_TRY_LATER',
  })
  fake.break('429', 'POST /orders')
  await expect(gateway.start(charge(token(conektaToken('visa'))))).rejects.toMatchObject({ kind: 'unavailable', code: 'PAYMENT_TRY_LATER' })
  await expect(
    gateway.start(charge(token(conektaToken('visa')), { buyer: { ...buyer, customer_id: 9, phone: null } })),
  ).rejects.toMatchObject({
    kind: 'unsupported',
  })
  expect(fake.ledger).toEqual([])
})

test.each([
  ['conekta.errors.processing.bank.insufficient_funds', 'CARD_INSUFFICIENT_FUNDS'],
  ['conekta.errors.processing.bank.declined', 'CARD_DECLINED'],
  ['conekta.errors.processing.bank.card_not_supported', 'CARD_DECLINED'],
  ['conekta.errors.processing.bank.amount_over_limit', 'CARD_DECLINED'],
  ['conekta.errors.processing.bank.invalid_expiration_date', 'CARD_EXPIRED'],
  ['conekta.errors.parameter_validation.card.exp_year', 'CARD_EXPIRED'],
  ['conekta.errors.parameter_validation.card.number', 'CARD_INCORRECT_NUMBER'],
  ['conekta.errors.parameter_validation.card.number.format', 'CARD_FORMAT'],
  ['conekta.errors.processing.bank.communication_error', 'PAYMENT_TRY_LATER'],
  ['conekta.errors.processing.bank.general_error', 'PAYMENT_TRY_LATER'],
] as const)('%s is reported as %s', (code, ours) => {
  expect(cardCode(code)).toBe(ours)
})
