/** Orders with several payments: a part at the counter, the rest by a processor (docs/domain.md S15). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pesos } from '#contract/money.ts'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { pdfText } from '#server/testing/pdf-text.ts'
import { ledgerTotal } from '#server/testing/sandbox-bank.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
let desk: Person
let location_id: number
let cash_session_id: number
let cash: number
let terminal: number
let transfer: number
let ten: number
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: true } })
  bank = s.bank()
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
  terminal = (await s.make.paymentMethod({ name: 'Terminal', kind: 'terminal' })).payment_method_id
  transfer = (await s.make.paymentMethod({ name: 'Transferencia', kind: 'transfer' })).payment_method_id
  ten = (await s.make.package({ title: 'Diez', price_centavos: 179_000, class_amount: 10, expiration_days: 60 })).class_package_id
})
afterAll(async () => {
  await reconcile(s.system())
  expect((await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)).toEqual([])
  expect(await wrongMoney(s, true)).toEqual({})
  await s.close()
})
beforeEach(async () => {
  s.clock.set(START)
  await newDesk()
})

/** A receptionist of this test with an open till. */
async function newDesk() {
  desk = await s.make.staff('reception')
  const { cash_session } = await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '500' })
  cash_session_id = cash_session.cash_session_id
}

type Order = Parameters<ReturnType<TestStudio['as']>['counterOrders']['open']>[0]
let digits = 7_000
async function withCard(behaviour = 'ok') {
  const customer = await s.make.customer()
  const { payment_source } = await s.as(customer).cards.keep({ token_id: `tok_ok~visa~${++digits}~122030~k` })
  await s.sql(`update sandbox_card set card = jsonb_set(card, '{behaviour}', to_jsonb($1::text)) where card->>'last4' = $2`, [
    behaviour,
    String(digits),
  ])
  return { who: customer, buyer: { customer_id: customer.customer_id, payment_source_id: payment_source?.payment_source_id ?? 0 } }
}
/** Ten classes, and water: 1790 + 25. */
const basket = (): Order['lines'] => [
  { kind: 'package', class_package_id: ten },
  { kind: 'other', title: 'Agua', amount: '25' },
]
const open = (input: Partial<Order> & Pick<Order, 'customer_id'>, key: string = randomUUID()) =>
  s.as(desk, key).counterOrders.open({ location_id, lines: basket(), shown: { total: '1815' }, ...input })
const inCash = (amount: string, more: object = {}) => ({ payment_method_id: cash, amount, ...more })
async function giftCard(amount: string) {
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount }],
    shown: { total: amount },
    payments: [{ payment_method_id: terminal, amount }],
  })
  const card = sale.lines[0]?.gift_card
  if (!card) throw new Error('The sale has no gift card.')
  const read = () => s.as(owner).giftCards.one({ gift_card_id: card.gift_card_id })
  return {
    ...card,
    balance: async () => (await read()).gift_card.balance,
    kinds: async () => (await read()).movements.map(({ kind }) => kind),
  }
}
const till = async (id = cash_session_id) => {
  const { cash_session } = await s.as(owner).cashSessions.one({ cash_session_id: id })
  return Object.fromEntries(cash_session.ways.filter(({ count }) => count).map(({ name, sales }) => [name, sales]))
}
const liability = async () => Number((await s.as(owner).giftCards.list({})).liability)
const chargesOf = (customer_id: number) =>
  s.sql<{ gateway: string; total: number }>(
    'select i.gateway, i.total_centavos as total from invoice i where i.customer_id = $1 order by i.invoice_id',
    [customer_id],
  )
const isSold = async (customer_id: number) =>
  (await s.sql<{ status: string }>('select distinct status from purchase where customer_id = $1', [customer_id])).map(
    ({ status }) => status,
  )

