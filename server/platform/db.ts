/**
 * The database: one pool, a handle for reading, and transactions as the only place to write.
 * Writes take a `Tx`; a `Tx` has no ports, and inside one the pool is closed.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Event } from './events.ts'
import type { Job } from './jobs.ts'

type Drizzle = NodePgDatabase<Record<string, never>>

/** What reading needs. Both the outer handle and a transaction are one. */
export type Reader = Pick<Drizzle, 'select' | 'selectDistinct' | 'selectDistinctOn' | 'execute' | '$count' | 'with'>

declare const writes: unique symbol

/** A transaction: the only thing that writes. It can also leave jobs and events behind that exist only after its commit. */
export type Tx = Pick<
  Drizzle,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'execute' | '$count' | 'with' | 'insert' | 'update' | 'delete'
> & {
  readonly [writes]: true
  /** Queues a job inside this transaction: nothing after a rollback, exactly one after the commit, with which it is written. */
  send(job: Job): Promise<void>
  /**
   * Goes on without waiting for a statement's answer, where nobody needs it: what comes next, the commit too, follows on the same connection.
   * Should it fail, the transaction does, with its error.
   */
  unread(sent: Promise<unknown>): void
  /** Tells every process of this studio, after the commit. */
  notify(event: Event): void
}

export interface Db {
  /** For reading outside transactions. Inside one it throws. */
  readonly read: Reader
  /** Runs `work` in one transaction; repeats it whole on a deadlock or serialization failure, at most five times. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** The row that a write of one row answers with. */
export function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('A row was not written.')
  return row
}

const inside = new AsyncLocalStorage<true>()

/** Whether the caller stands inside a transaction: ports and the outer handle refuse to work there. */
export function insideTransaction(): boolean {
  return inside.getStore() === true
}

/** Throws when called inside a transaction: for anything that talks to the outside world. */
export function outsideOnly(what: string): void {
  if (insideTransaction()) throw new Error(`${what} was used inside a transaction: do it before or after.`)
}

const RETRIED = new Set(['40001', '40P01'])

/** What the pool says when no connection came free in time; PostgreSQL's own word for it is "too many connections". */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect'

/** What the driver says when the server went away or is not there; PostgreSQL's own code for it is 08006. */
const LOST =
  /^(Connection terminated|Query read timeout|Client (was closed|has encountered a connection error)|This socket has been ended|connect E[A-Z]+|(read|write) (ECONNRESET|EPIPE))/

/** SQLSTATE and constraint of an error of the driver, through Drizzle's wrapper. */
export function pgError(error: unknown): { code: string; constraint: string | undefined } | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.message === POOL_EXHAUSTED) return { code: '53300', constraint: undefined }
    if (LOST.test(at.message)) return { code: '08006', constraint: undefined }
    // Every SQLSTATE has a digit; EPERM and EPIPE of the operating system have none.
    if ('code' in at && typeof at.code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(at.code))
      return { code: at.code, constraint: 'constraint' in at && typeof at.constraint === 'string' ? at.constraint : undefined }
  }
  return null
}

/** What PostgreSQL says of a statement in a transaction that has failed before. */
const ABORTED = '25P02'

async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  return (await Promise.allSettled(sent)).find((one) => one.status === 'rejected')?.reason
}

