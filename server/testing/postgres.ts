/** A database of its own for every test file, copied from the run's migrated template in about 60 ms. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export const TEMPLATE = 'estudio_template'

/**
 * Creates a migrated, empty database and returns its connection string. It is not dropped: that costs 0.4 s, and the whole folder is
 * deleted at the end of the run. `from` copies another database of this run, which must have no connections.
 */
export async function freshDatabase(from: string = TEMPLATE): Promise<string> {
  const server = inject('postgres')
  const name = `t_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${from}`)
  } finally {
    await client.end()
  }
  return onServer(server, name)
}

/** The connection string of another database on the same server. */
export function onServer(url: string, database: string): string {
  return url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`)
}

/** Databases that this worker knows to exist. */
const prepared = new Map<string, Promise<void>>()

/**
 * A copy of a database that `prepare` made of the migrated one, once for the whole run: of the first caller of any worker. `prepare` closes
 * its connections.
 */
export async function preparedDatabase(name: string, prepare: (connection: string) => Promise<void>): Promise<string> {
  if (!prepared.has(name)) prepared.set(name, prepareOnce(name, prepare))
  await prepared.get(name)
  return await freshDatabase(name)
}

async function prepareOnce(name: string, prepare: (connection: string) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgres') })
  await client.connect()
  try {
    // The other workers wait here.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    const database = await freshDatabase()
    await prepare(database)
    await client.query(`alter database ${/\/([^/?]*)(?:\?|$)/.exec(database)?.[1]} rename to ${name}`)
  } finally {
    await client.end()
  }
}
