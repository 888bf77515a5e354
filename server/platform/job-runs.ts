/** Runs the jobs that a worker took, and records those that failed for good (see jobs.ts). */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { JobResult, Job as PgBossJob } from 'pg-boss'
import type { Job, JobHandler, QueueOptions, TakenJob } from './job-types.ts'
import type { Log } from './log.ts'

/** A job's payload as stored in the queue. */
export interface Payload {
  job: string
  data: unknown
}

/** What running a job needs of its queues. */
export interface JobRunner {
  pool: pg.Pool
  log: Log
  handlers: ReadonlyMap<string, JobHandler>
  /** The queue of a job, by its handler. */
  queueOf(name: string, data: unknown): string
  /** The statement that inserts jobs. */
  insert(jobs: readonly Job[]): pg.QueryConfig
}

/** How long a job waits, at most, while requests are waiting for a database connection: requests have users waiting, jobs do not. */
const YIELD_MS = 250

async function yieldToRequests(pool: pg.Pool): Promise<void> {
  for (let waited = 0; pool.waitingCount > 0 && waited < YIELD_MS; waited += 25) await sleep(25)
}

/** Records each failed job once; repeating it changes nothing. Read by failed-jobs.ts. */
const RECORD = `
  insert into failed_job (job_id, queue, job, data, error, attempts) values ($1, $2, $3, $4, $5, $6) on conflict (job_id) do nothing`

/** Rejects when the signal is aborted, with its reason. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const takenJob = (job: PgBossJob<object>, limit: AbortSignal): TakenJob => ({
  data: (job.data as Payload).data,
  run: { id: job.id, signal: AbortSignal.any([job.signal, limit]) },
})

const reasonOf = (output: unknown): string => {
  const { message, value } = (output ?? {}) as { message?: string; value?: { message?: string } }
  return (message ?? value?.message ?? 'unknown').slice(0, 500)
}

/** One job alone; a failure is its result, never an exception. */
async function attempt(
  { pool, log, handlers, queueOf, insert }: JobRunner,
  queue: QueueOptions,
  job: PgBossJob<object>,
  limit: AbortSignal,
): Promise<JobResult> {
  const { job: name, data } = job.data as Payload
  try {
    const queueNow = queueOf(name, data)
    if (queueNow !== queue.name) {
      // Another version of the program assigned it to a different queue: move it.
      await pool.query(insert([{ name, data: data as object }]))
      return { id: job.id, status: 'completed' }
    }
    const handler = handlers.get(name)
    if (!handler) throw new Error(`No handler for the job ${name}.`)
    await yieldToRequests(pool)
    // Others of its batch took all the time.
    limit.throwIfAborted()
    const { run } = takenJob(job, limit)
    await Promise.race([handler.work(data, run), aborted(run.signal)])
    return { id: job.id, status: 'completed' }
  } catch (error) {
    log.warn({ error, job: name, queue: queue.name, id: job.id }, 'job.attempt_failed')
    return { id: job.id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
  }
}

/** Does jobs of one kind together, where their handler can; null when it cannot or fails, and each is to be done alone. */
async function attemptTogether(
  { pool, log, handlers, queueOf }: JobRunner,
  queue: QueueOptions,
  jobs: readonly PgBossJob<object>[],
  limit: AbortSignal,
): Promise<JobResult[] | null> {
  const [name = ''] = jobs.map((job) => (job.data as Payload).job)
  const handler = handlers.get(name)
  if (!handler?.workMany || jobs.length === 1) return null
  if (jobs.some((job) => queueOf(name, (job.data as Payload).data) !== queue.name)) return null
  await yieldToRequests(pool)
  try {
    await Promise.race([handler.workMany(jobs.map((job) => takenJob(job, limit))), aborted(limit)])
    return jobs.map(({ id }) => ({ id, status: 'completed' }))
  } catch (error) {
    log.warn({ error, job: name, queue: queue.name, count: jobs.length }, 'job.batch_failed')
    return null
  }
}

/** Does the jobs that a worker took at once, by kind, within the queue's time limit. */
export async function runJobs(runner: JobRunner, queue: QueueOptions, jobs: readonly PgBossJob<object>[]): Promise<JobResult[]> {
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new Error(`The job took longer than ${queue.timeoutSeconds} s.`)),
    queue.timeoutSeconds * 1000,
  )
  const results: JobResult[] = []
  try {
    for (const alike of Map.groupBy(jobs, (job) => (job.data as Payload).job).values()) {
      const together = await attemptTogether(runner, queue, alike, timeout.signal)
      if (together) results.push(...together)
      else for (const job of alike) results.push(await attempt(runner, queue, job, timeout.signal))
    }
  } finally {
    clearTimeout(timer)
  }
  return results
}

/** A job in the dead-letter queue. */
export interface DeadJob extends PgBossJob<object> {
  sourceName?: string | null
  sourceId?: string | null
  sourceRetryCount?: number | null
  sourceOutput?: object | null
}

/** Records and logs a job whose retries ran out. `standard`: the queue of those that name none. */
export async function recordFailure(pool: pg.Pool, log: Log, job: DeadJob, standard: string): Promise<void> {
  const { job: name, data } = job.data as Payload
  const [id, queue] = [job.sourceId ?? job.id, job.sourceName ?? standard]
  const [attempts, error] = [(job.sourceRetryCount ?? 0) + 1, reasonOf(job.sourceOutput)]
  await pool.query(RECORD, [id, queue, name, JSON.stringify(data), error, attempts])
  log.error({ job: name, queue, id, attempts, error }, 'job.failed')
}
