/** A studio without a processor (PAYMENTS=ninguno): visitors pay at the studio, and no page of the site has card fields. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({
    env: { PAYMENTS: 'ninguno' },
    // Everything is switched on that a processor would be needed for.
    settings: {
      cash_checkout_enabled: true,
      payment_sources_enabled: true,
      oxxo_enabled: true,
      spei_enabled: true,
      paypal_enabled: true,
      paypal_client_id: 'cliente',
      stripe_public: 'pk_test_x',
    },
  })
  await s.make.paymentMethod({ name: 'Efectivo' })
})
afterAll(() => s.close())

test('offers only cash at the studio, and a purchase waits for the counter', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const options = await s.as(ana).checkout.ways({ class_package_id: classPackage.class_package_id })
  expect(options.ways.map(({ way }) => way)).toEqual(['cash'])
  expect(options).toMatchObject({ default: 'cash', card: null, wallet: null, payment_sources: [], can_save_card: false })
  const [cash] = options.ways
  const bought = await s
    .as(ana, randomUUID())
    .sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: cash?.payment_method_id ?? 0 })
  expect(bought).toMatchObject({ status: 'pending', voucher: { kind: 'efectivo' } })
  expect([...s.studio.ports.gateways.keys()]).toEqual(['efectivo', 'mostrador', 'regalo'])
})

test('offers no payment option for a subscription, which cash cannot renew', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package({ is_subscription: true, subscription_period: 'month' })]
  expect((await s.as(ana).checkout.ways({ class_package_id: classPackage.class_package_id })).ways).toEqual([])
})

test('refuses cards, references, PayPal and saved cards with a message, and writes nothing', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const input = { class_package_id: classPackage.class_package_id }
  for (const payment_method of ['tok_ok', 'oxxo', 'spei', 'page', null])
    expect(await codeOf(s.as(ana, randomUUID()).sales.attempt({ ...input, payment_method }))).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(await codeOf(s.as(ana, randomUUID()).checkout.paypal(input))).toBe('PAYMENT_METHOD_UNAVAILABLE')
  expect(await codeOf(s.as(ana).cards.keep({ token_id: 'tok_ok' }))).toBe('PAYMENT_SOURCE_FAILED')
  expect(await codeOf(s.as(ana).cards.saveMetodo({ token_id: 'tok_ok' }))).toBe('PAYMENT_SOURCE_FAILED')
  expect(await s.as(ana).sales.cards()).toEqual({ payment_sources: [], card: null })
  expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
})
