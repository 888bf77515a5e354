/**
 * Tills, gift cards and sales in a process that is killed at any moment, and at two processes at once: the count is what the drawer has
 * (docs/domain.md J1 to J4, I6, I7).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
let owner: Person
let cash: number
beforeAll(async () => {
  s = await studio({ settings: { pos_refund_max: '100000', cash_session_required: false } })
  cash = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
  owner = await s.make.staff('owner')
  other = await secondProcess(s)
})
afterAll(async () => {
  await other?.close()
  await s.close()
})

/** A receptionist with an open till, and a gift card of 500 pesos that was sold there. */
async function openTill() {
  const desk = await s.make.staff('reception')
  const { location_id } = await s.make.location()
  const { cash_session } = await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '200' })
  const { cash_session_id } = cash_session
  const sellCard = await s.as(desk, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount: '500' }],
    shown: { total: '500' },
    payments: [{ payment_method_id: cash, amount: '500' }],
  })
  const gift_card_code = sellCard.sale.lines[0]?.gift_card?.code ?? ''
  const towel = (amount: string, payments: object[]) => ({
    customer_id: null,
    location_id,
    lines: [{ kind: 'other' as const, title: 'Toalla', amount }],
    shown: { total: amount },
    payments: payments as never,
  })
  return { desk, location_id, cash_session_id, gift_card_code, towel }
}

/** What the rows say that the drawer has, in pesos. */
async function drawerOf(cash_session_id: number): Promise<number> {
  const [row] = await s.sql<{ sum: number }>(
    `select ((select opening_centavos from cash_session where cash_session_id = $1)
      + coalesce((select sum(case kind when 'in' then amount_centavos else -amount_centavos end) from cash_movement where cash_session_id = $1), 0)
      + coalesce((select sum(total_centavos) from invoice where cash_session_id = $1 and payment_method_id = $2), 0)
      - coalesce((select sum(amount_centavos) from refund where cash_session_id = $1 and payment_method_id = $2 and state = 'done'), 0))::int as sum`,
    [cash_session_id, cash],
  )
  return (row?.sum ?? 0) / 100
}
const expectedOf = async (cash_session_id: number) => {
  const { cash_session } = await s.as(owner).cashSessions.one({ cash_session_id })
  return Number(cash_session.ways.find(({ payment_method_id }) => payment_method_id === cash)?.expected)
}

/** Sends a request of a killed process again, until there is an answer that means something. */
async function repeat(by: Person, key: string, send: (on: Client) => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const code = await send(s.as(by, key)).then(
      () => null,
      (error: { code?: string }) => error.code ?? 'failed',
    )
    if (code === null) return
    if (!['BUSY', 'INTERNAL', 'PAYMENT_IN_PROGRESS', 'REFUND_IN_PROGRESS'].includes(code)) throw new Error(`${key}: ${code}`)
    await setTimeout(100)
  }
  throw new Error(`${key} was never answered.`)
}

