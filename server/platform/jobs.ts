/**
 * Jobs, schedules and the outbox: pg-boss on our own pool, one queue, the kind of work inside. `tx.send` in a business transaction
 * is the outbox. Delivery is at least once: every handler must be able to run twice.
 */
import type pg from 'pg'
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

export async function openJobs(pool: pg.Pool, log: Log): Promise<Jobs> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ db: { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }, schema: 'jobs' })
  boss.on('error', (error) => log.error({ error }, 'the job queue reported an error'))
  await boss.start()
  await boss.createQueue(QUEUE, { policy: 'standard', retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 120 })
  // The queue's description is read at its first use, through the pool. That must not be inside a crowd of transactions that hold
  // every connection and wait for each other: 200 bookings of one class at once stood still until their locks timed out.
  await boss.findJobs(QUEUE, { id: '00000000-0000-0000-0000-000000000000' })

  // The same few statements again and again: named, each connection parses and plans them once. Half a booking's time in the database.
  const names = new Map<string, string>()
  const named = (text: string, values?: unknown[]) => {
    const name = names.get(text) ?? `jobs.${names.size}`
    names.set(text, name)
    return { name, text, ...(values ? { values } : {}) }
  }
  const request = (job: Job, client?: pg.PoolClient) =>
    boss.send(
      QUEUE,
      { job: job.name, data: job.data },
      {
        ...(job.startAfter ? { startAfter: job.startAfter } : {}),
        ...(client ? { db: { executeSql: (text: string, values?: unknown[]) => client.query(named(text, values)) } } : {}),
      },
    )
  return {
    async sendJobs(jobs, client) {
      for (const job of jobs) await request(job, client)
    },
    async send(job) {
      await request(job)
    },
    async work(handlers) {
      const byName = new Map(handlers.map((handler) => [handler.name, handler]))
      await boss.work(QUEUE, { pollingIntervalSeconds: 1, batchSize: 1, localConcurrency: 3 }, async (jobs) => {
        for (const job of jobs) {
          const { job: name, data } = job.data as { job: string; data: unknown }
          try {
            const handler = byName.get(name)
            if (!handler) throw new Error(`No handler for the job ${name}.`)
            await handler.work(data)
          } catch (error) {
            // The queue tries again a few times and then keeps silent about it.
            log.warn({ error, job: name, id: job.id }, 'a job failed')
            throw error
          }
        }
      })
      for (const handler of handlers)
        if (handler.every) await boss.schedule(QUEUE, handler.every, { job: handler.name, data: {} }, { tz: 'UTC', key: handler.name })
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}
