/** Refunds that meet each other, a booking, or a notice (docs/domain.md V23, C20, R24). */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { resumeRefunds } from './refunds.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
beforeAll(async () => {
  s = await studio()
  bank = s.bank()
  bank.held = true
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

const PRICE = 219_000
async function buyer() {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package()
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  return { who: customer, purchase_id }
}
const refund = (purchase_id: number, amount?: string, key: string = randomUUID()) =>
  s.as(owner, key).studioSales.refund({ purchase_id, reason: 'Prueba', ...(amount ? { amount } : {}) })
const back = async (purchase_id: number) =>
  (await bank.ledger(purchase_id)).reduce((sum, { kind, amount }) => (kind === 'refund' ? sum + amount : sum), 0)

test('twenty concurrent refunds of one charge refund it once', async () => {
  const { who, purchase_id } = await buyer()
  const done = await Promise.allSettled(Array.from({ length: 20 }, () => refund(purchase_id)))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await back(purchase_id)).toBe(PRICE)
  expect((await s.as(who).invoices.list({})).invoices).toMatchObject([{ status: 'refunded', refunded: '2190.00' }])
})

test('one request received ten times concurrently is one refund', async () => {
  const { purchase_id } = await buyer()
  const key = randomUUID()
  const done = await Promise.all(Array.from({ length: 10 }, () => refund(purchase_id, '100', key)))
  expect(new Set(done.map((answer) => answer.refund.refund_id)).size).toBe(1)
  expect(await back(purchase_id)).toBe(10_000)
})

test('partial refunds never exceed the charge', async () => {
  const { purchase_id } = await buyer()
  const done = await Promise.allSettled(Array.from({ length: 15 }, () => refund(purchase_id, '200')))
  // A finished refund still counts as requested for a moment: that may refuse one too many, never one too few.
  const count = done.filter(({ status }) => status === 'fulfilled').length
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(10)
  expect(await back(purchase_id)).toBe(count * 20_000)
  await refund(purchase_id)
  expect(await back(purchase_id)).toBe(PRICE)
})

test('the database itself refuses refunds above the charge without locks', async () => {
  const { purchase_id } = await buyer()
  const insert = () =>
    s.sql(
      `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "createdAt", "updatedAt")
       select purchase_id, invoice_id, 100000, false, 'sin candado', 'asked', $2, $2 from invoice where purchase_id = $1`,
      [purchase_id, s.clock.now()],
    )
  const done = await Promise.allSettled(Array.from({ length: 6 }, insert))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(done.filter((result) => result.status === 'rejected' && String(result.reason).includes('has 19000 left'))).toHaveLength(4)
})

test('a refund concurrent with bookings leaves no reservation on revoked credits', async () => {
  for (let round = 0; round < 6; round++) {
    const { who, purchase_id } = await buyer()
    const classes = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        s.make.class({ starts_at: new Date(s.clock.now().getTime() + (30 + 3 * n) * 3_600_000), capacity: 1 }),
      ),
    )
    const reserve = (n: number) => s.as(who).bookings.reserve({ single_class_id: classes[n]?.single_class_id ?? 0 })
    await Promise.allSettled([reserve(0), reserve(1), refund(purchase_id), reserve(2), reconcile(s.system()), reserve(3)])
    await doJobs(s)
    const ids = classes.map((cls) => cls.single_class_id)
    expect(await s.sql('select 1 from class_reservation where single_class_id = any($1) and "deletedAt" is null', [ids])).toEqual([])
    expect(await s.sql('select distinct taken from single_class where single_class_id = any($1)', [ids])).toEqual([{ taken: 0 }])
    expect((await s.as(who).credits.list()).summary.available).toBe(0)
  }
  expect(await findBrokenInvariants(s)).toEqual({})
})

test('killed during refunds three times: after a repeat each charge is refunded once, and the books match (V23)', async () => {
  for (const after of [5, 25, 80]) {
    const doomed = await secondProcess(s)
    const buyers = await Promise.all(Array.from({ length: 6 }, () => buyer()))
    const inputs = buyers.map(({ purchase_id }) => ({ purchase_id, key: randomUUID(), reason: 'Se apagó todo' }))
    const running = inputs.map(({ purchase_id, key, reason }) => doomed.as(owner, key).studioSales.refund({ purchase_id, reason }))
    const ended = Promise.allSettled(running)
    await setTimeout(after)
    await doomed.kill()
    await ended
    // Half come back with the same request, for the others the job finds out.
    for (const { purchase_id, key, reason } of inputs.slice(0, 3))
      await s
        .as(owner, key)
        .studioSales.refund({ purchase_id, reason })
        .catch(() => {})
    // What the dead process had sent may still arrive, and its locks go with its connections: the job comes back, as in a studio.
    for (let round = 0; round < 10; round++) {
      s.clock.advance({ minutes: 3 })
      await resumeRefunds(s.system(), 50)
      const open = await s.sql(`select refund_id from refund where state = 'asked'`)
      if (round > 0 && open.length === 0) break
      await setTimeout(100)
    }
    await reconcile(s.system())
    await doJobs(s)
    for (const { purchase_id } of inputs) {
      const [stored] = await s.sql<{ state: string }>('select state from refund where purchase_id = $1', [purchase_id])
      expect([undefined, 'done']).toContain(stored?.state)
      expect(await back(purchase_id)).toBe(stored ? PRICE : 0)
    }
    for (const { purchase_id } of inputs.slice(0, 3)) expect(await back(purchase_id)).toBe(PRICE)
    expect(await wrongMoney(s, true)).toEqual({})
  }
})
