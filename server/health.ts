/**
 * Checks for supervisors, load balancers and monitors, on an internal port: `/viva` (liveness), `/lista` (readiness) and `/metrics`
 * (Prometheus text format). It listens before the database is ready, so that a slow start is not mistaken for a dead process.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countFailedJobs } from '#server/platform/failed-jobs.ts'
import { isMigrated } from '#server/platform/migrate.ts'
import type { OpenStudio } from './studio.ts'

/** Timeout of the database check, in ms. */
const DATABASE_MS = 1_000

export interface Health {
  /** The port that it listens on. */
  port: number
  /** Marks the program as ready for visitors. */
  ready(studio: Pick<OpenStudio, 'db' | 'jobs'>): void
  /** Marks the program as shutting down: alive, but no longer ready. */
  closing(): void
  close(): Promise<void>
}

/** Opens the port. Throws the errors of listening. */
export async function openHealth(at: { host: string; port: number }): Promise<Health> {
  let studio: Pick<OpenStudio, 'db' | 'jobs'> | null = null
  let going = false
  /** One check at a time: while the database does not respond, more checks would only fill the pool. */
  let asking: Promise<string | null> | undefined

  async function checkDatabase(of: Pick<OpenStudio, 'db'>): Promise<string | null> {
    try {
      return (await isMigrated(of.db.pool)) ? null : 'las migraciones no están completas'
    } catch {
      return 'la base de datos no contesta'
    }
  }
  /** Why this process is not ready for visitors; null when it is. */
  async function whyNotReady(): Promise<string | null> {
    if (going) return 'el programa se está cerrando'
    if (!studio) return 'el programa está arrancando'
    asking ??= checkDatabase(studio).finally(() => {
      asking = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<string>((done) => {
      timer = setTimeout(done, DATABASE_MS, 'la base de datos tarda más de un segundo')
    })
    return Promise.race([asking, tooLong]).finally(() => clearTimeout(timer))
  }

  const server = createServer(async (req, res) => {
    const path = req.url?.split('?')[0]
    if (req.method !== 'GET' && req.method !== 'HEAD') return answer(res, 405, { error: 'solo GET' })
    if (path === '/viva') return answer(res, 200, { viva: true })
    if (path === '/lista') {
      const why = await whyNotReady()
      return answer(res, why ? 503 : 200, why ? { lista: false, motivo: why } : { lista: true })
    }
    if (path !== '/metrics') return answer(res, 404, { error: 'hay /viva, /lista y /metrics' })
    if (!studio || (await whyNotReady())) return answer(res, 503, { error: 'sin cifras mientras no esté lista' })
    try {
      const text = await figuresOf(studio)
      res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }).end(text)
    } catch {
      answer(res, 503, { error: 'la base de datos no contesta' })
    }
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(at.port, at.host, done)
  })
  return {
    port: (server.address() as AddressInfo).port,
    ready(opened) {
      studio = opened
    },
    closing() {
      going = true
    },
    async close() {
      going = true
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function answer(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(`${JSON.stringify(body)}\n`)
}

/** Metrics: jobs by queue, jobs that failed for good, and this process's database connections. */
async function figuresOf({ db, jobs }: Pick<OpenStudio, 'db' | 'jobs'>): Promise<string> {
  const [queues, failed] = await Promise.all([jobs.figures(), countFailedJobs(db.read)])
  const { totalCount, idleCount, waitingCount } = db.pool
  const gauge = (name: string, help: string, rows: readonly (readonly [labels: string, value: number])[]) =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...rows.map(([labels, value]) => `${name}${labels} ${value}`)].join('\n')
  const byQueue = (of: 'waiting' | 'active' | 'oldestSeconds') => queues.map((row) => [`{queue="${row.queue}"}`, row[of]] as const)
  return `${[
    gauge('estudio_jobs_waiting', 'Jobs whose time has come and that no worker has taken.', byQueue('waiting')),
    gauge('estudio_jobs_active', 'Jobs in work, in all processes.', byQueue('active')),
    gauge('estudio_jobs_oldest_seconds', 'Age of the oldest waiting job.', byQueue('oldestSeconds')),
    gauge('estudio_jobs_failed', 'Jobs whose retries ran out and that nobody has dealt with.', [['', failed]]),
    gauge('estudio_database_connections', 'Connections of this process to the database.', [
      ['{state="idle"}', idleCount],
      ['{state="busy"}', totalCount - idleCount],
    ]),
    gauge('estudio_database_waiting', 'Requests of this process that wait for a connection.', [['', waitingCount]]),
  ].join('\n')}\n`
}
