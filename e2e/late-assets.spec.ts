/**
 * Fonts and pictures that arrive late move nothing (Cumulative Layout Shift at most 0.02), and text of twice the size is read whole
 * (WCAG 1.4.4).
 */
import { textCutAtTwiceTheSize } from './cut-text.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { ahead, classOn, customer, enter, hourOf } from './studio-people.ts'
import { expect, test } from './test.ts'

const LATE_MS = 600
const MOST = 0.02

test('late fonts and pictures move no page, and text of twice the size fits it', async ({ page, isMobile }) => {
  const lena = await customer(page.request, 'Lena', 4)
  const [single_class_id] = await classOn(page.request, { day: ahead(13), hour: hourOf('20', isMobile) })
  await lena.call('POST', '/class_reservations', { single_class_id })
  await watchShift(page)
  let late = 0
  await page.route(/\.(?:woff2|webp|avif|jpe?g|png)(?:\?|$)/, async (route) => {
    late++
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    await route.continue().catch(() => {})
  })
  const shifts: Record<string, number> = {}
  const cut: Record<string, string[]> = {}
  const visit = async (path: string) => {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.evaluate(() => document.fonts.ready)
    shifts[path] = await shiftOf(page)
    cut[path] = await textCutAtTwiceTheSize(page)
    // The bar shortens the studio's name only where it has no room left.
    const brand = page.locator('.brand-name').first()
    if (!isMobile && (await brand.evaluate((name) => name.scrollWidth > name.clientWidth))) cut[path]?.push('the name of the studio')
  }
  for (const path of ['/', '/calendario', '/paquetes', '/instructor/1', '/coach/1', '/class_type/1', '/entrar', '/registro', '/checkout/1'])
    await visit(path)
  await enter(page, lena)
  const ACCOUNT = ['reservaciones', 'online', 'paquetes', 'informacion', 'membresias', 'mensajes', 'creditos'].map(
    (page) => `/mystudio/${page}`,
  )
  const OWN = ['/mystudio', ...ACCOUNT, '/checkout/1']
  for (const path of OWN) await visit(path)
  expect(late).toBeGreaterThan(0)
  expect(Object.entries(shifts).filter(([, shift]) => shift > MOST)).toEqual([])
  expect(Object.entries(cut).filter(([, texts]) => texts.length > 0)).toEqual([])
})

test('the letters that stand in for the text font are as wide as it, in both weights', async ({ page }) => {
  await page.goto('/calendario', { waitUntil: 'networkidle' })
  const widths = await page.evaluate(async () => {
    const sentence = 'Reformer Flow con Renata en Roma Norte, sin lugares: Fuerza y Centro, Último lugar, Reservar'
    const measured: { weight: number; own: number; meanwhile: number }[] = []
    for (const weight of [400, 500, 600, 700]) {
      const widthIn = async (family: string) => {
        const faces = await document.fonts.load(`${weight} 20px ${family}`, sentence)
        if (faces.length === 0) throw new Error(`${family} is not there.`)
        const text = document.createElement('span')
        text.style.cssText = `position:absolute;white-space:nowrap;font:${weight} 20px ${family}`
        text.textContent = sentence
        document.body.append(text)
        const { width } = text.getBoundingClientRect()
        text.remove()
        return width
      }
      measured.push({ weight, own: await widthIn('"Atkinson Hyperlegible Next"'), meanwhile: await widthIn('Mientras') })
    }
    return measured
  })
  for (const { weight, own, meanwhile } of widths)
    expect(Math.abs(meanwhile / own - 1), `weight ${weight}: ${meanwhile} for ${own}`).toBeLessThan(0.03)
})
