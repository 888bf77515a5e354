/** Migrates a database to this version's tables. Runs at every start; an advisory lock serializes simultaneous starts. */
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as apply } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Advisory lock of the studio's database: one migrator at a time. */
const LOCK = 314_159_265
const OLDEST = 15

/** Creation time of the newest migration of `MIGRATIONS`, in ms; the database identifies migrations by it. */
let newest: number | undefined

/** Whether a database has every migration of this version; also true for a database of a later version. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  newest ??= Math.max(...readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ folderMillis }) => folderMillis))
  const { rows } = await pool.query<{ at: string | null }>('select max(created_at)::text as at from drizzle.__drizzle_migrations')
  return Number(rows[0]?.at ?? 0) >= newest
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
    await apply(drizzle(client), { migrationsFolder: folder })
  } finally {
    // Ending the session also releases the advisory lock.
    await client.end().catch(() => {})
  }
}
