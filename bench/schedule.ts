/**
 * npm run bench -- schedule: the timetable of a busy studio. A month of 620 classes is published as drafts at once; a week of 140 classes is
 * opened and a class dragged across it in a real browser whose CPU is slowed down four times. Beside each figure the same without the work
 * (an empty week; a pointer that drags nothing), because these machines are noisy.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { addDays } from '#contract/time.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { median } from './load.ts'
import { freePort, start, stopAll } from './programs.ts'

const MONTH = 620
const WEEK = 140
const RUNS = 5
const CPU = 4
const DRAG_STEPS = 120
const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
/** Weeks far in the future, without classes of the demo: the measured one, an empty one, and the month that is published. */
const MONDAY = '2031-03-03'
const EMPTY = '2031-03-17'
const MONTH_FROM = '2031-05-01'
const folder = mkdtempSync(join(tmpdir(), 'estudio-schedule-'))

const line = (name: string, text: string) => console.log(`${name.padEnd(44)} ${text}`)
const n = (value: number, digits = 0) => value.toFixed(digits)

/** Drafts of a month and their publication, as the screen sends them; milliseconds of each. */
async function month(origin: string): Promise<{ kept: number; rehearsed: number; published: number }> {
  const post = async <T>(path: string, body: object, token = ''): Promise<T> => {
    const answer = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${origin}/api${path}`)).json()) as T
  const { idToken } = await post<{ idToken: string }>(`${IDENTITY_PATH}/v1/accounts:signInWithPassword?key=${IDENTITY_API_KEY}`, {
    ...OWNER,
    returnSecureToken: true,
  })
  const { class_types } = await get<{ class_types: { class_type_id: number }[] }>('/class_types')
  const { locations } = await get<{ locations: { location_id: number }[] }>('/locations')
  const { instructors } = await get<{ instructors: { instructor_id: number }[] }>('/instructors')
  const one = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
  const changes = Array.from({ length: MONTH }, (_, at) => {
    const [day, hour] = [addDays(MONTH_FROM, Math.floor(at / 20)), at % 20]
    const minutes = 6 * 60 + hour * 45
    const wall = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    return {
      op: 'create',
      fields: {
        class_type_id: one(class_types, at).class_type_id,
        location_id: one(locations, at).location_id,
        instructor_ids: [one(instructors, at).instructor_id],
        ...{ class_date: `${day}T${wall}:00.000Z`, duration_minutes: 40, capacity: 20 },
      },
    }
  })
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  return {
    kept: await timed(() => post('/api/admin/schedule/changes', { changes, as: 'draft' }, idToken)),
    rehearsed: await timed(() => post('/api/admin/schedule/publish', { dry_run: true }, idToken)),
    published: await timed(() => post('/api/admin/schedule/publish', {}, idToken)),
  }
}

async function enter(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  const page = await context.newPage()
  await page.goto(`${origin}/entrar?volver=${encodeURIComponent('/admin/horario')}`)
  await page.getByLabel('Correo electrónico').fill(OWNER.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('heading', { level: 1, name: 'Horario' }).waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  return page
}

/**
 * From the navigation until the week can be used: its classes are painted, those that can be dragged are, and the main thread is idle.
 * Scripts come from the browser's cache, as every day.
 */
async function opened(page: Page, origin: string, week: string, count: number): Promise<number> {
  await page.goto(`${origin}/admin/horario?semana=${week}&dia=${week}`, { waitUntil: 'commit' })
  return await page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const isReady = () => {
          const blocks = document.querySelectorAll('button[data-class]')
          const totals = [...document.querySelectorAll('p')].some((one) => /^(\d+ clases?|Sin clases)/.test(one.textContent ?? ''))
          if (!totals) return false
          return blocks.length === wanted && (wanted === 0 || blocks[0]?.getAttribute('draggable') === 'true')
        }
        const look = () => {
          if (!isReady()) requestAnimationFrame(look)
          else requestIdleCallback(() => done(performance.now()))
        }
        look()
      }),
    count,
  )
}

interface Frames {
  perSecond: number
  longest: number
}

/** Frames while the pointer moves across the week, with or without a class. */
async function moved(page: Page, drags: boolean): Promise<Frames> {
  const box = await page.locator('button[data-class][draggable="true"]').first().boundingBox()
  if (!box) throw new Error('No class can be dragged.')
  await page.mouse.move(box.x + 12, box.y + 6)
  if (drags) await page.mouse.down()
  await page.mouse.move(box.x + 30, box.y + 20, { steps: 4 })
  await page.evaluate(() => {
    const seen = { frames: 0, longest: 0, on: true, began: performance.now(), last: performance.now() }
    Object.assign(window, { seen })
    const frame = (at: number) => {
      seen.frames++
      seen.longest = Math.max(seen.longest, at - seen.last)
      seen.last = at
      if (seen.on) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  for (let step = 0; step < DRAG_STEPS; step++) {
    const turn = (step / DRAG_STEPS) * 2 * Math.PI
    await page.mouse.move(box.x + 30 + 400 * (1 - Math.cos(turn)), box.y + 20 + 220 * Math.abs(Math.sin(turn)))
  }
  const seen = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { frames: number; longest: number; on: boolean; began: number } }
    seen.on = false
    return { perSecond: (1_000 * seen.frames) / (performance.now() - seen.began), longest: seen.longest }
  })
  // Dropped where it came from: nothing is changed.
  await page.mouse.move(box.x + 12, box.y + 6)
  if (drags) await page.mouse.up()
  return seen
}

async function main() {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const dataDir = join(folder, 'data')
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
  const database = await startEmbeddedPostgres({ dataDir })
  const sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
  const executablePath = process.env.CHROMIUM_PATH
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  try {
    await sql.query(
      `with made as (
         insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, taken)
         select (select class_type_id from class_type order by class_type_id offset i % 5 limit 1),
           (select location_id from location order by location_id offset i % 2 limit 1), at, at + interval '50 min', 20, i % 12
         from generate_series(0, $1 - 1) i,
           lateral (select timestamptz '${MONDAY} 12:00Z' + (i % 7) * interval '1 day' + (i / 7) * interval '40 minutes' as at) t
         returning single_class_id)
       insert into class_instructor (single_class_id, instructor_id)
       select single_class_id, (select instructor_id from instructor order by instructor_id offset single_class_id % 6 limit 1) from made`,
      [WEEK],
    )
    console.log(`El horario con ${WEEK} clases en la semana; tarda un minuto.\n`)
    const { kept, rehearsed, published } = await month(origin)
    line(`${MONTH} classes: kept as drafts`, `${n(kept)} ms`)
    line(`${MONTH} classes: shown before publishing`, `${n(rehearsed)} ms`)
    line(`${MONTH} classes: published`, `${n(published)} ms   goal <= 5000`)

    const page = await enter(browser, origin)
    const [full, empty]: [number[], number[]] = [[], []]
    for (let run = 0; run < RUNS; run++) {
      empty.push(await opened(page, origin, EMPTY, 0))
      full.push(await opened(page, origin, MONDAY, WEEK))
    }
    line(`desk 1440, CPU ${CPU}x: the week can be used`, `${n(median(full))} ms   goal <= 1500   (an empty week ${n(median(empty))} ms)`)

    const [drag, still]: [Frames[], Frames[]] = [[], []]
    for (let run = 0; run < RUNS; run++) {
      still.push(await moved(page, false))
      drag.push(await moved(page, true))
    }
    const rate = (frames: readonly Frames[]) => n(median(frames.map(({ perSecond }) => perSecond)))
    line(
      `desk 1440, CPU ${CPU}x: dragging`,
      `${rate(drag)} frames a second   goal >= 50   (${rate(still)} without a class; longest ${n(median(drag.map(({ longest }) => longest)))} ms)`,
    )
  } finally {
    await browser.close()
    await sql.end()
    await database.stop()
  }
}

try {
  await main()
} finally {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}
