/** Gift cards: sold, spent, returned, refunded and adjusted at the counter (docs/domain.md I4 to I8). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GIFT_CARD_SIGNS } from '#contract/gift-cards.ts'
import { Chance } from '#server/demo/chance.ts'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let cash: number
let till: number
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  till = (await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })).cash_session.cash_session_id
})
afterAll(() => s.close())

type Basket = Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]
const sell = (lines: Basket['lines'], total: string, more: Partial<Basket> = {}, key: string = randomUUID()) =>
  s.as(desk, key).counterSales.sell({
    customer_id: null,
    location_id,
    lines,
    shown: { total },
    payments: [{ payment_method_id: cash, amount: total }],
    ...more,
  })
const other = (amount: string) => [{ kind: 'other' as const, title: 'Toalla', amount }]
async function card(amount: string) {
  const { sale } = await sell([{ kind: 'gift_card', amount }], amount)
  const line = sale.lines[0]
  if (!line?.gift_card) throw new Error('The sale has no gift card.')
  return { ...line.gift_card, purchase_id: line.purchase_id ?? 0, sale_id: sale.sale_id ?? 0 }
}
const cardById = (gift_card_id: number) => s.as(owner).giftCards.one({ gift_card_id })
const balance = async (of: { gift_card_id: number }) => (await cardById(of.gift_card_id)).gift_card.balance
const refund = (purchase_id: number, more: { amount?: string; invoice_id?: number; by_hand?: boolean } = {}) =>
  s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Prueba', ...more })
const cashOfSession = async () => {
  const { cash_session } = await s.as(owner).cashSessions.one({ cash_session_id: till })
  return cash_session.ways.find(({ payment_method_id }) => payment_method_id === cash)
}
const charged = async () => (await s.as(owner).studioSales.invoices({})).sum

describe('a gift card that is sold (I4, I5)', () => {
  test('a gift card that is sold is one card for each piece, with a code without look-alike signs that a repeated request returns again and that is stored nowhere', async () => {
    const key = randomUUID()
    const lines: Basket['lines'] = [{ kind: 'gift_card', amount: '500', quantity: 2 }]
    const { sale } = await sell(lines, '1000', {}, key)
    const cards = sale.lines.map(({ gift_card }) => gift_card)
    expect(sale.lines.map(({ kind, title, tax, total }) => ({ kind, title, iva: tax.amount, total }))).toEqual(
      Array(2).fill({ kind: 'gift_card', title: 'Tarjeta de regalo de $500.00', iva: '0.00', total: '500.00' }),
    )
    expect(new Set(cards.map((card) => card?.code)).size).toBe(2)
    for (const card of cards) expect(card?.code).toMatch(new RegExp(`^([${GIFT_CARD_SIGNS}]{4}-){3}[${GIFT_CARD_SIGNS}]{4}$`))
    expect((await sell(lines, '1000', {}, key)).sale.lines.map(({ gift_card }) => gift_card)).toEqual(cards)
    const code = cards[0]?.code ?? ''
    const [found] = await s.sql<{ n: number }>(
      `select (select count(*) from gift_card g where g::text like $1)::int + (select count(*) from idempotency i where i::text like $1)::int
        + (select count(*) from audit a where a::text like $1)::int as n`,
      [`%${code.replaceAll('-', '')}%`],
    )
    expect(found?.n).toBe(0)
    expect((await s.as(desk).counterSales.one({ sale_id: sale.sale_id ?? 0 })).sale.lines[0]?.gift_card).toBe(null)
    expect(await s.as(owner).giftCards.code({ gift_card_id: cards[0]?.gift_card_id ?? 0 })).toEqual({ code })
    expect((await sell(lines, '1000', { dry_run: true })).sale.lines[0]?.gift_card).toBe(null)
  })

  test('a gift card that is sold is money received and no item of IVA; what it pays later is in no till and no sum of money received, and has the IVA', async () => {
    const [before, sum] = [await cashOfSession(), await charged()]
    const { code } = await card('300')
    expect(Number((await cashOfSession())?.sales)).toBe(Number(before?.sales) + 300)
    expect(Number((await charged())?.charged)).toBe(Number(sum?.charged) + 300)
    const { sale } = await sell(other('116'), '116', { payments: [{ gift_card_code: code, amount: '116' }] })
    expect(sale).toMatchObject({
      paid: '116.00',
      owed: '0.00',
      iva: '16.00',
      payments: [{ payment_method_id: null, name: 'Tarjeta de regalo', state: 'received', reference: code.slice(-4) }],
    })
    expect(Number((await cashOfSession())?.sales)).toBe(Number(before?.sales) + 300)
    expect(Number((await charged())?.charged)).toBe(Number(sum?.charged) + 300)
    expect(await s.sql(`select tax_centavos from invoice where gateway = 'regalo' and total_centavos = 11600`)).toEqual([
      { tax_centavos: 1600 },
    ])
    await reconcile(s.system())
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('a gift card that is sold has no discount, no debt, and is not paid with another card', async () => {
    const { code } = await card('100')
    const lines: Basket['lines'] = [{ kind: 'gift_card', amount: '100' }]
    const owe = { until: '2099-01-01', reason: 'Paga luego' }
    const { customer_id } = await s.make.customer()
    for (const refused of [
      () => sell([{ kind: 'gift_card', amount: '100', discount: { percent: 5, reason: 'Amiga' } }], '95'),
      () => s.as(owner, randomUUID()).counterSales.sell({ customer_id, location_id, lines, payments: [], owe, shown: { total: '100' } }),
      () => sell(lines, '100', { payments: [{ gift_card_code: code, amount: '100' }] }),
    ])
      expect(await codeOf(refused())).toBe('INVALID_INPUT')
  })
})

describe('paying with gift cards (I6)', () => {
  test('takes several of them beside other methods, however the code is typed, and never more than the balance', async () => {
    const [a, b] = [await card('100'), await card('50')]
    const typed = a.code.toLowerCase().replaceAll('-', ' ')
    expect((await s.as(desk).giftCards.find({ code: typed })).gift_card).toMatchObject({ gift_card_id: a.gift_card_id, balance: '100.00' })
    const pay = (first: string, second: string, rest: string) =>
      sell(other('200'), '200', {
        payments: [
          { gift_card_code: typed, amount: first },
          { gift_card_code: b.code, amount: second },
          { payment_method_id: cash, amount: rest },
        ],
      })
    expect(await refusalOf(pay('100', '60', '40'))).toMatchObject({
      code: 'GIFT_CARD_BALANCE',
      message: expect.stringMatching(/le quedan 50.00 pesos\.$/),
      data: { balance: '50.00' },
    })
    expect([await balance(a), await balance(b)]).toEqual(['100.00', '50.00'])
    const { sale } = await pay('80', '50', '70')
    expect(sale.payments.map(({ name, amount }) => [name, amount])).toEqual([
      ['Tarjeta de regalo', '80.00'],
      ['Tarjeta de regalo', '50.00'],
      ['Efectivo', '70.00'],
    ])
    expect([await balance(a), await balance(b)]).toEqual(['20.00', '0.00'])
    expect((await cardById(a.gift_card_id)).movements.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['spent', '-80.00', '20.00'],
      ['sold', '100.00', '100.00'],
    ])
  })

  test('pays a part of a debt', async () => {
    const { code, gift_card_id } = await card('90')
    const { customer_id } = await s.make.customer()
    const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
      customer_id,
      location_id,
      lines: other('90'),
      shown: { total: '90' },
      owe: { until: '2099-01-01', reason: 'Paga luego' },
    })
    const payments = [{ gift_card_code: code, amount: '40' }]
    const answer = await s.as(desk, randomUUID()).counterSales.pay({ sale_id: sale.sale_id ?? 0, payments })
    expect(answer.sale).toMatchObject({ paid: '40.00', owed: '50.00' })
    expect(await balance({ gift_card_id })).toBe('50.00')
  })

  test('allows twenty wrong codes an hour, in searches and sales together', async () => {
    const guesser = await s.make.staff('reception')
    const { code } = await card('10')
    const guess = (typed: string) => codeOf(s.as(guesser).giftCards.find({ code: typed }))
    for (let n = 0; n < 19; n++) expect(await guess(`WRONG${n}`)).toBe('GIFT_CARD_NOT_FOUND')
    expect((await s.as(guesser).giftCards.find({ code })).gift_card.balance).toBe('10.00')
    const lines = other('10')
    const paying = { payments: [{ gift_card_code: 'WRONG', amount: '10' }], shown: { total: '10' } }
    expect(await codeOf(s.as(guesser, randomUUID()).counterSales.sell({ customer_id: null, location_id, lines, ...paying }))).toBe(
      'GIFT_CARD_NOT_FOUND',
    )
    expect(await guess('WRONG')).toBe('TOO_MANY_REQUESTS')
    expect(await codeOf(s.as(guesser).giftCards.find({ code }))).toBe('TOO_MANY_REQUESTS')
  })

  test('of several concurrent payments with the last of a balance one succeeds', async () => {
    const { code, gift_card_id } = await card('100')
    const done = await Promise.allSettled(
      Array.from({ length: 4 }, () => sell(other('70'), '70', { payments: [{ gift_card_code: code, amount: '70' }] })),
    )
    expect(done.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await balance({ gift_card_id })).toBe('30.00')
    expect(await wrongMoney(s, false)).toEqual({})
  })
})

describe('refunds (I7)', () => {
  test('of what a card paid go back to the card, never as cash', async () => {
    const { code, gift_card_id } = await card('100')
    const { sale } = await sell(other('80'), '80', { payments: [{ gift_card_code: code, amount: '80' }] })
    const purchase_id = sale.lines[0]?.purchase_id ?? 0
    const before = await cashOfSession()
    // The screen of the purchase lists the charge, so that it can be refunded there.
    const { invoices } = await s.as(owner).studioSales.purchase({ purchase_id })
    expect(invoices).toMatchObject([{ gateway: 'regalo', total_payment: '80.00', payment_method: { name: 'Tarjeta de regalo' } }])
    expect(await refusalOf(refund(purchase_id, { by_hand: true }))).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'by_hand' } })
    await refund(purchase_id, { amount: '30' })
    expect(await balance({ gift_card_id })).toBe('50.00')
    await refund(purchase_id)
    expect(await balance({ gift_card_id })).toBe('100.00')
    expect(await cashOfSession()).toEqual(before)
    expect(await codeOf(refund(purchase_id))).toBe('REFUND_NOTHING_LEFT')
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('of a card take its balance, and are refused when more of it was spent', async () => {
    const { code, gift_card_id, purchase_id } = await card('100')
    await sell(other('60'), '60', { payments: [{ gift_card_code: code, amount: '60' }] })
    expect(await refusalOf(refund(purchase_id))).toMatchObject({ code: 'GIFT_CARD_BALANCE', data: { balance: '40.00' } })
    await refund(purchase_id, { amount: '40' })
    expect(await balance({ gift_card_id })).toBe('0.00')
    expect(await wrongMoney(s, false)).toEqual({})
  })
})

describe('adjusting and listing (I8)', () => {
  test('a balance is adjusted with a reason by staff with the right, once per request, and never below zero', async () => {
    const { gift_card_id } = await card('100')
    const key = randomUUID()
    const adjust = (amount: string, person = owner, of = key) =>
      s.as(person, of).giftCards.adjust({ gift_card_id, amount, reason: 'Cortesía' })
    await adjust('25.50')
    expect((await adjust('25.50')).gift_card.balance).toBe('125.50')
    expect(await codeOf(adjust('-126', owner, randomUUID()))).toBe('GIFT_CARD_BALANCE')
    expect(await codeOf(adjust('-1', desk, randomUUID()))).toBe('FORBIDDEN')
    expect((await adjust('-125.50', owner, randomUUID())).movements[0]).toMatchObject({
      kind: 'adjusted',
      amount: '-125.50',
      balance: '0.00',
      reason: 'Cortesía',
    })
    await expect(s.sql('update gift_card_movement set amount_centavos = 1 where gift_card_id = $1', [gift_card_id])).rejects.toThrow()
    await expect(s.sql('delete from gift_card_movement where gift_card_id = $1', [gift_card_id])).rejects.toThrow()
  })

  test('the list sums what the studio owes, of the locations of who asks', async () => {
    const { last_four } = await card('77')
    const list = await s.as(owner).giftCards.list({})
    const [sum] = await s.sql<{ sum: string }>('select sum(amount_centavos) as sum from gift_card_movement')
    expect(Math.round(Number(list.liability) * 100)).toBe(Number(sum?.sum))
    expect((await s.as(owner).giftCards.list({ query: last_four })).gift_cards[0]).toMatchObject({ last_four, customer: null })
    expect((await s.as(owner).giftCards.list({ state: 'spent' })).liability).toBe('0.00')
    expect((await s.as(desk).giftCards.list({})).liability).toBeNull()
    const there = await s.make.staff('manager')
    const elsewhere = (await s.make.location()).location_id
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [there.uid, elsewhere])
    expect(await s.as(there).giftCards.list({})).toEqual({ gift_cards: [], total: 0, liability: '0.00' })
  })
})

// Each step is a request, after which every balance is compared.
test('after random sales, payments, refunds and adjustments every balance equals that of a model', { timeout: 120_000 }, async () => {
  const roll = new Chance(11)
  const below = (n: number) => Math.floor(roll.next() * n)
  const text = (centavos: number) => (centavos / 100).toFixed(2)
  const model: { gift_card_id: number; code: string; purchase_id: number; balance: number; refundable: number }[] = []
  const paid: { at: number; purchase_id: number; left: number }[] = []
  let refused = 0
  for (let n = 0; n < 120; n++) {
    const at = below(model.length)
    const of = model[at]
    const kind = below(10)
    const amount = 1 + below(30_000)
    if (!of || kind < 2) model.push({ ...(await card(text(amount))), balance: amount, refundable: amount })
    else if (kind < 6) {
      const done = await sell(other(text(amount)), text(amount), { payments: [{ gift_card_code: of.code, amount: text(amount) }] }).catch(
        (error: { code?: string }) => error.code,
      )
      if (typeof done === 'object') {
        of.balance -= amount
        paid.push({ at, purchase_id: done.sale.lines[0]?.purchase_id ?? 0, left: amount })
      } else {
        expect([done, of.balance < amount]).toEqual(['GIFT_CARD_BALANCE', true])
        refused++
      }
    } else if (kind < 8) {
      const charge = paid[below(paid.length)]
      if (!charge?.left) continue
      const part = 1 + below(charge.left)
      await refund(charge.purchase_id, { amount: text(part) })
      charge.left -= part
      const back = model[charge.at]
      if (back) back.balance += part
    } else if (kind === 8) {
      const part = Math.min(of.balance, of.refundable)
      if (part === 0) continue
      await refund(of.purchase_id, { amount: text(part) })
      of.balance -= part
      of.refundable -= part
    } else {
      const change = (below(2) ? 1 : -1) * amount
      const adjust = () =>
        s
          .as(owner, randomUUID())
          .giftCards.adjust({ gift_card_id: of.gift_card_id, amount: `${change < 0 ? '-' : ''}${text(amount)}`, reason: 'Prueba' })
      if (of.balance + change < 0) expect(await codeOf(adjust())).toBe('GIFT_CARD_BALANCE')
      else {
        await adjust()
        of.balance += change
      }
    }
  }
  expect(refused).toBeGreaterThan(3)
  for (const of of model) expect(await balance(of)).toBe(text(of.balance))
  await reconcile(s.system())
  expect(await wrongMoney(s, false)).toEqual({})
})
