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
  const made = page.getByRole('dialog', { name: 'Llave creada' })
  const secret = (await made.locator('code').first().textContent()) ?? ''
  expect(secret).toMatch(/^est_[\w-]{43}$/)
  await accessible(page)
  await made.getByRole('button', { name: 'Ya la guardé' }).click()

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
