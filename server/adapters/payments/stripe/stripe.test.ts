import { afterAll, expect, test } from 'vitest'
import { PaymentError, type Plan } from '#server/adapters/payments/port.ts'
import { gatewaySuite } from '#server/adapters/payments/suite.ts'
import type { Bench } from '#server/adapters/payments/suite-bench.ts'
import { breakForLostCards } from '#server/testing/fakes/stripe.ts'
import { buyer, closeWorlds, DAY, deliverWebhooks, stranger, stripeWorld, token } from '#server/testing/fakes/worlds.ts'
import { oxxoDays } from './requests.ts'

afterAll(closeWorlds)

gatewaySuite(
  'stripe',
  { cards: true, plans: true, vouchers: true, disputes: true, failingRefunds: true, signsEvents: true },
  async (): Promise<Bench> => {
    const { gateway, fake, now, advance } = await stripeWorld()
    breakForLostCards(fake)
    return {
      gateway,
      buyer,
      stranger,
      waiting: { by: 'hosted-page' },
      pay: async (ref) => void fake.payPage(ref.id),
      centavosTaken: async (purchase) => fake.taken(purchase),
      complaints: fake.complaints,
      now,
      advance,
      cards: {
        paid: token('pm_card_visa'),
        declined: [
          { instrument: token('pm_card_chargeDeclinedInsufficientFunds'), code: 'CARD_INSUFFICIENT_FUNDS' },
          { instrument: token('pm_card_chargeDeclinedLostCard'), code: 'CARD_LOST_OR_STOLEN' },
          { instrument: token('pm_card_chargeDeclinedStolenCard'), code: 'CARD_LOST_OR_STOLEN' },
          { instrument: token('pm_card_pickupCard'), code: 'CARD_LOST_OR_STOLEN' },
          { instrument: token('pm_card_chargeDeclinedExpiredCard'), code: 'CARD_EXPIRED' },
          { instrument: token('pm_card_chargeDeclinedIncorrectCvc'), code: 'CARD_INCORRECT_CVC' },
          { instrument: token('pm_card_incorrectNumber'), code: 'CARD_INCORRECT_NUMBER' },
          { instrument: token('pm_card_chargeDeclined'), code: 'CARD_DECLINED' },
          { instrument: token('pm_card_chargeDeclinedFraudulent'), code: 'CARD_SUSPICIOUS' },
          { instrument: token('pm_card_chargeDeclinedProcessingError'), code: 'PAYMENT_TRY_LATER' },
        ],
        lostButPaid: token('pm_twin_lostAfter'),
        lostAndUnpaid: token('pm_twin_lostBefore'),
        proof: 'pm_card_visa',
        challenged: {
          instrument: token('pm_card_threeDSecure2Required'),
          answer: async ({ next }, yes) => fake.books.authenticate(next?.do === 'confirm' ? next.clientSecret : '', yes),
        },
        setupTokens: {
          atOnce: 'pm_card_mastercard',
          refused: 'pm_card_chargeDeclined',
          challenged: { token: 'pm_card_threeDSecure2Required', answer: async (secret) => fake.books.authenticate(secret, true) },
        },
      },
      vouchers: { pay: async (ref) => fake.books.succeed(fake.books.get('intents', ref.id)) },
      failRefund: async ({ payments }) => {
        const refund = [...fake.books.all.refunds.values()].findLast((refund) => refund.payment_intent === payments[0]?.id)
        fake.books.failRefund(refund?.id ?? '')
      },
      reportsDisputedAmount: true,
      dispute: async ({ payments }, state, amount) =>
        fake.books.dispute(payments[0]?.id ?? '', state === 'open' ? 'needs_response' : state, amount),
      plans: { failsLater: token('pm_twin_failsLater'), tick: async () => fake.tick() },
      signedEvent: async () => {
        const event = (await fake.signed()).at(-1)
        if (!event) throw new Error('Nothing changed.')
        return { headers: event.headers, body: new TextEncoder().encode(event.body) }
      },
    }
  },
)

test('giving up during a challenge cancels the payment, so that a late confirmation charges nothing', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const input = charge(token('pm_card_threeDSecure2Required'))
  const challenged = await gateway.start(input)
  expect((await gateway.stop(challenged.ref, 'now', 'cerró la ventana')).state).toBe('ended')
  if (challenged.next?.do === 'confirm') fake.books.authenticate(challenged.next.clientSecret, true)
  expect((await gateway.settle(challenged.ref)).state).toBe('ended')
  expect(fake.taken(input.key.purchase)).toBe(0)
})

