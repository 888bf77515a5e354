/** Two desks that sell the last of something at once, over two processes (docs/domain.md S1). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
let owner: Person
let desks: Person[]
let location_id: number
let cash: number
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00' } })
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  location_id = (await s.make.location()).location_id
  owner = await s.make.staff('owner')
  desks = [await s.make.staff('reception'), await s.make.staff('reception')]
  for (const desk of desks) await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
  other = await secondProcess(s)
})
afterAll(async () => {
  await other?.close()
  await s.close()
})

/** Both desks at both processes at once. */
const atOnce = <T>(work: (on: Client, n: number) => Promise<T>) =>
  Promise.allSettled(desks.flatMap((desk, n) => [work(s.as(desk, randomUUID()), 2 * n), work(other.as(desk, randomUUID()), 2 * n + 1)]))
const codes = (done: PromiseSettledResult<unknown>[]) =>
  done.map((result) => (result.status === 'rejected' ? String((result.reason as { code?: string }).code) : 'ok')).sort()

test('the last spot of a class is sold in one basket, and the others leave nothing behind', async () => {
  const { single_class_id } = await s.make.class({ location_id, capacity: 1 })
  const { class_package_id } = await s.make.package({ price_centavos: 100_000 })
  const buyers = await Promise.all(Array.from({ length: 4 }, () => s.make.customer()))
  const done = await atOnce((on, n) =>
    on.counterSales.sell({
      customer_id: buyers[n]?.customer_id ?? 0,
      location_id,
      shown: { total: '1220' },
      lines: [
        { kind: 'package', class_package_id },
        { kind: 'class', single_class_id },
      ],
      payments: [{ payment_method_id: cash, amount: '1220' }],
    }),
  )
  expect(codes(done)).toEqual(['CLASS_FULL', 'CLASS_FULL', 'CLASS_FULL', 'ok'])
  expect(await s.sql(`select sold from class_package where class_package_id = ${class_package_id}`)).toEqual([{ sold: 1 }])
  expect(await findBrokenInvariants(s)).toEqual({})
  expect(await wrongMoney(s, false)).toEqual({})
})

test('a debt received concurrently is received once', async () => {
  const owner = await s.make.staff('owner')
  const { customer_id } = await s.make.customer()
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id,
    location_id,
    lines: [{ kind: 'other', title: 'Toalla', amount: '90' }],
    shown: { total: '90' },
    owe: { until: '2099-01-01', reason: 'Paga luego' },
  })
  const done = await atOnce((on) =>
    on.counterSales.pay({ sale_id: sale.sale_id ?? 0, payments: [{ payment_method_id: cash, amount: '90' }] }),
  )
  expect(codes(done)).toEqual(['PAYMENTS_DIFFER', 'PAYMENTS_DIFFER', 'PAYMENTS_DIFFER', 'ok'])
  expect(await wrongMoney(s, false)).toEqual({})
})

test('the last piece of a product is sold once, and the other baskets are refused with what is left (I2)', async () => {
  const owner = await s.make.staff('owner')
  const stock = [{ location_id, quantity: 1 }]
  const { product } = await s.as(owner, randomUUID()).products.create({ name: `Agua ${randomUUID()}`, price: '25', stock })
  const { product_id } = product
  const done = await atOnce((on) =>
    on.counterSales.sell({
      customer_id: null,
      location_id,
      lines: [{ kind: 'product', product_id }],
      shown: { total: '25' },
      payments: [{ payment_method_id: cash, amount: '25' }],
    }),
  )
  expect(codes(done)).toEqual(['PRODUCT_SOLD_OUT', 'PRODUCT_SOLD_OUT', 'PRODUCT_SOLD_OUT', 'ok'])
  expect(await s.sql('select quantity from product_stock where product_id = $1', [product_id])).toEqual([{ quantity: 0 }])
  expect(await s.sql('select count(*)::int as n from customer where is_anonymous')).toEqual([{ n: 1 }])
  expect(await wrongMoney(s, false)).toEqual({})
})

test('the last pesos of a gift card pay one of several sales (I6)', async () => {
  const owner = await s.make.staff('owner')
  const terminal = (await s.make.paymentMethod({ name: 'Terminal' })).payment_method_id
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount: '100' }],
    shown: { total: '100' },
    payments: [{ payment_method_id: terminal, amount: '100' }],
  })
  const gift_card_code = sale.lines[0]?.gift_card?.code ?? ''
  const done = await atOnce((on) =>
    on.counterSales.sell({
      customer_id: null,
      location_id,
      lines: [{ kind: 'other', title: 'Toalla', amount: '100' }],
      shown: { total: '100' },
      payments: [{ gift_card_code, amount: '100' }],
    }),
  )
  expect(codes(done)).toEqual(['GIFT_CARD_BALANCE', 'GIFT_CARD_BALANCE', 'GIFT_CARD_BALANCE', 'ok'])
  expect((await s.as(owner).giftCards.find({ code: gift_card_code })).gift_card.balance).toBe('0.00')
  expect(await wrongMoney(s, false)).toEqual({})
})

