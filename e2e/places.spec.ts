/**
 * A place's whole life on the customer's side: guest, seat, another class, every week, undone, cancelled by the studio, a penalty, a
 * held place, calendars, credits and messages (issue 5; S2-2, S2-4, S2-5, S2-8). Each journey has its own person and its own classes.
 */
import { expect, type Page, test } from '@playwright/test'
import { inDatabase } from './studio-database.ts'
import { accessible, ahead, classOn, customer, enter, staff } from './studio-people.ts'

/** Phone and desktop run beside each other on one studio: each has hours of its own. */
const hour = (h: string, isMobile: boolean) => `${h}:${isMobile ? '05' : '35'}`
const card = (page: Page, at: string, day: string) => page.getByRole('article', { name: new RegExp(`${Number(day.slice(8))}, ${at}`) })
const credits = (page: Page) => page.getByRole('region', { name: 'Mis créditos' })

test('S2-5.06, S2-7.61, S2-8.19: a guest comes along, gets another name and another seat, and stays at home', async ({
  page,
  isMobile,
}) => {
  const day = ahead(8)
  const at = hour('13', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const ana = await customer(page.request, 'Aurora', 4)
  await enter(page, ana, `/mystudio?dia=${day}`)

  // The map is one radio group: arrows follow the room, Space chooses; or the studio chooses (S2-2.30).
  await card(page, at, day)
    .getByRole('button', { name: /^Reservar / })
    .click()
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

  // +1 on one's own class: a name of at least two letters, a seat, one more credit (S2-5.06, decision 21).
  await card(page, at, day).getByRole('button', { name: /^\+1/ }).click()
  await dialog.getByLabel('Nombre de tu invitado').fill('J')
  await dialog.getByRole('button', { name: 'Agregar invitado' }).click()
  await expect(dialog.getByText('Debes ingresar un nombre para tu invitado')).toBeVisible()
  await dialog.getByLabel('Nombre de tu invitado').fill('Jimena')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Agregar invitado' }).click()
  await expect(card(page, at, day)).toContainText('con Jimena')
  await expect(credits(page)).toContainText('2')

  // Named anew from the place's own sheet; a reload keeps what is open.
  await card(page, at, day)
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
  await expect(card(page, at, day)).toContainText('con Diego')

  // The two change seats in one step.
  await card(page, at, day)
    .getByRole('button', { name: /Ver mi lugar en/ })
    .click()
  await dialog.getByRole('button', { name: 'Cambiar de lugar' }).click()
  await dialog.getByText('Diego', { exact: true }).click()
  await dialog.getByRole('radio', { name: 'Fila 1, lugar 1, disponible' }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog).toBeHidden()

  // The guest column, and the guest given up alone (R23).
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

test('another class in one step, and undone for a few minutes (R16, R18)', async ({ page, isMobile }) => {
  const day = ahead(9)
  const [from, to] = [hour('13', isMobile), hour('14', isMobile)]
  await classOn(page.request, { day, hour: from })
  await classOn(page.request, { day, hour: to, spot_map: '4' })
  const ana = await customer(page.request, 'Berta', 1)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await card(page, from, day)
    .getByRole('button', { name: /^Reservar / })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(card(page, from, day)).toContainText('Reservada')

  // With no credit left: what is freed pays for the other class.
  await card(page, from, day)
    .getByRole('button', { name: /Ver mi lugar/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cambiar de clase' }).click()
  await expect(page).toHaveURL(/cambiar=\d+/)
  await dialog.getByRole('radio', { name: new RegExp(`${to}.*Yin`) }).click()
  await dialog.getByRole('button', { name: 'Elige por mí' }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: /^Cambiar a / }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await expect(card(page, to, day)).toContainText('Reservada')
  await expect(card(page, from, day)).not.toContainText('Reservada')
  await expect(credits(page)).toContainText('0')

  // The bar says until when, and a reload finds it again.
  await page.reload()
  const bar = page.getByRole('region', { name: 'Última reservación' })
  await expect(bar).toContainText(/Reservaste Yin.*Puedes deshacerlo hasta las \d\d:\d\d/)
  await accessible(page)
  await bar.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Reservación cancelada.')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(card(page, to, day)).not.toContainText('Reservada')
  await expect(credits(page)).toContainText('1')
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('cambiaste de clase')).toBeVisible()
  await expect(page.getByText('la deshiciste')).toBeVisible()
})

test('every week as far as classes and credits allow, with a word about each (R19)', async ({ page, isMobile }) => {
  const day = ahead(10)
  const at = hour('13', isMobile)
  const [, second] = await classOn(page.request, { day, hour: at, repeat_until: ahead(10 + 21) })
  const reception = await staff(page.request, 'reception')
  await reception('DELETE', `/single_class/${second}`, {})
  const ana = await customer(page.request, 'Celia', 2)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await card(page, at, day)
    .getByRole('button', { name: /^Reservar / })
    .click()
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

  // One step booked them, one step takes them back.
  const bar = page.getByRole('region', { name: 'Última reservación' })
  await expect(bar).toContainText('Reservaste 2 clases de Yin.')
  await bar.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Reservación cancelada.')).toBeVisible()
  await expect(credits(page)).toContainText('2')
})

test('my own calendar: a file for one class, a secret address for all, and another one (R20)', async ({ page, context, isMobile }) => {
  const day = ahead(11)
  const at = hour('13', isMobile)
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

  await page.getByRole('button', { name: 'Mi calendario' }).click()
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

test('S2-2.53 to S2-2.55: every credit that came and went, and the filter in the address', async ({ page, isMobile }) => {
  const day = ahead(12)
  const [single_class_id] = await classOn(page.request, { day, hour: hour('13', isMobile) })
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

test('S2-2.29, S2-4.22 to S2-4.24, S2-8.10: a penalty says why and until when', async ({ page, isMobile }) => {
  const owner = await staff(page.request, 'owner')
  await owner('PUT', '/appconfig', { settings: [{ key: 'unlimited_membership_penalties_enabled', value: true }] })
  const day = ahead(13)
  const at = hour('13', isMobile)
  await classOn(page.request, { day, hour: at })
  const ana = await customer(page.request, 'Flora', 2)
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/class_reservation_penaltys', {
    ...{ customer_id: ana.customer_id, reason: 'Tres faltas seguidas', resumes_on: ahead(20) },
  })
  await enter(page, ana, `/mystudio?dia=${day}`)
  await expect(page.getByText(/Puedes reservar de nuevo desde el/)).toBeVisible()
  await accessible(page)
  await card(page, at, day)
    .getByRole('button', { name: /^Con penalización/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Tienes una penalización' })
  await expect(dialog).toContainText('Lo sentimos, no puedes reservar clases porque cuentas con una penalización.')
  await expect(dialog).toContainText('3 clases seguidas con un paquete ilimitado')
  await expect(dialog).toContainText(/Hasta el \w+ \d\d \w+, 00:00/)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Entendido' }).click()
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('Tienes una penalización: Tres faltas seguidas.')).toBeVisible()
  await accessible(page)
})

test('the studio cancels a class: the open calendar says so, and the message leads to three others (B1 to B4)', async ({
  page,
  isMobile,
}) => {
  const day = ahead(14)
  const [at, later] = [hour('13', isMobile), hour('15', isMobile)]
  const [single_class_id] = await classOn(page.request, { day, hour: at })
  await classOn(page.request, { day, hour: later })
  const ana = await customer(page.request, 'Gilda', 1)
  await ana.call('POST', '/class_reservations', { single_class_id })
  await enter(page, ana, `/mystudio?dia=${day}`)
  await expect(card(page, at, day)).toContainText('Reservada')
  const reception = await staff(page.request, 'reception')
  await reception('DELETE', `/single_class/${single_class_id}`, { reason: 'La coach está enferma' })
  // Without a reload.
  await expect(card(page, at, day)).toContainText('Cancelada por el estudio')

  await page.goto('/mystudio/mensajes')
  const told = page.getByRole('listitem').filter({ hasText: 'Cancelamos tu clase' })
  await expect(async () => {
    await page.reload()
    await expect(told).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('link', { name: /^Mensajes, \d sin leer/ })).toBeVisible()
  await accessible(page)
  await told.getByRole('link', { name: 'Ver otras clases' }).click()
  const dialog = page.getByRole('dialog', { name: 'El estudio canceló esta clase' })
  await expect(dialog.getByRole('listitem').first()).toContainText('Yin')
  await accessible(page)
  await dialog.getByRole('link', { name: new RegExp(`${later}$`) }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await page.goto('/mystudio/reservaciones?ver=cancelled')
  await expect(page.getByText('por el estudio')).toBeVisible()
})

test('messages are read, and consent is given and taken back with its date (M2)', async ({ page, isMobile }) => {
  const [single_class_id] = await classOn(page.request, { day: ahead(15), hour: hour('13', isMobile) })
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

test('S1-2.95, S2-2.15, S2-2.16: without what the studio needs to know there is no place, and the way to it', async ({
  page,
  isMobile,
}) => {
  const owner = await staff(page.request, 'owner')
  const demand = (value: boolean) => owner('PUT', '/appconfig', { settings: [{ key: 'profile_required_to_reserve', value }] })
  const day = ahead(16)
  const at = hour('13', isMobile)
  await classOn(page.request, { day, hour: at })
  const ana = await customer(page.request, 'Irma', 1)
  await inDatabase((client) => client.query('update customer set phone = null where customer_id = $1', [ana.customer_id]))
  await demand(true)
  try {
    await enter(page, ana, `/mystudio?dia=${day}`)
    await card(page, at, day)
      .getByRole('button', { name: /^Reservar / })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Falta tu información' })
    await expect(dialog).toContainText('Debes completar tu información personal antes de reservar clases.')
    await expect(dialog).toContainText('Falta: Teléfono.')
    await accessible(page)
    await dialog.getByRole('link', { name: 'Completar Información' }).click()
    await expect(page).toHaveURL('/mystudio/informacion')
  } finally {
    await demand(false)
  }
})

test('a place held in a line is taken by its link, without logging in (W4, W9)', async ({ page, browser, isMobile }) => {
  const day = ahead(17)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: hour('13', isMobile), capacity: 1 })
  const other = await customer(page.request, 'Julieta', 1)
  const theirs = await other.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', {
    single_class_id,
  })
  const ana = await customer(page.request, 'Karla', 1)
  await ana.call('POST', '/waitlist', { single_class_id })
  await other.call('DELETE', `/class_reservations/${theirs.class_reservation.class_reservation_id}`)
  // The demo tells everybody at once; the hold of the other modes is written down as they write it.
  await inDatabase((client) =>
    client.query(
      `update waitlist set status = 'offered', offer_until = now() + interval '20 minutes', offers = offers + 1 where single_class_id = $1`,
      [single_class_id],
    ),
  )
  await enter(page, ana, '/mystudio/waitlists')
  await expect(page.getByText('Lugar apartado')).toBeVisible()
  await expect(page.getByText(/^Es tuyo hasta el /)).toBeVisible()
  await accessible(page)
  const link = await page.getByRole('link', { name: /^Tomar mi lugar en Yin/ }).getAttribute('href')

  const stranger = await browser.newContext({ baseURL: test.info().project.use.baseURL ?? '' })
  const phone = await stranger.newPage()
  await phone.goto(link ?? '')
  await expect(phone.getByRole('heading', { level: 1, name: 'Yin' })).toBeVisible()
  await expect(phone.getByText(/^Apartado hasta el/)).toBeVisible()
  await accessible(phone)
  await phone.getByRole('button', { name: 'Tomar mi lugar' }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'El lugar es tuyo' })).toBeVisible()
  await accessible(phone)
  await stranger.close()
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('Próxima', { exact: true })).toBeVisible()
})

test('the calendar keeps week, filters and what is open through a reload; it moves by month and by finger', async ({ page, isMobile }) => {
  const day = ahead(18)
  const at = hour('13', isMobile)
  const [single_class_id] = await classOn(page.request, { day, hour: at, capacity: 5 })
  const ana = await customer(page.request, 'Lucha', 1)
  await enter(page, ana, `/mystudio?dia=${day}`)
  await page.getByLabel('Clase', { exact: true }).selectOption({ label: 'Yin' })
  await page.getByLabel('Coach').selectOption({ label: 'Lucía' })
  await page.getByLabel('Hora').selectOption({ label: 'Tarde' })
  await page.getByRole('link', { name: 'Con lugares' }).click()
  await card(page, at, day)
    .getByRole('button', { name: /^Reservar / })
    .click()
  await expect(page).toHaveURL(/tipo=\d+&coach=\d+&hora=tarde&lugares=1&clase=\d+/)
  await page.reload()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Yin' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(/lugares=1$/)
  await expect(page.getByLabel('Coach')).toHaveValue(/\d+/)
  await expect(card(page, at, day)).toContainText('5 lugares')

  // Somebody else books: the number changes by itself.
  const other = await customer(page.request, 'Mirta', 1)
  await other.call('POST', '/class_reservations', { single_class_id })
  await expect(card(page, at, day)).toContainText('4 lugares')

  if (isMobile) {
    const chosen = page.getByRole('tab', { selected: true })
    const before = await chosen.textContent()
    await page.locator('.week').evaluate((week) => {
      const touch = (x: number) => [new Touch({ identifier: 1, target: week, clientX: x, clientY: 300 })]
      week.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: touch(300), changedTouches: touch(300) }))
      week.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: touch(120) }))
    })
    await expect(chosen).not.toHaveText(before ?? '')
  }
  await page.getByLabel('Mes').filter({ visible: true }).selectOption({ index: 5 })
  await expect(page).toHaveURL(/semana=20\d\d-\d\d-\d\d/)
})