describe('with a saved card', () => {
  test('cash, a terminal and the card are one sale: each way in its own column, change, and the tax of each item', async () => {
    const { who, buyer } = await withCard()
    const order = await open({
      ...buyer,
      payments: [inCash('500', { received: '600' }), { payment_method_id: terminal, amount: '315', last_digits: '4242' }],
    })
    expect(order).toMatchObject({ state: 'paid', total: '1815.00', charge: '1000.00' })
    expect(order.payments).toEqual([
      { name: 'Efectivo', amount: '500.00', change: '100.00' },
      { name: 'Terminal', amount: '315.00', change: '0.00' },
    ])
    expect(await ledgerTotal(s, order.purchase.purchase_id)).toBe(100_000)
    expect(await s.balance(who)).toBe(10)
    expect(await till()).toEqual({ Efectivo: '500.00', Terminal: '315.00' })
    const { sales } = await s.as(desk).counterSales.list({ customer_id: who.customer_id })
    expect(sales).toMatchObject([{ total: '1815.00', paid: '1815.00', pending: '0.00', owed: '0.00', change: '100.00', iva: '250.35' }])
    expect(sales[0]?.payments.map(({ name, amount, state }) => [name, amount, state])).toEqual([
      ['Efectivo', '500.00', 'received'],
      ['Terminal', '315.00', 'received'],
      ['Pago en línea', '1000.00', 'received'],
    ])
    const [taxes] = await s.sql<{ tax: number }>('select sum(tax_centavos)::int as tax from invoice where customer_id = $1', [
      who.customer_id,
    ])
    expect(taxes?.tax).toBe(25_035)
    // One receipt for all of it, with each payment; staff of other locations do not read it.
    const sale_id = order.sale_id ?? 0
    const printed = pdfText(new Uint8Array(await (await s.as(desk).counterSales.receipt({ sale_id })).arrayBuffer()))
    for (const text of [
      'Diez',
      'Agua',
      '$1,815.00 MXN',
      'Efectivo',
      '$500.00',
      'Terminal ···4242',
      '$315.00',
      '$1,000.00',
      'Cambio',
      '$100.00',
    ])
      expect(printed).toContain(text)
    const { location_id: elsewhere } = await s.make.location()
    const stranger = await s.make.staff('reception')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [stranger.uid, elsewhere])
    expect(await codeOf(s.as(stranger).counterSales.receipt({ sale_id }))).toBe('NOT_FOUND')
    expect((await s.as(desk).studioSales.purchase({ purchase_id: order.purchase.purchase_id })).sale_id).toBe(sale_id)
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('a refusal of the bank leaves nothing: no sale, an unchanged till and the gift card with its balance', async () => {
    const { who, buyer } = await withCard('funds')
    const card = await giftCard('300')
    const key = randomUUID()
    const payments = [inCash('500'), { gift_card_code: card.code, amount: '200' }]
    expect(await codeOf(open({ ...buyer, payments }, key))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect(await codeOf(open({ ...buyer, payments }, key))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect(await isSold(who.customer_id)).toEqual(['failed'])
    expect(await till()).toEqual({})
    expect(await card.balance()).toBe('300.00')
    expect(await card.kinds()).toEqual(['released', 'spent', 'sold'])
    expect((await s.as(desk).counterSales.list({ customer_id: who.customer_id })).total).toBe(0)
    expect(await chargesOf(who.customer_id)).toEqual([])
  })

  test('the server dies between the charge and the books: everything counts once, in the till that is open then', async () => {
    const { who, buyer } = await withCard('timeout_paid')
    const key = randomUUID()
    const before = await liability()
    const card = await giftCard('300')
    const payments = [inCash('500'), { gift_card_code: card.code, amount: '300' }]
    expect(await open({ ...buyer, payments }, key)).toMatchObject({ state: 'processing', charge: '1015.00' })
    expect([await till(), await card.balance(), await s.balance(who)]).toEqual([{}, '0.00', 0])
    expect(await liability()).toBe(before + 300)
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    await sweep(s.system())
    expect(await isSold(who.customer_id)).toEqual(['completed'])
    expect([await till(), await s.balance(who)]).toEqual([{ Efectivo: '500.00' }, 10])
    expect((await open({ ...buyer, payments }, key)).state).toBe('paid')
    expect((await chargesOf(who.customer_id)).reduce((sum, { total }) => sum + total, 0)).toBe(181_500)
    expect(await liability()).toBe(before)
  })

  test('a till that was counted meanwhile does not change', async () => {
    const { who, buyer } = await withCard('timeout_paid')
    await open({ ...buyer, payments: [inCash('500')] })
    await s
      .as(desk, randomUUID())
      .cashSessions.close({ cash_session_id, cash: { '500': 2 }, left_in_drawer: '500', note: 'Sobran 500 de una venta en proceso' })
    const before = await s.as(owner).cashSessions.one({ cash_session_id })
    s.clock.advance({ minutes: 3 })
    await sweep(s.system())
    expect(await isSold(who.customer_id)).toEqual(['completed'])
    expect(await s.as(owner).cashSessions.one({ cash_session_id })).toEqual(before)
    expect(
      await s.sql(`select distinct cash_session_id from invoice where customer_id = $1 and gateway = 'efectivo'`, [who.customer_id]),
    ).toEqual([{ cash_session_id: null }])
  })

  test('a bank that wants a confirmation sells nothing, as the cash cannot wait; with a gift card only it becomes a link', async () => {
    const { who, buyer } = await withCard('3ds')
    const key = randomUUID()
    expect(await codeOf(open({ ...buyer, payments: [inCash('500')] }, key))).toBe('CARD_CONFIRMATION')
    expect(await codeOf(open({ ...buyer, payments: [inCash('500')] }, key))).toBe('CARD_CONFIRMATION')
    expect([await isSold(who.customer_id), await till()]).toEqual([['failed'], {}])
    const card = await giftCard('815')
    const order = await open({ ...buyer, payments: [{ gift_card_code: card.code, amount: '815' }] })
    expect(order).toMatchObject({ state: 'waiting', charge: '1000.00' })
    expect(await card.balance()).toBe('0.00')
  })

  test('the same key takes each way once, also at the same time', async () => {
    const { who, buyer } = await withCard()
    const card = await giftCard('300')
    const key = randomUUID()
    const payments = [inCash('500'), { gift_card_code: card.code, amount: '200' }]
    const all = await Promise.allSettled([1, 2, 3].map(() => open({ ...buyer, payments }, key)))
    expect(all.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await open({ ...buyer, payments }, key)).state).toBe('paid')
    expect([await till(), await card.balance(), await s.balance(who)]).toEqual([{ Efectivo: '500.00' }, '100.00', 10])
    expect(await codeOf(open({ ...buyer, payments: [inCash('400')] }, key))).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('a transfer beside the card waits for its confirmation', async () => {
    const { who, buyer } = await withCard()
    await open({ ...buyer, payments: [{ payment_method_id: transfer, amount: '815', reference: 'SPEI 1' }] })
    const { sales } = await s.as(desk).counterSales.list({ customer_id: who.customer_id })
    expect(sales).toMatchObject([{ paid: '1000.00', pending: '815.00', owed: '0.00' }])
    const { sale } = await s.as(desk).counterSales.confirm({ invoice_id: sales[0]?.payments[0]?.invoice_ids[0] ?? 0 })
    expect(sale).toMatchObject({ paid: '1815.00', pending: '0.00' })
  })

  test('what leaves nothing for the card, a closed till and an unknown method are refused before anything is charged', async () => {
    const { who, buyer } = await withCard()
    expect(await refusalOf(open({ ...buyer, payments: [inCash('1815')] }))).toMatchObject({
      code: 'PAYMENTS_DIFFER',
      data: { missing: '0.00' },
    })
    expect(await codeOf(open({ ...buyer, payments: [inCash('1500'), inCash('400')] }))).toBe('PAYMENTS_DIFFER')
    expect(await codeOf(open({ ...buyer, payments: [{ payment_method_id: 2_000_000_000, amount: '5' }] }))).toBe(
      'PAYMENT_METHOD_UNAVAILABLE',
    )
    const card = await giftCard('100')
    expect(await codeOf(open({ ...buyer, payments: [{ gift_card_code: card.code, amount: '100.01' }] }))).toBe('GIFT_CARD_BALANCE')
    const items: Order['lines'] = [{ kind: 'gift_card', amount: '1815' }]
    const bad = { ...buyer, lines: items, payments: [{ gift_card_code: card.code, amount: '100' }] }
    expect(await refusalOf(open(bad))).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'payments.0.gift_card_code' } })
    await s.as(desk, randomUUID()).cashSessions.close({ cash_session_id, cash: { '500': 1 }, left_in_drawer: '500' })
    expect(await codeOf(open({ ...buyer, payments: [inCash('500')] }))).toBe('CASH_SESSION_REQUIRED')
    expect([await chargesOf(who.customer_id), await isSold(who.customer_id), await card.balance()]).toEqual([[], [], '100.00'])
  })

  test('each way is refunded by itself, and what it bought goes with the last one (S5)', async () => {
    const { who, buyer } = await withCard()
    const card = await giftCard('300')
    const order = await open({ ...buyer, payments: [inCash('515'), { gift_card_code: card.code, amount: '300' }] })
    const classes = order.lines[0]?.purchase_id ?? 0
    const rows = await s.sql<{ invoice_id: number; gateway: string; total: number }>(
      'select invoice_id, gateway, total_centavos as total from invoice where purchase_id = $1 order by invoice_id',
      [classes],
    )
    expect(rows.map(({ gateway, total }) => [gateway, total])).toEqual([
      ['sandbox', 100_000],
      ['efectivo', 51_500],
      ['regalo', 27_500],
    ])
    for (const [n, { invoice_id, gateway }] of rows.entries()) {
      expect(await s.balance(who)).toBe(n < 3 ? 10 : 0)
      const by_hand = gateway === 'efectivo' ? { by_hand: true } : {}
      await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: classes, invoice_id, reason: 'Prueba', ...by_hand })
    }
    expect(await s.balance(who)).toBe(0)
    expect(await card.balance()).toBe('275.00')
    expect(await ledgerTotal(s, order.purchase.purchase_id)).toBe(0)
    expect(await wrongMoney(s, false)).toEqual({})
  })
})

