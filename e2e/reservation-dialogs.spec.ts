/**
 * The life of a reservation on the customer's side: guest, seat, move, weekly repetition, undo, cancellation by the studio, penalty, held
 * spot, calendars, credits and messages (S2-2, S2-4, S2-5, S2-8). Each test has its own customer and classes.
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { ahead, cardOf, classOn, customer, enter, hourOf, openFilters, reserveButton, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const credits = (page: Page) => page.getByRole('region', { name: 'Mis créditos' })

test('a guest is added, renamed, moved to another seat and removed (S2-5.06, S2-7.61, S2-8.19)', async ({ page, isMobile }) => {
  const day = ahead(8)
  const at = hourOf('13', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const ana = await customer(page.request, 'Aurora', 4)
  await enter(page, ana, `/mystudio?dia=${day}`)

  // The map is one radio group: arrow keys follow the room, Space chooses; the studio may also choose (S2-2.30).
  await reserveButton(page, at, day).click()
  const dialog = page.getByRole('dialog')
  const seat = (name: string) => dialog.getByRole('radio', { name })
  await expect(dialog.getByRole('radiogroup', { name: 'Elige tu lugar' })).toBeVisible()
  await seat('Fila 1, lugar 1, disponible').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(seat('Fila 2, lugar 2, elegido')).toBeChecked()
  await dialog.getByRole('button', { name: 'Elige por mí' }).click()
  await expect(dialog.getByRole('radio', { name: /elegido$/ })).toHaveCount(1)
  await seat('Fila 2, lugar 2').click()
  await dialog.getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await expect(credits(page)).toContainText('3')

  // +1 on the customer's own class: a name of at least two letters, a seat, one more credit (S2-5.06, settled 21).
  await cardOf(page, at, day).getByRole('button', { name: /^\+1/ }).click()
  await dialog.getByLabel('Nombre de tu invitado').fill('J')
  await dialog.getByRole('button', { name: 'Agregar invitado' }).click()
  await expect(dialog.getByText('Debes ingresar un nombre para tu invitado')).toBeVisible()
  await dialog.getByLabel('Nombre de tu invitado').fill('Jimena')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Agregar invitado' }).click()
  await expect(cardOf(page, at, day)).toContainText('con Jimena')
  await expect(credits(page)).toContainText('2')

  // Renamed from the reservation's own dialog; a reload keeps the dialog open.
  await cardOf(page, at, day)
    .getByRole('button', { name: /Ver mi lugar en/ })
    .click()
  await expect(page).toHaveURL(/lugar=\d+/)
  await page.reload()
  await expect(dialog.getByRole('heading', { name: 'Yin' })).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Mi invitado' }).click()
  await dialog.getByLabel('Nombre de tu invitado').fill('Diego')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Nombre actualizado.')).toBeVisible()
  await expect(cardOf(page, at, day)).toContainText('con Diego')

  // The two swap seats in one step.
  await cardOf(page, at, day)
    .getByRole('button', { name: /Ver mi lugar en/ })
    .click()
  await dialog.getByRole('button', { name: 'Cambiar de lugar' }).click()
  await dialog.getByText('Diego', { exact: true }).click()
  await dialog.getByRole('radio', { name: 'Fila 1, lugar 1, disponible' }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog).toBeHidden()

  // The guest column, and a guest removed alone (R23).
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText(isMobile ? /con Diego/ : 'Diego')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: /^Más opciones de Yin/ }).click()
  await expect(dialog).toContainText('Diego, fila 1, lugar 1')
  await dialog.getByRole('button', { name: 'Mi invitado' }).click()
  await dialog.getByRole('button', { name: 'Quitar a mi invitado' }).click()
  await expect(dialog).toContainText('El crédito de tu invitado regresa')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Sí, quitar' }).click()
  await expect(page.getByText('Diego ya no viene contigo.')).toBeVisible()
  await expect(credits(page)).toContainText('3')
})

test('choices in an open dialog survive a reload; a half-typed name is in no address and is removed on closing (S2-2.30)', async ({
  page,
  isMobile,
}) => {
  const day = ahead(15)
  const at = hourOf('13', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const ana = await customer(page.request, 'Olga', 4)
  const beto = await customer(page.request, 'Beto', 1)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = page.getByRole('dialog')
  const seat = (name: string) => dialog.getByRole('radio', { name })
  const drafts = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
  await seat('Fila 1, lugar 2, disponible').click()
  await dialog.getByText('Llevo un invitado').click()
  await expect(seat('Fila 1, lugar 3, de tu invitado')).toBeVisible()
  await dialog.getByLabel('Nombre de tu invitado').fill('Jimena Robles')
  await expect(page).toHaveURL(/sitio=1-2.*sitio_invitado=1-3/)
  expect(decodeURIComponent(page.url())).not.toContain('Jimena')

  await page.reload()
  await expect(seat('Fila 1, lugar 2, elegido')).toBeChecked()
  await expect(seat('Fila 1, lugar 3, de tu invitado')).toBeVisible()
  await expect(dialog.getByLabel('Nombre de tu invitado')).toHaveValue('Jimena Robles')
  await expect(dialog.getByRole('button', { name: 'Reservar 2 lugares' })).toBeVisible()
  await accessible(page)

  // Another customer takes the seat meanwhile: the dialog says so and keeps the other choices.
  const id = Number(new URL(page.url()).searchParams.get('clase'))
  await beto.call('POST', '/class_reservations', { single_class_id: id, spot: '1-2' })
  await page.reload()
  await expect(dialog.getByText('El lugar que habías elegido ya no está libre. Elige otro.')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /elegido$/ })).toHaveCount(0)
  await expect(seat('Fila 1, lugar 3, de tu invitado')).toBeVisible()

  // After closing nothing remains in the address or the tab; reopened, it is empty.
  await dialog.getByRole('button', { name: 'Ahora no' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).not.toHaveURL(/sitio|con_invitado|clase=/)
  expect(await drafts()).not.toContain('Jimena')
  await reserveButton(page, at, day).click()
  await expect(seat('Fila 1, lugar 3, disponible')).toBeVisible()
  await expect(dialog.getByLabel('Nombre de tu invitado')).toBeHidden()

  // The weeks too; and a sign-out in another tab removes the typed name in this one.
  await dialog.getByText('Repetir cada semana').click()
  await dialog.getByLabel('Durante').selectOption('8')
  await expect(page).toHaveURL(/semanas=8/)
  await page.reload()
  await expect(dialog.getByLabel('Durante')).toHaveValue('8')
  await dialog.getByText('Repetir cada semana').click()
  await dialog.getByText('Llevo un invitado').click()
  await dialog.getByLabel('Nombre de tu invitado').fill('Jimena Robles')
  expect(await drafts()).toContain('Jimena')
  const other = await page.context().newPage()
  await other.goto('/mystudio/creditos')
  await other.getByRole('button', { name: /Olga/ }).click()
  await other.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL(/\/entrar/)
  expect(await drafts()).not.toContain('Jimena')
})

test('moving to another class in one step, and undoing it for a few minutes (R16, R18)', async ({ page, isMobile }) => {
  const day = ahead(9)
  const [from, to] = [hourOf('13', isMobile), hourOf('14', isMobile)]
  await classOn(page.request, { day, hour: from })
  const [target] = await classOn(page.request, { day, hour: to, spot_map: '4' })
  const ana = await customer(page.request, 'Berta', 1)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await reserveButton(page, from, day).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(cardOf(page, from, day)).toContainText('Reservada')

  // Without credits: the credit of the old class pays for the new one.
  await cardOf(page, from, day)
    .getByRole('button', { name: /Ver mi lugar/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cambiar de clase' }).click()
  await expect(page).toHaveURL(/cambiar=\d+/)
  await dialog.locator(`input[type=radio][value="${target}"]`).click()
  await dialog.getByRole('button', { name: 'Elige por mí' }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: /^Cambiar a / }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await expect(cardOf(page, to, day)).toContainText('Reservada')
  await expect(cardOf(page, from, day)).not.toContainText('Reservada')
  await expect(credits(page)).toContainText('0')

  // The undo bar shows its deadline and survives a reload.
  await page.reload()
  const bar = page.getByRole('region', { name: 'Última reservación' })
  await expect(bar).toContainText(/Reservaste Yin.*Puedes deshacerlo hasta las \d\d:\d\d/)
  await accessible(page)
  await bar.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Reservación cancelada.')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(cardOf(page, to, day)).not.toContainText('Reservada')
  await expect(credits(page)).toContainText('1')
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('cambiaste de clase')).toBeVisible()
  await expect(page.getByText('la deshiciste')).toBeVisible()
})

test('weekly bookings as far as classes and credits allow, with the result of each week (R19)', { tag: '@one-size' }, async ({
  page,
  isMobile,
}) => {
  const day = ahead(10)
  const at = hourOf('13', isMobile)
  const [, second] = await classOn(page.request, { day, hour: at, repeat_until: ahead(10 + 21) })
  const owner = await staff(page.request, 'owner')
  await owner('DELETE', `/single_class/${second}`, {})
  const ana = await customer(page.request, 'Celia', 2)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Repetir cada semana').click()
  await dialog.getByLabel('Durante').selectOption('4')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Reservar 4 semanas' }).click()
  await expect(dialog.getByText('Reservamos 2 clases. 2 semanas no se pudieron:')).toBeVisible()
  const weeks = dialog.getByRole('list', { name: 'Semana por semana' }).getByRole('listitem')
  await expect(weeks).toHaveCount(4)
  await expect(weeks.nth(0)).toContainText('Reservada')
  await expect(weeks.nth(1)).toContainText('Esa semana no hay clase')
  await expect(weeks.nth(2)).toContainText('Reservada')
  await expect(weeks.nth(3)).toContainText('Has agotado todos tus créditos')
  await expect(weeks.nth(3).getByRole('link', { name: 'Comprar Clases' })).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Listo' }).click()

  // Booked in one step, undone in one step.
  const bar = page.getByRole('region', { name: 'Última reservación' })
  await expect(bar).toContainText('Reservaste 2 clases de Yin.')
  await bar.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Reservación cancelada.')).toBeVisible()
  await expect(credits(page)).toContainText('2')
})

test('a calendar program of the customer: a file for one class, a secret address for all, and its replacement (R20)', {
  tag: '@one-size',
}, async ({ page, context, isMobile }) => {
  const day = ahead(11)
  const at = hourOf('13', isMobile)
  const [single_class_id] = await classOn(page.request, { day, hour: at })
  const ana = await customer(page.request, 'Delia', 1)
  await ana.call('POST', '/class_reservations', { single_class_id })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter(page, ana, '/mystudio/reservaciones')

  await page.getByRole('button', { name: /^Más opciones de Yin/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Agregar a mi calendario' }).click()
  await expect(dialog.getByRole('link', { name: 'Google' })).toHaveAttribute('href', /^https:\/\/calendar\.google\.com\//)
  await expect(dialog.getByRole('link', { name: 'Outlook' })).toHaveAttribute('href', /^https:\/\/outlook\.live\.com\//)
  await accessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('link', { name: /\.ics/ }).click()
  expect((await download).suggestedFilename()).toBe('clase.ics')
  await dialog.getByRole('button', { name: 'Cerrar' }).click()

  await page.getByRole('button', { name: 'Mi calendario', exact: true }).click()
  await expect(page).toHaveURL(/enlace=0/)
  const address = dialog.getByLabel('Tu enlace secreto')
  await expect(address).toHaveValue(/\/api\/calendario\/[\w.-]+\.ics$/)
  await expect(dialog.getByRole('link', { name: 'Suscribirme' })).toHaveAttribute('href', /^webcal:/)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Copiar enlace' }).click()
  await expect(dialog.getByRole('button', { name: 'Copiado' })).toBeVisible()
  const before = await address.inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(before)
  expect(await (await page.request.get(before)).text()).toContain('SUMMARY:Yin')

  await dialog.getByRole('button', { name: 'Cambiar el enlace' }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Sí, cambiarlo' }).click()
  await expect(page.getByText('Tu enlace cambió. El anterior ya no funciona.')).toBeVisible()
  await expect(address).not.toHaveValue(before)
  expect((await page.request.get(before)).status()).toBe(404)
  expect(await (await page.request.get(await address.inputValue())).text()).toContain('SUMMARY:Yin')
})

test('the ledger lists every credit movement, and its filter is in the address (S2-2.53 to S2-2.55)', { tag: '@one-size' }, async ({
  page,
  isMobile,
}) => {
  const day = ahead(12)
  const [single_class_id] = await classOn(page.request, { day, hour: hourOf('13', isMobile) })
  const ana = await customer(page.request, 'Elisa', 3)
  const made = await ana.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', { single_class_id })
  await ana.call('DELETE', `/class_reservations/${made.class_reservation.class_reservation_id}`)
  await enter(page, ana, '/mystudio/creditos')
  await expect(page.getByText('3 de 3')).toBeVisible()
  const history = page.getByRole('region', { name: 'Historial' })
  await expect(history.getByText('Se agregaron')).toBeVisible()
  await expect(history.getByText('Reservación', { exact: true })).toBeVisible()
  await expect(history.getByText('Regresó')).toBeVisible()
  await expect(history.getByText('+3')).toBeVisible()
  await expect(history.getByText('−1')).toBeVisible()
  await accessible(page)
  await page.getByText('Todos', { exact: true }).click()
  await expect(page).toHaveURL(/ver=todos/)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Todos' })).toBeChecked()
})

test('when the studio cancels a class the open calendar shows it, and the message offers three others (B1 to B4)', async ({
  page,
  isMobile,
}) => {
  const day = ahead(14)
  const [at, later] = [hourOf('13', isMobile), hourOf('15', isMobile)]
  const [single_class_id] = await classOn(page.request, { day, hour: at })
  await classOn(page.request, { day, hour: later })
  const ana = await customer(page.request, 'Gilda', 1)
  await ana.call('POST', '/class_reservations', { single_class_id })
  await enter(page, ana, `/mystudio?dia=${day}`)
  await expect(cardOf(page, at, day)).toContainText('Reservada')
  const owner = await staff(page.request, 'owner')
  await owner('DELETE', `/single_class/${single_class_id}`, { reason: 'La coach está enferma' })
  // Without a reload.
  await expect(cardOf(page, at, day)).toContainText('Cancelada por el estudio')

  await page.goto('/mystudio/mensajes')
  const message = page.getByRole('listitem').filter({ hasText: 'Cancelamos tu clase' })
  await expect(async () => {
    await page.reload()
    await expect(message).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('link', { name: /^Mensajes, \d sin leer/ })).toBeVisible()
  await accessible(page)
  await message.getByRole('link', { name: 'Ver otras clases' }).click()
  const dialog = page.getByRole('dialog', { name: 'El estudio canceló esta clase' })
  await expect(dialog.getByRole('listitem').first()).toContainText('Yin')
  await accessible(page)
  await dialog.getByRole('link', { name: new RegExp(`${later}$`) }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await page.goto('/mystudio/reservaciones?ver=cancelled')
  await expect(page.getByText('por el estudio')).toBeVisible()
})

test('messages are marked as read, and consent is given and withdrawn with its date (M2)', { tag: '@one-size' }, async ({
  page,
  isMobile,
}) => {
  const [single_class_id] = await classOn(page.request, { day: ahead(15), hour: hourOf('13', isMobile) })
  const ana = await customer(page.request, 'Hilda', 1)
  await ana.call('POST', '/class_reservations', { single_class_id })
  await enter(page, ana, '/mystudio/mensajes')
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('listitem').filter({ hasText: 'Tu lugar está reservado' })).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByText('1 mensaje sin leer.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Marcar todos como leídos' }).click()
  await expect(page.getByText('Estás al día.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Mensajes', exact: true })).toBeVisible()

  const whatsapp = page.getByRole('switch', { name: /^WhatsApp/ })
  await expect(whatsapp).not.toBeChecked()
  await whatsapp.click()
  await expect(page.getByText(/^Aceptaste el \d\d \w+ \d{4}\.$/)).toBeVisible()
  await page.reload()
  await expect(whatsapp).toBeChecked()
  await whatsapp.click()
  await expect(page.getByText(/^Lo quitaste el \d\d \w+ \d{4}\.$/)).toBeVisible()
  await page.getByRole('switch', { name: /^Recordatorios por correo/ }).click()
  await expect(page.getByText(/^Lo quitaste el/)).toHaveCount(2)
  await accessible(page)
})

test('the calendar keeps week, filters and open dialog through a reload; month and swipe change the week', async ({ page, isMobile }) => {
  const day = ahead(18)
  const at = hourOf('13', isMobile)
  const [single_class_id] = await classOn(page.request, { day, hour: at, capacity: 5 })
  const ana = await customer(page.request, 'Lucha', 1)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await openFilters(page)
  await page.getByLabel('Clase', { exact: true }).selectOption({ label: 'Yin' })
  await page.getByLabel('Coach').selectOption({ label: 'Lucía' })
  await page.getByRole('combobox', { name: 'Hora' }).selectOption({ label: 'Tarde' })
  await page.getByRole('link', { name: 'Con lugares' }).click()
  await reserveButton(page, at, day).click()
  await expect(page).toHaveURL(/tipo=\d+&coach=\d+&hora=tarde&lugares=1&clase=\d+/)
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Yin' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(/lugares=1$/)
  await expect(page.getByLabel('Coach')).toHaveValue(/\d+/)
  await expect(cardOf(page, at, day)).toContainText('5 lugares')

  // Another customer books: the number changes live.
  const other = await customer(page.request, 'Mirta', 1)
  await other.call('POST', '/class_reservations', { single_class_id })
  await expect(cardOf(page, at, day)).toContainText('4 lugares')

  if (isMobile) {
    const chosen = page.getByRole('tab', { selected: true })
    const before = await chosen.textContent()
    await page
      .locator('.week')
      .first()
      .evaluate((week) => {
        const touch = (x: number) => [new Touch({ identifier: 1, target: week, clientX: x, clientY: 300 })]
        week.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: touch(300), changedTouches: touch(300) }))
        week.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: touch(120) }))
      })
    await expect(chosen).not.toHaveText(before ?? '')
  }
  await openFilters(page)
  await page.getByLabel('Mes').filter({ visible: true }).selectOption({ index: 5 })
  await expect(page).toHaveURL(/semana=20\d\d-\d\d-\d\d/)
})
