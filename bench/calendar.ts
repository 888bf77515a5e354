/**
 * npm run bench -- calendar: the customer's calendar with 300 classes in a week, in a real browser: first paint, the step to that week, a
 * change of filter, and 50 live events per second. Measured in turns with the browser's own time for the same markup, as ratios, because
 * these machines are noisy. On a desktop, and on a phone with a CPU throttled four times.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { median } from './load.ts'
import { freePort, start, stopAll } from './programs.ts'

const CLASSES = 300
const RUNS = 5
const STEPS = 8
const NEWS_PER_SECOND = 50
const NEWS_SECONDS = 10
/** A separate week far in the future, and the empty one after it. */
const MONDAY = '2031-03-03'
const EMPTY = '2031-03-17'
const folder = mkdtempSync(join(tmpdir(), 'estudio-calendar-'))

interface Device {
  name: string
  cpu: number
  view: { viewport: { width: number; height: number }; deviceScaleFactor?: number; isMobile?: boolean; hasTouch?: boolean }
}
const DEVICES: Device[] = [
  { name: 'desktop 1440', cpu: 1, view: { viewport: { width: 1440, height: 900 } } },
  {
    name: 'phone 390, CPU 4x',
    cpu: 4,
    view: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  },
]

const line = (name: string, text: string) => console.log(`${name.padEnd(44)} ${text}`)
const n = (value: number, digits = 0) => value.toFixed(digits)

/** Milliseconds until that many cards exist and are painted. Runs in the page. */
function untilCards(count: number): Promise<number> {
  const began = performance.now()
  return new Promise((done) => {
    const look = () => {
      if (document.querySelectorAll('article.class-card').length !== count) requestAnimationFrame(look)
      else requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
    }
    look()
  })
}

