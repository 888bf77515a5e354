/** The ground under every verb: transactions that are whole or nothing, retries, guards, and a database that goes away. */
import { connect, createServer } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { assertNotInTransaction, type Db, genericPlanParam, isAway, openDb, pgError, prepared, type Tx, together } from './db.ts'
import { type Event, openEvents } from './events.ts'
import type { Job } from './job-types.ts'
import { migrate } from './migrate.ts'

let db: Db
let outside: pg.Client
const published: Event[] = []
const sent: Job[] = []
beforeAll(async () => {
  const connection = await freshDatabase()
  db = openDb({
    connection,
    max: 4,
    leaving: { publish: (events) => void published.push(...events), sendJobs: async (jobs) => void sent.push(...jobs) },
  })
  outside = new pg.Client(connection)
  await outside.connect()
  await outside.query('create table note (n integer primary key)')
})
afterAll(async () => {
  await outside.end()
  await db.close()
})

const write = (tx: Tx, n: number) => tx.execute(sql`insert into note values (${n})`)
const notes = async () => (await outside.query<{ n: number }>('select n from note order by n')).rows.map(({ n }) => n)
const raising = (code: string) => sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`)
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

test('a transaction and its events are committed or rolled back together', async () => {
  await db.tx(async (tx) => {
    await write(tx, 1)
    tx.notify({ topic: 'catalogue' })
  })
  const no = new Error('no')
  expect(
    await failure(
      db.tx(async (tx) => {
        await write(tx, 2)
        tx.notify({ topic: 'content' })
        throw no
      }),
    ),
  ).toBe(no)
  expect(await notes()).toEqual([1])
  expect(published).toEqual([{ topic: 'catalogue' }])
})

test('a failed statement whose error is swallowed fails the transaction: nothing is written or sent', async () => {
  published.length = 0
  const before = await notes()
  const error = await failure(
    db.tx(async (tx) => {
      await write(tx, 50)
      await write(tx, 50).catch(() => {})
      tx.notify({ topic: 'catalogue' })
      return 'done'
    }),
  )
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).toContain('nothing was written')
  expect(await notes()).toEqual(before)
  expect(published).toEqual([])
})

test('an unawaited statement runs in order, and fails the transaction with its own error', async () => {
  const before = await notes()
  await db.tx(async (tx) => {
    tx.fireAndForget(write(tx, 60))
    expect((await tx.execute<{ n: number }>(sql`select n from note where n = 60`)).rows).toEqual([{ n: 60 }])
    tx.fireAndForget(write(tx, 61))
  })
  expect(await notes()).toEqual([...before, 60, 61])
  // As the last statement, and with others behind it that fail only because the transaction is aborted.
  for (const last of [async () => {}, (tx: Tx) => write(tx, 62)]) {
    const error = await failure(
      db.tx(async (tx) => {
        tx.fireAndForget(write(tx, 63))
        tx.fireAndForget(write(tx, 60))
        await tx.send({ name: 'note', data: {} })
        await last(tx)
      }),
    )
    expect(pgError(error)).toMatchObject({ code: '23505', constraint: 'note_pkey' })
  }
  expect(await notes()).toEqual([...before, 60, 61])
  let runs = 0
  await db.tx(async (tx) => {
    if (++runs < 3) tx.fireAndForget(tx.execute(raising('40001')))
  })
  expect(runs).toBe(3)
})

test('parts of a transaction that run together all end before it is rolled back: none writes afterwards', async () => {
  const before = await notes()
  const no = new Error('no')
  const refused = async () => {
    throw no
  }
  const slow = async (tx: Tx) => {
    await tx.execute(sql`select 1`)
    await tx.execute(sql`select 1`)
    await write(tx, 901)
  }
  expect(await failure(db.tx((tx) => together([refused(), slow(tx)])))).toBe(no)
  expect(await db.tx((tx) => together([write(tx, 902).then(() => 'a'), Promise.resolve(2)]))).toEqual(['a', 2])
  // Of two failures the first one is thrown, not that the transaction is aborted.
  const duplicate = await failure(db.tx((tx) => together([write(tx, 902), slow(tx)])))
  expect(pgError(duplicate)?.code).toBe('23505')
  expect(await notes()).toEqual([...before, 902])
})

test('a deadlock in a part of many steps is thrown before the aborted transaction that a shorter part reports, and is repeated', async () => {
  let runs = 0
  const failsLate = async (tx: Tx) => {
    try {
      await tx.execute(raising('40P01'))
    } finally {
      await later(20)
    }
  }
  const short = (tx: Tx) => tx.execute(sql`select 1`)
  await db.tx(async (tx) => {
    runs++
    await together(runs < 3 ? [failsLate(tx), short(tx)] : [short(tx)])
  })
  expect(runs).toBe(3)
})

test('what is read on one connection uses one, which is free again also after a refused statement', async () => {
  const pid = sql`select pg_backend_pid() as pid`
  const pids = await db.readOnOneConnection((on) => together([on.execute(pid), on.execute(pid), on.execute(pid)]))
  expect(new Set(pids.map(({ rows }) => rows[0]?.pid)).size).toBe(1)
  // More often than the pool has connections.
  for (let turn = 0; turn < 6; turn++) {
    const refused = db.readOnOneConnection((on) => together([on.execute(sql`select 1 / 0`), on.execute(pid)]))
    expect(pgError(await failure(refused))?.code).toBe('22012')
  }
  expect(db.pool.totalCount - db.pool.idleCount).toBe(0)
  expect((await db.readOnOneConnection((on) => on.execute(sql`select 1 as one`))).rows).toEqual([{ one: 1 }])
  expect(String(await failure(db.tx(() => db.readOnOneConnection(async () => {}))))).toMatch(/inside a transaction/)
})

test('inside a transaction the outer handle, a second transaction and external calls are refused', async () => {
  await db.tx(async () => {
    expect(() => db.read).toThrow(/inside a transaction/)
    expect(() => assertNotInTransaction('A provider')).toThrow('A provider was used inside a transaction')
    await expect(db.tx(async () => 1)).rejects.toThrow(/inside a transaction/)
    // Also from asynchronous work that was begun there.
    await Promise.resolve().then(() => expect(() => db.read).toThrow())
  })
  expect(db.read).toBeDefined()
})

test.each(['40001', '40P01'])('after %s the whole transaction runs again, and its events are published once', async (code) => {
  published.length = 0
  let runs = 0
  await db.tx(async (tx) => {
    runs++
    await write(tx, 100 + Number.parseInt(code, 36))
    tx.notify({ topic: 'settings' })
    if (runs < 3) await tx.execute(raising(code))
  })
  expect(runs).toBe(3)
  expect(published).toEqual([{ topic: 'settings' }])
})

test('gives up after five attempts, and does not retry other failures', async () => {
  let runs = 0
  const fails = (code: string) =>
    failure(
      db.tx(async (tx) => {
        runs++
        await tx.execute(raising(code))
      }),
    )
  expect(pgError(await fails('40P01'))).toMatchObject({ code: '40P01' })
  expect(runs).toBe(5)
  expect(pgError(await fails('23505'))).toMatchObject({ code: '23505' })
  expect(runs).toBe(6)
})

test('a connection that dies between two statements ends its transaction, not the program', async () => {
  const before = await notes()
  const error = await failure(
    db.tx(async (tx) => {
      await write(tx, 7)
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await outside.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      // Long enough for the disconnection to arrive while no statement is running.
      await new Promise((resume) => setTimeout(resume, 100))
      await write(tx, 8)
    }),
  )
  expect(isAway(error)).toBe(true)
  expect(await notes()).toEqual(before)
  await db.tx((tx) => write(tx, 9))
  expect(await notes()).toEqual([...before, 9].sort((a, b) => a - b))
})

test('an unreachable server is recognised as away; a constraint violation is not', async () => {
  const nowhere = openDb({ connection: { host: '/nowhere', user: 'x' } })
  expect(isAway(await failure(nowhere.tx(async () => 1)))).toBe(true)
  await nowhere.close()
  const refused = openDb({ connection: { host: '127.0.0.1', port: 9, user: 'x' } })
  expect(isAway(await failure(refused.tx(async () => 1)))).toBe(true)
  await refused.close()
  expect(isAway(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBe(true)
  expect(isAway(await failure(db.tx((tx) => write(tx, 1))))).toBe(false)
})

test('a server that stops responding is treated as away: no endless waiting, and its connections are discarded', async () => {
  const address = new URL((await freshDatabase()).replace(/^postgres:\/\/([^@]*)@\//, 'http://$1@socket/'))
  const socket = `${address.searchParams.get('host')}/.s.PGSQL.${address.searchParams.get('port')}`
  let frozen = false
  const between = createServer((ours) => {
    const theirs = connect(socket)
    ours.on('data', (bytes) => frozen || theirs.write(bytes))
    theirs.on('data', (bytes) => ours.write(bytes))
    for (const [first, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const)
      first.on('close', () => other.destroy()).on('error', () => {})
  })
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done))
  const { port } = between.address() as { port: number }
  const connection = { host: '127.0.0.1', port, user: address.username, database: address.pathname.slice(1) }
  const far = openDb({ connection, max: 2, timeoutMs: 300 })
  await far.tx((tx) => tx.execute(sql`create table far (n integer)`))
  frozen = true
  expect(isAway(await failure(far.tx((tx) => tx.execute(sql`insert into far values (1)`))))).toBe(true)
  expect(isAway(await failure(far.read.execute(sql`select 1`)))).toBe(true)
  frozen = false
  await far.tx((tx) => tx.execute(sql`insert into far values (2)`))
  expect((await far.read.execute<{ n: number }>(sql`select n from far`)).rows).toEqual([{ n: 2 }])
  await far.close()
  between.close()
})

test('waiting longer than five seconds for a connection is refused as busy', async () => {
  const held = Array.from({ length: 4 }, () => db.tx(() => new Promise((resume) => setTimeout(resume, 6_000))))
  expect(pgError(await failure(db.tx(async () => 1)))).toMatchObject({ code: '53300' })
  await Promise.all(held)
})

test('a generic plan parameter avoids planning: the plan is made once per connection', async () => {
  await outside.query(
    `create table moment as select timestamptz '2026-01-01' + n * interval '1 hour' as at from generate_series(1, 20000) n`,
  )
  await outside.query('create index on moment (at)')
  await outside.query('analyze moment')
  const after = (name: string, since: SQL) =>
    prepared(name, (on: Tx) => on.select({ n: sql<number>`count(*)::int` }).from(sql`moment`).where(sql`at > ${since} - interval '1 hour'`))
  const [seen, hidden] = [
    after('test_seen', sql`${sql.placeholder('since')}::timestamptz`),
    after('test_hidden', genericPlanParam('since', 'timestamptz')),
  ]
  const { rows } = await db.tx(async (tx) => {
    for (let n = 0; n < 12; n++) {
      const since = '2028-04-01T00:00:00Z'
      expect(await hidden(tx).execute({ since })).toEqual(await seen(tx).execute({ since }))
    }
    return tx.execute(
      sql`select name, generic_plans > 0 as once from pg_prepared_statements where name in ('test_seen', 'test_hidden') order by name`,
    )
  })
  expect(rows).toEqual([
    { name: 'test_hidden', once: true },
    { name: 'test_seen', once: false },
  ])
})

test('statements, locks and idle transactions have timeouts', async () => {
  const limits = await db.tx(async (tx) => {
    const { rows } = await tx.execute<{ name: string; setting: string }>(
      sql`select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone') order by name`,
    )
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  })
  expect(limits).toEqual({ TimeZone: 'UTC', idle_in_transaction_session_timeout: '10000', lock_timeout: '3000', statement_timeout: '5000' })
})

test('sends no start parameters that a connection pooler refuses, and its sessions have their limits all the same', async () => {
  const started: Record<string, string>[] = []
  const pooler = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (message) => {
        // Int32 length, Int32 version, then names and values, each ended by a zero byte.
        const words = message.subarray(8).toString().split('\0').filter(Boolean)
        started.push(Object.fromEntries(words.flatMap((word, n) => (n % 2 === 0 ? [[word, words[n + 1] ?? '']] : []))))
        socket.destroy()
      })
  })
  await new Promise<void>((done) => pooler.listen(0, '127.0.0.1', done))
  const { port } = pooler.address() as { port: number }
  const at = { host: '127.0.0.1', port, user: 'ana', database: 'estudio' }
  const through = openDb({ connection: at })
  await failure(through.pool.query('select 1'))
  await through.close()
  await failure(migrate(at))
  await failure(openEvents(at, through.pool, { error: () => {} }))
  pooler.close()
  expect(started).toHaveLength(3)
  for (const parameters of started) expect(Object.keys(parameters).sort()).toEqual(['client_encoding', 'database', 'user'])
  const { rows } = await db.pool.query(
    `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
  )
  expect(rows).toEqual([{ zone: 'UTC', statement: '5s', lock: '3s' }])
})
