/**
 * Reserving with a guest: exactly the announced credits are taken, seat and name are checked together, errors of the map are shown at the
 * map; a new customer is offered the trial (S2-2.27, S2-2.30, S2-5.06, S2-8.11, settled 18).
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, hourOf, type Person, reserveButton, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')

async function grantCreditLot(page: Page, person: Person, title: string, available_classes: number, days: number): Promise<void> {
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/available_classes', {
    customer_id: person.customer_id,
    title,
    available_classes,
    reason: 'Para probar',
    expiration_date: ahead(days),
  })
}

/** Credits left, by the title of their lot. */
async function creditsOf(person: Person): Promise<Record<string, number>> {
  const { available_classes } = await person.call<{ available_classes: { title: string; available_classes: number }[] }>(
    'GET',
    '/available_classes',
  )
  return Object.fromEntries(available_classes.map((creditLot) => [creditLot.title, creditLot.available_classes]))
}

test('a lot with too few credits for the guest names the second lot, and exactly those are taken (C5, settled 18)', async ({
  page,
  isMobile,
}) => {
  const day = ahead(22)
  const at = hourOf('14', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const elena = await customer(page.request, 'Elena', 0)
  await grantCreditLot(page, elena, 'Una ronda', 1, 60)
  await grantCreditLot(page, elena, 'Ocho rondas', 8, 90)
  await enter(page, elena, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('group', { name: 'Se usará 1 crédito de' })).toBeVisible()
  await expect(dialog.getByText('Ya no te quedan clases de Una ronda')).toBeVisible()

  await dialog.getByText('Llevo un invitado').click()
  await expect(dialog.getByRole('group', { name: 'Se usarán 2 créditos: 1 de Una ronda y 1 de Ocho rondas.' })).toBeVisible()
  await expect(dialog.getByText('Ya no te quedan clases de Una ronda; te quedan 7 de Ocho rondas')).toBeVisible()
  await dialog.getByRole('radio', { name: /^Ocho rondas/ }).check()
  await expect(dialog.getByRole('group', { name: 'Se usarán 2 créditos de' })).toBeVisible()
  await expect(dialog.getByText('Te quedan 6 clases de Ocho rondas')).toBeVisible()
  await dialog.getByRole('radio', { name: /^Una ronda/ }).check()
  await accessible(page)

  await dialog.getByRole('radio', { name: 'Fila 1, lugar 1, disponible' }).click()
  await dialog.getByLabel('Nombre de tu invitado').fill('Jimena')
  await dialog.getByRole('button', { name: 'Reservar 2 lugares' }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  expect(await creditsOf(elena)).toEqual({ 'Ocho rondas': 7 })
})

test('the last credit does not pay for a guest, and the switch says so', async ({ page, isMobile }) => {
  const day = ahead(22)
  const at = hourOf('16', isMobile)
  await classOn(page.request, { day, hour: at })
  await enter(page, await customer(page.request, 'Irma', 1), `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  await expect(dialogOf(page).getByRole('switch', { name: 'Llevo un invitado' })).toBeDisabled()
  await expect(dialogOf(page).getByText('Usa un crédito más, y no te queda otro para esta clase.')).toBeVisible()
})

test('a missing seat and name are reported together, at the map; the guest gets the seat beside it', async ({ page, isMobile }) => {
  const day = ahead(23)
  const at = hourOf('14', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const ines = await customer(page.request, 'Ines', 4)
  await enter(page, ines, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = dialogOf(page)
  const seat = (name: string) => dialog.getByRole('radio', { name })
  await dialog.getByText('Llevo un invitado').click()
  await dialog.getByRole('button', { name: 'Reservar 2 lugares' }).click()

  // Both errors at once; the one above the map is visible, and the map has the focus.
  const alert = dialog.getByRole('alert').filter({ hasText: 'Elige un lugar del mapa.' })
  await expect(alert).toBeInViewport()
  await expect(dialog.getByText('Debes ingresar un nombre para tu invitado')).toBeAttached()
  await expect(seat('Fila 1, lugar 1, disponible')).toBeFocused()
  await expect(seat('Fila 1, lugar 1, disponible')).toBeInViewport()
  await expect(dialog.getByRole('radiogroup', { name: 'Elige tu lugar' })).toHaveAccessibleDescription('Elige un lugar del mapa.')
  const [above, map] = [await alert.boundingBox(), await dialog.getByRole('radiogroup', { name: /^Elige/ }).boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(map?.y ?? 0)
  await accessible(page)

  await seat('Fila 1, lugar 1, disponible').click()
  await expect(seat('Fila 1, lugar 2, de tu invitado')).toBeVisible()
  await expect(dialog.getByText('Tu invitado va en fila 1, lugar 2. Toca otro lugar para cambiarlo.')).toBeVisible()
  await expect(dialog.getByText('Fila 1, lugares 1 y 2', { exact: true })).toBeVisible()
  // Only the name is missing: its field has the focus.
  await dialog.getByRole('button', { name: 'Reservar 2 lugares' }).click()
  await expect(dialog.getByLabel('Nombre de tu invitado')).toBeFocused()
  await seat('Fila 2, lugar 4').click()
  await expect(dialog.getByText('Fila 1, lugar 1 y fila 2, lugar 4', { exact: true })).toBeVisible()

  // Another customer takes that seat meanwhile: the refusal is shown at the map, and the seat is deselected.
  const beto = await customer(page.request, 'Beto', 1)
  const id = Number(new URL(page.url()).searchParams.get('clase'))
  await beto.call('POST', '/class_reservations', { single_class_id: id, spot: '2-4' })
  await dialog.getByLabel('Nombre de tu invitado').fill('Jimena')
  await dialog.getByRole('button', { name: 'Reservar 2 lugares' }).click()
  await expect(seat('Fila 2, lugar 4, ocupado')).toBeVisible()
  await expect(dialog.getByRole('alert')).toBeInViewport()
  await expect(dialog.getByRole('radiogroup', { name: /^Elige/ })).toHaveAttribute('aria-invalid', 'true')
})

test('a customer without purchases is offered the packages and the trial (S2-8.11)', async ({ page, isMobile }) => {
  const day = ahead(6)
  const at = hourOf('10', isMobile)
  await classOn(page.request, { day, hour: at })
  await enter(page, await customer(page.request, 'Nora', 0), `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = page.getByRole('dialog', { name: 'Te falta un paquete' })
  await expect(dialog).toContainText('Lo sentimos. Has agotado todos tus créditos')
  await expect(dialog.getByRole('link', { name: 'Comprar Clases' })).toBeVisible()
  await expect(dialog).toContainText('Tu primera clase')
  await accessible(page)
  await dialog.getByRole('link', { name: 'Comprar y reservar' }).click()
  await expect(page).toHaveURL(/\/checkout/)
  await expect(page.getByText('Tu primera clase').first()).toBeVisible()
})

test('a room with rows of eight fits a phone without scrolling sideways, with seats that a finger meets', async ({ page, isMobile }) => {
  const day = ahead(13)
  const at = hourOf('12', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '8,8,5', capacity: 21 })
  await enter(page, await customer(page.request, 'Olga', 2), `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const seats = dialogOf(page).locator('.spot-row > .seat')
  await expect(seats).toHaveCount(21)
  const boxes = () => seats.evaluateAll((all) => all.map((seat) => seat.getBoundingClientRect().toJSON() as DOMRect))
  for (const width of isMobile ? [390, 360] : [1440]) {
    await page.setViewportSize({ width, height: 844 })
    const room = await dialogOf(page).locator('.spot-room').boundingBox()
    for (const { left, right, width: side, height } of await boxes()) {
      expect([width, left >= (room?.x ?? width) && right <= (room?.x ?? 0) + (room?.width ?? 0)]).toEqual([width, true])
      expect([width, side, side >= 34 && side <= 44 && Math.abs(side - height) < 1]).toEqual([width, side, true])
    }
  }
})
