/** Erasing a person's data from their file: its obstacles, the banner, and withdrawing it (docs/domain.md X12). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('the owner requests the erasure of a customer, and withdraws it (X12)', async ({ page, request }) => {
  const name = `Nube${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 3)
  await enter(page, OWNER, `/admin/clientes/${customer_id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Borrar sus datos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Borrar sus datos' })
  await expect(dialog).toContainText('Pierde 3 clases por usar.')
  await dialog.getByLabel('Motivo').fill('Lo pidió por correo')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Borrar en 72 horas' }).click()
  await expect(dialog).toBeHidden()
  const banner = page.getByText('Sus datos se borran el')
  await expect(banner).toBeVisible()
  await accessible(page)
  await page.reload()
  await expect(banner).toBeVisible()
  await page.getByRole('button', { name: 'No borrarlos' }).click()
  await expect(banner).toBeHidden()
})
