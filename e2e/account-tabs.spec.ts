/** The bar at the bottom on phones when signed in, in the area behind the log-in and on public pages (S2-2.10, S2-2.13). */
import { accessible } from './axe.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

test('five parts at the lower edge on a phone, none on a desktop', async ({ page, isMobile }) => {
  await enter(page, await customer(page.request, 'Tania', 2))
  const tabs = page.getByRole('navigation', { name: 'Secciones' })
  if (!isMobile) return expect(tabs).toHaveCount(0)
  await expect(tabs.getByRole('link')).toHaveText(['Calendario', 'Reservaciones', 'Online', 'Paquetes', 'Yo'])
  const { height, y } = (await tabs.boundingBox()) ?? { height: 0, y: 0 }
  expect([height, y + height]).toEqual([56, 844])
  // The shortest name has the room of a finger, too.
  const widths: number[] = []
  for (const link of await tabs.getByRole('link').all()) widths.push((await link.boundingBox())?.width ?? 0)
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(54)
  for (const [name, path] of [
    ['Reservaciones', '/mystudio/reservaciones'],
    ['Online', '/mystudio/online'],
    ['Paquetes', '/mystudio/paquetes'],
    ['Yo', '/mystudio/informacion'],
  ] as const) {
    await tabs.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await expect(tabs.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  }
  await accessible(page)
  // Every other page of the account is one tap from 'Yo', which stays current there.
  const pages = page.getByRole('navigation', { name: 'Mi cuenta' })
  await pages.getByRole('link', { name: 'Mis Compras' }).click()
  await expect(page).toHaveURL('/mystudio/membresias')
  await expect(tabs.getByRole('link', { name: 'Yo' })).toHaveAttribute('aria-current', 'page')
  // Narrow phones: the five fit.
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a public page has the bar for who is signed in, not for a visitor, and does not move when it comes (decision 002)', async ({
  page,
  isMobile,
}) => {
  const tabs = page.getByRole('navigation', { name: 'Secciones' })
  await page.goto('/calendario', { waitUntil: 'networkidle' })
  await expect(tabs).toHaveCount(0)
  await enter(page, await customer(page.request, 'Tania', 2))
  await watchShift(page)
  for (const path of ['/', '/calendario', '/paquetes', '/coach/1', '/class_type/1', '/aviso-de-privacidad', '/avisos', '/no-existe']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    if (!isMobile) {
      await expect(page.getByRole('link', { name: 'Mi Cuenta' }).first()).toBeVisible()
      await expect(tabs).toHaveCount(0)
      continue
    }
    await expect(tabs.getByRole('link')).toHaveText(['Calendario', 'Reservaciones', 'Online', 'Paquetes', 'Yo'])
    const { height, y } = (await tabs.boundingBox()) ?? { height: 0, y: 0 }
    expect([path, y + height]).toEqual([path, 844])
    // No part of it is the page that is open.
    await expect(tabs.locator('[aria-current]')).toHaveCount(0)
    const shift = await shiftOf(page)
    expect([path, shift, shift <= 0.02]).toEqual([path, shift, true])
    await accessible(page)
    // The end of the page is above the bar.
    const foot = () =>
      page.evaluate(() => {
        // Cards outside the window get their true height when they are scrolled to.
        scrollTo(0, document.documentElement.scrollHeight)
        return document.querySelector('.footer-powered')?.getBoundingClientRect().bottom
      })
    // A page's end may be a part of a pixel away.
    await expect.poll(foot, { message: path }).toBeLessThan(844 - 56 + 1)
  }
  if (!isMobile) return
  await tabs.getByRole('link', { name: 'Reservaciones' }).click()
  await expect(page).toHaveURL('/mystudio/reservaciones')
  // Signed out, the next public page has none.
  await page.getByRole('button', { name: 'Cuenta de Tania' }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL(/\/entrar/)
  await page.goto('/paquetes', { waitUntil: 'networkidle' })
  await expect(tabs).toHaveCount(0)
})

test('a wide public page opens the same account menu as the area behind the log-in, beside the link to it (S1-2.46, S1-2.47)', async ({
  page,
  isMobile,
}) => {
  const opener = page.getByRole('button', { name: 'Menú de tu cuenta' })
  await page.goto('/paquetes', { waitUntil: 'networkidle' })
  await expect(opener).toHaveCount(0)
  await enter(page, await customer(page.request, 'Tania', 2))
  if (isMobile) {
    await page.goto('/paquetes', { waitUntil: 'networkidle' })
    await expect(page.getByRole('link', { name: 'Mi Cuenta' }).first()).toHaveAttribute('href', '/entrar')
    return expect(opener).toBeHidden()
  }
  const items = page.getByRole('menuitem')
  await page.getByRole('button', { name: 'Cuenta de Tania' }).click()
  const inside = await items.allTextContents()
  expect(inside.length).toBeGreaterThan(4)

  await watchShift(page)
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  await page.goto('/paquetes', { waitUntil: 'networkidle' })
  await expect(page.getByRole('link', { name: 'Mi Cuenta' }).first()).toHaveAttribute('href', '/entrar')
  expect(scripts.filter((url) => /\/api\/|identity-firebase|site-account-menu/.test(url))).toEqual([])
  // With the keyboard: the focus goes into the menu and back to its button.
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(items.first()).toBeFocused()
  expect(await items.allTextContents()).toEqual(inside)
  await accessible(page)
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  expect(refused).toEqual([])
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(opener).toBeFocused()
  await opener.click()
  await items.filter({ hasText: 'Mis Compras' }).click()
  await expect(page).toHaveURL('/mystudio/membresias')

  await page.goto('/paquetes')
  await opener.click()
  const ended = page.waitForRequest(/\/api\/customer\/logout$/)
  await items.filter({ hasText: 'Salir' }).click()
  await expect(page.getByRole('link', { name: 'Ingresar' }).first()).toBeVisible()
  // The session ends at the server too, although this page had not loaded the identity service (P16).
  expect((await ended).headers().authorization).toMatch(/^Bearer /)
  await expect(opener).toHaveCount(0)
  await page.goto('/mystudio')
  await expect(page).toHaveURL('/entrar')
})
