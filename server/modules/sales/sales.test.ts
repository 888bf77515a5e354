/** Buying over HTTP, as the browser does (docs/domain.md, "Sales"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { errors, sentence } from '#contract/errors.ts'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { salesJobs, sendReceipt, sweep } from './jobs.ts'

let s: TestStudio
let bank: Sandbox
beforeAll(async () => {
  s = await studio()
  bank = s.bank()
  await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
  await s.make.paymentMethod({ payment_method_id: 2, name: 'Efectivo' })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const visit = () => randomUUID()
const attempt = (who: Person, class_package_id: number, payment_method: string, key = visit()) =>
  s.as(who, key).sales.attempt({ class_package_id, payment_method })
const sold = async (class_package_id: number) =>
  (await s.sql<{ sold: number }>('select sold from class_package where class_package_id = $1', [class_package_id]))[0]?.sold
const run = async (name: string, data: object) => {
  const handler = salesJobs(s.system).find((job) => job.name === name)
  if (!handler) throw new Error(`no job ${name}`)
  await handler.work(data)
}

test('a card that pays: completed, charged once, granted once, written down (S1-4.13, V8, V9)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const answer = await attempt(ana, pack.class_package_id, 'tok_ok~mastercard~4444~112029~k1')
  expect(answer).toMatchObject({ status: 'completed', clientSecret: null, session: null, orderID: null, voucher: null })
  expect(await bank.ledger(answer.purchase_id)).toMatchObject([{ kind: 'charge', amount: 219_000 }])
  expect(await s.balance(ana)).toBe(10)
  expect(await sold(pack.class_package_id)).toBe(1)
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

test('the confirmation is found by purchase and by payment, by its owner only (S1-2.22, S1-2.23, V20)', async () => {
  const [ana, luis, pack] = [await s.make.customer(), await s.make.customer(), await s.make.package()]
  const { purchase_id, payment_id } = await attempt(ana, pack.class_package_id, 'tok_ok')
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

test('each no of the bank is a 402 in its own words, grants nothing, and another card pays the same purchase (S1-8.14 to S1-8.23, S1-9.04, V5)', async () => {
  const pack = await s.make.package({ limit_per_customer: 1 })
  for (const [token, code, message] of DECLINES) {
    const ana = await s.make.customer()
    const key = visit()
    const no = await refusalOf(attempt(ana, pack.class_package_id, token, key))
    expect(no, token).toMatchObject({ code, status: 402, message })
    const { purchase_id } = no.data as { purchase_id: number }
    expect((await s.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({ status: 'pending', failure: { code, message } })
    expect(await s.balance(ana)).toBe(0)
    expect(await attempt(ana, pack.class_package_id, 'tok_ok', key)).toMatchObject({ purchase_id, status: 'completed' })
    expect(await bank.ledger(purchase_id)).toMatchObject([{ kind: 'charge', amount: 219_000 }])
    expect(await s.balance(ana)).toBe(10)
    expect((await s.as(ana).sales.list()).purchases).toHaveLength(1)
  }
})

test('the bank asks: yes completes it, no leaves it to another card (S1-4.11, S1-4.12, S1-8.32)', async () => {
  const pack = await s.make.package()
  const ana = await s.make.customer()
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds')
  expect(asked).toMatchObject({ status: 'pending', intent: 'payment', clientSecret: expect.stringMatching(/^pay_[a-z]+_secret_s_[a-z]+$/) })
  await bank.authorize(asked.clientSecret?.split('_secret_')[0] ?? '', true)
  expect((await s.as(ana).sales.one({ id: asked.payment_id ?? 0 })).purchase).toMatchObject({ status: 'completed' })
  expect(await s.balance(ana)).toBe(10)

  const luis = await s.make.customer()
  const key = visit()
  const again = await attempt(luis, pack.class_package_id, 'tok_3ds', key)
  await bank.authorize(again.clientSecret?.split('_secret_')[0] ?? '', false)
  const { purchase } = await s.as(luis).sales.one({ id: again.purchase_id })
  expect(purchase.status).toBe('pending')
  expect(purchase.failure).toMatchObject({
    code: 'CARD_CONFIRMATION',
    message: expect.stringMatching(/^Hubo un error al procesar tu compra: Tu banco/),
  })
  expect(await attempt(luis, pack.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed', purchase_id: again.purchase_id })
  expect(await bank.ledger(again.purchase_id)).toHaveLength(1)
})

test('no with the same card opens the next question at once (V5)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  const first = await attempt(ana, pack.class_package_id, 'tok_3ds', key)
  await bank.authorize(first.clientSecret?.split('_secret_')[0] ?? '', false)
  const second = await attempt(ana, pack.class_package_id, 'tok_3ds', key)
  expect(second).toMatchObject({ status: 'pending', purchase_id: first.purchase_id })
  expect(second.clientSecret).not.toBe(first.clientSecret)
})

test('asked by the bank, then paid with another card: the first question can no longer be answered (V5, V12)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds', key)
  expect(await attempt(ana, pack.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed', purchase_id: asked.purchase_id })
  await bank.authorize(asked.clientSecret?.split('_secret_')[0] ?? '', true)
  await sweep(s.system())
  expect(await bank.ledger(asked.purchase_id)).toHaveLength(1)
})

test('the same question twice is the same question (V5)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  const first = await attempt(ana, pack.class_package_id, 'tok_3ds', key)
  expect(await attempt(ana, pack.class_package_id, 'tok_3ds', key)).toEqual(first)
})

test('an answer that was lost after the charge reads as pending, and is found (V7)', async () => {
  const pack = await s.make.package()
  for (const how of ['look', 'again', 'sweep'] as const) {
    const [ana, key] = [await s.make.customer(), visit()]
    const lost = await attempt(ana, pack.class_package_id, 'tok_timeout_paid', key)
    expect(lost).toMatchObject({ status: 'pending', clientSecret: null })
    if (how === 'look') await s.as(ana).sales.one({ id: lost.purchase_id })
    if (how === 'again') expect(await attempt(ana, pack.class_package_id, 'tok_timeout_paid', key)).toMatchObject({ status: 'completed' })
    if (how === 'sweep') {
      s.clock.advance({ minutes: 3 })
      await sweep(s.system())
    }
    expect((await s.as(ana).sales.one({ id: lost.purchase_id })).purchase.status, how).toBe('completed')
    expect(await bank.ledger(lost.purchase_id), how).toHaveLength(1)
    expect(await s.balance(ana), how).toBe(10)
  }
})

test('with the outcome unknown no other card is charged; once it is known it is (V7)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  const lost = await attempt(ana, pack.class_package_id, 'tok_timeout_unpaid', key)
  expect(lost.status).toBe('pending')
  expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_ok', key))).toMatchObject({ code: 'PAYMENT_IN_PROGRESS', status: 409 })
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: lost.purchase_id }))).toMatchObject({ code: 'PAYMENT_IN_PROGRESS' })
  expect(await bank.ledger(lost.purchase_id)).toEqual([])
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  expect(await attempt(ana, pack.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed', purchase_id: lost.purchase_id })
  expect(await bank.ledger(lost.purchase_id)).toHaveLength(1)
})

test('paid but lost, then another card: the first payment is found instead of a second charge (V7)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  const lost = await attempt(ana, pack.class_package_id, 'tok_timeout_paid', key)
  expect(await attempt(ana, pack.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed', purchase_id: lost.purchase_id })
  expect(await bank.ledger(lost.purchase_id)).toHaveLength(1)
  expect(await s.balance(ana)).toBe(10)
})

test('the same visit with another package or code is refused (V5)', async () => {
  const [ana, pack, other, key] = [await s.make.customer(), await s.make.package(), await s.make.package(), visit()]
  await attempt(ana, pack.class_package_id, 'tok_ok', key)
  expect(await refusalOf(attempt(ana, other.class_package_id, 'tok_ok', key))).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 422,
    message: 'Esta solicitud ya se usó con otros datos.',
  })
  const withCode = s
    .as(ana, key)
    .sales.attempt({ class_package_id: pack.class_package_id, payment_method: 'tok_ok', discountCode: 'NOVIEMBRE20' })
  expect(await refusalOf(withCode)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  // Somebody else may use the same key: it is theirs alone.
  const luis = await s.make.customer()
  expect(await attempt(luis, other.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed' })
  expect(await s.balance(ana)).toBe(10)
})

test('price, amount, currency and customer of the body are not read (decision 6, S3)', async () => {
  const [ana, luis, pack] = [await s.make.customer(), await s.make.customer(), await s.make.package({ sale_price_centavos: 199_000 })]
  const lies = {
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
    body: JSON.stringify({ class_package_id: pack.class_package_id, payment_method: 'tok_ok', ...lies }),
  })
  const answer = (await reply.json()) as { purchase_id: number }
  expect(await bank.ledger(answer.purchase_id)).toMatchObject([{ amount: 199_000 }])
  expect((await s.as(ana).sales.list()).purchases).toMatchObject([{ total_payment: '1990.00', class_amount: 10 }])
  expect((await s.as(luis).sales.list()).purchases).toEqual([])
})

test('a price that changes while a purchase waits does not change the purchase (V1)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds', key)
  await s.sql('update class_package set price_centavos = 99900 where class_package_id = $1', [pack.class_package_id])
  expect(await attempt(ana, pack.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed' })
  expect(await bank.ledger(asked.purchase_id)).toMatchObject([{ amount: 219_000 }])
})

test('what cannot be bought says so, in the spec’s words (S1-8.13, S1-8.24, V2)', async () => {
  const ana = await s.make.customer()
  const [pack, gone, cheap] = [
    await s.make.package(),
    await s.make.package({ available: false }),
    await s.make.package({ price_centavos: 500 }),
  ]
  const buy = (values: object) => s.as(ana, visit()).sales.attempt({ class_package_id: pack.class_package_id, ...values })
  expect(await refusalOf(buy({ class_package_id: gone.class_package_id, payment_method: 'tok_ok' }))).toMatchObject({
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
    expect(await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: pack.class_package_id }))).toMatchObject({
      code: 'CHECKOUT_DISABLED',
    })
  })
  expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
  expect(await sold(pack.class_package_id)).toBe(0)
})

test('bad input is a 400 in Spanish, never a 500 and never half a purchase', async () => {
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
  expect(s.logged.filter((line) => line.includes('a request failed'))).toEqual([])
})

test('sold out is a 412, and a purchase that comes to nothing gives its place back (S1-8.16, S1-8.25, S1-8.30, S1-9.02, V4, V12)', async () => {
  const [ana, luis, pack] = [await s.make.customer(), await s.make.customer(), await s.make.package({ capacity: 1 })]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds')
  expect(await refusalOf(attempt(luis, pack.class_package_id, 'tok_ok'))).toMatchObject({
    code: 'PACKAGE_SOLD_OUT',
    status: 412,
    message: 'Lo sentimos, se ha alcanzado el límite de personas para este paquete.',
  })
  expect(errors.PACKAGE_SOLD_OUT.embedded).toBe('Lo sentimos. Este paquete se ha agotado.')
  s.clock.advance({ minutes: 29 })
  await sweep(s.system())
  expect((await s.as(ana).sales.one({ id: asked.purchase_id })).purchase.status).toBe('pending')
  s.clock.advance({ minutes: 2 })
  await sweep(s.system())
  expect((await s.as(ana).sales.one({ id: asked.purchase_id })).purchase).toMatchObject({ status: 'failed' })
  expect(await sold(pack.class_package_id)).toBe(0)
  expect(await attempt(luis, pack.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  // The bank's question is over: answering it now takes nothing.
  await bank.authorize(asked.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await bank.ledger(asked.purchase_id)).toEqual([])
})

test('the limit per customer is a 409, and a waiting purchase of one’s own makes way (S1-8.17, S1-8.26, S1-8.31, S1-9.03, V3, V6)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package({ limit_per_customer: 1, class_amount: 1 })]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds')
  const bought = await attempt(ana, pack.class_package_id, 'tok_ok')
  expect(bought.status).toBe('completed')
  expect((await s.as(ana).sales.one({ id: asked.purchase_id })).purchase.status).toBe('cancelled')
  expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_ok'))).toMatchObject({
    code: 'PURCHASE_LIMIT',
    status: 409,
    message: 'Lo sentimos, ya has alcanzado el límite de compras de este paquete.',
  })
  await bank.authorize(asked.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await bank.ledger(asked.purchase_id)).toEqual([])
  expect(await s.balance(ana)).toBe(1)
})

test('money for a closed purchase takes its place again, or goes back (V13)', async () => {
  const pack = await s.make.package({ capacity: 1 })
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const slow = await attempt(ana, pack.class_package_id, 'tok_timeout_paid')
  // Only the studio's side is closed: as if the provider had not known yet.
  await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [slow.purchase_id])
  await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [slow.purchase_id])
  await s.sql('update class_package set sold = 0 where class_package_id = $1', [pack.class_package_id])
  await run('sales.reconcile', {})
  expect((await s.as(ana).sales.one({ id: slow.purchase_id })).purchase.status).toBe('completed')
  expect(await s.balance(ana)).toBe(10)
  expect(await sold(pack.class_package_id)).toBe(1)

  await s.sql('update class_package set capacity = 2 where class_package_id = $1', [pack.class_package_id])
  const late = await attempt(luis, pack.class_package_id, 'tok_timeout_paid')
  await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [late.purchase_id])
  await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [late.purchase_id])
  await s.sql('update class_package set sold = 1, capacity = 1 where class_package_id = $1', [pack.class_package_id])
  await run('sales.reconcile', {})
  await run('sales.reconcile', {})
  expect((await s.as(luis).sales.one({ id: late.purchase_id })).purchase.status).toBe('failed')
  expect(await s.balance(luis)).toBe(0)
  expect(await bank.ledger(late.purchase_id)).toMatchObject([
    { kind: 'charge', amount: 219_000 },
    { kind: 'refund', amount: 219_000 },
  ])
  expect(await s.sql('select status, refunded_centavos from invoice where purchase_id = $1', [late.purchase_id])).toEqual([
    { status: 'refunded', refunded_centavos: 219_000 },
  ])
})

test('a payment that does not fit its purchase grants nothing and raises an alarm (V11)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds')
  const id = asked.clientSecret?.split('_secret_')[0] ?? ''
  await s.sql('update sandbox_payment set amount = 100 where id = $1', [id])
  await bank.authorize(id, true)
  expect((await s.as(ana).sales.one({ id: asked.purchase_id })).purchase.status).toBe('pending')
  expect(await s.balance(ana)).toBe(0)
  expect(await s.sql('select alarm from purchase where purchase_id = $1', [asked.purchase_id])).toEqual([{ alarm: 'other_amount' }])
  expect(s.logged.some((line) => line.includes('does not fit its purchase'))).toBe(true)
})

test('giving up frees the place; what was paid or is unknown cannot be given up (V12)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package({ capacity: 1 }), visit()]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds', key)
  for (let n = 0; n < 2; n++) expect((await s.as(ana).sales.giveUp({ purchase_id: asked.purchase_id })).purchase.status).toBe('cancelled')
  expect(await sold(pack.class_package_id)).toBe(0)
  // The visit goes on with a new purchase.
  const second = await attempt(ana, pack.class_package_id, 'tok_ok', key)
  expect(second).toMatchObject({ status: 'completed' })
  expect(second.purchase_id).not.toBe(asked.purchase_id)
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: second.purchase_id }))).toMatchObject({
    code: 'PURCHASE_CLOSED',
    status: 409,
  })
})

test('paid at the last moment: giving up says that it is closed, and it is completed (V12)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds')
  await bank.authorize(asked.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: asked.purchase_id }))).toMatchObject({ code: 'PURCHASE_CLOSED' })
  expect((await s.as(ana).sales.one({ id: asked.purchase_id })).purchase.status).toBe('completed')
  expect(await s.balance(ana)).toBe(10)
})

test('a free package needs no card, keeps its limit, and its repeated request is one (S1-2.68, V14)', async () => {
  const [ana, pack, key] = [
    await s.make.customer(),
    await s.make.package({ price_centavos: 0, class_amount: 1, limit_per_customer: 1, capacity: 5 }),
    visit(),
  ]
  const first = await s.as(ana, key).sales.checkout({ class_package_id: pack.class_package_id })
  expect(first).toMatchObject({ status: 'completed', payment_id: null })
  expect(await s.as(ana, key).sales.checkout({ class_package_id: pack.class_package_id })).toEqual(first)
  expect(await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: pack.class_package_id }))).toMatchObject({
    code: 'PURCHASE_LIMIT',
  })
  expect(await s.balance(ana)).toBe(1)
  expect(await sold(pack.class_package_id)).toBe(1)
  expect(await bank.ledger(first.purchase_id)).toEqual([])
})

test('cash waits under a reference until staff receive it, and expires otherwise (S1-4.06, V10, V15)', async () => {
  const [ana, pack, desk, coach] = [
    await s.make.customer(),
    await s.make.package({ capacity: 1 }),
    await s.make.staff('reception'),
    await s.make.staff('coach'),
  ]
  expect(
    await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: pack.class_package_id, payment_method_id: 2 })),
  ).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  await s.having({ cash_checkout_enabled: true, cash_hold_hours: 24 }, async () => {
    const key = visit()
    const held = await s.as(ana, key).sales.checkout({ class_package_id: pack.class_package_id, payment_method_id: 2 })
    expect(held).toMatchObject({
      status: 'pending',
      voucher: {
        kind: 'efectivo',
        reference: expect.stringMatching(/^EF-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
        expires_at: '2026-11-20T16:00:00.000Z',
      },
    })
    expect(await s.as(ana, key).sales.checkout({ class_package_id: pack.class_package_id, payment_method_id: 2 })).toEqual(held)
    expect((await s.as(ana).sales.one({ id: held.purchase_id })).purchase).toMatchObject({
      status: 'pending',
      payment_method: { name: 'Efectivo' },
      voucher: held.voucher,
    })
    expect(await s.balance(ana)).toBe(0)
    expect(await refusalOf(s.as(coach).sales.markPaid({ purchase_id: held.purchase_id }))).toMatchObject({ code: 'FORBIDDEN', status: 403 })
    expect(await refusalOf(s.as(ana).sales.markPaid({ purchase_id: held.purchase_id }))).toMatchObject({ code: 'FORBIDDEN' })
    for (let n = 0; n < 2; n++)
      expect((await s.as(desk).sales.markPaid({ purchase_id: held.purchase_id })).purchase.status).toBe('completed')
    expect(await s.balance(ana)).toBe(10)

    const luis = await s.make.customer()
    expect(await refusalOf(s.as(luis, visit()).sales.checkout({ class_package_id: pack.class_package_id }))).toMatchObject({
      code: 'PACKAGE_SOLD_OUT',
    })
    await s.sql('update class_package set capacity = 2 where class_package_id = $1', [pack.class_package_id])
    const waiting = await s.as(luis, visit()).sales.checkout({ class_package_id: pack.class_package_id })
    s.clock.advance({ hours: 25 })
    await sweep(s.system())
    expect((await s.as(luis).sales.one({ id: waiting.purchase_id })).purchase.status).toBe('failed')
    expect(await sold(pack.class_package_id)).toBe(1)
    expect(await refusalOf(s.as(desk).sales.markPaid({ purchase_id: waiting.purchase_id }))).toMatchObject({ code: 'PURCHASE_CLOSED' })
  })
})

test('one visit may change from cash to card and back: one purchase, one charge (V5)', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package({ limit_per_customer: 1 }), visit()]
  await s.having({ cash_checkout_enabled: true }, async () => {
    const cash = await s.as(ana, key).sales.checkout({ class_package_id: pack.class_package_id, payment_method_id: 2 })
    expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_funds', key))).toMatchObject({ code: 'CARD_INSUFFICIENT_FUNDS' })
    const again = await s.as(ana, key).sales.checkout({ class_package_id: pack.class_package_id, payment_method_id: 2 })
    expect(again).toMatchObject({ purchase_id: cash.purchase_id, status: 'pending' })
    expect(again.voucher?.reference).not.toBe(cash.voucher?.reference)
    expect(await attempt(ana, pack.class_package_id, 'tok_ok', key)).toMatchObject({ status: 'completed', purchase_id: cash.purchase_id })
    expect(await s.sql(`select state from cash_payment where purchase_id = $1 and state <> 'ended'`, [cash.purchase_id])).toEqual([])
  })
})

test('required documents and the sign-up fee come first (S1-5.23, decision 17, V2)', async () => {
  const [ana, pack, fee] = [
    await s.make.customer(),
    await s.make.package(),
    await s.make.package({ class_amount: 0, title: 'Inscripción' }),
  ]
  const trial = await s.make.package({ is_trial: true, class_amount: 1 })
  const document = await s.make.page({ required: true })
  expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_ok'))).toMatchObject({ code: 'DOCUMENTS_REQUIRED', status: 412 })
  await s.as(ana).content.accept({ page_id: document.page_id })
  await s.having({ signup_fee: fee.class_package_id }, async () => {
    expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_ok'))).toMatchObject({
      code: 'SIGNUP_FEE_REQUIRED',
      data: { class_package_id: fee.class_package_id },
    })
    expect(await attempt(ana, trial.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
    expect(await attempt(ana, fee.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
    expect(await attempt(ana, pack.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  })
  await s.sql('delete from accepted_page where page_id = $1', [document.page_id])
  await s.sql('delete from page where page_id = $1', [document.page_id])
})

test('a card is kept when asked, pays again, and is nobody else’s (S1-3.37, V20, decision 14)', async () => {
  const [ana, luis, pack] = [await s.make.customer(), await s.make.customer(), await s.make.package()]
  const first = await s
    .as(ana, visit())
    .sales.attempt({ class_package_id: pack.class_package_id, payment_method: 'tok_ok~amex~0005~112029~a', save_card: true })
  await run('sales.keep-card', { payment_id: first.payment_id })
  await run('sales.keep-card', { payment_id: first.payment_id })
  const { payment_sources } = await s.as(ana).sales.cards()
  expect(payment_sources).toMatchObject([{ card_type: 'amex', last_digits: '0005', exp: '11/2029', conekta_payment_source_id: null }])
  const [card] = payment_sources
  expect(
    await s.as(ana, visit()).sales.attempt({ class_package_id: pack.class_package_id, payment_source_id: card?.payment_source_id ?? 0 }),
  ).toMatchObject({ status: 'completed' })
  expect(await attempt(ana, pack.class_package_id, card?.source_id ?? '')).toMatchObject({ status: 'completed' })
  expect(
    await refusalOf(
      s.as(luis, visit()).sales.attempt({ class_package_id: pack.class_package_id, payment_source_id: card?.payment_source_id ?? 0 }),
    ),
  ).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  expect(await s.balance(ana)).toBe(30)
  await s.having({ payment_sources_enabled: false }, async () => {
    expect((await s.as(ana).sales.cards()).payment_sources).toEqual([])
    expect(await refusalOf(attempt(ana, pack.class_package_id, card?.source_id ?? ''))).toMatchObject({
      code: 'PAYMENT_METHOD_UNAVAILABLE',
    })
  })
})

test('session mode sends the customer to the processor’s page (S1-4.14)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  await s.having({ stripe_checkout_mode: 'session' }, async () => {
    const answer = await s.as(ana, visit()).sales.attempt({ class_package_id: pack.class_package_id, payment_method: 1 })
    expect(answer).toMatchObject({
      status: 'pending',
      session: { id: expect.stringMatching(/^pay_/), url: expect.stringMatching(/\/sandbox\/pagar\/pay_/) },
    })
    await bank.giveToken(answer.session?.id ?? '', 'tok_ok')
    expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.status).toBe('completed')
  })
})

test('a payment in process reads as pending until its notice comes (V7, V18)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const answer = await attempt(ana, pack.class_package_id, 'tok_async')
  expect(answer).toMatchObject({ status: 'pending', clientSecret: null })
  s.clock.advance({ seconds: 1 })
  expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.status).toBe('pending')
  s.clock.advance({ seconds: 10 })
  await bank.tick()
  const [event] = await s.sql<{ id: number }>('select max(provider_event_id) as id from provider_event')
  await run('sales.event', { provider_event_id: event?.id })
  expect(await s.sql('select status from purchase where purchase_id = $1', [answer.purchase_id])).toEqual([{ status: 'completed' }])
  expect(await s.balance(ana)).toBe(10)
})

test('looking at a waiting purchase asks its provider at most every two seconds (S1-7.43)', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const asked = await attempt(ana, pack.class_package_id, 'tok_3ds')
  const look = async () => (await s.as(ana).sales.one({ id: asked.purchase_id })).purchase.status
  expect(await look()).toBe('pending')
  await bank.authorize(asked.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await look()).toBe('pending')
  s.clock.advance({ seconds: 2 })
  expect(await look()).toBe('completed')
})

test('the receipt is one mail per purchase, with the amount in words of money', async () => {
  const [ana, pack] = [await s.make.customer({ name: 'Ana <b>' }), await s.make.package({ title: 'Diez clases' })]
  const { purchase_id } = await attempt(ana, pack.class_package_id, 'tok_ok')
  for (let n = 0; n < 2; n++) await sendReceipt(s.system(), purchase_id, '0')
  const mails = await s.sql<{ subject: string; text: string; html: string }>(
    'select subject, text, html from mail_outbox where "to" = $1',
    [ana.email],
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Tu compra: Diez clases')
  expect(mails[0]?.text).toContain('Pagaste $2,190.00 con Visa terminada en 4242.')
  expect(mails[0]?.text).toContain(`Orden #00${purchase_id}`)
  expect(mails[0]?.html).not.toContain('Ana <b>')
})

test('too many cards in one visit, and too many visits, are stopped', async () => {
  const [ana, pack, key] = [await s.make.customer(), await s.make.package(), visit()]
  for (let n = 1; n <= 10; n++)
    expect((await refusalOf(attempt(ana, pack.class_package_id, 'tok_declined', key))).code).toBe('CARD_DECLINED')
  expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_ok', key))).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 })
  for (let n = 12; n <= 60; n++) await refusalOf(attempt(ana, pack.class_package_id, 'tok_declined', key))
  expect(await refusalOf(attempt(ana, pack.class_package_id, 'tok_ok'))).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(await s.balance(ana)).toBe(0)
})

test('nobody keeps a package that can run out from others by not paying: the fourth that waits is the oldest one’s place (V6)', async () => {
  await s.having({ cash_checkout_enabled: true }, async () => {
    const [ana, luis] = [await s.make.customer(), await s.make.customer()]
    const { class_package_id } = await s.make.package({ capacity: 4 })
    const cash = (who: Person) => s.as(who, randomUUID()).sales.checkout({ class_package_id, payment_method_id: null })
    for (let n = 0; n < 7; n++) expect((await cash(ana)).status).toBe('pending')
    const { purchases } = await s.as(ana).sales.list()
    expect(purchases.map((one) => one.status)).toEqual([...Array(3).fill('pending'), ...Array(4).fill('cancelled')])
    expect(await sold(class_package_id)).toBe(3)
    expect((await cash(luis)).status).toBe('pending')
    expect((await refusalOf(cash(await s.make.customer()))).code).toBe('PACKAGE_SOLD_OUT')
  })
})
