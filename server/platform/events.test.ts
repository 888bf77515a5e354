import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { type BusEvent, type Events, openEvents } from './events.ts'

let connection: string
let pool: pg.Pool
const opened: Events[] = []
const failed: string[] = []
const log = { error: (_details: object, text: string) => void failed.push(text) }

beforeAll(async () => {
  connection = await freshDatabase()
  pool = new pg.Pool({ connectionString: connection, max: 3 })
})
afterAll(async () => {
  await Promise.all(opened.map((events) => events.close()))
  await pool.end()
})

/** One process of a studio, and the events that it received. */
async function processHere() {
  const events = await openEvents(connection, pool, log)
  opened.push(events)
  const received: BusEvent[] = []
  events.listen((event) => void received.push(event))
  return { events, heard: received }
}

/** Ends the connections on which processes listen, as a failover does. */
const endListening = (on: { query(text: string): Promise<unknown> }) =>
  on.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen estudio' and pid <> pg_backend_pid()`,
  )

test('events reach this process at once and the others soon', async () => {
  const [here, there] = [await processHere(), await processHere()]
  here.events.publish([{ topic: 'people', uid: 'ana' }])
  expect(here.heard).toEqual([{ topic: 'people', uid: 'ana' }])
  await vi.waitFor(() => expect(there.heard).toEqual([{ topic: 'people', uid: 'ana' }]))
})

test('a process that could not listen for a while gets a resync event, and then listens again', async () => {
  const [here, there] = [await processHere(), await processHere()]
  await endListening(pool)
  await vi.waitFor(() => expect(there.heard).toContainEqual({ topic: 'missed' }), { timeout: 5_000 })
  await vi.waitFor(() => expect(here.heard).toContainEqual({ topic: 'missed' }), { timeout: 5_000 })
  here.events.publish([{ topic: 'catalogue' }])
  await vi.waitFor(() => expect(there.heard).toContainEqual({ topic: 'catalogue' }))
})

test('events that could not be sent are sent again, and none is lost', async () => {
  const alone = await freshDatabase()
  const [mine, theirs] = [new pg.Pool({ connectionString: alone, max: 1 }), new pg.Pool({ connectionString: alone, max: 1 })]
  const { rows } = await theirs.query<{ name: string }>('select quote_ident(current_database()) as name')
  const [here, there] = [await openEvents(alone, mine, log), await openEvents(alone, theirs, log)]
  const received: BusEvent[] = []
  there.listen((event) => void received.push(event))
  // The sender gets no connection; the listener stays connected.
  await pool.query(`alter database ${rows[0]?.name} with allow_connections false`)
  here.publish([{ topic: 'settings' }])
  await vi.waitFor(() => expect(failed).toContain('events.publish_failed'))
  here.publish([{ topic: 'catalogue' }])
  await sleep(100)
  expect(received).toEqual([])
  await pool.query(`alter database ${rows[0]?.name} with allow_connections true`)
  await vi.waitFor(() => expect(received).toEqual([{ topic: 'settings' }, { topic: 'catalogue' }]), { timeout: 5_000 })
  for (const events of [here, there]) await events.close()
  for (const each of [mine, theirs]) await each.end()
})

test('closing while it reconnects leaves no connection behind', async () => {
  const alone = await freshDatabase()
  const looking = new pg.Pool({ connectionString: alone, max: 1 })
  const events = await openEvents(alone, looking, log)
  await endListening(looking)
  await sleep(20)
  await events.close()
  // Longer than the first wait for a new connection.
  await sleep(400)
  const left = async () => (await looking.query(`select 1 from pg_stat_activity where datname = current_database()`)).rows.length
  await vi.waitFor(async () => expect(await left()).toBe(1), { timeout: 10_000 })
  await looking.end()
})

test('after a gap all caches are reloaded: classes, lists, settings, principals; open calendars reconnect', async () => {
  const s: TestStudio = await studio()
  try {
    const [mar, cls] = await Promise.all([s.make.staff('reception'), s.make.class({ capacity: 7 })])
    const seen = async () => {
      const { days } = await s.as(null).schedule.week({ start_date: '2026-11-19', end_date: '2026-11-26' })
      const { class_types } = await s.as(null).catalogue.classTypes()
      const settings = await s.as(null).content.appconfig()
      const boss = await s
        .as(mar)
        .content.settings()
        .then(
          () => true,
          () => false,
        )
      return {
        capacity: days.flatMap((day) => day.classes).find((found) => found.single_class_id === cls.single_class_id)?.capacity,
        type: class_types.find((type) => type.class_type_id === cls.class_type_id)?.name,
        name: settings.find(({ key }) => key === 'business_name')?.value,
        boss,
      }
    }
    const calendar = await fetch(`${s.url}/api/live`)
    expect(await seen()).toMatchObject({ capacity: 7, boss: false })
    // Writes of another process, without any event.
    await s.sql('update single_class set capacity = 9 where single_class_id = $1', [cls.single_class_id])
    await s.sql(`update class_type set name = 'Otro' where class_type_id = $1`, [cls.class_type_id])
    await s.sql(`update staff set role = 'owner' where uid = $1`, [mar.uid])
    await s.sql(
      `insert into setting (key, value) values ('business_name', '"Otro"') on conflict (key) do update set value = excluded.value`,
    )
    await endListening(s.studio.db.pool)
    await calendar.text()
    await vi.waitFor(async () => expect(await seen()).toEqual({ capacity: 9, type: 'Otro', name: 'Otro', boss: true }), { timeout: 8_000 })
  } finally {
    await s.close()
  }
})

test('a silently dropped connection is detected and replaced', async () => {
  const to = new pg.Client(connection)
  const frozen = new Set<Socket>()
  // A proxy that can freeze its open connections: they stay open, and no bytes pass.
  const proxy = createServer((near) => {
    const far = to.host.startsWith('/') ? connect(`${to.host}/.s.PGSQL.${to.port}`) : connect(to.port, to.host)
    near.on('data', (bytes) => frozen.has(near) || far.write(bytes)).on('error', () => {})
    far.on('data', (bytes) => frozen.has(near) || near.write(bytes)).on('error', () => {})
    near.on('close', () => far.destroy())
    open.add(near)
  })
  const open = new Set<Socket>()
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const { port } = proxy.address() as AddressInfo
  const through = { host: '127.0.0.1', port, user: to.user ?? '', password: to.password ?? '', database: to.database ?? '' }
  const there = await openEvents(through, pool, log, { everyMs: 100, timeoutMs: 300 })
  const received: BusEvent[] = []
  there.listen((event) => void received.push(event))
  try {
    for (const socket of open) frozen.add(socket)
    await vi.waitFor(() => expect(received).toContainEqual({ topic: 'missed' }), { timeout: 5_000 })
    expect(failed).toContain('events.connection_dead')
    const { events: here } = await processHere()
    here.publish([{ topic: 'catalogue' }])
    await vi.waitFor(() => expect(received).toContainEqual({ topic: 'catalogue' }))
  } finally {
    await there.close()
    for (const socket of open) socket.destroy()
    proxy.close()
  }
})
