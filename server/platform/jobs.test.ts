/** Background jobs: what a transaction queues exists exactly when the transaction commits, and failures are logged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { newRun } from '#server/testing/run.ts'
import { type Db, openDb } from './db.ts'
import { countFailedJobs } from './failed-jobs.ts'
import { type Jobs, openJobs, SEND } from './jobs.ts'
import { openLog } from './log.ts'
import { idempotency, throttleBucket } from './tables.ts'
import { throttle } from './throttle.ts'
import { ANSWER_RETENTION_DAYS, upkeepJobs } from './upkeep.ts'

let db: Db & { attachOutbox(leaving: object): void }
let jobs: Jobs
const logged: string[] = []
const done: unknown[] = []
const crowd: Promise<unknown>[] = []
const waiting: number[] = []
const batches: number[][] = []
const alone: number[] = []
/** The queues, opened and at work. */
async function again(): Promise<Jobs> {
  const opened = await openJobs(
    db.pool,
    openLog('warn', (line) => void logged.push(line)),
    [
      { name: 'estudio', workers: 3, timeoutSeconds: 60 },
      { name: 'slow', workers: 2, timeoutSeconds: 1, retries: 1 },
      { name: 'many', workers: 1, batch: 20, timeoutSeconds: 2, retries: 1 },
    ],
  )
  db.attachOutbox({ sendJobs: opened.sendJobs, publish: () => {} })
  opened.register([
    { name: 'note', work: async (data) => void done.push(data) },
    {
      name: 'crowd',
      work: async () => {
        if (crowd.length === 0) for (let n = 0; n < 40; n++) crowd.push(db.pool.query('select pg_sleep(0.03)'))
        waiting.push(db.pool.waitingCount)
      },
    },
    { name: 'slip', work: () => Promise.reject(new Error('on a wet floor')) },
    {
      name: 'stumble',
      work: async () => {
        throw new Error('no leg to stand on')
      },
    },
    { name: 'hang', queue: 'slow', work: () => new Promise(() => {}) },
    {
      name: 'gathered',
      queue: 'many',
      work: async (data) => {
        const { n, fails } = data as { n: number; fails?: boolean }
        if (fails) throw new Error('broken alone')
        alone.push(n)
      },
      workMany: async (jobs) => {
        batches.push(jobs.map(({ data }) => (data as { n: number }).n))
        if (jobs.some(({ data }) => (data as { hangs?: boolean }).hangs)) await new Promise(() => {})
        if (jobs.some(({ data }) => (data as { fails?: boolean }).fails)) throw new Error('broken together')
      },
    },
    { name: 'sorted', queue: (data) => String((data as { to: string }).to), work: async () => void done.push('sorted') },
    { name: 'lost', work: async (_data, { id }) => void done.push({ lost: id }) },
  ])
  await opened.work()
  return opened
}
beforeAll(async () => {
  db = openDb({ connection: await freshDatabase() }) as typeof db
  jobs = await again()
})
afterAll(async () => {
  await jobs.stop()
  await db.close()
})

async function until(what: () => boolean) {
  for (let n = 0; n < 500 && !what(); n++) await sleep(20)
  expect(what()).toBe(true)
}

test('a job of a transaction runs after its commit, and never after a rollback', async () => {
  await db
    .tx(async (tx) => {
      await tx.send({ name: 'note', data: { n: 1 } })
      throw new Error('no')
    })
    .catch(() => {})
  await db.tx((tx) => tx.send({ name: 'note', data: { n: 2 } }))
  await until(() => done.length > 0)
  await sleep(1_500)
  expect(done).toEqual([{ n: 2 }])
})

