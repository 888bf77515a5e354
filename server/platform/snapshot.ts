/**
 * Reading a whole studio as of one instant. The transaction has a connection of its own, not one of the pool: it lasts minutes. It takes no
 * lock but that of reading a table, which only a change of the table waits for; `migrate` ends it.
 */
import { setTimeout } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** What `Db` calls a reader; `db.ts` imports this file. */
type Handle = Pick<NodePgDatabase<Record<string, never>>, 'execute' | 'select' | 'selectDistinct' | 'selectDistinctOn' | '$count' | 'with'>

/** How the server names such connections while they read. */
export const SNAPSHOT_NAME = 'estudio snapshot'

/** Advisory lock of a database: shared by snapshots, exclusive while tables change. */
const SNAPSHOTS_LOCK = 314_159_266

/** Limits of a statement, and of a pause between two, in ms: a process that hangs does not keep the snapshot. */
const LIMITS = 'set local statement_timeout = 120000; set local idle_in_transaction_session_timeout = 120000'

/** Calls `work` with a handle whose every statement reads the database as of the first one. */
export async function readSnapshot<T>(base: pg.ClientConfig, work: (on: Handle) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...base, keepAlive: true, connectionTimeoutMillis: 5_000, query_timeout: 150_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    // The name is set here: one in the connection string takes precedence over one in the options, and `migrate` would not find
    // the snapshot.
    await client.query(
      `begin isolation level repeatable read read only; set local application_name = '${SNAPSHOT_NAME}'; set local timezone = 'UTC'; ${LIMITS}`,
    )
    const { rows } = await client.query<{ is_free: boolean }>(`select pg_try_advisory_xact_lock_shared(${SNAPSHOTS_LOCK}) as is_free`)
    if (!rows[0]?.is_free) throw new Error('A snapshot was to begin while a migration changes tables; it is to begin again after it.')
    return await work(drizzle(client))
  } finally {
    // Ending the connection ends the transaction, which wrote nothing.
    await client.end().catch(() => {})
  }
}

let cursors = 0

/** The rows of a query in pages, without reading any of them twice. `on` is a transaction. */
export async function* readInPages<Row extends Record<string, unknown>>(
  on: Pick<Handle, 'execute'>,
  query: SQL,
  size: number,
): AsyncGenerator<Row[]> {
  const cursor = sql.identifier(`pages_${++cursors}`)
  await on.execute(sql`declare ${cursor} no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await on.execute(sql`fetch ${sql.raw(String(size))} from ${cursor}`)
    yield rows as Row[]
    if (rows.length < size) break
  }
  await on.execute(sql`close ${cursor}`)
}

const END_SNAPSHOTS = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = '${SNAPSHOT_NAME}'`

/** Ends every snapshot of this database, and lets none begin until the connection ends. Their readers begin again. */
export async function endSnapshots(client: pg.Client): Promise<void> {
  const isLocked = async () =>
    (await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${SNAPSHOTS_LOCK}) as locked`)).rows[0]?.locked
  do await client.query(END_SNAPSHOTS)
  while (!(await isLocked()) && (await setTimeout(50, true)))
}
