/** Orders of the counter: charged on a saved card, or paid by their customer with a link (docs/domain.md S7 to S9). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { salesJobs } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { outcome } from '#server/testing/outcomes.ts'
import { newRun } from '#server/testing/run.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { cardHolder, setCardBehaviour } from '#server/testing/subscribers.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let ten: number
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true } })
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location()).location_id
  ten = (await s.make.package({ price_centavos: 179_000, class_amount: 10, expiration_days: 60 })).class_package_id
})
afterAll(async () => {
  expect(await wrongMoney(s, false)).toEqual({})
  await s.close()
})
beforeEach(() => s.clock.set(START))

type Order = Parameters<ReturnType<TestStudio['as']>['counterOrders']['open']>[0]
const withCard = async (behaviour = 'ok') => {
  const { who, payment_source_id, last4 } = await cardHolder(s)
  // The bank's answer changes after the card was saved.
  await setCardBehaviour(s, last4, behaviour)
  return { who, customer_id: who.customer_id, payment_source_id }
}
const open = (input: Partial<Order> & Pick<Order, 'customer_id'>, key: string = randomUUID(), person = desk) =>
  s.as(person, key).counterOrders.open({
    location_id,
    lines: [{ kind: 'package', class_package_id: ten }],
    shown: { total: '1790' },
    ...input,
  })
const soldOf = async (class_package_id: number) =>
  (await s.sql<{ sold: number }>('select sold from class_package where class_package_id = $1', [class_package_id]))[0]?.sold
const holdsStock = async (purchase_id: number) =>
  (await s.sql<{ holds_stock: boolean }>('select holds_stock from purchase where purchase_id = $1', [purchase_id]))[0]?.holds_stock
const tokenOf = (order: { link: { url: string } | null }) => order.link?.url.split('/').at(-1) ?? ''
/** The customer types a card on the page of the processor. */
const payPage = (url: string | null, token = 'tok_ok') => s.bank().giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', token)