async function enter(browser: Browser, origin: string, device: Device): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ ...device.view, locale: 'es-MX', timezoneId: 'America/Mexico_City', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${origin}/entrar`)
  await page.getByLabel('Correo electrónico').fill('ana@vaiven.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-ana')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('heading', { level: 1, name: 'Calendario' }).waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: device.cpu })
  return { page, devtools }
}

/** From navigation to the painted week: documents and scripts come from the browser's cache, as for a returning visitor. */
async function opened(page: Page, origin: string, week: string, count: number): Promise<number> {
  await page.goto(`${origin}/mystudio?semana=${week}`, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.querySelector('.week, .empty') !== null)
  await page.evaluate(untilCards, count)
  return await page.evaluate(() => performance.now())
}

/** The browser's own time for the same cards: parsing, styling, layout and paint of the finished markup. */
const alone = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const week = document.querySelector('.week')
    if (!week) return Number.NaN
    const markup = week.outerHTML
    const holder = document.createElement('div')
    holder.className = 'wrap'
    week.after(holder)
    const shown = (week as HTMLElement).style.display
    ;(week as HTMLElement).style.display = 'none'
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))
    const began = performance.now()
    holder.innerHTML = markup
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const took = performance.now() - began
    holder.remove()
    ;(week as HTMLElement).style.display = shown
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))
    return took
  })

/** Selects a filter value, until the result is painted. */
const chosen = (page: Page, value: string, count: number): Promise<number> =>
  page.evaluate(
    async ({ wanted, cards }) => {
      const select = document.querySelector<HTMLSelectElement>('select[name="hora"]')
      if (!select) return Number.NaN
      const began = performance.now()
      const set = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set
      set?.call(select, wanted)
      select.dispatchEvent(new Event('change', { bubbles: true }))
      await new Promise<void>((done) => {
        const look = () => {
          if (document.querySelectorAll('article.class-card').length !== cards) requestAnimationFrame(look)
          else requestAnimationFrame(() => setTimeout(done))
        }
        look()
      })
      return performance.now() - began
    },
    { wanted: value, cards: count },
  )

/** Navigates to another week whose response is cached: rendering only. */
async function stepped(page: Page, name: string, count: number): Promise<number> {
  await page.evaluate((label) => {
    const began = performance.now()
    Object.assign(window, { began })
    document.querySelector<HTMLAnchorElement>(`a[aria-label="${label}"]`)?.click()
  }, name)
  await page.evaluate(untilCards, count)
  return await page.evaluate(() => performance.now() - (window as unknown as { began: number }).began)
}

interface Live {
  busy: number
  script: number
  longest: number
  frames: number
  heard: number
  asked: number
  late: number
}

/** Live events at a steady rate while the page is scrolled, and their cost. */
async function live(page: Page, devtools: CDPSession, tell: () => Promise<void>): Promise<Live> {
  let asked = 0
  const count = (request: { url(): string }) => {
    if (request.url().includes('/api/single_class?')) asked++
  }
  await devtools.send('Performance.enable')
  const metric = async () =>
    Object.fromEntries((await devtools.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
  await page.evaluate(() => {
    const seen = { frames: 0, longest: 0, heard: 0, on: true, last: performance.now() }
    Object.assign(window, { seen })
    new MutationObserver((changes) => {
      seen.heard += changes.length
    }).observe(document.querySelector('.week') ?? document.body, { subtree: true, characterData: true, childList: true })
    const frame = (at: number) => {
      seen.frames++
      seen.longest = Math.max(seen.longest, at - seen.last)
      seen.last = at
      scrollBy(0, Math.floor(at / 2_000) % 2 ? -8 : 8)
      if (seen.on) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  page.on('request', count)
  const before = await metric()
  const began = performance.now()
  let told = 0
  while (performance.now() - began < NEWS_SECONDS * 1_000) {
    await tell()
    told++
    const next = began + (told * 1_000) / NEWS_PER_SECOND
    await new Promise((done) => setTimeout(done, Math.max(0, next - performance.now())))
  }
  await page.waitForTimeout(400)
  const after = await metric()
  page.off('request', count)
  const seen = await page.evaluate(() => {
    const { seen: noted } = window as unknown as { seen: { frames: number; longest: number; heard: number; on: boolean } }
    noted.on = false
    return noted
  })
  const took = (performance.now() - began) / 1_000
  const per = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / took
  return {
    ...{
      busy: per('TaskDuration'),
      script: per('ScriptDuration'),
      longest: seen.longest,
      frames: seen.frames / took,
      heard: seen.heard,
      asked,
    },
    late: told / took,
  }
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
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  try {
    const { rows } = await sql.query<{ single_class_id: number }>(
      `with made as (
         insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, taken)
         select (select class_type_id from class_type order by class_type_id offset i % 5 limit 1),
           (select location_id from location order by location_id offset i % 2 limit 1), at, at + interval '50 min', 20, i % 12
         from generate_series(0, $1 - 1) i,
           lateral (select timestamptz '${MONDAY} 12:00Z' + (i % 7) * interval '1 day' + (i / 7) * interval '20 minutes' as at) t
         returning single_class_id)
       , taught as (insert into class_instructor (single_class_id, instructor_id)
         select single_class_id, (select instructor_id from instructor order by instructor_id offset single_class_id % 6 limit 1) from made)
       select single_class_id from made order by 1`,
      [CLASSES],
    )
    const ids = rows.map(({ single_class_id }) => single_class_id)
    await sql.query(`select pg_notify('estudio', $1)`, [JSON.stringify(['bench', { topic: 'catalogue' }])])
    let told = 0
    /** Changes the free spots of the next class by one, and sends the event that a booking would send. */
    const tell = async () => {
      const id = ids[(told * 7) % ids.length]
      const by = Math.floor(told++ / ids.length) % 2 ? -1 : 1
      const { rows: changed } = await sql.query<{ class_date: string }>(
        `update single_class set taken = taken + $2 where single_class_id = $1
         returning to_char(starts_at at time zone 'America/Mexico_City', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as class_date`,
        [id, by],
      )
      const news = { topic: 'class', single_class_id: id, class_date: changed[0]?.class_date, only: 'places' }
      await sql.query(`select pg_notify('estudio', $1)`, [JSON.stringify(['bench', news])])
    }

    console.log(`El calendario con ${CLASSES} clases en la semana; tarda un par de minutos.\n`)
    for (const device of DEVICES) {
      const { page, devtools } = await enter(browser, origin, device)
      const say = (name: string, text: string) => line(`${device.name}: ${name}`, text)
      const full: number[] = []
      const empty: number[] = []
      const bare: number[] = []
      for (let run = 0; run < RUNS; run++) {
        empty.push(await opened(page, origin, EMPTY, 0))
        full.push(await opened(page, origin, MONDAY, CLASSES))
        bare.push(await alone(page))
      }
      say('first paint / empty week', `${n(median(full) / median(empty), 2)}   (${n(median(full))} / ${n(median(empty))} ms)`)

      const step: number[] = []
      for (let run = 0; run < STEPS; run++) {
        await stepped(page, 'Semana siguiente', 0)
        step.push(await stepped(page, 'Semana anterior', CLASSES))
      }
      say('step to the week / browser alone', `${n(median(step) / median(bare), 2)}   (${n(median(step))} / ${n(median(bare))} ms)`)

      const counts = await page.evaluate(() => {
        const hours = [...document.querySelectorAll('article.class-card .hour')].map((one) => Number(one.textContent?.slice(0, 2)))
        return { all: hours.length, night: hours.filter((hour) => hour >= 18).length }
      })
      const filter: number[] = []
      for (let run = 0; run < STEPS; run++) {
        filter.push(await chosen(page, 'noche', counts.night))
        filter.push(await chosen(page, '', counts.all))
      }
      say('filter change', `${n(median(filter))} ms, worst ${n(Math.max(...filter))}   goal <= 200`)

      // The same scrolling without events, as the baseline.
      const still = await live(page, devtools, async () => {})
      const cost = await live(page, devtools, tell)
      say(
        `${n(cost.late)} news a second`,
        `main thread ${n((cost.busy - still.busy) * 100)} % more than without (${n(cost.busy * 100)} / ${n(still.busy * 100)} %), scripts ${n(cost.script * 100)} %   goal <= 30   (${n(cost.frames)} frames a second, ${n(still.frames)} without; longest ${n(cost.longest)} ms; ${cost.asked} weeks asked, ${cost.heard} changes drawn)`,
      )
      await page.context().close()
    }
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