test('an order repeated at both processes with one key is one purchase, charged once (S7)', async () => {
  const buyer = await s.make.customer()
  const { payment_source } = await s.as(buyer).cards.keep({ token_id: 'tok_ok~visa~4242~122030~k' })
  const { class_package_id } = await s.make.package({ price_centavos: 100_000, class_amount: 5 })
  const key = randomUUID()
  const [desk] = desks
  if (!desk || !payment_source) throw new Error('There is no desk or card.')
  const order = {
    customer_id: buyer.customer_id,
    location_id,
    lines: [{ kind: 'package' as const, class_package_id }],
    shown: { total: '1000' },
    payment_source_id: payment_source.payment_source_id,
  }
  await Promise.allSettled([s, other, s, other].map((on) => on.as(desk, key).counterOrders.open(order)))
  const { purchase, state } = await s.as(desk, key).counterOrders.open(order)
  expect(state).toBe('paid')
  expect(await s.sql('select count(*)::int as n from purchase where customer_id = $1', [buyer.customer_id])).toEqual([{ n: 1 }])
  expect(await s.bank().ledger(purchase.purchase_id)).toHaveLength(1)
  expect(await s.balance(buyer)).toBe(5)
})

test('a link paid from several devices leads to one page and one charge (S9)', async () => {
  const buyer = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 100_000, class_amount: 5 })
  const [desk] = desks
  if (!desk) throw new Error('There is no desk.')
  const { link, purchase } = await s.as(desk, randomUUID()).counterOrders.open({
    customer_id: buyer.customer_id,
    location_id,
    lines: [{ kind: 'package', class_package_id }],
    shown: { total: '1000' },
  })
  const token = link?.url.split('/').at(-1) ?? ''
  const done = await Promise.allSettled([s, other, s, other].map((on) => on.as(null).paymentLinks.pay({ token })))
  const urls = new Set(done.flatMap((result) => (result.status === 'fulfilled' && result.value.url ? [result.value.url] : [])))
  expect(urls.size).toBe(1)
  expect(await s.sql('select count(*)::int as n from payment_attempt where purchase_id = $1', [purchase.purchase_id])).toEqual([{ n: 1 }])
})

test('a basket whose link is paid and read at both processes while it is cancelled is sold once, or not at all (S12)', async () => {
  const [desk] = desks
  if (!desk) throw new Error('There is no desk.')
  for (let round = 0; round < 4; round++) {
    const buyer = await s.make.customer()
    const { class_package_id } = await s.make.package({ price_centavos: 100_000, class_amount: 5 })
    const { link, lines, purchase } = await s.as(desk, randomUUID()).counterOrders.open({
      customer_id: buyer.customer_id,
      location_id,
      shown: { total: '1125' },
      lines: [
        { kind: 'package', class_package_id },
        { kind: 'other', title: 'Agua', amount: '25' },
        { kind: 'gift_card', amount: '100' },
      ],
    })
    const token = link?.url.split('/').at(-1) ?? ''
    const { url } = await s.as(null).paymentLinks.pay({ token })
    const page = new URL(url ?? '').pathname.split('/').at(-1) ?? ''
    await Promise.allSettled([
      s.bank().giveToken(page, 'tok_ok'),
      s.as(desk).counterOrders.cancel({ purchase_id: purchase.purchase_id, reason: 'Ya no' }),
      other.as(desk).counterOrders.cancel({ purchase_id: purchase.purchase_id, reason: 'Ya no' }),
      s.as(null).paymentLinks.shown({ token }),
      other.as(null).paymentLinks.shown({ token }),
      other.as(null).paymentLinks.pay({ token }),
    ])
    await reconcile(s.system())
    const ids = lines.map((line) => line.purchase_id)
    const statuses = await s.sql<{ status: string }>('select distinct status from purchase where purchase_id = any($1)', [ids])
    expect(statuses).toHaveLength(1)
    const isSold = statuses[0]?.status === 'completed'
    const charged = (await s.bank().ledger(purchase.purchase_id)).reduce(
      (sum, row) => sum + (row.kind === 'refund' ? -row.amount : row.amount),
      0,
    )
    expect([charged, await s.balance(buyer)]).toEqual(isSold ? [112_500, 5] : [0, 0])
    expect(await s.sql('select count(*)::int as n from gift_card where purchase_id = any($1)', [ids])).toEqual([{ n: isSold ? 1 : 0 }])
  }
  expect(await wrongMoney(s, false)).toEqual({})
})

test('refunds of two items of one charge at both processes give back each once (S14)', async () => {
  const [desk] = desks
  const buyer = await s.make.customer()
  const { payment_source } = await s.as(buyer).cards.keep({ token_id: 'tok_ok~visa~4343~122030~k' })
  if (!desk || !payment_source) throw new Error('There is no desk or card.')
  const { lines, purchase } = await s.as(desk, randomUUID()).counterOrders.open({
    customer_id: buyer.customer_id,
    location_id,
    shown: { total: '60' },
    payment_source_id: payment_source.payment_source_id,
    lines: [
      { kind: 'other', title: 'Agua', amount: '25' },
      { kind: 'other', title: 'Toalla', amount: '35' },
    ],
  })
  const done = await Promise.allSettled(
    [s, other, s, other].map((on, n) =>
      on.as(owner, randomUUID()).studioSales.refund({ purchase_id: lines[n % 2]?.purchase_id ?? 0, reason: 'Prueba' }),
    ),
  )
  for (const line of lines)
    await s
      .as(owner, randomUUID())
      .studioSales.refund({ purchase_id: line.purchase_id, reason: 'Prueba' })
      .catch(() => null)
  expect(done.some(({ status }) => status === 'fulfilled')).toBe(true)
  const back = (await s.bank().ledger(purchase.purchase_id)).filter(({ kind }) => kind === 'refund').map(({ amount }) => amount)
  expect(back.sort((a, b) => a - b)).toEqual([2_500, 3_500])
  expect(await wrongMoney(s, false)).toEqual({})
})