test('a processing payment is neither paid nor cancellable', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const input = charge(token('pm_twin_processing'))
  const { ref, state } = await gateway.start(input)
  expect(state).toBe('processing')
  expect((await gateway.stop(ref, 'now', 'prisa')).state).toBe('processing')
  fake.books.succeed(fake.books.get('intents', ref.id))
  expect((await gateway.settle(ref)).state).toBe('paid')
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])
})

test('an OXXO voucher expires no later than the hold, is paid once and cannot be refunded', async () => {
  const { gateway, fake, charge, now, advance } = await stripeWorld()
  const oxxo = charge({ by: 'voucher', kind: 'oxxo' }, { expiresAt: new Date(now().getTime() + 72 * 3_600_000) })
  const facts = await gateway.start(oxxo)
  if (facts.next?.do !== 'show') throw new Error('No voucher.')
  const { voucher } = facts.next
  expect(voucher).toMatchObject({ kind: 'oxxo', clabe: null, url: expect.stringMatching(/^http/) })
  expect(voucher.expiresAt.toISOString()).toBe('2026-11-22T05:59:59.000Z')
  expect((await gateway.settle(facts.ref)).next).toEqual(facts.next)
  fake.books.succeed(fake.books.get('intents', facts.ref.id))
  const paid = await gateway.settle(facts.ref)
  expect(paid).toMatchObject({ state: 'paid', method: { label: 'OXXO' } })
  await expect(gateway.refund(facts.ref, facts.ref.id, 1_000, { ...oxxo.key, step: 'refund' })).rejects.toMatchObject({
    kind: 'unsupported',
  })

  const late = await gateway.start(charge({ by: 'voucher', kind: 'oxxo' }, { expiresAt: new Date(now().getTime() + 72 * 3_600_000) }))
  advance(4 * DAY)
  fake.tick()
  expect((await gateway.settle(late.ref)).state).toBe('expired')
  expect((await gateway.stop(late.ref, 'now', 'venció')).state).toBe('expired')

  await expect(gateway.start(charge({ by: 'voucher', kind: 'oxxo' }))).rejects.toMatchObject({
    kind: 'unsupported',
    code: 'PAYMENT_METHOD_UNAVAILABLE',
  })
  for (const amount of [999, 1_000_001]) expect(gateway.refuses({ instrument: 'voucher', amount })).toBe('AMOUNT_OUT_OF_RANGE')
  expect(fake.complaints).toEqual([])
})

test('OXXO’s days end at 23:59 in Mexico City and not after the hold', () => {
  const at = (text: string) => new Date(text)
  expect(oxxoDays(at('2026-11-19T10:00:00-06:00'), at('2026-11-22T10:00:00-06:00'))).toBe(2)
  expect(oxxoDays(at('2026-11-19T23:30:00-06:00'), at('2026-11-20T23:59:59-06:00'))).toBe(1)
  expect(oxxoDays(at('2026-11-19T23:30:00-06:00'), at('2026-11-20T23:59:58-06:00'))).toBe(0)
  expect(oxxoDays(at('2026-11-19T00:10:00-06:00'), at('2026-12-19T00:00:00-06:00'))).toBe(7)
})

test('SPEI has a CLABE until the hold ends, and is paid only when complete', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const input = charge({ by: 'voucher', kind: 'spei' })
  const facts = await gateway.start(input)
  expect(facts).toMatchObject({
    state: 'waiting',
    next: { do: 'show', voucher: { kind: 'spei', clabe: expect.stringMatching(/^646\d{15}$/), expiresAt: input.expiresAt } },
  })
  fake.books.succeed(fake.books.get('intents', facts.ref.id))
  expect(await gateway.settle(facts.ref)).toMatchObject({ state: 'paid', method: { label: 'Transferencia SPEI' } })
  expect((await gateway.refund(facts.ref, facts.ref.id, 45_000, { ...input.key, step: 'refund' })).payments).toMatchObject([
    { refunded: 45_000 },
  ])
  expect(fake.complaints).toEqual([])
})

