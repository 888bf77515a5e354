/** The location filter of the administration, the menu that folds, and the bottom bar of each role. */
import { accessible } from './axe.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }
const COACH = { email: 'renata@vaiven.example', password: 'vaiven-coach' }

test('the location in the top bar filters the screen, stays in the address, and goes along to other screens and back', async ({
  page,
  isMobile,
}) => {
  await enter(page, MANAGER, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  const open = () => page.getByRole('button', { name: 'Abrir menú' }).click()
  if (isMobile) await open()
  const filter = page.getByRole('combobox', { name: 'Estudio que se muestra' })
  const todayRequest = page.waitForRequest((request) => /\/api\/admin\/today\?.*location_id=\d/.test(request.url()))
  await filter.selectOption({ label: 'San Ángel' })
  await todayRequest
  await expect(page).toHaveURL(/\/admin\/hoy\?estudio=\d+$/)
  const [, query = ''] = page.url().split('?')
  await accessible(page)
  const listed = page.waitForRequest((request) => /\/api\/admin\/customers\?.*location_id=\d/.test(request.url()))
  const menu = isMobile ? page.getByRole('dialog', { name: 'Menú' }) : page.getByRole('navigation', { name: 'Administración' })
  await menu.getByRole('link', { name: 'Clientes' }).click()
  await listed
  await expect(page).toHaveURL(`/admin/clientes?${query}`)
  await page.locator('.row-link').first().click()
  await expect(page).toHaveURL(/\/admin\/clientes\/\d+$/)
  await page.getByRole('link', { name: 'Volver a Clientes' }).click()
  await expect(page).toHaveURL(`/admin/clientes?${query}`)
  if (isMobile) await open()
  await filter.selectOption({ label: 'Todos los Estudios' })
  await expect(page).toHaveURL('/admin/clientes')
})

test('the menu folds to a rail and stays so; on a phone the bar at the bottom is that of the role', async ({ page, isMobile }) => {
  if (isMobile) {
    await enter(page, COACH, '/admin/mis-clases')
    const bar = page.getByRole('navigation', { name: 'Pantallas' })
    await expect(bar.getByRole('link')).toHaveText(['Hoy', 'Clases', 'Escanear'])
    await bar.getByRole('button', { name: 'Yo' }).click()
    await expect(page.getByRole('dialog', { name: 'Menú' }).getByRole('button', { name: 'Salir' })).toBeVisible()
    await accessible(page)
    return
  }
  await enter(page, MANAGER, '/admin/reservaciones')
  const menu = page.getByRole('navigation', { name: 'Administración' })
  const width = () => menu.evaluate((element) => element.getBoundingClientRect().width)
  expect(await width()).toBe(236)
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/admin/me') && answer.request().method() === 'PUT')
  await menu.getByRole('button', { name: 'Plegar el menú' }).click()
  await saved
  expect(await width()).toBe(72)
  await accessible(page)
  await page.reload()
  await expect(menu.getByRole('button', { name: 'Desplegar el menú' })).toBeVisible()
  expect(await width()).toBe(72)
  await menu.getByRole('button', { name: 'Desplegar el menú' }).click()
  await expect.poll(width).toBe(236)
})
