/** Mensajes: what was sent is found, read as it was sent, and sent again after the address was corrected (M7, M10). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { inDatabase, lastMail } from './studio-database.ts'
import { enter, showFilters, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

test('a message that failed is found, corrected and sent again; markup in it is shown as text (M7, M10)', async ({ page, request }) => {
  const name = `Mirta${randomUUID().slice(0, 8)}`
  const owner = await staff(request, 'owner')
  const wrong = `${name.toLowerCase()}@correo.invalid`
  const { customer_id } = await owner<{ customer_id: number }>('POST', '/customer', {
    name,
    last_name: 'Olmos Rey',
    email: wrong,
  })
  const texts = {
    title: 'Quitamos tu penalización',
    lines: ['Ya puedes reservar. <img src=x onerror="document.title=1">'],
    notes: [],
    action: null,
    blanks: [],
  }
  await inDatabase((client) =>
    client.query(
      `insert into message (event, about, customer_id, channel, status, reason, words, "nextAt", "createdAt", tries)
       values ('penalty_forgiven', $1, $2, 'mail', 'failed', 'smtp.ejemplo.mx answered 550.', $3, now(), now(), 1)`,
      [`prueba:${name}`, customer_id, texts],
    ),
  )
  await enter(page, RECEPTION, '/admin/mensajes')
  await expect(page.getByRole('heading', { level: 1, name: 'Mensajes' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Nombre, correo o teléfono' }).fill(name)
  await expect(page.getByText('1 mensaje', { exact: true })).toBeVisible()
  await showFilters(page)
  await page.getByLabel('Estado').selectOption({ label: 'Falló' })
  await expect(page).toHaveURL(/estado=failed/)
  // The filter is in the address. A new page has no rows of the previous filter, which are dimmed until the next ones arrive.
  await page.reload()
  await expect(page.getByText('El servicio de correo no lo aceptó.').first()).toBeVisible()
  await accessible(page)
  await showFilters(page)
  await page.getByLabel('Estado').selectOption('')
  await page.getByRole('button', { name: 'Quitamos tu penalización' }).click()
  const panel = page.getByRole('dialog', { name: 'Mensaje' })
  await expect(panel.getByRole('region', { name: 'Lo que se mandó' })).toContainText('<img src=x onerror=')
  expect(await panel.locator('img').count()).toBe(0)
  await accessible(page)
  const address = panel.getByRole('textbox', { name: 'Su correo' })
  await expect(address).toHaveValue(wrong)
  await address.fill('sin arroba')
  await panel.getByRole('button', { name: 'Corregir y reenviar' }).click()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  const right = `${name.toLowerCase()}@correo.test`
  await address.fill(right)
  await panel.getByRole('button', { name: 'Corregir y reenviar' }).click()
  await expect(page.getByText('Mensaje reenviado.')).toBeVisible()
  await expect(panel.getByText('Se reenvió una vez.')).toBeVisible()
  await expect.poll(async () => (await lastMail(right)).text).toContain('Ya puedes reservar.')
  // The open message is in the address: a reload finds it.
  await page.reload()
  await expect(panel.getByText(/^Enviado$/)).toBeVisible()
  await panel.getByRole('link', { name: 'Ver ficha' }).click()
  await expect(page).toHaveURL(`/admin/clientes/${customer_id}`)
  await expect(page.getByRole('link', { name: right })).toBeVisible()
})

test('says so when nothing matches', async ({ page }) => {
  await enter(page, RECEPTION, '/admin/mensajes?q=nadie-se-llama-asi')
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
  await accessible(page)
})
