/** The database of the studio under test, joined beside its server: its mails, and what no screen can do yet. */
import { resolve } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'

/** Runs one thing in the studio's own database and lets go of it. */
export async function inDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await startEmbeddedPostgres({ dataDir: resolve(process.env.E2E_DATA_DIR ?? 'test-results/data') })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await database.stop()
  }
}

/** The last mail to somebody, as text; empty while none has been written. */
export async function lastMail(to: string): Promise<{ subject: string; text: string }> {
  const { rows } = await inDatabase((client) =>
    client.query<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1 order by mail_id desc limit 1', [
      to,
    ]),
  )
  return rows[0] ?? { subject: '', text: '' }
}
