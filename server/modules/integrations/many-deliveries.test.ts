/** With 10,000 events of an address, taking one to deliver reads a few of them, whatever the others wait for (I7). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { claimDeliveries, delayFollowers, listDueEndpoints } from './webhook-store.ts'

const MANY = 10_000
const NOW = new Date('2026-11-19T16:00:00Z')
const LATER = new Date('2026-11-19T17:00:00Z')

let on: TestStudio
let owner: Person
let endpoint: number
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner')
  endpoint = (await on.as(owner).webhooks.create({ url: 'https://ejemplo.mx/avisos', event_types: ['customer.updated'] })).webhook
    .webhook_endpoint_id
})
afterAll(() => on.close())

/** Events with ids from `from` on, of which `objects` follow each other in turn. */
async function events(count: number, more: { objects?: number; state?: string; next?: Date | null; type?: string } = {}) {
  const { objects = count, state = 'waiting', next = null, type = 'customer.updated' } = more
  await on.sql(
    `insert into webhook_delivery (webhook_endpoint_id, message_id, type, object, payload, state, "nextAttemptAt", "createdAt")
     select $1, 'msg_' || n, $2, 'customer:' || n % $3, '{}', $4, $5, $6 from generate_series(1, $7) n`,
    [endpoint, type, objects, state, next, NOW, count],
  )
  await on.sql('analyze webhook_delivery')
}

/** Rows of deliveries that a claim and the search for due addresses read. */
async function claimAndCount() {
  return on.studio.db.tx(async (tx) => {
    // The counters also have what the connection read before and did not report yet.
    const readRows = async () => {
      const { rows } = await tx.execute<{ read: number }>(
        `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'webhook_delivery'`,
      )
      return rows[0]?.read ?? Number.NaN
    }
    const before = await readRows()
    const claimed = await claimDeliveries(tx, endpoint, { now: NOW, until: LATER, max: 10 })
    const due = await listDueEndpoints(tx, NOW)
    return { claimed, due, read: (await readRows()) - before }
  })
}

test.each([
  { what: 'were delivered', fill: () => events(MANY, { state: 'delivered' }) },
  { what: 'are due', fill: () => events(MANY) },
  { what: 'wait for their next attempt', fill: () => events(MANY, { next: LATER }) },
  {
    what: 'wait behind one that failed',
    fill: async () => {
      await events(MANY, { objects: 1 })
      const [first] = await on.sql<{ id: number }>('select min(webhook_delivery_id)::int as id from webhook_delivery')
      await on.sql('update webhook_delivery set "nextAttemptAt" = $2 where webhook_delivery_id = $1', [first?.id, LATER])
      await on.studio.db.tx((tx) => delayFollowers(tx, first?.id ?? 0, LATER))
      await on.sql('vacuum analyze webhook_delivery')
    },
  },
  {
    what: 'are recorded later behind one that failed',
    fill: async () => {
      await events(1, { next: LATER })
      await on.sql(`select record_webhook('customer.updated', 'customer:0', $2, '{}') from generate_series(1, $1)`, [MANY / 10, NOW])
      await on.sql('vacuum analyze webhook_delivery')
    },
  },
])('10,000 that $what', async ({ fill }) => {
  await on.sql('truncate webhook_delivery cascade')
  await fill()
  await on.sql(
    `insert into webhook_delivery (webhook_endpoint_id, message_id, type, object, payload, "createdAt") values ($1, 'msg_last', 'customer.updated', 'customer:none', '{}', $2)`,
    [endpoint, NOW],
  )
  const { claimed, due, read } = await claimAndCount()
  expect(claimed.length).toBeGreaterThan(0)
  expect([due.length <= 1, read < 60, read]).toEqual([true, true, read])
})

test('a stopped address gets its test, and nothing of what waits is looked at for it', async () => {
  await on.sql('truncate webhook_delivery cascade')
  await events(MANY)
  await on.sql('update webhook_endpoint set "stoppedAt" = $2 where webhook_endpoint_id = $1', [endpoint, NOW])
  const none = await claimAndCount()
  expect([none.claimed, none.due, none.read < 60]).toEqual([[], [], true])
  await events(1, { type: 'webhook.test', objects: 1 })
  await on.sql(`update webhook_delivery set object = 'test:x' where type = 'webhook.test'`)
  const claim = await claimAndCount()
  expect([claim.claimed.length, claim.read < 60]).toEqual([1, true])
})
