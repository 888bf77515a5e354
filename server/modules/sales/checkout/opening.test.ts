/**
 * What a purchase is opened with, and why it is not (docs/domain.md V1 to V6, V14): packages, limits, prices, documents, the fee
 * of sign-up.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { errors, sentence } from '#contract/errors.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { type Person, refusalOf, START } from '#server/testing/studio.ts'

const { s, bank, attempt, sold } = await openCheckoutStudio()
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))
const visit = () => randomUUID()

test('refuses the same visit with another package or code (V5)', async () => {
  const [ana, classPackage, other, key] = [await s.make.customer(), await s.make.package(), await s.make.package(), visit()]
  await attempt(ana, classPackage.class_package_id, 'tok_ok', key)
  expect(await refusalOf(attempt(ana, other.class_package_id, 'tok_ok', key))).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 422,
    message: 'Esta solicitud ya se usó con otros datos.',
  })
  const withCode = s
    .as(ana, key)
    .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok', discountCode: 'NOVIEMBRE20' })
  expect(await refusalOf(withCode)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  // Idempotency keys are per person: another customer may use the same one.
  const luis = await s.make.customer()
  expect(await attempt(luis, other.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed' })
  expect(await s.balance(ana)).toBe(10)
})

test('ignores price, amount, currency and customer in the body (settled 6)', async () => {
  const [ana, luis, classPackage] = [
    await s.make.customer(),
    await s.make.customer(),
    await s.make.package({ sale_price_centavos: 199_000 }),
  ]
  const forged = {
    price: 1,
    amount: 1,
    total: '1.00',
    total_payment: '1.00',
    total_centavos: 1,
    currency: 'USD',
    customer_id: luis.customer_id,
    status: 'completed',
    class_amount: 500,
  }
  const reply = await fetch(`${s.url}/api/checkout/attempt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json', 'idempotency-key': visit() },
    body: JSON.stringify({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok', ...forged }),
  })
  const answer = (await reply.json()) as { purchase_id: number }
  expect(await bank.ledger(answer.purchase_id)).toMatchObject([{ amount: 199_000 }])
  expect((await s.as(ana).sales.list()).purchases).toMatchObject([{ total_payment: '1990.00', class_amount: 10 }])
  expect((await s.as(luis).sales.list()).purchases).toEqual([])
})

test('a price change does not change a pending purchase (V1)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)
  await s.sql('update class_package set price_centavos = 99900 where class_package_id = $1', [classPackage.class_package_id])
  expect(await attempt(ana, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed' })
  expect(await bank.ledger(payment.purchase_id)).toMatchObject([{ amount: 219_000 }])
})

test('refuses what cannot be bought with the spec’s messages (S1-8.13, S1-8.24, V2)', async () => {
  const ana = await s.make.customer()
  const [classPackage, deletedPackage, cheap] = [
    await s.make.package(),
    await s.make.package({ available: false }),
    await s.make.package({ price_centavos: 500 }),
  ]
  const buy = (values: object) => s.as(ana, visit()).sales.attempt({ class_package_id: classPackage.class_package_id, ...values })
  expect(await refusalOf(buy({ class_package_id: deletedPackage.class_package_id, payment_method: 'tok_ok' }))).toMatchObject({
    code: 'PACKAGE_NOT_FOUND',
    status: 404,
    message: 'Lo sentimos, no encontramos el paquete que quieres comprar.',
  })
  expect(await refusalOf(buy({ class_package_id: 2_000_000_000, payment_method: 'tok_ok' }))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
  for (const none of [{}, { payment_method: 1 }, { payment_method: 'card' }, { payment_method_id: '1' }])
    expect(await refusalOf(buy(none))).toMatchObject({
      code: 'PAYMENT_METHOD_MISSING',
      status: 400,
      message: 'No has seleccionado un método de pago.',
    })
  await s.having({ cash_checkout_enabled: false }, async () => {
    expect(await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: classPackage.class_package_id }))).toMatchObject({
      code: 'PAYMENT_METHOD_MISSING',
      status: 400,
    })
  })
  expect(await refusalOf(buy({ class_package_id: cheap.class_package_id, payment_method: 'tok_ok' }))).toMatchObject({
    code: 'AMOUNT_OUT_OF_RANGE',
    status: 412,
  })
  expect(await refusalOf(buy({ payment_method: 'tok_ok', discountCode: 'NADA' }))).toMatchObject({ code: 'DISCOUNT_INVALID', status: 404 })
  expect(await refusalOf(buy({ payment_source_id: 999 }))).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE', status: 412 })
  await s.having({ checkout_disabled: true }, async () => {
    expect(await refusalOf(buy({ payment_method: 'tok_ok' }))).toMatchObject({
      code: 'CHECKOUT_DISABLED',
      status: 412,
      message: sentence('CHECKOUT_DISABLED'),
    })
    expect(await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: classPackage.class_package_id }))).toMatchObject({
      code: 'CHECKOUT_DISABLED',
    })
  })
  expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
  expect(await sold(classPackage.class_package_id)).toBe(0)
})

test('invalid input is a 400 in Spanish, never a 500, and writes nothing', async () => {
  const ana = await s.make.customer()
  const call = async (body: string, path = '/api/checkout/attempt') => {
    const reply = await fetch(`${s.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      body,
    })
    return { status: reply.status, code: ((await reply.json()) as { code: string }).code }
  }
  for (const body of [
    '{',
    '[]',
    '{}',
    '{"class_package_id":-1}',
    '{"class_package_id":1.5}',
    '{"class_package_id":"7"}',
    '{"class_package_id":99999999999}',
    `{"class_package_id":1,"payment_method":"${'x'.repeat(300)}"}`,
    '{"class_package_id":1,"discountCode":"a\\u0000b"}',
  ])
    expect((await call(body)).status, body.slice(0, 60)).toBe(400)
  const list = await fetch(`${s.url}/api/purchases/0`, { headers: { authorization: `Bearer ${ana.token}` } })
  expect(list.status).toBe(400)
  expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
  expect(s.logged.filter((line) => line.includes('request.failed'))).toEqual([])
})

test('out of stock is a 412, and a purchase that comes to nothing returns its stock (S1-8.16, S1-8.25, S1-8.30, S1-9.02, V4, V12)', async () => {
  const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package({ capacity: 1 })]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds')
  expect(await refusalOf(attempt(luis, classPackage.class_package_id, 'tok_ok'))).toMatchObject({
    code: 'PACKAGE_SOLD_OUT',
    status: 412,
    message: 'Lo sentimos, se ha alcanzado el límite de personas para este paquete.',
  })
  expect(errors.PACKAGE_SOLD_OUT.embedded).toBe('Lo sentimos. Este paquete se ha agotado.')
  s.clock.advance({ minutes: 29 })
  await sweep(s.system())
  expect((await s.as(ana).sales.one({ id: payment.purchase_id })).purchase.status).toBe('pending')
  s.clock.advance({ minutes: 2 })
  await sweep(s.system())
  expect((await s.as(ana).sales.one({ id: payment.purchase_id })).purchase).toMatchObject({ status: 'failed' })
  expect(await sold(classPackage.class_package_id)).toBe(0)
  expect(await attempt(luis, classPackage.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  // The bank's question is over: answering it now takes nothing.
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await bank.ledger(payment.purchase_id)).toEqual([])
})

test('the limit per customer is a 409, and does not block the own pending purchase (S1-8.17, S1-8.26, S1-8.31, S1-9.03, V3, V5)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package({ limit_per_customer: 1, class_amount: 1 })]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds')
  const bought = await attempt(ana, classPackage.class_package_id, 'tok_ok')
  expect(bought).toMatchObject({ purchase_id: payment.purchase_id, status: 'completed' })
  expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_ok'))).toMatchObject({
    code: 'PURCHASE_LIMIT',
    status: 409,
    message: 'Lo sentimos, ya has alcanzado el límite de compras de este paquete.',
  })
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await bank.ledger(payment.purchase_id)).toHaveLength(1)
  expect(await s.balance(ana)).toBe(1)
})

test('a free package needs no card, respects its limit, and a repeated request is one purchase (S1-2.68, V14)', async () => {
  const [ana, classPackage, key] = [
    await s.make.customer(),
    await s.make.package({ price_centavos: 0, class_amount: 1, limit_per_customer: 1, capacity: 5 }),
    visit(),
  ]
  const first = await s.as(ana, key).sales.checkout({ class_package_id: classPackage.class_package_id })
  expect(first).toMatchObject({ status: 'completed', payment_id: null })
  expect(await s.as(ana, key).sales.checkout({ class_package_id: classPackage.class_package_id })).toEqual(first)
  expect(await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: classPackage.class_package_id }))).toMatchObject({
    code: 'PURCHASE_LIMIT',
  })
  expect(await s.balance(ana)).toBe(1)
  expect(await sold(classPackage.class_package_id)).toBe(1)
  expect(await bank.ledger(first.purchase_id)).toEqual([])
})

test('requires documents and the sign-up fee first (S1-5.23, settled 17, V2)', async () => {
  const [ana, classPackage, fee] = [
    await s.make.customer(),
    await s.make.package(),
    await s.make.package({ class_amount: 0, title: 'Inscripción' }),
  ]
  const trial = await s.make.package({ is_trial: true, class_amount: 1 })
  const document = await s.make.page({ required: true })
  expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_ok'))).toMatchObject({ code: 'DOCUMENTS_REQUIRED', status: 412 })
  await s.as(ana).content.accept({ page_id: document.page_id })
  await s.having({ signup_fee: fee.class_package_id }, async () => {
    expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_ok'))).toMatchObject({
      code: 'SIGNUP_FEE_REQUIRED',
      data: { class_package_id: fee.class_package_id },
    })
    expect(await attempt(ana, trial.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
    expect(await attempt(ana, fee.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
    expect(await attempt(ana, classPackage.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  })
  await s.sql('delete from accepted_page where page_id = $1', [document.page_id])
  await s.sql('delete from page where page_id = $1', [document.page_id])
})

test('refuses the eleventh card of a visit with advice, and the next visit starts anew; too many visits are limited (V5)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  for (let n = 1; n <= 10; n++)
    expect((await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_declined', key))).code).toBe('CARD_DECLINED')
  expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_ok', key))).toMatchObject({
    code: 'TOO_MANY_CARDS',
    status: 429,
    message: 'Diez intentos de pago no pasaron. Habla con tu banco, o paga con otra tarjeta o de otra forma.',
  })
  expect((await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_declined'))).code).toBe('CARD_DECLINED')
  expect((await s.as(ana).sales.list()).purchases.map(({ status }) => status)).toEqual(['pending', 'cancelled'])
  for (let n = 13; n <= 60; n++) await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_declined', key))
  expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_ok'))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(await s.balance(ana)).toBe(0)
})

test('a customer can reserve only one unpaid piece of limited stock (V5)', async () => {
  await s.having({ cash_checkout_enabled: true }, async () => {
    const [ana, luis] = [await s.make.customer(), await s.make.customer()]
    const { class_package_id } = await s.make.package({ capacity: 2 })
    const cash = (person: Person) => s.as(person, randomUUID()).sales.checkout({ class_package_id, payment_method_id: null })
    const references = new Set<string | undefined>()
    for (let n = 0; n < 7; n++) references.add((await cash(ana)).voucher?.reference)
    expect(references.size).toBe(1)
    expect((await s.as(ana).sales.list()).purchases.map((purchase) => purchase.status)).toEqual(['pending'])
    expect(await sold(class_package_id)).toBe(1)
    expect((await cash(luis)).status).toBe('pending')
    expect((await refusalOf(cash(await s.make.customer()))).code).toBe('PACKAGE_SOLD_OUT')
  })
})

test('remembers the class that it was bought for, with every payment option; a resumed purchase takes the newest (V52)', async () => {
  const [ana, luis, classPackage, key] = [await s.make.customer(), await s.make.customer(), await s.make.package(), visit()]
  const input = { class_package_id: classPackage.class_package_id }
  const wanted = { single_class_id: 7, day: '2026-11-25', spot: '2-3', with_guest: true }
  const other = { single_class_id: 8, day: '2026-11-26', spot: null, with_guest: false }
  const of = async (person: Person, { purchase_id }: { purchase_id: number }) =>
    (await s.as(person).sales.one({ id: purchase_id })).purchase.wanted_class
  const declined = refusalOf(s.as(ana, key).sales.attempt({ ...input, payment_method: 'tok_funds', wanted_class: wanted }))
  expect(await declined).toMatchObject({ status: 402 })
  const paid = await s.as(ana, key).sales.attempt({ ...input, payment_method: 'tok_ok', wanted_class: other })
  expect(await of(ana, paid)).toEqual(other)
  await s.having({ cash_checkout_enabled: true }, async () => {
    const cash = await s.as(luis, visit()).sales.checkout({ ...input, payment_method_id: 2, wanted_class: wanted })
    expect(await of(luis, cash)).toEqual(wanted)
  })
  // Without one there is none, and a seat that cannot exist is refused before anything is written.
  expect(await of(ana, await attempt(ana, (await s.make.package()).class_package_id, 'tok_ok'))).toBeNull()
  const odd = s.as(ana, visit()).sales.attempt({ ...input, payment_method: 'tok_ok', wanted_class: { ...wanted, spot: '0-3' } })
  expect(await refusalOf(odd)).toMatchObject({ code: 'INVALID_INPUT' })
})
