/**
 * The database: one pool, a handle for reading, and transactions as the only place to write. Every writing function takes a `Tx`.
 * Inside a transaction, reading through the pool and calling external services throw: both would hold its locks while they wait.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Writable } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgColumn } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Event } from './events.ts'
import type { Job } from './job-types.ts'
import { readSnapshot } from './snapshot.ts'

type Drizzle = NodePgDatabase<Record<string, never>>

/** What a query that only reads needs: the handle outside transactions, or a transaction. */
export type Reader = Pick<Drizzle, 'select' | 'selectDistinct' | 'selectDistinctOn' | 'execute' | '$count' | 'with'>

declare const writes: unique symbol

/** A transaction: the only handle that writes. Jobs and events added to it take effect only if it commits. */
export type Tx = Pick<
  Drizzle,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'execute' | '$count' | 'with' | 'insert' | 'update' | 'delete'
> & {
  readonly [writes]: true
  /** Queues a job in this transaction: the job is inserted just before the commit, so it exists only if the transaction commits. */
  send(job: Job): Promise<void>
  /**
   * Continues without waiting for a statement whose result is not needed; later statements and the commit follow on the same connection.
   * If it fails, the transaction fails with its error.
   */
  fireAndForget(sent: Promise<unknown>): void
  /** Publishes an event to every process of this studio after the commit. */
  notify(event: Event): void
}

export interface Db {
  /** For reading outside transactions. Inside one it throws. */
  readonly read: Reader
  /** Runs `work` in one transaction; on a deadlock or serialization failure it is repeated from the start, at most five attempts in all. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Reads on one connection, outside a transaction: statements that wait for no result leave in one system call and wake one process of the
   * database, where `read` takes a connection for each.
   */
  readOnOneConnection<T>(work: (on: Reader) => Promise<T>): Promise<T>
  /** Reads as of one instant, for as long as it takes, on a connection outside the pool. */
  snapshot<T>(work: (on: Reader) => Promise<T>): Promise<T>
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** The single row that a statement with `returning` must yield. Throws when there is none. */
export function singleRow<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('A row was not written.')
  return row
}

/**
 * Runs parts of a transaction that do not need each other's results, so that their statements share round trips. Waits for all of them
 * before it throws the first failure: a part that still runs would send its next statement after the rollback, outside the transaction,
 * where it is committed. Errors that only repeat that the transaction is aborted are thrown last: a part of few steps passes them on before
 * the part whose statement failed.
 */
export async function together<const Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [At in keyof Parts]: Awaited<Parts[At]> }> {
  const errors: unknown[] = []
  const results = await Promise.all(
    parts.map(async (part) => {
      try {
        return await part
      } catch (error) {
        errors.push(error)
        return undefined
      }
    }),
  )
  if (errors.length > 0) throw errors.find((error) => pgError(error)?.code !== ABORTED) ?? errors[0]
  return results as { -readonly [At in keyof Parts]: Awaited<Parts[At]> }
}

const inside = new AsyncLocalStorage<true>()

/** Whether the caller runs inside a transaction, where external services and the reading handle must not be used. */
export function insideTransaction(): boolean {
  return inside.getStore() === true
}

/** Throws when called inside a transaction. For everything that calls an external service. */
export function assertNotInTransaction(what: string): void {
  if (insideTransaction()) throw new Error(`${what} was used inside a transaction: do it before or after.`)
}

const RETRIED = new Set(['40001', '40P01'])

/** Message of pg-pool when no connection became free in time; mapped to PostgreSQL's code for "too many connections". */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect'

/** Messages of the driver when the server closed the connection or is unreachable; mapped to PostgreSQL's code 08006. */
const LOST =
  /^(Connection terminated|Query read timeout|Client (was closed|has encountered a connection error)|This socket has been ended|connect E[A-Z]+|(read|write) (ECONNRESET|EPIPE))/

/** SQLSTATE and constraint of a driver error, searched through its causes (Drizzle wraps it). Null for any other error. */
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

/** SQLSTATE of a statement in a transaction in which an earlier statement failed. */
const ABORTED = '25P02'

async function firstFailure(sent: readonly Promise<unknown>[]): Promise<unknown> {
  return (await Promise.allSettled(sent)).find((result) => result.status === 'rejected')?.reason
}

/**
 * The connection is lost or was refused: class 08 except protocol errors, and the codes that end a session (57P0x, idle session time-outs).
 */
const AWAY = new Set(['08000', '08001', '08003', '08004', '08006', '08007', '57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04'])

