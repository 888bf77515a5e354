/** A studio of a spec file's own: the real program with its own folder and ports, for settings that would disturb other tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import pg from 'pg'
import type { Settings } from '#contract/settings.ts'
import { openDb } from '#server/platform/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { readMasterKeys } from '#server/platform/master-keys.ts'
import { secretBox } from '#server/platform/secret-box.ts'
import { openSigner } from '#server/platform/signing.ts'

export interface OwnStudio {
  url: string
  /** Connection string of its database. */
  database: string
  /** Signs a link's subject as this studio does. */
  sign(use: string, subject: string): Promise<string>
  sql<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Changes settings directly in the database and waits until they take effect. */
  set(settings: Partial<Settings>): Promise<void>
  /** Call after the catalogue was changed by `sql`: invalidates its caches. */
  catalogueChanged(): Promise<void>
  /** Call after anything was changed by `sql`: clears all caches. */
  resync(): Promise<void>
  close(): Promise<void>
}

/** A free port whose successor is free too: the sandbox processor's card fields are served there. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = await listenOn(0)
    const port = (first.address() as { port: number }).port
    const next = await listenOn(port + 1).catch(() => null)
    await new Promise((done) => first.close(done))
    if (!next) continue
    await new Promise((done) => next.close(done))
    return port
  }
}

function listenOn(port: number): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function started(child: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}.`)
    const answer = await fetch(`${url}/api/appconfig`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('The program did not start in a minute.')
}

/** Starts the program on a data folder, and waits until it answers. `env`: further configuration. */
async function start(dataDir: string, env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePorts()
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, ['--import', './scripts/fast-resolve.mjs', 'server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      INTERNAL_PORT: '0',
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      NODE_ENV: 'test',
      DATABASE_URL: '',
      DEMO_HISTORY: 'off',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await started(child, url)
  return { child, url }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/**
 * The data folder of a demo as its first start left it, made once for a run and copied by every studio: the first start takes five times as
 * much processor time as the next one. The command that runs the browser tests deletes it (scripts/test-runs.mjs).
 */
async function firstStart(demo: string): Promise<string> {
  const folder = `${resolve(process.env.E2E_DATA_DIR ?? 'test-results/data')}-${demo}`
  const ready = `${folder}.ready`
  for (let tries = 0; tries < 480 && !existsSync(ready); tries++) {
    if (isMade(folder)) {
      try {
        await end((await start(folder, { DEMO: demo })).child)
        writeFileSync(ready, '')
      } catch (error) {
        rmSync(folder, { recursive: true, force: true })
        throw error
      }
    } else await new Promise((again) => setTimeout(again, 250))
  }
  return folder
}

/**
 * Makes a folder; false if another worker has done so. If the tests run as root, the database runs as another user, who must have access.
 */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Starts the program with its demo studio. `env`: further configuration. */
export async function ownStudio(env: Record<string, string> = {}): Promise<OwnStudio> {
  const dataDir = mkdtempSync(join(tmpdir(), 'estudio-own-'))
  chmodSync(dataDir, 0o755)
  const { DEMO = 'vaiven' } = env
  if (DEMO !== 'off') await cp(await firstStart(DEMO), dataDir, { recursive: true })
  const { child, url } = await start(dataDir, { DEMO, ...env })
  const database = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // now() of this connection uses the suite's clock (scripts/shift-clock.mjs), as Date does in every process of it.
  await client.query(`
    create schema suite_clock;
    create function suite_clock.now() returns timestamptz language sql stable
      as $$ select pg_catalog.now() + make_interval(secs => ${Number(process.env.CLOCK_SHIFT_MS ?? 0) / 1000}) $$;
    set search_path = suite_clock, public, pg_catalog`)
  const notifyTopic = (topic: string) => client.query('select pg_notify($1, $2)', ['estudio', JSON.stringify(['test', { topic }])])
  return {
    url,
    database: database.url,
    async sql<Row extends object>(text: string, values?: unknown[]) {
      return (await client.query<Row>(text, values)).rows
    },
    async set(settings) {
      for (const [key, value] of Object.entries(settings))
        await client.query(
          'insert into setting (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value',
          [key, JSON.stringify(value)],
        )
      await notifyTopic('settings')
      // The other process gets the event within milliseconds; there is no signal to wait for.
      await new Promise((resolve) => setTimeout(resolve, 400))
    },
    async sign(use, subject) {
      const db = openDb({ connection: database.url, log: { error: () => {} } })
      try {
        const secrets = secretBox(readMasterKeys(join(dataDir, 'master-keys.txt')) ?? [])
        return (await openSigner(db, secrets)).sign(use, subject)
      } finally {
        await db.close()
      }
    },
    async catalogueChanged() {
      await notifyTopic('catalogue')
      await new Promise((resolve) => setTimeout(resolve, 200))
    },
    async resync() {
      await notifyTopic('missed')
      await new Promise((resolve) => setTimeout(resolve, 300))
    },
    async close() {
      await client.end()
      await database.stop()
      await end(child)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Signs in the demo's new customer; returns the customer's id. */
export async function asDiego(page: Page, studio: OwnStudio): Promise<number> {
  await page.goto(`${studio.url}/entrar`)
  await page.getByLabel('Correo electrónico').fill('diego@vaiven.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-diego')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.waitForURL(/\/mystudio/)
  const [diego] = await studio.sql<{ customer_id: number }>("select customer_id from customer where email = 'diego@vaiven.example'")
  return diego?.customer_id ?? 0
}
