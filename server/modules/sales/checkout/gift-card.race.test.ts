/** One gift card in many tabs and at the counter at once, over two processes: its balance is spent once (docs/domain.md I12). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pesos } from '#contract/money.ts'
import { sweep } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { outcomes } from '#server/testing/outcomes.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

const TABS = 16
let s: TestStudio
let other: SecondProcess
let owner: Person
let location_id: number
let cash: number
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false, oxxo_enabled: true } })
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  location_id = (await s.make.location()).location_id
  owner = await s.make.staff('owner')
  other = await secondProcess(s)
})
afterAll(async () => {
  await other?.close()
  await s.close()
})

const at = (n: number, person: Person): Client => (n % 2 === 0 ? s : other).as(person, randomUUID())
async function card(amount: string) {
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount }],
    shown: { total: amount },
    payments: [{ payment_method_id: cash, amount }],
  })
  const giftCard = sale.lines[0]?.gift_card
  if (!giftCard) throw new Error('The sale has no gift card.')
  return giftCard
}
const balance = async (gift_card_id: number) => (await s.as(owner).giftCards.one({ gift_card_id })).gift_card.balance
const PLUS = { price_centavos: 100_000, class_amount: 8 }

test('the same customer, tab by tab of the same package: it is one purchase and one part of the card', async () => {
  const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('400'), await s.make.package(PLUS)]
  const gift_card = { code: giftCard.code, amount: '400.00' }
  await outcomes(
    Array.from({ length: TABS }, (_, n) =>
      at(n, ana).sales.attempt({ class_package_id, payment_method: n % 3 === 0 ? 'oxxo' : 'tok_ok', gift_card }),
    ),
  )
  s.clock.advance({ days: 7 })
  await sweep(s.system())
  await sweep(s.system())
  const rows = await s.sql<{ status: string }>('select status from purchase where customer_id = $1', [ana.customer_id])
  const paid = rows.filter(({ status }) => status === 'completed').length
  expect(paid).toBeLessThanOrEqual(1)
  expect(rows.filter(({ status }) => status === 'pending')).toEqual([])
  expect(await balance(giftCard.gift_card_id)).toBe(paid === 1 ? '0.00' : '400.00')
  expect(await wrongMoney(s, false)).toEqual({})
})

test('different customers, packages and the counter: as many get it as its balance allows', async () => {
  const giftCard = await card('1000')
  const buyers = await Promise.all(Array.from({ length: TABS }, () => s.make.customer()))
  const packages = await Promise.all([0, 1, 2].map(() => s.make.package({ ...PLUS, price_centavos: 25_000 })))
  const results = await outcomes<{ status?: string; sale?: unknown }>(
    buyers.map((person, n) =>
      n % 4 === 3
        ? at(n, owner).counterSales.sell({
            customer_id: person.customer_id,
            location_id,
            shown: { total: '250' },
            lines: [{ kind: 'package', class_package_id: packages[n % 3]?.class_package_id ?? 0 }],
            payments: [{ gift_card_code: giftCard.code, amount: '250' }],
          })
        : at(n, person).sales.checkout({
            class_package_id: packages[n % 3]?.class_package_id ?? 0,
            payment_method_id: null,
            gift_card: { code: giftCard.code, amount: '250.00' },
          }),
    ),
  )
  expect(results).toEqual({ ok: 4, GIFT_CARD_BALANCE: TABS - 4 })
  expect(await balance(giftCard.gift_card_id)).toBe(pesos(0))
  expect(await wrongMoney(s, false)).toEqual({})
})

test('the last of the balance while purchases that hold it are given up: nothing is lost and nothing is spent twice', async () => {
  const giftCard = await card('300')
  const { class_package_id } = await s.make.package(PLUS)
  const buyers = await Promise.all(Array.from({ length: 8 }, () => s.make.customer()))
  for (let round = 0; round < 3; round++)
    await outcomes(
      buyers.map(async (person, n) => {
        const { purchase_id } = await at(n, person).sales.attempt({
          class_package_id,
          payment_method: 'oxxo',
          gift_card: { code: giftCard.code, amount: '300.00' },
        })
        return at(n + 1, person).sales.giveUp({ purchase_id })
      }),
    )
  expect(await balance(giftCard.gift_card_id)).toBe('300.00')
  expect(await wrongMoney(s, false)).toEqual({})
})

test('thirty tabs, the counter, refunds back to it and of its own sale at once: it is never below zero, and its movements are its balance', async () => {
  const sold = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount: '1000' }],
    shown: { total: '1000' },
    payments: [{ payment_method_id: cash, amount: '1000' }],
  })
  const [line] = sold.sale.lines
  const [giftCard, card_purchase] = [line?.gift_card, line?.purchase_id ?? 0]
  if (!giftCard) throw new Error('The sale has no gift card.')
  const sell = (client: Client, amount: string) =>
    client.counterSales.sell({
      customer_id: null,
      location_id,
      lines: [{ kind: 'other', title: 'Toalla', amount }],
      shown: { total: amount },
      payments: [{ gift_card_code: giftCard.code, amount }],
    })
  const earlier = await sell(s.as(owner, randomUUID()), '300')
  const purchase_id = earlier.purchases[0]?.purchase_id ?? 0
  const buyers = await Promise.all(Array.from({ length: 30 }, () => s.make.customer()))
  const { class_package_id } = await s.make.package({ ...PLUS, price_centavos: 25_000 })
  const reason = 'Prueba'
  await Promise.all([
    outcomes(
      buyers.map((person, n) => at(n, person).sales.checkout({ class_package_id, gift_card: { code: giftCard.code, amount: '250.00' } })),
    ),
    outcomes(Array.from({ length: 10 }, (_, n) => sell(at(n, owner), '130'))),
    outcomes(Array.from({ length: 6 }, (_, n) => at(n, owner).studioSales.refund({ purchase_id, amount: '100', reason }))),
    outcomes(
      Array.from({ length: 6 }, (_, n) =>
        at(n, owner).studioSales.refund({ purchase_id: card_purchase, amount: '170', by_hand: true, payment_method_id: cash, reason }),
      ),
    ),
  ])
  const [{ sum = -1, lowest = -1, returned = -1 } = {}] = await s.sql<{ sum: number; lowest: number; returned: number }>(
    `select sum(amount_centavos)::int as sum, min(balance_centavos)::int as lowest, coalesce(sum(amount_centavos) filter (where kind = 'returned'), 0)::int as returned
     from gift_card_movement where gift_card_id = $1`,
    [giftCard.gift_card_id],
  )
  expect(lowest).toBeGreaterThanOrEqual(0)
  expect(returned).toBeLessThanOrEqual(30_000)
  expect(await balance(giftCard.gift_card_id)).toBe(pesos(sum))
  expect(await wrongMoney(s, false)).toEqual({})
})
