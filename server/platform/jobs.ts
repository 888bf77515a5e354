/**
 * Jobs, schedules and the outbox: pg-boss on our own pool. `tx.send` inside a business transaction is the outbox (architecture section 1).
 * Delivery is at least once: every handler must be able to run twice.
 */
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'

/** Work for later. `name` is a queue that some module handles; `singleton` keeps one waiting job per key. */
export interface Job {
  name: string
  data: object
  startAfter?: Date
  singleton?: string
}

/** How a module does one kind of job. `every` is a cron line in UTC for jobs that come back by themselves. */
export interface JobHandler {
  name: string
  every?: string
  work(data: unknown): Promise<void>
}

export interface Jobs {
  sendJobs(jobs: Job[], client: pg.PoolClient): Promise<void>
  send(job: Job): Promise<void>
  /** Starts working on the queues of `handlers`; call once. */
  work(handlers: JobHandler[]): Promise<void>
  stop(): Promise<void>
}

type Log = { error(details: object, text: string): void; warn(details: object, text: string): void }

/** `work: false` only sends (a second web process, most tests). `poll` is seconds between looks at a queue. */
export async function openJobs(pool: pg.Pool, log: Log, options: { poll?: number } = {}): Promise<Jobs> {
  const { PgBoss: Boss } = await import('pg-boss')
  const executeSql = async (text: string, values?: unknown[]) => pool.query(text, values as unknown[])
  const boss: PgBoss = new Boss({ db: { executeSql }, schema: 'jobs' })
  boss.on('error', (error) => log.error({ error }, 'the job queue reported an error'))
  await boss.start()
  const known = new Set<string>()
  async function queue(name: string) {
    if (known.has(name)) return
    await boss.createQueue(name, { policy: 'standard', retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 120 })
    known.add(name)
  }

  const optionsOf = (job: Job) => ({
    ...(job.startAfter ? { startAfter: job.startAfter } : {}),
    ...(job.singleton ? { singletonKey: job.singleton } : {}),
  })
  return {
    async sendJobs(jobs, client) {
      const db = { executeSql: async (text: string, values?: unknown[]) => client.query(text, values as unknown[]) }
      for (const job of jobs) await boss.send(job.name, job.data, { ...optionsOf(job), db })
    },
    async send(job) {
      await boss.send(job.name, job.data, optionsOf(job))
    },
    async work(handlers) {
      for (const handler of handlers) {
        await queue(handler.name)
        await boss.work(handler.name, { pollingIntervalSeconds: options.poll ?? 2, batchSize: 1 }, async (jobs) => {
          for (const job of jobs) await handler.work(job.data)
        })
        if (handler.every) await boss.schedule(handler.name, handler.every, {}, { tz: 'UTC' })
      }
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 })
    },
  }
}
