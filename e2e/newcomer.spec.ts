/**
 * A new customer, from the landing page to a reservation with a guest: the wanted class is remembered on every page, and few steps are
 * needed (S2-2.36, S2-2.37, docs/domain.md V52).
 */
import type { Locator, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, hourOf, PASSWORD, reserveButton } from './studio-people.ts'
import { expect, test } from './test.ts'

/** Counts what a finger does: a tap, or a field that is filled. */
function finger() {
  const touches: string[] = []
  return {
    touches,
    async tap(on: Locator) {
      await on.click()
      touches.push(`tap ${on}`)
    },
    async fill(field: Locator, text: string) {
      await field.fill(text)
      touches.push(`fill ${field}`)
    },
  }
}

const cardFrame = (page: Page) => page.frameLocator('iframe[title="Datos de la tarjeta"]')
const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Crea tu cuenta para reservar' })

test('from the landing page to a place with a guest in at most 17 touches', async ({ page, isMobile }) => {
  const { touches, tap, fill } = finger()
  const id = `${Date.now()}${isMobile ? 1 : 2}`
  await page.goto('/')
  // The next classes of the studio: one with room for two. Which ones they are depends on the hour of the run.
  const wanted = page
    .locator('.rail-class')
    .filter({ hasText: /(?<!\d)([2-9]|\d\d) lugares/ })
    // Other tests make classes that begin within minutes.
    .last()
  const name = (await wanted.locator('.strong').textContent()) ?? ''
  const hour = (await wanted.locator('.hour').textContent()) ?? ''
  await tap(wanted)

  // The sheet names the class and begins with the sign-up, because no account was used here.
  const sheet = sheetOf(page)
  await expect(sheet).toContainText(name)
  await expect(sheet).toContainText(hour)
  await expect(page).toHaveURL(/\/calendario\?dia=[\d-]+$/)
  await accessible(page)
  await fill(sheet.getByLabel('Nombre', { exact: true }), 'Julia')
  await fill(sheet.getByLabel('Apellidos'), 'Ríos Peña')
  await fill(sheet.getByLabel('Correo electrónico'), `julia.${id}@correo.test`)
  await fill(sheet.getByLabel('Teléfono'), `33${id.slice(-8)}`)
  await fill(sheet.getByLabel('Contraseña', { exact: true }), PASSWORD)
  await fill(sheet.getByLabel('Confirma tu contraseña'), PASSWORD)
  await tap(sheet.getByRole('checkbox'))
  await tap(sheet.getByRole('button', { name: 'Crear mi cuenta' }))

  // The refusal offers one package in place: with a guest, one that is enough for two.
  const offer = page.getByRole('dialog', { name: 'Te falta un paquete' })
  await expect(offer).toContainText(name)
  await expect(offer).toContainText('Tu primera clase $150.00')
  await tap(offer.getByText('Llevo un invitado'))
  await expect(offer).not.toContainText('Tu primera clase $150.00')
  await accessible(page)
  await tap(offer.getByRole('link', { name: 'Comprar y reservar' }))

  await expect(page.getByText('Después de pagar apartas tu lugar:')).toContainText(name)
  await expect(cardFrame(page).getByLabel('Nombre en la tarjeta')).toHaveValue('Julia Ríos Peña')
  await fill(cardFrame(page).getByLabel('Número de tarjeta'), '4242424242424242')
  await fill(cardFrame(page).getByLabel('Vencimiento'), '09/2031')
  await fill(cardFrame(page).getByLabel('CVV', { exact: true }), '123')
  // The documents were accepted two minutes ago.
  await expect(page.getByRole('checkbox', { name: /^Acepto/ })).toBeChecked()
  await tap(page.getByRole('button', { name: /^Pagar/ }))

  // Back at the open dialog: seats chosen, the guest on, one filled button.
  await expect(page).toHaveURL(/\/mystudio\?.*con_invitado=1.*pagado=\d+/)
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toContainText('¡Compra exitosa!')
  await expect(dialog.getByRole('switch', { name: 'Llevo un invitado' })).toBeChecked()
  await accessible(page)
  await fill(dialog.getByLabel('Nombre de tu invitado'), 'Jimena')
  const book = dialog.getByRole('button', { name: 'Apartar 2 lugares' })
  await expect(dialog.locator('.btn-filled')).toHaveCount(1)
  await tap(book)
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  expect(touches.length, touches.join('\n')).toBeLessThanOrEqual(17)
})