test('a page takes another card after a decline; a completed page without payment is not paid', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const input = charge({ by: 'hosted-page' })
  const page = await gateway.start(input)
  expect(page.next).toMatchObject({ do: 'go', url: expect.stringContaining(page.ref.id) })
  expect(fake.payPage(page.ref.id, 'pm_card_chargeDeclinedInsufficientFunds')).toBe(false)
  expect((await gateway.settle(page.ref)).state).toBe('waiting')
  expect(fake.payPage(page.ref.id)).toBe(true)
  expect(await gateway.settle(page.ref)).toMatchObject({ state: 'paid', purchaseId: input.key.purchase, method: { last4: '4242' } })
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000'])

  for (const through of [true, false]) {
    const slow = await gateway.start(charge({ by: 'hosted-page' }))
    fake.payPage(slow.ref.id, 'pm_twin_processing')
    expect(fake.books.get('sessions', slow.ref.id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    expect(await gateway.settle(slow.ref)).toMatchObject({ state: 'processing', payments: [] })
    fake.concludePage(slow.ref.id, through)
    expect((await gateway.settle(slow.ref)).state).toBe(through ? 'paid' : 'refused')
  }
  expect(fake.complaints).toEqual([])
})

test('a subscription sold on a page is one purchase, whichever event comes first', async () => {
  const at = await stripeWorld()
  const { gateway, fake, charge, now } = at
  const input = charge({ by: 'hosted-page' }, { amount: 100_000 })
  const page = await gateway.start(input, { every: { unit: 'month', count: 1 }, amount: 145_000, firstAmount: 100_000 })
  expect(page.ref.kind).toBe('subscription')
  fake.payPage(page.ref.id)
  for (const reversed of [false, true])
    for (const facts of await deliverWebhooks(at, reversed)) {
      expect(facts).toMatchObject({ ref: page.ref, purchaseId: input.key.purchase, state: 'paid', payments: [{ amount: 100_000 }] })
    }
  const soon = { every: { unit: 'month', count: 1 }, amount: 145_000, trialEnd: new Date(now().getTime() + DAY) } as const
  expect(gateway.refuses({ instrument: 'hosted-page', amount: 145_000, plan: soon })).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(gateway.refuses({ instrument: 'card-token', amount: 145_000, plan: soon })).toBeNull()
  const trial = await gateway.start(charge({ by: 'hosted-page' }), { ...soon, trialEnd: new Date(now().getTime() + 7 * DAY) })
  fake.payPage(trial.ref.id)
  expect(await gateway.settle(trial.ref)).toMatchObject({ state: 'trialing', payments: [] })
  expect((await gateway.stop(trial.ref, 'period-end', 'no me gustó')).state).toBe('ended')
  expect(fake.complaints).toEqual([])
})

test('a challenge of a subscription’s first payment: confirming starts it, declining refuses it', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
  for (const yes of [true, false]) {
    const input = charge(token('pm_card_threeDSecure2Required'))
    const challenged = await gateway.start(input, monthly)
    if (challenged.next?.do !== 'confirm') throw new Error('The bank did not ask.')
    expect(challenged).toMatchObject({ state: 'waiting', next: { intent: 'payment' }, payments: [] })
    fake.books.authenticate(challenged.next.clientSecret, yes)
    const after = await gateway.settle(challenged.ref)
    expect(after.state).toBe(yes ? 'paid' : 'refused')
    if (!yes) expect(after.why?.code).toBe('CARD_CONFIRMATION')
    expect(fake.movements(input.key.purchase)).toEqual(yes ? ['charge 145000'] : [])
  }
  const declined = await gateway.start(charge(token('pm_card_chargeDeclinedInsufficientFunds')), monthly)
  expect(declined).toMatchObject({ state: 'refused', why: { code: 'CARD_INSUFFICIENT_FUNDS' } })
  expect((await gateway.stop(declined.ref, 'now', 'rechazada')).state).toBe('ended')
  expect(fake.complaints).toEqual([])
})

test('a trial counts only once its card is verified (V16)', async () => {
  const { gateway, fake, charge, now } = await stripeWorld()
  const plan: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000, trialEnd: new Date(now().getTime() + 7 * DAY) }
  for (const yes of [true, false]) {
    const challenged = await gateway.start(charge(token('pm_card_threeDSecure2Required')), plan)
    if (challenged.next?.do !== 'confirm') throw new Error('The bank did not ask.')
    expect(fake.books.get('subscriptions', challenged.ref.id).status).toBe('trialing')
    expect(challenged).toMatchObject({ state: 'waiting', next: { intent: 'setup' } })
    fake.books.authenticate(challenged.next.clientSecret, yes)
    expect((await gateway.settle(challenged.ref)).state).toBe(yes ? 'trialing' : 'refused')
  }
  expect(await gateway.start(charge(token('pm_card_chargeDeclined')), plan)).toMatchObject({
    state: 'refused',
    why: { code: 'CARD_DECLINED' },
  })
  const card = await gateway.cards.finish(buyer, 'pm_card_mastercard')
  const saved = await gateway.start(charge({ by: 'saved-card', card }), plan)
  expect(saved).toMatchObject({ state: 'trialing', payments: [], endsAt: plan.trialEnd, method: { label: 'Mastercard terminada en 4444' } })
  expect(fake.complaints).toEqual([])
})

test('the card verified for a trial pays the later charges, even if Stripe does not set it itself', async () => {
  const { gateway, fake, charge, now, advance } = await stripeWorld()
  fake.billing.savesTrialCard = false
  const input = charge(token('pm_card_visa'))
  const { ref, state } = await gateway.start(input, {
    every: { unit: 'month', count: 1 },
    amount: 145_000,
    trialEnd: new Date(now().getTime() + 7 * DAY),
  })
  expect(state).toBe('trialing')
  advance(8 * DAY)
  fake.tick()
  expect(await gateway.settle(ref)).toMatchObject({ state: 'paid', payments: [{ amount: 145_000 }] })
})

