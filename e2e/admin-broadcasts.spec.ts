/**
 * Difusiones and Automáticos: a message to a segment is counted, sent once, and left by its link; the text of an automatic message (BR1
 * to BR6, M11).
 */
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

test('the text of an automatic message is changed with a variable, previewed, tried and restored (M11 to M13)', async ({ page, request }, {
  project,
}) => {
  // Each project has its own message, because both run at once.
  const message = project.name === 'phone' ? 'Clase recuperada' : 'Reservación cancelada'
  await enter(page, OWNER, '/admin/mensajes/automaticos')
  await accessible(page)
  await page.getByRole('button', { name: message }).click()
  const panel = page.getByRole('dialog', { name: message })
  const text = panel.getByRole('textbox', { name: 'Texto' })
  await text.fill('Se canceló ')
  await panel.getByRole('button', { name: 'Clase', exact: true }).click()
  // The variable is a chip, and the cursor is behind it.
  await expect(text.locator('.variable-chip')).toHaveText('dato Clase')
  await expect(text).toBeFocused()
  await page.keyboard.type(', {{nombre}}.')
  await expect(text.locator('.variable-chip')).toHaveText(['dato Clase', 'dato Nombre'])
  // One key removes it, as one letter; undo brings it back.
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(text.locator('.variable-chip')).toHaveText(['dato Clase'])
  await page.keyboard.press('Control+z')
  await expect(text.locator('.variable-chip')).toHaveText(['dato Clase', 'dato Nombre'])
  // What is pasted is text, and its variables are chips.
  await text.fill('')
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<p><b>Hola</b></p>')
    clipboardData.setData('text/plain', 'Hola {{nombre}}:\r\nse canceló {{ clase }}')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(text.locator('p')).toHaveText(['Hola dato Nombre:', 'se canceló dato Clase'])
  await expect(text.locator('b')).toHaveCount(0)
  await expect(panel.getByRole('region', { name: 'Así se lee' })).not.toContainText('{{clase}}')
  await accessible(page)
  await panel.getByRole('button', { name: 'Mandarme una prueba' }).click()
  await expect(page.getByText(`Prueba enviada a ${OWNER.email}.`)).toBeVisible()
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  const owner = await staff(request, 'owner')
  const { templates } = await owner<{ templates: { channels: { text: string }[] }[] }>('GET', '/admin/message_templates')
  expect(templates.flatMap(({ channels }) => channels.map((channel) => channel.text))).toContain('Hola {{nombre}}:\nse canceló {{ clase }}')
  await text.fill('Hola {{nadie}}')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(panel.getByText('“{{nadie}}” no es un dato de este mensaje.')).toBeVisible()
  await panel.getByRole('button', { name: 'Volver al de costumbre' }).click()
  await expect(text.locator('.variable-chip').first()).toBeVisible()
  await panel.getByRole('button', { name: 'Cerrar' }).click()
  await expect(panel).toHaveCount(0)
})

test('a channel of an automatic message is switched in its list, which says when each is sent (M11, M12)', async ({ page }, {
  project,
}) => {
  // Each project has its own message, because both run at once.
  const message = project.name === 'phone' ? 'Penalización perdonada' : 'Suscripción en pausa'
  await enter(page, OWNER, '/admin/mensajes/automaticos')
  await expect(page.getByRole('button', { name: /^Recordatorio de clase\s*12 horas antes de la clase$/ })).toBeVisible()
  const locked = page.locator('tr').filter({ hasText: 'Cuando el estudio cancela una clase' })
  await expect(locked.getByText('Siempre')).toBeVisible()
  await expect(locked.getByRole('switch')).toHaveCount(3)
  const byWhatsApp = page.getByRole('switch', { name: `${message} por WhatsApp` })
  await expect(byWhatsApp).not.toBeChecked()
  await byWhatsApp.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(byWhatsApp).toBeFocused()
  await page.reload()
  await expect(byWhatsApp).toBeChecked()
  await byWhatsApp.uncheck({ force: true })
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(byWhatsApp).not.toBeChecked()
})

test('whoever saves the text of an automatic message over a newer one reads both, and loses nothing that was typed (K19)', async ({
  page,
  request,
}, { project }) => {
  // Each project has its own message, because both run at once.
  const [event, label] = project.name === 'phone' ? ['class_cancelled', 'Clase cancelada'] : ['class_changed', 'Cambio de clase']
  const owner = await staff(request, 'owner')
  const change = (text: string) => owner('PUT', `/admin/message_templates/${event}/mail`, { text })
  await enter(page, OWNER, '/admin/mensajes/automaticos')
  await page.getByRole('button', { name: new RegExp(label ?? '') }).click()
  const panel = page.getByRole('dialog', { name: label })
  await panel.getByRole('radio', { name: 'Correo' }).check({ force: true })
  await panel.getByRole('textbox', { name: 'Texto' }).fill('Lo mío')
  await change('Lo suyo')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  const both = page.getByRole('dialog', { name: 'Alguien más cambió este mensaje' })
  await expect(both).toContainText('La suya Lo suyo')
  await expect(both).toContainText('La tuya Lo mío')
  await accessible(page)
  await both.getByRole('button', { name: 'Seguir editando' }).click()
  await expect(panel.getByRole('textbox', { name: 'Texto' })).toHaveText('Lo mío')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await both.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(panel.getByRole('textbox', { name: 'Texto' })).toHaveText('Lo mío')
  await change('')
})

test('a message for customers who change to a state is written from proposed words, switched off and removed (BR7)', async ({ page }) => {
  const subject = `Vuelve ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/mensajes/automaticos?estado=0')
  const panel = page.getByRole('dialog', { name: 'Mensaje nuevo al cambiar de estado' })
  await panel.getByLabel('Si alguien pasa a').selectOption('Por vencer')
  await expect(panel.getByLabel('Asunto')).toHaveValue('Tus clases están por vencer')
  await panel.getByLabel('Asunto').fill(subject)
  await panel.getByLabel(/^Días antes de/).fill('3')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(panel.getByText('Escribe de 7 a 365 días.')).toBeVisible()
  await panel.getByLabel(/^Días antes de/).fill('30')
  await accessible(page)
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  const row = page.getByRole('button', { name: new RegExp(subject) })
  await expect(row).toContainText('Todavía no se ha mandado a nadie.')
  await row.click()
  const edit = page.getByRole('dialog', { name: 'Mensaje al cambiar de estado' })
  await edit.getByRole('switch', { name: 'Encendido' }).uncheck({ force: true })
  await edit.getByRole('button', { name: 'Guardar' }).click()
  await expect(row).toContainText('Apagado')
  await row.click()
  await edit.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(row).toHaveCount(0)
})
