/** Two receptions that merge the same customers at once, over two processes (docs/domain.md X8, X10). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
let managers: Person[]
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  managers = [await s.make.staff('owner'), await s.make.staff('manager')]
  other = await secondProcess(s)
})
afterAll(async () => {
  await other?.close()
  await s.close()
})

/** Both people at both processes at once. */
const atOnce = <T>(work: (on: Client, n: number) => Promise<T>) =>
  Promise.allSettled(
    managers.flatMap((manager, n) => [work(s.as(manager, randomUUID()), 2 * n), work(other.as(manager, randomUUID()), 2 * n + 1)]),
  )
const codes = (done: PromiseSettledResult<unknown>[]) =>
  done.map((result) => (result.status === 'rejected' ? String((result.reason as { code?: string }).code) : 'ok')).sort()

/** A customer with a package and its credits. */
async function buyer() {
  const person = await s.make.customer()
  const { class_package_id } = await s.make.package({ class_amount: 5 })
  await s
    .as(managers[0] as Person, randomUUID())
    .studioSales.giveAccess({ customer_id: person.customer_id, class_package_id, is_gift: true })
  return person
}

test('of merges of the same two customers in both directions one wins, the others read that the record is gone', async () => {
  for (let round = 0; round < 6; round++) {
    const [first, second] = [await buyer(), await buyer()]
    const ids = (n: number) =>
      n % 2 ? { keep_id: first.customer_id, merge_id: second.customer_id } : { keep_id: second.customer_id, merge_id: first.customer_id }
    const done = await atOnce((on, n) => on.customerMerge.merge(ids(n)))
    expect(codes(done)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'ok'])
    const owned = await s.sql<{ customer_id: number; purchases: number; merged_into: number | null }>(
      `select c.customer_id, c.merged_into, (select count(*)::int from purchase p where p.customer_id = c.customer_id) as purchases
       from customer c where c.customer_id = any($1) order by purchases`,
      [[first.customer_id, second.customer_id]],
    )
    expect(owned.map(({ purchases }) => purchases)).toEqual([0, 2])
    expect(owned.map(({ merged_into }) => merged_into)).toEqual([owned[1]?.customer_id, null])
    // Taken back at once by everybody, it is taken back once.
    const merged = done.find((result) => result.status === 'fulfilled')
    const customer_merge_id = (merged?.status === 'fulfilled' && merged.value.customer_merge_id) || 0
    const back = codes(await atOnce((on) => on.customerMerge.undo({ customer_merge_id })))
    expect(back.filter((code) => code === 'ok')).toHaveLength(1)
    expect(back.every((code) => code === 'ok' || code === 'NOT_FOUND')).toBe(true)
    expect(await s.balance(first)).toBe(5)
    expect(await s.balance(second)).toBe(5)
  }
  expect(await wrongMoney(s, false)).toEqual({})
})
