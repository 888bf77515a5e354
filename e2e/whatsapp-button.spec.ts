/** The floating WhatsApp button covers no action and no number, at any scroll position of a page (S1-2.53). */
import type { Page } from '@playwright/test'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const ANA = { email: 'ana@vaiven.example', password: 'vaiven-ana' }
const POSITIONS = 32
/** Longer than the page needs to be considered at rest (web/features/site/clear-slot.ts). */
const AT_REST_MS = 350

let fragua: SecondBrand
test.beforeAll(async () => {
  fragua = await secondBrand()
})
test.afterAll(() => fragua?.close())

/** Actions and texts with a digit that the button covers, by geometry. Null: the button is not shown. */
function covered(page: Page): Promise<string[] | null> {
  return page.evaluate(() => {
    const button = document.querySelector('.whatsapp-button')
    if (!button || getComputedStyle(button).visibility !== 'visible') return null
    const box = button.getBoundingClientRect()
    const overlaps = (rect: DOMRect) =>
      rect.width > 0 && rect.height > 0 && rect.left < box.right && rect.right > box.left && rect.top < box.bottom && rect.bottom > box.top
    const isShown = (node: Element) =>
      node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !node.closest('.sr-only')
    const found: string[] = []
    for (const node of document.querySelectorAll('a, button, input, select, textarea, label, summary'))
      if (node !== button && isShown(node) && [...node.getClientRects()].some(overlaps)) found.push(node.outerHTML.slice(0, 120))
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!/\d/.test(text.textContent ?? '') || !text.parentElement || !isShown(text.parentElement)) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      if ([...range.getClientRects()].some(overlaps)) found.push(text.textContent ?? '')
    }
    return found
  })
}

/** Scrolls through a page in steps; returns at how many of them the button was shown. */
async function scrollThrough(page: Page): Promise<number> {
  let shown = 0
  for (let at = 0; at < POSITIONS; at++) {
    await page.evaluate(
      (share) => scrollTo({ top: share * (document.documentElement.scrollHeight - innerHeight), behavior: 'instant' }),
      at / (POSITIONS - 1),
    )
    await page.waitForTimeout(AT_REST_MS)
    let found: string[] | null = null
    // On a busy machine the page comes to rest later.
    await expect
      .poll(async () => {
        found = await covered(page)
        return [at, found ?? []]
      })
      .toEqual([at, []])
    if (found) shown++
  }
  return shown
}

// Side by side: at each position the page has to come to rest first.
test(`the public pages of both brands, at ${POSITIONS} scroll positions (S1-2.53)`, async ({ context, baseURL }) => {
  const addresses = [baseURL, fragua.url].flatMap((origin) => ['/', '/calendario'].map((path) => `${origin}${path}`))
  await Promise.all(
    addresses.map(async (address) => {
      const page = await context.newPage()
      await page.goto(address, { waitUntil: 'networkidle' })
      await expect(page.locator('.whatsapp-button')).toHaveAttribute('href', /^https:\/\/wa\.me\/521\d{10}$/)
      expect(await scrollThrough(page)).toBeGreaterThan(POSITIONS / 8)
    }),
  )
})

test('the signed-in area has it too, if its switch is on (S1-2.53)', async ({ page, context }) => {
  await enter(page, ANA)
  await Promise.all(
    ['/mystudio', '/mystudio/reservaciones', '/mystudio/paquetes'].map(async (path) => {
      const tab = await context.newPage()
      await tab.goto(path, { waitUntil: 'networkidle' })
      expect(await scrollThrough(tab)).toBeGreaterThan(0)
    }),
  )
})
