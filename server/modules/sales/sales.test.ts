/** Paying by card over HTTP, as the browser does (docs/domain.md, "Sales"): yes, no, the bank's question, an answer that was lost. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { refusalOf, START } from '#server/testing/studio.ts'
import { sweep } from './jobs.ts'

const { s, bank, attempt, sold, run } = await openCheckoutStudio()
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))
const visit = () => randomUUID()

test('a card that pays: completed, charged, granted and recorded once (S1-4.13, V8, V9)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const answer = await attempt(ana, classPackage.class_package_id, 'tok_ok~mastercard~4444~112029~k1')
  expect(answer).toMatchObject({ status: 'completed', clientSecret: null, session: null, orderID: null, voucher: null })
  expect(await bank.ledger(answer.purchase_id)).toMatchObject([{ kind: 'charge', amount: 219_000 }])
  expect(await s.balance(ana)).toBe(10)
  expect(await sold(classPackage.class_package_id)).toBe(1)
  const { purchases } = await s.as(ana).sales.list()
  expect(purchases).toMatchObject([
    {
      purchase_id: answer.purchase_id,
      payment_id: answer.payment_id,
      status: 'completed',
      total_payment: '2190.00',
      amount: '2190.00',
      discount: '0.00',
      class_amount: 10,
      payment_method_id: 1,
      payment_method: { name: 'Mastercard terminada en 4444' },
      customer: { email: ana.email },
      created_date: '2026-11-19T10:00:00.000Z',
      createdAt: '2026-11-19T16:00:00.000Z',
      failure: null,
    },
  ])
  expect(await s.sql('select total_centavos, status, period, currency from invoice where purchase_id = $1', [answer.purchase_id])).toEqual([
    { total_centavos: 219_000, status: 'paid', period: '0', currency: 'MXN' },
  ])
  const trail = await s.sql<{ action: string }>(`select action from audit where entity = 'purchase' and entity_id = $1 order by audit_id`, [
    String(answer.purchase_id),
  ])
  expect(trail.map(({ action }) => action)).toEqual(['purchase.open', 'purchase.completed'])
})

test('only its owner finds the confirmation by purchase and by payment id (S1-2.22, S1-2.23, V20)', async () => {
  const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package()]
  const { purchase_id, payment_id } = await attempt(ana, classPackage.class_package_id, 'tok_ok')
  for (const id of [purchase_id, payment_id ?? 0]) {
    expect((await s.as(ana).sales.one({ id })).purchase.purchase_id).toBe(purchase_id)
    expect(await refusalOf(s.as(luis).sales.one({ id }))).toMatchObject({ code: 'PURCHASE_NOT_FOUND', status: 404 })
  }
  expect(await refusalOf(s.as(luis).sales.giveUp({ purchase_id }))).toMatchObject({ code: 'PURCHASE_NOT_FOUND', status: 404 })
  expect(await refusalOf(s.as(luis).sales.cancel({ id: purchase_id, reason: 'x' }))).toMatchObject({
    code: 'PURCHASE_NOT_FOUND',
    status: 404,
  })
  expect((await s.as(luis).sales.list()).purchases).toEqual([])
  expect(await refusalOf(s.as(null).sales.one({ id: purchase_id }))).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
})

const DECLINES = [
  ['tok_funds', 'CARD_INSUFFICIENT_FUNDS', 'Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.'],
  ['tok_lost', 'CARD_LOST_OR_STOLEN', 'Lo sentimos. Tu tarjeta está reportada como perdida o robada y no se puede usar.'],
  ['tok_stolen', 'CARD_LOST_OR_STOLEN', 'Lo sentimos. Tu tarjeta está reportada como perdida o robada y no se puede usar.'],
  ['tok_expired', 'CARD_EXPIRED', 'Lo sentimos. Tu tarjeta ha expirado'],
  ['tok_cvc', 'CARD_INCORRECT_CVC', 'Lo sentimos. El CVV de tu tarjeta es incorrecto.'],
  ['tok_number', 'CARD_INCORRECT_NUMBER', 'Lo sentimos. El número de tu tarjeta es incorrecto.'],
  ['tok_declined', 'CARD_DECLINED', 'Lo sentimos. Tu banco ha rechazado la tarjeta. Comunícate con tu banco.'],
  ['tok_suspicious', 'CARD_SUSPICIOUS', 'Lo sentimos, nuestro procesador de tarjetas ha rechazado el pago. Comunícate con nosotros.'],
  ['tok_format', 'CARD_FORMAT', 'El formato de la tarjeta no es válido, revisa los datos que ingresaste por favor.'],
  ['tok_inventado', 'CARD_FORMAT', 'El formato de la tarjeta no es válido, revisa los datos que ingresaste por favor.'],
] as const

test('each decline is a 402 with its own message, grants nothing, and another card pays the same purchase (S1-8.14 to S1-8.23, S1-9.04, V5)', async () => {
  const classPackage = await s.make.package({ limit_per_customer: 1 })
  for (const [token, code, message] of DECLINES) {
    const ana = await s.make.customer()
    const key = visit()
    const no = await refusalOf(attempt(ana, classPackage.class_package_id, token, key))
    expect(no, token).toMatchObject({ code, status: 402, message })
    const { purchase_id } = no.data as { purchase_id: number }
    expect((await s.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({ status: 'pending', failure: { code, message } })
    expect(await s.balance(ana)).toBe(0)
    expect(await attempt(ana, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({ purchase_id, status: 'completed' })
    expect(await bank.ledger(purchase_id)).toMatchObject([{ kind: 'charge', amount: 219_000 }])
    expect(await s.balance(ana)).toBe(10)
    expect((await s.as(ana).sales.list()).purchases).toHaveLength(1)
  }
})

test('a challenge: confirming completes the purchase, declining leaves it to another card (S1-4.11, S1-4.12, S1-8.32)', async () => {
  const classPackage = await s.make.package()
  const ana = await s.make.customer()
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds')
  expect(payment).toMatchObject({
    status: 'pending',
    intent: 'payment',
    clientSecret: expect.stringMatching(/^pay_[a-z]+_secret_s_[a-z]+$/),
  })
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  expect((await s.as(ana).sales.one({ id: payment.payment_id ?? 0 })).purchase).toMatchObject({ status: 'completed' })
  expect(await s.balance(ana)).toBe(10)

  const luis = await s.make.customer()
  const key = visit()
  const again = await attempt(luis, classPackage.class_package_id, 'tok_3ds', key)
  await bank.authorize(again.clientSecret?.split('_secret_')[0] ?? '', false)
  const { purchase } = await s.as(luis).sales.one({ id: again.purchase_id })
  expect(purchase.status).toBe('pending')
  expect(purchase.failure).toMatchObject({
    code: 'CARD_CONFIRMATION',
    message: expect.stringMatching(/^Hubo un error al procesar tu compra: Tu banco/),
  })
  expect(await attempt(luis, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({
    status: 'completed',
    purchase_id: again.purchase_id,
  })
  expect(await bank.ledger(again.purchase_id)).toHaveLength(1)
})

test('after a declined challenge the same card opens the next one at once (V5)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  const first = await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)
  await bank.authorize(first.clientSecret?.split('_secret_')[0] ?? '', false)
  const second = await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)
  expect(second).toMatchObject({ status: 'pending', purchase_id: first.purchase_id })
  expect(second.clientSecret).not.toBe(first.clientSecret)
})

test('after paying with another card the first challenge can no longer be confirmed (V5, V12)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)
  expect(await attempt(ana, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({
    status: 'completed',
    purchase_id: payment.purchase_id,
  })
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  await sweep(s.system())
  expect(await bank.ledger(payment.purchase_id)).toHaveLength(1)
})

test('a repeated request returns the same challenge (V5)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  const first = await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)
  expect(await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)).toEqual(first)
})

test('a charge whose answer was lost is shown as pending, and is found (V7)', async () => {
  const classPackage = await s.make.package()
  for (const how of ['look', 'again', 'sweep'] as const) {
    const [ana, key] = [await s.make.customer(), visit()]
    const lost = await attempt(ana, classPackage.class_package_id, 'tok_timeout_paid', key)
    expect(lost).toMatchObject({ status: 'pending', clientSecret: null })
    if (how === 'look') await s.as(ana).sales.one({ id: lost.purchase_id })
    if (how === 'again')
      expect(await attempt(ana, classPackage.class_package_id, 'tok_timeout_paid', key)).toMatchObject({ status: 'completed' })
    if (how === 'sweep') {
      s.clock.advance({ minutes: 3 })
      await sweep(s.system())
    }
    expect((await s.as(ana).sales.one({ id: lost.purchase_id })).purchase.status, how).toBe('completed')
    expect(await bank.ledger(lost.purchase_id), how).toHaveLength(1)
    expect(await s.balance(ana), how).toBe(10)
  }
})

test('with an unknown outcome no other card is charged; once it is known it can be (V7)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  const lost = await attempt(ana, classPackage.class_package_id, 'tok_timeout_unpaid', key)
  expect(lost.status).toBe('pending')
  expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_ok', key))).toMatchObject({
    code: 'PAYMENT_IN_PROGRESS',
    status: 409,
  })
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: lost.purchase_id }))).toMatchObject({ code: 'PAYMENT_IN_PROGRESS' })
  expect(await bank.ledger(lost.purchase_id)).toEqual([])
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  expect(await attempt(ana, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({
    status: 'completed',
    purchase_id: lost.purchase_id,
  })
  expect(await bank.ledger(lost.purchase_id)).toHaveLength(1)
})

test('a lost successful payment is found instead of charging another card (V7)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package(), visit()]
  const lost = await attempt(ana, classPackage.class_package_id, 'tok_timeout_paid', key)
  expect(await attempt(ana, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({
    status: 'completed',
    purchase_id: lost.purchase_id,
  })
  expect(await bank.ledger(lost.purchase_id)).toHaveLength(1)
  expect(await s.balance(ana)).toBe(10)
})

test('one visit may change from cash to card and back: one purchase, one charge (V5)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package({ limit_per_customer: 1 }), visit()]
  await s.having({ cash_checkout_enabled: true }, async () => {
    const cash = await s.as(ana, key).sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: 2 })
    expect(await refusalOf(attempt(ana, classPackage.class_package_id, 'tok_funds', key))).toMatchObject({
      code: 'CARD_INSUFFICIENT_FUNDS',
    })
    const again = await s.as(ana, key).sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: 2 })
    expect(again).toMatchObject({ purchase_id: cash.purchase_id, status: 'pending' })
    expect(again.voucher?.reference).not.toBe(cash.voucher?.reference)
    expect(await attempt(ana, classPackage.class_package_id, 'tok_ok', key)).toMatchObject({
      status: 'completed',
      purchase_id: cash.purchase_id,
    })
    expect(await s.sql(`select state from cash_payment where purchase_id = $1 and state <> 'ended'`, [cash.purchase_id])).toEqual([])
  })
})

test('a card is saved on request, pays again, and belongs to its customer only (S1-3.37, V20, settled 14)', async () => {
  const [ana, luis, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package()]
  const first = await s
    .as(ana, visit())
    .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok~amex~0005~112029~a', save_card: true })
  await run('sales.keep-card', { payment_id: first.payment_id })
  await run('sales.keep-card', { payment_id: first.payment_id })
  const { payment_sources } = await s.as(ana).sales.cards()
  expect(payment_sources).toMatchObject([{ card_type: 'amex', last_digits: '0005', exp: '11/2029', conekta_payment_source_id: null }])
  const [card] = payment_sources
  expect(
    await s
      .as(ana, visit())
      .sales.attempt({ class_package_id: classPackage.class_package_id, payment_source_id: card?.payment_source_id ?? 0, again: true }),
  ).toMatchObject({ status: 'completed' })
  s.clock.advance({ minutes: 3 })
  expect(await attempt(ana, classPackage.class_package_id, card?.source_id ?? '')).toMatchObject({ status: 'completed' })
  expect(
    await refusalOf(
      s
        .as(luis, visit())
        .sales.attempt({ class_package_id: classPackage.class_package_id, payment_source_id: card?.payment_source_id ?? 0 }),
    ),
  ).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  expect(await s.balance(ana)).toBe(30)
  await s.having({ payment_sources_enabled: false }, async () => {
    expect((await s.as(ana).sales.cards()).payment_sources).toEqual([])
    expect(await refusalOf(attempt(ana, classPackage.class_package_id, card?.source_id ?? ''))).toMatchObject({
      code: 'PAYMENT_METHOD_UNAVAILABLE',
    })
  })
})

test('session mode redirects to the processor’s page (S1-4.14)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  await s.having({ stripe_checkout_mode: 'session' }, async () => {
    const answer = await s.as(ana, visit()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 1 })
    expect(answer).toMatchObject({
      status: 'pending',
      session: { id: expect.stringMatching(/^pay_/), url: expect.stringMatching(/\/sandbox\/pagar\/pay_/) },
    })
    await bank.giveToken(answer.session?.id ?? '', 'tok_ok')
    expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.status).toBe('completed')
  })
})
