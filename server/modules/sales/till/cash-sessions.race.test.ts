/** Tills that two people work on at once, over two processes (docs/domain.md J1, J4). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
let owner: Person
let desk: Person
beforeAll(async () => {
  s = await studio()
  await s.make.paymentMethod({ name: 'Efectivo' })
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  other = await secondProcess(s)
})
afterAll(async () => {
  await other?.close()
  await s.close()
})

/** The same at both processes at once, several times. */
const both = <T>(people: readonly Person[], work: (on: Client, n: number) => Promise<T>) =>
  Promise.allSettled(
    people.flatMap((person, n) => [work(s.as(person, randomUUID()), 2 * n), work(other.as(person, randomUUID()), 2 * n + 1)]),
  )
const codes = (done: PromiseSettledResult<unknown>[]) =>
  done.flatMap((result) => (result.status === 'rejected' ? [String((result.reason as { code?: string }).code)] : ['ok'])).sort()

test('of several concurrent openings of one person’s till one succeeds', async () => {
  const { location_id } = await s.make.location()
  const done = await both([desk, desk], (on) => on.cashSessions.open({ location_id, opening: '100' }))
  expect(codes(done)).toEqual(['CASH_SESSION_OPEN', 'CASH_SESSION_OPEN', 'CASH_SESSION_OPEN', 'ok'])
})

test('of several concurrent counts of one till one is stored', async () => {
  const { location_id } = await s.make.location()
  const { cash_session } = await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '100' })
  const { cash_session_id } = cash_session
  const done = await both([desk, owner], (on, n) => on.cashSessions.close({ cash_session_id, cash: { '10': 8 + n }, left_in_drawer: '0' }))
  expect(codes(done)).toEqual(['CASH_SESSION_CLOSED', 'CASH_SESSION_CLOSED', 'CASH_SESSION_CLOSED', 'ok'])
  const won = done.find((won) => won.status === 'fulfilled')
  const stored = await s.as(owner).cashSessions.one({ cash_session_id })
  expect(won?.status === 'fulfilled' && won.value.cash_session.ways[0]?.counted).toBe(stored.cash_session.ways[0]?.counted)
})

test('a sale concurrent with the count of its till is completely in it or not', async () => {
  const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
  for (let round = 0; round < 5; round++) {
    const { location_id } = await s.make.location()
    const { cash_session } = await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
    const { cash_session_id } = cash_session
    const buyers = await Promise.all([s.make.customer(), s.make.customer(), s.make.customer()])
    const sales = buyers.map(({ customer_id }, n) =>
      (n % 2 ? s : other).as(desk, randomUUID()).studioSales.giveAccess({ customer_id, class_package_id, location_id }),
    )
    const closing = other.as(owner, randomUUID()).cashSessions.close({ cash_session_id, cash: {}, left_in_drawer: '0', note: 'Prueba' })
    const [closed] = await Promise.all([closing, ...sales])
    const [row] = await s.sql<{ sum: number }>(
      `select coalesce(sum(total_centavos), 0)::int as sum from invoice where cash_session_id = ${cash_session_id}`,
    )
    expect(Math.round(Number(closed.cash_session.ways[0]?.expected) * 100)).toBe(row?.sum)
  }
})
