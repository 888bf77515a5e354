/** Integraciones: a key is created with single rights, works in a program, gets another secret, and is revoked (I1 to I5). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a key is created, used, rotated and revoked (I1, I4)', async ({ page, request }) => {
  const name = `Contabilidad ${randomUUID().slice(0, 8)}`
  await enter(page, OWNER, '/admin/ajustes/integraciones')
  await page.getByRole('button', { name: 'Llave nueva' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Llave nueva' })
  await adding.getByRole('button', { name: 'Crear llave' }).click()
  await expect(adding.getByText('Elige al menos un permiso.')).toBeVisible()
  await adding.getByRole('textbox', { name: 'Para qué es' }).fill(name)
  await expect(adding.getByRole('switch', { name: 'Administrar al equipo' })).toHaveCount(0)
  await adding.getByRole('switch', { name: 'Ver clientes: teléfono, correo y perfil' }).check({ force: true })
  await accessible(page)
  await adding.getByRole('button', { name: 'Crear llave' }).click()
  const dialog = page.getByRole('dialog', { name: 'Llave creada' })
  const secret = (await dialog.locator('code').first().textContent()) ?? ''
  expect(secret).toMatch(/^est_[\w-]{43}$/)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Ya la guardé' }).click()

  const call = (path: string, token = secret) => request.get(`/api${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect((await call('/customer/admin/all?page=1')).status()).toBe(200)
  expect((await call('/admin/audit')).status()).toBe(403)

  const row = page.getByRole('list', { name: 'Llaves de API' }).getByRole('button', { name: new RegExp(name) })
  await row.click()
  const panel = page.getByRole('dialog', { name })
  await expect(panel.getByText(`${secret.slice(0, 10)}…`)).toBeVisible()
  await panel.getByRole('combobox', { name: 'El secreto de ahora todavía sirve' }).selectOption('0')
  await panel.getByRole('button', { name: 'Cambiar secreto' }).click()
  const second = panel.locator('.secret-shown code')
  await expect(second).toHaveText(/^est_/)
  await accessible(page)
  expect((await call('/customer/admin/all?page=1')).status()).toBe(401)
  expect((await call('/customer/admin/all?page=1', (await second.textContent()) ?? '')).status()).toBe(200)
  await panel.getByRole('button', { name: 'Revocar' }).click()
  await page.getByRole('button', { name: 'Sí, revocar' }).click()
  await expect(page.getByText('La llave ya no sirve.')).toBeVisible()
  await panel.getByRole('button', { name: 'Cerrar' }).click()
  await expect(row).toContainText('Revocada')
})

test('a webhook is created, tested and removed; what was answered is in its log (I7, I8)', async ({ page }) => {
  const name = `Contabilidad ${randomUUID().slice(0, 8)}`
  await enter(page, OWNER, '/admin/ajustes/integraciones')
  await page.getByRole('button', { name: 'Webhook nuevo' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Webhook nuevo' })
  await adding.getByRole('textbox', { name: 'Dirección' }).fill('https://10.0.0.8/avisos')
  await adding.getByRole('textbox', { name: 'Para qué es' }).fill(name)
  await adding.getByRole('checkbox', { name: /Hay un cliente nuevo/ }).check({ force: true })
  await adding.getByRole('button', { name: 'Crear webhook' }).click()
  await expect(adding.getByText('Esa dirección es de una red privada.')).toBeVisible()
  await accessible(page)
  // A name that is reserved for documents: it has no address.
  await adding.getByRole('textbox', { name: 'Dirección' }).fill('https://avisos.invalid/x')
  await adding.getByRole('button', { name: 'Crear webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Webhook creado' })
  await expect(dialog.getByText(/^whsec_/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Ya lo guardé' }).click()
  await page
    .getByRole('list', { name: 'Webhooks' })
    .getByRole('button', { name: new RegExp(name) })
    .click()
  const panel = page.getByRole('dialog', { name })
  await panel.getByRole('button', { name: 'Enviar prueba' }).click()
  const sent = panel.getByRole('list', { name: 'Envíos' }).getByRole('button', { name: /Prueba/ })
  await expect(sent).toContainText('No llegó', { timeout: 20_000 })
  await sent.click()
  await expect(panel.getByText(/webhook\.test/)).toBeVisible()
  await accessible(page)
  await panel.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByText('Webhook eliminado.')).toBeVisible()
})