describe('with a link', () => {
  const tokenOf = (order: { link: { url: string } | null }) => order.link?.url.split('/').at(-1) ?? ''
  const pay = async (token: string) => {
    const { url } = await s.as(null).paymentLinks.pay({ token })
    await bank.giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', 'tok_ok')
    s.clock.advance({ seconds: 5 })
    return (await s.as(null).paymentLinks.shown({ token })).order
  }

  test('a gift card pays a part and the customer the rest; the mail says so', async () => {
    const customer = await s.make.customer()
    const card = await giftCard('815')
    const order = await open({ customer_id: customer.customer_id, payments: [{ gift_card_code: card.code, amount: '815' }] })
    expect((await s.as(null).paymentLinks.shown({ token: tokenOf(order) })).order).toMatchObject({
      amount: '1000.00',
      by_gift_card: '815.00',
    })
    expect(await pay(tokenOf(order))).toMatchObject({ state: 'paid', amount: '1000.00' })
    expect(await ledgerTotal(s, order.purchase.purchase_id)).toBe(100_000)
    expect([await s.balance(customer), await card.balance(), await card.kinds()]).toEqual([10, '0.00', ['spent', 'sold']])
  })

  test('money that staff receive cannot wait for a link', async () => {
    const { customer_id } = await s.make.customer()
    expect(await refusalOf(open({ customer_id, payments: [inCash('500')] }))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'payments.0.payment_method_id' },
    })
  })

  test('cancelled, expired or replaced, it gives the balance back once', async () => {
    const { customer_id } = await s.make.customer()
    const card = await giftCard('815')
    const payments = [{ gift_card_code: card.code, amount: '815' }]
    const first = await open({ customer_id, payments })
    expect(await codeOf(open({ customer_id: (await s.make.customer()).customer_id, payments }))).toBe('GIFT_CARD_BALANCE')
    await s.as(desk).counterOrders.cancel({ purchase_id: first.purchase.purchase_id, reason: 'Ya no la quiere' })
    await s.as(desk).counterOrders.cancel({ purchase_id: first.purchase.purchase_id, reason: 'Ya no la quiere' })
    expect(await card.balance()).toBe('815.00')
    await open({ customer_id, payments })
    expect(await card.balance()).toBe('0.00')
    s.clock.advance({ hours: 72 })
    await sweep(s.system())
    await sweep(s.system())
    expect(await card.balance()).toBe('815.00')
    expect(await card.kinds()).toEqual(['released', 'spent', 'released', 'spent', 'sold'])
  })

  test('two orders want the same balance at the same time: one has it', async () => {
    const card = await giftCard('815')
    const payments = [{ gift_card_code: card.code, amount: '815' }]
    const people = await Promise.all([1, 2, 3, 4].map(() => s.make.customer()))
    const all = await Promise.allSettled(people.map(({ customer_id }) => open({ customer_id, payments })))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await card.balance()).toBe('0.00')
    expect(await wrongMoney(s, false)).toEqual({})
  })
})