test.each([5, 20, 60, 150])(
  'killed after %i ms: after a repeat each movement, sale and refund is in the till once',
  { timeout: 120_000 },
  async (after) => {
    const { desk, cash_session_id, gift_card_code, towel } = await openTill()
    const sold = await s.as(desk, randomUUID()).counterSales.sell(towel('80', [{ payment_method_id: cash, amount: '80' }]))
    const purchase_id = sold.purchases[0]?.purchase_id ?? 0
    const attempts: [Person, (on: Client) => Promise<unknown>][] = [
      [desk, (on) => on.cashSessions.move({ cash_session_id, kind: 'in', amount: '50', reason: 'Cambio' })],
      [desk, (on) => on.cashSessions.move({ cash_session_id, kind: 'out', amount: '20', reason: 'Agua' })],
      [
        desk,
        (on) =>
          on.counterSales.sell(
            towel('100', [
              { payment_method_id: cash, amount: '40' },
              { gift_card_code, amount: '60' },
            ]),
          ),
      ],
      [desk, (on) => on.counterSales.sell(towel('30', [{ payment_method_id: cash, amount: '30' }]))],
      [owner, (on) => on.studioSales.refund({ purchase_id, by_hand: true, payment_method_id: cash, reason: 'Prueba' })],
    ]
    const keyed = attempts.map(([by, send]) => ({ by, send, key: randomUUID() }))
    const doomed = await secondProcess(s)
    const running = Promise.allSettled(keyed.map(({ by, send, key }) => send(doomed.as(by, key))))
    await setTimeout(after)
    await doomed.kill()
    await running
    for (const { by, send, key } of keyed) await repeat(by, key, send)
    const [movements] = await s.sql<{ n: number }>('select count(*)::int as n from cash_movement where cash_session_id = $1', [
      cash_session_id,
    ])
    expect(movements?.n).toBe(2)
    const [refunds] = await s.sql<{ n: number; sum: number }>(
      `select count(*)::int as n, sum(amount_centavos)::int as sum from refund where purchase_id = $1 and state = 'done'`,
      [purchase_id],
    )
    expect(refunds).toEqual({ n: 1, sum: 8_000 })
    expect((await s.as(owner).giftCards.find({ code: gift_card_code })).gift_card.balance).toBe('440.00')
    expect(await expectedOf(cash_session_id)).toBe(await drawerOf(cash_session_id))

    // The count is cut off too: it is stored once, with what the drawer has.
    const key = randomUUID()
    const count = (on: Client) => on.cashSessions.close({ cash_session_id, cash: {}, left_in_drawer: '0', note: 'Prueba' })
    const second = await secondProcess(s)
    const counting = count(second.as(desk, key)).catch(() => {})
    await setTimeout(after / 4)
    await second.kill()
    await counting
    await repeat(desk, key, count)
    expect(
      await s.sql(`select count(*)::int as n from audit where action = 'cash_session.close' and entity_id = $1`, [String(cash_session_id)]),
    ).toEqual([{ n: 1 }])
    expect(await expectedOf(cash_session_id)).toBe(await drawerOf(cash_session_id))
    expect(await wrongMoney(s, false)).toEqual({})
  },
)

test('movements, sales by cash and gift card, a refund, the count and its reopening at both processes at once: whatever is in the till is in its count', async () => {
  for (let round = 0; round < 6; round++) {
    const { desk, cash_session_id, gift_card_code, towel } = await openTill()
    const sold = await s.as(desk, randomUUID()).counterSales.sell(towel('80', [{ payment_method_id: cash, amount: '80' }]))
    const purchase_id = sold.purchases[0]?.purchase_id ?? 0
    const on = (n: number, by: Person) => (n % 2 ? s : other).as(by, randomUUID())
    const count = (n: number) => on(n, owner).cashSessions.close({ cash_session_id, cash: {}, left_in_drawer: '0', note: 'Prueba' })
    await Promise.allSettled([
      on(round, desk).cashSessions.move({ cash_session_id, kind: 'in', amount: '50', reason: 'Cambio' }),
      on(round + 1, desk).counterSales.sell(
        towel('100', [
          { payment_method_id: cash, amount: '40' },
          { gift_card_code, amount: '60' },
        ]),
      ),
      on(round, desk).counterSales.sell(
        towel('460', [
          { payment_method_id: cash, amount: '10' },
          { gift_card_code, amount: '450' },
        ]),
      ),
      on(round + 1, owner).studioSales.refund({ purchase_id, by_hand: true, payment_method_id: cash, reason: 'Prueba' }),
      count(round),
      on(round, desk).cashSessions.move({ cash_session_id, kind: 'out', amount: '20', reason: 'Agua' }),
      count(round + 1),
      on(round + 1, owner).cashSessions.reopen({ cash_session_id, reason: 'Faltaba una venta' }),
    ])
    expect([round, await expectedOf(cash_session_id)]).toEqual([round, await drawerOf(cash_session_id)])
    const [card] = await s.sql<{ spent: number; balance: number }>(
      `select coalesce(sum(y.amount_centavos), 0)::int as spent, (select balance_centavos from gift_card_movement m where m.gift_card_id = g.gift_card_id order by n desc limit 1) as balance
       from gift_card g left join sale_payment y using (gift_card_id) where g.last_four = $1 group by g.gift_card_id`,
      [gift_card_code.replace(/\W/g, '').slice(-4)],
    )
    // Of the two sales one or both were too much for the card.
    expect([round, (card?.spent ?? 0) + (card?.balance ?? 0)]).toEqual([round, 50_000])
  }
  expect(await wrongMoney(s, false)).toEqual({})
})
