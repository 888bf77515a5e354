/** The demo studio and a browser in front of it, as the benchmarks of screens use them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { freePort, start, stopAll } from './programs.ts'

/** Weeks far in the future, without classes of the demo: the measured one, and an empty one. */
export const MONDAY = '2031-03-03'
export const EMPTY = '2031-03-17'

/** A customer of the demo with credits and a saved card. */
export const ANA = { email: 'ana@vaiven.example', password: 'vaiven-ana' }

/** Prints a figure of a screen. */
export const printFigure = (name: string, text: string) => console.log(`${name.padEnd(44)} ${text}`)
export const n = (value: number, digits = 0) => value.toFixed(digits)

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
}

/** Runs a benchmark with a folder of its own; stops its programs and deletes the folder however it ends. */
export async function inFolder(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `estudio-${name}-`))
  try {
    await work(folder)
  } finally {
    await stopAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the demo studio with its data in the folder; returns its address. */
export async function startDemo(dataDir: string): Promise<string> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    DATA_DIR: dataDir,
    DEMO: 'vaiven',
    DEMO_HISTORY: 'off',
    REQUESTS_PER_MINUTE: '0',
    PORT: String(port),
    INTERNAL_PORT: '0',
    PUBLIC_URL: origin,
  }
  await start('server/main.ts', [], env, /está en http/)
  return origin
}

export interface Demo {
  origin: string
  sql: pg.Client
  browser: Browser
}

/** Runs `work` on the demo studio with its database and a browser. */
export async function withDemo(folder: string, work: (demo: Demo) => Promise<void>): Promise<void> {
  const dataDir = join(folder, 'data')
  const origin = await startDemo(dataDir)
  const database = await startEmbeddedPostgres({ dataDir })
  const sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
  const browser = await launchBrowser()
  try {
    await work({ origin, sql, browser })
  } finally {
    await browser.close()
    await sql.end()
    await database.stop()
  }
}

/** Creates classes in the measured week, so many minutes apart on each of its days; returns their ids. */
export async function fillWeek(sql: pg.Client, classes: number, everyMinutes: number): Promise<number[]> {
  const { rows } = await sql.query<{ single_class_id: number }>(
    `with made as (
       insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, taken)
       select (select class_type_id from class_type order by class_type_id offset i % 5 limit 1),
         (select location_id from location order by location_id offset i % 2 limit 1), at, at + interval '50 min', 20, i % 12
       from generate_series(0, $1 - 1) i,
         lateral (select timestamptz '${MONDAY} 12:00Z' + (i % 7) * interval '1 day' + (i / 7) * make_interval(mins => $2) as at) t
       returning single_class_id)
     , taught as (insert into class_instructor (single_class_id, instructor_id)
       select single_class_id, (select instructor_id from instructor order by instructor_id offset single_class_id % 6 limit 1) from made)
     select single_class_id from made order by 1`,
    [classes, everyMinutes],
  )
  return rows.map(({ single_class_id }) => single_class_id)
}

interface SignIn {
  email: string
  password: string
  view: BrowserContextOptions
  /** How many times slower the CPU is. */
  cpu: number
  /** Where to go afterwards, and the heading there. */
  to?: string
  heading: string
}

/** Signs in in a browser of its own. */
export async function signIn(browser: Browser, origin: string, as: SignIn): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ ...as.view, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  const page = await context.newPage()
  const missing: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400 && answer.url().endsWith('.js')) missing.push(`${answer.status()} ${answer.url()}`)
  })
  await page.goto(`${origin}/entrar${as.to ? `?volver=${encodeURIComponent(as.to)}` : ''}`)
  // Without one of its scripts the page never starts, and its button stays disabled.
  if (missing.length) throw new Error(`build/ was replaced while the program ran, do not build here meanwhile: ${missing.join(', ')}`)
  await page.getByLabel('Correo electrónico').fill(as.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(as.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('heading', { level: 1, name: as.heading }).waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: as.cpu })
  return { page, devtools }
}
