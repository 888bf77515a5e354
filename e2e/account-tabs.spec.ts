/** The bar at the bottom of the signed-in area on phones (S2-2.10, S2-2.13). */
import { accessible } from './axe.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

test('five parts at the lower edge on a phone, none on a desktop', async ({ page, isMobile }) => {
  await enter(page, await customer(page.request, 'Tania', 2))
  const tabs = page.getByRole('navigation', { name: 'Secciones' })
  if (!isMobile) return expect(tabs).toHaveCount(0)
  await expect(tabs.getByRole('link')).toHaveText(['Calendario', 'Reservaciones', 'Online', 'Paquetes', 'Yo'])
  const { height, y } = (await tabs.boundingBox()) ?? { height: 0, y: 0 }
  expect([height >= 56, y + height]).toEqual([true, 844])
  for (const link of await tabs.getByRole('link').all()) expect((await link.boundingBox())?.width).toBeGreaterThanOrEqual(44)
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
