/** Saved cards (docs/domain.md V19, V20; S1-3.37 to S1-3.39, S1-7.59 to S1-7.64, S2-3.17, S2-8.06; settled 13, 14, 39). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio()
  bank = s.bank()
})
afterAll(() => s.close())

const FAILED = { code: 'PAYMENT_SOURCE_FAILED', status: 412, message: 'Hubo un error al agregar este método de pago.' }
const mastercard = 'tok_ok~mastercard~4444~112029~k1'
const rows = (customer_id: number) =>
  s.sql<{ deletedAt: Date | null }>('select * from payment_source where customer_id = $1 order by 1', [customer_id])
const savedCards = async (buyer: number) =>
  (
    await s.sql(
      'select 1 from sandbox_card c join sandbox_customer k on k.id = c.buyer where k.customer_id = $1 and c."removedAt" is null',
      [buyer],
    )
  ).length

test('a token of the card fields becomes a saved card with the processor’s brand, digits and month (S1-7.63, settled 13)', async () => {
  const ana = await s.make.customer()
  const { payment_source, setup } = await s.as(ana).cards.keep({ token_id: mastercard })
  expect(setup).toBeNull()
  expect(payment_source).toEqual({
    payment_source_id: expect.any(Number),
    source_id: `fuente-${payment_source?.payment_source_id}`,
    conekta_payment_source_id: null,
    card_type: 'mastercard',
    last_digits: '4444',
    exp: '11/2029',
  })
  expect((await s.as(ana).sales.cards()).payment_sources).toEqual([payment_source])
  const answer = await fetch(`${s.url}/api/payment_sources`, { headers: { authorization: `Bearer ${ana.token}` } })
  expect(await answer.json()).toEqual({ payment_sources: [payment_source], card: { processor: 'sandbox', public_key: null } })
})

test('with a challenge: begin, confirm, finish; finishing twice is one card', async () => {
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const begun = await s.as(ana).cards.keep({})
  expect(begun).toEqual({ payment_source: null, setup: { id: expect.any(String), clientSecret: expect.any(String) } })
  const setup_id = begun.setup?.id ?? ''
  expect(await refusalOf(s.as(ana).cards.keep({ setup_id }))).toMatchObject(FAILED)

  const challenged = await s.as(ana).cards.keep({ token_id: 'tok_3ds~visa~3155~122030~k1' })
  const id = challenged.setup?.id ?? ''
  expect(challenged.payment_source).toBeNull()
  expect(await refusalOf(s.as(ana).cards.keep({ setup_id: id }))).toMatchObject(FAILED)
  await bank.authorize(id, true)
  expect(await refusalOf(s.as(luis).cards.keep({ setup_id: id }))).toMatchObject(FAILED)
  const { payment_source } = await s.as(ana).cards.keep({ setup_id: id })
  expect(payment_source).toMatchObject({ card_type: 'visa', last_digits: '3155' })
  expect((await s.as(ana).cards.keep({ setup_id: id })).payment_source).toEqual(payment_source)
  expect((await rows(ana.customer_id)).length).toBe(1)
  expect(await rows(luis.customer_id)).toEqual([])
})

test.each(['tok_3ds_fail', 'tok_funds', 'tok_lost', 'tok_expired', 'tok_nope', 'pm_card_visa', 'no', '../x', 'seti_1'])(
  'a card that cannot be kept (%s) has one sentence, and nothing is written (S2-8.06, settled 39)',
  async (token_id) => {
    const ana = await s.make.customer()
    if (token_id === 'tok_3ds_fail') {
      const { setup } = await s.as(ana).cards.keep({ token_id })
      await bank.authorize(setup?.id ?? '', true)
      expect(await refusalOf(s.as(ana).cards.keep({ setup_id: setup?.id }))).toMatchObject(FAILED)
    } else {
      expect(await refusalOf(s.as(ana).cards.keep({ token_id }))).toMatchObject(FAILED)
      expect(await refusalOf(s.as(ana).cards.saveMetodo({ token_id }))).toMatchObject(FAILED)
    }
    expect(await rows(ana.customer_id)).toEqual([])
    expect(await savedCards(ana.customer_id)).toBe(0)
  },
)

test('the same physical card renews its row, and its older copy is removed at the processor (V26)', async () => {
  const ana = await s.make.customer()
  const first = await s.as(ana).cards.keep({ token_id: 'tok_ok~visa~4242~122028~k1' })
  const again = await s.as(ana).cards.keep({ token_id: 'tok_ok~visa~4242~122031~k2' })
  expect(again.payment_source).toEqual({ ...first.payment_source, exp: '12/2031' })
  expect((await rows(ana.customer_id)).length).toBe(1)
  expect(await savedCards(ana.customer_id)).toBe(1)
})

test('a removed card is deleted here and at the processor, and cannot pay (S1-7.64)', async () => {
  const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package()]
  const { payment_source } = await s.as(ana).cards.keep({ token_id: mastercard })
  const id = payment_source?.payment_source_id ?? 0
  const foreign = { code: 'PAYMENT_SOURCE_NOT_FOUND', status: 404 }
  expect(await refusalOf(s.as(luis).cards.remove({ id }))).toMatchObject(foreign)
  expect(await savedCards(ana.customer_id)).toBe(1)
  expect(await s.as(ana).cards.remove({ id })).toEqual({ ok: true })
  expect(await savedCards(ana.customer_id)).toBe(0)
  expect((await s.as(ana).sales.cards()).payment_sources).toEqual([])
  expect(await refusalOf(s.as(ana).cards.remove({ id }))).toMatchObject(foreign)
  const pay = s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_source_id: id })
  expect(await refusalOf(pay)).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
})

test('a card that a subscription charges cannot be removed until that ends (V26)', async () => {
  const ana = await s.make.customer()
  const classPackage = await s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
  const { payment_source } = await s.as(ana).cards.keep({ token_id: mastercard })
  const id = payment_source?.payment_source_id ?? 0
  const { purchase_id, status } = await s
    .as(ana, randomUUID())
    .sales.attempt({ class_package_id: classPackage.class_package_id, payment_source_id: id })
  expect(status).toBe('active')
  expect(await refusalOf(s.as(ana).cards.remove({ id }))).toMatchObject({
    code: 'PAYMENT_SOURCE_IN_USE',
    status: 409,
    message: FAILED.message,
  })
  await s.as(ana).sales.cancel({ id: purchase_id, reason: 'Me mudo' })
  expect(await s.as(ana).cards.remove({ id })).toEqual({ ok: true })
})

test('the first flow lists, saves, uses and removes the same cards in its own format (S1-7.59 to S1-7.61, S1-3.38, S1-3.39)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${s.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${ana.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  // The card data of the browser's request are ignored.
  const saved = await call('POST', '/metodosPago', { token_id: mastercard, card_type: 'visa', last_digits: '0000', saveCard: false })
  const metodo = saved.body.metodo_pago as { payment_source_id: number; token_id: string }
  expect(metodo).toEqual({
    payment_source_id: expect.any(Number),
    token_id: `fuente-${metodo.payment_source_id}`,
    card_type: 'mastercard',
    last_digits: '4444',
    saveCard: true,
  })
  expect((await call('GET', '/metodosPago')).body).toEqual({ metodos_pago: [metodo] })
  const [{ token_id }, class_package_id] = [metodo, classPackage.class_package_id]
  for (const how of [{ token_id }, { conekta_payment_source_id: token_id }])
    expect(await s.as(ana, randomUUID()).sales.checkout({ class_package_id, ...how, again: true })).toMatchObject({ status: 'completed' })
  const later = s.as(ana, randomUUID()).sales.attempt({ class_package_id, conekta_payment_source_id: token_id, again: true })
  expect(await later).toMatchObject({ status: 'completed' })
  expect((await call('DELETE', `/metodosPago/${token_id}`)).body).toEqual({ ok: true })
  expect((await call('GET', '/metodosPago')).body).toEqual({ metodos_pago: [] })
})

test('a studio without saved cards offers and accepts none', async () => {
  const ana = await s.make.customer()
  await s.as(ana).cards.keep({ token_id: mastercard })
  await s.change({ payment_sources_enabled: false })
  expect((await s.as(ana).sales.cards()).payment_sources).toEqual([])
  expect((await s.as(ana).cards.metodos()).metodos_pago).toEqual([])
  expect(await refusalOf(s.as(ana).cards.keep({ token_id: 'tok_ok' }))).toMatchObject(FAILED)
  await s.change({ payment_sources_enabled: true })
})

test('a card of a processor that is no longer configured is not offered, cannot pay and can still be removed', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const { payment_source } = await s.as(ana).cards.keep({ token_id: mastercard })
  const id = payment_source?.payment_source_id ?? 0
  await s.sql(`update payment_source set gateway = 'conekta' where payment_source_id = $1`, [id])
  const { class_package_id } = classPackage
  expect((await s.as(ana).checkout.ways({ class_package_id })).payment_sources).toEqual([])
  const pay = s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_source_id: id })
  expect(await refusalOf(pay)).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  expect(await s.as(ana).cards.remove({ id })).toEqual({ ok: true })
  expect((await s.as(ana).sales.cards()).payment_sources).toEqual([])
})

test('limits attempts with different cards', async () => {
  const ana = await s.make.customer()
  for (let n = 0; n < 20; n++) await refusalOf(s.as(ana).cards.keep({ token_id: 'tok_declined' }))
  expect(await refusalOf(s.as(ana).cards.keep({ token_id: 'tok_ok' }))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})