test('a subscription cancelled at once ends its benefits; one that Stripe ends keeps what was paid', async () => {
  const { gateway, fake, charge, now } = await stripeWorld()
  const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }
  const [ours, theirs] = [
    await gateway.start(charge(token('pm_card_visa')), monthly),
    await gateway.start(charge(token('pm_card_visa')), monthly),
  ]
  expect(await gateway.stop(ours.ref, 'now', 'revocada')).toMatchObject({ state: 'ended', cancelled: true, endsAt: now() })
  fake.billing.cancel(fake.books.get('subscriptions', theirs.ref.id), null)
  expect(await gateway.settle(theirs.ref)).toMatchObject({ state: 'ended', endsAt: theirs.payments[0]?.period?.to })
  expect((await gateway.stop(theirs.ref, 'period-end', 'otra vez')).state).toBe('ended')
})

test('disputes freeze, are lost or won; an inquiry without money taken is not a dispute', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const secondFacts = await gateway.start(charge(token('pm_card_visa')))
  const [subscription] = [await gateway.start(charge(token('pm_card_visa')), { every: { unit: 'month', count: 1 }, amount: 145_000 })]
  for (const facts of [secondFacts, subscription]) {
    const payment = facts.payments[0]?.id ?? ''
    for (const [status, disputed] of [
      ['warning_needs_response', undefined],
      ['needs_response', 'open'],
      ['under_review', 'open'],
      ['won', 'won'],
      ['lost', 'lost'],
    ] as const) {
      fake.books.dispute(payment, status)
      expect((await gateway.settle(facts.ref)).payments[0]?.disputed).toBe(disputed)
    }
    // The notice names the payment; a subscription's is found through its invoice.
    expect((await gateway.settle({ gateway: 'stripe', kind: 'payment', id: payment })).ref).toEqual(facts.ref)
  }
  await expect(gateway.refund(secondFacts.ref, secondFacts.ref.id, 1_000, { purchase: 1, step: 'refund', n: 1 })).rejects.toMatchObject({
    code: 'PURCHASE_CLOSED',
  })
  expect(fake.complaints).toEqual([])
})

test('a refund in the dashboard counts, a failed one does not, and ours is made once even after its key expired', async () => {
  const { gateway, fake, charge } = await stripeWorld()
  const input = charge(token('pm_card_visa'))
  const { ref } = await gateway.start(input)
  const refund = fake.books.refund(fake.books.get('intents', ref.id), 20_000, { reason: null, metadata: {} })
  expect((await gateway.settle(ref)).payments).toMatchObject([{ refunded: 20_000 }])
  fake.books.failRefund(refund.id)
  expect((await gateway.settle(ref)).payments).toMatchObject([{ refunded: 0 }])

  const key = { ...input.key, step: 'refund' }
  fake.break('drop after', 'POST /v1/refunds', 5)
  await expect(gateway.refund(ref, ref.id, 45_000, key)).rejects.toMatchObject({ kind: 'unknown_outcome' })
  fake.mend()
  fake.forgetKeys()
  expect((await gateway.refund(ref, ref.id, 45_000, key)).payments).toMatchObject([{ refunded: 45_000 }])
  await expect(gateway.refund(ref, ref.id, 50_000, key)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  expect(fake.movements(input.key.purchase)).toEqual(['charge 145000', 'refund 20000', 'refund -20000', 'refund 45000'])
})

test('a card is saved through a setup that its owner confirms', async () => {
  const { gateway, fake } = await stripeWorld()
  const { setup, next } = await gateway.cards.begin(buyer)
  expect(next).toMatchObject({ do: 'confirm', intent: 'setup' })
  await expect(gateway.cards.finish(buyer, setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  fake.books.confirmSetup(fake.books.get('setups', setup), 'pm_card_amex')
  await expect(gateway.cards.finish(stranger, setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  const card = await gateway.cards.finish(buyer, setup)
  expect(card).toMatchObject({ brand: 'amex', last4: '8431', exp: '08/2030', fingerprint: expect.any(String) })
  expect(await gateway.cards.finish(buyer, setup)).toEqual(card)
  await expect(gateway.cards.finish(buyer, 'pm_card_chargeDeclined')).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  await expect(gateway.cards.finish(buyer, 'nadie')).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  await expect(gateway.cards.remove({ id: card.id, buyer: 'cus_otra' })).rejects.toBeInstanceOf(PaymentError)
  expect(fake.complaints).toEqual([])
})
