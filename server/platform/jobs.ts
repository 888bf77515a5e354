/**
 * Jobs, schedules and the outbox: pg-boss on our own pool. `tx.send` in a business transaction is the outbox. Delivery is at least once:
 * every handler must be safe to run twice.
 *
 * Each queue holds the jobs that depend on the same resource (the database, the mail server, one processor) and has its own workers: a
 * resource that hangs delays its own queue only. A worker takes one job at a time, or in a queue with a `batch` many at once, and renews
 * their lease; when a process dies its leases expire within seconds and another process takes the jobs. A job that runs longer than its
 * queue allows counts as failed. A job whose retries ran out is logged and recorded (failed-jobs.ts).
 */
import type pg from 'pg'
import type { PgBoss, Job as PgBossJob, Queue } from 'pg-boss'
import { type DeadJob, type JobRunner, type Payload, recordFailure, runJobs } from './job-runs.ts'
import type { Job, JobHandler, QueueOptions } from './job-types.ts'
import type { Log } from './log.ts'

/** The state of one queue, for monitoring. */
export interface QueueFigures {
  queue: string
  /** Due jobs that no worker has taken yet. */
  waiting: number
  active: number
  /** Age of the oldest waiting job, in seconds. */
  oldestSeconds: number
}

/** `sendJobs` inserts in the caller's transaction; `send` inserts immediately. */
export interface Jobs {
  sendJobs(jobs: Job[], client: pg.PoolClient): Promise<void>
  send(job: Job): Promise<void>
  /** Registers handlers, which also determine a job's queue. Throws when a handler names a queue that does not exist. */
  register(handlers: readonly JobHandler[]): void
  /** Starts the workers and schedules; call it once in each process that should work. */
  work(): Promise<void>
  /** Waiting and active jobs by queue. */
  figures(): Promise<QueueFigures[]>
  stop(): Promise<void>
}

/** Dead-letter queue: pg-boss moves a job here when its retries ran out, even if the working process died. */
const FAILED = 'failed'
/** Lease of an active job and how often it is renewed: a killed process's jobs are free after LEASE_SECONDS + SUPERVISE_SECONDS. */
const LEASE_SECONDS = 15
const RENEW_SECONDS = 5
const SUPERVISE_SECONDS = 4
/** Completed jobs are deleted after a day; jobs that failed for good have a record of their own. */
const DONE_RETENTION_SECONDS = 86_400

const WORKING = { pollingIntervalSeconds: 1, perJobResults: true, heartbeatRefreshSeconds: RENEW_SECONDS } as const

/**
 * Inserts jobs into pg-boss's table directly, as pg-boss allows. Its own `send` inserts them one by one, costs the
 * database twice as much, and reads the queue's description through the pool, where concurrent transactions may hold every connection
 * (a deadlock). The policy `short` makes the key unique among waiting jobs.
 */
export const SEND = `
  insert into jobs.job (name, data, start_after, keep_until, policy, singleton_key, retry_limit, retry_delay, retry_backoff, retry_delay_max,
    expire_seconds, deletion_seconds, heartbeat_seconds, dead_letter)
  select queue.name, data, start_after, start_after + queue.retention_seconds * interval '1 s', case when key is null then 'standard' else 'short' end,
    key, queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.expire_seconds, queue.deletion_seconds,
    queue.heartbeat_seconds, queue.dead_letter
  from unnest($1::text[], $2::jsonb[], $3::float8[], $4::text[]) as job (queue, data, delay_ms, key)
  join jobs.queue on queue.name = job.queue, cast(clock_timestamp() + delay_ms * interval '1 millisecond' as timestamptz) as start_after
  on conflict do nothing`

const FIGURES = `
  select name as queue, count(*) filter (where state < 'active' and start_after <= now())::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())), 0)::float as oldest
  from jobs.job where state < 'completed' and name = any($1) group by name`

/** Creates missing queues and updates those whose options differ, as after a change of version. */
async function putQueues(boss: PgBoss, wanted: readonly (Queue & { name: string })[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue as unknown as Record<string, unknown>]))
  await Promise.all(
    wanted.map(async ({ name, ...options }) => {
      const before = existing.get(name)
      if (!before) await boss.createQueue(name, { policy: 'standard', ...options })
      else if (Object.entries(options).some(([key, value]) => before[key] !== value)) await boss.updateQueue(name, options)
    }),
  )
}

/** How many of pg-boss's statements are prepared. It has fewer; more would mean that it writes values into them. */
const PREPARED_STATEMENTS = 100

/** The names of its prepared statements on the connections of a pool: one name is one text there. */
const statementNames = new WeakMap<pg.Pool, Map<string, string>>()

/**
 * Runs pg-boss's statements. Those of its workers are prepared by name: each looks for jobs every second, and after each job reports it,
 * and to plan these statements costs the database more than to run them.
 */
