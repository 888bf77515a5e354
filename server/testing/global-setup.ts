/**
 * Starts one PostgreSQL for the whole run, in a temporary folder that is deleted at the end: the embedded 18, or the binaries in
 * TEST_PG_BIN. It has one migrated template database, which every test file copies (postgres.ts).
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { eraseEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { migrate } from '#server/platform/migrate.ts'
import { onServer, TEMPLATE } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the run's server. */
    postgres: string
  }
}

const PREFIX = 'estudio-test-'
const binDir = process.env.TEST_PG_BIN || undefined

export default async function setup(project: TestProject) {
  await sweep()
  const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // The server does not run as root, so other users need access.
  chmodSync(dataDir, 0o755)
  const server = await startEmbeddedPostgres({
    dataDir,
    fsync: false,
    settings: { max_connections: '500', shared_buffers: '128MB', autovacuum: 'off' },
    binDir,
  })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(onServer(server.url, TEMPLATE))
  process.stdout.write(`PostgreSQL ${rows[0]?.server_version}\n`)
  project.provide('postgres', server.url)

  return async () => {
    // Interrupted test files may still be connected.
    await server.stop()
    await erase(dataDir)
  }
}

async function erase(dataDir: string) {
  await eraseEmbeddedPostgres({ dataDir, binDir }).catch((error: unknown) => console.error(error))
  rmSync(dataDir, { recursive: true, force: true })
}

/** Stops and deletes the servers of runs that were killed. */
async function sweep() {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.match(/^estudio-test-(\d+)-/)?.[1])
    if (!pid || isAlive(pid)) continue
    await erase(join(tmpdir(), name))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