test('a job inserted by us equals one of the queue: retries, timeouts, and start time', async () => {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ db: { executeSql: (text: string, values?: unknown[]) => db.pool.query(text, values) }, schema: 'jobs' })
  const data = { n: 'as "one", \\ and {two}' }
  // Scheduled for later, so that no worker takes it meanwhile.
  const startAfter = new Date('2031-03-03T13:00:00Z')
  await boss.send('estudio', { job: 'note', data }, { startAfter })
  await db.tx((tx) => tx.send({ name: 'note', data, startAfter }))
  const { rows } = await db.pool.query<{ job: object }>(
    // Ours is a delay on the database's clock: slightly later than requested, never earlier.
    `delete from jobs.job where start_after between $1 and $1::timestamptz + interval '1 minute'
     returning to_jsonb(job) - '{id,created_on,start_after,keep_until}'::text[] || jsonb_build_object('kept', keep_until - start_after) as job`,
    [startAfter],
  )
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual(rows[1])
  expect(rows[0]?.job).toMatchObject({ data: { job: 'note', data } })
  await db.tx((tx) => tx.send({ name: 'note', data: { n: 'at once' } }))
  await until(() => done.some((data) => (data as { n: unknown }).n === 'at once'))
})

test('a burst of jobs runs without pauses, and a failing one affects no other', async () => {
  const before = done.length
  await db.tx(async (tx) => {
    for (let n = 0; n < 300; n++) await tx.send(n % 100 === 7 ? { name: 'slip', data: {} } : { name: 'note', data: { rush: n } })
  })
  // With a second between two jobs of a worker this would take a hundred.
  await vi.waitFor(() => expect(done.length).toBe(before + 297), { timeout: 60_000, interval: 50 })
  // What failed is tried again, what was done beside it is not.
  const states = `select state, count(*)::int as n from jobs.job where data->'data' ? 'rush' group by state`
  await vi.waitFor(async () => expect((await db.pool.query(states)).rows).toEqual([{ state: 'completed', n: 297 }]), { timeout: 10_000 })
  expect(done).toHaveLength(before + 297)
})

test('workers look for jobs and report them with prepared statements, one name for each', async () => {
  const queries = vi.spyOn(db.pool, 'query')
  try {
    await db.tx((tx) => tx.send({ name: 'note', data: { n: 'prepared' } }))
    await until(() => done.some((data) => (data as { n: unknown }).n === 'prepared'))
    const names = new Map<string, Set<string | undefined>>()
    await vi.waitFor(() => {
      for (const [query] of queries.mock.calls as unknown as [string | { name?: string; text: string }][]) {
        const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : query
        if (/update jobs\.job/i.test(text)) names.set(text, (names.get(text) ?? new Set()).add(name))
      }
      // The queues that are looked at (estudio, slow, many), and what reports the job.
      expect([...names.keys()].filter((text) => text.includes('SKIP LOCKED')).length).toBeGreaterThanOrEqual(3)
      expect([...names.keys()].filter((text) => text.includes("state = 'completed'")).length).toBeGreaterThanOrEqual(1)
    })
    const all = [...names.values()].map((of) => [...of])
    for (const of of all) expect(of).toEqual([expect.stringMatching(/^jobs\.boss\.\d+$/)])
    expect(new Set(all.flat()).size).toBe(all.length)
  } finally {
    queries.mockRestore()
  }
})

describe('a queue of batches', () => {
  const sendAll = (all: object[]) =>
    db.tx(async (tx) => {
      for (const data of all) await tx.send({ name: 'gathered', data })
    })

  test('a queue of batches does many jobs together, full batches without pauses', async () => {
    await sendAll(Array.from({ length: 70 }, (_, n) => ({ n })))
    await vi.waitFor(() => expect(batches.flat()).toHaveLength(70), { timeout: 10_000, interval: 50 })
    // Waiting jobs are done twenty at a time; the rest with the next poll of the queue.
    expect(batches.slice(0, 3).map((batch) => batch.length)).toEqual([20, 20, 20])
    expect(new Set(batches.flat()).size).toBe(70)
    expect(alone).toEqual([])
  })

  test('a queue of batches does each alone when they fail together: one that fails affects no other', async () => {
    batches.length = 0
    await sendAll(Array.from({ length: 12 }, (_, n) => (n === 5 ? { n, fails: true } : { n })))
    await vi.waitFor(() => expect(alone).toHaveLength(11), { timeout: 10_000, interval: 50 })
    expect(new Set(alone).size).toBe(11)
    expect(batches[0]?.length).toBe(12)
    const failed = 'select data, error, attempts from failed_job'
    await vi.waitFor(
      async () => expect((await db.pool.query(failed)).rows).toEqual([{ data: { n: 5, fails: true }, error: 'broken alone', attempts: 2 }]),
      { timeout: 20_000, interval: 100 },
    )
    expect(alone).toHaveLength(11)
    await db.pool.query('delete from failed_job')
  })

  test('that hangs fails as a whole at its time limit, and no job of it is started alone after that', async () => {
    batches.length = 0
    const before = alone.length
    await sendAll([{ n: 100, hangs: true }, { n: 101 }])
    await vi.waitFor(() => expect(batches).toHaveLength(1), { timeout: 10_000, interval: 20 })
    const retried = `select count(*)::int as n from jobs.job where name = 'many' and data->'data'->>'n' in ('100', '101') and state = 'retry'`
    await vi.waitFor(async () => expect((await db.pool.query(retried)).rows).toEqual([{ n: 2 }]), { timeout: 10_000, interval: 50 })
    expect(alone).toHaveLength(before)
    await db.pool.query(`delete from jobs.job where name = 'many'`)
  })
})

