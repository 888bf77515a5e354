/** Dialogs on a slow or broken connection: focus, visible parts, and closing (design sections 6 and 7). */

import { ahead, cardOf, classOn, customer, enter, reserveButton } from './studio-people.ts'
import { expect, test } from './test.ts'

test('the reserve dialog takes the focus while its class is loading and moves it to its title', async ({ page, isMobile }) => {
  const day = ahead(9)
  const [id] = await classOn(page.request, { day, hour: isMobile ? '14:10' : '14:40', spot_map: '4,4', capacity: 8 })
  const eva = await customer(page.request, 'Eva', 2)
  await enter(page, eva)
  await page.route(`**/api/single_class/single/${id}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue()
  })
  await page.goto(`/mystudio?dia=${day}&clase=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Yin' })
  await expect(page.getByRole('dialog', { name: 'Cargando la clase' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Yin' })).toBeFocused()

  // The consequence and the button are visible however low the window is.
  await expect(dialog.getByText(/^Puedes cancelar sin perder tu crédito/).filter({ visible: true })).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Reservar', exact: true })).toBeInViewport()
  if (!isMobile) await expect(dialog.getByText(/^Puedes cancelar sin perder tu crédito/).first()).toBeInViewport()
})

test('an unknown class shows a message and can be closed; a failed load can be retried', async ({ page, isMobile }) => {
  const day = ahead(9)
  const [id] = await classOn(page.request, { day, hour: isMobile ? '15:10' : '15:40', capacity: 8 })
  const eva = await customer(page.request, 'Eva', 2)
  await enter(page, eva)
  await page.goto('/mystudio?clase=999999')
  const dialog = page.getByRole('dialog', { name: 'No pudimos abrir esta clase' })
  await expect(dialog.getByText('No encontramos esa clase.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Intentar de nuevo' })).toBeHidden()
  await dialog.getByRole('button', { name: 'Entendido' }).click()
  await expect(page).toHaveURL('/mystudio')

  await page.route(`**/api/single_class/single/${id}`, (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto(`/mystudio?dia=${day}&clase=${id}`)
  await expect(dialog.getByRole('button', { name: 'Intentar de nuevo' })).toBeVisible({ timeout: 20_000 })
  await page.unroute(`**/api/single_class/single/${id}`)
  await dialog.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByRole('dialog', { name: 'Yin' })).toBeVisible()
})

test('a double click opens one dialog, and going forward in the history reopens one that can be closed', async ({ page, isMobile }) => {
  const day = ahead(9)
  const at = isMobile ? '16:10' : '16:40'
  await classOn(page.request, { day, hour: at, capacity: 8 })
  const eva = await customer(page.request, 'Eva', 2)
  await enter(page, eva, `/mystudio?dia=${day}`)
  const dialog = page.getByRole('dialog')
  await reserveButton(page, at, day).dblclick()
  await expect(dialog.getByRole('heading', { name: 'Yin' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(`/mystudio?dia=${day}`)
  await page.goForward()
  await expect(dialog.getByRole('heading', { name: 'Yin' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(`/mystudio?dia=${day}`)
})

test('booking and cancelling by keyboard returns the focus to the same class', async ({ page, isMobile }) => {
  const day = ahead(9)
  const at = isMobile ? '17:10' : '17:40'
  await classOn(page.request, { day, hour: at, capacity: 8 })
  const eva = await customer(page.request, 'Eva', 2)
  await enter(page, eva, `/mystudio?dia=${day}`)
  const card = cardOf(page, at, day)
  await reserveButton(page, at, day).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Yin' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Reservar', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await expect(card.getByRole('button').and(page.locator(':focus'))).toHaveCount(1)

  await card.getByRole('button', { name: /^Cancelar mi lugar/ }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Conservar mi lugar' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(reserveButton(page, at, day)).toBeFocused()

  // Navigation to another page of the area moves the focus to it.
  await page.goto('/mystudio/reservaciones')
  await page.getByRole('link', { name: 'Comprar Clases' }).first().click()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a calendar that failed to load shows its title and can be retried', async ({ page }) => {
  const eva = await customer(page.request, 'Eva', 0)
  await enter(page, eva, '/mystudio/reservaciones')
  await page.route(/\/api\/single_class\?/, (route) => route.fulfill({ status: 503, body: '' }))
  // Next week, because late on a Sunday this week has no class left.
  await page.goto(`/mystudio?dia=${ahead(7)}`)
  await expect(page.getByText('No pudimos cargar el calendario.')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  await page.unroute(/\/api\/single_class\?/)
  await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})