describe('on a saved card (S7)', () => {
  test('charges the card, gives what was bought and belongs to the location and its seller', async () => {
    const { who, ...buyer } = await withCard()
    const { purchase, state, link } = await open(buyer)
    expect({ state, link }).toEqual({ state: 'paid', link: null })
    expect(purchase).toMatchObject({ status: 'completed', location_id, staff_id: expect.any(Number), total_payment: '1790.00' })
    expect(await s.balance(who)).toBe(10)
    const { invoices } = await s.as(owner).studioSales.purchase({ purchase_id: purchase.purchase_id })
    expect(invoices).toMatchObject([{ gateway: 'sandbox', location_id, cash_session_id: null, total_payment: '1790.00' }])
  })

  test('the same key is charged once, also at the same time', async () => {
    const { who: _, ...buyer } = await withCard()
    const key = randomUUID()
    const both = await Promise.allSettled([open(buyer, key), open(buyer, key)])
    const again = await open(buyer, key)
    expect(both.flatMap((result) => (result.status === 'fulfilled' ? [result.value.purchase.purchase_id] : []))).toContain(
      again.purchase.purchase_id,
    )
    expect(await s.bank().ledger(again.purchase.purchase_id)).toHaveLength(1)
    expect(await codeOf(open({ ...buyer, shown: { total: '1' } }, key))).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('a refusal of the bank leaves nothing sold, also when it is repeated', async () => {
    const { who, ...buyer } = await withCard('funds')
    const before = await soldOf(ten)
    const key = randomUUID()
    expect(await codeOf(open(buyer, key))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect(await codeOf(open(buyer, key))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect(await soldOf(ten)).toBe(before)
    expect(await s.balance(who)).toBe(0)
    expect(
      (await s.as(owner).studioSales.purchases({ customer_id: who.customer_id })).purchases.map((purchase) => purchase.status),
    ).toEqual(['failed'])
  })

  test('a lost answer stays pending, and the same key finds the charge', async () => {
    const { who, ...buyer } = await withCard('timeout_paid')
    const key = randomUUID()
    const first = await open(buyer, key)
    expect(first.state).toBe('processing')
    const again = await open(buyer, key)
    expect(again).toMatchObject({ state: 'paid', purchase: { purchase_id: first.purchase.purchase_id } })
    expect(await s.balance(who)).toBe(10)
  })

  test('a bank that wants a confirmation turns it into a link for the customer', async () => {
    const { who, ...buyer } = await withCard('3ds')
    const order = await open(buyer)
    expect(order.state).toBe('waiting')
    const { url } = await s.as(null).paymentLinks.pay({ token: tokenOf(order) })
    await payPage(url)
    expect((await s.as(null).paymentLinks.shown({ token: tokenOf(order) })).order.state).toBe('paid')
    expect(await s.balance(who)).toBe(10)
  })

  test('a subscription renews on the card; a card of another person is unknown', async () => {
    const { who, ...buyer } = await withCard()
    const { class_package_id } = await s.make.package({
      price_centavos: 145_000,
      class_amount: 8,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 1,
      free_trial_length: 7,
      free_trial_period: 'day',
    })
    const items = [{ kind: 'package' as const, class_package_id }]
    const { purchase } = await open({ ...buyer, lines: items, shown: { total: '1450' } })
    expect(purchase).toMatchObject({ status: 'active', free_trial_length: null, next_charge: { amount: '1450.00' } })
    expect(await s.balance(who)).toBe(8)
    const other = await s.make.customer()
    expect(await codeOf(open({ customer_id: other.customer_id, payment_source_id: buyer.payment_source_id }))).toBe(
      'PAYMENT_SOURCE_NOT_FOUND',
    )
  })

  test('the server decides the price, and reception lowers it within its limit', async () => {
    const { who: _, ...buyer } = await withCard()
    const price = { amount: '1000', reason: 'Promoción' }
    const items = [{ kind: 'package' as const, class_package_id: ten, price }]
    expect((await refusalOf(open({ ...buyer, shown: { total: '1' } }))).code).toBe('PRICE_CHANGED')
    expect(await codeOf(open({ ...buyer, lines: items, shown: { total: '1000' } }))).toBe('FORBIDDEN')
    expect((await open({ ...buyer, lines: items, shown: { total: '1000' } }, randomUUID(), owner)).purchase.total_payment).toBe('1000.00')
  })

  test('starts on the day that was chosen', async () => {
    const { who, ...buyer } = await withCard()
    await open({ ...buyer, lines: [{ kind: 'package', class_package_id: ten, starts_on: '2026-12-01' }] })
    const [creditLot] = await s.sql<{ day: string }>(
      `select to_char(expires_at at time zone 'America/Mexico_City', 'YYYY-MM-DD') as day from available_class where customer_id = $1`,
      [who.customer_id],
    )
    expect(creditLot?.day).toBe('2027-01-30')
  })
})

describe('with a link (S8, S9)', () => {
  test('waits, holds its stock, is mailed, is listed and is paid on the page of the processor', async () => {
    const customer = await s.make.customer()
    const { customer_id } = customer
    const before = (await soldOf(ten)) ?? 0
    const order = await open({ customer_id })
    expect(order).toMatchObject({ state: 'waiting', purchase: { status: 'pending' }, link: { until: '2026-11-21T16:00:00.000Z' } })
    expect(await soldOf(ten)).toBe(before + 1)
    await salesJobs
      .find((salesJob) => salesJob.name === 'sales.payment-link')
      ?.work(s.system('sales.payment-link'), { purchase_id: order.purchase.purchase_id }, newRun())
    const [mail] = await s.sql<{ text: string }>('select text from mail_outbox where "to" = $1 order by mail_id desc limit 1', [
      customer.email,
    ])
    expect(mail?.text).toContain(order.link?.url)
    const { list } = s.as(desk).counterOrders
    expect((await list({ customer_id })).orders).toMatchObject([{ link: order.link }])
    expect((await list({ customer_id, location_id })).total).toBe(1)
    const elsewhere = (await s.make.location()).location_id
    expect((await list({ customer_id, location_id: elsewhere })).total).toBe(0)
    const there = await s.make.staff('reception')
    await s.sql('insert into staff_location (staff_id, location_id) select staff_id, $2 from staff where uid = $1', [there.uid, elsewhere])
    expect(await codeOf(s.as(there).counterOrders.list({ location_id }))).toBe('FORBIDDEN')

    const token = tokenOf(order)
    expect((await s.as(null).paymentLinks.shown({ token })).order).toMatchObject({ amount: '1790.00', state: 'open', failure: null })
    const first = await s.as(null).paymentLinks.pay({ token })
    expect((await s.as(null).paymentLinks.pay({ token })).url).toBe(first.url)
    await payPage(first.url)
    expect((await s.as(null).paymentLinks.shown({ token })).order.state).toBe('paid')
    expect((await s.as(null).paymentLinks.pay({ token })).url).toBeNull()
    expect(await s.balance(customer)).toBe(10)
    expect((await s.as(desk).counterOrders.list({ customer_id })).total).toBe(0)
  })

  test('a refused card is reported, and the next one pays', async () => {
    const { customer_id } = await s.make.customer()
    const token = tokenOf(await open({ customer_id }))
    await payPage((await s.as(null).paymentLinks.pay({ token })).url, 'tok_declined')
    s.clock.set('2026-11-19T10:05:00-06:00')
    expect((await s.as(null).paymentLinks.shown({ token })).order.state).toBe('open')
    await payPage((await s.as(null).paymentLinks.pay({ token })).url)
    s.clock.set('2026-11-19T10:06:00-06:00')
    expect((await s.as(null).paymentLinks.shown({ token })).order.state).toBe('paid')
  })

  test('expires with what it holds', async () => {
    const { customer_id } = await s.make.customer()
    const order = await open({ customer_id })
    expect(await holdsStock(order.purchase.purchase_id)).toBe(true)
    s.clock.set('2026-11-22T10:00:00-06:00')
    expect(await codeOf(s.as(null).paymentLinks.shown({ token: tokenOf(order) }))).toBe('PAYMENT_LINK_GONE')
    expect(await codeOf(s.as(null).paymentLinks.pay({ token: tokenOf(order) }))).toBe('PAYMENT_LINK_GONE')
    const sweep = salesJobs.find((salesJob) => salesJob.name === 'sales.sweep-gateway')
    await sweep?.work(s.system('sales.sweep-gateway'), { gateway: 'sandbox' }, newRun())
    expect(await holdsStock(order.purchase.purchase_id)).toBe(false)
  })

  test('an order with a link is cancelled by staff; a made-up or changed token is invalid', async () => {
    const { customer_id } = await s.make.customer()
    const order = await open({ customer_id })
    const { purchase_id } = order.purchase
    const token = tokenOf(order)
    expect(await codeOf(s.as(null).paymentLinks.shown({ token: `1${token}` }))).toBe('PAYMENT_LINK_INVALID')
    expect((await s.as(desk).counterOrders.cancel({ purchase_id, reason: 'Ya no la quiere' })).purchase.status).toBe('cancelled')
    expect(await codeOf(s.as(null).paymentLinks.pay({ token }))).toBe('PAYMENT_LINK_GONE')
    expect(await codeOf(s.as(desk).counterOrders.send({ purchase_id }))).toBe('PURCHASE_CLOSED')
  })

  test('reading, paying and mailing it are limited: by address, by link and by order', async () => {
    const anOrder = async () => open({ customer_id: (await s.make.customer()).customer_id })
    const [first, two] = [await anOrder(), await anOrder()]
    const times = (n: number, call: () => Promise<unknown>) => Promise.all(Array.from({ length: n }, () => outcome(call())))

    const pay = (order: typeof first) => s.as(null).paymentLinks.pay({ token: tokenOf(order) })
    await times(30, () => s.as(null).paymentLinks.pay({ token: `${tokenOf(first)}x` }))
    expect(await outcome(pay(first))).toBe('ok')
    for (let n = 1; n < 30; n++) await outcome(pay(first))
    expect(await outcome(pay(first))).toBe('TOO_MANY_REQUESTS')
    expect(await outcome(pay(two))).toBe('ok')
    s.clock.advance({ minutes: 2 })
    expect(await outcome(pay(first))).toBe('ok')

    const mail = (order: typeof first) => s.as(desk).counterOrders.send({ purchase_id: order.purchase.purchase_id })
    for (let n = 0; n < 5; n++) expect(await outcome(mail(first))).toBe('ok')
    expect(await outcome(mail(first))).toBe('TOO_MANY_REQUESTS')
    expect(await outcome(mail(two))).toBe('ok')
    s.clock.advance({ minutes: 12 })
    expect(await outcome(mail(first))).toBe('ok')

    // The attempts of one caller at different links share one limit.
    const shownLink = (token: string) => s.as(null).paymentLinks.shown({ token })
    const tried = await times(121, () => shownLink(`1${tokenOf(first)}`))
    expect(tried.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(1)
    expect(await outcome(shownLink(tokenOf(two)))).toBe('TOO_MANY_REQUESTS')
    s.clock.advance({ seconds: 60 })
    expect(await outcome(shownLink(tokenOf(two)))).toBe('ok')
  })

  test('a sale of the same package at the counter ends it, and so does another order', async () => {
    const { customer_id } = await s.make.customer()
    const [first, two] = [await open({ customer_id }), await open({ customer_id })]
    expect(await codeOf(s.as(null).paymentLinks.shown({ token: tokenOf(first) }))).toBe('PAYMENT_LINK_GONE')
    const payment_method_id = (await s.make.paymentMethod({ name: 'Terminal' })).payment_method_id
    await s.as(desk, randomUUID()).counterSales.sell({
      customer_id,
      location_id,
      lines: [{ kind: 'package', class_package_id: ten }],
      shown: { total: '1790' },
      payments: [{ payment_method_id, amount: '1790' }],
    })
    expect(await codeOf(s.as(null).paymentLinks.shown({ token: tokenOf(two) }))).toBe('PAYMENT_LINK_GONE')
  })

  test('a payment link needs a customer with an email', async () => {
    const withoutEmail = await s.as(desk).people.create({ name: 'Sin', last_name: 'Correo', phone: '5511223399' })
    expect(await codeOf(open({ customer_id: withoutEmail.customer_id }))).toBe('CUSTOMER_EMAIL_REQUIRED')
  })
})
