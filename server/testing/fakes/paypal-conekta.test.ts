/** Requests that the fakes of PayPal and Conekta refuse, as the processors do. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CONEKTA_FAKE_KEY, ConektaFake } from './conekta.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PayPalFake } from './paypal.ts'

const now = () => new Date('2026-11-19T16:00:00Z')
let paypal: PayPalFake
let conekta: ConektaFake
beforeAll(async () => {
  paypal = await new PayPalFake({ now }).listen()
  conekta = await new ConektaFake({ now }).listen()
})
afterAll(async () => {
  await paypal.close()
  await conekta.close()
})
beforeEach(() => {
  paypal.complaints.length = 0
  conekta.complaints.length = 0
})

let keys = 0
const toPayPal = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const all = { authorization: 'Bearer fake-token', 'content-type': 'application/json', 'paypal-request-id': `k${++keys}`, ...headers }
  return (await fetch(`${paypal.url}${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) })).status
}
const order = {
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: '7',
      custom_id: 'x:7:pay:1',
      invoice_id: 'x-7',
      amount: { currency_code: 'MXN', value: '1450.00' },
      description: 'Ocho',
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        user_action: 'PAY_NOW',
        shipping_preference: 'NO_SHIPPING',
        locale: 'es-MX',
        return_url: 'http://localhost/',
        cancel_url: 'http://localhost/',
      },
    },
  },
}
const unit = (change: object) => ({ ...order, purchase_units: [{ ...order.purchase_units[0], ...change }] })

test('PayPal: accepts a valid order; the same key returns the same, another body under it is refused', async () => {
  const key = { 'paypal-request-id': 'same' }
  expect(await toPayPal('/v2/checkout/orders', order, key)).toBe(200)
  expect(await toPayPal('/v2/checkout/orders', order, key)).toBe(200)
  expect(paypal.books.orders.size).toBe(1)
  expect(await toPayPal('/v2/checkout/orders', unit({ description: 'Otra' }), key)).toBe(422)
  expect(paypal.complaints).toEqual([])
})

test.each([
  ['another intent', { ...order, intent: 'SALE' }],
  ['an amount as a number', unit({ amount: { currency_code: 'MXN', value: 1450 } })],
  ['an amount without centavos', unit({ amount: { currency_code: 'MXN', value: '1450' } })],
  ['another currency', unit({ amount: { currency_code: 'USD', value: '1450.00' } })],
  ['a key that PayPal does not know', unit({ customId: 'x' })],
  ['a description that is too long', unit({ description: 'x'.repeat(128) })],
  ['no way back', { ...order, payment_source: { paypal: {} } }],
])('PayPal: an order with %s is refused', async (_, body) => {
  expect(await toPayPal('/v2/checkout/orders', body)).toBe(400)
  expect(paypal.complaints).toHaveLength(1)
})

const cycle = {
  tenure_type: 'REGULAR',
  sequence: 1,
  total_cycles: 0,
  frequency: { interval_unit: 'MONTH', interval_count: 1 },
  pricing_scheme: { fixed_price: { currency_code: 'MXN', value: '1450.00' } },
}
const trial = { ...cycle, tenure_type: 'TRIAL', total_cycles: 1 }
const plan = {
  product_id: 'PROD-X',
  name: 'Ocho',
  status: 'ACTIVE',
  billing_cycles: [cycle],
  payment_preferences: { auto_bill_outstanding: true, setup_fee_failure_action: 'CANCEL', payment_failure_threshold: 1 },
}

test.each([
  ['two years', [{ ...cycle, frequency: { interval_unit: 'YEAR', interval_count: 2 } }]],
  ['thirteen months', [{ ...cycle, frequency: { interval_unit: 'MONTH', interval_count: 13 } }]],
  ['three trials', [trial, { ...trial, sequence: 2 }, { ...trial, sequence: 3 }, { ...cycle, sequence: 4 }]],
  ['nothing regular', [trial]],
  [
    'cycles out of order',
    [
      { ...trial, sequence: 2 },
      { ...cycle, sequence: 1 },
    ],
  ],
])('PayPal: a plan of %s is refused', async (_, billing_cycles) => {
  expect(await toPayPal('/v1/billing/plans', { ...plan, billing_cycles })).toBe(400)
  expect(paypal.complaints).toHaveLength(1)
})

test('PayPal: refuses a token without the right id and secret, and everything without a token or a key', async () => {
  const input = async (secret: string) =>
    (
      await fetch(`${paypal.url}/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${PAYPAL_FAKE_ID}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
    ).status
  expect([await input(PAYPAL_FAKE_SECRET), await input('x')]).toEqual([200, 401])
  expect(await toPayPal('/v2/checkout/orders', order, { authorization: 'Bearer x' })).toBe(401)
  expect(await toPayPal('/v2/checkout/orders', order, { 'paypal-request-id': '' })).toBe(400)
  expect(await toPayPal('/v1/billing/subscriptions/I-X/cancel', {})).toBe(400)
  expect(await toPayPal('/v9/nothing', {})).toBe(400)
})

const toConekta = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const all = {
    authorization: `Bearer ${CONEKTA_FAKE_KEY}`,
    'content-type': 'application/json',
    accept: 'application/vnd.conekta-v2.3.0+json',
    ...headers,
  }
  const answer = await fetch(`${conekta.url}${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) })
  return { status: answer.status, id: ((await answer.json()) as { id?: string }).id ?? '' }
}

test('Conekta: a repeated request is executed twice; a token and a charge are usable once', async () => {
  const customer = (await toConekta('/customers', { name: 'Ana Treviño', email: 'ana@ejemplo.mx', phone: '+525512345678' })).id
  const input = {
    currency: 'MXN',
    customer_info: { customer_id: customer },
    line_items: [{ name: 'Ocho', unit_price: 145_000, quantity: 1 }],
    metadata: { purchase_id: '7' },
  }
  const [subscription, two] = [await toConekta('/orders', input), await toConekta('/orders', input)]
  expect(subscription.id).not.toBe(two.id)
  const pay = { amount: 145_000, payment_method: { type: 'card', token_id: 'tok_test_visa~a' } }
  expect((await toConekta(`/orders/${subscription.id}/charges`, pay)).status).toBe(201)
  expect(
    (await toConekta(`/orders/${subscription.id}/charges`, { ...pay, payment_method: { type: 'card', token_id: 'tok_test_visa~b' } }))
      .status,
  ).toBe(422)
  expect((await toConekta(`/orders/${two.id}/charges`, pay)).status).toBe(422)
  expect(conekta.movements(7)).toEqual(['charge 145000'])
  expect(conekta.complaints).toEqual([])
})

test.each([
  ['/customers', { name: 'Ana', email: 'ana@ejemplo.mx', phone: '5512345678' }],
  [
    '/orders',
    { currency: 'MXN', customer_info: { customer_id: 'x' }, line_items: [{ name: 'Oc', unit_price: 1, quantity: 1 }], metadata: {} },
  ],
  [
    '/orders',
    { currency: 'MXN', customer_info: { customer_id: 'x' }, line_items: [{ name: 'Ocho', unit_price: 14.5, quantity: 1 }], metadata: {} },
  ],
  [
    '/orders',
    {
      currency: 'MXN',
      customer_info: { customer_id: 'x' },
      line_items: [{ name: 'Ocho', unit_price: 1, quantity: 1 }],
      metadata: {},
      idempotency_key: 'x',
    },
  ],
  ['/orders/x/charges', { amount: 1, payment_method: { type: 'card', number: 'x' } }],
  ['/orders/x/refunds', { amount: 1 }],
  ['/plans', { id: 'x-1', name: 'Ocho', amount: 1, currency: 'MXN', interval: 'day', frequency: 1, max_retries: 3, retry_delay_hours: 48 }],
  [
    '/plans',
    { id: 'x-1', name: 'Ocho', amount: 1, currency: 'MXN', interval: 'month', frequency: 1, max_retries: 2, retry_delay_hours: 48 },
  ],
])('Conekta: %s with %j is refused', async (path, body) => {
  expect((await toConekta(path, body)).status).toBe(422)
  expect(conekta.complaints).toHaveLength(1)
})

test('Conekta: refuses another key, and complains about another version', async () => {
  expect((await toConekta('/tokens', {}, { authorization: 'Bearer x' })).status).toBe(401)
  expect((await toConekta('/tokens', { checkout: { returns_control_on: 'Token' } }, { accept: 'application/json' })).status).toBe(422)
  expect(conekta.complaints).toHaveLength(1)
})