function runPrepared(pool: pg.Pool): (text: string, values?: unknown[]) => Promise<pg.QueryResult> {
  const names = statementNames.get(pool) ?? new Map<string, string>()
  statementNames.set(pool, names)
  return (text, values) => {
    let name = names.get(text)
    // One statement only: several, such as a transaction, cannot be prepared.
    if (name === undefined && names.size < PREPARED_STATEMENTS && /^\s*with\b/i.test(text) && !text.includes(';')) {
      name = `jobs.boss.${names.size + 1}`
      names.set(text, name)
    }
    return name === undefined ? pool.query(text, values) : pool.query({ name, text, values: values ?? [] })
  }
}

/** Opens the queues; the first one takes every job that names no queue. */
export async function openJobs(pool: pg.Pool, log: Log, queues: readonly [QueueOptions, ...QueueOptions[]]): Promise<Jobs> {
  const { PgBoss: Boss } = await import('pg-boss')
  const boss = new Boss({
    db: { executeSql: runPrepared(pool) },
    schema: 'jobs',
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // Skips pg-boss's advice about autovacuum, a query at every supervision whose result is not used.
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.error({ error }, 'queue.failed'))
  await boss.start()
  const lease = { heartbeatSeconds: LEASE_SECONDS, deleteAfterSeconds: DONE_RETENTION_SECONDS, retryBackoff: true }
  await putQueues(boss, [{ name: FAILED, ...lease, retryLimit: 100, retryDelay: 5, retryDelayMax: 300, expireInSeconds: 60 }])
  await putQueues(
    boss,
    queues.map(({ name, timeoutSeconds, retries, longestPauseSeconds }) => ({
      ...lease,
      name,
      retryLimit: retries ?? 9,
      retryDelay: 2,
      retryDelayMax: longestPauseSeconds ?? 300,
      // pg-boss's own time limit comes after ours, whose error names the job.
      expireInSeconds: timeoutSeconds + 30,
      deadLetter: FAILED,
    })),
  )

  const [standard] = queues
  const known = new Set(queues.map(({ name }) => name))
  const handlers = new Map<string, JobHandler>()
  function queueOf(name: string, data: unknown): string {
    const named = handlers.get(name)?.queue
    const queue = typeof named === 'function' ? named(data) : named
    return queue !== undefined && known.has(queue) ? queue : standard.name
  }
  const insert = (jobs: readonly Job[]) => ({
    name: 'jobs.send',
    text: SEND,
    values: [
      jobs.map(({ name, data }) => queueOf(name, data)),
      jobs.map(({ name, data }) => JSON.stringify({ job: name, data } satisfies Payload)),
      // A delay, not an instant: the database's clock may differ from ours.
      jobs.map(({ startAfter }) => (startAfter ? startAfter.getTime() - Date.now() : 0)),
      jobs.map(({ name, key }) => (key === undefined ? null : `${name} ${key}`)),
    ],
  })

  const runner: JobRunner = { pool, log, handlers, queueOf, insert }
  async function startWorker(queue: QueueOptions): Promise<void> {
    const batchSize = queue.batch ?? 1
    const worker = await boss.work(queue.name, { ...WORKING, batchSize }, async (jobs: PgBossJob<object>[]) => {
      // A full batch means that there may be more: this worker polls again at once, not in a second.
      if (jobs.length === batchSize) boss.notifyWorker(worker)
      return await runJobs(runner, queue, jobs)
    })
  }

  return {
    async sendJobs(jobs, client) {
      await client.query(insert(jobs))
    },
    async send(job) {
      await pool.query(insert([job]))
    },
    register(list) {
      for (const handler of list) {
        if (typeof handler.queue === 'string' && !known.has(handler.queue)) throw new Error(`There is no queue ${handler.queue}.`)
        handlers.set(handler.name, handler)
      }
    },
    async work() {
      for (const queue of queues) for (let n = 0; n < queue.workers; n++) await startWorker(queue)
      await boss.work(FAILED, { pollingIntervalSeconds: 2, batchSize: 1, includeMetadata: true }, async ([job]) => {
        if (job) await recordFailure(pool, log, job as DeadJob, standard.name)
      })
      const wanted = new Map([...handlers.values()].filter(({ every }) => every).map((handler) => [handler.name, handler]))
      for (const { name: queue, key } of await boss.getSchedules())
        if (!wanted.has(key) || queueOf(key, {}) !== queue) await boss.unschedule(queue, key)
      for (const { name, every } of wanted.values())
        await boss.schedule(queueOf(name, {}), every ?? '', { job: name, data: {} } satisfies Payload, { tz: 'UTC', key: name })
    },
    async figures() {
      const { rows } = await pool.query<{ queue: string; waiting: number; active: number; oldest: number }>(FIGURES, [[...known]])
      const found = new Map(rows.map((row) => [row.queue, row]))
      return queues.map(({ name }) => {
        const { waiting = 0, active = 0, oldest = 0 } = found.get(name) ?? {}
        return { queue: name, waiting, active, oldestSeconds: Math.max(0, Math.round(oldest)) }
      })
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}
