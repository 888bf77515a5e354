/** A change of plan that meets another one, the end of its subscription, or its renewal, over two processes (docs/domain.md V54). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { monthlyPackage, subscriber as subscriberOf } from '#server/testing/subscribers.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let other: SecondProcess
let bank: Sandbox
let owner: Person
let desk: Person
let basic: number
let plus: number
let unlimited: number
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
  bank = s.bank()
  bank.held = true
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  basic = await monthlyPackage(s, { price_centavos: 116_000, class_amount: 8 })
  plus = await monthlyPackage(s, { price_centavos: 232_000, class_amount: 20 })
  unlimited = await monthlyPackage(s, { price_centavos: 290_000, class_amount: -1 })
})
afterAll(async () => {
  await other?.close()
  await s.close()
})
beforeEach(() => s.clock.set(START))

const subscriber = () => subscriberOf(s, basic)
const codes = (done: PromiseSettledResult<unknown>[]) =>
  done.map((result) => (result.status === 'rejected' ? String((result.reason as { code?: string }).code) : 'ok')).sort()
/** What the customer paid in all, and the subscriptions that would still be charged. */
async function after({ who }: { who: { customer_id: number } }) {
  const { purchases } = await s.as(owner).studioSales.purchases({ customer_id: who.customer_id })
  const ledgers = await Promise.all(purchases.map(({ purchase_id }) => bank.ledger(purchase_id)))
  const paid = ledgers.flat().reduce((sum, { kind, amount }) => sum + (kind === 'refund' ? -amount : amount), 0)
  return { paid, live: purchases.filter(({ status }) => status === 'active').length }
}

test('of several changes of one plan one is charged', async () => {
  const member = await subscriber()
  const { purchase_id, payment_source_id } = member
  const to = (on: Client, class_package_id: number, total: string) =>
    on.studioSubscriptions.changePlan({ purchase_id, class_package_id, payment_source_id, shown: { total } })
  const done = await Promise.allSettled([
    to(s.as(desk, randomUUID()), plus, '1160'),
    to(other.as(desk, randomUUID()), plus, '1160'),
    to(s.as(owner, randomUUID()), unlimited, '1740'),
    to(other.as(owner, randomUUID()), unlimited, '1740'),
  ])
  expect(codes(done).filter((code) => code === 'ok')).toHaveLength(1)
  await doJobs(s)
  const { paid, live } = await after(member)
  expect(live).toBe(1)
  expect([232_000, 290_000]).toContain(paid)
  expect(await wrongMoney(s, false)).toEqual({})
})

test('one request at both processes is charged once', async () => {
  const member = await subscriber()
  const { purchase_id, payment_source_id } = member
  const key = randomUUID()
  const input = { purchase_id, class_package_id: plus, payment_source_id, shown: { total: '1160' } }
  await Promise.allSettled([s, other, s, other].map((on) => on.as(desk, key).studioSubscriptions.changePlan(input)))
  const again = await s.as(desk, key).studioSubscriptions.changePlan(input)
  expect(again.order?.state).toBe('paid')
  await doJobs(s)
  expect(await after(member)).toEqual({ paid: 232_000, live: 1 })
})

test('a change and the end of the subscription: either way nothing of the old plan is charged again', async () => {
  for (let round = 0; round < 4; round++) {
    const member = await subscriber()
    const { purchase_id, payment_source_id } = member
    const [changed] = await Promise.allSettled([
      s
        .as(desk, randomUUID())
        .studioSubscriptions.changePlan({ purchase_id, class_package_id: plus, payment_source_id, shown: { total: '1160' } }),
      other.as(owner, randomUUID()).studioSubscriptions.cancel({ purchase_id, reason: 'Se va', when: round % 2 ? 'now' : 'period_end' }),
    ])
    await doJobs(s)
    const isChanged = changed?.status === 'fulfilled'
    expect(await after(member)).toEqual(isChanged ? { paid: 232_000, live: 1 } : { paid: 116_000, live: 0 })
    s.clock.advance({ days: 31 })
    bank.held = false
    await bank.tick()
    bank.held = true
    await deliverPendingWebhooks(s)
    expect(await after(member)).toEqual(isChanged ? { paid: 232_000 + 232_000, live: 1 } : { paid: 116_000, live: 0 })
    s.clock.set(START)
  }
  expect(await wrongMoney(s, false)).toEqual({})
})

test('a renewal that the processor charges before it is cancelled is refunded', async () => {
  const member = await subscriber()
  const { purchase_id, payment_source_id } = member
  await s
    .as(desk, randomUUID())
    .studioSubscriptions.changePlan({ purchase_id, class_package_id: plus, payment_source_id, shown: { total: '1160' } })
  // The job that cancels at the processor waits for more than a month.
  s.clock.advance({ days: 31 })
  bank.held = false
  await bank.tick()
  bank.held = true
  await Promise.all([deliverPendingWebhooks(s), doJobs(s)])
  await doJobs(s)
  const old = (await bank.ledger(purchase_id)).reduce((sum, { kind, amount }) => sum + (kind === 'refund' ? -amount : amount), 0)
  expect(old).toBe(116_000)
  expect(await after(member)).toEqual({ paid: 232_000 + 232_000, live: 1 })
  expect(await wrongMoney(s, false)).toEqual({})
})
