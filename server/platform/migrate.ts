/** Migrates a database to this version's tables. Runs at every start; an advisory lock serializes simultaneous starts. */
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as apply } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { endSnapshots } from './snapshot.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Advisory lock of the studio's database: one migrator at a time. */
const LOCK = 314_159_265
const OLDEST = 15

/** Creation time of the newest migration of `MIGRATIONS`, in ms; the database identifies migrations by it. */
let newest: number | undefined

const newestOf = (folder: string) => Math.max(...readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis }) => folderMillis))

/** Whether a database has every migration of this version; also true for a database of a later version. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  newest ??= newestOf(MIGRATIONS)
  return (await lastApplied(pool)) >= newest
}

async function lastApplied(on: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rows } = await on.query<{ at: string | null }>('select max(created_at)::text as at from drizzle.__drizzle_migrations')
  return Number(rows[0]?.at ?? 0)
}

/** Ends exports that are reading when tables are about to change: the change would wait for them, and every request for the change. */
async function endReaders(client: pg.Client, folder: string): Promise<void> {
  const { rows } = await client.query<{ is_new: boolean }>(`select to_regclass('drizzle.__drizzle_migrations') is null as is_new`)
  if (rows[0]?.is_new || (await lastApplied(client)) >= newestOf(folder)) return
  await endSnapshots(client)
}

/**
 * Applies the missing migrations of `folder` (server/migrations) in one transaction.
 * Throws an Error with a Spanish sentence when the PostgreSQL server is too old.
 */
export async function migrate(connection: string | pg.ClientConfig, folder: string = MIGRATIONS): Promise<void> {
  const base = typeof connection === 'string' ? { connectionString: connection } : connection
  // Not a pool connection: a migration may take longer than the app's statement timeout.
  const client = new pg.Client(base)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
    const major = Math.floor(Number(rows[0]?.version) / 10_000)
    if (major < OLDEST)
      throw new Error(`Estudio necesita PostgreSQL ${OLDEST} o posterior; el servidor de DATABASE_URL es la versión ${major}.`)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await endReaders(client, folder)
    await apply(drizzle(client), { migrationsFolder: folder })
  } finally {
    // Ending the session also releases the advisory lock.
    await client.end().catch(() => {})
  }
}
