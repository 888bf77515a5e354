/** Two processes send at once: no recipient gets more promotions than the limit, or one twice (BR1, BR4). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newRun } from '#server/testing/run.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { runBroadcast } from './broadcasts.ts'

const CUSTOMERS = 120

let s: TestStudio
let owner: Person
let customer_ids: number[]
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  customer_ids = []
  for (let n = 0; n < CUSTOMERS; n++) customer_ids.push((await s.make.customer()).customer_id)
  await s.sql(
    `insert into message_consent (customer_id, channel, allowed, "changedAt") select id, 'marketing', true, now() from unnest($1::int[]) id`,
    [customer_ids],
  )
})
afterAll(() => s.close())

async function create() {
  const { broadcast } = await s
    .as(owner, randomUUID())
    .broadcasts.create({ audience: { customer_ids }, channels: ['mail', 'app'], subject: 'Hola', text: 'Qué tal' })
  return broadcast?.broadcast_id ?? 0
}
const run = (broadcast_id: number) => runBroadcast(s.system(), { broadcast_id }, newRun())
const perPerson = (ids: readonly number[]) =>
  s.sql<{ n: number; people: number }>(
    `select n, count(*)::int as people from (select count(*)::int as n from message where event = 'broadcast' and about = any($1) group by customer_id, channel) x group by n order by n`,
    [ids.map((id) => `broadcast:${id}`)],
  )

test('the same broadcast run four times at once reaches each recipient once per channel (BR1)', async () => {
  const id = await create()
  await Promise.all([run(id), run(id), run(id), run(id)])
  expect(await perPerson([id])).toEqual([{ n: 1, people: 2 * CUSTOMERS }])
})

test('four broadcasts at once with room for two: each customer gets two more (BR4)', async () => {
  await s.change({ messages_per_person_week: 3 })
  const ids = [await create(), await create(), await create(), await create()]
  await Promise.all(ids.map(run))
  expect(await perPerson(ids)).toEqual([{ n: 2, people: 2 * CUSTOMERS }])
  const [left] = await s.sql<{ n: number }>(
    `select count(*)::int as n from broadcast_recipient where broadcast_id = any($1) and reason = 'limit'`,
    [ids],
  )
  expect(left?.n).toBe(2 * CUSTOMERS)
})

test('a broadcast cancelled while it runs sends nothing afterwards (BR5)', async () => {
  await s.change({ messages_per_person_week: 20 })
  const id = await create()
  await Promise.all([run(id), s.as(owner).broadcasts.cancel({ broadcast_id: id })])
  const count = async () =>
    (await s.sql<{ n: number }>(`select count(*)::int as n from message where about = $1`, [`broadcast:${id}`]))[0]?.n
  const before = await count()
  await run(id)
  expect(await count()).toBe(before)
  const waiting = await s.sql(`select 1 from message where about = $1 and status = 'waiting'`, [`broadcast:${id}`])
  expect(waiting).toEqual([])
})
