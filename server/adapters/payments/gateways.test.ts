/** Runs the common suite for every gateway. */

import { afterAll, expect, test } from 'vitest'
import { isClabe } from '#server/adapters/payments/clabe.ts'
import { type Db, openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { choosePayments } from './choose.ts'
import { Counter, receiveWaiting } from './counter/counter.ts'
import { readToken, TEST_NUMBERS } from './sandbox/cards.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { waitingWebhookEvents } from './sandbox/webhooks.ts'
import { gatewaySuite } from './suite.ts'
import type { Bench } from './suite-bench.ts'

const open: Db[] = []
afterAll(async () => {
  for (const db of open) await db.close()
})
const quiet = { error: () => {} }

async function world() {
  const db = openDb({ connection: await freshDatabase() })
  open.push(db)
  let clockTime = new Date('2026-11-19T16:00:00Z')
  return {
    db,
    now: () => new Date(clockTime),
    advance: (ms: number) => {
      clockTime = new Date(clockTime.getTime() + ms)
    },
  }
}

const buyer = { customer_id: 1, ref: null, email: 'ana@ejemplo.mx', name: 'Ana Treviño', phone: null }
const stranger = { customer_id: 2, ref: null, email: 'luis@ejemplo.mx', name: 'Luis Rey', phone: null }
const token = (text: string) => ({ by: 'card-token' as const, token: text })

gatewaySuite(
  'sandbox',
  { cards: true, plans: true, vouchers: true, disputes: true, failingRefunds: true, signsEvents: true },
  async (): Promise<Bench> => {
    const { db, now, advance } = await world()
    const gateway = new Sandbox({ db, now, publicUrl: 'http://localhost:3000', log: quiet })
    return {
      gateway,
      buyer,
      stranger,
      waiting: { by: 'wallet' },
      pay: async (ref) => void (await gateway.approve(ref.id, true)),
      centavosTaken: async (purchase) =>
        (await gateway.ledger(purchase)).reduce((sum, row) => sum + (row.kind === 'charge' ? row.amount : -row.amount), 0),
      now,
      advance,
      cards: {
        paid: token('tok_ok'),
        declined: [
          { instrument: token('tok_funds'), code: 'CARD_INSUFFICIENT_FUNDS' },
          { instrument: token('tok_lost'), code: 'CARD_LOST_OR_STOLEN' },
          { instrument: token('tok_stolen'), code: 'CARD_LOST_OR_STOLEN' },
          { instrument: token('tok_expired'), code: 'CARD_EXPIRED' },
          { instrument: token('tok_cvc'), code: 'CARD_INCORRECT_CVC' },
          { instrument: token('tok_number'), code: 'CARD_INCORRECT_NUMBER' },
          { instrument: token('tok_declined'), code: 'CARD_DECLINED' },
          { instrument: token('tok_suspicious'), code: 'CARD_SUSPICIOUS' },
          { instrument: token('tok_format'), code: 'CARD_FORMAT' },
        ],
        lostButPaid: token('tok_timeout_paid'),
        lostAndUnpaid: token('tok_timeout_unpaid'),
        proof: 'tok_ok',
        challenged: { instrument: token('tok_3ds'), answer: async ({ ref }, yes) => void (await gateway.authorize(ref.id, yes)) },
        setupTokens: {
          atOnce: 'tok_ok',
          refused: 'tok_funds',
          challenged: {
            token: 'tok_3ds',
            answer: async (secret) => void (await gateway.authorize(secret.split('_secret_')[0] ?? '', true)),
          },
        },
      },
      vouchers: { pay: async (ref) => void (await gateway.payVoucher(ref.id)) },
      failRefund: async ({ ref }) => gateway.failRefund(ref.id),
      reportsDisputedAmount: true,
      dispute: async ({ ref }, state, amount) => gateway.dispute(ref.id, state, amount),
      plans: { failsLater: token('tok_renew_fail'), tick: () => gateway.tick() },
      signedEvent: async () => {
        const [event] = await waitingWebhookEvents(db, now())
        if (!event) throw new Error('Nothing changed.')
        return { headers: event.headers, body: new TextEncoder().encode(event.body) }
      },
    }
  },
)

for (const id of ['efectivo', 'mostrador', 'regalo'] as const)
  gatewaySuite(
    id,
    { cards: false, plans: false, vouchers: false, disputes: false, failingRefunds: false, signsEvents: false },
    async (): Promise<Bench> => {
      const { db, now, advance } = await world()
      const gateway = new Counter(id, { db, now })
      return {
        gateway,
        buyer,
        stranger,
        waiting: { by: 'hand' },
        pay: async (ref) => void (await db.tx((tx) => receiveWaiting(tx, ref.id, { gateway: id, receivedBy: 'staff:1', now: now() }))),
        centavosTaken: async (purchase) => {
          const { rows } = await db.pool.query<{ sum: number }>(
            'select coalesce(sum(amount - refunded), 0)::integer as sum from cash_payment where purchase_id = $1 and state = $2',
            [purchase, 'paid'],
          )
          return rows[0]?.sum ?? 0
        },
        now,
        advance,
      }
    },
  )

test('the bank’s challenge: confirming pays; declining or failing it does not (S1-4.12, S1-8.32)', async () => {
  const { db, now } = await world()
  const bank = new Sandbox({ db, now, publicUrl: 'http://localhost:3000', log: quiet })
  const base = {
    amount: 145_000,
    currency: 'MXN' as const,
    title: 'Ocho',
    buyer,
    expiresAt: new Date(now().getTime() + 900_000),
    returnUrl: 'http://localhost:3000/gracias/1',
  }
  for (const [purchase, card, yes, state] of [
    [1, 'tok_3ds', true, 'paid'],
    [2, 'tok_3ds', false, 'refused'],
    [3, 'tok_3ds_fail', true, 'refused'],
  ] as const) {
    const challenged = await bank.start({ ...base, key: { purchase, step: 'pay', n: 1 }, instrument: token(card) })
    expect(challenged).toMatchObject({ state: 'waiting', next: { do: 'confirm', intent: 'payment' } })
    await bank.authorize(challenged.ref.id, yes)
    const after = await bank.settle(challenged.ref)
    expect(after.state).toBe(state)
    if (state === 'refused') expect(after.why).toMatchObject({ code: 'CARD_CONFIRMATION', message: expect.stringMatching(/banco/) })
    expect((await bank.ledger(purchase)).length).toBe(state === 'paid' ? 1 : 0)
    // Answering again changes nothing.
    await bank.authorize(challenged.ref.id, !yes)
    expect((await bank.settle(challenged.ref)).state).toBe(state)
  }
})

test('a page, a voucher and a processing payment succeed later, once', async () => {
  const { db, now, advance } = await world()
  const bank = new Sandbox({ db, now, publicUrl: 'http://localhost:3000', log: quiet })
  const base = {
    amount: 145_000,
    currency: 'MXN' as const,
    title: 'Ocho',
    buyer,
    expiresAt: new Date(now().getTime() + 900_000),
    returnUrl: 'http://localhost:3000/gracias/1',
  }
  const page = await bank.start({ ...base, key: { purchase: 1, step: 'pay', n: 1 }, instrument: { by: 'hosted-page' } })
  expect(page.next).toMatchObject({ do: 'go', url: `http://localhost:3000/sandbox/pagar/${page.ref.id}` })
  expect(await bank.giveToken(page.ref.id, 'tok_funds')).toMatchObject({ state: 'waiting' })
  expect(await bank.giveToken(page.ref.id, 'tok_ok')).toMatchObject({ state: 'paid' })
  expect(await bank.giveToken(page.ref.id, 'tok_ok')).toMatchObject({ state: 'paid' })

  const oxxo = await bank.start({ ...base, key: { purchase: 2, step: 'pay', n: 1 }, instrument: { by: 'voucher', kind: 'oxxo' } })
  expect(oxxo.next).toMatchObject({ do: 'show', voucher: { kind: 'oxxo', clabe: null } })
  await bank.payVoucher(oxxo.ref.id)
  await bank.payVoucher(oxxo.ref.id)

  const slow = await bank.start({ ...base, key: { purchase: 3, step: 'pay', n: 1 }, instrument: token('tok_async') })
  expect(slow.state).toBe('processing')
  expect((await bank.stop(slow.ref, 'now', 'prisa')).state).toBe('processing')
  advance(6_000)
  await bank.tick()
  expect((await bank.settle(slow.ref)).state).toBe('paid')
  for (const purchase of [1, 2, 3]) expect((await bank.ledger(purchase)).length).toBe(1)
})

test('a CLABE of the sandbox is accepted by banking apps, with a reference of at most seven digits', async () => {
  const { db, now } = await world()
  const bank = new Sandbox({ db, now, publicUrl: 'http://localhost:3000', log: quiet })
  for (const purchase of [1, 3_301, 987_654, 2_147_483_647]) {
    const { next } = await bank.start({
      key: { purchase, step: 'pay', n: 1 },
      amount: 145_000,
      currency: 'MXN',
      title: 'Ocho',
      buyer,
      instrument: { by: 'voucher', kind: 'spei' },
      expiresAt: new Date(now().getTime() + 900_000),
      returnUrl: 'http://localhost:3000/gracias/1',
    })
    const voucher = next?.do === 'show' ? next.voucher : null
    expect(isClabe(voucher?.clabe ?? '')).toBe(true)
    // Bank 000 does not exist: a real transfer to the sandbox is returned.
    expect(voucher).toMatchObject({ clabe: expect.stringMatching(/^000180/), reference: expect.stringMatching(/^\d{7}$/) })
  }
})

test('a card is saved through a setup that its owner confirms', async () => {
  const { db, now } = await world()
  const bank = new Sandbox({ db, now, publicUrl: 'http://localhost:3000', log: quiet })
  const { setup, next } = await bank.cards.begin(buyer)
  expect(next).toMatchObject({ do: 'confirm', intent: 'setup' })
  await expect(bank.cards.finish(buyer, setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  await bank.giveToken(setup, 'tok_3ds~mastercard~4444~112029~k1')
  await expect(bank.cards.finish(buyer, setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  await bank.authorize(setup, true)
  const card = await bank.cards.finish(buyer, setup)
  expect(card).toMatchObject({ brand: 'mastercard', last4: '4444', exp: '11/2029' })
  expect((await bank.cards.finish(buyer, setup)).id).toBe(card.id)
  await expect(bank.cards.finish(stranger, setup)).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
})

test('tokens tell how a card behaves and nothing about its number', () => {
  expect(readToken('tok_ok~amex~0005~122030~ab12')).toEqual({ behaviour: 'ok', brand: 'amex', last4: '0005', exp: '12/2030', typed: true })
  for (const bad of [
    '',
    'tok_',
    'tok_nope',
    'tok_ok~visa~42424~122030~a',
    'tok_ok~visa~4242~132030~a',
    'pm_card_visa',
    'tok___proto__',
    'tok_constructor',
  ])
    expect(readToken(bad), bad).toBeNull()
  for (const { groups } of TEST_NUMBERS) expect(readToken(`tok_${groups.join('')}`)).toBeNull()
})

test('the sandbox does not start in production, except as the demo or when allowed', async () => {
  const { db, now } = await world()
  const deps = { db, now, publicUrl: 'http://localhost:3000', log: quiet }
  const config = { PAYMENTS: 'sandbox', NODE_ENV: 'production', demo: null } as const
  expect(() => choosePayments({ ...deps, config })).toThrow(/no se usa en producción/)
  expect(choosePayments({ ...deps, config: { ...config, ALLOW_SANDBOX: true } }).cards?.id).toBe('sandbox')
  expect(choosePayments({ ...deps, config: { ...config, demo: 'vaiven' } }).cards?.id).toBe('sandbox')
  expect([...choosePayments({ ...deps, config: { ...config, NODE_ENV: 'test' } }).gateways.keys()].sort()).toEqual([
    'efectivo',
    'mostrador',
    'regalo',
    'sandbox',
  ])
})
