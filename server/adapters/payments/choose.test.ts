import { afterAll, expect, test } from 'vitest'
import { PROCESSOR_KEYS } from '#contract/processor-states.ts'
import { readConfig } from '#server/config.ts'
import { closeWorlds, database } from '#server/testing/fakes/worlds.ts'
import { choosePayments } from './choose.ts'

afterAll(closeWorlds)

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
const PAYPAL = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'WH-1' }
const CONEKTA = { CONEKTA_PRIVATE_KEY: 'key_x' }

test.each([
  [{}, 'sandbox', ['efectivo', 'mostrador', 'regalo', 'sandbox']],
  [PAYPAL, 'sandbox', ['efectivo', 'mostrador', 'regalo', 'sandbox', 'paypal']],
  [{ PAYMENTS: 'stripe', ...STRIPE }, 'stripe', ['efectivo', 'mostrador', 'regalo', 'stripe']],
  [{ PAYMENTS: 'ninguno' }, undefined, ['efectivo', 'mostrador', 'regalo']],
  [{ PAYMENTS: 'ninguno', ...STRIPE, ...PAYPAL }, undefined, ['efectivo', 'mostrador', 'regalo', 'stripe', 'paypal']],
  [
    { PAYMENTS: 'conekta', ...CONEKTA, ...STRIPE, ...PAYPAL },
    'conekta',
    ['efectivo', 'mostrador', 'regalo', 'stripe', 'paypal', 'conekta'],
  ],
])('%j takes cards by %s', async (env, cards, gateways) => {
  const db = await database()
  const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://x/y', ...env }, '.')
  const chosen = choosePayments({
    db,
    now: () => new Date('2026-11-19T16:00:00Z'),
    publicUrl: 'http://localhost:3000',
    log: { error: () => {} },
    config,
  })
  expect(chosen.cards?.id).toBe(cards)
  if (!cards) expect(chosen.wallet).toBeNull()
  expect([...chosen.gateways.keys()]).toEqual(gateways)
  expect(chosen.sandbox?.id).toBe(cards === 'sandbox' ? 'sandbox' : undefined)
})

test('reports incomplete configuration before anything starts', () => {
  const read = (env: Record<string, string>) => readConfig({ DATABASE_URL: 'postgres://x/y', ...env }, '.')
  expect(() => read({ PAYMENTS: 'stripe' })).toThrow(/STRIPE_SECRET_KEY: hace falta/)
  expect(() => read({ ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_x' })).toThrow(/llave secreta/)
  expect(() => read({ STRIPE_SECRET_KEY: 'sk_live_x' })).toThrow(/STRIPE_WEBHOOK_SECRET/)
  expect(() => read({ PAYPAL_CLIENT_ID: 'id' })).toThrow(/hacen falta los dos/)
  expect(() => read({ ...PAYPAL, PAYPAL_WEBHOOK_ID: '' })).toThrow(/PAYPAL_WEBHOOK_ID/)
  expect(() => read({ ...CONEKTA, CONEKTA_API_BASE: 'http://127.0.0.1:1' })).toThrow(/https/)
  expect(read({ PAYMENTS: 'conekta', ...CONEKTA }).PAYMENTS).toBe('conekta')
})

test.each(Object.entries(PROCESSOR_KEYS))(
  '%s does not start in production with its secret key and without what else it requires',
  (_id, keys) => {
    const like: Readonly<Record<string, string>> = { STRIPE_SECRET_KEY: 'sk_live_x' }
    const [first = '', ...others] = Object.entries(keys).flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))
    const read = () => readConfig({ DATABASE_URL: 'postgres://x/y', NODE_ENV: 'production', [first]: like[first] ?? 'key_x' }, '.')
    if (others.length === 0) expect(read()).toMatchObject({ [first]: 'key_x' })
    for (const name of others) expect(read).toThrow(name)
  },
)