test('requests that wait for a connection go before the next job', async () => {
  await db.tx(async (tx) => {
    await tx.send({ name: 'crowd', data: {} })
    await tx.send({ name: 'crowd', data: {} })
  })
  await until(() => waiting.length === 2)
  const [before = 0, after] = waiting
  expect(before).toBeGreaterThan(20)
  expect(after).toBeLessThan(before)
  await Promise.all(crowd)
})

test('logs a failing job with its name and reason', async () => {
  await jobs.send({ name: 'stumble', data: {} })
  await jobs.send({ name: 'forgotten', data: {} })
  await until(
    () =>
      logged.some((line) => line.includes('no leg to stand on')) &&
      logged.some((line) => line.includes('No handler for the job forgotten')),
  )
  expect(JSON.parse(logged.find((line) => line.includes('no leg')) ?? '')).toMatchObject({
    text: 'job.attempt_failed',
    job: 'stumble',
    queue: 'estudio',
  })
})

const statesOf = async (job: string) =>
  (await db.pool.query<{ name: string; state: string }>(`select name, state from jobs.job where data->>'job' = $1 order by state`, [job]))
    .rows

test('hanging jobs do not block other queues, and use no retries of jobs that never ran', async () => {
  // Two workers, and each of the first two holds one for its whole time.
  for (let n = 0; n < 4; n++) await jobs.send({ name: 'hang', data: { n } })
  await vi.waitFor(async () => expect((await statesOf('hang')).filter(({ state }) => state === 'active')).toHaveLength(2), {
    timeout: 10_000,
  })
  const before = done.length
  for (let n = 0; n < 20; n++) await jobs.send({ name: 'note', data: { beside: n } })
  await vi.waitFor(() => expect(done.length).toBe(before + 20), { timeout: 10_000, interval: 20 })
  // That a job is done is stored after its work.
  await vi.waitFor(
    async () =>
      expect(await jobs.figures()).toEqual([
        { queue: 'estudio', waiting: 0, active: 0, oldestSeconds: 0 },
        { queue: 'slow', waiting: expect.any(Number), active: expect.any(Number), oldestSeconds: expect.any(Number) },
        { queue: 'many', waiting: 0, active: 0, oldestSeconds: 0 },
      ]),
    { timeout: 10_000 },
  )
  const untouched = await db.pool.query(`select retry_count, started_on from jobs.job where data->>'job' = 'hang' and state = 'created'`)
  for (const row of untouched.rows) expect(row).toEqual({ retry_count: 0, started_on: null })

  // Every one of them runs out of its retries, and none is dropped silently.
  await vi.waitFor(async () => expect(await countFailedJobs(db.read)).toBe(4), { timeout: 60_000, interval: 200 })
  const failed = (await db.pool.query('select queue, job, data, error, attempts from failed_job order by data')).rows
  expect(failed).toEqual(
    [0, 1, 2, 3].map((n) => ({ queue: 'slow', job: 'hang', data: { n }, error: 'The job took longer than 1 s.', attempts: 2 })),
  )
  const failures = logged.map((line) => JSON.parse(line)).filter(({ text, job }) => text === 'job.failed' && job === 'hang')
  expect(failures).toHaveLength(4)
  expect(failures[0]).toMatchObject({ level: 'error', queue: 'slow', attempts: 2, error: 'The job took longer than 1 s.' })
  // Four jobs run out of their time, of one second and the pauses between attempts, one after another.
}, 90_000)

