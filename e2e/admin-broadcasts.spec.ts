/** Difusiones and Automáticos: a message to a segment is counted, sent once, and left by its link; the text of an automatic message (BR1 to BR6, M11). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a promotion is counted with who is left out and why, sent, and stopped by the link without logging in (BR1, BR2, BR6)', async ({
  page,
  request,
}) => {
  const id = randomUUID().slice(0, 6)
  const owner = await staff(request, 'owner')
  const yes = await customer(request, `Si${id}`, 0)
  await customer(request, `No${id}`, 0)
  await yes.call('PUT', '/message_preferences', { marketing: true })
  await owner('POST', '/segments', { name: `Grupo ${id}`, filter: { query: id } })
  await enter(page, OWNER, '/admin/mensajes/difusiones')
  await accessible(page)
  await page.getByRole('link', { name: 'Nuevo mensaje' }).first().click()
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText('Elige un segmento.')).toBeVisible()
  const option = page.getByRole('option', { name: new RegExp(`Grupo ${id}`) })
  await page.getByLabel('Segmento', { exact: true }).selectOption(await option.innerText())
  await page.getByRole('checkbox', { name: 'En su cuenta' }).uncheck({ force: true })
  await page.getByLabel('Asunto').fill(`Barre ${id}`)
  await page.getByLabel('Mensaje', { exact: true }).fill('Hola {{nombre}}: <b>abrimos</b> Barre.')
  const reach = page.getByRole('region', { name: 'A quiénes llega' })
  await expect(reach).toContainText('1 persona de 2')
  await reach.getByText(/No ha aceptado promociones/).click()
  await expect(reach.getByRole('link', { name: new RegExp(`No${id}`) })).toBeVisible()
  await expect(page.getByText('Hola Ana Sofía: <b>abrimos</b> Barre.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Le llega a 1 persona; a 1 persona no.')
  await page.getByRole('button', { name: 'Sí, enviar' }).click()
  await expect(page).toHaveURL('/admin/mensajes/difusiones')
  const row = page.getByRole('button', { name: new RegExp(`Barre ${id}`) })
  await expect(row).toContainText('1 mensaje enviado', { timeout: 30_000 })
  await row.click()
  const panel = page.getByRole('dialog', { name: 'Difusión' })
  await expect(panel).toContainText('No ha aceptado promociones por los medios elegidos: 1 persona')
  await accessible(page)

  const { mails } = await owner<{ mails: { to: string; subject: string; text: string }[] }>('GET', '/admin/mails')
  const mine = mails.filter(({ subject }) => subject === `Barre ${id}`)
  expect(mine.map(({ to }) => to)).toEqual([yes.email])
  const path = /\/baja\/[\w.-]+/.exec(mine[0]?.text ?? '')?.[0] ?? ''
  await page.context().clearCookies()
  await page.goto(path)
  await expect(page.getByRole('heading', { name: '¿Dejar las promociones?' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Dejar de recibirlas' }).click()
  await expect(page.getByRole('heading', { name: 'Ya no te mandaremos promociones' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Volver a recibirlas' })).toBeVisible()
  const after = await yes.call<{ preferences: { marketing: { allowed: boolean } } }>('GET', '/message_preferences')
  expect(after.preferences.marketing.allowed).toBe(false)
  await page.goto('/baja/nadie.firma')
  await expect(page.getByRole('heading', { name: 'Este enlace no es válido.' })).toBeVisible()
})

test('the text of an automatic message is changed with a variable, previewed, tried and restored (M11 to M13)', async ({ page }) => {
  await enter(page, OWNER, '/admin/mensajes/automaticos')
  await accessible(page)
  await page.getByRole('button', { name: /Reservación cancelada/ }).click()
  const panel = page.getByRole('dialog', { name: 'Reservación cancelada' })
  await panel.getByLabel('Texto').fill('Se canceló ')
  await panel.getByRole('button', { name: 'Clase', exact: true }).click()
  await expect(panel.getByLabel('Texto')).toHaveValue('Se canceló {{clase}}')
  await expect(panel.getByRole('region', { name: 'Así se lee' })).not.toContainText('{{clase}}')
  await accessible(page)
  await panel.getByRole('button', { name: 'Mandarme una prueba' }).click()
  await expect(page.getByText(`Prueba enviada a ${OWNER.email}.`)).toBeVisible()
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await panel.getByLabel('Texto').fill('Hola {{nadie}}')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(panel.getByText('“{{nadie}}” no es un dato de este mensaje.')).toBeVisible()
  await panel.getByRole('button', { name: 'Volver al de costumbre' }).click()
  await expect(panel.getByLabel('Texto')).toHaveValue(/detalles/)
  await panel.getByRole('button', { name: 'Cerrar' }).click()
  await expect(panel).toHaveCount(0)
})
