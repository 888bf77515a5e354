/** Baskets with one charge at a processor: on a saved card, or by their customer with a link (docs/domain.md S12 to S14). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, salesJobs, sweep } from '#server/modules/sales/jobs.ts'
import { spreadRefund } from '#server/modules/sales/settlement/shared-charges.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { newRun } from '#server/testing/run.ts'
import { ledgerAmounts } from '#server/testing/sandbox-bank.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
let desk: Person
let location_id: number
let ten: number
let id: number
let socks: number
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true, cash_session_required: false } })
  bank = s.bank()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location()).location_id
  ten = (await s.make.package({ title: 'Diez', price_centavos: 179_000, class_amount: 10, expiration_days: 60 })).class_package_id
  id = (await s.make.package({ title: 'Una', price_centavos: 25_000, class_amount: 1, expiration_days: 30 })).class_package_id
  const answer = await s.as(owner, randomUUID()).products.create({
    name: 'Calcetines',
    price: '189.90',
    tax_rate: 8,
    stock: [{ location_id, quantity: 200 }],
  })
  socks = answer.product.product_id
})
afterAll(async () => {
  expect(await wrongMoney(s, true)).toEqual({})
  await s.close()
})
beforeEach(() => s.clock.set(START))

type Order = Parameters<ReturnType<TestStudio['as']>['counterOrders']['open']>[0]
let digits = 5_000
const withCard = async (behaviour = 'ok') => {
  const customer = await s.make.customer()
  const { payment_source } = await s.as(customer).cards.keep({ token_id: `tok_ok~visa~${++digits}~122030~k` })
  await s.sql(`update sandbox_card set card = jsonb_set(card, '{behaviour}', to_jsonb($1::text)) where card->>'last4' = $2`, [
    behaviour,
    String(digits),
  ])
  return { who: customer, customer_id: customer.customer_id, payment_source_id: payment_source?.payment_source_id ?? 0 }
}
/** Ten classes, two pairs of socks, water and a gift card: 1790 + 379.80 + 25 + 500. */
const basket = (): Order['lines'] => [
  { kind: 'package', class_package_id: ten },
  { kind: 'product', product_id: socks, quantity: 2 },
  { kind: 'other', title: 'Agua', amount: '25' },
  { kind: 'gift_card', amount: '500' },
]
const TOTAL = '2694.80'
const open = (input: Partial<Order> & Pick<Order, 'customer_id'>, key: string = randomUUID(), person = desk) =>
  s.as(person, key).counterOrders.open({ location_id, lines: basket(), shown: { total: TOTAL }, ...input })
const piecesLeft = async () => {
  const { products } = await s.as(owner).products.list({})
  return products.find((product) => product.product_id === socks)?.stock.find((stock) => stock.location_id === location_id)?.quantity ?? 0
}
const soldOf = async (class_package_id: number) =>
  (await s.sql<{ sold: number }>('select sold from class_package where class_package_id = $1', [class_package_id]))[0]?.sold ?? 0
const statusesOf = (customer_id: number) =>
  s.sql<{ title: string; status: string }>('select title, status from purchase where customer_id = $1 order by sale_line_id', [customer_id])
const tokenOf = (order: { link: { url: string } | null }) => order.link?.url.split('/').at(-1) ?? ''
const payPage = (url: string | null, token = 'tok_ok') => bank.giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', token)
const refund = (purchase_id: number, more: object = {}) =>
  s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Prueba', ...more })
const discrepancies = async () => {
  await reconcile(s.system())
  return (await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)
}
const job = (name: string, data: object) => salesJobs.find((salesJob) => salesJob.name === name)?.work(s.system(name), data, newRun())

