/** What the sandbox's subscriptions can do beyond the port's suite: another card, a pause (docs/domain.md V16). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Buyer, Charge, Plan } from '#server/adapters/payments/port.ts'
import { type Db, openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { Sandbox } from './sandbox.ts'

const DAY = 86_400_000
const buyer: Buyer = { customer_id: 1, ref: null, email: 'ana@ejemplo.mx', name: 'Ana Treviño', phone: null }
const stranger: Buyer = { ...buyer, customer_id: 2, email: 'luis@ejemplo.mx' }
const monthly: Plan = { every: { unit: 'month', count: 1 }, amount: 145_000 }

let db: Db
let bank: Sandbox
let clockTime = new Date('2026-01-31T18:00:00Z')
let purchase = 0
beforeAll(async () => {
  db = openDb({ connection: await freshDatabase() })
  bank = new Sandbox({ db, now: () => new Date(clockTime), publicUrl: 'http://localhost:3000', log: { error: () => {} } })
})
afterAll(() => db.close())

const charge = (token: string): Charge => ({
  key: { purchase: ++purchase, step: 'pay', n: 1 },
  amount: 145_000,
  currency: 'MXN',
  title: 'Ocho',
  buyer,
  instrument: { by: 'card-token', token },
  expiresAt: new Date(clockTime.getTime() + 900_000),
  returnUrl: 'http://localhost:3000/gracias/1',
})
const days = async (n: number) => {
  clockTime = new Date(clockTime.getTime() + n * DAY)
  await bank.tick()
}
const amounts = async (of: number) => (await bank.ledger(of)).map(({ amount }) => amount)

test('a new card pays the overdue charge at once and every later period; another customer’s card does not', async () => {
  const { ref } = await bank.start(charge('tok_renew_fail'), monthly)
  const mine = purchase
  await days(29)
  expect((await bank.settle(ref)).state).toBe('past_due')
  const theirs = await bank.cards.finish(stranger, 'tok_ok')
  await expect(bank.changeCard(ref, theirs)).rejects.toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  const card = await bank.cards.finish(buyer, 'tok_ok~mastercard~4444~112029~a')
  expect(await bank.changeCard(ref, card)).toMatchObject({ state: 'paid', method: { last4: '4444' } })
  // 28 February, 31 March: the calendar of the first day, whenever it was paid.
  const { payments } = await bank.settle(ref)
  expect(payments.map(({ period }) => period?.to.toISOString().slice(0, 10))).toEqual(['2026-02-28', '2026-03-31'])
  await days(31)
  expect(await amounts(mine)).toEqual([145_000, 145_000, 145_000])
  await bank.stop(ref, 'now', 'fin')
  await expect(bank.changeCard(ref, card)).rejects.toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
})

test('a pause skips the periods that begin in it, and the calendar stays the same', async () => {
  clockTime = new Date('2026-01-31T18:00:00Z')
  const { ref } = await bank.start(charge('tok_ok'), { ...monthly, firstAmount: 116_000 })
  const mine = purchase
  expect(await bank.pause(ref, true)).toMatchObject({ state: 'paid', paused: true })
  await days(60)
  expect(await amounts(mine)).toEqual([116_000])
  expect(await bank.pause(ref, false)).toMatchObject({ paused: false })
  await days(30)
  const { payments } = await bank.settle(ref)
  expect(payments.map(({ amount, period }) => [amount, period?.from.toISOString().slice(0, 10)])).toEqual([
    [116_000, '2026-01-31'],
    [145_000, '2026-04-30'],
  ])
})

test('a trial paused past its end is charged its first price when resumed; cancelled while paused it ends with what was paid', async () => {
  clockTime = new Date('2026-03-01T18:00:00Z')
  const first = await bank.start(charge('tok_ok'), { ...monthly, firstAmount: 116_000, trialEnd: new Date('2026-03-08T18:00:00Z') })
  const trial = purchase
  const second = await bank.start(charge('tok_ok'), monthly)
  await bank.pause(first.ref, true)
  await bank.pause(second.ref, true)
  await days(40)
  expect(await amounts(trial)).toEqual([])
  await bank.pause(first.ref, false)
  await days(30)
  expect(await amounts(trial)).toEqual([116_000])
  expect(await bank.stop(second.ref, 'period-end', 'me mudo')).toMatchObject({ cancelled: true, endsAt: new Date('2026-04-01T18:00:00Z') })
})

test('verifies a card with its token: saved at once, or after the bank’s challenge', async () => {
  const plain = await bank.cards.begin(buyer, 'tok_ok~visa~1111~112029~a')
  expect(plain.next).toBeNull()
  expect(await bank.cards.finish(buyer, plain.setup)).toMatchObject({ last4: '1111' })
  const challenged = await bank.cards.begin(buyer, 'tok_3ds')
  expect(challenged.next).toMatchObject({ do: 'confirm', intent: 'setup', clientSecret: expect.stringMatching(/^setup_/) })
  await bank.authorize(challenged.setup, true)
  expect(await bank.cards.finish(buyer, challenged.setup)).toMatchObject({ brand: 'visa' })
  await expect(bank.cards.begin(buyer, 'tok_funds')).rejects.toMatchObject({ code: 'PAYMENT_SOURCE_FAILED' })
  await expect(bank.cards.begin(buyer, '4242')).rejects.toMatchObject({ code: 'CARD_FORMAT' })
})
