/**
 * Twenty-four brands that no demo has, rendered on nine screens: every text reaches 4.5, every control's shape 3, and every two states are
 * distinguishable (WCAG 1.4.3 and 1.4.11). `GALLERY=folder` also saves a picture of each. The offer of a held place and the gift card are
 * measured where they come about (switches.spec.ts, sales-open.spec.ts).
 */
import { palettes } from '#server/testing/palettes.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { wrongInPalettes } from './measure-colours.ts'
import { ahead, cardOf, classOn, customer, enter, hourOf, reserveButton, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

test.beforeEach(async ({ page }) => {
  expect(Object.keys(palettes)).toHaveLength(24)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the landing page holds in every palette', async ({ page }, info) => {
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(await wrongInPalettes(page, info, 'portada')).toEqual({})
})

test('the calendar holds in every palette, and its states differ', async ({ page, isMobile }, info) => {
  const day = ahead(25)
  const hours = ['06', '08', '11', '15'].map((hour) => hourOf(hour, isMobile))
  const [mine, full, waiting] = await Promise.all(
    [12, 1, 1, 12].map(async (capacity, at) => (await classOn(page.request, { day, hour: hours[at] ?? '', capacity }))[0] ?? 0),
  )
  const [ana, beto] = [await customer(page.request, 'Amalia', 9), await customer(page.request, 'Beto', 9)]
  await ana.call('POST', '/class_reservations', { single_class_id: mine })
  for (const single_class_id of [full, waiting]) await beto.call('POST', '/class_reservations', { single_class_id })
  await ana.call('POST', '/waitlist', { single_class_id: waiting })
  await enter(page, ana, `/mystudio?dia=${day}`)
  for (const hour of hours) await expect(cardOf(page, hour, day)).toBeVisible()
  const states = { disponible: '.class-open', reservada: '.class-mine', llena: '.class-full', 'en espera': '.class-waiting' }
  expect(await wrongInPalettes(page, info, 'calendario', states)).toEqual({})
})

test('the reserve dialog holds in every palette, and its seats differ', async ({ page, isMobile }, info) => {
  const day = ahead(26)
  const at = hourOf('11', isMobile)
  const [single_class_id] = await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const [ana, beto] = [await customer(page.request, 'Amalia', 4), await customer(page.request, 'Beto', 1)]
  await beto.call('POST', '/class_reservations', { single_class_id, spot: '2-4' })
  await enter(page, ana, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Llevo un invitado').click()
  await dialog.getByRole('radio', { name: 'Fila 1, lugar 1, disponible' }).click()
  await expect(dialog.getByRole('radio', { name: 'Fila 1, lugar 2, de tu invitado' })).toBeVisible()
  const seats = { libre: '.seat-free', mío: '.seat-mine', invitado: '.seat-guest', ocupado: '.seat-taken' }
  const inside = Object.fromEntries(Object.entries(seats).map(([role, selector]) => [role, `.spot-row ${selector}`]))
  expect(await wrongInPalettes(page, info, 'reservar', inside)).toEqual({})
})

test('the checkout holds in every palette', async ({ page }, info) => {
  await enter(page, await customer(page.request, 'Amalia', 1), '/checkout/1')
  await expect(page.getByRole('button', { name: /^Pagar / })).toBeVisible()
  expect(await wrongInPalettes(page, info, 'checkout')).toEqual({})
})

test('an invitation and the dialog that finds a package hold in every palette, and the invitation does not jump', async ({
  page,
  isMobile,
}, info) => {
  const [single_class_id] = await classOn(page.request, { day: ahead(26), hour: hourOf('13', isMobile), capacity: 6 })
  const ana = await customer(page.request, 'Amalia', 4)
  const { class_reservation } = await ana.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', {
    single_class_id,
  })
  const { url } = await ana.call<{ url: string }>('POST', `/class_reservations/${class_reservation.class_reservation_id}/invitation`)
  await watchShift(page)
  await page.goto(new URL(url).pathname)
  await expect(page.getByText('Amalia te invita a')).toBeVisible()
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  expect(await wrongInPalettes(page, info, 'invitacion')).toEqual({})

  await enter(page, ana, '/mystudio/paquetes')
  await page.getByRole('button', { name: '¿Cuál me conviene?' }).click()
  await expect(page.getByRole('dialog', { name: '¿Cuál me conviene?' })).toContainText('Cada clase te sale en')
  expect(await wrongInPalettes(page, info, 'conviene')).toEqual({})
})

test('the thanks page and the code of a place hold in every palette', async ({ page, isMobile }, info) => {
  const day = ahead(26)
  const [single_class_id] = await classOn(page.request, { day, hour: hourOf('17', isMobile), capacity: 6 })
  const ana = await customer(page.request, 'Amalia', 1)
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/customer/giveAccess', { customer_id: ana.customer_id, class_package_id: 1, is_gift: true, reason: 'De prueba' })
  const { purchases } = await ana.call<{ purchases: { purchase_id: number }[] }>('GET', '/purchases')
  await enter(page, ana, `/gracias/${purchases[0]?.purchase_id}`)
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await wrongInPalettes(page, info, 'gracias')).toEqual({})

  await ana.call('POST', '/class_reservations', { single_class_id })
  await page.goto('/mystudio/reservaciones')
  await page
    .getByRole('button', { name: /Código de Acceso/i })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Código de Acceso' })
  await expect(dialog.getByRole('img', { name: /^Código de acceso de tu lugar/ })).toBeVisible()
  expect(await wrongInPalettes(page, info, 'codigo')).toEqual({})
})
