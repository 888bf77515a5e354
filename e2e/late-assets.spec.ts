/** Fonts and pictures that arrive late move nothing (Cumulative Layout Shift at most 0.02). */
import { shiftOf, watchShift } from './layout-shift.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const LATE_MS = 600
const MOST = 0.02

test('late fonts and pictures move no page', async ({ page }) => {
  const lena = await customer(page.request, 'Lena', 4)
  await watchShift(page)
  let late = 0
  await page.route(/\.(?:woff2|webp|avif|jpe?g|png)(?:\?|$)/, async (route) => {
    late++
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    await route.continue().catch(() => {})
  })
  const shifts: Record<string, number> = {}
  const visit = async (path: string) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.evaluate(() => document.fonts.ready)
    shifts[path] = await shiftOf(page)
  }
  for (const path of ['/', '/calendario', '/paquetes', '/instructor/1', '/coach/1', '/class_type/1', '/entrar', '/registro'])
    await visit(path)
  await enter(page, lena)
  for (const path of ['/mystudio', '/mystudio/reservaciones', '/mystudio/online', '/mystudio/paquetes', '/checkout/1']) await visit(path)
  expect(late).toBeGreaterThan(0)
  expect(Object.entries(shifts).filter(([, shift]) => shift > MOST)).toEqual([])
})
