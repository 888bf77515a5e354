/**
 * The customer's area besides reserving: filters of the calendar, waitlists of full classes, ratings, saved cards, the link of an offered
 * spot (S2-2, S2-4, S2-5, S1-2).
 */

import { accessible } from './axe.ts'
import { ahead, cardOf, classOn, customer, enter, hourOf, openFilters } from './studio-people.ts'
import { expect, test } from './test.ts'

/** The demo's regular customer. */
const ANA = { email: 'ana@vaiven.example', password: 'vaiven-ana' }

test('every address under /mystudio shows its page (S1-2.30, S2-1.01)', async ({ page }) => {
  await enter(page, ANA)
  for (const [path, title] of [
    ['', 'Calendario'],
    ['/paquetes', 'Paquetes'],
    ['/online', 'Online'],
    ['/pagos', 'Mis Cargos'],
    ['/metodos', 'Mis Método de Pago'],
    ['/waitlists', 'Mis Listas de Espera'],
    ['/creditos', 'Mis Créditos'],
    ['/membresias', 'Mis Compras'],
    ['/informacion', 'Mi Información'],
    ['/reservaciones', 'Mis Reservaciones'],
  ] as const) {
    await page.goto(`/mystudio${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page).toHaveURL(new RegExp(`/mystudio${path}$`))
  }
  await page.goto('/mystudio/online')
  const film = page.getByRole('article').first()
  const name = (await film.getByRole('heading').textContent()) ?? ''
  await film.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/mystudio\/video\/\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
})

test('the calendar is filtered by coach, hour and free places, and the filters are in the address', async ({ page }) => {
  await enter(page, ANA)
  await page.getByRole('link', { name: 'Semana siguiente', exact: true }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Hora' }).selectOption({ label: 'Noche' })
  await page.getByRole('link', { name: 'Con lugares' }).click()
  await expect(page).toHaveURL(/hora=noche&lugares=1/)
  await expect(page.getByRole('link', { name: 'Con lugares' })).toHaveAttribute('aria-current', 'true')
  const shown = page.getByRole('article')
  await expect(shown.filter({ hasText: 'Sin lugares' })).toHaveCount(0)
  for (const name of await shown.evaluateAll((all) => all.map((element) => element.getAttribute('aria-label') ?? '')))
    expect(name).toMatch(/, (?:1[89]|2\d):\d\d,/)
  await page.reload()
  await openFilters(page)
  await expect(page.getByRole('combobox', { name: 'Hora' })).toHaveValue('noche')
  await accessible(page)
})

test('a customer joins the waitlist of a full class, and leaves it (S2-2.28, S2-2.56 to S2-2.58, S2-4.17, S2-4.18)', async ({
  page,
  isMobile,
}) => {
  // A full class of its own, because on a Monday the demo has none in the following week.
  const day = ahead(27)
  const at = hourOf('12', isMobile)
  const [single_class_id] = await classOn(page.request, { day, hour: at, capacity: 1 })
  const other = await customer(page.request, 'Zoe', 1)
  await other.call('POST', '/class_reservations', { single_class_id })
  await enter(page, await customer(page.request, 'Yola', 1), `/mystudio?dia=${day}`)
  const mine = (which: string) => page.getByRole('button', { name: which })
  const button = cardOf(page, at, day).getByRole('button', { name: /^Anotarme en la lista de espera de / })
  const name = (await button.getAttribute('aria-label'))?.replace('Anotarme en la lista de espera de ', '') ?? ''
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Lista de espera' })
  await expect(dialog).toContainText('avisamos por WhatsApp')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Anotarme' }).click()
  await expect(page.getByText('Anotada en lista de espera.')).toBeVisible()
  await expect(mine(`Quitarme de la lista de espera de ${name}`)).toBeVisible()

  await page.goto('/mystudio/waitlists')
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Listas de Espera' })).toBeVisible()
  await page.getByRole('button', { name: 'Cómo funciona' }).click()
  await expect(page.getByRole('dialog')).toContainText('El lugar es de quien reserve primero.')
  await page.getByRole('dialog').getByRole('button', { name: 'Entendido' }).click()
  await accessible(page)
  await mine(`Quitarme de la lista de espera de ${name}`).click()
  const sure = page.getByRole('dialog', { name: 'Precaución' })
  await accessible(page)
  await sure.getByRole('button', { name: 'Sí, quitarme' }).click()
  await expect(page.getByText('Eliminada de lista de espera.')).toBeVisible()
  await expect(mine(`Quitarme de la lista de espera de ${name}`)).toHaveCount(0)
})

test('a class is rated once, and its stars stay (S2-2.51, S2-5.07 to S2-5.09)', async ({ page, isMobile }) => {
  await enter(page, ANA)
  await page.goto('/mystudio/reservaciones?ver=past')
  await expect(page.getByRole('img', { name: '5 de 5, Excelente' })).toBeVisible()
  await accessible(page)
  // There is one class to rate: the phone rates it, the desktop checks an earlier rating.
  if (!isMobile) return
  await page.getByRole('button', { name: /^Calificar / }).click()
  const dialog = page.getByRole('dialog', { name: 'Calificar Clase' })
  await dialog.getByRole('group', { name: 'La clase' }).getByRole('radio', { name: '4 de 5, Muy bien' }).check({ force: true })
  await expect(dialog.getByRole('button', { name: 'Enviar' })).toHaveCount(0)
  await expect(dialog.getByLabel('Comentario')).toHaveCount(0)
  await dialog.getByRole('radio', { name: '5 de 5, Excelente' }).last().check({ force: true })
  await dialog.getByLabel('Comentario').fill('Salí con más aire.')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('img', { name: '4 de 5, Muy bien' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Calificar / })).toHaveCount(0)
})

test('the saved card is listed (S1-2.91, S1-2.92)', async ({ page }) => {
  await enter(page, ANA)
  await page.goto('/mystudio/metodos')
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Método de Pago' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Eliminar Visa terminada en 4242' })).toBeVisible()
  await accessible(page)
})

test('a link with an invalid signature offers nothing and does not ask for a log-in', async ({ page }) => {
  await page.goto('/espera/7-1.no-es-una-firma-de-las-nuestras')
  await expect(page.getByRole('heading', { level: 1, name: 'Este enlace no es válido.' })).toBeVisible()
  await expect(page).toHaveURL(/\/espera\//)
  await accessible(page)
})
