/**
 * The longest event of an interaction (INP) of a signed-in customer on a phone with a CPU four times slower: the dialog of a class, a spot
 * in it, another day, another week, a filter, and the views and pages of a list of 60 videos.
 */
import type { CDPSession, Page } from '@playwright/test'
import { ANA, type Demo, signIn } from './demo-studio.ts'
import { median } from './load.ts'

const CPU = 4
const RUNS = 4
/** How long after a tap its effects are waited for, in milliseconds. */
const SETTLE = 1_200
const VIDEOS = 60
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

interface Noted {
  longest: number
}

/** Runs in the page first: records the longest event of an interaction, as the browser measures it: from the input to the next paint. */
function note() {
  const noted: Noted = { longest: 0 }
  Object.assign(window, { noted })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0) noted.longest = Math.max(noted.longest, entry.duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Taps the middle of an element with touch events alone: Playwright's own checks before a tap would run in the slow page. */
async function tap(page: Page, devtools: CDPSession, selector: string): Promise<number> {
  const target = page.locator(selector).first()
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }))
  await page.waitForTimeout(SETTLE)
  const at = await target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const middle = { x: x + width / 2, y: y + height / 2 }
    const { noted } = window as unknown as { noted: Noted }
    noted.longest = 0
    return element.contains(document.elementFromPoint(middle.x, middle.y)) ? middle : null
  })
  if (!at) throw new Error(`Something covers what is to be tapped: ${selector}`)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.waitForTimeout(SETTLE)
  return await page.evaluate(() => (window as unknown as { noted: Noted }).noted.longest)
}

const link = (name: string) => `a[aria-label="${name}"]`
const chip = (text: string) => `.calendar-quick-chips a:has-text("${text}")`

/** Each screen with its taps, in order. The first week that is tapped is loaded, the ones after it are in the browser's cache. */
const SCREENS: readonly { path: string; taps: readonly [name: string, selector: string][] }[] = [
  {
    path: '/mystudio',
    taps: [
      ['another day', '.week-strip [aria-selected="true"] + [role="tab"]'],
      ['another week', link('Semana siguiente')],
      ['another week, cached', link('Semana anterior')],
      ['filter "Con lugares"', chip('Con lugares')],
      ['filter "Después de las 18:00"', chip('Después de las 18:00')],
    ],
  },
  {
    path: '/mystudio',
    taps: [
      ['(to a week with free classes)', link('Semana siguiente')],
      ['dialog of a class', '.week-near .class-open button.btn-filled'],
      ['a spot', 'dialog[open] button[data-spot]:not([aria-disabled="true"])'],
    ],
  },
  {
    path: '/mystudio/online',
    taps: [
      ['videos: favourites', '.video-filters label:has-text("Favoritos")'],
      ['videos: all', '.video-filters label:has-text("Todos")'],
      ['videos: next page', 'nav.pager button[aria-label="Página siguiente"]'],
    ],
  },
]

/** Copies videos of the demo until there are 60. */
async function fillVideos(sql: Demo['sql']): Promise<void> {
  await sql.query(
    `insert into video (name, description, duration, url, file_id, thumbnail, instructor_id, video_type_id, class_type_id, published_at, "createdAt", "updatedAt")
     select name || ' ' || i, description, duration, url, file_id, thumbnail, instructor_id, video_type_id, class_type_id, published_at, "createdAt", "updatedAt"
     from (select * from video where available and "deletedAt" is null and published_at < now()) v, generate_series(2, $1) i
     order by i, video_id limit greatest(0, $1 - (select count(*) from video where available and "deletedAt" is null and published_at < now()))`,
    [VIDEOS],
  )
}

/** Prints the INP of each interaction: the median and the longest of some visits. */
export async function measureInteractions({ browser, origin, sql }: Demo, print: (name: string, text: string) => void): Promise<void> {
  await fillVideos(sql)
  const found = new Map<string, number[]>()
  for (let run = 0; run < RUNS; run++) {
    const { page, devtools } = await signIn(browser, origin, { ...ANA, view: PHONE, cpu: 1, heading: 'Calendario' })
    await page.addInitScript(note)
    for (const { path, taps } of SCREENS) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
      await page.keyboard.press('Escape')
      await page.waitForTimeout(SETTLE)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
      for (const [name, selector] of taps) found.set(name, [...(found.get(name) ?? []), await tap(page, devtools, selector)])
    }
    await page.context().close()
  }
  for (const [name, times] of found)
    if (!name.startsWith('(')) print(`INP: ${name}`, `${median(times)} ms, longest ${Math.max(...times)} ms   goal <= 100`)
}