/** The connection is lost or not there: class 08 but protocol errors, and what ends a session (57P0x, time-outs of idle sessions). */
const AWAY = new Set([
  ...['08000', '08001', '08003', '08004', '08006', '08007'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04'],
])

/** Whether an error means that the database is stopping, gone or coming back: what was asked may be asked again. */
export function isAway(error: unknown): boolean {
  return AWAY.has(pgError(error)?.code ?? '')
}

/**
 * Not now: a lock, a statement or a connection that took too long, two transactions in each other's way once too often, no room or memory left,
 * a disk that fails, a server that only reads because another one is taking over.
 */
const CROWDED = new Set([
  ...['55P03', '55006', '57014', '40003', ...RETRIED],
  ...['53000', '53100', '53200', '53300', '53400'],
  ...['58000', '58030', '25006'],
])

function isCrowded(error: unknown): boolean {
  return CROWDED.has(pgError(error)?.code ?? '')
}

/** What an operator has to look after: the server has no room, no memory, a failing disk, or only reads. */
const FAILING = new Set(['53100', '53200', '53400', '58000', '58030', '25006'])

/** Whether an error means that the database needs its operator, although it may pass. */
export function needsOperator(error: unknown): boolean {
  return FAILING.has(pgError(error)?.code ?? '')
}

/** Whether an error passes by itself: the database is away or has too much to do. */
export function isPassing(error: unknown): boolean {
  return isAway(error) || isCrowded(error)
}

const KEPT = Symbol('prepared queries')

/** Keeps the prepared queries of a connection (or of the pool) on its handle; transactions inherit them. */
function keeping(handle: Drizzle): Drizzle {
  return Object.assign(handle, { [KEPT]: new Map<unknown, unknown>() })
}

/**
 * A query that is built once per connection and prepared there under its name, for the paths where building it
 * again would cost more than running it (0.15 against 0.04 ms of CPU). `sql.placeholder` marks what changes. Of two queries
 * with one name the driver refuses the second.
 */
export function prepared<On extends Reader | Tx, Q>(name: string, build: (on: On) => { prepare(name: string): Q }): (on: On) => Q {
  return (on) => {
    const kept = (on as { [KEPT]?: Map<typeof build, Q> })[KEPT]
    let query = kept?.get(build)
    if (!query) {
      query = build(on).prepare(name)
      kept?.set(build, query)
    }
    return query
  }
}

/**
 * A placeholder whose value the planner does not see. Where it does, as of a stretch of time, PostgreSQL finds a plan for just this value
 * cheap enough to plan the statement again at every use: 0.12 ms of its CPU for a query that then runs for 0.01.
 */
export function genericPlanParam(name: string, type: 'integer[]' | 'timestamptz'): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`
}

interface Leaving {
  sendJobs(jobs: Job[], client: pg.PoolClient): Promise<void>
  publish(events: Event[]): void
}

export interface DbOptions {
  connection: string | pg.PoolConfig
  max?: number
  /** How long the server may take to answer a statement before it counts as gone, in milliseconds; longer than it gives itself. */
  patienceMs?: number
  /** Where jobs and events go; set by the app once both exist. */
  leaving?: Leaving
  log?: { error(details: object, text: string): void }
}

/** Set after connecting, not as start parameters: PgBouncer refuses those. */
const SESSION = `set timezone = 'UTC'; set lock_timeout = 3000; set statement_timeout = 5000; set idle_in_transaction_session_timeout = 10000;
  set default_transaction_isolation = 'read committed'`

export function openDb(options: DbOptions): Db & { leaveThrough(leaving: Leaving): void } {
  const base = typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection
  const pool = new pg.Pool({
    ...base,
    max: options.max ?? 12,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    // A server that is frozen or behind a broken network ends nothing by itself: requests would wait for ever.
    query_timeout: options.patienceMs ?? 10_000,
    keepAlive: true,
    // Statements leave at once, also behind others that have no answer yet: fewer trips to and fro, in the same order.
    pipeline: true,
    onConnect: (client) => client.query(SESSION),
  })
  // Without listeners the process ends when PostgreSQL drops a connection: an idle one, and one that a transaction holds between two of its
  // statements. The transaction itself hears of it at its next statement.
  pool.on('error', (error) => options.log?.error({ error }, 'an idle database connection was lost'))
  pool.on('connect', (client) => client.on('error', () => {}))

  let leaving = options.leaving
  const outer = keeping(drizzle(pool))
  const sessions = new WeakMap<pg.PoolClient, Drizzle>()
  function sessionOf(client: pg.PoolClient): Drizzle {
    let session = sessions.get(client)
    if (!session) {
      session = keeping(drizzle(client))
      sessions.set(client, session)
    }
    return session
  }

  async function once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const events: Event[] = []
    const jobs: Job[] = []
    const sent: Promise<unknown>[] = []
    const unread = (one: Promise<unknown>) => {
      // Once: a query of Drizzle's is sent whenever somebody asks for its answer.
      const running = one.then(() => {})
      running.catch(() => {})
      sent.push(running)
    }
    let broken: Error | undefined
    try {
      unread(client.query('begin'))
      const session = sessionOf(client)
      const tx = Object.assign(Object.create(session), {
        send: async (job: Job) => {
          if (!leaving) throw new Error('No job queue is attached to this database.')
          jobs.push(job)
        },
        unread,
        notify: (event: Event) => void events.push(event),
      }) as Tx
      const result = await inside.run(true, () => work(tx))
      if (leaving && jobs.length) unread(leaving.sendJobs(jobs, client))
      const committed = client.query('commit')
      await Promise.all([...sent, committed])
      // PostgreSQL answers ROLLBACK, without an error, when a statement failed and its error was swallowed on the way.
      const { command } = await committed
      if (command !== 'COMMIT') throw new Error('A statement of this transaction failed and nobody said so: nothing was written.')
      return result
    } catch (caught) {
      // After a failed statement the next ones are told only that one has failed.
      const error = pgError(caught)?.code === ABORTED ? ((await firstFailure(sent)) ?? caught) : caught
      events.length = 0
      // Who is gone cannot roll back; it does when it notices that we have left.
      if (isAway(error)) broken = error as Error
      else
        await client.query('rollback').catch((failed: Error) => {
          broken = failed
        })
      throw error
    } finally {
      client.release(broken)
      if (events.length) leaving?.publish(events)
    }
  }

  return {
    pool,
    get read() {
      outsideOnly('The outer database handle')
      return outer
    },
    async tx(work) {
      outsideOnly('A second transaction')
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work)
        } catch (error) {
          const failed = pgError(error)
          if (!failed || !RETRIED.has(failed.code) || attempt === 5) throw error
          await new Promise((resume) => setTimeout(resume, 5 * 2 ** attempt * (0.5 + Math.random())))
        }
      }
    },
    leaveThrough(to) {
      leaving = to
    },
    close: () => pool.end(),
  }
}
