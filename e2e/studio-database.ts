/** The database of the shared studio, beside its server: its emails, and changes that no screen offers. */
import { resolve } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'

/** One connection for each worker: to join and leave the server takes a second. */
let joined: Promise<{ client: pg.Client; leave(): Promise<void> }> | undefined

async function join() {
  const database = await startEmbeddedPostgres({ dataDir: resolve(process.env.E2E_DATA_DIR ?? 'test-results/data') })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const leave = async () => {
    await client.end()
    await database.stop()
  }
  return { client, leave }
}

/** Runs `work` on a connection to the studio's database. */
export async function inDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  joined ??= join()
  return await work((await joined).client)
}

/** Closes the worker's connection (test.ts). */
export async function leaveDatabase(): Promise<void> {
  await (await joined)?.leave()
  joined = undefined
}

/** The last email to an address, as text; empty if there is none. */
export async function lastMail(to: string): Promise<{ subject: string; text: string }> {
  const { rows } = await inDatabase((client) =>
    client.query<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1 order by mail_id desc limit 1', [
      to,
    ]),
  )
  return rows[0] ?? { subject: '', text: '' }
}