test('a job is in the queue that its handler names; one queued elsewhere by another version is moved', async () => {
  await jobs.stop()
  await jobs.send({ name: 'sorted', data: { to: 'slow' } })
  await jobs.send({ name: 'sorted', data: { to: 'nowhere' } })
  expect((await statesOf('sorted')).map(({ name }) => name).sort()).toEqual(['estudio', 'slow'])
  await db.pool.query(`update jobs.job set name = 'slow' where data->>'job' = 'sorted'`)
  jobs = await again()
  await vi.waitFor(() => expect(done.filter((outcome) => outcome === 'sorted')).toHaveLength(2), { timeout: 10_000 })
  expect(() => jobs.register([{ name: 'x', queue: 'nowhere', work: async () => {} }])).toThrow('There is no queue nowhere.')
})

test('while a job with a key waits, another one with it is not added', async () => {
  const later = new Date(Date.now() + 3_600_000)
  for (const key of ['7', '7', '8']) await jobs.send({ name: 'note', data: {}, startAfter: later, key })
  const { rows } = await db.pool.query(
    `delete from jobs.job where start_after > now() and singleton_key like 'note %' returning singleton_key`,
  )
  expect(rows.map(({ singleton_key }) => singleton_key).sort()).toEqual(['note 7', 'note 8'])
})

test('reclaims a job of a dead process within half a minute', async () => {
  // As a killed process leaves it: in work, its lease renewed until a moment ago.
  const { rows } = await db.pool.query<{ id: string }>(
    `insert into jobs.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, expire_seconds, retry_limit, retry_delay, retry_backoff)
     select 'estudio', '{"job":"lost","data":{}}', 'active', now(), now(), heartbeat_seconds, expire_seconds, retry_limit, retry_delay, retry_backoff
     from jobs.queue where name = 'estudio' returning id`,
  )
  const began = performance.now()
  await vi.waitFor(() => expect(done).toContainEqual({ lost: rows[0]?.id }), { timeout: 60_000, interval: 100 })
  expect(performance.now() - began).toBeLessThan(30_000)
  // The lease of the dead process has to run out; a loaded machine may need twice the half minute to notice.
}, 70_000)

test('expired responses and counters are deleted, those still needed stay', async () => {
  const now = new Date('2026-11-19T16:00:00Z')
  const days = (n: number) => new Date(now.getTime() - n * 86_400_000)
  await db.tx(async (tx) => {
    for (const [key, createdAt] of [
      ['old', days(ANSWER_RETENTION_DAYS + 1)],
      ['kept', days(ANSWER_RETENTION_DAYS - 1)],
    ] as const)
      await tx.insert(idempotency).values({ actor: 'customer:1', key, request_hash: 'x', createdAt })
  })
  await throttle(db, { name: 'a', subject: 'old', max: 5, seconds: 60 }, days(1))
  await throttle(db, { name: 'a', subject: 'b', max: 5, seconds: 60 }, now)
  for (const job of upkeepJobs(db, () => now)) await job.work({}, newRun())
  expect((await db.read.select({ key: idempotency.key }).from(idempotency)).map(({ key }) => key)).toEqual(['kept'])
  expect((await db.read.select().from(throttleBucket)).map(({ emptyAt }) => emptyAt > now)).toEqual([true])
})

test('the table that jobs are inserted into has the columns that our statement fills, and no other that must be given', async () => {
  const { rows } = await db.pool.query<{ column: string; required: boolean }>(
    `select column_name as column, is_nullable = 'NO' and column_default is null as required from information_schema.columns
     where table_schema = 'jobs' and table_name = 'job'`,
  )
  const columns = rows.map(({ column }) => column)
  const filled =
    /insert into jobs\.job \(([^)]*)\)/
      .exec(SEND)?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? []
  expect(filled.filter((name) => !columns.includes(name))).toEqual([])
  expect(rows.flatMap(({ column, required }) => (required && !filled.includes(column) ? [column] : []))).toEqual([])
  const { rows: versions } = await db.pool.query<{ version: number }>('select version from jobs.version')
  // After an upgrade of pg-boss: compare what its own `send` inserts with ours, then change this number.
  expect(versions).toEqual([{ version: 43 }])
})
