/** The sandbox posts its webhook events to the studio (docs/domain.md V18). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Db, openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { Sandbox } from './sandbox.ts'
import { sandboxEvent } from './tables.ts'

let db: Db
let bank: Sandbox
const now = () => new Date('2026-01-31T18:00:00Z')
beforeAll(async () => {
  db = openDb({ connection: await freshDatabase() })
  bank = new Sandbox({ db, now, publicUrl: 'http://localhost:3000', log: { error: () => {} } })
})
beforeEach(() => db.pool.query('delete from sandbox_event'))
afterAll(() => db.close())

const insertEvents = (count: number) =>
  db.tx((tx) => tx.insert(sandboxEvent).values(Array.from({ length: count }, () => ({ type: 'payment.paid', about: [], at: now() }))))
const undelivered = async () =>
  (await db.pool.query<{ count: number }>('select count(*)::integer as count from sandbox_event where "deliveredAt" is null')).rows[0]
    ?.count

test('all waiting events are posted, however many there are', async () => {
  await insertEvents(250)
  const posted = new Set<string>()
  const disconnect = bank.connect(async ({ body }) => {
    posted.add(body)
    return 200
  })
  await bank.post()
  disconnect()
  expect([posted.size, await undelivered()]).toEqual([250, 0])
})

test('events that are not accepted wait for the next change, each tried once', async () => {
  await insertEvents(150)
  let tries = 0
  const disconnect = bank.connect(async () => {
    tries++
    return 503
  })
  await bank.post()
  disconnect()
  expect([tries, await undelivered()]).toEqual([100, 150])
})

test('of several events those that were accepted are done, the others keep their order and count their attempt', async () => {
  await insertEvents(9)
  const disconnect = bank.connect(async ({ body }) => (Number(JSON.parse(body).id.slice('evt_'.length)) % 3 === 0 ? 503 : 200))
  await bank.post()
  disconnect()
  const { rows } = await db.pool.query<{ id: number; tries: number; isDone: boolean }>(
    'select id, tries, "deliveredAt" is not null as "isDone" from sandbox_event order by id',
  )
  expect(rows).toEqual(rows.map(({ id }) => ({ id, tries: 1, isDone: id % 3 !== 0 })))
  expect(rows.filter(({ isDone }) => !isDone).length).toBe(3)
})