describe('on a saved card', () => {
  test('an order on a saved card is one charge, given completely, with the tax of each item (S12)', async () => {
    const { who, ...buyer } = await withCard()
    const before = await piecesLeft()
    const order = await open(buyer)
    expect(order).toMatchObject({ state: 'paid', link: null, total: TOTAL })
    expect(order.lines.map(({ title, quantity, total }) => [title, quantity, total])).toEqual([
      ['Diez', 1, '1790.00'],
      ['Calcetines', 2, '379.80'],
      ['Agua', 1, '25.00'],
      ['Tarjeta de regalo de $500.00', 1, '500.00'],
    ])
    expect(await ledgerAmounts(s, order.purchase.purchase_id)).toEqual([269_480])
    expect(await s.balance(who)).toBe(10)
    expect(await piecesLeft()).toBe(before - 2)
    const charges = await s.sql(
      `select p.title, i.total_centavos, i.tax_rate, i.tax_centavos, i.gateway, i.location_id, i.cash_session_id
       from invoice i join purchase p using (purchase_id) where i.customer_id = $1 order by p.sale_line_id`,
      [who.customer_id],
    )
    const facts = { gateway: 'sandbox', location_id, cash_session_id: null }
    expect(charges).toEqual([
      { title: 'Diez', total_centavos: 179_000, tax_rate: 1600, tax_centavos: 24_690, ...facts },
      { title: 'Calcetines', total_centavos: 37_980, tax_rate: 800, tax_centavos: 2_813, ...facts },
      { title: 'Agua', total_centavos: 2_500, tax_rate: 1600, tax_centavos: 345, ...facts },
      { title: 'Tarjeta de regalo de $500.00', total_centavos: 50_000, tax_rate: 0, tax_centavos: 0, ...facts },
    ])
    const { sales } = await s.as(owner).counterSales.list({ customer_id: who.customer_id })
    expect(sales).toMatchObject([
      { total: TOTAL, paid: TOTAL, owed: '0.00', iva: '278.48', payments: [{ amount: TOTAL, state: 'received' }] },
    ])
    const [code] = order.gift_cards
    expect((await s.as(owner).giftCards.find({ code: code?.code ?? '' })).gift_card.balance).toBe('500.00')
    expect(await discrepancies()).toEqual([])
  })

  test('mails the code of the gift card to who paid, and a receipt of each item', async () => {
    const { who, ...buyer } = await withCard()
    const order = await open(buyer)
    const [card] = order.gift_cards
    await job('sales.gift-card', { purchase_id: card?.purchase_id })
    await job('sales.receipt', { purchase_id: order.lines[1]?.purchase_id, period: '0' })
    const mails = await s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1', [who.email])
    expect(mails.find(({ subject }) => subject === 'Tu tarjeta de regalo de $500.00')?.text).toContain(card?.code)
    expect(mails.find(({ subject }) => subject === 'Tu compra: Calcetines')?.text).toContain('$379.80')
    expect((await s.as(who).sales.list()).purchases.map((row) => row.payment_method?.name)).toEqual(
      Array(4).fill(`Visa terminada en ${digits}`),
    )
  })

  test('a refusal of the bank leaves nothing sold, and returns what was held', async () => {
    const { who, ...buyer } = await withCard('funds')
    const before = [await soldOf(ten), await piecesLeft()]
    const key = randomUUID()
    expect(await codeOf(open(buyer, key))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect(await codeOf(open(buyer, key))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect([await soldOf(ten), await piecesLeft()]).toEqual(before)
    expect((await statusesOf(who.customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('failed'))
    expect((await s.as(owner).counterSales.list({ customer_id: who.customer_id })).total).toBe(0)
    expect(await s.balance(who)).toBe(0)
  })

  test('the server dies between the charge and the books: the comparison with the processor gives everything once', async () => {
    const { who, ...buyer } = await withCard('timeout_paid')
    const key = randomUUID()
    expect((await open(buyer, key)).state).toBe('processing')
    expect(await s.balance(who)).toBe(0)
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    expect((await statusesOf(who.customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('completed'))
    const again = await open(buyer, key)
    expect(again.state).toBe('paid')
    expect(await ledgerAmounts(s, again.purchase.purchase_id)).toEqual([269_480])
    expect(await s.balance(who)).toBe(10)
    expect(await discrepancies()).toEqual([])
  })

  test('the same key is one order, and another basket with it is refused', async () => {
    const { who: _, ...buyer } = await withCard()
    const key = randomUUID()
    const all = await Promise.allSettled([open(buyer, key), open(buyer, key), open(buyer, key)])
    const ids = all.flatMap((done) => (done.status === 'fulfilled' ? [done.value.purchase.purchase_id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(await ledgerAmounts(s, ids[0] ?? 0)).toEqual([269_480])
    expect(await codeOf(open({ ...buyer, lines: basket().slice(1), shown: { total: '904.80' } }, key))).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('a bank that wants a confirmation turns the whole order into a link', async () => {
    const { who, ...buyer } = await withCard('3ds')
    const order = await open(buyer)
    expect(order).toMatchObject({ state: 'waiting', gift_cards: [] })
    await payPage((await s.as(null).paymentLinks.pay({ token: tokenOf(order) })).url)
    expect((await s.as(null).paymentLinks.shown({ token: tokenOf(order) })).order.state).toBe('paid')
    expect(await s.balance(who)).toBe(10)
    expect(await ledgerAmounts(s, order.purchase.purchase_id)).toEqual([269_480])
  })

  test('the server decides prices and what may be charged together; a free item is given with the rest', async () => {
    const { who, ...buyer } = await withCard()
    expect(await refusalOf(open({ ...buyer, shown: { total: '1' } }))).toMatchObject({ code: 'PRICE_CHANGED', data: { total: TOTAL } })
    const water = { kind: 'other' as const, title: 'Agua', amount: '25' }
    const cls = await s.make.class({ location_id })
    for (const item of [
      { kind: 'class' as const, single_class_id: cls.single_class_id },
      { kind: 'package' as const, class_package_id: ten, gift_to: (await s.make.customer()).customer_id },
    ])
      expect(await refusalOf(open({ ...buyer, lines: [water, item], shown: { total: '25' } }))).toMatchObject({ code: 'INVALID_INPUT' })
    const free = { kind: 'package' as const, class_package_id: id, price: { amount: '0', reason: 'Cortesía' } }
    expect(await codeOf(open({ ...buyer, lines: [free, free], shown: { total: '0' } }, randomUUID(), owner))).toBe('INVALID_INPUT')
    const order = await open({ ...buyer, lines: [free, water], shown: { total: '25' } }, randomUUID(), owner)
    expect(order).toMatchObject({ state: 'paid', purchase: { title: 'Agua' } })
    expect(await s.balance(who)).toBe(1)
    expect(await ledgerAmounts(s, order.purchase.purchase_id)).toEqual([2_500])
  })
})

test('money that arrives after the order was closed goes back whole, and gives nothing (V13)', async () => {
  const { who, ...buyer } = await withCard('timeout_paid')
  bank.held = true
  const order = await open(buyer)
  const { purchase_id } = order.purchase
  // The processor reported that it never had the charge, although it did.
  await s.sql(`update payment_attempt set state = 'refused' where purchase_id = $1`, [purchase_id])
  s.clock.advance({ minutes: 20 })
  await sweep(s.system())
  expect((await statusesOf(who.customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('failed'))
  await reconcile(s.system())
  expect(await ledgerAmounts(s, purchase_id)).toEqual([269_480, -269_480])
  expect((await statusesOf(who.customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('failed'))
  expect(await s.balance(who)).toBe(0)
  bank.held = false
  expect(await discrepancies()).toEqual([])
})

describe('with a link', () => {
  test('shows every item, is mailed with them, and is paid once', async () => {
    const customer = await s.make.customer()
    const order = await open({ customer_id: customer.customer_id })
    await job('sales.payment-link', { purchase_id: order.purchase.purchase_id })
    const [mail] = await s.sql<{ text: string }>('select text from mail_outbox where "to" = $1', [customer.email])
    for (const text of ['2 × Calcetines: $379.80', 'En total son $2,694.80', order.link?.url]) expect(mail?.text).toContain(text)
    const token = tokenOf(order)
    const { order: shown } = await s.as(null).paymentLinks.shown({ token })
    expect(shown).toMatchObject({ title: 'Diez y 3 más', amount: TOTAL, state: 'open' })
    expect(shown.lines.map(({ total }) => total)).toEqual(['1790.00', '379.80', '25.00', '500.00'])
    const [first, second] = await Promise.all([s.as(null).paymentLinks.pay({ token }), s.as(null).paymentLinks.pay({ token })])
    expect(first.url).toBe(second.url)
    await payPage(first.url)
    s.clock.advance({ seconds: 5 })
    expect((await s.as(null).paymentLinks.shown({ token })).order.state).toBe('paid')
    expect(await ledgerAmounts(s, order.purchase.purchase_id)).toEqual([269_480])
    expect(await s.balance(customer)).toBe(10)
    expect(await discrepancies()).toEqual([])
  })

  test('cancelled or expired it releases everything, and the link stops working', async () => {
    const { customer_id } = await s.make.customer()
    const before = [await soldOf(ten), await piecesLeft()]
    const order = await open({ customer_id })
    expect([await soldOf(ten), await piecesLeft()]).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) - 2])
    await s.as(desk).counterOrders.cancel({ purchase_id: order.purchase.purchase_id, reason: 'Ya no la quiere' })
    expect([await soldOf(ten), await piecesLeft()]).toEqual(before)
    expect((await statusesOf(customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('cancelled'))
    expect(await codeOf(s.as(null).paymentLinks.pay({ token: tokenOf(order) }))).toBe('PAYMENT_LINK_GONE')
    await open({ customer_id })
    s.clock.advance({ hours: 72 })
    await sweep(s.system())
    expect([await soldOf(ten), await piecesLeft()]).toEqual(before)
  })

  test('paid while the counter cancels it: it is sold, whichever reads the processor first', async () => {
    const customer = await s.make.customer()
    const order = await open({ customer_id: customer.customer_id })
    await payPage((await s.as(null).paymentLinks.pay({ token: tokenOf(order) })).url)
    expect(await codeOf(s.as(desk).counterOrders.cancel({ purchase_id: order.purchase.purchase_id, reason: 'Ya no' }))).toBe(
      'PURCHASE_CLOSED',
    )
    expect((await statusesOf(customer.customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('completed'))
    expect(await s.balance(customer)).toBe(10)
  })

  test('the price of a package changes meanwhile: the customer pays what they were shown', async () => {
    const customer = await s.make.customer()
    const order = await open({ customer_id: customer.customer_id })
    await s.sql('update class_package set price_centavos = 250000 where class_package_id = $1', [ten])
    await payPage((await s.as(null).paymentLinks.pay({ token: tokenOf(order) })).url)
    s.clock.advance({ seconds: 5 })
    expect((await s.as(null).paymentLinks.shown({ token: tokenOf(order) })).order).toMatchObject({ state: 'paid', amount: TOTAL })
    await s.sql('update class_package set price_centavos = 179000 where class_package_id = $1', [ten])
  })

  test('another order or sale with one of its packages ends all of it', async () => {
    const { customer_id } = await s.make.customer()
    const before = await piecesLeft()
    const first = await open({ customer_id })
    const second = await open({ customer_id, lines: [{ kind: 'package', class_package_id: ten }], shown: { total: '1790' } })
    expect(await codeOf(s.as(null).paymentLinks.shown({ token: tokenOf(first) }))).toBe('PAYMENT_LINK_GONE')
    expect(second.state).toBe('waiting')
    expect(await piecesLeft()).toBe(before)
  })
})

describe('money that goes back', () => {
  const paid = async () => {
    const { who, ...buyer } = await withCard()
    const order = await open(buyer)
    const [classes, pairs, water, card] = order.lines.map((item) => item.purchase_id)
    return { who, order, classes: classes ?? 0, pairs: pairs ?? 0, water: water ?? 0, card: card ?? 0 }
  }
  const refundedOf = (customer_id: number) =>
    s.sql(
      'select p.title, p.status, i.refunded_centavos as back from purchase p join invoice i using (purchase_id) where p.customer_id = $1 order by p.sale_line_id',
      [customer_id],
    )

  test('of one item takes that item only; the others keep theirs', async () => {
    const { who, order, classes, pairs, card } = await paid()
    await refund(pairs, { restock: 2 })
    await refund(classes, { amount: '790' })
    await refund(card, { amount: '100' })
    expect(await ledgerAmounts(s, order.purchase.purchase_id)).toEqual([269_480, -37_980, -79_000, -10_000])
    expect(await refundedOf(who.customer_id)).toEqual([
      { title: 'Diez', status: 'completed', back: 79_000 },
      { title: 'Calcetines', status: 'revoked', back: 37_980 },
      { title: 'Agua', status: 'completed', back: 0 },
      { title: 'Tarjeta de regalo de $500.00', status: 'completed', back: 10_000 },
    ])
    expect(await s.balance(who)).toBe(10)
    await refund(classes)
    expect(await s.balance(who)).toBe(0)
    expect(await codeOf(refund(classes))).toBe('REFUND_NOTHING_LEFT')
    expect(await codeOf(refund(card, { amount: '400.01' }))).toBe('REFUND_TOO_MUCH')
    expect(await discrepancies()).toEqual([])
  })

  test('refunds by hand and through the processor are distinguished', async () => {
    const { who, water, classes } = await paid()
    await refund(classes, { amount: '300' })
    await refund(classes, { amount: '200', by_hand: true })
    await refund(water, { by_hand: true })
    await refund(classes, { amount: '100' })
    expect((await refundedOf(who.customer_id)).map((row) => (row as { back: number }).back)).toEqual([60_000, 0, 2_500, 0])
    expect(await discrepancies()).toEqual([])
  })

  test('in the panel of the processor counts in the order of the items', async () => {
    const { who, order, water } = await paid()
    await refund(water)
    const [attempt] = await s.sql<{ ref_id: string; payment: string }>(
      `select a.ref_id, i.provider_payment as payment from payment_attempt a join invoice i using (purchase_id) where a.purchase_id = $1`,
      [order.purchase.purchase_id],
    )
    await bank.refund({ gateway: 'sandbox', kind: 'payment', id: attempt?.ref_id ?? '' }, attempt?.payment ?? '', 200_000, {
      purchase: order.purchase.purchase_id,
      step: 'panel',
      n: 1,
    })
    expect(await discrepancies()).toEqual([])
    expect(await refundedOf(who.customer_id)).toMatchObject([
      { status: 'revoked', back: 179_000 },
      { back: 21_000 },
      { back: 2_500 },
      { back: 0 },
    ])
  })

  test('a dispute of a part that is lost is divided among the items to the centavo, and revokes none of them', async () => {
    const { who, order, water } = await paid()
    await refund(water)
    const [attempt] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [
      order.purchase.purchase_id,
    ])
    for (const state of ['open', 'lost'] as const) {
      await bank.dispute(attempt?.ref_id ?? '', state, 100_001)
      expect(await discrepancies()).toEqual([])
    }
    const parts = await s.sql<{ lost: number; left: number }>(
      `select i.disputed_centavos as lost, i.total_centavos - i.refunded_centavos as left from invoice i join purchase p using (purchase_id)
       where p.customer_id = $1 and i.status = 'lost' order by p.sale_line_id`,
      [who.customer_id],
    )
    expect(parts.reduce((sum, { lost }) => sum + lost, 0)).toBe(100_001)
    expect(parts).toMatchObject([{ left: 179_000 }, { left: 37_980 }, { lost: 0, left: 0 }, { left: 50_000 }])
    expect((await statusesOf(who.customer_id)).map(({ status }) => status)).toEqual(['completed', 'completed', 'revoked', 'completed'])
  })

  test('a dispute that is lost takes all of it', async () => {
    const { who, order } = await paid()
    const [attempt] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [
      order.purchase.purchase_id,
    ])
    await bank.dispute(attempt?.ref_id ?? '', 'lost')
    await reconcile(s.system())
    expect((await statusesOf(who.customer_id)).map(({ status }) => status)).toEqual(Array(4).fill('revoked'))
    expect(await s.balance(who)).toBe(0)
  })
})

describe('how a refund of a charge is divided', () => {
  const share = (amount: number, known = 0, requested = 0) => ({ amount, known, requested })
  test.each([
    ['nothing', 0, [share(100), share(50)], [0, 0]],
    ['what is known stays', 70, [share(100, 20), share(50, 50)], [20, 50]],
    ['what is under way', 30, [share(100), share(50, 0, 30)], [0, 30]],
    ['the panel, in order', 130, [share(100), share(50)], [100, 30]],
    ['what is under way before the panel', 40, [share(100), share(50, 0, 30)], [10, 30]],
    ['less than is known, the last first', 30, [share(100, 20), share(50, 50)], [20, 10]],
    ['more than there is', 500, [share(100), share(50)], [100, 50]],
  ])('%s', (_, refunded, shares, amount) => {
    expect(spreadRefund(refunded, shares)).toEqual(amount)
  })
})