/** Whether an error means that the database is stopping, unreachable or restarting: the operation can be retried. */
export function isAway(error: unknown): boolean {
  return AWAY.has(pgError(error)?.code ?? '')
}

/**
 * Overloaded for now: a lock, statement or connection timed out, a deadlock outlasted all attempts, disk or memory is full, the disk
 * fails, or the server is read-only during a failover.
 */
const CROWDED = new Set([
  '55P03',
  '55006',
  '57014',
  '40003',
  ...RETRIED,
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '58000',
  '58030',
  '25006',
])

function isCrowded(error: unknown): boolean {
  return CROWDED.has(pgError(error)?.code ?? '') || isDiskFull(error)
}

/** Codes of the operating system for a file of ours that could not be written, such as an upload. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT'])

function isDiskFull(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if ('code' in at && NO_ROOM.has(String(at.code))) return true
  return false
}

/** Conditions that an operator must mend: disk or memory full, a failing disk, a read-only server. */
const FAILING = new Set(['53100', '53200', '53400', '58000', '58030', '25006'])

/** Whether an error needs the operator's attention, although it may pass by itself. */
export function needsOperator(error: unknown): boolean {
  return FAILING.has(pgError(error)?.code ?? '') || isDiskFull(error)
}

/** Whether an error is transient: the database is unreachable or overloaded. */
export function isPassing(error: unknown): boolean {
  return isAway(error) || isCrowded(error)
}

const PREPARED = Symbol('prepared queries')

/** Attaches a cache of prepared queries to the handle of a connection (or of the pool); transactions inherit it. */
function withQueryCache(handle: Drizzle): Drizzle {
  return Object.assign(handle, { [PREPARED]: new Map<unknown, unknown>() })
}

type Preparable = { prepare(name: string): unknown }
const builders = new Map<string, (on: never) => Preparable>()
/** How each prepared query is built, by its name: for the test of their plans (server/modules/list-plans.test.ts). */
export const preparedQueries: ReadonlyMap<string, (on: never) => Preparable> = builders

/**
 * A query that is built once per connection and prepared there under its name, for hot paths where building it costs more than running it
 * (0.15 against 0.04 ms of CPU). Variable parts are `sql.placeholder`. Throws when two queries have one name.
 */
export function prepared<On extends Reader | Tx, Q>(name: string, build: (on: On) => { prepare(name: string): Q }): (on: On) => Q {
  if (builders.has(name)) throw new Error(`Two prepared queries are named ${name}.`)
  builders.set(name, build as never)
  return (on) => builtOnce(on, build, () => build(on).prepare(name))
}

/** What `build` returns for a connection, built once under this key; built each time on a handle that caches nothing. */
export function builtOnce<Q>(on: Reader | Tx, key: unknown, build: () => Q): Q {
  const queries = (on as { [PREPARED]?: Map<unknown, unknown> })[PREPARED]
  let query = queries?.get(key) as Q | undefined
  if (query === undefined) {
    query = build()
    queries?.set(key, query)
  }
  return query
}

/**
 * A placeholder whose value the planner cannot see, so that PostgreSQL settles on a generic plan. With a visible value (such as a time
 * range) it estimates a custom plan to be cheaper and plans the statement again at every execution: 0.12 ms of its CPU for a query that
 * runs in 0.01.
 */
