/**
 * The wallet, its capture, vouchers, the processor's page and what is offered at all (docs/domain.md V2, V8, V20; S1-4.06, S1-4.07,
 * S1-4.14, S1-4.15).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { ledgerTexts } from '#server/testing/sandbox-bank.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio({ settings: { paypal_enabled: true, oxxo_enabled: true, spei_enabled: true, cash_checkout_enabled: true } })
  await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
  await s.make.paymentMethod({ payment_method_id: 2, name: 'Efectivo' })
  bank = s.bank()
  bank.held = true
})
afterAll(() => s.close())

const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const
const creditLots = (purchase_id: number) => s.sql('select 1 from available_class where purchase_id = $1', [purchase_id])
async function ordered(more: Parameters<TestStudio['make']['package']>[0] = {}) {
  const [ana, classPackage, visit] = [await s.make.customer(), await s.make.package(more), randomUUID()]
  const answer = await s.as(ana, visit).checkout.paypal({ class_package_id: classPackage.class_package_id })
  return { ana, pack: classPackage, visit, ...answer, id: answer.orderID ?? answer.subscriptionID ?? '' }
}

test('an order is created, approved and captured: one charge, one grant, however often it is captured (S1-7.47, S1-7.48)', async () => {
  const { ana, pack, visit, ...answer } = await ordered()
  expect(answer).toMatchObject({ status: 'pending', plan_id: null, subscriptionID: null, clientSecret: null, session: null })
  expect(answer.approve_url).toBe(`http://localhost:3000/sandbox/billetera/${answer.orderID}`)
  const again = await s.as(ana, visit).checkout.paypal({ class_package_id: pack.class_package_id })
  expect([again.purchase_id, again.orderID]).toEqual([answer.purchase_id, answer.orderID])
  // Not approved yet: nothing is taken.
  expect(await s.as(ana).checkout.capture({ orderID: answer.id })).toMatchObject({ status: 'pending', orderID: answer.id })
  await bank.approve(answer.id, true)
  const all = await Promise.all(
    [{ orderID: answer.id }, { orderId: answer.id }, { orderID: answer.id, payerID: 'X', facilitatorAccessToken: 'y' }].map((approval) =>
      s.as(ana).checkout.capture(approval),
    ),
  )
  for (const purchase of all) expect(purchase).toMatchObject({ purchase_id: answer.purchase_id, status: 'completed', orderID: null })
  expect(await ledgerTexts(s, answer.purchase_id)).toEqual([`charge ${pack.price_centavos}`])
  expect((await creditLots(answer.purchase_id)).length).toBe(1)
  expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.payment_method).toEqual({ name: 'PayPal' })
})

test('another customer’s order and an unknown one are not found (V20)', async () => {
  const { id, purchase_id } = await ordered()
  await bank.approve(id, true)
  const luis = await s.make.customer()
  for (const orderID of [id, 'pay_nadie', '../../x'])
    expect(await refusalOf(s.as(luis).checkout.capture({ orderID }))).toMatchObject({ code: 'PURCHASE_NOT_FOUND', status: 404 })
  expect(await ledgerTexts(s, purchase_id)).toEqual([])
  const { ana, id: card } = await (async () => {
    const [customer, classPackage] = [await s.make.customer(), await s.make.package()]
    const payment = await s
      .as(customer, randomUUID())
      .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_3ds' })
    return { ana: customer, id: payment.clientSecret?.split('_secret_')[0] ?? '' }
  })()
  expect(await refusalOf(s.as(ana).checkout.capture({ orderID: card }))).toMatchObject({ code: 'PURCHASE_NOT_FOUND' })
  expect(await refusalOf(s.as(ana).checkout.capture({}))).toMatchObject({ code: 'INVALID_INPUT', status: 400 })
})

test('the browser dies after the approval: the next read captures, while the stock is reserved (V27)', async () => {
  const { ana, id, purchase_id } = await ordered()
  await bank.approve(id, true)
  s.clock.advance({ seconds: 5 })
  expect((await s.as(ana).sales.one({ id: purchase_id })).purchase.status).toBe('completed')
  expect((await ledgerTexts(s, purchase_id)).length).toBe(1)
})

test('an approval that is too late or given up is not captured (V27)', async () => {
  const late = await ordered()
  await bank.approve(late.id, true)
  s.clock.advance({ minutes: 45 })
  expect(await refusalOf(s.as(late.ana).checkout.capture({ orderID: late.id }))).toMatchObject({ code: 'PURCHASE_CLOSED' })
  await sweep(s.system())
  const left = await ordered()
  await s.as(left.ana).sales.giveUp({ purchase_id: left.purchase_id })
  await bank.approve(left.id, true)
  expect(await refusalOf(s.as(left.ana).checkout.capture({ orderID: left.id }))).toMatchObject({ code: 'PURCHASE_CLOSED' })
  for (const { purchase_id } of [late, left]) expect(await ledgerTexts(s, purchase_id)).toEqual([])
})

test('a subscription has its plan and is active once its owner approved (S1-3.47)', async () => {
  const { ana, id, purchase_id, ...answer } = await ordered(monthly)
  expect(answer).toMatchObject({ status: 'pending', plan_id: expect.any(String), orderID: null, subscriptionID: id })
  await bank.approve(id, true)
  expect(await s.as(ana).checkout.capture({ subscriptionID: id })).toMatchObject({ purchase_id, status: 'active' })
  expect((await ledgerTexts(s, purchase_id)).length).toBe(1)
})

test('vouchers have reference, expiry and instructions, and are paid once (S1-3.47)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  for (const kind of ['oxxo', 'spei'] as const) {
    const visit = randomUUID()
    const input = { class_package_id: classPackage.class_package_id, payment_method: kind, again: true }
    const answer = await s.as(ana, visit).sales.attempt(input)
    expect(answer).toMatchObject({ status: 'pending', voucher: { kind, reference: expect.stringMatching(/^\d+$/) } })
    expect(answer.voucher?.clabe === null).toBe(kind === 'oxxo')
    expect(answer.voucher?.instructions.length).toBeGreaterThan(1)
    expect(new Date(answer.voucher?.expires_at ?? 0) > s.clock.now()).toBe(true)
    expect((await s.as(ana, visit).sales.attempt(input)).voucher).toEqual(answer.voucher)
    const { purchase } = await s.as(ana).sales.one({ id: answer.purchase_id })
    expect(purchase).toMatchObject({ voucher: answer.voucher, payment_method: { name: kind.toUpperCase() } })
    const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [answer.purchase_id])
    await bank.payVoucher(row?.ref_id ?? '')
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase).toMatchObject({ status: 'completed', voucher: null })
    expect((await creditLots(answer.purchase_id)).length).toBe(1)
  }
})

test('session mode returns the processor’s page (S1-4.14)', async () => {
  await s.change({ stripe_checkout_mode: 'session' })
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const answer = await s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'card' })
  expect(answer).toMatchObject({ status: 'pending', session: { url: expect.stringContaining('/sandbox/pagar/') } })
  const before = await s.as(ana).checkout.ways({ class_package_id: classPackage.class_package_id })
  expect([before.ways.map(({ way }) => way), before.card]).toEqual([expect.arrayContaining(['page']), null])
  // A saved card can be charged here nevertheless, and its bank may require a challenge, for which the browser needs the processor's
  // script.
  await s.as(ana).cards.keep({ token_id: 'tok_ok' })
  const { card, payment_sources } = await s.as(ana).checkout.ways({ class_package_id: classPackage.class_package_id })
  expect([card, payment_sources.length]).toEqual([{ processor: 'sandbox', public_key: null }, 1])
  await s.change({ stripe_checkout_mode: 'embedded' })
})

test('options that the studio or processor does not support are not offered, and refused on request (V2, V25)', async () => {
  const ana = await s.make.customer()
  await s.as(ana).cards.keep({ token_id: 'tok_ok' })
  const [normal, tiny, dear, sub, free] = [
    await s.make.package(),
    await s.make.package({ price_centavos: 500 }),
    await s.make.package({ price_centavos: 1_100_000 }),
    await s.make.package(monthly),
    await s.make.package({ price_centavos: 0 }),
  ]
  const offered = async (classPackage: { class_package_id: number }, person: typeof ana | null = ana) => {
    const { class_package_id } = classPackage
    const { ways, payment_sources, default: first, ...rest } = await s.as(person).checkout.ways({ class_package_id })
    return { ways: ways.map(({ way }) => way).join(' '), cards: payment_sources.length, first, ...rest }
  }
  const SANDBOX = { processor: 'sandbox', public_key: null }
  expect(await offered(normal)).toEqual({
    ways: 'cash card paypal oxxo spei',
    first: 'cash',
    cards: 1,
    free: false,
    can_save_card: true,
    card: SANDBOX,
    wallet: SANDBOX,
    free_trial: false,
    express: false,
  })
  expect(await offered(normal, null)).toMatchObject({ ways: 'cash card paypal oxxo spei', cards: 0 })
  expect(await offered(tiny)).toMatchObject({ ways: 'cash', cards: 0, card: null, wallet: null, can_save_card: false })
  expect((await offered(dear)).ways).toBe('cash card paypal')
  expect(await offered(sub)).toMatchObject({ ways: 'card paypal', first: 'card', cards: 1 })
  expect(await offered(free)).toMatchObject({ ways: '', free: true, first: null, cards: 0 })
  const attempt = (classPackage: { class_package_id: number }, payment_method: string) =>
    refusalOf(s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method }))
  expect(await attempt(tiny, 'tok_ok')).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
  expect(await attempt(dear, 'oxxo')).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
  expect(await attempt(sub, 'spei')).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })

  await s.change({ paypal_enabled: false, oxxo_enabled: false, spei_enabled: false, cash_checkout_enabled: false })
  expect(await offered(normal)).toMatchObject({ ways: 'card', first: 'card', wallet: null })
  const paypal = s.as(ana, randomUUID()).checkout.paypal({ class_package_id: normal.class_package_id })
  expect(await refusalOf(paypal)).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE', status: 412 })
  for (const kind of ['oxxo', 'spei']) expect(await attempt(normal, kind)).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  await s.change({ checkout_disabled: true })
  expect(await offered(normal)).toMatchObject({ ways: '', first: null, cards: 0 })
  expect(await attempt(normal, 'tok_ok')).toMatchObject({ code: 'CHECKOUT_DISABLED' })
  expect(await refusalOf(s.as(ana).checkout.ways({ class_package_id: 2_000_000_000 }))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
})
