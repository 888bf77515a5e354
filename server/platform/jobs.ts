/**
 * Jobs, schedules and the outbox: pg-boss on our own pool, one queue, the kind of work inside. `tx.send` in a business transaction
 * is the outbox. Delivery is at least once: every handler must be able to run twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { JobResult, Job as PgBossJob } from 'pg-boss'
import type { Log } from './log.ts'

/** Work for later. `name` says which handler. */
export interface Job {
  name: string
  data: object
  startAfter?: Date
}

/** How a module does one kind of job. `every` is a cron line (UTC) for work that comes back by itself. */
export interface JobHandler {
  name: string
  every?: string
  work(data: unknown): Promise<void>
}

export interface Jobs {
  sendJobs(jobs: Job[], client: pg.PoolClient): Promise<void>
  send(job: Job): Promise<void>
  /** Starts working; call once per process that should work. */
  work(handlers: JobHandler[]): Promise<void>
  stop(): Promise<void>
}

const QUEUE = 'estudio'

const RETRIES = { retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 120 }

/** Once a second, and without a pause while there is more: a rush of bookings is confirmed in seconds. Each job is settled by itself. */
const WORKING = { pollingIntervalSeconds: 1, batchSize: 5, burstWhenBatchFull: true, perJobResults: true, localConcurrency: 3 } as const

/** How long a job lets those go first who wait for a connection to the database: they wait for an answer, and nobody waits for the job. */
const AFTER_YOU_MS = 250

async function afterYou(pool: pg.Pool): Promise<void> {
  for (let waited = 0; pool.waitingCount > 0 && waited < AFTER_YOU_MS; waited += 25) await sleep(25)
}

/**
 * Jobs go into pg-boss's table directly, which it provides for. Its own `send` takes them one by one, costs the database twice as much, and
 * asks for the queue's description through the pool, where a crowd of transactions may hold every connection.
 */
const SEND = `
  insert into jobs.job (name, data, start_after, keep_until, policy, retry_limit, retry_delay, retry_backoff, expire_seconds)
  select '${QUEUE}', data, start_after, start_after + interval '14 days', 'standard',
    ${RETRIES.retryLimit}, ${RETRIES.retryDelay}, ${RETRIES.retryBackoff}, ${RETRIES.expireInSeconds}
  from unnest($1::jsonb[], $2::float8[]) as job (data, delay_ms), cast(clock_timestamp() + delay_ms * interval '1 millisecond' as timestamptz) as start_after`

export async function openJobs(pool: pg.Pool, log: Log): Promise<Jobs> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ db: { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }, schema: 'jobs' })
  boss.on('error', (error) => log.error({ error }, 'the job queue reported an error'))
  await boss.start()
  await boss.createQueue(QUEUE, { policy: 'standard', ...RETRIES })
  const insert = (jobs: readonly Job[]) => ({
    name: 'jobs.send',
    text: SEND,
    values: [
      jobs.map(({ name, data }) => JSON.stringify({ job: name, data })),
      // A delay, not an instant: the clock of the database may differ from ours.
      jobs.map(({ startAfter }) => (startAfter ? startAfter.getTime() - Date.now() : 0)),
    ],
  })
  return {
    async sendJobs(jobs, client) {
      await client.query(insert(jobs))
    },
    async send(job) {
      await pool.query(insert([job]))
    },
    async work(handlers) {
      const byName = new Map(handlers.map((handler) => [handler.name, handler]))
      async function settle(job: PgBossJob<object>): Promise<JobResult> {
        const { job: name, data } = job.data as { job: string; data: unknown }
        try {
          const handler = byName.get(name)
          if (!handler) throw new Error(`No handler for the job ${name}.`)
          await afterYou(pool)
          await handler.work(data)
          return { id: job.id, status: 'completed' }
        } catch (error) {
          // The queue tries again a few times and then keeps silent about it.
          log.warn({ error, job: name, id: job.id }, 'a job failed')
          return { id: job.id, status: 'failed', output: { message: String(error) } }
        }
      }
      await boss.work(QUEUE, WORKING, async (jobs: PgBossJob<object>[]) => {
        const results: JobResult[] = []
        for (const job of jobs) results.push(await settle(job))
        return results
      })
      for (const handler of handlers)
        if (handler.every) await boss.schedule(QUEUE, handler.every, { job: handler.name, data: {} }, { tz: 'UTC', key: handler.name })
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}