test('the class survives a challenge of the bank, and a seat in the address too', { tag: '@one-size' }, async ({ page, isMobile }) => {
  const day = ahead(5)
  const at = hourOf('14', isMobile)
  const [single_class_id] = await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  await enter(page, await customer(page.request, 'Nadia', 0), `/mystudio?dia=${day}&clase=${single_class_id}&sitio=2-3`)
  await page.getByRole('dialog', { name: 'Te falta un paquete' }).getByRole('link', { name: 'Comprar y reservar' }).click()
  await cardFrame(page).getByLabel('Número de tarjeta').fill('4000002500003155')
  await cardFrame(page).getByLabel('Vencimiento').fill('09/2031')
  await cardFrame(page).getByLabel('CVV', { exact: true }).fill('123')
  await page.getByRole('button', { name: /^Pagar/ }).click()
  await page.frameLocator('iframe[title="Confirmación de tu banco"]').getByRole('button', { name: 'Autorizar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Yin' })
  await expect(dialog.getByRole('radio', { name: 'Fila 2, lugar 3, elegido' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Apartar mi lugar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
})

test('a purchase that is paid later remembers its class, on any device', { tag: '@one-size' }, async ({ page, browser, isMobile }) => {
  const day = ahead(5)
  const at = hourOf('16', isMobile)
  await classOn(page.request, { day, hour: at })
  const olga = await customer(page.request, 'Olga', 0)
  await enter(page, olga, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Comprar y reservar' }).click()
  await page.getByRole('radio', { name: /^OXXO/ }).check()
  await page.getByRole('button', { name: /^Generar referencia/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Falta tu pago' })).toBeVisible()
  const [, purchase_id] = /gracias\/(\d+)/.exec(page.url()) ?? []
  const { purchases } = await olga.call<{ purchases: { voucher: { url: string } | null }[] }>('GET', '/purchases')
  await page.goto(purchases[0]?.voucher?.url ?? '')
  await page.getByRole('button', { name: 'Simular el pago' }).click()

  // The link of the mail, which is sent when the payment has arrived, opened on another device.
  const paid = async () => (await olga.call<{ purchases: { status: string }[] }>('GET', '/purchases')).purchases[0]?.status
  await expect.poll(paid).toBe('completed')
  const other = await (await browser.newContext()).newPage()
  await enter(other, olga, `/gracias/${purchase_id}`)
  await expect(other.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  await expect(other.getByText(/Falta un paso: aparta tu lugar del/)).toBeVisible()
  await other.getByRole('link', { name: 'Apartar mi lugar' }).click()
  await expect(other.getByRole('dialog', { name: 'Yin' }).getByRole('button', { name: 'Apartar mi lugar', exact: true })).toBeVisible()
  await other.context().close()
})

test('who was here before logs in at once, and a closed sheet forgets the class', { tag: '@one-size' }, async ({ page, isMobile }) => {
  const day = ahead(26)
  const at = hourOf('18', isMobile)
  await classOn(page.request, { day, hour: at })
  const rita = await customer(page.request, 'Rita', 2)
  await page.goto(`/calendario?dia=${day}`)
  const book = page.getByRole('article', { name: new RegExp(`\\b${Number(day.slice(8))}, ${at}`) }).getByText('Reservar', { exact: true })
  await book.click()
  await expect(sheetOf(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheetOf(page)).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('estudio:clase'))).toBeNull()
  await enter(page, rita)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('estudio:conocido'))).toBe('1')
  await page.evaluate(() => localStorage.removeItem('estudio:sesion'))
  await page.goto(`/calendario?dia=${day}`)
  await book.click()
  const dialog = page.getByRole('dialog', { name: 'Entra para reservar' })
  await expect(dialog).toContainText('Yin con Lucía')
  // Changing from the log-in to the sign-up keeps the typed address.
  await dialog.getByLabel('Correo electrónico').fill(rita.email)
  await dialog.getByText('Crear cuenta', { exact: true }).click()
  await expect(sheetOf(page).getByLabel('Correo electrónico')).toHaveValue(rita.email)
})