test('however an order is divided, the till, the processor and the books agree to the centavo', async () => {
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  let [drawer, atTerminal] = [0, 0]
  for (let n = 0; n < 25; n++) {
    const { who, buyer } = await withCard(n % 5 === 4 ? 'funds' : 'ok')
    const prices = Array.from({ length: 1 + random(4) }, () => 100 + random(90_000))
    const total = prices.reduce((sum, price) => sum + price, 0)
    const [a, b] = [1 + random(total - 50), 1 + random(total)]
    const [inDrawer, onTerminal] = a + b < total - 20 ? [a, b] : [Math.max(1, Math.floor(total / 3)), 1]
    const order = await open({
      ...buyer,
      shown: { total: pesos(total) },
      lines: prices.map((price, at) => ({ kind: 'other' as const, title: `Cosa ${at}`, amount: pesos(price) })),
      payments: [inCash(pesos(inDrawer)), { payment_method_id: terminal, amount: pesos(onTerminal) }],
    }).catch(() => null)
    expect(order === null).toBe(n % 5 === 4)
    if (!order) continue
    drawer += inDrawer
    atTerminal += onTerminal
    expect(await ledgerTotal(s, order.purchase.purchase_id)).toBe(total - inDrawer - onTerminal)
    expect((await chargesOf(who.customer_id)).reduce((sum, charge) => sum + charge.total, 0)).toBe(total)
  }
  expect(await till()).toEqual({ Efectivo: pesos(drawer), Terminal: pesos(atTerminal) })
  expect(await wrongMoney(s, false)).toEqual({})
})
