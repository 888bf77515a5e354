/**
 * npm run bench -- calendar: the customer's calendar with 300 classes in a week, in a real browser: first paint, the step to that week, a
 * change of filter, and 50 live events per second. Measured in turns with the browser's own time for the same markup, as ratios, because
 * these machines are noisy. On a desktop, and on a phone with a CPU throttled four times.
 */
import type { CDPSession, Page } from '@playwright/test'
import { ANA, type Demo, EMPTY, fillWeek, inFolder, MONDAY, n, printFigure, signIn, withDemo } from './demo-studio.ts'
import { median } from './load.ts'

const CLASSES = 300
const RUNS = 5
const STEPS = 8
const EVENTS_PER_SECOND = 50
const EVENT_SECONDS = 10

interface Device {
  name: string
  cpu: number
  /** how many cards are drawn: a phone has those of two days only */
  cards: number
  view: { viewport: { width: number; height: number }; deviceScaleFactor?: number; isMobile?: boolean; hasTouch?: boolean }
}
const DEVICES: Device[] = [
  { name: 'desktop 1440', cpu: 1, cards: CLASSES, view: { viewport: { width: 1440, height: 900 } } },
  {
    name: 'phone 390, CPU 4x',
    cpu: 4,
    cards: 2 * Math.ceil(CLASSES / 7),
    view: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  },
]

/** Milliseconds until that many cards exist and are painted. Runs in the page. */
function untilCards(count: number): Promise<number> {
  const began = performance.now()
  return new Promise((done) => {
    const check = () => {
      if (document.querySelectorAll('article.class-card').length !== count) requestAnimationFrame(check)
      else requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
    }
    check()
  })
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
        const check = () => {
          if (document.querySelectorAll('article.class-card').length !== cards) requestAnimationFrame(check)
          else requestAnimationFrame(() => setTimeout(done))
        }
        check()
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
  eventsSeen: number
  requested: number
  late: number
}

/** Live events at a steady rate while the page is scrolled, and their cost. */
async function live(page: Page, devtools: CDPSession, sendEvent: () => Promise<void>): Promise<Live> {
  let requests = 0
  const count = (request: { url(): string }) => {
    if (request.url().includes('/api/single_class?')) requests++
  }
  await devtools.send('Performance.enable')
  const metric = async () =>
    Object.fromEntries((await devtools.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
  await page.evaluate(() => {
    const seen = { frames: 0, longest: 0, eventsSeen: 0, on: true, last: performance.now() }
    Object.assign(window, { seen })
    new MutationObserver((changes) => {
      seen.eventsSeen += changes.length
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
  let sent = 0
  while (performance.now() - began < EVENT_SECONDS * 1_000) {
    await sendEvent()
    sent++
    const next = began + (sent * 1_000) / EVENTS_PER_SECOND
    await new Promise((done) => setTimeout(done, Math.max(0, next - performance.now())))
  }
  await page.waitForTimeout(400)
  const after = await metric()
  page.off('request', count)
  const seen = await page.evaluate(() => {
    const { seen: noted } = window as unknown as { seen: { frames: number; longest: number; eventsSeen: number; on: boolean } }
    noted.on = false
    return noted
  })
  const took = (performance.now() - began) / 1_000
  const per = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / took
  return {
    busy: per('TaskDuration'),
    script: per('ScriptDuration'),
    longest: seen.longest,
    frames: seen.frames / took,
    eventsSeen: seen.eventsSeen,
    requested: requests,
    late: sent / took,
  }
}

async function measure({ origin, sql, browser }: Demo): Promise<void> {
  const ids = await fillWeek(sql, CLASSES, 20)
  await sql.query(`select pg_notify('estudio', $1)`, [JSON.stringify(['bench', { topic: 'catalogue' }])])
  let sent = 0
  /** Changes the free spots of the next class by one, and sends the event that a booking would send. */
  const sendEvent = async () => {
    const id = ids[(sent * 7) % ids.length]
    const by = Math.floor(sent++ / ids.length) % 2 ? -1 : 1
    const { rows: changed } = await sql.query<{ class_date: string }>(
      `update single_class set taken = taken + $2 where single_class_id = $1
       returning to_char(starts_at at time zone 'America/Mexico_City', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as class_date`,
      [id, by],
    )
    const event = { topic: 'class', single_class_id: id, class_date: changed[0]?.class_date, only: 'places' }
    await sql.query(`select pg_notify('estudio', $1)`, [JSON.stringify(['bench', event])])
  }

  console.log(`El calendario con ${CLASSES} clases en la semana; tarda un par de minutos.\n`)
  for (const device of DEVICES) {
    const { page, devtools } = await signIn(browser, origin, {
      ...ANA,
      view: { ...device.view, reducedMotion: 'reduce' },
      cpu: device.cpu,
      heading: 'Calendario',
    })
    const print = (name: string, text: string) => printFigure(`${device.name}: ${name}`, text)
    const full: number[] = []
    const empty: number[] = []
    const bare: number[] = []
    for (let run = 0; run < RUNS; run++) {
      empty.push(await opened(page, origin, EMPTY, 0))
      full.push(await opened(page, origin, MONDAY, device.cards))
      bare.push(await alone(page))
    }
    print('first paint / empty week', `${n(median(full) / median(empty), 2)}   (${n(median(full))} / ${n(median(empty))} ms)`)

    const step: number[] = []
    for (let run = 0; run < STEPS; run++) {
      await stepped(page, 'Semana siguiente', 0)
      step.push(await stepped(page, 'Semana anterior', device.cards))
    }
    print('step to the week / browser alone', `${n(median(step) / median(bare), 2)}   (${n(median(step))} / ${n(median(bare))} ms)`)

    const counts = await page.evaluate(() => {
      const hours = [...document.querySelectorAll('article.class-card .hour')].map((element) => Number(element.textContent?.slice(0, 2)))
      return { all: hours.length, night: hours.filter((hour) => hour >= 18).length }
    })
    const filter: number[] = []
    for (let run = 0; run < STEPS; run++) {
      filter.push(await chosen(page, 'noche', counts.night))
      filter.push(await chosen(page, '', counts.all))
    }
    print('filter change', `${n(median(filter))} ms, worst ${n(Math.max(...filter))}   goal <= 200`)

    // The same scrolling without events, as the baseline.
    const still = await live(page, devtools, async () => {})
    const cost = await live(page, devtools, sendEvent)
    print(
      `${n(cost.late)} news a second`,
      `main thread ${n((cost.busy - still.busy) * 100)} % more than without (${n(cost.busy * 100)} / ${n(still.busy * 100)} %), scripts ${n(cost.script * 100)} %   goal <= 30   (${n(cost.frames)} frames a second, ${n(still.frames)} without; longest ${n(cost.longest)} ms; ${cost.requested} weeks asked, ${cost.eventsSeen} changes drawn)`,
    )
    await page.context().close()
  }
}

await inFolder('calendar', (folder) => withDemo(folder, measure))