export function genericPlanParam(name: string, type: 'integer' | 'integer[]' | 'date' | 'timestamptz'): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`
}

/** Whether a column is one of some ids, as a single parameter: one for each of a hundred ids costs more to build than the query to run. */
export function isOneOf(column: PgColumn, ids: readonly number[]): SQL {
  return sql`${column} = any(${`{${ids.join(',')}}`}::integer[])`
}

interface Leaving {
  sendJobs(jobs: Job[], client: pg.PoolClient): Promise<void>
  publish(events: Event[]): void
}

export interface DbOptions {
  connection: string | pg.PoolConfig
  max?: number
  /**
   * How long to wait for the server's response to a statement before the connection counts as lost, in ms; more than `statement_timeout`.
   */
  timeoutMs?: number
  /** Destination of jobs and events; attached by the app once both exist. */
  leaving?: Leaving
  log?: { error(details: object, text: string): void }
}

/**
 * Set after connecting, not as start parameters: PgBouncer refuses those. `random_page_cost` is that of solid-state disks: with the
 * server's default, meant for turning ones, a page of some hundred rows of a large table is read by scanning all of it.
 */
const SESSION = `set timezone = 'UTC'; set lock_timeout = 3000; set statement_timeout = 5000; set idle_in_transaction_session_timeout = 10000;
  set default_transaction_isolation = 'read committed'; set random_page_cost = 1.1`

/**
 * Sends what one turn of the event loop writes to a connection in one system call: the driver makes one for each statement, which was a
 * third of the processor time of a booking.
 */
function gatherWrites(stream: Writable): void {
  const write: Writable['write'] = stream.write.bind(stream)
  let isGathering = false
  stream.write = ((...args: Parameters<Writable['write']>) => {
    if (!isGathering) {
      isGathering = true
      stream.cork()
      // After the microtasks of this turn, which send the statements that wait for no result.
      queueMicrotask(() =>
        process.nextTick(() => {
          isGathering = false
          stream.uncork()
        }),
      )
    }
    return write(...args)
  }) as Writable['write']
}

/** Opens the pool. `attachOutbox` attaches the job queue and the event bus, which need the pool themselves. */
export function openDb(options: DbOptions): Db & { attachOutbox(leaving: Leaving): void } {
  const base = typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection
  const pool = new pg.Pool({
    ...base,
    max: options.max ?? 12,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    // A frozen server or a broken network returns no error by itself: without this time limit requests would wait for ever.
    query_timeout: options.timeoutMs ?? 10_000,
    keepAlive: true,
    // Statements are sent without waiting for the results of earlier ones: fewer round trips, same order.
    pipeline: true,
    onConnect: (client) => client.query(SESSION),
  })
  // Without `error` listeners a dropped connection ends the process: an idle one, and one that a transaction uses, between two statements.
  // The transaction itself fails at its next statement.
  pool.on('error', (error) => options.log?.error({ error }, 'an idle database connection was lost'))
  pool.on('connect', (client) => {
    client.on('error', () => {})
    gatherWrites(client.connection.stream)
  })

  let leaving = options.leaving
  const outer = withQueryCache(drizzle(pool))
  const sessions = new WeakMap<pg.PoolClient, Drizzle>()
  function sessionOf(client: pg.PoolClient): Drizzle {
    let session = sessions.get(client)
    if (!session) {
      session = withQueryCache(drizzle(client))
      sessions.set(client, session)
    }
    return session
  }

  async function once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const events: Event[] = []
    const jobs: Job[] = []
    const sent: Promise<unknown>[] = []
    const fireAndForget = (statement: Promise<unknown>) => {
      // `then` once, here: Drizzle sends a query again for every `then`.
      const running = statement.then(() => {})
      running.catch(() => {})
      sent.push(running)
    }
    let broken: Error | undefined
    try {
      fireAndForget(client.query('begin'))
      const session = sessionOf(client)
      const tx = Object.assign(Object.create(session), {
        send: async (job: Job) => {
          if (!leaving) throw new Error('No job queue is attached to this database.')
          jobs.push(job)
        },
        fireAndForget,
        notify: (event: Event) => void events.push(event),
      }) as Tx
      const result = await inside.run(true, () => work(tx))
      if (leaving && jobs.length) fireAndForget(leaving.sendJobs(jobs, client))
      const committed = client.query('commit')
      await Promise.all([...sent, committed])
      // COMMIT returns ROLLBACK, without an error, when a statement failed and the caller swallowed its error.
      const { command } = await committed
      if (command !== 'COMMIT') throw new Error('A statement of this transaction failed and nobody said so: nothing was written.')
      return result
    } catch (caught) {
      // After a failed statement, later ones fail only with ABORTED: report the first error.
      const error = pgError(caught)?.code === ABORTED ? ((await firstFailure(sent)) ?? caught) : caught
      events.length = 0
      // Connection lost: no ROLLBACK is possible; the server rolls back when it notices the disconnect.
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
      assertNotInTransaction('The outer database handle')
      return outer
    },
    async tx(work) {
      assertNotInTransaction('A second transaction')
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
    async readOnOneConnection(work) {
      assertNotInTransaction('A connection for reading')
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        return await work(sessionOf(client))
      } catch (error) {
        // Each statement is a transaction of its own: after a refused one the connection can be used again, after a lost one it cannot.
        if (isAway(error)) broken = error as Error
        throw error
      } finally {
        client.release(broken)
      }
    },
    snapshot(work) {
      assertNotInTransaction('A snapshot')
      return readSnapshot(base, work)
    },
    attachOutbox(to) {
      leaving = to
    },
    close: () => pool.end(),
  }
}
