/** Reports in forced colours and in print: each series of a chart is seen, and nothing is cut (admin section 4). */
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { addDays, localDate } from '#contract/time.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const ZONE = 'America/Mexico_City'

/** What separates two parts of a drawing (WCAG 2, 1.4.11). */
const SHAPE = 3

/** The report of the week that is over, beside the week before it. */
async function openWeek(page: Page, key: string): Promise<void> {
  const today = localDate(new Date(), ZONE)
  await enter(page, OWNER, `/admin/reportes/${key}?desde=${addDays(today, -7)}&hasta=${addDays(today, -1)}`)
  await expect(page.getByRole('region', { name: 'Cifras' })).toBeVisible()
  // A value that is pointed at is drawn otherwise.
  await page.mouse.move(0, 0)
}

type Pixel = readonly [number, number, number]

/** The pixels of the window as it is drawn. */
async function pixelsOf(page: Page): Promise<(x: number, y: number) => Pixel> {
  const { data, info } = await sharp(await page.screenshot({ animations: 'disabled' }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const scale = info.width / (page.viewportSize()?.width ?? info.width)
  return (x, y) => {
    const at = (Math.min(info.height - 1, Math.floor(y * scale)) * info.width + Math.min(info.width - 1, Math.floor(x * scale))) * 3
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
  }
}

const light = (pixel: Pixel): number => {
  const [r = 0, g = 0, b = 0] = pixel.map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: Pixel, b: Pixel): number => {
  const [high = 0, low = 0] = [light(a), light(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

/** Of the shapes of a series, those whose points `of` do not differ from what is beside them; the shapes are counted too. */
async function findFaintShapes(page: Page, series: Locator, of: (box: Box) => { drawn: Point; beside: Point }) {
  const faint: string[] = []
  let drawn = 0
  for (const shape of await series.all()) {
    await shape.scrollIntoViewIfNeeded()
    const box = await shape.boundingBox()
    if (!box || box.height < 6 || box.width < 2) continue
    drawn++
    const pixel = await pixelsOf(page)
    const points = of(box)
    const found = contrast(pixel(points.drawn.x, points.drawn.y), pixel(points.beside.x, points.beside.y))
    if (found < SHAPE) faint.push(`${await shape.getAttribute('class')} ${found.toFixed(2)}`)
    if (drawn === 3) break
  }
  return { faint, drawn }
}

interface Point {
  x: number
  y: number
}
interface Box extends Point {
  width: number
  height: number
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`in forced colours every series of a chart is seen: bars, their marks of before, columns and hours (${colorScheme})`, async ({
    page,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' })
    await openWeek(page, 'ocupacion')
    const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })
    const seen = async (selector: string, beside: (box: Box) => Point, at = middle) => {
      const { faint, drawn } = await findFaintShapes(page, page.locator(selector), (box) => ({ drawn: at(box), beside: beside(box) }))
      expect([selector, faint, drawn > 0]).toEqual([selector, [], true])
    }
    // A bar on its track, right of its end or above it; a column against the card above it.
    await seen('.report-bar > .report-now', ({ x, width, y }) => ({ x: x + width / 2, y: y - 4 }))
    await seen('.report-columns .report-now', ({ x, y, width }) => ({ x: x + 2 + width / 4, y: y - 26 }))
    await seen(
      '.report-columns .report-before',
      ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }),
      ({ x, y, height }) => ({ x: x + 0.7, y: y + height / 2 }),
    )
    // The mark of the period before has an edge towards its bar, whose colour is another one too.
    await seen('.report-tick', ({ x, y, height }) => ({ x: x - 0.6, y: y + height / 2 }))
    await seen('.report-key.report-now', ({ x, y, height }) => ({ x: x - 3, y: y + height / 2 }))
    await seen('.report-tick-key', ({ x, y, height }) => ({ x: x - 3, y: y + height / 2 }))
    // The steps of the grid of hours are told apart by their edges: each of them has another one.
    const edges = await page.locator('.heat-legend .heat-key').evaluateAll((keys) =>
      keys.map((key) => {
        const { borderTopWidth, borderTopStyle, backgroundColor } = getComputedStyle(key)
        return `${borderTopWidth} ${borderTopStyle} ${backgroundColor}`
      }),
    )
    expect(new Set(edges).size).toBe(edges.length)
  })

test('printed, a report has its charts with their fills, no buttons, and nothing beyond the sheet', async ({ page }) => {
  await openWeek(page, 'ventas')
  await page.goto(`${page.url().replace('/ventas', '/asistencia')}&por=class`)
  const more = page.getByRole('button', { name: /^Ver los \d+ renglones$/ })
  const count = Number(/\d+/.exec(await more.innerText())?.[0])
  await page.pdf({ format: 'Letter' })
  await expect(more).toHaveCount(0)
  await expect(page.locator('.data-table tbody tr')).toHaveCount(count + 1)
  // A letter sheet between its margins, in CSS pixels.
  await page.setViewportSize({ width: 720, height: 960 })
  for (const key of ['ocupacion', 'ventas', 'asistencia', 'suscripciones']) {
    await page.emulateMedia({ media: null })
    await openWeek(page, key)
    await page.emulateMedia({ media: 'print' })
    const found = await page.evaluate(() => {
      const isShown = (element: Element) => element.getClientRects().length > 0
      const shown = (selector: string) => [...document.querySelectorAll(selector)].filter(isShown)
      return {
        buttons: shown('.btn, .icon-btn, .report-filters, select, .admin-side, .admin-top').map((element) => element.className),
        unprinted: shown('.report-now, .report-tick, .report-bar, .heat-cell, .heat-key, .heat-dot')
          .filter((element) => getComputedStyle(element).printColorAdjust !== 'exact')
          .map((element) => element.className),
        beyond: shown('main *')
          .filter((element) => element.getBoundingClientRect().width > 1 && element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => `${element.tagName} ${element.className} ${element.textContent}`),
        // What scrolls on a screen is cut on paper.
        cut: shown('main *')
          .filter(
            (element) =>
              ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1,
          )
          .filter((element) => element.clientWidth > 1)
          .map((element) => element.className),
        charts: shown('.report-columns-plot, .report-bars').length,
      }
    })
    expect([key, found.buttons, found.unprinted, found.beyond, found.cut, found.charts > 0]).toEqual([key, [], [], [], [], true])
  }
})
