/**
 * The main journey: a visitor becomes a customer, buys a package and reserves a class (S1-2, S2-2, S1-8). On a phone and on a desktop,
 * with axe on each page.
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { expect, test } from './test.ts'

const PASSWORD = 'olas-y-montes-7'

async function fillCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe[title="Datos de la tarjeta"]')
  await frame.getByLabel('Número de tarjeta').fill(number)
  await frame.getByLabel('Nombre en la tarjeta').fill('Julia Ríos')
  await frame.getByLabel('Vencimiento').fill('09/2031')
  await frame.getByLabel('CVV', { exact: true }).fill('123')
}

/** Opens next week, whose classes can be booked, and waits for its cards. */
async function nextWeek(page: Page) {
  await page.getByRole('link', { name: 'Semana siguiente', exact: true }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
}

test('a visitor becomes a customer, buys and reserves, cancels, leaves and comes back (S1-1.03)', async ({ page, isMobile }) => {
  test.setTimeout(150_000)
  const email = `julia.${Date.now()}.${isMobile ? 'm' : 'd'}@correo.test`

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await accessible(page)
  await page.goto('/calendario')
  await expect(page.getByRole('heading', { level: 1, name: 'Horarios' })).toBeVisible()
  await accessible(page)
  await nextWeek(page)
  await page
    .getByRole('article')
    .filter({ has: page.getByText('Reservar', { exact: true }) })
    .first()
    .getByText('Reservar', { exact: true })
    .click()

  // Without a session: log-in or sign-up, then back to the chosen class (S2-1.08, S2-2.36, S2-2.37).
  await expect(page.getByRole('dialog', { name: 'Crea tu cuenta para reservar' })).toBeVisible()
  await page.getByLabel('Nombre', { exact: true }).fill('Julia')
  await page.getByLabel('Apellidos').fill('Ríos Peña')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Teléfono').fill(`(55) ${String(Date.now()).slice(-8)}`)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirma tu contraseña').fill('otra-cosa-9')
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText('Las contraseñas no coinciden')).toBeVisible()
  await expect(page.getByText('Debes aceptar los términos y condiciones antes de continuar.')).toBeVisible()
  await accessible(page)
  await page.getByLabel('Confirma tu contraseña').fill(PASSWORD)
  await page.getByRole('checkbox', { name: /Acepto/ }).check()
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()

  // Back at the class automatically, without credits (S2-8.11).
  const exhausted = page.getByRole('dialog')
  await expect(exhausted).toContainText('Lo sentimos. Has agotado todos tus créditos')
  await accessible(page)
  await exhausted.getByRole('link', { name: 'Comprar Clases' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Paquetes' })).toBeVisible()
  await accessible(page)
  await page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Diez', exact: true }) })
    .getByRole('link')
    .click()

  // First declined with the exact sentence, then paid after the bank's challenge.
  await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Forma de Pago' })).toBeVisible()
  await expect(page.getByText('Estás Comprando')).toBeVisible()
  await fillCard(page, '4000000000009995')
  await expect(page.getByRole('checkbox', { name: /^Acepto/ })).toBeChecked()
  await accessible(page)
  const pay = page.getByRole('button', { name: /^Pagar/ })
  await pay.click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.' }),
  ).toBeVisible()
  await fillCard(page, '4000002500003155')
  await pay.click()
  // The frame is as high as the contents of the challenge.
  const bank = page.frameLocator('iframe[title="Confirmación de tu banco"]')
  await expect(bank.getByRole('button', { name: 'Autorizar' })).toBeVisible()
  const contentHeight = () => bank.locator('html').evaluate((html) => Math.ceil(html.getBoundingClientRect().height))
  const frame = page.locator('iframe[title="Confirmación de tu banco"]')
  await expect.poll(async () => (await frame.boundingBox())?.height === (await contentHeight())).toBe(true)
  await bank.getByRole('button', { name: 'Autorizar' }).click()

  // Back at the wanted class (docs/domain.md V52); the order is one link away.
  await expect(page.getByRole('dialog')).toContainText('¡Compra exitosa!')
  await page.getByRole('dialog').getByRole('link', { name: 'Ver mi orden' }).click()
  await expect(page).toHaveURL(/\/gracias\/\d+/)
  await expect(page.getByRole('heading', { name: /^Orden #00\d+$/ })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await accessible(page)
  await page.getByRole('link', { name: 'Ir a Mis Clases' }).click()

  // Choose a spot on the map, check which credit will be used, and reserve.
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Mis créditos' })).toContainText('10')
  await nextWeek(page)
  await accessible(page)
  // A demo class with a map: other tests add classes without one to the same week.
  await page
    .getByRole('article')
    .filter({ hasText: /Reformer|Ciclo|Barre/ })
    .getByRole('button', { name: /^Reservar / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Se usará 1 crédito de')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /Diez/ })).toBeChecked()
  const seat = dialog.getByRole('radio', { name: /disponible$/ }).first()
  await seat.click()
  await expect(dialog.getByText('Te quedan 9 clases')).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  await expect(dialog).toBeHidden()

  await page.goto('/mystudio/reservaciones')
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Reservaciones' })).toBeVisible()
  await expect(page.getByText('Próxima', { exact: true })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Mis créditos' })).toContainText('9')
  await accessible(page)
  await page.getByRole('button', { name: /^Cancelar / }).click()
  await expect(page.getByRole('dialog')).toContainText('Tu crédito regresa a tu paquete.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar Clase' }).click()
  await expect(page.getByText('Reservación cancelada.')).toBeVisible()
  await expect(page.getByText('Cancelada', { exact: true })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Mis créditos' })).toContainText('10')

  // Log out and in again (S1-2.29, S1-2.35).
  await page.getByRole('button', { name: /Cuenta de Julia/ }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Entrar Ahora' })).toBeVisible()
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill('no-es-esta-8')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo')).toBeVisible()
  await accessible(page)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  await page.goto('/entrar')
  await expect(page).toHaveURL(/\/mystudio/)
})

test('checkout and order show what is bought, the price, and the next step (S1-1.07, S1-2.21, S1-2.55 to S1-2.59, S1-2.66, S1-2.74 to S1-2.79, S1-2.82)', async ({
  page,
  request,
  isMobile,
}) => {
  const email = `pablo.${Date.now()}.${isMobile ? 'm' : 'd'}@correo.test`
  await page.goto('/paquetes')
  await page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Cinco', exact: true }) })
    .getByRole('link')
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
  const { class_packages } = (await (await request.get('/api/class_packages')).json()) as {
    class_packages: { class_package_id: number; title: string; description: string | null; short_description: string | null }[]
  }
  const five = class_packages.find(({ title }) => title === 'Cinco')
  await expect(page).toHaveURL(`/checkout/${five?.class_package_id}`)
  const buying = page.getByRole('region', { name: 'Estás Comprando' })
  await expect(buying.getByRole('heading', { name: 'Cinco', exact: true })).toBeVisible()
  await expect(buying.locator('.checkout-image')).toBeVisible()
  for (const text of [five?.short_description, five?.description?.replace(/<[^>]+>/g, '')]) {
    expect(text?.length).toBeGreaterThan(3)
    await expect(buying.getByText(text ?? '')).toBeVisible()
  }
  await expect(buying.locator('.checkout-total')).toHaveText(/Total hoy.*\$1,350\.00/s)

  // A visitor signs up inside the checkout column, and the log-in form's own link stays there too (S1-2.41, S1-2.65).
  await expect(page.getByRole('heading', { name: 'Crea tu cuenta para comprar' })).toBeVisible()
  await page.getByText('Ya tengo cuenta', { exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Entra para comprar' })).toBeVisible()
  await page.getByRole('button', { name: 'Crea tu cuenta' }).click()
  await expect(page).toHaveURL(`/checkout/${five?.class_package_id}`)
  await page.getByLabel('Nombre', { exact: true }).fill('Pablo')
  await page.getByLabel('Apellidos').fill('Luna')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Teléfono').fill(`56${String(Date.now()).slice(-8)}`)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirma tu contraseña').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()

  await expect(page.getByRole('heading', { name: 'Forma de Pago' })).toBeVisible()
  await fillCard(page, '4242424242424242')
  await page.getByRole('checkbox', { name: /^Acepto/ }).check()
  const today = () => new Intl.DateTimeFormat('es-MX', { timeZone: 'America/Mexico_City', day: '2-digit' }).format(new Date())
  const before = today()
  await page.getByRole('button', { name: 'Pagar $1,350.00' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  await expect(page.getByText('Completada')).toBeVisible()
  const facts = page.locator('main dl')
  const fact = (name: string) => facts.locator('div', { has: page.getByText(name, { exact: true }) }).locator('dd')
  await expect(fact('Fecha')).toHaveText(new RegExp(`^(?:${before}|${today()}) [a-zé]{3} \\d{4}$`, 'i'))
  await expect(fact('Compraste')).toHaveText('Cinco')
  await expect(fact('Clases')).toHaveText('5')
  await expect(fact('Total')).toHaveText('$1,350.00')
  await expect(fact('Método de pago')).toHaveText(/Tarjeta|4242/)
  await expect(fact('Cuenta')).toHaveText(email)
  await expect(fact('Tus beneficios vencen')).toHaveText(/^en \d+ días, el \d{2} [a-zé]{3} \d{4}$/i)
  await page.getByRole('link', { name: 'Ir a Mis Clases' }).click()
  await expect(page).toHaveURL('/mystudio')
})

test('without a session the signed-in area redirects to the log-in and back', { tag: '@one-size' }, async ({ page }) => {
  await page.goto('/mystudio/reservaciones')
  await expect(page).toHaveURL(/\/entrar\?volver=/)
  await page.getByLabel('Correo electrónico').fill('nadie@correo.test')
  await page.getByLabel('Contraseña', { exact: true }).fill('la-que-sea-1')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('Lo sentimos. No encontramos una cuenta con ese correo. ¡Regístrate!')).toBeVisible()
})
